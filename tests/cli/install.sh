#!/bin/sh
# make install, DESTDIR, PREFIX, uninstall; the installed program finds its own records.
. "$(dirname "$0")/../lib.sh"
gcc_only "only the plain build is installed"
cd "$top" || exit 1
stage=$tmp/stage
# The other prefix makes another program: not the one that is being tested meanwhile.
mkdir "$tmp/objects" && cp -Rp "$BUILD"/*/ "$tmp/objects/" && rm -rf "$tmp/objects/tests"
make_ours() { make -s "$@" DESTDIR="$stage" PREFIX=/opt/fp B="$tmp/objects" PROGRAM="$tmp/fpreport"; }

check "make install" make_ours install
check "the program is there" test -x "$stage/opt/fp/bin/fpreport"
check "templates are there" test -s "$stage/opt/fp/share/fpreport/templates/site/home.html"
check "what new projects are made from is there" test -s "$stage/opt/fp/share/fpreport/templates/new/project/dot-gitignore"
check "records are there" test -s "$stage/opt/fp/share/fpreport/records/cases/tiny_llama.json"
share=$stage/opt/fp/share
check "docs are there" test -s "$share/doc/fpreport/README.md" -a -s "$share/doc/fpreport/VENDOR.md" -a -s "$share/doc/fpreport/VENDOR.zh.md"
check "pages of the manual are there" test -s "$share/man/man1/fpreport.1" -a -s "$share/man/man1/fpreport-verify.1"
check "completions are there" test -s "$share/bash-completion/completions/fpreport" -a -s "$share/zsh/site-functions/_fpreport" -a -s "$share/fish/vendor_completions.d/fpreport.fish"
cd "$tmp" || exit 1
check "from anywhere it finds its sample records" "$stage/opt/fp/bin/fpreport" render --records sample -o pages
cd "$top" || exit 1
(cd "$stage" && find . -type f | sort) >"$tmp/files"
check "the program knows the prefix that it was installed for" \
    grep -aq /opt/fp/share/fpreport "$stage/opt/fp/bin/fpreport"
check "make install again changes nothing in the list" make_ours install
(cd "$stage" && find . -type f | sort) >"$tmp/again"
check_same "the same files" "$tmp/files" "$tmp/again"
check "make uninstall" make_ours uninstall
(cd "$stage" && find . -type f) >"$tmp/left"
check_same "nothing is left" /dev/null "$tmp/left"
# openmpi-bin without libopenmpi-dev: there is an mpicc, which finds no mpi.h.
printf '#!/bin/sh\necho "fatal error: mpi.h: No such file or directory" >&2; exit 1\n' >"$tmp/mpicc" && chmod +x "$tmp/mpicc"
check "an MPI without headers is left out" sh -c '! make -n install MPICC="$1" | grep "[-]o [^ ]*fpreport-mpi.so"' - "$tmp/mpicc"
make -s mpi MPICC="$tmp/mpicc" >"$tmp/mpi.said" 2>&1
check "make mpi says the package to install" grep -q libopenmpi-dev "$tmp/mpi.said"
plan_done
