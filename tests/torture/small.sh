#!/bin/sh
# small.sh PROGRAM FOLDER: two small signed submissions, a.tar.zst and b.tar.zst, and the signers, in
# a new FOLDER. No training: what matters here is bytes, not what a log says.
set -eu
program=$1
mkdir -p "$2" && cd "$2"
ssh-keygen -q -t ed25519 -N '' -C '' -f key
echo "acme $(cut -d' ' -f1,2 key.pub)" >signers
mkdir -p a/x:1/round1/h_noderank0
echo '{"schema": "fpreport.case/1", "id": "x", "seed": 1}' >a/case.json
echo '{"schema": "fpreport.run/1", "case": "x", "state": "complete", "started": "2026-11-20T22:42:17Z", "finished": "2026-11-20T22:42:21Z"}' >a/run.json
echo '{"schema": "fpreport.fingerprint/1", "facts": [{"key": "os", "value": "Debian"}, {"key": "kernel", "unknown": "nobody said"}]}' \
    >a/x:1/round1/h_noderank0/fingerprint.json
echo 'step 1, loss 4.25' >a/x:1/round1/h_noderank0/rank0.out.log
cp -R a b && echo 'step 1, loss 4.75' >b/x:1/round1/h_noderank0/rank0.out.log
for run in a b; do "$program" collect -q --force $run -o $run.tar.zst --sign key >/dev/null; done
