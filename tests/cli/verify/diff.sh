#!/bin/sh
# fpreport diff: the alignment rule on real and on broken curves, beside 60 digits.
. "$(dirname "$0")/../../lib.sh"
oracle=$top/tests/oracle/curve_stats.py
ln -s "$top/records" "$top/templates" "$tmp/"
cd "$tmp" || exit 1
export FPREPORT
diff_json() { "$FPREPORT" diff --format json "$@"; }

# curve NAME LINES: a CSV with the usual header
curve() { name=$1; shift; { echo step,loss,iteration_time_s; printf '%s\n' "$@"; } >"$name"; }
# says DESCRIPTION EXIT JQ RUN REFERENCE [OPTIONS]: exit and a fact of the JSON
says() {
    what=$1 want=$2 fact=$3; shift 3
    diff_json "$@" >out.json 2>err; got=$?
    if [ $got -eq "$want" ] && { [ -z "$fact" ] || jq -e "$fact" out.json >/dev/null; }; then ok "$what"; else
        not_ok "$what"; echo "# exit $got, expected $want; $fact"; cat err out.json | sed 's/^/# /' | head -n 60
    fi
}

# --- Real pairs, to all printed digits.
curves=$shared/corpus/curves
if [ -d "$curves" ]; then
    tail -n +2 "$curves/expected.tsv" | while read -r kase run ref steps mean max step; do
        name=$(echo "$kase" | tr / -)
        diff_json "$curves/$name.$run.csv" "$curves/$name.$ref.csv" >"$name.$run.$ref.json" 2>&1; code=$?
        got=$(jq -r '.alignment | [.steps, .mean_rel_error, .max_rel_error, .max_step, .aligned] | @tsv' "$name.$run.$ref.json" |
            awk -v c=$code '{printf "%d %.8f %.8f %d %s %d", $1, $2, $3, $4, $5, c}')
        want="$steps $mean $max $step $(awk -v m="$mean" 'BEGIN {print m < 0.02 ? "true 0" : "false 1"}')"
        [ "$got" = "$want" ] || echo "$name: $got, expected $want" >>wrong
        "$FPREPORT" diff "$curves/$name.$run.csv" "$curves/$name.$ref.csv" >pair.txt
        grep -q " $mean over $steps steps" pair.txt && grep -q "$max at step $step" pair.txt || echo "$name: text" >>wrong
        printf '%s\n' "$name.$run.$ref.json" "$curves/$name.$run.csv" "$curves/$name.$ref.csv" >>pairs
    done
    xargs python3 "$oracle" check <pairs >>wrong
    [ -s wrong ] && sed 's/^/# /' wrong
    check "all figures of $(($(wc -l <pairs) / 3)) real pairs" test -s pairs -a ! -s wrong
else
    skip "needs ../shared/corpus/curves"
fi

# --- Made pairs with everything that goes wrong, against 60 digits.
python3 "$oracle" try "$FPREPORT" 60 >tried; code=$?
sed '$d; s/^/# /' tried
n=$(tail -n 1 tried)
check "$n made pairs against 60 digits" test $code -eq 0 -a "$n" -gt 40

# --- The rule, by hand.
curve a 21,102 22,100 && curve b 21,100 22,100
says "mean of 2 % and 0 %" 0 '.alignment | .mean_rel_error == 0.01 and .max_step == 21 and .aligned' a b
curve a 21,102 && curve b 21,100
says "the limit is not below the limit" 1 '.alignment.mean_rel_error == 0.02' a b
says "--limit 2.5" 0 '.alignment.limit == 0.025' a b --limit 2.5
says "--limit '1 %'" 1 '.alignment.limit == 0.01' a b --limit '1 %'
curve a 5,1 21,1 && curve b 5,2 21,1
says "--from-step 5" 1 '.alignment | .from_step == 5 and .steps == 2 and .max_step == 5' a b --from-step 5
says "steps before 21 do not count" 0 '.alignment.steps == 1' a b
curve a 1,1 20,1 && curve b 1,1 20,1
says "no common step: cannot" 3 '.alignment | .aligned == null and .steps == 0 and .mean_rel_error == null' a b
check "and says so" grep -q 'no common step from 21 on' err
curve a 21,1 22,NaN 23,-Infinity && curve b 21,1 22,1 23,1
says "NaN in the run is not aligned, its step and line named" 1 \
    '.alignment.max_step == 22 and .alignment.mean_rel_error == null and (.notices[] | select(.kind == "not_finite") | .line == 3 and .from_step == 22)' a b
