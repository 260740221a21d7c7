#!/bin/sh
# LLaVA's two stages end to end on the processor: trained, sealed, collected, verified; what the log counts of samples
# that differ in length, and the figures that follow from it. What is told of the warm-up and of the mean is obeyed.
. "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1

# A card of this name with a peak of 1 TFLOP/s, so that there are MFUs.
cp -R "$top/records" rec
echo '{"schema": "fpreport.accelerator/1", "id": "cpu", "vendor": "nvidia", "name": "cpu", "peaks": [{"precision": "fp32", "tflops": 1, "source": "this test"}]}' >rec/accelerators/cpu.json

log_of() { echo "$1"/run*/*/round1/*/rank0.out.log; }
for name in tiny_llava tiny_llava_finetune; do
    check "$name trains" "$FPREPORT" -q train $name --records rec -o "$tmp/$name"
    check "$name is collected" "$FPREPORT" -q collect "$name"/run* --records rec -o "$name.tar.zst"
    check "$name: its log and curve, verified" "$FPREPORT" -q verify "$name.tar.zst" --records rec --format json -o "$name.json"
done
cat >figures.py <<'PY'
import json, sys
name, run = sys.argv[1], open(sys.argv[2]).read().splitlines()
doc, events = json.load(open(name + ".json")), [json.loads(l[len("[PerfLog] "):]) for l in run if l.startswith("[PerfLog]")]
steps = [e["value"] for e in events if e["event"] == "STEP_END"]
end = [e["value"] for e in events if e["event"] == "FINISHED"][0]
assert len(steps) == 60
for s in steps:
    assert s["targets"] < s["real_tokens"] <= s["tokens"] <= 8 * 80 and 0 < s["pictures"] <= 8, s
assert all(s["pictures"] == 8 for s in steps) == (name == "tiny_llava")
assert steps[0]["learning_rate"] == 0 and steps[1]["learning_rate"] == 0.005 and steps[2]["learning_rate"] == 0.01
found = {}
def walk(x):
    for v in x.values() if isinstance(x, dict) else x if isinstance(x, list) else []: walk(v)
    if isinstance(x, dict) and "recomputed" in x and "name" in x: found[x["name"]] = x
walk(doc)
wall = sum(s["tokens"] for s in steps) / end["e2e_time"]
assert abs(float(found["throughput_wall"]["recomputed"]) - wall) < 0.06, (found["throughput_wall"], wall)
real, targets = (sum(s[k] for s in steps) for k in ("real_tokens", "targets"))
assert f"; {real} of the tokens are not padding, and {targets} are targets)" in str(found["throughput_wall"]), found["throughput_wall"]
assert "mfu_exact" not in found, found

# MFUs of steps 11 to 60, worked out from the shape: the language model, a tower of two layers that count, the projector.
counted = steps[10:]
seconds, tokens, pairs, pictures = (sum(s[k] for s in counted) for k in ("step_time_s", "tokens", "attention_pairs", "pictures"))
language, tower, projector = 2 * 128 * 64 + 2 * (4 * 64**2 + 3 * 64 * 176 + 2 * 64) + 64, 4 * 588 * 32 + 2 * 5 * (4 * 32**2 + 2 * 32 * 64 + 2 * 5 * 32), 4 * 32 * 64 + 6 * 64**2
trained = name != "tiny_llava"
seen = (6 if trained else 4) * language * tokens + 12 * 2 * 64 * pairs + pictures * (2 * tower + 4 * projector)
page = (6 if trained else 2) * 168096
printed = [float(l[5:]) for l in run if l.startswith("MFU: ")]
for figure, operations in ("mfu_seen", seen / seconds), ("mfu", page * tokens / seconds), ("mfu", printed[0] * 1e12), ("mfu_wall", page * wall):
    assert abs(float(found[figure]["recomputed"].rstrip("%")) - operations / 1e10) < 0.0051, (figure, found[figure], operations / 1e10)
