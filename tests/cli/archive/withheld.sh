#!/bin/sh
# What the operator withholds of a run stays withheld, whatever file it comes in: compressed again,
# signed again, with another file changed, as a second run or as a reference; in site and branch.
place=memory; . "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1
cp -R "$top/tests/golden/build/records" records && ln -s "$top/templates" templates
for key in key other; do ssh-keygen -q -t ed25519 -N '' -C "" -f $key; done
echo "globex namespaces=\"fpreport-submission-v1\" $(cut -d' ' -f1,2 key.pub)" >signers
sha() { sha256sum <"$1" | cut -c1-64; }
mark=ZZWITHHELDZZ record=records/results/globex/tiny_llama.json
mkdir secret && tar -C secret --zstd -xf records/evidence/globex/run.tar.zst && rm secret/SHA256SUMS
log=$(cd secret && find . -name 'rank0*.log' | sed 's,^\./,,' | head -n 1)
echo "# $mark in the log" >>"secret/$log" && echo $mark >secret/notes.txt
"$FPREPORT" collect -q --force secret -o secret.tar.zst --sign key >/dev/null
id=$(tar --zstd -xOf secret.tar.zst SHA256SUMS | sha256sum | cut -c1-64)
seal() { { printf '\120\052\115\030\040\000\000\000'; sha256sum <"$1" | cut -c1-64 | tr a-f A-F | basenc --base16 -d; } >seal && cat seal >>"$1"; }
result() { cp "$1" records/evidence/globex/run.tar.zst; sed -i "s/\"sha256\": \"[0-9a-f]\{64\}\"/\"sha256\": \"$(sha "$1")\"/" $record; }
# Everything that a reader gets: files, and what is in archives.
published() {
    "$FPREPORT" build ${1:+"$1"} -o site >/dev/null 2>said; rm -rf got && cp -R site got && rm -f got/.fpreport-build
    find got -name '*.bundle.tar' | while read -r packed; do mkdir "$packed.x" && tar -C "$packed.x" -xf "$packed" && rm "$packed"; done
    find got -name '*.tar.zst' | while read -r packed; do mkdir "$packed.x" && tar -C "$packed.x" --zstd -xf "$packed" && rm "$packed"; done
}
hidden() { check_exit 1 "$1" grep -rls $mark got; }
part=site/evidence/globex/run.redacted.tar.zst
page=site/en/result/globex/tiny_llama/index.html
whole() { sh "$top/templates/site/verify.sh" -s signers -I globex $part | grep -q "^redacted: .* signed by globex .*, $1 files\{0,1\} withheld: the file WITHHELD says so, and nobody signed that"; }
other_level() { zstd -q -dc secret.tar.zst | zstd -q -3 >again.tar.zst; seal again.tar.zst; }

result secret.tar.zst && published
check "before, the site has it" grep -rqs $mark got
"$FPREPORT" archive add -q secret.tar.zst --signers signers 2>/dev/null
beside() { cmp -s site.fpreport-previous/evidence/globex/run.tar.zst secret.tar.zst; }
check "so has the spare tree" beside
"$FPREPORT" archive redact -q "$id" "$log" notes.txt --reason "names of our machines" >/dev/null 2>&1
published
check "which goes with it" test ! -e site.fpreport-previous/evidence/globex/run.tar.zst
hidden "withheld of the file that came"

# --- The same run, compressed again.
other_level && result again.tar.zst && published
check "another file" test "$(sha again.tar.zst)" != "$(sha secret.tar.zst)"
hidden "withheld of the run, compressed again"
check "which is published in part, with its own signature" whole 2
"$FPREPORT" verify --records nowhere $part >said 2>&1
check "who verifies it hears what is withheld" grep -q "2 files are withheld according to the file WITHHELD, which is not signed" said
check_exit 1 "and nothing of a challenge, which nobody asked about" grep -q FP6 said
check "the page names what is withheld, and why" test "$(grep -c '</code> <em class="none">withheld</em></th>' $page)-$(grep -c 'the operator withholds 2 of the files: names of our machines' $page)" = 2-1
check "and its own sum" grep -q "$(sha again.tar.zst)" $page
check "the page's sum is that of what is handed out" grep -q "$(sha $part)" $page
cp -R site first && "$FPREPORT" build -q --no-cache -o anew >/dev/null 2>&1
check "built anew it is the same" diff -r -x .fpreport-build site anew
rm -rf first anew

