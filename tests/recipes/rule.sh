#!/bin/sh
# Run in the built copy: the rule of rule.diff is there in every place, and its test passes.
set -e
./fpreport explain | grep -q '^FP1031  warning '
./fpreport explain FP1031 | grep -q "warning: table 2 has two columns 'p_core' \[FP1031\]"
./fpreport verify --rules list | grep -q 'FP1031'
make -s build/default/tests/unit/verifier/checks/test_checks build/default/tests/unit/verifier/checks/test_rules
build/default/tests/unit/verifier/checks/test_checks >/dev/null 2>&1
build/default/tests/unit/verifier/checks/test_rules >/dev/null 2>&1
python3 tests/cli/messages.py sources . | { ! grep .; }
./fpreport build -q -o site >/dev/null 2>&1 || [ $? -eq 1 ]
grep -q FP1031 site/en/rules/index.html
grep -q '性能表没有两列使用同一个表头。' site/zh/rules/index.html
