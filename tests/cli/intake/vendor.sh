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
sed -n 's/^    fpreport/fpreport/p' "$top/docs/VENDOR.md" >"$tmp/operator"
sed -n 's/^    fpreport/fpreport/p' "$top/docs/VENDOR.zh.md" >"$tmp/chinese"
check_same "and the same of the operator" "$tmp/operator" "$tmp/chinese"
{
    echo "cd '$tmp/work' || exit 1"
    while IFS= read -r line; do printf '%s\necho "RESULT $?"\n' "$line"; done <"$tmp/commands"
} >"$tmp/script"
sh "$tmp/script" >"$tmp/said" 2>&1
n=0
while IFS= read -r line; do
    n=$((n + 1))
    check "${line%% *} ${n}" test "$(grep '^RESULT' "$tmp/said" | sed -n "${n}p")" = "RESULT 0"
done <"$tmp/commands"
check "the result is verified" sh -c 'cd "$1/work/acme-tiny_llama" && fpreport list --format json | jq -e ".[0].state == \"verified\""' - "$tmp"
check "the submission is packed" sh -c 'tar -tzf "$1/work/acme-tiny_llama.tar.gz" | grep -q "^records/evidence/acme/.*\.tar\.zst$"' - "$tmp"
plan_done
