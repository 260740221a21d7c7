# files.sh: what tests of checkpoints and given weights share, after lib.sh beside it.
ln -s "$top/templates" templates
for d in vendors accelerators; do cp -R "$top/records/$d" rec/; done
rm rec/cases/not_json.json rec/cases/sha.json rec/cases/type.json rec/cases/unknown.json rec/cases/no_model.json

twenty() { # ID JQ: a case of twenty steps, changed
    jq -c --arg id "$1" ".id = \$id | .steps = 20 | .micro_batch = 4 | $2" rec/cases/mini.json >"rec/cases/$1.json"
}
twenty one .
twenty two '.micro_batch = 2 | .parallel = {"data": 2, "zero": 1}'
twenty four '.micro_batch = 1 | .parallel = {"data": 4, "zero": 2}'
twenty other '.optimizer.learning_rate = 0.02'
twenty more '.steps = 30'
twenty small '.micro_batch = 2'

is() { # DESCRIPTION EXPECTED ACTUAL
    if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; echo "# '$3', expected '$2'"; sed 's/^/# /' err | head -n 5; fi
}
says() { # DESCRIPTION TEXT
    if grep -qF -- "$2" err; then ok "$1"; else not_ok "$1"; sed 's/^/# /' err | head -n 5; fi
}
run() { "$FPREPORT" train --records rec -o runs "$@" 2>err; } # prints the run directory
refused() { # STATUS TEXT CASE OPTION…: exits so, says so, and leaves no run
    want=$1 text=$2; shift 2
    before=$(ls runs); run "$@" >out; code=$?
    if [ "$code" -eq "$want" ] && grep -qF -- "$text" err && [ "$before" = "$(ls runs)" ]; then
        ok "refused: $text"
    else
        not_ok "refused: $text"; echo "# exit $code"; sed 's/^/# /' err | head -n 5
    fi
}
failed() { # STATUS TEXT CASE OPTION…: the same, with a run that is marked failed
    want=$1 text=$2; shift 2
    failed=$(run "$@"); code=$?
    if [ "$code" -eq "$want" ] && grep -qF -- "$text" err && [ "$(jq -r .state "$failed/run.json")" = failed ]; then
        ok "failed: $text"
    else
        not_ok "failed: $text"; echo "# exit $code"; sed 's/^/# /' err | head -n 5
    fi
}
events() { sed -n 's/^\[PerfLog\] //p' "$1"/*/*/*/rank0.out.log | jq -c "select(.event == \"$2\") | .value"; }
# All figures of the steps but times, and the weights.
bits() {
    events "$1" STEP_END | jq -c '[.global_steps, .loss, .grad_norm, .learning_rate, .num_trained_samples]'
    events "$1" FINISHED | jq -r .weights_sha256
}
behind() { bits "$1" | tail -n "$2"; } # the last steps and the weights

# A tiny Llama of Hugging Face's layout, in llama (llama.bf16, llama.f16), a model and a row of tokens for it.
make_llama() {
    hf="python3 $top/tests/oracle/hf_llama.py" weights="python3 $top/tests/oracle/hf_weights.py"
    tokens=$(awk 'BEGIN { for (i = 0; i < 17; i++) printf "%d ", (i * i * 7 + 3 * i + 1) % 128 }')
    check "a model is made" $hf make llama
    for f in BF16 F16; do
        w=llama.$(echo $f | tr BF bf); $weights shard llama "$w" $f; cp llama/config.json "$w/"
    done
    python3 - "$tokens" <<'NPY'
import struct, sys
tokens = [int(t) for t in sys.argv[1].split()]
head = ("{'descr': '<u2', 'fortran_order': False, 'shape': (%d,), }" % len(tokens)).ljust(117) + "\n"
open("rec/cases/row.npy", "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack("<%dH" % len(tokens), *tokens))
NPY
    jq -c '.id = "llama" | .shape = {"vocabulary": 128, "layers": 2, "hidden": 16, "heads": 4, "kv_heads": 2, "ffn": 24}' \
        rec/models/mini.json >rec/models/llama.json
    sum=$($weights hash llama)
}
given() { # ID JQ
    jq -c --arg id "$1" --arg sum "$sum" ".id = \$id | .model = \"llama\" | .steps = 3 | .micro_batch = 1 | .sequence_length = 16
        | .data = {\"kind\": \"npy\", \"path\": \"row.npy\"} | $2" rec/cases/mini.json >"rec/cases/$1.json"
}
