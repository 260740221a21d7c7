#!/bin/sh
# fpreport list: results with their states; fpreport status: what changed since the last build, what is pending.
place=memory; . "$(dirname "$0")/../../lib.sh"
export HOME="$tmp/home" GIT_CONFIG_NOSYSTEM=1 && mkdir "$HOME"
cd "$tmp" && git init -q -b main project && cd project || exit 1
git config --global user.name 'Ann Other' && git config --global user.email ann@example.org
cp -R "$top/tests/golden/build/records" records && ln -s "$top/templates" templates
printf '/templates\n/site\n/site.*\n' >.gitignore && git add -A && git commit -qm records

"$FPREPORT" verify --format json 2>/dev/null | jq -c '[.runs[] | [.id, .state]]' >expected
"$FPREPORT" list --format json | jq -c '[.[] | [.id, .state]]' >said
check_same "the states are those of verify" expected said
check "a list for people" sh -c '"$1" list | grep -qE "^acme/toy +failed "' - "$FPREPORT"
check "its exit code says nothing of states" "$FPREPORT" list
check "of one vendor" sh -c 'test "$("$1" list globex --format json | jq -r ".[].id")" = globex/tiny_llama' - "$FPREPORT"
check_exit 2 "of a vendor that has none" "$FPREPORT" list nobody
mkdir ../nothing && cd ../nothing || exit 1
for command in list status fsck; do
    check_exit 2 "$command without records of one's own" "$FPREPORT" $command
    cp "$tmp/.out" said
    check "the ways on of $command" grep -q -- "fpreport new project DIR.*-C DIR or --records DIR" said
done
cd ../project || exit 1

status() { "$FPREPORT" status "$@"; }
status >said 2>&1
check "a site that was never built" grep -qxF 'site: not built yet; `fpreport build`' said
"$FPREPORT" build -q >/dev/null 2>&1; status >said 2>&1
check "built, nothing differs" grep -qx 'site: is up to date' said
check "nothing is published" grep -qxF 'gh-pages: nothing is published yet; `fpreport publish`' said
"$FPREPORT" publish -q >/dev/null 2>&1; status >said 2>&1
check "published, that is no longer said" sh -c '! grep -q gh-pages said'
cp -R site before
sed -i 's/"90.0%"/"36.0%"/; s|"70/64"|"60/64"|' records/results/acme/toy.json
status >said 2>&1
check "a verdict that changed since is named" grep -q '^  acme/toy: failed -> ' said
check "files that would change are counted" grep -qE '^site: [0-9]+ files would change; `fpreport build`$' said
check "nothing is written" diff -r before site
"$FPREPORT" build -q >/dev/null 2>&1; status >said 2>&1
check "built, it is not published" grep -qE '^gh-pages [0-9a-f]{12}: not the site in site; `fpreport publish`$' said
mkdir run && tar -C run --zstd -xf records/evidence/globex/run.tar.zst && rm run/SHA256SUMS && echo two >run/note.txt
"$FPREPORT" collect -q run -o two.tar.zst >/dev/null && "$FPREPORT" archive add -q two.tar.zst >/dev/null
status >said 2>&1
check "a submission without a result" grep -qE '^[0-9a-f]{16} in archive: no result names this submission; ' said
check "evidence that is not archived" grep -qxF 'records/evidence/globex/run.tar.zst: not in archive; `fpreport archive add records/evidence/globex/run.tar.zst`' said
rm records/vendors/globex.json && status >said 2>/dev/null
check "a name without a record" grep -qxF 'globex/tiny_llama: no record of its vendor; `fpreport new records`' said
long=a-vendor-whose-name-is-longer-than-the-column
mkdir records/results/$long && sed "s/\"vendor\": *\"acme\"/\"vendor\": \"$long\"/" records/results/acme/toy.json >records/results/$long/toy.json
"$FPREPORT" list 2>/dev/null >said
check "in a pipe no name is cut" grep -q "^$long/toy " said
check "and the states stand below each other" sh -c 'test "$(awk "/\/toy / { print index(\$0, \" \" \$2 \" \") }" said | uniq | wc -l)" -eq 1'
check "on a terminal it is cut to 80 columns" sh -c 'script -qec "$1 list" /dev/null </dev/null 2>/dev/null | grep -q "^a-vendor-whose-name-is-longer-than-th…"' - "$FPREPORT"
plan_done
