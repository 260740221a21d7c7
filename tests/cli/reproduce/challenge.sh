#!/bin/sh
# A challenge from its issue to its answer: the seed that follows from its nonce, a run that is
# trained with it, and what is refused.
. "$(dirname "$0")/../../lib.sh"
. "$top/tests/golden/train/lib.sh"
document=$top/docs/FIELDS.md
is() { # DESCRIPTION EXPECTED ACTUAL
    if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; echo "# '$3', expected '$2'"; fi
}
refused() { # EXIT DESCRIPTION TEXT COMMAND…: it says so
    want=$1 what=$2 text=$3; shift 3
    "$@" >out 2>err; got=$?
    if [ "$got" -eq "$want" ] && grep -qF -- "$text" err; then ok "$what"; else
        not_ok "$what"; echo "# exit $got, expected $want and '$text'"; sed 's/^/# /' err | head -n 5
    fi
}
issue() { "$FPREPORT" challenge --records rec -q "$@"; }
log() { echo "$1"/run*/*/*/*/rank0.out.log; }
answer() { "$FPREPORT" train --records rec -q "$@" >out 2>err; } # CASE --challenge FILE -o FOLDER

# ---- issued
ssh-keygen -q -t ed25519 -N '' -C "" -f key
ssh-keygen -q -t rsa -b 1024 -N '' -C "" -f rsa
issue mini --vendor acme --key key.pub -o key.pub/challenge.json >out 2>err
check "one that could not be written is not printed instead" sh -c 'test ! -s out && test -s err'
refused 0 "for a vendor that the records do not know, which is said" "vendors/nobody.json: this record does not exist, so the challenge is for a vendor without a record" "$FPREPORT" challenge --records rec mini --vendor nobody -o stranger.json
check "a challenge is issued" issue mini --vendor acme --key key.pub -o challenge.json
check_exit 2 "no file is written over: a nonce comes once" issue mini --vendor acme -o challenge.json
for n in 1 2 3 4; do (issue mini --vendor acme -o raced.json 2>/dev/null && echo x >>raced) & done; wait
is "of four at once one is issued" 1 "$(grep -c x raced)"
check "and for any key" issue mini --vendor acme -o open.json
is "it names the case by its bytes" "mini $(sha256sum <rec/cases/mini.json | cut -d' ' -f1)" "$(jq -r '.case + " " + .case_sha256' challenge.json)"
is "and the key as ssh-keygen does" "$(ssh-keygen -lf key.pub | cut -d' ' -f2)" "$(jq -r .key challenge.json)"
is "an open one names no key" "" "$(jq -r .key open.json)"
for n in 1 2 3 4 5 6 7 8; do issue mini --vendor acme -o "many$n.json"; done
jq -r '.nonce, .seed, .round' many?.json | sort | uniq -d >twice
check "the seeds are those of Python's hashlib" python3 - many?.json challenge.json <<'PY'
import hashlib, json, sys
for name in sys.argv[1:]:
    c = json.load(open(name))
    text = "fpreport-seed-v1" + c["nonce"] + c["key"] + c["case_sha256"]
    assert c["seed"] == int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 11, name
    assert len(bytes.fromhex(c["nonce"])) == 32 and c["round"] == c["date"] + "-" + c["nonce"][:12]
PY
check_same "no nonce, seed or round comes twice" /dev/null twice
"$FPREPORT" schema challenge >schema
check_same "its schema is up to date (fpreport schema challenge)" "$top/records/schema/challenge.schema.json" schema
refused 2 "without a vendor" "--vendor" issue mini
refused 2 "a vendor that is no id" "--vendor" issue mini --vendor ../acme
refused 3 "no case" "found no case" issue nothing --vendor acme
refused 2 "a case of somebody's own program" "an external command trains" issue command --vendor acme
refused 3 "a key that is none" "key.bad" sh -c 'echo hello >key.bad; "$0" challenge mini --records rec --vendor acme --key key.bad' "$FPREPORT"
refused 3 "a private key" "key:" issue mini --vendor acme --key key
refused 3 "a key that is too short" "expected one public key for signing" issue mini --vendor acme --key rsa.pub
refused 3 "two keys" "found 2 keys" sh -c 'cat key.pub key.pub >two.pub; "$0" challenge mini --records rec --vendor acme --key two.pub' "$FPREPORT"

