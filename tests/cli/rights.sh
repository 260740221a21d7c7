#!/bin/sh
# What this machine cannot read accuses nobody: each input of each command, without rights to it and with the other
# errors that a system gives, ends with exit 4, the name and the reason, no finding of a rule and no site.
place=memory; . "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
chmod 755 "$tmp" && program="$tmp/fpreport.copy" && cp "$FPREPORT" "$program" && chmod 755 "$program"
mkdir all && cd all || exit 1
cp -R "$top/tests/golden/build/records" records && cp -RL "$top/templates" templates
mkdir run && tar -C run --zstd -xf records/evidence/globex/run.tar.zst && rm run/SHA256SUMS
for key in key other; do ssh-keygen -q -t ed25519 -N '' -C "" -f ../$key; done
public() { cut -d' ' -f1,2 "../$1.pub"; }
"$FPREPORT" collect -q run -o s.tar.zst --sign ../key >/dev/null && cp s.tar.zst t.tar.zst
other_sum records/results/globex/tiny_llama.json # the archive's bytes are others now, and so is what is stated
cp s.tar.zst records/evidence/globex/run.tar.zst
sum=$(sha256sum s.tar.zst | cut -c1-64)
sed -i "s/\"sha256\": \"[0-9a-f]*\"/\"sha256\": \"$sum\"/" records/results/globex/tiny_llama.json
mkdir records/signers && echo "globex $(public key)" >records/signers/allowed_signers && public other >records/signers/revoked_keys
cp records/signers/allowed_signers signers && cp records/signers/revoked_keys revoked
echo '{"schema": "fpreport.site/1", "title": {"zh": "结果", "en": "Results"}}' >records/site.json
"$FPREPORT" build -q -o ../whole >../.out 2>&1
check "with all of it readable there is a verdict" test -e ../whole/result/globex/tiny_llama/verify.json
check "verified" grep -q '"state": "verified"' ../whole/result/globex/tiny_llama/verify.json
mkdir -p fw/training/globex/tiny_llama/config && echo "lbs = 4" >fw/training/globex/tiny_llama/config/config_box8x1x1.py
cp ../whole/pages/en/globex/tiny_llama/README.md page.md 2>/dev/null || cp "$(find ../whole/pages -name '*.md' -path '*globex*' | head -n 1)" page.md
"$FPREPORT" challenge tiny_llama --vendor globex -o challenge.json >../.out 2>&1
log=$(find run -name rank0.out.log) facts=$(find run -name fingerprint.json)
chmod -R a+rX . && chmod 777 .

ours() { "$program" "$@"; }
theirs() { HOME=/nonexistent setpriv --reuid=65534 --regid=65534 --clear-groups "$program" "$@"; }
if [ "$(id -u)" != 0 ]; then as=ours; elif theirs version >/dev/null 2>&1; then as=theirs; else as=; fi

# silent FILE REASON COMMAND…: what it has to be.
silent() {
    unread=$1 reason=$2; shift 2
    rm -rf site site.* out.tar.zst
    "$@" >../said 2>&1; got=$?
    what="$unread, $reason: $(printf '%s ' "$@" | sed 's/^[a-z]* //; s/run.tiny.*log/LOG/' | cut -c1-60)"
    if [ $got -eq 4 ] && grep -qF -- "${unread##*/}" ../said && grep -qF -- "$reason" ../said &&
        ! grep -qE '(error|warning): .*\[FP[0-9]|: failed|is not among|seal again' ../said && [ ! -e site ] && [ ! -e out.tar.zst ]; then
        ok "$what"
    else
        not_ok "$what"; echo "# exit $got, expected 4, the name, the reason and no site"; head -n 8 ../said | sed 's/^/# /'
    fi
}

# What is read, and by which command: a line of files, then one of commands.
records='records/signers/allowed_signers records/signers/revoked_keys records/signers records/evidence/globex/run.tar.zst
records/evidence/globex records/references/tiny_llama.csv records/references records/models/tiny_llama.json records/models
records/cases/tiny_llama.json records/accelerators/box8.json records/vendors/globex.json records/results/globex/tiny_llama.json
records/results/globex records/site.json'
templates='templates/site/strings.json templates/site/verify.sh templates/page.zh.md'
table() {
    for f in $records; do echo "$f|build -o site"; echo "$f|verify globex/tiny_llama"; done
    for f in $templates; do echo "$f|build -o site"; done
    for f in fw/training fw/training/globex fw/training/globex/tiny_llama/config fw/training/globex/tiny_llama/config/config_box8x1x1.py; do
        echo "$f|build --flagperf fw -o site"; echo "$f|verify --flagperf fw globex/tiny_llama"
    done
    cat <<END
s.tar.zst|verify s.tar.zst
s.tar.zst|verify --signers signers s.tar.zst
signers|verify --signers signers s.tar.zst
revoked|verify --signers signers --revoked revoked s.tar.zst
challenge.json|verify --challenge challenge.json s.tar.zst
s.tar.zst|verify --challenge challenge.json s.tar.zst
records/references/tiny_llama.csv|verify s.tar.zst
s.tar.zst|diff s.tar.zst t.tar.zst
s.tar.zst|archive --archive store add s.tar.zst
signers|archive --archive store add s.tar.zst --signers signers
s.tar.zst|explain s.tar.zst mfu
s.tar.zst|import s.tar.zst -o out.tar.zst
page.md|verify page.md
page.md|import page.md -o -
run/run.json|verify run
run/case.json|verify run
$facts|verify run
$log|verify run
$log|verify $log
$log|explain run loss
$log|diff run s.tar.zst
run/run.json|collect run -o out.tar.zst
run/case.json|collect run -o out.tar.zst
$facts|collect run -o out.tar.zst
$log|collect run -o out.tar.zst
run|collect run -o out.tar.zst
run|verify run
END
}
table >../table

