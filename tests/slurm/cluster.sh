# cluster.sh: a Slurm of three nodes on loopback, in the folder $tmp, by Debian's slurmctld, slurmd and munged. Source it;
# cluster_start, cluster_kill NODE, cluster_stop. Needs root, for slurmd starts the steps. Ports: 17001 to 17004, or from $SLURM_PORT on.
cluster_start() {
    ports=${SLURM_PORT:-17001}
    cluster=$tmp/slurm host=$(hostname -s)
    mkdir -p "$cluster/state" && chmod 755 "$tmp" "$cluster"
    head -c 1024 /dev/urandom >"$cluster/munge.key" && chmod 400 "$cluster/munge.key"
    munged --force --foreground --key-file="$cluster/munge.key" --socket="$cluster/munge.socket" \
        --pid-file="$cluster/munge.pid" --log-file="$cluster/munge.log" --seed-file="$cluster/munge.seed" >"$cluster/munged.out" 2>&1 &
    cluster_pids=$!
    cat >"$cluster/slurm.conf" <<EOF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$ports
AuthType=auth/munge
AuthInfo=socket=$cluster/munge.socket,cred_expire=10
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool.%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SlurmctldTimeout=30
SlurmdTimeout=10
KillWait=2
MinJobAge=300
ReturnToService=2
JobRequeue=1
EOF
    for i in 1 2 3; do
        mkdir -p "$cluster/spool.n$i"
        echo "NodeName=n$i NodeHostname=$host NodeAddr=127.0.0.1 Port=$((ports + i)) CPUs=2 RealMemory=1000"
    done >>"$cluster/slurm.conf"
    echo "PartitionName=all Nodes=n[1-3] Default=YES State=UP" >>"$cluster/slurm.conf"
    export SLURM_CONF=$cluster/slurm.conf
    for i in $(seq 50); do [ -S "$cluster/munge.socket" ] && break; sleep 0.1; done
    slurmctld -D -f "$SLURM_CONF" >"$cluster/slurmctld.out" 2>&1 &
    cluster_pids="$cluster_pids $!"
    for i in 1 2 3; do
        slurmd -D -N n$i -f "$SLURM_CONF" >"$cluster/slurmd.n$i.out" 2>&1 &
        cluster_pids="$cluster_pids $!"
        echo $! >"$cluster/slurmd.n$i.daemon"
    done
    for i in $(seq 150); do
        [ "$(sinfo -h -o %T%D 2>/dev/null)" = idle3 ] && return 0
        sleep 0.2
    done
    return 1
}
# A node that dies: its daemon, those of its steps, which would tell of them, and then their tasks. Slurm notices after
# SlurmdTimeout.
cluster_kill() { # NODE
    tasks='' daemons=$(cat "$cluster/slurmd.$1.daemon")
    for process in /proc/[0-9]*; do
        { tr '\0' '\n' <"$process/environ"; } 2>/dev/null | awk -v node="SLURMD_NODENAME=$1" -v conf="SLURM_CONF=$SLURM_CONF" '
            $0 == node { n++ } $0 == conf { n++ } END { exit n < 2 }' || continue
        parent=$(awk '$1 == "PPid:" { print $2 }' "$process/status" 2>/dev/null)
        tasks="$tasks ${process#/proc/}"
        [ "$(cat "/proc/$parent/comm" 2>/dev/null)" != slurmstepd ] || daemons="$daemons $parent"
    done
    for process in $daemons $tasks; do kill -KILL "$process" 2>/dev/null; done
}
cluster_stop() {
    scancel -u root >/dev/null 2>&1
    kill $cluster_pids 2>/dev/null
    wait $cluster_pids 2>/dev/null
}
