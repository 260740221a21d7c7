#!/bin/sh
# The archive of submissions: kept by what they hold, logged, withdrawn; `fsck` finds what is wrong.
place=memory; . "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1
cp -R "$top/tests/golden/build/records" records && ln -s "$top/templates" templates
mkdir run && tar -C run --zstd -xf records/evidence/globex/run.tar.zst && rm run/SHA256SUMS
for key in key other operator; do ssh-keygen -q -t ed25519 -N '' -C "" -f $key; done
public() { cut -d' ' -f1,2 "$1.pub"; }
echo "globex namespaces=\"fpreport-submission-v1\" $(public key)" >signers
sha() { sha256sum <"$1" | cut -c1-64; }
"$FPREPORT" collect -q run -o good.tar.zst --sign key >/dev/null
cp -R run run2 && echo two >run2/note.txt && "$FPREPORT" collect -q run2 -o two.tar.zst >/dev/null
id=$(tar --zstd -xOf good.tar.zst SHA256SUMS | sha256sum | cut -c1-64)
archive() { "$FPREPORT" archive "$@"; }
fsck() { "$FPREPORT" fsck "$@"; }
# finds DESCRIPTION KIND…: exactly these kinds of findings, and exit 1; as text with one line for each
# of what to do, but where the findings themselves say it
finds() {
    what=$1; shift
    fsck --format json >out.json 2>said; code=$?
    kinds=$(jq -r '[.findings[].kind] | unique | join(" ")' out.json)
    steps=$(fsck 2>/dev/null | sed -n 's/^next, \([a-z]*\): ..*/\1/p' | sort | tr '\n' ' ')
    expected=$(printf '%s\n' "$@" | grep -vxE 'torn|left|state' | tr '\n' ' ')
    if [ $code -eq 1 ] && [ "$kinds" = "$*" ] && [ "$steps" = "$expected" ]; then ok "$what"; else
        not_ok "$what"; echo "# exit $code, found '$kinds', expected '$*', steps '$steps'"; sed 's/^/# /' out.json said | head -n 20
    fi
}

# --- Added, once.
check_exit 3 "nothing is there before" fsck
check_exit 3 "nor listed" archive list
check "a signed submission is added" archive add good.tar.zst --signers signers
check "under the SHA-256 of its bytes" cmp good.tar.zst "archive/objects/sha256/$(sha good.tar.zst | cut -c1-2)/$(sha good.tar.zst)"
check "its entry names submission, object and signer" jq -e --arg id "$id" --arg object "$(sha good.tar.zst)" \
    --arg key "$(ssh-keygen -lf key.pub | cut -d' ' -f2)" \
    '.n == 1 and .kind == "added" and .submission == $id and .object == $object and .signer == "globex" and .key == $key' archive/log.jsonl
cp archive/log.jsonl before
check "again, and nothing happens" archive add good.tar.zst --signers signers
check_same "to the log" before archive/log.jsonl
check "more, one of them again" archive add two.tar.zst good.tar.zst records/evidence/globex/run.tar.zst
check "the log has one line each" test "$(wc -l <archive/log.jsonl)" -eq 3
check "the chain is one that sha256sum makes" sh -c '
    test "$(sed -n 1p archive/log.jsonl | sha256sum | cut -c1-64)" = "$(sed -n 2p archive/log.jsonl | jq -r .prev)" &&
    test "$(sed -n 2p archive/log.jsonl | sha256sum | cut -c1-64)" = "$(sed -n 3p archive/log.jsonl | jq -r .prev)" &&
    test "3 $(sed -n 3p archive/log.jsonl | sha256sum | cut -c1-64)" = "$(cat archive/head)"'
check "all is well" fsck
check "they are listed, each file by itself" sh -c '"$1" archive list --format json | jq -e "length == 3 and .[0].signer == \"globex\""' - "$FPREPORT"
check "one is shown by the beginning of its id" sh -c '"$1" archive show "$2" | grep -q "^  signer     globex"' - "$FPREPORT" "$(echo "$id" | cut -c1-10)"

# --- Refused, and then nothing is written.
cp archive/log.jsonl before
head -c 5000 good.tar.zst >cut.tar.zst
rm -rf x && mkdir x && tar -C x --zstd -xf good.tar.zst && echo changed >>x/case.json
(cd x && find . -type f | sed 's,^\./,,' | LC_ALL=C sort | tar --format=ustar --no-recursion -T - --mtime=@0 \
    --owner=0 --group=0 --numeric-owner --mode=0644 -b1 -cf -) | zstd -q -9 >changed.tar.zst
{ printf '\120\052\115\030\040\000\000\000'; sha256sum <changed.tar.zst | cut -c1-64 | tr a-f A-F | basenc --base16 -d; } >seal
cat seal >>changed.tar.zst
check_exit 3 "one that cannot be read" archive add cut.tar.zst
check_exit 1 "one that was altered" archive add changed.tar.zst
check_exit 1 "one that nobody signed" archive add two.tar.zst --signers signers
echo "globex $(public other)" >others
check_exit 1 "one signed with a key that does not count" archive add good.tar.zst --signers others
check_exit 3 "one that is not there" archive add nowhere.tar.zst
mkdir arun && check_exit 3 "a folder" archive add arun
cp .out said && check "is told to seal it" grep -qF "next: 'fpreport collect arun -o FILE.tar.zst' seals a run" said
echo PK >run.zip && check_exit 3 "a zip" archive add run.zip
cp .out said && check "is told to import it" grep -qF "next: 'fpreport import run.zip -o FILE.tar.zst' makes a submission" said
rm -r arun run.zip
check_exit 2 "an unknown action" archive ad good.tar.zst
check_exit 2 "an unknown id" archive show 00000000
cp .out said && check "which is said in words" grep -qx "error: 00000000: found no such submission in archive" said
check_exit 2 "an id that is too short" archive show 00
check_exit 2 "a withdrawal without a reason" archive withdraw "$id"
check_exit 2 "blanks are none" archive withdraw "$id" --reason " "
check_exit 2 "of whatever width" archive withdraw "$id" --reason "$(printf '\343\200\200\342\200\256\302\240')"
check_exit 2 "in Chinese, too" archive withdraw "$id" --reason x --reason-zh "　"
check_exit 2 "nor do they decide" archive withdraw "$id" --reason x --by " "
check_same "the log is as it was" before archive/log.jsonl
check "and so is the rest" fsck
for decision in "withdraw" "redact --publish hashes"; do
    set -- $decision
    act=$1 && shift
    check_exit 3 "$act where no archive is" archive "$act" 00000000 "$@" --archive mistyped --reason x
    cp .out said && check "which is said" grep -q "^error: mistyped: found no archive" said
    check "$act makes none" test ! -e mistyped
done

# --- No line that no later run could read: what would make one is refused, and the log stays.
bad=$(printf 'x\357\277\277')
check_exit 2 "a reason that no JSON holds" archive withdraw "$id" --reason "$bad"
check_exit 2 "nor who decided" archive withdraw "$id" --reason x --by "$bad"
check_exit 2 "nor why something is withheld" archive redact "$id" --publish hashes --reason "$bad"
check_same "the log is as it was" before archive/log.jsonl
check "and can be read" archive list

