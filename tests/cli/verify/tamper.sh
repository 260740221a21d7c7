#!/bin/sh
# A sealed submission is changed in every way that a person who wants a better number might try.
# Each change is found by `fpreport verify` and `fpreport build`, named, and never `verified`.
# What cannot be found from the submission alone stands in docs/VERIFYING.md, "What no check can
# find"; the last part of this file shows that it is so.
. "$(dirname "$0")/../../lib.sh"
golden=$top/tests/golden/build/records
ln -s "$top/templates" "$tmp/templates"
cd "$tmp" || exit 1
archive=records/evidence/globex/run.tar.zst
record=records/results/globex/tiny_llama.json

# A fresh project with only the honest submission.
fresh() {
    rm -rf records && cp -R "$golden" records && rm -rf records/results/acme
}
unpack() { rm -rf run && mkdir run && tar -C run --zstd -xf $archive; }
resum() { (cd run && cut -c67- SHA256SUMS | tr '\n' '\0' | xargs -0 sha256sum >"$tmp/sums" && cp "$tmp/sums" SHA256SUMS); }
pack() { # as sealing does: sorted, no owner, fixed times
    (cd run && find . -type f | sed 's,^\./,,' | LC_ALL=C sort >"$tmp/list" &&
        tar --format=ustar --owner=0 --group=0 --numeric-owner --mode=644 --mtime=@0 --no-recursion \
            -b1 -cf "$tmp/run.tar" -T "$tmp/list") && zstd -q -f "$tmp/run.tar" -o $archive
}
# The seal itself, as anybody can make it: for changes that leave a complete run.
seal() { rm -f run/SHA256SUMS $archive && "$PLAIN_PROGRAM" collect --force -q run -o $archive >.seal 2>&1; }
restate() { sed -i "s/\"sha256\": \"[0-9a-f]\{64\}\"/\"sha256\": \"$(sha256sum <$archive | cut -c1-64)\"/" $record; }
log_of_run() { find run -name rank0.out.log; }

# found DESCRIPTION EXIT STATE PATTERN: verify and build both see it
found() {
    "$FPREPORT" verify --format json globex/tiny_llama >out.json 2>err; code=$?
    state=$(jq -r '.runs[0].state // "none"' out.json 2>/dev/null)
    if [ $code -eq "$2" ] && [ "$state" = "$3" ] && { jq -r '.runs[0].findings[]? | "\(.file): \(.message) [\(.rule)]"' out.json; cat err; } | grep -qE -- "$4"; then
        ok "$1: verify"
    else
        not_ok "$1: verify"; echo "# exit $code, expected $2; state $state, expected $3; pattern $4"
        { jq -r '.runs[0].findings[]? | "\(.file): \(.message) [\(.rule)]"' out.json; cat err; } | sed 's/^/# /' | head -n 10
    fi
    "$PLAIN_PROGRAM" build -o site >out 2>&1; code=$? # which reads it as verify does: once with sanitizers
    if [ $code -eq "$2" ] && ! { grep -q 'state verified' site/en/result/globex/tiny_llama/index.html; } 2>/dev/null &&
        grep -qE -- "$4" out; then ok "$1: build"; else
        not_ok "$1: build"; echo "# exit $code, expected $2"; sed 's/^/# /' out | head -n 10
    fi
}

fresh
check "the honest submission is verified" "$FPREPORT" verify globex/tiny_llama
check "by hand, too: the archive's sum" sh -c "grep -q \$(sha256sum <$archive | cut -c1-64) $record"
unpack
check "by hand, too: every file's sum" sh -c 'cd run && sha256sum --strict --quiet -c SHA256SUMS'
seal && restate
check "sealed again it is still verified" "$FPREPORT" verify globex/tiny_llama
fresh && unpack && tar -C run --zstd -cf $archive . && restate
found "packed by tar as it likes" 1 failed 'FP400[12]'

# --- The bytes of the archive.
fresh
size=$(stat -c %s $archive) bad=0 n=0
for at in 0 1 4 5 100 $((size / 7)) $((size / 3)) $((size / 2)) $((size - 200)) $((size - 4)) $((size - 1)); do
    fresh
    python3 -c 'import sys
with open(sys.argv[1], "r+b") as f:
    f.seek(int(sys.argv[2])); b = f.read(1)[0]; f.seek(int(sys.argv[2])); f.write(bytes([b ^ 0x10]))' $archive $at
    n=$((n + 1))
    "$FPREPORT" verify globex/tiny_llama >out 2>&1; code=$?
    { [ $code -eq 1 ] && grep -q 'run.tar.zst: error: .*\[FP4001\]' out && grep -q ': failed' out; } || { bad=$((bad + 1)); sed 's/^/# /' out; }
