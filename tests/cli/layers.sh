#!/bin/sh
# Who may include whom (docs/ARCHITECTURE.md): stages include only base and themselves, each
# foreign library has one door, mutable objects do not live at file scope, only cli prints.
. "$(dirname "$0")/../lib.sh"
gcc_only "sources are the same in the gcc variant"
cd "$top" || exit 1

bad=$tmp/.bad
forbid() { # DESCRIPTION: the file $bad lists offences; none is a pass
    if [ -s "$tmp/.bad" ]; then not_ok "$1"; sed 's/^/# /' "$bad"; else ok "$1"; fi
}

stages='base cli collector verifier renderer trainer'
# The map of docs/ARCHITECTURE.md: its rooms, their size, and who may include whom.
python3 tests/cli/rooms.py . >"$bad"
forbid "rooms and includes are those of docs/ARCHITECTURE.md"
mkdir -p "$tmp/top/docs" && cp docs/ARCHITECTURE.md "$tmp/top/docs/" && cp -R $stages "$tmp/top/"
echo '#include "verifier/verify.h"' >>"$tmp/top/base/err.h" && mkdir "$tmp/top/base/loft" && touch "$tmp/top/base/loft/loft.c"
python3 tests/cli/rooms.py "$tmp/top" >"$tmp/planted"
check_exit 0 "an include of a higher floor is found" grep -q '^base/err.h: includes "verifier/verify.h"' "$tmp/planted"
check_exit 0 "a room without a row is found" grep -q 'no row for base/loft/$' "$tmp/planted"

# LIBRARY HEADER -> the one file that may include it, or several with | between.
doors='git2[./]|base/git/repo_git.h
cmark|base/markdown/markdown.c
cJSON|base/json/json.c
archive[._]|base/sealed/archive_library.h
openssl/|base/signing/
cblas|trainer/device/blas.h
nccl|trainer/ranks/comm_nccl.c
mpi\.|trainer/ranks/comm_mpi.c
jpeglib|trainer/images/image_jpeg.c
png\.|trainer/images/image_png.c|renderer/sharing/share_card.c
cuda|trainer/device/cuda/'
for rule in $doors; do
    library=${rule%%|*} door=${rule#*|}
    grep -rnE --include='*.[ch]' "^#include <[^>]*$library" $stages | grep -vE "^($door)" >"$bad"
    forbid "<$library> only in $door"
done
grep -rnE --include='*.[ch]' '#include "base/git/repo_git.h"' $stages | grep -vE '^(base/git|renderer/publish)/' >"$bad"
forbid "libgit2 is for base/git and renderer/publish"

grep -nE '\b(printf|puts|putchar|perror|fputs|fprintf|exit|_exit|abort)\(' --include='*.c' -r base collector verifier renderer trainer |
    grep -vE '^base/(arena|signing/hash|process/worker)\.c|^trainer/(run/command|run/monitor|cards/tool)\.c|^renderer/(templates/view|publish/push)\.c|buf_printf|^[^:]*:[0-9]+: *(/?\*|//)' >"$bad"
forbid "only cli prints or ends the process"

# Objects at file scope that can be written to: .data and .bss (const tables of pointers live in
# .data.rel.ro).
if command -v objdump >/dev/null; then
    objdump -t "$BUILD/libfpreport.a" | awk '$0 ~ / O (\.data|\.bss|\*COM\*)\t/' >"$bad"
    forbid "nothing mutable at file scope"
else
    skip "needs objdump"
fi

find $stages tests -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.py' |
    xargs wc -l |
    awk '$2 != "total" && $1 > 500 { print $2, $1 " lines" }' >"$bad"
forbid "no file is over 500 lines"
if command -v ctags >/dev/null; then
    find $stages -name '*.c' |
        xargs ctags -x --_xformat='%{line} %{end} %{name} %{input}' --kinds-C=f --fields=+ne |
        awk '$2 - $1 >= 100 { print $4 ":" $1, $3, $2 - $1 + 1 " lines" }' >"$bad"
    forbid "no function is over 100 lines"
else
    skip "no ctags here"
fi
# fptrain has a list of sources of its own. What it calls of ours is among them; CUDA's side, which is
# not built here, is in no library.
if make -s B="$BUILD" "$BUILD/libfptrain.a" "$BUILD/cli/program_fptrain.o" >"$tmp/said" 2>&1; then
    ${CC:-cc} -o "$tmp/fptrain" "$BUILD"/cli/main.o "$BUILD"/cli/program_fptrain.o "$BUILD"/cli/absent.o "$BUILD/libfptrain.a" \
        -Wl,--warn-unresolved-symbols 2>&1 | sed -n "s/.*undefined reference to .\([A-Za-z0-9_]*\).*/\1/p" | sort -u >"$tmp/missing"
    nm "$BUILD/libfpreport.a" 2>/dev/null | sed -n 's/^[0-9a-f]* [TDBRVW] //p' | sort -u | comm -12 - "$tmp/missing" >"$bad"
    forbid "fptrain has all that it calls"
else
    not_ok "the sources of fptrain compile"; sed 's/^/# /' "$tmp/said" | head -n 5
fi
# The marks that FP1014 looks for on pages are string data of its file: its strings are left out.
marks='\b(TODO|FIXME|XXX|HACK)\b' searches=verifier/checks/page/reminders.c
{
    grep -rnE --include='*.[ch]' "$marks" $stages Makefile | grep -v "^$searches:"
    sed 's/"[^"]*"/""/g' "$searches" | grep -nE "$marks" | sed "s|^|$searches:|"
} >"$bad"
forbid "no marks of unfinished work"
plan_done
