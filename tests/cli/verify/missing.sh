#!/bin/sh
# What is not there makes nobody fail: evidence, what lies beside a log, a second spelling of a name.
. "$(dirname "$0")/../../lib.sh"
mkdir "$tmp/project" && cp -R "$top/records" "$tmp/project/records" && ln -s "$top/templates" "$tmp/project/templates" && cd "$tmp/project" || exit 1

# --- Evidence that is not there.
rm -r records/evidence
check "a result without its evidence" "$FPREPORT" verify fpreport/tiny_llama
"$FPREPORT" verify -v fpreport/tiny_llama >out 2>&1
check "is unverified" grep -q 'fpreport/tiny_llama: unverified' out
check "what is missing is said" grep -q 'tiny_llama-run.*CANNOT: the submission is missing' out
check "of each figure, too" grep -q 'the evidence is missing' out
mkdir -p records/evidence/fpreport && echo no >"records/$(jq -r '.evidence[0].archive' records/results/fpreport/tiny_llama.json)"
check_exit 1 "one that cannot be read fails" "$FPREPORT" verify fpreport/tiny_llama

# --- One log: nothing else in its folder is of it, but where the layout of a run says so.
mkdir -p loose/x/y && zstd -dcq "$top"/records/evidence/fpreport/tiny_llama-run*.tar.zst | tar -C loose/x/y -xf - || exit 1
cp loose/x/y/*/round1/*/rank0.out.log loose/train.log
"$FPREPORT" verify --case tiny_llama loose/train.log >with 2>&1
mkdir alone && cp loose/train.log alone/ && "$FPREPORT" verify --case tiny_llama alone/train.log >without 2>&1
sed -i 's,loose/,,;s,alone/,,' with without
check_same "a log by itself, whatever lies below its folder" without with
check "nothing of the machine is known" sh -c '! grep -q EPYC with'
"$FPREPORT" verify loose/x/y/*/round1/*/rank0.out.log -v >inside 2>&1
check "in a run's folder its fingerprint is" grep -q "FP4006" inside

# --- A batch that is printed loosely.
page() { # SIZES OF THE WHOLE BATCH, IN TOKENS: of a page with 1200 sequences of 4096 tokens
    sed "s/GBS=128=512K/GBS=1200=$1/; s/GAS=[0-9]*/GAS=150/; s/LBS=[0-9]*/LBS=1/" "$top/templates/explain/page.md" >page.md
    "$FPREPORT" verify --vendor nvidia --case llama2_7b-megatron --only FP2004 -v page.md >out 2>&1
}
for tokens in 4.8M 4.9M 4.7M 4915K 5M; do
    page "$tokens tokens"
    check "1200 sequences of 4096 may be $tokens" sh -c '! grep -q "batch in tokens.*FAIL\|error: the global batch in tokens" out'
done
page '9.9M tokens'
check "a wrong one is said" grep -q 'error: the global batch in tokens' out
check "as the page has it" grep -q 'stated as 9.9M tokens' out

# --- Names that differ in the case of letters only.
first=$(ls records/results/nvidia/*.json | head -n 1) id=$(jq -r .case "$first")
upper=$(echo "$id" | tr a-z A-Z)
check "a page of it" "$FPREPORT" render "$first" -o pages
page=$(find pages -name README.md | head -n 1)
check_exit 2 "the second spelling is refused" "$FPREPORT" import --vendor nvidia --case "$upper" "$page"
cp "$tmp/.out" said
check "with the cure" grep -q 'only in upper and lower case; use the same name' said
jq --arg id "$upper" '.case = $id' "$first" >"records/results/nvidia/$upper.json"
"$FPREPORT" verify nvidia >out 2>&1
check "a project that has both goes on" grep -q "warning: left out: found the name" out
check "with the others" grep -q "nvidia/$id: " out
plan_done
