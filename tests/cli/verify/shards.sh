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
check "a shard that is there is skipped" sh -c "grep -q 'already exists' $tmp/err && [ -z \"\$(find $tmp/many.v/1.json -newermt 2002-01-01)\" ]"
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

# --- Folders of shards are compared as their merged documents are.
cp -R "$tmp/many.v" "$tmp/many.old"; cp -R "$tmp/many" "$tmp/kept.many"
victim=$(jq -r '.runs[1].file' "$tmp/many.v/0.json")
python3 - "$victim" <<'EOF'
import re, sys
text = open(sys.argv[1]).read()
open(sys.argv[1], "w").write(re.sub(r'"(\d)(\d+\.\d+)"', r'"9\2"', text, count=1))
EOF
rm "$(jq -r '.runs[1].file' "$tmp/many.v/1.json")"
cp "$tmp/many.json" "$tmp/many.old.json"; whole many; all_shards many 3
for form in text json; do
    "$FPREPORT" diff --format $form "$tmp/many.old.json" "$tmp/many.json" >"$tmp/whole.diff"; code=$?
    check_exit $code "diff of folders, $form" "$FPREPORT" diff --format $form "$tmp/many.old" "$tmp/many.v" -o "$tmp/parts.diff"
    sed -e "s#$tmp/many.old.json#$tmp/many.old#" -e "s#$tmp/many.json#$tmp/many.v#" "$tmp/whole.diff" >"$tmp/want.diff"
    check_same "which says the same as that of documents, $form" "$tmp/want.diff" "$tmp/parts.diff"
done
check "of which one result is gone" jq -e '.summary.gone == 1 and .summary.changed > 0' "$tmp/parts.diff"
check_exit 2 "a folder beside a document" "$FPREPORT" diff "$tmp/many.old" "$tmp/many.json"
all_shards many 2; check_exit 2 "folders of other numbers of shards" "$FPREPORT" diff "$tmp/many.old" "$tmp/many.v"
rm -rf "$tmp/many.v" "$tmp/many"; mv "$tmp/many.old" "$tmp/many.v"; mv "$tmp/kept.many" "$tmp/many"; mv "$tmp/many.old.json" "$tmp/many.json"
# A document with more values than one tree may have: what reads it in pieces read the one above with sanitizers.
python3 - "$tmp/many.json" "$tmp/large.json" <<'EOF'
import json, sys
d = json.load(open(sys.argv[1]))
d["runs"] = [dict(run, id=f"{run['id']}-{i}") for i in range(60) for run in d["runs"]]
json.dump(d, open(sys.argv[2], "w"), ensure_ascii=False, indent=1)
EOF
check "5,400 results beside themselves" sh -c "'$PLAIN_PROGRAM' diff $tmp/large.json $tmp/large.json | grep -q '^5400 the same, 0 changed'"
head -c 20000000 "$tmp/large.json" >"$tmp/cut.json"
check_exit 3 "a large document that is cut" "$PLAIN_PROGRAM" diff "$tmp/cut.json" "$tmp/large.json"
sed '200000s/"/ /' "$tmp/large.json" >"$tmp/odd.json"
"$PLAIN_PROGRAM" diff "$tmp/odd.json" "$tmp/large.json" >"$tmp/out" 2>&1; code=$?
check "a fault in one has its line" sh -c "[ $code = 3 ] && grep -q 'odd.json:20000[0-9]:' $tmp/out"

# --- A site of the verdicts that shards left.
cp -R "$top/tests/golden/build/records" "$tmp/small" && rm -rf "$tmp/small.v"
python3 "$top/tests/bench/many_results.py" "$tmp/few" 12; cp -R "$tmp/few/results" "$tmp/few/cases" "$tmp/few/models" "$tmp/few/accelerators" "$tmp/few/vendors" "$tmp/small/"
built() { name=$1; shift; "$FPREPORT" build --records "$tmp/$name" --no-cache "$@" >"$tmp/out" 2>"$tmp/err"; echo $? >"$tmp/code"; }
all_shards small 3
built small -o "$tmp/site"; cp "$tmp/code" "$tmp/site.code"; cp "$tmp/err" "$tmp/site.err"
built small -o "$tmp/site.verdicts" --verdicts "$tmp/small.v"
check "build --verdicts writes the same site" diff -r "$tmp/site" "$tmp/site.verdicts"
check_same "with the same exit code" "$tmp/site.code" "$tmp/code"
check_same "and says the same" "$tmp/site.err" "$tmp/err"
# Its parts, joined.
for k in 0 1 2; do
    built small -o "$tmp/parts/$k" --verdicts "$tmp/small.v" --shard $k/3
    [ "$(cat "$tmp/code")" = "$(cat "$tmp/site.code")" ] || echo "$k" >>"$tmp/wrong"
