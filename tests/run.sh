#!/bin/sh
# Runs every test and ends with one line: `N passed, N failed, N skipped`.
#
#   tests/run.sh            everything: gcc build, then the same tests under ASan+UBSan (clang)
#   tests/run.sh quick      the gcc build only
#
# Unit tests are cmocka programs (tests/unit/test_*.c), everything else is a shell script that
# prints TAP (tests/cli/*.sh, with tests/lib.sh). A test that hangs is ended and fails; one that
# needs ../shared says `ok N # SKIP reason` where that is absent. Logs: build/test-logs/.
set -u
cd "$(dirname "$0")/.." || exit 2
export LC_ALL=C.UTF-8
logs=build/test-logs
rm -rf "$logs" && mkdir -p "$logs"
passed=0 failed=0 skipped=0

count() { # NAME STATUS: add up the TAP lines of one test program
    log=$logs/$1.log
    # cmocka prints a skipped test as `not ok N # SKIP`; TAP says `ok`. Both are skips.
    s=$(grep -a -cE '^(not )?ok .*# ?SKIP' "$log")
    p=$(grep -a -E '^ok ' "$log" | grep -a -vcE '# ?SKIP'); f=$(grep -a -E '^not ok ' "$log" | grep -a -vcE '# ?SKIP')
    plan=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$log" | tail -n 1)
    # A crash, a missing plan or a short run is a failure even if every line said ok.
    if [ "$f" -eq 0 ] && { [ "$2" -ne 0 ] || [ -z "$plan" ] || [ "$plan" -ne $((p + f + s)) ]; }; then
        f=1; echo "not ok - $1 stopped early: status $2, plan ${plan:-none}, seen $p" >>"$log"
    fi
    passed=$((passed + p)); skipped=$((skipped + s)); failed=$((failed + f))
    [ "$s" -eq 0 ] || grep -a -hE '^(not )?ok .*# ?SKIP' "$log" | sed -E "s|^(not )?ok [0-9]+ *-? *# ?SKIP *|  skipped in $1: |"
    [ "$f" -eq 0 ] || { echo "FAILED $1 (see $log)"; grep -a -vE '# ?SKIP' "$log" | grep -a -hE -A8 '^not ok ' | head -n 60; }
}

run_variant() { # NAME MAKE-ARGUMENTS…
    variant=$1; shift
    echo "== $variant"
    if ! make -s -j2 "$@" all units mpi-tests >"$logs/$variant.build.log" 2>&1; then
        tail -n 30 "$logs/$variant.build.log"; failed=$((failed + 1)); return
    fi
    for t in tests/unit/test_*.c; do
        name=$(basename "$t" .c)
        CMOCKA_MESSAGE_OUTPUT=TAP timeout -k 10 300 "$BUILD/tests/unit/$name" >"$logs/$variant.$name.log" 2>&1
        count "$variant.$name" $?
    done
    for t in tests/cli/*.sh; do
        [ -e "$t" ] || continue
        name=$(basename "$t" .sh)
        VARIANT=$variant timeout -k 10 600 sh "$t" >"$logs/$variant.$name.log" 2>&1
        count "$variant.$name" $?
    done
}

BUILD=build/default FPREPORT=$PWD/fpreport; export BUILD FPREPORT
run_variant gcc CC=gcc
if [ "${1:-}" != quick ]; then
    BUILD=build/asan FPREPORT=$PWD/build/asan/fpreport
    export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
    run_variant asan CC=clang B=build/asan PROGRAM=build/asan/fpreport OPT='-O1 -g' \
        SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
