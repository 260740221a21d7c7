#!/bin/sh
# The website as a browser gets it: whole, with no link that leads nowhere, nothing loaded from
# elsewhere, every figure with its origin, and nothing of a vendor's text taken for markup.
. "$(dirname "$0")/../../lib.sh"
is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; echo "# found $2, expected $3"; fi; } # DESCRIPTION FOUND EXPECTED
site() { python3 "$top/tests/cli/build/site.py" "$@"; }
ln -s "$top/templates" "$tmp/templates"
cd "$tmp" || exit 1
cp -R "$top/tests/golden/build/records" golden

# --- HTML in a block of a page: text in Markdown (inert.sh has more), and on the website.
cp -R golden raw && jq '.performance[0].text = "<div onclick=\"zqx()\">\n\nzqx <b onclick=zqx()>b</b>\n\n</div>"' golden/results/acme/toy.json >raw/results/acme/toy.json
"$FPREPORT" build -q --records raw -o blocks >/dev/null 2>&1
check "a block that was kept is text in the Markdown page" grep -qx '&lt;div onclick="zqx()">' blocks/pages/acme/toy/README.en.md
check "on the website it is text" sh -c 'grep -q "^<p>&lt;div onclick=&quot;zqx()&quot;&gt;" blocks/en/result/acme/toy/index.html && ! grep -rqE "<[^>]* onclick" blocks/en blocks/zh'

# --- Every string of every record is an attack.
n=$(site attack golden hostile)
mkdir -p hostile/evidence && cp -R golden/evidence golden/references hostile/
"$FPREPORT" build -q --records hostile -o attacked >.log 2>&1; code=$?
check "$n hostile strings build" test $code -le 1
grep -vE 'FP[0-9]{4}\]$' .log >unexpected || true
check_same "and load" /dev/null unexpected
check "nothing of them became markup" site harmless attacked
check "they are there, as text" grep -q '&lt;script&gt;zqx()&lt;/script&gt;' attacked/en/result/acme/toy/index.html
check "no template of theirs is run" sh -c 'grep -rqF "{{zqx}}" attacked/en/result'
sed -i 's/&lt;script&gt;zqx/<script>zqx/' attacked/en/result/acme/toy/index.html
check_exit 1 "markup of theirs would be seen" site harmless attacked

# --- Every string of every record is 54 kB of one character: pages stay small, and the record is whole.
site lengthen hostile
is "a finding that quotes one is cut between characters, so that what reads evidence is heard" "$(grep -c 'returned an impossible value' .log)" 0
python3 -c 'print("字" * 5000)' >run
"$FPREPORT" build -q --records hostile -o lengthened >.log 2>&1
is "no page is heavy" "$(find lengthened -name '*.html' -size +300k)" ""
is "nor has a text that is laid out for ever" "$(grep -rlF -f run --include='*.html' lengthened)" ""
check "what is left out is said, in both languages" sh -c 'grep -q "… (17[0-9]* more characters in the record)" lengthened/en/result/acme/toy/index.html && grep -q "…（此处截断，记录中还有 17[0-9]* 个字符）" lengthened/zh/result/acme/toy/index.html'
check "and the record beside the page has it" grep -qF -f run lengthened/result/acme/toy/record.json

gcc_only "pages and figures are the same in the gcc variant, what is hostile was built here"

"$FPREPORT" build -q --records "$top/records" -o shipped >/dev/null 2>&1
"$FPREPORT" build -q --records golden -o own >/dev/null 2>&1
mkdir none && "$FPREPORT" build -q --records none -o nothing >.log 2>&1
check "the shipped site: links, structure, figures, languages, data" site check,languages,data shipped
check "the golden site: links, structure, figures, languages, data" site check,languages,data own
check "a site without results" site check,languages,data nothing
# --- Each row of a failed result says what failed: in itself, in its result, in a row beside it.
cp -R golden why && jq '(.performance[] | select(.table) | .table.rows) |= .[:1] | .performance[0].text = "<<<<<<< HEAD\n\nours\n\n=======\n\ntheirs\n\n>>>>>>> other"' \
    golden/results/acme/toy.json >why/results/acme/toy.json
"$FPREPORT" build -q --records why -o reasons >.log 2>&1
for root in own reasons; do check "rows in lists say why they failed: $root" site reasons $root; done
check "a result that failed beside its figures says so" grep -qF 'No check contradicts a figure, but the page of the result has format errors, or contradicts itself or its evidence.' reasons/en/result/acme/toy/index.html
cp -R golden rates && jq '(.performance[] | select(.table) | .table) |= {columns: ["配置", "precision", "fix_hp", "p_core"], rows: [["1x8", "bf16", "/", "1000"]]}' golden/results/acme/toy.json >rates/results/acme/toy.json
"$FPREPORT" build -q --records rates -o rated >.log 2>&1
is "a rate of all cards says so, and of what" "$(grep -ohE '<small class="unit">(samples|样本)[^<]*' rated/en/results/index.html rated/zh/results/index.html | sed 's/.*>//' | tr '\n' ' ')" "samples/s, compute only, all cards 样本/s（全部卡，按计算时间） "
is "each row of a list has its state for paper" "$(grep -c '<tr data-row=' shipped/en/results/index.html)" "$(grep -c '<tr data-row=.*data-word="[○≈✓✕–◐◑?]* *[^ "]' shipped/en/results/index.html)"
repeated() { grep -rl "$1" shipped/en/result | sort; }
check "facts have a column for the reproduction where there is one" test -n "$(repeated 'In the reproduction')"
is "and nowhere else" "$(repeated '<th scope="col">In the reproduction' | grep -vxF "$(repeated 'id="reproductions"')")" ""
counts() { sed -n "s/.*$2.*/&/p" "shipped/$1/index.html" | grep -oE '[0-9]+' | head -n 2 | tr '\n' ' '; }
results=$(jq '.results | length' shipped/data/index.json) rows=$(jq '.rows | length' shipped/data/results.json)
is "home says what it counts, in both languages" "$(counts en 'A result is the submission of one vendor')$(counts zh '算一个结果')" "$results $rows $results $rows "
is "states and names say that they count rows" "$(grep -ohE '<span class="count">[0-9]+</span>' shipped/en/index.html shipped/zh/results/index.html shipped/en/models/index.html shipped/zh/model/llama2_7b/index.html)" ""
check "every string is used, every used string is there" site strings "$top"
says_row() { # DESCRIPTION CASE PLACE COLUMN VALUE
    is "$1" "$(jq -r --arg c "$2" --arg p "$3" --arg k "$4" '.rows[] | select(.case == $c and .place == $p) | .[$k]' shipped/data/results.json)" "$5"
}
says_row "a precision among changed settings is the row's" llama2_7b_finetune-pytorch 1.2 precision fp16
says_row "and so is its group" llama2_7b_finetune-pytorch 1.2 group 16bit
says_row "the row beside it has its page's" llama2_7b_finetune-pytorch 1.1 group fp32
says_row "a stage with its own factor of MFU is a group" llava1.5_13b-deepspeed-torch 1.1 group 16bit-pretrain-f2
says_row "the other stage another" llava1.5_13b-deepspeed-torch 1.2 group 16bit-finetune
check "the peak that MFU was divided by is named" grep -q '<td>NVIDIA A100, fp16 ' shipped/en/result/nvidia/llama2_7b_finetune-pytorch/index.html
page=shipped/en/result/iluvatar/llava1.5_13b-deepspeed-torch/index.html
# LIST LANGUAGE CASE: the lines of MFU's inputs, "factor, row 1 = 2: source", without what a record cites for them
inputs() { sed -n '/<table class="inputs">/,/<.table>/s/^<tr>\(<th scope="row">.*\)<.tr>$/\1/p' "$1/$2/result/$3/index.html" |
    sed 's, <small>.*</small>,,; s, *([^<]*)</th>,</th>,; s, *([^<]*)\(\, <a\),\1,; s,</th><td[^>]*>, = ,; s,</td><td[^>]*>,: ,; s,<[^>]*>,,g'; }
is "inputs that rows share stand once, others for each row, with value and source" "$(inputs shipped en iluvatar/llava1.5_13b-deepspeed-torch | sort)" \
"N, nominal parameters = 1.3e+10: nominal number of parameters of the model
factor, row 1 = 2: the row’s stage is pretraining
factor, row 2 = 6: cases/llava1.5_13b-deepspeed-torch.json
peak = 1.92e+14: BI-V150, bf16
throughput = differs between the rows; see the calculations above: stated"
# --- Peaks that rows state are no card's, also where they are as high; LoRA that a row names counts more than the case.
cp -R golden peaks && toy=peaks/results/acme/toy.json
jq '(.performance[] | select(.table) | .table) |= {columns: ["配置", "precision", "fix_hp", "token/p/s", "MFU"], rows:
    [["1x8", "bf16", "/", "10000", "30.0%"], ["1x8", "bf16", "theoryflops=123T", "10000", "48.8%"],
     ["1x8", "bf16", "theoryflops=200T", "10000", "30.0%"], ["1x8 LoRA", "bf16", "/", "10000", "20.0%"]]}' "$toy" >toy.new && cp toy.new "$toy"
