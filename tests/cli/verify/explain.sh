#!/bin/sh
# fpreport explain: every rule has a page whose example is found by the checker as it is today, and
# every figure its derivation.
. "$(dirname "$0")/../../lib.sh"
cd "$top" || exit 1
export FPREPORT
example=templates/explain

# --- What the examples change is honest before.
"$FPREPORT" verify --records $example/records --vendor nvidia --case llama2_7b-megatron $example/page.md >"$tmp/page" 2>&1
check "the honest page has no finding" grep -q '(0 errors, 0 warnings, 0 notices;' "$tmp/page"
"$FPREPORT" verify --records $example/records >"$tmp/run" 2>&1
check "the honest submission is verified" grep -q '^globex/tiny_llama: verified (0 errors, 0 warnings, 0 notices;' "$tmp/run"

# --- Rules.
"$FPREPORT" explain >"$tmp/list"
sed -n 's/^ *RULE(fp\([0-9]*\)).*/FP\1/p' verifier/checks/list.c >"$tmp/ids"
grep -o '&mlperf_rule_fp[0-9]*' verifier/checks/mlperf/mlperf_rules.c | sed 's/.*fp/FP/' >>"$tmp/ids"
grep -o '^FP[0-9]*' "$tmp/list" >"$tmp/listed"
check_same "all rules are listed" "$tmp/ids" "$tmp/listed"
grep -ohE '^    \.id = "FP[0-9]*' verifier/checks/*/*.c verifier/checks/*/*/*.c | sed 's/.*"//' | sort >"$tmp/filed"
check_same "each rule is one file, and no other is there" "$tmp/ids" "$tmp/filed"
# Those of MLPerf's results show a finding of theirs; the others are made to speak.
grep -v '^FP7' "$tmp/ids" >"$tmp/made"
bad=0
while read -r rule; do
    "$FPREPORT" explain "$rule" >"$tmp/$rule" 2>&1; code=$?
    { [ $code -eq 0 ] && tr '\n' ' ' <"$tmp/$rule" | grep -q "gives .*\[$rule\]" &&
        grep -q '^Why$' "$tmp/$rule" && grep -q '^How it is computed$' "$tmp/$rule" &&
        grep -q '^How to fix it$' "$tmp/$rule" && grep -q '^  + ' "$tmp/$rule"; } ||
        { bad=$((bad + 1)); echo "# $rule: exit $code"; sed 's/^/# /' "$tmp/$rule"; }
    sev=$(sed -n "s/^$rule  \(.\{25\}\).*/\1/p" "$tmp/list" | sed 's/ *$//')
    found=$(sed -n '/^  gives$/,/\['"$rule"'\]/p' "$tmp/$rule" | tr '\n' ' ' | sed -n 's/.*: *\(error\|warning\|notice\): .*/\1/p')
    case $sev in *$found*) ;; *) bad=$((bad + 1)); echo "# $rule: $found, listed as $sev" ;; esac
    [ "$(grep '^  [-+] ' "$tmp/$rule" | cut -c3- | sed 's/^[-+] //' | sort -u | wc -l)" -eq "$(grep -c '^  [-+] ' "$tmp/$rule")" ] || { bad=$((bad + 1)); echo "# $rule: no change shown"; }
    head -n 1 "$tmp/$rule" | grep -q "($sev, rules" || { bad=$((bad + 1)); echo "# $rule: severity"; }
done <"$tmp/made"
check "the example of each of $(wc -l <"$tmp/made") rules is found" test $bad -eq 0
# A place in an archive is one word, which is not broken.
check "80 columns" sh -c '! grep -hE "^.{81,}" "$@" | grep -qE "[^ ] +[^ ]"' sh "$tmp"/FP????
# What is found in pages at hand has a severity that the list names.
find tests/golden tests/data "$shared/corpus" "$shared/seeds" -name '*.md' >"$tmp/pages" 2>/dev/null
# shellcheck disable=SC2046
{ "$FPREPORT" verify --format json $(cat "$tmp/pages"); "$FPREPORT" verify --format json; } 2>/dev/null |
    jq -r '.runs[].findings[] | "\(.rule) \(.severity)"' | sort -u >"$tmp/severities"
