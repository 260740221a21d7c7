# Logs that are made to keep the reader busy: each is read in time linear in its length.
. "$(dirname "$0")/../../lib.sh"
gcc_only "times are measured in the build without sanitizers"
export FPREPORT top
limit=4

# soon DESCRIPTION PATTERN FILE: read within the limit, in paces of the processor (lib.sh), and the pattern is said
soon() {
    within $limit "$FPREPORT" verify -v --records "$top/records" "$3" >"$tmp/out" 2>&1; got=$?
    if [ $got -le 1 ] && grep -q -e "$2" "$tmp/out"; then ok "$1"; else
        not_ok "$1"; echo "# exit $got; expected within $limit paces: $2"; cut -c 1-200 "$tmp/out" | sed 's/^/# /' | head -n 20
    fi
}

python3 - "$tmp" <<'PY'
import math, os, random, struct, sys
def save(name, text):
    with open(os.path.join(sys.argv[1], name + ".log"), "w") as f:
        f.write(text + "\n")
# Rows of pattern_rows.c with one, two and three stars, whose words are there again and again.
save("one", "Epoch(train) [1][1/1] loss: 1 " * 33000)
save("two", "Epoch 1:" * 40000 + "| 1/1 " * 40000 + " loss")
save("three", "Training epoch 1, iteration " * 12000 + "global_step: 1 " * 12000 +
     "reduced_train_loss: x " * 12000)
save("nan", "\n".join(["step nan, loss: 2.5"] * 300000))
save("huggingface", "\n".join(["{'loss': 2.5, 'step': nan}"] * 300000))
# Steps that all met in one slot of the hash while its multiplier was the only secret.
inverse = pow(0x9E3779B97F4A7C15, -1, 1 << 64)
random.seed(1)
steps = set()
while len(steps) < 290000:
    bits = random.getrandbits(64) & ~((1 << 19) - 1 << 40)
    step = struct.unpack("<d", struct.pack("<Q", bits * inverse % 2**64 ^ 0xffff << 40))[0]
    if 1e-200 < step < 1e200:
        steps.add(repr(step))
save("slots", "\n".join(f"step {s}, loss: 2.5" for s in steps))
# Progress bars that were never ended: as long as a run's of days.
save("bar", "\r".join("%d%%|##| %d/99 [loss=%d.1]" % (i % 100, i, i % 7) for i in range(400000)))
save("bar_lines", "\n".join("%d%%|##| %d/99 [loss=%d.1]" % (i % 100, i, i % 7) for i in range(400000)))
PY
soon "one star" '1 step' "$tmp/one.log"
soon "two stars" 'matches a known log format' "$tmp/two.log"
soon "three stars" 'matches a known log format' "$tmp/three.log"
soon "steps that are no numbers" 'FP4' "$tmp/nan.log"
soon "the same in reports" 'more than 262144 steps' "$tmp/huggingface.log"
soon "a progress bar of carriage returns" 'FP4' "$tmp/bar.log"
# At the speed of the same in lines, but for the noise of a machine that does other things, too.
for log in bar_lines bar; do
    times >"$tmp/then"; "$FPREPORT" verify --records "$top/records" "$tmp/$log.log" >/dev/null 2>&1; times >"$tmp/now"
    echo $(($(times_ms "$tmp/now") - $(times_ms "$tmp/then"))) >"$tmp/$log.ms"
done
check "at the speed of lines: $(cat "$tmp/bar.ms") ms, $(cat "$tmp/bar_lines.ms") ms" \
    test "$(cat "$tmp/bar.ms")" -lt $((4 * $(cat "$tmp/bar_lines.ms")))
# The most steps and lines that a log may have: 1 to 4 s at 3 GHz, and minutes where reading is not linear.
limit=12
soon "steps that meet in a hash" 'more than 262144 steps' "$tmp/slots.log"

head -c 40000000 /dev/zero | tr '\0' '\n' >"$tmp/blank.log"
soon "nothing but ends of lines" 'more than 33554432 lines' "$tmp/blank.log"
head -c 40000000 /dev/zero | tr '\0' '\r' >"$tmp/returns.log"
soon "nothing but carriage returns" 'more than 33554432 lines' "$tmp/returns.log"
plan_done
