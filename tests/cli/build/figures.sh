#!/bin/sh
# A published cell is read as a number once, and not wherever its number is wanted: counted are the calls of the readers of
# numbers in a whole build without a cache, by a program that has tests/count/figures.c in front of them.
. "$(dirname "$0")/../../lib.sh"
case $BUILD in /*) ;; *) BUILD=$top/$BUILD ;; esac
counting=$BUILD/tests/count/fpreport
cd "$tmp" || exit 1
cp -R "$top/records" records
FIGURES_COUNTED=$tmp/read "$counting" build -C "$top" --records "$tmp/records" --no-cache -q -o "$tmp/site" >out 2>&1
check "the site is built" test -e site/index.html
check "2068 of the H800 page is read at least once" grep -qxF 2068 read
check "and at most three times" test "$(grep -cxF 2068 read)" -le 3
# Every cell of a table of figures that has a digit, by how often its text stands in the records, be it in a cell or not.
cat >cells.jq <<'JQ'
[.[] | [.. | strings] | group_by(.)[] | {text: .[0], n: length}] | group_by(.text) | map({(.[0].text): map(.n) | add}) | add
JQ
jq -s -f cells.jq records/results/*/*.json >times.json
jq -rs '[.[].performance[]?.table // empty | .rows[][] | if type == "object" then .as_published else . end
    | select(test("[0-9]"))] | unique[]' records/results/*/*.json >cells
sort read | uniq -c | sed 's/^ *\([0-9]*\) /\1\t/' >counts
jq -R --slurpfile times times.json --rawfile cells cells -n '
    ($cells | split("\n") | map({(.): true}) | add) as $is
    | [inputs | split("\t") | select($is[.[1]]) | {text: .[1], n: (.[0] | tonumber), stands: $times[0][.[1]]}]' counts >all.json
check "as many as the cells of the records" test "$(jq length all.json)" -gt 40
jq -r '.[] | select(.n > 3 * .stands) | "\(.text): read \(.n) times, stands \(.stands) times"' all.json >more
check_same "no cell is read more than three times" /dev/null more
plan_done
