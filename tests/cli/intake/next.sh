#!/bin/sh
# The next steps that fpreport prints are commands that run as they are printed.
place=memory; . "$(dirname "$0")/../../lib.sh"
export HOME="$tmp/home" GIT_CONFIG_NOSYSTEM=1 && mkdir "$HOME" "$tmp/bin"
ln -s "$(realpath "$FPREPORT")" "$tmp/bin/fpreport" && PATH=$tmp/bin:$PATH
cd "$tmp" && git init -q -b main project && cd project || exit 1
git config --global user.name 'Ann Other' && git config --global user.email ann@example.org
cp -R "$top/tests/golden/build/records" records && ln -s "$top/templates" templates
printf '/templates\n/site\n/site.*\n' >.gitignore && git add -A && git commit -qm records
mkdir run && tar -C run --zstd -xf records/evidence/globex/run.tar.zst && rm run/SHA256SUMS && echo two >run/note.txt

# next_of FILE: the commands that its lines name behind "next", one a line, without their quotes
next_of() { grep -iE 'next: |; `fpreport' "$1" | grep -oE "'fpreport [^']*'|\`fpreport [^\`]*\`" | tr -d "'\`"; }
# ran DESCRIPTION N: the last output names N commands, and each runs: exit 0, or 1 for a check of a result
ran() {
    next_of said >commands
    if [ "$(wc -l <commands)" -ne "$2" ]; then
        not_ok "$1"; echo "# found $(wc -l <commands) commands, expected $2"; sed 's/^/# /' said; return
    fi
    while read -r line; do
        sh -c "$line" </dev/null >out 2>&1; code=$?
        [ $code -le 1 ] || { not_ok "$1"; echo "# exit $code: $line"; sed 's/^/# /' out | head -n 10; return; }
    done <commands
    ok "$1"
}

(cd run && zip -qr ../run.zip . 2>/dev/null || python3 -c 'import shutil; shutil.make_archive("../run", "zip", ".")')
fpreport import run.zip >said 2>&1; ran "import of a zip: verify, archive add" 2
fpreport archive add run.zip >said 2>&1; ran "a zip for the archive: import" 1
fpreport archive add run >said 2>&1; ran "a run for the archive: collect" 1
mkdir above && cp -R run above/run
fpreport collect above >said 2>&1
[ -s said ] && grep -q 'next: the folder contains a run' said && ran "a folder above a run: collect" 1
fpreport status >said 2>/dev/null
grep -v 'collect. drafts a result' said >some && mv some said
ran "status: build, and the evidence that is not archived" 2
fpreport build -q >/dev/null 2>&1
fpreport status >said 2>/dev/null; grep '^gh-pages' said >some; mv some said; ran "status: publish" 1
rm records/vendors/globex.json; fpreport status >said 2>/dev/null; grep 'no record' said >some; mv some said
ran "status: new records" 1
plan_done
