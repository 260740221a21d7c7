#!/bin/sh
# A project that begins with pages of others: what its site shows of results whose vendors, models,
# cards and cases no record describes, and how the records that are missing are made.
. "$(dirname "$0")/../../lib.sh"
# As installed, so that a program from elsewhere (build/asan) finds its templates and records, too.
mkdir -p "$tmp/usr/bin" "$tmp/usr/share/fpreport" "$tmp/work" && cp "$FPREPORT" "$tmp/usr/bin/fpreport" && FPREPORT=$tmp/usr/bin/fpreport
ln -s "$top/templates" "$top/records" "$tmp/usr/share/fpreport/"
cd "$tmp/work" || exit 1
is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; echo "# found $2, expected $3"; fi; } # DESCRIPTION FOUND EXPECTED
has() { if grep -qF -- "$3" "$2"; then ok "$1"; else not_ok "$1"; fi; }                          # DESCRIPTION FILE TEXT
page() { # VENDOR/CASE CARD: a page of one row
    mkdir -p "pages/$1" && cat >"pages/$1/README.md" <<END
### ${1%%/*} GPU配置与运行信息参考
#### 环境配置
- ##### 硬件环境
    - 加速卡型号: $2

### 运行情况

* 性能指标

| 配置 | precision | fix_hp | token/p/s | loss | mem | MFU |
| --- | --- | --- | --- | --- | --- | --- |
| 单机8卡（1x8） | bf16 | / | 1000 | 2.5 | 40/64 | 30.1% |
END
}
page acme/toy_7B-x 'Acme X1' && page globex/toy_7B-x '玄武 X1' && page globex/other-x '朱雀 X1' && page nvidia/llama2_7b-deepspeed A100
# fpreport knows this card and this model: what is stated of them has to hold.
sed -i 's/30.1%/13.0%/; s,40/64,40/80,' pages/nvidia/llama2_7b-deepspeed/README.md
mkdir records
check "pages become results" "$FPREPORT" import pages/*/*/README.md
has "what they name and is not there is said once" "$tmp/.out" "4 of the results name a vendor or a case without a record: 'fpreport new records'"

check "they are built" sh -c '"$1" build 2>said' - "$FPREPORT"
is "one line for a kind of record that is missing" "$(grep -c warning said)" 2
has "it says how many and which" said "4 records name 3 vendors that have no record (acme, globex, nvidia); 'fpreport new records' makes"
"$FPREPORT" build -v >all 2>&1
is "each is told with -v" "$(grep -c 'notice: names ' all)" 8
check "the site is whole, its data, too" python3 "$top/tests/cli/build/site.py" check,data site
is "models have pages" "$(ls site/en/model | tr '\n' ' ')" "llama2_7b other toy_7b "
is "cards have pages, those of each vendor their own" "$(ls site/zh/accelerator | wc -l)" 4
is "a card is not called by an id that nobody gave it" "$(grep -c ' · globex-x1' site/en/search/index.html)" 0
has "a model's says that there is no record" site/en/model/toy_7b/index.html 'fpreport has no record of this model'
has "so does a case's table" site/en/model/toy_7b/index.html 'does not know whether the rows of a table used the same data, batch sizes and number of steps'
has "a card's, too" site/en/accelerator/acme-x1/index.html 'fpreport has no record of this accelerator'
has "rows of two vendors may be compared" site/en/compare/index.html '<td>acme, globex</td>'
is "rows of different cases may not" "$(jq '.rows | length' site/data/compare.json)" 1
rm -r records/results/acme && "$FPREPORT" build -q >/dev/null 2>&1
has "results that cannot be compared are not called none" site/en/compare/index.html 'No rows are comparable'
check "nobody says that there are no results" sh -c '! grep -q "There are no results yet" site/en/compare/index.html'
"$FPREPORT" import -q pages/acme/*/README.md

# --- Where nothing has a day, feeds make none up.
is "no entry" "$(cat site/*/feed/*.atom | grep -c '<entry>')" 0
is "no date of long ago" "$(grep -rl --include='*.atom' --include='*.json' --include='*.html' '1970-' site | wc -l)" 0
check "the feeds are whole" python3 "$top/tests/cli/build/site.py" data site

# --- Pages for both languages, and home where nothing is verified.
is "home has the matrix, and no table of results that nothing speaks for" "$(grep -c '<table' site/en/index.html)" 1
has "it says so" site/zh/index.html '还没有结果通过验证'
has "it leads to all of them" site/en/index.html '<a href="../en/results/index.html">All rows (3) →'
mkdir ../titled && cp -R records ../titled/ && cd ../titled || exit 1
echo '{"schema": "fpreport.site/1", "title": {"zh": "评测甲", "en": "Bench A"}, "url": "https://a.example/b/"}' >records/site.json
"$FPREPORT" build -q >/dev/null 2>&1
has "the choice of language has the name of the site in both" site/index.html '<title>评测甲 · Bench A</title>'
has "so has the page for what is not there" site/404.html '<title>404 · 评测甲 · Bench A</title>'
for file in index 404; do
    is "$file.html leads on in both languages" "$(grep -cE 'href="(https://a.example/b/)?(zh|en)/(results|compare|search)/index.html"' site/$file.html)" 6
    is "$file.html counts states in both" "$(grep -o '<strong>4</strong> <span class="state unverified"' site/$file.html | wc -l)" 2
done
cd ../work || exit 1

# --- What a page withholds, and what it says in Chinese or in the wrong column.
mkdir -p ../odd/records && cd ../odd || exit 1
page acme/odd_7B-x / && sed -i '$d' pages/acme/odd_7B-x/README.md && cat >>pages/acme/odd_7B-x/README.md <<'END'
| X9单机8卡（1x8*80G） | / | 74/80 | 1000 | True(作为基线) | / | 30.1% |

* X9单机8卡 消融实验

| 配置 | precision | fix_hp | token/p/s | loss | mem | MFU |
| --- | --- | --- | --- | --- | --- | --- |
| X9两机16卡（2x8） | bf16 | / | 900 | 2.6 | 40/64 | 30.0% |
END
"$FPREPORT" import -q pages/acme/*/README.md 2>/dev/null
"$FPREPORT" build -q >/dev/null 2>&1
check "the site of odd cells: links, structure, languages, data" python3 "$top/tests/cli/build/site.py" check,languages,data site
row() { jq -r --arg k "$2" '.rows[] | select(.place == "'"$1"'") | .[$k]' site/data/results.json; }
is "a card that the environment withholds is the one that the row names" "$(row 1.1 accelerator)" acme-x9
is "its page has both rows" "$(grep -c '<tr data-row=' site/en/accelerator/acme-x9/index.html)" 2
is "how many there are is read beside their memory" "$(row 1.1 nodes) $(row 1.1 cards_per_node)" "1 8"
has "a precision that is withheld is said to be" site/en/results/index.html 'data-label="Precision"><em class="none">withheld</em>'
is "it is like none but its vendor's own" "$(row 1.1 group)" unknown-of-acme
has "a remark in Chinese says so" site/en/result/acme/odd_7B-x/index.html '<span class="value" lang="zh">True(作为基线)</span>'
has "a figure in the wrong column says where it is from" site/en/result/acme/odd_7B-x/index.html \
    '<span class="value">74/80</span> <small class="mark stated">'
