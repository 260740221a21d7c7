#!/bin/sh
# fpreport publish: one commit whose tree is exactly the site, nothing else touched, what is refused
# and why, two publishers, remotes, and kills, full disks and read-only repositories.
place=memory; . "$(dirname "$0")/../../lib.sh"
export HOME="$tmp/home" GIT_CONFIG_NOSYSTEM=1 && mkdir "$HOME"
unset GIT_DIR GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL XDG_CONFIG_HOME SOURCE_DATE_EPOCH
# As installed, so that a program from elsewhere (build/asan) finds its templates too.
mkdir -p "$tmp/usr/bin" "$tmp/usr/share/fpreport" && cp "$FPREPORT" "$tmp/usr/bin/fpreport" && FPREPORT=$tmp/usr/bin/fpreport
ln -s "$top/templates" "$top/records" "$tmp/usr/share/fpreport/"
cd "$tmp" || exit 1
pub() { "$FPREPORT" publish "$@"; }
says() { # DESCRIPTION TEXT: what the last check_exit printed holds the text
    if grep -qF -- "$2" "$tmp/.out"; then ok "$1"; else
        not_ok "$1"; sed 's/^/# /' "$tmp/.out" | head -n 20
    fi
}
narrow() { # DESCRIPTION: what it printed fits 80 columns, but for messages, which are one line each
    check "$1" sh -c '! grep -vE "^(error|warning): |: (error|warning): " .out | grep -qE "^.{81}"'
}
tip() { git rev-parse -q --verify "${1:-gh-pages}"; }
# Work tree, index and HEAD, and every other branch: nothing that publishing may touch.
others_of() {
    sha256sum .git/index .git/HEAD .git/config
    git for-each-ref | grep -v gh-pages
    find . -path ./.git -prune -o -path './.out' -prune -o -type f -printf '%p %i %T@\n' | sort
}
exact() { # DESCRIPTION [BRANCH]: the branch holds the site, .nojekyll, their sums, and nothing else
    rm -rf "$tmp/exported" && mkdir "$tmp/exported"
    git archive "${2:-gh-pages}" | tar -xf - -C "$tmp/exported"
    rm -rf "$tmp/expected" && cp -R site "$tmp/expected" && rm "$tmp/expected/.fpreport-build"
    : >"$tmp/expected/.nojekyll"
    (cd "$tmp/expected" && find . -type f | sed 's|^\./||' | LC_ALL=C sort | xargs sha256sum >"$tmp/sums" && mv "$tmp/sums" MANIFEST.sha256)
    check "$1" diff -r "$tmp/expected" "$tmp/exported"
}
change() { # FIGURE: what acme states for its toy case, which fails whatever it is
    sed -i "s/\"micro_batch_size=4\", \"12000\", \"2.5\", \"70\/64\", \"[0-9.]*%\"/\"micro_batch_size=4\", \"12000\", \"2.5\", \"70\/64\", \"$1%\"/" records/results/acme/toy.json
}

# --- What it needs.
mkdir project && cd project && cp -R "$top/tests/golden/build/records" . && ln -s "$top/templates" .
check_exit 2 "no repository: exit 2" pub
cp "$tmp/.out" .out 2>/dev/null; says "and what to do" 'git init'
git init -q -b main . && printf '/templates\n/site\n.out\n' >.gitignore
check_exit 2 "no author: exit 2" pub
says "and what to do" 'git config user.email'
git config --global user.name 'Ann Other' && git config --global user.email ann@example.org
check_exit 2 "no site: exit 2" pub
says "and what to do" 'publish --build'
git add -A && git commit -qm records && git branch other
for name in '-x' 'a..b' HEAD 'a b' ''; do check_exit 2 "no branch can be called '$name'" pub "--branch=$name"; done
git branch a/b && git pack-refs --all && find .git | sort >"$tmp/before"
for name in main/x other/x/y a; do
    check_exit 2 "one that git cannot have beside another: $name" pub --build --branch $name
    says "both named" "found '$name', which git cannot have beside '"
