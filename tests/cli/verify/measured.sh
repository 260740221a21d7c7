#!/bin/sh
# FP4013: what was measured on the machine, beside what the run achieved and the card's peak.
. "$(dirname "$0")/../../lib.sh"
records=$top/records
cd "$tmp" || exit 1
archive=$(ls "$records"/evidence/fpreport/llama2_7b-native-run*.tar.zst)
mkdir run && tar -C run --zstd -xf "$archive" || exit 1

# seal NAME JSON: the run with this as what was measured (null: nothing)
seal() {
    rm -rf "$1" && cp -R run "$1" && rm "$1/SHA256SUMS"
    facts=$(ls "$1"/*/*/*/fingerprint.json)
    old=$(sha256sum <"$facts" | cut -c1-64)
    jq --argjson m "$2" '.measured = $m | if $m == null then del(.measured) else . end' "$facts" >new.json
    cat new.json >"$facts"
    sed -i "s/$old/$(sha256sum <"$facts" | cut -c1-64)/" "$1/run.json"
    rm -f "$1.tar.zst"
    "$FPREPORT" -q collect --force --records "$records" "$1" -o "$1.tar.zst" >/dev/null
}
# measured KEY MIN MEDIAN MAX [SLOWEST RANK]
measured() {
    ranks=1
    [ -z "${5:-}" ] || ranks=8
    printf '{"device": "NVIDIA H200", "with": "CUDA 13.0", "ranks": %s, "figures": [{"key": "%s",' $ranks "$1"
    printf '"unit": "TFLOP/s", "size": 8192, "repetitions": 10, "min": %s, "median": %s, "max": %s' "$2" "$3" "$4"
    [ -z "${5:-}" ] || printf ', "slowest": %s, "slowest_rank": %s' "$5" "$6"
    printf '}]}'
}
# finds NAME WORD TEXT DESCRIPTION: one finding, PASS, CANNOT or its severity
finds() {
    "$FPREPORT" verify --records "$records" -v --only FP4013 "$1.tar.zst" >"$1.txt" 2>&1
    grep '\[FP4013\]$' "$1.txt" >"$1.found"
    if [ "$(grep -c . "$1.found")" -eq 1 ] && grep -qF ": $2: " "$1.found" && grep -qF -- "$3" "$1.found"; then
        ok "$4"
    else
        not_ok "$4"
        sed 's/^/# /' "$1.txt"
    fi
}

seal good "$(measured gemm_bf16 695.4 703.1 811.5)"
finds good PASS "a matrix product in bf16 reached 703.1 TFLOP/s on the machine of the run, which is 71.1 % of its peak (NVIDIA H200-SXM-141GB bf16)" "an H200 as it is"
"$FPREPORT" verify --records "$records" --format json good.tar.zst >good.json 2>/dev/null
check "the verdict has the figures" jq -e '.runs[0].evidence[0].measured.figures[0] | .key == "gemm_bf16" and .median == 703.1' good.json
"$FPREPORT" verify --records "$records" good.tar.zst >out 2>&1
check "so has its text" grep -q '^    Matrix product, bf16, 8192 x 8192    703.1 TFLOP/s (695.4 to 811.5, 10$' out
seal slow "$(measured gemm_bf16 490 495 500)"
finds slow warning "6 * 7e9 * 13778.58" "a run that is faster than its products"
finds slow warning "= 578.7 TFLOP/s" "by what it achieved"
finds slow warning "reached at most 500.0 on the machine of the run" "and what was measured"
seal near "$(measured gemm_bf16 540 548 556)"
finds near PASS "548.0 TFLOP/s" "5 % are the clock's"
seal peak "$(measured gemm_bf16 1040 1045 1050)"
finds peak warning "105.7 % of the peak used for MFU (989.0, NVIDIA H200-SXM-141GB bf16): the peak is too low" "a card with another peak"
seal held "$(measured gemm_bf16 400 480 600)"
finds held notice "48.5 % of the peak" "a card that is held back"
seal rank "$(measured gemm_bf16 600 700 705 650 3)"
finds rank notice "the card of rank 3 is slower than the other cards, which have to wait for it: 650.0 instead of 700.0 TFLOP/s" "a slow rank"
seal even "$(measured gemm_bf16 600 700 705 680 3)"
finds even PASS "700.0 TFLOP/s" "ranks are never quite the same"
seal other "$(measured gemm_fp32 50 51 52)"
finds other CANNOT "no matrix product was measured in the precision of the run" "another precision"
seal none null
"$FPREPORT" verify --records "$records" --format json "none.tar.zst" >none.json 2>/dev/null
check "nothing measured, nothing found" jq -e '[.runs[].findings[] | select(.rule == "FP4013")] == []' none.json
check "and nothing is told" jq -e '.runs[0].evidence[0] | has("measured") | not' none.json

