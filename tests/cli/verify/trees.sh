#!/bin/sh
# fpreport verify and explain of loose files: FlagPerf's trees of results, run directories, logs.
. "$(dirname "$0")/../../lib.sh"
export FPREPORT
records=$top/records
python3 "$top/tests/data/make_trees.py" "$tmp/trees" || exit 1
cd "$tmp/trees" || exit 1
ln -s "$top/templates" templates
verify() { "$FPREPORT" verify --records "$records" "$@"; }

# says EXIT DESCRIPTION PATTERN ARGUMENTS…: exits so, and one line holds the pattern
says() {
    want=$1 what=$2 pattern=$3; shift 3
    verify "$@" >"$tmp/out" 2>&1; got=$?
    if [ $got -eq "$want" ] && grep -qE -- "$pattern" "$tmp/out"; then ok "$what"; else
        not_ok "$what"; echo "# exit $got, expected $want; pattern $pattern"; head -n 30 "$tmp/out" | sed 's/^/# /'
    fi
}
jq_says() { # DESCRIPTION FILTER ARGUMENTS…
    what=$1 filter=$2; shift 2
    verify --format json "$@" >"$tmp/doc.json" 2>"$tmp/err"
    if [ "$(jq "$filter" "$tmp/doc.json")" = true ]; then ok "$what"; else
        not_ok "$what"; jq -c . "$tmp/doc.json" | head -c 1200 | sed 's/^/# /'; sed 's/^/# /' "$tmp/err"
    fi
}

# --- Every figure again, from the files alone.
for tree in classic llm deepspeed paired; do
    verify --format json $tree >"$tmp/doc.json" 2>&1
    check "$tree: an independent reader finds the same figures" python3 "$top/tests/oracle/tree.py" $tree "$records" "$tmp/doc.json"
    jq -f "$top/tests/golden/trees/part.jq" "$tmp/doc.json" >"$tmp/$tree.json"
    check_same "$tree: the document, but for what other rules add" "$top/tests/golden/trees/$tree.json" "$tmp/$tree.json"
done
verify --format json classic | sed 's/"recomputed": "800.0"/"recomputed": "801.0"/' >"$tmp/wrong.json"
check_exit 1 "which would notice a wrong one" python3 "$top/tests/oracle/tree.py" classic "$records" "$tmp/wrong.json"

# --- What is found, at every depth.
key=bert:pytorch_1.8:A100:2:2:2
says 0 "a run has a verdict for each round" '^2 unverified$' classic
says 0 "a case" "^$key/round2: unverified" "classic/$key"
jq_says "a round: nodes, ranks, steps, format" '.runs | length == 1 and (.[0].found | .nodes == 2 and .ranks == 4 and .expected_ranks == 4 and .steps == 40 and .format == "perflog" and .sealed == false)' "classic/$key/round1"
says 0 "a node: the others are missing" 'the run has no files of node 0, but its case has 2 nodes' "classic/$key/round1/10.0.0.2_noderank1"
jq_says "one log tells its case, and misses nobody" '.runs[0] | .found.folder == "'$key'" and .findings == []' "classic/$key/round1/10.0.0.2_noderank1/rank2.out.log"
jq_says "one monitor" '[.runs[0].metrics[] | select(.name == "card_power_peak")][0].recomputed == "308.0"' "classic/$key/round1/10.0.0.1_noderank0/nvidia_monitor.log"
cp "classic/$key/round1/10.0.0.1_noderank0/rank0.out.log" log.txt
jq_says "a log called .txt, by its content" '.runs[0].found.steps == 40' log.txt
cp "$top/tests/golden/pages/plain.md" page.txt
says 0 "a page called .txt" 'unnamed/page: ' page.txt
{ cat page.txt; printf '\n'; grep -m 1 PerfLog log.txt; } >quoting.txt
says 0 "a page that quotes its log" 'unnamed/quoting: ' quoting.txt
jq_says "logs of a container" '.runs[0] | .found.nodes == 2 and ([.metrics[] | select(.name == "token_per_s_per_card")][0] | .recomputed == "3100.5" and (.derivation | contains("printed by the log")))' container/run20240506101112
jq_says "benchmarks of chips and operators" '[.runs[].metrics[] | select(.name == "Rank 0'"'"'s computation-BF16 (TFLOPS)" or .name == "kerneltime (us)" or .name == "cputime throughput (op/s)").recomputed] == ["234.89", "259.2", "134.89"]' bench
jq_says "what a script prints for a rank of two on a card is no fault" '.runs[0].findings == []' paired
says 0 "an operator's rate that its time does not give" 'as 234.89, .* 1e6 / 7413.27 = 134.8932 .*FP2032' bench
says 0 "two cases in one call" '^3 unverified$' classic "llm/llama2_70B:megatron_core060:A800:1:8:1"