done
find .git | sort >"$tmp/after" && check_same "and nothing is written" "$tmp/before" "$tmp/after"
check "one that is alike" pub --build --branch mainx --dry-run -q && git branch -qD a/b
# What is built apart is waited for, also where whoever starts us ignores SIGCHLD, as some supervisors do.
check "SIGCHLD ignored by whoever starts it" timeout -k 1 300 env --ignore-signal=CHLD "$FPREPORT" publish --build --branch mainx --dry-run -q
check_exit 2 "the branch that is checked out: exit 2" pub --branch main
says "and what to do" 'switch to another branch'
git worktree add -q ../linked other
check_exit 2 "one that another work tree has checked out" pub --branch other
(git init -q -b gh-pages ../unborn && cd ../unborn && cp -R ../project/records . && ln -s "$top/templates" .)
check_exit 2 "one that HEAD names before its first commit" "$FPREPORT" publish -C ../unborn --build -q
check_exit 2 "or one below that" "$FPREPORT" publish -C ../unborn --build -q --branch gh-pages/x
check_exit 2 "an option that is none" pub --pusch
check_exit 2 "two sites" pub a b

# --- The first commit.
"$FPREPORT" build -q >.out 2>&1
echo mine >site/notes.txt && mkdir site/.git && echo x >site/.git/HEAD
find .git | sort >"$tmp/before"; others_of >"$tmp/others"
check "a dry run" pub --dry-run
says "says what it would do" 'would publish to gh-pages, a new branch'
find .git | sort >"$tmp/after"
check_same "and writes nothing" "$tmp/before" "$tmp/after"
check "publishes" pub
cp "$tmp/.out" .out; narrow "in 80 columns"
others_of >"$tmp/after"
check_same "work tree, index, HEAD, configuration and other branches are untouched" "$tmp/others" "$tmp/after"
rm -r site/.git site/notes.txt
exact "the tree is exactly the site and .nojekyll"
check "no file is executable, none is a link" sh -c '! git ls-tree -r gh-pages | grep -v "^100644 blob"'
check "it has no parent" test "$(git rev-list --count gh-pages)" = 1
check "the repository is sound" git fsck --full --strict
check "all objects are in one pack" test "$(find .git/objects/pack -name '*.pack' | wc -l)" = 1
git log -1 --format=%B gh-pages >message
check "the message names the commit of the records" grep -qx "Source: $(git rev-parse HEAD) (main)" message
check "and tool and rules" grep -qE '^Tool: fpreport [0-9.]+, rules [0-9.]+$' message
check "and the states" grep -q '^Publish 3 results: 1 verified, 1 failed, 1 withdrawn$' message
check "who has the files alone can ask whether they are whole" sh -c 'cd "$1" && sha256sum -c --strict --quiet MANIFEST.sha256' - "$tmp/exported"
check "and the sum of the site, as standard tools make it" grep -qx "Site-SHA256: $(sha256sum "$tmp/exported/MANIFEST.sha256" | cut -c1-64)" message
check "the author is git's" test "$(git log -1 --format='%an <%ae>' gh-pages)" = 'Ann Other <ann@example.org>'

# --- Nothing new.
was=$(tip)
check "publishing again" pub
says "says that there is nothing to do" 'already contains this site: no commit'
check "and makes no commit" test "$(tip)" = "$was"

# --- Only what a build would give now is published.
echo '<!-- -->' >>site/index.html
check_exit 3 "a page that somebody edited: exit 3" sh -c 'echo >>records/vendors/acme.json; "$1" publish --accept' - "$FPREPORT"
says "named" 'site/index.html: is not as it was built'
"$FPREPORT" build -q >.out 2>&1
change 80.0
check_exit 2 "a site of other records: exit 2" pub
says "names files that differ" ' files would differ: '
says "and what to do" 'publish with --build'
rm records/results/acme/old.json
check_exit 2 "a site of more records" pub
git checkout -q records
echo '{' >records/models/toy.json
check_exit 3 "malformed records: exit 3" pub --build
says "named" 'records/models/toy.json:'
git checkout -q records && "$FPREPORT" build -q >.out 2>&1
check "nothing of this made a commit" test "$(tip)" = "$was"

