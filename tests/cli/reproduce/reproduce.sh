#!/bin/sh
# fpreport reproduce: a case run again, compared with its result and recorded; and what verify and
# the site say of such a record when it, its archive or its result is not what it was.
. "$(dirname "$0")/../../lib.sh"
golden=$top/tests/golden/build/records
fake="python3 $top/tests/cli/reproduce/fake_train.py"
ln -s "$top/templates" "$tmp/templates"
cd "$tmp" || exit 1
dir=records/reproductions/globex/tiny_llama

is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; echo "# found $2, expected $3"; fi; }
has() { if grep -qE -- "$2" "$3"; then ok "$1"; else not_ok "$1"; sed 's/^/# /' "$3" | head -n 20; fi; }
field() { jq -r "$1" $dir/*.json; }
again() { rm -rf records && cp -R kept records; }
# finds RULE STATE EXIT DESCRIPTION: verify does, and the state of the vendor's claims is its own
finds() {
    "$FPREPORT" verify --format json "${5:-globex/tiny_llama}" >out.json 2>err; code=$?
    if [ $code -eq "$3" ] && [ "$(jq -r '.runs[0].state' out.json)" = "$2" ] &&
        jq -e --arg r "$1" '.runs[0].findings | map(.rule) | index($r) != null' out.json >/dev/null; then ok "$4: $1"; else
        not_ok "$4: $1"; echo "# exit $code, state $(jq -r '.runs[0].state' out.json)"
        jq -r '.runs[0].findings[] | "# \(.rule) \(.message)"' out.json; sed 's/^/# /' err
    fi
}

# --- The native trainer.
cp -R "$golden" records && rm -rf records/results/acme
"$FPREPORT" reproduce globex/tiny_llama --by "A. Reader" >said 2>err
is "a native case is reproduced" $? 0
has "and says so" '^globex/tiny_llama: reproduced$' said
has "stated, recomputed and reproduced in one line" '^  loss +0\.9077 +0\.9077 +0\.90[0-9]+ +[01]\.[0-9]+ +agrees' said
has "the curve's rule is named" 'loss curve: (all 250 losses are bit-identical|loss aligned with the evidence)' said
is "80 columns" "$(grep -vE '^ *[^ ]+$' said | awk 'length > 80' | wc -l)" 0
is "the archive is named by its sum" "$(sha256sum <"$(echo $dir/*.tar.zst)" | cut -c1-64)" "$(field .sha256)"
is "it is small" "$(find $dir -size +200k)" ""
is "the record is what the result says" "$(field '"\(.vendor)/\(.case) \(.table).\(.row) \(.by) \(.outcome)"')" \
    "globex/tiny_llama 1.1 A. Reader reproduced"
is "its date is that of its run" "$(field .date)" "$(jq -r '.finished[:10]' result/run*/run.json)"
# An independent comparison of the two logs.
losses() { sed -n 's/^\[PerfLog\] //p' "$1" | jq -c 'select(.event == "STEP_END") | [.value.step // .value.global_step // 0, .value.loss]'; }
mkdir old && tar -C old --zstd -xf records/evidence/globex/run.tar.zst
losses "$(find old -name rank0.out.log)" >a; losses "$(find result -name rank0.out.log)" >b
is "losses compared by jq: as many are equal" "$(paste a b | awk '$1 == $2' | wc -l)" "$(field .loss.identical)"
is "and as many steps" "$(wc -l <a)" "$(field .loss.steps)"
cp -R records kept

