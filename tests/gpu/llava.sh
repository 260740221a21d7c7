#!/bin/bash
# llava.sh FOLDER OUT [PART …]: LLaVA on the GPUs of one host: its operations beside the processor's, its
# stages' losses beside the processor's, and how fast both are beside PyTorch.
# FOLDER is what `plans.sh pack` put together (fptrain, libcjson.so.1, the programs of `make gpu-tests`);
# PEERS names the folder of torch_llava.py (FOLDER/peers). PEER=no leaves PyTorch out.
#
# Parts, in this order where none is named; each has a limit of time, and one that fails stops no other:
#   operations  test_pictures
#   tiny        tiny_llava and tiny_llava_finetune, on a processor, on a GPU, and on as many as there are
#   reference   hf_curve.py beside the processor's losses, of START/CASE, which `dump_case records CASE
#               START/CASE` wrote (START: FOLDER/start; left out where it is not there)
#   pretrain    T 640, 16 sequences a GPU, ZeRO-2, ours, then PyTorch's, which recomputes nothing
#   finetune    T 1024, 8 sequences a GPU, ZeRO-3, ours, then PyTorch's
#
# Nothing begins behind END seconds (530). OUT gets said.txt, figures.txt and logs.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/gpu/lib.sh"
folder=$(cd "$1" && pwd) out=$(mkdir -p "$2" && cd "$2" && pwd)
shift 2
END=${END:-530} PEER=${PEER:-yes} PEERS=${PEERS:-$folder/peers} START=${START:-$folder/start}
GPUS=$(nvidia-smi -L | wc -l)
tmp=$(mktemp -d)
mkdir -p "$out/logs"
trap 'rm -rf "$tmp"' EXIT
export TORCHINDUCTOR_CACHE_DIR=/tmp/inductor PYTHONUNBUFFERED=1 OMP_NUM_THREADS=8 HF_HUB_OFFLINE=1
exec > >(tee "$out/said.txt") 2>&1

late() { [ $SECONDS -ge "$END" ] && echo "# $1: not begun, $SECONDS s are gone"; }

limited() { # SECONDS NAME COMMAND…
    local limit=$1 name=$2 began=$SECONDS code
    shift 2
    timeout -k 15 "$limit" "$@" >"$out/logs/$name" 2>&1
    code=$?
    echo "# $name: exit $code after $((SECONDS - began)) s"
    [ $code = 0 ] || tail -n 5 "$out/logs/$name" | cut -c1-300 | sed 's/^/#   /'
    return $code
}

rec=$tmp/records
mkdir "$rec"
cp -r "$top/records/cases" "$top/records/models" "$top/records/accelerators" "$rec/"

log_of() { cat "$tmp/runs/$1"/run*/*/*/*/rank0.out.log 2>/dev/null; }

train() { # SECONDS NAME CASE OPTION…
    local limit=$1 name=$2 code
    shift 2
    limited "$limit" "$name" "$folder/fptrain" train -v --no-measure --records "$rec" -o "$tmp/runs/$name" "$@"
    code=$?
    log_of "$name" >"$out/logs/$name.rank0"
    return $code
}

losses() { log_of "$1" | sed -n 's/.*"loss": \([0-9.e-]*\).*"global_steps": \([0-9]*\),.*/\2,\1/p'; }

apart() { # NAME BESIDE LIMIT
    losses "$2" >"$tmp/a"
    losses "$1" >"$tmp/b"
    awk -F, -v limit="$3" 'NR == FNR { a[$1] = $2; next }
        { d = ($2 - a[$1]) / a[$1]; if (d < 0) d = -d; n++; if (d > m) { m = d; at = $1 } }
        END { printf "%d steps, at most %.2e apart (step %d)", n, m, at; exit !(n >= 50 && m <= limit) }' "$tmp/a" "$tmp/b" >"$tmp/figure"
    tell $? "$1 beside $2: $(cat "$tmp/figure"), at most $3"
}

operations() {
    limited 150 test_pictures "$folder/test_pictures"
    grep -aE '^(not ok|Bail)' "$out/logs/test_pictures" | head -n 8
    grep -q '^ok' "$out/logs/test_pictures" && ! grep -qE '^(not ok|Bail)' "$out/logs/test_pictures"
    tell $? "test_pictures: $(grep -c '^ok' "$out/logs/test_pictures") ok"
}

# Of the processor's run in fp32, the same on one GPU; and ranks that divide a step of it as they divide
# its batches: what is read at once is padded alike, so that the step is the same.
tiny() {
    local case zero
    for case in tiny_llava tiny_llava_finetune; do
        train 60 $case.cpu $case --device cpu
        train 60 $case.gpu $case --device 0
        apart $case.gpu $case.cpu 1e-4
        [ "$GPUS" -ge 2 ] || continue
        zero=$([ $case = tiny_llava ] && echo 2 || echo 3)
        sed 's/"gradient_accumulation": 2,/"gradient_accumulation": 1, "parallel": {"data": 2, "zero": '$zero'},/
            s/"id": "'$case'"/"id": "'$case'_zero"/' "$rec/cases/$case.json" >"$rec/cases/${case}_zero.json"
        train 60 $case.zero ${case}_zero --device cuda
        apart $case.zero $case.cpu 1e-4
    done
}

