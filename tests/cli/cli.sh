#!/bin/sh
# The command line itself: help, options, exit codes, streams.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1

says() { # DESCRIPTION TEXT COMMAND…: the command's two streams together hold the text
    what=$1 text=$2; shift 2
    "$@" >"$tmp/.out" 2>&1
    if grep -qF -- "$text" "$tmp/.out"; then ok "$what"; else
        not_ok "$what"; sed 's/^/# /' "$tmp/.out" | head -n 20
    fi
}

check "version exits 0" "$FPREPORT" version
check "--version exits 0" "$FPREPORT" --version
says "version names the program" "fpreport 0." "$FPREPORT" version
check "no arguments show help" "$FPREPORT"
check_exit 2 "an unknown command is usage" "$FPREPORT" frobnicate
says "a typo suggests the command" "did you mean 'version'?" "$FPREPORT" versoin
says "a renamed command is named" "command 'format' is now 'fields'" "$FPREPORT" format
check_exit 2 "an unknown option is usage" "$FPREPORT" version --frob
says "a typo in an option suggests it" "did you mean '--quiet'?" "$FPREPORT" version --quite
check_exit 2 "an argument too many is usage" "$FPREPORT" version x
check "options work before the command" "$FPREPORT" --color never version
check "options work behind the command" "$FPREPORT" version --color=never
check_exit 2 "a bad choice is usage" "$FPREPORT" version --color=maybe
check_exit 2 "-C to nowhere is usage" "$FPREPORT" -C "$tmp/none" version
if [ -c /dev/full ]; then
    check_exit 4 "a full disk on stdout is exit 4" sh -c '"$1" version >/dev/full' - "$FPREPORT"
    check_exit 4 "help on a full disk too" sh -c '"$1" --help >/dev/full' - "$FPREPORT"
else
    skip "no /dev/full here"
fi

# A library that calls exit(1), which libarchive does without memory.
echo '#include <stdlib.h>
const char *archive_version_string(void); const char *archive_version_string(void) { exit(1); }' >ends.c
if [ "$VARIANT" = gcc ] && ${CC:-cc} -shared -fPIC -o ends.so ends.c 2>ends.log; then
    check_exit 5 "a library that ends the program is no finding" env LD_PRELOAD="$PWD/ends.so" "$FPREPORT" version
    says "and its reason is no more than a guess" "fpreport: fatal: a library ended the program with 1, perhaps for want of memory" \
        env LD_PRELOAD="$PWD/ends.so" "$FPREPORT" version
else
    skip "no library can be put before another here"
fi

# Every command: --help fits a screen, starts with an example, exits 0.
for c in $("$FPREPORT" help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p'); do
    "$FPREPORT" "$c" --help >"$tmp/help" 2>&1
    lines=$(wc -l <"$tmp/help") wide=$(awk '{ if (length($0) > w) w = length($0) } END { print w }' "$tmp/help")
    if head -n 1 "$tmp/help" | grep -q "^  fpreport $c" && [ "$lines" -le 40 ] && [ "$wide" -le 80 ]; then
        ok "$c --help starts with an example and fits 80x40"
    else
        not_ok "$c --help starts with an example and fits 80x40"; echo "# $lines lines, $wide wide"
    fi
done
plan_done
