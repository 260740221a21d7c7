#!/bin/sh
# The recipe of docs/SCALE.md for Slurm, on three nodes on loopback (make check-slurm): an array of shards, of which one
# task is killed and requeued, gives what one verification gives.
. "$(dirname "$0")/../lib.sh"
for program in slurmctld slurmd munged sbatch; do
    command -v $program >/dev/null || { skip "needs Slurm: apt-get install slurmctld slurmd slurm-client munge"; plan_done; exit; }
done
[ "$(id -u)" = 0 ] || { skip "needs root, for slurmd"; plan_done; exit; }
. "$top/tests/slurm/cluster.sh"
at_end=cluster_stop
check "a cluster of three nodes" cluster_start
if [ "$(sinfo -h -o %T%D 2>/dev/null)" != idle3 ]; then
    sinfo 2>&1 | sed 's/^/# /'; tail -n 5 "$cluster"/*.out | sed 's/^/# /'; plan_done; exit
fi
mkdir -p "$tmp/work/v" "$tmp/bin" && cp -R "$top/records" "$tmp/work/records"
cd "$tmp/work" || exit 1
"$FPREPORT" verify --format json -o "$tmp/whole.json" 2>/dev/null; code=$?
# Task 2 is killed by a requeue when it has begun.
cat >"$tmp/bin/fpreport" <<EOF
#!/bin/sh
if [ "\$SLURM_ARRAY_TASK_ID" = 2 ] && mkdir "$tmp/killed" 2>/dev/null; then
    : >v/2.json.fpreport-tmp
    scontrol requeue "\${SLURM_ARRAY_JOB_ID}_2"; sleep 60; exit 1
fi
echo "\$SLURM_ARRAY_TASK_ID \${SLURM_RESTART_COUNT:-0} \$SLURMD_NODENAME" >>"$tmp/tasks"
exec "$FPREPORT" "\$@"
EOF
chmod +x "$tmp/bin/fpreport"
awk '/^## Slurm/ { on = 1 } on && /^```$/ { exit } on && inside { print } on && /^```sh$/ { inside = 1 }' "$top/docs/SCALE.md" |
    sed 's/0-255/0-5/; s/256/6/; s/mem=2G/mem=200M/' >verify.sbatch
check "the recipe is an array" grep -q '^#SBATCH --array=0-5$' verify.sbatch
PATH=$tmp/bin:$PATH timeout 240 sbatch --wait --export=ALL verify.sbatch >"$tmp/sbatch.out" 2>&1
echo "# sbatch: $? $(cat "$tmp/sbatch.out")"; sed 's/^/# task /' "$tmp/tasks"
check "one task was killed and requeued" grep -q '^2 1 ' "$tmp/tasks"
check "tasks ran on several nodes" sh -c "[ \"\$(cut -d' ' -f3 $tmp/tasks | sort -u | wc -l)\" -gt 1 ]"
"$FPREPORT" merge v -o "$tmp/merged.json" 2>"$tmp/err"; got=$?
check "all shards are there" test $got = $code
check_same "and give what one verification gives" "$tmp/whole.json" "$tmp/merged.json"
plan_done
