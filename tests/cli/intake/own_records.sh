#!/bin/sh
# Without records of one's own nobody's are published, compared or named: what needs a project says so, and how to
# have one; files are verified by what holds everywhere, and the verdict says whose records that was.
. "$(dirname "$0")/../../lib.sh"
record=$top/records/results/fpreport/tiny_llama.json
sealed=$(find "$top/records/evidence/fpreport" -name 'tiny_llama-*.tar.zst')
# As installed, so that a program from elsewhere (build/asan) finds its templates and records, too.
mkdir -p "$tmp/usr/bin" "$tmp/usr/share/fpreport" && cp "$FPREPORT" "$tmp/usr/bin/fpreport" && FPREPORT=$tmp/usr/bin/fpreport
ln -s "$top/templates" "$top/records" "$tmp/usr/share/fpreport/"
mkdir "$tmp/none" "$tmp/home" && cd "$tmp/none" || exit 1
export HOME="$tmp/home"

needs() { # COMMAND…
    "$FPREPORT" "$@" >"$tmp/out" 2>"$tmp/err"; code=$?
    if [ $code -eq 2 ] && grep -q 'fpreport new project DIR' "$tmp/err" && grep -q -e '-C DIR' "$tmp/err" &&
        grep -q -e '--records DIR' "$tmp/err" && [ -z "$(ls)" ] && [ ! -s "$tmp/out" ]; then ok "$1 ${2:-} needs a project"
    else not_ok "$1 ${2:-} needs a project"; echo "# exit $code"; sed 's/^/# /' "$tmp/err"; fi
}
needs build
needs publish
needs serve --no-build --port 0
needs render -o -
needs verify
needs verify fpreport/tiny_llama
needs verify fpreport
needs explain fpreport/tiny_llama mfu
needs diff fpreport/tiny_llama
needs reproduce fpreport/tiny_llama --by me
needs challenge tiny_llama --vendor acme
needs train tiny_llama
needs import "$top/records/results/fpreport/tiny_llama.md"
needs collect "$tmp/run" --vendor acme
needs archive list
needs archive add "$sealed"

# What no project is needed for.
says_whose() { grep -q 'are those that come with' "$1"; }
check_exit 0 "a submission" "$FPREPORT" verify -o "$tmp/v.txt" "$sealed"
check "says whose cards and models they were" says_whose "$tmp/v.txt"
check_exit 0 "the same for programs" "$FPREPORT" verify --format json -o "$tmp/v.json" "$sealed"
check "as a key of the document" grep -q '"records": "accelerators, models and cases are those that come with' "$tmp/v.json"
check "which is read again" "$FPREPORT" diff "$tmp/v.json" "$tmp/v.json"
cp "$record" "$tmp/record.json"
"$FPREPORT" verify --format json "$tmp/record.json" >"$tmp/v.json"
check "a record by itself is unverified: the bundled evidence is not its own" \
    grep -q '"unverified": 1' "$tmp/v.json"
check "and what is missing is named" grep -q '"FP4001", "outcome": "CANNOT", "file": ".*evidence/fpreport/tiny_llama-' "$tmp/v.json"
check "no result that comes with fpreport is compared" \
    sh -c '! grep -q "records/results" "$1"' - "$tmp/v.json"
check "a run is sealed" "$FPREPORT" --help
check "a rule is explained" "$FPREPORT" explain FP2003
check "a figure of a submission" "$FPREPORT" explain "$sealed" mfu_exact
check "a new project begins one" "$FPREPORT" new project "$tmp/own"
check_exit 0 "that is built" "$FPREPORT" -C "$tmp/own" build -q

# The one that comes with it has to be asked for.
check "the sample" "$FPREPORT" verify --records sample fpreport/tiny_llama
check_exit 1 "all of it: a result fails" "$FPREPORT" verify -q --records sample
mkdir records
check_exit 0 "an empty folder of that name is a project" "$FPREPORT" verify
"$FPREPORT" verify "$sealed" >"$tmp/v.txt"
check "whose verdicts say nothing of others" sh -c '! grep -q "come with fpreport" "$1"' - "$tmp/v.txt"
plan_done
