#!/bin/sh
# Notices about curves that were made from their reference: how many of them are found, and how
# many honest runs are said to be like them. The whole table, with shorter stretches too:
# python3 tests/oracle/copy_rates.py ./fpreport FOLDER ../shared/corpus/curves
. "$(dirname "$0")/../../lib.sh"
gcc_only "the same figures take minutes under ASan"
curves=$shared/corpus/curves; [ -d "$curves" ] || curves=
python3 "$top/tests/oracle/copy_rates.py" "$FPREPORT" "$tmp" "$curves" 500,2000 >"$tmp/rates"
sed -n 's/^\(false\|found\) /# \1 /p' "$tmp/rates"
check "no honest run of $(awk '/^false/ {n = $4} END {print n}' "$tmp/rates") is said to be a copy" \
    awk '$1 == "false" {n++; if ($3) bad = 1} END {exit bad || n < 6}' "$tmp/rates"
check "smoothed, scaled and copied curves are all found" \
    awk '$1 == "found" && $2 ~ /^(smoothed|times|plus|copied)/ {n++; if ($3 < $4) bad = 1} END {exit bad || n < 12}' "$tmp/rates"
check "most noised and shifted ones" \
    awk '$1 == "found" && $2 ~ /^(noise|even|shifted)/ {a += $3; b += $4} END {exit !(b && a / b > 0.6)}' "$tmp/rates"
plan_done
