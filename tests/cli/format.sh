#!/bin/sh
# The layout of all C files is what clang-format 14 makes of them (.clang-format); `make format`.
. "$(dirname "$0")/../lib.sh"
cd "$top" || exit 1

files() { find base collector verifier renderer trainer cli tests \( -name '*.c' -o -name '*.h' \) -type f | LC_ALL=C sort; }

if [ "$VARIANT" != gcc ]; then
    skip "once is enough"
elif clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
    files | xargs clang-format --dry-run -Werror >"$tmp/said" 2>&1
    sed -n 's/^\([^ :]*\):\([0-9]*\):.*error.*/# \1:\2/p' "$tmp/said" | head -n 20
    check "every file is laid out so (make format)" test ! -s "$tmp/said"
    printf 'int  main( void ) { return 0 ; }\n' >"$tmp/odd.c"
    check_exit 1 "the test can fail" clang-format --dry-run -Werror "$tmp/odd.c"
else
    skip "needs clang-format 14"
fi
plan_done
