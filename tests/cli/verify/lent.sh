#!/bin/sh
# What a project's records lack of cards and models, those that come with fpreport answer: a rate that no card reaches
# is failed in a folder of `new submission` as in an empty one. A card that is in neither passes nothing.
. "$(dirname "$0")/../../lib.sh"
cd "$tmp" && "$FPREPORT" new submission -q acme/llama3_8B-megatron >/dev/null && cd acme-llama3_8B-megatron || exit 1
check "the folder has no accelerators" test ! -e records/accelerators
cat >mega.py <<'P'
import math, sys
step = float(sys.argv[1])
print("using world size: 8, data-parallel size: 2, context-parallel size: 1, tensor-model-parallel size: 4, pipeline-model-parallel size: 1")
for k, v in dict(bf16=True, data_parallel_size=2, global_batch_size=8, micro_batch_size=1, seq_length=8192, tensor_model_parallel_size=4, params_dtype="torch.bfloat16", world_size=8).items():
    print("  %s %s %s" % (k, "." * (48 - len(k)), v))
for i in range(1, 31):
    print(" iteration %8d/      30 | consumed samples: %12d | elapsed time per iteration (ms): %.1f | learning rate: %.6E | global batch size:     8 | lm loss: %.6E | loss scale: 1.0 | grad norm: %.3f | number of skipped iterations:   0 | number of nan iterations:   0 |" % (i, 8 * i, step + i * 37 % 11, 1e-6 * i, 2.1 + 9.9 * math.exp(-i / 25) + 0.01 * (i * 29 % 7), 1.5 + 0.1 * (i % 5)))
P
python3 mega.py 950 >honest.out && python3 mega.py 95 >beyond.out
adopt() { "$FPREPORT" collect "$@" --case llama3_8B-megatron --vendor acme --cards 8 --force >said 2>&1; }
judge() { "$FPREPORT" verify -v acme/llama3_8B-megatron >verdict 2>&1; }
for card in "NVIDIA H100 80GB HBM3" NVIDIA-H100-SXM5-80GB; do
    adopt honest.out --accelerator "$card"
    check "$card is known" grep -q 'the card NVIDIA H100-SXM5-80GB was stated' said
done
check "the draft has the rate and MFU" sh -c 'jq -c ".performance[0].table" records/results/acme/*.json | grep -q "（1x8）.*%"'
check_exit 0 "an honest run is no failure" judge
check "the verdict says whose record it was" sh -c 'tr "\n" " " <verdict | tr -s " " | grep -q "those that come with fpreport [0-9.]* were taken: accelerator h100"'
check "the rate was held to the card" grep -q 'PASS: .*compute faster.*\[FP2038\]' verdict
adopt beyond.out --accelerator h100
check_exit 1 "a rate that no card reaches is failed" judge
check "by the peak of its card" grep -q 'error: .*FP2038' verdict
exact=$(grep -o '^ *mfu_exact .*%' verdict | grep -o '[0-9.]*')
check "its exact MFU is the one that is shown, $exact %" grep -q "exact MFU would be $exact %.*FP2038" verdict
record=$PWD/records/results/acme/llama3_8B-megatron.json && mkdir ../empty && cd ../empty || exit 1
check_exit 1 "and in an empty folder" "$FPREPORT" verify "$record"
cd "$tmp/acme-llama3_8B-megatron" || exit 1
ln -s "$top/templates" templates && "$FPREPORT" build -q -o site >/dev/null 2>&1
check "a build says so, too" sh -c 'jq -r ".. | .state? // empty" site/result/acme/*/verify.json | grep -qx failed'
bundle=$(ls site/result/acme/*/*.bundle.tar)
check_exit 1 "so does the bundle of its page" "$FPREPORT" verify "$bundle"
sed -i 's/NVIDIA H100-SXM5-80GB/Acme X900/g' records/results/acme/*.json
judge
check "of a card that is in neither nothing is passed" sh -c 'grep -q "CANNOT: .*FP2038" verdict && ! grep -q "PASS: .*FP2038" verdict'
check "and nothing is said to be taken" sh -c '! grep -q "were taken" verdict'
plan_done
