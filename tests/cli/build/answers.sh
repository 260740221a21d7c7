#!/bin/sh
# The site answers first: the matrix of the first page, what a model's page begins with, what a vendor has
# to fix, a pair without its result, and all rows as scripts. Expectations are from data/ and from what the
# build says.
. "$(dirname "$0")/../../lib.sh"
is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; echo "# found $2, expected $3"; fi; } # DESCRIPTION FOUND EXPECTED
cd "$tmp" || exit 1
cp -R "$top/tests/golden/build/records" records && ln -s "$top/templates" templates

# Three vendors with one card each, nothing verified, stated in no order; one withholds its figures.
toy=records/results/acme/toy.json
for vendor in slow:4000 fast:9000 mute:/; do
    name=${vendor%%:*}
    jq --arg v "$name" '{schema, id: $v, name: {zh: $v, en: $v}}' records/vendors/acme.json >records/vendors/$name.json
    mkdir -p records/results/$name
    jq --arg v "$name" --arg f "${vendor##*:}" '.vendor = $v | del(.evidence) | (.performance[] | select(.table) | .table) |=
        {columns: ["配置", "precision", "fix_hp", "token/p/s", "loss", "MFU"], rows: [["(1x8) a", "bf16", "/", $f, "/", "/"]]}' $toy >records/results/$name/toy.json
done
printf '{"schema": "fpreport.site/1", "compare": [{"a": "fast/toy", "b": "fast/nothing"}]}\n' >records/site.json
"$FPREPORT" build -o site >.log 2>&1
check "a pair without its result is said at build" grep -q "site.json:1: warning: found no result 'fast/nothing'" .log

home=site/en/index.html model=site/en/model/toy/index.html
is "the first table of the first page is the matrix" "$(grep -o '<table class="[a-z]*"' $home | head -n 1)" '<table class="matrix"'
is "it has a cell for each model and vendor with rows" "$(grep -o '<td class="[a-z ]*">' $home | wc -l)" \
    "$(jq '[.rows[] | [.model, .vendor]] | unique | length' site/data/results.json)"
check "a cell shows the figure and leads to its row" grep -q 'href="../en/result/fast/toy/index.html#f1-1"><b>9,000</b>' $home
check "a vendor without a figure is hatched and says so" grep -q '<td class="[a-z]* withheld"><span class="of">mute</span>' $home
best=$(jq -r '[.rows[] | select(.model == "toy" and .state != "withdrawn" and .vendor != "acme") | .throughput_stated | tonumber? ] | max' site/data/results.json)
is "the highest stated figure by the data is that of the fast vendor" "$best" 9000
order=$(sed -n '/class="pictures"/,/<details>/p' $model | grep -o '<svg[^>]*chart-wide\|<title>[^<]*' | sed -n '2,/<svg/p' | grep -oE '^<title>[0-9,]+, [a-z]+: [a-z]+' | sed 's/<title>//' | head -n 2)
is "bars stand by their value where nothing is verified" "$(echo "$order" | cut -d, -f1 | tr '\n' ' ')" "9 4 "
check "the answer comes before every table" test "$(grep -n 'class="headline"' $model | head -n 1 | cut -d: -f1)" -lt "$(grep -n '<table' $model | head -n 1 | cut -d: -f1)"
check "it says that the order is no ranking" grep -q 'by stated value (not a ranking)' $model
check "a card without the figure is named below" grep -q 'Cards without a stated value of this metric:.*mute' $model

errors=$(grep -c '^records/results/acme/.* error: ' .log)
is "what a vendor has to fix is what the build says" "$(grep -o 'To fix: [0-9]*' site/en/vendor/acme/index.html)" "To fix: $errors"
check "with the line, the rule and how to fix it" grep -q 'rules/index.html#FP2003.*<b>Fix:</b>.*<code class="at">records/.*61</code>' site/en/vendor/acme/index.html

# More rows than a page has: all of them are in scripts, none of which is too long.
is "a list of one page needs no scripts" "$(find site -name 'rows-*.js')" ""
i=0
while [ $i -lt 90 ]; do
    sed "s/\"case\": \"[^\"]*\"/\"case\": \"toy_$i\"/" $toy >records/results/acme/toy_$i.json && i=$((i + 1))
done
"$FPREPORT" build -o many >/dev/null 2>&1
is "the page of results names its scripts" "$(grep -o 'data-scripts="[0-9]*"' many/en/results/index.html)" 'data-scripts="1"'
count='let n = 0; globalThis.fpreportRows = (k, states, rows) => { n += rows.split("\n").filter(Boolean).length; }; eval(require("fs").readFileSync(process.argv[1], "utf-8")); console.log(n)'
if command -v node >/dev/null; then
    is "they have every row" "$(node -e "$count" many/zh/results/rows-1.js)" "$(jq '.rows | length' many/data/results.json)"
else
    skip "needs node"
fi
is "no script is longer than 8 MiB" "$(find many -name 'rows-*.js' -size +8192k)" ""
"$FPREPORT" build -o again >/dev/null 2>&1
check "the same bytes twice" diff -r many again
plan_done
