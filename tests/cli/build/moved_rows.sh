#!/bin/sh
# A row is its configuration (base/figures/row_key.h): one that moved is the same, wherever changes are told.
place=memory; . "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1
ln -s "$top/templates" templates
cp -R "$top/tests/golden/build/records" records
toy=records/results/acme/toy.json
cp $toy toy.json
as() { # JQ: acme/toy with other rows of its table; "." as it was
    jq "def front: [\"Box 8两机16卡（2x8）\", \"bf16\", \"/\", \"9000\", \"2.5\", \"40/64\", \"27.0%\"];
        .performance[1].table.rows |= ($1)" toy.json >$toy
}
# NAME@JQ@what is told of it: rows that are new or gone, then the rows of figures that are others
cases='nothing@.@
a row in front@[front] + .@+1.1
a row that is gone@.[1:]@-1.1
rows swapped@[.[1], .[0], .[2]]@
rows swapped, and another figure@[.[1], .[0], .[2]] | .[0][3] = "12001"@1.1
a new row, and another figure@[front] + . | .[2][3] = "12001"@+1.1 1.3
a twin in front@[.[0]] + . | .[0][3] = "10001"@+1.1
twins the other way round@[.[2], .[1], .[0]]@
another batch size@.[1][2] = "micro_batch_size=8"@+1.2 -1.2
another spelling@.[1][2] = "**Micro_batch_size = 4**" | .[0][0] = "box 8单机8卡(1x8)"@'

is() { # DESCRIPTION FOUND EXPECTED
    check "$1: found '$2', expected '$3'" test "$2" = "$3"
}
# --- fpreport verify, and diff of two documents
verify() { "$FPREPORT" verify $toy --format json >"$1"; }
told() { # DIFF
    jq -r '[.runs[] | (.rows[] | (if .change == "new" then "+" else "-" end) + "\(.table).\(.row)"), ([.metrics[] | "\(.table).\(.row)"] | unique[])] | join(" ")' "$1"
}
as . && verify old.json
while IFS=@ read -r name filter expected; do
    as "$filter" && verify new.json
    "$FPREPORT" diff --format json old.json new.json >diff.json
    is "verdicts: $name" "$(told diff.json)" "$expected"
done <<EOF
$cases
EOF
as '[front] + .' && verify new.json
"$FPREPORT" diff old.json new.json >found
cat >wanted <<EOF
old: old.json, fpreport 0.1.0, rules 2026.3
new: new.json, fpreport 0.1.0, rules 2026.3
acme/toy: failed
  new row 1.1 (Box 8两机16卡（2x8） · bf16): loss 2.5, memory 40/64, mfu 27.0%,
    token_per_s_per_card 9000
0 the same, 1 changed, 0 new, 0 gone; 0 for the worse
EOF
check_same "in words" wanted found
"$FPREPORT" diff new.json old.json >found
check "a row with a figure that agreed is missed" grep -qF '0 the same, 1 changed, 0 new, 0 gone; 1 for the worse' found

# Two settings whose sums begin with the same eight digits, as a vendor finds them in a second.
as '.[1][2] = "micro_batch_size=64, seed=27862"' && verify one.json
as '.[1][2] = "micro_batch_size=1, seed=95597"' && verify other.json
"$FPREPORT" diff --format json one.json other.json >diff.json
is "nearly the same sum" "$(told diff.json)" "+1.2 -1.2"

# Written before rows had keys: by place, which is said.
jq 'del(.runs[].rows[].key)' old.json >before.json
"$FPREPORT" diff before.json new.json >found
check "without keys rows are paired by their places" grep -qF 'rows: paired by their places, since one document has no keys' found
"$FPREPORT" diff --format json before.json new.json >diff.json
is "and say so" "$(jq .rows_by_place diff.json) $(told diff.json)" "1 +1.4 1.1 1.2 1.3"
check "with keys on both sides they do not" sh -c '"$0" diff old.json new.json | grep -c places | grep -qx 0' "$FPREPORT"

