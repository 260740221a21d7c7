#!/bin/sh
# Walls for false runs: forgeries of our own (tests/data/forgeries.tsv), those of ../shared and its real logs, each
# with what must be said of it; and what honest runs must not be told.
. "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1
golden=$top/tests/golden/build/records
record=records/results/globex/tiny_llama.json archive=records/evidence/globex/run.tar.zst
fresh() { rm -rf records run && cp -R "$golden" records && rm -rf records/results/acme && mkdir run && tar -C run --zstd -xf $archive; }
# Sealed by the plain build, as it is verify that is tested; and only where run.json has sums, are they made anew.
sealed() {
    rm -f run/SHA256SUMS $archive
    ! grep -q '"files"' run/run.json || resum
    "$PLAIN_PROGRAM" collect -q --force run -o $archive >.seal 2>&1
    sed -i "s/\"sha256\": \"[0-9a-f]\{64\}\"/\"sha256\": \"$(sha256sum <$archive | cut -c1-64)\"/" $record
}
resum() {
    python3 - run <<'P'
import hashlib, json, os, sys
path = os.path.join(sys.argv[1], "run.json")
run = json.load(open(path))
for f in run.get("files", []):
    f["sha256"] = hashlib.sha256(open(os.path.join(sys.argv[1], f["path"]), "rb").read()).hexdigest()
json.dump(run, open(path, "w"), indent=2, ensure_ascii=False)
P
}
new='FP1018|FP1019|FP1020|FP203[5-9]|FP204[01]|FP302[01]|FP401[789]|FP402[1-9]'

fresh && sealed
"$FPREPORT" verify globex/tiny_llama >out 2>&1
check "the honest run, sealed again, is verified without a word" sh -c 'grep -q ": verified" out && ! grep -qE "(error|warning):" out'
fresh && sed -i '254s/^/  num_layers ..... 3\n  hidden_size ..... 128\n  num_query_groups ..... 2\n  seq_length ..... 64\n  lr ..... 0.002\n  fp8 ..... None\n  bf16 ..... False\n/' "$(find run -name rank0.out.log)" && sealed
"$FPREPORT" verify globex/tiny_llama >out 2>&1
check "arguments that are the case's, printed into its log, are no finding" sh -c 'grep -q ": verified" out && ! grep -qE "(error|warning):" out'
fresh && sealed && sed -i 's|\["模型", "tiny_llama", ""\]|&, ["吞吐量", "17789.9 token/s", ""]|' $record
check "a figure of the table is repeated" grep -q '"17789.9 token/s"' $record
"$FPREPORT" verify globex/tiny_llama >out 2>&1
check "which is no further claim" sh -c 'grep -q ": verified" out && ! grep -qE "(error|warning):" out'
# A column may have the key of a figure as its header: it is that figure, stated, and no text beside it.
for key in throughput_wall card_power mfu_exact; do
    fresh && sealed && sed -i "s|\(\"columns\": \[\"配置\".*\)\]|\1, \"$key\"]|; s|\(\"CPU单机单卡（1x1）\".*\"\)\]|\1, \"98765\"]|" $record
    check "a column $key" grep -q '"98765"' $record
    "$FPREPORT" verify globex/tiny_llama >out 2>&1
    check "is a claim that was not recomputed, said once" sh -c 'grep -q ": partial" out && ! grep -q FP1020 out'
done

# A loose run is held to the digests that its run.json states; a part of it may be all that is there.
fresh && python3 - <<'P'
import hashlib, json, os
run = json.load(open("run/run.json"))
names = [os.path.relpath(os.path.join(d, f), "run") for d, _, files in os.walk("run") for f in files]
run["files"] = [{"path": n, "sha256": hashlib.sha256(open("run/" + n, "rb").read()).hexdigest()}
                for n in sorted(names) if n not in ("run.json", "SHA256SUMS")]
