#!/bin/sh
# Checkpoints, resuming and given first weights, by `fpreport train`'s options: 10 steps and 10 more
# are 20, what is torn or foreign is refused, and what a run says of it is held to.
. "$(dirname "$0")/../../lib.sh"
. "$top/tests/golden/train/lib.sh"
. "$top/tests/golden/train/files.sh"
# Long enough to be stopped within, short enough to be trained twice.
long=10000 pair=3000
twenty long ".steps = $long"
twenty slow '.steps = 1000' # with a checkpoint behind each step
twenty pair ".steps = $pair | .micro_batch = 2 | .parallel = {\"data\": 2, \"zero\": 1}"

# ---- 10 + 10 steps are 20
for c in one two four; do
    whole=$(run $c --checkpoint-every 10 --keep 2); check_status 0 $? "$c: twenty steps with checkpoints"
    is "$c: two of them are kept" "step-000000010 step-000000020" "$(ls "$whole/checkpoints" | tr '\n' ' ' | sed 's/ $//')"
    plain=$(run $c)
    bits "$plain" >plain.txt; bits "$whole" >whole.txt
    check_same "$c: with and without checkpoints the same bits" plain.txt whole.txt
    half=$(run $c --resume "$whole/checkpoints/step-000000010"); check_status 0 $? "$c: ten more"
    says "$c: they are told" "continues after step 10 of 20"
    behind "$whole" 11 >whole.txt; bits "$half" >half.txt
    check_same "$c: 10 + 10 steps are 20, bit for bit" whole.txt half.txt
    is "$c: run.json says of which run" "[\"$(basename "$whole")\",\"$c\",10]" "$(jq -c '.resumed | [.run, .case, .step]' "$half/run.json")"
    is "$c: the log says so, too" 10 "$(events "$half" INIT_END | jq .resumed_step)"
    eval "whole_$c=\$whole half_$c=\$half"
done
is "a run that begins says so" null "$(jq -c .resumed "$plain/run.json")"
is "the checkpoint is a model: both name its weights" \
    "$(python3 "$top/tests/oracle/hf_weights.py" hash "$whole_one/checkpoints/step-000000010")" \
    "$(events "$half_one" INIT_END | jq -r .resumed_weights_sha256)"
dir=$(run one --checkpoint-every 7)
is "one is kept where nobody says, and the last step has one" step-000000020 "$(ls "$dir/checkpoints")"
says "the memory plan counts what they pass through" ", files "
is "each is logged" "7 14 20" "$(events "$dir" CHECKPOINT_SAVED | jq .global_steps | tr '\n' ' ' | sed 's/ $//')"
refused 2 "was written at step 20, the last step of case one, so no step is left" one --resume "$dir"

# ---- stopped, and killed while it writes
plain=$(run long -q)
code=0; python3 "$here/train_check.py" signal TERM "$FPREPORT" train long --records rec -q -o stopped \
    --checkpoint-every $long 2>err || code=$?
is "SIGTERM stops it" 143 $code
is "with a checkpoint of the step that it stopped behind" \
    "$(events stopped/run* STEP_END | tail -n 1 | jq .global_steps)" \
    "$(ls stopped/run*/checkpoints | sed 's/step-0*//')"
on=$(run long -q --resume stopped/run*)
is "the newest checkpoint of a run goes on to the same weights" "$(behind "$plain" 1)" "$(behind "$on" 1)"
# A newer run of another case, and one without a checkpoint, are not it.
"$FPREPORT" train one --records rec -q -o stopped --checkpoint-every 20 >out 2>err
"$FPREPORT" train long --records rec -q -o stopped >out 2>err
on=$("$FPREPORT" train long --records rec -q -o stopped --resume latest 2>err)
is "the latest of a folder of runs goes on to the same weights" "$(behind "$plain" 1)" "$(behind "$on" 1)"
is "and is that run's" "$(ls stopped | head -n 1)" "$(jq -r .resumed.run "$on/run.json")"
on=$("$FPREPORT" train one --records rec -q -o begins --resume latest 2>err); check_status 0 $? "where there is none, it begins"
is "and says so" null "$(jq -c .resumed "$on/run.json")"
plain2=$(run pair -q); rm -rf stopped; code=0
python3 "$here/train_check.py" signal TERM "$FPREPORT" train pair --records rec -q -o stopped \
    --checkpoint-every $pair 2>err || code=$?
