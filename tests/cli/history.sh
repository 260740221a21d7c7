#!/bin/sh
# The history of verdicts: its first line and the newest stay, and what changed no state is no event.
place=memory; . "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
ln -s "$top/templates" templates
cp -R "$top/tests/golden/build/records" records && rm -r records/results/acme
check "a site" "$FPREPORT" build -q --no-cache -o site
# before N: a publication where the result has a history of N lines, numbered by their tools
before() {
    rm -rf before && mkdir -p before/data
    jq --argjson n "$1" '.results[0].history = [range($n) | {state: (if . % 2 == 0 then "failed" else "partial" end), tool: "t\(.)", rules: "1"}]' \
        site/data/index.json >before/data/index.json
}
history() { jq -r '.results[0].history | "\(length) \(.[0].tool) \(.[1].tool) \(.[-2].tool) \(.[-1].state)"' "$1/data/index.json"; }
keeps() { # N EXPECTED: built after a history of N lines, and once more after that
    before "$1"
    check "built after $1 lines" "$FPREPORT" build -q --no-cache -o after --previous before
    history after >found && echo "$2" >wanted
    check_same "the first and the newest are kept" wanted found
    check "and again" "$FPREPORT" build -q --no-cache -o again --previous after
    history again >found
    check_same "the same" wanted found
}
keeps 998 "999 t0 t1 t997 verified"
keeps 999 "1000 t0 t1 t998 verified"
keeps 1000 "1000 t0 t2 t999 verified"
keeps 1500 "1000 t0 t502 t1499 verified"

# Another set of rules with the same state is a line of the history, and no event.
rm -rf before && mkdir -p before/data
jq '.results[0].history = [{state: "verified", tool: "t0", rules: "1"}]' site/data/index.json >before/data/index.json
check "other rules" "$FPREPORT" build -q --no-cache -o after --previous before
check "are in the history" sh -c 'test "$(jq ".results[0].history | length" after/data/index.json)" -eq 2'
entries() { grep -c '<entry>' "$1/en/feed/verdicts.atom"; }
check "and no entry of the feed" test "$(entries after)" -eq "$(entries site)"

# An entry is the same one for readers when the history in front of it became longer or lost a line.
ids() { awk '/<id>/ { id = $0 } /<title>/ { print id, $0 }' "$1/en/feed/verdicts.atom" | sort; }
past() { # LINES: of a history, as [state, day]
    jq --argjson past "$1" '.results[0].history = [$past[] | {state: .[0], tool: "t0", rules: "1", date: .[1]}]' site/data/index.json >before/data/index.json
    "$FPREPORT" build -q --no-cache -o after --previous before
    ids after
}
past '[["failed", "2026-01-03"], ["partial", "2026-01-04"]]' >short
past '[["partial", "2026-01-01"], ["unverified", "2026-01-02"], ["failed", "2026-01-03"], ["partial", "2026-01-04"]]' >long
check "ids stay when older verdicts become known" sh -c '[ "$(wc -l <short)" -gt 3 ] && [ -z "$(comm -23 short long)" ] && [ "$(comm -13 short long | wc -l)" = 2 ]'
plan_done