# --- the site: page of changes, feed, history, data; and the next site hands it on
on() { # DAY FOLDER [BEFORE]: a publication of that day
    echo "{\"schema\": \"fpreport.site/1\", \"date\": \"$1\"}" >records/site.json
    "$FPREPORT" build -q --no-cache -o "$2" ${3:+--previous "$3"} >/dev/null 2>&1
}
moments() { # SITE: of acme/toy, what the newest line of its history tells, if it is of this build
    jq -r --arg date "$(jq -r .date "$1/data/index.json")" '[(.results + .removed)[] | select(.id == "acme/toy") | .history[-1] | select(.date == $date) |
        (.rows // [] | .[] | (if .change == "added" then "+" else "-" end) + .place), ([.figures // [] | .[].place] | unique[])] | join(" ")' "$1/data/index.json"
}
both() { # DESCRIPTION SITE FILE ZH EN: what the page or feed of each language says
    check "$1" grep -qF "$4" "$2/zh/$3"
    check "$1, in English" grep -qF "$5" "$2/en/$3"
}
as . && on 2026-11-01 one
while IFS=@ read -r name filter expected; do
    as "$filter" && on 2026-11-02 two one
    is "site: $name" "$(moments two)" "$expected"
done <<EOF
$cases
EOF
as '[front] + .' && on 2026-11-02 two one
as '.[0][3] = "10001"' && on 2026-11-03 three two
both "a new row is told as one" two changes/index.html '<td data-label="行">第 1 行</td><td data-label="指标">Box 8两机16卡（2x8） · bf16</td><td data-label="数值">增加的行</td><td class="number" data-label="之前"><em class="none">没有这一行</em></td>' \
    '<td data-label="Row">row 1</td><td data-label="Figure">Box 8, 2 nodes, 16 cards (2x8) · bf16</td><td data-label="Value">row added</td><td class="number" data-label="Before"><em class="none">no such row</em></td><td class="number" data-label="Now">Loss 2.5, Memory 40/64 GiB, MFU 27.0%, Throughput 9000 tokens/s per card</td>'
check "and nothing else" test "$(grep -c 'data-label="Before"' two/en/changes/index.html)" = 1
both "in the feed" two feed/verdicts.atom '增加 1 个表格行：第 1 行（Box 8两机16卡（2x8） · bf16）。' '1 row was added: row 1 (Box 8, 2 nodes, 16 cards (2x8) · bf16).'
both "in the history" two result/acme/toy/index.html '增加的行' 'row added'
is "in the data" "$(jq -r '.rows[] | select(.figure == "row") | [.result, .before, .now, .place] | join(" ")' two/data/changes.json)" \
    "acme/toy not listed Box 8两机16卡（2x8） · bf16 $(jq -r '.rows[] | select(.case == "toy" and .place == "1.1") | "\(.place)-\(.key)"' two/data/results.json)"
both "a row that is gone, with what it stated" three changes/index.html '删除的行</td><td class="number" data-label="之前">损失 2.5，' 'row removed</td><td class="number" data-label="Before">Loss 2.5, Memory 40/64 GiB, MFU 27.0%, Throughput 9000 tokens/s per card</td><td class="number" data-label="Now"><em class="none">no such row</em></td>'
both "beside a figure" three feed/verdicts.atom '删除 1 个表格行：第 1 行（Box 8两机16卡（2x8） · bf16）。' ').'
check "beside a figure, in one sentence after the other" grep -qF '· bf16). 2 figures changed' three/en/feed/verdicts.atom
mv $toy gone.json && on 2026-11-04 four three && on 2026-11-05 five four
check "what was told stays told" grep -qF 'row removed' five/en/result/acme/toy/index.html
is "what a result that is gone had for rows" "$(jq -c '[.removed[0].rows[].place]' five/data/index.json)" '["1.1","1.2","1.3"]'
jq '.performance[1].table.rows |= [.[1], .[0], .[2]]' gone.json >$toy && on 2026-11-06 six five
check "one that returns with its rows in another order has no other figures" test "$(moments six)" = ""

# A site that was published before rows had keys: by their places.
as . && rm -rf old && cp -R one old
find old -name verify.json | while read -r f; do jq 'del(.runs[].rows[].key)' "$f" >v && mv v "$f"; done
rm old/data/figures.json
on 2026-11-02 two old
is "an older site: nothing" "$(moments two)" ""
as '[front] + .' && on 2026-11-02 two old
is "an older site: a row in front" "$(moments two)" "+1.4 1.1 1.2 1.3"

plan_done
