#!/bin/sh
# The website as a browser gets it: whole, with no link that leads nowhere, nothing loaded from
# elsewhere, every figure with its origin, and nothing of a vendor's text taken for markup.
. "$(dirname "$0")/../lib.sh"
site() { python3 "$top/tests/cli/site.py" "$@"; }
ln -s "$top/templates" "$tmp/templates"
cd "$tmp" || exit 1
cp -R "$top/tests/golden/build/records" golden

"$FPREPORT" build -q --records "$top/records" -o shipped >/dev/null 2>&1
"$FPREPORT" build -q --records golden -o own >/dev/null 2>&1
mkdir none && "$FPREPORT" build -q --records none -o nothing >.log 2>&1
check "the shipped site: links, structure, figures" site check shipped
check "the golden site: links, structure, figures" site check own
check "a site without results" site check nothing
check "an index of the shipped results" grep -q 'state verified' shipped/index.html
check "one style sheet, no script" sh -c '[ "$(find shipped -name "*.css" -o -name "*.js" | wc -l)" = 1 ]'
check "the style sheet loads nothing" sh -c '! grep -E "url\(|@import" shipped/style.css'
check "a page weighs less than 200 kB, the index less than 40" test "$(stat -c %s shipped/index.html)" -lt 40000

# tidy does not know SVG's attributes; whatever else it says counts.
if command -v tidy >/dev/null; then
    find shipped own -name '*.html' | while read -r f; do
        tidy -q -e -utf8 --gnu-emacs yes "$f" 2>&1 | sed "s,^,$f: ," | grep -vE 'proprietary attribute "(font-size|font-family|fill|id)"'
    done >tidied
    check_same "tidy finds no fault" /dev/null tidied
else
    skip "needs tidy"
fi

# The checks must be able to find something.
cp -R own spoilt && sed -i 's,<a href="../../../vendor/acme/index.html">,<a href="../../../vendor/nobody/index.html">,' spoilt/result/acme/toy/index.html
check_exit 1 "a dead link is seen" site check spoilt
cp own/index.html spoilt/ && rm -r spoilt && cp -R own spoilt && sed -i 's, <small class="mark">stated</small>,,' spoilt/result/acme/toy/index.html
check_exit 1 "a figure without its origin is seen" site check spoilt

# --- Every string of every record is an attack.
n=$(site attack golden hostile)
mkdir -p hostile/evidence && cp -R golden/evidence golden/references hostile/
"$FPREPORT" build -q --records hostile -o attacked >.log 2>&1; code=$?
check "$n hostile strings build" test $code -le 1
grep -vE 'FP[0-9]{4}\]$' .log >unexpected || true
check_same "and load" /dev/null unexpected
check "nothing of them became markup" site harmless attacked
check "they are there, as text" grep -q '&lt;script&gt;zqx()&lt;/script&gt;' attacked/result/acme/toy/index.html
check "no template of theirs is run" sh -c 'grep -rqF "{{zqx}}" attacked/result'
sed -i 's/&lt;script&gt;zqx/<script>zqx/' attacked/result/acme/toy/index.html
check_exit 1 "markup of theirs would be seen" site harmless attacked
plan_done