# --- Loose files prove nothing, and say so.
says 0 "no state above unverified" 'loose files, not sealed' deepspeed --against nvidia/baichuan2_13b-deepspeed#1.2
grep -q ': unverified (0 errors' "$tmp/out" && grep -q '4 of 4 stated figures' "$tmp/out" &&
    ok "even when every figure agrees" || not_ok "even when every figure agrees"
jq_says "nor in JSON" '.runs[0].state == "unverified" and .summary.verified == 0' deepspeed --against nvidia/baichuan2_13b-deepspeed#1.2

# --- Against a row.
against=nvidia/baichuan2_13b-deepspeed
says 1 "another row" 'token_per_s_per_card is stated as 2068, but the evidence gives 2710.0: .*FP2002' deepspeed --against $against#1.1
says 1 "by its number in the only table" 'loss is stated as 2.06, .*FP2009' deepspeed --against $against#1
says 2 "two rows of this size" 'the rows 1.1, 1.2 fit, expected one' deepspeed --against $against
says 2 "no row of this size" 'found no row of .* for llama2_7b' paired --against $against
says 1 "a log of another case" "belong to case 'baichuan2_13b.*expected 'llama2_7b_finetune-pytorch': they are the logs of another case .FP4003" deepspeed --against nvidia/llama2_7b_finetune-pytorch#1.1
says 2 "no such row" 'found no row' deepspeed --against $against#1.7
says 2 "no such result" 'found no such result' deepspeed --against nobody/nothing
says 2 "no row at all" "expected a row after '#'" deepspeed --against $against#x
says 2 "no such case" 'found no such case' deepspeed --case nothing
says 0 "a record by its path" '4 of 4 stated figures' deepspeed --against "$records/results/$against.json#1.2"
"$FPREPORT" render --records "$records" --lang zh -o - $against >page.md 2>"$tmp/out"
if [ -s page.md ]; then
    says 0 "a published page" '4 of 4 stated figures' deepspeed --against page.md#1.2 --case baichuan2_13b-deepspeed
else
    not_ok "a published page"; sed 's/^/# /' "$tmp/out"
fi

# --- Every column that pages have is recomputed, or has a reason of its own.
columns="$top/tests/data/all_columns.md"
jq_says "all columns" '[.runs[0].metrics[] | select(.stated)] | length == 28 and all(.[]; .ok or (.reason | length > 10 and . != "no evidence"))' "classic/$key/round1" --against "$columns"
jq_says "eight of them from this log" '[.runs[0].metrics[] | select(.stated and .ok)] | length == 8' "classic/$key/round1" --against "$columns"
sed 's/470.129.06/535.54.03/' "$columns" >driver.md
says 1 "sys_info.log tells the machine" "error: driver differs: sys_info.log says '470.129.06', record says '535.54.03' .FP4006" "classic/$key/round1" --against driver.md
sed 's|0.731/0.712|0.731/0.650|' "$columns" >target.md
says 1 "a target that the log does not name" 'mlm_acc: the target is stated as 0.65, but the log has another target .FP2014' "classic/$key/round1" --against target.md
jq_says "a round by itself misses no other round" '.runs[0].findings == []' "classic/$key/round1" --against "$columns"
sed 's/| 单机8卡/x/; s/bert_large/llama2_70B/; s/A100两机4卡（2x2） | fp16 | \/ /A800单机8卡（1x8） | bf16 | MPE=4096 /; s/NVIDIA_A100-SXM4-40GB/NVIDIA_A800-SXM4-80GB/; s/| 100 |/| 448.3 |/; s/| 40% |/| 60.4% |/' "$columns" >own.md
jq_says "a page whose case no record knows says its length" '[.runs[0].metrics[] | select(.name == "token_per_s_per_card" or .name == "mfu") | .recomputed] | length == 2 and (.[0] | startswith("44"))' llm --against own.md

