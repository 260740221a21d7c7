# What a hostile vendor could submit to keep the operator waiting: each ends soon, with a verdict.
. "$(dirname "$0")/../../lib.sh"
cd "$top" || exit 1
export FPREPORT
python3 - "$tmp" <<'EOF'
import json, sys
row = ["A100单机8卡（1x8）", "/", "3564", "5.1", "57/80", "80.2%"]
head = ["配置", "fix_hp", "token/p/s", "loss", "mem", "MFU"]
card = {"label": "加速卡型号", "value": "NVIDIA_A800-SXM4-80GB"}
def table(rows):
    return {"table": {"columns": head, "rows": [row] * rows}}
def save(name, performance, **more):
    record = {"schema": "fpreport.result/1", "vendor": "evil", "case": "llama2_7b-deepspeed",
              "performance": performance, **more}
    json.dump(record, open(f"{sys.argv[1]}/{name}.json", "w"))
save("rows", [table(20000)])
save("tables", [table(1)] * 2000)
save("batch", [table(300)], batch=[{"name": "local_batchsize", "symbol": "LBS",
                                    "values": [{"value": "1"}] * 10}] * 2000)
save("bullets", [table(300)], environments=[{"title": "t", "groups": [
    {"label": "硬件环境", "items": [card] * 30000}]}])
save("evidence", [table(300)], evidence=[{"archive": "evidence/none.tar.zst",
                                          "sha256": "0" * 64}] * 2000)
save("digits", [{"table": {"columns": head, "rows": [row[:2] + ["9" * 10**6] + row[3:]]}}])
EOF
for what in rows tables batch bullets evidence; do
    within 20 "$FPREPORT" verify "$tmp/$what.json" >"$tmp/out" 2>&1; got=$?
    if [ $got -eq 1 ] && grep -q FP1009 "$tmp/out"; then ok "too many $what end soon"; else
        not_ok "too many $what end soon"; echo "# exit $got"; head -n 3 "$tmp/out" | cut -c 1-200
    fi
done
check_exit 0 "a number of a million digits" within 20 "$FPREPORT" verify -q "$tmp/digits.json"

# A limit of the file size is an error like a full disk, not the end by a signal.
check_exit 4 "a file size limit" sh -c 'ulimit -f 8; exec "$FPREPORT" -q build -o "$1"' sh "$tmp/site"

# A number in a column that nobody knows is a claim: with it, the shipped run is no longer verified.
cp -R records "$tmp/records"
python3 - "$tmp/records/results/fpreport/tiny_llama.json" <<'EOF'
import json, sys
record = json.load(open(sys.argv[1]))
table = record["performance"][0]["table"]
table["columns"].append("sold cards")
table["rows"][0].append("9999")
json.dump(record, open(sys.argv[1], "w"), ensure_ascii=False)
EOF
"$FPREPORT" verify --records "$tmp/records" --format json fpreport/tiny_llama >"$tmp/out"
check "an unknown column is an open claim" sh -c 'jq -e ".runs[0].state == \"partial\"" "$1" >/dev/null' sh "$tmp/out"
check_exit 2 "no site inside the records" "$FPREPORT" build --records "$tmp/records" -o "$tmp/records/out"
plan_done
