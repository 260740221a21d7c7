#!/bin/sh
# What is read: fpreport formats, rows of a project, counted reports, curves of several runs, samples of cards.
. "$(dirname "$0")/../../lib.sh"
cd "$top" || exit 1
"$FPREPORT" formats >"$tmp/FORMATS.md"
check_same "docs/FORMATS.md is what formats prints (formats -o docs/FORMATS.md)" docs/FORMATS.md "$tmp/FORMATS.md"
ln -s "$top/records" "$top/templates" "$tmp/"
cd "$tmp" || exit 1

# says DESCRIPTION EXIT WORDS COMMAND…: exits so, and prints the words.
says() {
    what=$1 want=$2 words=$3; shift 3
    "$@" >out.txt 2>&1; got=$?
    if [ $got -eq "$want" ] && tr -s ' \n' ' ' <out.txt | grep -qF -e "$words"; then ok "$what"; else
        not_ok "$what"; echo "# exit $got, expected $want, words '$words'"; sed 's/^/# /' out.txt | head -n 30
    fi
}

# --- A log that nothing knows becomes one of a row of the project.
seq 1 9 | awk '{ printf "12:0%d it %d of 9 lr 0.1 l=%.2f ok\n", $1, $1 * 10, 3 - $1 / 10 }' >own.log
says "an unknown log has no steps" 1 "matches a known log format" "$FPREPORT" verify own.log
says "a row is drafted and judged" 0 "the draft reads 8 other lines" \
    "$FPREPORT" formats --learn own.log --line 3 --step 30 --loss 2.70
mkdir -p mine/formats
"$FPREPORT" formats --learn own.log --line 3 --step 30 --loss 2.70 2>/dev/null >mine/formats/own.json
says "with the row its steps are read" 0 "9 steps (10 to 90) of format patterns" \
    "$FPREPORT" verify --records mine own.log
says "and compared" 0 "aligned" "$FPREPORT" diff --records mine --from-step 1 own.log own.log
sed 's/{loss}/{-}/' mine/formats/own.json >mine/formats/bad.json
says "a row without a loss is refused" 3 "expected both" "$FPREPORT" diff --records mine --from-step 1 own.log own.log
says "a text that is not there" 2 "found no '31'" \
    "$FPREPORT" formats --learn own.log --line 3 --step 31 --loss 2.70
sed -n 3p own.log >one.log
says "a draft that no other line has" 1 "reads 0 other lines" \
    "$FPREPORT" formats --learn one.log --line 1 --step 30 --loss 2.70

# --- Reports that do not say their step.
for i in 1 2 3 4 5 6; do echo "{'loss': 2.$i, 'learning_rate': 0.1, 'epoch': 0.0$i}"; done >counted.log
{ echo step,loss; for i in 1 2 3 4 5 6; do echo "${i}0,2.$i"; done; } >numbered.csv
says "counted reports are said" 0 "6 reports give no step number" "$FPREPORT" verify counted.log
says "and no steps" 3 "expected --stride N" "$FPREPORT" diff --from-step 1 counted.log numbered.csv
says "but by a stride" 0 "over 6 steps" "$FPREPORT" diff --from-step 1 --stride 10 counted.log numbered.csv
# 8663 steps of 10 are 866 reports, and of nothing else.
awk 'BEGIN { for (i = 1; i <= 866; i++) printf "{\047loss\047: %.4f, \047epoch\047: %.2f}\n", 9 - i / 100, i / 200
             print "{\047train_runtime\047: 866.3, \047train_samples_per_second\047: 80.0, \047train_steps_per_second\047: 10.0, \047train_loss\047: 1.0, \047epoch\047: 4.3}" }' >long.log
says "where the end tells the stride it is found" 0 "866 steps (10 to 8660)" "$FPREPORT" verify long.log

