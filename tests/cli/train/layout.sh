#!/bin/sh
# How many ranks a command's run has, and by which plan: options, launchers, what is printed, busy cards.
. "$(dirname "$0")/../../lib.sh"
records=$top/records heads=$top/tests/data/heads
unset WORLD_SIZE LOCAL_WORLD_SIZE SLURM_NTASKS SLURM_NNODES
cd "$tmp" || exit 1

run() { # ARGUMENTS… : of fpreport train CASE; the run is $run
    run=$("$FPREPORT" train llama3_8B-megatron --records "$records" -o runs "$@" 2>said | tail -n 1)
}
layout() { jq -c '[.layout[] | del(.source) | to_entries[] | "\(.key)=\(.value)"] | unique | join(" ")' "$run/run.json"; }
source_of() { jq -r '[.layout[].source] | join(" ")' "$run/run.json"; }
is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; echo "# found $2, expected $3"; fi; }

# --- What frameworks print.
while read -r head expected; do
    run -- cat "$heads/$head.txt"
    is "$head says its plan" "$(layout)" "\"$expected\""
done <<END
megatron chunks=4 context=2 data=1 pipeline=2 ranks=16 tensor=4
deepspeed data=8 ranks=8
transformers data=8
nemo nodes=2 pipeline=4 ranks=16 tensor=2
paddle data=4 pipeline=2 ranks=16 tensor=2
END

# --- Launchers, by the environment and by the command's arguments.
while read -r variables expected; do
    run=$(env $(echo "$variables" | tr , ' ') "$FPREPORT" -q train llama3_8B-megatron --records "$records" -o runs -- true 2>said)
    is "$variables" "$(layout)" "\"$expected\""
done <<END
WORLD_SIZE=16,LOCAL_WORLD_SIZE=8 nodes=2 ranks=16
WORLD_SIZE=16,CROSS_SIZE=2,LOCAL_SIZE=8 nodes=2 ranks=16
OMPI_COMM_WORLD_SIZE=8,OMPI_COMM_WORLD_LOCAL_SIZE=8 nodes=1 ranks=8
PMI_SIZE=8,MPI_LOCALNRANKS=4 nodes=2 ranks=8
SLURM_STEP_NUM_TASKS=32,SLURM_STEP_NUM_NODES=4 nodes=4 ranks=32
SLURM_NTASKS=16,SLURM_NNODES=2 nodes=2 ranks=16
SLURM_NTASKS=1 $(:)
WORLD_SIZE=no $(:)
END
mkdir bin && for name in torchrun mpirun srun deepspeed accelerate; do printf '#!/bin/sh\n' >bin/$name && chmod +x bin/$name; done
PATH=$tmp/bin:$PATH
while read -r expected command; do
    run -- $command
    is "$command" "$(layout)" "\"$(echo "$expected" | tr , ' ')\""
done <<END
nodes=1,ranks=8 torchrun --nproc-per-node 8 train.py --nnodes 3
nodes=2,ranks=16 torchrun --nnodes=2 --nproc_per_node=8 train.py
nodes=2,ranks=16 srun -N2 --ntasks-per-node=1 torchrun --nnodes 2 --nproc-per-node 8 train.py
ranks=16 mpirun -np 16 train.py
nodes=4,ranks=32 srun --nodes=4 --ntasks-per-node=8 train.py
nodes=2,ranks=8 deepspeed --num_nodes 2 --num_gpus 4 train.py
nodes=2,ranks=16 accelerate launch --num_processes 16 --num_machines 2 train.py
END

# --- Options come first; who contradicts them is named.
run --ranks 16 --nodes 2 --parallel TP4PP2V2 -- true
is "a product that is not the ranks" "$run" ""
check "is named" grep -q 'number of ranks: --ranks says 16, --parallel says 8' said
run --ranks 16 --nodes 2 --parallel TP4PP2DP2V2 -- true
is "options" "$(layout)" '"chunks=2 context=1 data=2 nodes=2 pipeline=2 ranks=16 tensor=4"'
run --parallel TP2CP2DP2 -- true
is "a plan says the ranks" "$(layout)" '"context=2 data=2 pipeline=1 ranks=8 tensor=2"'
WORLD_SIZE=8 run --ranks 4 -- cat "$heads/megatron.txt"
check "contradictions are said at the end" grep -q 'warning: number of ranks: --ranks says 4, WORLD_SIZE says 8, log says 16' said
is "run.json says which source said what" "$(source_of)" "--ranks WORLD_SIZE log"
check_exit 2 "ranks that machines do not divide" "$FPREPORT" train llama3_8B-megatron --records "$records" --ranks 8 --nodes 3 -- true
check_exit 2 "a plan that is none" "$FPREPORT" train llama3_8B-megatron --records "$records" --parallel TP4QQ2 -- true
check_exit 2 "--nodes is the command's" "$FPREPORT" train tiny_llama --records "$records" --nodes 2
check_exit 2 "no ranks" "$FPREPORT" train llama3_8B-megatron --records "$records" --ranks 0 -- true

# --- An ordinary vendor's runs, imitated in real time (30 s).
vendor=$shared/trials/vendor
if [ ! -d "$vendor" ]; then skip "the vendor's runs need ../shared/trials/vendor"; plan_done; exit; fi
one() { # SCRIPT CASE ENVIRONMENT…
    script=$1 case=$2; shift 2
    mkdir "$script" && cd "$script" || exit
    run=$(env PATH="$vendor/fakebin:$PATH" "$@" "$FPREPORT" -q train "$case" --records "$records" -- python3 "$vendor/$script.py" 2>train.err | tail -n 1)
    "$FPREPORT" collect "$run" --vendor acme -o records --records "$records" >collect.out 2>&1; echo "collect: $?" >>collect.out
    "$FPREPORT" verify "records/results/acme/$case.json" --records "$records" -v >verify.out 2>&1; echo "verify: $?" >>verify.out
}
(one mega llama3_8B-megatron WORLD_SIZE=8) &
(one ds llama2_7b-deepspeed A=1) &
(one hf llama2_7b-deepspeed WORLD_SIZE=8) &
wait
for script in mega ds hf; do
    check "$script: collected" grep -qx 'collect: 0' $script/collect.out
    check "$script: nothing is odd" sh -c '! grep -q warning "$1"/collect.out' - $script
    check "$script: no error" grep -qx 'verify: 0' $script/verify.out
    check "$script: on eight cards" grep -q '（1x8）' $script/records/results/acme/*.json
done
check "mega: verified" grep -q 'llama3_8B-megatron: verified' mega/verify.out
check "mega: its plan" grep -q '"TP4PP1DP2"' mega/records/results/acme/*.json
check "mega: the rate of one of eight cards" sh -c 'grep -oE "^ *token_per_s_per_card +[0-9]+" mega/verify.out | grep -qE " 8[4-7][0-9][0-9]$"'
check "mega: its framework" grep -q '"Megatron-LM"' mega/records/results/acme/*.json
check "ds: verified" grep -q 'llama2_7b-deepspeed: verified' ds/verify.out
check "ds: its framework" grep -q '"DeepSpeed 0.14.3"' ds/records/results/acme/*.json
check "hf: its framework" grep -q '"transformers"' hf/records/results/acme/*.json
plan_done