# known WHAT: where another record changed, nobody looks into what was looked into before, and all is as built anew.
known() {
    figure=$((figure + 1)) && sed -i "s/\"2\.[0-9]*\"/\"2.$figure\"/" records/results/acme/toy.json
    if command -v strace >/dev/null; then
        strace -f -qq -o trace -e trace=openat "$FPREPORT" build -q -o site >/dev/null 2>&1
        check "$1: a figure of another result is another" grep -q "toy.json" trace
        check_exit 1 "$1: no object of the archive is opened" grep -qE '"[0-9a-f]{64}"' trace
        check_exit 1 "$1: nothing is made that was made before" grep -q O_TMPFILE trace
    else
        "$FPREPORT" build -q -o site >/dev/null 2>&1
        skip "no strace"
    fi
    "$FPREPORT" build -q --no-cache -o anew >/dev/null 2>&1
    check "$1: it is the same built anew" diff -r -x .fpreport-build site anew
    rm -rf anew anew.fpreport-*
}
figure=10
known "compressed again"

# --- What the site hands out of a run of other sums, named as a second run of another result: there it is whole.
cp -R secret more && echo more >more/more.txt && "$FPREPORT" collect -q --force more -o more.tar.zst --sign key >/dev/null && result more.tar.zst && published
mkdir -p records/reproductions/acme/toy && cp $part records/reproductions/acme/toy/x.tar.zst
jq -n --arg s "$(sha $part)" '{schema: "fpreport.reproduction/1", id: "x", vendor: "acme", case: "toy", table: 1, row: 1, by: "B", date: "2026-11-23", device: "CPU",
    same_device: false, archive: "reproductions/acme/toy/x.tar.zst", sha256: $s, outcome: "not_reproduced", figures: [],
    loss: {beside: "evidence", rule: "bits", steps: 1, identical: 0, from_step: 0, mean_rel_error: 0, max_rel_error: 0, max_step: 0, limit: 0.02, agrees: false}}' \
    >records/reproductions/acme/toy/x.json
for how in "" --no-cache; do
    published $how
    check "a part that is named as a second run keeps nobody from building $how" cmp -s $part records/reproductions/acme/toy/x.tar.zst
    hidden "nor does it show what is withheld $how"
    check_exit 1 "no file is missing $how" grep -q "No such file" said
done
rm -rf records/reproductions/acme more

