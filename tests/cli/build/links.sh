#!/bin/sh
# What is published out of records/ lies there: no link brings a file of this machine into a site.
place=memory; . "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1
ln -s "$top/templates" templates
mkdir secret && echo 'a planted secret, no key' >secret/words
fresh() { rm -rf records archive && cp -R "$top/tests/golden/build/records" records && rm -r records/results/acme; }
build() { "$FPREPORT" build -q --no-cache -o site "$@"; }
is_safe() { # DESCRIPTION: the site is there, without the secret, and has no links
    check "$1: a site without it" sh -c 'test -f site/index.html && ! grep -rqF "a planted secret" site && test -z "$(find site -type l)"'
}
says() { if grep -qE "$1" "$tmp/.out"; then ok "and says so"; else not_ok "and says so"; echo "# expected $1, found"; sed 's/^/# /' "$tmp/.out"; fi; }

# --- Evidence.
fresh && evidence=records/evidence/globex/run.tar.zst
check_exit 0 "evidence that lies there" build
check_same "is published" $evidence site/evidence/globex/run.tar.zst
mv $evidence secret/run.tar.zst && ln -s ../../../secret/run.tar.zst $evidence
check_exit 1 "a link in its place fails the result" build
says 'evidence/globex/run.tar.zst: error: found a link, expected a regular file inside records'
check "and nothing is published" test ! -e site/evidence/globex/run.tar.zst
is_safe "the rest is built"
check_exit 1 "verify says the same" "$FPREPORT" verify globex/tiny_llama
says 'found a link'
rm $evidence && mv records/evidence/globex records/evidence/there && mv secret/run.tar.zst records/evidence/there/ && ln -s there records/evidence/globex
check_exit 1 "a link to a folder, even one of the records" build
check "is not followed" test ! -e site/evidence
fresh && mv records elsewhere && ln -s elsewhere records
check_exit 0 "records may be reached through a link" build
check_same "with all that is in them" $evidence site/evidence/globex/run.tar.zst
rm records && mv elsewhere records

# --- The curve that runs are compared with.
fresh && mv records/references secret/references && ln -s ../secret/references records/references
check_exit 0 "a reference behind a link" build
check "is not published" test ! -e site/references
is_safe "the rest is built"

