#!/bin/sh
# Ranks on two machines, as far as one can play two: network namespaces, joined by one link. The link
# goes down, and all ranks end within 30 s, with the silent one named.
. "$(dirname "$0")/../../lib.sh"
. "$top/tests/golden/train/lib.sh"

one=fpa$$ two=fpb$$ # also the names of the link's ends
away() { ip netns del $one; ip netns del $two; } 2>/dev/null
if ! { [ "$(id -u)" = 0 ] && ip netns add $one && ip netns add $two &&
    ip link add $one netns $one type veth peer name $two netns $two &&
    ip netns exec $one true; } >out 2>&1; then
    away
    skip "ranks on two networks: no right to make them here"
    plan_done
    exit 0
fi
at_end=away
for n in $one:1 $two:2; do
    ip -n "${n%:*}" addr add "10.213.77.${n#*:}/24" dev "${n%:*}"
    ip -n "${n%:*}" link set "${n%:*}" up
    ip -n "${n%:*}" link set lo up
done

jq -c '.id = "four" | .micro_batch = 1 | .parallel = {"data": 4, "zero": 2}' rec/cases/mini.json >rec/cases/four.json
jq -c '.id = "long" | .steps = 100000000 | .micro_batch = 1 | .parallel = {"data": 4}' rec/cases/mini.json >rec/cases/long.json
export FPREPORT_PATIENCE=0.2 # a silent rank counts as gone after 4 s instead of 20
is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1: '$3', expected '$2'"; fi; }
like() { case $3 in $2) ok "$1" ;; *) not_ok "$1: '$3', expected '$2'" ;; esac; } # DESCRIPTION PATTERN TEXT
told() { jq -r '[.state, .exit_status, .reason] | join("|")' "$1"/run*/run.json; }
weights() { grep -o '"weights_sha256": "[^"]*"' "$1"/run*/*/*/*/rank0.out.log; }
# Ranks 0 and 1 in one network, 2 and 3 in the other.
start() { # CASE FOLDER
    for r in 0 1 2 3; do
        net=$one; [ $r -ge 2 ] && net=$two
        RANK=$r WORLD_SIZE=4 LOCAL_RANK=$((r % 2)) LOCAL_WORLD_SIZE=2 MASTER_ADDR=10.213.77.1 \
            ip netns exec $net "$FPREPORT" train "$1" --records rec -q -o "$2" >"out.$r" 2>"err.$r" &
        eval "rank$r=$!"
    done
}

start four met
# shellcheck disable=SC2154
wait "$rank0"; is "ranks of two networks train" "0 complete|0|" "$? $(told met)"
wait
train four --ranks 4 -q
is "what they train on one" "$(weights result)" "$(weights met)"

start long cut
await sh -c 'grep -qs STEP_END cut/run*/*/*/*/rank0.out.log'
began=$(date +%s)
ip -n $two link set $two down
for r in 0 1 2 3; do
    eval "p=\$rank$r"
    wait "$p"; is "the link is down: rank $r ends" 4 $?
done
spent=$(($(date +%s) - began))
[ "$spent" -lt 15 ] && ok "all within 15 s" || not_ok "all within 15 s, not $spent"
like "the run is failed and names a rank of the other network" \
    'failed|4|rank [23] is silent: nothing was heard of it for 4 s*' "$(told cut)"
like "so does the other rank of this one" '*rank [23] is silent*' "$(cat err.1)"
for r in 2 3; do like "rank $r names rank 0" '*rank 0 is silent*' "$(cat err.$r)"; done
plan_done