done
check "one bit at $n places of the archive" test $bad -eq 0
found "the last of them" 1 failed 'FP4001'
fresh && truncate -s $((size / 2)) $archive
found "half an archive" 1 failed 'FP4001'
fresh && : >$archive
found "an empty archive" 1 failed 'FP4001'
fresh && rm $archive
check "no archive: nothing fails for that" sh -c '"$0" verify -v globex/tiny_llama | grep -q "run.tar.zst.*CANNOT: the submission is missing"' "$FPREPORT"
"$FPREPORT" verify --format json globex/tiny_llama >out.json 2>err
check "and nothing is verified" jq -e '.runs[0].state == "unverified"' out.json
fresh && unpack && pack && echo more >>run.extra && cat run.extra >>$archive && restate
found "bytes behind the archive, its sum restated" 1 failed 'run.tar.zst'

# --- The record.
fresh && sed -i 's/"17789.9"/"27789.9"/' $record
found "a better throughput in the record" 1 failed 'stated as 27789.9.*17789.*FP2002'
fresh && sed -i 's/"0.9077"/"0.8077"/' $record
found "a better loss in the record" 1 failed 'stated as 0.8077.*FP2009'
fresh && sed -i 's/"0.6\/23.5"/"0.1\/23.5"/' $record
found "less memory in the record" 1 failed '0.1/23.5.*FP2012'
fresh && other_sum $record
found "another sum in the record" 1 failed 'SHA-256.*FP4001'
fresh && sed -i 's/"AMD EPYC"/"Intel Xeon"/' $record
"$FPREPORT" verify globex/tiny_llama >out 2>&1
check "another CPU in the record is noticed" grep -q 'Intel Xeon.*FP4006' out
fresh && sed -i 's,"evidence/globex/run.tar.zst","../secret.tar.zst",' $record
check_exit 3 "evidence outside the records is refused" "$FPREPORT" verify globex
fresh && rm $archive && ln -s /dev/zero $archive
check_exit 1 "a device in place of the archive" timeout 300 "$FPREPORT" verify globex/tiny_llama
fresh && rm $archive && mkfifo $archive
check_exit 1 "a pipe in place of the archive" timeout 300 "$FPREPORT" verify globex/tiny_llama

# --- Inside the archive, with the record's sum restated.
change() { # FILE SED: change one file of the run
    fresh && unpack && f=$(find run -name "$1") && sed -i "$2" "$f"
}
change rank0.out.log '100s/"loss": [0-9.]*/"loss": 0.5/' && pack && restate
found "one log line, manifest not changed" 1 failed 'rank0.out.log.*FP4002'
change rank0.out.log '253s/"loss": [0-9.]*/"loss": 0.5/' && seal && restate
found "the last loss, sealed again" 1 failed 'stated as 0.9077.*FP2009'
change rank0.out.log '/STEP_END/{s/"tokens\/s": [0-9.]*/"tokens\/s": 32000.0/;s/"step_time_s": [0-9.]*/"step_time_s": 0.008/}' &&
    seal && sed -i 's/"17789.9"/"32000.0"/' $record && restate
found "double speed in every step and in the record" 1 failed 'timestamps.*FP4007'
change rank0.out.log '/STEP_END/s/"loss": [0-9]\./&0/' && seal && restate
found "lower losses in every step" 1 failed 'FP20(01|09)'
change rank0.out.log '150,200d' && seal && sed -i 's/"17789.9"/"17541.5"/' $record && restate
found "steps left out" 1 failed 'FP4005|FP4007'
# What our own trainer says at the head of its log and at its end; this one was made before it said so much.
head='"seed": 1234, "sequence_length": 64, "micro_batch": 4, "gradient_accumulation": 1'
head="$head, \"libraries\": \"OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY Haswell MAX_THREADS=64\""
said() { # SED: the log with a head, and with STEP_ZERO, changed
    zero='[PerfLog] {"event": "STEP_ZERO", "value": {"loss": 4.867066279053688, "global_steps": 0}, "metadata": {}}'
    change rank0.out.log "s/\"INIT_START\", /&\"value\": {$head}, /;/TRAIN_START/a\\$zero" && sed -i "$1" "$(log_of_run)" && seal && restate
}
said '' && check "with a head and STEP_ZERO it is verified" "$FPREPORT" verify globex/tiny_llama
check "which are in it" grep -q 'INIT_START.*"seed": 1234' "$(log_of_run)"
for word in seed sequence_length micro_batch gradient_accumulation; do
    said "/INIT_START/s/\"$word\": /&7/"
    found "another $word at the head of the log" 1 failed "rank0.out.log.* $word is 7[0-9]* at the head of the log, but [0-9]* in the case or in run.json .FP4005"
