#!/bin/sh
# A case of several ranks on processors: started by `fpreport train`, or by others; one that dies
# ends the run, and nothing is left behind.
. "$(dirname "$0")/../../lib.sh"
. "$top/tests/golden/train/lib.sh"

jq -c '.id = "two" | .parallel = {"data": 2, "zero": 1}' rec/cases/mini.json >rec/cases/two.json
jq -c '.id = "three" | .parallel = {"data": 3, "zero": 2} | .recompute = "full"' rec/cases/mini.json >rec/cases/three.json
jq -c '.id = "whole" | .micro_batch = 4' rec/cases/mini.json >rec/cases/whole.json
jq -c '.id = "long" | .steps = 100000000 | .parallel = {"data": 2}' rec/cases/mini.json >rec/cases/long.json
jq -c '.id = "bad" | .parallel = {"data": 2}' rec/cases/npy_none.json >rec/cases/bad.json
jq -c '.id = "huge" | .micro_batch = 4096 | .sequence_length = 16384 | .model = "wide"' rec/cases/mini.json >rec/cases/huge.json
jq -c '.id = "wide" | .shape.ffn = 262144' rec/models/mini.json >rec/models/wide.json
# A first step that never ends.
jq -c '.id = "endless" | .gradient_accumulation = 65536 | .parallel = {"data": 2, "zero": 2}' rec/cases/mini.json >rec/cases/endless.json

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
# Processes that a training of ours left: each has this mark in its environment, which no other script's has.
left_over() { # MARK
    for p in /proc/[0-9]*/environ; do
        tr '\0' '\n' <"$p" | grep -qxF "FPREPORT_TEST=$1" && echo "${p%/environ}"
    done 2>/dev/null
}
export FPREPORT_TEST="$tmp"
none_trains() { # MARK
    n=$(left_over "$1" | while read -r p; do
        tr '\0' '\n' <"$p/cmdline" | grep -qx train && echo "$p"
    done 2>/dev/null)
    [ -z "$n" ]
}
none_left() { # DESCRIPTION [MARK]
    await none_trains "${2:-$tmp}"
    is "$1" "" "$n"
}
# Wait until the log of the run in folder $1 has steps.
under_way() { await sh -c 'grep -qs STEP_END "$1"/run*/*/*/*/rank0.out.log' - "$1"; }
rank_of() { # RANK PARENT [VARIABLE]: the process that is this rank
    for child in $(pgrep -P "$2"); do
        tr '\0' '\n' <"/proc/$child/environ" 2>/dev/null | grep -qx "${3:-RANK}=$1" && echo "$child"
    done
}
weights() { grep -o '"weights_sha256": "[^"]*"' "$(log "$1")"; }

# ---- one that is stopped: the others notice that it is silent, while the rest of this goes on
(
    # A silent rank counts as gone after 4 s instead of 20.
    FPREPORT_PATIENCE=0.2 FPREPORT_TEST="$tmp stopped" "$FPREPORT" train long --records rec -q -o stopped >stopped.out 2>stopped.err & p=$!
    under_way stopped
    kill -STOP "$(rank_of 1 $p)"
    began=$(date +%s)
    wait $p; echo "$? $(($(date +%s) - began < 15))" >stopped.code
) & stopped=$!

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
port=$((10000 + $$ % 900 * 10)) # another run of these tests beside this one has others
for r in 0 1; do
    RANK=$r WORLD_SIZE=2 LOCAL_RANK=$r LOCAL_WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$((port + 1)) \
        "$FPREPORT" train two --records rec -q -o torch >"out.$r" 2>"err.$r" &
done
wait
is "torchrun's variables: one run, and it is rank 0's" "complete|0||" "$(told torch)"
losses "$(log torch)" >torch.csv
check_same "with the same losses" two.csv torch.csv
is "rank 1 prints nothing" "" "$(cat out.1 err.1)"
# torchrun's own process listens at the port that it tells, and says so.
python3 -c 'import socket, time
s = socket.create_server(("127.0.0.1", '$((port + 5))')); print("listens", flush=True); time.sleep(1200)' >agent.out & agent=$!
await grep -q listens agent.out
for r in 0 1; do
    RANK=$r WORLD_SIZE=2 LOCAL_RANK=$r LOCAL_WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$((port + 5)) \
        TORCHELASTIC_USE_AGENT_STORE=True "$FPREPORT" train two --records rec -q -o agent >"out.$r" 2>"err.$r" &
    [ "$r" = 1 ] && one=$! || zero=$!