# --- Changed verdicts.
change 80.0
check_exit 1 "a changed verdict is refused: exit 1" pub --build
says "the figure is printed" 'mfu row 1.2: stated 90.0%, recomputed 36.000% (FAIL) -> stated 80.0%'
says "and what to do" 'publish --accept'
check "and there is no commit" test "$(tip)" = "$was"
check "accepted it is published" pub --accept
check "on top of the last" test "$(git rev-parse gh-pages~)" = "$was"
exact "exactly"
git log -1 --format=%B gh-pages >message
check "the message says what changed" grep -q '^  acme/toy: failed as before: 1 figure, 2 findings$' message
check "and that records are not committed" grep -q ', with changes that are not committed$' message
sed -i 's/"80.0%"/"36.0%"/; s|"70/64"|"60/64"|' records/results/acme/toy.json
check_exit 1 "a changed state is refused" pub --build
says "and printed" 'acme/toy: failed -> unverified'
check_exit 2 "a name of which nothing changed is not accepted" pub --accept globex/tiny_llama
says "which is said" "--accept globex/tiny_llama: no verdict of this result changed"
check_exit 2 "nor one that is no name" pub --accept=acme
check "accepted by its name" pub --accept acme/toy --dry-run -q
mv records/results/acme/old.json ../old.json
check_exit 1 "of two that changed, one is accepted" pub --build --accept acme/toy
says "the other is named" '`fpreport publish --accept acme/old`'
check "both are" pub --accept acme/toy acme/old --dry-run -q
mv ../old.json records/results/acme/
check "accepted" pub --build --accept=acme/toy -q
mv records/results/acme/old.json ../old.json
check_exit 1 "a result that is gone is refused" pub --build
says "and printed" 'acme/old: withdrawn -> not there'
says "with what would be better" '"withdrawn" and a reason'
check "accepted" pub --accept -q
check "its page stays, with the reason that it had" sh -c 'git show gh-pages:en/result/acme/old/index.html | grep -q "This result was withdrawn, and later removed from the records" && git show gh-pages:en/result/acme/old/index.html | grep -q "Withdrawn on 2026-01-02 by acme: the driver was faulty"'
mv ../old.json records/results/acme/
check "a new result needs no --accept" pub --build -q
check "a change without verdicts neither" sh -c 'sed -i "s/Acme/Acme Inc/" records/vendors/acme.json; "$1" publish --build -q' - "$FPREPORT"
git checkout -q records && pub --build --accept -q >.out 2>&1
exact "and the records of the first day"

