#!/bin/sh
# seeds.sh FOLDER: a corpus for each reader below FOLDER: its small seeds, what was found in it, and
# more from the shipped records, the test data and, where they are, the pages and logs of ../shared.
set -eu
cd "$(dirname "$0")/../.."
to=$1
for source in tests/fuzz/fuzz_*.c; do
    reader=${source##*/fuzz_} reader=${reader%.c}
    mkdir -p "$to/$reader"
    for f in tests/fuzz/seeds/"$reader"-* tests/fuzz/found/"$reader"-*; do [ ! -e "$f" ] || cp "$f" "$to/$reader/"; done
done
n=0
put() { n=$((n + 1)); cp "$2" "$to/$1/$n"; }
for f in tests/golden/verify/page.md $(find ../shared/seeds ../shared/corpus -name '*.md' 2>/dev/null | sort | head -n 40); do
    put page "$f"
    grep -h '^ *|' "$f" | tr '|' '\n' | sort -u | head -n 60 | while IFS= read -r cell; do
        printf %s "$cell" >"$to/cell/$(printf %s "$cell" | cksum | cut -d' ' -f1)"
    done
done
for f in tests/golden/verify/*.json; do put verdicts "$f"; done
for f in $(find records/results -name '*.json'); do put record "$f"; done
for f in $(find records/evidence -name '*.tar.zst'); do
    put submission "$f"
    tar --zstd -xOf "$f" --wildcards '*rank0.out.log' | head -n 30 >"$to/log/perflog"
    tar --zstd -xOf "$f" --wildcards '*cpu_monitor.log' | head -n 20 >"$to/log/monitor"
done
printf ' iteration       21/     300 | consumed samples:        10752 | elapsed time per iteration (ms): 141732.4 | global batch size:   512 | lm loss: 8.531234E+00 |\n' >"$to/log/megatron"
printf 'Step 10/3050, Loss: 5.140625\nepoch=0/micro_step=4500/global_step=4500, RunningAvgSamplesPerSec=16.12, CurrSamplesPerSec=16.80,\n' >"$to/log/deepspeed"
printf "{'loss': 2.1025, 'epoch': 0.01}\n{'train_runtime': 1234.5, 'train_loss': 2.10}\nMFU:  0.569\n" >"$to/log/huggingface"
printf 'step,loss,iteration_time_s\n21,8.531234,141.73\n' >"$to/log/curve"
printf 'GET /en/a%%20b/?x=y HTTP/1.1\r\nHost: localhost:8000\r\nAccept: */*\r\n\r\n' >"$to/request/1"
cp templates/serve/build.html "$to/request/2"
# A header of 140 (octal 214) bytes.
printf '\214\0\0\0\0\0\0\0%s12345678' \
    '{"__metadata__":{"format":"pt"},"a":{"dtype":"BF16","shape":[2,1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[],"data_offsets":[4,8]}}' \
    >"$to/safetensors/1"
# Of the example's submission, which is signed, and its signers.
for f in templates/explain/records/evidence/globex/run.tar.zst; do
    put submission "$f"
    tar --zstd -xOf "$f" statement.json.sig >"$to/signature/1"
    tar --zstd -xOf "$f" statement.json >"$to/statement/1"
    for name in run.json case.json '*/fingerprint.json'; do tar --zstd -xOf "$f" --wildcards "$name" >"$to/statement/${name##*/}"; done
done
cp templates/explain/records/signers/allowed_signers "$to/signers/1"
printf 'a*,!b "x" namespaces="n,m",valid-after="20200101Z",valid-before=203012311200 ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAAQE= c\r\n' >"$to/signers/2"
printf 'products/2 cuBLASLt 13.1.0, NVIDIA H200, 9.0, 132 multiprocessors, bf16\n4096 4096 4096 4096 4096 4096 1 1 0 1 1 0 0 0 16 16 16 217.0 %s%s\n' \
    00000014000000420000000100000023000000000000000000050000000000030 001fc34000000010000000e0000000e0000004400000000000000000000000 \
    >"$to/products/1"
cp tests/data/tools/*.txt "$to/tool/"
cp tests/data/images/*.png tests/data/images/*.jpg "$to/image/"
