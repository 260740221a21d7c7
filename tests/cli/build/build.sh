#!/bin/sh
# fpreport build: what it writes (tests/golden/build), that it writes the same bytes anywhere, what
# it leaves alone, and that neither broken input nor a kill nor a full disk leaves half a site.
#
# After a wanted change of the output: REGOLD=1 sh tests/cli/build/build.sh, then read the diff.
place=memory; . "$(dirname "$0")/../../lib.sh"
golden=$top/tests/golden/build
ln -s "$top/templates" "$tmp/templates" # for programs that lie elsewhere (build/asan)
cd "$tmp" || exit 1
cp -R "$golden/records" records

build() { "$FPREPORT" build -q "$@"; }
files_of() { (cd "$1" && find . -mindepth 1 \( -name .fpreport-build -o -type f -print \) | sort); }
# Everything about the files but their access times.
state_of() { (cd "$1" && find . -printf '%p %y %i %m %T@ %s\n' | sort); }
says() { # DESCRIPTION TEXT: what the last check_exit printed holds the text
    if grep -qF -- "$2" "$tmp/.out"; then ok "$1"; else
        not_ok "$1"; sed 's/^/# /' "$tmp/.out" | head -n 20
    fi
}

# --- The golden project: one failed, one withdrawn, one verified result.
check_exit 1 "a failed result is published, exit 1" "$FPREPORT" build -o site
says "the finding is named with its line" 'records/results/acme/toy.json:61: error: MFU is stated as 90.0%'
says "the summary counts states" '1 verified, 1 failed, 1 withdrawn'
files_of site >files
if [ -n "${REGOLD:-}" ]; then
    cp files "$golden/files"
    for f in index.html en/index.html zh/result/acme/old/index.html en/vendor/acme/index.html; do
        mkdir -p "$golden/site/$(dirname $f)" && cp "site/$f" "$golden/site/$f"
    done
fi
check_same "the files of the site (after a wanted change: REGOLD=1 sh tests/cli/build/build.sh)" "$golden/files" files
(cd "$golden/site" && find . -type f) | while read -r f; do diff -u "$golden/site/$f" "site/$f"; done >changed 2>&1
check_same "pages are as a person read them" /dev/null changed
check_same "the record is published as it is" records/results/acme/toy.json \
    site/result/acme/toy/record.json
check "the evidence is published as it is" cmp records/evidence/globex/run.tar.zst \
    site/evidence/globex/run.tar.zst

# --- The same bytes whatever surrounds it.
(mkdir -p "deep/er place" && cp -R records templates/ "deep/er place/" && cd "deep/er place" && umask 077 &&
    TZ=Asia/Shanghai LC_ALL=C HOME=/nonexistent COLUMNS=20 "$FPREPORT" build -q -o out >"$tmp/.out" 2>&1)
check "same bytes in another folder, time zone, locale and umask" diff -r site "deep/er place/out"
(cd / && TZ=America/St_Johns "$FPREPORT" build -q -C "$tmp" -o "$tmp/other" >"$tmp/.out" 2>&1)
check "same bytes with -C and an absolute path" diff -r site other
"$FPREPORT" build -q --records "$tmp/records" -o absolute >.out 2>&1
check "same bytes, too, of records at an absolute path: no page says where they lie" diff -r site absolute
cp -R records told && mkdir told/signers && rm told/evidence/globex/run.tar.zst && ln -s elsewhere told/evidence/globex/run.tar.zst
ssh-keygen -q -t ed25519 -N '' -C '' -f other-key && echo "globex $(cut -d' ' -f1,2 other-key.pub)" >told/signers/allowed_signers
(mkdir -p beside && ln -s "$top/templates" beside/templates && cd beside && "$FPREPORT" build -q --records "$tmp/told" -o "$tmp/out-of-told"; "$FPREPORT" build -q --records ../told -o "$tmp/again-of-told") >.out 2>&1
check "nor does a finding about a link among them" sh -c 'grep -rq "regular file inside told" out-of-told && ! grep -rF "$1" out-of-told && diff -r out-of-told again-of-told' - "$tmp"
# Other orders of directory entries, where the file system gives them as they were made.
mkdir backwards && ln -s "$top/templates" backwards/templates
find records -type f | sort -r >names && while read -r f; do mkdir -p "backwards/$(dirname "$f")" && cp "$f" "backwards/$f"; done <names
find records -type f | sed 's,.*/,,' >order && (cd backwards && find records -type f | sed 's,.*/,,') >order2
if cmp -s order order2; then skip "the file system sorts its entries"; else
    build -C backwards -o site >.out 2>&1
    check "same bytes from folders in another order" diff -r site backwards/site
