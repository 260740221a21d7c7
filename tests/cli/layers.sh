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

stage_rules='base:base
collector:base|collector
verifier:base|verifier
renderer:base|renderer
trainer:base|trainer'
for rule in $stage_rules; do
    stage=${rule%%:*} allowed=${rule#*:}
    grep -nE '^#include "' "$stage"/*.[ch] | grep -vE "#include \"($allowed)/" >"$bad"
    forbid "$stage includes only ${allowed}"
done

# LIBRARY HEADER -> the one file that may include it.
doors='git2[./]|base/repo_git.h
cmark|base/markdown.c
cJSON|base/json.c
archive[._]|base/archive.c
openssl/|base/hash.c
cblas|trainer/blas.h
nccl|trainer/comm_nccl.c
mpi\.|trainer/comm_mpi.c
cuda|trainer/cuda/'
for rule in $doors; do
    library=${rule%%|*} door=${rule#*|}
    grep -nE "^#include <[^>]*$library" */*.[ch] | grep -v "^$door" >"$bad"
    forbid "<$library> only in $door"
done
grep -nE '#include "base/repo_git.h"' */*.[ch] | grep -vE '^base/repo(_[a-z]+)?\.[ch]:' >"$bad"
forbid "libgit2 is for base/repo*.[ch]"

grep -nE '\b(printf|puts|putchar|perror|fputs|fprintf|exit|_exit|abort)\(' base/*.c collector/*.c \
    verifier/*.c renderer/*.c trainer/*.c |
    grep -vE '^base/(arena|hash|worker)\.c|^trainer/(command|monitor|tool)\.c|^renderer/view\.c|buf_printf|^[^:]*:[0-9]+: *(/?\*|//)' >"$bad"
forbid "only cli prints or ends the process"

# Objects at file scope that can be written to: .data and .bss (const tables of pointers live in
# .data.rel.ro).
if command -v objdump >/dev/null; then
    objdump -t "$BUILD/libfpreport.a" | awk '$0 ~ / O (\.data|\.bss|\*COM\*)\t/' >"$bad"
    forbid "nothing mutable at file scope"
else
    skip "needs objdump"
fi

find base cli collector verifier renderer trainer tests -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.py' |
    xargs wc -l |
    awk '$2 != "total" && $1 > 500 { print $2, $1 " lines" }' >"$bad"
forbid "no file is over 500 lines"
if command -v ctags >/dev/null; then
    find base cli collector verifier renderer trainer -name '*.c' |
        xargs ctags -x --_xformat='%{line} %{end} %{name} %{input}' --kinds-C=f --fields=+ne |
        awk '$2 - $1 >= 100 { print $4 ":" $1, $3, $2 - $1 + 1 " lines" }' >"$bad"
    forbid "no function is over 100 lines"
else
    skip "no ctags here"
fi
# The marks that FP1014 looks for on pages, and its explanation, are string data of two files: their
# strings are left out.
marks='\b(TODO|FIXME|XXX|HACK)\b' searches='verifier/checks_identity.c verifier/explain_page.c'
for file in */*.[ch] Makefile; do
    case " $searches " in
    *" $file "*) sed 's/"[^"]*"/""/g' "$file" ;;
    *) cat "$file" ;;
    esac | grep -nE "$marks" | sed "s|^|$file:|"
done >"$bad"
forbid "no marks of unfinished work"
if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
    git ls-files '*.c' '*.h' 2>/dev/null | xargs clang-format --dry-run -Werror 2>"$bad"
    forbid "the layout of every file is clang-format's"
else
    skip "no clang-format 14 here"
fi
plan_done
