#!/bin/sh
# Importing loses nothing: every cell, bullet, item, heading and line of the pages, as counted
# by a reader that shares nothing with ours (tests/loss.py), is found in the records.
. "$(dirname "$0")/../../lib.sh"

record_of() { # PAGE: import it to $tmp and add the pair to $pairs
    n=$((n + 1))
    "$FPREPORT" import -q --vendor a --case b -o - "$1" >"$tmp/$n.json" 2>"$tmp/.err" ||
        { not_ok "imports $1"; sed 's/^/# /' "$tmp/.err"; }
    pairs="$pairs $1 $tmp/$n.json"
}

n=0 pairs=
for page in "$top"/tests/golden/pages/*.md; do
    [ ! -e "${page%.md}.json" ] || record_of "$page" # pages of prose have no record
done
check "nothing of our own pages is lost" python3 "$top/tests/loss.py" $pairs

# The counter must be able to find a loss.
page=$top/tests/golden/pages/plain.md
sed 's/"40\/64", //' "$top/tests/golden/pages/plain.json" >"$tmp/cell.json"
sed 's/Acme Box 8/Acme Box/' "$top/tests/golden/pages/plain.json" >"$tmp/bullet.json"
check_exit 1 "a lost cell is seen" python3 "$top/tests/loss.py" "$page" "$tmp/cell.json"
check_exit 1 "a changed bullet is seen" python3 "$top/tests/loss.py" "$page" "$tmp/bullet.json"

if [ -d "$shared/corpus/flagperf" ]; then
    n=0 pairs=
    for page in "$shared"/seeds/*.txt "$shared"/corpus/flagperf/*/*/README.md; do
        record_of "$page"
    done
    check "nothing of $n published pages is lost" python3 "$top/tests/loss.py" $pairs
    python3 "$top/tests/loss.py" $pairs | sed 's/^/# /'
else
    skip "needs ../shared: published pages"
fi
plan_done
