#!/bin/sh
# The walk through a vendor's submission: the commands of docs/VENDOR.md run as they stand there, in one shell, and
# those of docs/VENDOR.zh.md are the same.
. "$(dirname "$0")/../../lib.sh"
gcc_only "the same commands run in the gcc variant"
commands() { awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$1"; }
mkdir "$tmp/bin" "$tmp/work" && ln -s "$(realpath "$FPREPORT")" "$tmp/bin/fpreport" && PATH=$tmp/bin:$PATH
commands "$top/docs/VENDOR.md" >"$tmp/commands"
commands "$top/docs/VENDOR.zh.md" >"$tmp/chinese"
check_same "the Chinese page has the same commands" "$tmp/commands" "$tmp/chinese"
check "ten of them" test "$(wc -l <"$tmp/commands")" -eq 10
# Those of the operator, too, which are indented.
operator() { awk '/^## (What the operator does|运营方的操作)$/ { inside = 1 } inside && sub(/^    /, "")' "$1"; }
operator "$top/docs/VENDOR.md" >"$tmp/operator"
operator "$top/docs/VENDOR.zh.md" >"$tmp/chinese"
check_same "and the same of the operator" "$tmp/operator" "$tmp/chinese"
check "six of them" test "$(wc -l <"$tmp/operator")" -eq 6
script() { # FOLDER COMMANDS: as they stand there, in one shell, each with its exit code
    echo "cd '$1' || exit 1"
    while IFS= read -r line; do printf '%s\necho "RESULT $?"\n' "$line"; done <"$2"
}
each_ends_well() { # COMMANDS SAID
    n=0
    while IFS= read -r line; do
        n=$((n + 1))
        check "$n: ${line%% -*}" test "$(grep '^RESULT' "$2" | sed -n "${n}p")" = "RESULT 0"
    done <"$1"
}
script "$tmp/work" "$tmp/commands" >"$tmp/script"
sh "$tmp/script" >"$tmp/said" 2>&1
each_ends_well "$tmp/commands" "$tmp/said"
check "the result is verified" sh -c 'cd "$1/work/acme-tiny_llama" && fpreport list --format json | jq -e ".[0].state == \"verified\""' - "$tmp"
check "the submission is packed" sh -c 'tar -tzf "$1/work/acme-tiny_llama.tar.gz" | grep -q "^records/evidence/acme/.*\.tar\.zst$"' - "$tmp"
check "which is signed" sh -c 'tail -n 40 "$1/said" | grep -q "signed"' - "$tmp"
(cd "$tmp/work" && fpreport -q new project bench && git init -q bench) >"$tmp/.out" 2>&1
script "$tmp/work/bench" "$tmp/operator" >"$tmp/script"
sh "$tmp/script" >"$tmp/said" 2>&1
each_ends_well "$tmp/operator" "$tmp/said"
check "the operator has it, verified" sh -c 'cd "$1/work/bench" && fpreport list --format json | jq -e "[.[] | select(.id == \"acme/tiny_llama\" and .state == \"verified\")] | length == 1"' - "$tmp"
check "and has published it" sh -c 'git -C "$1/work/bench" show gh-pages:en/result/acme/tiny_llama/index.html | grep -q tiny_llama' - "$tmp"
plan_done