"$FPREPORT" build -q --records peaks -o stated >.out 2>&1
is "a peak that a row states has the row as its source, and each input its rows" "$(inputs stated en acme/toy | sort)" \
"N, nominal parameters = 1000000000: nominal number of parameters of the model
factor, row 1, row 2, row 3 = 6: cases/toy.json
factor, row 4 = 4: the row or the page names LoRA
peak, row 1, row 4 = 2e+14: Box 8, bf16
peak, row 2, row 3 = differs between the rows; see the calculations above: stated in the row
throughput = 10000: stated"
check "in Chinese, too" sh -c '[ "$1" = 2 ]' - "$(grep -cE '<td>取自表格的该行</td>|<td>表格的这一行或厂商页面写明使用 LoRA</td>' stated/zh/result/acme/toy/index.html)"
jq 'del(.mfu_factor)' peaks/cases/toy.json >toy.new && cp toy.new peaks/cases/toy.json
"$FPREPORT" build -q --records peaks -o stated2 >.out 2>&1
is "a case that states no factor is not the source of one" "$(inputs stated2 en acme/toy | grep factor)" \
"factor, row 1, row 2, row 3 = 6: convention
factor, row 4 = 4: the row or the page names LoRA"
is "a line for each row says how its MFU was computed" "$(sed -n '/class="formulas"/,/<.ul>/p' $page | grep -c '<li>')" 2
check "rows of one vendor say how they differ" grep -q '<bdi>amp</bdi> · <bdi>TP4PP8DP1</bdi> · changed: <span lang="en">GAS=1024' shipped/en/model/llama2_70b/index.html
check "no unverified figure is green" sh -c '! grep -E "outcome pass.><i|</span> <small class=.mark measured" shipped/en/result/nvidia/llama2_7b_finetune-pytorch/index.html'
check "a verified one is" grep -qE 'outcome pass.><i' shipped/en/result/fpreport/tiny_llama/index.html
check "an index of the shipped results" grep -q 'state verified' shipped/en/index.html
check "a card names who makes it, and leads there" grep -q '<a href="[^"]*vendor/mthreads/index.html">摩尔线程</a></p>' shipped/zh/accelerator/s4000/index.html
check "one style sheet, one script" sh -c '[ "$(find shipped -name "*.css" -o -name "*.js" | wc -l)" = 2 ]'
check "they load nothing" sh -c '! grep -E "url\(|@import|fetch\(|XMLHttp|import\(" shipped/style.css shipped/site.js'
check "the script has at most 25 kB gzipped" test "$(gzip -9 <shipped/site.js | wc -c)" -lt 25000

drawn=$(python3 - shipped own <<'PY'
import gzip, pathlib, re, sys
pages = [p for root in sys.argv[1:] for p in pathlib.Path(root).glob("*/result/*/*/index.html")]
print(max(len(gzip.compress("".join(re.findall(r"<svg.*?</svg>", p.read_text("utf-8"), re.S)).encode(), 9)) for p in pages))
PY
)
check "the drawings of a result page have at most 40 kB gzipped: $drawn" test "$drawn" -gt 1000 -a "$drawn" -le 40960

# tidy does not know SVG's attributes; whatever else it says counts.
if command -v tidy >/dev/null; then
    find shipped own -name '*.html' | while read -r f; do
        # It does not know the <div> of a <dl> either.
        sed 's,<div><dt>,<dt>,; s,</dd></div>,</dd>,' "$f" | tidy -q -e -utf8 --gnu-emacs yes 2>&1 | sed "s,^,$f: ," | grep -vE 'proprietary attribute "(font-size|font-family|fill|id|aria-current)"'
    done >tidied
    check_same "tidy finds no fault" /dev/null tidied
else
    skip "needs tidy"
fi

# --- A column in which each row has the same word for nothing is a note above its table; a value
# brings it back: the vendor without evidence, and all of them.
columns() { grep -o '<th scope="col"[^>]*data-key="[a-z]*"' "own/$1/index.html" | sed 's/.*data-key=//' | tr -d '"' | tr '\n' ' '; }
check "columns full of one word are folded" test "$(columns en/vendor/acme)" = \
    "result accelerator cards precision throughput mfu loss memory "
is "what the page is of is no column" "$(columns en/accelerator/box8)" "result cards precision throughput mfu loss memory "
is "nor left out with a word, and one row is no row of several" "$(grep -ho 'Hidden columns ([^:]*:' own/en/accelerator/box8/index.html own/en/accelerator/cpu/index.html | tr '\n' ' ')" \
    "Hidden columns (same value in every row): Hidden columns (no value): "
check "and said above the table" grep -q 'Hidden columns .* Max. deviation: <em class="none">no evidence</em>; .*Evidence: ' own/en/vendor/acme/index.html
check "a value brings them back" test "$(columns zh/results)" = \
    "result accelerator cards precision throughput mfu loss deviation memory software date evidence "
