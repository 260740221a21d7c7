#!/bin/sh
# A case of several ranks on processors: started by `fpreport train`, or by others; one that dies
# ends the run, and nothing is left behind.
. "$(dirname "$0")/../lib.sh"
. "$top/tests/golden/train/lib.sh"

jq -c '.id = "two" | .parallel = {"data": 2, "zero": 1}' rec/cases/mini.json >rec/cases/two.json
jq -c '.id = "three" | .parallel = {"data": 3, "zero": 2} | .recompute = "full"' rec/cases/mini.json >rec/cases/three.json
jq -c '.id = "whole" | .micro_batch = 4' rec/cases/mini.json >rec/cases/whole.json
jq -c '.id = "long" | .steps = 100000000 | .parallel = {"data": 2}' rec/cases/mini.json >rec/cases/long.json
jq -c '.id = "bad" | .parallel = {"data": 2}' rec/cases/npy_none.json >rec/cases/bad.json
jq -c '.id = "huge" | .micro_batch = 4096 | .sequence_length = 16384 | .model = "wide"' rec/cases/mini.json >rec/cases/huge.json
jq -c '.id = "wide" | .shape.ffn = 262144' rec/models/mini.json >rec/models/wide.json

log() { echo "$1"/run*/*/*/*/rank0.out.log; }
told() { jq -r '[.state, .exit_status, .signal, .reason] | join("|")' "$1"/run*/run.json; }
is() { # DESCRIPTION EXPECTED ACTUAL
    if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; echo "# '$3', expected '$2'"; fi
}
says() { # DESCRIPTION TEXT
    if grep -qF -- "$2" err; then ok "$1"; else not_ok "$1"; sed 's/^/# /' err | head -n 5; fi
}
losses() { sed -n 's/.*"loss": \([0-9.e-]*\).*"global_steps": \([0-9]*\),.*/\2,\1/p' "$1"; }
apart() { # two lists of losses: six steps, at most 1e-5 apart
    awk -F, 'NR == FNR { a[$1] = $2; next }
        { d = ($2 - a[$1]) / a[$1]; if (d < 0) d = -d; n++; if (d > m) m = d }
        END { print n + 0, "steps, at most", m + 0; exit !(n == 6 && m <= 1e-5) }' "$1" "$2"
}
# Processes that a training of ours left: each has our folder in its environment.
left_over() {
    for p in /proc/[0-9]*/environ; do
        tr '\0' '\n' <"$p" | grep -qF "FPREPORT_TEST=$tmp" && echo "${p%/environ}"
    done 2>/dev/null
}
export FPREPORT_TEST="$tmp"
none_left() { # DESCRIPTION
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        n=$(left_over | while read -r p; do
            tr '\0' '\n' <"$p/cmdline" | grep -qx train && echo "$p"
        done 2>/dev/null)
        [ -z "$n" ] && break
        sleep 0.2
    done
    is "$1" "" "$n"
}
# Wait until the log of the run in folder $1 has steps.
under_way() {
    n=0
    until grep -qs STEP_END "$1"/run*/*/*/*/rank0.out.log; do
        n=$((n + 1)); [ "$n" -lt 600 ] || return 1
        sleep 0.05
    done
}
rank_of() { # RANK PARENT: the process that is this rank
    for p in $(pgrep -P "$2"); do
        tr '\0' '\n' <"/proc/$p/environ" 2>/dev/null | grep -qx "RANK=$1" && echo "$p"
    done
}

# ---- they train what one trains
train two; check_status 0 $? "two ranks train"
is "the run is complete" "complete|0||" "$(told result)"
case $(log result) in */two:fpreport_*:cpu:1:2:1/*) ok "the case key counts them" ;; *) not_ok "the case key counts them" ;; esac
says "the memory of a rank is told first" "memory of a rank: weights"
losses "$(log result)" >two.csv
train whole; losses "$(log result)" >whole.csv
check "two ranks with half of the batch have the losses of one" apart whole.csv two.csv
train two --ranks 2 -q; losses "$(log result)" >again.csv
check_same "twice the same bits" two.csv again.csv
[ ! -s err ] && ok "-q says nothing" || { not_ok "-q says nothing"; cat err; }
check "the log's head says precision, ranks and level" grep -q \
    '"INIT_START", "value": {"precision": "fp32", "device": "cpu".*"ranks": 2, "zero": 1' "$(log result)"
check "a step says what it waited and its loss scale" grep -q \
    '"tokens": 64, "input_wait_s": [0-9.e-]*, "loss_scale": 1, "skipped": false' "$(log result)"
train three; is "three, ZeRO-2, recomputing" "complete|0||" "$(told result)"
none_left "nothing is left of them"
check "such a run is sealed" "$FPREPORT" collect --records rec result/run* -o three.tar.zst
train two --measure; losses "$(log result)" >measured.csv
check_same "two that are measured first: the same losses" two.csv measured.csv
check "all-reduce was measured, and which rank is slower" jq -e '.measured | .ranks == 2 and
    ([.figures[] | select(.key == "all_reduce") | .size] == [1048576, 8388608]) and
    all(.figures[]; (.slowest_rank == 0 or .slowest_rank == 1) and .slowest <= .max)' result/run*/*/*/*/fingerprint.json
