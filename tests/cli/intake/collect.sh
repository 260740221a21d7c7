#!/bin/sh
# fpreport collect: a run becomes a submission that standard tools read and a record that holds.
. "$(dirname "$0")/../../lib.sh"
ln -s "$top/templates" "$tmp/templates"
cd "$tmp" || exit 1
mkdir -p records/results && for d in vendors accelerators models cases references; do
    cp -R "$top/records/$d" records/
done
# A short case of its own, so that the test is quick.
sed 's/"id": "tiny_llama"/"id": "short"/; s/"steps": 250/"steps": 40/; /"alignment": {/,/^  }/d; s/"mfu_factor": 6,/"mfu_factor": 6/' \
    records/cases/tiny_llama.json >records/cases/short.json
says() { # DESCRIPTION TEXT: what the last check_exit printed holds the text
    if grep -qF -- "$2" "$tmp/.out"; then ok "$1"; else
        not_ok "$1"; sed 's/^/# /' "$tmp/.out" | head -n 20
    fi
}

run=$("$FPREPORT" -q train short -o first) || true
check "a short case is trained" test -f "$run/run.json"
check "it is sealed and drafted" "$FPREPORT" collect "$run" --vendor nvidia
says "both files are named" records/evidence/nvidia/short-
archive=$(ls records/evidence/nvidia/short-*.tar.zst) record=records/results/nvidia/short.json
check "the record is there" test -s $record
check "it is verified as it stands" "$FPREPORT" verify nvidia/short
"$FPREPORT" verify nvidia/short >out 2>&1
check "and says so" grep -q 'nvidia/short: verified' out
check "the archive by itself verifies" "$FPREPORT" verify "$archive"
check "the site shows it" "$FPREPORT" build -q -o site
check "as verified" grep -q 'class="verdict verified"' site/en/result/nvidia/short/index.html

# --- The same run, the same bytes.
cp "$archive" kept.tar.zst
touch -d '2001-01-01' "$(find "$run" -name rank0.out.log)" && chmod 600 "$run/run.json"
check "sealed again" "$FPREPORT" collect -q "$run" --vendor nvidia -o again.tar.zst
check "the same bytes" cmp kept.tar.zst again.tar.zst
cp -R "$run" copy && (cd / && TZ=Asia/Tokyo LC_ALL=C "$FPREPORT" -C "$tmp" collect -q copy -o there.tar.zst >/dev/null 2>&1)
check "of a copy elsewhere, too" cmp kept.tar.zst there.tar.zst
check "an archive alone drafts no record" test ! -e unnamed

# --- Read by standard tools alone.
mkdir x && tar -C x --zstd -xf kept.tar.zst
check "sha256sum agrees" sh -c 'cd x && sha256sum --strict --quiet -c SHA256SUMS'
(cd x && find . -type f ! -name SHA256SUMS ! -name statement.json | sed 's,^\./,,' | sort) >found
cut -c67- x/SHA256SUMS | sort >named
check_same "every file is in the manifest" found named
check "all files of the run are in it" sh -c 'cd "$1" && find . -type f | while read -r f; do cmp "$f" "$2/$f" || exit 1; done' - "$run" "$tmp/x"
check "no owner, no time" sh -c "tar --numeric-owner -tvf kept.tar.zst --zstd --utc | awk '\$2 != \"0/0\" || \$4 != \"1970-01-01\" { exit 1 }'"
check "the record names its sum" grep -q "$(sha256sum <kept.tar.zst | cut -c1-64)" $record

# --- What is there is not replaced silently.
sed -i 's/"title": "[^"]*"/"title": "by hand"/' $record
check "collecting again" "$FPREPORT" collect "$run" --vendor nvidia
says "says that the record is kept" 'already exists, so it was not changed; --force replaces it'
check "and keeps it" grep -q 'by hand' $record
check "--force replaces it" "$FPREPORT" collect -q --force "$run" --vendor nvidia
check "indeed" sh -c "! grep -q 'by hand' $record"

ssh-keygen -q -t ed25519 -N '' -C '' -f anew
# --- A draft that was completed, then signed: the record keeps all but the sum.
sed -i 's/"title": "[^"]*"/"title": "by hand"/' $record && cp $record completed.json
unsigned=$(sha256sum <"$archive" | cut -c1-64)
check "signed when it is complete" "$FPREPORT" collect "$run" --vendor nvidia --sign anew
says "says that the record is kept" "in $record, only the checksum of the submission was changed"
signed=$(sha256sum <"$archive" | cut -c1-64)
check "the archive is another one" test "$unsigned" != "$signed"
sed -i "s/$unsigned/$signed/" completed.json
check_same "only the sum changed" completed.json $record
printf 'anew namespaces="fpreport-submission-v1" %s\n' "$(cut -d' ' -f1,2 anew.pub)" >its_signers
check "and it is signed" "$FPREPORT" verify --signers its_signers "$archive"
check_exit 2 "nobody takes the signature off by sealing again" "$FPREPORT" collect "$run" --vendor nvidia
says "says so" "$archive: already exists with other content; --force replaces it"
check_same "and leaves the record" completed.json $record
cp kept.tar.zst "$archive"
check "stopped between its two writes, it goes on" "$FPREPORT" collect -q "$run" --vendor nvidia --sign anew
check_same "to the same record" completed.json $record
check "--force takes both" "$FPREPORT" collect -q --force "$run" --vendor nvidia --sign anew
check "and they belong together" grep -q "$(sha256sum <"$archive" | cut -c1-64)" $record
check "the draft replaces what was edited" sh -c "! grep -q 'by hand' $record"
"$FPREPORT" collect -q --force "$run" --vendor nvidia >.out 2>&1

