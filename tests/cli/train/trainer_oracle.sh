# The native trainer against independent implementations that start from the same weights and data.
. "$(dirname "$0")/../../lib.sh"
dump=$top/$BUILD/tests/oracle/dump_tiny_llama
case $BUILD in /*) dump=$BUILD/tests/oracle/dump_tiny_llama ;; esac

# What tests/gpu/check.sh starts PyTorch from on a GPU: the weights as any reader of safetensors sees
# them are those that the trainer draws, and training from the files is training from the seed.
start=${dump%/*}/dump_start shape="steps=24 warmup_steps=4 layers=2 vocab=300 heads=8 micro_batch=2"
check "dumps a start" "$start" "$tmp/start" $shape
python3 "$top/tests/oracle/torch_curve.py" "$tmp/start" --dry-run >"$tmp/dry"
printf '21 tensors, 423552 weights, tokens [24, 1, 2, 65]\n' >"$tmp/expected"
python3 "$top/tests/oracle/hf_weights.py" hash "$tmp/start" >>"$tmp/expected"
check "the start is read without our code" cmp "$tmp/expected" "$tmp/dry"
cp -r "$tmp/start" "$tmp/short" && head -c 5000 "$tmp/start/sequences.i32" >"$tmp/short/sequences.i32"
check_exit 1 "a start that is cut off is refused" python3 "$top/tests/oracle/torch_curve.py" \
    "$tmp/short" --dry-run
"$dump" "$tmp/d.bin" "$tmp/drawn.csv" $shape && "$dump" "$tmp/d.bin" "$tmp/read.csv" $shape \
    initial_weights="$tmp/start"
check "training from these files is training from the seed" cmp "$tmp/drawn.csv" "$tmp/read.csv"

# A module may be there for one Python and not for another.
python_with() { for p in python3 /usr/bin/python3; do "$p" -c "import $1" 2>/dev/null && echo "$p" && return; done; }

check "dumps two steps" "$dump" "$tmp/a.bin" "$tmp/a.csv" steps=2 warmup_steps=1
check "dumps a tied model" "$dump" "$tmp/b.bin" "$tmp/b.csv" steps=2 warmup_steps=1 tied=1 \
    kv_heads=4 micro_batch=1 gradient_accumulation=2 sequence_length=24
python=$(python_with numpy)
if [ -n "$python" ]; then
    check "the first loss is NumPy's" "$python" "$top/tests/oracle/numpy_forward.py" \
        "$tmp/a.bin" "$tmp/a.csv"
    check "the first loss of a tied model is NumPy's" "$python" \
        "$top/tests/oracle/numpy_forward.py" "$tmp/b.bin" "$tmp/b.csv"
else
    skip "the forward pass in NumPy needs python3-numpy"
fi

# Twelve steps: fp32 rounding is 1e-7 per loss, and Adam has not yet let the two drift apart.
python=$(python_with torch)
if [ -n "$python" ]; then
    check "dumps twelve steps" "$dump" "$tmp/c.bin" "$tmp/c.csv" steps=12 warmup_steps=4
    check "twelve steps are PyTorch's" "$python" "$top/tests/oracle/torch_tiny_llama.py" \
        "$tmp/c.bin" -o /dev/null --dtype float64 --compare "$tmp/c.csv" --max-deviation 2e-6
    check "a curve from safetensors is PyTorch's, in fp32 and in bf16" "$python" \
        "$top/tests/oracle/torch_curve.py" "$tmp/start" --device cpu fp32="$tmp/read.csv":1e-5 \
        bf16="$tmp/read.csv":2e-2
    sed 's/^\(2[0-9],\)./\17/' "$tmp/read.csv" >"$tmp/other.csv"
    check_exit 1 "another curve is told" "$python" "$top/tests/oracle/torch_curve.py" \
        "$tmp/start" --device cpu fp32="$tmp/other.csv":1e-5
else
    skip "training by PyTorch's autograd needs torch"
fi
plan_done
