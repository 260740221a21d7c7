#!/bin/sh
# fpreport diff on hundreds of generated pairs in every form of CSV: all figures of `alignment` are
# the same doubles as the rule written down in Python.
. "$(dirname "$0")/../../lib.sh"
pairs=400; [ "${VARIANT:-gcc}" = asan ] && pairs=80
python3 "$top/tests/oracle/align_pairs.py" "$FPREPORT" "$tmp" $pairs >"$tmp/said"; code=$?
grep '^#' "$tmp/said" | head -n 40
check "$(tail -n 1 "$tmp/said" | cut -d' ' -f1) generated pairs, to the last digit" test $code -eq 0
plan_done