check_exit 3 "the folder above a run" "$FPREPORT" collect "$(dirname "$run")" -o above.tar.zst
says "is told where the run is" "next: the folder contains a run: 'fpreport collect $run'"

# --- Another run's archive in its place.
other=$("$FPREPORT" -q train short -o second)
"$FPREPORT" collect -q "$other" -o other.tar.zst >.out 2>&1
cp other.tar.zst "$archive"
check_exit 1 "another run's archive in its place" "$FPREPORT" verify nvidia/short
says "is another archive" FP4001
sed -i "s/\"sha256\": \"[0-9a-f]*\"/\"sha256\": \"$(sha256sum <"$archive" | cut -c1-64)\"/" $record
"$FPREPORT" verify nvidia/short >out 2>&1
# Its loss is the same to the bit; its speed is another one, but for a chance of one in thousands.
check "and does not give the stated figures" grep -qE 'FP2002|nvidia/short: verified' out
check "two runs of one case log the same losses" sh -c '
    for r in "$1" "$2"; do cat "$r"/*/round1/*/rank0.out.log | grep -o "\"loss\": [0-9.]*" | cksum; done | uniq | wc -l | grep -qx 1' - "$run" "$other"

# --- What is no complete run.
"$FPREPORT" -q train short -o bad -- sh -c 'exit 7' >.out 2>&1
failed=$(find bad -name run.json -exec dirname {} \; | head -n 1)
check_exit 3 "a failed run is not sealed" "$FPREPORT" collect "$failed" -o failed.tar.zst
says "and the reason is given" run.json
check "no archive is left" test ! -e failed.tar.zst
refused() { # DESCRIPTION TEXT: collect of ./broken is refused with this text
    check_exit 3 "$1" "$FPREPORT" collect broken -o broken.tar.zst
    says "$1: named" "$2"
    check "$1: nothing is left" test ! -e broken.tar.zst
    rm -rf broken; cp -R "$run" broken
}
cp -R "$run" broken && rm broken/run.json; refused "without run.json" run.json
ln -s /etc/passwd broken/link; refused "with a link" broken/link
mkfifo broken/pipe; refused "with a pipe" broken/pipe
touch broken/SHA256SUMS; refused "with a manifest of its own" SHA256SUMS
truncate -s 2G broken/huge; refused "with a huge file" huge
echo '{"' >broken/run.json; refused "with a broken run.json" broken/run.json
cp -R "$run" torn && echo x >>"$(find torn -name sys_info.log)"
check_exit 1 "a run whose files were changed is not sealed" "$FPREPORT" collect torn -o torn.tar.zst
cp "$tmp/.out" said
check "its vendor is told" grep -q "^warning: torn.tar.zst:.*sys_info.log: the file was changed after the run ended \[FP4009\]" said
check "with the cure" grep -q "^  help: " said
check "nothing was written" test ! -e torn.tar.zst
check "--force writes it" "$FPREPORT" collect -q torn -o torn.tar.zst --force
"$FPREPORT" collect "$run" -o sound.tar.zst >said 2>&1
check "of a sound run nothing is said" sh -c '! grep warning said'
check_exit 3 "no such run" "$FPREPORT" collect nowhere -o x.tar.zst
check_exit 3 "a file is no run" "$FPREPORT" collect kept.tar.zst -o x.tar.zst
check_exit 2 "a vendor that is no id" "$FPREPORT" collect "$run" --vendor ../x
check_exit 2 "no run given" "$FPREPORT" collect
check_exit 4 "a place that cannot be written" "$FPREPORT" collect "$run" -o /proc/x.tar.zst

# --- Who writes into the run while it is sealed: a file that was listed and became a link since is not read.
if [ "$VARIANT" = asan ] || ! strace -o calls true 2>/dev/null; then skip "a link that is put there meanwhile: no strace"; else
    cp -R "$run" swapped && echo x >swapped/notes.txt && echo SECRET >secret && rm -f calls
    # It is stopped when it has read the folder's names to their end.
    strace -qq -o calls -P "$PWD/swapped" -e trace=getdents64 -e inject=getdents64:signal=STOP:when=2 \
        "$FPREPORT" collect swapped -o swapped.tar.zst -q >said 2>&1 &
    await grep -q 'stopped by SIGSTOP' calls
    ln -sf ../secret swapped/notes.txt; kill -CONT $(pgrep -P $!); wait $!
    check "a link that is put there meanwhile is refused" test $? -eq 3
    check "and named" grep -q 'swapped/notes.txt: found a link' said
    check "nothing is sealed" test ! -e swapped.tar.zst
fi
plan_done