# --- What is wrong is a finding.
found() { says "$1" "$2" "$3" "faults/$2"; }
found 0 missing_rank 'the run has no log of rank 3, but its case has 4 ranks \[FP4005\]'
found 1 missing_round 'the run has no log of rank 0-3'
found 0 truncated 'rank0.out.log:[0-9]*: warning: the last line is incomplete: the log is truncated; the line was skipped \[FP4005\]'
says 0 "so the run has no end" 'no log has a FINISHED event: .*FP4003' faults/truncated
found 1 binary 'rank1.out.log:1: error: .*NUL byte.*\[FP4005\]'
mkdir mon && printf 'GPU0 temp 45 power 100\n' >mon/nvidia_monitor.log && cp log.txt mon/rank0.out.log
says 0 "a monitor of another shape did not fail" 'no line of the nvidia monitor has a known format: .*"GPU0 temp 45 power 100"' mon
printf '2024-01-01-00:00:00\n45C 100W 10MiB 32768MiB 5%%\n46C N/A 11MiB 32768MiB 5%%\n2024-01-01-00:00:05\n45C 120W 30720MiB 32768MiB 5%%\n46C N/A 12MiB 32768MiB 5%%\n' >mon/iluvatar_monitor.log; rm mon/nvidia_monitor.log
says 0 "a board whose first rank has the power" '^ *card_power +110.0 ' mon
"$FPREPORT" explain --records "$records" mon memory >"$tmp/out" 2>&1
grep -q 'inputs *the monitor, mon/iluvatar_monitor.log:5$' "$tmp/out" && ok "a figure names the sample that it is" || { not_ok "a figure names the sample that it is"; sed 's/^/# /' "$tmp/out"; }
rm mon/iluvatar_monitor.log; printf '2024-01-01-00:00:00\n0    31.0c  39.0W   0.0%%  manual  280.0W   37%%   0%%\n' >mon/dcu_monitor.log
says 0 "a share of an unknown card" 'only the used share of the card.s memory' mon
rm mon/dcu_monitor.log; echo 'RunningAvgSamplesPerSec=16.12, CurrSamplesPerSec=16.80, MemAllocated=22.81GB, MaxMemAllocated=60.97GB' >>mon/rank0.out.log
jq_says "what the allocator held" '[.runs[0].metrics[] | select(.name == "memory")][0].reason | contains("MaxMemAllocated (GB) = 60.97 (line ")' mon
found 0 foreign 'written by glm/pytorch, expected bert/pytorch: the log belongs to another case \[FP4005\]'
found 0 clocks 'clock of node 1 is 60.0 s ahead of that of node 0'
found 0 other_loss 'rank 3 differs most'
found 0 empty_log 'rank0.out.log: warning: none of the .* lines* matches a known log format'
found 0 printed 'throughput\(ips\)_raw as 9660.*\[FP2032\]'
found 0 short_time 'the span of the step timestamps: 12.480 s; raw_train_time: 5.500 s \[FP4007\]'
found 0 failed_monitor 'nvidia monitor failed: .*nvidia-smi: not found.*\[FP2034\]'
says 0 "a run without its target" 'round2/.*ended before it reached its target .*FP2033' classic

