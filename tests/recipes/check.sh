#!/bin/sh
# The recipes of docs/CONTRIBUTING.md, each a diff in this folder: do they still hold?
#
#   tests/recipes/check.sh compile    applies each to a copy of the checkout, asks the tests of sources (layout, names, rooms,
#                                     messages), and compiles the C files that it touches
#   tests/recipes/check.sh run        builds the copy as well, and runs NAME.sh of the recipe in it
#
# Prints `ok NAME`, or `not ok NAME` with what went wrong, and exits 1 then. A recipe is NAME.diff, with
# paths as `diff -u a/… b/…` has them, and NAME.sh.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
how=${1:?compile or run}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

copy() { # FOLDER: what the checkout has, without what was built there
    mkdir "$1" && (cd "$top" && tar -cf - --exclude=./build --exclude=./site --exclude=./.git .) | tar -xf - -C "$1"
}

changed() { # DIFF: the files that it adds or changes
    sed -n 's|^+++ b/||p' "$1"
}

faults() { # DIFF: what the tests words, layers, messages and format say of the copy
    python3 tests/cli/words.py .
    python3 tests/cli/rooms.py .
    ! changed "$1" | grep -q '^verifier/' || python3 tests/cli/messages.py sources .
    ! clang-format --version 2>/dev/null | grep -q 'version 14\.' || changed "$1" | grep '\.[ch]$' | xargs clang-format --dry-run -Werror 2>&1
}

try() { # NAME, in the copy
    patch -p1 -s --no-backup-if-mismatch <"$top/tests/recipes/$1.diff" || return 1
    said=$(faults "$top/tests/recipes/$1.diff") && [ -z "$said" ] || { echo "$said"; return 1; }
    for file in $(changed "$top/tests/recipes/$1.diff"); do
        case $file in *.c) make -s "build/default/${file%.c}.o" || return 1 ;; esac
    done
    [ "$how" = compile ] || { make -s -j"$(nproc)" fpreport && sh -x "$top/tests/recipes/$1.sh"; }
}

for diff in "$top"/tests/recipes/*.diff; do
    name=$(basename "$diff" .diff)
    copy "$tmp/$name" || exit 2
    if (cd "$tmp/$name" && try "$name") >"$tmp/log" 2>&1; then
        echo "ok $name"
    else
        echo "not ok $name"; sed 's/^/# /' "$tmp/log" | tail -n 40; failed=1
    fi
    rm -rf "${tmp:?}/$name"
done
exit $failed
