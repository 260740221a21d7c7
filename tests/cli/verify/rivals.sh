#!/bin/sh
# One run that two sign: an archive keeps both apart, and whoever signed it first has it.
place=memory; . "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1
cp -R "$top/tests/golden/build/records" records && ln -s "$top/templates" templates
mkdir run && tar -C run --zstd -xf records/evidence/globex/run.tar.zst && rm run/SHA256SUMS
for key in mine theirs; do ssh-keygen -q -t ed25519 -N '' -C "" -f $key; done
public() { cut -d' ' -f1,2 "$1.pub"; }
{ echo "globex $(public mine)"; echo "acme $(public theirs)"; } >signers
sha() { sha256sum <"$1" | cut -c1-64; }
archive() { "$FPREPORT" archive "$@"; }
"$FPREPORT" collect -q run -o mine.tar.zst --sign mine >/dev/null
id=$(tar --zstd -xOf mine.tar.zst SHA256SUMS | sha256sum | cut -c1-64)
# signed KEY TO: the same files and statement; packed TO: what lies in x
signed() {
    rm -rf x && mkdir x && tar -C x --zstd -xf mine.tar.zst && rm x/statement.json.sig
    ssh-keygen -q -Y sign -n fpreport-submission-v1 -f "$1" x/statement.json 2>/dev/null
    packed "$2"
}
level=9
packed() {
    (cd x && find . -type f | sed 's,^\./,,' | LC_ALL=C sort | tar --format=ustar --no-recursion -T - --mtime=@0 \
        --owner=0 --group=0 --numeric-owner --mode=0644 -b1 -cf -) | zstd -q -$level >"$1"
    { printf '\120\052\115\030\040\000\000\000'; sha256sum <"$1" | cut -c1-64 | tr a-f A-F | basenc --base16 -d; } >seal && cat seal >>"$1"
}
signed theirs theirs.tar.zst
result() { # of globex, with this file as its evidence
    cp "$1" records/evidence/globex/run.tar.zst
    sed -i "s/\"sha256\": \"[0-9a-f]\{64\}\"/\"sha256\": \"$(sha "$1")\"/" records/results/globex/tiny_llama.json
}
state() { "$FPREPORT" verify --format json globex/tiny_llama | jq -r '.runs[0].state'; }
result mine.tar.zst

archive add -q theirs.tar.zst --signers signers >/dev/null
check_exit 1 "a run that somebody else signed before is not taken" archive add mine.tar.zst --signers signers
cp .out said && check "which is said, with the way out" grep -q "the archive already contains this run, signed by acme (line 1 of the log).*archive withdraw $(sha theirs.tar.zst | cut -c1-16)" said
check "the file of one is withdrawn" archive withdraw "$(sha theirs.tar.zst)" --reason "not their run"
check "by its own name" jq -se --arg of "$(sha theirs.tar.zst)" '.[1].of == $of' archive/log.jsonl
check "and that of the other comes in" archive add mine.tar.zst --signers signers
before=$(state)
check_exit 1 "whose result is not withdrawn" test "$before" = withdrawn
result theirs.tar.zst
check "but one that rests on the first is" test "$(state)" = withdrawn
result mine.tar.zst
check "all is well" "$FPREPORT" fsck
check "they are two in the list" sh -c '"$1" archive list --format json | jq -e "[.[].withdrawn != null] == [true, false]"' - "$FPREPORT"

