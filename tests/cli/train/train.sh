#!/bin/sh
# `fpreport train CASE`, the native trainer: what it leaves behind, and what it refuses.
. "$(dirname "$0")/../../lib.sh"
. "$top/tests/golden/train/lib.sh"

says() { # DESCRIPTION TEXT: the last train's stderr holds it
    if grep -qF -- "$2" err; then ok "$1"; else not_ok "$1"; sed 's/^/# /' err | head -n 5; fi
}
refused() { # CASE STATUS TEXT: exits so, says so, and leaves no run
    train "$1"; code=$?
    if [ "$code" -eq "$2" ] && grep -qF -- "$3" err && ! ls result/run* >/dev/null 2>&1; then
        ok "$1: $3"
    else
        not_ok "$1: $3"; echo "# exit $code"; sed 's/^/# /' err | head -n 5
    fi
}
failed() { # CASE STATUS TEXT: exits so, says so, and leaves a run that is marked failed
    train "$1"; code=$?
    if [ "$code" -eq "$2" ] && grep -qF -- "$3" err && [ "$(state)" = "failed $2" ]; then
        ok "$1: $3"
    else
        not_ok "$1: $3"; echo "# exit $code, run $(state)"; sed 's/^/# /' err | head -n 5
    fi
}

# ---- the shipped case: what issue 2 promises of it
FIRST=$tmp/first
check "tiny_llama trains" "$FPREPORT" -C "$top" train tiny_llama -q -o "$FIRST"
check "its curve is the reference within 1e-3, and far below the unigram entropy" \
    python3 "$here/train_check.py" curve "$FIRST" "$top/records/references/tiny_llama.csv"

# ---- layout and logs
train mini; code=$?
check_status 0 "$code" "mini trains"
check "FlagPerf's layout, monitors, log and run.json" python3 "$here/train_check.py" run "$FIRST" tiny_llama
[ "$(cat out)" = "$(echo result/run*)" ] && ok "the run directory is what it prints" ||
    not_ok "the run directory is what it prints"
says "the closing line tells loss and rate" "6 steps, final loss"
cp -R result once
train mini
check "two runs have the same bits in every step and in the weights" \
    python3 "$here/train_check.py" same once result

# ---- -q, -v, streams
train mini -q; [ ! -s err ] && ok "-q says nothing" || not_ok "-q says nothing"
train mini -v; says "-v tells the hash of the weights" "weights "
train mini; grep -q "$(printf '\033')\|left" err && not_ok "no progress and no colour in a pipe" ||
    ok "no progress and no colour in a pipe"
if [ -c /dev/full ]; then
    check_exit 4 "a full disk behind stdout" sh -c '"$1" train mini --records rec -o full >/dev/full' - "$FPREPORT"
else
    skip "no /dev/full here"
fi
check_exit 2 "-o - is no folder" "$FPREPORT" train mini --records rec -o -
check_exit 4 "an output folder that cannot be made" "$FPREPORT" train mini --records rec -o /proc/none
touch plain; check_exit 4 "an output folder that is a file" "$FPREPORT" train mini --records rec -o plain

# ---- a terminal
if python3 -c 'import pty; pty.openpty()' 2>/dev/null; then
python3 "$here/train_check.py" terminal xterm "$FPREPORT" train slow --records rec -o tty >tty.out
grep -q "step .*/20000  loss .*tokens/s.*left" tty.out && ok "progress on a terminal" || not_ok "progress on a terminal"
# What stays of the line is wiped out before the closing lines.
wiped=$(printf '\r\033[K20000 steps'); grep -qF "$wiped" tty.out &&
    ok "progress leaves nothing behind" || not_ok "progress leaves nothing behind"
python3 "$here/train_check.py" terminal dumb "$FPREPORT" train mini --records rec -o tty >tty.out
grep -q "left\|$(printf '\033')" tty.out && not_ok "none on a dumb terminal" || ok "none on a dumb terminal"
python3 "$here/train_check.py" terminal xterm "$FPREPORT" train unknown --records rec >tty.out
grep -q "$(printf '\033')" tty.out && ok "errors in colour on a terminal" || not_ok "errors in colour on a terminal"
NO_COLOR=1 python3 "$here/train_check.py" terminal xterm "$FPREPORT" train unknown --records rec >tty.out
grep -q "$(printf '\033')" tty.out && not_ok "NO_COLOR" || ok "NO_COLOR"
else
    skip "no pseudo terminals here"
fi

# ---- data of one's own
for c in npy megatron; do
    train $c; check_status 0 $? "$c data through a case file"
