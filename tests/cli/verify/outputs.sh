#!/bin/sh
# What fpreport verify writes: columns, JUnit, SARIF, what fails, which rules run; and which
# verdicts changed (fpreport diff of two documents).
. "$(dirname "$0")/../../lib.sh"
look=$top/tests/cli/verify/outputs.py
ln -s "$top/templates" "$tmp/templates"
cd "$tmp" || exit 1
cp -R "$top/tests/golden/build/records" records
cp "$top/tests/golden/verify/page.md" page.md
python=/usr/bin/python3; "$python" -c 'import jsonschema' 2>/dev/null || python=python3

says() { # DESCRIPTION TEXT: what the last check_exit printed holds the text
    if grep -qF -- "$2" "$tmp/.out"; then ok "$1"; else
        not_ok "$1"; sed 's/^/# /' "$tmp/.out" | head -n 20
    fi
}
jq_says() { # DESCRIPTION FILTER FILE
    if [ "$(jq "$2" "$3" 2>&1)" = true ]; then ok "$1"; else not_ok "$1"; jq -c . "$3" | head -c 1500 | sed 's/^/# /'; echo; fi
}
verify() { # FORMAT FILE ARGUMENTS…: -o FILE, silent
    f=$1 to=$2; shift 2
    "$FPREPORT" verify --records "$top/tests/golden/verify/records" --format "$f" -o "$to" "$@" >/dev/null 2>&1
}
xml_ok() { xmllint --noout --schema "$top/tests/data/junit.xsd" "$1"; }

# --- Columns: the first byte of the cell, or none.
{ printf '\r\n'; sed 's/$/\r/' page.md; } >crlf.md
awk '/^\|/ { print "  " $0; next } { print }' page.md >indented.md
sed '33,40s/^| A100/| **A100**长 \\| A100/' page.md >escaped.md
for page in page.md crlf.md indented.md escaped.md; do
    verify json out.json --vendor nvidia --case sample_page $page
    check "columns of $page" "$python" "$look" columns out.json
done
LC_ALL=C sed '34s/A100/A\xff100/' page.md >invalid.md
verify json out.json --vendor nvidia --case sample_page invalid.md
jq_says "no column behind bytes that are no UTF-8" '[.runs[].findings[] | select(.line == 34 and .column)] == []' out.json
"$FPREPORT" verify --format json -o toy.json acme/toy >/dev/null 2>&1
check "columns of a record" "$python" "$look" columns toy.json
if [ -d "$shared/corpus/flagperf" ]; then
    (cd "$shared" && find corpus/flagperf -name README.md | LC_ALL=C sort >"$tmp/pages"
     # shellcheck disable=SC2046
     for f in json sarif junit; do "$FPREPORT" verify --records "$top/records" --format $f -o "$tmp/corpus.$f" $(cat "$tmp/pages"); done >/dev/null 2>&1)
    check "columns of the corpus" sh -c 'cd "$1" && "$2" "$3" columns "$4"' sh "$shared" "$python" "$look" "$tmp/corpus.json"
    check "SARIF of the corpus" sh -c 'cd "$1" && "$2" "$3" sarif "$4"' sh "$shared" "$python" "$look" "$tmp/corpus.sarif"
    check "JUnit of the corpus" xml_ok corpus.junit
    check "its counts" "$python" "$look" junit corpus.junit
else
    skip "columns of the corpus need ../shared"
fi

