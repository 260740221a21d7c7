#!/bin/sh
# Pages that are verified together are compared with each other, and with the records; names that
# are almost known; and what is said where there are no records.
. "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1

# page VENDOR CASE CARD DATASET "HEADER" "ROW"…
page() {
    mkdir -p "$1/$2"; file=$1/$2/README.md card=$3 data=$4 header=$5; shift 5
    cat >"$file" <<EOF
### GPU配置与运行信息参考
#### 环境配置
- ##### 硬件环境
    - 机器型号: /
    - 加速卡型号: $card
- ##### 软件环境
   - OS版本：Ubuntu 20.04

### 运行情况

* 通用指标

| 指标名称 | 指标值 | 特殊说明 |
| -------- | ------ | -------- |
| 数据集   | $data  |          |

* 性能指标

| 配置 | $header |
| ---- |$(echo "$header" | sed 's/[^|]//g; s/|/ --- |/g') --- |
EOF
    for row in "$@"; do echo "| $row |" >>"$file"; done
}
rules() { # RULE PAGE…: "severity vendor/case" of the findings
    rule=$1; shift
    "$FPREPORT" verify --records "$top/records" --format json "$@" 2>/dev/null |
        jq -r ".runs[] | .id as \$id | .findings[] | select(.rule == \"$rule\") | \"\(.severity) \(\$id)\"" | sort | tr '\n' ';'
}
is() { [ "$2" = "$3" ] && ok "$1" || { not_ok "$1"; echo "# found $2, expected $3"; }; }

rates='e2e_time | p_whole | p_train | p_core'
page nvidia resnet50-pytorch "NVIDIA A100-SXM4-40GB" ImageNet "$rates" "A100单机8卡（1x8） | 28661 | 4475 | 4586 | 4659"
page nvidia retinanet-pytorch "NVIDIA A100-SXM4-40GB" coco2017 "$rates" "A100单机8卡（1x8） | 28661 | 4475 | 4586 | 4659"
page metax retinanet-pytorch "曦云C500 64G" coco2017 "$rates" "C500单机8卡（1x8） | 28661 | 4475 | 4586 | 4659" "C500单机8卡（1x8） | 28660 | 4475 | 4586 | 4659"
is "one page alone" "$(rules FP1016 nvidia/resnet50-pytorch/README.md)" ""
is "the same page twice" "$(rules FP1016 nvidia/resnet50-pytorch/README.md nvidia/resnet50-pytorch/README.md)" ""
is "two models of one vendor with one run's figures" \
    "$(rules FP1016 nvidia/resnet50-pytorch/README.md nvidia/retinanet-pytorch/README.md)" \
    "error nvidia/resnet50-pytorch;error nvidia/retinanet-pytorch;"
is "another vendor's figures, but for the row with a digit of its own" \
    "$(rules FP1016 nvidia/resnet50-pytorch/README.md metax/retinanet-pytorch/README.md)" \
    "warning metax/retinanet-pytorch;warning nvidia/resnet50-pytorch;"
sed -i 's/| 4475 | 4586 | 4659 |/| \/ | \/ | 4659 |/' nvidia/*/README.md
is "two figures may be the same" "$(rules FP1016 nvidia/resnet50-pytorch/README.md nvidia/retinanet-pytorch/README.md)" ""

for v in "nvidia A100 4.65" "iluvatar BI-V150 4.31" "metax C500 6.84"; do
    set -- $v
    page "$1" madeup_7b-deepspeed "$2" / "token/p/s | loss" "$2单机8卡（1x8） | 1000.$(printf %d "'$1") | $3"
done
is "a loss beside those of two other pages" "$(rules FP2020 */madeup_7b-deepspeed/README.md)" "warning metax/madeup_7b-deepspeed;"
is "beside none" "$(rules FP2020 metax/madeup_7b-deepspeed/README.md)" ""
for v in "nvidia A100 0.916" "iluvatar BI-V150 92.0" "mthreads S4000 91.4%" "metax C500 0.0916"; do
    set -- $v
    page "$1" distilbert-pytorch "$2" SST-2 "e2e_time | acc" "$2单机8卡（1x8） | 10$(printf %d "'$1") | $3"
