#!/bin/sh
# The recipes of docs/CONTRIBUTING.md apply to the sources of today and compile; `make check-recipes` builds
# and runs them, too.
. "$(dirname "$0")/../lib.sh"
gcc_only "sources are the same in the gcc variant"
cd "$top" || exit 1
sh tests/recipes/check.sh compile >"$tmp/said"
check "each recipe applies and compiles" sh -c 'cat "$1"; grep -q "^ok" "$1" && ! grep -q "^not ok" "$1"' sh "$tmp/said"
for diff in tests/recipes/*.diff; do
    name=$(basename "$diff" .diff)
    sed -n "/^<!-- tests\/recipes\/$name.diff -->$/,/^\`\`\`$/p" docs/CONTRIBUTING.md | sed '1,2d;$d' >"$tmp/shown"
    check_same "docs/CONTRIBUTING.md shows $name.diff" "$diff" "$tmp/shown"
done
plan_done