# A run that is stated for two vendors: the log knows whose it was; without one both are told.
sed 's/"vendor": "globex"/"vendor": "acme"/; s,evidence/globex/run,evidence/acme/stolen,' records/results/globex/tiny_llama.json >records/results/acme/tiny_llama.json
mkdir -p records/evidence/acme && cp theirs.tar.zst records/evidence/acme/stolen.tar.zst
sed -i "s/\"sha256\": \"[0-9a-f]\{64\}\"/\"sha256\": \"$(sha theirs.tar.zst)\"/" records/results/acme/tiny_llama.json
rm -rf first && archive add -q --archive first mine.tar.zst --signers signers >/dev/null
said_of() { "$FPREPORT" verify -v --only FP4015 --signers signers "$@" 2>&1; }
check_exit 1 "whose run it was first is told of who has it, too" said_of --archive first acme/tiny_llama
cp .out said && check "in words" grep -q "the archive first received this run from globex (line 1 of the archive log)" said
check "and not of the first" said_of --archive first globex/tiny_llama
cp mine.tar.zst records/evidence/acme/stolen.tar.zst
sed -i "s/$(sha theirs.tar.zst)/$(sha mine.tar.zst)/" records/results/acme/tiny_llama.json
check "where that of another was withdrawn, it is the first that was not" said_of globex/tiny_llama
mv archive kept
check "without a log it is the one's who signed it" said_of globex/tiny_llama
check_exit 1 "and not of who names the same file" said_of acme/tiny_llama
check_exit 1 "where nobody says whose the keys are it is an error of one" "$FPREPORT" verify -v --only FP4015 globex/tiny_llama
check_exit 1 "and of the other" "$FPREPORT" verify -v --only FP4015 acme/tiny_llama
cp theirs.tar.zst records/evidence/acme/stolen.tar.zst
sed -i "s/$(sha mine.tar.zst)/$(sha theirs.tar.zst)/" records/results/acme/tiny_llama.json
check_exit 1 "signed anew it is another file and the same run" said_of acme/tiny_llama
cp .out said && check "whose it may be" grep -q "globex/tiny_llama uses the same run as evidence" said
check_exit 1 "which both are told, for who signed first nobody knows" said_of globex/tiny_llama
cp mine.tar.zst records/evidence/acme/stolen.tar.zst
sed -i "s/$(sha theirs.tar.zst)/$(sha mine.tar.zst)/" records/results/acme/tiny_llama.json
mv kept archive
rm -r records/results/acme/tiny_llama.json records/evidence/acme

# What is published of a submission in part is made of the file that the record names.
check "what is withheld is withheld of both" archive redact "$id" run.json --reason x
check "in two entries" jq -se '[.[3:][] | .kind, .of] | length == 4 and .[1] != .[3]' archive/log.jsonl
lines=$(wc -l <archive/log.jsonl)
archive redact "$id" run.json --reason x >/dev/null 2>&1
check "once" test "$(wc -l <archive/log.jsonl)" -eq "$lines"
"$FPREPORT" build -q -o site >/dev/null 2>&1
part=site/evidence/globex/run.redacted.tar.zst
check "what is handed out is signed by whom the page names" sh "$top/templates/site/verify.sh" -I globex -s signers $part
signed mine again.tar.zst # the same signature: Ed25519 makes one; another level, another file
archive add again.tar.zst --signers signers >/dev/null 2>said
check "which is said of a file that comes later" grep -q "only a part of this submission is published" said
check "and done" sh -c '"$1" archive list --format json | jq -e ".[2].publish == \"redacted\""' - "$FPREPORT"
result again.tar.zst && "$FPREPORT" build -q -o site >/dev/null 2>&1
check_exit 1 "in the site" sh -c 'tar --zstd -tf site/evidence/globex/*.tar.zst | grep -x run.json'
check "by the id, all of it is withdrawn" archive withdraw "$id" --reason x
check "whatever file a record names" test "$(state)" = withdrawn
level=1 && signed mine new.tar.zst && result new.tar.zst
check_exit 1 "a file of it that never came" grep -q "$(sha new.tar.zst)" archive/log.jsonl
check "is the same run, and withdrawn" test "$(state)" = withdrawn
by_path() { "$FPREPORT" verify --format json "$@" | jq -r '.runs[0].state'; }
check "of a record that is named by its path, too" test "$(by_path records/results/globex/tiny_llama.json)" = withdrawn
cp records/results/globex/tiny_llama.json copy.json
check "wherever it lies" test "$(by_path copy.json)" = withdrawn
check "and with other records" test "$(cp -R records others_records; rm others_records/results/globex/*; by_path --records others_records --archive archive records/results/globex/tiny_llama.json)" = withdrawn
"$FPREPORT" build -q -o site >/dev/null 2>&1
check "in the site" jq -e '.runs[0].state == "withdrawn"' site/result/globex/tiny_llama/verify.json
rm x/statement.json* && packed bare.tar.zst && result bare.tar.zst
check "signed by nobody, too" test "$(state)" = withdrawn

