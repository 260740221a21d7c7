#!/bin/sh
# Run in the built copy: the page of all cases is there in both languages, in the navigation and in the site map.
set -e
./fpreport build -q -o site >/dev/null 2>&1 || [ $? -eq 1 ]
grep -q '<dt>tiny_llama</dt>' site/en/cases/index.html
grep -q '<h1>用例</h1>' site/zh/cases/index.html
grep -q 'cases/index.html' site/en/index.html
python3 tests/cli/build/site.py strings .
