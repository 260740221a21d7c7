#!/bin/sh
# Ten steps, resumed for ten more, are twenty: on one rank, on two and on four, on every level of
# ZeRO, bit for bit; and weights that a program of others reads and writes.
. "$(dirname "$0")/../../lib.sh"
cd "$top" || exit 1
train=$BUILD/tests/mpi/train_ranks
if ! command -v mpirun >/dev/null || ! [ -x "$train" ]; then
    skip "checkpoints of ranks under mpirun: no MPI here"
    plan_done
    exit 0
fi
# RANKS LEVEL NAME=VALUE …, as in ranks.sh.
ranks() {
    n=$1
    shift
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 300 \
        mpirun -q --oversubscribe -n "$n" "$train" "$@" 2>"$tmp/err"
}
losses_apart() {
    awk -F, 'NR == FNR { a[$1] = $2; next } $1 + 0 > 0 { d = ($2 - a[$1]) / a[$1]; n++; if (d * d > m) m = d * d }
        END { print n + 0, "steps, at most", sqrt(m), "apart"; exit !(n == 10 && m <= 1e-10) }' "$1" "$2"
}
tensors='model adam_m adam_v'
same_tensors() { for f in $tensors; do cmp "$1/$f.safetensors" "$2/$f.safetensors" || return 1; done; }

# The k-th training of a call.
training() { awk -v k="$1" 'BEGIN { n = 1 } n == k; /^weights,/ { n++ }' "$2"; }
check_resumed() { # WHAT FOLDER WHOLE HALF
    sed -n '11,$p' "$3" >"$tmp/expected"
    check "$1: writes a checkpoint at its end" test -d "$2/step-000000020"
    check_same "$1: 10 + 10 steps are 20, bit for bit" "$tmp/expected" "$4"
    check "$1: and so are weights and moments" same_tensors "$2/step-000000020" "$2.again/step-000000020"
}

shape="layers=1 hidden=32 ffn=48 sequence_length=16"
one="steps=20 micro_batch=4 gradient_accumulation=2 $shape"
c=$tmp/one
# shellcheck disable=SC2086
ranks 1 0 $one checkpoint_dir="$c" checkpoint_every=10 >"$c.whole"
# shellcheck disable=SC2086
ranks 1 0 $one resume="$c/step-000000010" checkpoint_dir="$c.again" >"$c.half"
check_resumed "one rank" "$c" "$c.whole" "$c.half"

again() { echo "resume=$1/step-000000010 checkpoint_dir=$1.again"; }
for n in 2 4; do
    c=$tmp/$n
    # shellcheck disable=SC2046,SC2086
    ranks $n 0 $one micro_batch=$((4 / n)) checkpoint_every=10 \
        checkpoint_dir="$c.0" -- $(again "$c.0") -- zero=1 resume= \
        checkpoint_dir="$c.1" -- $(again "$c.1") -- zero=2 resume= \
        checkpoint_dir="$c.2" -- $(again "$c.2") >"$c.out"
    for level in 0 1 2; do
        training $((2 * level + 1)) "$c.out" >"$c.whole"
        training $((2 * level + 2)) "$c.out" >"$c.half"
        check_resumed "$n ranks, level $level" "$c.$level" "$c.whole" "$c.half"
    done
done
check "levels 0 and 1 write the same bytes" same_tensors "$tmp/2.0/step-000000010" "$tmp/2.1/step-000000010"

# A checkpoint of four ranks goes on with one, and the other way round.
# shellcheck disable=SC2086
ranks 1 0 $one resume="$tmp/4.2/step-000000010" >"$tmp/out"
check "from four ranks to one" losses_apart "$tmp/one.whole" "$tmp/out"
# shellcheck disable=SC2086
ranks 2 2 $one micro_batch=2 resume="$tmp/one/step-000000010" final_weights="$tmp/final" >"$tmp/out"
check "from one rank to two" losses_apart "$tmp/one.whole" "$tmp/out"

# What goes wrong on rank 0 ends all ranks, with its message and not by time.
# shellcheck disable=SC2086
ranks 2 1 $one resume="$tmp/2.1" >"$tmp/out"
check "ranks that do not fit: refused" grep -q "sequences_per_step: found 8, expected 16" "$tmp/err"
ranks 2 1 checkpoint_dir=/dev/full >"$tmp/out"
check "no folder for checkpoints: refused" grep -q "/dev/full: not a folder" "$tmp/err"

hf="python3 tests/oracle/hf_weights.py"
for type in BF16 F16; do
    check "another program shards it as $type" $hf shard "$tmp/final" "$tmp/$type" $type
    # shellcheck disable=SC2086
    ranks 2 1 steps=1 warmup_steps=0 lr=0 min_lr=0 $shape initial_weights="$tmp/$type" \
        final_weights="$tmp/$type.out" >"$tmp/out"
    check "$type weights come through the trainer exactly" $hf same "$tmp/$type" "$tmp/$type.out"
    $hf hash "$tmp/$type.out" | sed 's/^/weights,/' >"$tmp/hash"
    grep '^weights,' "$tmp/out" >"$tmp/weights"
    check_same "$type: both see the same hash" "$tmp/hash" "$tmp/weights"
done
plan_done
