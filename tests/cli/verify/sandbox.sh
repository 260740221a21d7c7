#!/bin/sh
# How untrusted bytes are confined: where the kernel has no Landlock, and what a worker can reach.
. "$(dirname "$0")/../../lib.sh"
cd "$top" || exit 1
shipped=$(ls records/evidence/fpreport/tiny_llama-*.tar.zst)

check "version names the sandbox" sh -c '"$1" version | grep -q "^sandbox: "' - "$FPREPORT"
if [ "$VARIANT" = asan ]; then
    skip "the sandbox, which sanitizers cannot be in"
elif ! strace -f -o "$tmp/calls" true 2>/dev/null; then
    skip "what workers ask for: no strace here"
else
    says() { # DESCRIPTION PATTERN: what the last check_exit printed
        cp "$tmp/.out" "$tmp/said"
        check "$1" grep -q "$2" "$tmp/said"
    }
    without_landlock() {
        strace -f -qq -o /dev/null -e trace=landlock_create_ruleset -e inject=landlock_create_ruleset:error=ENOSYS "$@"
    }
    check_exit 0 "a kernel without Landlock" without_landlock "$FPREPORT" verify "$shipped"
    says "is told of" "^sandbox: seccomp+rlimits (no Landlock)$"
    check_exit 4 "or refused: verify" without_landlock "$FPREPORT" verify --require-landlock "$shipped"
    says "with its reason" "error: sandbox: .* --require-landlock needs Landlock"
    check_exit 4 "or refused: build" without_landlock "$FPREPORT" build --require-landlock --no-cache -o "$tmp/site"
    check_exit 0 "is told of by archive add, too" without_landlock "$FPREPORT" archive add --archive "$tmp/kept" "$shipped"
    says "once" "^sandbox: seccomp+rlimits (no Landlock)$"
    check_exit 0 "by import" without_landlock "$FPREPORT" import --vendor v --case c -o "$tmp/record.json" tests/golden/pages/plain.md
    says "as well" "^sandbox: seccomp+rlimits (no Landlock)$"
    check_exit 4 "or refused: archive" without_landlock "$FPREPORT" archive add --archive "$tmp/kept" --require-landlock "$shipped"
    check_exit 4 "or refused: import" without_landlock "$FPREPORT" import --vendor v --case c -o - --require-landlock tests/golden/pages/plain.md
    check_exit 4 "or refused: diff" without_landlock "$FPREPORT" diff --require-landlock "$shipped" records/references/tiny_llama.csv
    # A kernel that has no seccomp filter, or does not give it, has no worker.
    check_exit 4 "without seccomp nothing is read" \
        strace -f -qq -o /dev/null -e trace=prctl -e inject=prctl:error=EINVAL:when=4+ "$FPREPORT" verify "$shipped"
    says "that is the machine's fault" "error: .*sandbox: "

    # From the first byte that is looked at on, a worker writes to its pipe and asks for memory.
    strace -f -o "$tmp/calls" "$FPREPORT" verify "$shipped" >/dev/null 2>&1
    awk '/PR_SET_SECCOMP|SECCOMP_MODE_FILTER|prctl\(22/ { inside[$1] = 1; next }
        inside[$1] && !/resumed|exited/ { sub(/\(.*/, "", $2); print $2 }' "$tmp/calls" | sort -u >"$tmp/asked"
    printf '%s\n' brk exit_group madvise mmap mremap munmap write >"$tmp/may"
    check "a worker asks for memory, and answers" sh -c '[ -s "$1" ] && ! grep -vxFf "$2" "$1"' - "$tmp/asked" "$tmp/may"
    # Who looks into something of others does it in there.
    apart() { # DESCRIPTION ARGUMENTS…
        what=$1 && shift
        strace -f -o "$tmp/calls" "$FPREPORT" "$@" >/dev/null 2>&1
        check "$what" grep -q "PR_SET_SECCOMP, SECCOMP_MODE_FILTER" "$tmp/calls"
    }
    apart "diff" diff "$shipped" records/references/tiny_llama.csv
    apart "build" build --no-cache -o "$tmp/site"
    apart "archive add" archive add --archive "$tmp/other" "$shipped"
    apart "archive redact" archive redact --archive "$tmp/other" "$(basename "$(find "$tmp/other/objects" -type f)")" case.json --reason x
    apart "import of a page" import --vendor v --case c -o - tests/golden/pages/plain.md
    "$FPREPORT" archive add -q --archive "$tmp/archive" "$shipped" >/dev/null
    id=$("$FPREPORT" archive list --archive "$tmp/archive" --format json | jq -r '.[0].submission')
    apart "archive redact" archive redact --archive "$tmp/archive" "$id" run.json --reason x
    apart "verify of a page" verify tests/golden/pages/plain.md
fi
plan_done