# --- What was published before: history and changes are told from the branch.
of() { # FILE EXPRESSION: of a data file that is published
    git show "gh-pages:$1" | python3 -c "import json, sys; d = json.load(sys.stdin); print($2)"
}
states="[[h['state'] for h in r['history']] for r in d['results'] if r['id'] == 'acme/toy'][0]"
check "a figure, then a verdict that changed and came back: $(of data/index.json "$states")" test "$(of data/index.json "$states")" = "['failed', 'failed', 'unverified', 'failed']"
check "a result that was gone was removed, and is back" test "$(of data/index.json "$(echo "$states" | sed s,acme/toy,acme/old,)")" = "['withdrawn', 'removed', 'withdrawn']"
check "the page of the result shows them" test "$(git show gh-pages:en/result/acme/toy/index.html | grep -c 'fpreport [0-9.]*, rule set 20')" -ge 3
check "the change is in the data: $(of data/changes.json "d['rows']")" test "$(of data/changes.json "[list(r.values())[1:5] for r in d['rows'] if r['result'] == 'acme/toy']")" = "[['unverified', 'failed', 'result', 'state'], ['60/64', '70/64', '1.2', 'memory'], ['36.0%', '90.0%', '1.2', 'mfu']]"
check "and an event, without a day, and so in no feed: $(of data/events.json "[list(r.values()) for r in d['rows'] if r['result'] == 'acme/toy'][:1]")" test "$(of data/events.json "len([r for r in d['rows'] if r['result'] == 'acme/toy' and r['event'] == 'state' and not r['date']]) > 1") $(git show gh-pages:en/feed/verdicts.atom | grep -c 'The verdict changed; before, it was')" = "True 0"
was=$(tip)
check "built once more it is the same" pub --build --accept
says "no commit" 'already contains this site: no commit'
check "without the cache, too" sh -c '"$1" build -q --no-cache; "$1" publish' - "$FPREPORT"
says "no commit" 'already contains this site: no commit'
check "other words only" sh -c 'sed -i "s/Acme/Acme Inc/" records/vendors/acme.json; "$1" publish --build -q' - "$FPREPORT"
check "keep the changes that stood there" test "$(of data/changes.json "len(d['rows'])")" -ge 1
check "and are published once" sh -c '"$1" publish --build | grep -q "no commit"' - "$FPREPORT"
git checkout -q records && "$FPREPORT" build -q >.out 2>&1
git update-ref refs/heads/gh-pages "$was" && check "a build of nothing new notices the branch" sh -c '"$1" build -q; "$1" publish | grep -q "no commit"' - "$FPREPORT"
git branch -m gh-pages kept && "$FPREPORT" build -q >.out 2>&1
check "and a branch that is gone" sh -c 'grep -q "\"rows\": \[\]" site/data/changes.json'
git branch -m kept gh-pages && "$FPREPORT" build -q >.out 2>&1

# --- A host name, and branches that are not ours.
echo results.example.org >site/CNAME
check "CNAME is published" pub -q
check "as it is" test "$(git show gh-pages:CNAME)" = results.example.org
rm site/CNAME && pub -q >.out 2>&1
git branch docs main
check_exit 1 "a branch of other things is refused" pub --build --branch docs
says "what to do" '--accept replaces them by the site'
check "and accepted" pub --branch docs --accept -q
exact "it holds the site" docs
for words in "x

Site-SHA256: 0" "Publish 0 results

Site-SHA256: $(printf '%064d' 0)0" "x

Site-SHA256: $(printf '%064d' 0)"; do
    git update-ref refs/heads/claimed "$(git commit-tree -p gh-pages -m "$words" "main^{tree}")"
    check_exit 1 "a commit that only has such a line is not ours" pub --build --branch claimed
done
git update-ref refs/heads/broken "$(git commit-tree -p gh-pages -m "Publish 0 results

Site-SHA256: $(printf '%064d' 0)" "$(printf '100644 blob %s\tverify.json\n' "$(echo '{' | git hash-object -w --stdin)" | git mktree)")"
check_exit 3 "published verdicts that cannot be read: exit 3" pub --build --branch broken
says "named" 'broken:verify.json:2:1: error'
check "and replaced with --accept" pub --branch broken --accept -q
git symbolic-ref refs/heads/alias refs/heads/gh-pages
check_exit 2 "another name of a branch" pub --branch alias
git symbolic-ref -d refs/heads/alias

# --- The same commit anywhere; linked work trees; bare repositories.
cp -R ../project ../twin
for place in . ../twin; do (cd $place && SOURCE_DATE_EPOCH=1700000000 TZ=Asia/Tokyo pub -q --build --branch same >.out 2>&1 && tip same >../id.$(basename "$(pwd)")); done
check_same "the same commit with SOURCE_DATE_EPOCH" ../id.project ../id.twin
check_exit 2 "SOURCE_DATE_EPOCH that is no time" env SOURCE_DATE_EPOCH=soon "$FPREPORT" publish --branch later
(cd ../linked && ln -s "$top/templates" .
 "$FPREPORT" publish --build --branch from-linked --accept >.out 2>&1)