says "NaN in the reference is left out, and said" 1 '.alignment.steps == 1 and .statistics.reference_not_finite.n == 2' b a
"$FPREPORT" diff a b >said 2>&1; check "the text calls no loss before a NaN the final one" sh -c 'grep -q "last finite loss" said && ! grep -q "final loss" said'
curve a 21,1 22,1 && curve b 21,0 22,1
says "a reference of 0 is left out, and it says so" 0 '.alignment.steps == 1 and (.notices[] | select(.kind == "zero") | .from_step == 21)' a b
curve b 21,0 22,0
says "only zeros: cannot" 3 '.alignment.aligned == null' a b
curve a 21,-2.02 && curve b 21,-2
says "negative losses are relative to their size" 0 '.statistics.signed_mean < -0.0099 and .alignment.mean_rel_error > 0.0099' a b
curve a 21,1 22,7 22,1 && curve b 21,1 22,1
says "the last report of a step counts" 0 '.run.repeated_steps == 1 and .run.repeated_with_another_loss == 1 and (.notices[] | select(.kind == "steps") | .line == 4)' a b
curve a 23,3 21,1 22,2 && curve b 21,1 22,2 23,3
says "unsorted steps" 0 '.run.rising == false and .alignment.steps == 3' a b
curve a 21.5,1 22.25,1 && curve b 21.5,1 22,1 22.25,1
says "steps that are not whole" 0 '.alignment.steps == 2 and .statistics.missing_steps.n == 1' a b

# --- Forms of files.
curve b 21,1.5,2 22,1.25,2
printf '\357\273\277step,loss\r\n21,1.5\r\n22,1.25\r\n' >a
says "byte order mark, CRLF" 0 '.alignment | .steps == 2 and .mean_rel_error == 0' a b
printf '"Iteration";"LM Loss";"x"\n"21";"1.5";"a;b"\n22;1.25;\n' >a
says "semicolons, quotes, other names, other columns" 0 '.alignment | .steps == 2 and .mean_rel_error == 0' a b
printf '# made by hand\n\nloss\tstep\n1.5\t21\n1.25\t22' >a
says "tabs, comments, other order, no last newline" 0 '.alignment | .steps == 2 and .mean_rel_error == 0' a b
printf '21,1.5\n22,1.25\n' >a
says "figures without a header" 0 '.alignment | .steps == 2 and .mean_rel_error == 0' a b
printf 'step,loss,iteration_time_ms\n21,1.5,1000\n22,1.25,1000\n' >a
says "milliseconds" 0 '.statistics.time_ratio == 0.5' a b
printf 'step,loss\n21,1.5\n22,\n22\n23,NA\n' >a
says "empty cells were not logged" 0 '.alignment.steps == 1 and .run.steps == 1' a b
printf 'step,loss\n21,1.5\n22,1.2x\nx,1\n' >a
says "malformed lines are left out and named" 0 '.alignment.steps == 1' a b
check "with their numbers" grep -q 'a:3: warning' err
printf 'sample,loss\n1,2\n' >a.csv
says "no column of steps" 3 '' a.csv b
check "and says so" grep -q 'a.csv:1: error: found no header' err
printf 'epoch,loss\n1,2\n2,1.5\n' >a.csv
says "whole epochs are no steps" 3 '' a.csv b
check "and says so" grep -q 'found 2 losses of epochs, expected --stride N' err
says "unless somebody says how many steps they have" 1 '.alignment.steps == 1' --stride 11 a.csv b
: >a
says "an empty file" 3 '' a b
printf 'step,loss\n' >a
says "only a header" 3 '' a b
head -c 4096 /dev/zero >a
says "a binary file" 3 '' a b
printf 'step,loss\n21,1\n' >whole && iconv -t UTF-16 whole >u16.csv && gzip -c whole >gz.csv && cp gz.csv gz.log
says "UTF-16 is named" 3 '' u16.csv b
check "as what it is" grep -q 'u16.csv:1: error: found UTF-16 text' err
says "a compressed curve is named" 3 '' gz.csv b
check "as what it is, and" grep -q 'gz.csv:1: error: found a gzip-compressed file' err
says "so is a compressed log" 3 '' gz.log b
check "as what it is, too" grep -q 'gz.log:1: error: found a gzip-compressed file' err
printf ' iteration 21/ 30 | consumed samples: 8 | elapsed time per iteration (ms): 100.0 | grad norm: nan |\n' >lossless.log
says "reports without a loss" 1 '.statistics.run_not_finite.n == 1' lossless.log b
truncate -s 1100M sparse.log
(ulimit -v 400000; [ "${VARIANT:-gcc}" = asan ] || exec "$FPREPORT" diff sparse.log b >out 2>err; [ "${VARIANT:-gcc}" != asan ] || exit 3); code=$?
check "a line of a gigabyte, in little memory" test $code -eq 3
rm sparse.log
says "a missing file" 3 '' nowhere.csv b
check_exit 2 "one argument" "$FPREPORT" diff b
check_exit 2 "a limit that is none" "$FPREPORT" diff b b --limit x
check_exit 2 "a step that is none" "$FPREPORT" diff b b --from-step 2.5
mkfifo pipe
check_exit 3 "a pipe named as a curve" timeout 300 "$FPREPORT" diff pipe b

