#!/bin/sh
# What fpreport of commit 47cc999 sealed, archived and published verifies and builds to the same verdicts
# (tests/golden/kept/README.md).
. "$(dirname "$0")/../../lib.sh"
gcc_only "the same verdicts in the other variant"
kept=$top/tests/golden/kept
cd "$tmp" && zstd -dc --long=27 "$top/tests/data/kept-47cc999.tar.zst" | tar x || exit 1

reduce() { jq -c -f "$kept/verdict.jq" "$1" | jq -c '.[]'; }
check_exit 1 "the records are verified: one is contradicted, as before" \
    "$FPREPORT" verify --records records --rules 2026.2 --format json -o verdicts.json
reduce verdicts.json >reduced.json
check_same "the verdicts of all records are those of 47cc999" "$kept/records.json" reduced.json
check_exit 0 "the signed submission is verified" "$FPREPORT" verify --records records --rules 2026.2 \
    --signers records/signers/allowed_signers --format json -o verdicts.json signed.tar.zst
reduce verdicts.json >reduced.json
check_same "its verdict is that of 47cc999" "$kept/signed.json" reduced.json
sed 's/432\.2/433.2/' reduced.json >changed.json
check_exit 1 "another figure would be seen" cmp -s "$kept/signed.json" changed.json

check_exit 0 "the published site is whole" "$FPREPORT" fsck published --records records \
    --signers records/signers/allowed_signers --operator fpreport
check_exit 1 "the archive is whole but for four submissions that were never in it" \
    "$FPREPORT" fsck --archive archive --records records --format json -o fsck.json
check "and nothing else is found" jq -e '[.findings[].kind] == ["record", "record", "record", "record"]' fsck.json
ln -s "$top/templates" templates
check_exit 1 "the site is built" "$FPREPORT" build -q --records records --archive archive -o site
(cd published && find . -type f -name '*.html' -o -type f -path './pages/*' | sort) >addresses
(cd site && find . -type f | sort) >today
comm -23 addresses today >gone
check "the list of addresses is not empty" test "$(wc -l <addresses)" -gt 100
check_same "every address of the published site is in today's" /dev/null gone
plan_done