# --- SARIF.
mkdir -p "a b/ü%#" && cp page.md "a b/ü%#/na:me.md" && cp page.md ./-odd.md
verify sarif page.sarif --vendor nvidia --case sample_page page.md
check "rules are named by words with one capital" sh -c '! jq -r ".runs[0].tool.driver.rules[].name" page.sarif | grep -vE "^([A-Z][a-z0-9]+)+$"'
check "SARIF of a page" "$python" "$look" sarif page.sarif
# Of three rules, and without their explanations, which may be worded better any day.
verify sarif some.sarif --vendor nvidia --case sample_page --only FP1004,FP1005,FP2003 page.md
jq 'del(.runs[0].tool.driver.rules[].help)' some.sarif >golden.sarif
check_same "SARIF of a page, byte by byte" "$top/tests/golden/verify/page.sarif" golden.sarif
verify sarif odd.sarif "a b/ü%#/na:me.md" "$tmp/page.md" -- -odd.md ././crlf.md
check "paths with blanks, percent signs, colons; absolute ones" "$python" "$look" sarif odd.sarif
jq_says "are relative and encoded" '[.runs[0].results[].locations[0].physicalLocation.artifactLocation.uri] | unique == ["-odd.md", "a%20b/%C3%BC%25%23/na%3Ame.md", "crlf.md", "page.md"]' odd.sarif
mkdir other && (cd other && verify sarif ../else.sarif ../page.md "$tmp/page.md")
jq_says "a file elsewhere keeps its path" '[.runs[0].results[].locations[0].physicalLocation.artifactLocation.uri] | unique == ["../page.md", "file://'"$tmp"'/page.md"]' else.sarif
{ printf 'preamble\n\n'; sed '33i | A100单机8卡（1x8） | / | / | / | / | / | / |' page.md; } >moved.md
cp page.md before.md; verify sarif a.sarif --vendor nvidia --case x before.md; cp moved.md before.md
verify sarif b.sarif --vendor nvidia --case x before.md
check "fingerprints stay when lines move" "$python" "$look" stable a.sarif b.sarif
"$FPREPORT" verify --format sarif -o records.sarif >/dev/null 2>&1
check "SARIF of records, one withdrawn" "$python" "$look" sarif records.sarif
check_exit 3 "SARIF of what cannot be read" "$FPREPORT" verify --format sarif -o none.sarif none.md
check "is valid" "$python" "$look" sarif none.sarif
jq_says "and says so" '.runs[0].invocations[0] | .executionSuccessful == false and (.toolExecutionNotifications[0].message.text | length > 0)' none.sarif

# A result of 400 rows with four cells each that are no figures, seventeen times: beyond the limit.
"$python" -c '
import json
table = {"columns": ["配置", "fix_hp", "token/p/s", "loss", "mem", "MFU"], "rows": [["A100单机8卡（1x8）", "/"] + [{"as_published": "x"}] * 4] * 400}
json.dump({"schema": "fpreport.result/1", "vendor": "evil", "case": "many", "environments": [{"title": "t", "groups": [{"label": "硬件环境", "items": [{"label": "加速卡型号", "value": ""}]}]}], "performance": [{"table": table}]}, open("many.json", "w"))'
many=$(yes many.json | head -n 17 | tr '\n' ' ')
# shellcheck disable=SC2086
"$FPREPORT" verify --only FP1004,FP1005,FP2003 --vendor nvidia --case sample_page --format sarif -o many.sarif page.md $many >/dev/null 2>&1
jq_says "25,000 results, and a notification about the rest" '(.runs[0].results | length == 25000) and (.runs[0].invocations[0].toolExecutionNotifications[0].message.text | test("findings are left out"))' many.sarif
jq_says "no error among those left out" '([.runs[0].results[] | select(.level == "error")] | length) >= 1 and ([.runs[0].results[] | select(.level == "note")] | length) == 0' many.sarif

# --- JUnit.
verify junit page.xml --vendor nvidia --case sample_page page.md
check "JUnit of a page" xml_ok page.xml
verify junit some.xml --vendor nvidia --case sample_page --only FP1004,FP1005,FP2003 page.md
check_same "JUnit of a page, byte by byte" "$top/tests/golden/verify/page.xml" some.xml
{ printf '\n\n\n'; cat page.md; } >lower.md
names() { xmllint --xpath '//testcase/@name' "$1" | sed 's/lower\.md/page.md/'; }
verify junit lower.xml --vendor nvidia --case sample_page lower.md
names page.xml >page.names; names lower.xml >lower.names
check_same "names stay when three lines stand in front" page.names lower.names
check "a name is there once" test -z "$(sort page.names | uniq -d)"
"$FPREPORT" verify --format junit -o records.xml records/results/acme/toy.json acme/old none.md none.json >/dev/null 2>&1
check "JUnit of records and of what is not there" xml_ok records.xml
check "its counts" "$python" "$look" junit records.xml
check "errors are what cannot be read" test "$(xmllint --xpath 'string(/testsuites/@errors)' records.xml)" = 2
check "a withdrawn result fails nothing" test "$(xmllint --xpath 'string(//testsuite[@name="acme/old"]/@failures)' records.xml)" = 0
failures() { "$FPREPORT" verify --format junit "$@" acme/toy 2>/dev/null | xmllint --xpath 'string(/testsuites/@failures)' -; }
check "what fails the command fails in JUnit" test "$(failures)" -lt "$(failures --fail-on notice)" -a "$(failures --fail-on never)" = 0