# --- Logs, runs, submissions, records: the same curve in each.
golden=$top/tests/golden/build/records
mkdir run && tar -C run --zstd -xf "$golden/evidence/globex/run.tar.zst"
log=$(find run -name rank0.out.log)
says "a log and its run" 0 '.alignment | .steps == 230 and .mean_rel_error == 0' "$log" run
says "a run and its submission" 0 '.alignment.steps == 230 and .run.kind == "run" and .reference.kind == "submission" and .run.case == "tiny_llama"' run "$golden/evidence/globex/run.tar.zst"
says "a record and the reference of its case" 0 '.alignment.mean_rel_error < 0.0001' --records "$golden" globex/tiny_llama "$golden/references/tiny_llama.csv"
says "a record without evidence" 2 '' --records "$golden" acme/toy b
awk 'BEGIN {for (i = 1; i <= 60; i++) printf " iteration %8d/     60 | consumed samples: %12d | elapsed time per iteration (ms): 100.0 | lm loss: %.6E | grad norm: 1.0 |\n", i, i * 8, 10 - i / 20}' >megatron.log
awk 'BEGIN {print "step,loss,iteration_time_s"; for (i = 1; i <= 60; i++) printf "%d,%.6f,0.1\n", i, 10 - i / 20}' >megatron.csv
says "Megatron lines and a curve" 0 '.alignment | .steps == 40 and .max_rel_error < 1e-7' megatron.log megatron.csv
awk 'BEGIN {for (i = 1; i <= 60; i++) for (k = 0; k < 2; k++) printf "[default%d]: iteration %8d/     60 | consumed samples: %12d | elapsed time per iteration (ms): 100.0 | lm loss: %.6E | grad norm: 1.0 |\n", k, i, i * 8, 10 - i / 20 + k}' >ranks.log
says "two ranks in one log: the lowest counts, nothing is repeated" 0 '.alignment.max_rel_error < 1e-7 and .run.repeated_steps == 0 and .notices == []' ranks.log megatron.csv
mkdir -p result/run1/a:x:d:1:8:1/round1/h_noderank0 result/run1/b:x:d:1:8:1/round1/h_noderank0
cp megatron.log result/run1/a:x:d:1:8:1/round1/h_noderank0/rank0.out.log
says "FlagPerf's layout" 0 '.alignment.steps == 40' result/run1 megatron.csv
cp megatron.log result/run1/b:x:d:1:8:1/round1/h_noderank0/rank0.out.log
says "a tree of two cases is refused" 3 '' result/run1 megatron.csv
check "with their names" grep -q "'a:x:d:1:8:1' and 'b:x:d:1:8:1'" err

