#!/bin/sh
# Standard output on a full disk, for every command: exit 4 and a sentence, whatever else was to be said;
# what a command was to make is whole. And two publishers: each commit that was made is in the branch.
place=memory; . "$(dirname "$0")/../lib.sh"
[ "$FPREPORT" = "$top/fpreport" ] || { skip "the program lies elsewhere than its templates and records"; plan_done; exit; }
cd "$tmp" || exit 1
cp -R "$top/tests/golden/build/records" records && ln -s "$top/templates" templates
cp "$top/records/cases/tiny_llama.json" records/cases/ && cp "$top/tests/golden/pages/plain.md" page.md
mkdir -p run/x:1/round1/h_noderank0
echo '{"schema": "fpreport.case/1", "id": "x", "seed": 1}' >run/case.json
echo '{"schema": "fpreport.run/1", "case": "x", "state": "complete", "started": "2026-11-20T22:42:17Z", "finished": "2026-11-20T22:42:21Z"}' >run/run.json
echo '{"schema": "fpreport.fingerprint/1", "facts": [{"key": "os", "value": "Debian"}]}' >run/x:1/round1/h_noderank0/fingerprint.json
echo 'step 1, loss 4.25' >run/x:1/round1/h_noderank0/rank0.out.log
"$FPREPORT" verify --format json >verdicts.json 2>err
mkdir shards && "$FPREPORT" verify --shard 0/1 --format json -o shards/0.json 2>err
mkdir round && python3 "$top/tests/cli/mlperf/make_package.py" round

# A command a line. publish says that it published, and ends with 5 (publish.sh); reproduce needs a training
# (reproduce.sh), prepare and score a tokenizer (score.sh).
cat >commands <<'EOF'
build -o site
verify
verify --format json globex
diff verdicts.json verdicts.json
merge shards
explain
explain globex/tiny_llama loss
collect --force run -o sealed.tar.zst
import --vendor acme --case toy -o - page.md
render --lang en -o - globex/tiny_llama
train toy -o trained -- true
fingerprint
challenge tiny_llama --vendor acme
new project made
serve --no-build --port 0
archive add sealed.tar.zst
archive list
fsck
list
status
formats
summary --ruleset 5.1.0 round
fields result
schema result
help
version
EOF
if [ ! -c /dev/full ]; then skip "no /dev/full here"; plan_done; exit 0; fi
while read -r line; do
    # shellcheck disable=SC2086 # words of a command
    timeout 300 "$FPREPORT" $line >/dev/full 2>said
    code=$?
    if [ $code -eq 4 ] && grep -q 'standard output: cannot write' said; then ok "$line"; else
        not_ok "$line"; echo "# exit $code"; tail -n 3 said | sed 's/^/# /'
    fi
done <commands
"$FPREPORT" help | sed -n '/^  build /,/^$/s/^  \([a-z]*\) .*/\1/p' | sort >all
{ cut -d' ' -f1 commands; echo publish; echo reproduce; echo prepare; echo score; } | sort -u >tried
check_same "those are all commands" all tried
[ "$VARIANT" = asan ] || while read -r command; do
    "$FPREPORT" "$command" --help >/dev/full 2>said
    [ $? -eq 4 ] || echo "$command"
done <all >wrong
check_same "and the help of each" /dev/null wrong

# What was to be made.
check "the archive has its entry" test "$(jq -r .kind archive/log.jsonl)" = added
rm -r archive
check_exit 1 "the site is whole: another build" "$FPREPORT" build -v -o site
cp .out built; check "finds nothing to do" grep -q " 0 files written" built
check "the run that was sealed" "$FPREPORT" verify -q --only FP4002 sealed.tar.zst
check "the project" "$FPREPORT" verify -q -C made
check "the training is complete" test "$(jq -r .state trained/run.json trained/*/run.json 2>/dev/null)" = complete

# --- Two publishers of two sites, again and again: no commit that one was told of is lost.
if ! command -v git >/dev/null; then skip "needs git"; plan_done; exit 0; fi
rm -rf made trained
export GIT_CONFIG_NOSYSTEM=1 HOME="$tmp"
git init -q --bare pages.git && git -C pages.git config user.name A && git -C pages.git config user.email a@example.org
publish() { "$FPREPORT" publish -q -C pages.git --branch pages --records "../$1.records" --build "../$1.site" --accept; }
rounds=8; [ "$VARIANT" = asan ] && rounds=2
i=0 told=0
while [ $i -lt $rounds ]; do
    i=$((i + 1))
    for who in a b; do
        rm -rf $who.records && cp -R records $who.records
        sed -i "s/\"2.5\"/\"2.$i$(echo $who | tr ab 12)\"/" $who.records/results/acme/toy.json
        (publish $who >out.$who 2>&1; echo $? >code.$who) &
    done
    wait
    for who in a b; do case $(cat code.$who) in 0) told=$((told + 1)) ;; 4) ;; *) echo "# $who: $(tail -n 1 out.$who)" ;; esac; done
done
check "of two publishers, $rounds times, somebody was told of a commit each time" test $told -ge $rounds
check "and the branch has as many as were told" test "$(git -C pages.git rev-list --count pages)" -eq $told
check "whole" git -C pages.git fsck --full --strict --no-dangling
plan_done