json.dump(run, open("run/run.json", "w"))
P
"$FPREPORT" verify -v run >out 2>&1
check "a loose run that nobody changed" sh -c 'grep -q "all 6 files are unchanged" out && ! grep -qE "(error|warning):" out'
rm "$(find run -name sys_info.log)"
"$FPREPORT" verify -v run >out 2>&1
check "and one of which a file is not there" sh -c 'grep -q "all 5 files are unchanged" out && ! grep -q "error:" out'
sed -i '100s/"grad_norm": [0-9]*/"grad_norm": 7/' "$(find run -name rank0.out.log)"
check_exit 1 "one whose log was changed" "$FPREPORT" verify run
tr '\n' ' ' <.out | sed 's/  */ /g' >line
check "is told so" grep -q 'the file was changed after the run ended.*FP4009' line
n=0
while IFS='	' read -r name file change restate want; do
    case $name in '' | '#'*) continue ;; esac
    fresh && sed -i "$change" "$(find run -name "$file")" && sealed && sed -i "$restate" $record
    "$FPREPORT" verify --color never globex/tiny_llama >out 2>&1
    tr '\n' ' ' <out | sed 's/  */ /g' >line
    grep -qE -- "$want" line && ok "$name" || { not_ok "$name"; sed 's/^/# /' out | head -n 12; }
    "$PLAIN_PROGRAM" verify --rules 2026.2 globex/tiny_llama 2>&1 | grep -qE "$new" && not_ok "$name: an older set has no rule of this one"
    n=$((n + 1))
done <"$top/tests/data/forgeries.tsv"
check "all lines of forgeries were read" test $n -eq "$(grep -vc '^#' "$top/tests/data/forgeries.tsv")"

# The site shows a vendor's heading and names beside its figures.
for said in '"heading": "globex 99999 tokens/s"' '"aliases": ["HFU 93%"]'; do
    fresh && sealed && sed -i "s,\"id\": \"globex\",&\, $said," records/vendors/globex.json
    "$FPREPORT" verify --color never globex/tiny_llama 2>&1 | tr '\n' ' ' | sed 's/  */ /g' >line
    check "a vendor's record that claims a figure: $said" grep -q 'vendor.* claims the figure .* did not check.*partial' line
done

# The times of somebody else, multiplied, rounded, one left out, one put in: both are told, and neither is accused.
copied() {
    archive=records/evidence/globex/run.tar.zst record=records/results/globex/tiny_llama.json
    fresh && mkdir -p records/evidence/acme records/results/acme
    sed 's/globex/acme/g; s,"evidence/acme/run,"evidence/acme/copy,' $record >copy.json
    sed -i 's/"17789\.9"/"17969.5"/' copy.json
    python3 - "$(find run -name rank0.out.log)" "$2" <<'P'
import re, sys
text = open(sys.argv[1]).read()
old = [float(t) for t in re.findall(r'"step_time_s": ([0-9.e-]+)', text)]
new = iter(eval(sys.argv[2], {"t": old, "round": round}))
def change(m):
    t = next(new)
    return '"tokens/s": %r, "step_time_s": %r' % (256 / t, t)
open(sys.argv[1], "w").write(re.sub(r'"tokens/s": [0-9.e-]+, "step_time_s": [0-9.e-]+', change, text))
P
    archive=records/evidence/acme/copy.tar.zst record=copy.json && sealed
    cp copy.json records/results/acme/tiny_llama.json
    archive=records/evidence/globex/run.tar.zst record=records/results/globex/tiny_llama.json
    for vendor in globex acme; do
        "$FPREPORT" verify --color never $vendor/tiny_llama 2>&1 | tr '\n' ' ' | sed 's/  */ /g' >line
        check "a copy with $1 is a warning at $vendor" grep -q 'warning: the step times rise and fall together with those of .*FP4019' line
    done
}
copied "times x 0.99" '[x * 0.99 for x in t]'
copied "times in whole milliseconds" '[round(x, 3) for x in t]'
copied "the 100th time left out" 't[:99] + t[100:] + t[-1:]'
copied "a time put in" 't[:50] + t[49:-1]'

