#!/bin/sh
# Many results are verified on all cores: the same verdicts, in the same order, as one by one.
. "$(dirname "$0")/../lib.sh"

check "makes 300 results" python3 "$top/tests/bench/many_results.py" "$tmp/many" 300
"$FPREPORT" verify --records "$tmp/many" >"$tmp/all.txt" 2>&1
"$FPREPORT" verify --records "$tmp/many" $(ls "$tmp/many/results") >"$tmp/each.txt" 2>&1
check_same "all at once and vendor by vendor" "$tmp/each.txt" "$tmp/all.txt"
for i in 1 2 3 4 5; do
    "$FPREPORT" verify --records "$tmp/many" --format json >"$tmp/$i.json" 2>&1
    cmp -s "$tmp/1.json" "$tmp/$i.json" || echo "$i" >>"$tmp/differ"
done
check "five times the same document" test ! -e "$tmp/differ"
check "of 300 verdicts, of which some failed and some did not" jq -e \
    '(.runs | length) == 300 and ([.runs[].state] | unique | length) > 1' "$tmp/1.json"
plan_done
