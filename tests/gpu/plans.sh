#!/bin/bash
# plans.sh FOLDER OUT [PART …]: plans of ranks, adapters and Baichuan on four GPUs of one host: whether
# they train what one processor trains, and how fast beside PyTorch.
# plans.sh pack FILE [PEERS]: what FOLDER holds, as one file for a machine that can fetch nothing.
#
# FOLDER holds what `pack` put together: fptrain, libcjson.so.1, the programs of `make gpu-tests`, and
# PEERS, PyTorch's side (torch_tp.py, torch_llama.py, torch_lora.py, torch_baichuan.py, common.py).
#
# Parts, in this order where none is named; each has a limit of time, and one that fails stops no other:
#   tiny        tiny_gqa, tiny_lora and tiny_baichuan under every kind of plan: the processor's losses
#   operations  every operation of device.h beside the processor's, and test_ranks
#   stage10 pp4 pp4vp2 tp2pp2 tp4 70b8 13b 7b zero1 zero2 zero3 baichuan lora
#               ours, then PyTorch, on the same GPUs; the peer is left out where ours gave no figure
#
# Nothing begins behind END seconds (530). OUT gets said.txt, figures.txt and logs.tar.gz, which are
# whole behind every part. PEER=no leaves PyTorch out, PEER=only leaves ours out.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/gpu/lib.sh"

pack() { # FILE [PEERS]
    folder=$(mktemp -d)
    mkdir "$folder/gpu"
    make -s -C "$top" fptrain gpu-tests || return 2
    for program in "$top"/fptrain "$top"/build/default/tests/gpu/{test_*,train_*,dump_start}; do
        if [ -x "$program" ]; then strip -o "$folder/gpu/${program##*/}" "$program"; fi
    done
    cp "$top/libcjson.so.1" "$folder/gpu/"
    [ -z "${2:-}" ] || cp -r "$2" "$folder/gpu/peers"
    tar -C "$folder" -cf - gpu | xz -T1 -1 >"$1"
    rm -rf "$folder"
    ls -l "$1"
}
if [ "$1" = pack ]; then
    pack "${@:2}"
    exit
fi

folder=$(cd "$1" && pwd) out=$(mkdir -p "$2" && cd "$2" && pwd)
shift 2
END=${END:-530}
GPUS=$(nvidia-smi -L | wc -l)
PEER=${PEER:-}
tmp=$(mktemp -d)
logs=$tmp/logs
mkdir "$logs"
trap 'rm -rf "$tmp"' EXIT
export TORCHINDUCTOR_CACHE_DIR=/tmp/inductor PYTHONUNBUFFERED=1 OMP_NUM_THREADS=8 HF_HUB_OFFLINE=1
exec > >(tee "$out/said.txt") 2>&1

kept() { # what there is so far
    tar -C "$tmp" -czf "$out/.logs" logs && mv "$out/.logs" "$out/logs.tar.gz"
}

late() { # NAME: is it too late to begin?
    [ $SECONDS -ge "$END" ] && echo "# $1: not begun, $SECONDS s are gone"
}

# What runs at once (a bare `wait` would wait for tee, too).
beside_pids=()
beside() { beside_pids+=("$1"); }
all_beside() { wait "${beside_pids[@]}"; beside_pids=(); }

# One program: its log is logs/NAME, its exit status the result.
limited() { # SECONDS NAME COMMAND…
    local limit=$1 name=$2 began=$SECONDS code
    shift 2
    timeout -k 15 "$limit" "$@" >"$logs/$name" 2>&1
    code=$?
    echo "# $name: exit $code after $((SECONDS - began)) s"
    [ $code = 0 ] || { grep -aE 'error|Error|NCCL WARN|rank [0-9]+' "$logs/$name" | tail -n 6; tail -n 3 "$logs/$name"; } | cut -c1-300 | sed 's/^/#   /'
    return $code
}

# ---- the cases -------------------------------------------------------------------------------------

