#!/bin/bash
# checkpoint.sh PROGRAM [DEVICE [RANKS…]]: ten steps, resumed for ten more, are twenty, to the last
# bit of loss and weights, from the command line: one rank in three precisions, several on both levels
# of ZeRO; and a checkpoint is a model to begin with. DEVICE is cuda, or cpu to try the script; RANKS
# default to one and as many as there are GPUs. TAP; needs the program, bash and awk.
set -u
program=$(realpath "$1") here=$(dirname "$(realpath "$0")")
device=${2:-cuda}
[ $# -gt 2 ] && ranks=${*:3} || ranks="1 $(nvidia-smi -L | wc -l)"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
. "$here/lib.sh"
small_records "$here" "$device" '"hidden": 64, "heads": 4, "kv_heads": 2, "ffn": 176'
make_case() { # ID PRECISION RANKS ZERO
    cat >"rec/cases/$1.json" <<CASE
{"schema": "fpreport.case/1", "id": "$1", "title": {"zh": "$1"}, "model": "small", "trainer": "native",
 "data": {"kind": "generated"}, "sequence_length": 256, "micro_batch": 2, "gradient_accumulation": 2,
 "steps": 20, "seed": 7, "precision": "$2", "parallel": {"data": $3, "zero": $4}}
CASE
}
train() { # CASE FOLDER OPTION…: the run directory
    "$program" train "$1" --records rec --device "$device" -q -o "${@:2}" 2>>err
}
log() { cat "$1"/*/round1/*/rank0.out.log; }
# Step, loss and norm of the steps behind the K-th, then the hash of the last weights.
figures() {
    log "$1" | awk -v k="$2" 'match($0, /"weights_sha256": "[0-9a-f]*"/) { print substr($0, RSTART, RLENGTH) }
        /"STEP_END"/ { match($0, /"global_steps": [0-9]*/); step = substr($0, RSTART + 16, RLENGTH - 16)
            match($0, /"loss": .*"learning_rate"/); if (step + 0 > k) print step, substr($0, RSTART, RLENGTH) }'
}
first() { log "$1" | grep -o "\"$2\": \"[0-9a-f]*\"" | head -n 1; }

check_case() { # ID
    whole=$(train "$1" "$1" --checkpoint-every 10 --keep 2)
    half=$(train "$1" "$1.on" --resume "$whole/checkpoints/step-000000010")
    figures "$whole" 10 >whole.txt
    figures "$half" 0 >half.txt
    [ "$(wc -l <whole.txt)" = 11 ] && cmp -s whole.txt half.txt
    tell $? "$1: 10 + 10 steps are 20, bit for bit: $(tail -n 1 whole.txt | cut -c1-36)"
    cmp -s whole.txt half.txt || { tail -n 3 err; diff whole.txt half.txt | head -n 6; } | sed 's/^/# /'
    log "$whole" | grep -o '"seconds": [0-9.e-]*' | awk '{ s += $2 } END { printf "# checkpoints: %d, %.2f s each\n", NR, s / NR }'
}

check_init() { # ID, whose case was checked
    whole=$(echo "$1"/run*) half=$(echo "$1.on"/run*)
    given=$(train "$1" "$1.init" --init "$whole/checkpoints/step-000000010")
    [ -n "$(first "$half" resumed_weights_sha256 | cut -d: -f2)" ] &&
        [ "$(first "$half" resumed_weights_sha256 | cut -d: -f2)" = "$(first "$given" initial_weights_sha256 | cut -d: -f2)" ]
    tell $? "$1: the checkpoint is a model to begin with, of the same SHA-256"
}

precisions="fp32 fp16 bf16"
[ "$device" = cpu ] && precisions=fp32
for p in $precisions; do
    make_case "$p" "$p" 1 0
    check_case "$p"
done
check_init "$p"
if [ "$device" = cuda ]; then
    mfu=$(log "$(echo "$p"/run*)" | sed -n 's/^MFU:  //p')
    [ -n "$mfu" ]
    tell $? "$p: the log has the card's MFU: $mfu"
fi
for r in $ranks; do
    [ "$r" -gt 1 ] || continue
    for zero in 1 2; do
        p=bf16
        [ "$device" = cpu ] && p=fp32
        make_case "$p-$r-zero$zero" "$p" "$r" "$zero"
        check_case "$p-$r-zero$zero"
    done
done
echo "1..$n"
[ "$failed" -eq 0 ]
