# What fuzzing found (tests/fuzz/found/<reader>-<what>), and a few small inputs for each reader
# (tests/fuzz/seeds), through all readers. Each has some.
. "$(dirname "$0")/../lib.sh"
cd "$top" || exit 1
replay() { # WHAT FILE…
    what=$1; shift
    if "$BUILD/tests/fuzz/replay" "$@" >"$tmp/said" 2>&1; then ok "$what: $(tail -n 1 "$tmp/said")"; else
        not_ok "$what"; tail -n 40 "$tmp/said" | sed 's/^/# /'
    fi
}
replay "what was found" tests/fuzz/found/*
replay "seeds" tests/fuzz/seeds/*
for source in tests/fuzz/fuzz_*.c; do
    reader=${source##*/fuzz_} reader=${reader%.c}
    set -- tests/fuzz/seeds/"$reader"-*
    [ -e "$1" ] || not_ok "a seed for $reader"
done
: >"$tmp/nothing-at-all"
check_exit 1 "a file that no reader takes" "$BUILD/tests/fuzz/replay" "$tmp/nothing-at-all"
plan_done