fi
# The program is copied, for another user cannot read a checkout below a home of mode 0700.
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups true 2>/dev/null; then
    mkdir -p theirs/usr/bin theirs/usr/share/fpreport && cp -R records theirs/ && cp "$FPREPORT" theirs/usr/bin/fpreport &&
        cp -RL "$top/templates" "$top/records" theirs/usr/share/fpreport/ &&
        chown -R 65534:65534 theirs && chmod 755 .
    (cd theirs && HOME=/ USER=other setpriv --reuid 65534 --regid 65534 --clear-groups ./usr/bin/fpreport build -q -o out >"$tmp/.out" 2>&1)
    check "same bytes by another user" diff -r site theirs/out
else
    skip "only root can become another user"
fi
if [ "$FPREPORT" != "$top/fpreport" ] && [ -x "$top/fpreport" ]; then
    "$top/fpreport" build -q -o compiled >.out 2>&1
    check "same bytes by the other compiler" diff -r site compiled
fi
find records -name '*.json' -exec touch -d '2001-01-01' {} +
build -o other2 >.out 2>&1
check "times of the records do not count" diff -r site other2

# --- Nothing changed: nothing is touched.
state_of site >before
build -o site >.out 2>&1
state_of site >after
check_same "a no-op build touches nothing" before after

# --- What others put there stays, and what was changed is changed alone.
mkdir -p site/.git site/notes && echo ref >site/.git/HEAD && echo mine >site/note.txt &&
    ln -s ../records site/link && echo x >site/notes/deep.txt
echo '<!-- edited -->' >>site/en/rules/index.html
python3 - <<'PY'
import json
path = "records/results/acme/old.json"
r = json.load(open(path)); r["performance"][0]["text"] = "Changed."; json.dump(r, open(path, "w"))
PY
stat -c '%i %Y' site/.git/HEAD site/note.txt site/link site/style.css >before
check_exit 1 "builds with foreign files" "$FPREPORT" build -o site
says "they are counted" 'files of other programs left unchanged'
stat -c '%i %Y' site/.git/HEAD site/note.txt site/link site/style.css >after
check_same "foreign and unchanged files keep inode and time" before after
check "the changed result is written" grep -q 'Changed\.' site/zh/result/acme/old/index.html
check "a page of ours that somebody edited is written anew" sh -c '! grep -q "<!-- edited" site/en/rules/index.html'
rm records/results/acme/old.json
echo '<!-- edited -->' >>site/zh/result/acme/old/index.html
check_exit 1 "builds without a result" "$FPREPORT" build -o site
says "an edited page that is no longer ours to write is kept and named" 'zh/result/acme/old/index.html'
check "what nobody edited is gone" test ! -e site/result/acme/old/verify.json
check "foreign files are still there" cmp site/notes/deep.txt - <<'X'
x
X
rm -r site records && cp -R "$golden/records" records && build -o site >.out 2>&1

# --- A broken record: named by line and column; the site stays, or is built without it when told so.
toy=records/results/acme/toy.json
broken() { # DESCRIPTION EXPECTED-MESSAGE: $toy is broken now
    rm -rf out && cp -R site out
    check_exit 3 "$1: exit 3" "$FPREPORT" build -o out
    check "$1: the site stays as it was" diff -r site out
    check_exit 3 "$1: --keep-going" "$FPREPORT" build -o out --keep-going
    if grep -qE -- "^$toy:[0-9]+:[0-9]+: error: $2" .out; then ok "$1: says where and what"; else
        not_ok "$1: says where and what"; sed 's/^/# /' .out | head -n 5
    fi
    if [ -e out/en/result/acme/old/index.html ] && [ ! -e out/en/result/acme/toy/index.html ] &&
        ! grep -q 'acme/toy' out/en/index.html; then ok "$1: left out, the rest is built"; else
        not_ok "$1: left out, the rest is built"
    fi
    cp "$golden/$toy" $toy
}
sed -i 's/"run_title"/"run_titel"/' $toy; broken "unknown key" 'found .*"?run_titel"?.*expected'
sed -i 's/"vendor": "acme"/"vendor": 7/' $toy; broken "wrong type" 'found .*expected'
sed -i 's/"90.0%"/"80.83.2%"/' $toy; broken "no number" "'80.83.2%' is not a number.*expected"
sed -i 's/"vendor": "acme",/&&/' $toy; broken "duplicate key" 'found key "vendor" again, expected'
printf '{"schema": "\377"}' >$toy; broken "invalid UTF-8" '.*expected'
printf '' >$toy; broken "empty file" 'found .*expected'
head -c 500 "$golden/$toy" >$toy; broken "truncated file" 'found .*expected'
truncate -s 1G $toy; broken "1 GiB" 'found 1073741824 bytes, expected at most'
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "[" }' >$toy; broken "nested 100000 deep" '.*expected'
cp records/models/toy.json keep && echo '{' >records/models/toy.json
check_exit 3 "a broken model: exit 3" "$FPREPORT" build -o out
says "and it is named" 'records/models/toy.json:'
says "and what to do" '--keep-going'
rm -rf fresh && check_exit 3 "where no site is yet: exit 3" "$FPREPORT" build -o fresh
check "and one of the rest" test -e fresh/en/result/acme/old/index.html
cp keep records/models/toy.json
echo '{broken' >records/site.json && rm -rf out && cp -R site out
check_exit 3 "a broken site.json: exit 3" "$FPREPORT" build -o out --keep-going
check "gives the site no other name, whatever is told" diff -r site out
rm records/site.json
ln -sf /dev/zero records/results/acme/zero.json
check_exit 1 "a device among the records is not read" timeout 300 "$FPREPORT" build -q -o out
rm records/results/acme/zero.json

