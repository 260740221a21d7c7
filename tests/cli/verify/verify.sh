# fpreport verify: golden verdicts, exit codes, tampered submissions, and an independent oracle.
. "$(dirname "$0")/../../lib.sh"
cd "$top" || exit 1
golden=tests/golden/verify
oracle=tests/oracle/verify.py
page() { "$FPREPORT" verify --records $golden/records --vendor nvidia --case sample_page "$@" $golden/page.md; }

page >"$tmp/page.txt"; page --format json >"$tmp/page.json"
check_same "text of a page with eight faults" $golden/page.txt "$tmp/page.txt"
check_same "the same as JSON" $golden/page.json "$tmp/page.json"
check "the document is JSON for everybody" python3 -m json.tool "$tmp/page.json"
check "no line of figures is wider than a terminal" \
    sh -c '! grep -v "^[^ ].*: " "$1" | grep -Eq ".{81}"' sh "$tmp/page.txt"
check_exit 1 "a page with errors ends with 1" page
for kind in json md tar.zst; do
    "$FPREPORT" verify "$tmp/none.$kind" >/dev/null 2>"$tmp/none.txt"
    check "$kind: one that is not there is named, once" \
        test "$(grep -o "none.$kind" "$tmp/none.txt" | wc -l)" -eq 1
done
check_exit 3 "a page that is not there ends with 3" "$FPREPORT" verify "$tmp/none.md"

# The shipped run: sealed, verified, and recomputed by somebody else.
check "the shipped run is verified" "$FPREPORT" verify fpreport/tiny_llama
"$FPREPORT" verify --format json fpreport/tiny_llama >"$tmp/run.json"
check "its state is verified" grep -q '"state": "verified"' "$tmp/run.json"
check "the oracle computes the same figures" python3 $oracle evidence records "$tmp/run.json"
sed 's/"recomputed": "[0-9]*\.[0-9]"/"recomputed": "1.0"/' "$tmp/run.json" >"$tmp/wrong.json"
check_exit 1 "the oracle would notice" python3 $oracle evidence records "$tmp/wrong.json"

# A copy of the records, spoilt in one place at a time.
result=results/fpreport/tiny_llama.json
archive=$(sed -n 's/.*"archive": "\([^"]*\)".*/\1/p' records/$result)
fresh() { rm -rf "$tmp/r"; cp -R records "$tmp/r"; }
spoilt() { # RULE DESCRIPTION: verify the copy, expect exit 1 and this rule
    "$FPREPORT" verify --records "$tmp/r" fpreport/tiny_llama >"$tmp/.out" 2>&1; got=$?
    if [ $got -eq 1 ] && grep -q "error: .*\[$1\]" "$tmp/.out"; then ok "$2"; else
        not_ok "$2"; echo "# exit $got"; sed 's/^/# /' "$tmp/.out" | head -n 20
    fi
}
# The archive packed again with a changed file: sealed anew (honest manifest) or not.
repack() { # SED-SCRIPT FILE-PATTERN RESEAL
    fresh; mkdir "$tmp/r/x"
    zstd -dcq "$tmp/r/$archive" | tar -xf - -C "$tmp/r/x"
    (cd "$tmp/r/x" && find . -type f -name "$2" -exec sed -i "$1" {} +
     if [ "$3" = yes ]; then
        find . -type f ! -name SHA256SUMS | sed 's|^\./||' | LC_ALL=C sort |
            while read -r f; do sha256sum "$f"; done >SHA256SUMS
     fi
     find . -type f | sed 's|^\./||' | LC_ALL=C sort >../names
     tar --format=ustar --mode=0644 -b1 --owner=0 --group=0 --numeric-owner --mtime=@0 --no-recursion -cf - -T ../names |
        zstd -q -f -o "../$archive")
    sum=$(sha256sum "$tmp/r/$archive" | cut -d' ' -f1)
    sed -i "s/\"sha256\": \"[0-9a-f]*\"/\"sha256\": \"$sum\"/" "$tmp/r/$result"
}
fresh; printf x >>"$tmp/r/$archive"
spoilt FP4001 "one byte more at the end of the archive"
fresh; dd if=/dev/zero of="$tmp/r/$archive" bs=1 seek=900 count=1 conv=notrunc 2>/dev/null
spoilt FP4001 "one byte in the archive"
fresh; : >"$tmp/r/$archive"
spoilt FP4001 "an empty archive"
repack '60s/"loss": [0-9.]*/"loss": 1.5/' rank0.out.log no
spoilt FP4002 "one line of the log, manifest as it was"
repack 's/"step_time_s": 0\.0/"step_time_s": 0.00/' rank0.out.log yes
spoilt FP4005 "faster steps, sealed again"
repack '/"global_steps": 250,/s/"loss": [0-9.]*/"loss": 0.5/' rank0.out.log yes
spoilt FP2009 "a better final loss, sealed again"
repack '60s/"step_time_s": 0\./"step_time_s": -0./;60s/"tokens\/s": /"tokens\/s": -/' rank0.out.log yes
spoilt FP4005 "a step that takes less than no time"
repack '/"global_steps": 1[0-9][0-9],/d' rank0.out.log yes
spoilt FP4005 "steps left out in the middle of the log"
repack '/"global_steps": [1-9],/d' rank0.out.log yes
spoilt FP4005 "steps left out at the start of the log"
repack 's/"micro_batch": 4/"parallel": {"data": 8}, "micro_batch": 4/' case.json yes
spoilt FP4008 "a case of eight ranks for a row of one card"
repack 's/"state": "complete"/"state": "failed"/' run.json yes
spoilt FP4003 "a failed run, sealed again"
repack 's/"micro_batch": 4/"micro_batch": 2/' case.json yes
spoilt FP4004 "another case, sealed again"
repack '1s/^/x/' fingerprint.json yes
spoilt FP4006 "a fingerprint that cannot be read, sealed again"
fresh; sed -i 's/"fp32", "\/", "[0-9.]*"/"fp32", "\/", "99999.9"/' "$tmp/r/$result"
spoilt FP2002 "a better throughput in the record"
fresh; sed -i '/kernel/,/value/s/"value": ".*"/"value": "5.10.0-26-amd64"/' "$tmp/r/$result"
spoilt FP4006 "another kernel in the record"
# It ran in a container, whose image has a system of its own: the page may mean the machine's.
fresh; sed -i 's/Debian GNU.Linux 12 (bookworm)/Ubuntu 20.04/' "$tmp/r/$result"
check "another system in the record" "$FPREPORT" verify --records "$tmp/r" fpreport/tiny_llama
cp "$tmp/.out" "$tmp/said"
check "is shown" grep -q "notice: operating system differs; .*the image or the host: .*record says 'Ubuntu 20.04'" "$tmp/said"

