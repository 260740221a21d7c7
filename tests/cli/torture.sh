#!/bin/sh
# Commands that write, killed, refused by the system, out of memory and without power, at a few points
# each; `make check-long` takes two more commands and all points between those named, `make torture-writers` all
# (docs/TESTING.md). SEED=… takes others.
place=memory; . "$(dirname "$0")/../lib.sh"
gcc_only "a preloaded library and AddressSanitizer's do not go together"
if ! command -v python3 >/dev/null || ! command -v git >/dev/null; then skip "needs python3 and git"; plan_done; exit 0; fi
cc=${CC:-cc}
if ! $cc -std=c11 -D_GNU_SOURCE -O1 -fPIC -shared -o "$tmp/faults.so" "$top"/tests/torture/faults*.c -ldl 2>/dev/null; then
    skip "needs a compiler"; plan_done; exit 0
fi
mkdir "$tmp/crashes"
check "it is told whose code breaks" python3 "$top/tests/torture/crashes.py" "$tmp/crashes" "$tmp/faults.so"
seed=${SEED:-1}
# some N: so many of the faults at those points
some() { [ -n "${LONG:-}" ] && echo 0 || echo "$1"; }
for scenario in build collect ${LONG:+publish archive}; do
    check "$scenario, a few points of each sweep" python3 "$top/tests/torture/torture.py" "$FPREPORT" "$tmp/faults.so" \
        --sample 1 --again 0.02 --seed "$seed" --only $scenario
done
check "collect, when the files of the run cannot be opened or read" python3 "$top/tests/torture/torture.py" "$FPREPORT" \
    "$tmp/faults.so" --up-to 4 --only collect --sweep open --sweep read
check "build-archived, when signers and evidence cannot be opened" python3 "$top/tests/torture/torture.py" "$FPREPORT" \
    "$tmp/faults.so" --from 14 --up-to 25 --only build-archived --sweep open
check "publish, when git's files and those of the site cannot be opened" python3 "$top/tests/torture/torture.py" "$FPREPORT" \
    "$tmp/faults.so" --from 20 --up-to 40 --sample "$(some 16)" --seed "$seed" --only publish --sweep open
check "publish-loose, when the repository cannot be looked at" python3 "$top/tests/torture/torture.py" "$FPREPORT" \
    "$tmp/faults.so" --up-to 4 --sample "$(some 5)" --seed "$seed" --only publish-loose --sweep open
check "fsck-site, when the checkpoint cannot be opened" python3 "$top/tests/torture/torture.py" "$FPREPORT" \
    "$tmp/faults.so" --from 3 --up-to 7 --only fsck-site --sweep open
check "challenge, when nothing can be looked at: no endless loop" python3 "$top/tests/torture/torture.py" \
    "$FPREPORT" "$tmp/faults.so" --limit 40 --up-to 4 --only challenge --sweep look
check "new, when neither the program's folder nor the new one can be looked at: nor there" python3 "$top/tests/torture/torture.py" \
    "$FPREPORT" "$tmp/faults.so" --limit 40 --from 160 --up-to 166 --only new --sweep look
check "build, when nothing can be looked at from the middle on" python3 "$top/tests/torture/torture.py" "$FPREPORT" \
    "$tmp/faults.so" --limit 40 --from 1775 --up-to 1775 --only build --sweep look
check "fsck, when an object cannot be looked at" python3 "$top/tests/torture/torture.py" "$FPREPORT" "$tmp/faults.so" \
    --from 34 --up-to 34 --only fsck --sweep look
check "build-uncached, without power at its end" python3 "$top/tests/torture/torture.py" "$FPREPORT" "$tmp/faults.so" \
    --sample 1 --random 0 --seed "$seed" --only build-uncached --sweep power
plan_done