# --- Hostile texts: control characters, direction marks, what XML forbids, 100 KB.
"$python" "$look" hostile hostile.json
for f in text json junit sarif; do "$FPREPORT" verify --format $f -o evil.$f hostile.json >/dev/null 2>&1; done
check "nothing hidden reaches the terminal" "$python" -c '
import sys, unicodedata
t = open("evil.text", encoding="utf-8").read()
hidden = [c for c in t if c != "\n" and (unicodedata.category(c) == "Cc" or c in "\u202a\u202b\u202d\u202e\u2066\ufffe\uffff")]
sys.exit(bool(hidden) or "gnp.exe" not in t)'
check "nor is a long text shown whole" test "$(wc -c <evil.text)" -lt 100000
check "JSON keeps it exactly" "$python" -c '
import json
stated = {f.get("stated") for f in json.load(open("evil.json", encoding="utf-8"))["runs"][0]["findings"]}
assert {"\u202egnp.exe\u2066", "\x01\x1b[31mred\x1b]0;title\x07", "長" * 34000} <= stated'
check "JUnit is XML" xml_ok evil.junit
check "its counts" "$python" "$look" junit evil.junit
check "SARIF is valid" "$python" "$look" sarif evil.sarif
for f in text json junit sarif; do
    "$FPREPORT" verify --format $f hostile.json page.md acme >one.$f 2>/dev/null
    (export TZ=Asia/Tokyo LC_ALL=C; "$FPREPORT" verify --format $f hostile.json page.md acme >two.$f 2>/dev/null)
    check "$f: the same bytes twice" cmp one.$f two.$f
done

# --- What fails: acme/toy has errors, globex/tiny_llama nothing worse than a notice.
check_exit 1 "an error fails" "$FPREPORT" verify acme/toy
check "--fail-on never: not even an error" "$FPREPORT" verify --fail-on never acme/toy
check_exit 1 "--fail-on notice: a notice does" "$FPREPORT" verify --only FP1005 --fail-on notice acme/toy
check "which is none by default" "$FPREPORT" verify --only FP1005 acme/toy
check "nor with --strict" "$FPREPORT" verify --only FP1005 --strict acme/toy
printf '%s\n' '#### 性能指标' '| 配置 | p_whole | p_train | p_core | mem |' '| --- | --- | --- | --- | --- |' '| A100单机8卡（1x8） | 30 | 20 | 10 | 30.0/40.0 |' >warn.md
check "a warning does not fail" "$FPREPORT" verify warn.md
says "it is a warning" 'warning: '
check_exit 1 "--strict: it does" "$FPREPORT" verify --strict warn.md
check_exit 1 "--fail-on warning is the same" "$FPREPORT" verify --fail-on warning warn.md
check_exit 2 "both are one too many" "$FPREPORT" verify --strict --fail-on error warn.md
check_exit 2 "an unknown severity" "$FPREPORT" verify --fail-on bad warn.md
says "says what there is" 'expected error, warning, notice or never'
check "--fail-on notice: a withdrawn result fails nothing" "$FPREPORT" verify --fail-on notice acme/old
check_exit 3 "--fail-on never: what cannot be read still does" "$FPREPORT" verify --fail-on never none.md