# --- The time of an entry is that of the machine's clock, and a clock that was wrong once is told.
# another FILTER FOLDER: its log as the filter makes it, bound again, with a head that fits
another() {
    prev=0000000000000000000000000000000000000000000000000000000000000000 n=0
    jq -c "$1" "$2/log.jsonl" | while IFS= read -r line; do
        n=$((n + 1))
        echo "$line" | jq -cj --arg prev "$prev" --argjson n $n '.n = $n | .prev = $prev' | sed 's/":/": /g; s/,"/, "/g' >line && echo >>line
        cat line; prev=$(sha256sum <line | cut -c1-64); echo "$n $prev" >made
    done >forged
    mv forged "$2/log.jsonl" && mv made "$2/head"
}
SOURCE_DATE_EPOCH=1700000000 archive add -q --archive ahead good.tar.zst >/dev/null 2>&1
check "SOURCE_DATE_EPOCH is not the day on which something came" test "$(jq -r .time ahead/log.jsonl | cut -c1-10)" = "$(date -u +%F)"
another '.time = "2099-03-02T00:00:00Z"' ahead
finds_in() { "$FPREPORT" fsck ahead --records nowhere --format json | jq -r '[.findings[].kind] | join(" ")'; }
check "fsck finds an entry of later than now" test "$(finds_in)" = clock
check_exit 2 "nothing is written behind it" archive add --archive ahead two.tar.zst
cp .out said && check "which names both times and the way out" grep -qE "^error: ahead: nothing was written: the clock of this machine shows $(date -u +%Y)-.{15}, [0-9]+ days before the last entry of the log \(line 1, 2099-03-02T00:00:00Z\); set the clock or, if it is right, pass --trust-clock$" said
check "nor is it left there" test "$(find ahead/objects -type f | wc -l)" -eq 1
check "unless somebody says that the clock is right" archive add -q --archive ahead two.tar.zst --trust-clock
check "then the entry says both" jq -se --arg day "$(date -u +%F)" '.[1].time == .[0].time and .[1].clock[0:10] == $day' ahead/log.jsonl
check "and counts as of the clock" sh -c '"$1" archive list --archive ahead --format json | jq -e --arg day "$2" ".[1].added[0:10] == \$day"' - "$FPREPORT" "$(date -u +%F)"
check "the next one needs no word" archive withdraw -q --archive ahead "$(sha two.tar.zst)" --reason x
check "and fsck finds nothing" test "$(finds_in)" = ""

# --- A head that is lost is written anew where the lines are whole.
rm ahead/head
check_exit 3 "a log without its head" archive list --archive ahead
cp .out said && check "the message says what to do" grep -q 'head: error: is not there, but there is a log; all lines of the log are complete: `fpreport archive repair --archive ahead` writes the file again$' said
check "which does it" archive repair --archive ahead
cp .out said && check "and says what nobody can know" grep -qx 'ahead: head: written anew, of 3 lines; no checkpoint shows whether lines after them are missing' said
check "all is well" fsck ahead --records nowhere

# --- A log that is gone, or begins anew: nothing is built from what is left, nor added to it.
head=$(cat ahead/head) && rm ahead/head && mv ahead/log.jsonl kept.jsonl
finds_in >found
check "objects without a log" test "$(cut -d' ' -f1 found)" = log
check_exit 3 "are no archive to add to" archive add --archive ahead two.tar.zst
check_exit 3 "nor to publish from" "$FPREPORT" build --archive ahead -o nosite
cp .out said && check "as nobody knows what is withdrawn" grep -q 'log.jsonl: error: has no line, but the archive has objects, so withdrawals and redactions are unknown; restore the log from a copy, or from the published site$' said
cp kept.jsonl ahead/log.jsonl
check "put back, and its head written anew" archive repair --archive ahead
check "it is what it was" test "$head $(finds_in)" = "$(cat ahead/head) "
another '., (select(.n == 1))' ahead
check "a file that is added twice" test "$(finds_in | sed 's/entry entry.*/entry/')" = entry
mv ahead/lock kept.lock && mkfifo ahead/lock
check_exit 3 "a lock that is none keeps nobody waiting" timeout 300 "$FPREPORT" archive repair --archive ahead
check_exit 1 "nor who reads" timeout 300 "$FPREPORT" fsck ahead --records nowhere
rm -rf ahead kept.jsonl kept.lock

# --- A reader beside a writer waits for him: log and head are two files.
cp -R archive beside && sed '$d' beside/log.jsonl >beside/short && mv beside/log.jsonl beside/whole && mv beside/short beside/log.jsonl
check_exit 3 "a head that is ahead of its log" archive list --archive beside
flock beside/lock sh -c ': >writing; sleep 1; mv beside/whole beside/log.jsonl' &
await test -e writing
check "but not while it is being written" archive list --archive beside
flock beside/lock sh -c ': >held; exec sleep 1200' & holder=$!
await test -e held
check_exit 3 "who has nothing to write waits for nobody" timeout 300 "$FPREPORT" archive add --archive beside cut.tar.zst
pkill -P $holder; wait; rm -rf beside writing held

# --- Evidence that is only in the archive.
"$FPREPORT" build -q -o site >/dev/null 2>&1
mv records/evidence/globex/run.tar.zst kept.tar.zst
check "verify takes it from there" "$FPREPORT" verify globex/tiny_llama
cp -R site whole && "$FPREPORT" build -q -o site >/dev/null 2>&1
check "build, too: the same site" diff -r whole site
first=$(jq -r 'select(.n == 3) | .submission' archive/log.jsonl | cut -c1-12)
for word in "$first" records/evidence/globex/run.tar.zst; do
    check "verify finds it by $word" sh -c '"$1" verify --format json "$2" | jq -e ".runs[0] | .state != \"failed\" and (.metrics | length) > 0"' - "$FPREPORT" "$word"
    check "explain, too" sh -c '"$1" explain "$2" loss | grep -q "rank0.out.log"' - "$FPREPORT" "$word"
    check "diff, too" sh -c '"$1" diff "$2" kept.tar.zst | grep -q "^aligned\|aligned: \|0 %"' - "$FPREPORT" "$word"
done
check "explain recomputes a result from it" sh -c '"$1" explain globex/tiny_llama loss | grep -q "rank0.out.log"' - "$FPREPORT"
check "diff holds a result to its reference" "$FPREPORT" diff globex/tiny_llama
check_exit 2 "digits that nothing begins with" "$FPREPORT" verify 00000000
mv archive elsewhere && check_exit 3 "without the archive it is not there" "$FPREPORT" diff globex/tiny_llama
check "--archive says where" "$FPREPORT" diff --archive elsewhere globex/tiny_llama
mv elsewhere archive
cp kept.tar.zst records/evidence/globex/run.tar.zst

