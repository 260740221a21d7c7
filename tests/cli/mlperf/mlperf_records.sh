# fpreport import of MLPerf packages, the records that it makes, and their pages; diff and explain of their logs, and
# logs of benchmarks that no rule set has.
. "$(dirname "$0")/../../lib.sh"
cd "$top" || exit 1
here=$top/tests/cli/mlperf
mkdir "$tmp/program" && cp "$FPREPORT" "$tmp/program/fpreport" && ln -s "$top/records" "$top/templates" "$tmp/program/"
FPREPORT=$tmp/program/fpreport
python3 "$here/make_package.py" "$tmp"
log=$tmp/Example/results/one/retinanet/result_0.txt

# ---- import
"$FPREPORT" new -q project "$tmp/own" >/dev/null 2>&1
cd "$tmp/own" || exit 1
check "a package is imported" "$FPREPORT" import -q --ruleset 5.1.0 ../Example
record=records/mlperf/results/v5.1/Example/one.json
check "a round is a record" grep -q '"ruleset": "5.1.0"' records/mlperf/rounds/v5.1.json
check "so is a system, with its score" grep -q '"minutes": "20.483"' $record
check "and with its runs" test "$(grep -c '"log": "result_' $record)" -eq 5
check "the same package again changes nothing" "$FPREPORT" import -q --ruleset 5.1.0 ../Example
sed -i 's/"20.483"/"19.000"/' $record
check_exit 2 "what is there and differs stays" "$FPREPORT" import -q --ruleset 5.1.0 ../Example
check "unless it is to be replaced" "$FPREPORT" import -q --force --ruleset 5.1.0 ../Example
check "a folder of packages is imported, too" "$FPREPORT" import -q --ruleset 5.1.0 -o "$tmp/all" "$tmp"
check_same "with the same records" $record "$tmp/all/results/v5.1/Example/one.json"
mv $record "$tmp/one.json"
sed 's/"system": "one"/"system": "two"/' "$tmp/one.json" >$record
"$FPREPORT" build -q -o "$tmp/site" >"$tmp/out.txt" 2>&1
check "a record that lies elsewhere is named" grep -q 'expected those in the path of the file' "$tmp/out.txt"
mv "$tmp/one.json" $record

# ---- pages
check "the site is built" "$FPREPORT" build -q -o "$tmp/site"
for lang in zh en; do
    for page in index v5.1/index v5.1/benchmark/retinanet/index v5.1/submitter/Example/index v5.1/result/Example/one/retinanet/index; do
        check "$lang: mlperf/$page.html" test -s "$tmp/site/$lang/mlperf/$page.html"
    done
    result=$tmp/site/$lang/mlperf/v5.1/result/Example/one/retinanet/index.html
    check "$lang: its runs are points" test "$(grep -c '<title>result_' "$result")" -eq 20
    check "$lang: MLCommons is named" grep -q 'MLCommons' "$result"
    check "$lang: the navigation leads there" grep -q 'mlperf/index.html' "$tmp/site/$lang/index.html"
done
check "the RCP bound is drawn" grep -q 'RCP bound' "$tmp/site/en/mlperf/v5.1/result/Example/one/retinanet/index.html"
sed 's/"system": "one"/"system": "two"/; s/"accelerators": 8/"accelerators": 64/; s/"20.483"/"3.000"/' $record >records/mlperf/results/v5.1/Example/two.json
check "a system that is added" "$FPREPORT" build -q -o "$tmp/site"
submitter=$tmp/site/en/mlperf/v5.1/submitter/Example/index.html
check "has its scaling" grep -q '<td class="number">85.3</td>' "$submitter" # 20.483 * 8 / (3.000 * 64)
check "and a drawing over accelerators" grep -q '<svg' "$tmp/site/en/mlperf/v5.1/benchmark/retinanet/index.html"
for what in check languages data; do
    check "pages hold what all pages of the site do: $what" python3 "$top/tests/cli/build/site.py" $what "$tmp/site"
done
page=$tmp/site/en/accelerator/cpu/index.html
check "on an accelerator's page nothing of MLPerf stands" sh -c "test -s '$page' && ! grep -q 'MLPerf Training' '$page'"
sed -i 's/"accelerator": "[^"]*"/"accelerator": "CPU"/' $record
check "a system of that accelerator" "$FPREPORT" build -q -o "$tmp/site"
check "is listed there, by itself" sh -c "sed -n '/<h2>MLPerf Training/,\$p' '$page' | grep -q 'mlperf/v5.1/result/Example/one/retinanet'"
sed -i 's/"accelerator": "CPU"/"accelerator": "CPU-PCIe"/' $record
check "a card of another form" "$FPREPORT" build -q -o "$tmp/site"
check "is another card" sh -c "! grep -q 'MLPerf Training' '$page'"
sed -i 's/"accelerator": "CPU-PCIe"/"accelerator": "CPU"/' $record && "$FPREPORT" build -q -o "$tmp/site" >/dev/null
check "with the trademark" grep -q 'MLPerf Training v5.1. The MLPerf name' "$page"
check "the system of another is not" sh -c "! grep -q 'result/Example/two/' '$page'"
# What is found is said in Chinese on Chinese pages: of a log, a directory, a description, and the reason of a worker.
cp -R ../Example ../Faulty && faulty=../Faulty/results/one/retinanet
sed -i 's/"opt_name", "value": "adam"/"opt_name", "value": "sgd"/' $faulty/result_0.txt $faulty/result_1.txt
cp $faulty/result_0.txt $faulty/result_4.txt && : >$faulty/result_2.txt && mkdir $faulty/old
truncate -s 257M $faulty/result_3.txt && sed -i 's/"cooling"/"heating"/' ../Faulty/systems/one.json
check "a package with faults" "$FPREPORT" import -q --ruleset 5.1.0 ../Faulty
faults=records/mlperf/results/v5.1/Faulty/one.json
check "its findings have formats and values" grep -q '"format": "%s%s (%s)", "values": \[{"text": "opt_name: found sgd' $faults
"$FPREPORT" build -q -o "$tmp/site" >/dev/null
page=$tmp/site/zh/mlperf/v5.1/result/Faulty/one/retinanet/index.html
for words in 'opt_name：写的是' '次运行不合规，最多可丢弃 1 次：没有成绩' '也出现在 result_0.txt 中' '没有任何记录' '未知的文件或目录：old' '是同一次运行'; do
    check "$words" grep -q "$words" "$page"