rec=$tmp/records
mkdir "$rec"
cp -r "$top/records/cases" "$top/records/models" "$top/records/accelerators" "$rec/"
cp "$top"/tests/gpu/records/cases/*.json "$rec/cases/"
cp "$top"/tests/gpu/records/models/*.json "$rec/models/"

slice_of_70b() { # ID LAYERS VOCABULARY
    cat >"$rec/models/$1.json" <<MODEL
{"schema": "fpreport.model/1", "id": "$1", "name": "$1", "nominal_parameters": ${2}e9,
 "shape": {"vocabulary": $3, "layers": $2, "hidden": 8192, "heads": 64, "kv_heads": 8, "ffn": 28672, "context": 4096}}
MODEL
}

# One to measure: MORE are members of the case.
bench_case() { # ID MODEL PRECISION LENGTH MICRO-BATCH ACCUMULATION STEPS RECOMPUTE PARALLEL [MORE]
    cat >"$rec/cases/$1.json" <<CASE
{"schema": "fpreport.case/1", "id": "$1", "title": {"zh": "$1"}, "model": "$2", "trainer": "native",
 "data": {"kind": "generated"}, "sequence_length": $4, "micro_batch": $5, "gradient_accumulation": $6, "steps": $7,
 "seed": 1234, "precision": "$3", "recompute": "$8", "parallel": {$9}, "report": {"warmup_steps": 3, "throughput": "mean"},
 "optimizer": {"learning_rate": 1e-4, "min_learning_rate": 1e-5, "warmup_steps": 2}${10:+, ${10}}}
CASE
}

log_of() { cat "$tmp/runs/$1"/run*/*/*/*/rank0.out.log 2>/dev/null; }

train() { # SECONDS NAME CASE OPTION…: a run; its rank 0's log beside what was said
    local limit=$1 name=$2 code
    shift 2
    limited "$limit" "$name" "$folder/fptrain" train -v --no-measure --records "$rec" -o "$tmp/runs/$name" "$@"
    code=$?
    log_of "$name" >"$logs/$name.rank0"
    cp "$tmp/runs/$name"/run*/run.json "$logs/$name.run.json" 2>/dev/null
    return $code
}

# Median behind the third step, as tokens/s of each GPU.
figure() { # NAME GPUS
    log_of "$1" | grep STEP_END | sed -E 's/.*"loss": ([-0-9.e]*|nan).*"step_time_s": ([0-9.e-]*), "tokens": ([0-9]*).*/\1 \2 \3/' |
        awk -v name="$1" -v gpus="$2" 'NR == 1 { first = $1 } { last = $1; tokens = $3 } NR > 3 { t[++n] = $2 }
            END { if (!n) exit 1
                for (i = 2; i <= n; i++) for (k = i; k > 1 && t[k - 1] > t[k]; k--) { x = t[k]; t[k] = t[k - 1]; t[k - 1] = x }
                m = t[int((n + 1) / 2)]
                printf "OURS %s: %.1f tokens/s a GPU, %.4f s a step (%.4f to %.4f, %d steps), loss %s to %s\n", name, tokens / m / gpus, m, t[1], t[n], n, first, last }'
}

# ---- tiny: against the processor -------------------------------------------------------------------

losses() { log_of "$1" | sed -n 's/.*"loss": \([0-9.e-]*\).*"global_steps": \([0-9]*\),.*/\2,\1/p'; }

apart() { # NAME BESIDE LIMIT
    losses "$2" >"$tmp/a"
    losses "$1" >"$tmp/b"
    awk -F, -v limit="$3" 'NR == FNR { a[$1] = $2; next }
        { d = ($2 - a[$1]) / a[$1]; if (d < 0) d = -d; n++; if (d > m) { m = d; at = $1 } }
        END { printf "%d steps, at most %.2e apart (step %d)", n, m, at; exit !(n >= 50 && m <= limit) }' "$tmp/a" "$tmp/b" >"$tmp/figure"
    tell $? "$1 beside $2: $(cat "$tmp/figure"), at most $3"
}

