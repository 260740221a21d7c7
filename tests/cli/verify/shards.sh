#!/bin/sh
# Shards and what joins them: the document and the exit code of one verification of all, byte for byte, over
# the project's records and over generated ones; shards that are missing, damaged, of other records, rules or tool.
. "$(dirname "$0")/../../lib.sh"
cp -R "$top/records" "$tmp/project"
python3 "$top/tests/bench/many_results.py" "$tmp/many" 90
# One vendor with the figures of one model under another, in two cases: an error that no shard sees.
python3 - "$tmp/many" <<'EOF'
import glob, json, sys
found = {}
for path in sorted(glob.glob(sys.argv[1] + "/results/nvidia/*.json")):
    result = json.load(open(path))
    found.setdefault(result["case"].split("-")[0], (path, result))
(_, one), (path, other) = [found[m] for m in sorted(found)[:2]]
other["performance"] = one["performance"]
json.dump(other, open(path, "w"), ensure_ascii=False, indent=2)
EOF

# whole NAME [OPTIONS]: NAME.json and NAME.code of one verification of all
whole() { name=$1; shift; "$FPREPORT" verify --records "$tmp/$name" --format json -o "$tmp/$name.json" "$@" 2>"$tmp/err"; echo $? >"$tmp/$name.code"; }
# shard NAME K N [OPTIONS]: one shard, into NAME.v
shard() { name=$1 k=$2 of=$3; shift 3; "$FPREPORT" verify --records "$tmp/$name" --shard "$k/$of" --format json -o "$tmp/$name.v/$k.json" "$@" 2>"$tmp/err"; }
all_shards() { name=$1 of=$2; shift 2; rm -rf "$tmp/$name.v"; for k in $(seq 0 $((of - 1))); do shard "$name" "$k" "$of" "$@"; done; }
# merges NAME WHAT: the shards of NAME give what one verification gives
merges() {
    "$FPREPORT" merge "$tmp/$1.v" -o "$tmp/merged.json" 2>"$tmp/err"; got=$?
    "$FPREPORT" merge "$tmp/$1.v" >"$tmp/streamed.json" 2>>"$tmp/err"
    if [ $got = "$(cat "$tmp/$1.code")" ] && cmp -s "$tmp/$1.json" "$tmp/merged.json" && cmp -s "$tmp/$1.json" "$tmp/streamed.json"; then
        ok "$2"
    else
        not_ok "$2"; echo "# exit $got, expected $(cat "$tmp/$1.code")"; sed 's/^/# /' "$tmp/err"
        diff "$tmp/$1.json" "$tmp/merged.json" | head -n 10 | sed 's/^/# /'
    fi
}
for name in project many; do
    whole $name
    for n in 1 2 3 7; do all_shards $name $n; merges $name "$name in $n shards"; done
done
check "the generated ones have duplicates of both severities" jq -e \
    '[.runs[].findings[] | select(.rule == "FP1016") | .severity] | (index("error") != null) and (index("warning") != null)' "$tmp/many.json"
check "and no shard sees them" sh -c "! grep -l '\"rule\": \"FP1016\"' $tmp/many.v/*.json"
check "a result is in the shard of its case's digest" python3 - "$tmp/many.v" <<'EOF'
import glob, hashlib, json, sys
n = 0
for path in glob.glob(sys.argv[1] + "/*.json"):
    d = json.load(open(path))
    for run in d["runs"]:
        n += 1
        case = run["id"].split("/", 1)[1]
        assert int(hashlib.sha256(case.encode()).hexdigest(), 16) % d["shard"]["of"] == d["shard"]["number"], run["id"]
    text = open(path, "rb").read()
    assert hashlib.sha256(text[:text.rindex(b'  "digest"')]).hexdigest() == d["digest"], path
assert n == 90, n
EOF

# --- Other options give other documents.
for with in "--only FP1" "--rules 2026.2" "--strict" "--fail-on never"; do
    whole many $with; all_shards many 3 $with; merges many "with $with"
