#!/bin/sh
# import of a zip or tar.gz: what anybody's program packs becomes a submission that fpreport and
# verify.sh find whole; what was made to hurt (hostile_forms.py) is refused, soon, in little memory,
# and no byte of it becomes the name of a file.
. "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1
sealed=$top/tests/golden/build/records/evidence/globex/run.tar.zst
says() { # DESCRIPTION PATTERN: of the last command
    if grep -qE -- "$2" "$tmp/.out"; then ok "$1"; else not_ok "$1"; sed 's/^/# /' "$tmp/.out"; fi
}

# --- Honest ones: a run as it lies, in a folder or not, by several programs.
mkdir -p whole/r run made && tar --zstd -xf "$sealed" -C whole/r && cp -R whole/r/. run && rm run/SHA256SUMS
find whole run -exec touch -d 2026-01-02T03:04:06Z {} +
python3 - <<'PACK'
import os, tarfile, zipfile
def pack(to, top, folder, how):
    with zipfile.ZipFile(to, "w", how) as z:
        for at, _, files in os.walk(top):
            for f in files:
                z.write(os.path.join(at, f), folder + os.path.relpath(os.path.join(at, f), top))
class Pipe:
    def __init__(self, name): self.f = open(name, "wb")
    def write(self, b): return self.f.write(b)
    def flush(self): self.f.flush()
pack("plain.zip", "run", "", zipfile.ZIP_DEFLATED)
pack("stored.zip", "run", "a.b/", zipfile.ZIP_STORED)
pack(Pipe("piped.zip"), "run", "x/", zipfile.ZIP_DEFLATED)
pack("sealed.zip", "whole/r", "", zipfile.ZIP_DEFLATED)
for name, form in (("pax.tgz", tarfile.PAX_FORMAT), ("gnu.tgz", tarfile.GNU_FORMAT)):
    with tarfile.open(name, "w:gz", format=form) as t:
        t.add("run")
PACK
tar -czf dots.tar.gz -C run . && tar -czf folder.tar.gz run && tar -cf - run | gzip -9 >named.tar.gz
for f in plain.zip stored.zip piped.zip pax.tgz gnu.tgz dots.tar.gz folder.tar.gz named.tar.gz; do
    name=${f%.zip} name=${name%.tgz} name=${name%.tar.gz}
    check "$f" "$FPREPORT" import -o made "$f"
    [ "$(tail -n 1 "$tmp/.out")" = "made/$name.tar.zst" ] || not_ok "$f: where it lies is said"
    check "$f: whole" sh "$top/templates/site/verify.sh" "made/$name.tar.zst"
    rm -rf back && mkdir back && tar --zstd -xf "made/$name.tar.zst" -C back
    rm back/SHA256SUMS back/statement.json
    jq -r '[.schema, .name, .form, .bytes, .sha256, .folder] | @tsv' back/imported-from.json >"$tmp/origin"
    form=zip folder=''
    case $f in *gz) form=tar.gz ;; esac
    case $f in plain.zip | dots*) ;; stored.zip) folder=a.b ;; piped.zip) folder=x ;; *) folder=run ;; esac
    printf 'fpreport.imported-from/1\t%s\t%s\t%s\t%s\t%s\n' "$f" $form "$(wc -c <"$f")" "$(sha256sum <"$f" | cut -c1-64)" $folder >expected
    check_same "$f: where it came from" expected "$tmp/origin"
    rm back/imported-from.json
    check "$f: the same files" diff -r run back
done
check "fpreport finds it whole" "$FPREPORT" verify --only FP4002,FP4014 made/plain.tar.zst
check "its figures are those of the run" sh -c "'$FPREPORT' verify made/plain.tar.zst | grep -q '17789.9 .*recomputed from logs'"
check "the statement names what was received" sh -c "tar --zstd -xOf made/plain.tar.zst statement.json |
    grep -q '\"name\": \"imported-from\", \"digest\": {\"sha256\": \"$(sha256sum <plain.zip | cut -c1-64)\"}'"
