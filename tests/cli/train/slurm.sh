#!/bin/sh
# Ranks under srun, by a Slurm of one machine that is begun here and ended again.
. "$(dirname "$0")/../../lib.sh"
. "$top/tests/golden/train/lib.sh"

is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1: '$3', expected '$2'"; fi; }
told() { jq -r '[.state, .exit_status, .reason] | join("|")' "$1"/run*/run.json; }
weights() { grep -o '"weights_sha256": "[^"]*"' "$1"/run*/*/*/*/rank0.out.log; }

PATH=$PATH:/usr/sbin
mkdir state
port=$((20000 + $$ % 10000)) host=$(hostname -s)
cat >slurm.conf <<END
ClusterName=fpreport
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
StateSaveLocation=$tmp/state
SlurmdSpoolDir=$tmp/spool
SlurmctldPidFile=$tmp/slurmctld.pid
SlurmdPidFile=$tmp/slurmd.pid
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP OverSubscribe=FORCE:4
END
export SLURM_CONF="$tmp/slurm.conf"
controller='' daemon='' tries=0
end_slurm() {
    [ -z "$daemon" ] || kill "$daemon"
    [ -z "$controller" ] || kill "$controller"
    wait
} 2>/dev/null
at_end=end_slurm
trap 'exit 1' TERM INT
begin_slurm() {
    [ "$(id -u)" = 0 ] && command -v slurmctld srun slurmd >out || return 1
    slurmctld -D -f "$SLURM_CONF" >controller.log 2>&1 & controller=$!
    slurmd -D -f "$SLURM_CONF" >daemon.log 2>&1 & daemon=$!
    until timeout 30 srun --overcommit -n 2 true >out 2>&1; do
        kill -0 "$controller" && kill -0 "$daemon" && [ "$((tries += 1))" -lt 20 ] || return 1
        sleep 0.5
    done 2>/dev/null
}
if ! begin_slurm; then
    skip "ranks under srun: no Slurm can be run here"
    plan_done
    exit 0
fi

jq -c '.id = "two" | .parallel = {"data": 2, "zero": 1}' rec/cases/mini.json >rec/cases/two.json
jq -c '.id = "long" | .steps = 100000000 | .parallel = {"data": 2}' rec/cases/mini.json >rec/cases/long.json
ranks() { timeout 300 srun --overcommit -n 2 "$@" >out 2>err; } # Slurm knows two processors

ranks "$FPREPORT" train two --records rec -q -o srun
is "srun starts the ranks" "0 complete|0|" "$? $(told srun)"
train two --ranks 2 -q
is "they train what ours do" "$(weights result)" "$(weights srun)"
# shellcheck disable=SC2016
ranks sh -c 'SLURM_STEP_TASKS_PER_NODE="1(x2)" SLURM_STEP_NODELIST="localhost,elsewhere" exec "$@"' - \
    "$FPREPORT" train two --records rec -q -o hosts
is "on two machines rank 0 is on the first of the step" "0 complete|0|" "$? $(told hosts)"
printf '#!/bin/sh\nexec "%s" train two --records rec -q -o batch\n' "$FPREPORT" >batch.sh
timeout 300 sbatch -W --overcommit -n 2 -o batch.out batch.sh >out 2>err
is "a batch script starts them itself" "0 complete|0|" "$? $(told batch)"

# One that dies ends the step, which Slurm alone would let go on.
timeout 300 srun --overcommit -n 2 "$FPREPORT" train long --records rec -q -o dead >out 2>err & p=$!
await sh -c 'grep -qs STEP_END dead/run*/*/*/*/rank0.out.log'
began=$(date +%s)
for e in /proc/[0-9]*/environ; do
    tr '\0' '\n' <"$e" | grep -qx "SLURM_CONF=$tmp/slurm.conf" &&
        tr '\0' '\n' <"$e" | grep -qx SLURM_PROCID=1 && kill -KILL "$(echo "$e" | tr -dc 0-9)"
done 2>/dev/null
wait $p; code=$?
[ "$code" -ne 0 ] && [ $(($(date +%s) - began)) -lt 30 ] && ok "a rank is killed: the step ends" ||
    not_ok "a rank is killed: the step ends, exit $code"
is "and the run names it" "failed|4|rank 1 died: its connection closed before it had ended" "$(told dead)"
plan_done