# --- Curves of several runs, and between blanks.
printf '"Step","a - train/loss","b - train/loss"\n1,2.0,3.0\n2,1.0,3.0\n' >two.csv
says "a curve of two runs asks for one" 3 "found 2 columns with a loss" "$FPREPORT" diff --from-step 1 two.csv two.csv
says "which is named" 1 "not aligned" "$FPREPORT" diff --from-step 1 'two.csv#b' 'two.csv#a'
says "and said where it is taken" 0 "column 'a - train/loss' is used" "$FPREPORT" verify two.csv
printf '1 2.0\n2 1.0\n' >blank.txt
says "a curve between blanks" 0 "aligned" "$FPREPORT" diff --from-step 1 blank.txt 'two.csv#a'
printf '{\n"log_history": [\n{\n"loss": 2.5,\n"step": 10\n},\n{\n"loss": 2.4,\n"step": 20\n}\n]\n}\n' >trainer_state.json
says "trainer_state.json is a log" 0 "2 steps (10 to 20)" "$FPREPORT" verify trainer_state.json

# --- Samples of cards in files of any name.
cards=$top/tests/data/cards
says "nvidia-smi --query-gpu" 0 "memory 69.5/79.6" "$FPREPORT" verify "$cards/query.csv"
says "nvidia-smi dmon" 0 "memory 11.4 " "$FPREPORT" verify "$cards/dmon.txt"
says "nvidia-smi's table" 0 "memory 32.9/79.3" "$FPREPORT" verify "$cards/table.txt"
says "whose utilisation is not known" 0 "memory 0.0/2.0" "$FPREPORT" verify "$cards/table-na.txt"
says "rocm-smi --showmeminfo --csv, in bytes" 0 "memory 0.0/20.0" "$FPREPORT" verify "$cards/rocm-smi.csv"
says "rocm-smi --json" 0 "memory 0.0/20.0" "$FPREPORT" verify "$cards/rocm-smi.json"
says "nvidia-smi -q" 0 "memory 1.9/1.9" "$FPREPORT" verify "$cards/nvidia-smi-q.txt"
sed -n '7,$p' "$cards/nvidia-smi-q.txt" | sed 's/^ *FB Memory/    Power Readings\n        Power Draw : 70.5 W\n&/' >q1.txt
{ cat q1.txt; sed 's/:01:/:02:/; s/70.5/90.5/' q1.txt; cat q1.txt; } >q.txt
says "of two cards, asked twice" 0 "card_power 80.5" "$FPREPORT" verify q.txt
printf '{"card0": {"Average Graphics Package Power (W)": "38.0", "VRAM Total Memory (B)": "21474836480", "VRAM Total Used Memory (B)": "2147483648"}, "card1": {"Average Graphics Package Power (W)": "58.0", "VRAM Total Memory (B)": "21474836480", "VRAM Total Used Memory (B)": "4294967296"}, "system": {"Driver version": "5.1"}}\n' >one-line.json
says "rocm-smi --json on one line" 0 "memory 4.0/20.0" "$FPREPORT" verify one-line.json
says "of two cards" 0 "card_power 48.0" "$FPREPORT" verify one-line.json
says "dcgmi dmon" 0 "memory 68.5 " "$FPREPORT" verify "$cards/dcgmi.txt"
says "amd-smi monitor" 0 "memory 41.0/192.0" "$FPREPORT" verify "$cards/amd-smi.txt"
says "amd-smi metric" 0 "memory 2.4/24.0" "$FPREPORT" verify "$cards/amd-smi-metric.txt"
says "of two cards" 0 "card_power 30.0" "$FPREPORT" verify "$cards/amd-smi-metric.txt"
says "amd-smi metric --json" 0 "memory 14.2/16.0" "$FPREPORT" verify "$cards/amd-smi-metric.json"
says "with its power" 0 "card_power_peak 171.0" "$FPREPORT" verify "$cards/amd-smi-metric.json"
says "amd-smi monitor --json on one line, in GB and in MB" 0 "memory 8.0/16.0" \
    "$FPREPORT" verify "$cards/amd-smi-monitor.json"
says "of two cards" 0 "card_power 225.0" "$FPREPORT" verify "$cards/amd-smi-monitor.json"
says "rocm-smi" 0 "at most 0.71" "$FPREPORT" verify "$cards/rocm-smi.txt"
says "rocm-smi of ROCm 1, whose last columns are no memory" 0 "no monitor contains memory samples mfu" \
    "$FPREPORT" verify "$cards/rocm-smi-1.txt"
