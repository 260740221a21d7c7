#!/bin/sh
# One word for one thing: names in the code are the glossary's (docs/GLOSSARY.md), a static function's name stands once,
# and the files that comments name are there.
. "$(dirname "$0")/../lib.sh"
gcc_only "names are the same in the gcc variant"
cd "$top" || exit 1
python3 tests/cli/words.py . >"$tmp/said"
check "no retired word, no static function's name twice, no comment that names a file which is gone" test ! -s "$tmp/said"
sed 's/^/# /' "$tmp/said"
mkdir -p "$tmp/top/docs" && cp docs/GLOSSARY.md "$tmp/top/docs/" && cp -R base cli collector verifier renderer trainer "$tmp/top/"
echo 'static int text_twin(int c) { return c; }' >>"$tmp/top/base/text.c" && touch "$tmp/top/base/hushed.c"
for file in base/text.c base/arena.c; do echo 'static int planted(int c) { return c; }' >>"$tmp/top/$file"; done
printf '%s\n' '/* as in base/gone*.c, gone.h and base/text.h */' >>"$tmp/top/base/text.c"
echo "/* 重算 */" >>"$tmp/top/base/arena.h"
python3 tests/cli/words.py "$tmp/top" >"$tmp/planted"
check "a retired word in a name is found" grep -qx 'base/text.c: text_twin has the retired word twin, now: duplicate, lookalike' "$tmp/planted"
check "a retired word in a file's name is found" grep -qx 'base/hushed.c: the file has the retired word hushed, now: redacted' "$tmp/planted"
check "a retired word in a Chinese text is found" grep -qx "base/arena.h: a text has 重算, now: 复算" "$tmp/planted"
check "a name of two functions is found" grep -q '^static planted() stands in base/arena.c base/text.c: ' "$tmp/planted"
check "a file that a comment names and that is not there is found" sh -c '[ "$(grep -c "names base/gone\*.c, which\|names gone.h, which" "$1")" -eq 2 ] && ! grep -q "names base/text.h" "$1"' - "$tmp/planted"
plan_done
