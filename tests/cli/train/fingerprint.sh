#!/bin/sh
# `fpreport fingerprint`: text, JSON, and the comparison of two machines.
. "$(dirname "$0")/../../lib.sh"
. "$top/tests/golden/train/lib.sh"
is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; echo "# found $2, expected $3"; fi; }

XDG_CONFIG_HOME=$tmp/config; export XDG_CONFIG_HOME
check "text" "$FPREPORT" fingerprint -o all.txt
sed '/^$/q' all.txt | sed '$d' >a.txt
"$FPREPORT" fingerprint | sed '/^$/q' | sed '$d' >b.txt; check_same "what is stable is twice the same" a.txt b.txt
is "no line is longer than a terminal" "$(awk 'length($0) > 80' a.txt)" ""
is "what goes on below begins below" "$(grep -cvE '^([A-Za-z]|SHA-256| {25}[^ ])' a.txt)" 0
grep -q "^Kernel  *$(uname -r)$" a.txt && ok "the kernel is uname's" || not_ok "the kernel is uname's"
if [ -d /sys/devices/system/cpu ]; then
    grep -q "^CPU threads  *$(nproc --all)$" a.txt && ok "the threads are nproc's" || not_ok "the threads are nproc's"
else
    skip "no /sys here"
fi
grep -q "^SHA-256 of the case  *(no case was given)$" a.txt && ok "what is not known says why" ||
    not_ok "what is not known says why"

"$FPREPORT" fingerprint --format json >a.json; "$FPREPORT" fingerprint --format json -o b.json
for f in a b; do jq 'del(.unstable)' $f.json >$f.stable; done
check_same "JSON twice the same" a.stable b.stable

# A library that is there and cannot be loaded is not one that is missing.
mkdir broken && echo "no library" | tee broken/libopenblas.so.0 >broken/libnvidia-ml.so.1
LD_LIBRARY_PATH=$PWD/broken "$FPREPORT" fingerprint --format json >broken.json
is "a BLAS that cannot be loaded is not known, with the reason" \
    "$(jq -r '.stable[]? , .facts[]? | select(.key == "blas") | .unknown' broken.json)" "$PWD/broken/libopenblas.so.0: file too short"
is "so is NVIDIA's driver" "$(grep -c "NVIDIA's driver cannot be loaded: .*file too short" broken.json)" 1
LD_LIBRARY_PATH=$PWD/broken check_exit 4 "nothing is trained without a BLAS" "$FPREPORT" train --records "$top/records" tiny_llama -o none
grep -q "libopenblas.so.0: file too short" .out && [ ! -e none ] && ok "the library is named, and no run is left" ||
    not_ok "the library is named, and no run is left"

