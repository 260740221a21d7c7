#!/bin/sh
# Run in the built copy: the sample of the tool of card_tool.diff is taken apart as its test says.
set -e
test=build/default/tests/unit/trainer/cards/test_card_tools
make -s $test
$test >/dev/null 2>&1
./fpreport formats | diff -u docs/FORMATS.md -
