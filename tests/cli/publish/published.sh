#!/bin/sh
# A published site beside its signed checkpoint: the commands of docs/VERIFYING.md, as they stand
# there, find what was changed in it, and `fpreport fsck SITE` finds the same.
place=memory; . "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1
export HOME="$tmp/home" GIT_CONFIG_NOSYSTEM=1 && mkdir "$HOME"
git config --global user.name A && git config --global user.email a@example.org
cp -R "$top/tests/golden/build/records" records && ln -s "$top/templates" templates
git init -q -b main . && ssh-keygen -q -t ed25519 -N '' -C '' -f operator
run=records/evidence/globex/run.tar.zst id=$(tar --zstd -xOf $run SHA256SUMS | sha256sum | cut -c1-64)
{ "$FPREPORT" archive add $run && "$FPREPORT" archive redact "$id" run.json --reason x &&
    "$FPREPORT" archive redact "$id" --publish full --reason y && "$FPREPORT" publish --build --accept --sign operator; } >said 2>&1
check "a site with a signed checkpoint is published" git rev-parse -q --verify gh-pages
mkdir out byhand && git archive gh-pages | tar -xf - -C out
echo "operator namespaces=\"fpreport-checkpoint-v1\" $(cut -d' ' -f1,2 operator.pub)" >byhand/allowed_signers
awk '/^## / { inside = /^## A published site/ } inside' "$top/docs/VERIFYING.md" | sed -n 's/^    //p' >commands
check "VERIFYING has commands" test "$(wc -l <commands)" -gt 10

# What somebody did to the site; the commands are then run in a copy.
page="the files are those of the list" list="the list is that of the checkpoint" log="the log is that of the checkpoint" good='Good "fpreport-checkpoint-v1"'
altered() { rm -rf byhand/site && cp -R out byhand/site && (cd byhand/site && eval "$1"); }
kinds() { # of findings, and the exit
    "$FPREPORT" fsck byhand/site --records nowhere --signers byhand/allowed_signers --operator operator --format json >out.json 2>err
    echo "$? $(jq -r '[.findings[].kind] | unique | join(" ")' out.json)"
}
by_hand() { altered "$1" && (cd byhand && "${shell:-sh}" ../commands) >said 2>&1; sed 's/^\(Good "[a-z1-9-]*"\).*/\1/' said >words; }
printf '%s\n' "$page" "$list" "$log" "$good" >well
for shell in sh bash; do
    by_hand 'mkdir .git && echo x >.git/HEAD'
    check_same "in a clone, by $shell: all is well" well words
    check "fsck finds nothing" test "$(kinds)" = '0 '