check "from a linked work tree" test -n "$(tip from-linked)"
check "which is the same tree" test "$(git rev-parse 'from-linked^{tree}')" = "$(git rev-parse 'same^{tree}')"
git worktree add -q ../gone -b gone && rm -rf ../gone
check "a work tree that is gone has nothing checked out" pub --branch gone --accept --dry-run -q
git init -q --bare ../bare.git
cp -R records ../bare.records
git -C ../bare.git symbolic-ref HEAD refs/heads/pages
for branch in gh-pages pages; do
    check "into a bare repository, $branch" "$FPREPORT" publish -C ../bare.git --branch $branch --records ../bare.records -q --build ../bare.site
done
git -C ../bare.git worktree add -q ../of-bare -b of-bare gh-pages
for branch in of-bare of-bare/x; do
    check_exit 2 "but not to what a work tree of it has: $branch" "$FPREPORT" publish -C ../bare.git --branch $branch --records ../bare.records -q ../bare.site
done
(cd ../of-bare && cp -R ../project/records . && ln -s "$top/templates" .)
check "from there, to what its HEAD names, as it is bare" "$FPREPORT" publish -C ../of-bare --branch pages --accept -q --build
check "which holds the pages" test "$(git -C ../bare.git rev-parse pages:style.css)" = "$(git rev-parse gh-pages:style.css)"

# --- Two at once, and locks.
change 70.0 && "$FPREPORT" build -q >.out 2>&1
was=$(tip)
for i in 1 2 3; do (pub --accept >race.$i 2>&1; echo $? >code.$i) & done; wait
check "of three at once each comes to its end" test "$(cat code.?)" = "0
0
0"
check "one commit was made" test "$(git rev-parse gh-pages~)" = "$was"
check "and the others say so" test "$(grep -l '^published: ' race.? | wc -l) $(grep -l 'already contains this site' race.? | wc -l)" = "1 2"
rm -f race.? code.?
flock .git/fpreport/lock sleep 1200 & holder=$!
await sh -c '! flock -n .git/fpreport/lock true'
change 71.0 && "$FPREPORT" build -q >.out 2>&1
check_exit 4 "while another publishes all the time: exit 4" env FPREPORT_LOCK_TIMEOUT=1 "$FPREPORT" publish --accept
says "says who" "another fpreport is publishing in this repository (process $holder holds $PWD/.git/fpreport/lock)"
check "who only looks does not wait" timeout 300 "$FPREPORT" publish --accept --dry-run
check_exit 2 "a time to wait that is none" env FPREPORT_LOCK_TIMEOUT=1m "$FPREPORT" publish --accept
pkill -P $holder 2>/dev/null; wait $holder 2>/dev/null
: >.git/refs/heads/gh-pages.lock
check_exit 4 "a lock of another git: exit 4" pub --accept
says "names the file" 'refs/heads/gh-pages.lock'
check "and leaves it" test -e .git/refs/heads/gh-pages.lock
printf '%s refs/heads/gh-pages' "$was" >.git/fpreport/lock && echo "$was" >.git/refs/heads/gh-pages.lock
check "one of a dead publisher is cleared away" pub --accept -q
tip=$(git rev-parse gh-pages) && printf '%s refs/heads/gh-pages' "$tip" >.git/fpreport/lock && echo "$tip" >.git/refs/heads/gh-pages.lock
check_exit 0 "also where there is no commit to make" pub
check "and is gone" test ! -e .git/refs/heads/gh-pages.lock
printf '%s refs/heads/../../config' "$was" >.git/fpreport/lock && cp .git/config config.was
change 72.0 && pub --build --accept -q >.out 2>&1
check "a note that names no branch removes nothing" cmp .git/config config.was

