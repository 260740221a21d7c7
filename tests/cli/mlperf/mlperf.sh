# fpreport verify of MLPerf Training results: a package of our own, what is changed in it, hostile logs, and the
# corpus with answers (../shared/corpus/mlperf).
. "$(dirname "$0")/../../lib.sh"
cd "$top" || exit 1
here=tests/cli/mlperf
# Rules and reference points are found beside the program, where it has no project: also in the other variant.
mkdir "$tmp/program" && cp "$FPREPORT" "$tmp/program/fpreport" && ln -s "$top/records" "$top/templates" "$tmp/program/"
FPREPORT=$tmp/program/fpreport
verify() { "$FPREPORT" verify -q --ruleset 5.1.0 "$@"; }
runs=Example/results/one/retinanet
fresh() { rm -rf "$tmp/p"; mkdir "$tmp/p"; python3 $here/make_package.py "$tmp/p"; }
found() { # RULE/SEVERITY DESCRIPTION: the package has such a finding
    verify --format json --fail-on never "$tmp/p/Example" >"$tmp/p.json" 2>&1
    check "$2" python3 - "$tmp/p.json" "$1" <<'PY'
import json, sys
rule, severity = sys.argv[2].split('/')
found = [(f['rule'], f['severity']) for r in json.load(open(sys.argv[1]))['runs'] for f in r['findings']]
print(found)
sys.exit((rule, severity) not in found)
PY
}
counted() { # RULE N DESCRIPTION, sed script of a log by itself: it has N findings of the rule
    sed "$4" "$tmp/p/$runs/result_0.txt" >"$tmp/log.txt"
    verify --format json --fail-on never "$tmp/log.txt" >"$tmp/p.json" 2>&1
    check "$3" python3 -c 'import json, sys; found = [f["rule"] for r in json.load(open(sys.argv[1]))["runs"] for f in r["findings"]]
print(found); sys.exit(found.count(sys.argv[2]) != int(sys.argv[3]))' "$tmp/p.json" "$1" "$2"
}
all_records() { sed -i "$1" "$tmp/p/$runs"/result_*.txt; } # SED-SCRIPT

fresh
check "a package that complies" verify "$tmp/p/Example"
check "its round" verify "$tmp/p"
check "one of its directories" verify "$tmp/p/$runs"
check "one of its logs" verify "$tmp/p/$runs/result_0.txt"
(cd "$tmp" && mkdir empty && cd empty && "$FPREPORT" verify -q "$tmp/p/Example") >"$tmp/out.txt" 2>&1
check "where there is no project" test $? -eq 0
"$FPREPORT" verify --ruleset 5.1.0 "$tmp/p/Example" >"$tmp/text.txt"
check "the score is told" grep -q 'Example/one/retinanet: 5 of 5 runs, 20.483 min, RCP found 4 >= 4, score 20.483 min' "$tmp/text.txt"
check "so is the official verdict" grep -q '^Example: official verdict SUCCESS (5.1.0)$' "$tmp/text.txt"
# The commands of docs/VERIFYING.md, as they stand there, on this package under the names that they use.
mkdir -p "$tmp/docs/training_results_v5.1" && cp -R "$tmp/p/Example" "$tmp/docs/training_results_v5.1/GigaComputing"
cp -R "$tmp/p/Example" "$tmp/docs/training_results_v5.1/ORG" && cp "$tmp/p/$runs/result_0.txt" "$tmp/docs/"
sed -n '/^## Results of MLPerf/,/^## What is recomputed/s/^    \(fpreport .*\)/\1/p' docs/VERIFYING.md >"$tmp/commands"
check "docs/VERIFYING.md has commands for them" test "$(wc -l <"$tmp/commands")" -ge 4
while read -r line; do
    words=$(echo "${line#fpreport }" | sed 's|SYSTEM/BENCHMARK|one/retinanet|')
    # shellcheck disable=SC2086 # words of a command
    check "$line" sh -c 'cd "$1" && shift && "$@"' sh "$tmp/docs" "$FPREPORT" $words
done <"$tmp/commands"
find "$tmp/p" -newer "$tmp/text.txt" >"$tmp/new.txt"
check_same "nothing is written into what is audited" /dev/null "$tmp/new.txt"
check_exit 2 "a round that is not known" "$FPREPORT" verify --ruleset 1.2.3 "$tmp/p/Example"
check_exit 2 "beside a page" verify "$tmp/p/Example" README.md
for format in json junit sarif; do
    verify --format $format "$tmp/p/Example" >"$tmp/1.$format"; verify --format $format "$tmp/p/Example" >"$tmp/2.$format"
    check_same "the same $format twice" "$tmp/1.$format" "$tmp/2.$format"
done
for format in text csv json; do
    "$FPREPORT" summary -q --ruleset 5.1.0 --format $format "$tmp/p" >"$tmp/1.$format"
    "$FPREPORT" summary -q --ruleset 5.1.0 --format $format "$tmp/p" >"$tmp/2.$format"
    check_same "the same summary as $format twice" "$tmp/1.$format" "$tmp/2.$format"