done
python3 "$here/../messages.py" pages "$tmp/site/zh/mlperf" >"$tmp/english"
check_same "no English sentence is on the Chinese pages" /dev/null "$tmp/english"
check "on the English one there is no Chinese" sh -c "! grep -q '写的是' '$tmp/site/en/mlperf/v5.1/result/Faulty/one/retinanet/index.html'"
# Sealed logs: handed out, and the score computed from them again.
check "a package with its logs sealed" "$FPREPORT" import -q --force --seal --ruleset 5.1.0 ../Example
sealed=mlperf/evidence/v5.1/Example/one/retinanet.tar.zst
check "the record names the archive" grep -q "\"evidence\": \"$sealed\"" $record
check "with its sum" grep -q "$(sha256sum records/$sealed | cut -c1-64)" $record
mkdir "$tmp/Unpacked" && tar -C "$tmp/Unpacked" --zstd -xf records/$sealed
check "unpacked, it is a package" "$FPREPORT" verify -q --ruleset 5.1.0 "$tmp/Unpacked/results/one/retinanet"
check "its sums are those of any tool" sh -c "cd '$tmp/Unpacked' && sha256sum --quiet --strict -c SHA256SUMS"
result=$tmp/site/en/mlperf/v5.1/result/Example/one/retinanet/index.html
seal_says() { # DESCRIPTION PATTERN
    "$FPREPORT" build -o "$tmp/site" >"$tmp/out.txt" 2>&1
    check "$1" grep -q "$2" "$result"
}
seal_says "the page says what they give" '✓ verified</span> time to train recomputed from these logs, min: 20.483'
check_same "and hands them out" records/$sealed "$tmp/site/$sealed"
sed -i 's/"20.483"/"19.000"/' $record
seal_says "another score is contradicted" '✕ failed</span> time to train recomputed from these logs, min: 20.483'
check "with a warning at its line" grep -q 'one.json:[0-9]*: warning: retinanet: found 19.000 min, the sealed logs give 20.483' "$tmp/out.txt"
sed -i 's/"19.000"/"20.483"/' $record && mv records/$sealed "$tmp/kept.tar.zst"
seal_says "an archive that is missing" '✕ failed</span> the archive is missing, or is not the one that the record names'
check "is not handed out" test ! -e "$tmp/site/$sealed"
head -c 1000 "$tmp/kept.tar.zst" >records/$sealed
sed -i "s/\"evidence_sha256\": \"[0-9a-f]*\"/\"evidence_sha256\": \"$(sha256sum records/$sealed | cut -c1-64)\"/" $record
seal_says "one that is cut" '✕ failed</span> the archive is incomplete'
rm -r records/mlperf
"$FPREPORT" build -q -o "$tmp/bare"
check "a project without rounds has no such place" sh -c "! grep -q 'mlperf/index.html' '$tmp/bare/en/index.html'"
cd "$top" || exit 1

# ---- diff, explain, logs of other benchmarks
sed 's/"epoch_num": 4/"epoch_num": 5/' "$log" >"$tmp/other.txt"
check "two logs are compared by their evaluations" sh -c "'$FPREPORT' diff --from-step 1 '$log' '$log' | grep -q mllog"
"$FPREPORT" diff --from-step 1 --format json "$tmp/other.txt" "$log" >"$tmp/diff.json"
check "as JSON" python3 -m json.tool "$tmp/diff.json"
"$FPREPORT" explain --ruleset 5.1.0 "$log" time_to_train >"$tmp/out.txt"
check "the time of a log is explained" grep -q '/ 60000 = 20.5 min\|/ 60000 = 20.[0-9]* min' "$tmp/out.txt"
check "so is what it needed" "$FPREPORT" explain --ruleset 5.1.0 "$log" samples_to_converge
check_exit 2 "a figure of directories is not" "$FPREPORT" explain --ruleset 5.1.0 "$log" rcp_factor
sed 's/retinanet/deepcam/' "$log" >"$tmp/hpc.log"
"$FPREPORT" verify "$tmp/hpc.log" >"$tmp/out.txt" 2>&1; got=$?
check "a benchmark of no rule set is a training log" test $got -eq 0
check "and the text says so" grep -q "no rule set has the benchmark 'deepcam': read as a training log" "$tmp/out.txt"
check "without rules of MLPerf" sh -c "! grep -q 'FP70\|official' '$tmp/out.txt'"
check_exit 1 "which --ruleset asks for" "$FPREPORT" verify -q --ruleset 5.1.0 "$tmp/hpc.log"
sed '/submission_benchmark/d' "$log" >"$tmp/nameless.log"
"$FPREPORT" verify "$tmp/nameless.log" >"$tmp/out.txt" 2>&1
check "so is one that names none" grep -q 'names no benchmark: read as a training log' "$tmp/out.txt"
plan_done