check "the evidence of a row is linked" grep -q 'index.html#evidence" title=' own/zh/results/index.html
check "a row has its day in the data, and what of" test "$(jq -r '.rows[] | select(.vendor == "globex") | [.software, .date_of] | join(" ")' own/data/results.json | sort -u)" = \
    "$(printf '%s' 'fpreport 0.1.0 run')"

# --- Errors stand before everything else, each with its row and its line of the published record.
before() { tr '\n' ' ' <own/en/result/acme/toy/index.html | sed 's/<wbr>//g' | grep -q "$1.*$2"; }
check "errors come before the figures" before 'id="errors"' 'id="figures"'
check "an error leads to its row" before 'class="outcome error".*href="#f1-2"' 'id="figures"'
check "and to the record that it is about" before 'result/acme/toy/record.json">[a-z]*/results/acme/toy.json:61' 'id="figures"'
is "an empty remark lacks nothing" "$(grep -o 'lang="en">none</em>' own/en/result/acme/toy/index.html | wc -l) $(grep -o 'lang="zh-CN">无</em>' own/zh/result/acme/toy/index.html | wc -l)" "3 3"
check "what no figure has is no column" sh -c '! grep -q "<th [^>]*data-key=\"log\"" own/en/result/acme/toy/index.html'
check "where one has it is there" grep -q '<th [^>]*data-key="log"' own/en/result/globex/tiny_llama/index.html

# The checks must be able to find something.
cp -R own spoilt && sed -i 's,/vendor/acme/index.html">,/vendor/nobody/index.html">,' spoilt/en/result/acme/toy/index.html
check_exit 1 "a dead link is seen" site check spoilt
rm -r spoilt && cp -R own spoilt && sed -i 's, <small class="mark stated"><i aria-hidden="true">○</i> stated</small>,,' spoilt/en/result/acme/toy/index.html
check_exit 1 "a figure without its origin is seen" site check spoilt
heavy() { # DESCRIPTION PAGE BYTES WHAT: text in the page that makes it too heavy
    rm -r spoilt && cp -R own spoilt && { printf '<p>'; printf %s "$4" | head -c "$3"; printf '</p>\n'; } >added && sed -i '/<h1>/r added' "spoilt/$2"
    is "$1" "$(site check spoilt | grep -c "$2: [0-9]* bytes gzipped")" 1
}
heavy "a page that is long on its way is seen" en/about/index.html 190000 "$(od -An -v -tx1 -N 95000 /dev/urandom | tr -d ' \n')"
heavy "a list that is heavier than its rows is seen" en/results/index.html 100000 "$(printf '%0100000d' 0)"
rm -r spoilt && cp -R own spoilt && sed -i 's,<h2 id="findings">.*</h2>,,' spoilt/zh/result/acme/toy/index.html
check_exit 1 "a part that is there in one language only is seen" site languages spoilt
rm -r spoilt && cp -R own spoilt && sed -i '2s/[0-9]/7/' spoilt/data/results.csv
check_exit 1 "another figure in the CSV is seen" site data spoilt

# --- The words: every key in both languages, also in a project's own table.
says() { if grep -qF -- "$2" "$tmp/.out"; then ok "$1"; else not_ok "$1"; sed 's/^/# /' "$tmp/.out" | head -n 5; fi; }
mkdir -p words beside && cp -R "$top/templates" words/templates && cp -R golden words/records
cp "$FPREPORT" beside/fpreport && ln -s "$top/templates" beside/templates # with its own table, too
table=words/templates/site/strings.json
sed -i 's/^\(.*"nav.rules".*\), "en": "[^"]*"/\1/' $table
check_exit 3 "a key without English fails the build" "$FPREPORT" build -q -C words
says "with file, line, key and language" "strings.json:$(grep -n '"nav.rules"' $table | cut -d: -f1):5: \"nav.rules\" has no text in \"en\""
check "nothing is written then" test ! -e words/site
printf '{"schema": "fpreport.strings/1", "strings": {"nav.rules": {"zh": "规章", "en": "Checks"}}}' >$table
(cd words && ../beside/fpreport build -q >/dev/null 2>&1)
check "a project changes a word and keeps the others" grep -q '>Checks</a>' words/site/en/index.html
sed -i 's/{{t.rules.lead}}/{{t.rules.laed}}/' words/templates/site/rules.html
check_exit 3 "a key that nobody has fails the build" beside/fpreport build -q -C words
says "with the place that asks for it" "site/rules.html:3:17: {{t.rules.laed}}: no such string"

# --- Losses of several runs in one drawing: what is farthest off is kept, ringed, labelled and told.
cp -R "$top/records" several
python3 "$top/tests/cli/build/overlaid.py" several nvidia=1.2 metax=3.5 >swings
find several/results -name '*.json' ! -name tiny_llama.json -exec rm {} + # the others stand in the shipped site
printf '{"schema": "fpreport.site/1", "compare": [{"a": "nvidia/tiny_llama", "b": "metax/tiny_llama"}]}' >several/site.json
"$FPREPORT" build -q --records several -o overlaid >/dev/null 2>&1
check "runs together: links, structure, languages" site check,languages overlaid
pair=overlaid/en/compare/nvidia-tiny_llama..metax-tiny_llama/index.html
told() { python3 - "$1" "$2" <<'PY'
import re, sys
page, (vendor, step, percent) = open(sys.argv[1]).read(), sys.argv[2].split()
row = next(r for r in re.findall(r"<tr>.*?</tr>", page) if f"/result/{vendor}/tiny_llama/index.html#evidence" in r)
cells = re.findall(r'<td class="number"[^>]*>([^<]*)</td>', row)
sys.exit(cells[-1] != step or abs(float(cells[-2]) - abs(float(percent))) > 1e-4)
PY
}
while read -r swing; do
    for page in "$pair" overlaid/zh/reference/tiny_llama/index.html; do check "the table has the worst step: $swing" told "$page" "$swing"; done
done <swings
check "the picture names the worst of all" grep -q '>worst +3.493 % · step 150<' "$pair"
check "each run has its ring, in both sizes" test "$(grep -c 'class="chart-mark"' "$pair")" = 4
check "a model's page has them, too" grep -q 'id="overlay-0-t"' overlaid/en/model/tiny_llama/index.html

# --- What is not known is not the same; names of pages are of one thing each.
cp -R golden alike && python3 - <<'P'
import copy, json, os
toy = json.load(open("alike/results/acme/toy.json"))
row = next(b for b in toy["performance"] if "table" in b)["table"]["rows"][0]
def write(vendor, precisions):
    json.dump({"schema": "fpreport.vendor/1", "id": vendor, "name": {"zh": vendor, "en": vendor}, "heading": vendor}, open(f"alike/vendors/{vendor}.json", "w"))
    record = copy.deepcopy(toy)
    record["vendor"], record["title"] = vendor, f"{vendor}配置与运行信息参考"
    record["general"]["rows"] = [r for r in record["general"]["rows"] if r[0] != "数据精度"]
    next(b for b in record["performance"] if "table" in b)["table"]["rows"] = [[row[0], p, *row[2:]] for p in precisions]
    os.makedirs(f"alike/results/{vendor}")
    json.dump(record, open(f"alike/results/{vendor}/toy.json", "w"), ensure_ascii=False)
