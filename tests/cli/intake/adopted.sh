#!/bin/sh
# Runs that fpreport did not start are adopted: recomputed like others, partial at most. Cards that no tool shows are
# stated. And a log by itself, with what the command line says of it.
. "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1
mkdir -p records && for d in vendors accelerators models cases; do cp -R "$top/records/$d" records/; done
cat >records/vendors/acme.json <<'E'
{"schema": "fpreport.vendor/1", "id": "acme", "name": {"en": "Acme", "zh": "Acme"}}
E
cat >records/accelerators/acme-x9.json <<'E'
{"schema": "fpreport.accelerator/1", "id": "acme-x9", "vendor": "acme", "name": "Acme X9",
 "peaks": [{"precision": "bf16", "tflops": 400, "source": "data sheet"}]}
E
cat >mega.py <<'P'
import math, datetime, sys
at = datetime.datetime(2026, 5, 6, 10)
print("using world size: 8, data-parallel size: 2, context-parallel size: 1, tensor-model-parallel size: 4, pipeline-model-parallel size: 1")
for k, v in dict(bf16=True, data_parallel_size=2, global_batch_size=8, micro_batch_size=1, seq_length=8192, tensor_model_parallel_size=4, params_dtype="torch.bfloat16", world_size=8).items():
    print("  %s %s %s" % (k, "." * (48 - len(k)), v))
now = "now" in sys.argv
for i in range(1, 31):
    step = 950 + 7 * (i * 37 % 11)
    at += datetime.timedelta(milliseconds=step)
    print(" [%s] iteration %8d/      30 | consumed samples: %12d | elapsed time per iteration (ms): %.1f | learning rate: %.6E | global batch size:     8 | lm loss: %.6E | loss scale: 1.0 | grad norm: %.3f | number of skipped iterations:   0 | number of nan iterations:   0 |" % ((datetime.datetime.now() if now else at).strftime("%Y-%m-%d %H:%M:%S"), i, 8 * i, 1e-3 if now else step, 1e-6 * i, 2.1 + 9.9 * math.exp(-i / 25) + 0.01 * (i * 29 % 7), 1.5 + 0.1 * (i % 5)))
P
python3 mega.py >slurm-4711.out
adopt() { "$FPREPORT" collect slurm-4711.out --case llama3_8B-megatron --vendor nvidia --accelerator h100 --cards 8 "$@"; }
record=records/results/nvidia/llama3_8B-megatron.json

