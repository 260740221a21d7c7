#!/bin/sh
# A case under other plans than its own: ranks that are processes, the same losses, and what is
# refused. And the lists of passes beside those of an independent generator.
. "$(dirname "$0")/../../lib.sh"
cd "$top" || exit 1
losses() { sed -n 's/.*"loss": \([0-9.e-]*\).*"global_steps": \([0-9]*\),.*/\2,\1/p' "$1"/run*/*/*/*/rank0.out.log; }
apart() { # two lists of losses: sixty steps, at most 1e-4 apart
    awk -F, 'NR == FNR { a[$1] = $2; next }
        { d = ($2 - a[$1]) / a[$1]; if (d < 0) d = -d; n++; if (d > m) m = d }
        END { print n + 0, "steps, at most", m + 0; exit !(n == 60 && m <= 1e-4) }' "$1" "$2"
}
refuses() { # PLAN CODE TEXT
    "$FPREPORT" train tiny_gqa --parallel "$1" -o "$tmp/none" 2>"$tmp/err"
    code=$?
    if [ $code = "$2" ] && grep -qF -- "$3" "$tmp/err"; then ok "$1 is refused"; else not_ok "$1 is refused: $code"; sed 's/^/# /' "$tmp/err"; fi
}

check "tiny_gqa alone" "$FPREPORT" train -q tiny_gqa -o "$tmp/one"
losses "$tmp/one" >"$tmp/one.csv"
for plan in TP2PP2DP2 PP2VP2DP2 TP4 PP4; do
    check "under $plan" "$FPREPORT" train -q tiny_gqa --parallel $plan -o "$tmp/$plan"
    losses "$tmp/$plan" >"$tmp/$plan.csv"
    check "$plan: the same losses" apart "$tmp/one.csv" "$tmp/$plan.csv"
done
check "run.json says so" jq -e '.parallel == "TP2PP2DP2" and .state == "complete"' "$tmp"/TP2PP2DP2/run*/run.json
check "and nothing for the case's own" jq -e 'has("parallel") | not' "$tmp"/one/run*/run.json

refuses TP16 3 "tensor: found 16 ranks for heads = 8, expected a divisor"
refuses PP3 3 "pipeline: found 3 stages of 1 chunks for layers = 4, expected a divisor, or a list of layers"
refuses DP3 2 "found DP3 for 8 sequences a step"
refuses CP2 2 "found CP2, expected 1"
refuses TP2TP2 2 "expected a plan as TP4PP8DP1"
check "a refused one leaves no run" test ! -e "$tmp/none"

sim=../shared/peers/schedule_sim.py
if [ -e "$sim" ]; then
    for pmv in "1 3 1" "4 44 1" "8 5 1" "8 1024 1" "2 8 2" "4 12 3" "8 48 5"; do
        # shellcheck disable=SC2086 # three words
        python3 "$sim" $pmv >"$tmp/theirs"
        # shellcheck disable=SC2086
        "$BUILD/tests/unit/trainer/model/test_trainer_pipeline" print $pmv >"$tmp/ours"
        check_same "passes of p, m, v $pmv" "$tmp/theirs" "$tmp/ours"
    done
else
    skip "needs ../shared"
fi
plan_done
