#!/bin/sh
# Submissions that somebody changed, and archives that are none: `fpreport verify` and verify.sh say
# the same of each. `make torture` does it for every bit and ten thousand mutants.
. "$(dirname "$0")/../../lib.sh"
gcc_only "the script is the same, and hostile archives are read there by asan.hostile"
cd "$top" || exit 1
mutants=${LONG:+15} mutants=${mutants:-6} # `make check-long` takes more
check "two small submissions" sh tests/torture/small.sh "$FPREPORT" "$tmp/small"
small=$tmp/small
mkdir "$tmp/hostile" && python3 tests/unit/make_archives.py "$tmp/hostile" >"$tmp/made"
looks_once "$tmp/once.sh" # the other looks are those of sign.sh; `make torture` has them, too
check "mutants, hostile archives" python3 tests/torture/mutants.py "$FPREPORT" "$tmp/once.sh" "$small/signers" 1 "$mutants" \
    "$small/a.tar.zst" "$small/b.tar.zst" "$tmp"/hostile/*.tar.zst
grep -q "^$((mutants + $(wc -l <"$tmp/made"))) submissions" "$tmp/.out" && ok "all of them" || not_ok "all of them"

# A verifier that is wrong is found: one that does not ask who signed.
sed 's/^ *\[ "$word" = "$mine" \].*//; s/^ *if said=$(keygen "$@".*/    if :; then/' \
    "$tmp/once.sh" >"$tmp/careless.sh"
python3 tests/torture/mutants.py "$FPREPORT" "$tmp/careless.sh" "$small/signers" 1 15 "$small/a.tar.zst" "$small/b.tar.zst" >"$tmp/found"
check "one that takes any key is found" grep -q '^[0-9]*, signed by another: fpreport 1, verify.sh 0' "$tmp/found"

# Bombs: refused without being unpacked, in little time and room.
head -c 400M /dev/zero | zstd -q -3 --long=22 >"$tmp/bomb.tar.zst"
check_exit 3 "400 MiB of nothing" sh templates/site/verify.sh "$tmp/bomb.tar.zst"
printf 'x' | zstd -q --ultra -22 --long=27 >"$tmp/window.tar.zst"
check_exit 3 "a window of 128 MiB" sh templates/site/verify.sh "$tmp/window.tar.zst"
mkfifo "$tmp/pipe.tar.zst"
check_exit 3 "a pipe" timeout 300 sh templates/site/verify.sh "$tmp/pipe.tar.zst"
plan_done
