#!/bin/sh
# A log without times: its rate is from when `train` saw its lines.
. "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1
cat >hf.py <<'P'
import sys, time
for i in range(1, 9):
    time.sleep(0.15)
    sys.stderr.write("\r %d%%|#| %d/40 [00:01<00:09]" % (12 * i, 5 * i))
    print("{'loss': %.4f, 'grad_norm': 1.2, 'learning_rate': 1e-05, 'epoch': %.2f, 'step': %d}" % (5 - 0.1 * i, i / 8, 5 * i), flush=True)
P
run=$("$FPREPORT" -q train llama2_7b-deepspeed --records "$top/records" --ranks 8 -o runs -- python3 hf.py 2>said)
seen=$(find "$run" -name rank0.out.seen)
check "lines are timed" test "$(wc -l <"$seen")" -ge 8
check "both columns rise" awk 'NF != 2 || $1 <= lines || $2 < ms { exit 1 } { lines = $1; ms = $2 }' "$seen"
rate() { # its tokens/s of a card, "" where there is none
    "$FPREPORT" collect -q "$run" --force -o x.tar.zst >said 2>&1
    "$FPREPORT" verify --records "$top/records" --format json x.tar.zst | jq -r '[.. | objects | select(.name? == "token_per_s_per_card")][0] | (.recomputed // .found // "")'
}
# 35 steps of 8 * 4096 tokens on 8 cards between the first line of a report and the last.
want=$(awk 'NR == 1 { begin = $2 } { end = $2 } END { printf "%.1f", 35 * 4096 / ((end - begin) / 1000) }' "$seen")
check "the rate is that of the times" test "$(rate)" = "$want"
"$FPREPORT" verify --records "$top/records" x.tar.zst >said 2>&1
check "and says so" grep -q 'seconds between the arrival of their lines' said
cp "$seen" kept
for bad in 's/ / x/' '1s/.*/-5 -5/' 's/$/99999999999999999999999999/' 'd'; do
    sed "$bad" kept >"$seen"
    check "times that are none give none ($bad)" test "$(rate)" = ""
done
plan_done