done
check "the same tokens train alike from .npy and from .bin and .idx" sh -c \
    'npy=$(python3 "$1" weights result-npy) && [ "$npy" = "$(python3 "$1" weights result-megatron)" ]' - "$here/train_check.py"
failed npy_sha 3 "expected 000000"
failed npy_none 3 "none.npy: No such file"
failed npy_short 3 "short.npy"
failed npy_text 3 "text.npy"
failed npy_token 3 "token"
failed megatron_cut 3 "cut.bin"

# ---- cases that cannot be run
refused unknown 3 'rec/cases/unknown.json:'
refused unknown 3 'unknown key "colour"'
refused type 3 'found a string, expected a whole number'
refused no_model 3 'found model "nothere"'
refused no_data 3 "without data, sequence_length or steps"
refused no_path 3 "npy data without path"
refused external 3 "external data"
refused ranks 3 "tensor: found 3 ranks for heads"
refused bf16 3 "precision: found bf16, expected fp32 on a CPU; GPUs are for fptrain: "
refused warmup 3 "warmup_steps: found 100, expected at most steps = 6"
refused many_warmup 3 "warmup_steps"
refused long 3 "sequence_length: found 200000"
refused sha 3 "64 lower-case hexadecimal digits"
refused not_json 3 "rec/cases/not_json.json:1:"
refused command 2 "fpreport train command -- COMMAND"
refused nothere 3 "found no case 'nothere'"
failed wrong_sha 3 "expected 000000"
failed nan 1 "the training diverged"

# ---- ends before the end
for s in INT TERM HUP; do
    case $s in INT) want=130 ;; TERM) want=143 ;; HUP) want=129 ;; esac
    check_exit $want "SIG$s ends at a step" python3 "$here/train_check.py" signal $s \
        "$FPREPORT" train endless --records rec -q -o sig$s
    [ "$(state sig$s)" = "failed $want" ] && ok "SIG$s leaves a failed run" || not_ok "SIG$s: $(state sig$s)"
done
check_exit 130 "^C twice, to the whole group" python3 "$here/train_check.py" interrupt \
    "$FPREPORT" train endless --records rec -q -o twice
[ "$(state twice) $(jq .reason twice/run*/run.json)" = 'failed 130 "stopped before its last step"' ] &&
    ok "is one failed run, monitors and all" || not_ok "^C twice: $(state twice)"
check_exit 0 "what nohup ignores stays ignored" python3 "$here/train_check.py" signal HUP \
    sh -c 'trap "" HUP; exec "$@"' - "$FPREPORT" train slow --records rec -q -o nohup
check "its log ends at a whole line" python3 "$here/train_check.py" log sigTERM
check_exit 137 "kill -9" python3 "$here/train_check.py" signal KILL \
    "$FPREPORT" train endless --records rec -q -o kill
[ "$(state_after_death kill) $(jq -r .reason kill/run*/run.json)" = "failed 4 the process that ran it was killed before it could say more" ] &&
    ok "a killed run is failed" || not_ok "a killed run says $(state kill)"
"$FPREPORT" collect kill/run* -o x.tar.zst >out 2>err; code=$?
[ "$code" -ne 0 ] && [ ! -e x.tar.zst ] && ok "a killed run is not sealed" || not_ok "a killed run is not sealed"
"$FPREPORT" collect sigTERM/run* -o x.tar.zst >out 2>err; code=$?
[ "$code" -ne 0 ] && [ ! -e x.tar.zst ] && ok "a failed run is not sealed" || not_ok "a failed run is not sealed"

# ---- a disk that is full, and two at once
mkdir small
if mount -t tmpfs -o size=64k none small 2>/dev/null; then
    "$FPREPORT" train endless --records rec -o small >out 2>err; check_status 4 $? "a full disk ends the run"
    grep -q "rank0.out.log: cannot write: No space left" err && ok "and its message names the log" ||
        not_ok "and its message names the log"
    [ "$(state small) $(jq -r .reason small/run*/run.json | grep -o 'rank0.out.log: cannot write: No space left')" = \
        "failed 4 rank0.out.log: cannot write: No space left" ] &&
        ok "and so does the run, whose end had its place" || not_ok "a run on a full disk says $(state small)"
    umount small
else
    skip "a full disk needs the right to mount"
fi
for i in 1 2 3; do "$FPREPORT" train mini --records rec -q -o many >out.$i 2>&1 & done; wait
check "three at the same time have three directories" sh -c \
    '[ "$(ls many | wc -l)" -eq 3 ] && [ "$(grep -l "\"complete\"" many/*/run.json | wc -l)" -eq 3 ]'
plan_done
