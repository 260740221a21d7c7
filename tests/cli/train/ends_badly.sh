#!/bin/sh
# Runs that end badly say so: on a full disk, killed, without a word; a stack that is too small is a message.
place=memory; . "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1
fp=$(realpath "$FPREPORT")

# --- A disk that fills up while a command runs: run.json has its place.
cat >full.sh <<'END'
mount -t tmpfs -o size=3000k tmpfs disk && cd disk || exit 9
"$1" train tiny_llama --records "$2" -q -o r -- sh -c 'echo begun; dd if=/dev/zero of=fill bs=4k 2>/dev/null; echo not written' >/dev/null 2>&1
echo "train $?" >../ended
rm -f fill; cp -R r ..
END
mkdir disk
unshare -rm sh full.sh "$fp" "$top/records" 2>said
if [ -s ended ]; then
    check "the run is not taken for one that goes on" test "$(jq -r .state r/run*/run.json)" != running
    check "why it ended is said" jq -e '.reason | test("No space left")' r/run*/run.json
    check "nothing else is left of its end" sh -c '! ls r/run*/run.json.*'
else
    skip "no file system can be mounted here: $(tail -n 1 said)"
fi

# --- A disk that fills up behind the last step: what was logged can be sealed once there is room.
cat >steps.py <<'END'
import glob, math, subprocess, sys, time
for i in range(1, int(sys.argv[1]) + 1):
    print(f"Step {i}/250, Loss: {0.9 + 2 * math.exp(-i / 40) + 0.003 * math.sin(i * 1.7):.5f}", flush=True)
logged = lambda: any(f"Step {sys.argv[1]}/" in open(log).read() for log in glob.glob("late/run*/*/*/*/rank0.out.log"))
while not logged():  # lines come through a pipe: none may still be on its way when the disk is full
    time.sleep(0.05)
subprocess.run("dd if=/dev/zero of=fill bs=4k 2>/dev/null", shell=True)
for i in range(2000):
    print("saving the checkpoint, shard", i, flush=True)
END
cat >late.sh <<'END'
mount -t tmpfs -o size=3000k tmpfs disk && cd disk || exit 9
"$1" train tiny_llama --records "$2" -q -o late -- python3 ../steps.py "$3" >/dev/null 2>&1
echo "train $?" >../ended
rm -f fill; cp -R late "../late$3"
END
for steps in 250 240; do
    rm -f ended; unshare -rm sh late.sh "$fp" "$top/records" $steps 2>said
    [ -s ended ] || { skip "no file system can be mounted here: $(tail -n 1 said)"; continue; }
    check "$steps steps: the run is failed, for the disk was full" jq -e '.state == "failed" and .failure == "disk full"' late$steps/run*/run.json
    check_exit $(($steps < 250)) "$steps steps: sealed where all are there" "$FPREPORT" collect -q late$steps/run* -o late$steps.tar.zst --records "$top/records"
    "$FPREPORT" collect --force -q late$steps/run* -o late$steps.tar.zst >said 2>&1
    "$FPREPORT" verify --records "$top/records" --only FP4003 late$steps.tar.zst >said 2>&1; code=$?
    case $steps in
    250) check "all steps were logged: a notice" sh -c 'test $1 -eq 0 && grep -q "notice: the disk was full when the run ended, but all steps had been logged" said' - $code ;;
    *) check "steps are missing: an error" sh -c 'test $1 -eq 1 && grep -q "the run is .failed., not complete" said' - $code ;;
    esac
done

# --- A run that nobody ended: the next command that reads it finds no process with its lock.
run=$("$FPREPORT" train -q tiny_llama --records "$top/records" -- sh -c 'echo step; exit 0')
check "a run that ended has no place reserved" test ! -e "$run/run.json.reserved"
sed -i 's/"state": "complete"/"state": "running"/' "$run/run.json" && : >"$run/run.json.reserved"
word="the run ended without a final state"
"$FPREPORT" verify --records "$top/records" "$run" >said 2>&1
check "verify says so" grep -q "$word: run.json says 'running', but no process holds the lock of the run" said
check_exit 3 "it cannot be sealed" "$FPREPORT" collect "$run" -o x.tar.zst
cp .out said && check "which says why" grep -q "state is 'running', and no process holds its lock: $word" said
if command -v flock >/dev/null; then
    flock "$run/run.json.reserved" "$FPREPORT" verify --records "$top/records" "$run" >said 2>&1
    check "of one that goes on it is not said" sh -c 'grep -q "the run is .running., not complete" said && ! grep -q "without a final state" said'
else
    skip "flock is not installed"
fi

# --- While it runs, the lock is held; killed with all of its group, the run is failed.
"$FPREPORT" train -q tiny_llama --records "$top/records" -o killed -- sh -c 'echo begun; exec sleep 1200' >/dev/null 2>&1 &
pid=$!
await sh -c 'grep -qs begun killed/run*/*/*/*/rank0.out.log'
check "the end has its place" sh -c 'test "$(stat -c %s killed/run*/run.json.reserved)" -gt 0'
"$FPREPORT" verify --records "$top/records" killed/run* >said 2>&1
check "a run that goes on is running" sh -c 'grep -q "the run is .running., not complete" said && ! grep -q "without a final state" said'
kill -KILL $pid; wait $pid 2>/dev/null
await grep -q '"state": "failed"' killed/run*/run.json
check "killed, it is failed" grep -q '"state": "failed"' killed/run*/run.json
check "with the cause" grep -q "the process that ran it was killed before it could say more" killed/run*/run.json

# --- A stack that is too small.
check_exit 4 "a small stack is an error" sh -c 'ulimit -s 64 && exec "$1" build --records "$2/records" -o site' - "$FPREPORT" "$top"
cp .out said && check "which says what to do" grep -q "error: the stack is limited to 64 KiB, expected 512 or more; .ulimit -s 8192. sets the usual limit" said
check "what is enough is" sh -c 'ulimit -s 512 && exec "$1" version' - "$FPREPORT"
plan_done