check "a log is adopted" adopt
"$FPREPORT" verify nvidia/llama3_8B-megatron >said 2>&1
check "without error or warning" sh -c '! grep -qE "^[^ ].*: (error|warning):" said'
check "the verdict says that nobody saw it" grep -q 'notice: adopted: fpreport did not start or monitor this run' said
check "partial at most" grep -q 'nvidia/llama3_8B-megatron: partial' said
check "by older rules, too" sh -c '"$1" verify --rules 2026.2 nvidia/llama3_8B-megatron | grep -q "megatron: partial"' - "$FPREPORT"
check "every figure is recomputed" grep -q '3 of 3 stated figures recomputed' said
check "cards, plan and framework" sh -c 'jq -c ".performance[0].table.rows[0]" "$1" | grep -q "NVIDIA H100.*（1x8）.*bf16.*TP4PP1DP2"' - $record
check "nothing is said of what nobody saw" sh -c '! grep -q "无" "$1"' - $record
check "the data say so" sh -c '"$1" verify --format json nvidia/llama3_8B-megatron | jq -e "[.. | .adopted? // empty] == [true]"' - "$FPREPORT"
# An overflow in the middle: Megatron prints neither a loss nor a norm of that step.
sed '/iteration *15\// { s/skipped iterations:   0/skipped iterations:   1/; s/lm loss: [^|]*| //; s/grad norm: [^|]*| // }' slurm-4711.out >over.out
check "one line is another" sh -c 'test "$(diff slurm-4711.out over.out | grep -c "^>")" -eq 1'
"$FPREPORT" collect over.out --case llama3_8B-megatron --vendor nvidia --accelerator h100 --cards 8 -o over.tar.zst >said 2>&1
"$FPREPORT" verify over.tar.zst >said 2>&1
check "a skipped step is no missing one" sh -c 'grep -q "1 of 30 steps were skipped" said && ! grep -qE "^[^ ].*: (error|warning):" said'
ln -s "$top/templates" templates
check "the site is built" "$FPREPORT" build -q -o site
check "the page says so" grep -q 'fpreport did not witness the run' site/en/result/nvidia/llama3_8B-megatron/index.html
check "in Chinese, too" grep -q 'fpreport 没有启动也没有监控这次运行' site/zh/result/nvidia/llama3_8B-megatron/index.html
archive=$(ls records/evidence/nvidia/*.tar.zst) && cp "$archive" first
check "again" adopt --force -q
check "the same bytes" cmp first "$archive"
tar -xOf "$archive" --zstd run.json >run.json
check "run.json says it" jq -e '.adopted and .started == null and .accelerator == "h100"' run.json
# Its record edited into one of a run that fpreport started: first a word, then all that run.json says, then the names.
forged() { # NAME JQ-FILTER MOVE WANT
    rm -rf edit && mkdir edit && tar -C edit --zstd -xf first && (cd edit && rm -f SHA256SUMS statement.json && node=$(echo */round1/*) && eval "$3")
    jq "$2" run.json >edit/run.json
    "$FPREPORT" collect -q --force edit -o forged.tar.zst >/dev/null 2>&1
    "$FPREPORT" verify --color never forged.tar.zst 2>&1 | tr '\n' ' ' | sed 's/  */ /g' >said
    check "no witnessed run is made by $1" grep -qE "$4.*FP4023" said
}
invented='del(.adopted) | .exit_status = 0 | .started = "2026-05-06T10:00:00Z" | .finished = "2026-05-06T10:01:00Z" | .host = "adopted" | .command = ["python3"] | .layout = [{"source": "--ranks", "ranks": 8}] | del(.files)'
forged "the word false" '.adopted = false' : "error: run.json contains 'adopted' with a value other than true"
forged "taking the word out" 'del(.adopted)' : 'error: run.json does not name the machine'
forged "an invented run.json" "$invented" : 'error: the log of a run that fpreport starts is named rankN.out.log.*error: the log is in the folder for logs of runs that fpreport did not start.*error: the fingerprint says that fpreport did not witness'
forged "other names" "$invented | .host = \"vm\"" 'mv "$node"/*.out.log "$node/rank0.out.log" && mv "$node" "${node%/*}/vm_noderank0"' 'error: sys_info.log is missing beside the log.*warning: the arrival times of the log lines are missing'
ssh-keygen -q -t ed25519 -N '' -C '' -f key
check "it can be signed" adopt --force -q --sign key
check "with a fingerprint of the machine" sh -c '"$1" fingerprint --format json -o f.json -q; "$1" collect -q slurm-4711.out --case llama3_8B-megatron --vendor nvidia --fingerprint f.json -o with.tar.zst' - "$FPREPORT"
check "which is sealed as it is" sh -c 'tar -xf with.tar.zst --zstd && cmp f.json */round1/*/fingerprint.json'

cp -R records own && "$FPREPORT" collect -q slurm-4711.out --records own -o own --case llama3_8B-megatron --vendor acme --cards 8 >/dev/null 2>said
check "a card that nobody named stays unknown" sh -c 'jq -r ".performance[0].table.rows[0][0]" own/results/acme/*.json | grep -qx "单机8卡（1x8）" && ! grep -q CPU own/results/acme/*.json'