# A stolen run with another file altered is another submission, with the same log of losses in it.
rm -rf archive records && cp -R "$top/tests/golden/build/records" records && level=9
cp -R run theft && echo "ours" >theft/notes.txt && "$FPREPORT" collect -q theft -o theft.tar.zst --sign theirs >/dev/null
stolen() { # evidence of acme's, from this file
    mkdir -p records/evidence/acme && cp "$1" records/evidence/acme/stolen.tar.zst
    sed 's/"vendor": "globex"/"vendor": "acme"/; s,evidence/globex/run,evidence/acme/stolen,' records/results/globex/tiny_llama.json >records/results/acme/tiny_llama.json
    sed -i "s/\"sha256\": \"[0-9a-f]\{64\}\"/\"sha256\": \"$(sha "$1")\"/" records/results/acme/tiny_llama.json
}
result mine.tar.zst && stolen theft.tar.zst
check_exit 1 "the same log in another submission" said_of acme/tiny_llama
cp .out said && check "is said to be another's" grep -q "the evidence of globex/tiny_llama contains the same loss log: .*rank0.out.log" said
check_exit 1 "of both, for who had it first nobody knows" said_of globex/tiny_llama
mv records/results/acme/tiny_llama.json given.json
check_exit 1 "of a record that is named by its path, too" said_of given.json
cp .out said && check "in the same words" grep -q "the evidence of globex/tiny_llama contains the same loss log" said
mv given.json records/results/acme/tiny_llama.json
check "who came to the archive first is not accused" sh -c '"$1" archive add -q mine.tar.zst --signers signers && "$1" archive add -q theft.tar.zst --signers signers && "$1" verify -v --only FP4015 --signers signers globex/tiny_llama' - "$FPREPORT"
check_exit 1 "who came later is" said_of acme/tiny_llama
cp .out said && check "in the same words" grep -q "the evidence of globex/tiny_llama contains the same loss log" said
check "nor where only the first is there" sh -c 'rm -rf archive && "$1" archive add -q mine.tar.zst --signers signers && "$1" verify -v --only FP4015 --signers signers globex/tiny_llama' - "$FPREPORT"
check_exit 1 "and the other is a file of the records" said_of acme/tiny_llama
archive withdraw -q "$(sha mine.tar.zst)" --reason x
check "a result that was withdrawn says nothing against anybody" said_of acme/tiny_llama
rm -rf archive x && mkdir x && tar -C x --zstd -xf theft.tar.zst && rm x/statement.json* && packed bare.tar.zst && stolen bare.tar.zst
check "who signed nothing says nothing against who did" said_of globex/tiny_llama
log=$(cd run && find . -name 'rank0*.log') && sed -i '$s/$/ /' "theft/$log" && echo >>"theft/$log"
"$FPREPORT" collect -q theft -o other.tar.zst --sign theirs >/dev/null && stolen other.tar.zst
check "another log is another" said_of acme/tiny_llama
cp -R run same && echo x >same/notes.txt && "$FPREPORT" collect -q same -o same.tar.zst --sign mine >/dev/null
rm records/results/acme/tiny_llama.json && cp same.tar.zst records/evidence/globex/same.tar.zst
jq --arg s "$(sha same.tar.zst)" '.evidence += [.evidence[0] + {archive: "evidence/globex/same.tar.zst", sha256: $s}]' records/results/globex/tiny_llama.json >r && mv r records/results/globex/tiny_llama.json
check "two submissions of one vendor may have the same log" said_of globex/tiny_llama
plan_done
