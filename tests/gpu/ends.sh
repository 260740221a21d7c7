#!/bin/bash
# ends.sh PROGRAM [DEVICE [RANKS]]: how trainings of several ranks end: well, with one killed, stopped
# (SIGSTOP), failing where its others wait for it, and asked to stop in a first step of minutes. Each
# must have ended within 30 s, with its cause named, and nobody left. DEVICE is cuda, or cpu to try the
# script; RANKS is 2. TAP; needs the program, bash, awk and pgrep.
set -u
program=$(realpath "$1") here=$(dirname "$(realpath "$0")")
device=${2:-cuda} ranks=${3:-2}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
. "$here/lib.sh"
small_records "$here" "$device" '"hidden": 32, "heads": 2, "kv_heads": 1, "ffn": 64'
[ "$device" = cpu ] && precision=fp32 || precision=bf16
make_case() { # ID STEPS ACCUMULATION
    cat >"rec/cases/$1.json" <<CASE
{"schema": "fpreport.case/1", "id": "$1", "title": {"zh": "$1"}, "model": "small", "trainer": "native",
 "data": {"kind": "generated"}, "sequence_length": 128, "micro_batch": 2, "gradient_accumulation": $3,
 "steps": $2, "seed": 7, "precision": "$precision", "parallel": {"data": $ranks, "zero": 2}}
CASE
}
make_case short 10 2
make_case long 1000000 2
make_case slow 10 65536
start() { # CASE OPTION…
    rm -rf out
    "$program" train "$1" --records rec --device "$device" --no-measure -o out "${@:2}" >said 2>&1 & p=$!
}
log() { cat out/run*/*/*/*/rank0.out.log 2>/dev/null; }
until_says() { # WORD: of the log
    for _ in $(seq 600); do log | grep -q "$1" && return 0; kill -0 $p 2>/dev/null || return 1; sleep 0.1; done
    return 1
}
rank_of() { # RANK
    for c in $(pgrep -P $p); do tr '\0' '\n' <"/proc/$c/environ" | grep -qx "RANK=$1" && echo "$c"; done
}
# Exit code, time and reason of what ended; the last is a pattern.
ended() { # DESCRIPTION CODE PATTERN
    began=$(date +%s%N)
    ( trap - EXIT; exec >/dev/null 2>&1; sleep 60; kill -KILL $p ) & dog=$!
    wait $p 2>/dev/null; code=$?
    kill $dog 2>/dev/null
    took=$((($(date +%s%N) - began) / 1000000))
    why=$(grep -o '"reason": "[^"]*"' out/run*/run.json | cut -d'"' -f4)
    [ $code = "$2" ] && [ $took -lt 30000 ] && case $why in $3) true ;; *) false ;; esac
    tell $? "$1: exit $code after $took ms: ${why:-well}"
    sleep 0.3
    left=$(pgrep -f "records rec --device $device --no-measure -o out" | tr '\n' ' ')
    [ -z "$left" ]; tell $? "nobody is left $left"
    [ $code = "$2" ] || tail -n 5 said | sed 's/^/# /'
}

start short
ended "ten steps" 0 ""
log | grep -o '"weights_sha256": "[0-9a-f]*"' | sed 's/^/# /'
log | grep -o '"input_wait_s": [0-9.e-]*' | awk '{ s += $2 } END { print "# waited for data:", s, "s" }'
for r in 0 $((ranks - 1)); do
    start long; until_says STEP_END
    kill -KILL "$(rank_of "$r")"
    ended "rank $r is killed" 4 "rank $r was killed by signal 9*"
done
start long; until_says STEP_END
stopped=$(rank_of $((ranks - 1)))
kill -STOP "$stopped"
ended "rank $((ranks - 1)) is stopped" 4 "rank $((ranks - 1)) is silent*"
start slow; until_says TRAIN_START; sleep 1
kill -TERM $p
ended "SIGTERM in a first step of minutes" 143 "stopped before its *"
start long; until_says STEP_END
kill -TERM $p
ended "SIGTERM between steps" 143 "stopped before its last step"
log | grep -q '"event": "FINISHED"'; tell $? "and the log is whole"
echo "1..$n"
[ $failed = 0 ]
