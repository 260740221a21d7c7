#!/bin/sh
# Run in the built copy: a log of the format of log_format.diff is read, and its test passes.
set -e
dir=build/default/tests/unit/verifier/logs/formats
make -s $dir/test_log_issues $dir/test_log_formats
$dir/test_log_issues >/dev/null 2>&1
$dir/test_log_formats >/dev/null 2>&1
./fpreport formats | diff -u docs/FORMATS.md -