write("one", ["fp4", "wild9", "bfloat16", "no amp: fp32", "example", "bf16+fp8"])
write("two", ["int4", "wild9", "float16", "float32", "wild8", "fp8"])
pair = {"a": "one/toy", "b": "two/toy"}
json.dump({"schema": "fpreport.site/1", "compare": [pair, pair]}, open("alike/site.json", "w"))
P
"$FPREPORT" build -q --records alike -o groups >.log 2>&1
is "a pair says how many rows stand side by side" "$(grep -o '[0-9]* pairs\{0,1\} of rows side by side' groups/en/compare/index.html | head -n 1)" "$(grep -c 'class="scroll one"' groups/en/compare/one-toy..two-toy/index.html) pairs of rows side by side"
is "what a comparison would take is not said where there is one" "$(grep -c 'can be compared figure by figure yet' groups/en/compare/index.html)" 0
is "of our own pair, of two cases, it is, on its page, too" "$(grep -c 'different cases; not compared\|can be compared figure by figure yet' shipped/en/compare/index.html) $(grep -c 'For a comparison figure by figure' shipped/en/compare/fp*/index.html)" "2 1"
group_of() { jq -r --arg v "$1" --arg p "1.$2" '.rows[] | select(.vendor == $v and .place == $p) | .group' groups/data/results.json; }
i=0
for class in 4bit unknown-wild9 16bit fp32 unknown-example fp8; do
    i=$((i + 1)); is "the group of precision $i" "$(group_of one $i)" "$class"
    is "and of the one beside it" "$(group_of two $i)" "$(echo "$class" | sed 's/example/wild8/')"
done
is "only what is known to be alike is compared" "$(grep -c 'one two' groups/data/compare.csv)" 5
check "a pair that is asked for twice has one page" test "$(find groups/en/compare -mindepth 1 -type d | wc -l)" = 1
check "groups of many precisions: links, structure" site check groups

# --- Of two results the rows that are most alike stand side by side, and what is left out is said.
cp -R golden paired && python3 - <<'P'
import copy, json, os
toy = json.load(open("paired/results/acme/toy.json"))
toy["general"]["rows"] = [r for r in toy["general"]["rows"] if r[0] != "数据精度"]
def write(vendor, rows):
    json.dump({"schema": "fpreport.vendor/1", "id": vendor, "name": {"zh": vendor, "en": vendor}, "heading": vendor}, open(f"paired/vendors/{vendor}.json", "w"))
    record = copy.deepcopy(toy)
    record["vendor"], record["title"] = vendor, f"{vendor}配置与运行信息参考"
    next(b for b in record["performance"] if "table" in b)["table"]["rows"] = [[f"Box 8（{size}）", p, changed, "10000", "2.5", "40/64", "/"] for size, p, changed in rows]
    os.makedirs(f"paired/results/{vendor}")
    json.dump(record, open(f"paired/results/{vendor}/toy.json", "w"), ensure_ascii=False)
write("one", [("1x8", "bf16", "/"), ("1x8", "fp16", "/"), ("1x8", "bf16", "GAS=2"), ("2x8", "bf16", "/"), ("4x8", "bf16", "/")])
write("two", [("1x8", "bf16", "/"), ("1x8", "bf16", "GAS=4"), ("2x8", "fp16", "/"), ("8x1", "bf16", "/")])
write("far", [("16x8", "bf16", "/")])
json.dump({"schema": "fpreport.site/1", "compare": [{"a": "one/toy", "b": "two/toy"}, {"a": "one/toy", "b": "far/toy"}]}, open("paired/site.json", "w"))
P
"$FPREPORT" build -q --records paired -o likest >.log 2>&1
beside() { python3 - "$1" <<'P'
import re, sys
page = open(f"likest/en/compare/{sys.argv[1]}/index.html").read()
print(",".join(re.sub("<[^>]*>|Box 8 *", "", c).strip() for c in re.findall(r'<table class="pair">\s*<caption>\d+\. (.*?)</caption>', page)), *re.findall(r"(\d+) more comparable pairs", page))
P
}
is "rows that are most alike stand side by side" "$(beside one-toy..two-toy)" \
    "bf16 · (1x8) against (1x8),bf16 · GAS=2 · (1x8) against GAS=4 · (1x8),(2x8) against (2x8) 17"
is "where none are on as many cards, all" "$(beside one-toy..far-toy | grep -o against | wc -l)" 5
is "its data have all that may be compared" "$(jq -r '[.rows[] | .first + .second] | unique | length' likest/data/compare/one-toy..two-toy.json)" 20
check "pairs of rows: links, structure" site check likest
for root in likest groups; do check "in what rows are alike is in data: $root" site data $root; done
alike() { jq -r '[.rows[:6][] | .likeness // "unknown"] | join(",")' "$1"; } # of the two results
is "in what results are alike" "$(alike likest/data/criteria/one-toy..two-toy.json) $(alike groups/data/criteria/one-toy..two-toy.json)" \
    "the same,the same,the same,the same,the same,unknown the same,partly the same,the same,the same,the same,unknown"

# --- An archive may be called what it will: links lead to it.
cp -R golden named && archive=$(jq -r '.evidence[0].archive' named/results/globex/tiny_llama.json)
odd="evidence/globex/a#b?c%41.tar.zst"
mkdir -p named/evidence/globex && cp "named/$archive" "named/$odd"
jq --arg a "$odd" '.evidence[0].archive = $a' named/results/globex/tiny_llama.json >edited && cp edited named/results/globex/tiny_llama.json
"$FPREPORT" build -q --records named -o links >.log 2>&1
check "an archive with # ? and % in its name is published" test -f "links/$odd"
check "and linked" site check links
check "by its name" grep -qF 'href="../../../../evidence/globex/a%23b%3Fc%2541.tar.zst"' links/en/result/globex/tiny_llama/index.html

# --- Units are written one way, figures of ours have their mark, cited lines lead to what prints them.
check "one way to write the unit of throughput" sh -c '! grep -rlE "token/s/card|tokens/s/card|tokens per second and card<" shipped/en --include=index.html'
check "a deviation says that it was measured" grep -qE '<span class="value">0\.0128</span> <small class="mark measured"><i aria-hidden="true">✓</i> measured</small>' shipped/en/results/index.html
check "the exact MFU is explained where it is" grep -q '“MFU, exact” counts all parameters' shipped/en/result/fpreport/llama2_7b-native/index.html
check "and only there" sh -c '! grep -q "“MFU, exact”" shipped/en/result/nvidia/llama2_7b_finetune-pytorch/index.html'
check "a badge without an address says what to put before it" grep -q 'put the address of the site in front of them' shipped/en/result/fpreport/tiny_llama/index.html
page=unbroken && sed 's/<wbr>//g' shipped/en/result/fpreport/tiny_llama/index.html >$page # lines may break behind separators
anchor=$(grep -oE '<a href="#line-[0-9]+"><code title="[^"]*">rank0.out.log:253' "$page" | head -n 1 | sed 's/.*#\(line-[0-9]*\).*/\1/')
prints=$(sed -n "s,.*<li id=\"$anchor\"><code>rank0.out.log:253</code> <code class=\"prints\">\(.*\)</code></li>.*,\1,p" "$page" | sed "s/&#39;/'/g")
is "the command beside a figure's line prints it" "$(cd shipped/evidence/fpreport && sh -c "$prints")" \
    "$(tar -xOf shipped/evidence/fpreport/tiny_llama-run20261120224217.tar.zst --wildcards '*rank0.out.log' | sed -n 253p)"

