# The native trainer against independent implementations that start from the same weights and data.
. "$(dirname "$0")/../lib.sh"
dump=$top/$BUILD/tests/oracle/dump_tiny_llama
case $BUILD in /*) dump=$BUILD/tests/oracle/dump_tiny_llama ;; esac

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
else
    skip "training by PyTorch's autograd needs torch"
fi
plan_done