check "the measured run is sealed" "$FPREPORT" collect --records rec result/run* -o two.tar.zst

# ---- started by others
for r in 0 1; do
    RANK=$r WORLD_SIZE=2 LOCAL_RANK=$r LOCAL_WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=29471 \
        "$FPREPORT" train two --records rec -q -o torch >"out.$r" 2>"err.$r" &
done
wait
is "torchrun's variables: one run, and it is rank 0's" "complete|0||" "$(told torch)"
losses "$(log torch)" >torch.csv
check_same "with the same losses" two.csv torch.csv
is "rank 1 prints nothing" "" "$(cat out.1 err.1)"
if command -v mpirun >/dev/null; then
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 60 \
        mpirun -q --oversubscribe -n 2 "$FPREPORT" train two --records rec -q -o mpi >out 2>err
    is "mpirun" "complete|0||" "$(told mpi)"
    losses "$(log mpi)" >mpi.csv
    check_same "mpirun: the same losses" two.csv mpi.csv
else
    skip "ranks under mpirun: no MPI here"
fi

# ---- a rank that dies
for r in 0 1; do
    "$FPREPORT" train long --records rec -q -o "kill$r" >out 2>err & p=$!
    under_way "kill$r"
    began=$(date +%s)
    kill -KILL "$(rank_of $r $p)"
    wait $p; code=$?
    spent=$(($(date +%s) - began))
    is "rank $r is killed: exit" 4 "$code"
    [ "$spent" -lt 30 ] && ok "and all end within 30 s" || not_ok "and all end within 30 s, not $spent"
    is "the run is failed and names rank $r" "failed|4||rank $r was killed by signal 9 (Killed)" "$(told "kill$r")"
    says "so does the message" "error: rank $r was killed by signal 9"
    none_left "no rank is left"
done
for r in 0 1; do
    RANK=$r WORLD_SIZE=2 LOCAL_RANK=$r LOCAL_WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=29472 \
        "$FPREPORT" train long --records rec -q -o lost >"out.$r" 2>"err.$r" &
    [ "$r" = 1 ] && one=$! || zero=$!
done
under_way lost
kill -KILL "$one"
wait "$zero"; is "started by others: rank 0 ends" 4 $?
wait "$one" 2>/dev/null
case $(told lost) in "failed|4||"*"rank 1"*) ok "and its run names rank 1" ;; *) not_ok "and its run names rank 1: $(told lost)" ;; esac
none_left "and nobody is left"

# ---- ends before the end
for s in INT TERM; do
    case $s in INT) want=130 n=2 ;; TERM) want=143 n=15 ;; esac
    check_exit $want "SIG$s ends all at a step" python3 "$here/train_check.py" signal $s 0.4 \
        "$FPREPORT" train long --records rec -q -o "sig$s"
    is "SIG$s: the run is failed" "failed|$want|$n|stopped before its last step" "$(told "sig$s")"
    check "its log ends whole" grep -q FINISHED "$(log "sig$s")"
    none_left "SIG$s leaves nobody"
done
"$FPREPORT" train long --records rec -q -o mine >out 2>err & p=$!
under_way mine
kill -TERM "$(rank_of 1 $p)"
wait $p; is "a rank that is asked to stop takes the others along" 143 $?
case $(told mine) in failed*"stopped before its last step") ok "and the run says so" ;; *) not_ok "and the run says so: $(told mine)" ;; esac
"$FPREPORT" train long --records rec -q -o orphans >out 2>err & p=$!
under_way orphans
kill -KILL $p; wait $p 2>/dev/null
none_left "ranks die with who started them"

# ---- what cannot be
train bad; check_status 3 $? "a rank that fails: its exit code"
case $(told result) in "failed|3||rank "[01]": "*none.npy*) ok "and its sentence" ;; *) not_ok "and its sentence: $(told result)" ;; esac
train two --ranks 3; check_status 2 $? "another number of ranks than the case's"
says "is told" "found 3 ranks, expected 2"
train two --gpus 2 --device cpu; says "GPUs on a processor" "expected --ranks"
train mini --ranks none; says "no number" "--ranks: found 'none'"
train mini --device tpu; says "no such device" "--device: found 'tpu'"
train huge; check_status 2 $? "a case that does not fit"
says "is refused with its figures" "in all; recompute"
check_exit 2 "a command has no ranks of ours" "$FPREPORT" train mini --records rec --ranks 1 -- true

# ---- fptrain
if [ ! -x "$(dirname "$FPREPORT")/fptrain" ]; then
    train mini --gpus 1; says "without fptrain, how to build it is said" "make fptrain"
    make -s -C "$top" fptrain CUDA=/nowhere >out 2>err
    says "make fptrain without CUDA says what is missing" "fptrain needs CUDA: there is no /nowhere/bin/nvcc"
else
    check "fptrain trains on processors, too" "$(dirname "$FPREPORT")/fptrain" train two \
        --device cpu --records rec -q -o fptrain
    losses "$(log fptrain)" >fptrain.csv
    check_same "with the same losses" two.csv fptrain.csv
fi
if ! [ -c /dev/nvidiactl ]; then
    train mini --device 0; says "no GPU, no run" "GPU"
    [ ! -d result ] && ok "and no directory" || not_ok "and no directory"
else
    skip "there is a GPU here"
fi
plan_done
