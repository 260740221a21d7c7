#!/bin/sh
# coverage.sh BUILD CC: line and branch coverage of the readers of submissions, records and logs, by
# their unit tests and what fuzzing keeps (tests/fuzz). Only these modules are built to be counted, in
# BUILD; the rest is that of the plain build. Prints a row for each source file, and all of them; with
# LIST=1 every branch that was never taken, as file:line: text. docs/TESTING.md explains those.
set -eu
cd "$(dirname "$0")/.."
build=$1 cc=$2
modules='base/json/json base/json/json_scan base/records/challenge'
for f in base/sealed/*.c base/signing/*.c base/store/*.c verifier/logs/*.c verifier/logs/formats/*.c; do modules="$modules ${f%.c}"; done
tests='test_archive test_archive_forms test_seal test_json test_json_limits test_sshsig test_signers test_statement test_hash test_memory
test_logs test_log_banner test_log_formats test_log_forms test_log_input test_log_lines test_log_order test_store test_store_check
test_store_repair test_store_index test_store_report test_store_begun test_checkpoint test_challenge'
mkdir -p "$build" && rm -f "$build"/*.gcda
flags="-std=c11 -O0 -g --coverage -I. -D_GNU_SOURCE -DFPREPORT_VERSION=\"0\" $(pkg-config --cflags libcjson)"
objects=
for m in $modules; do
    o=$build/$(echo "$m" | tr / _).o
    [ "$o" -nt "$m.c" ] || $cc $flags -c -o "$o" "$m.c"
    objects="$objects $o"
done
libs="$(pkg-config --libs libgit2 libcmark libcjson libarchive libcrypto libjpeg libpng) -ldl -lm -lpthread"
for t in $tests; do
    source=$(find tests/unit -name "$t.c")
    $cc --coverage -o "$build/$t" "build/default/${source%.c}.o" $objects build/default/libfpreport.a -lcmocka $libs
    "$build/$t" >"$build/$t.log" 2>&1 || { echo "$t failed" >&2; exit 1; }
done
$cc --coverage -o "$build/replay" build/default/tests/fuzz/replay*.o $objects build/default/libfpreport.a $libs
"$build/replay" tests/fuzz/seeds/* tests/fuzz/found/* >"$build/replay.log"
for o in $objects; do gcov -b -c -t "${o%.o}.gcda" 2>/dev/null; done >"$build/gcov.txt"
python3 tests/coverage.py "$build/gcov.txt" ${LIST:+--list}