# ---- the seed, as the document shows it
awk '/^<!-- challenge seed -->$/ { on = 1; next } on && /^```$/ { exit } on && !/^```/' "$document" >shown
check "the document shows how the seed is made" test -s shown
is "so made it is the one of the file" "$(jq .seed challenge.json)" "$(sh ./shown)"
sed 's/challenge\.json/open.json/g' shown >shown.open
is "and without a key" "$(jq .seed open.json)" "$(sh ./shown.open)"

# ---- answered
check "a run answers it" answer mini --challenge challenge.json -o one
seed=$(jq .seed challenge.json)
is "run.json names it" "$(jq -c '[.round, .nonce, .vendor, .key, .seed]' challenge.json)" "$(jq -c '.challenge | [.round, .nonce, .vendor, .key, .seed]' one/run*/run.json)"
is "the log has its seed and round" "$(jq -c '[.seed, .round]' challenge.json)" "$(grep INIT_START "$(log one)" | cut -c11- | jq -c '.value | [.seed, .challenge]')"
check "the case is as it was" cmp rec/cases/mini.json one/run*/case.json
jq -c ".seed = $seed" rec/cases/mini.json >rec/cases/seeded.json
answer seeded -o seeded
losses() { sed -n 's/.*STEP_END.*"loss": \([0-9.e-]*\).*"global_steps": \([0-9]*\),.*/\2 \1/p' "$1"; }
losses "$(log one)" >one.losses; losses "$(log seeded)" >seeded.losses
check_same "it has the losses of a case with this seed" seeded.losses one.losses
answer mini -o plain; losses "$(log plain)" >plain.losses
check "and not those of the case's own" sh -c '! cmp -s one.losses plain.losses'
check "step 0 is logged with more digits than step 1, and is the same" sh -c '
    zero=$(sed -n "s/.*STEP_ZERO.*\"loss\": \([0-9.]*\).*/\1/p" "$1") first=$(head -n 1 one.losses | cut -d" " -f2)
    [ ${#zero} -gt 12 ] && [ "$(grep -c STEP_ZERO "$1")" = 1 ] &&
    awk -v a="$zero" -v b="$first" "BEGIN { d = a - b; if (d < 0) d = -d; exit !(d < 1e-6) }"' sh "$(log one)"
is "a run without a challenge names none" null "$(jq -c .challenge plain/run*/run.json)"
jq -c '.id = "two" | .micro_batch = 1 | .parallel = {"data": 2}' rec/cases/mini.json >rec/cases/two.json
issue two --vendor acme -o two.json
check "two ranks answer one" answer two --challenge two.json -o two
is "with its seed" "$(jq -c '[.seed, .round]' two.json)" "$(grep INIT_START "$(log two)" | cut -c11- | jq -c '.value | [.seed, .challenge]')"
is "one step 0" 1 "$(grep -c STEP_ZERO "$(log two)")"

# ---- refused
jq '.case_sha256 |= (.[1:] + .[:1])' challenge.json >x.json
refused 3 "a challenge whose case was altered" "was altered" answer mini --challenge x.json -o no
jq '.nonce |= (.[1:] + .[:1])' challenge.json >x.json
refused 3 "one whose nonce was altered" "was altered" answer mini --challenge x.json -o no
jq '.key = ""' challenge.json >x.json
refused 3 "one whose key was taken out" "was altered" answer mini --challenge x.json -o no
jq '.seed += 1' challenge.json >x.json
refused 3 "one whose seed was altered" "was altered" answer mini --challenge x.json -o no
jq '.date = "2020-02-02"' challenge.json >x.json
refused 3 "one with another date" "date and nonce give: the challenge was altered" answer mini --challenge x.json -o no
jq '.round = "spring"' challenge.json >x.json
refused 3 "one with another round" "found round \"spring\", expected" answer mini --challenge x.json -o no
refused 3 "which verify refuses, too" "found round \"spring\", expected" "$FPREPORT" verify --challenge x.json "$top/tests/golden/build/records/evidence/globex/run.tar.zst"
refused 3 "one for another case" "is for case mini, found two" answer two --challenge challenge.json -o no
sed 's/"title"/ "title"/' rec/cases/mini.json >rec/cases/edited.json
refused 3 "one for the case before it was edited" "is for case mini of SHA-256" answer rec/cases/edited.json --challenge challenge.json -o no
refused 3 "one for another vendor" "is for vendor acme, found globex" answer mini --challenge challenge.json --vendor globex -o no
refused 2 "a command has no use for it" "--challenge works only with fpreport's own trainer" "$FPREPORT" train command --records rec --challenge challenge.json -- true
refused 3 "no such file" "none.json" answer mini --challenge none.json -o no
refused 3 "a large file" "expected at most" sh -c 'head -c 5000 /dev/zero | tr "\0" " " >large.json; "$0" train mini --records rec --challenge large.json -o no' "$FPREPORT"
check "nothing of these is left behind" test ! -e no

# ---- carried
mkdir -p ours/cases ours/models && cp rec/cases/mini.json ours/cases/ && cp rec/models/mini.json ours/models/
check "it is sealed and signed" "$FPREPORT" collect -q one/run* --vendor acme --sign key --records ours -o out-acme
refused 2 "by the vendor that it is for" "answers a challenge for vendor acme" "$FPREPORT" collect one/run* --vendor globex --records ours -o out-globex
sealed=$(echo out-acme/evidence/acme/*.tar.zst)
is "the statement says it" "$(jq -c '[.round, .nonce, .seed]' challenge.json)" "$(tar -xO --zstd -f "$sealed" statement.json | jq -c '.predicate.buildDefinition.externalParameters.challenge | [.round, .nonce, .seed]')"
check "and says what the files say" "$FPREPORT" verify --only FP4009,FP4010,FP4014 --records ours "$sealed"

# ---- run again: an answer's second run has its seed, and so its order of the data and its weights
again() { "$FPREPORT" reproduce --records rerun acme/mini -o "$@" >out 2>err; }
cp -R ours rerun && cp -R out-acme/evidence out-acme/results rerun/
mv rerun/results/acme/*.json rerun/results/acme/mini.json 2>/dev/null
check "an answer is reproduced" again made
check "bit for bit" grep -q "all 6 losses are bit-identical" out
check "and the seed is named" grep -q "^the evidence answers the challenge $(jq -r .round challenge.json), so the case is trained with the seed of this challenge, $(jq .seed challenge.json) (result/challenge-" err
check_same "as the one who issued it has it" challenge.json "$(echo result/challenge-*.json)"
is "its run answers it, too" "$(jq -c .seed challenge.json)" "$(tar -xO --zstd -f made/reproductions/acme/mini/*.tar.zst run.json | jq .challenge.seed)"
cp -R made/reproductions rerun/
check "the record counts" "$FPREPORT" verify --records rerun --only FP5 acme/mini
refused 3 "a run with the case's own seed is none" "differ in their seeds" again other -- \
    sh -c '"$1" train mini --records ours -q -o fresh >/dev/null 2>&1; cat fresh/run*/*/*/*/rank0.out.log' - "$FPREPORT"

# ---- verified: long enough to be compared, by one rank and by two
jq -c '.id = "long" | .steps = 220 | .micro_batch = 4' rec/cases/mini.json >ours/cases/long.json
jq -c '.id = "pair" | .micro_batch = 2 | .parallel = {"data": 2}' ours/cases/long.json >ours/cases/pair.json
jq -c '.id = "hurry" | .precision = "bf16"' ours/cases/long.json >ours/cases/hurry.json
jq -c '.id = "huge" | .sequence_length = 16384 | .micro_batch = 4096' ours/cases/long.json >ours/cases/huge.json
jq -c '.id = "slow" | .steps = 1000000' ours/cases/long.json >ours/cases/slow.json
ours() { command=$1; shift; "$FPREPORT" "$command" --records ours "$@"; }
held() { ours verify --only FP6 -v "$@" >out 2>err; } # what FP6001 to FP6004 say: P pass, F fail, C cannot
said() {
    for n in 1 2 3 4; do
        grep -E ": (PASS|CANNOT|error|warning|notice): .*\[FP600$n\]" out | sed -E 's/.*: PASS: .*/P/; s/.*: CANNOT: .*/C/; s/.*: (error|notice): .*/F/' | head -n 1
    done | tr -d '\n'
}
verdict() { # DESCRIPTION EXIT RULES OPTIONS…
    what=$1 want=$2 rules=$3; shift 3
    held "$@"; got=$?
    if [ $got -eq "$want" ] && [ "$(said)" = "$rules" ]; then ok "$what"; else
        not_ok "$what"; echo "# exit $got, '$(said)', expected $want, '$rules'"; sed 's/^/# /' out err | head -n 20
    fi
}
seal() { ours collect -q --force "$@" >/dev/null; } # RUN -o FILE
for case in long pair; do
    ours challenge $case --vendor acme -q -o $case.json
    ours train $case -q --challenge $case.json -o $case.run >/dev/null
    seal $case.run/run* -o $case.tar.zst
done
verdict "trained with its seed" 0 PPPP --challenge long.json long.tar.zst
check "it says how long it will take before it takes it" grep -qE 'training the first 200 steps of [0-9.e-]+ s each, about [0-9]+ s \(cpu, fp32; at most 30 min\)' err
check "each figure stands beside how often it is wrong" sh -c '[ "$(tr "\n" " " <out | grep -oE "in a test with small Llama models, this rule rejected [0-9]+ of [0-9]+ honest runs and accepted [0-9]+ of [0-9]+ forged loss curves" | wc -l)" -eq 3 ]'
verdict "one step shows little" 0 PCPC --steps 1 --challenge pair.json pair.tar.zst
verdict "two ranks, folded into one" 0 PPPP --challenge pair.json pair.tar.zst
verdict "ten steps show no order, but all else" 0 PCPP --steps 10 --challenge pair.json pair.tar.zst
ours challenge long --vendor acme -q -o again.json
verdict "another challenge for the same case" 1 FCCC --challenge again.json long.tar.zst
check "for which nothing is trained" sh -c '! grep -q "training the first" err'
verdict "a challenge for another case" 1 FCCC --challenge pair.json long.tar.zst
ours train long -q -o own.run >/dev/null; seal own.run/run* -o own.tar.zst
verdict "a run that answers none" 1 FCCC --challenge long.json own.tar.zst
check "an honest answer has no error of any rule" sh -c '"$1" verify --records ours --challenge long.json --steps 5 long.tar.zst >all 2>&1 || { code=$?; cat all; exit $code; }' sh "$FPREPORT"

# The first steps as somebody trained them elsewhere, who has fptrain and a GPU.
ours train long -q --challenge long.json -o elsewhere.run >/dev/null
verdict "held to a run of one's own" 0 PPPP --challenge long.json --against elsewhere.run/run* long.tar.zst
check "nothing is trained then" sh -c '! grep -q "training the first" err'
refused 3 "a run of another challenge" "answers another challenge" ours verify --challenge again.json --against elsewhere.run/run* long.tar.zst
refused 3 "a run that answers none" "answers no challenge" ours verify --challenge long.json --against own.run/run* long.tar.zst
refused 3 "no run" "cannot be read" ours verify --challenge long.json --against nothing long.tar.zst

# A run of another seed that says it had this one: the log is changed from its first line to its sums.
pretend() { # FROM (a run folder) FILE SED…: edited, its sums in run.json stated again, sealed
    rm -rf faked && cp -R "$1" faked && mine=$(echo faked/run*/*/*/*/rank0.out.log) out=$2; shift 2
    sed -i -E "$@" "$mine"
    jq -c --argjson c "$(jq -c .challenge long.run/run*/run.json)" --arg s "$(sha256sum <"$mine" | cut -d' ' -f1)" \
        '.challenge = $c | (.files[] | select(.path | endswith("rank0.out.log")).sha256) = $s' faked/run*/run.json >run.json
    mv run.json faked/run*/run.json
    seal faked/run* -o "$out"
}
pretend own.run copied.tar.zst "s/\"seed\": [0-9]+/\"seed\": $(jq .seed long.json)/"
verdict "the curve of another seed" 0 PFFF --challenge long.json copied.tar.zst
python=
for p in python3 /usr/bin/python3; do "$p" -c 'import numpy' 2>/dev/null && python=$p && break; done
if [ -n "$python" ]; then
    # The log of the honest run has the losses that are trained here, rounded to fp32.
    for run in own long; do losses "$(log $run.run)" | head -n 200 | cut -d' ' -f2 | tr '\n' ' '; echo; done |
        "$python" "$top/tests/bench/challenge_rates.py" oracle >numpy
    tr '\n' ' ' <out | tr -s ' ' >said.out
    check "its figures are those of numpy" sh -c '
        read -r order start early level <numpy
        near() { awk -v a="$1" -v b="$2" -v e="$3" "BEGIN { d = a - b; exit !(d < e && -d < e) }"; }
        figure() { sed -E "s/.*$1.*/\1/" said.out; }
        near "$order" "$(figure "correlation is (-?[0-9.]+) between 179")" 6e-5 &&
        near "$start" "$(figure "machine \(cpu, in fp32\): the difference is ([0-9.e-]+),")" "$(awk "BEGIN { print $start / 20 }")" &&
        near "$early" "$(figure "deviation of the losses is ([0-9.e-]+) from a training")" "$(awk "BEGIN { print $early / 20 }")" &&
        near "$level" "$(figure "and ([0-9.e-]+) over all 200")" "$(awk "BEGIN { print $level / 20 }")"'
else
    skip "needs numpy"
fi
zero=$(sed -n 's/.*STEP_ZERO.*"loss": \([0-9.]*\).*/\1/p' "$(log long.run)")
pretend own.run computed.tar.zst "s/\"seed\": [0-9]+/\"seed\": $(jq .seed long.json)/; /STEP_ZERO/s/\"loss\": [0-9.]+/\"loss\": $zero/"
verdict "with step 0 computed" 0 PFPF --challenge long.json computed.tar.zst
pretend long.run edited.tar.zst '/STEP_ZERO/s/("loss": [0-9]\.[0-9]{2})./\10/; /STEP_ZERO/s/("loss": [0-9]\.[0-9])./\19/'
verdict "step 0 is edited" 0 PPFP --challenge long.json edited.tar.zst
pretend long.run nozero.tar.zst '/STEP_ZERO/d'
verdict "step 0 is taken out" 0 PPCP --challenge long.json nozero.tar.zst
pretend long.run short.tar.zst '/"global_steps": (1|2)[0-9]{2},/d'
verdict "steps are taken out" 0 PCPC --challenge long.json short.tar.zst
pretend long.run seedless.tar.zst 's/"seed": [0-9]+, //'
verdict "the log does not say its seed" 1 FCCC --challenge long.json seedless.tar.zst

# The run began when the challenge was there.
for began in z 2020-01-01T00:00:00Z 2126-13-01T00:00:00Z; do
    rm -rf when.run && cp -R long.run when.run
    jq --arg at $began '.started = $at' long.run/run*/run.json >"$(echo when.run/run*/run.json)"
    seal when.run/run* -o when.tar.zst
    verdict "it began $began" 1 FCCC --steps 2 --challenge long.json when.tar.zst
done

# The key that must sign.
ours challenge long --vendor acme --key key.pub -q -o keyed.json
ours train long -q --challenge keyed.json -o keyed.run >/dev/null
ssh-keygen -q -t ed25519 -N '' -C "" -f other
seal keyed.run/run* -o unsigned.tar.zst; seal keyed.run/run* -o signed.tar.zst --sign key; seal keyed.run/run* -o other.tar.zst --sign other
verdict "signed with its key" 0 PCPC --steps 2 --challenge keyed.json signed.tar.zst
verdict "signed with another" 1 FCCC --steps 2 --challenge keyed.json other.tar.zst
verdict "not signed" 1 FCCC --steps 2 --challenge keyed.json unsigned.tar.zst

# Whose key it must be where the challenge names none: its vendor's.
ours challenge long --vendor acme -q -o unkeyed.json
ours train long -q --challenge unkeyed.json -o unkeyed.run >/dev/null
seal unkeyed.run/run* -o by-acme.tar.zst --sign key; seal unkeyed.run/run* -o by-globex.tar.zst --sign other
sed 's/^/acme /' key.pub >both.signers; sed 's/^/globex /' other.pub >>both.signers
signed() { ours verify --challenge unkeyed.json --steps 2 --only FP4015,FP6001 --signers both.signers "$@" >out; }
check "its vendor's signature counts" signed by-acme.tar.zst
check_exit 1 "that of another vendor does not" signed by-globex.tar.zst
check "and it is said whose it is" sh -c 'tr -s "\n " " " <out | grep -q "belongs to globex, not to acme"'

# What cannot be trained here, and what is refused.
for case in hurry huge slow; do
    ours challenge $case --vendor acme -q -o $case.json
    jq '.challenge.round = $c.round | .challenge.nonce = $c.nonce | .challenge.vendor = "acme" | .challenge.key = "" | .challenge.seed = $c.seed | .case = $c.case' \
        --argjson c "$(cat $case.json)" long.run/run*/run.json >run.json
    rm -rf $case.run && cp -R long.run $case.run && mv run.json $case.run/run*/run.json && cp ours/cases/$case.json $case.run/run*/case.json
    sed -i -E "s/\"seed\": [0-9]+/\"seed\": $(jq .seed $case.json)/" "$(log $case.run)"
    seal $case.run/run* -o $case.tar.zst
done
held --challenge hurry.json --steps 2 hurry.tar.zst
check "a precision that is not computed here: in fp32, and it is said" grep -q "this machine cannot train in bf16, so the first steps are trained in fp32" err
check "in the finding, too" sh -c 'tr "\n" " " <out | grep -q "in fp32, not in *bf16"'
# An fptrain beside the program trains it as it is stated; it is stopped when it has the steps.
mkdir beside && cp "$FPREPORT" beside/fpreport && cat >beside/fptrain <<'SH'
#!/bin/sh
echo "$*" >asked; while [ "$1" != -o ]; do shift; done
cp -R hurry.run/run* "$2.whole" && mv "$2.whole" "$2/run1" && sleep 300 # a trainer writes run.json before it logs
SH
chmod +x beside/fptrain
FPREPORT=$tmp/beside/fpreport held --challenge hurry.json hurry.tar.zst
is "the fptrain beside the program trains what it cannot" PPPP "$(said)"
check "with the challenge" grep -q -- "train ours/cases/hurry.json --challenge hurry.json --records ours --no-measure -q -o " asked
check "in the case's precision" sh -c 'tr "\n" " " <out | grep -qE "\([^()]*, in *bf16\)"'
printf '#!/bin/sh\nexit 3\n' >beside/fptrain
FPREPORT=$tmp/beside/fpreport held --challenge hurry.json --steps 2 hurry.tar.zst
check "one that cannot, and it is fp32 here" sh -c 'grep -q "fptrain trained no step" err && tr "\n" " " <out | grep -q "in fp32, not in *bf16"'
# Who is told to end takes the training and its folder with him.
mkdir room && printf '#!/bin/sh\necho $$ >stuck; exec sleep 1200\n' >beside/fptrain
TMPDIR=$tmp/room beside/fpreport verify --records ours --challenge hurry.json hurry.tar.zst >/dev/null 2>&1 &
asked=$!
await test -s stuck
kill -TERM $asked; wait $asked; got=$?
check "told to end while it trains: it ends so" test $got = 143
check "and leaves no folder and no training" sh -c '[ -z "$(ls room)" ] && ! kill -0 $(cat stuck) 2>/dev/null'
verdict "what does not fit into memory is not trained" 0 PCCC --challenge huge.json huge.tar.zst
check "and it is said why" sh -c 'tr "\n" " " <out | grep -q "only 0 steps were trained on this machine"'
verdict "what would take too long is not trained" 0 PCFC --challenge slow.json --steps 1000000 --minutes 1 slow.tar.zst
check "and it is said how long" sh -c 'tr "\n" " " <out | grep -q "only 1 steps were trained on this machine, .* would take more than --minutes 1"'
refused 2 "two submissions" "expected one submission" ours verify --challenge long.json long.tar.zst pair.tar.zst
refused 2 "what is no submission" "expected one submission" ours verify --challenge long.json long.run
refused 2 "another vendor" "is for vendor acme" ours verify --challenge long.json --vendor globex long.tar.zst
refused 2 "--steps without a challenge" "needs --challenge" ours verify --steps 5 long.tar.zst
refused 2 "no number of steps" "expected 1 to" ours verify --challenge long.json --steps 0 long.tar.zst
refused 3 "no such challenge" "none.json" ours verify --challenge none.json long.tar.zst
sed -i 's/"title"/ "title"/' ours/cases/long.json
refused 3 "a case that was edited since" "expected the case as it was when the challenge was issued" ours verify --challenge long.json long.tar.zst
plan_done
