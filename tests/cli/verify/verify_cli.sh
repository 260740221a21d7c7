#!/bin/sh
# fpreport verify as a command: what it takes, what it prints, how it ends.
. "$(dirname "$0")/../../lib.sh"
ln -s "$top/templates" "$tmp/templates"
cd "$tmp" || exit 1
cp -R "$top/tests/golden/build/records" records
page=$top/tests/golden/pages/plain.md

says() { # DESCRIPTION TEXT: what the last check_exit printed holds the text
    if grep -qF -- "$2" "$tmp/.out"; then ok "$1"; else
        not_ok "$1"; sed 's/^/# /' "$tmp/.out" | head -n 20
    fi
}
# json EXIT DESCRIPTION ARGUMENTS…: stdout alone is one document of the schema
cat >schema.jq <<'JQ'
def is($t): type == $t;
def opt($t): . == null or type == $t;
.schema == "fpreport.verify/1" and (.tool | is("string")) and (.rules | is("string")) and
(.runs | is("array")) and all(.runs[];
  (.id | is("string")) and (.file | is("string")) and
  (.state | IN("verified", "partial", "unverified", "failed", "withdrawn")) and
  all(.metrics[]; (.name | is("string")) and has("unit") and has("stated") and (.stated | opt("string")) and
    has("recomputed") and has("tolerance") and (.ok | opt("boolean"))) and
  all(.findings[]; (.rule | test("^FP[0-9]{4}$")) and (.severity | IN("error", "warning", "notice")) and
    (.file | is("string")) and has("line") and (.message | length > 0) and has("stated") and has("expected")))
JQ
json() {
    want=$1 what=$2; shift 2
    "$FPREPORT" verify --format json "$@" >doc.json 2>err.txt; got=$?
    if [ $got -eq "$want" ] && [ "$(jq -s length doc.json)" = 1 ] && [ "$(jq -f schema.jq doc.json)" = true ]; then
        ok "$what: one JSON document, exit $want"
    else
        not_ok "$what: one JSON document, exit $want"; echo "# exit $got"; head -c 600 doc.json | sed 's/^/# /'; sed 's/^/# /' err.txt | head -n 5
    fi
}
jq_says() { # DESCRIPTION FILTER: true for the last document
    if [ "$(jq "$2" doc.json)" = true ]; then ok "$1"; else not_ok "$1"; jq -c . doc.json | head -c 1500 | sed 's/^/# /'; echo; fi
}

# --- Records, by name, by file, all of them.
check "a verified one: exit 0" "$FPREPORT" verify globex/tiny_llama
check_exit 1 "a failed one: exit 1" "$FPREPORT" verify acme/toy
says "its finding has file, line and rule" 'records/results/acme/toy.json:61:95: error: MFU is stated as 90.0%'
says "and what was recomputed" 'stated 90.0%, recomputed 36.000% +/- 0.102%'
check_exit 1 "all: the worst" "$FPREPORT" verify
says "with a summary" '1 verified, 1 failed, 1 withdrawn'
check "a withdrawn one is no failure" "$FPREPORT" verify acme/old
check_exit 1 "a vendor" "$FPREPORT" verify acme
check "a record by its path" "$FPREPORT" verify records/results/globex/tiny_llama.json
check "from elsewhere, by its path" sh -c 'cd / && "$1" verify "$2"' - "$FPREPORT" "$tmp/records/results/globex/tiny_llama.json"
check "a submission" "$FPREPORT" verify records/evidence/globex/run.tar.zst
# Who gives another card the name of this one does not switch off what is asked of it.
echo '{"schema":"fpreport.accelerator/1","id":"acme-x","vendor":"acme","name":"Box X","aliases":["Box 8"]}' >records/accelerators/acme-x.json
check_exit 3 "a card whose name another record claims: exit 3" "$FPREPORT" verify acme/toy
says "it is judged by its card" 'stated 90.0%, recomputed 36.000% +/- 0.102%'
says "and the claim is an error, where it is made" 'records/accelerators/acme-x.json:1:92: error: found the alias "Box 8", which is the name of another card (records/accelerators/box8.json)'
rm records/accelerators/acme-x.json
check_exit 2 "no such result" "$FPREPORT" verify nobody/nothing
says "says what is expected" 'expected VENDOR/CASE'
mkdir empty
check_exit 3 "a folder without a run" "$FPREPORT" verify empty
says "the folder is named" 'empty: found no training log'

