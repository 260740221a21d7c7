#!/bin/sh
# The website in a real browser: tests/browser/site.mjs says what is looked at. Node's modules are
# those of the lock file there; they lie in build/browser, the browser is the system's: the same engine
# without a window takes half the processor.
. "$(dirname "$0")/../../lib.sh"
modules=$top/build/browser
CHROMIUM=$(command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome)
export CHROMIUM BROWSER_MODULES="$modules" PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1

gcc_only "the same pages are looked at in the gcc variant"
for program in node npm; do command -v $program >/dev/null || left_out "needs $program"; done
[ -n "$CHROMIUM" ] || left_out "needs chromium"
if ! cmp -s "$top/tests/browser/package-lock.json" "$modules/installed.json"; then
    mkdir -p "$modules" && cp "$top"/tests/browser/package*.json "$modules/"
    (cd "$modules" && timeout 120 npm ci --no-audit --no-fund --ignore-scripts --fetch-retries=1) >"$tmp/npm" 2>&1 ||
        left_out "npm ci: $(grep -m1 -E '(ERR!|error) code [A-Z]' "$tmp/npm" || tail -n 1 "$tmp/npm")"
    cp "$modules/package-lock.json" "$modules/installed.json"
fi

cd "$tmp" || exit 1
# Its fonts are looked for anew: where the machine's list of them is empty by mistake, Chromium ends.
mkdir fonts && echo "<fontconfig><dir>/usr/share/fonts</dir><cachedir>$tmp/fonts</cachedir></fontconfig>" >fonts.conf
export FONTCONFIG_FILE="$tmp/fonts.conf"
ln -s "$top/templates" templates
cp -R "$top/records" records && cat >records/site.json <<'JSON'
{"schema": "fpreport.site/1", "title": {"zh": "训练评测结果", "en": "Training benchmarks"},
 "compare": [{"a": "fpreport/llama2_7b-native", "b": "fpreport/llama2_7b-native-4"}, {"a": "fpreport/tiny_llama", "b": "metax/tiny_llama"}]}
JSON
python3 "$top/tests/cli/build/overlaid.py" records metax=1.5 >/dev/null
# Published before: one result more, and another figure.
cp -R records before && sed 's/"case": "[^"]*"/"case": "gone_7b-pytorch"/' records/results/nvidia/llama2_7b_finetune-pytorch.json >before/results/nvidia/gone_7b-pytorch.json
sed -i 's/"[0-9.]*%"/"12.5%"/' before/results/nvidia/baichuan2_13b-deepspeed.json
"$FPREPORT" build -q --records before -o published >/dev/null 2>&1
"$FPREPORT" build -q --previous published -o site >/dev/null 2>&1

# Every text is an attack, and every eighth is long besides.
cp -R "$top/tests/golden/build/records" golden
python3 "$top/tests/cli/build/site.py" attack golden hostile >/dev/null
python3 - hostile <<'PY'
import pathlib, re, sys
for file in pathlib.Path(sys.argv[1]).rglob("*.json"):  # no path is as long
    file.write_text(re.sub('(?<!"path": ")<!-- zqx', "<!-- zqx" + "W" * 100_000, file.read_text("utf-8")), "utf-8")
PY
cp -R golden/evidence golden/references hostile/
"$FPREPORT" build -q --records hostile -o attacked >hostile.log 2>&1

# Figures in many forms, some of them contradicted, one only doubted (tests/browser/figures.mjs).
cp -R "$top/tests/golden/build/records" figures && toy=figures/results/acme/toy.json
jq '(.performance[] | select(.table) | .table) |= {columns: ["配置", "precision", "fix_hp", "token/p/s", "loss", "MFU"], rows: [
    ["(1x8) none", "bf16", "/", "/", "/", "/"], ["(1x8) a", "bf16", "/", "8,700", "2.63", "0.416"], ["(1x8) b", "bf16", "recompute=False", "1e4", "2.50", "30.0%"],
    ["(1x8) c", "bf16", "/", "9000", "2.71", "130%"], ["(1x8) d", "bf16", "/", "8000-9000", "2.60", "35.0%"], ["(1x8) e", "bf16", "/", "3.56k", "2.60", "25.4%-50.6%"],
    ["(1x8) f", "fp32", "/", "800", "2.60", "3%"], ["(1x8) g", "bf16", "/", "1e9", "2.60", "4%"],
    ["(1x8) h", "bf16", "recompute=True", "10013", "2.65", "30.10%"]]}' "$toy" >toy.new && cp toy.new "$toy"
jq '.vendor = "globex"' "$toy" >figures/results/globex/toy.json
jq '.compare = [{"a": "acme/toy", "b": "globex/toy"}]' records/site.json >figures/site.json
"$FPREPORT" build -q --records figures -o written >/dev/null 2>&1

# The same later: a row in front, one less, two swapped, another batch size, and a twin before e; the other's is withdrawn.
jq '.withdrawn = {date: "2026-01-02", by: "globex", reason: {zh: "驱动有错", en: "the driver was faulty"}}' figures/results/globex/toy.json >toy.new && cp toy.new figures/results/globex/toy.json
jq '(.performance[] | select(.table) | .table.rows) |= (. as [$none, $a, $b, $c, $d, $e, $f, $g] |
    [["(2x8) new"] + $a[1:], $none, $c, $a, ($d | .[2] = "GBS=4"), ($e | .[3] = "3570"), $e, $f, $g])' "$toy" >toy.new && cp toy.new "$toy"
"$FPREPORT" build -q --records figures -o moved >/dev/null 2>&1

# More rows than a page of the list has, a third of them without figures (tests/browser/rows.mjs).
cp -R "$top/tests/golden/build/records" long && toy=long/results/acme/toy.json
jq '(.performance[] | select(.table) | .table) |= {columns: ["配置", "precision", "token/p/s", "MFU"], rows:
    [range(600) | ["(1x8) row\(.)", "bf16"] + (if . % 3 == 0 then ["/", "/"] else (5000 + . * 37 % 991 | ["\(.)", "\(. * 0.003)"]) end)]}' "$toy" >toy.new && cp toy.new "$toy"
jq '.vendor = "globex"' "$toy" >long/results/globex/toy.json
"$FPREPORT" build -q --records long -o paged >/dev/null 2>&1

# A round of MLPerf with three systems.
cp -R "$top/tests/golden/build/records" mlperf && python3 "$top/tests/cli/mlperf/make_package.py" . &&
    "$FPREPORT" import -q -o mlperf/mlperf --ruleset 5.1.0 Example >/dev/null 2>&1
one=mlperf/mlperf/results/v5.1/Example/one.json
for i in 2 3; do
    sed "s/\"system\": \"one\"/\"system\": \"more$i\"/; s/\"accelerators\": 8/\"accelerators\": 64/; s/\"20.483\"/\"$i.5\"/" $one >mlperf/mlperf/results/v5.1/Example/more$i.json
done
"$FPREPORT" build -q --records mlperf -o rounds >/dev/null 2>&1
look() { rm -rf scratch && mkdir scratch && node "$top/tests/browser/site.mjs" site attacked scratch records written moved paged rounds >looked 2>&1; }
# The browser is killed where memory is short: that is tried once more, and said. A second time it is a failure.
look; status=$?
if [ $status -eq 70 ]; then grep '^#' looked | tail -n 3 | sed 's/^# */# the browser ended, tried again: /'; look; status=$?; fi
cat looked
exit $status