"$FPREPORT" verify globex/tiny_llama >said 2>&1
is "verify accepts it" $? 0
has "three columns" 'stated +recomputed +reproduced' said
has "by whom and where" 'row 1\.1 reproduced by A\. Reader on ' said
has "beside the state" '^    3 of 3 stated figures recomputed from evidence; reproduced\)$' said
"$FPREPORT" verify --format json globex/tiny_llama >out.json
is "JSON: each figure" "$(jq '[.runs[0].metrics[] | select(.reproduced != null)] | length' out.json)" 3
is "JSON: by whom" "$(jq -r '.runs[0].metrics[1] | "\(.reproduced_by) \(.reproduced_outcome)"' out.json)" "A. Reader agrees"
is "JSON: the result" "$(jq '.runs[0].reproduced' out.json)" true
"$FPREPORT" build -o site >/dev/null 2>&1
page=site/en/result/globex/tiny_llama/index.html
has "the site has a mark" 'state again.*reproduced</a>' $page
has "a column" '<th scope="col" class="number" data-key="reproduced">Reproduced</th>' $page
has "and the list has it" 'class="again">reproduced' site/en/index.html
is "its archive is published" "$(find site/reproductions -name '*.tar.zst' | wc -l)" 1
has "the Chinese page has the column" '复现' site/pages/globex/tiny_llama/README.md
has "the English page, too" '\| Recomputed \| Reproduced \|' site/pages/globex/tiny_llama/README.en.md

# --- What verify says when something was changed.
sed -i 's/"measured": "0.9/"measured": "0.8/' $dir/*.json; finds FP5004 verified 1 "another figure in the record"
again; sed -i '0,/"ratio": [0-9.]*/s//"ratio": 1.5/' $dir/*.json; finds FP5004 verified 1 "another ratio"
again; sed -i '0,/"identical": [0-9]*/s//"identical": 249/' $dir/*.json; finds FP5004 verified 1 "another count of losses"
again; sed -i 's/"outcome": "reproduced"/"outcome": "not_reproduced"/' $dir/*.json; finds FP5004 verified 1 "another outcome"
again; sed -i 's/"date": "20../"date": "2019/' $dir/*.json; finds FP5004 verified 1 "another date"
again; sed -i 's/"row": 1,/"row": 7,/' $dir/*.json; finds FP5004 verified 1 "a row that is not there"
again; other_sum $dir/*.json; finds FP5001 verified 1 "another sum"
again; rm $dir/*.tar.zst; finds FP5001 verified 1 "no archive"
again; printf x | dd of="$(echo $dir/*.tar.zst)" bs=1 seek=2000 conv=notrunc 2>/dev/null; finds FP5001 verified 1 "one byte of it changed"
again; cp records/evidence/globex/run.tar.zst "$(echo $dir/*.tar.zst)"
sed -i "s/\"sha256\": \"[0-9a-f]*\"/\"sha256\": \"$(sha256sum <records/evidence/globex/run.tar.zst | cut -c1-64)\"/" $dir/*.json
finds FP5003 verified 1 "the evidence itself"
again; id=$(basename $dir/*.json .json)
sed "s/\"id\": \"$id\"/\"id\": \"$id-2\"/" "$dir/$id.json" >"$dir/$id-2.json"; finds FP5003 verified 1 "one run counted twice"
again; sed -i 's/0.9077/0.8077/' records/results/globex/*.json; finds FP5004 failed 1 "the result was changed behind it"
again; rm -r records/results/globex; "$FPREPORT" verify >out 2>&1; has "a record without its result" 'names result .*globex/tiny_llama' out
again; mv "$dir/$id.json" "$dir/other.json"; "$FPREPORT" verify >out 2>&1; is "a record under another name" $? 3

# --- Evidence that was replaced: no forgery, said by collect and by verify.
again; sed -i 's/"original_sha256": "......../"original_sha256": "00000000/' $dir/*.json; finds FP5006 verified 0 "the evidence was replaced"
is "which is no accusation" "$(jq -r '[.runs[0].findings[].rule] | index("FP5004")' out.json)" null
again; sed -i 's/"measured": "0.9/"measured": "0.8/' $dir/*.json; "$FPREPORT" verify globex/tiny_llama >said 2>&1
has "the state line separates" '^globex/tiny_llama: verified; a reproduction of it fails: 1 error$' said
has "and counts the errors of the result for themselves" '^    \(0 errors, 0 warnings, 0 notices;$' said
# README's order: reproduce, collect and verify in one folder.
again; mkdir mine && cp -R records/reproductions records/cases records/models records/accelerators mine/
own=$("$FPREPORT" -q train tiny_llama)
"$FPREPORT" collect "$own" --vendor globex -o mine >said 2>err
has "collect warns" '^warning: mine/reproductions/globex/tiny_llama/run.*\.json: this reproduction is of another submission' err
"$FPREPORT" verify --records mine globex/tiny_llama >said 2>&1; is "verify has no error" $? 0
has "and says what happened" 'warning: reproduction run[0-9]*: the evidence was replaced after the reproduction: it was SHA-256 [0-9a-f]{16}…, now it is SHA-256 [0-9a-f]{16}… \[FP5006\]' said
has "the state is that of the claims" '^globex/tiny_llama: verified \(0 errors' said
rm -r mine "$own"

reseal() { # FILE SED [as-is]: change the new run, sealed and stated again, in run.json unless as-is
    again; rm -rf run && mkdir run && tar -C run --zstd -xf "$(echo $dir/*.tar.zst)" && rm run/SHA256SUMS run/statement.json
    file=$(find run -name "$1"); before=$(sha256sum <"$file" | cut -c1-64)
    sed -i "$2" "$file"; rm $dir/*.tar.zst
    [ -n "${3:-}" ] || sed -i "s/$before/$(sha256sum <"$file" | cut -c1-64)/" run/run.json
    "$FPREPORT" collect -q --force run -o "$(echo $dir/*.json | sed 's/json$/tar.zst/')" >/dev/null 2>&1
    sed -i "s/^  \"sha256\": \"[0-9a-f]*\"/  \"sha256\": \"$(sha256sum <"$(echo $dir/*.tar.zst)" | cut -c1-64)\"/" $dir/*.json
}
reseal rank0.out.log '100s/"loss": [0-9]\.[0-9]/"loss": 9.9/'; finds FP5004 verified 1 "another loss in its log"
reseal rank0.out.log '100s/"loss": [0-9]\.[0-9]/"loss": 9.9/' as-is; finds FP5001 verified 1 "the same, but for run.json"
reseal case.json 's/"seed": [0-9]*/"seed": 99/'; finds FP5002 verified 1 "another seed in its case"
reseal rank0.out.log '150,160d'; finds FP5002 verified 1 "steps left out"
reseal rank0.out.log '/STEP_END/{/"global_steps": 1,/!s/"loss": [0-9]/&9/}'; finds FP5005 verified 1 "other losses: it does not agree"

