#!/bin/sh
# What a page says beside a figure, a command or a date is true, where a reader would else take it for more.
. "$(dirname "$0")/../../lib.sh"
is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; echo "# found $2, expected $3"; fi; } # DESCRIPTION FOUND EXPECTED
cd "$tmp" || exit 1
ln -s "$top/templates" templates
cp -R "$top/records" records
"$FPREPORT" build -q --no-cache -o site >.log 2>&1

# --- Each `fpreport verify` of the box to reproduce gives the verdict that the line before it says.
page=result/fpreport/tiny_llama/index.html
pasted() { sed -n '/<pre/,/<.pre>/p' "site/$1/$page" | sed 's/<[^>]*>//g' | grep -B "$2" -E "^fpreport verify $3\$"; }
state() { "$FPREPORT" verify --format json "$1" | jq -r '.runs[0].state'; }
archive=$(pasted en 0 '.*zst' | cut -d' ' -f3) && cp "site/evidence/fpreport/$archive" .
alone=$(state "$archive")
is "a submission by itself, and the record with it" "$alone $(state fpreport/tiny_llama)" "unverified verified"
for lang in zh en; do
    check "the box says so of the submission: $lang" sh -c 'printf %s "$1" | grep -q "^# .*$2"' - "$(pasted $lang 1 '.*zst')" "$alone"
done
check "and what the other needs" sh -c 'printf %s "$1" | grep -q "^# this command derives the verdict of this page again .*record"' - "$(pasted en 2 fpreport/tiny_llama)"
check "in Chinese, too" sh -c 'printf %s "$1" | grep -q "^# 该命令根据填报值、规则与证据，重新得出本页的核验结论。.*记录"' - "$(pasted zh 2 fpreport/tiny_llama)"

# --- A figure of many lines of a log says from which to which; what stands beside its link prints them all.
figure() { jq -r --arg f "$1" '.figures[] | select(.figure == $f) | .log_from + " " + .log_line + " " + .derivation' site/result/fpreport/tiny_llama/tables.json; }
read -r from to steps rest <<X
$(figure token_per_s_per_card)
X
is "the data have the first and the last" "$((to - from + 1)) $(figure loss | cut -d' ' -f1)" "$steps "
for lang in zh en; do
    linked=$(sed 's/<wbr>//g' "site/$lang/$page" | grep -o "href=\"#line-[0-9]*\"><code [^>]*>[^<]*:$from–$to<" | sed 's/.*#\(line-[0-9]*\).*/\1/' | sort -u)
    command=$(sed 's/<wbr>//g' "site/$lang/$page" | sed -n "s,^<li id=\"$linked\">.*class=\"prints\">\(.*\)</code></li>,\1,p")
    is "what the link leads to prints as many steps as were counted: $lang" "$(eval "$command" | grep -c 'step')" "$steps"
done
check "the line of a figure of one stays one" sh -c 'sed "s/<wbr>//g" "$1" | grep -q "><code [^>]*>[^<]*.log:$2<"' - "site/en/$page" "$to"

# --- An entry of a feed has a date of its own: of its run, its record or its verdict. What has none is in no feed.
# (Sanitizers see the last of three builds, and the one above.)
jq 'del(.date)' "$top/records/site.json" >records/site.json
"$PLAIN_PROGRAM" build -q --no-cache -o undated >.log 2>&1
jq '.date = "2026-11-23"' "$top/records/site.json" >records/site.json
"$PLAIN_PROGRAM" build -q --no-cache -o dated >.log 2>&1
jq 'del(.date)' "$top/records/site.json" >records/site.json
"$FPREPORT" build -q --no-cache --previous dated -o later >.log 2>&1
dates() { sed -n '/<entry>/,/<.entry>/{s/.*<updated>\(.*\)<.updated>/\1/p; s/.*alternate.*result\/\(.*\)\/index.*/\1/p;}' "$1/en/feed/$2.atom" | paste - - | awk -v of="$3" '$2 ~ of { print $1 }' | sort -u; }
is "a result without a date is in no feed" "$(dates undated results metax)$(dates undated verdicts metax)$(dates undated vendor/metax metax)" ""
is "nor has a verdict of a run its day" "$(dates undated verdicts fpreport/tiny_llama) $(dates undated results fpreport/tiny_llama)" \
    "$(jq -r .date "$top"/records/reproductions/fpreport/tiny_llama/*.json | sort -u)T00:00:00Z 2026-11-20T22:42:21Z"
