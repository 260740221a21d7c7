#!/bin/sh
# submission.sh [MUTANTS]: the long form of tests/cli/sign_mutants.sh. Every bit of a small signed
# submission is flipped, for the reader in this process, then for the programs; MUTANTS (10000)
# changed submissions are put to both. Prints what was counted.
. "$(dirname "$0")/../lib.sh"
cd "$top" || exit 1
: "${FLIP:=$BUILD/tests/torture/flip_bits}"
check "two small submissions" sh tests/torture/small.sh "$FPREPORT" "$tmp/small"
small=$tmp/small
say() { # DESCRIPTION COMMAND…: passes when it ends with 0; its last lines are shown
    what=$1; shift
    if "$@" >"$tmp/.long" 2>&1; then ok "$what: $(tail -n 1 "$tmp/.long")"; else
        not_ok "$what"; tail -n 40 "$tmp/.long" | sed 's/^/# /'
    fi
}
say "every bit, for the reader" "$FLIP" "$small/a.tar.zst" "$small/signers" acme
mutants() { python3 tests/torture/mutants.py "$FPREPORT" templates/site/verify.sh "$small/signers" "$@"; }
say "every bit, for both programs" mutants 1 bits "$small/a.tar.zst" "$small/b.tar.zst"
say "mutants" mutants 20261121 "${1:-10000}" "$small/a.tar.zst" "$small/b.tar.zst"
plan_done
