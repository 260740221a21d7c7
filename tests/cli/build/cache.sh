#!/bin/sh
# What a build remembers never shows: after random edits (cache.py) its bytes, words and exit code
# are those of a build that remembers nothing; and it does remember.
[ -w /dev/shm ] && TMPDIR=/dev/shm && export TMPDIR # a hundred builds, and each syncs its disk
. "$(dirname "$0")/../../lib.sh"
cp -R "$top/tests/golden/build/records" "$tmp/records" && cp -R "$top/templates" "$tmp/templates"
cd "$tmp" || exit 1

build() { "$FPREPORT" build "$@" >words 2>&1; }
says() { grep -qF -- "$1" words; }

steps=14 seeds="1 2${LONG:+ 3 4}" # `make check-long` takes more
[ "$VARIANT" = asan ] && steps=8 seeds='5'
for seed in $seeds; do
    rm -rf run && mkdir run && cp -R records templates run/
    check "seed $seed: $steps edits, and always what is built anew" \
        python3 "$top/tests/cli/build/cache.py" "$FPREPORT" run "$seed" $steps
    cat "$tmp/.out" | sed 's/^/# /'
done

check_exit 1 "a build" build -v -o site
check_exit 1 "and again" build -v -o site
check "does nothing" says 'cache: nothing has changed'
check "but says the same" says 'records/results/acme/toy.json:61: error: MFU is stated as 90.0%'
# Whoever hears less, more, or in colors: it is the same build.
is_remembered() { # ARGUMENTS…: what is said is what a build says that remembers nothing
    "$FPREPORT" build "$@" -o site >was 2>was.err; noted=$(ls -i site.fpreport-cache)
    "$FPREPORT" build "$@" --no-cache -o anew >cold 2>cold.err
    [ -n "$first" ] && [ "$noted" = "$first" ] && sed 's/^anew: [0-9]* files written, 0/site: 0 files written, N/' cold >cold.out &&
        sed 's/^site: 0 files written, [0-9]*/site: 0 files written, N/' was | cmp - cold.out && grep -v '^cache: ' was.err | cmp - cold.err
}
first=$(ls -i site.fpreport-cache)
for words in '' -q -v '--color=always' '-q --color=always'; do
    rm -rf anew*
    check "and so it does with '$words'" is_remembered $words
done
check "it lies beside the site, not in it" sh -c '[ -f site.fpreport-cache ] && ! find site | grep cache'
rm site.fpreport-cache
check_exit 1 "--no-cache" build --no-cache -v -o site
check "makes everything" sh -c '! grep -q "cache:" words'
check "and keeps nothing" test ! -e site.fpreport-cache
ln -s /nonexistent/folder site.fpreport-cache
check_exit 1 "a cache that cannot be written is no fault" build -o site
rm -f site.fpreport-cache && mkdir site.fpreport-cache
check_exit 1 "nor is a folder in its place" build -o site
rmdir site.fpreport-cache

# What lists tell of an error is told anew with it.
conflict() { jq --arg t "<<<<<<< $1" '.performance[0].text = $t' "$top/tests/golden/build/records/results/acme/toy.json" >records/results/acme/toy.json; }
conflict ours && build -o site; conflict theirs && build -o site; build --no-cache -o anew
check "another error of the whole result shows in lists" sh -c 'grep -q "<<<<<<< theirs\|&lt; theirs" site/en/results/index.html && diff -r site anew'
cp "$top/tests/golden/build/records/results/acme/toy.json" records/results/acme/toy.json
rm -rf site site.fpreport-* anew anew.fpreport-*

# A page leads to another that its own rows do not imply, as soon as that one is there, and no longer.
mv records/results kept && mkdir -p records/results/globex records/results/acme
jq '.vendor = "globex"' kept/acme/toy.json >records/results/globex/toy.json
sed 's/Box 8/Box 9/' kept/acme/toy.json >other.json
maker() { # WHAT RECORD-OF-THE-MAKER LINKS
    if [ "$2" ]; then cp "$2" records/results/acme/toy.json; else rm -f records/results/acme/toy.json; fi
    build -v -o site; how=$(grep -c 'cache: [0-9]* of [0-9]* results are verified' words); rm -rf anew*; build --no-cache -o anew
    check "$1" test "$(grep -c 'vendor/acme/index.html' site/en/accelerator/box8/index.html) $(diff -r site anew >&2 && echo same)" = "$3 same"
}
maker "a card whose maker has no page names him without a link" '' 0
maker "with one, once he has a result on another card" other.json 1
check "which the build found without making everything" test "$how" = 1
maker "and without, when it is gone" '' 0
rm -rf records/results site site.fpreport-* anew anew.fpreport-* && mv kept records/results