done
said '/INIT_START/s/"seed"/"device": "cuda", &/'
found "another device at the head of the log" 1 failed "the log was written by a training on the device 'cuda', but it is in the folder of the device 'cpu'.*FP4005"
said '/INIT_START/s/"seed"/"device": "cpu", &/' && check "the same one is verified" "$FPREPORT" verify globex/tiny_llama
said '/INIT_START/s/OpenBLAS 0.3.21/MKL 2025.1/'
found "other libraries at the head of the log" 1 failed "set of libraries differs: .*log says 'MKL 2025.1.*FP4006"
said '/STEP_ZERO/s/4.867/4.517/'
found "another loss of step 0" 1 failed 'STEP_ZERO has the loss 4.5170[0-9]*, but step 1 has 4.867.*FP4005'
change rank0.out.log '/INIT_START/d' && seal && restate
found "a log without its head" 1 failed 'the INIT_START event is missing.*FP4005'
change rank0.out.log '/FINISHED/d' && seal && sed -i '/FINISHED/d' $record && restate
found "a log without its end" 1 failed 'the FINISHED event is missing.*FP4012'
change rank0.out.log '/INIT_START/d;/FINISHED/d' && sed -i 's/"command": null/"command": ["python3", "train.py"]/' run/run.json && seal && restate
check "which that of another's trainer need not have" sh -c '"$1" verify globex/tiny_llama >said; grep -q "^tiny_llama" said; ! grep -E "INIT_START event|FINISHED event" said' sh "$FPREPORT"
check "it says so" grep -q '"command": .*train.py' run/run.json
change case.json 's/"micro_batch": 4/"micro_batch": 8/' && pack && restate
found "a larger batch in case.json" 1 failed 'case.json.*FP4002'
change case.json 's/"micro_batch": 4/"micro_batch": 8/' && seal && restate
found "a larger batch in case.json, sealed again" 1 failed 'FP4004'
change fingerprint.json 's/AMD EPYC/Fast CPU/' && pack && restate
found "another machine in the fingerprint" 1 failed 'fingerprint.json.*FP4002'
change fingerprint.json '/data_sha256/s/490b/590b/' && seal && restate
found "other data in the fingerprint, sealed again" 1 failed 'fingerprint.*FP4004'
for taken in 2026-11-20T19:47:19Z:0 2026-11-19T19:47:19Z:1; do
    change fingerprint.json "s/^  \"facts\": \[/  \"unstable\": [{\"key\": \"taken\", \"value\": \"${taken%:?}\"}],\n&/"
    grep -q taken "$(find run -name fingerprint.json)" && seal && restate
    if [ "${taken##*:}" -eq 0 ]; then check "a fingerprint of the hour of the run" "$FPREPORT" verify globex/tiny_llama
    else found "a fingerprint of the day before" 1 failed 'fingerprint was taken at .* more than one hour before or after the run.*FP4010'; fi
done
change run.json 's/"complete"/"failed"/' && resum && pack && restate
found "a failed run" 1 failed 'run.json.*FP4003'
change run.json 's/{/{{/' && resum && pack && restate
found "a broken run.json" 1 failed 'run.json'
fresh && unpack && rm "$(log_of_run)" && pack && restate
found "a run without its log" 1 failed 'FP4002'
fresh && unpack && echo hello >run/extra.txt && pack && restate
found "a file that the manifest does not name" 1 failed 'extra.txt.*FP4002'

# --- Files that would leave their folder, or are not files.
evil() { # DESCRIPTION TAR-ARGUMENTS…
    what=$1; shift
    fresh && unpack && (cd run && tar -cf "$tmp/run.tar" "$@") && zstd -q -f run.tar -o $archive && restate
    found "$what" 1 failed 'run.tar.zst'
    check "$what: nothing is written outside" test ! -e "$tmp/../evil-$$" -a ! -e evil
}
fresh && unpack
evil "a member above its folder" --transform 's,^run.json,../evil,' -P .
evil "an absolute member" --transform 's,^\./run.json,/tmp/evil-x,' -P ./run.json ./SHA256SUMS
mkdir links && ln -s /etc/passwd links/run.json
evil "a link for a file" -C ../links run.json -C ../run SHA256SUMS case.json
evil "a member twice" SHA256SUMS run.json case.json run.json