# --- Which rules run.
check "all rules: verified" "$FPREPORT" verify globex/tiny_llama
says "is verified" 'globex/tiny_llama: verified'
says "by these rules" 'by fpreport 0.'
check "with --only nothing is verified" "$FPREPORT" verify --only FP2,FP4001 globex/tiny_llama
says "it is unverified" 'globex/tiny_llama: unverified'
says "and says why" 'the rest was not looked at, so'
check_exit 1 "an error of the chosen rules still fails" "$FPREPORT" verify --only FP2003 acme/toy
"$FPREPORT" verify --only FP2003,FP1 --format json acme/toy >only.json 2>/dev/null
jq_says "only these are there, and the document says so" '.only == "FP2003,FP1" and ([.runs[].checks[].rule] | unique | all(test("^FP(2003|1...)$")))' only.json
"$FPREPORT" verify --only FP1,FP2,FP3,FP4,FP5,FP6 --format json globex/tiny_llama >only.json 2>/dev/null
jq_says "all families leave nothing out" '(has("only") | not) and .runs[0].state == "verified"' only.json
check_exit 2 "an unknown rule" "$FPREPORT" verify --only FP2003,FP2093 acme/toy
says "is suggested" "did you mean 'FP20"
for bad in '' FP fp2003 FP2003, ,FP1 FP20030 'FP2*' XX; do
    check_exit 2 "--only '$bad' is usage" "$FPREPORT" verify --only "$bad" acme/toy
done
check "rule sets are listed" "$FPREPORT" verify --rules list
says "with the current one" '(current)'
check "80 columns" sh -c '! "$1" verify --rules list | grep -q ".\{81\}"' sh "$FPREPORT"
"$FPREPORT" verify --rules 2026.1 --format json >set1.json 2>/dev/null
"$FPREPORT" verify --format json >set2.json 2>/dev/null
jq_says "an older set is named" '.rules == "2026.1"' set1.json
"$FPREPORT" verify --rules list >sets
new=$(sed -n 's/^  new *\(FP[0-9]*\) .*/\1/p' sets | sort)
ran() { jq -r '[.runs[].checks[].rule] | unique[]' "$1" | sort; }
ran set1.json >ran1; echo "$new" >new.txt
check "no rule of a later set runs in it" test -z "$(comm -12 ran1 new.txt)"
check_exit 2 "an unknown set" "$FPREPORT" verify --rules 2025.9
says "says which there are" 'expected 2026.1, 2026.2'

# --- The table.
"$FPREPORT" verify acme globex page.md -- -odd.md >table.txt 2>/dev/null
check "a table of several results, each line of 80 columns or less" sh -c 'sed -n "/^result  /,\$p" "$1" | grep -q "^globex/tiny_llama  *verified  *3/3" && ! sed -n "/^result  /,\$p" "$1" | grep -q ".\{81\}"' sh table.txt
check "none for one" sh -c '! "$1" verify globex/tiny_llama | grep -q "^result  "' sh "$FPREPORT"
check "nor with -q" sh -c '! "$1" verify -q acme globex 2>/dev/null | grep -q "^result  "' sh "$FPREPORT"

# --- Which verdicts changed.
cp set2.json old.json
check "the same: exit 0" "$FPREPORT" diff old.json set2.json
says "nothing changed" '0 changed, 0 new, 0 gone; 0 for the worse'
"$FPREPORT" verify --format json acme nowhere.md >lost.json 2>/dev/null
jq_says "a document without all verdicts says so" '.incomplete and (.runs | length > 0)' lost.json
check_exit 3 "nothing is compared with it" "$FPREPORT" diff lost.json lost.json
says "nor is it the same" 'lost.json: the document is marked as incomplete'
jq_says "one with all does not" 'has("incomplete") | not' old.json
jq '.runs = []' old.json >none.json
check_exit 3 "two without any verdict are not the same" "$FPREPORT" diff none.json none.json
check_exit 1 "what is gone is worse" "$FPREPORT" diff old.json none.json
check "the folder of the results is all of them" test "$("$FPREPORT" verify --format json records/results | jq '.runs | length')" \
    -eq "$("$FPREPORT" verify --format json | jq '.runs | length')"
