#!/bin/bash
# check.sh FOLDER [GPUS [PART …]]: the tests that need NVIDIA GPUs, from the programs in FOLDER
# (`make gpu-tests` leaves them in build/default/tests/gpu). TAP, the cheap parts first, each test
# with a limit of time; the last line says how many passed, failed and were skipped.
#
# Parts:
#   operations  every operation of device.h: crafted inputs, and beside the processor's; one model
#   ranks       gradients of one model on 1, 2, 4, 8 GPUs, every level of ZeRO, fp32
#   curves      100 steps: formats, recomputations and numbers of ranks against each other
#   pytorch     the same 100 steps by PyTorch, from safetensors that the trainer wrote
#   repeat      fptrain twice, 50 steps, on one GPU and on all: the same bits
#   checkpoints fptrain's steps resumed from a checkpoint: the same bits (checkpoint.sh)
#   sanitizer   compute-sanitizer: memcheck, racecheck; initcheck as a notice
#   readme      the commands of README.md's section on GPUs, the long ones stopped after two steps
#
# Needs CUDA, NCCL and cuDNN; PyTorch, compute-sanitizer and mpirun for their parts. fptrain is
# FOLDER's, or else the one that `make fptrain` leaves beside README.md. KEEP=DIR keeps what was
# printed by everything that ran.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$1" || exit 1
here=$PWD
gpus=${2:-$(nvidia-smi -L | wc -l)}
shift; [ $# -gt 0 ] && shift
parts=${*:-operations ranks curves pytorch repeat checkpoints sanitizer readme}
tmp=${KEEP:-$(mktemp -d)}
mkdir -p "$tmp"
[ -n "${KEEP:-}" ] || trap 'rm -rf "$tmp"' EXIT
fptrain=$here/fptrain
[ -x "$fptrain" ] || fptrain=$top/fptrain
skipped=0
. "$top/tests/gpu/lib.sh"

skip() { # DESCRIPTION: why it did not run
    n=$((n + 1)) skipped=$((skipped + 1))
    echo "ok $n - # SKIP $1"
}

# A program that speaks TAP itself counts as one test; figures of its largest differences, or what
# failed in it, are shown.
tap() { # NAME STATUS: of what it left in $tmp/NAME
    passed=$(grep -c '^ok' "$tmp/$1") all=$(grep -cE '^(not )?ok' "$tmp/$1")
    grep -vE '^ok|^1\.\.' "$tmp/$1" | head -n 20
    [ "$2" = 124 ] && echo "# out of time"
    [ "$2" = 0 ] && [ "$passed" -gt 0 ] && [ "$passed" = "$all" ]
    tell $? "$1: $passed of $all"
}

# Programs one after the other; where there are GPUs for it, each at once on its own.
programs() { # SECONDS NAME…
    limit=$1 gpu=0 running=
    shift
    for name in "$@"; do
        (
            CUDA_VISIBLE_DEVICES=$gpu timeout "$limit" "./$name" >"$tmp/$name" 2>&1
            echo $? >"$tmp/$name.code"
        ) &
        if [ "$gpus" -ge $# ]; then gpu=$((gpu + 1)) running="$running $!"; else wait $!; fi
    done
    [ -z "$running" ] || wait $running
    for name in "$@"; do tap "$name" "$(cat "$tmp/$name.code")"; done
}

train() { # OUT ARGUMENTS…: one process
    out=$1
    shift
    timeout 60 ./train_shape "$@" >"$tmp/$out" 2>"$tmp/$out.err" || tail -n 5 "$tmp/$out.err"
}

ranks() { # OUT N PROGRAM ARGUMENTS…: N processes, each on its own GPU, by torchrun's variables
    out=$1 world=$2
    shift 2
    (
        export MASTER_ADDR=127.0.0.1 MASTER_PORT=$((20000 + RANDOM % 20000)) WORLD_SIZE=$world
        export LOCAL_WORLD_SIZE=$world
        : >"$tmp/$out.err"
        for r in $(seq 1 $((world - 1))); do
            RANK=$r LOCAL_RANK=$r timeout 60 "$@" >>"$tmp/$out.err" 2>&1 &
        done
        RANK=0 LOCAL_RANK=0 timeout 60 "$@" >"$tmp/$out" 2>>"$tmp/$out.err"
        code=$?
        wait
        [ $code = 0 ] || tail -n 5 "$tmp/$out.err"
        exit $code
    )
}

# Mean relative difference of two loss curves from step 21 on, and whether it is below a limit.
aligned() { # A B LIMIT DESCRIPTION
    awk -F, -v limit="$3" 'NR == FNR { a[$1] = $2; next }
        $1 ~ /^[0-9]+$/ && $1 > 20 && $1 in a { d = ($2 - a[$1]) / a[$1]; s += d < 0 ? -d : d; n++ }
        END { printf "%.2e over %d steps", n ? s / n : 1, n; exit !(n >= 50 && s / n < limit) }' \
        "$tmp/$1" "$tmp/$2" >"$tmp/figure"
    tell $? "$4: $(cat "$tmp/figure"), below $3"
}

# Loss and gradient norm of every step, with all digits, and the SHA-256 of the
# final weights.
bits() { # OUT of train_shape
    sed -nE 's/^([0-9]+,[^,]*,[^,]*),.*/\1/p; s/.*("sha256": "[0-9a-f]{64}").*/\1/p' "$tmp/$1"
}

same_bits() { # A B STEPS DESCRIPTION
    bits "$1" >"$tmp/a" && bits "$2" >"$tmp/b"
    [ "$(wc -l <"$tmp/a")" = $(($3 + 1)) ] && cmp -s "$tmp/a" "$tmp/b"
    tell $? "$4: the same bits of $3 losses, gradient norms and the final weights"
}

# ---- parts -----------------------------------------------------------------------------------------

operations() {
    programs 90 test_exact test_device test_choices test_attention_cudnn test_attention_flash test_model
}

gradients() {
    worlds=1
    for world in 2 4 8; do [ "$world" -le "$gpus" ] && worlds="$worlds $world"; done
    for world in $worlds; do
        ranks gradients.$world "$world" ./test_ranks
        code=$?
        sed -nE 's/^ok [0-9]+ - /# /p' "$tmp/gradients.$world"
        tap gradients.$world $code
    done
    [ "$gpus" -ge 2 ] || skip "gradients on several GPUs: one GPU here"
}

curves() {
    train cpu cpu fp32 none steps=100
    for p in fp32 tf32 bf16 fp16; do train $p 0 $p none steps=100 choices=fixed; done
    aligned fp32 cpu 1e-4 "fp32 on the GPU against the processor, 100 steps"
    aligned tf32 fp32 2e-3 "tf32 against fp32"
    aligned fp16 fp32 2e-3 "fp16 against fp32"
    aligned bf16 fp32 1e-2 "bf16 against fp32 (the rule: 2e-2)"
    for r in selective full; do
        train bf16.$r 0 bf16 $r steps=100 choices=fixed
        same_bits bf16 bf16.$r 100 "bf16 with $r recomputation and without"
    done
    train fp32.8 0 fp32 none steps=100 choices=fixed micro_batch=8
    world=1
    while [ $((2 * world)) -le "$gpus" ] && [ $world -lt 8 ]; do world=$((2 * world)); done
    if [ $world = 1 ]; then skip "100 steps on several GPUs: one GPU here"; return; fi
    for level in 0 1 2; do
        ranks "$world.$level" "$world" ./train_shape 0 fp32 none steps=100 choices=fixed \
            micro_batch=$((8 / world)) zero=$level
        aligned "$world.$level" fp32.8 1e-4 "fp32 on $world GPUs, ZeRO-$level, against one"
    done
}

# A Llama of 19.5 million weights, four queries' heads on two of keys and values each.
SMALL="vocab=2048 layers=6 heads=8 kv_heads=4 hidden=512 ffn=1376 sequence_length=512 micro_batch=8
    steps=100 warmup_steps=10 lr=1e-3 min_lr=1e-4"

pytorch() {
    python3 -c 'import torch' 2>/dev/null || { skip "PyTorch: python3 has no torch"; return; }
    timeout 60 ./dump_start "$tmp/start" $SMALL 2>"$tmp/start.err" || cat "$tmp/start.err"
    for p in fp32 bf16; do train torch.$p 0 $p none $SMALL; done
    train loaded.fp32 0 fp32 none $SMALL steps=2 warmup_steps=1 choices=fixed
    train loaded 0 fp32 none $SMALL steps=2 warmup_steps=1 choices=fixed initial_weights="$tmp/start"
    same_bits loaded.fp32 loaded 2 "weights drawn, and the same read from safetensors"
    timeout 120 python3 "$top/tests/oracle/torch_curve.py" "$tmp/start" fp32="$tmp/torch.fp32":3e-5 \
        bf16="$tmp/torch.bf16":2e-2 >"$tmp/torch_curve" 2>&1
    code=$?
    sed -nE 's/^ok [0-9]+ - /# /p' "$tmp/torch_curve"
    tap torch_curve $code
    rm -rf "$tmp/start"
}

# The case gpu_small for so many ranks: tests/gpu/records with another plan.
case_for() { # N LEVEL
    mkdir -p "$tmp/records"
    cp -r "$top/tests/gpu/records/." "$tmp/records/"
    sed -i "s/\"parallel\": .*,/\"parallel\": {\"data\": $1, \"zero\": $2},/" \
        "$tmp/records/cases/gpu_small.json"
}

fptrain_run() { # NAME LAUNCHER… with the case's arguments behind it
    name=$1
    shift
    timeout 90 "$@" train gpu_small --records "$tmp/records" -o "$tmp/$name" >"$tmp/$name.out" 2>&1 ||
        tail -n 5 "$tmp/$name.out"
}

run_bits() { # NAME: of fptrain's run: losses (step 0, too) and gradient norms as logged, and the weights' SHA-256
    find "$tmp/$1" -name rank0.out.log -exec cat {} + |
        grep -oE '"(loss|grad_norm|weights_sha256)": [^,}]*'
}

same_run() { # A B DESCRIPTION
    run_bits "$1" >"$tmp/a" && run_bits "$2" >"$tmp/b"
    [ "$(wc -l <"$tmp/a")" = 102 ] && cmp -s "$tmp/a" "$tmp/b"
    tell $? "$3: the same bits of 50 losses, gradient norms and the final weights ($(tail -n 1 "$tmp/a" | cut -c 20-31))"
}

repeat() {
    [ -x "$fptrain" ] || { skip "runs repeated: no fptrain here"; return; }
    case_for 1 0
    fptrain_run one "$fptrain"
    fptrain_run one.again "$fptrain" --repeat "$tmp/one"
    same_run one one.again "fptrain, bf16, products timed and repeated, 1 GPU"
    ! grep -q "chosen again\|not all timed\|not computed" "$tmp/one.out" "$tmp/one.again.out"
    tell $? "fptrain: all recorded algorithms were taken, and all were timed"
    [ "$(find "$tmp/one" -name rank0.out.log -exec cat {} + | grep -c '"attention": "cuDNN; forward: ')" = 1 ] &&
        grep -rqE --include='*.json' 'cuBLASLt [0-9.]+, cuDNN [0-9.]+, NCCL [0-9.]+' "$tmp/one"
    tell $? "fptrain: the run says by what attention was computed, and the versions of all libraries"
    sed 's/ multiprocessors/1&/' -i $(find "$tmp/one" -name 'rank0.products.txt')
    fptrain_run one.elsewhere "$fptrain" --repeat "$tmp/one"
    grep -q "chosen again" "$tmp/one.elsewhere.out"
    tell $? "fptrain: algorithms recorded on another card are chosen again, and that is said"
    if [ "$gpus" -lt 2 ]; then skip "runs of several GPUs repeated: one GPU here"; return; fi
    for level in 1 2; do
        case_for "$gpus" $level
        fptrain_run all.$level "$fptrain" --gpus "$gpus"
        fptrain_run all.$level.again "$fptrain" --gpus "$gpus" --repeat "$tmp/all.$level"
        same_run all.$level all.$level.again "fptrain, bf16, $gpus GPUs, ZeRO-$level"
    done
    if ! command -v mpirun >/dev/null; then skip "ranks started by mpirun: it is not here"; return; fi
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    fptrain_run all.mpi mpirun --oversubscribe -n "$gpus" "$fptrain" --repeat "$tmp/all.2"
    same_run all.2 all.mpi "by --gpus $gpus and by mpirun -n $gpus"
}

checkpoints() {
    [ -x "$fptrain" ] || { skip "checkpoints: no fptrain here"; return; }
    several=
    [ "$gpus" -lt 2 ] || several=$gpus
    timeout 150 bash "$top/tests/gpu/checkpoint.sh" "$fptrain" cuda 1 $several >"$tmp/checkpoint" 2>&1
    code=$?
    sed -nE 's/^ok [0-9]+ - /# /p' "$tmp/checkpoint"
    tap checkpoint $code
}

# Two layers, a few steps: every kernel that a training in bf16 runs.
WATCHED="vocab=512 layers=2 heads=4 kv_heads=2 hidden=256 ffn=512 sequence_length=128 micro_batch=2
    steps=3 warmup_steps=1 choices=fixed"

watch() { # NAME TOOL ARGUMENTS…: in the background
    name=$1 tool=$2
    shift 2
    (
        export CUDA_VISIBLE_DEVICES=$((gpus - 1))
        timeout 200 compute-sanitizer --tool "$tool" --error-exitcode 9 --print-limit 100000 \
            "$@" >"$tmp/$name" 2>&1
        echo $? >"$tmp/$name.code"
    ) &
    watching="$watching $!"
}

# racecheck does not know the barriers by which cuDNN's own kernels for this GPU wait for what they
# load (it reports fprop_wgmma and bprop_wgmma against themselves): what it says of kernels named
# cudnn_generated is counted apart. Its own exit code and sum count them too, so neither is asked.
watched() { # NAME DESCRIPTION
    code=$(cat "$tmp/$1.code") sum=$(grep -oE '(ERROR|RACECHECK) SUMMARY: .*' "$tmp/$1" | tail -n 1)
    theirs=$(grep -cE '^=+ (Error|Warning): Race .*cudnn_generated' "$tmp/$1")
    grep -E '^=+ (Error|Warning|Invalid|Race|Program|    *at )' "$tmp/$1" | grep -v cudnn_generated |
        sort | uniq -c | sort -rn | head -n 8 >"$tmp/ours"
    cat "$tmp/ours"
    [ "$theirs" = 0 ] || sum="no error outside of cuDNN's own kernels ($theirs reported within)"
    if [ "$code" = 9 ] && [ "$theirs" -gt 0 ]; then code=0; fi
    [ "$code" = 0 ] || tail -n 3 "$tmp/$1"
    [ "$code" = 0 ] && [ -n "$sum" ] && [ ! -s "$tmp/ours" ] && grep -q '"sha256"\|^1\.\.' "$tmp/$1"
    tell $? "$2: ${sum:-no summary, exit $code}"
}

# Where there are several GPUs this runs on the last of them beside all other parts.
watching=
sanitizer_start() {
    command -v compute-sanitizer >/dev/null || return
    for attention in cudnn flash; do
        for tool in memcheck racecheck; do
            watch "$tool.$attention" "$tool" ./train_shape 0 bf16 none $WATCHED attention=$attention
        done
    done
    for tool in memcheck racecheck; do
        watch "$tool.heads" "$tool" ./test_attention_flash small
    done
    watch memcheck.exact memcheck ./test_exact
    watch initcheck initcheck ./train_shape 0 bf16 none $WATCHED attention=flash
}

sanitizer() {
    command -v compute-sanitizer >/dev/null || { skip "compute-sanitizer is not here"; return; }
    [ -n "$watching" ] || sanitizer_start
    wait $watching
    for attention in cudnn flash; do
        for tool in memcheck racecheck; do
            watched "$tool.$attention" "$tool, 3 steps in bf16, attention by $attention"
        done
    done
    for tool in memcheck racecheck; do
        watched "$tool.heads" "$tool, our own attention, heads 64 and 128 wide, both 16-bit formats"
    done
    watched memcheck.exact "memcheck, every operation in every format"
    echo "# initcheck: $(grep -oE 'ERROR SUMMARY: .*' "$tmp/initcheck" | tail -n 1)"
}

# One command of the README, stopped once two steps are logged.
readme_command() { # WORDS OF IT…
    command=$*
    out="$tmp/readme.$n"
    (cd "$top" && exec setsid timeout --foreground -s KILL 100 "$@" -o "$out") >"$out.out" 2>&1 &
    pid=$!
    for _ in $(seq 1 180); do
        steps=$(find "$out" -name rank0.out.log -exec grep -c STEP_END {} + 2>/dev/null)
        [ "${steps:-0}" -ge 2 ] && break
        kill -0 $pid 2>/dev/null || break
        sleep 0.5
    done
    kill -TERM $pid 2>/dev/null # which passes it on, once
    wait $pid
    waited=$SECONDS
    while pgrep -f -- "-o $out" >/dev/null && [ $((SECONDS - waited)) -lt 40 ]; do sleep 0.5; done
    left=$(pgrep -f -- "-o $out")
    waited=$((SECONDS - waited))
    [ -z "$left" ] || kill -KILL $left
    memory=$(grep -o 'memory.*' "$out.out" | head -n 1)
    [ "${steps:-0}" -ge 2 ] || tail -n 5 "$out.out"
    [ "${steps:-0}" -ge 2 ] && [ -n "$memory" ] && [ -z "$left" ]
    tell $? "README: $command: ${steps:-0} steps, then stopped, all gone after $waited s${left:+, but $left}; $memory"
}

# The records for a machine with fewer GPUs than a case is for: the case says as many as are here.
for_fewer() { # GPUS OF THE CASES
    mkdir -p "$tmp/fewer"
    cp -r "$top/records/." "$tmp/fewer/"
    sed -i "s/\"data\": $1,/\"data\": $gpus,/" "$tmp/fewer"/cases/*-native-*.json
}

readme_make() {
    if [ -f "$top/Makefile" ] && type nvcc make pkg-config >/dev/null 2>&1 && pkg-config --exists openblas libcrypto libcjson libjpeg libpng; then
        timeout 300 make -s -C "$top" fptrain >"$tmp/make.out" 2>&1
        tell $? "README: make fptrain"
    else
        skip "README: make fptrain: no nvcc, make, or library to build it with here"
    fi
}

readme() {
    readme_make
    [ -x "$fptrain" ] || { skip "README's commands: no fptrain here"; return; }
    [ -x "$top/fptrain" ] || { ln -sf "$fptrain" "$top/fptrain" && ln -sf "$here/libcjson.so.1" "$top/"; }
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    [ ! -x "$top/fpreport" ] || echo "./fpreport train llama2_7b-native" >"$tmp/handed"
    sed -nE '/^## On a machine with GPUs/,/^## What/s/^((\.\/fptrain|mpirun) [^#]*).*/\1/p' "$top/README.md" |
        sort -r | cat - "$tmp/handed" 2>/dev/null >"$tmp/commands"
    while read -r -a words <&3; do
        want=$(grep -oE '(--gpus|-n) [0-9]+' <<<"${words[*]}" | grep -oE '[0-9]+')
        if ! command -v "${words[0]}" >/dev/null && [ ! -x "$top/${words[0]}" ]; then
            skip "README: ${words[*]}: no ${words[0]} here"
        elif [ "${want:-1}" -le "$gpus" ]; then
            readme_command "${words[@]}"
        elif [ "$gpus" -ge 2 ]; then
            for_fewer "$want"
            readme_command "${words[@]/#$want/$gpus}" --records "$tmp/fewer"
        else
            skip "README: ${words[*]}: $gpus GPU here"
        fi
    done 3<"$tmp/commands"
}

# ---- all of them -----------------------------------------------------------------------------------

echo "# $(nvidia-smi -L | head -n 1 | sed 's/ (UUID.*//'), $gpus of them used"
if [ "$gpus" -ge 2 ] && [[ " $parts " == *" sanitizer "* ]]; then sanitizer_start; fi
for part in $parts; do
    began=$SECONDS
    case $part in
    operations | curves | pytorch | repeat | checkpoints | sanitizer | readme) $part ;;
    ranks) gradients ;;
    *) echo "no part $part" >&2; exit 2 ;;
    esac
    echo "# $part: $((SECONDS - began)) s"
done
echo "1..$n"
echo "$((n - failed - skipped)) passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