assert float(found["mfu_seen"]["derivation"].split(" + 1536 * ")[1].split()[0]) == pairs, (found["mfu_seen"], pairs)
assert pairs * 8 * len(counted) > tokens**2, "lengths differ"
PY
check "tiny_llava: lengths, pictures, warm-up from zero, tokens by wall time" python3 figures.py tiny_llava "$(log_of tiny_llava)"
check "tiny_llava_finetune: the same" python3 figures.py tiny_llava_finetune "$(log_of tiny_llava_finetune)"

# A step that counts more pictures than sequences is not the trainer's.
mkdir forged && cp -R tiny_llava/run* forged/run && f=$(echo forged/run/*/round1/*/rank0.out.log)
sed -i '0,/"pictures": 8/s//"pictures": 9/' "$f"
"$FPREPORT" collect forged/run --records "$top/records" -o forged.tar.zst >said 2>&1
check "a step of 9 pictures and 8 sequences is found" grep -q 'a step has 9 pictures, but 8 sequences' said

rm -rf forged && cp -R tiny_llava forged
sed -i '0,/"attention_pairs": /s//&9/' "$(log_of forged)"
"$FPREPORT" collect forged/run* --records rec -o forged.tar.zst >said 2>&1
check "a step with more attention pairs than its tokens can have is found" grep -q 'a step has 9[0-9]* attention pairs, but [0-9]* tokens in 8 sequences of at most 80 tokens have [0-9]* to [0-9]* pairs' said

# The mean over ranks weighs micro-batches alike: another loss from the same weights.
python3 - <<'PY'
import json
for name, change in [("ranks", {"mean": "ranks"}), ("one", {"optimizer": {"warmup_from": "one"}})]:
    case = json.load(open("rec/cases/tiny_llava_finetune.json"))
    case = {k: v for k, v in case.items() if k != "alignment"} | {"id": name, "steps": 3, "report": {"warmup_steps": 0, "throughput": "mean"}}
    case["optimizer"] |= change.pop("optimizer", {})
    json.dump(case | change, open(f"rec/cases/{name}.json", "w"))
PY
check "mean: ranks trains" "$FPREPORT" -q train ranks --records rec -o ranks
check "warmup_from: one trains" "$FPREPORT" -q train one --records rec -o one
python3 - "$(log_of ranks)" "$(log_of one)" "$(log_of tiny_llava_finetune)" >said 2>&1 <<'PY'
import json, sys
ranks, one, tokens = ([json.loads(l[10:])["value"] for l in open(f) if l.startswith('[PerfLog] {"event": "STEP_END"')] for f in sys.argv[1:])
assert ranks[0]["tokens"] == tokens[0]["tokens"] and ranks[0]["targets"] == tokens[0]["targets"]
assert 0 < abs(ranks[0]["loss"] - tokens[0]["loss"]) < 0.05, (ranks[0], tokens[0])
assert one[0]["loss"] == tokens[0]["loss"] and one[0]["learning_rate"] == 0.005 and one[1]["learning_rate"] == 0.01
PY
[ $? -eq 0 ] && ok "both say so in their logs" || { not_ok "both say so in their logs"; sed 's/^/# /' said; }
# Of a model that sees, the tokens by wall time are recomputed: a column with their key states them and is checked.
"$FPREPORT" -q collect tiny_llava/run* --vendor fpreport --records rec -o rec --force
said=$(jq -r '[.. | objects | select(.name? == "throughput_wall") | .recomputed][0]' tiny_llava.json)
sed -i "s|\(\"columns\": \[\"配置\".*\)\]|\1, \"throughput_wall\"]|; s|\(\"CPU单机单卡（1x1）\".*\"\)\]|\1, \"$said\"]|" rec/results/fpreport/tiny_llava.json
"$FPREPORT" verify --records rec fpreport/tiny_llava >said 2>&1
check "a column throughput_wall is recomputed and counts as checked" sh -c 'grep -q ": verified" said && ! grep -q FP1020 said'
plan_done
