#!/bin/sh
# Pages that somebody got wrong (tests/mutate.py) import, lose nothing that a reader of lines can
# see, render, and come back as the same records.
. "$(dirname "$0")/../../lib.sh"
cd "$top" || exit 1

python3 tests/mutate.py 20241120 150 "$tmp/pages" tests/golden/pages/*.md
"$FPREPORT" import -q -o "$tmp/records/results" "$tmp"/pages/*/*/README.md 2>"$tmp/errors"
# What has neither a heading of the benchmark nor a table of figures left is prose, and no record.
known='配置与运行信息\|环境配置\|硬件环境\|软件环境\|运行情况\|通用指标\|性能指标\|输入批尺寸'
grep 'error:' "$tmp/errors" | cut -d: -f2 | tr -d ' ' >"$tmp/refused"
check "all others are imported" sh -c "[ \$(ls '$tmp/records/results/acme' | cat - '$tmp/refused' | wc -l) -eq 150 ]"
check "and they are nearly all" sh -c "[ \$(wc -l <'$tmp/refused') -lt 15 ]"
check "what is prose has nothing known" sh -c "! xargs grep -l '$known' <'$tmp/refused'"
check "none is another error" sh -c "! grep 'error:' '$tmp/errors' | grep -v 'found neither a heading'"
check "the records render" "$FPREPORT" render -q --records "$tmp/records" --lang zh -o "$tmp/again"
"$FPREPORT" import -q -o "$tmp/records2" "$tmp"/again/*/*/README.md 2>>"$tmp/errors"
check "the same records come back" diff -r "$tmp/records/results" "$tmp/records2"
plan_done