done
found() { # WHAT CHANGE SAID NOT-SAID KINDS
    by_hand "$2"
    check "fsck finds $1: ${5:-site}" test "$(kinds)" = "1 ${5:-site}"
    check "found: $1" grep -q "$3" said
    check "and not: $4" sh -c '! grep -qF "$1" said' - "$4"
}
relist='&& sum=$(sha256sum <archive/log.jsonl | cut -c1-64) && sed -i "s|^.*  archive/log.jsonl$|$sum  archive/log.jsonl|" MANIFEST.sha256'
found "a page that was changed" 'echo x >>index.html' '^index.html: FAILED' "$page"
found "one that is gone" 'rm index.html' '^index.html: FAILED open' "$page"
by_hand 'echo x >en/new.html && ln -s zh en/new'
check "found: a page and a link that were added" test "$(grep -cxE 'en/new|en/new.html' said)" = 2
check "fsck finds both" sh -c 'test "$2" = "1 site" && jq -e ".findings | length == 2" "$1"' - out.json "$(kinds)"
found "a page, and its sum in the list" 'echo x >>index.html && sum=$(sha256sum <index.html | cut -c1-64) && sed -i "s|^.*  index.html$|$sum  index.html|" MANIFEST.sha256' "^$page" "$list"
found "a line of the list that is gone, and its page" 'rm index.html && sed -i "/  index.html$/d" MANIFEST.sha256' "^$page" "$list"
found "a page whose line in the list does not end" 'echo x >en/x && printf "%s  en/x" "$(sha256sum <en/x | cut -c1-64)" >>MANIFEST.sha256' "^$list" "$page"
found "one that is hidden behind a comment" 'mkdir "x  archive" && echo x >"x  archive/checkpoint.json" && echo "#$(printf %065d 0)x  archive/checkpoint.json" >>MANIFEST.sha256' "^$log" "$page"
found "one with a name of two lines" 'echo x >"$(printf "index.html\nindex.html")"' "^$list" "$page"
found "one whose lines are folders" 'echo x >"$(printf "en\nzh")"' "^$list" "$page"
found "one that is a link to what it was" 'cp index.html ../page && ln -sf ../page index.html' "^$list" "$page"
found "a list that is a link to what it was" 'cp MANIFEST.sha256 ../list && ln -sf ../list MANIFEST.sha256' "^$log" "$page"
found "a line of the log, and its sum in the list" 'sed -i 2s/run.json/ran.json/ archive/log.jsonl'"$relist" '^line 3 does not follow' "$list" "log site"
found "the last line of the log" 'sed -i "3s/\"y\"/\"z\"/" archive/log.jsonl'"$relist" "^$page" "$log" "checkpoint site"
found "a log that was cut" 'sed -i 3d archive/log.jsonl'"$relist" "^$page" "$log" "checkpoint site"
found "a list and a checkpoint that were changed to fit" 'rm index.html && sed -i "/  index.html$/d" MANIFEST.sha256 && sed -i "s/\"root\": \"[0-9a-f]*/\"root\": \"$(grep -v "  archive/checkpoint" MANIFEST.sha256 | sha256sum | cut -c1-64)/" archive/checkpoint.json' "^$list" "$good" "checkpoint site"
altered 'echo x >>index.html && mkdir -p en/more && echo x >en/more/x'
"$FPREPORT" fsck byhand/site --records nowhere >said 2>&1
check "it names the files" sh -c 'grep -q "^byhand/site/index.html: error: its bytes have the SHA-256 [0-9a-f]*: they were changed \[site\]$" said && grep -q "^byhand/site/en/more/x: error: is no published file" said'
altered 'rm -r archive/checkpoint.json*' && check "a site without its checkpoint, where one is asked for" test "$(kinds)" = '1 checkpoint site'
altered 'printf "x\n" >>MANIFEST.sha256' && check "a line that is none" test "$(kinds)" = '1 site'
altered 'ln -sf en/index.html index.html' && check "a page that became a link" test "$(kinds)" = '1 site'
altered 'ln -s . en/loop' && check "and a link to a folder" test "$(kinds)" = '1 site'
altered 'rm archive/log.jsonl' && check "a site whose log is gone" test "$(kinds)" = '1 checkpoint site'
other="$tmp/fpreport.copy" && cp "$FPREPORT" "$other" && chmod 755 "$tmp" . "$other"
unread() { # as somebody who has no more rights than others
    if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$other" "$@"; else "$FPREPORT" "$@"; fi
}
altered 'chmod 0 index.html' && check_exit 4 "a page that cannot be read accuses nobody" unread fsck byhand/site --records nowhere
altered 'chmod 0 archive/log.jsonl' && check_exit 4 "nor does a log" unread fsck byhand/site --records nowhere

# --- Without an archive there is neither log nor checkpoint.
mkdir plain && cp -R records plain/ && ln -s "$top/templates" plain/ && git init -q -b main plain
(cd plain && "$FPREPORT" publish --build --accept && mkdir ../out2 && git archive gh-pages | tar -xf - -C ../out2) >said 2>&1
check "a site without a checkpoint is held to its list" "$FPREPORT" fsck out2 --records nowhere
cp .out said && check "and nobody vouches for that" grep -q '^checkpoint: none' said
sed -i '1{h;d};2G' out2/MANIFEST.sha256
check_exit 1 "a list in another order is not that of a site" "$FPREPORT" fsck out2 --records nowhere
cp .out said && check "whose line is named" grep -q '^out2/MANIFEST.sha256:2: error: .* stands after ' said
plan_done