# --- A command as the case.
again; rm -rf records/reproductions result
cat >records/cases/cmd.json <<'E'
{
  "schema": "fpreport.case/1",
  "id": "cmd",
  "title": "a command",
  "model": "toy",
  "trainer": "command",
  "data": {"kind": "external", "name": "toy text"},
  "sequence_length": 2048,
  "micro_batch": 16,
  "steps": 60,
  "precision": "bf16",
  "report": {"warmup_steps": 10, "throughput": "mean"}
}
E
"$FPREPORT" train -q cmd -- $fake megatron 60 16 1 >/dev/null && rm -rf records/results/acme
"$FPREPORT" collect -q result/run* --vendor acme -o records >/dev/null && rm -r result
"$FPREPORT" reproduce acme/cmd >out 2>&1; is "a command has to be given" $? 2
has "the one of the evidence is shown, not run" 'the vendor.s run used this command: python3 .*fake_train.py megatron 60 16 1$' out
is "and nothing was" "$(ls -d result 2>/dev/null)" ""
"$FPREPORT" reproduce acme/cmd -q -- $fake megatron 60 16 2 21 >out 2>&1
is "other noise: reproduced" $? 0
is "by the alignment rule" "$(jq -r '"\(.loss.rule) \(.loss.agrees)"' records/reproductions/acme/cmd/*.json)" "alignment true"
is "named, when nobody says a name" "$(jq -r .by records/reproductions/acme/cmd/*.json)" unnamed
"$FPREPORT" verify --format json acme/cmd >out.json 2>err
is "which verify accepts" "$(jq -r '"\(.runs[0].state) \(.runs[0].reproduced)"' out.json)" "verified true"
rm -rf records/reproductions
"$FPREPORT" reproduce acme/cmd -q -- $fake megatron 60 16 3 20 0.3 >out 2>&1; is "another curve: exit 1" $? 1
has "recorded all the same" '"outcome": "not_reproduced"' records/reproductions/acme/cmd/*.json
finds FP5005 verified 0 "a warning for the result" acme/cmd
rm -rf records/reproductions
if [ -c /dev/full ]; then
    "$FPREPORT" reproduce acme/cmd -- $fake megatron 60 16 7 >/dev/full 2>out; is "a full disk behind stdout: exit 4" $? 4
    has "nothing was recorded, and that is said" '^no record was written; the new run is in result/run' out
    is "the run is complete" "$(jq -r .state "$(sed -n 's/^no record was written; the new run is in //p' out)/run.json")" complete
else
    skip "no /dev/full here"
fi
"$FPREPORT" reproduce acme/cmd -q -- $fake megatron 60 16 1 >out 2>&1; is "the same log again: exit 3" $? 3
has "it is no second run" 'the reproduction is not a second run' out

# --- What fails leaves no record.
none() { is "$1: no record" "$(find records/reproductions -type f 2>/dev/null)" ""; }
"$FPREPORT" reproduce acme/cmd -- sh -c 'exit 7' >out 2>&1; is "a command that fails: exit 3" $? 3; none "failed"
has "the reason and the run are named" 'no record was written; the new run is in result/run' out
"$FPREPORT" reproduce acme/cmd -- no-such-command-of-ours >out 2>&1; is "a command that is not there: exit 3" $? 3; none "absent"
"$FPREPORT" reproduce acme/cmd -- $fake megatron 30 16 4 >out 2>&1; is "half the steps: exit 3" $? 3; none "half"
has "it says what is missing" 'the last step is 30, but the case has 60 steps' out
"$FPREPORT" reproduce acme/cmd -- echo hello >out 2>&1; is "no log: exit 3" $? 3; none "no log"
"$FPREPORT" reproduce acme/cmd -o new -- echo hello >out 2>&1; is "no log, into a new folder: exit 3" $? 3
named=$(sed -n 's/^\([^ ]*rank0.out.log\)[:0-9]*: error: .*/\1/p' out | head -n 1)
is "the file that is named is there" "$(test -s "$named" && echo yes)" yes
is "no empty folders are left" "$(ls -d new 2>/dev/null)" ""
mkdir new; "$FPREPORT" reproduce acme/cmd -o new -- echo hello >out 2>&1
is "but the one that was there" "$(find new)" new; rmdir new
# SIGINT would be ignored by a shell's background job.
"$FPREPORT" reproduce acme/cmd -- sh -c 'kill -TERM $PPID; exec sleep 300' >out 2>&1; is "interrupted: exit 143, as train" $? 143; none "interrupted"
"$FPREPORT" reproduce globex/tiny_llama -- sh -c 'kill -KILL $PPID; exec sleep 300' >out 2>&1; none "killed"
rm -rf records/reproductions && mkdir records/reproductions && : >records/reproductions/acme
"$FPREPORT" reproduce acme/cmd -- $fake megatron 60 16 5 >out 2>&1; is "no place for the record: exit 4" $? 4
is "nothing else was written" "$(find records/reproductions -type f)" records/reproductions/acme
rm -r records/reproductions
(ulimit -f 1; exec "$FPREPORT" reproduce acme/cmd -- $fake megatron 60 16 6 >out 2>&1); is "a full disk: exit 3 or 4" "$(case $? in 3 | 4) echo yes ;; esac)" yes; none "full"

mv records/models/tiny_llama.json .; "$FPREPORT" reproduce globex/tiny_llama >out 2>&1; is "no model: exit 3" $? 3
has "which one" 'found model "tiny_llama", expected one with a record' out; mv tiny_llama.json records/models/
mv records/cases/cmd.json .; "$FPREPORT" reproduce acme/cmd -- true >out 2>&1; is "no case: exit 3" $? 3
has "which one, too" "found no case 'cmd' in" out; mv cmd.json records/cases/
check_exit 2 "an unknown result" "$FPREPORT" reproduce acme/nothing
check_exit 2 "an unknown row" "$FPREPORT" reproduce acme/cmd 3.1
check_exit 2 "no row at all" "$FPREPORT" reproduce acme/cmd x
check_exit 2 "nothing behind --" "$FPREPORT" reproduce acme/cmd --
check_exit 2 "-o -" "$FPREPORT" reproduce acme/cmd -o - -- true
none "usage"
plan_done