while read -r rule sev; do grep -q "^$rule .*$sev" "$tmp/list" || echo "$rule $sev"; done <"$tmp/severities" >"$tmp/unlisted"
check "severities of $(wc -l <"$tmp/severities") kinds of findings are listed" sh -c '[ ! -s "$1" ] && [ -s "$2" ]' sh "$tmp/unlisted" "$tmp/severities"
check "small letters will do" sh -c '"$FPREPORT" explain fp2003 | grep -q "^FP2003 MFU computed"'
check "the MFU example can be redone" sh -c '"$FPREPORT" explain FP2003 | tr -s "\n " " " | grep -q "6 \* 7e9 \* 3564 / 3.12e14 = 47.9769 %"'
if [ "$FPREPORT" = "$top/fpreport" ]; then
    check "wherever it is started" sh -c "cd / && \"\$FPREPORT\" explain FP4002 | grep -q FP4002"
else
    skip "the program lies elsewhere than its templates"
fi

# --- Figures.
records=tests/golden/build/records
"$FPREPORT" explain --records $records globex/tiny_llama token/p/s >"$tmp/out"
check "a figure from the log" grep -q '^  recomputed  17789\.[89]' "$tmp/out"
check "with its formula" grep -q '230 \* (4 \* 1 \* 1 \* 64) / 3.30975155899' "$tmp/out"
check "which gives that" sh -c 'python3 -c "assert abs(230*(4*1*1*64)/3.3097515589997784 - 17789.9) < 0.1"'
tr -s '\n ' ' ' <"$tmp/out" >"$tmp/flat"
check "with the row's line" grep -q "row, $records/results/globex/tiny_llama.json:[1-9]" "$tmp/flat"
check "and the log" grep -q 'the log, evidence/globex/run.tar.zst:.*rank0.out.log' "$tmp/flat"
check_same "by its key, too" "$tmp/out" /dev/stdin <<EOF
$("$FPREPORT" explain --records $records globex/tiny_llama token_per_s_per_card)
EOF
"$FPREPORT" explain nvidia/baichuan2_13b-deepspeed MFU >"$tmp/out"
check "a figure from the page, each row" test "$(grep -c '^mfu, row' "$tmp/out")" -ge 2
check "the verdict of verify" sh -c '[ "$(grep -c "verdict *PASS" '"$tmp/out"')" = "$("$FPREPORT" verify --format json nvidia/baichuan2_13b-deepspeed | jq "[.runs[0].metrics[] | select(.name == \"mfu\" and .ok)] | length")" ]'
tr -s '\n ' ' ' <"$tmp/out" >"$tmp/flat"
check "the peak's record and source" grep -qE 'peak, [^ ]*/accelerators/[a-z0-9-]*\.json:[1-9][0-9]*: .*datasheet' "$tmp/flat"
sed 's/"17789.9"/"27789.9"/' $records/results/globex/tiny_llama.json >"$tmp/r.json"
"$FPREPORT" explain --records $records "$tmp/r.json" token/p/s >"$tmp/out"
check "a record of its own, contradicted" grep -q '^  verdict     FAIL' "$tmp/out"
check "by its rule" grep -q 'FP2002\]' "$tmp/out"

sed "s/| 3564 | True | 37.1\/40.0 | 47.9% |/| 3564 | True | OOM | 0.416 |/; s/| OOM | \/ |/| — | — |/" tests/golden/verify/page.md >"$tmp/page.md"
for metric in mfu mem token/p/s; do "$FPREPORT" explain --records tests/golden/verify/records "$tmp/page.md" $metric; done 2>/dev/null |
    sed -n 's/^  stated  *//p' >"$tmp/out"
printf '%s\n' 0.416 53.0% — OOM '41.0/40.0 GiB' — '3564 token/p/s' '3564 token/p/s' 80.83.2 >"$tmp/expected"
check_same "a unit stands behind figures only, no % behind a ratio" "$tmp/expected" "$tmp/out"

# --- What is not there.
check_exit 2 "an unknown rule" "$FPREPORT" explain FP9999
check_exit 2 "an unknown metric" "$FPREPORT" explain nvidia/baichuan2_13b-deepspeed speed
check_exit 2 "an unknown result" "$FPREPORT" explain nobody/nothing mfu
echo '{' >"$tmp/bad.json"
check_exit 3 "a broken record" "$FPREPORT" explain "$tmp/bad.json" mfu
check_exit 2 "three arguments" "$FPREPORT" explain a b c
check "-o" sh -c '"$FPREPORT" explain -o '"$tmp"'/o FP1001 && grep -q ^FP1001 '"$tmp"'/o'
plan_done