is "ranks that are stopped" 143 $code
on=$(run pair -q --resume stopped/run*); is "go on to the same weights" "$(behind "$plain2" 1)" "$(behind "$on" 1)"
for r in 0 1; do
    [ $r = 0 ] && folder=stopped || folder=elsewhere
    RANK=$r WORLD_SIZE=2 LOCAL_RANK=$r LOCAL_WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$((10000 + $$ % 900 * 10 + 7)) \
        "$FPREPORT" train pair --records rec -q -o $folder --resume latest >"out.$r" 2>"err.$r" &
    [ $r = 1 ] && one=$! || zero=$!
done
wait "$zero"; code=$?; wait "$one"; last=$? # 3, or 4 where a rank hears of it before it has looked itself
check "ranks that do not find the same checkpoint: both end" [ $code -ge 3 -a $last -ge 3 -a $code -le 4 -a $last -le 4 ]
cat err.1 err.0 >err; says "and say so" "resume: found no checkpoint here, but rank 0 found one; expected a folder of runs that all ranks share"
plain=$(run slow -q)
for round in 1 2; do
    rm -rf killed
    "$FPREPORT" train slow --records rec -q -o killed --checkpoint-every 1 >out 2>err & p=$!
    await sh -c 'ls killed/run*/checkpoints/step-*[1-9]'
    sleep 0.0$((round * 3)); kill -KILL $p; wait $p 2>/dev/null; is "killed while it writes" 137 $?
    mkdir killed/run*/checkpoints/step-000000999.partial 2>/dev/null
    newest=$(ls killed/run*/checkpoints | grep -v partial | tail -n 1)
    on=$(run slow -q --resume killed/run*)
    is "the newest whole one is used, not what is half: $newest" "$(echo "$newest" | sed 's/step-0*//')" \
        "$(jq .resumed.step "$on/run.json")"
    is "and gives the same weights" "$(behind "$plain" 1)" "$(behind "$on" 1)"
done

