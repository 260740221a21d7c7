#!/bin/sh
# The table of characters that look like Latin ones is ICU's; and names of records that look like others are told of.
. "$(dirname "$0")/../lib.sh"
gcc_only "the table is the same in the gcc variant"
cd "$tmp" || exit 1
if pkg-config --exists icu-i18n icu-uc 2>/dev/null; then
    cc "$top/tests/oracle/lookalikes.c" $(pkg-config --cflags --libs icu-i18n icu-uc) -o oracle && ./oracle >icu
    version=$(sed -n '1s/ICU //p' icu) && sed -i 1d icu
    grep -o '{0x[0-9A-F]*, "[^"]*"}' "$top/base/project/lookalikes.c" | tr -d '{}",' | sed 's/^0x//' >ours
    if [ "$version" = 72 ]; then check_same "the rows are ICU's" icu ours; else
        check "what both know, both know alike" sh -c 'awk "NR == FNR { row[\$1] = \$2; next } \$1 in row && row[\$1] != \$2 { bad = 1 } END { exit bad }" icu ours'
    fi
else
    skip "needs libicu-dev"
fi

cp -R "$top/tests/golden/build/records" records && chmod -R u+w records
told() { # DESCRIPTION KIND TEXT: a record that says this is told of
    "$FPREPORT" list >said 2>&1
    check "$1" grep -qE "records/$2:[0-9]+.*warning: .*$3" said
    rm -f "records/$2"
}
"$FPREPORT" list >said 2>&1
check "of honest names nothing is said" sh -c '! grep -qE "looks like|invisible characters" said'
"$FPREPORT" list --records "$top/records" >said 2>&1
check "nor of those that are shipped" sh -c '! grep -qE "looks like|invisible characters" said'
vendor() { printf '{"schema": "fpreport.vendor/1", "id": "zz", "name": {"en": "%s", "zh": "%s"}}\n' "$1" "$1" >records/vendors/zz.json; }
vendor 'Асme'; told "a vendor in Cyrillic letters" vendors/zz.json 'looks like'
vendor 'Αcmе'; told "in Greek and Cyrillic ones" vendors/zz.json 'looks like'
vendor 'Acrne'; told "rn for m" vendors/zz.json 'looks like'
vendor 'Aᴄme'; told "a small capital" vendors/zz.json 'looks like'
vendor 'Ze\u202etta'; told "a name that is turned round" vendors/zz.json 'invisible characters'
vendor 'Ze\u0007tta'; told "a control character" vendors/zz.json 'invisible characters'
spelled() { # FOLDER SED: its first record again, with another id, its name changed
    first=$(find "records/$1" -name '*.json' | LC_ALL=C sort | head -n 1)
    name=$(jq -r '.name | strings // .en' "$first" | sed "$2")
    jq --arg name "$name" '.id = "zz" | .name = $name | del(.aliases)' "$first" >"records/$1/zz.json"
}
spelled accelerators 's/o/о/; s/A/А/; s/8/８/'; told "a card in Cyrillic letters" accelerators/zz.json 'looks like'
spelled models 's/a/а/'; told "a model in Cyrillic letters" models/zz.json 'looks like'
plan_done
