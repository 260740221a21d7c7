#!/bin/sh
# What a build remembers never shows: after random edits (cache.py) its bytes, words and exit code
# are those of a build that remembers nothing; and it does remember.
[ -w /dev/shm ] && TMPDIR=/dev/shm && export TMPDIR # a hundred builds, and each syncs its disk
. "$(dirname "$0")/../lib.sh"
cp -R "$top/tests/golden/build/records" "$tmp/records" && cp -R "$top/templates" "$tmp/templates"
cd "$tmp" || exit 1

build() { "$FPREPORT" build "$@" >words 2>&1; }
says() { grep -qF -- "$1" words; }

steps=14 seeds='1 2 3 4'
[ "$VARIANT" = asan ] && steps=8 seeds='5'
for seed in $seeds; do
    rm -rf run && mkdir run && cp -R records templates run/
    check "seed $seed: $steps edits, and always what is built anew" \
        python3 "$top/tests/cli/cache.py" "$FPREPORT" run "$seed" $steps
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
mv records/results real && ln -s ../real records/results
check_exit 1 "records behind a link" build -o site
check_exit 1 "cannot be watched" build -v -o site
check "so they are read" sh -c '! grep -q "cache:" words'
plan_done