done
wait "$zero"; code=$?
wait "$one"; is "torchrun's agent listens at its port" "0 0 complete|0||" "$code $? $(told agent)"
kill $agent

jq -c '.id = "four" | .micro_batch = 1 | .parallel = {"data": 4, "zero": 1}' rec/cases/mini.json >rec/cases/four.json
train four -q; losses "$(log result)" >four.csv; weights result >four.sha
mpi() { # RANKS COMMAND… What an MPI leaks is not ours.
    n=$1; shift
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" timeout 300 \
        mpirun -q --oversubscribe -n "$n" "$@" >out 2>err
}
# As if each rank were alone on its machine: nothing but MPI can tell where rank 0 is.
apart_from_others='OMPI_COMM_WORLD_LOCAL_SIZE=1 exec "$@"'
object=$(dirname "$FPREPORT")/fpreport-mpi.so
if command -v mpirun >/dev/null && [ -e "$object" ]; then
    mpi 2 "$FPREPORT" train two --records rec -q -o mpi
    is "mpirun" "0 complete|0||" "$? $(told mpi)"
    losses "$(log mpi)" >mpi.csv
    check_same "mpirun: the same losses" two.csv mpi.csv
    mpi 4 sh -c "$apart_from_others" - "$FPREPORT" train four --records rec -q -o mpi4
    is "mpirun, rank 0's address by MPI" "0 complete|0||" "$? $(told mpi4)"
    weights mpi4 >mpi4.sha
    check_same "the same weights" four.sha mpi4.sha
    mkdir bare && cp "$FPREPORT" bare/fpreport
    # At port 29500, where nobody says another: one at a time.
    { flock 9; mpi 2 bare/fpreport train two --records rec -q -o bare/one; } 9>"$top/build/port"
    is "without the object, on one machine" "0 complete|0||" "$? $(told bare/one)"
    mpi 2 sh -c "$apart_from_others" - bare/fpreport train two --records rec -q -o bare/two
    is "and on several, exit" 2 $?
    says "an address is asked for" "MASTER_ADDR: missing, expected the address of rank 0's machine"
    for r in 0 1; do
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun -q --oversubscribe -n 2 \
            "$FPREPORT" train long --records rec -q -o "mpikill$r" >out 2>err & p=$!
        under_way "mpikill$r"
        kill -KILL "$(rank_of $r $p OMPI_COMM_WORLD_RANK)"
        wait $p; [ $? -ne 0 ] && ok "mpirun: rank $r is killed" || not_ok "mpirun: rank $r is killed"
        none_left "and nobody is left"
        case $r in 0) why="the process that ran it was killed before it could say more" ;;
        1) why="rank 1 died: its connection closed before it had ended" ;; esac
        is "and the run is failed" "failed|4||$why" "$(told "mpikill$r")"
    done
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun -q --oversubscribe -n 2 \
        "$FPREPORT" train long --records rec -q -o mpigone >out 2>err & p=$!
    under_way mpigone
    kill -KILL $p
    wait $p
    none_left "mpirun itself is killed: nobody is left"
    is "and the run is failed" "failed|4||mpirun is gone" \
        "$(told mpigone | sed -E 's/(rank 1 failed: )?mpirun, which started rank [01], is/mpirun is/')"
else
    skip "ranks under mpirun: no MPI here"
fi