# --- An honest run on a busy machine: half as fast, held up once for three seconds, and its monitors
# have a sample after five seconds and one at the end.
fresh && unpack && python3 - "$(log_of_run)" <<'PY'
import json, sys
path, start, pause = sys.argv[1], None, 0
lines = open(path, encoding="utf-8").readlines()
for i, line in enumerate(lines):
    if not line.startswith("[PerfLog] "):
        continue
    o = json.loads(line[10:])
    value, at = o.get("value", {}), o["metadata"]["time_ms"]
    start = at if start is None else start
    pause = 3000 if value.get("global_steps", 0) >= 125 else pause
    o["metadata"]["time_ms"] = start + 2 * (at - start) + pause
    for key, factor in (("tokens/s", 0.5), ("training_tokens_per_second", 0.5), ("step_time_s", 2),
                        ("pure_training_computing_time", 2), ("init_time", 2), ("e2e_time", 2)):
        if key in value:
            value[key] = value[key] * factor + (pause / 1000 if key == "e2e_time" else 0)
    lines[i] = "[PerfLog] " + json.dumps(o) + "\n"
open(path, "w", encoding="utf-8").write("".join(lines).replace(":  17789.85490312566", ":  8894.92745156283"))
PY
for f in $(find run -name '*_monitor.log'); do printf '2026-11-20-19:47:29\t0.0265\n2026-11-20-19:47:30\t0.0265\n' >"$f"; done
sed -i 's/19:47:23Z/19:47:30Z/' run/run.json
seal && sed -i 's/"17789.9"/"8894.9"/' $record && restate
"$FPREPORT" verify globex/tiny_llama >out 2>&1
check "a run on a busy machine is verified" grep -q ': verified' out
check "and its clocks are not doubted" sh -c '! grep FP4007 out'
grep -q ': verified' out || sed 's/^/# /' out

# --- The second in which a run ended is cut off, and told by a clock that is a tick behind that of the log.
ends() { # MILLISECONDS: the last step is that long after the second in which the run ended
    fresh && unpack && python3 - "$(log_of_run)" run/run.json "$1" <<'PY'
import calendar, json, sys, time
path, run, after = sys.argv[1], json.load(open(sys.argv[2])), int(sys.argv[3])
lines = open(path, encoding="utf-8").read().splitlines(True)
at = max(i for i, line in enumerate(lines) if '"STEP_END"' in line)
o = json.loads(lines[at][10:])
o["metadata"]["time_ms"] = calendar.timegm(time.strptime(run["finished"], "%Y-%m-%dT%H:%M:%SZ")) * 1000 + after
lines[at] = "[PerfLog] " + json.dumps(o) + "\n"
open(path, "w", encoding="utf-8").write("".join(lines))
PY
    seal && restate && "$FPREPORT" verify globex/tiny_llama >out 2>&1
}
ends 1005
check "a step in the last tick of a run is none of another time" sh -c '! grep "a timestamp outside the run" out'
ends 1500
check "one half a second later is" grep -q 'has a timestamp outside the run.*FP4010' out

# --- What no check can find: everything consistent, from times to sums, is a well-told lie. The
# document has to say so.
fresh && unpack && python3 - "$(log_of_run)" <<'PY'
import json, re, sys
path = sys.argv[1]
lines = open(path, encoding="utf-8").read().splitlines(True)
start = None
for i, line in enumerate(lines):
    if not line.startswith("[PerfLog] "):
        continue
    o = json.loads(line[len("[PerfLog] "):])
    at = o["metadata"]["time_ms"]
    start = at if start is None else start
    o["metadata"]["time_ms"] = start + (at - start) // 2
    for key, factor in (("tokens/s", 2), ("step_time_s", 0.5)):
        if key in o.get("value", {}):
            o["value"][key] *= factor
    lines[i] = "[PerfLog] " + json.dumps(o) + "\n"
open(path, "w", encoding="utf-8").write("".join(lines))
PY
seal && sed -i 's/"17789.9"/"35579.7"/' $record && restate
"$FPREPORT" verify globex/tiny_llama >out 2>&1
if grep -q ': verified' out; then
    check "a wholly consistent forgery is verified, and the document says so" \
        grep -q 'consistent in every log line' "$top/docs/VERIFYING.md"
else
    ok "a wholly consistent forgery is not verified"; sed 's/^/# /' out
fi
plan_done
