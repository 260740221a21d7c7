#!/bin/sh
# No word and no number of a file that is withheld is published, wherever findings, figures and dates repeat them.
place=memory; . "$(dirname "$0")/../lib.sh"
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
    "$FPREPORT" collect -q "$1" -o run.tar.zst >/dev/null && id=$(tar --zstd -xOf run.tar.zst SHA256SUMS | sha256sum | cut -c1-64)
    sed -i "s/\"sha256\": \"[0-9a-f]\{64\}\"/\"sha256\": \"$(sha run.tar.zst)\"/" $record && cp run.tar.zst records/evidence/globex/
}
sealed run
built() { rm -rf site site.fpreport-*; "$FPREPORT" build -o site >said 2>&1; find site -name '*.tar.zst' -exec rm {} +; }
told() { grep -qrwE "$1" site; }
# untold FILE WORD…: each is published, until the file is withheld, then of nothing; others are.
untold() {
    file=$1; shift
    "$FPREPORT" archive redact -q "$id" "$file" --reason x >/dev/null 2>&1 && built
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
    check "how it was computed is not said, but why it is not" grep -q '"reason": "it is about a file that is withheld: what it says is not published"' site/result/globex/tiny_llama/verify.json
    check "rule and outcome are" grep -q '"rule": "FP4008", "outcome": "FAIL"' site/result/globex/tiny_llama/verify.json
    untold run.json $clock
    for word in 3457 zzmodelzz zzoszz; do check "what other files say is told: $word" told "$word"; done
    untold "$print" $machine
    for word in 26940401 90061; do check "what other files say is told: $word" told "$word"; done
}
# What is said at run.json of the log is the log's.
mkdir late && tar -C late --zstd -xf "$top/tests/golden/build/records/evidence/globex/run.tar.zst" && rm late/SHA256SUMS
sed -i '9s/"step_time_s": [0-9.]*/"step_time_s": 7531.25/' "late/$log" && sealed late && built
check "of a whole run it is told what a step takes" told "says 7531[.]25 s a step"
"$FPREPORT" archive add -q run.tar.zst >/dev/null 2>&1
untold "$log" "says 7531[.]25 s a step"
plan_done
