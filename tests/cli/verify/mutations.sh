#!/bin/sh
# 200 single changes of verified submissions: at least 95 % are caught, and for each other one there
# is a reason (mutations.py). SEED chooses others, COUNT how many.
. "$(dirname "$0")/../../lib.sh"
cd "$top" || exit 1
mutate() { python3 tests/cli/verify/mutations.py "$FPREPORT" records "$tmp/work" "${SEED:-20261120}" "$@"; }

# Under sanitizers a few are enough: what is caught does not depend on them.
if [ "$VARIANT" = asan ]; then : "${COUNT:=40}"; fi
mutate "${COUNT:-200}" >"$tmp/said" 2>&1
code=$?
sed 's/^/# /' "$tmp/said"
check "$(head -n 1 "$tmp/said")" test $code -eq 0
# The test can fail: where nothing is changed, nothing is caught.
check_exit 1 "no change is not caught" env NOTHING=1 python3 tests/cli/verify/mutations.py "$FPREPORT" records "$tmp/work" 1 20
# Who also restates what run.json says of its files hides more: counted, with a floor.
mutate 60 restated >"$tmp/said" 2>&1
sed 's/^/# /' "$tmp/said"
share=$(sed -n 's/^seed.*(\([0-9]*\).* %).*/\1/p' "$tmp/said")
check "with run.json restated, too: ${share:-0} % of 60, at least 75 %" test "${share:-0}" -ge 75
plan_done