# --- Several runs beside one reference.
"$FPREPORT" diff megatron.log megatron.csv ranks.log megatron.csv >table; code=$?
check "three runs beside one reference: a row each" sh -c '[ $0 -eq 0 ] && [ $(grep -c " 40 .* aligned$" table) -eq 3 ]' $code
says "and as one document" 0 '.schema == "fpreport.diffs/1" and (.diffs | map(.alignment.steps) == [40, 40]) and .reference.name == "megatron.csv"' megatron.log ranks.log megatron.csv
sed 's/lm loss: \([0-9]\)/lm loss: 9\1/' megatron.log >apart.log
check_exit 1 "one of them not aligned" "$FPREPORT" diff megatron.log apart.log megatron.csv
curve early 1,1 20,1
check_exit 3 "one of them without a common step" "$FPREPORT" diff megatron.log early megatron.csv
says "a result alone has the reference of its case" 0 '.reference.name == "references/tiny_llama.csv" and .alignment.steps == 230' --records "$golden" globex/tiny_llama
says "a file alone is compared with nothing" 2 '' megatron.csv
cp -R "$golden" rows && chmod -R u+w rows && cp rows/evidence/globex/run.tar.zst rows/evidence/globex/second.tar.zst
jq '.evidence += [.evidence[0] | .archive = "evidence/globex/second.tar.zst" | .row = 2] | .performance |= map(if .table then .table |= (.columns += ["parallel"] | .rows |= [.[0] + ["TP1PP1DP1"], .[0] + ["TP1PP1DP2"]]) else . end)' rows/results/globex/tiny_llama.json >row.json && mv row.json rows/results/globex/tiny_llama.json
says "a result of several rows: each with its plan" 0 '.diffs | map(.run.name) == ["globex/tiny_llama row 1.1", "globex/tiny_llama row 1.2"] and map(.run.plan) == ["TP1PP1DP1", "TP1PP1DP2"] and all(.alignment.aligned)' --records rows globex/tiny_llama
says "several submissions are no reference" 2 '' --records rows megatron.csv globex/tiny_llama
mkdir empty
says "a folder without logs" 3 '' empty b
head -c 2000 "$golden/evidence/globex/run.tar.zst" >cut.tar.zst
says "a cut submission" 3 '' cut.tar.zst b

# --- Notices: with their rate where they have one, and nothing where nothing is known.
python3 - <<'PY'
import random
r = random.Random(1)
base = [2 + 8 / (1 + i / 60) for i in range(300)]
batch = [r.gauss(0, .05) for _ in base]
def put(name, losses):
    with open(name, "w") as f:
        f.write("step,loss\n" + "".join(f"{i + 1},{x:.8f}\n" for i, x in enumerate(losses)))
