#!/bin/sh
# What the rules about challenges (FP6001 to FP6004) say, to the byte. Of tests/golden/challenge, each folder of
# input holds an answer to challenge.json, and the folder of that name in expected what `fpreport verify`
# prints about it, and its exit code. Nothing is trained: the first steps are those of organiser.tar.zst.
# UPDATE=1 writes what is expected anew, to be read.
. "$(dirname "$0")/../../lib.sh"
golden=$top/tests/golden/challenge
cd "$tmp" || exit 1
mkdir organiser found && tar -x --zstd -f "$golden/organiser.tar.zst" -C organiser
cp "$golden/challenge.json" .
for name in $(ls "$golden/input"); do
    mkdir "found/$name" && cp "$golden/input/$name/submission.tar.zst" .
    "$FPREPORT" verify --records "$golden/records" --only FP6 -v --challenge challenge.json --against organiser \
        submission.tar.zst >out 2>&1
    echo $? >"found/$name/exit"
    sed '/^by fpreport /,$d' out >"found/$name/verify.txt" # versions and how many rules there are
done
[ -z "${UPDATE:-}" ] || { rm -rf "$golden/expected" && cp -R found "$golden/expected"; }
for name in $(ls "$golden/input"); do
    check "$name" diff -ru "$golden/expected/$name" "found/$name"
done
check "nothing is expected of what is not there" test "$(ls "$golden/expected")" = "$(ls "$golden/input")"
for rule in FP6001 FP6002 FP6003 FP6004; do
    for outcome in PASS CANNOT '(error|notice)'; do
        [ "$rule $outcome" != "FP6001 CANNOT" ] || continue
        check "some input has $rule as $outcome" sh -c 'cat found/*/verify.txt | grep -qE ": $1: .*\[$2\]"' - "$outcome" $rule
    done
done

# Held to the case's reference, which was trained with the case's seed, an answer fails: the message says what compares it.
cp -R "$golden/records" records && mkdir records/references
{ echo step,loss; seq 220 | sed 's/$/,9.5/'; } >records/references/other.csv
jq '.alignment = {from_step: 21, max_mean_rel_error: 0.02, reference: "references/other.csv"}' "$golden/records/cases/long.json" >records/cases/long.json
hinted() { cp "$golden/input/$1/submission.tar.zst" . && "$FPREPORT" verify --records records --only FP2001 submission.tar.zst >said 2>&1; }
check_exit 1 "an answer that is held to the case's reference" hinted not_signed
check "is told of --challenge" grep -q 'answers a challenge and .*fpreport verify --challenge FILE.*\[FP2001\]' said
hinted answers_none
check "one that answers none is not" sh -c 'grep -q "\[FP2001\]" said && ! grep -q -- --challenge said'
plan_done