# ---- ranks that cannot take part: the others hear of it, and do not wait
pair() { # FOLDER CASE-OF-RANK-0 CASE-OF-RANK-1 VARIABLE-OF-RANK-1
    began=$(date +%s)
    for r in 0 1; do
        case $r in 0) name=$2 own=_=_ ;; 1) name=$3 own=$4 ;; esac
        env RANK=$r WORLD_SIZE=2 LOCAL_RANK=$r LOCAL_WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 \
            MASTER_PORT=$((port + 3)) FPREPORT_PATIENCE=0.2 "$own" "$FPREPORT" train "$name" --records rec -q -o "$1" \
            >"out.$r" 2>"err.$r" &
        [ "$r" = 1 ] && one=$! || zero=$!
    done
    wait "$zero"; code=$?
    wait "$one" 2>/dev/null; code="$code $?"
    [ $(($(date +%s) - began)) -lt 25 ] || code="$code, late"
}
pair world two two WORLD_SIZE=3
is "rank 1 was told another number of ranks" "4 2" "$code"
is "the run says so" "failed|4||rank 1 expects 3 ranks, but rank 0 expects 2" "$(told world)"
pair nocase two nothere _=_
is "rank 1 has no such case" "4 3" "$code"
is "the run says so, too" "failed|4||rank 1 failed: its case cannot be read" "$(told nocase)"
pair nocase0 nothere two _=_
is "rank 0 has none" "3 4" "$code"
case $(cat err.1) in *"rank 0 failed: its case cannot be read"*) ok "rank 1 is told" ;; *) not_ok "rank 1 is told: $(cat err.1)" ;; esac
pair double two two RANK=0
is "two ranks 0" "4 4" "$code"
case "$(cat err.0 err.1)" in *"two processes have the rank number 0"*) ok "say so" ;; *) not_ok "say so" ;; esac

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
    RANK=$r WORLD_SIZE=2 LOCAL_RANK=$r LOCAL_WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$((port + 2)) \
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
    check_exit $want "SIG$s ends all at a step" python3 "$here/train_check.py" signal $s \
        "$FPREPORT" train long --records rec -q -o "sig$s"
    is "SIG$s: the run is failed" "failed|$want|$n|stopped before its last step" "$(told "sig$s")"
    check "its log ends whole" grep -q FINISHED "$(log "sig$s")"
    none_left "SIG$s leaves nobody"
done
# Before the first step has ended there is nothing to end in order.
"$FPREPORT" train endless --records rec -q -o endless >out 2>err & p=$!
await sh -c 'grep -qs TRAIN_START endless/run*/*/*/*/rank0.out.log'
began=$(date +%s); kill -TERM $p
wait $p; is "SIGTERM in the first step: exit, and within 5 s" "143 1" "$? $(($(date +%s) - began < 5))"
is "and the run says so" "failed|143|15|stopped before its last step" "$(told endless)"
none_left "and nobody is left"
RANK=0 WORLD_SIZE=2 LOCAL_RANK=0 LOCAL_WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$((port + 4)) \
    "$FPREPORT" train two --records rec -q -o alone >out 2>err & p=$!
await grep -q "^ *[0-9]*: [0-9A-F]*:$(printf %04X $((port + 4))) [0-9A-F:]* 0A " /proc/net/tcp # it listens
began=$(date +%s); kill -TERM $p
wait $p; is "SIGTERM while it waits for another rank" "143 1" "$? $(($(date +%s) - began < 5))"
is "its run says so" "failed|143|15|stopped before its first step" "$(told alone)"
"$FPREPORT" train long --records rec -q -o mine >out 2>err & p=$!
under_way mine
kill -TERM "$(rank_of 1 $p)"
wait $p; is "a rank that is asked to stop takes the others along" 143 $?
case $(told mine) in failed*"stopped before its last step") ok "and the run says so" ;; *) not_ok "and the run says so: $(told mine)" ;; esac
"$FPREPORT" train long --records rec -q -o orphans >out 2>err & p=$!
under_way orphans
kill -KILL $p; wait $p 2>/dev/null
none_left "ranks die with who started them"
is "and the run is failed" "failed|4||the process that ran it was killed before it could say more" "$(told orphans)"

wait $stopped
is "a rank that is stopped ends the run within 15 s" "4 1" "$(cat stopped.code)"
case $(told stopped) in "failed|4||rank 1 is silent: nothing was heard of it for 4 s"*) ok "and is named" ;; *) not_ok "and is named: $(told stopped)" ;; esac
none_left "nor is that one left" "$tmp stopped"

# ---- what cannot be
train bad; check_status 3 $? "a rank that fails: its exit code"
case $(told result) in "failed|3||rank "[01]": "*none.npy*) ok "and its sentence" ;; *) not_ok "and its sentence: $(told result)" ;; esac
train two --ranks 3; check_status 2 $? "another number of ranks than the case's"
says "is told" "found 3 ranks, expected 2"
train two --gpus 2 --device cpu; says "GPUs on a processor" "expected --ranks"
train mini --ranks none; says "no number" "--ranks: found 'none'"
train mini --device tpu; says "no such device" "--device: found 'tpu'"
train huge; check_status 2 $? "a case that does not fit"
says "is refused with its figures" "in all; to need less memory"
check "a command may say how many it has" "$FPREPORT" train mini --records rec --ranks 1 -- true

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