# A file that is malformed is refused whole: no fact of it counts.
seal bad "$(measured gemm_bf16 9 8 7)"
check_exit 1 "rates that cannot be: nothing of the file counts" \
    "$FPREPORT" verify --records "$records" --only FP4006 bad.tar.zst
"$FPREPORT" verify --records "$records" --only FP4006 bad.tar.zst >out 2>&1
check "and that is said" grep -q 'error: the submission contains no readable fingerprint.json \[FP4006\]' out

# The page of a result shows them, and its text is text.
ln -s "$top/templates" templates
cp -R "$records" rec && cp good.tar.zst "rec/evidence/fpreport/$(basename "$archive")"
sed -i "s/$(sha256sum <"$archive" | cut -c1-64)/$(sha256sum <good.tar.zst | cut -c1-64)/" rec/results/fpreport/llama2_7b-native.json
"$FPREPORT" verify --records rec fpreport/llama2_7b-native >out 2>&1
check "such a result is verified" grep -q '^fpreport/llama2_7b-native: verified' out
"$FPREPORT" build -q --records rec -o site >/dev/null 2>&1
page=site/en/result/fpreport/llama2_7b-native/index.html
check "its page has what was measured here" grep -q 'before the training: <span lang="en">NVIDIA H200, CUDA 13.0' "$page"
check "with the spread" grep -qF '703.1 <small>TFLOP/s</small></td><td class="number">695.4 – 811.5' "$page"

# Of a fingerprint that is withheld the site says no figure, in no finding either.
packed=slow.tar.zst
sed -i "s/\"sha256\": \"[0-9a-f]\{64\}\"/\"sha256\": \"$(sha256sum <$packed | cut -c1-64)\"/" rec/results/fpreport/llama2_7b-native.json
rm "rec/evidence/fpreport/$(basename "$archive")" && "$FPREPORT" archive add -q --records rec --archive kept $packed >/dev/null 2>&1
site() { rm -rf site* && "$FPREPORT" build -q --records rec --archive kept -o site >/dev/null 2>&1; }
says() { find site -path '*/llama2_7b-native/*' -type f -exec grep -lE '(reached at most|median.*) *500|"max": 500' {} + | wc -l; }
verdict=site/result/fpreport/llama2_7b-native/verify.json
found() { jq -r '.runs[0].findings[] | select(.rule == "FP4013") | .message' $verdict; }
site
check "of one that is published it does" sh -c 'echo "$1" | grep -q "reached at most 500.0" && [ "$2" -ge 2 ]' - "$(found)" "$(says)"
"$FPREPORT" archive redact --records rec --archive kept -q "$(jq -r .submission kept/log.jsonl)" "*fingerprint.json" --reason "names of machines" 2>/dev/null
site
check "of one that is withheld it does not" test "$(says)" -eq 0
check "what was found says that it is withheld" sh -c 'echo "$1" | grep -q withheld' - "$(found)"
plan_done
