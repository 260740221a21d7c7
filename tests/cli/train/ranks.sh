#!/bin/sh
# Several ranks train what one trains: the shipped case, its batch of four sequences split among
# them, on every level of ZeRO, under mpirun. What ranks do does not depend on the size of the model, so
# that a tiny one is enough for what changes within a rank, and under sanitizers for all of it.
. "$(dirname "$0")/../../lib.sh"
cd "$top" || exit 1
train=$BUILD/tests/mpi/train_ranks
if ! command -v mpirun >/dev/null || ! [ -x "$train" ]; then
    skip "ranks under mpirun: no MPI here"
    plan_done
    exit 0
fi
# Root may run it here, more ranks than cores too, and a rank that stays silent is no reason to hang.
ranks() {
    n=$1
    shift
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 300 \
        mpirun -q --oversubscribe -n "$n" "$train" "$@" 2>"$tmp/err"
}
# Largest relative difference of the losses, and of the gradient norms, of two runs.
apart() {
    awk -F, -v what="$3" 'NR == FNR { a[$1] = $what; next }
        $1 + 0 > 0 && $1 in a { d = ($what - a[$1]) / a[$1]; if (d < 0) d = -d; n++; if (d > m) m = d }
        END { print n + 0, "steps, at most", m + 0, "apart"; exit !(n == 20 && m <= 1e-5) }' "$1" "$2"
}

# The k-th training of a call.
training() { awk -v k="$1" 'BEGIN { n = 1 } n == k; /^weights,/ { n++ }' "$2"; }

tiny="layers=2 hidden=32 ffn=48 sequence_length=16"
shipped=
[ "$VARIANT" = gcc ] || shipped=$tiny
compare() { # SHAPE EXTRA RANKS…: all levels beside one rank
    shape=$1 extra=$2; shift 2
    # shellcheck disable=SC2086
    ranks 1 0 steps=20 $shape $extra >"$tmp/one"
    check "one rank trains ($extra)" grep -q '^weights,' "$tmp/one"
    for n; do
        # shellcheck disable=SC2086
        ranks "$n" 0 steps=20 micro_batch=$((4 / n)) $shape $extra -- zero=1 -- zero=2 >"$tmp/all"
        for level in 0 1 2; do
            training $((level + 1)) "$tmp/all" >"$tmp/$n.$level"
            check "$n ranks, level $level: losses of one rank ($extra)" \
                apart "$tmp/one" "$tmp/$n.$level" 2
            check "$n ranks, level $level: gradient norms of one rank ($extra)" \
                apart "$tmp/one" "$tmp/$n.$level" 3
        done
        check_same "$n ranks: levels 0 and 1 give the same bits ($extra)" "$tmp/$n.0" "$tmp/$n.1"
    done
}
compare "$shipped" "" 2 4
# Accumulation and a tied head change what is done within a rank, not between ranks.
compare "$tiny" gradient_accumulation=2 2
cp "$tmp/2.2" "$tmp/before"
compare "$tiny" tied=1 2
# shellcheck disable=SC2086
ranks 2 2 steps=20 micro_batch=2 $tiny gradient_accumulation=2 >"$tmp/again"
check_same "twice the same bits" "$tmp/before" "$tmp/again"
plan_done