done
# Records that cannot be read, and a project that lacks models and cards.
cp -R "$tmp/many" "$tmp/odd"; rm -rf "$tmp/odd/models" "$tmp/odd/accelerators"
whole odd; all_shards odd 3; merges odd "records of the program in place of the project's"
check "which the document says" jq -e '.records | test("accelerator .*model ")' "$tmp/odd.json"
first=$(ls "$tmp"/odd/results/nvidia/*.json | head -n 1); echo '{' >"$first"
whole odd; all_shards odd 3; merges odd "a record that is malformed"
check "which is incomplete, exit 3" sh -c "[ $(cat "$tmp/odd.code") = 3 ] && jq -e .incomplete $tmp/odd.json"

# --- A shard that is there is not verified again; one that was killed is.
whole many; all_shards many 3
touch -d '2001-01-01' "$tmp/many.v/1.json"; shard many 1 3
check "a shard that is there is skipped" sh -c "grep -q 'is there' $tmp/err && [ -z \"\$(find $tmp/many.v/1.json -newermt 2002-01-01)\" ]"
shard many 1 3 --strict
check "with other options it is verified again" sh -c "[ -n \"\$(find $tmp/many.v/1.json -newermt 2002-01-01)\" ]"
all_shards many 3
victim=$(jq -r '.runs[0].file' "$tmp/many.v/2.json"); cp "$victim" "$tmp/kept"; sed -i 's/"line": 0//; $ s/$/ /' "$victim"; touch -d '2001-01-01' "$tmp/many.v/2.json"; shard many 2 3
check "so it is after a change of its records" sh -c "[ -n \"\$(find $tmp/many.v/2.json -newermt 2002-01-01)\" ]"
cp "$tmp/kept" "$victim"; shard many 2 3
rm "$tmp/many.v/0.json"
( "$FPREPORT" verify --records "$tmp/many" --shard 0/3 --format json -o "$tmp/many.v/0.json" 2>/dev/null & pid=$!; sleep 0.02; kill -9 $pid; wait $pid ) 2>/dev/null
[ -e "$tmp/many.v/0.json" ] || head -c 300 "$tmp/many.v/1.json" >"$tmp/many.v/0.json.fpreport-tmp"
[ -e "$tmp/many.v/0.json" ] || check_exit 2 "a killed shard is missing" "$FPREPORT" merge "$tmp/many.v"
shard many 0 3; merges many "a killed shard, verified again"

# --- What does not belong together.
refuses() { # WHAT WORDS
    "$FPREPORT" merge "$tmp/many.v" >"$tmp/out" 2>"$tmp/err"; got=$?
    if [ $got = 2 ] && grep -q "$2" "$tmp/err" && [ ! -s "$tmp/out" ]; then ok "$1"; else
        not_ok "$1"; echo "# exit $got"; sed 's/^/# /' "$tmp/err"; fi
}
resum() { # FILE: its digest, made anew
    python3 - "$1" <<'EOF'
import hashlib, sys
text = open(sys.argv[1], "rb").read()
at = text.rindex(b'  "digest"')
open(sys.argv[1], "wb").write(text[:at] + b'  "digest": "%s"\n}\n' % hashlib.sha256(text[:at]).hexdigest().encode())
EOF
}
cp -R "$tmp/many.v" "$tmp/good"
restore() { rm -rf "$tmp/many.v"; cp -R "$tmp/good" "$tmp/many.v"; }
rm "$tmp/many.v/1.json"; refuses "a missing shard" "not there: 1"; restore
cp "$tmp/many.v/1.json" "$tmp/many.v/3.json"; refuses "a shard twice" "which is in"; restore
cp "$tmp/many.json" "$tmp/many.v/x.json"; refuses "a document of all results" "no document of a shard"; restore
head -c 5000 "$tmp/good/1.json" >"$tmp/many.v/1.json"; refuses "a document that is cut" "no document of a shard that is whole"; restore
sed -i 's/"state": "unverified"/"state": "verified"/' "$tmp/many.v/1.json"; refuses "a document that was changed" "no document of a shard that is whole"; restore
shard many 1 3 --rules 2026.2; refuses "a shard of other rules" "found rules 2026.2"; restore
shard many 1 3 --only FP1; refuses "a shard of some rules" "only"; restore
sed -i 's/"tool": "[^"]*"/"tool": "0.0.9"/' "$tmp/many.v/1.json"; resum "$tmp/many.v/1.json"; refuses "a shard of another tool" "found tool 0.0.9"; restore
"$FPREPORT" verify --records "$tmp/many" --shard 1/4 --format json -o "$tmp/many.v/1.json" 2>/dev/null; refuses "a shard of another number" "found shard 1 of 4"; restore
rm "$(ls "$tmp"/many/results/nvidia/*.json | tail -n 1)"; shard many 1 3; refuses "a shard of another list of records" "the list of records"; restore
: >"$tmp/many.v/1.json"; refuses "an empty file" "whole"; restore
sed -i 's/"across": \[/"across": [{"place": 1}, /' "$tmp/many.v/1.json"; resum "$tmp/many.v/1.json"; refuses "a digest over what no shard has" "expected what a shard has"; restore
mkdir "$tmp/none"; check_exit 2 "a folder without shards" "$FPREPORT" merge "$tmp/none"
check_exit 2 "a folder that is not there" "$FPREPORT" merge "$tmp/nowhere"
for wrong in 3/3 -1/3 a/3 1 1/0 1/99999 1/3x ""; do
    check_exit 2 "--shard '$wrong'" "$FPREPORT" verify --records "$tmp/many" --shard "$wrong" --format json
done
check_exit 2 "--shard as text" "$FPREPORT" verify --records "$tmp/many" --shard 0/2
cp -R "$tmp/many" "$tmp/alike"; kase=$(ls "$tmp/many/cases" | grep '^[a-z]' | head -n 1)
sed 's/"id": "\(.\)/"id": "\U\1/' "$tmp/many/cases/$kase" >"$tmp/alike/cases/$(echo "$kase" | sed 's/^./\U&/')"
check_exit 2 "cases that differ in capitals only" "$FPREPORT" verify --records "$tmp/alike" --shard 0/2 --format json -o "$tmp/alike.v/0.json"
plan_done