# --- What cells say: a ratio among percentages is read beside what was published, in every table.
cp -R golden cells && jq '(.performance[] | select(.table) | .table.rows) = [["Box 8单机8卡（1x8）", "bf16", "/", "10000", "2.5", "40/64", "0.30"],
    ["Box 8单机8卡（1x8）", "bf16", "GAS=2", "10000", "2.5", "40/64", "31.0%"],
    ["Box 8两机16卡（2x8）", "bf16", "/", "10000", "/,仅供性能参考", "-------", "24.4%-50.6%"], ["Toy", "/", "/", "/", "/", "/", "/"],
    ["Toys", "-----", "---", "---", "---", "---", "---"]]' golden/results/acme/toy.json >cells/results/acme/toy.json
"$FPREPORT" build -q --records cells -o celled >.log 2>&1
shown() { sed -n "s,.*$2.*,&,p" "celled/$1/index.html" | grep -o '<td class="number".*' | sed 's,</td>,;,g; s,<[^>]*>,,g; s,  *, ,g' | grep -o '[^;]*0\.30[^;]*' | sort -u; }
is "a ratio is no percentage: lists" "$(shown en/results 'data-row="acme.toy:1.1')" "0.30 = 30 % ≈ derived 0.3000 = 30.00 %, ±0 %"
is "a ratio is no percentage: of a model" "$(shown en/model/toy 'data-row="acme.toy:1.1')" "0.30 = 30 % ≈ derived"
is "a ratio is no percentage: a result" "$(grep -o '">0.30[^<]*' celled/zh/result/acme/toy/index.html | tr '\n' '|')" '">0.30 = 30 %|">0.3000 = 30.00 % |">0.30|'
is "a ratio is no percentage: as published" "$(grep -o '<span class="value">0.30</span> <small class="unit">[^<]*' celled/en/result/acme/toy/index.html)" '<span class="value">0.30</span> <small class="unit">= 30 %'
is "a ratio is no percentage: its page" "$(grep -o '0\.30[^|;]*' celled/pages/acme/toy/README.en.md | grep -c '= 30 %')" 1
is "a ratio is no percentage: its unit" "$(jq -r '.figures[] | select(.figure == "mfu") | .stated + " " + .unit' celled/result/acme/toy/tables.json; jq -r '.rows[] | select(.mfu_stated and .case == "toy") | .mfu_stated + " " + .mfu_unit' celled/data/model/toy.json | head -n 2)" "0.30 ratio
31.0% %
24.4%-50.6% %
/ %
0.30 ratio
31.0% %"
check "it sorts as the percentage" grep -q 'data-label="MFU" data-v="30"' celled/en/results/index.html
# The words beside a sign for none, and the sign itself, stand where the vendor is quoted; a row of signs is one everywhere.
cells_of() { grep "id=\"$2\"" "celled/$1/result/acme/toy/index.html" | grep -o '<td.*' | sed 's,</td>,;,g; s,<[^>]*>,,g; s,  *, ,g'; }
is "what was published stands as published" "$(cells_of en t1-r3 | cut -d';' -f5,6) $(cells_of en t1-r5)" "/,仅供性能参考 withheld;------- withheld Toys;-----;---;---;---;---;---;"
is "a list has the words, too" "$(grep -o 'title="/,[^"]*">[^<]*' celled/en/results/index.html)" 'title="/,仅供性能参考">withheld'
is "and the figures of the result" "$(grep -o '<em class="none">未公开</em> <small>/,[^<]*' celled/zh/result/acme/toy/index.html)" '<em class="none">未公开</em> <small>/,仅供性能参考'
is "a row of signs has figures that are withheld: of the result, as published, in lists" \
    "$(sed -n '/id="f1-4"/,/<.tbody>/p' celled/en/result/acme/toy/index.html | grep -c 'class="pair-of"') $(cells_of en t1-r4 | grep -o '/ withheld' | wc -l) $(sed -n 's/.*data-row="acme.toy:1.4/&/p' celled/en/results/index.html | grep -o '<em class="none">withheld' | wc -l)" "1 4 5"
is "and in data" "$(jq -r '.rows[] | select(.case == "toy" and .place == "1.4") | .throughput_stated + .mfu_stated + .loss_stated + .memory_stated' celled/data/results.json) $(grep -c '^1.4,Toy,[^,]*,[^,]*,withheld,' celled/result/acme/toy/figures.csv)" "//// 4"
is "a contradicted range says how far its worse end is off" "$(sed -n 's,.*<td[^>]*data-label="Difference">\([^<]*\) <small class="mark">\([^<]*\)</small> <small class="mark">\([^<]*\)</small></td>.*,\1 \2 \3,p' celled/en/result/acme/toy/index.html)" "−20.600 pp upper end relative −40.711 %"
is "a result without evidence says so" "$(grep -ho '>No evidence was submitted\.<\|>没有提交证据。<' celled/*/result/acme/toy/index.html | tr '\n' ' ')" ">No evidence was submitted.< >没有提交证据。< "
# What a page shows in a table is there for programs: what was published, cell by cell, and the inputs of MFU.
published() { jq -r --arg p "$1" '[.published[] | select(.place == $p) | .value] | join(";")' celled/result/acme/toy/tables.json; }
is "each cell that was published is in data" "$(published 1.3)|$(jq -r '[.published[] | select(.from == "general")] | length' celled/result/acme/toy/tables.json)" \
    "$(jq -r '[.performance[] | select(.table) | .table.rows[2]][0] | join(";")' cells/results/acme/toy.json)|$(jq '[.general.rows[][]] | length' cells/results/acme/toy.json)"
is "and the numbers that MFU was computed from" "$(jq -r '.mfu[0] | "\(.place) \(.factor) \(.parameters) \(.tokens_per_s_per_card) \(.from) \(.peak_flops) \(.peak_of)"' celled/result/acme/toy/tables.json)" "1.1 6 1000000000 10000 stated 200000000000000 Box 8 bf16"
is "of MFU, exact, too" "$(jq -r '.mfu[] | select(.figure == "mfu_exact") | "\(.parameters) \(.layers) \(.hidden_size) \(.sequence_length) \(.peak_flops) \(.peak_of)"' shipped/result/fpreport/llama2_7b-native-4/tables.json)|$(grep -cE '\(exact\)</th><td class="number">[0-9]+</td><td[^>]*>(models|cases)/' shipped/en/result/fpreport/llama2_7b-native-4/index.html)|$(sed -n '/class="formulas"/,/<.ul>/p' shipped/en/result/fpreport/llama2_7b-native-4/index.html | grep -c '<li>')" \
    "6738415616 32 4096 4096 989000000000000 NVIDIA H200-SXM-141GB bf16|4|2"
tables_without_data() { python3 - "$@" <<'P'
import pathlib, re, sys
for root in sys.argv[1:]:
    for page in pathlib.Path(root, "en").rglob("*.html"):
        text = re.sub(r"<details.*?</details>", "", page.read_text("utf-8"), flags=re.S)  # of drawings: curves.csv and others
        links = {one for href in re.findall(r'href="([^"]*)\.csv"', text) for one in (href.split("/")[-1], "/".join(href.split("/")[-2:]))}
        name = page.parent.name  # of a pair
        for kind in re.findall(r'<table class="([^"]*)"', text):
            wanted = {"inputs": {"mfu", "accelerators"}, "published": {"published"}, "published wide": {"published"}, "pair": {f"compare/{name}"}, "pair criteria": {f"criteria/{name}"}}.get(kind)
            if not links or wanted and not wanted & links:
                print(page, kind)
P
}
is "no table is without its data" "$(tables_without_data celled shipped own likest groups)" ""
check "such cells: figures, data" sh -c 'python3 "$1" check celled && python3 "$1" data celled && python3 "$1" languages celled' - "$top/tests/cli/build/site.py"

# A figure under another heading is neither withheld nor contradicted: its own cell says where it stands, everywhere.
cp -R golden misplaced && jq '(.performance[] | select(.table) | .table.rows) = [["Box 8单机8卡（1x8）", "bf16", "40/64", "10000", "2.5", "/", "30.0%"]]' golden/results/acme/toy.json >misplaced/results/acme/toy.json
"$FPREPORT" build -q --records misplaced -o found >.log 2>&1
is "a figure in another column is said to be there" "$(for page in results model/toy result/acme/toy; do grep -o '<em class="none">see column fix_hp</em>' found/en/$page/index.html | wc -l; done | tr '\n' ' ')" "1 1 2 "
is "and no check contradicts it" "$(jq -r '.figures[] | select(.figure == "memory") | .outcome + " " + .rule' found/result/acme/toy/tables.json)" "CANNOT FP1003"

# --- Tables in what the page grammar does not know are tables, in lists and quotes, too.
mkdir -p english/results && cp -R golden/vendors golden/models golden/accelerators english/ && cat >page.md <<'X'
# Toy 1B on Box 8

Words above.

| Item | Value |
| --- | --- |
| Framework | **PyTorch** 2.3 |

1. a list

   Config | Tokens per second
   :-- | --:
   1 node \| 8 cards | 3,000

> | quoted |
> | --- |
> | 1 |

## 环境配置

- ##### 硬件环境
    - 机器型号: Box 8
X
"$FPREPORT" import -q --vendor acme --case toy -o english/results page.md >.out 2>&1
"$FPREPORT" build -q --records english -o tables >.out 2>&1
cells() { sed -n '/<table class="published">/,/<.table>/p' "tables/$1/result/acme/toy/index.html" | grep '^<tr>' | sed 's,</t[hd]>,;,g; s,<[^>]*>,,g'; }
is "tables of an English page are tables" "$(cells en)" "Item;Value;
Framework;PyTorch 2.3;
Config;Tokens per second;
1 node | 8 cards;3,000;
quoted;
1;"
is "in Chinese, too" "$(cells zh)" "$(cells en)"
check "such a page: links, structure" site check tables

# --- Long lists are cut into pages; the data beside them have all.
cp -R golden long && python3 - <<'PY'
import json
path = "long/results/acme/toy.json"
record = json.load(open(path))
block = next(b for b in record["performance"] if "table" in b)
block["table"]["rows"] = [block["table"]["rows"][0]] * 2100
json.dump(record, open(path, "w"), ensure_ascii=False)
PY
"$FPREPORT" build -q --records long -o cut >/dev/null 2>&1
rows_of() { cat $(find "cut/en/$1" -name index.html) | grep -c '<tr[^>]*><th scope="row" data-label'; }
for part in "results 9" "vendor/acme 9" "model/toy 10"; do # a group is not cut before it fills a page
    list=${part% *}
    check "$list: each row on one of ${part#* } pages" test "$(rows_of "$list") $(find "cut/en/$list" -name index.html | wc -l)" = "$(($(grep -c . "cut/data/$list.csv") - 1)) ${part#* }"
done
check "no page of a list is heavy" sh -c 'for f in $(find cut/en/results cut/en/vendor cut/en/model -name index.html); do [ "$(gzip -9 <$f | wc -c)" -le 102400 ] || exit 1; done'
check "the second page says that it is" grep -q '<h1>[^<]*page 2</h1>' cut/en/vendor/acme/2/index.html

# --- What an operator says of the site.
cp -R golden told && cat >told/site.json <<'X'
{"schema": "fpreport.site/1", "title": {"zh": "我的评测", "en": "My <b>benchmarks</b>"}, "url": "https://bench.example.org/",
 "operator": {"zh": "示例<实验室>", "en": "Example <Lab>"}, "contact": "https://example.org/us", "licence": "CC BY 4.0", "licence_url": "https://licence.example/by",
 "problems": "mailto:x@example.org", "date": "2026-11-21", "compare": [{"a": "acme/toy", "b": "globex/tiny_llama"}, {"a": "acme/toy", "b": "nobody/x"}]}
X
jq --arg t '    published as code' '.performance[0].text = "Long:\n\n\($t)"' golden/results/acme/toy.json >told/results/acme/toy.json
"$FPREPORT" build -q --records told -o said >/dev/null 2>&1
check "code that was published is scrolled with keys" grep -q '<pre tabindex="0"><code>published as code' said/en/result/acme/toy/index.html
check "settings: links, structure, languages, feeds and site map" site check,languages,data said
stated() { sed -n '/id="operator"/,/<.dl>/s,^<div><dt>\(.*\)</dt><dd>\(.*\)</dd></div>$,\1: \2,p' "$1/$2/about/index.html"; }
is "who answers for the site" "$(stated said en)" 'Operator: <bdi>Example &lt;Lab&gt;</bdi>
Contact: <a href="https://example.org/us">example.org/us</a>
Licence: <a href="https://licence.example/by">CC BY 4.0</a>
Report a problem: <a href="mailto:x@example.org">x@example.org</a>'
is "in Chinese" "$(stated said zh | head -n 1)" '运营者: <bdi>示例&lt;实验室&gt;</bdi>'
is "what nobody said is said to be so" "$(stated shipped en | sort -u -k 2 -t :; stated shipped en | grep -c 'not stated by the operator')" 'Operator: <em class="none">not stated by the operator</em>
4'
is "programs read it, too" "$(jq -r '.site | .operator_zh, .operator_en, .contact, .licence_en, .licence_url, .problems, .url' said/data/index.json | tr '\n' '|') $(jq -c '.site | [.operator_en, .contact, .licence_en, .url]' shipped/data/index.json)" \
    "示例<实验室>|Example <Lab>|https://example.org/us|CC BY 4.0|https://licence.example/by|mailto:x@example.org|https://bench.example.org/| [null,null,null,null]"
# --- Below a path of a server, whole addresses and all; and what such a site may not have is found.
cp -R told below && sed -i 's,bench.example.org/,&some/sub/path/,' below/site.json && url=https://bench.example.org/some/sub/path/
"$FPREPORT" build -q --records below -o served >/dev/null 2>&1
check "over HTTP below a path every link, asset, feed and line of the site map is there" python3 "$top/tests/cli/build/crawl.py" served $url
check "its feeds and site map" site data served
feed=en/feed/results.atom home=en/index.html
spoil() { # WHAT CHECK FILE SED-SCRIPT
    rm -rf spoilt && cp -R served spoilt && sed -i -E "$4" "spoilt/$3"
    if cmp -s "served/$3" "spoilt/$3"; then not_ok "$1: nothing was spoilt"; return; fi
    if [ "$2" = crawl ]; then check_exit 1 "found: $1" python3 "$top/tests/cli/build/crawl.py" spoilt $url; else check_exit 1 "found: $1" site feeds spoilt; fi
}
spoil "a link from the top of the server" crawl $home 's,href="(../style.css)",href="/style.css",'
spoil "a whole address that is not there" crawl $feed 's,(href="[^"]*)toy/index.html,\1tov/index.html,'
spoil "an anchor that no page has" crawl $home 's,#main,#mein,'
spoil "a line of the site map that is not there" crawl sitemap.xml 's,zh/method/,zh/methods/,'
spoil "an entry without its day" feeds $feed '0,/<updated>/! s,<updated>[^<]*</updated>,,'
spoil "a day that is none" feeds $feed 's,T00:00:00Z,T24:00:00Z,'
spoil "one id for all entries" feeds $feed 's,urn:uuid:[^<]*,urn:uuid:0,'
spoil "the oldest entry first" feeds $feed '0,/<entry>/! s,2026-11-21,2026-11-25,'
spoil "an address that is not whole" feeds $feed 's,href="https://[^"]*(/en/result),href="..\1,'
spoil "two titles" feeds $feed 's,<title>.*</title>,&&,'
spoil "nobody who wrote it" feeds $feed 's,<author>.*</author>,,'
spoil "a page that the site map has not" feeds sitemap.xml '/zh\/about/d'
spoil "a line without an address" feeds sitemap.xml '0,/<loc>[^<]*<.loc>/s///'
spoil "an address with a blank" feeds sitemap.xml 's,<loc>(https://[^<]*)/zh/about/,<loc>\1/zh/ab out/,'
spoil "a page that is said to be in another language" feeds sitemap.xml 's,hreflang="en"( href="[^"]*/about/),hreflang="zh-CN"\1,'
spoil "a page of another server" feeds sitemap.xml 's,https://(bench[^<]*zh/about),https://x.\1,'
check "its title is text" grep -q 'My &lt;b&gt;benchmarks' said/en/index.html
check "whole addresses in the site map" grep -q '<loc>https://bench.example.org/zh/index.html' said/sitemap.xml
check "the page for what is not there: whole addresses, right from any depth" sh -c '! grep -oE "(href|src)=\"[^\"]*" said/404.html | grep -v "=\"https://bench.example.org/"'
check "verdicts are dated by the publication" grep -q '"date": "2026-11-21"' said/data/index.json
"$FPREPORT" build -q --records told -o said2 >/dev/null 2>&1
check "ids of entries stay" sh -c 'ids() { grep -h "<id>" $1/*/feed/*.atom $1/*/feed/vendor/*.atom; }; ids said >1; ids said2 >2; cmp 1 2 && [ "$(grep -c urn:uuid: 1)" -gt 20 ]'
check "a vendor has its feed" grep -q '<title>Acme · toy: ' said/en/feed/vendor/acme.atom
check "a pair has its page, one that is not there has none" sh -c '[ "$(ls said/en/compare)" = "acme-toy..globex-tiny_llama
index.html" ]'
pair=said/en/compare/acme-toy..globex-tiny_llama/index.html
check "its heading names vendors, machines, models and cases" grep -q '<h1>Acme (8 × Box 8) vs. Globex (1 × CPU) · Toy 1B / tiny_llama · toy / tiny_llama</h1>' $pair
is "its tables have data, too" "$(tables_without_data said) $(alike said/data/criteria/acme-toy..globex-tiny_llama.json)" \
    " different,different,the same,the same,different,unknown"
is "what keeps them apart" "$(grep -o 'criterion differs"><th scope="row">[^<]*' $pair | cut -d'>' -f3 | tr '\n' ',')" "case,precision class,sequence length,"
is "verified results of one vendor scale" "$(jq -r '.rows[] | "\(.row) \(.cards) \(.efficiency_percent | tonumber)"' shipped/data/scaling.json)" \
    "$(jq -r '[.rows[] | select(.model == "llama2_7b" and .accelerator == "h200" and .state == "verified") | .n = (.nodes | tonumber) * (.cards_per_node | tonumber) | .rate = (.throughput_stated | tonumber)]
        | sort_by(.n) | .[0].rate as $first | .[] | "\(.vendor)/\(.case)#\(.place) \(.n) \(.rate / $first * 1e6 | round / 1e4)"' shipped/data/results.json)"
check "and what they measured stands on their model's page" grep -q '<span class="value">93.8</span>' shipped/en/model/llama2_7b/index.html
check "of a site without an address there is none" test ! -e shipped/sitemap.xml
for url in javascript:alert'(1)' mailto:x@example.org/ 'https://x.example/?q=/' https://x.example/#/ https://x.example; do
    printf '{"schema": "fpreport.site/1", "url": "%s"}' "$url" >told/site.json
    check_exit 3 "an address below which nothing can lie is refused: $url" "$FPREPORT" build -q --records told -o refused
    says "with its place" "site.json:1:38: error: url is '$url', expected an address of https: or http: with '/' at its end, without '?' and '#'"
done

for key in contact licence_url; do
    printf '{"schema": "fpreport.site/1", "%s": "javascript:alert(1)"}' $key >told/site.json
    check_exit 3 "$key is an address" "$FPREPORT" build -q --records told -o refused
    says "with the place of $key" "error: $key is 'javascript:alert(1)', expected an address of https:, http: or mailto:"
done

# --- What a run says of itself dates what is of others only when its result is verified.
newest() { sed -n 's,^<updated>\(.*\)</updated>,\1,p' "$1/en/feed/verdicts.atom" | sort | tail -n 1; }
check "a verified run dates what has no date: $(newest own)" sh -c '[ "$1" != 1970-01-01T00:00:00Z ]' - "$(newest own)"
cp -R golden doubted && sed -i 's,"0.6/23.5"\, "/"\],"0.6/23.5"\, "12%"],' doubted/results/globex/tiny_llama.json
"$FPREPORT" build -q --records doubted -o partly >/dev/null 2>&1
is "one that is not verified does not" "$(jq -r '.results[] | select(.id == "globex/tiny_llama") | .state' partly/data/index.json) $(newest partly)" "partial 2026-01-02T00:00:00Z" # of a withdrawal

cp -R golden unset && rm -r unset/results/globex && sed -i 's/2026-01-02/0001-01-01/' unset/results/acme/old.json
mkdir empty && echo '{"schema": "fpreport.site/1", "date": "2026-11-21"}' >empty/site.json
for records in unset empty; do "$FPREPORT" build -q --records $records -o of_$records >/dev/null 2>&1; done
updated() { grep -rho '<updated>[^<]*' "$1"/*/feed | sed 's/.*>//' | sort | uniq -c | tr -s ' '; }
is "a clock that was never set dates nothing: no date is before those of the rule set" "$(updated of_unset)" " 6 2026-01-01T00:00:00Z"
is "a site without results has the day of its publication" "$(updated of_empty)" " 4 2026-11-21T00:00:00Z"
# --- What has changed since the site that was published last.
cp -R golden later && rm later/results/acme/old.json && sed -i 's/"90.0%"/"36.0%"/; s,"70/64","60/64",' later/results/acme/toy.json
"$FPREPORT" build -q --records later --previous own -o since >/dev/null 2>&1
check "since the last site: links, structure, languages, data" site check,languages,data since
history=$(python3 -c 'import json; print([[h["state"] for h in r["history"]] for r in json.load(open("since/data/index.json"))["results"]])')
check "a state that changed is a line of the history, another is not: $history" test "$history" = "[['failed', 'unverified'], ['verified']]"
check "the change is named" sh -c 'grep "acme · toy\|Acme · toy" since/en/changes/index.html | grep -q "failed.*unverified"'
check "what is gone is named" sh -c 'grep "· old</a>" since/zh/changes/index.html | grep -q "已移除"'
"$FPREPORT" build -q --records later --previous since -o again >/dev/null 2>&1
check "nothing new: the same history" cmp since/data/index.json again/data/index.json
check "the first publication says that, too" grep -q 'This is the first publication, so there are no earlier verdicts' own/en/changes/index.html
check "nothing new: it says so" grep -q 'No verdict has changed since the last publication' again/en/changes/index.html
check_exit 2 "a site that is none is refused" "$FPREPORT" build --previous golden -o none
echo '{"schema": "fpreport.index/1", "results": [{"id": "a/b", "history": [{"state": "good"}]}]}' >own/data/index.json
check_exit 2 "a history that is none, too" "$FPREPORT" build --records golden --previous own -o none
says "with its place" "own/data/index.json:1:"

# --- Links that lead nowhere, names that are pages.
cp -R golden linked && python3 - <<'P'
import json
for vendor, url in (("acme", "javascript:alert(1)"), ("globex", "https://globex.example {{x}}")):
    path = f"linked/vendors/{vendor}.json"
    d = json.load(open(path))
    d["url"] = url
    if vendor == "acme":
        d["name"] = {"zh": "长" * 30000, "en": "<script>x</script>[a](javascript:alert(1))<br>" + "x" * 90000}
    json.dump(d, open(path, "w"))
P
"$FPREPORT" build --records linked -o odd >.out 2>&1
says "an address that is none is warned of" "vendors/acme.json: warning: url is 'javascript:alert(1)'"
says "and one with a blank" "vendors/globex.json: warning: url is 'https://globex.example {{x}}'"
check "neither is a link" sh -c '! grep -rqE "href=.?(javascript:|https://globex.example [{])" odd && grep -q "<p>javascript:alert(1)</p>" odd/en/vendor/acme/index.html'
check "the pages in Markdown have neither tags nor such links" sh -c '! grep -rqE "<(/?script|javascript:)|\]\(javascript" odd/pages && grep -q "&lt;script>.*<br>" odd/pages/acme/README.en.md'
check "a long name is cut in rows" test "$(wc -c <odd/en/results/index.html)" -lt 60000
is "on its page, too, which says how much more there is" "$(grep -c "[0-9] more characters in the record)" odd/en/vendor/acme/index.html) $(awk 'length > 9000' odd/en/vendor/acme/index.html)" "1 "

# --- Notes say which language they are in, and what in them is not in it, whatever the page's is; code is in none.
cp -R golden tongues && jq '.performance |= [{text: "先点击 set image name 再运行 `set image name now`"}, {text: "All of the steps were run twice."}] + .' golden/results/acme/toy.json >tongues/results/acme/toy.json
"$FPREPORT" build -q --records tongues -o noted >/dev/null 2>&1
for lang in zh en; do
    is "languages of notes: $lang" "$(grep -B 1 'set image name\|All of the steps' noted/$lang/result/acme/toy/index.html)" '<div lang="zh">
<p>先点击<span lang="en"> set image name </span>再运行 <code>set image name now</code></p>
--
<div lang="en">
<p>All of the steps were run twice.</p>'
done
check "languages of notes" site languages noted

# A line that heads the rows below it is no result; tables of one page have names of their own.
cp -R golden headed && mkdir -p headed/results/globex && toy=headed/results/acme/toy.json
jq '(.performance[] | select(.table) | .table.rows) |= [["Box 8", "-------", "----", "-------", "---", "---", "----"]] + .' "$toy" >toy.new && cp toy.new "$toy"
jq '.vendor = "globex"' "$toy" >headed/results/globex/toy.json
echo '{"schema": "fpreport.site/1", "compare": [{"a": "acme/toy", "b": "globex/toy"}]}' >headed/site.json
"$FPREPORT" build -q --records headed -o headed.site >.out 2>&1
is "a heading among rows is none" "$(jq -r '[.rows[] | select(.case == "toy" and .vendor == "acme") | .place] | join(" ")' headed.site/data/results.json)" "1.2 1.3 1.4"
grep -ho 'aria-label="[0-9][^"]*"' headed.site/en/compare/acme-toy..globex-toy/index.html | sort >labels
check "tables of a pair have different names" sh -c '[ $(wc -l <labels) -gt 1 ] && [ -z "$(uniq -d labels)" ]'

# Every parallel plan of a result is drawn, up to twelve; the others are named.
cp -R golden plans && toy=plans/results/acme/toy.json
jq '(.performance[] | select(.table) | .table) |= {columns: ["配置", "parallel", "token/p/s"], rows: [range(1; 16) | ["Box 8（\(.)x2）", "TP2PP1DP\(.)", "10000"]]}' "$toy" >toy.new && cp toy.new "$toy"
"$FPREPORT" build -q --records plans -o plans.site >.out 2>&1
page=plans.site/en/result/acme/toy/index.html
is "plans that are drawn, and those that are named" "$(grep -c 'aria-labelledby="plan-[0-9-]*-t ' $page) $(grep -o '[0-9]* more plans are not drawn: [^<]*' $page)" \
    "12 3 more plans are not drawn: TP2 × PP1 × DP13 (13×2), TP2 × PP1 × DP14 (14×2), TP2 × PP1 × DP15 (15×2)"
plan_done
