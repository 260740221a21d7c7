#!/bin/sh
# FP4006: the environment of a run by all who say it (verifier/proofs/agreement.h), in text, JSON and pages.
. "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1
records=$top/records
archive=$(ls "$records"/evidence/fpreport/llama2_7b-native-4-run*.tar.zst)
mkdir run && tar -C run --zstd -xf "$archive" && rm run/SHA256SUMS || exit 1

# change FILE SED: a sealed copy of the run in which one file says something else
change() {
    rm -rf other other.tar.zst && cp -R run other
    sed -i "$2" other/*/*/*/"$1"
    "$FPREPORT" -q collect --force --records "$records" other -o other.tar.zst >/dev/null
    "$FPREPORT" verify --records "$records" -v --only FP4006 other.tar.zst >out 2>&1
}
# finds TEXT: exactly one field differs, and this is what is said of it
finds() {
    grep ': error: .*\[FP4006\]$' out >found
    if [ "$(grep -c . found)" -eq 1 ] && grep -qF -- "error: $1 [FP4006]" found; then ok "$1"; else
        not_ok "$1"; sed 's/^/# /' out
    fi
}
change rank0.out.log ''
check "a run as it is" test "$(grep -c 'PASS: .* agrees: ' out)" -ge 7
grep -q 'differs' out && not_ok "nothing differs" || ok "nothing differs"
change fingerprint.json 's/580\.159\.04/550.90.07/'
finds "driver differs: sys_info.log says '580.159.04', fingerprint says '550.90.07'"
change rank0.out.log '1s/^/| NVIDIA-SMI 535.54.03    Driver Version: 535.54.03    CUDA Version: 13.0     |\n/'
finds "driver differs: log says '535.54.03', sys_info.log says '580.159.04', fingerprint says '580.159.04'"
change rank0.out.log '1s/^/| NVIDIA-SMI 580.159      Driver Version: 580.159      CUDA Version: 12.2     |\n/'
finds "runtime of the driver differs: log says '12.2', fingerprint says '13.0'"
change rank0.out.log '1s/"ranks": 4/"ranks": 8/'
finds "number of ranks differs: log says '8', run says '4'"
change rank0.out.log '1s/"precision": "bf16"/"precision": "fp16"/'
finds "precision differs: log says 'fp16', run says 'bf16'"
change rank0.out.log '1s/^/GPU 0: NVIDIA H800 (UUID: GPU-0)\n/'
finds "accelerator differs: log says 'NVIDIA H800', sys_info.log says 'NVIDIA H200', fingerprint says 'NVIDIA H200'"
change fingerprint.json '/accelerator_count/s/"4"/"2"/'
finds "number of cards differs: monitor says '4', fingerprint says '2', run says '4'"
change fingerprint.json '/accelerator_memory/s/143771/81559/'
finds "memory of a card (MiB) differs: monitor says '143771', fingerprint says '81559'"
# What agrees without being the same does not read as if it differed.
reads() { check "$1" grep -qF -- "PASS: $1" out; }
change fingerprint.json '/accelerator_count/s/"4"/"8"/'
reads "number of cards is consistent, because a run may use fewer cards than the machine has: monitor says '4', fingerprint says '8', run says '4' [FP4006]"
change fingerprint.json '/accelerator_memory/s/143771/143000/'
reads "memory of a card (MiB) agrees within 10 %: monitor says '143771', fingerprint says '143000'"
change fingerprint.json '/"os"/s/Ubuntu 24.04.3 LTS/Ubuntu 24.04.3/'
reads "operating system agrees (worded differently): sys_info.log says 'Ubuntu 24.04.3 LTS', fingerprint says 'Ubuntu 24.04.3'"
change fingerprint.json '/"os"/s/24.04.3 LTS/24.04 LTS/'
reads "operating system agrees (worded differently): sys_info.log says 'Ubuntu 24.04.3 LTS', fingerprint says 'Ubuntu 24.04 LTS'"
change fingerprint.json 's/"NVIDIA H200"/"NVIDIA H20"/'
finds "accelerator differs: sys_info.log says 'NVIDIA H200', fingerprint says 'NVIDIA H20'"
change fingerprint.json '/"os"/s/24.04.3/22.04.1/'
finds "operating system differs: sys_info.log says 'Ubuntu 24.04.3 LTS', fingerprint says 'Ubuntu 22.04.1 LTS'"
# On the processor ranks are no cards; but a row of a card is none of such a run.
on_processor() { # FILE SED, as change
    rm -rf cpu && cp -R run cpu && mv cpu/*:cuda:1:4:1 "cpu/llama2_7b-native-4:fpreport_0.1.0:cpu:1:4:1" || return
    sed -i 's/:cuda:1:4:1/:cpu:1:4:1/' cpu/run.json
    sed -i "$2" cpu/*/*/*/"$1"
    "$FPREPORT" -q collect --force --records "$records" cpu -o cpu.tar.zst >/dev/null
    "$FPREPORT" verify --records "$records" -v --only FP4006 cpu.tar.zst >out 2>&1
}
on_processor fingerprint.json '/accelerator_count/s/"4"/"1"/'
grep -q 'differs' out && not_ok "four ranks on the processor of a machine with one card" || ok "four ranks on the processor of a machine with one card"
mkdir processor && cp -R "$records"/* processor/ && cp cpu.tar.zst "processor/evidence/fpreport/cpu.tar.zst" || exit 1
record=processor/results/fpreport/llama2_7b-native-4.json
jq --arg sha "$(sha256sum <cpu.tar.zst | cut -d' ' -f1)" '.evidence[0].archive = "evidence/fpreport/cpu.tar.zst" | .evidence[0].sha256 = $sha' \
    "$records/results/fpreport/llama2_7b-native-4.json" >$record
"$FPREPORT" verify --records processor -v --only FP4006 $record >out 2>&1
finds "accelerator differs: sys_info.log says 'NVIDIA H200', fingerprint says 'NVIDIA H200', run says 'cpu', record says 'NVIDIA H200'"
# What a word of a log must not do.
change rank0.out.log '1s/^/Driver Version: \x1b]0;x\x07580\nparams_dtype ... \nGPU 0: \n/'
grep -q 'differs' out && not_ok "controls, empty values" || ok "controls, empty values"

# A record: the line of what it says, in text, JSON and on both pages.
ln -s "$top/templates" templates
cp -R "$records" rec
sed -i 's/580\.159\.04/535.54.03/' rec/results/fpreport/llama2_7b-native-4.json
at=$(grep -n 535.54.03 rec/results/fpreport/llama2_7b-native-4.json | head -n 1 | cut -d: -f1)
"$FPREPORT" verify --records rec --format json fpreport/llama2_7b-native-4 >doc.json 2>err
says="sys_info.log says '580.159.04', fingerprint says '580.159.04', record says '535.54.03'"
check "a record that says otherwise" jq -e --arg m "driver differs: $says" --argjson at "$at" '.runs[0] | .state == "failed" and
    ([.findings[] | select(.rule == "FP4006")] | length == 1 and .[0].message == $m and (.[0].line | . <= $at and . > $at - 3)
     and .[0].stated == "535.54.03" and .[0].expected == "580.159.04")' doc.json
check "field by field in JSON" jq -e '.runs[0].evidence[0].environment | length == 14 and
    ([.[] | select(.outcome == "FAIL")] == [{"field": "driver", "outcome": "FAIL", "said": [
       {"by": "sys_info.log", "value": "580.159.04", "differs": false},
       {"by": "fingerprint", "value": "580.159.04", "differs": false},
       {"by": "record", "value": "535.54.03", "differs": true}]}])' doc.json
"$FPREPORT" build -q --records rec -o site >/dev/null 2>&1
for l in zh en; do
    page=site/$l/result/fpreport/llama2_7b-native-4/index.html
    check "$l: the page marks it" grep -q '<tr class="differs"><th scope="row">.*≠.*<strong class="outcome fail"><i aria-hidden="true">≠</i> <span lang="en">535.54.03</span></strong>' $page
    check "$l: and only that" test "$(grep -c '<strong class="outcome fail">' $page)" -eq 1
done
check "zh: it is said in Chinese" sh -c "sed 's/<[^>]*>//g' site/zh/result/fpreport/llama2_7b-native-4/index.html |
    grep -qE '驱动不一致：sys_info.log ?写的是“580.159.04”，指纹写的是“580.159.04”，记录写的是“535.54.03”'"
tr -d '\r' <site/result/fpreport/llama2_7b-native-4/agreement.csv >site/result/fpreport/llama2_7b-native-4/agreement.csv.lf
check "the table is there for programs" grep -qx '1.1,driver,FAIL,not stated,580.159.04,not stated,580.159.04,not stated,535.54.03' site/result/fpreport/llama2_7b-native-4/agreement.csv.lf

# As many bullets as are looked at, each as long as a page may have them: the list of them is made once, or
# whoever reads the evidence has no memory left, and nothing is said.
jq --arg long "$(head -c 4000 /dev/zero | tr '\0' y)" '.environments[0].groups[1].items += [range(900) | {label: "OS版本", value: ("Ubuntu 24.04.3 " + $long)}]' \
    "$records/results/fpreport/llama2_7b-native-4.json" >rec/results/fpreport/llama2_7b-native-4.json
"$FPREPORT" verify -v --records rec --only FP4006 fpreport/llama2_7b-native-4 >out 2>&1
check "3.6 MB of bullets" grep -q 'PASS: operating system agrees (worded differently): ' out

# Frameworks and their commits, of trees that others wrote.
python3 "$top/tests/data/make_trees.py" . >/dev/null || exit 1
log=$(ls deepspeed/*/*/*/rank0.log.txt | head -n 1)
tree() { # LINE…: the tree with these lines in its log, against a row of its case
    cp -R deepspeed with && printf '%s\n' "$@" >"with/${log#deepspeed/}" && cat "$log" >>"with/${log#deepspeed/}"
    "$FPREPORT" verify --records "$records" -v --only FP4006 with --against nvidia/baichuan2_13b-deepspeed#1.2 >out 2>&1
    rm -r with
}
tree '[INFO] [logging.py:96:log_dist] [Rank 0] DeepSpeed info: version=0.9.2, git-hash=unknown, git-branch=unknown'
finds "framework differs: log says 'deepspeed 0.9.2', record says 'deepspeed 0.11.1'"
tree '[Rank 0] DeepSpeed info: version=0.11.1, git-hash=unknown' 'PyTorch version: 2.1.0'
check "the framework that the record names" grep -qF "PASS: framework agrees: log says 'deepspeed 0.11.1', record says 'deepspeed 0.11.1' [FP4006]" out
tree 'PyTorch version: 2.1.0'
grep -q 'framework' out && not_ok "another framework is not compared" || ok "another framework is not compared"
tree 'using world size: 32, data-parallel-size: 32, tensor-model-parallel size: 1'
finds "number of ranks differs: log says '32', run says '16', record says '16'"
tree '  params_dtype .................................... torch.bfloat16'
grep -q 'precision differs' out && not_ok "torch.bfloat16 is bf16" || ok "torch.bfloat16 is bf16"
plan_done