check "it is listed apart" sh -c 'sed -n "/id=\"undated\"/,/<.ul>/p" undated/en/changes/index.html | grep -q result/metax/'
for site in dated later; do
    is "with the day of its publication it is: $site" "$(dates $site results metax) $(dates $site verdicts metax)" "2026-11-23T00:00:00Z 2026-11-23T00:00:00Z"
done
for site in undated dated later; do check "feeds are whole: $site" python3 "$top/tests/cli/build/site.py" data $site; done

# --- A pair that scales and may not be compared says why both are true.
page=compare/fpreport-llama2_7b-native..fpreport-llama2_7b-native-4/index.html
text() { sed 's/<[^>]*>//g' "$1"; }
is "efficiency beside 'may not be compared'" "$(text "site/en/$page" | grep -c '^These results have a scaling efficiency, although they') $(text "site/zh/$page" | grep -c '^这两个结果虽然不能逐项比较，但仍有扩展效率')" "1 1"
apart() { sed -n '/<table class="pair"/,/<.table>/p' "pair/$1/compare/acme-toy..globex-toy/index.html" | grep -o '<td class="number"><em class="none">[^<]*</em></td></tr>' | sed 's/<[^>]*>//g' | sort | uniq -c | sed 's/^ *//' | paste -sd, -; }

# --- No difference without its reason; none at all to a result that was withdrawn.
rm -r records && cp -R "$top/tests/golden/build/records" records && toy=records/results/acme/toy.json
table() { jq --argjson rows "$1" '(.performance[] | select(.table) | .table) |= {columns: ["配置", "precision", "token/p/s", "MFU", "acc"], rows: $rows}' "$toy"; }
table '[["Box 8（1x8）", "bf16", "10000", "30.0%", "0.67/0.655"]]' >toy.new
table '[["Box 8（1x8）", "bf16", "/", "33.0%", "0.67/0.65"]]' | jq '.vendor = "globex"' >records/results/globex/toy.json && cp toy.new "$toy"
echo '{"schema": "fpreport.site/1", "compare": [{"a": "acme/toy", "b": "globex/toy"}]}' >records/site.json
"$FPREPORT" build -q --no-cache -o pair >.log 2>&1
none="1 not comparable: different units, or only one value is a total,1 not comparable: the value is not a single number"
is "a figure that is withheld, and one of another whole" "$(apart en)" "$none"
differences() { jq -r '[.rows[].difference_percent] | map(select(. != null)) | length' pair/data/compare/acme-toy..globex-toy.json; }
is "what may be compared has a difference in the data" "$(differences)" 1
check "and on the page" grep -q '>+10.00 %<' pair/en/compare/acme-toy..globex-toy/index.html
jq '.withdrawn = {date: "2026-01-02", by: "globex", reason: {zh: "驱动有错", en: "the driver was faulty"}}' records/results/globex/toy.json >toy.new && cp toy.new records/results/globex/toy.json
"$FPREPORT" build -q --no-cache -o pair >.log 2>&1
is "nothing is measured by what was withdrawn" "$(apart en)" "3 not comparable: withdrawn"
is "in Chinese, too" "$(apart zh | grep -o '[0-9] 不可比（结果已撤回）')" "3 不可比（结果已撤回）"
is "nor in the data" "$(differences)" 0

# --- A plan that is not drawn is named with the reason, also where no other is drawn.
plan() { jq --argjson rows "$1" '(.performance[] | select(.table) | .table) |= {columns: ["配置", "parallel", "token/p/s"], rows: $rows}' "$toy" >toy.new && cp toy.new "$toy"; }
sentences() { "$FPREPORT" build -q --no-cache -o plans >.log 2>&1; sed -n '/<h2 id="plan">/,/<.section>/p' plans/$1/result/acme/toy/index.html | text /dev/stdin | grep -E '^(The following plans are not drawn|以下并行方案未画出)'; }
plan '[["Box 8（1x8）", "PP2DP4EP4TP2", "10000"]]'
is "as many ranks as there are no cards" "$(sentences en)" "The following plans are not drawn, because the product of their parallel sizes is not the number of cards: TP2 × PP2 × DP4 (16 ranks on 8 cards, 1×8)"
is "in Chinese" "$(sentences zh)" "以下并行方案未画出，因为各并行数的乘积不等于表格行的卡数：TP2 × PP2 × DP4（16 个进程，8 张卡，1×8）"
plan '[["Box 8", "TP2PP2DP4", "10000"], ["Box（1x32）", "TP2PP4DP4", "10000"], ["Box（1x8）", "TP2PP4", "10000"]]'
is "of cards that nobody counted, and of too many" "$(sentences en)" \
"The following plans are not drawn, because their rows do not state the number of cards: TP2 × PP2 × DP4
The following plans are not drawn, because they use more than 16 cards per node or too many cards in all: TP2 × PP4 × DP4 (1×32)"