# --- A log that is cut, or whose steps are not in order.
steps() { awk -v from="$1" -v to="$2" 'BEGIN { for (i = from; i <= to; i++) printf "Step %d/60, Loss: %.6f\n", i, 9 - i / 20 }'; }
steps 1 60 >steps.log
says 0 "60 of 60 steps" 'PASS: the log contains 60 steps in the format deepspeed, in order .FP4005' -v steps.log
steps 1 34 >steps.log
says 0 "34 of 60 steps" 'steps.log:34: warning: by its own count, the log ends at step 34 of 60.*FP4005' -v steps.log
if grep -q 'PASS.*FP4005' "$tmp/out"; then not_ok "which is no PASS"; else ok "which is no PASS"; fi
steps 1 34 | head -c -4 >steps.log
says 0 "half of the last number is not its loss" '^ *loss +7\.3500 ' steps.log
{ steps 1 59; echo "Step 60/60, Loss: nan"; } >steps.log
says 0 "a final loss that is no number passes nothing" '^ *loss +CANNOT' steps.log
grep -q 'steps.log:60: warning: 1 of 60 losses is NaN' "$tmp/out" && ok "and is a finding" || not_ok "and is a finding"
{ steps 1 60; steps 1 60; } >steps.log
says 0 "two runs in one file" 'steps.log:61: warning: the step number decreases 1 time, first from step 60 to 1' steps.log
# Epochs of 225 steps, and a report of every 50th step of each.
awk 'BEGIN { for (e = 1; e <= 3; e++) for (i = 50; i <= 200; i += 50)
    printf "2023-01-01 12:00:00,000 - mmcls - INFO - Epoch [%d][%d/225] lr: 1e-3, eta: 1:00:00, time: 0.5, data_time: 0.01, memory: 1000, loss: %.4f\n", e, i, 3 - e / 4 - i / 900 }' >steps.log
says 0 "an epoch of four reports and a half" 'PASS: the log contains 12 steps in the format patterns, in order .FP4005' -v steps.log
sed '/\[2\]\[100\//d' steps.log >hole.log
says 1 "of which one is not there" 'hole.log: error: 1 of 12 steps are missing from the log .FP4005' -v hole.log

# --- FP4007 for logs that other trainers wrote.
fast=fast/llama2_70B:megatron_core060:A800:1:8:1/round1/a_noderank0
mkdir -p $fast && sed 's/(ms): 40/(ms): 20/' llm/*/round1/*/megatron.log.txt >$fast/megatron.log.txt
says 0 "steps that take half of their time" 'windows of 20 s or more: in the median window, the step times add up to 50.* % of the span of their timestamps \[FP4007\]' fast
sed 's/(ms): 40/(ms): 80/' llm/*/round1/*/megatron.log.txt >$fast/megatron.log.txt
says 0 "steps that take twice their time" 'the step times add up to .* but the timestamps span .*\[FP4007\]' fast
says 0 "honest ones" 'checks passed' -v llm
grep -q 'PASS: the log was divided into 29 windows.*FP4007' "$tmp/out" && ok "pass" || { not_ok "pass"; grep FP4007 "$tmp/out" | sed 's/^/# /'; }

# --- A loss that is no number is as far off as can be, whichever rank has it.
for nan in 0 1; do
    node=nan$nan/bert:pytorch:A100:1:2:1/round1/h_noderank0
    mkdir -p "$node"
    for rank in 0 1; do
        for step in 1 2 3; do
            loss=2.5; [ $rank$step = ${nan}2 ] && loss=NaN
            echo "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": $loss, \"step\": $step}, \"metadata\": {\"rank\": $rank}}"
        done >"$node/rank$rank.out.log"
    done
    jq_says "NaN of rank $nan" '[.runs[].checks[] | tostring | select(test("rank 1 differs most, by inf % at step 2"))] | length > 0' nan$nan
done
awk 'BEGIN { for (i = 1; i <= 40; i++) print "step " i ", loss: " (i == 17 ? 9 : 2 + i % 3 / 100) }' >lonely.log
says 0 "the line of a lonely loss" 'lonely.log:17: .*the loss of step 17 is 9.*FP4011' lonely.log