ids() { "$FPREPORT" verify --format json "$1" | jq -c '[.runs[].id]'; }
check "that of a vendor those of the vendor" test "$(ids acme)" = "$(ids records/results/acme/)"
change() { # EXIT DESCRIPTION JQ: old.json against itself changed so
    jq "$3" old.json >new.json
    "$FPREPORT" diff --format json old.json new.json >diff.json 2>err.txt; got=$?
    if [ $got -eq "$1" ] && [ "$(jq -r .schema diff.json)" = fpreport.verify-diff/1 ]; then ok "$2"; else
        not_ok "$2"; echo "# exit $got"; head -c 800 diff.json | sed 's/^/# /'; sed 's/^/# /' err.txt
    fi
}
change 1 "a lower state is worse" '.runs[2].state = "partial"'
jq_says "and said" '.runs[0] | .old == "verified" and .new == "partial" and .worse' diff.json
change 0 "a better one is not" '.runs[1].state = "verified"'
change 1 "a new error, another stated value" '.runs[2] |= (.metrics[0].stated = "1" | .findings += [{"rule": "FP2002", "severity": "error", "message": "m", "table": .metrics[0].table, "row": .metrics[0].row}])'
jq_says "is explained" '.runs[0].findings[0] | .change == "new" and .why == ["stated"]' diff.json
change 0 "a new notice is not worse" '.runs[2].findings += [{"rule": "FP1005", "severity": "notice", "message": "m"}]'
jq_says "where nothing tells why, the records or the page changed" '.runs[0].why == ["records"]' diff.json
change 1 "a new rule" '.rules = "2999.1" | .runs[2].findings += [{"rule": "FP9999", "severity": "warning", "message": "m"}]'
jq_says "of a set that is not known here" '.runs[0].why == ["rule-set"]' diff.json
change 1 "other evidence" '.runs[2] |= (.evidence[0].sha256 = "0" | .metrics[0] |= (.recomputed = "7" | .ok = false))'
jq_says "explains another recomputed value" '.runs[0].metrics[0].why == ["evidence"]' diff.json
change 1 "another recomputed value" '.runs[2].metrics[0] |= (.recomputed = "7" | .ok = false)'
jq_says "of the same evidence" '.runs[0].metrics[0].why == ["recomputed"]' diff.json
change 0 "another tool" '.tool = "9.9" | .runs[1].findings = []'
jq_says "explains what nothing else does" '.runs[0].why == ["tool"] and all(.runs[0].findings[]; .change == "gone")' diff.json
change 1 "a result that is gone" 'del(.runs[2])'
change 0 "a new one" '.runs += [{"id": "x/y", "state": "failed", "metrics": [], "findings": [], "evidence": []}]'
change 0 "lines do not count" '.runs[].findings[].line = 1 | .runs |= reverse'
jq_says "nor does the order" '.summary.same == 3 and .runs == []' diff.json
"$FPREPORT" verify --only FP3 --format json >only.json 2>/dev/null
check "what --only left out is not worse" "$FPREPORT" diff old.json only.json
says "it is said" 'left the rule out'
check "80 columns" sh -c '! "$1" diff old.json only.json | sed 1,2d | grep -v "^[^ ]*: " | grep -q ".\{81\}"' sh "$FPREPORT"
"$FPREPORT" diff old.json only.json >d1 2>&1; (export LC_ALL=C TZ=Asia/Tokyo; "$FPREPORT" diff old.json only.json >d2 2>&1)
check "the same bytes twice" cmp d1 d2
jq -S . old.json >sorted.json
check "keys in any order" "$FPREPORT" diff old.json sorted.json
jq '.more = 1 | .runs[].more = {"a": [1]}' old.json >more.json
check "keys that a later version added" "$FPREPORT" diff old.json more.json