# A file that was changed in the site, which is the same file in the spare tree; then the site was removed.
rm -rf again* fresh* && build -o fresh --no-cache; build -o again
check "a site has a spare tree of the same files" test again/index.html -ef again.fpreport-previous/index.html
echo x >>again.fpreport-previous/index.html
check_exit 1 "a file that was changed" build -o again
check "is mended" diff -rq -x .fpreport-build again fresh
rm -rf again.fpreport-previous && mv again again.fpreport-previous && chmod 700 again.fpreport-previous && echo y >again.fpreport-previous/mine
rm -rf fresh*.fpreport-*
check_exit 1 "it is built again" build -o again
check "as it would be anew" sh -c 'diff -rq -x .fpreport-build -x mine again fresh'
check "and what is nobody's of ours is kept" grep -qx y again/mine
check "and the second tree is gone" test ! -e again.fpreport-previous
check_exit 1 "and again" build -o again

# What came with a checkout, or is another's, is neither believed nor written to.
echo mine >victim && ln -s victim site.fpreport-cache
check_exit 1 "a link in place of the cache" build -o site
check "is not followed" test "$(cat victim) $(readlink site.fpreport-cache)" = "mine victim"
rm site.fpreport-cache && ln victim site.fpreport-cache
check_exit 1 "a second name of another file" build -o site
check "is not written to" test "$(cat victim)" = mine
rm site.fpreport-cache
check_exit 1 "a whole site" build -o other
rm -rf site site.fpreport-* && ln -s other site.fpreport-previous && files=$(find other | wc -l)
check_exit 1 "a link in place of the second tree" build -o site
check "takes nothing from where it leads" test "$(find other | wc -l)" = "$files"
rm site.fpreport-previous && mkdir -m 755 site.fpreport-previous && rm -rf site && cp other/.fpreport-build site.fpreport-previous/ && echo evil >site.fpreport-previous/evil.html
check_exit 1 "a folder that came with a checkout" build -o site
check "brings nothing into the site" test ! -e site/evil.html
rm -rf site.fpreport-previous && ln victim site.fpreport-lock
check_exit 2 "a second name of a file in place of the lock" build -o site
check "is not written to, either" test "$(cat victim)" = mine
rm site.fpreport-lock

# What it was asked for is part of what is remembered.
build -o site
cp records/results/acme/toy.json kept.json
echo '{' >records/results/acme/toy.json
build -o site --keep-going
check_exit 3 "without --keep-going" build -o site
check "the site stays as it was, whatever was built with it" says 'site stays unchanged'
cp kept.json records/results/acme/toy.json
build -o site

# Records that come with the program answer where the project has none: they are inputs, too.
mkdir -p installed/records lent && cp "$FPREPORT" installed/fpreport && cp -R templates installed/ && cp -R records/accelerators installed/records/
cp -R records lent/ && rm lent/records/accelerators/* && cp -R templates lent/
lent() { installed/fpreport build -q -C lent "$@" >words 2>&1; }
lent -o site && sleep 0.1; lent -o before --no-cache
sed -i 's/"tflops": 200/"tflops": 400/' installed/records/accelerators/box8.json
lent -o site; lent -o anew --no-cache
check "an accelerator of the program's own records that changed changes the site" sh -c '! diff -rq lent/before lent/anew >/dev/null'
check "which the cache does not hide" diff -r lent/site lent/anew

mv records/results real && ln -s ../real records/results
check_exit 1 "records behind a link" build -o site
check_exit 1 "cannot be watched" build -v -o site
check "so they are read" sh -c '! grep -q "cache:" words'
plan_done
