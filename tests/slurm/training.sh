#!/bin/sh
# Training by Slurm, on three nodes on loopback (make check-slurm): the recipe of docs/SCALE.md is cancelled and handed
# in again, requeued, and loses a node; its weights are those of a run that nothing stopped. And ranks under two MPIs.
. "$(dirname "$0")/../lib.sh"
for program in slurmctld slurmd munged sbatch; do
    command -v $program >/dev/null || { skip "needs Slurm: apt-get install slurmctld slurmd slurm-client munge"; plan_done; exit; }
done
[ "$(id -u)" = 0 ] || { skip "needs root, for slurmd"; plan_done; exit; }
. "$top/tests/slurm/cluster.sh"
at_end=cluster_stop
check "a cluster of three nodes" cluster_start
[ "$(sinfo -h -o %T%D 2>/dev/null)" = idle3 ] || { sinfo 2>&1 | sed 's/^/# /'; plan_done; exit; }
is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; echo "# found '$3', expected '$2'"; fi; }
mkdir -p "$tmp/work/bin" && cp -R "$top/records" "$tmp/work/records" && ln -s "$FPREPORT" "$tmp/work/bin/fptrain"
cd "$tmp/work" || exit 1
export PATH="$tmp/work/bin:$PATH"
jq -c '.id = "pair" | .steps = 20000 | .micro_batch = 2 | .parallel = {"data": 2, "zero": 1}' "$top/tests/golden/train/cases/mini.json" >records/cases/pair.json
cp "$top/tests/golden/train/models/mini.json" records/models/mini.json
weights() { grep -ho '"weights_sha256": "[^"]*"' "$1"/run*/*/*/*/rank0.out.log | tail -n 1; }
fptrain train pair -q -o whole >out 2>err
check "nothing stops a run" test -n "$(weights whole)"
recipe() { # FOLDER: the script of the docs, for this case and cluster
    awk '/^## Training under Slurm/ { on = 1 } on && inside && /^```$/ { exit } on && inside { print } on && /^```sh$/ { inside = 1 }' "$top/docs/SCALE.md" |
        sed "s/CASE/pair -q/; s/-o runs/-o $1/; s/every 100/every 500/"
}
# Nodes of this cluster have no names in any table of hosts.
recipe unnamed >unnamed.sh
timeout 120 sbatch --wait -o unnamed.out unnamed.sh >out 2>&1
check "a node's name that does not resolve: says to set MASTER_ADDR" grep -q "found 'n1', which does not resolve (.*); set MASTER_ADDR" unnamed.out
export MASTER_ADDR=127.0.0.1

until_checkpoint() { # FOLDER
    n=0; until ls -d "$1"/run*/checkpoints/step-????????? >/dev/null 2>&1 || [ $n -gt 1200 ]; do n=$((n + 1)); sleep 0.05; done
}
ended() { # JOB: within five minutes
    n=0; while [ -n "$(squeue -h -j "$1" -o %T 2>/dev/null)" ] && [ $n -lt 1500 ]; do n=$((n + 1)); sleep 0.2; done
}
begun() { sbatch --parsable -o "$1.out" "$1.sh"; }
resumed() { # FOLDER WHAT: there is a second run, behind the first one's checkpoint, with the same weights in the end
    check "$2: two runs" test "$(ls -d "$1"/run* | wc -l)" = 2
    check "$2: the second goes on behind a checkpoint of the first" sh -c '
        [ "$(jq -r .resumed.run "$2/run.json")" = "$(basename "$1")" ] && [ "$(jq .resumed.step "$2/run.json")" -gt 0 ]' - "$1"/run*
    is "$2: the weights of a run that nothing stopped" "$(weights whole)" "$(weights "$1")"
}
for name in cancelled requeued lost; do recipe $name >$name.sh; done
check "the recipe is there" grep -q '^srun fptrain train pair -q -o cancelled --checkpoint-every 500 --resume latest$' cancelled.sh

job=$(begun cancelled); until_checkpoint cancelled; scancel "$job"; ended "$job"
check "scancel: the run is failed" test "$(jq -r .state cancelled/run*/run.json)" = failed
job=$(begun cancelled); ended "$job"
resumed cancelled "scancel, and handed in again"

job=$(begun requeued); until_checkpoint requeued; scontrol requeue "$job"; ended "$job"
resumed requeued "scontrol requeue"

job=$(begun lost); until_checkpoint lost
node=$(squeue -h -j "$job" -o %B)
cluster_kill "$node"
check "$node dies under it" test -n "$node"
ended "$job"
check "Slurm has lost $node" sh -c 'sinfo -h -N -o "%N %T" | grep -q "^$1 down"' - "$node"
resumed lost "a node that dies"

# Other launchers in an allocation.
for launcher in mpirun.openmpi mpiexec.mpich; do
    command -v $launcher >/dev/null || { skip "$launcher: not installed"; continue; }
    printf '#!/bin/sh\nunset SLURM_JOB_ID SLURM_JOBID SLURM_NODELIST\n%s -n 2 fptrain train pair -q -o %s\n' \
        "$launcher$([ $launcher = mpirun.openmpi ] && echo " --allow-run-as-root --oversubscribe")" $launcher >mpi.sh
    timeout 120 sbatch --wait -N 1 -n 2 -o $launcher.out mpi.sh >out 2>&1
    is "$launcher in a job: the same weights" "$(weights whole)" "$(weights $launcher)"
done
plan_done
