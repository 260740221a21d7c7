#!/bin/sh
# `fpreport train CASE -- COMMAND`: anybody's trainer as the case.
. "$(dirname "$0")/../../lib.sh"
. "$top/tests/golden/train/lib.sh"

log() { cat result/run*/*/round1/*_noderank0/rank0.out.log; }
runs() { # STATUS STATE DESCRIPTION COMMAND…
    want=$1 wanted=$2 what=$3; shift 3
    train mini -- "$@"; code=$?
    if [ "$code" -eq "$want" ] && [ "$(state)" = "$wanted $want" ]; then ok "$what"; else
        not_ok "$what"; echo "# exit $code, run $(state)"; sed 's/^/# /' err | head -n 5
    fi
}
is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; echo "# found $2, expected $3"; fi; }

runs 0 complete "a command that succeeds" sh -c 'echo one; echo two >&2; echo three'
log >said; printf 'one\ntwo\nthree\n' >expected
check_same "both streams are logged in their order" expected said
{ cat expected; echo result/run*; } >all
check_same "and shown, before the name of the run" all out
is "the command is in run.json" "$(jq -r '.command | join("|")' result/run*/run.json)" \
    "sh|-c|echo one; echo two >&2; echo three"
is "its key says that a host ran it" "$(basename "$(echo result/run*/*:*)" | sed 's/_[0-9.]*:/_V:/')" mini:fpreport_V:host:1:1:1
grep -Eq "^[0-9]{4}(-[0-9]{2}){3}(:[0-9]{2}){2}$(printf '\t')[01]\.[0-9]{4}$" result/run*/*/*/*/mem_monitor.log &&
    ok "memory is sampled in FlagPerf's format" || not_ok "memory is sampled in FlagPerf's format"
cmp -s rec/cases/mini.json result/run*/case.json && ok "case.json is the case, byte for byte" ||
    not_ok "case.json is the case, byte for byte"

runs 7 failed "its exit status is ours" sh -c 'exit 7'
is "and the reason is told" "$(jq -r .reason result/run*/run.json)" "the command exited with status 7"
runs 134 failed "a command that dies of a signal" sh -c 'kill -ABRT $$'
is "which is in run.json" "$(jq .signal result/run*/run.json)" 6
runs 127 failed "a command that does not exist" no-such-command-of-ours
is "the log says so" "$(log)" "[fpreport] cannot run 'no-such-command-of-ours': No such file or directory"
runs 126 failed "a command that cannot be run" "$tmp/rec/cases/mini.json"
# A supervisor may ignore SIGCHLD, and what it starts inherits that.
check_exit 3 "SIGCHLD ignored by whoever starts us" timeout -k 1 300 env --ignore-signal=CHLD "$FPREPORT" train mini --records rec -o ignored -- sh -c 'exit 3'
check_exit 2 "nothing behind --" "$FPREPORT" train mini --records rec -o none --
[ ! -e none ] && ok "which leaves nothing" || not_ok "which leaves nothing"
train command -- true; check_status 0 $? "a case without native data"

echo secret | "$FPREPORT" train mini --records rec -o stdin -- cat >out 2>err
grep -q secret out && not_ok "standard input is closed" || ok "standard input is closed"
train mini -q -- echo hello; is "-q: only the name of the run" "$(cat out)" "$(echo result/run*)"
train mini -- sh -c 'yes 0123456789abcde | head -c 8000000'
is "8 MB of output are kept" "$(log | wc -c)" 8000000
train mini -- printf 'a\0b\033[31m\377'
is "bytes are kept as they are" "$(log | od -An -tx1 | tr -d ' \n')" 6100621b5b33316dff
train mini -- sh -c 'sleep 300 & echo $! >left; echo done'; check_status 0 $? "a command that leaves a process behind"
kill -0 "$(cat left)" 2>/dev/null && not_ok "it is ended with the run" || ok "it is ended with the run"
log | grep -q "left running were killed" && ok "and the log says so" || not_ok "and the log says so"

# The command is asked first; what it does with it counts, but such a run is not complete.
for s in INT TERM HUP; do
    check_exit 5 "SIG$s reaches the command" python3 "$here/train_check.py" signal $s "$FPREPORT" \
        train mini --records rec -o sig$s -- sh -c "trap 'echo asked; exit 5' $s; echo ready; while :; do sleep 0.05; done"
    is "SIG$s: the run is failed" "$(state sig$s)" "failed 5"
done
check_exit 143 "a command that does not listen" python3 "$here/train_check.py" signal TERM \
    "$FPREPORT" train mini --records rec -o deaf -- sh -c 'echo ready; exec sleep 300'
check_exit 137 "kill -9 of fpreport" python3 "$here/train_check.py" signal KILL \
    "$FPREPORT" train mini --records rec -o killed -- sh -c 'echo $$ >pid; echo ready; exec sleep 300'
# Dead is also what only waits for somebody to take it back.
await sh -c '! ps -o stat= -p "$(cat pid)" | grep -v Z'
is "ends its command" "$(ps -o stat= -p "$(cat pid)" | grep -v Z)" ""
is "and leaves a run that is failed" "$(state_after_death killed)" "failed 4"

if [ -c /dev/full ]; then
    check_exit 4 "a full disk behind stdout" sh -c \
        '"$1" train mini --records rec -o full -- echo hello >/dev/full' - "$FPREPORT"
    is "spoils neither run nor log" "$(state full) $(cat full/run*/*/*/*/rank0.out.log)" "complete 0 hello"
else
    skip "no /dev/full here"
fi
"$FPREPORT" train mini --records rec -o pipe -- sh -c 'yes | head -c 1000000' 2>err | head -n 1 >out
is "a reader that goes away does not end the run" "$(state pipe)" "complete 0"
mkdir small
if mount -t tmpfs -o size=64k none small 2>/dev/null; then
    check_exit 4 "a log on a full disk" "$FPREPORT" train mini --records rec -q -o small -- \
        sh -c 'yes | head -c 1000000'
    umount small
else
    skip "a full disk needs the right to mount"
fi
plan_done