mean_apart() { # NAME BESIDE LIMIT: from step 21 on
    losses "$2" >"$tmp/a"
    losses "$1" >"$tmp/b"
    awk -F, -v limit="$3" 'NR == FNR { a[$1] = $2; next }
        $1 > 20 { d = ($2 - a[$1]) / a[$1]; s += d < 0 ? -d : d; n++ }
        END { printf "%.2e apart in the mean of %d steps", n ? s / n : 1, n; exit !(n >= 30 && s / n <= limit) }' "$tmp/a" "$tmp/b" >"$tmp/figure"
    tell $? "$1 beside $2: $(cat "$tmp/figure"), at most $3"
}

twin() { # CASE PLAN LIMIT BESIDE [OPTION…]: CASE on GPUs under PLAN
    late "$1 $2" && return
    train 60 "$1.$2" "$1" --parallel "$2" --device cuda "${@:5}"
    apart "$1.$2" "$4" "$3"
}

# Behind the warm-up bf16 leaves fp32 by what its weights are rounded to, alike under every plan: one
# step by 1.8e-2, 4.0e-3 in the mean, which is what check.sh and the rule of alignment hold. The plans
# are held to each other at every step: 1.0e-3 where this bound was set.
small_bf16() {
    late gpu_small && return
    train 60 gpu_small.TP1 gpu_small --parallel TP1 --device cuda
    mean_apart gpu_small.TP1 gpu_small_fp32.TP1 1e-2
    for plan in TP4 TP2PP2; do twin gpu_small $plan 2e-3 gpu_small.TP1; done
}

tiny() {
    sed 's/"precision": "fp32",/&\n  "parallel": {"data": 4, "zero": 3},/; s/"id": "tiny_gqa"/"id": "tiny_zero3"/
        s/"gradient_accumulation": 4/"gradient_accumulation": 1/' "$rec/cases/tiny_gqa.json" >"$rec/cases/tiny_zero3.json"
    sed -i 's/"gradient_accumulation": 1/"gradient_accumulation": 4/' "$rec/cases/gpu_small.json"
    sed 's/"precision": "bf16"/"precision": "fp32"/; s/"id": "gpu_small"/"id": "gpu_small_fp32"/' \
        "$rec/cases/gpu_small.json" >"$rec/cases/gpu_small_fp32.json"
    for case in gqa lora baichuan; do
        train 60 tiny_$case.cpu tiny_$case --device cpu &
        beside $!
    done
    all_beside
    for case in gqa lora baichuan; do twin tiny_$case TP1 1e-4 tiny_$case.cpu; done
    for plan in TP2PP2 TP4 PP4 DP4 PP2VP2DP2; do twin tiny_gqa $plan 1e-4 tiny_gqa.cpu; done
    twin tiny_zero3 DP4 1e-4 tiny_gqa.cpu
    for plan in DP4 TP2PP2; do twin tiny_lora $plan 1e-4 tiny_lora.cpu; done
    twin tiny_baichuan TP2PP2 1e-4 tiny_baichuan.cpu
    train 60 gpu_small_fp32.TP1 gpu_small_fp32 --device 0
    small_bf16
}

# ---- operations ------------------------------------------------------------------------------------

operations() {
    local gpu=0 program
    for program in test_exact test_device test_attention_cudnn test_attention_flash; do
        (
            export CUDA_VISIBLE_DEVICES=$gpu
            limited 150 $program "$folder/$program"
        ) &
        beside $!
        gpu=$(((gpu + 1) % GPUS))
    done
    all_beside
    limited 60 test_model "$folder/test_model"
    limited 60 test_ranks python3 -m torch.distributed.run --standalone --nproc-per-node "$GPUS" --no-python "$folder/test_ranks"
    for program in test_exact test_device test_attention_cudnn test_attention_flash test_model test_ranks; do
        grep -aE '^(not ok|Bail)' "$logs/$program" | head -n 8
        grep -q '^ok' "$logs/$program" && ! grep -qE '^(not ok|Bail)' "$logs/$program"
        tell $? "$program: $(grep -c '^ok' "$logs/$program") ok"
    done
}

# ---- speed -----------------------------------------------------------------------------------------