# Samples of the cards of a shipped run on H200s that do not fit it.
shipped=llama2_7b-native
sampled() {
    rm -rf records run && mkdir -p records/results/fpreport records/evidence/fpreport run
    for x in vendors cases models accelerators references; do cp -R "$top/records/$x" records; done
    cp "$top/records/results/fpreport/$shipped.json" records/results/fpreport/
    archive=records/$(sed -n 's/.*"archive": "\([^"]*\)".*/\1/p' records/results/fpreport/$shipped.json | head -n 1)
    record=records/results/fpreport/$shipped.json
    tar -C run --zstd -xf "$top/$archive" && rm -f run/statement.json*
    monitor=$(find run -name nvidia_monitor.log)
    cp "$monitor" before.log && sed -i -E "$2" "$monitor"
    [ "$1" = honest ] || { cmp -s before.log "$monitor" && not_ok "$1: nothing was changed"; }
    sealed
    "$FPREPORT" verify --color never fpreport/$shipped 2>&1 | tr '\n' ' ' | sed 's/  */ /g' >line
    check "samples of cards: $1" grep -qE -- "$3" line
}
sampled honest '' '0 warnings'
sampled "busy 6 %" 's/[0-9]+%/6%/' 'warning: no card was utilised by more than 6.0 % .*FP3021'
sampled "busy 150 %" 's/[0-9]+%/150%/' 'warning: the utilisation of a card is 150.0 %.*FP3021'
sampled "a power of 999 W" 's/[0-9]+W/999W/' 'warning: a card drew 999 W, but its maximum is 700 W.*FP3021'
sampled "a power of 60 W" 's/[0-9]+W/60W/' 'warning: no card drew more than 60 W .*FP3021'
sampled "no number" 's/[0-9]+W/nanW/' "warning: a monitor sample is 'nanW'.*FP3021"
sampled "always the same" 's/[0-9]+W/640W/' 'warning: each card in use drew constant power.*FP3021'
shipped=llama2_7b-native-4
sampled honest '' '0 warnings'
sampled "one card of four at work" '3~6s/[0-9]+%/0%/;4~6s/[0-9]+%/0%/;5~6s/[0-9]+%/0%/' 'warning: the average utilisation of the 4 cards was at most .*, but the run has an MFU.*FP3021'

