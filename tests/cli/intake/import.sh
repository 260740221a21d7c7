#!/bin/sh
# Import of pages of our own making, one per trap (tests/golden/pages): the record and every
# warning are as they were when a person read them; and the command line around it.
. "$(dirname "$0")/../../lib.sh"
pages=$top/tests/golden/pages

for page in "$pages"/*.md; do
    name=$(basename "$page" .md)
    (cd "$pages" && "$FPREPORT" import --vendor acme --case toy -o - "$name.md") \
        >"$tmp/$name.json" 2>"$tmp/$name.warnings"
    if [ -f "$pages/$name.json" ]; then
        check_same "$name: record" "$pages/$name.json" "$tmp/$name.json"
    else
        check "$name: no record of prose" test ! -s "$tmp/$name.json"
    fi
    check_same "$name: warnings" "$pages/$name.warnings" "$tmp/$name.warnings"
done

mkdir -p "$tmp/pages/acme/toy" "$tmp/pages/acme/toy two"
cp "$pages/plain.md" "$tmp/pages/acme/toy/README.md"
cp "$pages/plain.md" "$tmp/pages/acme/toy two/README.md"
cd "$tmp" || exit 1
check "writes <vendor>/<case>.json" "$FPREPORT" import -o out pages/acme/toy/README.md
check "the file is there" test -s out/acme/toy.json
check "writing the same again is no fault" "$FPREPORT" import -o out pages/acme/toy/README.md
echo '{}' >out/acme/toy.json
check_exit 2 "does not replace another record" "$FPREPORT" import -o out pages/acme/toy/README.md
check "--force does" "$FPREPORT" import --force -o out pages/acme/toy/README.md
cp out/acme/toy.json kept.json && mv out/acme/toy.json elsewhere.json && echo '{}' >elsewhere.json && ln -s ../../elsewhere.json out/acme/toy.json
check_exit 3 "nor through a link, where it might be anybody's file" "$FPREPORT" import --force -o out pages/acme/toy/README.md
cp .out said; check "which is said" grep -q "out/acme/toy.json: found a link, expected a regular file" said
check "and the file is as it was" test "$(cat elsewhere.json)" = '{}'
rm out/acme/toy.json && mv kept.json out/acme/toy.json
check_exit 2 "a case that is no name" "$FPREPORT" import -o out "pages/acme/toy two/README.md"
check_exit 2 "a path that names nothing" "$FPREPORT" import -o out "$pages/plain.md"
check_exit 2 "a vendor that leads elsewhere" \
    "$FPREPORT" import --vendor .. --case x -o out "$pages/plain.md"
check_exit 3 "a missing page" "$FPREPORT" import -o out nobody/nothing/README.md
head -c 1100000 /dev/zero | tr '\0' 'x' >big.md
check_exit 3 "a page beyond the limit" "$FPREPORT" import --vendor a --case b -o out big.md
check_exit 3 "a folder" "$FPREPORT" import --vendor a --case b -o out pages
printf '#### 环境配置\n\n\377\376 not UTF-8\n' >bytes.md
check "bytes that are not UTF-8 are read all the same" \
    "$FPREPORT" import --vendor a --case b -o out bytes.md

# --- Markdown that breaks its reader: cmark with a fault put in, since none is known.
if [ "$VARIANT" != gcc ]; then
    skip "a fault in cmark: a sanitizer ends with it"
else
    cat >fault.c <<'FAULT'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
static void (*feed)(void *, const char *, size_t);
__attribute__((constructor)) static void find(void) { feed = dlsym(RTLD_NEXT, "cmark_parser_feed"); }
void cmark_parser_feed(void *parser, const char *text, size_t len)
{
    if (memmem(text, len, "ZZBREAK", 7))
        *(volatile char *)(len - len) = 1;
    feed(parser, text, len);
}
FAULT
    check "a fault" ${CC:-cc} -shared -fPIC -o fault.so fault.c -ldl
    { printf '# A page\n\n~~~~\nZZBREAK <script>\n\n| 配置 |\n\033[31m'; cat "$pages/plain.md"; } >broken.md
    broken() { env LD_PRELOAD="$PWD/fault.so" "$FPREPORT" "$@"; }
    check "a page that breaks cmark is kept" broken import --vendor a --case b -o kept/results broken.md
    cp "$tmp/.out" said
    check "with a warning that says why" grep -q \
        '^broken.md:1: warning: found Markdown that could not be read (the worker process was killed by SIGSEGV.*); kept whole as plain text$' said
    jq -r .preamble kept/results/a/b.json >preamble
    sed '1d;$d' preamble | tr -d '\n' >inside
    sed "s/$(printf '\033')/�/" broken.md | tr -d '\n' >whole
    check_same "all of it, in a fence" whole inside
    check "which nothing in it ends" sh -c 'fence=$(head -n 1 preamble) && [ ${#fence} -gt 2 ] && ! sed "1d;\$d" preamble | grep -qxF "$fence"'
    check "and nothing else in the record" sh -c 'test "$(jq -c keys kept/results/a/b.json)" = "[\"case\",\"preamble\",\"schema\",\"vendor\"]"'
    check "which is shown as text" sh -c '"$1" render --records kept -o - a/b 2>/dev/null | grep -q "ZZBREAK <script>"' - "$FPREPORT"
    check_exit 3 "who verifies it hears that it cannot be read" broken verify broken.md
fi
plan_done
