#!/bin/sh
# Runs one test program, which is built, and leaves build/test-logs/NAME.log and, when it has ended,
# NAME.ended with its exit status, its seconds, and the seconds of processor that it took.
#
#   tests/one.sh gcc.train       tests/cli/train/train.sh with ./fpreport
#   tests/one.sh asan.test_json  build/asan/tests/unit/base/json/test_json
#
# A test that hangs is ended after 20 minutes, a unit test after 5: far longer than any takes on a slow machine.
# Always ends with 0: tests/run.sh counts what the log says.
set -u
cd "$(dirname "$0")/.." || exit 2
export LC_ALL=C.UTF-8 VARIANT="${1%%.*}"
case $VARIANT in
gcc) BUILD=build/default FPREPORT=$PWD/fpreport ;;
asan)
    BUILD=build/asan FPREPORT=$PWD/build/asan/fpreport
    export LSAN_OPTIONS="suppressions=$PWD/tests/data/leaks:print_suppressions=0"
    export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
    ;;
*) echo "usage: tests/one.sh gcc.NAME | asan.NAME" >&2; exit 2 ;;
esac
export BUILD FPREPORT
# OpenBLAS takes a processor that is newer than itself for one of 2004, whose kernels take three times as long.
case $(grep -m 1 '^flags' /proc/cpuinfo 2>/dev/null)' ' in
*' avx512vl '*) export OPENBLAS_CORETYPE="${OPENBLAS_CORETYPE:-SkylakeX}" ;;
*' avx2 '*) export OPENBLAS_CORETYPE="${OPENBLAS_CORETYPE:-Haswell}" ;;
esac
export XDG_CONFIG_HOME="$PWD/build/config" # as tests/lib.sh says
export PATH="$PWD/build/tools:$PATH" # tests/run.sh makes it
name=${1#*.} to=build/test-logs/$1
mkdir -p "${to%/*}"
# The names of tests are unique, whatever room they lie in.
script=$(find tests/cli -name "$name.sh")
if [ -n "$script" ]; then
    seconds=1200; set -- sh "$script"
else
    source=$(find tests/unit -name "$name.c")
    seconds=300; set -- "$BUILD/${source%.c}"
fi
# An interrupt ends the test as well, which has a process group of its own. (What is started in the
# background would ignore one.)
began=$(date +%s%N)
CMOCKA_MESSAGE_OUTPUT=TAP env --default-signal=INT,QUIT timeout -k 10 $seconds "$@" >"$to.log" 2>&1 </dev/null &
trap "kill $!; exit 130" INT TERM
wait $!
status=$?
took=$((($(date +%s%N) - began) / 10000000))
times >"$to.times" # the second line: user and system time of what was run
cpu=$(awk 'NR == 2 {split($1 "s" $2, t, /[ms]/); printf "%.2f", t[1] * 60 + t[2] + t[4] * 60 + t[5]}' "$to.times")
rm "$to.times"
# Whole at once: who waits for the file reads it as soon as it is there.
printf '%d %d.%02d %s\n' $status $((took / 100)) $((took % 100)) "$cpu" >"$to.new" && mv "$to.new" "$to.ended"
