#!/bin/sh
# run.sh BUILD SECONDS READER…: each reader's libFuzzer program for so long, from its corpus in
# BUILD/corpus; how many executions each had, and all. Ends with 1 when one found something, whose
# input is BUILD/READER-crash-… (or -timeout-, -oom-, -leak-): to be kept in tests/fuzz/found.
set -u
build=$1 seconds=$2 all=0 failed=0; shift 2
for reader in "$@"; do
    log=$build/$reader.log
    "$build/tests/fuzz/fuzz_$reader" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$build/$reader-" "$build/corpus/$reader" >"$log" 2>&1
    status=$?
    n=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    all=$((all + ${n:-0}))
    if [ $status -eq 0 ]; then echo "$reader: ${n:-0} executions"; else
        failed=1
        echo "$reader: FOUND after ${n:-0} executions: $(grep -m 1 -E 'ERROR|SUMMARY|deadly' "$log")"
    fi
done
echo "$all executions in all"
exit $failed
