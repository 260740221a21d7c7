#!/bin/sh
# Import of pages of our own making, one per trap (tests/golden/pages): the record and every
# warning are as they were when a person read them; and the command line around it.
. "$(dirname "$0")/../lib.sh"
pages=$top/tests/golden/pages

for page in "$pages"/*.md; do
    name=$(basename "$page" .md)
    (cd "$pages" && "$FPREPORT" import --vendor acme --case toy -o - "$name.md") \
        >"$tmp/$name.json" 2>"$tmp/$name.warnings"
    check_same "$name: record" "$pages/$name.json" "$tmp/$name.json"
    check_same "$name: warnings" "$pages/$name.warnings" "$tmp/$name.warnings"
done

mkdir -p "$tmp/pages/acme/toy" "$tmp/pages/acme/toy two"
cp "$pages/plain.md" "$tmp/pages/acme/toy/README.md"
cp "$pages/plain.md" "$tmp/pages/acme/toy two/README.md"
cd "$tmp" || exit 1
check "writes <vendor>/<case>.json" "$FPREPORT" import -o out pages/acme/toy/README.md
check "the file is there" test -s out/acme/toy.json
check "writing the same again is no fault" "$FPREPORT" import -o out pages/acme/toy/README.md
echo '{}' >out/acme/toy.json
check_exit 2 "does not replace another record" "$FPREPORT" import -o out pages/acme/toy/README.md
check "--force does" "$FPREPORT" import --force -o out pages/acme/toy/README.md
check_exit 2 "a case that is no name" "$FPREPORT" import -o out "pages/acme/toy two/README.md"
check_exit 2 "a path that names nothing" "$FPREPORT" import -o out "$pages/plain.md"
check_exit 2 "a vendor that leads elsewhere" \
    "$FPREPORT" import --vendor .. --case x -o out "$pages/plain.md"
check_exit 3 "a missing page" "$FPREPORT" import -o out nobody/nothing/README.md
head -c 1100000 /dev/zero | tr '\0' 'x' >big.md
check_exit 3 "a page beyond the limit" "$FPREPORT" import --vendor a --case b -o out big.md
check_exit 3 "a folder" "$FPREPORT" import --vendor a --case b -o out pages
printf '\377\376 not UTF-8\n' >bytes.md
check "bytes that are not UTF-8 are read all the same" \
    "$FPREPORT" import --vendor a --case b -o out bytes.md
plan_done
