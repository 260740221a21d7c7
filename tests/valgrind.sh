#!/bin/sh
# valgrind.sh BUILD NAME…: unit tests (test_X) and scripts (X.sh below tests/cli) under valgrind; TAP.
# What was never written, or freed, and is read, and what is lost for good fails. BUILD was made with
# SANDBOX_WIDE=1 (base/process/sandbox.h), because valgrind itself asks the system for more than a reader may.
set -u
build=$PWD/$1 n=0 failed=0; shift
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
valgrind="valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite --log-file=$logs/%p"
printf '#!/bin/sh\nexec %s "%s/fpreport" "$@"\n' "$valgrind" "$build" >"$build/under" && chmod +x "$build/under" || exit
for name in "$@"; do
    n=$((n + 1))
    rm -f "$logs"/*
    case $name in
    test_*) source=$(find tests/unit -name "$name.c"); $valgrind "$build/${source%.c}" ;;
    *) VARIANT=asan BUILD=$build FPREPORT=$build/under sh "$(find tests/cli -name "$name.sh")" ;;
    esac >"$logs/said" 2>&1 </dev/null
    status=$?
    find "$logs" -type f -size +0 ! -name said -exec cat {} + >"$logs/said.found"
    rm -f "$logs"/[0-9]*
    if [ $status -eq 0 ] && [ ! -s "$logs/said.found" ]; then echo "ok $n - $name"; else
        failed=$((failed + 1))
        echo "not ok $n - $name: $status"
        grep -hE '^not ok|^==|FAILED' "$logs/said" "$logs/said.found" | head -n 40 | sed 's/^/# /'
    fi
done
echo "1..$n"
[ $failed -eq 0 ]
