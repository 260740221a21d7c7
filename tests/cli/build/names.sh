#!/bin/sh
# One record never stops the site: names that no file system keeps apart, paths that are the site's,
# paths that nothing can be called. The later record is left out and said so, the rest is built.
place=memory; . "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1
ln -s "$top/templates" templates
fresh() { rm -rf records && cp -R "$top/tests/golden/build/records" records && rm -r records/results/acme; }
# like ID OTHER FILE NEW: a copy of a record under another name
like() { mkdir -p "$(dirname "$4")" && sed "s/\"$1\"/\"$2\"/" "$3" >"$4"; }
says() { # WHAT PATTERN: what was said by the last command
    if grep -qE "$2" "$tmp/.out"; then ok "$1"; else not_ok "$1"; echo "# expected $2, found"; sed 's/^/# /' "$tmp/.out"; fi
}
left=3
# leaves_out DESCRIPTION PATTERN: exit $left, these words, and a site of the rest; the same with a cache
leaves_out() {
    rm -rf site site.fpreport*
    for again in "" ", again"; do
        check_exit $left "$1$again" "$FPREPORT" build -o site
        says "says so$again" "$2"
        check "and the rest is there$again" test -f site/en/result/globex/tiny_llama/index.html
    done
}

result=records/results/globex/tiny_llama.json other=records/results/acme/tiny_llama.json
fresh && like globex GLOBEX records/vendors/globex.json records/vendors/GLOBEX.json
mkdir records/results/GLOBEX && like globex GLOBEX $result records/results/GLOBEX/tiny_llama.json
leaves_out "two vendors with one name" '^records/vendors/GLOBEX.json:1: error: left out: found the name "GLOBEX", which differs from "globex" \(records/vendors/globex.json\) in the case of letters only$'
check_exit 3 "which verify says, too" "$FPREPORT" verify
says "of its results as well" '^records/results/GLOBEX/tiny_llama.json:1: warning: left out'
rm records/vendors/globex.json
leaves_out "nor does a record without one take the place of results" '^records/vendors/GLOBEX.json:1: error: left out: found the name "GLOBEX", which differs from "globex" \(records/results/globex/tiny_llama.json\)'

fresh && like globex globeX $result records/results/globeX/tiny_llama.json && rm -r records/results/globex && cp -R "$top/tests/golden/build/records/results/globex" records/results/
left=0 # of a result alone the others are published all the same
leaves_out "a result of a vendor with the name of another" '^records/results/globeX/tiny_llama.json:1: warning: left out: found the name "globeX", which differs from "globex" \(records/vendors/globex.json\)'
fresh && like tiny_llama tiny_LLAMA $result records/results/globex/tiny_LLAMA.json
leaves_out "a case" '^records/results/globex/tiny_LLAMA.json:1: warning: left out: .*differs from "tiny_llama" \(records/cases/tiny_llama.json\)'
left=3
for kind in accelerators/box8 models/toy; do
    fresh && like "${kind#*/}" "$(echo "${kind#*/}" | tr a-z A-Z)" "records/$kind.json" "records/$(dirname $kind)/$(basename $kind | tr a-z A-Z).json"
    leaves_out "${kind%/*}" "^records/$(dirname $kind)/$(basename $kind | tr a-z A-Z).json:1: error: left out: "
done

# Names that only a reader takes for one: each vendor has its own id, and stays.
for name in GLOBEX 'Globe\u200bx' '\uff27lobex' 'Gl\u043ebex' 'G1obex' '\ud835\udc06lobex' 'G l-obex' 'Gl0bex' '\u24bclobex'; do
    fresh && jq --argjson n "\"$name\"" '.id = "zz" | .name = {zh: $n, en: $n}' records/vendors/globex.json >records/vendors/zz.json
    check "a vendor called $name" "$FPREPORT" build -o site
    says "is said to look like another" '^records/vendors/zz.json:1: warning: found the name ".*", which looks like ".*" \(records/vendors/globex.json\)'
done
check "and both are there" test -f site/en/result/globex/tiny_llama/index.html
fresh && jq '.id = "zz" | .name = {zh: "Globex Two", en: "Globexx"}' records/vendors/globex.json >records/vendors/zz.json
"$FPREPORT" build -o site >.out 2>&1
check_exit 1 "one that differs is not" grep -q "looks like" .out
# Each letter of the table, wherever it stands in it: a pair of vendors, the second with the letter for the Latin one.
fresh && pairs=$(python3 - "$top/base/project/lookalikes.c" <<'PY'
import json, pathlib, re, sys
pairs = re.findall(r'\{0x([0-9A-F]+), "([^"]+)"\}', pathlib.Path(sys.argv[1]).read_text())
for i, (code, latin) in enumerate(pairs):
    for who, letter in (("a", latin), ("b", chr(int(code, 16)))):
        name = "".join("bcdfhkmqrs"[int(d)] for d in f"{i:03}") + letter + "tu"
        vendor = {"schema": "fpreport.vendor/1", "id": f"{who}{i:03}", "name": {"zh": name, "en": name}}
        pathlib.Path(f"records/vendors/{who}{i:03}.json").write_text(json.dumps(vendor))
print(len(pairs))
PY
) && "$FPREPORT" build -o letters >letters.out 2>&1
check "there are letters" test "$pairs" -gt 50
check "each of them is told" test "$(grep -cE '^records/vendors/b[0-9]+.json.*looks like.*\(records/vendors/a[0-9]+.json\)' letters.out)" = "$pairs"

fresh && like globex zz $result records/results/zz/tiny_llama.json && sed -i 's,evidence/globex/run,evidence/globex/RUN,' records/results/zz/tiny_llama.json
cp records/evidence/globex/run.tar.zst records/evidence/globex/RUN.tar.zst
leaves_out "evidence with the name of other evidence" '^records/results/zz/tiny_llama.json:115: error: left out: .*"evidence/globex/RUN.tar.zst", which differs from "evidence/globex/run.tar.zst"'
for path in en/index.html ZH/x.csv index.html data/results.json archive/log.jsonl; do
    fresh && mkdir -p "records/$(dirname $path)" && mv records/references/tiny_llama.csv records/$path
    sed -i "s,references/tiny_llama.csv,$path," records/cases/tiny_llama.json
    leaves_out "a reference called $path" "^records/cases/tiny_llama.json:[0-9]+: error: left out: found the path \"$path\", which pages of the site have"
done
for path in 'evidence/a\\n.tar.zst' 'evidence/a\\u202e.tar.zst' 'evidence/.git/x.tar.zst' 'evidence//x.tar.zst' 'evidence/a\\\\b.tar.zst'; do
    fresh; like globex acme $result $other
    sed -i "s,evidence/globex/run.tar.zst,$path," $other
    leaves_out "evidence called $path" "^$other:[0-9]+:[0-9]+: error: found \".*, expected a relative path whose parts do not begin with '.'"
done
plan_done