done
check "three parts of a site" sh -c "[ ! -e $tmp/wrong ] && [ -s $tmp/parts/2/shard.json ]"
"$FPREPORT" build --join "$tmp/parts" -o "$tmp/site.joined" >"$tmp/out" 2>"$tmp/err"; echo $? >"$tmp/code"
check "joined, they are the same site" diff -r "$tmp/site" "$tmp/site.joined"
check_same "with the same exit code when joined" "$tmp/site.code" "$tmp/code"
mv "$tmp/parts/1" "$tmp/part"
check_exit 2 "a part is missing" "$FPREPORT" build --join "$tmp/parts" -o "$tmp/site.joined"
mv "$tmp/part" "$tmp/parts/1"; sed -i '$s/$/ /' "$(find "$tmp/parts/1" -name '*.html' | head -n 1)"
check_exit 2 "a file of a part was changed" "$FPREPORT" build --join "$tmp/parts" -o "$tmp/site.joined"
check "and the site stays as it was" diff -r "$tmp/site" "$tmp/site.joined"
sed -i 's/"number": 0/"number": 2/' "$tmp/parts/0/shard.json"
check_exit 2 "a part that is there twice" "$FPREPORT" build --join "$tmp/parts" -o "$tmp/site.joined"
check_exit 2 "a folder without parts" "$FPREPORT" build --join "$tmp/many" -o "$tmp/site.joined"
check_exit 2 "a part without verdicts" "$FPREPORT" build --records "$tmp/small" --shard 0/3 -o "$tmp/site.refused"
# verdicts_refused WHAT WORDS
verdicts_refused() {
    built small -o "$tmp/site.refused" --verdicts "$tmp/small.v"
    check "$1" sh -c "[ $(cat "$tmp/code") = 2 ] && grep -q '$2' $tmp/err && [ ! -e $tmp/site.refused ]"
}
cp "$tmp/small.v/1.json.kept" "$tmp/kept"; LC_ALL=C sed -i 's/every row has/every row hat/' "$tmp/small.v/1.json.kept"
check "and a kept verdict was changed" sh -c "! cmp -s $tmp/kept $tmp/small.v/1.json.kept"
verdicts_refused "verdicts that were changed" "other verdicts"
mv "$tmp/kept" "$tmp/small.v/1.json.kept"
victim=$(ls "$tmp"/small/results/globex/*.json | head -n 1); cp "$victim" "$tmp/kept"; echo >>"$victim"
verdicts_refused "verdicts of other records" "the records have changed"
cp "$tmp/kept" "$victim"; rm "$tmp/small.v/2.json"
verdicts_refused "verdicts of some shards" "not there: 2"
shard small 2 3

# --- The recipe of docs/SCALE.md for GNU parallel, with 4 shards: it goes on where it was killed.
if command -v parallel >/dev/null; then
    awk '/^## GNU parallel/ { on = 1 } on && /^```$/ { exit } on && inside { print } on && /^```sh$/ { inside = 1 }' "$top/docs/SCALE.md" |
        sed 's/0 255/0 3/; s/256/4/' >"$tmp/recipe"
    mkdir "$tmp/cluster" "$tmp/bin" && cp -R "$tmp/many" "$tmp/cluster/records" && ln -s "$FPREPORT" "$tmp/bin/fpreport"
    (cd "$tmp/cluster" && "$FPREPORT" verify --format json -o "$tmp/cluster.json" 2>/dev/null)
    (cd "$tmp/cluster" && PATH=$tmp/bin:$PATH sh "$tmp/recipe") >"$tmp/out" 2>&1
    check_same "the recipe for GNU parallel" "$tmp/cluster.json" "$tmp/cluster/verdicts.json"
    rm "$tmp/cluster/v/2.json" "$tmp/cluster/verdicts.json"; sed -i '/ 2\/4 /d; /--shard 2\/4/d' "$tmp/cluster/v/joblog"
    (cd "$tmp/cluster" && PATH=$tmp/bin:$PATH sh "$tmp/recipe") >"$tmp/out" 2>&1
    check_same "which runs again what is not in its log" "$tmp/cluster.json" "$tmp/cluster/verdicts.json"
else
    skip "needs GNU parallel"
fi

# --- The script of the recipe for Slurm, started as an array would (make check-slurm has a Slurm).
awk '/^## Slurm/ { on = 1 } on && /^```$/ { exit } on && inside { print } on && /^```sh$/ { inside = 1 }' "$top/docs/SCALE.md" |
    sed 's/0-255/0-3/; s/256/4/' >"$tmp/verify.sbatch"
mkdir -p "$tmp/array/v" "$tmp/bin" && cp -R "$tmp/many" "$tmp/array/records" && ln -sf "$FPREPORT" "$tmp/bin/fpreport"
for k in 0 1 2 3; do
    (cd "$tmp/array" && PATH=$tmp/bin:$PATH SLURM_ARRAY_TASK_ID=$k sh "$tmp/verify.sbatch") >"$tmp/out" 2>&1 || echo "$k" >>"$tmp/wrong.tasks"
done
check "tasks of the recipe for Slurm end with 0" sh -c "[ ! -e $tmp/wrong.tasks ] && grep -q 'array=0-3' $tmp/verify.sbatch"
(cd "$tmp/array" && "$FPREPORT" verify --format json -o "$tmp/array.json" 2>/dev/null; "$FPREPORT" merge v -o merged.json 2>/dev/null)
check_same "and leave all shards" "$tmp/array.json" "$tmp/array/merged.json"

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
mkdir -p "$tmp/full/results/acme" && (cd "$tmp/full/results/acme" && seq -f '%05.0f.json' 50001 | xargs touch)
check_exit 2 "too many results of one shard" "$FPREPORT" verify --records "$tmp/full" --shard 0/1 --format json -o "$tmp/full.v/0.json"
cp "$tmp/.out" "$tmp/said"
check "which says so before it begins" sh -c "grep -q 'found 50001 results in it, expected at most 50000: divide the records into more shards' '$tmp/said' && [ ! -e '$tmp/full.v' ]"
plan_done
