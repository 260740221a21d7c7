#!/bin/sh
# The documents are true: what README shows as commands runs, what the documents name exists.
. "$(dirname "$0")/../lib.sh"
gcc_only "the same commands run in the gcc variant"
cd "$top" || exit 1

# --- Every `sh` block of README, line by line, in a copy of the project. A line that says "exit N"
# in its comment ends so, every other one with 0.
mkdir "$tmp/project" && cp -R README.md records templates tests "$tmp/project/"
cp "$FPREPORT" "$tmp/project/fpreport"
awk '/^```sh$/ { inside = 1; block++; next } /^```$/ { inside = 0 } inside { print block "\t" $0 }' README.md >"$tmp/lines"
check "README shows commands" test -s "$tmp/lines"
# One shell for all lines of a block, so that what one sets the next can use.
for block in $(cut -f1 "$tmp/lines" | sort -un); do
    awk -F '\t' -v b="$block" '$1 == b { print $2 }' "$tmp/lines" >"$tmp/block"
    # Where nothing is compared with what others published, sequences of 8 tokens do.
    if grep -q -e --checkpoint-every "$tmp/block"; then
        sed -i 's/"sequence_length": 64,/"sequence_length": 8,/' "$tmp/project/records/cases/tiny_llama.json"
        check "what goes on is trained on less" grep -q '"sequence_length": 8,' "$tmp/project/records/cases/tiny_llama.json"
    fi
    {
        echo "cd '$tmp/project' || exit 1"
        while IFS= read -r line; do
            want=$(printf '%s\n' "$line" | sed -n 's/.*#.*exit \([0-9]\).*/\1/p')
            printf '%s\n' "$line" 'got=$?'
            printf 'echo "RESULT $got %s"\n' "${want:-0}"
        done <"$tmp/block"
    } >"$tmp/script"
    sh "$tmp/script" >"$tmp/said" 2>&1
    n=0
    while IFS= read -r line; do
        n=$((n + 1))
        result=$(grep '^RESULT ' "$tmp/said" | sed -n "${n}p")
        want=$(printf '%s\n' "$line" | sed -n 's/.*#.*exit \([0-9]\).*/\1/p')
        # `build` ends with 1 when a published result fails its checks, which the text says.
        case $line in *'fpreport build'*) want=1 ;; esac
        got=$(echo "$result" | cut -d' ' -f2)
        if [ "$got" = "${want:-0}" ]; then ok "README: ${line%%  *}"; else
            not_ok "README: ${line%%  *}"; echo "# exit ${got:-none}, expected ${want:-0}"; sed 's/^/# /' "$tmp/said" | tail -n 15
        fi
    done <"$tmp/block"
done
check "what they promise is there: the site" test -s "$tmp/project/site/index.html"
check "and a record of one's own" sh -c "ls '$tmp'/project/my-records/results/fpreport/*.json"

# --- What TESTING shows runs where it is built.
awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' docs/TESTING.md >"$tmp/shown"
while IFS= read -r line; do check "TESTING: ${line%%  *}" sh -c "$line"; done <"$tmp/shown"
check "two ways are shown" test "$(wc -l <"$tmp/shown")" -eq 2

# --- Names of files and folders, in code spans and links.
for doc in README.md docs/*.md; do
    here=$(dirname "$doc")
    {
        grep -oE '`[a-z_]+/[A-Za-z0-9_./-]*`' "$doc" | tr -d '`'
        grep -oE '\]\([^)#:]+[)#]' "$doc" | sed 's/^](//; s/[)#]$//'
    } | sort -u | while read -r name; do
        case $name in
        # what a command leaves or the installation makes, folders of a site, patterns, numbers; names in capitals are placeholders
        *NAME* | *ROOM* | data/* | log/ | round/ | disclosure/ | token* | site | site/* | result/* | run/* | my-records/* | build/* | evidence/* | archive/* | records/formats/* | signers/* | [0-9]*/[0-9]*) continue ;;
        esac
        # A header may be named from its stage, as its includes are.
        for at in "$name" "$here/$name" records/"$name" templates/"$name"; do
            [ -e "$at" ] && continue 2
        done
        echo "$doc: $name"
    done
done >"$tmp/missing"
check_same "every file that the documents name exists" /dev/null "$tmp/missing"

# --- Commands and exit codes that README lists are those of the program.
"$FPREPORT" help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' | sort >"$tmp/commands"
sed -n 's/^| `\([a-z]*\)` |.*/\1/p' README.md | sort >"$tmp/listed"
comm -13 "$tmp/commands" "$tmp/listed" >"$tmp/unknown"
check_same "every command of README exists" /dev/null "$tmp/unknown"
plan_done