# --- What is no such thing.
check_exit 2 "a case that is not there" "$FPREPORT" collect slurm-4711.out --case nothing --vendor nvidia
check_exit 2 "a card that is not there" "$FPREPORT" collect slurm-4711.out --case llama3_8B-megatron --vendor nvidia --accelerator h1000
check_exit 2 "cards that are no number" "$FPREPORT" collect slurm-4711.out --case llama3_8B-megatron --vendor nvidia --cards many
check_exit 2 "a folder" "$FPREPORT" collect records --case llama3_8B-megatron --vendor nvidia
check_exit 3 "a log that is not there" "$FPREPORT" collect none.log --case llama3_8B-megatron --vendor nvidia
check_exit 3 "a fingerprint that is none" "$FPREPORT" collect slurm-4711.out --case llama3_8B-megatron --vendor nvidia --fingerprint mega.py
mkdir -p two && cp slurm-4711.out two/
check_exit 2 "two files of one name" "$FPREPORT" collect slurm-4711.out two/slurm-4711.out --case llama3_8B-megatron --vendor nvidia
check_exit 2 "two runs without a case" "$FPREPORT" collect slurm-4711.out two --vendor nvidia
check_exit 3 "a log without a case" "$FPREPORT" collect slurm-4711.out --vendor nvidia
cp .out said
check "is told how it is adopted" grep -q -e '--case ID' said
: >empty.log
check_exit 1 "an empty log is not sealed" "$FPREPORT" collect empty.log --case llama3_8B-megatron --vendor nvidia

# --- A log by itself.
"$FPREPORT" verify slurm-4711.out --cards 8 --accelerator h100 --model llama3_8b >said 2>&1
check "a log by itself has a rate" grep -qE 'token_per_s_per_card +8[0-9]{3}\.[0-9]+ +recomputed' said
check "and an MFU" grep -qE 'mfu +[34][0-9]\.[0-9]+% +recomputed' said
check "half the cards, twice the rate" sh -c '"$1" verify slurm-4711.out --cards 4 --accelerator h100 --model llama3_8b | grep -qE "token_per_s_per_card +1[67][0-9]{3}"' - "$FPREPORT"
check_exit 2 "a model that is not there" "$FPREPORT" verify slurm-4711.out --model nothing

# --- A card that no tool shows.
acme() { # ARGUMENTS…: a short run of a command, collected; what it says is in `said`
    rm -rf records/results/acme records/evidence/acme
    run=$("$FPREPORT" -q train llama3_8B-megatron -o runs $train -- python3 mega.py now 2>train.said) || cat train.said
    "$FPREPORT" collect "$run" --vendor acme "$@" >said 2>&1
}
if ls /dev/nvidia[0-9]* >/dev/null 2>&1; then skip "this machine has cards"; else
    train="" && acme --accelerator acme-x9 --force
    check "collect is told of the card" grep -q 'Acme X9单机8卡（1x8）' records/results/acme/llama3_8B-megatron.json
    check "what was not measured is said" grep -q 'the card Acme X9 was stated, but no card tool found it, so driver, memory, power and utilisation of the cards were not measured' said
    "$FPREPORT" verify -v acme/llama3_8B-megatron >said 2>&1
    check "and by the verdict" grep -q "CANNOT: the general metrics table names 'Acme X9', but only the vendor states this card" said
    check "it is no contradiction" sh -c '! grep -q "error:.*FP4006" said'
    train="--accelerator acme-x9" && acme --force
    check "train is told of it" jq -e '.accelerator == "acme-x9"' "$run/run.json"
    check "and collect knows it" grep -q 'Acme X9单机8卡' records/results/acme/llama3_8B-megatron.json
    train="" && acme --force
    check "without a word collect asks" grep -q 'no card tool found a card; name the card of the run by --accelerator' said
    mkdir bin && cat >bin/nvidia-smi <<'S'
#!/bin/sh
echo '| NVIDIA-SMI 550.90.07              Driver Version: 550.90.07      CUDA Version: 12.4     |'
for i in 0 1 2 3 4 5 6 7; do
    echo "|   $i  NVIDIA X900 80GB               On  |   00000000:0$i:00.0 Off |                    0 |"
    echo '| N/A   33C    P0            578W /  700W |   63210MiB /  81559MiB |     99%      Default |'
    echo '|                                         |                        |             Disabled |'
done
S
    chmod +x bin/nvidia-smi && before=$PATH && PATH=$tmp/bin:$PATH && acme --force
    PATH=$before
    check "a card that a tool showed is not asked for" sh -c '! grep -q "no card tool found a card" said'
    check "that it has no record is said" grep -q 'NVIDIA X900 80GB has no record in records/accelerators' said
    check_exit 2 "train of a card that is not there" "$FPREPORT" train llama3_8B-megatron --accelerator none -- true
    check_exit 2 "the native trainer sees its cards" "$FPREPORT" train tiny_llama --accelerator h100
fi
plan_done
