# Inputs that fuzzing found (tests/fuzz/found/<reader>-<what>), through the programs that it uses.
# Only under ASan and UBSan: elsewhere most of them would pass unnoticed.
. "$(dirname "$0")/../lib.sh"
cd "$top" || exit 1
if [ "${VARIANT:-}" = asan ]; then
    for reader in page record log cell submission safetensors request signature signers statement; do
        check "what was found in $reader" "$BUILD/tests/fuzz/fuzz_$reader" \
            $(find tests/fuzz/found -name "$reader-*")
    done
else
    skip "replayed under ASan and UBSan"
fi
plan_done
