#!/bin/sh
# The bundle of a result page gives the page's verdict by one command on a machine that has nothing else.
. "$(dirname "$0")/../../lib.sh"
site=$tmp/site
"$FPREPORT" build -q --records "$top/records" -o "$site" >"$tmp/build.txt" 2>&1
mkdir "$tmp/reader" "$tmp/second" && cd "$tmp/reader" || exit 1
bundles=$(cd "$site/result" && find . -name '*.bundle.tar' | LC_ALL=C sort)
is_same() { # FILE of a verdict: the state, the figures and the findings that the page has
    python3 - "$1" "$2" <<'END'
import json, sys
mine, page = (json.load(open(f))["runs"][0] for f in sys.argv[1:])
figures = lambda r: [{k: m.get(k) for k in ("name", "table", "row", "stated", "recomputed", "ok")} for m in r["metrics"]]
found = lambda r: sorted((f["rule"], f["severity"], f["message"]) for f in r["findings"])
assert mine["id"] == page["id"] and mine["state"] == page["state"], (mine["state"], page["state"])
assert figures(mine) == figures(page), "figures"
assert found(mine) == found(page), (set(found(mine)) ^ set(found(page)))
END
}
reader() { env -u HOME -u XDG_CONFIG_HOME "$FPREPORT" "$@"; }

pages=$(find "$site/en/result" -name index.html | wc -l)
check "each page has one" test "$(echo "$bundles" | wc -l)" = "$pages"
for b in $bundles; do
    name=$(basename "$b") from=$site/result/$(dirname "$b") page=$site/en/result/$(dirname "$b")/index.html
    cp "$from/$name" .
    command=$(sed -n 's,.*<code>\(fpreport verify [^<]*bundle.tar\)</code>.*,\1,p' "$page")
    check "$name: the page shows the command" test "$command" = "fpreport verify $name"
    reader verify --format json -o ../v.json "$name" 2>../err
    check "$name: the page's verdict" is_same ../v.json "$from/verify.json"
    check "$name: it says that it is" grep -q 'as its result page says' ../err
    rm "$name"
done

# Deterministic, and a tar that anybody unpacks.
"$FPREPORT" build -q --records "$top/records" -o "$tmp/again" >"$tmp/build.txt" 2>&1
bundle=fpreport-tiny_llama.bundle.tar
check_same "the same bytes twice" "$site/result/fpreport/tiny_llama/$bundle" "$tmp/again/result/fpreport/tiny_llama/$bundle"
cp "$site/result/fpreport/tiny_llama/$bundle" .
check "unpacked it is a project" tar -C "$tmp/second" -xf "$bundle"
check "with the same verdict" "$FPREPORT" verify -q --records "$tmp/second/records" fpreport/tiny_llama
check "whatever it is called" sh -c 'cp "$2" "$3/download" && "$1" verify "$3/download" | grep -q "tiny_llama: verified"' - \
    "$FPREPORT" "$bundle" "$tmp"
check "a figure of it is explained" reader explain "$bundle" loss
check "whose records it was is said" sh -c '"$1" verify "$2" | grep -q "are those of the bundle"' - "$FPREPORT" "$bundle"
check "records of this folder are not asked" sh -c 'mkdir -p records/cases && echo "{" >records/cases/tiny_llama.json &&
    "$1" verify "$2" 2>/dev/null | grep -q "tiny_llama: verified"' - "$FPREPORT" "$bundle"
rm -r records

# Changed on the way.
change() { # PYTHON: of `members`, name to bytes
    python3 - "$bundle" "$1" <<'END'
import io, re, sys, tarfile
members = {m.name: tarfile.open(sys.argv[1]).extractfile(m).read() for m in tarfile.open(sys.argv[1])}
exec(sys.argv[2])
with tarfile.open("changed.bundle.tar", "w", format=tarfile.USTAR_FORMAT) as out:
    for name in sorted(members):
        info = tarfile.TarInfo(name); info.size = len(members[name])
        out.addfile(info, io.BytesIO(members[name]))
END
}
record=records/results/fpreport/tiny_llama.json
change "members['$record'] = members['$record'].replace(b'0.9077', b'0.8077')"
check_exit 1 "a better loss in the record fails" reader verify changed.bundle.tar
check "and the page said something else" sh -c '"$1" verify changed.bundle.tar 2>&1 | grep -q "its result page says verified"' - "$FPREPORT"
change "k = [n for n in members if n.endswith('.tar.zst') and 'results' not in n][0]; members[k] = members[k][:-9]"
check_exit 1 "a cut submission fails" reader verify changed.bundle.tar
change "[members.pop(n) for n in list(members) if n.endswith('.tar.zst')]"
check "without its evidence it is unverified" sh -c '"$1" verify changed.bundle.tar 2>&1 | grep -q "tiny_llama: unverified"' - "$FPREPORT"
check_exit 1 "which is not what its page says" "$FPREPORT" verify changed.bundle.tar
check "and is said with -q" sh -c '"$1" verify -q changed.bundle.tar 2>&1 | grep -q "its result page says verified"' - "$FPREPORT"