# --- The word of a worker that somebody took over: all of it may be handed out.
cat >lie.c <<'LIE'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
static long (*real)(long, ...);
static uint32_t head[2]; /* of an answer, until it is known which */
static int held;
__attribute__((constructor)) static void find(void) { real = dlsym(RTLD_NEXT, "syscall"); }
static int is_made(const char *body, size_t len)
{
    return (len == 2 && body[0] == 1 && body[1] == 0) || /* the log's archive is to be taken */
           (len > 99 && body[0] == 2 && memmem(body, 9, "\x28\xb5\x2f\xfd", 4)); /* or this */
}
long syscall(long number, ...)
{
    long a[6];
    va_list more;
    va_start(more, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(more, long);
    va_end(more);
    if (number == SYS_write && !held && a[2] == sizeof head && ((const uint32_t *)a[1])[0] == 2) {
        memcpy(head, (const void *)a[1], sizeof head);
        held = 1;
        return a[2];
    }
    if (number == SYS_write && held) {
        int lies = head[1] == a[2] && is_made((const char *)a[1], (size_t)a[2]);
        held = 0;
        head[1] = lies ? 2 : head[1];
        real(SYS_write, a[0], head, sizeof head);
        if (lies)
            return real(SYS_write, a[0], "\0\0", 2L) == 2 ? a[2] : -1;
    }
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
LIE
if [ "$VARIANT" = gcc ] && ${CC:-cc} -shared -fPIC -o lie.so lie.c -ldl 2>lie.log; then
    for file in secret again; do
        result $file.tar.zst && rm -rf site site.fpreport-cache && LD_PRELOAD="$PWD/lie.so" published
        check "$file: the site is there" grep -q "withholds 2 of the files" $page
        hidden "$file: what the parent knows to be withheld is not, whatever a worker says"
        check "$file: nothing is handed out" test -z "$(find site -name 'run*.zst')"
    done
    rm -rf site
else
    skip "no library can be put before another here"
fi

# --- The same files, signed by nobody.
rm -rf x && mkdir x && tar -C x --zstd -xf secret.tar.zst && rm x/statement.json*
packed() { (cd x && find . -type f | sed 's,^\./,,' | LC_ALL=C sort | tar --format=ustar --no-recursion -T - --mtime=@0 \
    --owner=0 --group=0 --numeric-owner --mode=0644 -b1 -cf -) | zstd -q -9 >"$1"; seal "$1"; }
packed bare.tar.zst && result bare.tar.zst && published
hidden "signed by nobody"
known "signed by nobody"

# --- Another run that has one of its files: what is withheld of one is withheld of all.
cp -R secret changed && echo "another" >changed/notes.txt && "$FPREPORT" collect -q --force changed -o changed.tar.zst --sign key >/dev/null
result changed.tar.zst && published
hidden "a run that has the log, beside another file"
check "the other file is published" whole 1
check "somebody is told which, whose, and why" grep -qxF "warning: evidence/globex/run.tar.zst: 1 file withheld by the decision about the submission $(echo "$id" | cut -c1-12) (line 2 of the archive's log): $log; reason: names of our machines; \`fpreport archive show $(echo "$id" | cut -c1-12)\` shows the decision" said
check "the command shows it" sh -c '"$1" archive show "$2" | grep -qxF "  reason     names of our machines"' - "$FPREPORT" "$(echo "$id" | cut -c1-12)"
"$FPREPORT" archive add -q changed.tar.zst --signers signers >/dev/null 2>&1
published
hidden "nor when it comes to the archive"
changed=$(tar --zstd -xOf changed.tar.zst SHA256SUMS | sha256sum | cut -c1-64)
lines() { wc -l <archive/log.jsonl; }
full() { "$FPREPORT" archive redact "$changed" --publish full >said 2>&1; }
full; published
check "that all of it is published counts, where nothing of that run was withheld before" grep -rqs "$mark" got
n=$(lines) && full
check "said again it is so already" grep -qx "$(sha changed.tar.zst) is published in full" said
check "and the log does not grow" test "$(lines)" = "$n"
"$FPREPORT" archive redact -q "$id" "$log" --publish-again --reason "names, of the other run" >/dev/null 2>&1 && published
hidden "until it is withheld of the other one"
full; published
check "which it takes back, too" grep -rqs "$mark" got
"$FPREPORT" archive redact -q "$id" "$log" --reason "names, of the other run again" >/dev/null 2>&1 && published
hidden "until then"
"$FPREPORT" archive redact -q "$changed" notes.txt --publish-again --reason x >/dev/null 2>&1 && published
check "what is decided about that run later counts for it" grep -rqs "$mark" got
"$FPREPORT" archive redact -q "$id" "$log" --reason "names, again" >/dev/null 2>&1 && published
hidden "until it is withheld again"
"$FPREPORT" archive redact -q "$changed" notes.txt --publish-again --reason y >/dev/null 2>&1 && published
check "which another decision about that run takes back" grep -rqs "$mark" got
"$FPREPORT" archive redact -q "$id" "$log" --reason "names, again" >/dev/null 2>&1 && published
hidden "and the same words as before hold again"
n=$(lines) && "$FPREPORT" archive redact -q "$id" "$log" --reason "names, again" >/dev/null 2>&1
check "once is enough" test "$(lines)" = "$n"

# --- What is taken apart must be what was judged: another file may come to its place meanwhile.
cat >swap.c <<'SWAP'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static int (*real)(int, const char *, int, ...);
static pid_t first; /* not a worker, which judges */
__attribute__((constructor)) static void find(void) { real = dlsym(RTLD_NEXT, "openat"); first = getpid(); }
int openat(int at, const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int mode = flags & O_CREAT ? va_arg(more, int) : 0;
    va_end(more);
    if (getpid() == first && strcmp(path, "run.tar.zst") == 0)
        rename("next.tar.zst", "records/evidence/globex/run.tar.zst");
    return real(at, path, flags, mode);
}
SWAP
if [ "$VARIANT" = gcc ] && ${CC:-cc} -shared -fPIC -o swap.so swap.c -ldl 2>swap.log; then
    result again.tar.zst && cp changed.tar.zst next.tar.zst
    check_exit 3 "a file that was exchanged behind its verdict ends the build" env LD_PRELOAD="$PWD/swap.so" "$FPREPORT" build --no-cache -o exchanged
    cp .out said; check "which says so" grep -q "records/evidence/globex/run.tar.zst: changed while it was being verified; build again" said
    check "it was exchanged" cmp -s changed.tar.zst records/evidence/globex/run.tar.zst
    check_exit 1 "and leaves nothing" test -e exchanged
else
    skip "no library can be put before another here"
fi

# --- A case and an empty file are the same in many runs: nothing that was withheld.
"$FPREPORT" archive redact -q "$id" --publish hashes --reason "not yet" >/dev/null 2>&1
mkdir plain && tar -C plain --zstd -xf "$top/tests/golden/build/records/evidence/globex/run.tar.zst" && rm plain/SHA256SUMS && : >plain/empty.txt
cmp -s plain/case.json secret/case.json || echo "# other cases"
"$FPREPORT" collect -q --force plain -o plain.tar.zst --sign key >/dev/null && result plain.tar.zst && published
tar --zstd -tf site/evidence/globex/run*.tar.zst >names
check "the case is published with another run" grep -qx case.json names
check "and what that has for itself" grep -qx "$log" names

# --- One file of several is named, as `archive withdraw` takes it: both are decided on, and the operator is told so.
decide() { "$FPREPORT" archive redact --archive both "$@" >said 2>&1; }
other_level; for file in secret again; do "$FPREPORT" archive add -q --archive both $file.tar.zst --signers signers >/dev/null 2>&1; done
decide "$(sha again.tar.zst)" notes.txt --reason x
check "a file of a run: which, and how many go with it" grep -qx "$(sha again.tar.zst): this is one .tar.zst of the submission $id; the decision applies to all 2 of them" said
check "each is told, the first with its entry" grep -qx "redacted $id $(sha secret.tar.zst)" said
check "the other with the same" grep -qx "$(sha again.tar.zst) is published so with it, too" said
decide "$id" notes.txt --reason x
check "said again, both are so already" test "$(grep -c ' is published so already$' said)" = 2
check_exit 1 "who names the run is told nothing about its files" grep -q "a file of" said

# --- Of hashes only.
result again.tar.zst && published
hidden "hashes only, compressed again"
check "manifest, statement and signature are there" sh -c 'ls got/evidence/globex/run.hashes.tar.zst.x | tr "\n" " " | grep -qx "SHA256SUMS WITHHELD statement.json statement.json.sig "'
check "all of it is published again, when that is said" sh -c '"$1" archive redact -q "$2" --publish full >/dev/null' - "$FPREPORT" "$id"
published
check "in the site, too" grep -rqs $mark got

# --- As the reference of a case.
"$FPREPORT" archive redact -q "$id" "$log" notes.txt --reason "names" >/dev/null 2>&1
cp again.tar.zst records/references/whole.tar.zst && cp records/cases/tiny_llama.json kase
jq --arg s "$(sha again.tar.zst)" '.alignment.reference = "references/whole.tar.zst" | .alignment.reference_sha256 = $s' kase >records/cases/tiny_llama.json && published
check "a reference is published" test -f site/references/whole.tar.zst
hidden "without what is withheld"
cp "secret/$log" records/references/log.log
jq --arg s "$(sha "secret/$log")" '.alignment.reference = "references/log.log" | .alignment.reference_sha256 = $s' kase >records/cases/tiny_llama.json
check_exit 3 "a log that is withheld is no reference to publish" "$FPREPORT" build -o reference
cp .out said; check "which says whose it is" grep -q "references/log.log: the archive withholds this reference, because it is a file of the submission $(echo "$id" | cut -c1-12) (line [0-9]* of the log); expected a reference that may be published" said
check_exit 1 "nothing is published" test -e reference
mv kase records/cases/tiny_llama.json && rm records/references/whole.tar.zst records/references/log.log

# --- Altered, so that it is no submission any more: nothing of it.
rm -rf x && mkdir x && tar -C x --zstd -xf secret.tar.zst && echo more >>x/run.json && packed broken.tar.zst && result broken.tar.zst && published
hidden "altered, nothing of it is published"
check "as no file" test -z "$(find site/evidence/globex -name '*.zst' 2>/dev/null)"
check "the page is there" grep -q "withholds 2 of the files" $page
check "and has no link to it" sh -c '! grep -q "evidence/globex/run[^\"]*zst\"" "$1"' - $page

# --- The log only grows, in a folder and on a branch.
fresh() { rm -rf site site.fpreport-*; published; }
result again.tar.zst && git init -q -b main . && git config user.name T && git config user.email t@example.org && published
check "published" "$FPREPORT" publish -q
mv archive elsewhere && n=$(wc -l <elsewhere/log.jsonl)
check_exit 3 "a site takes no place of one whose archive had more to say" "$FPREPORT" build -o site
cp .out said; check "with the way out" grep -q "error: not built: of the $n lines in archive/log.jsonl of site, this one has the first 0; .*--archive" said
check_same "the old one is there" elsewhere/log.jsonl site/archive/log.jsonl
fresh
check_exit 1 "without the archive nothing is published" "$FPREPORT" publish -q --accept
cp .out said; check "with the way out" grep -q "not published: of the $n lines in archive/log.jsonl of gh-pages [0-9a-f]*, this one has the first 0; " said
git worktree add -q own gh-pages && (cd own && echo x >added && git add added && git commit -q -m "by hand") && git worktree remove own
check_exit 1 "nor over a commit of somebody's own" "$FPREPORT" publish -q --accept
cp .out said; check "for the same reason" grep -q "not published: of the $n lines in archive/log.jsonl of gh-pages" said
cp -R elsewhere archive
echo "$((n - 1)) $(tail -n 1 archive/log.jsonl | jq -r .prev)" >archive/head && sed -i '$d' archive/log.jsonl && fresh
check_exit 1 "nor with an older copy of it" "$FPREPORT" publish -q --accept
cp .out said; check "which names what it has" grep -q "of the $n lines in archive/log.jsonl of gh-pages [0-9a-f]*, this one has the first $((n - 1)); " said
git show gh-pages:archive/log.jsonl >shown && check_same "the branch has the log" elsewhere/log.jsonl shown
rm -rf archive && mv elsewhere archive && fresh
check "with it, it is published" "$FPREPORT" publish -q --accept

# --- Not whole, and with more or less in it than its manifest says.
rm -rf x && mkdir x && tar -C x --zstd -xf plain.tar.zst && echo $mark >x/stray.txt && cp secret/notes.txt x/aside.txt && packed broken.tar.zst && result broken.tar.zst && published
hidden "nor of another run with the file beside its manifest"
check "which is said" grep -qE "run.tar.zst: not published: the file is incomplete and may contain withheld files; .fpreport archive list. lists the submissions with withheld files$" said
rm -rf x && mkdir x && tar -C x --zstd -xf plain.tar.zst && echo more >>x/run.json && packed broken.tar.zst && result broken.tar.zst && published
check_exit 1 "one that is broken and has nothing of it is published" test -z "$(find site/evidence/globex -name '*.zst' 2>/dev/null)"
head -c 700 again.tar.zst >cut.tar.zst && result cut.tar.zst && published
check "one that nobody can look into is not" test -z "$(find site/evidence/globex -name '*.zst' 2>/dev/null)"

# --- Where a run is altered, its manifest is the word of whoever altered it: nothing of it is shown.
cp -R plain told && print=$(cd told && find . -name fingerprint.json | sed 's,^\./,,')
jq --arg m $mark '(.facts[] | select(.key == "os")) = {key: "os", value: $m}' plain/"$print" >told/"$print"
jq --arg m $mark '.command = ["sh", $m] | .host = $m' plain/run.json >told/run.json
"$FPREPORT" collect -q --force told -o told.tar.zst --sign key >/dev/null && result told.tar.zst && published
of_page() { grep -o "$mark" got/en/result/globex/tiny_llama/index.html | sort -u | wc -l; }
check "a page shows facts and command of a run" test "$(of_page)" = 1
"$FPREPORT" archive add -q told.tar.zst --signers signers >/dev/null 2>&1
told=$(tar --zstd -xOf told.tar.zst SHA256SUMS | sha256sum | cut -c1-64)
"$FPREPORT" archive redact -q "$told" "$print" run.json --publish-again --reason "our machines" >/dev/null 2>&1 && published
check_exit 1 "facts and command, withheld" grep -rls --exclude=statement.json $mark got
# altered SED: its manifest is another by that, and so is its run.
altered() { rm -rf x && mkdir x && tar -C x --zstd -xf told.tar.zst && sed -i "$1" x/SHA256SUMS && packed broken.tar.zst && result broken.tar.zst && published; }
for name in fingerprint.json run.json; do
    altered "/$name\$/{s/^0/_/;s/^[1-9a-f]/0/;s/^_/1/;}"
    hidden "another digit in the line of $name"
    altered "/$name\$/d"
    hidden "no line of $name"
done
altered '/fingerprint.json$\|run.json$/{s/^0/_/;s/^[1-9a-f]/0/;s/^_/1/;}'
hidden "another digit in the lines of both"
check "which is told" grep -qE "run.tar.zst: not published: the file is incomplete and may contain withheld files; .fpreport archive list. lists the submissions with withheld files$" said
check "the page says so, and keeps its checks" grep -q "concerns a withheld file: its contents are not published" $page
altered 's/^[0-9a-f]\{4\}/0000/'
hidden "no sum is right"
altered d
hidden "no line at all"
altered '/run.json$/{s/^0/_/;s/^[1-9a-f]/0/;s/^_/1/;}' && sed -i 's/"sh"/"zsh"/' x/statement.json && packed broken.tar.zst && result broken.tar.zst && published
hidden "nor what the statement is compared with"

# --- Who says it is told by the names that readers go by; it may be short, why something is not known, or why something else is not.
cp -R plain named && rm -f named/statement.json* && at=$(dirname "$log") && out=$at/host_0_10.0.0.1.output && cp $record kept
rm "named/$at/sys_info.log" && printf 'OS version:\n%s\n\n' "${mark}SYS" >"named/$at/sys_info.log.txt"
{ echo "Driver Version: ${mark}LOG"; echo "using world size: 97"; cat "named/$log"; } >"named/$out" && rm "named/$log"
echo "no reading: ${mark}MON" >"named/$at/mem_monitor.log"
jq --arg m "${mark}WHY" '(.facts[] | select(.key == "accelerator_model")) = {key: "accelerator_model", unknown: $m} | (.facts[] | select(.key == "accelerator_driver")) = {key: "accelerator_driver", value: "0.1"}' plain/"$print" >"named/$print"
sed -i 's/"CPU"/"Box 8"/' $record && "$FPREPORT" collect -q --force named -o named.tar.zst >/dev/null && result named.tar.zst && published
named=$(tar --zstd -xOf named.tar.zst SHA256SUMS | sha256sum | cut -c1-64)
# told WORD: on the page of the result, or in what programs read of it
told() { grep -qE "$1" $page || grep -qE "$1" site/result/globex/tiny_llama/verify.json; }
for word in ${mark}SYS ${mark}LOG ${mark}MON ${mark}WHY "says '97'"; do check "of a run it is told: $word" told "$word"; done
"$FPREPORT" archive add -q named.tar.zst >/dev/null 2>&1
# alone FILE WORD…: withheld by itself, nothing of it is told.
alone() {
    file=$1; shift
    "$FPREPORT" archive redact -q "$named" "$file" --publish-again --reason x >/dev/null 2>&1 && published
    for word in "$@"; do check_exit 1 "withheld with $(basename "$file"): $word" told "$word"; done
}
alone "$at/sys_info.log.txt" ${mark}SYS
alone "$out" ${mark}LOG "says '97'"
alone "$at/mem_monitor.log" ${mark}MON
alone "$print" ${mark}WHY "says '0[.]1'"
mv kept $record

# --- A second run, and the record of it, which has the facts that differ.
mkdir again && result plain.tar.zst && "$FPREPORT" reproduce -q globex/tiny_llama --by "A. Reader" >/dev/null 2>&1
second=$(find records/reproductions -name '*.json') && run=${second%.json}.tar.zst
tar -C again --zstd -xf "$run" && rm again/SHA256SUMS again/statement.json* && of=$(cd again && find . -name fingerprint.json | sed 's,^\./,,')
# system NAME: that of the second run. The digest of its facts stands in the fingerprint, that of the fingerprint in run.json.
system() {
    was=$(sha again/"$of")
    jq --arg m "$1" '(.facts[] | select(.key == "os")) = {key: "os", value: $m}' again/"$of" >facts && mv facts again/"$of"
    "$FPREPORT" collect -q --force again -o "$run" >/dev/null
    sed -i "$("$FPREPORT" verify --format json "$run" | jq -r '.runs[0].findings[].message' | sed -n "s/.*fingerprint have the SHA-256 \([0-9a-f]*\), but the fingerprint states \([0-9a-f]*\).*/s,\2,\1,/p")" again/"$of"
    sed -i "s/$was/$(sha again/"$of")/" again/run.json && "$FPREPORT" collect -q --force again -o "$run" --sign key >/dev/null
}
system $mark
# record ORIGINAL HERE: it says so of the system, about the runs as they are.
record() {
    jq --arg a "$1" --arg b "$2" --arg s "$(sha "$run")" --arg o "$(sha records/evidence/globex/run.tar.zst)" \
        '.sha256 = $s | .original_sha256 = $o | .facts = [{key: "os", original: $a, here: $b}] + [.facts[] | select(.key != "os")]' "$second" >facts && mv facts "$second"
}
os=$(jq -r '.facts[] | select(.key == "os").value' plain/"$print")
record "$os" $mark && published
check "a second run that is whole counts" grep -q 'class="state again"' $page
check "its record has facts that differ" grep -q $mark $page
"$FPREPORT" archive add -q "$run" --signers signers >/dev/null 2>&1
"$FPREPORT" archive redact -q "$(tar --zstd -xOf "$run" SHA256SUMS | sha256sum | cut -c1-64)" "$of" --reason "our machines" >/dev/null 2>&1 && published
check_exit 1 "withheld of the second run, the page has none of them" grep -rls --exclude=statement.json $mark got
check "it still counts" grep -q 'class="state again"' $page
check "and is handed out in part" test "$(find site/reproductions -name '*.redacted.tar.zst' | wc -l)" = 1
if [ -s lie.so ]; then
    rm -rf site site.fpreport-cache && LD_PRELOAD="$PWD/lie.so" published
    check "nor does it count less where it cannot be" grep -q 'class="state again"' $page
    hidden "and has none of them then, either"
    check "and no link" sh -c '! grep -q "href=\"[^\"]*reproductions/[^\"]*zst" "$1"' - $page
    check "to nothing" test -z "$(find site/reproductions -name '*.zst' 2>/dev/null)"
fi
record "$os" "another" && published
check "a record that says something else is found" grep -q FP5004 $page
hidden "and what the run says instead is not quoted"
cp -R records kept && rm -rf x && mkdir x && tar -C x --zstd -xf "$run" && sed -i '/fingerprint.json$/{s/^0/_/;s/^[1-9a-f]/0/;s/^_/1/;}' x/SHA256SUMS && packed "$run" && record "$os" $mark && published
hidden "nor of one that was altered"
rm -rf records && mv kept records && system another && result told.tar.zst && record $mark another && published
check "facts of the evidence" test "$(grep -c FP5004.*error $page)" = 0
check_exit 1 "which are withheld are not in the record of a second run, either" grep -rls --exclude=statement.json $mark got
rm -rf records/reproductions

# --- What is withheld is not known.
result again.tar.zst && o=$(jq -rs '[.[] | select(.kind == "redaction")][-1].object' archive/log.jsonl)
mv "archive/objects/sha256/$(echo "$o" | cut -c1-2)/$o" away
check_exit 3 "where the archive lost what says which files, nothing is built" "$FPREPORT" build -o none
check_exit 1 "at all" test -e none
mv away "archive/objects/sha256/$(echo "$o" | cut -c1-2)/$o"
check_exit 4 "nor where somebody writes to it all the time" env FPREPORT_LOCK_TIMEOUT=0 flock archive/lock "$FPREPORT" build -o none
check_exit 1 "not anything" test -e none
mv archive/log.jsonl kept && ln -s log.jsonl archive/log.jsonl
"$FPREPORT" build -o none >said 2>&1 && grep -rqs "$mark" none; is_hidden=$?
check "a log that is there and cannot be followed to hides nothing less" test $is_hidden != 0
rm archive/log.jsonl && mv kept archive/log.jsonl
mv archive gone && ln -s nowhere archive
check_exit 4 "an archive behind a link that leads nowhere is not none" "$FPREPORT" build -o none
cp .out said; check "which says so" grep -q "^error: archive: does not lead to a folder, expected the folder of the archive" said
rm archive && printf '{"schema": "fpreport.site/1", "archive": "../elsewhere"}' >records/site.json
check_exit 3 "nor one that site.json names and that is not there" "$FPREPORT" build -o none
cp .out said; check "and where it should be" grep -q "^error: records/../elsewhere: found no archive" said
mkdir elsewhere
check_exit 4 "an empty folder is not the archive that site.json names: it may not be mounted" "$FPREPORT" build -o none
cp .out said; check "which says what is missing" grep -q "^error: records/../elsewhere: the folder contains no archive, expected the archive that site.json names: mount it, or " said
check_exit 1 "nothing is published" test -e none
rm records/site.json
check_exit 4 "nor is it one that --archive names" "$FPREPORT" build --archive elsewhere -o none
check_exit 4 "the old site is left" "$FPREPORT" build --archive elsewhere -o site
mkdir archive
for part in head lock objects checkpoint.json checkpoint.json.sig checkpoint.next; do
    if [ $part = objects ]; then mkdir archive/$part; else : >archive/$part; fi
    check_exit 4 "in the usual place, either, where there is $part and no log" "$FPREPORT" build -o none
    check_exit 4 "nor under its name: $part" "$FPREPORT" build --archive archive -o none
    rm -r archive/$part
done
check_exit 1 "nothing is published of half an archive" test -e none
# What the first writer leaves that is stopped, in the order of its steps.
begins() { # WHAT: there is no archive yet, and that is said
    check_exit 1 "$1 is no archive yet: the site is built" "$FPREPORT" build -o begun
    cp .out said; check "which is said: $1" grep -qx 'warning: archive: `archive add` was stopped before it stored a submission in this archive' said
    rm -rf begun
}
printf 'begun\n' >archive/lock && begins "a lock that says so"
printf 'begun\n%s' "$o" >archive/lock && mkdir archive/incoming && : >archive/incoming/$o && begins "an object that is noted and on its way"
rm -r archive/incoming; mkdir -p archive/objects/sha256/${o%"${o#??}"} && : >archive/objects/sha256/${o%"${o#??}"}/$o && begins "an object that is noted and in its place"
for other in 3:head 4:checkpoint.json 3:objects/sha256/${o%"${o#??}"}/$(echo "$o" | tr 0-9a-f 1-9a-f0); do
    : >archive/${other#?:}
    check_exit ${other%%:*} "but not where there is another, too: ${other#?:}" "$FPREPORT" build -o none
    rm archive/${other#?:}
done
rm -r archive/objects archive/lock
mkdir archive/lost+found
check_exit 4 "a disk that is new is not the archive that --archive names" "$FPREPORT" build --archive archive -o none
check_exit 3 "in the usual place it takes no place of a site that has a log" "$FPREPORT" build -o site
cp .out said; check "and is told of" grep -q "^warning: archive: the folder contains no archive, so nothing counts as withdrawn or withheld; " said
"$FPREPORT" archive add secret.tar.zst >said 2>&1
check "where something is added to it, it is a new archive" test -f archive/log.jsonl
check "which is told" grep -qx 'archive: there was no archive, so `archive add` made a new one' said
rm -r archive elsewhere
for text in '{"archive": "../gone"' '{"archive": ["../gone"]}' '[]'; do
    echo "$text" >records/site.json
    check_exit 3 "nor where settings cannot be read that may name it: $text" "$FPREPORT" build --keep-going -o none
    check_exit 1 "nothing is published: $text" test -e none
done
mv gone archive
printf '{"archive": ' >records/site.json
check_exit 3 "settings that cannot be read may name another archive: nothing is added to this one" "$FPREPORT" archive add -q changed.tar.zst
check "and that is said" sh -c '"$1" archive add -q changed.tar.zst 2>&1 | grep -q "records/site.json: this file cannot be read, and it may name the folder of the archive: "' - "$FPREPORT"
plan_done
