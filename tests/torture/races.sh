#!/bin/sh
# races.sh PROGRAM COUNT: two publishers of two sites at once, COUNT times, into one branch of one
# repository. Each that says it published has its commit, with the site that it names, there are no
# others, and the repository is sound; what was refused is printed. Ends with 1 where that is not so.
set -u
program=$(realpath "$1") count=$2
top=$(cd "$(dirname "$0")/../.." && pwd) && tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export HOME="$tmp" GIT_CONFIG_NOSYSTEM=1
git config --global user.name A && git config --global user.email a@example.org
mkdir "$tmp/one" && cd "$tmp/one" && cp -R "$top/tests/golden/build/records" . && ln -s "$top/templates" . || exit 1
git init -q -b main . && printf '/templates\n/site\n' >.gitignore && git add -A && git commit -qm records &&
    git worktree add -q ../two -b two && ln -s "$top/templates" ../two/ && rm ../two/records/results/acme/old.json || exit 1
published=0 there=0 refused=0 turn=0 wrong=0
while [ $turn -lt "$count" ]; do
    turn=$((turn + 1))
    for side in one two; do
        { "$program" publish --build --accept -C "$tmp/$side" >"$tmp/$side.out" 2>&1; echo $? >"$tmp/$side.code"; } &
    done
    wait
    for side in one two; do
        case $(cat "$tmp/$side.code"),$(tail -n 1 "$tmp/$side.out") in
        0,*'holds this site already'*) there=$((there + 1)) ;;
        0,*) published=$((published + 1)) ;;
        *) refused=$((refused + 1)) && tail -n 3 "$tmp/$side.out" ;;
        esac
    done
done
for commit in $(git rev-list gh-pages); do
    sum=$(git show "$commit:MANIFEST.sha256" | sha256sum | cut -c1-64)
    git log -1 --format=%B "$commit" | grep -qx "Site-SHA256: $sum" || wrong=$((wrong + 1))
done
commits=$(git rev-list --count gh-pages)
echo "$turn races: $published published, $there there already, $refused refused; $commits commits, $wrong of another site"
git fsck --full --strict >/dev/null 2>&1 && [ "$commits" = $published ] && [ $wrong = 0 ]
