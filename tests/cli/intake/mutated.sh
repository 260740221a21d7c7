#!/bin/sh
# Pages that somebody got wrong (tests/mutate.py) import, lose nothing that a reader of lines can
# see, render, and come back as the same records.
. "$(dirname "$0")/../../lib.sh"
cd "$top" || exit 1

python3 tests/mutate.py 20241120 150 "$tmp/pages" tests/golden/pages/*.md
"$FPREPORT" import -q -o "$tmp/records/results" "$tmp"/pages/*/*/README.md 2>"$tmp/errors"
check "all are imported" sh -c "[ \$(ls '$tmp/records/results/acme' | wc -l) -eq 150 ]"
check "none is an error" sh -c "! grep 'error:' '$tmp/errors'"
check "the records render" "$FPREPORT" render -q --records "$tmp/records" --lang zh -o "$tmp/again"
"$FPREPORT" import -q -o "$tmp/records2" "$tmp"/again/*/*/README.md 2>>"$tmp/errors"
check "the same records come back" diff -r "$tmp/records/results" "$tmp/records2"
plan_done
