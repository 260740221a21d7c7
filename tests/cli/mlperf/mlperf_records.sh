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
check "has its scaling" grep -q '<td class="number" data-v="85.3">85.3</td>' "$submitter" # 20.483 * 8 / (3.000 * 64)
check "and a drawing over accelerators" grep -q '<svg' "$tmp/site/en/mlperf/v5.1/benchmark/retinanet/index.html"
check "pages hold what all pages of the site do" python3 "$top/tests/cli/build/site.py" check,languages,data "$tmp/site"
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
for words in 'opt_name 写的是' '次运行违反规则，但至多可以丢弃 1 次：该目录没有成绩' '也用于另一次运行（result_0.txt）' '没有任何记录' '未知的文件或目录：old' '是同一次运行'; do
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
# An archive by itself, and the record beside its archives.
"$FPREPORT" verify --ruleset 5.1.0 records/$sealed >"$tmp/out.txt" 2>&1; got=$?
check "the archive is verified as the directory" test $got -eq 0
check "with its score" grep -q '^Example/one/retinanet: 5 of 5 runs, 20.483 min' "$tmp/out.txt"
cp records/$sealed "$tmp/moved.tar.zst"
check "wherever it lies, without a project" sh -c "cd '$tmp' && '$FPREPORT' verify -q --ruleset 5.1.0 moved.tar.zst"
check "its figures are explained" "$FPREPORT" explain --ruleset 5.1.0 "$tmp/moved.tar.zst" rcp_factor
directory_json() { python3 -c 'import json, sys
for r in json.load(open(sys.argv[1]))["runs"]:
    if r["mlperf"]["kind"] == "directory":
        print(json.dumps([r["mlperf"], [m["recomputed"] for m in r["metrics"]], [f["rule"] for f in r["findings"]]], indent=1))' "$1"; }
"$FPREPORT" verify -q --ruleset 5.1.0 --format json records/$sealed >"$tmp/a.json"
"$FPREPORT" verify -q --ruleset 5.1.0 --format json ../Example/results/one/retinanet >"$tmp/b.json"
directory_json "$tmp/a.json" >"$tmp/a.txt"; directory_json "$tmp/b.json" >"$tmp/b.txt"
check_same "its verdict is that of the folder" "$tmp/b.txt" "$tmp/a.txt"
record_states() { "$FPREPORT" verify -q --format json --fail-on never $record | python3 -c 'import json, sys
print(*(r["state"] for r in json.load(sys.stdin)["runs"]))'; }
state_is() { record_states >"$tmp/states"; echo "$1" >"$tmp/expected"; check_same "$2" "$tmp/expected" "$tmp/states"; }
state_is "verified verified" "a record whose logs give what it states"
check "is exit 0" "$FPREPORT" verify -q $record
cp $record "$tmp/one.json" && sed -i 's/"20.483"/"20.484"/' $record
state_is "failed failed" "one that states another time"
"$FPREPORT" verify $record >"$tmp/out.txt" 2>&1; got=$?
check "is exit 1" test $got -eq 1
check "and said" grep -q 'retinanet: the record states 20.484 min, but the sealed logs give 20.483 min \[FP7041\]' "$tmp/out.txt"
sed 's/"evidence_sha256": "./&0/; s/\("evidence_sha256": ".\{64\}\)./\1/' "$tmp/one.json" >$record
state_is "failed" "one whose archive is another"
grep -v '"evidence' "$tmp/one.json" | sed 's/"least": \(.*\),$/"least": \1,/' >$record
state_is "unverified" "one without logs"
python3 - "$tmp/one.json" >$record <<'PY'
import json, sys
r = json.load(open(sys.argv[1]))
r["results"].append({"benchmark": "flux1", "minutes": "9.000", "published": True})
print(json.dumps(r, indent=2, ensure_ascii=False))
PY
state_is "verified partial" "one with logs of some of its scores"
head -c 2000 "$tmp/moved.tar.zst" >"$tmp/cut.tar.zst"
check_exit 3 "an archive that is cut" "$FPREPORT" verify -q --ruleset 5.1.0 "$tmp/cut.tar.zst"
cp "$tmp/one.json" $record
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
seal_says "an archive that is missing" '✕ failed</span> the archive is missing, or is not the archive that the record names'
check "is not handed out" test ! -e "$tmp/site/$sealed"
head -c 1000 "$tmp/kept.tar.zst" >records/$sealed
sed -i "s/\"evidence_sha256\": \"[0-9a-f]*\"/\"evidence_sha256\": \"$(sha256sum records/$sealed | cut -c1-64)\"/" $record
seal_says "one that is cut" '✕ failed</span> the archive is incomplete'
rm -r records/mlperf
# The table that a round publishes: stated minutes, joined with the package that comes before or after it.
"$FPREPORT" summary -q --ruleset 5.1.0 --format csv ../Example >../table.csv
check "a table is imported" "$FPREPORT" import -q --ruleset 5.1.0 ../table.csv
check "its minutes are published" grep -q '"minutes": "20.483"' $record
check "without runs and logs" sh -c "grep -q '\"published\": true' $record && ! grep -q 'runs\|evidence' $record"
sed 's/,20\.4[0-9]*,/,19.5,/' ../table.csv >../faster.csv
check_exit 2 "another figure replaces nothing" "$FPREPORT" import -q --ruleset 5.1.0 ../faster.csv
check "but with --force" "$FPREPORT" import -q --force --ruleset 5.1.0 ../faster.csv
"$FPREPORT" import --force --seal --ruleset 5.1.0 ../Example >"$tmp/out.txt" 2>&1
check "a package that comes afterwards is held to it" grep -q 'retinanet: the published time is 19.5 min, but the logs give 20.483' "$tmp/out.txt"
check "leaves it as it is" grep -q '"minutes": "19.5"' $record
check "and adds its runs" test "$(grep -c '"log": "result_' $record)" -eq 5
"$FPREPORT" build -o "$tmp/site" >"$tmp/out.txt" 2>&1
check "the site says that they differ" grep -q 'found 19.5 min, the sealed logs give 20.483' "$tmp/out.txt"
"$FPREPORT" import -q --force --ruleset 5.1.0 ../table.csv
check "a table that comes afterwards keeps runs" test "$(grep -c '"log": "result_' $record)" -eq 5
check "and logs" grep -q '"evidence": ' $record
rm -r records/mlperf
cat >../training_v5.1.csv <<'CSV'
,,,,,Benchmark results (minutes),,,
,,,,,LLM-Finetune,Recommendation,Object detection,
,,,,,SCROLSS Gov Report,1TB Multihot Clickthrough,COCO,
ID,Division,Submitter,System,# of accelerators,LLama2-70B-LoRA,DLRM DCNv2,Mask R-CNN,notes
Available cloud,,,,,,,,
5.1-0001,closed,Acme AG,"Box ""8"", new",8,10.250,,,a
5.1-0002,closed,Acme AG,"Box ""8"", new",8,,3.1,4,b
5.1-0003,open,Acme AG,Other,8,soon,,,c
CSV
"$FPREPORT" import ../training_v5.1.csv >"$tmp/out.txt" 2>&1
acme=records/mlperf/results/v5.1/Acme_AG
check "a table as it is published, with its headings" grep -q '"availability": "Available cloud"' $acme/Box_8_new.json
"$FPREPORT" build -q -o "$tmp/site" >/dev/null 2>&1
page=$tmp/site/en/mlperf/v5.1/result/Acme_AG/Box_8_new/llama2_70b_lora/index.html
check "its page has the time as published" grep -q 'time to train as published, min</dt><dd lang="en">10.250' "$page"
check "and is unverified" grep -q 'class="state unverified"' "$page"
check "what was not read has no findings and no runs" sh -c "grep -q 'could not be audited' '$page' && ! grep -q 'The audit found no faults' '$page'"
check "two systems of one name are two records" grep -q '"minutes": "3.1"' $acme/Box_8_new-2.json
check "a benchmark of another round is named" grep -q "'Mask R-CNN', is neither a benchmark of the round" "$tmp/out.txt"
check "so is what is no time" grep -q "llama2_70b_lora: found 'soon', expected minutes" "$tmp/out.txt"
check "a row without minutes is no record" test ! -e $acme/Other.json
printf 'submitter,system\n"x' >../table.csv
check_exit 3 "a table that is cut" "$FPREPORT" import -q ../table.csv
printf 'a,b\nc,d\n' >../table.csv
check_exit 3 "another table" "$FPREPORT" import -q ../table.csv
printf '\377\376a' >../table.csv
check_exit 3 "what is no text" "$FPREPORT" import -q ../table.csv
: >../table.csv
check_exit 3 "an empty file" "$FPREPORT" import -q ../table.csv
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
