#!/bin/bash
# check.sh FOLDER [GPUS]: the tests that need NVIDIA GPUs, from the programs in FOLDER (`make
# gpu-tests` leaves them in build/default/tests/gpu). TAP; needs no more than CUDA, NCCL and cuDNN.
set -u
cd "$1" || exit 1
gpus=${2:-$(nvidia-smi -L | wc -l)}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0 failed=0

tell() { # OK? DESCRIPTION
    n=$((n + 1))
    if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); fi
}

# A program that speaks TAP itself counts as one test; what failed in it is shown.
program() {
    "./$1" >"$tmp/out" 2>&1
    code=$?
    grep -v '^ok' "$tmp/out" | grep -v '^1\.\.'
    tell $code "$1: $(grep -c '^ok' "$tmp/out") of $(grep -cE '^(not )?ok' "$tmp/out")"
}

train() { # OUT ARGUMENTS…: one process
    out=$1
    shift
    ./train_shape "$@" >"$tmp/$out" 2>"$tmp/err" || cat "$tmp/err"
}

ranks() { # OUT N ARGUMENTS…: N of them, each on its own GPU
    out=$1 world=$2
    shift 2
    export MASTER_ADDR=127.0.0.1 MASTER_PORT=$((20000 + RANDOM % 20000)) WORLD_SIZE=$world
    export LOCAL_WORLD_SIZE=$world
    for r in $(seq 1 $((world - 1))); do
        RANK=$r LOCAL_RANK=$r ./train_shape "$@" >/dev/null 2>>"$tmp/err" &
    done
    RANK=0 LOCAL_RANK=0 ./train_shape "$@" >"$tmp/$out" 2>>"$tmp/err" || cat "$tmp/err"
    wait
    unset WORLD_SIZE LOCAL_WORLD_SIZE MASTER_ADDR MASTER_PORT
}

# Mean relative difference of two loss curves from step 21 on, and whether it is below a limit.
aligned() { # A B LIMIT DESCRIPTION
    awk -F, -v limit="$3" 'NR == FNR { a[$1] = $2; next }
        $1 ~ /^[0-9]+$/ && $1 > 20 && $1 in a { d = ($2 - a[$1]) / a[$1]; s += d < 0 ? -d : d; n++ }
        END { printf "%.2e over %d steps", n ? s / n : 1, n; exit !(n >= 50 && s / n < limit) }' \
        "$tmp/$1" "$tmp/$2" >"$tmp/figure"
    tell $? "$4: $(cat "$tmp/figure"), below $3"
}

same_end() { # A B DESCRIPTION: the same final weights
    a=$(grep -o '"sha256": "[0-9a-f]*"' "$tmp/$1") b=$(grep -o '"sha256": "[0-9a-f]*"' "$tmp/$2")
    [ -n "$a" ] && [ "$a" = "$b" ]
    tell $? "$3"
}

echo "# $(nvidia-smi -L | head -n 1 | sed 's/ (UUID.*//'), $gpus of them used"
program test_device
program test_attention_cudnn
program test_model

train cpu cpu fp32 none steps=100
for p in fp32 tf32 bf16 fp16; do train $p 0 $p none steps=100 choices=fixed; done
aligned fp32 cpu 1e-4 "fp32 on the GPU against the processor, 100 steps"
aligned tf32 fp32 2e-3 "tf32 against fp32"
aligned fp16 fp32 2e-3 "fp16 against fp32"
aligned bf16 fp32 1e-2 "bf16 against fp32 (the rule: 2e-2)"
train bf16.2 0 bf16 none steps=100 choices=fixed
same_end bf16 bf16.2 "bf16 twice: the same weights to the bit"
train bf16.3 0 bf16 full steps=100 choices=fixed
same_end bf16 bf16.3 "bf16 with full recomputation: the same weights to the bit"
train timed 0 bf16 none steps=50 choices="$tmp/choices"
train timed.2 0 bf16 none steps=50 choices="$tmp/choices"
same_end timed timed.2 "timed products, repeated from their record: the same weights to the bit"

for world in 2 4 8; do
    [ "$world" -le "$gpus" ] || continue
    train one 0 fp32 none steps=100 choices=fixed micro_batch=8
    for level in 0 1 2; do
        ranks "$world.$level" "$world" 0 fp32 none steps=100 choices=fixed \
            micro_batch=$((8 / world)) zero=$level
        aligned "$world.$level" one 1e-4 "fp32 on $world GPUs, ZeRO-$level, against one"
    done
    ranks again "$world" 0 bf16 none steps=50 choices=fixed micro_batch=$((8 / world)) zero=1
    ranks again.2 "$world" 0 bf16 none steps=50 choices=fixed micro_batch=$((8 / world)) zero=1
    same_end again again.2 "bf16 on $world GPUs twice: the same weights to the bit"
done
echo "1..$n"
echo "$((n - failed)) passed, $failed failed"
[ $failed -eq 0 ]