if [ -d "$shared/corpus/flagperf" ]; then
    pages=$(find "$shared/corpus/flagperf" -name README.md | LC_ALL=C sort)
    # shellcheck disable=SC2086
    "$FPREPORT" verify -q --format json $pages >"$tmp/pages.json" 2>/dev/null
    # shellcheck disable=SC2086
    check "MFU of the corpus, by the oracle" python3 $oracle pages records "$tmp/pages.json" $pages
else
    skip "MFU of the corpus needs ../shared"
fi
# Forms that a reader sees at once.
{ cat "$top/templates/explain/page.md"; printf '\n| 配置 | MFU | 是否精度对齐 |\n| --- | --- | --- |\n| A100单机8卡（1x8） | 0.35 | True |\n| A100两机8卡（2x8） | 0.35%% | Tru |\n| A100四机8卡（4x8） | 0.34 | 否 |\n'; } >"$tmp/forms.md"
"$FPREPORT" verify "$tmp/forms.md" >"$tmp/forms" 2>&1
check "a percentage below 1 in a column of ratios" grep -q "column MFU holds '0.35%', but '0.35' in row 1: one is a ratio, the other a percentage \[FP2018\]" "$tmp/forms"
check "half an answer" grep -q "warning: column 是否精度对齐: 'Tru' is neither True nor False \[FP1004\]" "$tmp/forms"
check "and no other of them" test "$(grep -cE 'FP2018|FP1004' "$tmp/forms")" -eq 2
# How a throughput is spelt loosens nothing: the row and the state are those of its digits.
spelt() { # THROUGHPUT MFU: what FP2003 finds of row 1.1 alone, and the state
    sed "s/| 3564 | True | 37.1\/40.0 | 47.9% |/| $1 | True | 37.1\/40.0 | $2 |/; /| A100单机8卡（1x8） | TP4/d; /80.83.2/d" \
        $golden/page.md >"$tmp/spelt.md"
    "$FPREPORT" verify --records $golden/records --vendor nvidia --case sample_page --only FP2003 \
        "$tmp/spelt.md" >"$tmp/spelt" 2>&1
    echo $?
    grep -oE 'mfu .*(FAIL|PASS)|failed|unverified' "$tmp/spelt" | sed 's/  *[0-9.]*%  *\(FAIL\|PASS\)/ \1/' | sort -u
}
for mfu in 90% 75% 20%; do
    spelt 10000 $mfu >"$tmp/digits"
    check "$mfu of 10000 token/p/s fails" grep -qx 1 "$tmp/digits"
    for tps in 1e4 0.00001e9 10k "-1e8 + 1.0001e8"; do
        spelt "$tps" $mfu >"$tmp/other"
        check_same "$mfu of $tps fails in the row and as a state, too" "$tmp/digits" "$tmp/other"
    done
done
# What is no number is an error in every spelling; a dash of any kind claims none.
stated() { # THROUGHPUT: what FP1004 says of it, and what counts as claimed
    sed "s/| 3564 | True | 37.1\/40.0 | 47.9% |/| $1 | True | 37.1\/40.0 | \/ |/; /| A100单机8卡（1x8） | TP4/d; /80.83.2/d" \
        $golden/page.md >"$tmp/stated.md"
    "$FPREPORT" verify --records $golden/records --vendor nvidia --case sample_page --only FP1004 --format json \
        "$tmp/stated.md" 2>/dev/null >"$tmp/stated.json"
    jq -r '.runs[] | (.findings[].severity), .state,
        (.metrics[] | select(.name == "token_per_s_per_card") | .ok, .reason)' "$tmp/stated.json" | sed "s/'.*'/X/"
}
stated 2,63 >"$tmp/none"; stated - >"$tmp/dash"
check "'2,63' is an error" grep -qx failed "$tmp/none"
check "'-' is none" sh -c '! grep -q failed "$1" && grep -qx withheld "$1"' sh "$tmp/dash"
for figure in nan NaN -inf Infinity ∞ NaN%; do
    stated "$figure" >"$tmp/other"
    check_same "so is '$figure'" "$tmp/none" "$tmp/other"
done
for figure in -- — – −; do
    stated "$figure" >"$tmp/other"
    check_same "'$figure' is as '-'" "$tmp/dash" "$tmp/other"
done
plan_done