if [ -n "$as" ]; then
    while IFS='|' read -r file command; do
        chmod 0 "$file"
        # shellcheck disable=SC2086 # the words of the command
        silent "$file" "Permission denied" $as $command
        chmod u+rwX,a+rX "$file"
    done <../table
    mkdir store && chmod 777 store && $as archive --archive store add -q s.tar.zst >../.out 2>&1
    for file in log.jsonl head; do
        chmod 0 store/$file
        silent store/$file "Permission denied" $as build --archive store -o site
        silent store/$file "Permission denied" $as verify --archive store globex/tiny_llama
        chmod 644 store/$file
    done
    chmod 0 records/evidence/globex/run.tar.zst
    $as verify --archive store globex/tiny_llama >../said 2>&1
    check "what the archive has, too, is read there" grep -q "globex/tiny_llama: verified" ../said
    chmod 644 records/evidence/globex/run.tar.zst
else
    skip "nobody else may run the program"
fi

# What is published: nothing, and the branch stays, where the repository, the site, the archive or the key may not be read.
if [ -n "$as" ]; then
    mkdir ../published && cd ../published && chmod 755 .
    cp -R ../all/records ../all/templates . && cp ../other key && rm records/signers/revoked_keys
    echo "operator namespaces=\"fpreport-checkpoint-v1\" $(public other)" >>records/signers/allowed_signers
    git init -q -b main . && git config user.name A && git config user.email a@example.org
    "$program" archive add -q records/evidence/globex/run.tar.zst >../said 2>&1
    "$program" build -q >../said 2>&1
    [ "$(id -u)" != 0 ] || chown -R 65534:65534 .
    for file in .git .git/HEAD .git/config .git/refs .git/refs/heads .git/objects key site site/.fpreport-build site/index.html \
        site/en archive archive/log.jsonl archive/head records records/results/globex templates/site/verify.sh; do
        mode=$(stat -c %a $file) && chmod 0 $file
        rm -f archive/checkpoint* # of a try before, which is gone on with
        $as publish --accept -q --sign key >../said 2>&1; got=$?
        chmod "$mode" $file
        case $file in .git/refs | .git/objects | archive) named=$file/ ;; *) named=${file##*/} ;; esac
        if [ $got -eq 4 ] && grep "error: .*Permission denied" ../said | grep -qF -- "$named" && ! ls .git/refs/heads/gh-pages* >../null 2>&1; then
            ok "nothing is published without rights to $file"
        else
            not_ok "nothing is published without rights to $file"; echo "# exit $got, expected 4, the name and the reason"; head -n 5 ../said | sed 's/^/# /'
        fi
    done
    check_exit 0 "with all of it readable it is" $as publish --accept -q --sign key
    check "on the branch" test -e .git/refs/heads/gh-pages
    cd ../all || exit 1
fi

# Whose line is broken is not known: no site that says of others that their keys are none.
echo "globex nonsense" >records/signers/allowed_signers
for going in "" --keep-going; do
    check_exit 3 "signers that are not well-formed: no site${going:+, with $going}" "$program" build $going -o site
    check_exit 1 "none at all" test -e site
done
cp signers records/signers/allowed_signers

# The other reasons that a system has.
if [ "$VARIANT" = gcc ] && ${CC:-cc} -std=c11 -D_GNU_SOURCE -fPIC -shared -o ../refuse.so "$top/tests/torture/refuse.c" 2>/dev/null; then
    refused() { LD_PRELOAD=$tmp/refuse.so OPENBLAS_NUM_THREADS=1 "$program" "$@"; }
    while IFS='|' read -r file command; do
        [ -f "$file" ] || continue
        for reason in "5 Input/output error" "24 Too many open files" "12 Cannot allocate memory" "40 Too many levels of symbolic links"; do
            case $file,$command,$reason in run/*,collect*,40* | records/[esr]*/*,*,40* | templates/*,*,40*) continue ;; esac # a link there is one of whoever made them
            export REFUSE="${file##*/}" REFUSE_WITH="${reason%% *}"
            # shellcheck disable=SC2086
            silent "$file" "${reason#* }" refused $command
            unset REFUSE REFUSE_WITH
        done
    done <../table
else
    skip "a preloaded library and AddressSanitizer's do not go together"
fi
plan_done