# --- The day on which it came is the one on which its key must be good.
day=$(date -u +%Y%m%d)
echo "globex valid-after=\"${day}Z\" $(public key)" >young
check "a key that was not valid when the run ended, but when it came" "$FPREPORT" verify --only FP4015 --signers young good.tar.zst
check_exit 1 "--at wins" "$FPREPORT" verify --only FP4015 --signers young --at 20200101 good.tar.zst
mkdir records/signers && cp young records/signers/allowed_signers
sed -i "s/\"sha256\": \"[0-9a-f]\{64\}\"/\"sha256\": \"$(sha good.tar.zst)\"/" records/results/globex/tiny_llama.json
cp good.tar.zst records/evidence/globex/run.tar.zst
check "with the signers of the records, too" sh -c '"$1" verify --only FP4015 -v globex/tiny_llama | grep -q "signed by globex"' - "$FPREPORT"
mv archive elsewhere
check_exit 1 "without the archive it is the day of the run" "$FPREPORT" verify --only FP4015 --strict globex/tiny_llama
check "--archive names another place" sh -c '"$1" verify --only FP4015 -v --archive elsewhere globex/tiny_llama | grep -q "signed by globex"' - "$FPREPORT"
printf '{"schema": "fpreport.site/1", "archive": "../elsewhere"}\n' >records/site.json
check "and so does records/site.json" sh -c '"$1" verify --only FP4015 -v globex/tiny_llama | grep -q "signed by globex"' - "$FPREPORT"
rm -r records/signers records/site.json && mv elsewhere archive

# --- Withdrawn: it stays, with its reason, and the result is withdrawn by the log.
"$FPREPORT" build -q -o site >/dev/null 2>&1
check_exit 3 "what a build wrote is no published site" fsck site
cp .out said && check "which is said, and where one is" grep -q "^error: site: found a site as .fpreport build. wrote it, .*.git clone -b gh-pages" said
for inside in site/en site/en/result/ site/archive; do
    check_exit 3 "nor is a folder of it: $inside" fsck $inside
    cp .out said && check "which is said" grep -qE "^error: $inside: found a folder of site, which .fpreport build. wrote, expected a site that was published: .git clone -b gh-pages" said
done
check_exit 3 "a folder with the archive in it" fsck .
cp .out said && check "is told where that is" grep -qx 'error: .: found a folder with an archive in it, expected the archive: `fpreport fsck ./archive`, with --records for its records' said
mkdir -p bare/.git && check_exit 3 "a clone of something else" fsck bare
cp .out said && check "is told where a site is" grep -qF 'error: bare: found a clone without an archive and without a published site, which is on a branch of its own: `git clone -b gh-pages REPOSITORY DIR`, then `fpreport fsck DIR`' said
rm -r bare
check_exit 3 "what is nothing of this" fsck records
cp .out said && check "is told how one begins" grep -qF 'error: records: found no archive; `fpreport archive add SUBMISSION` makes one' said
check_exit 3 "there, too, from within" "$FPREPORT" fsck -C site/en .
cp .out said && check "with a path from there" grep -qF 'error: .: found a folder of .., which' said
check "the page on how to check it leads to the log" grep -q 'href="../../archive/log.jsonl"' site/en/method/index.html
check "and names what a published site has" grep -q '<code>MANIFEST.sha256</code> <code>archive/checkpoint.json</code>' site/zh/method/index.html
"$FPREPORT" verify --format json -o stood.json globex/tiny_llama
check "withdrawn" archive withdraw "$(echo "$id" | cut -c1-12)" --reason "The driver was at fault." --reason-zh "驱动有误" --by Acme
check "once" sh -c '"$1" archive withdraw "$2" --reason again && test "$(wc -l <archive/log.jsonl)" -eq 4' - "$FPREPORT" "$id"
archive withdraw "$id" --reason again >said 2>&1
check "again, the first reason is named, and the second one is not dropped without a word" grep -qx "warning: $id was withdrawn already, on $(date -u +%F) by Acme (line 4 of the log): \"The driver was at fault.\"; nothing was changed, and the reason that was given now is not recorded" said
archive withdraw "$id" --reason "The driver was at fault." >said 2>&1
check "the same one again needs none" grep -qx "warning: .*: \"The driver was at fault.\"; nothing was changed" said
check "a withdrawn object is still there" test -f "archive/objects/sha256/$(sha good.tar.zst | cut -c1-2)/$(sha good.tar.zst)"
check "the result is withdrawn" sh -c '"$1" verify --format json globex/tiny_llama | jq -e ".runs[0].state == \"withdrawn\""' - "$FPREPORT"
"$FPREPORT" verify --format json -o fell.json globex/tiny_llama
"$FPREPORT" diff stood.json fell.json >said
check "which is why its verdict changed" grep -qx "  why: it was withdrawn" said
"$FPREPORT" build -q -o site >/dev/null 2>&1
check "the next build has noticed, in English" grep -q "The driver was at fault." site/en/result/globex/tiny_llama/index.html
check "and in Chinese" grep -q "驱动有误" site/zh/result/globex/tiny_llama/index.html
check "the record that says nothing agrees" fsck
cp records/results/globex/tiny_llama.json record
cp archive/log.jsonl log && cp archive/head head && head -n 3 log >archive/log.jsonl
finds "a withdrawal that was taken out of the log" log
sed -n 3p log | sha256sum | sed 's/^/3 /; s/ *-$//' >archive/head
check "unless the head was, too: then only a checkpoint knows" fsck
sed -i 's/^}$/,"withdrawn": {"date": "2026-01-01", "by": "Acme", "reason": "x"}}/' records/results/globex/tiny_llama.json
finds "a record that is withdrawn, and a log that does not say so" state
cp log archive/log.jsonl && cp head archive/head && cp record records/results/globex/tiny_llama.json
other_sum records/results/globex/tiny_llama.json
finds "a record of what is not in the archive" record
cp record records/results/globex/tiny_llama.json
check "all is well again" fsck

# --- A checkpoint: published with the site, held against a log that somebody rewrote.
export HOME="$tmp/home" GIT_CONFIG_NOSYSTEM=1 && mkdir "$HOME"
git config --global user.name A && git config --global user.email a@example.org
git init -q -b main . && printf '/templates\n' >.gitignore
publish() { "$FPREPORT" publish --accept "$@"; }
cross=fpreport-checkpoint-v1
check_exit 3 "no such key" publish --sign nokey
check_exit 2 "nor a time in milliseconds" env SOURCE_DATE_EPOCH=1700000000000 "$FPREPORT" publish --sign operator
echo mine >victim
for name in checkpoint.json checkpoint.json.sig checkpoint.next; do
    ln -s ../victim archive/$name
    check_exit 3 "nor through a link at $name" publish --sign operator
    cp .out said; check "which is said" grep -q "archive/$name: found a link, expected a regular file" said
    check "and what it leads to is as it was" test "$(cat victim)" = mine
    check "nor is anything else written" test "$(ls archive | grep -c checkpoint)" = 1
    rm archive/$name