# --- Hostile files.
mkdir -p hostile/empty
says 3 "an empty folder" 'found no training log or monitor' hostile/empty
says 2 "nothing there" 'found no such result' hostile/nothing
: >hostile/empty.log
says 1 "an empty log" 'the log is empty' hostile/empty.log
head -c 100000 /dev/urandom >hostile/noise.log
says 1 "noise" 'found a NUL byte, expected a text log' hostile/noise.log
mkfifo hostile/pipe.log
check_exit 3 "a pipe" timeout 300 "$FPREPORT" verify --records "$records" hostile/pipe.log
ln -s /dev/zero hostile/zero.log
check_exit 3 "a device" timeout 300 "$FPREPORT" verify --records "$records" hostile/zero.log
{ head -c 3000000 /dev/zero | tr '\0' x; echo; cat log.txt; } >hostile/long.log
says 0 "a line of 3 MB" 'line of more than [0-9]* bytes' hostile/long.log
truncate -s 1G hostile/huge.log # sparse
says 1 "a line of a gigabyte" 'line of more than 1048576 bytes; the line was skipped' hostile/huge.log
mkdir -p "hostile/tree/a:b:c:99999:99999:9/round1/h_noderank0" "hostile/tree/$(printf 'x\033[31m'):b:c:1:1:1/round1/h_noderank0"
for d in hostile/tree/*/round1/h_noderank0; do cp log.txt "$d/rank0.out.log"; done
check "impossible case keys, escapes in names" verify hostile/tree
check "no escape reaches the terminal" sh -c '! "$FPREPORT" verify --records "$1" hostile/tree | grep -q "$(printf "\033")"' - "$records"
printf 'loops' >hostile/run.json && says 3 "a run.json that is none" 'run.json:1:1: error' hostile/tree

# --- The commands of docs/VERIFYING.md, as they stand there.
mkdir -p result && mv classic result/run20240506101112
cp deepspeed/*/round1/10.0.0.1_noderank0/rank0.log.txt rank0.log.txt
ln -s "$records" records
sed -n '/^## Loose files/,/^## Results of MLPerf/s/^    \(fpreport .*\)/\1/p' "$top/docs/VERIFYING.md" >"$tmp/commands"
check "docs/VERIFYING.md has commands" test "$(wc -l <"$tmp/commands")" -ge 6
while read -r line; do
    # shellcheck disable=SC2086
    check "$line" "$FPREPORT" ${line#fpreport }
done <"$tmp/commands"
mv result/run20240506101112 classic

# --- Explain.
explain() { "$FPREPORT" explain --records "$records" "$@" >"$tmp/out" 2>&1; }
explain llm mfu_exact
check "the exact MFU with N, shape and source" sh -c 'tr -s "\n " " " <"$1" | grep -q "(6 \* 68976648192 + 12 \* 80 \* 8192 \* 4096) \* 448.* N and shape of models/llama2_70b.json"' - "$tmp/out"
check "and the peak's source" grep -q 'peak, .*a800.*json:[0-9]*: ' "$tmp/out"
explain classic p_core
check "each round" test "$(grep -c '^p_core, bert:.*round[12]$' "$tmp/out")" -eq 2
check "with the log" sh -c 'tr -s "\\n " " " <"$1" | grep -q "inputs the log, [^ ]*rank0.out.log"' sh "$tmp/out"
explain deepspeed token/p/s --against $against#1.1
check "against a row" grep -q 'verdict     FAIL' "$tmp/out"
explain "$top/templates/explain/records/evidence/globex/run.tar.zst" e2e_time
check "a submission" grep -q 'recomputed  3.6' "$tmp/out"
check_exit 2 "a figure that is not there" "$FPREPORT" explain --records "$records" classic speed

# --- A run directory of `fpreport train`.
mkdir run && tar -C run --zstd -xf "$top/templates/explain/records/evidence/globex/run.tar.zst"
"$FPREPORT" verify --records "$top/templates/explain/records" -v run >"$tmp/out" 2>&1
check "its run.json and case.json are used" grep -q 'PASS: the run is complete \[FP4003\]' "$tmp/out"
check "its case" grep -q 'PASS: the case of the run equals the published case' "$tmp/out"
check "its state is not above unverified" grep -q 'round1: unverified (0 errors, 0 warnings' "$tmp/out"
"$FPREPORT" verify "classic/$key/round1" "classic/$key/round1" "classic/$key/round1" --against "$top/tests/golden/verify/page.md#1.1" >"$tmp/out" 2>&1
check "what all are held to is read once" test "$(grep -c 'page.md:35:45: warning: found "80.83.2"' "$tmp/out")" -eq 1
plan_done
