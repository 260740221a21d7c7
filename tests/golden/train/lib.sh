# lib.sh: a folder of cases made from tests/golden/train, and how to look at what came of
# them. Sourced behind lib.sh; leaves the shell in $tmp.
here=$top/tests/cli/train
: "${VARIANT:=gcc}"
cd "$tmp" || exit 1
check_status() { if [ "$1" -eq "$2" ]; then ok "$3"; else not_ok "$3 (exit $2)"; sed 's/^/# /' err; fi; }
# Train a case of rec/ into an empty result/ (kept as result-CASE), output in out and err.
train() {
    rm -rf result "result-$1"
    "$FPREPORT" train --records rec "$@" >out 2>err; code=$?
    [ ! -d result ] || cp -R result "result-$1"
    return "$code"
}
state() { python3 "$here/train_check.py" state "${1:-result}"; }
# The state of a run whose process was killed: its monitors' process writes it down.
state_after_death() {
    await sh -c '! grep -q "\"state\": \"running\"" "$1"/run*/run.json' - "$1"
    state "$1"
}
python3 "$here/train_cases.py" "$top/tests/golden/train" rec || exit 1