# --- Yes and no, and one name for one figure, in the language of the page.
row() { sed -n "s,^<tr><th scope=\"row\">$2</th>.*data-label=\"$3\">\([^ <]*\).*,\1,p" "site/$1/result/fpreport/tiny_llama/index.html"; }
is "a flag that was recomputed" "$(row zh 达到目标 复算值) $(row en 'Target reached' Recomputed)" "是 yes"
page=result/fpreport/llama2_7b-native/index.html
named() { sed '/<h2 id="claims">/,$d' "site/zh/$page" | grep -o "$1" | sort | uniq -c | sed 's/^ *//' | paste -sd, -; }
is "MFU is called so, and what it is once" "$(named 'MFU（模型算力利用率') $(named '<th scope="row">MFU[^ <]*')" "1 MFU（模型算力利用率 1 <th scope=\"row\">MFU,1 <th scope=\"row\">MFU（精确）"
# --- A commit that was not recorded: by what, and where versions stand.
for line in 'en framework used: commit unknown, because fpreport 0.1.0 did not record the commit (this program is built without libgit2); .*Fingerprint of the machine' 'zh 运行所用框架的提交号未知，因为 fpreport 0.1.0 没有记录提交号（.*libgit2.*运行环境指纹'; do
    check "no commit: ${line%% *}" grep -q "^# ${line#* }" "site/${line%% *}/$page"
    check "and there they stand" grep -q "<caption>$(expr "$line" : '.*\(Fingerprint.*\|运行环境指纹\)')</caption>" "site/${line%% *}/$page"
done

# --- An entry of a feed says the state that a verdict gave, and of what happened to a run none, which would be today's.
titles() { sed -n '/<entry>/,$s/^<title>\(.*\)<.title>/\1/p' "$1" | grep "$2" | sort -u | paste -sd, -; }
mkdir before && cp -R site/data before/ && jq '(.results[] | select(.id == "fpreport/tiny_llama")).history = [{state: "failed", tool: "t", rules: "1", date: "2026-11-21"}]' site/data/index.json >before/data/index.json
rm -r records && cp -R "$top/records" records && jq '.date = "2026-11-23"' "$top/records/site.json" >records/site.json
"$FPREPORT" build -q --no-cache -o changed --previous before >.log 2>&1
is "of results" "$(titles changed/en/feed/results.atom tiny_llama)" "fpreport reference · tiny_llama"
is "of verdicts: the first, the one now, and a reproduction" "$(titles changed/en/feed/verdicts.atom tiny_llama)" "fpreport reference · tiny_llama,fpreport reference · tiny_llama: failed,fpreport reference · tiny_llama: verified"

# --- What may be left out of a row is not missing; a figure is. The row of a link says which it is.
rm -r records && cp -R "$top/tests/golden/build/records" records
jq '(.performance[] | select(.table) | .table) |= {columns: ["配置", "precision", "parallel", "fix_hp", "token/p/s", "loss"], rows: [["Box 8（1x8）", "bf16", "", "", "10000", ""]]}' "$toy" >toy.new && cp toy.new "$toy"
"$FPREPORT" build -q --no-cache -o blank >.log 2>&1
cells() { sed -n '/id="t1-r1"/s/<\/td>/\n/gp' "blank/$1/result/acme/toy/index.html" | sed -n 's/.*<em class="none"[^>]*>\([^<]*\)<.*/\1/p' | paste -sd, -; }
is "empty cells" "$(cells en) $(cells zh)" "not stated,not stated,missing 未写明,未写明,未填写"
check "a row of a published table has its name for who is led there" grep -q '<tr id="t1-r1"[^>]*><td data-place="row 1"' blank/en/result/acme/toy/index.html
plan_done