done
check "a text with a comma is quoted" grep -q '^closed,Available on-premise,Example,one,1,,2,"Card, 80 GB",8,own,,,,,20.483' "$tmp/1.csv"
check "another program reads it" python3 -c 'import csv, sys; rows = list(csv.reader(open(sys.argv[1]))); assert len(rows) == 2 and len(rows[0]) == len(rows[1])' "$tmp/1.csv"
explain() { "$FPREPORT" explain --ruleset 5.1.0 "$tmp/p/$runs" "$@"; }
for metric in time_to_train rcp_factor samples_to_converge samples_per_s samples_per_s_per_accelerator energy; do
    check "$metric is explained" explain $metric
done
explain time_to_train >"$tmp/out.txt"
check "with the numbers filled in" grep -q 'time_to_train = 20.48333333 \* 1 = 20.48333333 min' "$tmp/out.txt"
check_exit 2 "no other figure is" explain mfu
check "JUnit has a testcase for each log" test "$(grep -c 'testcase.*result_[0-4]' "$tmp/1.junit")" -eq 5

rm "$tmp/p/$runs/result_4.txt"; found FP7010/error "a log is missing"
fresh; cp "$tmp/p/$runs/result_0.txt" "$tmp/p/$runs/result_4.txt"; found FP7034/error "one run twice"
found FP7012/error "with its seed"
fresh; all_records 's/"opt_name", "value": "adam"/"opt_name", "value": "sgd"/'; found FP7002/error "another optimiser"
check_exit 1 "is exit 1" verify "$tmp/p/Example"
fresh; all_records 's/"value": 256/"value": -256/'; found FP7027/error "a batch size below 0"
fresh; all_records 's/"status": "success"/"status": "done"/'; found FP7021/error "a status that is no word of the rules"
fresh; sed -i '/run_stop/s/}$//' "$tmp/p/$runs/result_3.txt"; found FP7001/warning "a record that is none, of a run that is dropped"
fresh; sed -i '/"run_start"/p' "$tmp/p/$runs/result_3.txt"; found FP7020/error "a second run_start"
fresh; echo '{"scaling_factor": 0.5}' >"$tmp/p/$runs/scaling.json"; found FP7017/error "a factor below that of the RCP test"
fresh; mkdir "$tmp/p/$runs/power"; found FP7015/warning "a power folder without measurements"
fresh; ln -s /etc/passwd "$tmp/p/$runs/result_5.txt"; found FP7016/notice "a link is no log"
fresh; sed -i 's/"cooling"/"heating"/' "$tmp/p/Example/systems/one.json"; found FP7014/error "a field is missing"
fresh; rm -r "$tmp/p/Example/systems"; found FP7014/error "no description"
fresh; all_records 's/"epoch_num": 4/"epoch_num": 3/'; found FP7013/error "faster than the reference"
echo rcp-bypass >"$tmp/p/$runs/package_checker_params"; found FP7013/warning "is a warning where it is bypassed"

fresh; sed -i 's/"cooling": "/&\n/' "$tmp/p/Example/systems/one.json"; found FP7014/error "a line end in a text is no JSON"
fresh; counted FP7027 2 "a value that comes again is said once" \
    '/"train_samples"/{h;s/1170301/-1/p;s/-1\(,.*\)/-2\1/p;g;s/1170301/-1/}'
counted FP7027 1 "of what a record fails, the first is said" 's/retinanet/llama31_405b/;s/"value": 256/"value": "many"/'
counted FP7040 0 "a log that names its division is held to it" 's/"opt_name", "value": "adam"/"opt_name", "value": "sgd"/'
counted FP7040 1 "one that names none is shown what the closed one asks" '/submission_division/d;s/"opt_name", "value": "adam"/"opt_name", "value": "sgd"/'
counted FP7040 0 "what it lacks is no such value" '/submission_division/d;/"opt_name"/d'
counted FP7021 1 "a run_stop without a status" 's/, "status": "success"//'
check "verdicts are those of an evaluator in Python" python3 $here/plain.py "$FPREPORT" \
    records/mlperf/rules/training_5.1.0.json 1 400 "$tmp/p/$runs"/result_*.txt

fresh; mkdir "$tmp/h"; python3 $here/hostile.py "$tmp/h" "$tmp/p/$runs/result_0.txt"
for log in "$tmp"/h/*.txt; do
    name=${log##*/}
    within 20 "$FPREPORT" verify -q --ruleset 4.0.0 --format json "$log" >"$tmp/out.json" 2>"$tmp/err.txt"; got=$?
    check "hostile: ${name%.txt} is answered" sh -c "[ $got -le 1 ] && python3 -m json.tool '$tmp/out.json'"
done
"$FPREPORT" verify --ruleset 5.1.0 "$tmp/h/controls.txt" >"$tmp/out.txt" 2>&1
check "no control character reaches the terminal" sh -c "! grep -q '$(printf '\033')' '$tmp/out.txt'"

if [ -d "$shared/corpus/mlperf" ]; then
    check "the corpus agrees whole" python3 $here/corpus.py "$shared/corpus/mlperf" "$FPREPORT"
else
    skip "needs ../shared/corpus/mlperf"
fi
plan_done