reference() {
    local case
    for case in tiny_llava tiny_llava_finetune; do
        [ -d "$START/$case" ] || { echo "# no $START/$case"; continue; }
        [ -d "$tmp/runs/$case.cpu" ] || train 60 $case.cpu $case --device cpu
        { echo step,loss; losses $case.cpu; } >"$out/$case.ours.csv"
        limited 100 $case.reference python3 "$top/tests/oracle/hf_curve.py" "$rec" $case "$START/$case" -o "$out/$case.csv" \
            --compare "$out/$case.ours.csv"
        tell $? "$case: $(tail -n 2 "$out/logs/$case.reference" | tr '\n' ' ')"
    done
}

bench() { # ID STAGE T MICRO-BATCH RECOMPUTE ZERO
    [ -d "$tmp/data$3" ] || python3 "$top/tests/gpu/llava_data.py" "$tmp/data$3" "$3"
    cat >"$rec/cases/$1.json" <<CASE
{"schema": "fpreport.case/1", "id": "$1", "title": {"zh": "$1"}, "model": "llava1.5_13b", "trainer": "native",
 "data": {"kind": "conversations", "path": "$tmp/data$3"}, "sequence_length": $3, "stage": "$2", "mean": "ranks",
 "micro_batch": $4, "gradient_accumulation": 1, "steps": 8, "seed": 1234, "precision": "bf16", "recompute": "$5",
 "parallel": {"data": $GPUS, "zero": $6}, "report": {"warmup_steps": 3, "throughput": "mean"},
 "optimizer": {"learning_rate": 2e-5, "min_learning_rate": 0, "warmup_steps": 1, "warmup_from": "zero", "weight_decay": 0,
  "beta2": 0.999, "clip_norm": 1}}
CASE
}

# Median behind the third step, as tokens/s of each GPU.
figure() { # NAME
    log_of "$1" | grep STEP_END | sed -E 's/.*"loss": ([-0-9.e]*|nan).*"step_time_s": ([0-9.e-]*), "tokens": ([0-9]*).*"input_wait_s": ([0-9.e-]*).*/\1 \2 \3 \4/' |
        awk -v name="$1" -v gpus="$GPUS" 'NR == 1 { first = $1 } { last = $1; tokens = $3 } NR > 3 { t[++n] = $2; wait += $4 }
            END { if (!n) exit 1
                for (i = 2; i <= n; i++) for (k = i; k > 1 && t[k - 1] > t[k]; k--) { x = t[k]; t[k] = t[k - 1]; t[k - 1] = x }
                m = t[int((n + 1) / 2)]
                printf "OURS %s: %.1f tokens/s a GPU, %.4f s a step (%.4f to %.4f, %d steps, %.4f s of input each), loss %s to %s\n", name, tokens / m / gpus, m, t[1], t[n], n, wait / n, first, last }'
}

peer() { # SECONDS NAME ARGUMENTS…
    local limit=$1 name=$2
    shift 2
    [ "$PEER" = no ] && return
    late "$name" && return
    (cd "$PEERS" && limited "$limit" "$name" python3 -m torch.distributed.run --standalone --nproc-per-node "$GPUS" torch_llava.py "$@")
    grep -aE '^(FIGURE|FAILED) ' "$out/logs/$name" | sed "s/^/PYTORCH $name: /"
}

# The first that fits; what does not is refused before it takes memory.
stage() { # NAME STAGE T MICRO-BATCH ZERO RECOMPUTE…
    local name=$1 how
    for how in "${@:6}"; do
        late "$name $how" && return
        bench "$name.$how" "$2" "$3" "$4" "$how" "$5"
        train 150 "$name.$how" "$name.$how" --device cuda
        grep -ao 'memory.*' "$out/logs/$name.$how" | head -n 1 | sed 's/^/#   /'
        figure "$name.$how" && break
    done
}
pretrain() {
    echo "# floor of pretrain: 13,200 tokens/s a GPU; bar 1.3x"
    stage pretrain pretrain 640 16 2 none selective full
    peer 100 torch.pretrain pretrain:640:16:0
}
finetune() {
    echo "# floor of finetune: 8,900 tokens/s a GPU, 6,700 with every layer twice; bar 1.15x"
    stage finetune finetune 1024 8 3 selective full
    peer 110 torch.finetune finetune:1024:8
}

nvidia-smi -L
[ $# -gt 0 ] || set -- operations tiny reference pretrain finetune
for part; do
    began=$SECONDS
    late "$part" && continue
    case $part in
    operations | tiny | reference | pretrain | finetune) $part ;;
    *) echo "no part $part" ;;
    esac
    echo "# $part: $((SECONDS - began)) s"
    grep -aE '^(OURS|PYTORCH)' "$out/said.txt" >"$out/figures.txt"
done
echo "1..$n"
echo "$((n - failed)) passed, $failed failed, after $SECONDS s"
sleep 1
[ $failed -eq 0 ]