done
is "a score beside ratios and percentages" "$(rules FP2025 */distilbert-pytorch/README.md)" "warning metax/distilbert-pytorch;"

page ascend resnet50-mindspore Ascend901A ImageNet "$rates" "单机8卡（1x8） | 1 | 2 | 3 | 4"
is "two digits exchanged" "$(rules FP3019 ascend/resnet50-mindspore/README.md)" "warning ascend/resnet50-mindspore;"
for card in "Atla s800T A2" "Atlas 800T A2" "Atlas800T A2" "Atlas 800TA2" "Ascend 910B"; do
    page ascend vit-pytorch "$card" ImageNet "$rates" "单机8卡（1x8） | 1 | 2 | 3 | 4"
    [ "$card" = "Atla s800T A2" ] && want="warning ascend/vit-pytorch;" || want=
    is "the card '$card'" "$(rules FP3019 ascend/vit-pytorch/README.md)" "$want"
done
page metax bigtransfer-pytorch "曦云C500 64G" coco2017 "mAP" "C500单机8卡（1x8） | 0.83"
is "another task's data and score" "$(rules FP3018 metax/bigtransfer-pytorch/README.md)" "warning metax/bigtransfer-pytorch;warning metax/bigtransfer-pytorch;"
page metax bigtransfer-pytorch "曦云C500 64G" "Imagenet2012 1K" "final_acc1" "C500单机8卡（1x8） | 0.83"
is "its own" "$(rules FP3018 metax/bigtransfer-pytorch/README.md)" ""

# The older table.
older() {
    mkdir -p iluvatar/cpm-pytorch; file=iluvatar/cpm-pytorch/README.md
    printf '%s\n' '### 环境配置' '- ##### 硬件环境' '    - 加速卡型号: Iluvatar BI-V100 32GB' '' '### 运行情况' \
        '| 训练资源 | 配置文件 | 运行时长(s) | 目标精度 | 收敛精度 | Steps数 | 性能(samples/s) |' '| --- | --- | --- | --- | --- | --- | --- |' "$@" >"$file"
}
one='| 单机1卡 | config_BI-V100x1x1 | 2016.20 | 0.8 | 0.8041 | 4375 | 77.65 |'
older "$one" '| 2机16卡 | config_BI-V100x2x8 | 216.20 | 0.8 | 0.8041 | 4371 | 1177.65 |'
is "an older table, its total in words" "$(rules FP2015 iluvatar/cpm-pytorch/README.md)$(rules FP3008 iluvatar/cpm-pytorch/README.md)$(rules FP2006 iluvatar/cpm-pytorch/README.md)" ""
older "$one" '| 单机8卡 | config_BI-Vx1x8 | 316.20 | 0.92 | 0.9241 | 4371 | 577.65 |'
is "a card cut short" "$(rules FP3008 iluvatar/cpm-pytorch/README.md)" "warning iluvatar/cpm-pytorch;"
is "two targets" "$(rules FP2008 iluvatar/cpm-pytorch/README.md)" "notice iluvatar/cpm-pytorch;"
older "$one" '' 'another model' '' '| 训练资源 | 配置文件 | 运行时长(s) | 目标精度 | 收敛精度 | Steps数 | 性能(samples/s) |' '| --- | --- | --- | --- | --- | --- | --- |' "$one"
is "a second table with the figures of the first" "$(rules FP1011 iluvatar/cpm-pytorch/README.md)" "error iluvatar/cpm-pytorch;"

mkdir empty
"$FPREPORT" verify --records empty ascend/vit-pytorch/README.md nvidia/resnet50-pytorch/README.md >out 2>err
check "without records those that come with fpreport are taken, and said" grep -q "not in the project's records, those that come with fpreport .* were taken" out
"$FPREPORT" verify --records empty nvidia/resnet50-pytorch/README.md >out 2>err
check "and fail nothing" grep -q 'nvidia/resnet50-pytorch: unverified' out
"$FPREPORT" verify --records empty --only FP1001 nvidia/resnet50-pytorch/README.md >out 2>err
check "rules that need none say nothing" sh -c '! grep -q "no records" err'
"$FPREPORT" verify --records "$top/records" nvidia/resnet50-pytorch/README.md >out 2>err
check "nor where there are records" sh -c '! grep -q "no records" err'
plan_done