peer() { # SECONDS NAME RANKS PROGRAM ARGUMENTS…
    local limit=$1 name=$2 ranks=$3
    shift 3
    [ "$PEER" = no ] && return
    late "$name" && return
    if [ "$ranks" = 1 ]; then
        (cd "$folder/peers" && limited "$limit" "$name" python3 "$@")
    else
        (cd "$folder/peers" && limited "$limit" "$name" python3 -m torch.distributed.run --standalone --nproc-per-node "$ranks" "$@")
    fi
    grep -aE '^(FIGURE |FAILED |\{|.* OOM)' "$logs/$name" | sed "s/^/PYTORCH $name: /"
}

# A case, then the peer: FLOOR is what the card's rates leave (what the figure is held to).
pair() { # PART SECONDS FLOOR OPTIONS -- PEER'S SECONDS PROGRAM ARGUMENTS…
    local name=$1 limit=$2 code=0
    echo "# floor of $name: $3"
    shift 3
    local options=()
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    if [ "$PEER" != only ]; then
        late "$name" && return
        train "$limit" "$name" "$name" "${options[@]}" || code=1
        figure "$name" 4 || code=1 # of the steps that there are
        grep -aE '^[0-9.]+ s: ' "$logs/$name" | tr '\n' ';' | sed 's/^/#   /; s/$/\n/'
        grep -ao 'memory.*' "$logs/$name" | head -n 1 | sed 's/^/#   /'
    fi
    [ $code = 0 ] && [ $# -gt 1 ] && peer "$1" "torch.$name" 4 "${@:2}"
    return $code
}

stage10() { # ten layers of the 70B: forward, backward, and here an update every 32 micro-batches
    slice_of_70b stage10 10 1024
    bench_case stage10 stage10 bf16 4096 1 32 6 none '"tensor": 4, "data": 1'
    pair stage10 120 "98.9 ms a micro-batch exposed, 82.2 hidden; bar 552 TFLOP/s = 10,350 tokens/s a GPU (53.35 GFLOP a token)" \
        -- 90 torch_tp.py stage10:4:1:4096:1:8
}
70b8() {
    slice_of_70b 70b8 8 32000
    bench_case 70b8 70b8 bf16 4096 1 8 8 none '"tensor": 4, "data": 1'
    pair 70b8 80 "products 62 ms and attention 4 a micro-batch, traffic 13: 12,900 exposed, 15,400 hidden; bar 538 TFLOP/s = 12,160 tokens/s" \
        -- 90 torch_tp.py 70b8:4:1:4096:1:8
}
pp4() {
    bench_case pp4 llama2_7b bf16 4096 1 16 8 none '"pipeline": 4, "data": 1'
    pair pp4 80 "19 micro-batches of the last stage, 17.6 us a token: 11,840 tokens/s a GPU; bar 11,600" \
        -- 90 torch_tp.py 7b:1:4:4096:1:16
}
pp4vp2() {
    bench_case pp4vp2 llama2_7b bf16 4096 1 16 8 none '"pipeline": 4, "chunks": 2, "data": 1'
    pair pp4vp2 80 "17.5 micro-batches: 12,900 tokens/s a GPU; bar 11,600" -- 0
}
tp2pp2() {
    bench_case tp2pp2 llama2_7b bf16 4096 1 16 8 none '"tensor": 2, "pipeline": 2, "data": 1'
    pair tp2pp2 80 "17 micro-batches of 78 ms exposed, 69.5 hidden: 12,340 or 13,870 tokens/s a GPU; bar 1.12x" \
        -- 90 torch_tp.py 7b:2:2:4096:1:16
}
tp4() {
    bench_case tp4 llama2_7b bf16 4096 1 16 8 none '"tensor": 4, "data": 1'
    pair tp4 80 "68 ms and 27 of traffic a micro-batch: 10,780 exposed, 15,060 hidden" -- 80 torch_tp.py 7b:4:1:4096:1:8
}
13b() {
    bench_case 13b llama1_13b bf16 4096 1 16 8 none '"tensor": 2, "pipeline": 2, "data": 1'
    pair 13b 100 "81 GFLOP a token: 17 micro-batches of 147 ms exposed: 6,560 tokens/s a GPU; bar 1.12x" \
        -- 90 torch_tp.py 13b:2:2:4096:1:16
}
zero3() { # two sequences where they fit
    for b in 2 1; do
        bench_case zero3 llama1_13b bf16 4096 $b 4 7 full '"data": 4, "zero": 3'
        pair zero3 120 "165 us a token with every layer twice: 6,050 tokens/s a GPU, 260 ms of traffic beside it; bar 0.95x" \
            -- 100 torch_llama.py 13b:4096:$b:0:1:1:4 && return
    done
}
7b() { # one card (H200: the state alone is 113 GiB)
    bench_case 7b llama2_7b bf16 4096 2 32 6 selective '"data": 1'
    echo "# floor of 7b: 66.4 us a token: 15,060 tokens/s; bar 1.05x"
    [ "$PEER" = only ] || { train 120 7b 7b --device 0 && figure 7b 1; } || return
    peer 90 torch.7b 1 torch_llama.py 7b:4096:3:0:0:1
}
zero1() {
    bench_case zero1 llama2_7b bf16 4096 4 4 6 none '"data": 4, "zero": 1'
    pair zero1 120 "15,060 tokens/s a GPU; bar 99 % of one card" -- 80 torch_llama.py 7b:4096:3:0:0:1:4
}
zero2() {
    bench_case zero2 llama1_13b bf16 4096 3 4 6 selective '"data": 4, "zero": 2'
    pair zero2 120 "7,850 tokens/s a GPU; bar 1.08x" -- 100 torch_llama.py 13b:4096:2:0:0:1:4
}
baichuan() {
    for b in 4 2; do # four sequences need 79.0 GiB
        bench_case baichuan baichuan2_13b bf16 2048 $b 1 7 full '"data": 4, "zero": 3' '"targets": "inside"'
        pair baichuan 120 "6,400 tokens/s a GPU with every layer twice and ALiBi in one kernel; bar 1.15x FlexAttention" \
            -- 110 torch_baichuan.py flex:2048:4:1 && return
    done
}

# Precisions of one GPU, one after the other: ours, then PyTorch's.
lora_on() { # GPU PRECISION…
    local gpu=$1 p
    for p in "${@:2}"; do
        [ "$PEER" = only ] || CUDA_VISIBLE_DEVICES=$gpu train 100 lora.$p lora.$p --device 0
        figure lora.$p 1
        CUDA_VISIBLE_DEVICES=$gpu peer 110 torch.lora.$p 1 torch_lora.py best:$p:4
    done
}
lora() {
    local gpu p i all=(bf16 fp16 tf32 fp32) mine
    local adapters='"lora": {"r": 8, "alpha": 32, "dropout": 0.05, "targets": ["q_proj", "v_proj"]}'
    echo "# floor of lora: bf16, fp16 24,000 tokens/s, tf32 15,000; bar 1.10x in 16 bits, 1.00x in tf32 and fp32"
    late lora && return
    for p in "${all[@]}"; do
        bench_case lora.$p llama2_7b $p 512 4 1 15 none '"data": 1' "$adapters"
    done
    for ((gpu = 0; gpu < GPUS && gpu < 4; gpu++)); do
        mine=()
        for ((i = gpu; i < 4; i += GPUS)); do mine+=("${all[i]}"); done
        lora_on $gpu "${mine[@]}" &
        beside $!
    done
    all_beside
}

# ---- all of them -----------------------------------------------------------------------------------

nvidia-smi -L
nvidia-smi topo -m | head -n 8
[ $# -gt 0 ] || set -- tiny operations stage10 pp4 tp2pp2 lora zero3 pp4vp2 tp4 baichuan
for part; do
    began=$SECONDS
    late "$part" && continue
    case $part in
    tiny | operations | stage10 | 70b8 | pp4 | pp4vp2 | tp2pp2 | tp4 | 13b | 7b | zero1 | zero2 | zero3 | baichuan | lora) $part ;;
    *) echo "no part $part" ;;
    esac
    echo "# $part: $((SECONDS - began)) s"
    grep -aE '^(OURS|PYTORCH)' "$out/said.txt" >"$out/figures.txt"
    kept
done
echo "1..$n"
echo "$((n - failed)) passed, $failed failed, after $SECONDS s"
sleep 1
[ $failed -eq 0 ]