# docs/FINGERPRINT.md: the digest, and a hash, by hand.
digest=$(jq -r .sha256 a.json)
awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$top/docs/FINGERPRINT.md" >shown
is "two commands are shown" "$(grep -c '^[a-z]' shown)" 2
sed '$d' shown >digest.sh; sed '$!d' shown >hash.sh; cp a.json fingerprint.json
is "sha256sum has the digest" "$(sh digest.sh)" "$digest  -"
check "the text shows it" grep -q "^  $digest$" all.txt
is "the host's name is only there as its hash" "$(sh hash.sh)" "$(jq -r '.unstable[] | select(.key == "host").value' a.json)"
is "the salt is secret" "$(stat -c %a config/fpreport/salt) $(wc -c <config/fpreport/salt)" "600 65"
is "its id is not" "$(printf 'fpreport-salt:%s' "$(cat config/fpreport/salt)" | sha256sum | cut -c1-16)" "$(jq -r .salt a.json)"
grep -rqF "$(cat config/fpreport/salt)" a.json all.txt && not_ok "it is in no output" || ok "it is in no output"
plain=0
for f in /etc/machine-id /sys/class/dmi/id/product_serial /sys/class/net/*/address; do
    [ -s "$f" ] && [ "$(cat "$f" 2>/dev/null | wc -c)" -gt 8 ] && [ "$(cat "$f")" != 00:00:00:00:00:00 ] || continue
    grep -qiF "$(cat "$f")" a.json all.txt && plain=$((plain + 1))
done
is "no name of this machine is" "$plain" 0
jq '(.facts[] | select(.key == "case_sha256")) = {key: "case_sha256", value: "abc"}' a.json >fingerprint.json
is "the case is not in the digest" "$(sh digest.sh)" "$digest  -"
chmod 644 config/fpreport/salt
"$FPREPORT" fingerprint --format json >open.json
check "a salt that others may read hashes nothing" jq -e '(has("salt") | not) and
    (.unstable[] | select(.key == "host").unknown | endswith("has mode 0644, expected a file that only its owner may read (0600)"))' open.json
is "and changes no stable fact" "$(jq -r .sha256 open.json)" "$digest"
chmod 600 config/fpreport/salt
(unset XDG_CONFIG_HOME HOME; "$FPREPORT" fingerprint --format json) >homeless.json
check "nor does nobody's home" jq -e '.unstable[] | select(.key == "host").unknown | endswith("HOME is set")' homeless.json
XDG_CONFIG_HOME=$tmp/other "$FPREPORT" fingerprint --format json >other.json
is "the same machine is known by the same salt" "$("$FPREPORT" fingerprint --diff a.json b.json | grep -c '^ .*  the same$')" \
    "$(jq '[.unstable[] | select(.key | IN("host", "machine_id", "machine_serial", "network_address")) | select(.value)] | length' a.json)"
is "and not by another" "$("$FPREPORT" fingerprint --diff a.json other.json)" ""
jq '(.unstable[] | select(.key == "host").value) |= "00112233445566778899aabbccddeeff, \(.)"' a.json >two.json
is "how many names are in both" "$("$FPREPORT" fingerprint --diff a.json two.json | grep '^  Host' | tr -s ' ')" " Host name 1 in both, of 1 and 2"
is "in JSON, too" "$("$FPREPORT" fingerprint --diff --format json a.json two.json | jq -c '.identities[0]')" \
    '{"key":"host","a":1,"b":2,"both":1}'
check "every fact has a value or a reason, never both" jq -e \
    '.schema == "fpreport.fingerprint/1" and (.facts | length > 25) and
     all(.facts[]; (.value == null) != (.unknown == null) and ((.value // .unknown) | length > 0))' a.json

sed 's/"sha256": "[0-9a-f]\{8\}/"sha256": "00000000/' a.json >touched.json
check_exit 3 "facts that were changed are not compared" "$FPREPORT" fingerprint --diff a.json touched.json
check_exit 0 "no difference to oneself" "$FPREPORT" fingerprint --diff a.json a.json
is "and nothing to say but who it is" "$("$FPREPORT" fingerprint --diff a.json b.json | grep -v '^identities:$\|  the same$')" ""
jq 'del(.sha256) | (.facts[] | select(.key == "kernel")).value = "9.9"' a.json >c.json
check_exit 1 "another kernel" "$FPREPORT" fingerprint --diff a.json c.json
is "is shown as two lines" "$("$FPREPORT" fingerprint --diff a.json c.json | grep '^[-+]' | tr -s ' ' | tr '\n' '|')" \
    "- Kernel $(uname -r)|+ Kernel 9.9|"
"$FPREPORT" fingerprint --diff --format json a.json c.json >diff.json
is "and as JSON" "$(jq -c '[.schema, (.changes[] | .key, .a, .b)]' diff.json)" \
    "[\"fpreport.fingerprint-diff/1\",\"kernel\",\"$(uname -r)\",\"9.9\"]"

"$FPREPORT" fingerprint --measure --format json >m.json
check "rates are measured" jq -e '.measured | .device == "cpu" and .ranks == 1 and
    ([.figures[] | .key] == ["gemm_fp32", "memory_copy", "memory_update"]) and
    all(.figures[]; .min > 0 and .min <= .median and .median <= .max and .repetitions == 10)' m.json
check "beside the same facts" jq -e --slurpfile a a.json '.facts == $a[0].facts' m.json
jq '.measured.figures[].max *= 2 | .measured.figures[].median *= 1.5' m.json >n.json
check_exit 0 "other rates are no other machine" "$FPREPORT" fingerprint --diff m.json n.json
is "but they are shown" "$("$FPREPORT" fingerprint --diff m.json n.json | grep -c '(+50.0 %)$')" 3
is "in JSON, too" "$("$FPREPORT" fingerprint --diff --format json m.json n.json |
    jq -c '.measured | length, all(.[]; (.b / .a - 1.5) | fabs < 1e-9)' | tr '\n' ' ')" "3 true "
check_exit 0 "a machine that was not measured is no other one" "$FPREPORT" fingerprint --diff a.json m.json
"$FPREPORT" fingerprint --measure >m.txt
is "no line of them is too long" "$(awk 'length($0) > 80 && !/^Measured here/' m.txt)" ""
is "and all are there" "$(grep -c '^M.* \(TFLOP\|GB\)/s (' m.txt)" 3
jq '.measured.figures[0].min = 1e9' m.json >bad.json
check_exit 3 "rates that cannot be" "$FPREPORT" fingerprint --diff m.json bad.json
check_exit 2 "--measure is for this machine" "$FPREPORT" fingerprint --diff --measure m.json n.json
check_exit 2 "--device without --measure" "$FPREPORT" fingerprint --device cpu

train mini --measure
check "a run that was measured says so" jq -e '.measured.figures | length == 3' result/run*/*/*/*/fingerprint.json
check_exit 2 "measured or not" "$FPREPORT" train --records rec mini --measure --no-measure
check_exit 2 "a command is not measured" "$FPREPORT" train --records rec mini --measure -- true
train mini; cp -R result A; train npy; cp -R result B
"$FPREPORT" fingerprint --diff A/run* B/run* | grep -v '^identities:$\|  the same$' >diff.txt
"$FPREPORT" fingerprint --diff A/run* B/run* >/dev/null; code=$?
is "two runs of two cases differ" "$code" 1
is "in the case and its data, and in nothing else" "$(sed 's/ of the / /; s/  .*//' diff.txt | tr '\n' '|')" \
    "- SHA-256 case|+ SHA-256 case|- SHA-256 data|+ SHA-256 data|"