says "but has power" 0 "73.6800 / 1" "$FPREPORT" verify "$cards/rocm-smi-1.txt"
says "rocm-smi of ROCm 3, which knows no memory" 0 "10.0000 / 1" "$FPREPORT" verify "$cards/rocm-smi-3.txt"
says "npu-smi" 0 "memory 3.3/64.0" "$FPREPORT" verify "$cards/npu-smi.txt"
says "of two cards that say their power" 0 "364.8000 / 2" "$FPREPORT" verify "$cards/npu-smi.txt"
says "xpu-smi dump with empty cells" 0 "43.7200 / 1" "$FPREPORT" verify "$cards/xpu-smi-dump.txt"
for tool in npu-smi-22 mx-smi mx-smi-2.2.9 efsmi hy-smi; do cp "$top/tests/data/tools/$tool.txt" "any-$tool.txt"; done
says "npu-smi of one memory" 0 "memory 0.8/21.0" "$FPREPORT" verify any-npu-smi-22.txt
says "mx-smi" 0 "364.0000 / 2" "$FPREPORT" verify any-mx-smi.txt
says "mx-smi of boards" 0 "115.0000 / 2" "$FPREPORT" verify any-mx-smi-2.2.9.txt
says "efsmi" 0 "211.0000 / 2" "$FPREPORT" verify any-efsmi.txt
says "hy-smi" 0 "at most 0.85" "$FPREPORT" verify any-hy-smi.txt

# --- JSON lines without a loss that is known are a log, and no broken document.
printf '{"name": "loss", "data": {"step": 1}}\n{"name": "loss", "data": {"step": 2}}\n' >lines.jsonl
says "JSON lines are no document" 1 "matches a known log format" "$FPREPORT" verify lines.jsonl

# --- Pages of others.
mkdir -p base/computation-INT8
printf '* 服务器数量：1\n* 单服务器内使用卡数：8\n\n| 评测项 | FP16算力测试值(4卡平均) | FP16算力标定值(4卡平均) | 测试标定比例(4卡平均) |\n| --- | --- | --- | --- |\n| 评测结果 | 80.83.2%% | 100 | 90%% |\n| 评测结果 | 80 | 100 | 90%% |\n' >base/computation-INT8/README.md
says "a page of another precision" 1 "names FP16, but the folder names INT8" "$FPREPORT" verify base/computation-INT8/README.md
says "of other cards" 1 "states 4 cards, but the server used 8" "$FPREPORT" verify base/computation-INT8/README.md
says "of a ratio" 1 "80 / 100 is 80 %" "$FPREPORT" verify base/computation-INT8/README.md
says "of a number that is none" 1 "'80.83.2%' is not a number" "$FPREPORT" verify base/computation-INT8/README.md
head='| Model | SeqLen (T) | # GPUs | GPU | MFU | MicroBatchSize | GradAccum | GlobalBatchSize | Throughput (T/s/GPU) | NumParams |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |'
printf '%s\n' "$head" '| 7b | 2048 | 8 | h100_80gb | 46.44 | 6 | 1 | 48 | 10643 | 6658859008 |' >good.md
says "a table in English is recomputed" 0 "with attention operations" "$FPREPORT" verify good.md
printf '%s\n' "$head" '| 7b | 2048 | 8 | h100_80gb | 146.44 | 6 | 1 | 49 | 10643 | 6658859008 |' >bad.md
says "an MFU above 100 %" 1 "is above 100 %" "$FPREPORT" verify bad.md
says "a batch that is no product" 1 "the global batch is 48" "$FPREPORT" verify bad.md
# llm-foundry, scripts/train/benchmarking (pull request 543): the share is of the peak of the row's precision.
printf '%s\n' '| Model | SeqLen (T) | # GPUs | GPU | MFU | Model TFLOP | Throughput (T/s/GPU) | Precision | NumParams |' \
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |' \
    '| 3b | 8192 | 8 | h100_80gb | 23.28 | 4.606436E+14 | 19146 | amp_fp8 | 2667566080 |' >fp8.md
says "an MFU in FP8" 0 "FLOP/s / peak of NVIDIA H100-SXM5-80GB (fp8)" "$FPREPORT" verify fp8.md
sed 's/amp_fp8/amp_bf16/' fp8.md >bf16.md
says "which is none in BF16" 1 "the MFU is 46.58 %" "$FPREPORT" verify bf16.md
printf '# Notes\n\nNothing here.\n' >prose.md
says "a page of prose" 3 "the page has no table" "$FPREPORT" verify prose.md
plan_done