# ---- ranks: a checkpoint knows none
on=$(run one --resume "$whole_four/checkpoints/step-000000010"); check_status 0 $? "a checkpoint of four ranks goes on with one"
is "run.json names the other case" four "$(jq -r .resumed.case "$on/run.json")"
apart() { awk -F'[][,]' 'NR == FNR { a[$2] = $3; next } NF > 3 { d = ($3 - a[$2]) / a[$2]; if (d * d > m) m = d * d; n++ }
    END { print n, sqrt(m); exit !(n == 10 && m <= 1e-10) }' "$@"; }
bits "$whole_one" >whole.txt; bits "$on" >half.txt
check "with the same losses but for the last digits" apart whole.txt half.txt
on=$(run four --resume "$whole_one/checkpoints/step-000000010"); check_status 0 $? "and the other way round"
bits "$on" >half.txt
check "the same, too" apart whole.txt half.txt

if command -v mpirun >/dev/null; then
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 300 mpirun -q --oversubscribe -n 2 \
        "$FPREPORT" train two --records rec -q -o mpi --resume "$whole_two/checkpoints/step-000000010" >out 2>err
    behind "$whole_two" 11 >whole.txt; bits mpi/run* >half.txt
    check_same "ranks under mpirun go on with the same bits" whole.txt half.txt
else
    skip "ranks under mpirun: no MPI here"
fi
fptrain=$(dirname "$FPREPORT")/fptrain
if [ -x "$fptrain" ]; then
    on=$("$fptrain" train two --device cpu --records rec -q -o runs --resume "$whole_two/checkpoints/step-000000010" 2>err)
    behind "$whole_two" 11 >whole.txt; bits "$on" >half.txt
    check_same "fptrain goes on from a checkpoint of fpreport" whole.txt half.txt
else
    skip "no fptrain beside the program"
fi

# ---- a full disk
mkdir small
if mount -t tmpfs -o size=600k none small 2>/dev/null; then
    "$FPREPORT" train slow --records rec -o small --checkpoint-every 5 --keep 9 >out 2>err
    check_status 4 $? "a full disk ends the run"
    says "it was warned before its first step" "are free, but 9 checkpoints to keep and one to write need"
    says "and says which checkpoint" "checkpoint of step "
    says "and why" "No space left on device"
    check "none of those that stay is half" sh -c \
        'for c in small/run*/checkpoints/*; do case $c in *.partial) exit 1 ;; esac; [ -s "$c/adam_v.safetensors" ] && [ -s "$c/training.json" ] || exit 1; done'
    newest=$(ls small/run*/checkpoints | tail -n 1)
    on=$(run slow -q --resume small/run*)
    is "the last whole one goes on: $newest" "$(behind "$plain" 1)" "$(behind "$on" 1)"
    umount small
else
    skip "a full disk needs the right to mount"
fi

# ---- first weights: a tiny Llama of Hugging Face's layout, and its loss by a program of others
make_llama
given drawn .
given given '.initial_weights = {"name": "tiny", "sha256": $sum}'
given beside '.initial_weights = {"path": "../../llama"}'
given false '.initial_weights = {"path": "../../llama", "sha256": ("0" * 64)}'
for w in llama llama/model.safetensors llama.bf16 llama.f16; do
    folder=${w%/*}
    dir=$(run drawn --init $w); check_status 0 $? "$w: its weights train"
    $hf loss $folder $tokens >expected; events "$dir" STEP_END | head -n 1 | jq .loss >loss
    check "$w: the first loss is that of a pass by others" awk 'NR == 1 { a = $1 } NR == 2 { d = ($1 - a) / a; print a, $1; exit !(d < 1e-6 && d > -1e-6) }' expected loss
    is "$w: the log names the SHA-256 of the values" "$($weights hash $folder)" "$(events "$dir" INIT_END | jq -r .initial_weights_sha256)"
done
is "run.json names the folder" llama.f16 "$(jq -r .initial_weights "$dir/run.json")"
dir=$(run beside); check_status 0 $? "a case may say where they are"
dir=$(run given --init llama --checkpoint-every 1 --keep 3); check_status 0 $? "or which they are"
is "run.json names them as the case does" tiny "$(jq -r .initial_weights "$dir/run.json")"
on=$(run given --resume "$dir/checkpoints/step-000000001"); check_status 0 $? "to go on they are not asked for"
is "but still named" "$sum" "$(events "$on" INIT_END | jq -r .initial_weights_sha256)"
behind "$dir" 3 >whole.txt; bits "$on" >half.txt
check_same "and go on bit for bit" whole.txt half.txt
failed 3 "initial_weights: found $sum, expected null, since the weights are drawn from the seed" drawn --resume "$dir/checkpoints/step-000000001"
failed 3 "found values of SHA-256 $sum, expected those of 0000" false
failed 3 "expected those of $sum" given --init llama.bf16
refused 3 "found initial_weights without a path, expected --init DIR with these weights: tiny" given
failed 3 "model.layers.1.input_layernorm.weight: found, but the model has none" one --init llama

verdict() { "$FPREPORT" verify --records rec --format json "$@" 2>err | jq -c ".. | objects | select(.rule? == \"$rule\") | [.outcome, .message]"; }
holds() { # DESCRIPTION RULE TEXT WHAT…
    what=$1 rule=$2 text=$3; shift 3
    if verdict "$@" | grep -qF -- "$text"; then ok "$what"; else not_ok "$what"; verdict "$@" | sed 's/^/# /'; fi
}

# ---- MFU: where a card has a peak that is known, and precision on every line
jq '.peaks = [{"precision": "fp32", "tflops": 0.5, "source": "made for the tests"}] | del(.peak_note)' \
    rec/accelerators/cpu.json >x.json && mv x.json rec/accelerators/cpu.json
rated=$(run one); says "the closing line has it" ", MFU "
summary() { sed -n "s|^$2:  ||p" "$1"/*/*/*/rank0.out.log; }
check "MFU is 6 * N * token/p/s / peak" awk -v a="$(summary "$rated" MFU)" -v rate="$(summary "$rated" Tokens/p/s)" \
    -v n="$(jq .nominal_parameters rec/models/mini.json)" 'BEGIN { b = 6 * n * rate / 5e11; d = (a - b) / b; print a, b; exit !(d * d < 1e-24) }'
holds "verify computes the same" FP2032 '"PASS","the log prints MFU as' "$rated"
jq '.peaks[0].precision = "bf16"' rec/accelerators/cpu.json >x.json && mv x.json rec/accelerators/cpu.json
dir2=$(run one); is "no peak of this precision, no MFU" "" "$(summary "$dir2" MFU)"
cp "$top/records/accelerators/cpu.json" rec/accelerators/
dir2=$(run one); is "and none where the card has none" "" "$(summary "$dir2" MFU)"
is "every step says its precision" 20 "$(events "$dir2" STEP_END | jq -r .precision | grep -c '^fp32$')"
is "and so does the head" fp32 "$(events "$dir2" INIT_START | jq -r .precision)"

# ---- sealed, and verified
check "a run with checkpoints is sealed" "$FPREPORT" collect --records rec "$whole_one" -o whole.tar.zst
grep -qF "left out: checkpoints/ (2 of them, " .out && ok "it says what it leaves out" || not_ok "it says what it leaves out"
check "indeed" sh -c '! tar --zstd -tf whole.tar.zst | grep -q checkpoints'
check "a run that went on is sealed" "$FPREPORT" collect --records rec "$half_one" --vendor fpreport -o rec
holds "the whole run has all its steps" FP4005 'the log contains 20 steps in the format perflog, in order, which is the number of steps of the case' whole.tar.zst
unseen="the run resumed after step 10 of $(basename "$whole_one"), so the evidence does not contain the earlier steps"
holds "of one that went on, it says what is not there" FP4005 "[\"CANNOT\",\"the log has 10 steps, 11 to 20, in order; $unseen\"]" rec/evidence/fpreport/one-*.tar.zst
holds "the run directory itself says the same" FP4005 "\"CANNOT\",\"the log has 10 steps, 11 to 20" "$half_one"
holds "its loss is not compared" FP2001 "$unseen" rec/evidence/fpreport/one-*.tar.zst
record=rec/results/fpreport/one.json
check "its draft states no loss" sh -c '! jq -e ".performance[].table.columns | index(\"loss\")" '$record
check "the rate of its own steps is recomputed" "$FPREPORT" verify --records rec fpreport/one
jq '.performance[0].table.columns += ["loss"] | .performance[0].table.rows[0] += ["3.4"]' $record >x.json && mv x.json $record
"$FPREPORT" verify --records rec fpreport/one >out 2>&1
check "who states one all the same is only partly verified" grep -q 'fpreport/one: partial' out

"$FPREPORT" render --records rec -q -o pages fpreport/one >out 2>&1
check "its page shows the precision" grep -qF '| fp32 |' pages/fpreport/one/README.md
check "and the site is built" "$FPREPORT" build --records rec -q -o site
check "and its result shows it, too" grep -q '>fp32<' site/en/result/fpreport/one/index.html
check "and what is not in the evidence" grep -qF "the evidence does not contain the earlier steps" site/en/result/fpreport/one/index.html

# Each lie about it, with everything restated that binds the files.
mkdir forge
forge() { # DESCRIPTION RULE TEXT SED-ON-LOG JQ-ON-RUN [RUN]
    rm -rf forge/run*; cp -R "${6:-$half_one}" forge/run20260101000000; f=forge/run20260101000000
    log=$(echo $f/*/*/*/rank0.out.log)
    sed -i "$4" "$log"
    jq --arg sum "$(sha256sum <"$log" | cut -c1-64)" "$5 | .files |= map(if .path | endswith(\"rank0.out.log\") then .sha256 = \$sum else . end)" $f/run.json >x.json && mv x.json $f/run.json
    "$FPREPORT" collect -q --force --records rec $f -o forged.tar.zst >/dev/null 2>err
    holds "$1" "$2" "$3" forged.tar.zst
}
forge "run.json that hides it" FP4010 "run.json says that the run continued after step 0, but the log says that it continued after step 10" '' '.resumed = null'
forge "a log that hides it" FP4005 '10 of 20 steps are missing' 's/"resumed_step": 10, //' '.resumed = null'
forge "a log of fewer steps than it went on for" FP4005 '1 of 10 steps are missing' '/"global_steps": 11,/d' .
forge "another step than the log's first" FP4005 '"FAIL"' 's/"resumed_step": 10/"resumed_step": 9/' '.resumed.step = 9'
forge "a step that is none" FP4005 '"FAIL"' 's/"resumed_step": 10/"resumed_step": 1e300/' '.resumed.step = 1e300'
holds "given weights that its case does not say" FP4004 "the run started from given weights, but its case says that the seed determines the initial weights" "$(run drawn -q --init llama)"
holds "those that it says" FP4004 "the run started from the weights that the case specifies" "$dir"
holds "and in a run that went on" FP4004 "the run started from the weights that the case specifies" "$on"
forge "time that went into checkpoints, it says" FP4007 '"CANNOT","checkpoint writing took 1000000000.000 of' 's/"seconds": [0-9.e-]*/"seconds": 1e9/' . "$whole_one"
forge "others" FP4004 "the run started from other weights than those that the case specifies" 's/"initial_weights_sha256": "[0-9a-f]/"initial_weights_sha256": "x/' . "$dir"
forge "none" FP4004 "the case starts from given weights, but the log does not name these weights" 's/, "value": {"initial_weights_sha256": "[0-9a-f]*"}//' . "$dir"
plan_done