grep -q "SHA-256 of the case  *$(sha256sum <rec/cases/mini.json | cut -c1-64)" diff.txt &&
    ok "the case's hash is sha256sum's" || not_ok "the case's hash is sha256sum's"
grep -q "^+ SHA-256 of the data  *(the case states no SHA-256 of its data)$" diff.txt &&
    ok "data that the case does not pin" || not_ok "data that the case does not pin"

# The framework of a native run is this program, wherever it was started; that of a command is where it was.
git init -q theirs && (cd theirs && git -c user.name=x -c user.email=x@y commit -q --allow-empty -m x &&
    "$FPREPORT" -q train --records ../rec mini && mv result native &&
    "$FPREPORT" -q train --records ../rec mini -- true) >.log 2>&1
commit_of() { jq -r '.facts[] | select(.key == "framework_commit") | .value // .unknown' theirs/$1/run*/*/*/*/fingerprint.json; }
ours=$(git -C "$(dirname "$FPREPORT")" rev-parse HEAD 2>/dev/null)
is "the commit of a native run is not that of the folder at hand" "$(commit_of native | sed 's/^not in a git repository.*//')" "$ours"
is "that of a command is" "$(commit_of result)" "$(git -C theirs rev-parse HEAD)"
origin_of() { git -C theirs remote remove origin 2>/dev/null; git -C theirs remote add origin "$1" && (cd theirs && "$FPREPORT" fingerprint --format json) |
    jq -r '.facts[] | select(.key == "framework_origin") | .value // .unknown'; }
untold="the remote 'origin' is a local folder, so its path is not recorded"
for url in "$tmp/upstream" ../upstream "file://$tmp/upstream" "./a:b"; do
    is "a folder of this machine is no origin to tell: $(echo "$url" | sed "s,$tmp,…,")" "$(origin_of "$url")" "$untold"
done
is "another machine's is, without who asks" "$(origin_of https://ada:secret@example.org/fw.git)" https://example.org/fw.git
is "as git writes it, too" "$(origin_of git@example.org:fw.git)" git@example.org:fw.git

# Other vendors' tools, as they were recorded: facts, and whole outputs in env/, names hashed in both.
mkdir -p tools
fake() { printf '#!/bin/sh\n%s\n' "$2" >"tools/$1" && chmod +x "tools/$1"; }
fake xpu_smi "cat '$top/tests/data/tools/xpu_smi.txt'"
fake npu-smi "cat '$top/tests/data/tools/npu-smi.txt'; hostname"
fake rocm-smi "cat '$top/tests/data/tools/rocm-smi-a.txt'"
fake cnmon "echo 'no MLU device'; exit 5"
PATH=$tmp/tools:$PATH "$FPREPORT" fingerprint --format json >xpu.json
check "facts of a card of another vendor" jq -e '[.facts[] | select(.key | IN("accelerator_vendor", "accelerator_model",
    "accelerator_count", "accelerator_memory", "accelerator_driver")) | .value] == ["kunlunxin", "R300", "2", "32768", "4.0"]' xpu.json
