#!/bin/sh
# A row is its configuration (base/row_key.h): one that moved is the same, wherever changes are told.
place=memory; . "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit 1
ln -s "$top/templates" templates
cp -R "$top/tests/golden/build/records" records
toy=records/results/acme/toy.json
cp $toy toy.json
as() { # JQ: acme/toy with other rows of its table; "." as it was
    jq "def front: [\"Box 8两机16卡（2x8）\", \"bf16\", \"/\", \"9000\", \"2.5\", \"40/64\", \"27.0%\"];
        .performance[1].table.rows |= ($1)" toy.json >$toy
}
# NAME@JQ@what is told of it: rows that are new or gone, then the rows of figures that are others
cases='nothing@.@
a row in front@[front] + .@+1.1
a row that is gone@.[1:]@-1.1
rows swapped@[.[1], .[0], .[2]]@
rows swapped, and another figure@[.[1], .[0], .[2]] | .[0][3] = "12001"@1.1
a new row, and another figure@[front] + . | .[2][3] = "12001"@+1.1 1.3
a twin in front@[.[0]] + . | .[0][3] = "10001"@+1.1
twins the other way round@[.[2], .[1], .[0]]@
another batch size@.[1][2] = "micro_batch_size=8"@+1.2 -1.2
another spelling@.[1][2] = "**Micro_batch_size = 4**" | .[0][0] = "box 8单机8卡(1x8)"@'

is() { # DESCRIPTION FOUND EXPECTED
    check "$1: found '$2', expected '$3'" test "$2" = "$3"
}
# --- fpreport verify, and diff of two documents
verify() { "$FPREPORT" verify $toy --format json >"$1"; }
told() { # DIFF
    jq -r '[.runs[] | (.rows[] | (if .change == "new" then "+" else "-" end) + "\(.table).\(.row)"), ([.metrics[] | "\(.table).\(.row)"] | unique[])] | join(" ")' "$1"
}
as . && verify old.json
while IFS=@ read -r name filter expected; do
    as "$filter" && verify new.json
    "$FPREPORT" diff --format json old.json new.json >diff.json
    is "verdicts: $name" "$(told diff.json)" "$expected"
done <<EOF
$cases
EOF
as '[front] + .' && verify new.json
"$FPREPORT" diff old.json new.json >found
cat >wanted <<EOF
old: old.json, fpreport 0.1.0, rules 2026.2
new: new.json, fpreport 0.1.0, rules 2026.2
acme/toy: failed
  new row 1.1 (Box 8两机16卡（2x8） · bf16): loss 2.5, memory 40/64, mfu 27.0%,
    token_per_s_per_card 9000
0 the same, 1 changed, 0 new, 0 gone; 0 for the worse
EOF
check_same "in words" wanted found
"$FPREPORT" diff new.json old.json >found
check "a row with a figure that agreed is missed" grep -qF '0 the same, 1 changed, 0 new, 0 gone; 1 for the worse' found

# Written before rows had keys: by place, which is said.
jq 'del(.runs[].rows[].key)' old.json >before.json
"$FPREPORT" diff before.json new.json >found
check "without keys rows are paired by their places" grep -qF 'rows: paired by their places, since one document has no keys' found
"$FPREPORT" diff --format json before.json new.json >diff.json
is "and say so" "$(jq .rows_by_place diff.json) $(told diff.json)" "1 +1.4 1.1 1.2 1.3"
check "with keys on both sides they do not" sh -c '"$0" diff old.json new.json | grep -c places | grep -qx 0' "$FPREPORT"
plan_done