put("ref", [b + e for b, e in zip(base, batch)])
put("honest", [b + e + r.gauss(0, .001) for b, e in zip(base, batch)])
put("smooth", [b + r.gauss(0, .05) for b in base])
put("late", [base[0]] + [b + e for b, e in zip(base, batch)][:-1])
stuck = [b + e for b, e in zip(base, batch)]
stuck[100:104] = [stuck[100]] * 4
put("stuck", [x + r.gauss(0, 1e-4) * (not 99 < i < 104) for i, x in enumerate(stuck)])
PY
kinds='[.notices[].kind]'
says "an honest run of the same order has no notice" 0 "$kinds == [] and .comparisons >= 3" honest ref --order same
says "the same curve is said to be the same" 0 "$kinds == [\"identical\"] and .notices[0].from_step == 21 and .notices[0].to_step == 300 and (.notices[0].false_alarms | test(\"3276\"))" ref ref
says "a smoothed copy that claims the same order" 0 "$kinds == [\"order\"] and (.notices[0].false_alarms | test(\"84\"))" smooth ref --order same
says "without a claim nothing is said" 0 "$kinds == []" smooth ref
says "the reference's noise under another claimed order" 0 "$kinds == [\"copy\"]" honest ref --order other
says "a shifted copy" 0 "$kinds == [\"shifted\"] and .statistics.first_differences.best_lag == -1" late ref
says "equal neighbouring losses" 0 "($kinds | index(\"repeated\") != null) and (.notices[] | select(.kind == \"repeated\") | .from_step == 101 and .to_step == 104 and .line == 102)" stuck ref
cp -R run other && sed -i 's/"AMD EPYC[^"]*"/"Some CPU"/' "$(find other -name fingerprint.json)"
says "the same bits on the same kind of machine are no news, the same times are" 0 "$kinds == [\"times\"]" run run
says "the same bits on two kinds of machine" 0 "$kinds == [\"identical\", \"times\"] and (.notices[0].message | test(\"Some CPU\"))" other run
for i in 1 2 3 4; do mkdir -p "other/0/$i" && echo '{' >"other/0/$i/fingerprint.json"; done
says "four fingerprints are tried, and no more: each may cost half a second" 0 ".notices | tostring | test(\"Some CPU\") | not" other run
rm -r other/0/4 && says "the fourth may be the one that can be read" 0 ".notices | tostring | test(\"Some CPU\")" other run
timed() { awk -v add="$1" 'BEGIN { print "step,loss,iteration_time_s"; for (i = 1; i <= 60; i++) printf "%d,%.6f,%.4f\n", i, 9 - i / 20 + add, 1.5001 + (i * 7 % 11) / 1000 + (i < 40 && add) }'; }
timed 0 >t0; timed 0.001 >t1
says "times that are the reference's to the last digit" 0 "(.notices[] | select(.kind == \"times\") | .from_step == 40 and .to_step == 60 and (.false_alarms | test(\"1206\")))" t1 t0
sed 's/^30,.*/30,15,1.2/' t0 >t2; sed '5s/.*/x,y,z/' t1 >t3
says "a spike that the reference has not" 1 "(.notices[] | select(.kind == \"spikes\") | .from_step == 30)" t2 t1
says "a line that cannot be read" 0 "(.notices[] | select(.kind == \"reading\") | .line == 5)" t3 t0
cp -R run slow && sed -i 's/"step_time_s": 0/"step_time_s": 1/' "$(find slow -name rank0.out.log)"
says "steps longer than their time stamps" 0 "($kinds | index(\"clock\")) != null" slow run

# --- Form and speed.
"$FPREPORT" diff stuck ref >text
check "80 columns" awk 'length > 80 {bad = 1} END {exit bad}' text
check "-o writes a file" sh -c '"$FPREPORT" diff -o out.txt ref ref && grep -q "^aligned" out.txt'
check "schema" sh -c '"$FPREPORT" diff --format json ref ref | jq -e ".schema == \"fpreport.diff/1\""'
seq 1 1000000 | awk '{printf "%d,%.6f,0.5\n", $1, 2 + 100 / $1 + ($1 % 7) / 1000}' >body
{ echo step,loss,iteration_time_s; cat body; } >big
times >then; diff_json big big >out.json 2>err; code=$?; times >now
ms=$(($(times_ms now) - $(times_ms then)))
limit=2000; [ "${VARIANT:-gcc}" = asan ] && limit=20000
check "a million steps on each side ($ms ms)" test $code -eq 0 -a "$(jq .alignment.steps out.json)" -eq 999980 -a "$ms" -lt $limit
plan_done