# Records that are not the installed ones, and another program, are said although the verdict is the page's.
says_of_change() { reader verify changed.bundle.tar >../out 2>&1; tr '\n' ' ' <../out | sed 's/  */ /g' >../line; check "$1" grep -qE "$2" ../line; }
change "k = 'records/models/tiny_llama.json'; members[k] = members[k].replace(b'\"nominal_parameters\": ', b'\"nominal_parameters\": 9')"
says_of_change "a changed model is said" 'model tiny_llama of the bundle differs from the installed one: nominal_parameters.*as its result page says, but with records that differ from the installed records'
change "members['BUNDLE'] = re.sub(b'\"tool\": *\"[^\"]*\"', b'\"tool\": \"9.9.9\"', members['BUNDLE'])"
says_of_change "another program is said" 'the page was made by fpreport 9.9.9, rule set 2026.3; this verdict by fpreport'
change "members['BUNDLE'] = re.sub(b'\"rules\": *\"[^\"]*\"', b'\"rules\": \"2026.2\"', members['BUNDLE'])"
says_of_change "another rule set is said" 'the page was made by fpreport [^ ]*, rule set 2026.2; this verdict by fpreport'

# No bundle.
refused() { check_exit 3 "$1: refused" within 30 "$FPREPORT" verify changed.bundle.tar; }
change "members.pop('BUNDLE')"; refused "no BUNDLE"
change "members.pop('$record')"; refused "no record of its result"
change "members['$record'] = b'{' * 100000"; refused "a record that is none"
change "members['records/vendors/acme.json'] = members['records/vendors/fpreport.json']"; refused "a vendor under another name"
change "members['../evil'] = b'x'"; refused "a name above its folder"
change "members['records/evidence'] = b'x'"; refused "a file where a folder is"
change "members['archive/log.jsonl'] = b'{}\n'"; refused "a log that is none"
change "members['records/signers/allowed_signers'] = b'acme nothing\n'"; refused "signers that are none"
head -c 5000 "$bundle" >changed.bundle.tar; refused "half of one"
: >changed.bundle.tar; refused "an empty file"
head -c 100000 /dev/urandom >changed.bundle.tar; refused "noise"
ln -s /etc/passwd link && tar -cf changed.bundle.tar link; refused "a link"
truncate -s 300M changed.bundle.tar; refused "more than may be read"
check "nothing was written" test "$(ls | sort | tr '\n' ' ')" = "changed.bundle.tar $bundle link "
check_exit 3 "one that is not there" "$FPREPORT" verify none.bundle.tar

# What is withheld is in no bundle.
cd "$tmp" && mkdir w && cp -r "$top/records" w/records && chmod -R u+w w && cd w || exit 1
"$FPREPORT" archive add $(find records/evidence -name 'tiny_llama-*.tar.zst') >../out 2>&1
id=$(find records/evidence -name 'tiny_llama-*.tar.zst' -exec tar --zstd -xOf {} SHA256SUMS \; | sha256sum | cut -c1-64)
check "the fingerprint is withheld" "$FPREPORT" archive redact "$id" '*/fingerprint.json' --reason "names of machines" --by me
"$FPREPORT" build -q -o ../wsite >../out 2>&1
b=../wsite/result/fpreport/tiny_llama/$bundle
rm -rf "$tmp/second" && mkdir "$tmp/second" && tar -C "$tmp/second" -xf "$b"
find "$tmp/second" -name 'tiny_llama-*.tar.zst' -exec tar --zstd -tf {} \; >../names
check "what is published is in it" grep -q 'run.json' ../names
check_exit 1 "what is withheld is not" grep -q 'fingerprint.json' ../names
check "the submission is not in it whole" test -z "$(find "$tmp/second" -name 'tiny_llama-*.tar.zst' ! -name '*.redacted.tar.zst' ! -path '*reproductions*')"
"$FPREPORT" -C "$tmp/reader" verify "$tmp/w/$b" >../out 2>&1
check "and what cannot be judged is said" grep -q 'are withheld' ../out
plan_done
