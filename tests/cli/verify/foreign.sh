#!/bin/sh
# Pages of other frameworks and of FlagPerf's base/, operation/ and inference/: what a row says
# twice is compared, a planted fault is found at its line, and nothing is said of an honest one.
. "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1
# PAGE: DESCRIPTION, SED that plants the fault, EXIT, WORDS of the finding.
planted() {
    mkdir -p planted && sed "$3" "$1" >planted/README.md
    check "$2: the page is another" sh -c "! cmp -s '$1' planted/README.md"
    check_exit "$4" "$2" "$FPREPORT" verify --records "$top/records" planted/README.md
    cp .out said
    check "$2: what is said" grep -qF "$5" said
}

cat >nemo.md <<'X'
# Training performance

| Model | #-GPUs | GBS | MBS | Sequence Length | TP | PP | CP | GA | Tokens / sec / GPU | Model TFLOP / sec / GPU | ***Est. time to train in days (10T tokens, 1K GPUs)*** |
| ----- | ------ | --- | --- | --------------- | -- | -- | -- | -- | ------------------ | ----------------------- | --- |
| LLAMA3_8B | 8 | 128 | 2 | 8192 | 1 | 1 | 1 | 8 | 14000 | 720.6 | ***8*** |
| A model | 64 | 256 | 2 | 2048 | 2 | 1 | 1 | 4 | 5894 | 755 | ***19*** |
X
check_exit 0 "a table of NeMo" "$FPREPORT" verify --records "$top/records" nemo.md
cp .out said
check "operations by their convention" grep -q '^nemo.md:5: notice: 720.6 TFLOP/s per card equal 6 (N - V d) + 6 L d s \* tokens/s for the model llama3_8b ' said
planted nemo.md "a batch that is no product" 's/ 4 | 5894/ 5 | 5894/' 1 "README.md:6: error: the global batch is 320 by the other cells of the row, but the row states 256"
planted nemo.md "cards that make no replicas" 's/2 | 2048 | 2 | 1/2 | 2048 | 3 | 1/' 1 "64 cards are not a multiple of TP * PP * CP = 3"
planted nemo.md "days of another rate" 's/\*\*\*19/***29/' 1 "README.md:6: error: at 5894 tokens/s per card, the training takes 19.64 days, but the page states 29"

cat >operation.md <<'X'
# 参评AI芯片信息

* 产品型号：A100-40GiB-SXM
* TDP：400W

# 评测结果

| 评测项  | correctness | TFLOPS(cpu wall clock) | TFLOPS(kernel clock) | FU(FLOPS Utilization)-cputime | FU-kerneltime |
| ---- | -------------- | -------------- | ------------ | ------ | ----- |
| one | True    | 200.00TFLOPS       | 250.00TFLOPS        | 64.10% | 80.13% |

| 评测项  | cputime | kerneltime | cputime吞吐 | kerneltime吞吐 |
| ---- | -------------- | -------------- | ------------ | ------------ |
| one | 500.00us       | 400.00us        | 2000.00op/s | 2500.00op/s |

| 监控项  | 系统平均功耗  | 系统最大功耗 | 单卡平均功耗 | 单卡最大功耗 | 单卡TDP |
| ---- | ------- | ------- | ------- | ----- | ----- |
| one监控结果 | 1500.0W | 1700.0W | 390.0W   | 402.0W | 400W |
X
check_exit 0 "a page of an operation" "$FPREPORT" verify --records "$top/records" operation.md
cp .out said
check "the peak that FU is of" grep -q 'FU is computed as a share of 312 TFLOPS, which is the peak of NVIDIA A100-SXM4-40GB' said
planted operation.md "a rate of another time" 's/2000.00op/2100.00op/' 1 "cputime: 500 us equal 2000 op/s, but the page states 2100"
planted operation.md "work that the clocks see differently" 's/400.00us/440.00us/; s/2500.00op/2272.73op/' 1 "is 0.1 TFLOP by cputime and 0.11 by kerneltime"
planted operation.md "a share of another peak" 's/80.13%/70.13%/' 1 "at 70.13 % imply a peak of 356.5 TFLOPS"
planted operation.md "a mean above the largest" 's/390.0W/405.0W/' 1 "a card: the mean power, 405 W, is above the largest power, 402 W"
planted operation.md "another TDP" 's/ 400W |/ 1700W |/' 1 "this table states a TDP of 1700 W for the card, but an earlier table of the page states 400 W"

cat >inference.md <<'X'
#### 环境配置

- ##### 硬件环境
    - 加速卡型号: A100-SXM4-40GB

### 运行情况（Llama2_7b_MMLU）

| 推理工具 | precision | p_val_whole | p_val_core | p_infer_whole | \*p_infer_core | \*MFU | mem |
| -------- | --------- | ----------- | ---------- | ------------- | -------------- | ----- | --- |
| compiler | fp16 | 8000.0 | 8100.0 | 9000.0 | 10000.0 | 44.9% | 28.0/40.0 |
X
check_exit 0 "a page of inference" "$FPREPORT" verify --records "$top/records" inference.md
cp .out said
check "its MFU by 2 N" grep -q 'an MFU of 44.9 % is 2 \* N \* tokens/s / peak, with N of llama2_7b and the peak of NVIDIA A100-SXM4-40GB in fp16' said
planted inference.md "a rate below the one with I/O" 's/8100.0/7100.0/' 1 "validation: the rate without I/O, 7100, is below the rate with I/O, 8000"
planted inference.md "more memory than there is" 's#28.0/40#48.0/40#' 1 "48 GiB are used, but the card has only 40 GiB"
planted inference.md "an MFU above 100 %" 's/44.9%/144.9%/' 1 "an MFU of 144.9 % is above 100 %"

mkdir -p computation-INT8/X1 && printf '# 评测结果\n\n* 服务器数量：1\n* 单服务器内使用卡数：4\n\n| 评测项 | INT8算力测试值(4卡平均) | INT8算力标定值(4卡平均) | 测试标定比例(4卡平均) |\n| - | - | - | - |\n| 评测结果 | 80TOPS | 100TOPS | 80.0%% |\n' >computation-INT8/X1/README.md
check_exit 0 "a page of a chip" "$FPREPORT" verify --records "$top/records" computation-INT8/X1/README.md
for plant in 's/INT8/FP16/g|names FP16, but the folder names INT8' 's/(4卡/(8卡/g|states 8 cards, but the server used 4' 's/80.0%/80.83.2%/|is not a number' 's/80.0%/90.0%/|80 / 100 is 80 %, but the page states 90 %'; do
    mkdir -p planted/computation-INT8/X1
    sed "${plant%|*}" computation-INT8/X1/README.md >planted/computation-INT8/X1/README.md
    check_exit 1 "a page of a chip, ${plant#*|}" "$FPREPORT" verify --records "$top/records" planted/computation-INT8/X1/README.md
    cp .out said
    check "which is said" grep -qF "${plant#*|}" said
done

"$FPREPORT" import -q --vendor acme --case nemo -o project/results nemo.md 2>/dev/null
check "a table is imported with its columns" sh -c 'test "$(jq -r ".performance[0].table.columns[9]" project/results/acme/nemo.json)" = "Tokens / sec / GPU"'
sed -i 's/"\*\*\*19/"***29/' project/results/acme/nemo.json
check_exit 1 "a record is recomputed as its page is" "$FPREPORT" verify --records "$top/records" project/results/acme/nemo.json
plan_done