# --- The archive of submissions.
fresh && "$FPREPORT" archive add -q $evidence >/dev/null && rm $evidence
object=$(echo archive/objects/sha256/*/*)
check_exit 0 "evidence in the archive" build
check_same "is published from there" "$object" site/evidence/globex/run.tar.zst
mv "$object" secret/object && ln -s "$tmp/secret/object" "$object"
check_exit 1 "a link in the place of an object" build
says 'found a link'
check "is not published" test ! -e site/evidence/globex/run.tar.zst
rm -rf archive secret/object site

# --- Nor is anything written through one.
fresh && mkdir archive secret/objects && ln -s ../secret/objects archive/objects
check_exit 3 "a link in the place of the objects" "$FPREPORT" archive add $evidence
says 'archive/objects/sha256: found a symbolic link in the path'
rm archive/objects && mkdir -p archive/objects/sha256 && ln -s ../../../secret/objects "archive/objects/sha256/$(sha256sum <$evidence | cut -c1-2)"
check_exit 3 "and of a part of them" "$FPREPORT" archive add $evidence
check "nothing is written where it leads" test -z "$(ls secret/objects)"
check "nor in the log" test ! -e archive/log.jsonl
rm -rf archive secret/objects
export HOME="$tmp/home" GIT_CONFIG_NOSYSTEM=1 && mkdir "$HOME"
git init -q -b main && git config user.name A && git config user.email a@example.org && build
publish() { "$FPREPORT" publish --accept "$@"; }
mkdir -p .git/refs/heads && ln -s ../../../secret/ref .git/refs/heads/pages
check_exit 3 "a link in the place of a branch" publish --branch pages
says 'refs/heads/pages: found a link'
check "is not written through" test ! -e secret/ref
mkdir -p .git/logs/refs/heads secret/logs/refs/heads && ln -s ../../../../secret/log .git/logs/refs/heads/noted
for way in file folder; do
    check_exit 3 "one in the place of its history: $way" publish --branch noted
    says 'logs/refs/heads/noted: found a link'
    rm -r .git/logs && ln -s ../secret/logs .git/logs
done
check "is not written through, either" test -z "$(find secret/log secret/logs -type f 2>/dev/null)"
rm .git/logs
for path in logs/refs/heads/noted refs/heads/noted; do
    mkdir -p .git/logs/refs/heads && mkfifo .git/$path
    check_exit 3 "a pipe in the place of $path is not waited for" timeout 300 "$FPREPORT" publish --accept --branch noted
    says "$path: found no regular file" && rm .git/$path
done
mkdir -p secret/ours/pack && touch secret/ours/pack/kept && ln -s ../secret/ours .git/fpreport
check_exit 3 "a link in the place of the publisher's own folder" publish
says '.git/fpreport: found a link'
check "nothing is removed where it leads" test -e secret/ours/pack/kept
rm .git/fpreport
for name in @ refs/heads/q; do check_exit 2 "a branch cannot be called $name" publish --branch $name; done
ln -s ../secret/words site/CNAME
check_exit 3 "a link in the place of the host's name" publish
says 'site/CNAME: found a link'
for name in 'two words' 'a\033b' 'a\n\nb' ''; do
    rm -f site/CNAME; printf "$name" >site/CNAME
    check_exit 3 "a host cannot be called '$name'" publish
done
check "nothing was published" test -z "$(git for-each-ref refs/heads/gh-pages)"
rm -rf .git site/CNAME

# --- Whose signatures count.
fresh && mkdir records/signers && ssh-keygen -q -t ed25519 -N '' -C '' -f key
signers=records/signers/allowed_signers
echo "globex $(cut -d' ' -f1,2 key.pub)" >clean && { echo '# since May' && sed 's/$/ root@inner-host/' clean; } >$signers
check_exit 0 "signers" build
check_same "are published, without what is remarked about machines" clean site/signers/allowed_signers
echo "globex $(cut -d' ' -f1,2 key.pub) # a planted secret in a line that is no fault" >secret/signers
ln -sf ../../secret/signers $signers
check_exit 3 "not through a link" build --keep-going
says "$signers: error: found a link"
check_same "the site stays as it was" clean site/signers/allowed_signers
is_safe "nothing else is built"
rm $signers && cp secret/words $signers
check_exit 3 "nor with a fault" build --keep-going
says "$signers:1:1: error"
check_same "nor is it then" clean site/signers/allowed_signers
rm -r records/signers && mkdir secret/folder && cp secret/signers secret/folder/allowed_signers && ln -s ../secret/folder records/signers
check_exit 3 "nor from a folder behind a link" build --keep-going
is_safe "nothing else is built"
rm -r site && check_exit 3 "nor where there is no site yet" build
check "which would say of a vendor that its key is none" test ! -e site

mkdir run && tar -C run --zstd -xf "$top/tests/golden/build/records/evidence/globex/run.tar.zst" && rm run/SHA256SUMS
# --- Where a site goes: our own links are followed, those that somebody laid where everybody can write are not.
if [ "$(id -u)" = 0 ]; then
    fresh && rm -rf site && mkdir -p open held/there && chmod 1777 open && chmod 755 . held
    ln -s ../held/there open/site && ln -s ../held open/up && ln -s site open/again
    made() { "$FPREPORT" build -q --no-cache -o "$@"; }
    check "a link of ours to a folder" made open/site
    check "is followed" test -f held/there/index.html -a -L open/site
    rm -rf held && mkdir -p held/there && chown -h 65534 open/site open/up
    check_exit 2 "a link of another user, where everybody can write" made open/site
    says "open/site: is another user's link, in a folder that everybody can write to"
    check_exit 2 "nor on the way to a folder that is to be made" made open/up/not/yet/site
    check "which is not made" test ! -e held/not
    check_exit 2 "nor on the way" made open/up/there
    check_exit 2 "nor behind a link of ours" made open/again
    check_exit 2 "nor for the folder that a new one is to be made in" made open/up/new
    chmod 777 open
    check_exit 2 "nor in a folder without the sticky bit" made open/site
    check "nothing was written there" test -z "$(find held -type f)"
    check_exit 2 "a file is not written through one, either" "$FPREPORT" collect -q "$tmp/run" -o open/up/run.tar.zst
    says "is another user's link"
    ln -s ../held/there/f open/file && chown -h 65534 open/file && : >held/there/f
    check_exit 2 "nor over what it leads to" "$FPREPORT" collect -q "$tmp/run" -o open/file
    check "which is as it was" test ! -s held/there/f
    rm -f held/there/f && chown 65534 open && chmod 1777 open
    check "whose folder it is may lay links in it" made open/site
    chown 0 open && chmod 755 open && rm -rf held/there/* held/there/.fp*
    check "where others cannot write, any link is meant" made open/site

    # A lock that somebody laid there says which tree is to be cleared away; it is not believed.
    rm -rf open && mkdir -m 1777 open && mkdir -m 700 open/site.fpreport-previous && echo kept >open/site.fpreport-previous/mine
    note() { stat -c %i "open/site.fpreport-$1" >open/site.fpreport-lock; }
    note previous && chown 65534 open/site.fpreport-lock
    check_exit 2 "a lock of another user" made open/site
    says "open/site.fpreport-lock: fpreport did not write this file and does not replace it"
    check "removes nothing" test -f open/site.fpreport-previous/mine
    chown 0 open/site.fpreport-lock && chown -R 65534 open/site.fpreport-previous
    check "a lock of ours that names another user's tree" made open/site
    check "leaves it alone" test -f open/site.fpreport-previous/mine
    chown -R 0 open/site.fpreport-previous && chmod 755 open/site.fpreport-previous && note previous
    check "or one that others may look into, which no tree of ours is" made open/site
    check "and leaves it alone" test -f open/site.fpreport-previous/mine
    rm -rf open/site* && mkdir open/site.fpreport-new && echo kept >open/site.fpreport-new/mine && chown -R 65534 open/site.fpreport-new && note new
    check_exit 2 "another user's tree where the new one goes" made open/site
    says "open/site.fpreport-new: fpreport does not know whether it wrote this file"
    check "is left alone" test -f open/site.fpreport-new/mine
else
    skip "not root"
fi
plan_done