"$FPREPORT" import plain.zip >"$tmp/.out" 2>&1
says "nobody vouches for it" "not signed: only the vendor can sign the run"
cmp -s plain.tar.zst made/plain.tar.zst || not_ok "here, without -o, and the same bytes"
check "once more is no fault" "$FPREPORT" import plain.zip
cp made/stored.tar.zst plain.tar.zst
check_exit 2 "another one is not replaced" "$FPREPORT" import plain.zip
check "--force replaces it" "$FPREPORT" import --force plain.zip
check "by its whole name" "$FPREPORT" import -o here/x.tar.zst plain.zip
check "it is there" cmp here/x.tar.zst made/plain.tar.zst
check "what was sealed before stays what it was" "$FPREPORT" import -o made sealed.zip
zstd -qdc made/sealed.tar.zst >now && zstd -qdc "$sealed" >then
check "to the byte of the tar" cmp now then

# --- Whoever packed it can sign it: the same files, the same id.
mkdir signed && tar --zstd -xf made/plain.tar.zst -C signed && rm signed/SHA256SUMS signed/statement.json
ssh-keygen -q -t ed25519 -N '' -f acme && echo "acme $(cat acme.pub)" >signers
check "its vendor signs" "$FPREPORT" collect signed --sign acme -o signed.tar.zst
id() { tar --zstd -xOf "$1" SHA256SUMS | sha256sum; }
check "the same submission" test "$(id signed.tar.zst)" = "$(id made/plain.tar.zst)"
check "with a signature" sh "$top/templates/site/verify.sh" -s signers -I acme signed.tar.zst
check_exit 1 "and the import without" sh "$top/templates/site/verify.sh" -s signers -I acme made/plain.tar.zst

# --- As docs/FIELDS.md shows it, in the words that it shows.
mkdir shown && cp -R run shown/ && cp acme acme.pub shown/
awk '/^### Import of zip/ { here = 1 } /^### The statement/ { here = 0 } here && /^```/ { inside = $0 == "```sh"; next } here && inside' \
    "$top/docs/FIELDS.md" >shown/commands
check "FIELDS.md shows commands" test -s shown/commands
check "they do what it says" env PATH="$(dirname "$FPREPORT"):$PATH" sh -ec 'cd shown && . ./commands'
check "the same id" test "$(id shown/run.tar.zst)" = "$(id shown/signed.tar.zst)"
keys() { sed -n 's/^  "\([a-z0-9]*\)": .*/\1/p'; }
awk '/^### Import of zip/ { here = 1 } here && /^}/ { exit } here' "$top/docs/FIELDS.md" | keys >expected
tar --zstd -xOf shown/run.tar.zst imported-from.json | keys >found
check_same "imported-from.json has the keys that it shows" expected found

# --- What it is not.
cp plain.zip really-zip.tar.gz; cp dots.tar.gz really-gzip.zip; cp plain.zip page.md; cp "$top/templates/explain/page.md" page.zip
cp plain.zip noname; cp "$sealed" sealed.tar.zst; gzip -dc dots.tar.gz >dots.tar; printf BZh91AY >run.tar.bz2
head -c -9 dots.tar.gz >cut.tar.gz && printf '\377\377\377\177' >>cut.tar.gz
for row in 'really-zip.tar.gz|found zip, expected gzip, as its name says' 'really-gzip.zip|found gzip, expected zip' \
    'page.md|found zip, expected a page' 'page.zip|found neither zip nor gzip, expected zip' \
    'sealed.tar.zst|found zstd, expected a page, zip or tar.gz' 'dots.tar|found a tar that is not packed, expected a page, zip' \
    'run.tar.bz2|found bzip2, expected a page, zip or tar.gz'; do
    check_exit 3 "${row%%|*}" "$FPREPORT" import --vendor a --case b -o made "${row%%|*}"
    says "it says so" "${row%%|*}: ${row#*|}"