# Documents come from anyone.
refused() { # DESCRIPTION TEXT: broken.json is refused, with this
    check_exit 3 "$1" "$FPREPORT" diff old.json broken.json
    says "$1: place and reason" "$2"
}
broken() { jq -c "$2" old.json >broken.json; refused "$1" "$3"; }
broken "runs that are no list" '.runs = {}' 'found an object, expected an array of objects'
broken "a run without an id" 'del(.runs[0].id)' 'found no key "id", expected it in every run'
broken "an unknown state" '.runs[0].state = "fine"' 'found "fine", expected one of "verified"'
broken "an unknown severity" '.runs[1].findings[0].severity = 3' 'found a number, expected a string'
broken "a figure that is a number" '.runs[2].metrics[0].stated = 3' 'found a number, expected a string'
broken "a row that is no whole number" '.runs[2].metrics[0].row = 1.5' 'expected a whole number'
broken "a row beyond all" '.runs[2].metrics[0].row = 1e300' 'expected 0 to 2147483647'
broken "a run that is none" '.runs[0] = null' 'found null, expected an object'
broken "more evidence than a result can have" '.runs[0].evidence = [range(101) | {table: 1, row: 1, sha256: "a"}]' 'found 101 items, expected at most 100'
head -c 500 old.json >broken.json; refused "a document that was cut" 'broken.json:'
sed 's/"tool"/"tool": 1, "tool"/' old.json >broken.json; refused "a key twice" 'found key "tool" again'
check_exit 2 "a document and something else" "$FPREPORT" diff old.json page.md
check_exit 2 "the alignment rule has no place there" "$FPREPORT" diff --limit 2 old.json old.json
jq -c '.runs[1].id = "\u001b[31m\u202eevil" | .runs[1].state = "verified" | .runs[1].findings[0].message = "\u001b]0;x"' old.json >evil.json
"$FPREPORT" diff old.json evil.json >evil.txt 2>&1
check "hidden characters do not reach the terminal" sh -c '! LC_ALL=C grep -q "$(printf "\033")" evil.txt && grep -q evil evil.txt'
"$python" -c '
import json
run = lambda i, k: {"id": "v/%d" % i, "state": "failed", "metrics": [], "evidence": [], "findings": [{"rule": "FP2003", "severity": "error", "message": "m", "table": 1, "row": r} for r in range(k)]}
for name, k in (("big1", 4), ("big2", 5)):
    json.dump({"schema": "fpreport.verify/1", "tool": "0", "rules": "0", "runs": [run(i, k) for i in range(5000)] + [run(0, 50000)]}, open(name + ".json", "w"))'
check_exit 1 "five thousand results, and one of 50,000 findings, end soon" within 4 "$PLAIN_PROGRAM" diff big1.json big2.json
head -c 70000000 /dev/zero | tr '\0' ' ' >huge.json; echo '{"schema": "fpreport.verify/1"}' >>huge.json
"$FPREPORT" diff huge.json old.json >.out 2>&1; code=$?
check "one of 70 MB is refused" test $code -ge 2

# --- The commands of docs/VERIFYING.md, in a copy of the project; "exit N" in a comment, else 0.
mkdir -p project/build && cp -R "$top/records" "$top/templates" "$top/tests" project/ && cp "$FPREPORT" project/fpreport
awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$top/docs/VERIFYING.md" >commands
while IFS= read -r line; do
    want=$(printf '%s\n' "$line" | sed -n 's/.*#.*exit \([0-9]\).*/\1/p')
    check_exit "${want:-0}" "VERIFYING: ${line%%  *}" sh -c "cd project && $line"
done <commands
check "some commands" test "$(wc -l <commands)" -gt 10
run=$(sed -n 's/^- run: //p' "$top/docs/VERIFYING.md")
check "the step of the workflow" sh -c "cd project && $run"
check "whose file is valid" sh -c 'cd project && "$1" "$2" sarif verify.sarif' sh "$python" "$look"
for f in $("$FPREPORT" verify --help | sed -n 's/.*--format FORM *output format: //p' | sed 's/,//g; s/ or / /'); do
    check "VERIFYING tells of $f" grep -q "^| \`$f\` |" "$top/docs/VERIFYING.md"
done
plan_done