# --- Where it may write.
mkdir foreign && echo mine >foreign/file
check_exit 2 "a folder of others is refused" "$FPREPORT" build -o foreign
says "and the reason is given" '.fpreport-build'
check "and is left as it was" test "$(ls -A foreign)" = file
check_exit 2 "so is the folder of the records" "$FPREPORT" build -o records
mkdir empty && check_exit 1 "an empty folder is taken" build -o empty
echo mine >plain
check "a file is not replaced" sh -c '"$1" build -q -o plain; [ $? -ge 2 ] && [ "$(cat plain)" = mine ]' - "$FPREPORT"
check_exit 1 "folders on the way are made" build -o not/there/yet/site
check "and the site lies in them" test -f not/there/yet/site/index.html
check_exit 2 "none is made below the records" "$FPREPORT" build -o records/not/yet/site
check "there is nothing then" test ! -e records/not
check_exit 2 "no records" "$FPREPORT" build --records nowhere -o out
check_exit 4 "a folder that cannot be written" build -o /proc/site
if [ -c /dev/full ]; then
    check_exit 4 "a summary on a full disk" sh -c '"$1" build -o out >/dev/full' - "$FPREPORT"
fi

# --- Templates of the project's own.
rm templates && mkdir -p templates/site && cp -R "$top/templates/." templates/
sed 's/{{page_title}}/Our own heading/' "$top/templates/site/home.html" >templates/site/home.html
rm -rf out && check_exit 1 "templates are overridden" build -o out
check "by the project's own" grep -q 'Our own heading' out/en/index.html
cp -a out old
for typo in '{{#results}}x{{/result}}' '{{oops' '{{no_such_name}}' '{{>site/none.html}}'; do
    printf '<p>\n%s\n' "$typo" >templates/site/home.html
    check_exit 3 "typo $typo: exit 3" build -o out
    case $typo in
    *none*) says "typo $typo: names what is missing" 'site/none.html' ;;
    *) says "typo $typo: says where" 'templates/site/home.html:2:' ;;
    esac
    check "typo $typo: the old site stands" diff -r old out
done
rm -r templates && ln -s "$top/templates" templates

# --- Two at once, and kills at any moment: the old site or the new one.
rm -rf out race && build -o race >.out 2>&1
(build -o race >race.1 2>&1; echo $? >code.1) & (build -o race >race.2 2>&1; echo $? >code.2) & wait
check "of two at once each ends well or is told so" sh -c \
    'for i in 1 2; do case $(cat code.$i) in 1) ;; 4) grep -q "race" race.$i || exit 1 ;; *) exit 1 ;; esac; done'
check "and the site is whole" diff -r site race

cp -R records changed.records
sed -i 's/"2.5"/"2.6"/; s/"withdrawn"/"withdrawn"/' changed.records/results/acme/toy.json
rm changed.records/results/acme/old.json
build --records changed.records -o target >.out 2>&1
cp -a target new.site && cp -a site old.site
rounds=20; [ "$VARIANT" = asan ] && rounds=6
i=0 bad=0 killed=0
rm -rf target && cp -a old.site target
while [ $i -lt $rounds ]; do
    i=$((i + 1)) from=records
    [ $((i % 2)) = 1 ] && from=changed.records
    timeout -s KILL "$(awk -v i=$i 'BEGIN { printf "%.4f", 0.002 * i }')" \
        "$FPREPORT" build -q --records $from -o target >/dev/null 2>&1
    [ $? -eq 137 ] && killed=$((killed + 1))
    diff -r old.site target >/dev/null || diff -r new.site target >/dev/null || bad=$((bad + 1))
done 2>/dev/null
check "killed at $killed of $rounds moments: old or new" test $bad -eq 0
check_exit 1 "the next build succeeds" build -o target
check "and leaves nothing but its cache and its spare tree beside it" \
    sh -c '! ls -d target.* | grep -vE "^target\.fpreport-(cache|previous)$"'

# A disk that is really full.
mkdir disk
if mount -t tmpfs -o size=64k tmpfs disk 2>/dev/null; then
    check_exit 4 "a full disk is exit 4" build -o disk/site
    check "and leaves no site" test ! -e disk/site/index.html
    umount disk
else
    skip "needs mount, for a full disk"
fi
plan_done