done
check_exit 3 "a length beyond the limit" "$FPREPORT" import -o made cut.tar.gz
says "which may be no length" "cut.tar.gz: .*found a length of 2147483647 bytes.*; or its end, which says it, is cut off"
check "without an ending the content says it" "$FPREPORT" import -o made noname
check_exit 2 "--vendor is for pages" "$FPREPORT" import --vendor acme plain.zip
check_exit 2 "one file at a time" "$FPREPORT" import -o x.tar.zst plain.zip stored.zip
check_exit 2 "not to stdout" "$FPREPORT" import -o - plain.zip
mkdir windows && cp -R run windows/ && sed -i 's/$/\r/' windows/run/run.json && tar -C windows -czf windows.tar.gz run
check "a run whose line ends were changed" "$FPREPORT" import -o made windows.tar.gz
says "hears of it" "windows.tar.gz/run.json: warning: its lines end with CR LF: a program changed the line ends"
sed -i 's/"complete"/"running"/' run/run.json && tar -czf running.tar.gz run
check_exit 3 "a run that is not complete" "$FPREPORT" import running.tar.gz
says "and why" "running.tar.gz/run.json:.*state is 'running'"
echo x >>whole/r/run.json && tar -czf altered.tgz -C whole/r .
check_exit 3 "a sealed run that was altered" "$FPREPORT" import altered.tgz
# --- What other systems pack is refused with what to do next, and so are two runs.
python3 - <<'PACK'
import os, zipfile
def pack(to, names, extra=()):
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as z:
        for at, _, files in os.walk("run"):
            for f in sorted(files):
                for name in names(os.path.relpath(os.path.join(at, f), "run")):
                    info = zipfile.ZipInfo("x")
                    info.filename = name
                    z.writestr(info, open(os.path.join(at, f), "rb").read())
        for name in extra:
            z.writestr(name, b"{}")
pack("mac.zip", lambda n: ["r/" + n], ["__MACOSX/r/._run.json", "r/.DS_Store"])
pack("macs.zip", lambda n: ["r/" + n], ["__MACOSX/r/run.json"])
pack("finder.zip", lambda n: ["r/" + n], ["r/.DS_Store"])
pack("windows.zip", lambda n: ["r\\" + n.replace("/", "\\")])
pack("case.zip", lambda n: ["r/" + n], ["r/RUN.json"])
pack("two.zip", lambda n: ["a/" + n, "b/" + n])
pack("blank.zip", lambda n: ["my run/" + n])
PACK
while read -r file next; do
    check_exit 3 "$file is refused" "$FPREPORT" import -o "none/$file.tar.zst" "$file"
    says "with the next step" "^next: .*$next"
    check "and nothing is written" test ! -e "none/$file.tar.zst"
done <<'NEXT'
mac.zip macOS added it
macs.zip macOS added it
finder.zip macOS added it
windows.zip a program of Windows wrote
case.zip where case does not count
two.zip pack each run by itself
blank.zip have it renamed
NEXT
check "what is taken is told what comes next" "$FPREPORT" import -o next.tar.zst plain.zip
says "by its name" "^next: 'fpreport verify next.tar.zst', 'fpreport archive add next.tar.zst'"
check "which work" sh -c '"$1" archive --archive store add next.tar.zst && "$1" verify --only FP4002 next.tar.zst' - "$FPREPORT"
check_exit 3 "a sealed run that was unpacked is not sealed again" "$FPREPORT" collect whole/r -o none.tar.zst
says "but what to do is said" '^next: the folder is an unpacked submission.*archive add.*without SHA256SUMS, statement.json'
check "nothing is written of what is refused" test ! -e running.tar.zst -a ! -e altered.tar.zst

# --- Made to hurt.
mkdir hostile
check "they are written" python3 "$top/tests/cli/intake/hostile_forms.py" make hostile
check "there are more than 150" test "$(wc -l <hostile/list)" -gt 150
for f in hostile/sound/*; do check "without a lie: ${f##*/}" "$FPREPORT" import -o made "$f"; done
limits='1.5 48' # promise 1; a sanitizer takes more of both
[ "$VARIANT" != asan ] || limits='30 2048'
python3 "$top/tests/cli/intake/hostile_forms.py" judge hostile "$FPREPORT" $limits >wrong 2>worst
check_same "each is refused in time and memory: $(cat worst)" /dev/null wrong
if [ "$VARIANT" != asan ] && strace -f -o calls true 2>/dev/null; then
    (cd hostile && xargs strace -f -qq -o ../calls -e trace=%file,%network,%process "$FPREPORT" import -o made <list >../out 2>&1)
    check "each had a process" test "$(grep -c 'clone.*SIGCHLD' calls)" -gt 150
    check "their names are said" grep -q ZZVENDOR out
    check "no name of theirs is opened" sh -c '! grep -E "ZZVENDOR|etc/passwd" calls'
    check "no network, no program" sh -c '! grep -E " (socket|connect|execve)\(" calls | grep -v "execve(\"[^\"]*/fpreport\""'
else
    skip "what is opened: only without sanitizers, with strace"
fi
plan_done