done
ln -s nowhere archive/checkpoint.next
check_exit 3 "nor through one that leads nowhere" publish --sign operator
check "which nothing comes of" test ! -e archive/nowhere
rm archive/checkpoint.next
rm victim
mkdir records/signers && before=$(ls archive)
for line in "globex $(public key)" "operator namespaces=\"fpreport-submission-v1\" $(public operator)" "operator valid-before=\"20200101\" $(public operator)"; do
    echo "$line" >records/signers/allowed_signers
    check_exit 3 "nor would it be, says a dry run: ${line%% ssh*}" publish --build --dry-run --sign operator
    check_exit 3 "nor with a key that the signers of the records do not allow: ${line%% ssh*}" publish --build --sign operator
    grep "^error: --sign: the key $(ssh-keygen -lf operator.pub | cut -d' ' -f2 | sed 's/[^A-Za-z0-9:]/./g') " .out >said
    check "that says which, and the line that is missing" grep -qF ": operator namespaces=\"$cross\" $(public operator)" said
    check "and nothing was written" test "$(ls archive) $(git branch --list gh-pages)" = "$before "
done
sed -n 's/^error: --sign.*: \(operator namespaces.*\)/\1/p' said >>records/signers/allowed_signers
sed -i 1d records/signers/allowed_signers
check "with that line it would be, says a dry run" publish --build --dry-run --sign operator
sed -n 's/^  \([0-9]* files\): .*/\1/p' .out >would && check "which keeps nothing" test "$(ls archive) $(git branch --list gh-pages)" = "$before "
check "with that line it is taken" publish --build --sign operator
sed -n 's/^  \([0-9]* files\): .*/\1/p' .out >did && check_same "as many files as the dry run said" did would
check "and by fsck" fsck --operator operator
rm -r records/signers archive/checkpoint.json* && git branch -q -D gh-pages && "$FPREPORT" build -q -o site >/dev/null 2>&1
check "a checkpoint is signed and published" publish --sign operator
cp .out said && check "without signers any key is, and that is said" grep -qx "the records have no signers/allowed_signers: readers have to know from elsewhere whose key signs the checkpoint" said
rm -rf out && mkdir out && git archive gh-pages | tar -xf - -C out
check_same "the log is published" archive/log.jsonl out/archive/log.jsonl
for inside in out/en out/archive; do
    check_exit 3 "a folder of a published site is not the site: $inside" fsck $inside
    cp .out said && check "which is said" grep -qx "error: $inside: found a folder of a published site, expected the whole: .fpreport fsck out." said