has "what has no day is listed" site/en/changes/index.html '<h2 id="undated">1 result without a date</h2>'
echo '{"schema": "fpreport.site/1", "title": {"zh": "新", "en": "New"}}' >records/site.json
"$FPREPORT" build -q >/dev/null 2>&1
has "pages are made anew from what was kept" site/en/index.html '· New</title>'
is "with the card that the row names" "$(row 1.1 accelerator)" acme-x9
has "home leads there" site/zh/index.html '<a href="../zh/changes/index.html#undated">1 个没有日期的结果 →</a>'
cd ../work || exit 1

# --- The records.
check "the records that are missing" "$FPREPORT" new records
printf 'records/%s\n' cases/other-x.json cases/toy_7B-x.json models/other.json models/toy_7b.json vendors/acme.json vendors/globex.json | sort >expected
grep '^records/.*json$' "$tmp/.out" | sort >drafted
check_same "what is drafted is listed" expected drafted
has "what a model without a number in its name has not is said" "$tmp/.out" "1 of the models were drafted without nominal_parameters"
is "no number is made up for it" "$(jq -c '[.id, .nominal_parameters]' records/models/other.json)" '["other",null]'
is "N is the one in the name" "$(jq .nominal_parameters records/models/toy_7b.json)" 7000000000
for own in vendors/nvidia cases/llama2_7b-deepspeed models/llama2_7b accelerators/a100; do
    check_same "as fpreport has it: $own" "$top/records/$own.json" "records/$own.json"
done
sed -i 's/13.0%/30.1%/' records/results/nvidia/llama2_7b-deepspeed.json
check_exit 1 "with them MFU is checked" sh -c '"$1" build 2>said' - "$FPREPORT"
has "that is how a wrong one is found" said 'MFU is stated as 30.1%'
is "nothing is warned of that was just made" "$(grep -c warning said)" 0
has "a model without its number says so" site/en/model/other/index.html '<dd>not stated</dd>'
has "a case that is only drafted is not known better" site/en/model/toy_7b/index.html 'fpreport has no record of this case'
check "one that is described is" sh -c '! grep -q "No record" site/en/model/llama2_7b/index.html'
echo '{"schema": "fpreport.vendor/1", "id": "acme", "name": "Mine"}' >records/vendors/acme.json
cp records/vendors/acme.json mine && rm records/cases/other-x.json
check "again" "$FPREPORT" new records
check_same "nothing that is there is written to" mine records/vendors/acme.json
check "only what is missing is made" test -s records/cases/other-x.json
echo '{' >records/vendors/globex.json
check_exit 3 "records that are broken are not filled in" "$FPREPORT" new records
mkdir ../elsewhere && cd ../elsewhere || exit 1
check_exit 2 "fpreport's own records are not" "$FPREPORT" new records

# --- Withheld is what a page holds back with a sign; what it does not name it does not state.
mkdir ../named && cd ../named && mkdir records || exit 1
page acme/named-x "—" && page globex/bare-x A100 && sed -i '/加速卡型号/d; s/ 1000 / — /; s/30.1%/-/' pages/globex/bare-x/README.md
"$FPREPORT" import -q pages/*/*/README.md && "$FPREPORT" build -q >/dev/null 2>&1
cell() { grep "<tr data-row=\"$1:" site/en/results/index.html | sed "s/.*data-label=\"$2\"[^>]*>//; s/<\/td>.*//; s/<[^>]*>//g"; } # RESULT COLUMN
is "a card that a dash holds back is withheld" "$(cell acme/named-x Accelerator)" withheld
is "one that is not named is not stated" "$(cell globex/bare-x Accelerator)" "not stated"
is "figures that dashes hold back are, whatever dash it is" "$(cell globex/bare-x Throughput), $(cell globex/bare-x MFU)" "withheld, withheld"
check "the data are those of the pages" python3 "$top/tests/cli/build/site.py" data site
plan_done
