#!/bin/sh
# Many results are verified on all cores: the same verdicts, in the same order, as one by one.
. "$(dirname "$0")/../../lib.sh"

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

# A hundred pieces of evidence, in a folder whose path is long: nothing about them is lost.
part=$(printf 'a%.0s' $(seq 200))
deep=$tmp/$part/$part/$part
mkdir -p "$deep" && cp -R "$top/tests/golden/build/records" "$deep/records"
for i in $(seq 100); do
    ln "$deep/records/evidence/globex/run.tar.zst" "$deep/records/evidence/globex/run$i.tar.zst"
done
jq '.evidence[0] as $e | .evidence = [range(100) | $e + {archive: "evidence/globex/run\(. + 1).tar.zst"}]' \
    "$top/tests/golden/build/records/results/globex/tiny_llama.json" >"$deep/records/results/globex/tiny_llama.json"
"$FPREPORT" verify --records "$deep/records" globex/tiny_llama >"$tmp/hundred.txt" 2>&1
check "a hundred pieces of evidence, far below" grep -q '^globex/tiny_llama: verified' "$tmp/hundred.txt"
plan_done
