#!/bin/sh
# `fpreport fingerprint`: text, JSON, and the comparison of two machines.
. "$(dirname "$0")/../lib.sh"
. "$top/tests/golden/train/lib.sh"
is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; echo "# found $2, expected $3"; fi; }

check "text" "$FPREPORT" fingerprint -o a.txt
"$FPREPORT" fingerprint >b.txt; check_same "twice the same" a.txt b.txt
is "no line is longer than a terminal" "$(awk 'length($0) > 80' a.txt)" ""
is "what goes on below begins below" "$(grep -cvE '^([A-Za-z]|SHA-256| {25}[^ ])' a.txt)" 0
grep -q "^Kernel  *$(uname -r)$" a.txt && ok "the kernel is uname's" || not_ok "the kernel is uname's"
if [ -d /sys/devices/system/cpu ]; then
    grep -q "^CPU threads  *$(nproc --all)$" a.txt && ok "the threads are nproc's" || not_ok "the threads are nproc's"
else
    skip "no /sys here"
fi
grep -q "^SHA-256 of the case  *(no case was given)$" a.txt && ok "what is not known says why" ||
    not_ok "what is not known says why"

"$FPREPORT" fingerprint --format json >a.json; "$FPREPORT" fingerprint --format json -o b.json
check_same "JSON twice the same" a.json b.json
check "every fact has a value or a reason, never both" jq -e \
    '.schema == "fpreport.fingerprint/1" and (.facts | length > 25) and
     all(.facts[]; (.value == null) != (.unknown == null) and ((.value // .unknown) | length > 0))' a.json

check_exit 0 "no difference to oneself" "$FPREPORT" fingerprint --diff a.json a.json
is "and nothing to say" "$("$FPREPORT" fingerprint --diff a.json b.json)" ""
jq '(.facts[] | select(.key == "kernel")).value = "9.9"' a.json >c.json
check_exit 1 "another kernel" "$FPREPORT" fingerprint --diff a.json c.json
is "is shown as two lines" "$("$FPREPORT" fingerprint --diff a.json c.json | tr -s ' ' | tr '\n' '|')" \
    "- Kernel $(uname -r)|+ Kernel 9.9|"
"$FPREPORT" fingerprint --diff --format json a.json c.json >diff.json
is "and as JSON" "$(jq -c '[.schema, (.changes[] | .key, .a, .b)]' diff.json)" \
    "[\"fpreport.fingerprint-diff/1\",\"kernel\",\"$(uname -r)\",\"9.9\"]"

"$FPREPORT" fingerprint --measure --format json >m.json
check "rates are measured" jq -e '.measured | .device == "cpu" and .ranks == 1 and
    ([.figures[] | .key] == ["gemm_fp32", "memory_copy", "memory_update"]) and
    all(.figures[]; .min > 0 and .min <= .median and .median <= .max and .repetitions == 10)' m.json
check "beside the same facts" jq -e --slurpfile a a.json '.facts == $a[0].facts' m.json
jq '.measured.figures[].max *= 2 | .measured.figures[].median *= 1.5' m.json >n.json
check_exit 0 "other rates are no other machine" "$FPREPORT" fingerprint --diff m.json n.json
is "but they are shown" "$("$FPREPORT" fingerprint --diff m.json n.json | grep -c '(+50.0 %)$')" 3
is "in JSON, too" "$("$FPREPORT" fingerprint --diff --format json m.json n.json |
    jq -c '.measured | length, all(.[]; (.b / .a - 1.5) | fabs < 1e-9)' | tr '\n' ' ')" "3 true "
check_exit 0 "a machine that was not measured is no other one" "$FPREPORT" fingerprint --diff a.json m.json
"$FPREPORT" fingerprint --measure >m.txt
is "no line of them is too long" "$(awk 'length($0) > 80 && !/^Measured here/' m.txt)" ""
is "and all are there" "$(grep -c '^M.* \(TFLOP\|GB\)/s (' m.txt)" 3
jq '.measured.figures[0].min = 1e9' m.json >bad.json
check_exit 3 "rates that cannot be" "$FPREPORT" fingerprint --diff m.json bad.json
check_exit 2 "--measure is for this machine" "$FPREPORT" fingerprint --diff --measure m.json n.json
check_exit 2 "--device without --measure" "$FPREPORT" fingerprint --device cpu

train mini --measure
check "a run that was measured says so" jq -e '.measured.figures | length == 3' result/run*/*/*/*/fingerprint.json
check_exit 2 "measured or not" "$FPREPORT" train --records rec mini --measure --no-measure
check_exit 2 "a command is not measured" "$FPREPORT" train --records rec mini --measure -- true
train mini; cp -R result A; train npy; cp -R result B
"$FPREPORT" fingerprint --diff A/run* B/run* >diff.txt; code=$?
is "two runs of two cases differ" "$code" 1
is "in the case and its data, and in nothing else" "$(sed 's/ of the / /; s/  .*//' diff.txt | tr '\n' '|')" \
    "- SHA-256 case|+ SHA-256 case|- SHA-256 data|+ SHA-256 data|"
grep -q "SHA-256 of the case  *$(sha256sum <rec/cases/mini.json | cut -c1-64)" diff.txt &&
    ok "the case's hash is sha256sum's" || not_ok "the case's hash is sha256sum's"
grep -q "^+ SHA-256 of the data  *(the case names no SHA-256 of its data)$" diff.txt &&
    ok "data that the case does not pin" || not_ok "data that the case does not pin"

check_exit 2 "--diff needs two" "$FPREPORT" fingerprint --diff a.json
check_exit 2 "an argument without --diff" "$FPREPORT" fingerprint a.json
check_exit 3 "a file that is not there" "$FPREPORT" fingerprint --diff a.json none.json
echo '{' >broken.json; check_exit 3 "a file that is not JSON" "$FPREPORT" fingerprint --diff a.json broken.json
mkdir empty; check_exit 3 "a folder without one" "$FPREPORT" fingerprint --diff a.json empty
check_exit 4 "an output that cannot be written" "$FPREPORT" fingerprint -o /proc/none/x
if [ -c /dev/full ]; then
    check_exit 4 "a full disk" sh -c '"$1" fingerprint >/dev/full' - "$FPREPORT"
else
    skip "no /dev/full here"
fi
plan_done
