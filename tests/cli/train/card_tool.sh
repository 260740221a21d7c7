#!/bin/sh
# A card tool that a vendor's record declares: who runs it, with what, for how long, and what is kept.
. "$(dirname "$0")/../../lib.sh"
. "$top/tests/golden/train/lib.sh"
is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1"; echo "# found $2, expected $3"; fi; }

mkdir -p rec/vendors bin
cp "$top/records/vendors/nvidia.json" rec/vendors/
cat >rec/vendors/acme.json <<'V'
{
  "schema": "fpreport.vendor/1",
  "id": "acme",
  "name": "Acme",
  "card_tool": {
    "command": ["acme-smi", "--table", "$(touch shell); *"],
    "facts": ["*Driver Version: {driver} *", "| {#} {model} | {#}C *| {-} / {memory} MiB |*"],
    "cards": ["| {card} {-}* | {celsius}C {watts}W | {used} / {memory} MiB | {busy}% |"]
  }
}
V
# It leaves a mark with its arguments.
cat >bin/acme-smi <<V
#!/bin/sh
printf '%s\n' "\$#" "\$@" >>"$tmp/mark"
cat <<'T'
| ACME-SMI 1.2          Driver Version: 7.8.9            |
| 0  Acme A1   | 41C 230.5W | 1024 / 65536 MiB | 97% |
| 1  Acme A1   | 42C N/AW | 2048 / 65536 MiB | 3% |
T
V
chmod +x bin/acme-smi
PATH=$PWD/bin:$PATH; export PATH
marked() { [ -e mark ]; }
unmarked() { # DESCRIPTION COMMAND…: runs, and leaves no mark
    what=$1; shift; rm -f mark
    "$@" >.out 2>&1; status=$?
    if [ $status -ge 2 ] && [ $status -ne 3 ] || marked; then not_ok "$what"; echo "# exit $status"; head -n 5 .out | sed 's/^/# /'; else ok "$what"; fi
}
value() { jq -r --arg key "$1" '[.stable[]?, .facts[]?, .unstable[]?] | map(select(.key == $key)) | .[0].value' found.json; }

rm -f mark; "$FPREPORT" fingerprint --records rec --format json >found.json; check_status 0 $? "fingerprint"
if [ "$(value accelerator_vendor)" = nvidia ]; then left_out "a card of NVIDIA is here"; fi
marked && ok "fingerprint runs it" || not_ok "fingerprint runs it"
is "with its arguments as they stand" "$(sed -n '1,3p' mark | tr '\n' '|')" '2|--table|$(touch shell); *|'
[ ! -e shell ] && ok "no shell sees them" || not_ok "no shell sees them"
is "the vendor" "$(value accelerator_vendor)" acme
is "the model" "$(value accelerator_model)" "Acme A1"
is "the driver" "$(value accelerator_driver)" 7.8.9
is "two cards" "$(value accelerator_count)" 2
is "their memory" "$(value accelerator_memory)" 65536

rm -f mark; train mini -- true; check_status 0 $? "train"
marked && ok "train runs it" || not_ok "train runs it"
monitor=$(echo result/run*/*/round1/*_noderank0/acme_cards_monitor.log)
is "the monitor keeps a line of each card" "$(grep -m 2 MiB "$monitor" | tr '\n' '|')" \
    '41C 230.5W 1024MiB 65536MiB 97% -%|42C -W 2048MiB 65536MiB 3% -%|'
cp -R result kept

# Everybody else reads the records, and the runs, and runs nothing.
cp -R "$top/records/results" "$top/records/cases" "$top/records/models" "$top/records/accelerators" rec/ 2>/dev/null
unmarked "verify of the run" "$FPREPORT" verify --records rec kept/run*
unmarked "verify of the records" "$FPREPORT" verify --records rec
unmarked "build" "$FPREPORT" build --records rec -o site
ln -s rec records
unmarked "import" "$FPREPORT" import "$top/tests/data/all_columns.md" --vendor acme --case tiny -o imported.json
unmarked "collect" "$FPREPORT" collect --records rec kept/run* -o collected.tar.zst
rm -f mark; "$FPREPORT" serve --records rec --port 0 >url 2>said & server=$!
await test -s url
kill $server; wait $server 2>/dev/null
[ -s url ] && ! marked && ok "serve" || not_ok "serve"
unmarked "schema" "$FPREPORT" schema vendor

# What the verifier reads of it: a reading of each card, in each sample.
"$FPREPORT" verify --records rec --format json kept/run* >verdict.json 2>/dev/null
is "no monitor is said to have failed" "$(grep -c 'monitor failed\|no line of the' verdict.json)" 0

# The limits of every tool.
printf '#!/bin/sh\nexec yes "| 0  Acme A1   | 41C 1W | 1 / 2 MiB | 3%% |"\n' >bin/acme-smi
began=$(date +%s); "$FPREPORT" fingerprint --records rec --format json >found.json; took=$(($(date +%s) - began))
is "one without an end is ended" "$(value accelerator_vendor)" null
[ $took -ge 9 ] && [ $took -le 60 ] && ok "behind its ten seconds" || not_ok "behind its ten seconds"
printf '#!/bin/sh\nhead -c 3000000 /dev/zero | tr "\\0" x; echo; echo "| 0  Acme A1   | 41C 1W | 1 / 2 MiB | 3%% |"\n' >bin/acme-smi
"$FPREPORT" fingerprint --records rec --format json >found.json
is "beyond a megabyte nothing is read" "$(value accelerator_vendor)" null

# A record that is wrong is no reason not to train.
sed 's/acme-smi/.\/acme-smi/' rec/vendors/acme.json >new && mv new rec/vendors/acme.json
"$FPREPORT" fingerprint --records rec >.out 2>err; check_status 0 $? "a record with a path for a program"
grep -q 'acme.json:5: found a program that is not a plain name.*no card tool is taken from it' err &&
    ok "which is said" || { not_ok "which is said"; sed 's/^/# /' err; }
plan_done
