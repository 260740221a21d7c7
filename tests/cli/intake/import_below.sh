#!/bin/sh
# fpreport import -r DIR, and --dry-run.
place=memory; . "$(dirname "$0")/../../lib.sh"
cd "$tmp" && mkdir records && ln -s "$top/templates" templates || exit 1
"$FPREPORT" render --records "$top/tests/golden/build/records" -o rendered -q >/dev/null
page=rendered/acme/toy/README.md
mkdir -p records training/acme/toy training/globex/other training/docs
cp "$page" training/acme/toy/README.md && cp "$page" training/globex/other/README.md && echo hello >training/docs/NOTES.md
count() { find records -name '*.json' 2>/dev/null | wc -l; }

"$FPREPORT" import -r training --dry-run >said 2>/dev/null
check "a dry run says what would be written" sh -c 'grep -qx "would write records/results/acme/toy.json" said && grep -qx "would write records/results/globex/other.json" said && test "$(wc -l <said)" -eq 2'
check "and writes nothing" test "$(count)" -eq 0
"$FPREPORT" import -r training >said 2>&1
check "all pages below a folder are imported, and nothing else" test "$(count)" -eq 2
check "which is said" grep -qx "2 pages of 3 files below training" said
for f in acme/toy globex/other; do
    "$FPREPORT" import -q -o - training/$f/README.md >one 2>/dev/null
    check_same "as each by itself: $f" one records/results/$f.json
done
"$FPREPORT" import -r training --dry-run >said 2>/dev/null
check "once more there is nothing to do" test ! -s said
sed -i '1i more words\n' training/acme/toy/README.md
check_exit 2 "a page that changed is refused in a dry run, too" "$FPREPORT" import -r training --dry-run
"$FPREPORT" import -r training --dry-run --force >said 2>/dev/null
check "what --force would do is said" grep -qx "would replace records/results/acme/toy.json" said
mkdir two && cp -R training two/ && cd two || exit 1
sed 's/more words/other words/' training/acme/toy/README.md >training/acme/toy/README.en.md
mv training/globex/other/README.md training/globex/other/README.en.md
"$FPREPORT" import -r training -o out --dry-run >said 2>/dev/null
check "of two pages one is taken, the English one where it is alone" sh -c 'sort said | tr "\n" " " | grep -qx "would write out/acme/toy.json would write out/globex/other.json "'
check "the real run agrees" "$FPREPORT" import -q -r training -o out
sed -i '1i more words\n' training/acme/toy/README.md
check_exit 2 "a dry run ends as the real one where a page differs" "$FPREPORT" import -r training -o out --dry-run
cp "$tmp/.out" said
check "and says so" grep -q 'out/acme/toy.json: already exists and differs' said
check_exit 2 "the real one" "$FPREPORT" import -r training -o out
cd "$tmp" || exit 1
mkdir -p training/acme/words && echo '# words only' >training/acme/words/README.md
"$FPREPORT" import -r training --dry-run --force >said 2>&1
check "a page of prose is passed over, and said" grep -q "^training/acme/words/README.md: skipped, because the page has no heading" said
check_exit 3 "alone it is refused" "$FPREPORT" import training/acme/words/README.md
check_exit 2 "a folder without pages" "$FPREPORT" import -r training/docs
check_exit 2 "a folder that is not there" "$FPREPORT" import -r nowhere
check_exit 2 "neither files nor a folder" "$FPREPORT" import
check_exit 2 "a vendor for many" "$FPREPORT" import -r training --vendor acme
plan_done
