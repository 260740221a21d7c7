#!/bin/sh
# No word and no number of a file that is withheld is published, wherever findings, figures and dates repeat them.
place=memory; . "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1
cp -R "$top/tests/golden/build/records" records && ln -s "$top/templates" templates
record=records/results/globex/tiny_llama.json
sha() { sha256sum <"$1" | cut -c1-64; }
# A run of another case than the published one, of another time and machine than its log says.
mkdir run && tar -C run --zstd -xf records/evidence/globex/run.tar.zst && rm run/SHA256SUMS
print=$(cd run && find . -name fingerprint.json | sed 's,^\./,,') log=$(cd run && find . -name 'rank0*.log' | sed 's,^\./,,')
change() { jq "$2" "run/$1" >changed && mv changed "run/$1"; }
change case.json '.micro_batch = 3457 | .sequence_length = 8117 | .gradient_accumulation = 7793 | .model = "zzmodelzz"'
change run.json '.started = "2019-03-07T04:05:06Z" | .finished = "2019-03-08T05:06:07Z" | .host = "zzhostzz"'
change "$print" '(.facts[] | select(.key == "os")).value = "zzoszz" | (.facts[] | select(.key == "kernel")).value = "zzkernelzz"'
sealed() {
    "$FPREPORT" collect -q --force "$1" -o run.tar.zst >/dev/null && id=$(tar --zstd -xOf run.tar.zst SHA256SUMS | sha256sum | cut -c1-64)
    sed -i "s/\"sha256\": \"[0-9a-f]\{64\}\"/\"sha256\": \"$(sha run.tar.zst)\"/" $record && cp run.tar.zst records/evidence/globex/
}
sealed run
built() { rm -rf site site.fpreport-*; "$FPREPORT" build -o site >said 2>&1; find site -name '*.tar.zst' -exec rm {} +; }
told() { grep -qrwE "$1" site; }
# untold FILE WORD…: each is published, until the file is withheld, then of nothing; others are.
untold() {
    file=$1; shift
    "$FPREPORT" archive redact -q "$id" "$file" --publish-again --reason x >/dev/null 2>&1 && built
    for word in "$@"; do
        check_exit 1 "withheld with $(basename "$file"): $word" told "$word"
        check_exit 1 "nor is it in the messages of the build: $word" grep -qwE "$word" said
    done
}
# The batch of a step in sequences and tokens is the case's, and how long it ran that of run.json. Sizes: 3457 * 7793 and that * 8117.
kase="3457 7793 8117 26940401 218675234917 zzmodelzz" clock="90061 2019-03-0[78] zzhostzz" machine="zzoszz zzkernelzz"
built
for word in $kase $clock $machine; do check "of a whole run it is told: $word" told "$word"; done
"$FPREPORT" archive add -q run.tar.zst >/dev/null 2>&1
# shellcheck disable=SC2086
{
    untold case.json $kase
    for word in $clock $machine; do check "what other files say is told: $word" told "$word"; done
    check "the figure stays" grep -q '"recomputed": "1519[0-9.]*"' site/result/globex/tiny_llama/verify.json
    check "how it was computed is not said, but why it is not" grep -q '"reason": "concerns a withheld file: its contents are not published"' site/result/globex/tiny_llama/verify.json
    check "rule and outcome are" grep -q '"rule": "FP4008", "outcome": "FAIL"' site/result/globex/tiny_llama/verify.json
    untold run.json $clock
    for word in 3457 zzmodelzz zzoszz; do check "what other files say is told: $word" told "$word"; done
    untold "$print" $machine
    for word in 26940401 90061; do check "what other files say is told: $word" told "$word"; done
}
# What is said at run.json of the log is the log's.
mkdir late && tar -C late --zstd -xf "$top/tests/golden/build/records/evidence/globex/run.tar.zst" && rm late/SHA256SUMS
sed -i '9s/"step_time_s": [0-9.]*/"step_time_s": 7531.25/' "late/$log" && sealed late && built
check "of a whole run it is told what a step takes" told "states 7531[.]25 s per step"
"$FPREPORT" archive add -q run.tar.zst >/dev/null 2>&1
untold "$log" "states 7531[.]25 s per step"
# --- A run that went on, of two nodes: where ranks, monitors, run.json and the log are compared, either may be the one that is withheld.
key='tiny_llama:fpreport_0.1.0:cpu:2:1:1' && rm -rf went && mkdir went
tar -C went --zstd -xf "$top/tests/golden/build/records/evidence/globex/run.tar.zst" && rm went/SHA256SUMS went/statement.json* 2>/dev/null
mv went/tiny_llama:* "went/$key" && at=$(cd went && echo "$key"/round1/*_noderank0) && beside=$key/round1/vn_noderank1 && mkdir "went/$beside"
sed -i 's/"event": "INIT_END", "metadata"/"event": "INIT_END", "value": {"resumed_step": 40}, "metadata"/' "went/$at/rank0.out.log"
awk '!match($0, /"global_steps": [0-9]+/) || substr($0, RSTART + 16, RLENGTH - 16) + 0 > 40 || /FINISHED/' "went/$at/rank0.out.log" >cut && mv cut "went/$at/rank0.out.log"
# The other rank: its clock is 4321 s ahead, a loss is another, and it took 8642.75 s.
perl -pe 's/("time_ms": )(\d+)/$1 . ($2 + 4321000)/e; s/"rank": 0/"rank": 1/; s/"loss": [0-9.]+(.*"global_steps": 137,)/"loss": 7.77777$1/; s/"e2e_time": [0-9.]+/"e2e_time": 8642.75/' "went/$at/rank0.out.log" >"went/$beside/rank1.out.log"
sed -i '/FINISHED/d' "went/$at/rank0.out.log"
for s in 10 21 32 43; do printf '2026-11-20-19:47:%s\t0.2489\n' $s; done >"went/$at/mem_monitor.log"
jq --arg k "$key" --arg s "$(printf '%064d' 0 | sed 's/0/ab/g; s/.*\(.\{64\}\)$/\1/')" \
    '.key = $k | .resumed = {run: "zzbeforezz", step: 40} | .files = [{path: "zzfolderzz/zzplanzz.txt", sha256: $s}]' went/run.json >changed && mv changed went/run.json
sealed went && built
again=zzbeforezz files="zzfolderzz zzplanzz abababab[ab]*" clocks="4321[.][0-9]" took=8642[.]75[0-9]* other=137 longest="the longest monitor file: 55[.]000"
# shellcheck disable=SC2086
for word in $again $files $clocks $took $other; do check "of a run that went on it is told: $word" told "$word"; done
check "and how long its longest monitor ran" told "$longest"
"$FPREPORT" archive add -q run.tar.zst >/dev/null 2>&1
# shellcheck disable=SC2086
{
    untold run.json $again $files
    check "the finding is there, at the submission" grep -q '"rule": "FP4009", "outcome": "FAIL"' site/result/globex/tiny_llama/verify.json
    untold "$beside/rank1.out.log" $clocks $took "step $other"
    untold "$at/rank0.out.log" $clocks "step $other"
    untold "$at/mem_monitor.log" "$longest"
}
# --- A second run: what is wrong with it stands at its record, too.
for name in run.json "$log"; do
    rm -rf second records/reproductions archive && sealed run && mkdir second && tar -C second --zstd -xf "$top/tests/golden/build/records/evidence/globex/run.tar.zst" && rm -f second/SHA256SUMS second/statement.json*
    sed -i 's/"event": "INIT_START", "metadata"/"event": "INIT_START", "value": {"seed": 4444321}, "metadata"/' "second/$log"
    jq '.challenge = {round: "r", nonce: "n", vendor: "v", key: "k", seed: 4444321}' second/run.json >changed && mv changed second/run.json
    cp "$top/tests/golden/build/records/evidence/globex/run.tar.zst" records/evidence/globex/ && sed -i "s/\"sha256\": \"[0-9a-f]\{64\}\"/\"sha256\": \"$(sha records/evidence/globex/run.tar.zst)\"/" $record
    mkdir -p records/reproductions/globex/tiny_llama && "$FPREPORT" collect -q --force second -o records/reproductions/globex/tiny_llama/x.tar.zst >/dev/null 2>&1
    jq -n --arg s "$(sha records/reproductions/globex/tiny_llama/x.tar.zst)" '{schema: "fpreport.reproduction/1", id: "x", vendor: "globex", case: "tiny_llama", table: 1, row: 1, by: "B", date: "2026-11-23", device: "CPU",
        same_device: false, archive: "reproductions/globex/tiny_llama/x.tar.zst", sha256: $s, outcome: "not_reproduced", figures: [],
        loss: {beside: "evidence", rule: "bits", steps: 1, identical: 0, from_step: 0, mean_rel_error: 0, max_rel_error: 0, max_step: 0, limit: 0.02, agrees: false}}' >records/reproductions/globex/tiny_llama/x.json
    built
    check "of a second run it is told: its seed" told 4444321
    "$FPREPORT" archive add -q records/reproductions/globex/tiny_llama/x.tar.zst >/dev/null 2>&1
    id=$(tar --zstd -xOf records/reproductions/globex/tiny_llama/x.tar.zst SHA256SUMS | sha256sum | cut -c1-64)
    untold "$name" 4444321
done
# --- The operator is told of a statement where there is one.
bare() { (cd bare && find . -type f | sed 's,^\./,,' | LC_ALL=C sort | tar --format=ustar --no-recursion -T - --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=0644 -b1 -cf -) | zstd -q --no-check >bare.tar.zst; }
mkdir bare && tar -C bare --zstd -xf run.tar.zst && rm -f bare/statement.json* && bare
for file in run bare; do "$FPREPORT" archive add -q --archive "of-$file" $file.tar.zst >/dev/null 2>&1; done
warned() { "$FPREPORT" archive redact --archive "of-$1" "$(tar --zstd -xOf run.tar.zst SHA256SUMS | sha256sum | cut -c1-64)" run.json --publish-again --reason x >said 2>&1 && grep -q "statement.json is still published" said; }
check "of a statement that repeats what is withheld the operator is told" warned run
check_exit 1 "not where there is none" warned bare
check "which was redacted" grep -q '"kind": "redaction"' of-bare/log.jsonl
plan_done
