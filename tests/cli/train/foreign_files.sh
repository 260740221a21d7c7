#!/bin/sh
# Checkpoints and first weights that are torn, foreign or hostile: what is refused, and why. Those that are whole: train_files.sh.
. "$(dirname "$0")/../../lib.sh"
. "$top/tests/golden/train/lib.sh"
. "$top/tests/golden/train/files.sh"
whole_one=$(run one --checkpoint-every 10 --keep 2); check_status 0 $? "a run with checkpoints"
half_one=$(run one --resume "$whole_one/checkpoints/step-000000010"); check_status 0 $? "one that goes on"

# ---- what is none, and what is another's
failed 3 "lr: found 0.01, expected 0.02" other --resume "$whole_one/checkpoints/step-000000010"
failed 3 "steps: found 20, expected 30" more --resume "$whole_one/checkpoints/step-000000010"
failed 3 "sequences_per_step: found 4, expected 2" small --resume "$whole_one/checkpoints/step-000000010"
failed 3 "initial_weights: found null, expected the SHA-256 of the given ones" one --init "$whole_one/checkpoints/step-000000020" --resume "$whole_one/checkpoints/step-000000010"
refused 3 "found no checkpoints/ in it, expected a run that was trained with --checkpoint-every" one --resume "$half_one"
refused 3 "found neither training.json nor a folder step-NNNNNNNNN" one --resume rec
refused 3 "nothere: cannot" one --resume nothere
refused 2 "--keep needs --checkpoint-every" one --keep 2
refused 2 "--checkpoint-every: found '0', expected 1 to" one --checkpoint-every 0
refused 2 "--keep: found 'all', expected 1 to" one --checkpoint-every 1 --keep all
refused 2 "--resume works only with fpreport's own trainer, not with a command" one --resume "$whole_one" -- true
refused 3 "nothere: found no file or folder, expected initial weights" one --init nothere
cp -R "$whole_one/checkpoints/step-000000010" torn
for f in training.json model.safetensors adam_m.safetensors; do
    truncate -s 300 torn/$f
    case $f in
    training.json) refused 3 "torn/training.json:" one --resume torn ;;
    *) failed 3 "torn/$f: found" one --resume torn ;;
    esac
    cp "$whole_one/checkpoints/step-000000010/$f" torn/
done
printf '{"step": "ten"}' >torn/training.json
refused 3 "found no step number from 1 on" one --resume torn

make_llama
given drawn .
# ---- hostile ones
$hf hostile llama bad
hostile() { failed 3 "$2" drawn --init "bad/$1"; }
hostile cut.safetensors "cut.safetensors: found"
hostile empty.safetensors "empty.safetensors: ends at byte 0, expected 8 more"
hostile text.safetensors "text.safetensors: found"
hostile long_header.safetensors "long_header.safetensors: found"
hostile no_json.safetensors "no_json.safetensors"
hostile missing.safetensors "missing.safetensors"
hostile renamed.safetensors "lm_head.weight: missing; lm_tail.weight: found, but the model has none"
hostile turned.safetensors "lm_head.weight: found [16, 128], expected [128, 16]"
hostile type.safetensors 'I32'
hostile overlap.safetensors "overlap.safetensors"
hostile beyond.safetensors "beyond.safetensors"
hostile overflow.safetensors "overflow.safetensors"
hostile behind.safetensors "behind.safetensors"
hostile outside "../model.safetensors"
hostile absolute "/etc/passwd"
hostile absent "none.safetensors"
failed 1 "the training diverged" drawn --init bad.nan
plan_done