# A git that packs anew meanwhile leaves what no branch has yet.
if strace -f -o calls true 2>/dev/null; then
    change 73.0 && "$FPREPORT" build -q >.out 2>&1
    strace -f -qq -o calls -P "$PWD/.git/refs/heads/gh-pages.lock" -e trace=openat -e inject=openat:signal=KILL "$FPREPORT" publish --accept -q
    keep=$(echo .git/objects/pack/*.keep) && git repack -adq
    check "the pack of a publisher that has not moved the branch yet is not packed away" test -e "${keep%.keep}.pack"
    check "the next one goes on with it" pub --accept -q
    check "and lets it go" test ! -e "$keep" -a -z "$(git fsck --connectivity-only 2>&1 | grep -v dangling)"
else skip "a git that packs meanwhile: no strace"; fi

# --- Remotes.
git init -q --bare ../remote.git && git remote add origin "$PWD/../remote.git"
git remote add nowhere ../no-such.git
check_exit 2 "no such remote: exit 2" pub --push=upstream
says "what to do" 'git remote add upstream URL'
check_exit 2 "a remote behind a blank: exit 2" pub --push origin
says "how it is named" '--push=origin'
check_exit 4 "a remote that is not there: exit 4" pub --push=nowhere
says "what to do" 'git push -- nowhere gh-pages'
check "pushes what is published already" pub --push
says "says so" 'pushed to origin'
there() { git -C ../remote.git rev-parse gh-pages; }
check "the remote has it" test "$(there)" = "$(tip)"
check "and again: nothing to push" sh -c '"$1" publish --push | grep -q "no commit" && ! "$1" publish --push | grep -q pushed' - "$FPREPORT"
change 73.0
check "builds, commits and pushes in one go" pub --build --accept --push="file://$(cd .. && pwd)/remote.git"
check "the remote has it" test "$(there)" = "$(tip)"
git clone -q ../remote.git ../colleague 2>.out && (cd ../colleague && git fetch -q origin gh-pages && cp -R ../project/records . &&
    ln -s "$top/templates" . && "$FPREPORT" build -q; sed -i 's/73.0/74.0/' records/results/acme/toy.json
    "$FPREPORT" publish --build --accept --push -q) >.out 2>&1
check "a fresh clone builds upon what it fetched" test "$(git -C ../remote.git rev-parse gh-pages~)" = "$(tip)"
was=$(tip)
change 75.0
check_exit 1 "a remote that is further: refused, exit 1" pub --build --accept --push
says "what to do" 'git fetch origin gh-pages:refs/remotes/origin/gh-pages'
check "before anything is committed" test "$(tip)" = "$was"
git fetch -q origin gh-pages:refs/remotes/origin/gh-pages
check "after that it builds upon the other's" pub --build --accept --push
check "as its child" test "$(git rev-parse gh-pages~)" = "$(git -C ../colleague rev-parse gh-pages)"
check "the remote is sound" git -C ../remote.git fsck --full --strict
change 76.0
git init -q -b fresh ../worktree.git
check_exit 1 "a remote whose work tree has the branch checked out refuses it: exit 1" pub --build --accept --branch fresh --push="$PWD/../worktree.git"
says "committed here" 'committed here only'

# Over a protocol, where a hook can refuse and an answer can be lost.
if [ -x "$(git --exec-path)/git-daemon" ] && command -v python3 >/dev/null; then
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    git daemon --export-all --enable=receive-pack --base-path="$tmp" --listen=127.0.0.1 --port="$port" --reuseaddr "$tmp" 2>daemon.log &
    daemon=$!
    url=git://127.0.0.1:$port/remote.git
    await git ls-remote $url
    check "pushes over git://" pub --build --accept --push=$url -q
    check "the remote has it" test "$(there)" = "$(tip)"
    hook=../remote.git/hooks/pre-receive
    printf '#!/bin/sh\nexit 1\n' >$hook && chmod +x $hook
    was=$(tip) && change 77.0
    check_exit 1 "a hook that refuses: exit 1" pub --build --accept --push=$url
    says "says where the commit is" 'committed here only'
    check "it is" test "$(git rev-parse gh-pages~)" = "$was" -a "$(there)" = "$was"
    # The answer is lost, but the remote can be asked.
    hook=../remote.git/hooks/post-receive
    rm ../remote.git/hooks/* && printf '#!/bin/sh\nkill -9 $PPID\n' >$hook && chmod +x $hook
    check "an answer that is lost is asked for" pub --push=$url
    check "the remote has it" test "$(there)" = "$(tip)"
    printf '#!/bin/sh\nmv "$PWD" "%s/gone.git"; kill -9 $PPID\n' "$tmp" >$hook
    change 78.0
    check_exit 5 "when it cannot be asked: exit 5" pub --build --accept --push=$url
    says "says what to do" 'publish again to find out'
    mv ../gone.git ../remote.git && rm ../remote.git/hooks/*
    check "doing so tells" pub --push=$url
    kill $daemon; wait $daemon 2>/dev/null
else
    skip "needs git daemon"
fi

# --- docs/PUBLISHING.md, line by line.
git init -q --bare ../documented.git && git init -q -b main ../documented && cp -R "$top/tests/golden/build/records" "$top/templates" ../documented/
(cd ../documented && git add records && git commit -qm records && git remote add origin "$tmp/documented.git")
awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$top/docs/PUBLISHING.md" >../lines
check "docs/PUBLISHING.md shows commands" test "$(wc -l <../lines)" -ge 6
while IFS= read -r line; do
    case $line in *'# exit 1'*) want=1 ;; *) want=0 ;; esac
    check_exit $want "$line" sh -c "cd ../documented && PATH='$(dirname "$FPREPORT")':\$PATH && $line"
done <../lines
check "and so it was published" test "$(git -C ../documented.git rev-parse gh-pages)" = "$(git -C ../documented rev-parse gh-pages)"
for code in 0 1 2 3 4 5; do check "its table says what exit $code is" grep -q "^| $code |" "$top/docs/PUBLISHING.md"; done

# --- Published, and nobody can be told (kills, full disks and the rest: tests/torture).
if [ -c /dev/full ]; then
    change 79.0 && pub --build --accept -q >.out 2>&1
    echo full.example.org >site/CNAME && was=$(tip)
    check_exit 5 "an output that cannot be written: exit 5" sh -c '"$1" publish >/dev/full' - "$FPREPORT"
    check "it is published" test "$(git rev-parse gh-pages~)" = "$was"
    rm site/CNAME
else
    skip "needs /dev/full"
fi

# --- A disk that is full, and one that is read-only.
mkdir ../disk
if mount -t tmpfs -o size=4m tmpfs ../disk 2>/dev/null; then
    git init -q -b main ../disk && cp -R records ../disk/ && ln -s "$top/templates" ../disk/
    (cd ../disk && "$FPREPORT" build -q >../.built 2>&1)
    head -c 6000000 /dev/urandom >../disk/fill 2>/dev/null
    check_exit 4 "a full disk: exit 4" "$FPREPORT" publish -C ../disk
    says "says so" 'No space left on device'
    check "and there is no branch" sh -c '! git -C ../disk rev-parse -q --verify gh-pages'
    rm ../disk/fill
    check "with space it succeeds" "$FPREPORT" publish -C ../disk -q
    mount -o remount,ro ../disk
    check "read-only with nothing to do" "$FPREPORT" publish -C ../disk -q
    check_exit 4 "a read-only repository: exit 4" "$FPREPORT" publish -C ../disk --branch next
    says "says so" 'Read-only file system'
    umount ../disk
else
    skip "needs mount, for a full disk"
fi
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    chmod 755 "$tmp" . && cp "$FPREPORT" ../fpreport.copy && chmod 755 ../fpreport.copy
    check_exit 2 "a repository of another user: exit 2" setpriv --reuid=65534 --clear-groups env HOME=/nonexistent ../fpreport.copy publish
    says "and what to do" 'safe.directory'
else
    skip "needs root, to be somebody else"
fi
plan_done
