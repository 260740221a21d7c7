# The JSON reader and writer against python3's json, on generated texts and broken ones.
. "$(dirname "$0")/../lib.sh"
tool=$top/${BUILD:-build/default}/tests/unit/base/json/test_json
mkdir "$tmp/json"
check "3000 texts are generated" python3 "$top/tests/cli/records_json.py" make "$tmp/json"
check "each is read or refused" find "$tmp/json" -name '*.json' -exec "$tool" echo {} +
check "python3 agrees on every one" python3 "$top/tests/cli/records_json.py" compare "$tmp/json"
plan_done
