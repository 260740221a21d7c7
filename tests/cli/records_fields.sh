# docs/FIELDS.md is true: its field lists are what fpreport prints, its examples load, and its bad
# examples fail with the messages that stand below them.
. "$(dirname "$0")/../lib.sh"
cd "$top" || exit 1
tool=$top/${BUILD:-build/default}/tests/unit/base/json/test_shape

"$FPREPORT" fields >"$tmp/fields"
python3 tests/cli/records_fields.py fields docs/FIELDS.md >"$tmp/document"
check_same "the field lists are those of fpreport fields" "$tmp/fields" "$tmp/document"

python3 tests/cli/records_fields.py examples docs/FIELDS.md "$tmp/examples" || not_ok "examples"
for folder in "$tmp"/examples/*; do
    (cd "$folder" && "$tool" load "$(cat kind)" example.json >said 2>&1)
    check_same "example ${folder##*/}" "$folder/expected" "$folder/said"
done
for kind in vendor accelerator model case result reproduction log checkpoint; do
    check "$kind has an example" ls -d "$tmp"/examples/*-"$kind"-good
done
for file in records/schema/*.schema.json; do
    kind=$(basename "$file" .schema.json)
    "$FPREPORT" schema "$kind" >"$tmp/schema" 2>&1
    check_same "$file is what fpreport schema $kind prints" "$file" "$tmp/schema"
done
plan_done