# DeepSpeed's reports as a loose log: the end of each forgery has no loss, and the honest one has.
python3 - >ds.log <<'P'
for k in range(1, 41):
    at = "2026-11-27 13:%02d:%02d,500" % (k * 2 // 60, k * 2 % 60)
    print("[%s] [INFO] [logging.py:96:log_dist] [Rank 0] step=%d, skipped=0, lr=[1e-05], mom=[(0.9, 0.95)]" % (at, k))
    print("[%s] [INFO] [timer.py:258:stop] global_step=%d, CurrSamplesPerSec=%.4f, MemAllocated=13.2GB" % (at, k, 8 / (1.9 + k % 7 / 50)))
    print("steps: %d loss: %.4f iter time (s): %.3f samples/sec: %.3f" % (k, 9 / k**0.3, 1.9 + k % 7 / 50, 8 / (1.9 + k % 7 / 50)))
P
changed_log() { # DESCRIPTION LOG SED WANT
    sed -E "$3" "$2" >changed.log
    cmp -s "$2" changed.log && not_ok "$1: nothing was changed"
    "$FPREPORT" verify --color never changed.log 2>&1 | tr '\n' ' ' | sed 's/  */ /g' >line
    check "$1" grep -qE "$4" line
}
ends() { changed_log "a DeepSpeed log, $1" ds.log "$2" "$3"; }
"$FPREPORT" verify --color never ds.log >out 2>&1
check "an honest DeepSpeed log: nothing to be told" sh -c '! grep -qE "(error|warning|notice):.*(FP2035|FP4007|FP4017)" out'
none='warning: no step from step 40 to the end trained the model .*no final loss'
ends "the last loss tensor(nan)" '/^steps: 40 /s/loss: [0-9.]+/loss: tensor(nan)/' "$none"
ends "the last loss N/A" '/^steps: 40 /s/loss: [0-9.]+/loss: N\/A/' "$none"
ends "the last loss left out" '/^steps: 40 /s/loss: [0-9.]+ //' "$none"
ends "the last step skipped" '/step=40,/s/skipped=0/skipped=1/' "$none"
ends "the last step overflows" '$s/$/\n[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 2, reducing to 1/' "$none"
ends "the steps shorter than their stamps" 's/iter time \(s\): 1/iter time (s): 0/;s/iter time \(s\): 2/iter time (s): 1/' 'warning: the step times add up to .* s, but their timestamps span 7[0-9.]* s.*FP2039'
ends "a step before it skipped" 's/step=(39|40), skipped=0/step=\1, skipped=1/' 'notice: 1 of 40 steps were skipped'

# What the trainer of transformers sums up at its end, and where its reports stand: each behind the bar of its step.
python3 - >hf.log <<'P'
print("  Total train batch size (w. parallel, distributed & accumulation) = 16")
for k in range(1, 61):
    print("\r%3d%%|x| %d/60 [00:%02d<00:09,  2.46it/s]" % (k * 100 // 60, k, k * 24 // 60), end="")
    if k % 5 == 0:
        print("{'loss': %.4f, 'grad_norm': 1.%d, 'learning_rate': 1e-05, 'epoch': %.2f}" % (9 / k**0.3, k, k / 60))
print("{'train_runtime': 24.1468, 'train_samples_per_second': 39.756, 'train_steps_per_second': 2.485, 'train_loss': 4.1, 'epoch': 1.0}")
P
summary() { changed_log "a summary of Hugging Face, $1" hf.log "$2" "error: .*$3.*FP2041"; }
"$FPREPORT" verify --color never hf.log >out 2>&1
check "an honest Hugging Face log: nothing to be told, and it ends at step 60 of 60" sh -c '! grep -qE "(error|warning|notice):" out && grep -q "loss of step 60, line" out'
rate="s/(train_samples_per_second': )[0-9.]+/\\1397.56/" speed="s/(train_steps_per_second': )[0-9.]+/\\124.85/" run="s/(train_runtime': )[0-9.]+/\\12.41468/"
summary "ten times the samples" "$rate" 'train_runtime 24.1468 s \* train_samples_per_second 397.56 = 9600 samples, but 60 steps of 16 samples have 960'
summary "ten times the steps" "$speed" 'train_runtime 24.1468 s \* train_steps_per_second 24.85 = 600.0 steps, but the progress bar shows 60'
summary "a tenth of the seconds" "$run;$rate;$speed" 'train_runtime is 2.41468 s, but the progress bar shows an elapsed time of 24 s'
summary "another rate in a block behind it" '$s/$/\n***** train metrics *****\n  train_samples_per_second =     397.56/' 'train_samples_per_second is 39.756, but 397.56 in line'

# Megatron counts the iterations whose loss was NaN; the loss it prints beside them is of none.
for k in 1 2 3 4; do
    echo " [2026-11-27 13:30:0$k] iteration $k/ 4 | consumed samples: ${k}0 | elapsed time per iteration (ms): 99$k.5 | lm loss: $((9 - k)).5E+00 | grad norm: 1.$k | number of skipped iterations:   0 | number of nan iterations:   $((k / 4)) |"
done >mega.log
"$FPREPORT" verify --color never mega.log 2>&1 | tr '\n' ' ' | sed 's/  */ /g' >line
check "a Megatron log with a NaN iteration at its end" grep -q 'warning: no step from step 4 to the end trained the model .*no final loss' line

# --- What lies in ../shared.
trials=$shared/trials
if [ ! -d "$trials/forgeries" ]; then
    echo "# no ../shared/trials: its forgeries and logs were not run"
    plan_done
    exit
fi
for f in "$trials"/forgeries/*/; do
    name=$(basename "$f")
    [ "$name" = records-base ] && continue
    rm -rf R && cp -R "$trials/forgeries/records-base" R && cp -R "$f"/* R
    [ "$name" = g13 ] && for x in vendors cases models accelerators references; do cp -R "$top/records/$x" R; done
    cp "$trials/forgeries/records-base/vendors/acme.json" R/vendors/
    "$FPREPORT" verify --records R acme >out 2>&1
    check "forgery $name is not verified without a word" grep -qE '(error|warning): ' out
    "$PLAIN_PROGRAM" verify --records R --rules 2026.2 acme 2>&1 | grep -qE "$new" && not_ok "$name by the rules of before"
done
says() { "$FPREPORT" verify --color never "$trials/$1" 2>&1 | tr '\n' ' ' | sed 's/  */ /g' >line; check "$1: $2" grep -qE "$2" line; }
says 01-megatron-nan-lines/48-run.log '20 of 60 step reports have a loss that is NaN.*no final loss'
says 01-megatron-nan-lines/48-epfl-nan.log '2 of 4 gradient norms are NaN; the first of them is at step 3385'
says 03-all-skipped/10-mega-skipped.log '10 of 10 steps were skipped'
says 04-skipped-counted/43-faib-1node.log 'notice: 16 of 100 steps were skipped'
says 04-skipped-counted/09-bert-sop.log 'notice: 12 of 20 steps were skipped'
says 05-loss-zero-nan-grad/25-t5-overflow.log '1995 of 2000 steps were skipped'
says 05-loss-zero-nan-grad/56-lf-npu.log 'warning: 2 of 2 losses are exactly 0'
says 07-diverged/33-mindyolo.log 'warning: the run diverged'
says 08-lf-doubled/61-lf-double.log '3 steps \(1 to 3\)'
says 08-lf-doubled/12-lf-zero.log '4 steps \(1 to 4\)'
says 18-memory-slash-80/README.md 'half of a pair.*an MFU of .16%. but no throughput'
says 29-llmc-and-others/46-primerl.log 'an MFU of 337.59 %'
says 29-llmc-and-others/52-bigdl.log '1 of 3 step reports have a loss that is NaN, infinite'
says 29-llmc-and-others/51-ds-skipped.log '10 of 10 steps were skipped'
nan=$trials/01-megatron-nan-lines
for pair in "48-run 48-ref" "48-ref 48-run"; do
    set -- $pair
    check_exit 1 "diff $1 $2: a curve with NaN" "$FPREPORT" diff "$nan/$1.log" "$nan/$2.log"
    tr '\n' ' ' <.out >said
    check "diff $1 $2 says so" sh -c 'grep -q "are NaN or" said && ! grep -q "divergence  *none" said'
done
for f in "$trials"/2[246]-*/*.log "$trials"/09-*/stdout.log "$trials"/13-*/*.txt "$trials"/11-*/*.json "$trials"/29-*/[26]*.log "$shared"/corpus/curves/*.csv; do
    "$FPREPORT" verify "$f" 2>&1 | grep -E "(error|warning):.*($new)" >found
    check "$(basename "$f"): nothing to be told" test ! -s found
done
for r in tiny_llama llama2_7b-native llama2_7b-native-4; do
    "$FPREPORT" verify --records "$top/records" fpreport/$r 2>&1 | grep -E '(error|warning):' >found
    check "the shipped $r: nothing to be told" test ! -s found
done
plan_done