# A tool in PATH is no card: the vendor is that of the first one that knows of cards.
mkdir two && ln -s ../tools/cnmon ../tools/npu-smi two && mkdir one && ln -s ../tools/cnmon one
cards() { PATH=$tmp/$1:$PATH "$FPREPORT" fingerprint --format json | jq -r '.facts[] | select(.key | IN("accelerator_vendor", "accelerator_count")) | .value // .unknown' | tr '\n' ' '; }
is "a tool that knows of no cards is passed over" "$(cards two)" "ascend 2 "
is "and is nobody's card where it is the only one" "$(cards one)" "cnmon: failed with status 5 cnmon: failed with status 5 "
(PATH=$tmp/tools:$PATH; export PATH; train mini)
is "each tool has a file" "$(ls result/run*/*/*/*/env | tr '\n' ' ')" "cnmon.txt npu-smi.txt rocm-smi-a.txt xpu_smi.txt "
is "one that fails says why" "$(cat result/run*/*/*/*/env/cnmon.txt)" "fpreport: cnmon: failed with status 5"
check "the rest of what they say is there" grep -q '910B3  *| OK' result/run*/*/*/*/env/npu-smi.txt
"$FPREPORT" -q collect --force --records rec result/run* -o xpu.tar.zst >/dev/null && zstd -dqf xpu.tar.zst -o xpu.tar
# It trained on the processor beside two cards: they are in no figure of its record.
mkdir -p beside/cases && cp rec/cases/mini.json beside/cases/ && cp -R rec/models "$top/records/accelerators" beside/
"$FPREPORT" -q collect --force --records beside result/run* --vendor acme -o beside >/dev/null
check "a run on the processor of a machine with cards" "$FPREPORT" verify --records beside acme/mini
is "is a row of the processor" "$(jq -r '.performance[0].table.rows[0][0]' beside/results/acme/mini.json)" "CPU单机单卡（1x1）"
is "no serial number or UUID of the samples is in any output" \
    "$(grep -rlaE '02K00Y0000V0000|69210000000|00deadbee' xpu.json result xpu.tar)" ""
serial=$(jq -r '.unstable[] | select(.key == "accelerator_serial").value | split(", ")[1]' xpu.json)
check "but whether two are the same" grep -q "| R300  | salted:$serial |" result/run*/*/*/*/env/xpu_smi.txt

# FP4010: facts that were changed in a run, and run.json with them.
altered() { # NAME JQ: a sealed copy of the run in A, with another fingerprint
    rm -rf "$1" "$1.tar.zst" && cp -R A/run* "$1"
    facts=$(ls "$1"/*/*/*/fingerprint.json)
    old=$(sha256sum <"$facts" | cut -c1-64)
    jq "$2" "$facts" >new.json && cat new.json >"$facts"
    sed -i "s/$old/$(sha256sum <"$facts" | cut -c1-64)/" "$1/run.json"
    "$FPREPORT" -q collect --force --records rec "$1" -o "$1.tar.zst" >/dev/null
    "$FPREPORT" verify --records rec -v --only FP4010 "$1.tar.zst" >"$1.txt" 2>&1
}
altered asis .
check "a fingerprint as it was taken" grep -q 'PASS: run.json agrees with the files of the run \[FP4010\]' asis.txt
altered kernel '(.facts[] | select(.key == "kernel")).value = "9.9"'
check "a fact that was changed, and not its digest" \
    grep -qE "error: the facts of the fingerprint have the SHA-256 [0-9a-f]{64}, but the fingerprint states [0-9a-f]{64} \[FP4010\]" kernel.txt
altered moved '(.facts += [.unstable[0]]) | del(.unstable[0], .sha256)'
check "an unstable fact among the stable ones" grep -q "contains 'taken', which fpreport" moved.txt
altered older 'del(.sha256, .salt, .unstable)'
check "a fingerprint without digest" grep -q 'PASS: .* \[FP4010\]' older.txt

check_exit 2 "--diff needs two" "$FPREPORT" fingerprint --diff a.json
check_exit 2 "an argument without --diff" "$FPREPORT" fingerprint a.json
check_exit 3 "a file that is not there" "$FPREPORT" fingerprint --diff a.json none.json
echo '{' >broken.json; check_exit 3 "a file that is not JSON" "$FPREPORT" fingerprint --diff a.json broken.json
mkdir empty; check_exit 3 "a folder without one" "$FPREPORT" fingerprint --diff a.json empty
check_exit 4 "an output that cannot be written" "$FPREPORT" fingerprint -o /proc/none/x
if [ -c /dev/full ]; then
    check_exit 4 "a full disk" sh -c '"$1" fingerprint >/dev/full' - "$FPREPORT"
else
    skip "no /dev/full here"
fi
plan_done
