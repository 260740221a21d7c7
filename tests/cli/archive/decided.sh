#!/bin/sh
# Decisions of people about an archive: by the name of a result, for one reason in either language; what older
# commits and archives hold after a redaction is said; each action has a --help of its own.
place=memory; . "$(dirname "$0")/../../lib.sh"
export HOME="$tmp/home" GIT_CONFIG_NOSYSTEM=1 && mkdir "$HOME"
cd "$tmp" && git init -q -b main project && cd project || exit 1
git config --global user.name 'Ann Other' && git config --global user.email ann@example.org
cp -R "$top/tests/golden/build/records" records && ln -s "$top/templates" templates
printf '/templates\n/site\n/site.*\n' >.gitignore && git add -A && git commit -qm records
archive() { "$FPREPORT" archive "$@"; }
run=records/evidence/globex/run.tar.zst
id=$(tar --zstd -xOf $run SHA256SUMS | sha256sum | cut -c1-64)
object=$(sha256sum <$run | cut -c1-64)

mkdir ../run && tar -C ../run --zstd -xf $run && rm ../run/SHA256SUMS && echo two >../run/note.txt
"$FPREPORT" collect -q ../run -o ../two.tar.zst >/dev/null && archive add -q ../two.tar.zst >/dev/null
check_exit 2 "a result whose evidence is not in the archive" archive withdraw globex/tiny_llama --reason x
cp "$tmp/.out" said && check "is told how it gets there" grep -qxF "error: globex/tiny_llama: the submission of this result is not in the archive archive; \`fpreport archive add $run\` adds it" said
check_exit 2 "a result without evidence" archive withdraw acme/toy --reason x
cp "$tmp/.out" said && check "is withdrawn by its record" grep -q '^error: acme/toy: the result has no evidence .*to withdraw it, write "withdrawn" with date, by and reason into records/results/acme/toy.json$' said
rm -r archive
check "added" archive add -q $run
check_exit 2 "a name that no result has" archive redact globex/nothing notes.txt --reason x
cp "$tmp/.out" said && check "which is said" grep -qxF "error: globex/nothing: no result of this name in records, expected VENDOR/CASE or an id" said
check_exit 2 "no reason at all" archive withdraw globex/tiny_llama
cp "$tmp/.out" said && check "asks for one in either language" grep -qx 'error: archive withdraw needs --reason TEXT or --reason-zh TEXT' said
check "the whole of it is published" "$FPREPORT" publish --build -q
log=$(tar --zstd -tf $run | grep 'log$' | head -n 1)
archive redact globex/tiny_llama "$log" --reason-zh "内有机器名称" >said 2>&1
check "redacted by the name of the result, for a Chinese reason alone" jq -se --arg id "$id" '.[1].submission == $id and (.[1].reason | tostring | test("内有机器名称"))' archive/log.jsonl
check "the archive still has it" grep -qx "archive/objects/sha256/$(echo "$object" | cut -c1-2)/$object still contains the complete submission, for everybody who can read the archive" said
check "so have the records" grep -qxF "$run still contains the complete submission; so do the commits with this file" said
check "so has the commit that was published" grep -qx "evidence/globex/run.tar.zst is still in 1 commit of gh-pages, the newest of them $(git rev-parse gh-pages | cut -c1-12)" said
check "what to do about it" grep -q "^a later commit does not remove these files: rewrite gh-pages" said
"$FPREPORT" publish --build --accept >said 2>&1
check "publishing says it, too" grep -qx "evidence/globex/run.tar.zst is still in 1 commit of gh-pages, the newest of them $(git rev-parse gh-pages^ | cut -c1-12)" said
archive redact globex/tiny_llama --publish full >said 2>&1
check "a decision for all of it says nothing of the kind" sh -c '! grep -q "^still there" said'
check "withdrawn by the name of the result" archive withdraw globex/tiny_llama --reason "wrong driver"
check "all of the run is" jq -se --arg id "$id" '.[-1] | .kind == "withdrawn" and .submission == $id' archive/log.jsonl
check "the result is withdrawn" sh -c '"$1" verify --format json globex/tiny_llama | jq -e ".runs[0].state == \"withdrawn\""' - "$FPREPORT"

# --- Each action has a --help of its own, and takes its own options only.
for action in add list show withdraw redact repair; do
    "$FPREPORT" archive $action --help >own
    "$FPREPORT" help archive $action >asked
    check_same "help archive $action is archive $action --help" own asked
    check "it fits a screen" awk 'length > 80 || NR > 40 { bad = 1 } END { exit bad }' own
    check "its usage is its own" grep -q "^usage: fpreport archive $action" own
done
check "withdraw takes a reason" sh -c '"$1" archive withdraw --help | grep -q -e "--reason TEXT"' - "$FPREPORT"
check "list has no reason" sh -c '! "$1" archive list --help | grep -q -e --reason' - "$FPREPORT"
check_exit 2 "nor does it take one" archive list --reason x
check_exit 2 "help of an action that is none" "$FPREPORT" help archive nothing
plan_done