# --- JSON.
json 0 "verified" globex/tiny_llama
jq_says "figures have stated and recomputed" '.runs[0].metrics[] | select(.name == "loss") | .stated == "0.9077" and .ok and (.recomputed | startswith("0.9077"))'
jq_says "no findings of severity error" '[.runs[0].findings[] | select(.severity == "error")] == []'
json 1 "failed" acme/toy
jq_says "the finding" '.runs[0].findings | any(.rule == "FP2003" and .severity == "error" and .line == 61 and .stated == "90.0%" and (.file | endswith("toy.json")))'
jq_says "withheld and missing figures are not ok and not wrong" '[.runs[0].metrics[] | select(.row == 3)] | all(.ok == null)'
json 1 "all records"
jq_says "three runs in order" '[.runs[].id] == ["acme/old", "acme/toy", "globex/tiny_llama"]'
json 2 "nothing found" nobody/nothing
jq_says "is a document without runs" '.runs == []'
json 3 "a page that is not there" missing.md
json 3 "one good, one missing" globex/tiny_llama missing.md
jq_says "the good one is in it" '[.runs[].id] == ["globex/tiny_llama"]'
json 1 "with -v" -v acme/toy
check "-o writes the same document" sh -c '"$1" verify --format json acme/toy >a.json; "$1" verify --format json -o b.json acme/toy >c; cmp a.json b.json && ! [ -s c ]' - "$FPREPORT"
if [ -c /dev/full ]; then
    ln -s /dev/full full # a link, so that a fault here spares the device
    check_exit 4 "-o on a full disk" "$FPREPORT" verify -o full globex
    check "and the device is still there" test -c full
    check_exit 4 "stdout on a full disk" sh -c '"$1" verify globex >/dev/full' - "$FPREPORT"
else
    skip "no /dev/full here"
fi
check_exit 2 "an unknown format" "$FPREPORT" verify --format xml

# --- Pages.
mkdir -p pages/acme/toy && cp "$page" pages/acme/toy/README.md && cp "$page" odd.md && cp "$page" "with space.md" && cp "$page" ümlaut.md
json 0 "a page at vendor/case/README.md" pages/acme/toy/README.md
jq_says "has its id from the path" '.runs[0].id == "acme/toy" and .runs[0].state == "unverified"'
json 0 "several pages of any name" odd.md "with space.md" ./ümlaut.md
jq_says "are three runs" '.runs | length == 3'
json 0 "a page with --vendor and --case" --vendor acme --case toy odd.md
jq_says "is called so" '.runs[0].id == "acme/toy"'
check "-- ends the options" sh -c 'cp odd.md ./-odd.md && "$1" verify -- -odd.md' - "$FPREPORT"
check_exit 3 "a missing page" "$FPREPORT" verify missing.md
says "is named" 'missing.md'
mkdir dir.md && check_exit 3 "a folder that is called .md" "$FPREPORT" verify dir.md
says "is named, too" 'dir.md'
: >empty.md
"$FPREPORT" verify empty.md >said 2>&1; code=$?
check "an empty page is no crash and not verified" sh -c "[ $code -le 3 ] && ! grep -q ': verified' said"
head -c 100000 /dev/urandom >binary.md
check_exit 3 "a binary file" "$FPREPORT" verify binary.md
says "is named, and the place" 'binary.md:'
{ cat "$page"; yes '| a | b | c |' | head -c 10000000; } >long.md
"$FPREPORT" verify long.md >said 2>&1; code=$?
check "10 MB end in time, with a message" sh -c "[ $code -le 3 ] && [ -s said ]"
mkfifo pipe.md && check_exit 3 "a pipe" timeout 300 "$FPREPORT" verify pipe.md
printf '\033[31mred' >esc.md && "$FPREPORT" verify esc.md >said 2>&1
check "no control characters of others on the terminal" sh -c '! LC_ALL=C grep -q "$(printf "\033")" said'
json 1 "a tampered page" "$page" pages/acme/toy/README.md records/results/acme/toy.json

# --- How loud.
check "-q and agreement: findings of errors only" sh -c '"$1" -q verify globex >q.out 2>q.err && ! [ -s q.err ]' - "$FPREPORT"
"$FPREPORT" verify acme/toy >plain.txt 2>&1; "$FPREPORT" verify -v acme/toy >verbose.txt 2>&1
check "-v lists what passed" sh -c 'grep -q PASS: verbose.txt && ! grep -q PASS: plain.txt && [ $(wc -l <verbose.txt) -gt $(wc -l <plain.txt) ]'
# The summary table is made for 80 columns; findings and paths may be longer, but no line of it.
check "the table of figures fits 80 columns" sh -c 'grep -E "^    [a-z_]+ +" plain.txt | awk "length(\$0) > 80 { exit 1 }"'
check "no colour without a terminal" sh -c '! grep -q "$(printf "\033")" plain.txt'
check "the output does not depend on time zone, locale or folder" sh -c \
    'TZ=Asia/Tokyo LC_ALL=C "$1" verify acme/toy >t.txt 2>&1; cmp plain.txt t.txt' - "$FPREPORT"
plan_done