done
cp -R out changed && echo x >>changed/index.html && fsck changed --records nowhere >said
check "who finds another site than was published hears what to do" grep -q '^next, site: get it again: `git clone -b gh-pages REPOSITORY DIR`; ' said
rm -r changed
echo "operator namespaces=\"$cross\" $(public operator)" >operators
check "ssh-keygen takes it" sh -c "ssh-keygen -Y verify -f operators -I operator -n $cross -s out/archive/checkpoint.json.sig <out/archive/checkpoint.json"
check "it names the log" jq -e --arg head "$(tail -n 1 archive/log.jsonl | sha256sum | cut -c1-64)" '.n == 4 and .head == $head' out/archive/checkpoint.json
root=$(cd out && find . -type f -print | sed 's|^\./||' | grep -vE '^(archive/checkpoint\.json|MANIFEST\.sha256)' | LC_ALL=C sort | xargs -d '\n' sha256sum | sha256sum | cut -c1-64)
check "and the site" test "$(jq -r .root out/archive/checkpoint.json)" = "$root"
git log -1 --format=%B gh-pages >message
check "so does the commit" grep -qx "Checkpoint-Root: $root" message
check "and the log" grep -qx "Checkpoint-Log: 4 $(jq -r .head out/archive/checkpoint.json)" message
check "published again, it is the same commit" sh -c 't=$(git rev-parse gh-pages); "$1" publish --sign operator && "$1" publish && test "$t" = "$(git rev-parse gh-pages)"' - "$FPREPORT"
check "fsck takes it" fsck --signers operators
mkdir records/signers && echo "globex $(public key)" >records/signers/allowed_signers
check_exit 1 "not with signers of the records who are vendors" fsck
cp .out said && check "which says whose line is missing" grep -q "add the operator's line to those signers, or to the file of --signers" said
rm -r records/signers
other="$tmp/fpreport.copy" && cp "$FPREPORT" "$other" && chmod 755 "$tmp" . "$other"
unread() { # as somebody who has no more rights than others
    if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$other" "$@"; else "$FPREPORT" "$@"; fi
}
for name in log.jsonl head checkpoint.json objects/sha256/*/* objects/sha256 objects/sha256/*; do
    rm -rf theirs && cp -R archive theirs && (cd theirs && chmod 0 $name)
    check_exit 4 "what may not be read accuses nobody: $name" unread fsck theirs
    cp .out said && check_exit 1 "of nothing" grep -qE "cut off|log does not name|is not there|\[altered\]" said
done
chmod -R u+rwX theirs && rm -r theirs
echo "operator namespaces=\"fpreport-submission-v1\" $(public operator)" >purpose
echo "operator $(public other)" >strangers
for who in purpose strangers; do check_exit 1 "not signed by somebody who may: $who" fsck --signers $who; done
echo "operator valid-before=\"20200101\" $(public operator)" >late
echo "acme $(public operator)" >anyone
check "a vendor whose line is for everything, where nobody says who it must be" fsck --signers anyone
check_exit 1 "and not where somebody does" fsck --signers anyone --operator operator
check "who it must be" fsck --signers operators --operator operator
check_exit 2 "without signers nobody can tell" fsck --operator operator
mv archive/checkpoint.json kept.json && finds "a signature without its checkpoint" checkpoint
mv archive/checkpoint.json.sig kept.sig && check "an archive that never had one" fsck --signers operators
check_exit 1 "where somebody asks for it there must be one" fsck --signers operators --operator operator
mv kept.json archive/checkpoint.json && mv kept.sig archive/checkpoint.json.sig
check_exit 1 "nor by a key that was not valid" fsck --signers late
check "unless then is asked" fsck --signers late --at 20191231
cp -R out/archive kept && cp -R archive mine && cp -R archive whole4
archive add -q --signers signers records/evidence/globex/run.tar.zst good.tar.zst >/dev/null && archive withdraw "$(sha two.tar.zst)" --reason x >/dev/null
check "the log went on: the checkpoint still holds" fsck --since kept/checkpoint.json --signers operators
check "so it does for a reader, who has the published log" fsck archive/log.jsonl --since kept/checkpoint.json --signers operators --records nowhere
another 'if .n == 3 then .rules = "2026.1" else . end' archive
check "a log that was rewritten with all its sums looks whole" fsck archive/log.jsonl --records nowhere
finds "the archive's checkpoint knows it" checkpoint
check_exit 1 "and so does who kept one" fsck archive/log.jsonl --since kept/checkpoint.json --records nowhere
another 'select(.n < 3)' archive
check_exit 1 "a log that is shorter than it was" fsck archive/log.jsonl --since kept/checkpoint.json --records nowhere
find archive -type f ! -name lock -exec sha256sum {} + | sort >all
for act in "add two.tar.zst" "withdraw $(sha two.tar.zst) --reason x" "redact $(sha two.tar.zst) --publish hashes --reason x" repair; do
    check_exit 3 "nothing is written to a log that its checkpoint says was cut off: ${act%% *}" archive $act
    cp .out said && check "which names both counts and what to do" grep -q '^error: archive/checkpoint.json: is about a log of 4 lines, found 2: its end was cut off; nothing is written to such a log: put it back from a copy, or from the published site, which has it, then `fpreport archive repair`; `fpreport fsck` says more$' said
done
for act in "build -o unread" "build --keep-going -o unread" "publish --build --branch anew --accept" "verify globex/tiny_llama"; do
    check_exit 3 "nor is it read, as what is withdrawn may be missing: $act" "$FPREPORT" $act
    cp .out said && check "which is said" grep -q '^error: archive/checkpoint.json: is about a log of 4 lines, found 2: its end was cut off; what is withdrawn or withheld cannot be known of such a log: put it back' said
done
check_exit 1 "no site of it" test -e unread
check_exit 1 "no branch" git rev-parse -q --verify anew
check_exit 3 "nor is it signed: publish" "$FPREPORT" publish --build --branch anew --accept --sign operator
find archive -type f ! -name lock -exec sha256sum {} + | sort >now
check_same "all of it is as it was" all now
cp -R archive cut && cp kept/log.jsonl cut/log.jsonl
check "put back from the published site, its head is written anew" archive repair --archive cut
cp .out said && check "as the checkpoint says" grep -qx 'cut: head: written anew, of 4 lines, of which the checkpoint covers 4' said
check "and it goes on" archive add -q --archive cut "$top/tests/golden/build/records/evidence/globex/run.tar.zst"
rm -r cut
another 'if .n == 3 then .rules = "2026.1" else . end' mine
check_exit 3 "nor to one whose lines are others" archive add --archive mine two.tar.zst
cp .out said && check "which is said" grep -q "^error: mine/checkpoint.json: says that line 4 has the SHA-256 .*: the log was changed since; nothing is written" said
rm -r mine && cp -R whole4 mine
rm archive/head
check_exit 3 "which has lost its head, too: none is written against a checkpoint" archive repair
cp .out said && check "that says why" grep -q "^error: archive/checkpoint.json: is about a log of 4 lines, found 2: its end was cut off; no head is written for this log$" said
rm -rf archive && mv mine archive && rm -r whole4
printf ' ' >>kept/checkpoint.json && check_exit 1 "a checkpoint of other bytes" fsck archive/log.jsonl --since kept/checkpoint.json --records nowhere
check_exit 3 "one that is not there is no finding" fsck archive/log.jsonl --since nowhere --records nowhere
rm archive/checkpoint.json.sig && finds "one that nobody signed" checkpoint
check "publishing signs it again" publish --sign operator
check "and all is well" fsck --signers operators
rm -rf .git archive/checkpoint.json*

# --- What fsck finds; it changes nothing. (tests/unit/collector/store/test_store_check.c has every bit and line.)
object=archive/objects/sha256/$(sha two.tar.zst | cut -c1-2)/$(sha two.tar.zst)
find archive -type f -exec sha256sum {} + | sort >all
rm "$object"; finds "an object that is gone" missing
fsck >said
check "what to do is one line, however many there are" test "$(grep -c '^next, missing: `archive repair` cannot bring it back: `fpreport archive add` of the same .tar.zst (from a backup, or a published site, below evidence/) does; ' said)" = 1
check "which is left out with -q" sh -c '! "$1" fsck -q | grep "^next"' - "$FPREPORT"
check "repair does not bring it back" sh -c '"$1" archive repair && test ! -e "$2"' - "$FPREPORT" "$object"
check "adding it does" archive add -q two.tar.zst && check "as it was" cmp two.tar.zst "$object"
rm "$object"
mkdir "$object" && finds "something else in its place" foreign missing; rmdir "$object"; cp two.tar.zst "$object"
printf x | dd of="$object" bs=1 seek=100 conv=notrunc 2>/dev/null; finds "one whose bytes changed" altered
check "adding it again puts it right" sh -c '"$1" archive add -q two.tar.zst && "$1" fsck' - "$FPREPORT"
cp good.tar.zst archive/objects/sha256/note; finds "a file that is none of its own" foreign; rm archive/objects/sha256/note
mkdir -p "archive/objects/sha256/$(sha cut.tar.zst | cut -c1-2)" && cp cut.tar.zst "archive/objects/sha256/$(sha cut.tar.zst | cut -c1-2)/$(sha cut.tar.zst)"
finds "an object without an entry" unlogged; rm "archive/objects/sha256/$(sha cut.tar.zst | cut -c1-2)/$(sha cut.tar.zst)"
sed -i '2s/2026/2027/' archive/log.jsonl; finds "a line that was edited" log
check_exit 3 "nothing is added to such a log" archive add two.tar.zst
check_exit 3 "nor is it repaired" archive repair
cp -R site was
check_exit 3 "nor is anything built from it" "$FPREPORT" build -o site
check "the site stays as it was" diff -r was site
cp log archive/log.jsonl && printf '{"schema": "fpreport.log/1", "n": 5, "pr' >>archive/log.jsonl
finds "a line that was never finished" torn
check_exit 3 "nothing is added behind it" archive add two.tar.zst
check "it is cut off when asked" archive repair
check_same "and nothing else is" log archive/log.jsonl
check "repairing what is whole does nothing" archive repair
find archive -type f -exec sha256sum {} + | sort >now
check_same "looking at all this changed nothing" all now
check_exit 1 "a log by itself that ends too soon" sh -c 'head -c -1 archive/log.jsonl >short && "$1" fsck short' - "$FPREPORT"

# --- Published in part: verdicts of the whole, downloads without what is withheld.
rm -rf archive site records && cp -R "$top/tests/golden/build/records" records
mark=ZZWITHHELDZZ said=ZZSAIDZZ # said: in the statement, too, which is always published
rm -rf secret && cp -R run secret && log=$(cd secret && find . -name 'rank0*.log' | sed 's,^\./,,' | head -n 1)
facts=$(cd secret && find . -name fingerprint.json | sed 's,^\./,,' | head -n 1)
echo "# $mark in the log" >>"secret/$log" && printf '%s\n' "$mark" >secret/notes.txt
jq --arg m $said '.command = ["sh", "-c", $m]' run/run.json >secret/run.json
jq --arg m $mark --arg said $said '(.facts[] | select(.key == "cpu_model") | .value) = $m | (.facts[] | select(.key == "kernel") | .value) = $said' "run/$facts" >"secret/$facts"
"$FPREPORT" collect -q --force secret -o records/evidence/globex/run.tar.zst --sign key >/dev/null
whole=$(sha records/evidence/globex/run.tar.zst)
sed -i "s/\"sha256\": \"[0-9a-f]\{64\}\"/\"sha256\": \"$whole\"/" records/results/globex/tiny_llama.json
# What a reader can get of the site: all files, and what is in archives.
published() {
    "$FPREPORT" build -q -o site >/dev/null 2>said; rm -rf got && cp -R site got && rm -f got/.fpreport-build
    find got -name '*.tar.zst' | while read -r packed; do mkdir "$packed.x" && tar -C "$packed.x" --zstd -xf "$packed" && rm "$packed"; done
}
page=site/en/result/globex/tiny_llama/index.html
published
check "before, all of it is published" grep -rqs $mark got
state() { jq -r '.runs[0].state' site/result/globex/tiny_llama/verify.json; }
before=$(state) && jq '[.runs[0].metrics[] | .recomputed]' site/result/globex/tiny_llama/verify.json >figures
mv records/evidence/globex/run.tar.zst secret.tar.zst # the records are public, too
archive add -q secret.tar.zst 2>/dev/null && id=$(jq -r .submission archive/log.jsonl)
check_exit 2 "a redaction without a reason" archive redact "$id" notes.txt
check_exit 2 "of files that are not there" archive redact "$id" nowhere.txt --reason x
cp .out said && check "which says what is there" grep -qx "error: nowhere.txt: no file of the submission has this name; its files are .*notes.txt, .*run.json.*" said
check_exit 2 "of nothing" archive redact "$id" --reason x
check "neither is in the log" test "$(wc -l <archive/log.jsonl)" -eq 1
check "withheld: log, notes, command and fingerprint" archive redact "$id" "$log" notes.txt run.json "*fingerprint.json" \
    --reason "names of our machines" --reason-zh "内有机器名称" --by us
cp .out said && check "with a warning that the statement repeats some of it" grep -q "statement.json is still published" said
check "and one line about what is in force" grep -qE "^$(echo "$id" | cut -c1-16): from now on 4 of [0-9]+ files are withheld: .*notes.txt, .*run.json" said
check "it is in the log" jq -se '.[1] | .kind == "redaction" and .publish == "redacted" and (.withheld | length) == 4 and .reason.en == "names of our machines"' archive/log.jsonl
# A redaction never becomes weaker but by a word of its own.
cp -R archive weaker && cp archive/log.jsonl before && find weaker -type f ! -name lock -exec sha256sum {} + | sort >all
weaker() { archive redact --archive weaker "$id" "$@"; }
again="error: nothing was redacted: this command would publish withheld files again: "
check_exit 2 "a second one may not publish again what the first withheld" weaker notes.txt --reason x
cp .out said && check "it names these files" grep -qx "${again}run.json, .*fingerprint.json, .*$log; name these files, too, or pass --publish-again" said
check_exit 2 "one of them is enough" weaker "$log" notes.txt "*fingerprint.json" --reason x
cp .out said && check "which is said" grep -qx "${again}run.json; name these files, too, or pass --publish-again" said
find weaker -type f ! -name lock -exec sha256sum {} + | sort >now
check_same "nothing was written" all now
check "more than before needs no such word" weaker "$log" notes.txt run.json case.json "*fingerprint.json" --reason x
check "with it the second one counts" weaker notes.txt --publish-again --reason x
cp .out said && check "and says what is published again" grep -qE "^$(echo "$id" | cut -c1-16): from now on 1 of [0-9]+ files are withheld: notes.txt; published again: case.json, run.json, .*fingerprint.json, .*$log$" said
check "hashes only: less, and no word" weaker --publish hashes --reason x
cp .out said && check "which is said too" grep -qx "$(echo "$id" | cut -c1-16): from now on only its hashes are published, no file of it" said
check_exit 2 "then every file that is not named would be published again" weaker notes.txt run.json --reason x
cp .out said && check "and each is named" grep -q "${again}case.json, .*fingerprint.json, " said
check "all of it says so itself" weaker --publish full
cp .out said && check "and is said" grep -q "from now on everything is published, including files that were withheld until now" said
# The same bytes in another run, of which nothing was decided: they are withheld until something is.
cp -R secret sibling && echo sibling >sibling/sibling.txt && "$FPREPORT" collect -q --force sibling -o sibling.tar.zst >/dev/null
rm -r weaker && cp -R archive weaker && archive add -q --archive weaker sibling.tar.zst 2>/dev/null >kept.said
check_exit 2 "what another run's decision withholds is not published again, either" archive redact --archive weaker "$(cut -d' ' -f2 kept.said)" sibling.txt --reason x
cp .out said && check "it is named" grep -qx "${again}notes.txt, run.json, .*fingerprint.json, .*$log; name these files, too, or pass --publish-again" said
# One that is made again is the same, byte for byte.
part=$(jq -rs '.[1].object' weaker/log.jsonl) && lost=weaker/objects/sha256/$(echo "$part" | cut -c1-2)/$part && rm "$lost"
sibling=$(cut -d' ' -f2 kept.said)
check_exit 3 "without it nobody knows what is withheld of others" archive redact --archive weaker "$sibling" sibling.txt --reason x
cp -R weaker word && check "which somebody may do without" archive redact --archive word "$sibling" sibling.txt --publish-again --reason x
cp .out said && check "and is told" grep -q "warning: .*$part.*; fpreport could not check whether the command publishes withheld files again" said
rm -r word
check "a redacted archive that was lost is made again by the same words" archive redact --archive weaker "$id" "$log" notes.txt run.json "*fingerprint.json" --reason "names of our machines" --reason-zh "内有机器名称" --by us
check "as it was" test "$(sha "$lost") $(wc -l <weaker/log.jsonl)" = "$part 3"
rm -r weaker
published
check_exit 1 "no file of the site has what is withheld" grep -rls $mark got
check "but for the statement, which says some of it" test "$(grep -rl $said got)" = got/evidence/globex/run.redacted.tar.zst.x/statement.json
check "the state is that of the whole submission" test "$(state)" = "$before"
check "and so are the figures" sh -c 'jq "[.runs[0].metrics[] | .recomputed]" site/result/globex/tiny_llama/verify.json | cmp - figures'
check "the page says what is withheld" test "$(grep -c '</code> <em class="none">withheld</em></th>' $page)" -eq 4
check "why, in English" grep -q "the operator withholds 4 of the files: names of our machines" $page
check "in Chinese" grep -q "运营者不公开其中 4 个文件：内有机器名称" site/zh/result/globex/tiny_llama/index.html
table() { jq -r --arg k "$1" '[.rows[] | select(.vendor == "globex") | .[$k]] | unique | join(" ")' site/data/results.json; }
check "the table of results says so" test "$(table evidence_published) $(table evidence_files_withheld)" = "redacted 4"
check "as CSV, too" sh -c 'python3 -c "import csv; print([(r[\"evidence_published\"], r[\"evidence_files_withheld\"]) for r in csv.DictReader(open(\"site/data/results.csv\")) if r[\"vendor\"] == \"globex\"])" | grep -qF "[('"'redacted', '4'"')]"'
check "with the SHA-256 of each" grep -q "$(sha256sum <"secret/$log" | cut -c1-64)" $page
check "and of the whole" grep -q "$whole" $page
check "its links lead somewhere" sh -c 'cd site && grep -oE "href=\"[^\"#:]*zst\"" en/result/globex/tiny_llama/index.html | cut -d\" -f2 | while read -r to; do test -f "en/result/globex/tiny_llama/$to" || exit 1; done'
part=site/evidence/globex/run.redacted.tar.zst
check "the sum on the page is that of what is published" grep -q "echo &#39;$(sha $part)  run.redacted.tar.zst" $page
verify_part() { "$FPREPORT" verify -v "$@" 2>&1; }
check "verify says how much of it could be checked" sh -c '"$1" verify -v "$2" | grep -q "4 files are withheld according to the file WITHHELD, which is not signed; the other [0-9]* files agree with the manifest"' - "$FPREPORT" $part
check "and calls it unverified, without a figure" sh -c '"$1" verify --format json "$2" | jq -e ".runs[0].state == \"unverified\" and ([.runs[0].metrics[] | select(.recomputed)] | length) == 0"' - "$FPREPORT" $part
check "verify.sh says the same" sh -c 'sh "$1" -s signers "$2" | grep -qx "redacted: .* signed by globex .*, 4 files withheld: the file WITHHELD says so, and nobody signed that"' - "$top/templates/site/verify.sh" $part
check_exit 1 "it is not taken as a submission" archive add $part
grep -o 'sh verify.sh .*zst' $page | head -n 1 >line
check "the page's command for verify.sh is true" sh -c 'cd site/evidence/globex && cp ../../verify.sh . && sh ../../../line; c=$?; rm verify.sh; exit $c'

# Whoever has nothing but what was published: a redacted set, checked with standard tools and held to its log.
git init -q -b main . && publish --sign operator && rm -rf out && mkdir out && git archive gh-pages | tar -xf - -C out
check_exit 1 "no file of the branch has what is withheld" grep -rls $mark out
check "verify.sh of the site takes what it publishes" sh -c 'cd out/evidence/globex && sh ../../verify.sh -s "$1/signers" -I globex run.redacted.tar.zst | grep -q "^redacted: .*, 4 files withheld: the file WITHHELD says so, and nobody signed that"' - "$PWD"
check_exit 1 "an archive does not take it" archive add --archive parts $part
cp .out said && check "and accuses nobody" grep -q "not taken: files of it are withheld; the archive takes the whole submission: ask its vendor" said
rm -rf parts
check "a reader hears that it does not give the page's verdict" grep -q "The operator withholds some evidence, so only the operator, who has the complete submission, can derive this verdict again" $page
check "what agreed with a withheld file says so" grep -q "agrees with a withheld value" $page
check "so does verify, in a folder without records and archive" sh -c 'mkdir -p alone && cd alone && "$1" verify --signers ../signers --only FP4002,FP4015 -v ../out/evidence/globex/run.redacted.tar.zst | grep -q "signed by globex"' - "$FPREPORT"
check "the redaction is in the log that the operator signed" sh -c '"$1" fsck out/archive/log.jsonl --since out/archive/checkpoint.json --signers operators --records nowhere && jq -se ".[1].kind == \"redaction\"" out/archive/log.jsonl' - "$FPREPORT"
check "which names the published archive by its bytes" test "$(jq -rs '.[1].object' out/archive/log.jsonl)" = "$(sha out/evidence/globex/run.redacted.tar.zst)"
rm -rf .git out archive/checkpoint.json*

# The same submission as the reference of a case: what is published there is redacted, too.
cp secret.tar.zst records/references/whole.tar.zst && cp records/cases/tiny_llama.json kase
jq --arg s "$whole" '.alignment.reference = "references/whole.tar.zst" | .alignment.reference_sha256 = $s' kase >records/cases/tiny_llama.json && published
check_exit 1 "no file of the site has what is withheld of a reference" grep -rls $mark got
check_same "it is the archive of the log" $part site/references/whole.tar.zst
check "the curve was held to all of it" sh -c 'jq -e "[.runs[0].evidence[].alignment.reference] == [\"references/whole.tar.zst\"]" site/result/globex/tiny_llama/verify.json'
mv kase records/cases/tiny_llama.json && rm records/references/whole.tar.zst && published

# A build after one change keeps what it can; it keeps nothing that is withheld, and leaves nothing out.
sed -i 's/"2\.5"/"2.6"/' records/results/acme/toy.json && published
check_exit 1 "after another record was changed, still no file has it" grep -rls $mark got
"$FPREPORT" build -q --no-cache -o anew >/dev/null 2>&1
check "and it is the site that is made anew" diff -r -x .fpreport-build site anew
rm -rf anew

# An error about what is withheld: the log of a build may be public, and names who tells it.
sed -i 's/"0\.9077"/"0.8077"/' records/results/globex/tiny_llama.json && published
check "a build says where it is told" grep -qE 'rank0.out.log:[0-9]+: error: concerns a withheld file: its contents are not published; `fpreport verify globex/tiny_llama` shows the message \[FP' said
"$FPREPORT" verify globex/tiny_llama >said
check "where it is" grep -qE 'rank0.out.log:[0-9]+: error: loss is stated as 0.8077, but the evidence gives ' said
sed -i 's/"0\.8077"/"0.9077"/' records/results/globex/tiny_llama.json

# Forms that are none: both say so.
pack() { (cd "$1" && find . -type f | sed 's,^\./,,' | LC_ALL=C sort | tar --format=ustar --no-recursion -T - --mtime=@0 \
    --owner=0 --group=0 --numeric-owner --mode=0644 -b1 -cf -) | zstd -q -9 >"$2"
    { printf '\120\052\115\030\040\000\000\000'; sha256sum <"$2" | cut -c1-64 | tr a-f A-F | basenc --base16 -d; } >seal && cat seal >>"$2"; }
looks_once once.sh
both() { # EXIT DESCRIPTION: of the folder y
    pack y y.tar.zst
    sh once.sh y.tar.zst >said 2>&1; theirs=$?
    "$FPREPORT" verify --only FP4002,FP4015 y.tar.zst >ours 2>&1; ours=$?
    if [ $theirs -eq "$1" ] && [ $ours -eq "$1" ]; then ok "$2"; else not_ok "$2"; echo "# verify.sh $theirs, fpreport $ours"; cat said ours | sed 's/^/# /'; fi
}
rm -rf x && mkdir x && tar -C x --zstd -xf $part
changed() { rm -rf y && cp -R x y; }
changed; both 0 "packed by standard tools"
changed; rm y/case.json; both 1 "a file that is gone and not declared"
changed; cp secret/notes.txt y/; both 1 "one that is declared and there"
changed; sed -i '$d' y/WITHHELD; both 1 "a declaration that lacks one"
changed; sed -i '1s/^./0/; 1s/^00/11/' y/WITHHELD; both 1 "one with another sum"
changed; sort -r y/WITHHELD >w && mv w y/WITHHELD; both 1 "one in another order"
changed; head -c -1 y/WITHHELD >w && mv w y/WITHHELD; both 1 "one that does not end"
changed; : >y/WITHHELD; both 1 "an empty one"
changed; rm y/WITHHELD; both 1 "none"
changed; echo "$(printf %064d 0)  zz.txt" >>y/WITHHELD; both 1 "a file that SHA256SUMS does not have"
rm -rf y && mkdir y && tar -C y --zstd -xf secret.tar.zst && : >y/WITHHELD; both 1 "an empty declaration beside everything"

# Evidence that somebody hands in so is no evidence.
cp $part records/evidence/globex/run.tar.zst && sed -i "s/$whole/$(sha $part)/" records/results/globex/tiny_llama.json
check "a result with such evidence is unverified" sh -c '"$1" verify --format json globex/tiny_llama | jq -e ".runs[0].state == \"unverified\""' - "$FPREPORT"
rm records/evidence/globex/run.tar.zst && sed -i "s/$(sha $part)/$whole/" records/results/globex/tiny_llama.json

# Other choices; the next build notices each.
check "hashes only" archive redact "$id" --publish hashes --reason "not public yet"
published
check_exit 1 "no file of the site has what is withheld" grep -rls $mark got
check "the table of results says so" test "$(table evidence_published)" = hashes
check "manifest, statement and signature are there" sh -c 'ls got/evidence/globex/run.hashes.tar.zst.x | tr "\n" " " | grep -qx "SHA256SUMS WITHHELD statement.json statement.json.sig "'
check_exit 1 "the former archive is not" test -e got/evidence/globex/run.redacted.tar.zst.x
check "verify.sh takes it" sh -c 'sh "$1" -s signers site/evidence/globex/run.hashes.tar.zst | grep -q "^redacted: "' - "$top/templates/site/verify.sh"
check "the state is that of the whole submission" test "$(state)" = "$before"
check "and the archive is whole" fsck
check "full again" archive redact "$id" --publish full
published
check "all of it is published" grep -rqs $mark got/evidence
check "fsck finds a redacted archive that was altered" sh -c 'printf x | dd of="archive/objects/sha256/$(jq -rs ".[1].object" archive/log.jsonl | cut -c1-2)/$(jq -rs ".[1].object" archive/log.jsonl)" bs=1 seek=99 conv=notrunc 2>/dev/null; "$1" fsck --format json | jq -e "[.findings[].kind] == [\"altered\"]"' - "$FPREPORT"

# --- What would not be seen, or would turn what is around it, is shown by number.
hidden=$(printf 'A\342\200\256B\302\205C')
raw() { ! LC_ALL=C grep -rlE --exclude='*.tar.zst' --exclude='*.png' --exclude='*.bundle.tar' "$(printf '\342\200\256|\302\205')" "$@"; }
archive redact "$id" --publish hashes --reason "$hidden" --by "$hidden" >/dev/null
check "in the log as JSON has it" grep -qF '"by": "A\u202eB\u0085C"' archive/log.jsonl
check "which is read as it was" test "$(tail -n 1 archive/log.jsonl | jq -r .by)" = "$hidden"
archive show "$id" >said && check "on a terminal" grep -qF 'A\u202EB\u0085C' said
check_exit 2 "in messages" archive show "$hidden"
cp .out said && check "too" grep -qF 'A\u202EB\u0085C' said
jq --arg h "$hidden" '.environments[0].groups[0].items[0].value += $h' records/results/acme/toy.json >r && mv r records/results/acme/toy.json
published
check "in every file of the site" raw site said
check "in data as JSON has it, in tables of cells as in pages" grep -qF "$(printf 'A\357\277\275B\357\277\275C')" site/result/acme/toy/environment.csv

# --- Whose key it is, the entry says for good or not at all.
check "a signed one, where nobody says whose keys count" archive add --archive whose good.tar.zst
cp .out said && check "its entry has the key alone, which is said" grep -qF "warning: good.tar.zst: signed with the key $(ssh-keygen -lf key.pub | cut -d' ' -f2), whose owner is unknown: the log entry names only the key, permanently. To name the owner in later entries, use --signers FILE or signers/allowed_signers of the records" said
check "as it is shown" sh -c '"$1" archive show --archive whose "$(jq -r .object whose/log.jsonl)" | grep -qx "  signer     not known"' - "$FPREPORT"
mkdir records/signers && cp signers records/signers/allowed_signers
archive add --archive theirs good.tar.zst >said 2>&1
check "those of the records are asked where no option says others" jq -e '.signer == "globex"' theirs/log.jsonl
check_exit 1 "then there is nothing to warn of" grep -q "was not known" said
rm -r records/signers whose theirs

# --- What may be secret is told when it comes, by its place.
cp -R run leaky && echo 'export WANDB_API_KEY=0123456789abcdef0123 host=gpu17.corp.example.com 10.1.2.3' >leaky/env.txt
"$FPREPORT" collect -q --force leaky -o leaky.tar.zst >/dev/null
archive add --archive leaks leaky.tar.zst >/dev/null 2>said
check "a key that is set" grep -qx 'warning: leaky.tar.zst: this line may contain a secret: env.txt:1: a key, token or password that is set; the name of a machine; the address of a machine' said
check_exit 1 "its value is not printed" grep -q 0123456789abcdef said
archive add --archive leaks leaky.tar.zst >/dev/null 2>said
check_exit 1 "once" grep -q 'may contain a secret' said
archive add --archive leaks two.tar.zst >/dev/null 2>said
check_exit 1 "nothing is told of a run of our own" grep 'may contain a secret' said

# --- Two writers at once: every entry is there.
for i in 1 2 3 4 5 6; do cp -R run run.$i && echo $i >run.$i/note.txt && "$FPREPORT" collect -q run.$i -o many.$i.tar.zst >/dev/null; done
for i in 1 2 3; do archive add -q --archive both many.$i.tar.zst many.6.tar.zst >/dev/null 2>said.$i & done
archive add -q --archive both many.4.tar.zst many.5.tar.zst >/dev/null 2>said.4 & wait
check "no entry is lost, and none is there twice" test "$(jq -r .object both/log.jsonl | sort -u | wc -l) $(wc -l <both/log.jsonl)" = "6 6"
check "and the archive is whole" fsck both --records nowhere

# --- Read by people: lines of 80 columns, numbers with their units, commands that can be run.
"$FPREPORT" fsck both --records nowhere >said
check "a size is in a unit that it has" grep -qE "^both: 6 entries, 6 objects, [0-9.]+ KiB, head [0-9a-f]{16}…: 0 findings$" said
archive add -q --archive one two.tar.zst 2>/dev/null >said && "$FPREPORT" fsck one --records nowhere >>said
check "one is one" grep -q "^one: 1 entry, 1 object, " said
archive withdraw --archive both -q "$(archive list --archive both --format json | jq -r '.[0].submission')" --reason x >/dev/null
archive list --archive both >said
check "a list has columns" awk 'length > 80 || (NR > 1 && $4 != "withdrawn" && $4 != "full") { bad = 1 } END { exit bad || NR != 7 }' said
check "with names, in their places" awk 'NR == 1 { c = index($0, "came"); s = index($0, "signer"); p = index($0, "published") }
    NR == 2 { exit !(c && substr($0, c - 1, 3) == " 20" && substr($0, s - 1, 2) ~ / [^ ]/ && substr($0, p - 1, 2) ~ / [^ ]/) }' said
check "that one can do without" sh -c '"$1" archive list -q --archive both | diff - said | grep -q "^> submission" && test "$("$1" archive list -q --archive both | wc -l)" -eq 6' - "$FPREPORT"
check "published in full as it is, nothing is written" sh -c '"$1" archive redact --archive one "$2" --publish full && test "$(wc -l <one/log.jsonl)" -eq 1' - "$FPREPORT" "$(archive list --archive one --format json | jq -r '.[0].submission')"
cp -R one "it's two" && printf '{"' >>"it's two/log.jsonl"
"$FPREPORT" fsck "it's two" --records nowhere | sed -n 's/.*`fpreport \(.*\)`.*/"$FPREPORT" \1/p' >command
check "the command that a finding names puts it right" sh -c '. ./command && "$FPREPORT" fsck "it'\''s two" --records nowhere'
plan_done
