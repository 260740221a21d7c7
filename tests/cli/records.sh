# The shipped records: they load, stand in the form that fpreport writes, name only what exists,
# follow their schemas, and carry over what the published pages say.
. "$(dirname "$0")/../lib.sh"
cd "$top" || exit 1
tool=$top/${BUILD:-build/default}/tests/unit/base/json/test_shape
rules() { python3 "$top/tests/cli/records.py" "$@"; }

kinds='vendor:vendors accelerator:accelerators model:models case:cases result:results reproduction:reproductions'
for pair in $kinds; do
    kind=${pair%%:*} folder=records/${pair##*:}
    check "every $kind loads" find "$folder" -name '*.json' -exec "$tool" load "$kind" {} +
    find "$folder" -name '*.json' | while read -r file; do
        "$tool" save "$kind" "$file" >"$tmp/saved" && cmp "$file" "$tmp/saved"
    done >"$tmp/moved" 2>&1
    check_same "every $kind stands as it would be saved" /dev/null "$tmp/moved"
    "$FPREPORT" schema "$kind" >"$tmp/schema"
    check_same "records/schema/$kind.schema.json is up to date (fpreport schema $kind)" \
        "records/schema/$kind.schema.json" "$tmp/schema"
done
check "exact parameters follow from the dimensions" rules models records
check "every id that is named exists, no spelling is ambiguous" rules links records

if python3 -c 'import jsonschema' 2>/dev/null; then
    check "python3-jsonschema accepts every record" rules schemas records
    mkdir "$tmp/bad"
    check "2400 records are damaged" rules mutate records "$tmp/bad"
    for pair in $kinds; do
        find "$tmp/bad/${pair%%:*}" -name '*.json' -exec "$tool" load "${pair%%:*}" {} +
    done >"$tmp/verdicts" 2>"$tmp/crashes"
    check_same "none of them crashes the loader" /dev/null "$tmp/crashes"
    check "loader and schemas give the same verdicts" rules agree records "$tmp/bad" "$tmp/verdicts"
else
    skip "needs python3-jsonschema"
fi

page() { # SEED VENDOR CASE: the record holds what the published page says
    seed=$(ls "$shared"/seeds/"$1"_*.txt 2>/dev/null)
    [ -n "$seed" ] || { skip "needs ../shared: $2/$3"; return; }
    "$FPREPORT" import -q --vendor "$2" --case "$3" -o "$tmp/import" "$seed" >/dev/null 2>&1
    check "$2/$3 says what its page says" rules page "records/results/$2/$3.json" \
        "$tmp/import/$2/$3.json"
}
page 000 metax llama2_70B-megatron
page 001 nvidia baichuan2_13b-deepspeed
page 002 mthreads llama2_7b-deepspeed
page 003 nvidia llama2_7b_finetune-pytorch
page 004 iluvatar llava1.5_13b-deepspeed-torch

# A record is its page: rendered and imported again it is the same.
"$FPREPORT" render -q -o "$tmp/pages" >/dev/null 2>&1
for record in records/results/*/*.json; do
    id=${record#records/results/} id=${id%.json}
    [ "${id%%/*}" = fpreport ] && continue # has evidence, which pages do not carry
    "$FPREPORT" import -q -o "$tmp/again" "$tmp/pages/$id/README.md" >/dev/null 2>&1
    check "$id comes back from its page" rules same "$record" "$tmp/again/$id.json"
done

# What the importer writes has to be a record that loads, whatever the page says.
if [ -d "$shared/corpus/flagperf" ]; then
    find "$shared/corpus/flagperf" -name README.md -exec "$FPREPORT" import -q -o "$tmp/all" {} + \
        >/dev/null 2>&1
    check "imported pages load" find "$tmp/all" -name '*.json' -exec "$tool" load result {} +
    mkdir -p "$tmp/acme/x"
    sed 's/47\.9%/80.83.2%/' "$shared/corpus/flagperf/nvidia/llama2_7b-deepspeed/README.md" \
        >"$tmp/acme/x/README.md"
    check "a page with a false figure imports" "$FPREPORT" import -q -o "$tmp/all" \
        "$tmp/acme/x/README.md"
    check "as published, so that it loads" "$tool" load result "$tmp/all/acme/x.json"
    sed 's/{"as_published": \("[^"]*"\)}/\1/' "$tmp/all/acme/x.json" >"$tmp/x.json"
    "$tool" load result "$tmp/x.json" | sed 's/^[^:]*:[0-9]*/x.json:N/; s/, expected.*//' >"$tmp/said"
    echo "x.json:N:59: error: '80.83.2%' is not a number" >"$tmp/expected"
    check_same "written by hand it does not" "$tmp/expected" "$tmp/said"
else
    skip "needs ../shared: imported pages load"
fi

check_exit 2 "an unknown kind is refused" "$FPREPORT" schema peak
plan_done
