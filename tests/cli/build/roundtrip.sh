#!/bin/sh
# Pages in, records out, pages out, records again: the same record, twice, for pages of our own
# and for the published ones; English pages give the same figures.
. "$(dirname "$0")/../../lib.sh"
cd "$top" || exit 1

# same_figures RECORDS OTHER: every table of figures of every record has the same rows.
cat >"$tmp/same_figures.py" <<'PY'
import json, pathlib, sys
first, second = map(pathlib.Path, sys.argv[1:])
def tables(path):
    blocks = json.loads(path.read_text()).get("performance", [])
    return [b["table"]["rows"] for b in blocks if "table" in b]
bad = rows = 0
for path in sorted(first.glob("*/*.json")):
    a, b = tables(path), tables(second / path.relative_to(first))
    rows += sum(map(len, a))
    if a != b:
        bad += 1
        print("differs:", path.relative_to(first))
print(rows, "rows")
sys.exit(1 if bad or not rows else 0)
PY

# There and back for the records below $1/results.
round_trip() { # FOLDER DESCRIPTION
    folder=$1
    check "$2: renders" "$FPREPORT" render -q --records "$folder" -o "$folder/pages"
    for page in "$folder"/pages/*/*/README.md; do
        "$FPREPORT" import -q -o "$folder/again" "$page" 2>>"$folder/errors"
    done
    check "$2: the same records" diff -r "$folder/results" "$folder/again"
    mkdir "$folder/second" && cp -R "$folder/again" "$folder/second/results"
    check "$2: renders again" "$FPREPORT" render -q --records "$folder/second" -o "$folder/pages2"
    check "$2: the same pages" diff -r "$folder/pages" "$folder/pages2"
    for page in "$folder"/pages/*/*/README.en.md; do
        to=$folder/english/${page#"$folder"/pages/} && to=${to%.en.md}.md
        mkdir -p "$(dirname "$to")" && cp "$page" "$to"
        "$FPREPORT" import -q -o "$folder/from_english" "$to" 2>>"$folder/errors"
    done
    check "$2: the same figures from English" \
        python3 "$tmp/same_figures.py" "$folder/results" "$folder/from_english"
    check "$2: nothing was an error" sh -c "! grep error: '$folder/errors'"
}

mkdir -p "$tmp/own" "$tmp/published"
for page in tests/golden/pages/*.md; do
    "$FPREPORT" import -q -o "$tmp/own/results" --vendor acme --case "$(basename "$page" .md)" \
        "$page" 2>/dev/null
done
round_trip "$tmp/own" "our own pages"

if [ -d "$shared/corpus/flagperf" ]; then
    for page in "$shared"/corpus/flagperf/*/*/README.md; do
        "$FPREPORT" import -q -o "$tmp/published/results" "$page" 2>/dev/null
    done
    for page in "$shared"/seeds/*.txt; do
        "$FPREPORT" import -q -o "$tmp/published/results" --vendor seed \
            --case "$(basename "$page" .txt)" "$page" 2>/dev/null
    done
    n=$(find "$tmp/published/results" -name '*.json' | wc -l)
    check "all published pages are there" test "$n" -ge 36
    round_trip "$tmp/published" "$n published pages"
else
    skip "needs ../shared: published pages"
fi

# What comes back must depend on what is on the page.
sed -i 's/30\.1%/30.2%/' "$tmp/own/pages/acme/plain/README.md"
"$FPREPORT" import -q --force -o "$tmp/own/again" "$tmp/own/pages/acme/plain/README.md"
check_exit 1 "a changed figure changes the record" diff -rq "$tmp/own/results" "$tmp/own/again"
plan_done
