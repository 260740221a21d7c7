#!/bin/sh
# Signed submissions: made by collect, judged by verify and by verify.sh, which has nothing but
# coreutils, tar, zstd and ssh-keygen; and each of them by ssh-keygen alone.
. "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1
cp -R "$top/tests/golden/build/records" records
mkdir run && tar -C run --zstd -xf records/evidence/globex/run.tar.zst && rm run/SHA256SUMS
for key in key other; do ssh-keygen -q -t ed25519 -N '' -C "" -f $key; done
ns=fpreport-submission-v1
public() { cut -d' ' -f1,2 "$1.pub"; }
echo "globex namespaces=\"$ns\" $(public key)" >signers

# The tools that any reader has, and no others.
mkdir bin && for tool in sh base64 cat cut date head mkdir mktemp od printf rm sha256sum sort tail tr; do
    ln -s "$(command -v $tool)" bin/
done
# wc as POSIX has it, without the lengths of lines.
printf '#!/bin/sh\ncase $1 in -L) exit 1 ;; esac\nexec %s "$@"\n' "$(command -v wc)" >bin/wc && chmod +x bin/wc
for tool in tar zstd ssh-keygen; do ln -s "$(command -v $tool)" bin/; done
whole=$top/templates/site/verify.sh verify=$whole
script() { env -i PATH="$tmp/bin" TMPDIR="$tmp/scratch" sh "$verify" "$@"; }
looks_once once.sh
seen=' '
# Its verdict after one look, and, the first time that there is one with this exit and first word, after all looks.
verdict() {
    verify=$tmp/once.sh; script "$@" >said 2>&1; theirs=$?; verify=$whole
    read -r kind _ <said
    case $seen in *" $theirs,${kind-} "*) return ;; esac
    seen="$seen$theirs,${kind-} "
    script "$@" >again 2>&1; all=$?
    [ $all -eq $theirs ] && cmp -s said again || { theirs=99 && sed 's/^/after all looks: /' again >>said; }
}
mkdir scratch
program() { "$FPREPORT" verify --only FP4002,FP4015 "$@"; }

# both DESCRIPTION EXIT PATTERN SUBMISSION [SIGNERS [VENDOR [TIME [REVOKED]]]]: the same verdict; the script's is
# asked with gcc's program only, as it is the same script with the other.
both() {
    what=$1 want=$2 pattern=$3 file=$4 theirs=$2
    if [ "$VARIANT" = gcc ]; then
        verdict ${5:+-s "$5"} ${6:+-I "$6"} ${7:+-t "$7"} ${8:+-r "$8"} "$file"
    else
        echo "$file" >said; pattern=.
    fi
    program ${5:+--signers "$5"} ${6:+--vendor "$6"} ${7:+--at "$7"} ${8:+--revoked "$8"} "$file" >ours 2>&1; ours=$?
    if [ $theirs -eq "$want" ] && [ $ours -eq "$want" ] && grep -qE -- "$pattern" said; then ok "$what"; else
        not_ok "$what"; echo "# expected $want '$pattern'; verify.sh $theirs, fpreport verify $ours"
        sed 's/^/# /' said ours | head -n 20
    fi
}

# --- Made, and taken by everybody.
check "a run is sealed and signed" "$FPREPORT" collect run -o good.tar.zst --sign key
check "with no standard input, too" sh -c '"$1" collect -q run -o closed.tar.zst --sign key <&- && cmp good.tar.zst closed.tar.zst' sh "$FPREPORT"
check "SIGCHLD ignored by whoever starts it, too" env --ignore-signal=CHLD "$FPREPORT" collect -q run -o ignored.tar.zst --sign key
check "and not signed" "$FPREPORT" collect run -o plain.tar.zst
check "the same run and key, the same bytes" sh -c '"$1" collect -q run -o again.tar.zst --sign key && cmp good.tar.zst again.tar.zst' sh "$FPREPORT"
both "good" 0 '^good: .* signed by globex' good.tar.zst signers
both "good, of a vendor" 0 '^good: .* signed by globex' good.tar.zst signers globex
both "signed, and nobody asks by whom" 0 '^intact: .* signed with' good.tar.zst
both "unsigned, and nobody asks" 0 '^intact: .* not signed' plain.tar.zst
both "unsigned" 1 '^unsigned: ' plain.tar.zst signers
both "sealed before there were statements" 0 '^intact: .* not signed' records/evidence/globex/run.tar.zst
mkdir x && tar -C x --zstd -xf good.tar.zst
check "ssh-keygen takes our signature" sh -c "ssh-keygen -Y verify -f signers -I globex -n $ns -s x/statement.json.sig <x/statement.json"
check "sha256sum takes the manifest" sh -c 'cd x && sha256sum --strict --quiet -c SHA256SUMS'
check "the statement is one of in-toto and SLSA, and says what the run says" python3 - x <<'PY'
import hashlib, json, pathlib, sys
at = pathlib.Path(sys.argv[1])
sha = lambda p: hashlib.sha256(p.read_bytes()).hexdigest()
s, run = json.loads((at / "statement.json").read_text()), json.loads((at / "run.json").read_text())
assert s["_type"] == "https://in-toto.io/Statement/v1"
assert s["predicateType"] == "https://slsa.dev/provenance/v1"
assert s["subject"] == [{"name": "SHA256SUMS", "digest": {"sha256": sha(at / "SHA256SUMS")}}]
p = s["predicate"]
meta = p["runDetails"]["metadata"]
assert (meta["startedOn"], meta["finishedOn"]) == (run["started"], run["finished"])
assert meta["invocationId"] == "sha256:" + sha(at / "run.json")
deps = {d["name"]: d for d in p["buildDefinition"]["resolvedDependencies"]}
facts = {f["key"]: f.get("value") for f in json.loads(next(at.rglob("fingerprint.json")).read_text())["facts"]}
assert deps["case.json"]["digest"]["sha256"] == sha(at / "case.json")
assert deps["data"]["digest"]["sha256"] == facts["data_sha256"]
assert deps["framework"]["digest"]["gitCommit"] == facts["framework_commit"]
assert {d for d in deps if facts.get(d, "") is None} == set(), "what is unknown is left out"
for name in ("kernel", "libc", "blas"):
    assert name in deps and deps[name]["uri"].startswith(f"pkg:generic/{name}@")
assert all(d.get("uri") or d.get("digest") for d in deps.values())
prints = p["runDetails"]["byproducts"]
assert [x["digest"]["sha256"] for x in prints] == [sha(at / x["name"]) for x in prints] and prints
assert (at / "statement.json").read_text().count("\n") == 1
PY

# --- Keys and signers that do not count.
echo "acme $(public key)" >acme
echo "globex $(public other)" >foreign
echo "globex namespaces=\"git,file\" $(public key)" >purpose
echo "globex valid-before=\"20200101\" $(public key)" >expired
echo "globex valid-after=\"20900101Z\" $(public key)" >early
echo "globex cert-authority $(public key)" >authority
printf '# nobody\n\n' >empty
{ echo "globex valid-before=\"20200101\" $(public key)"; echo "g*,!globexx $(public key)"; } >second
public key >revoked
both "another vendor's key" 1 '^refused: .* count for globex' good.tar.zst acme globex
both "a key that nobody knows" 1 '^refused: .* not among' good.tar.zst foreign
both "a key for another purpose" 1 '^refused: ' good.tar.zst purpose globex
both "an expired key" 1 '^refused: .* for globex: it has expired' good.tar.zst expired
both "a key that was good then" 0 '^good: ' good.tar.zst expired globex 20191231
both "a key that is not valid yet" 1 '^refused: ' good.tar.zst early globex
both "an authority's key" 1 '^refused: ' good.tar.zst authority globex
both "no signers at all" 1 '^refused: ' good.tar.zst empty
both "a second line for the key" 0 '^good: ' good.tar.zst second globex
both "whom a pattern leaves out" 1 '^refused: ' good.tar.zst second globexx
echo "x,*g*l*b* $(public key)" >stars
both "four stars in a pattern" 0 '^good: ' good.tar.zst stars globex
echo "x,*g*l*o*b*x $(public key)" >stars
both "more, which ssh-keygen would try for years" 3 '^unreadable: ' good.tar.zst stars globex
echo "globex namespaces=\"*****\" $(public key)" >stars
both "of a namespace, too" 3 '^unreadable: ' good.tar.zst stars globex
for nobody in '!globex' '!*' '!a,!b'; do
    echo "$nobody $(public key)" >list
    both "only whose it is not: $nobody" 1 '^refused: ' good.tar.zst list
done
echo "!globexx,globex $(public key)" >list
both "whose it is behind whose it is not" 0 '^good: ' good.tar.zst list globex
check "which is the name" sh -c '"$1" verify -v --only FP4015 --signers list good.tar.zst | grep -q "signed by globex with"' - "$FPREPORT"
both "whose it is and is not" 1 '^refused: ' good.tar.zst list globexx
echo "globex,!glob* $(public key)" >list
both "whom its own line leaves out" 1 '^refused: ' good.tar.zst list
for line in 'acme namespaces="x"' 'acme valid-before="20200101"' 'acme valid-after="20990101"' '!acme' 'acme cert-authority' 'acme,!acme'; do
    { echo "$line $(public key)"; echo "globex namespaces=\"$ns\" $(public key)"; echo "late $(public key)"; } >list
    both "the first line that counts, behind $line" 0 '^good: .* signed by globex' good.tar.zst list
done
# What ssh-keygen passes over, or takes in its own way, nobody takes: the exit of both, and what stands before the key.
while IFS='|' read -r want line; do
    printf "$line\\n" "$(public key)" >list
    both "exit $want: $(printf %s "$line" | cut -c1-60 | tr '\\' /)" "$want" '^(unreadable: signers: line [12]: |good: |refused: )' good.tar.zst list globex
done <<END
3|globex valid-before=20990101 %s
3|globex,$(printf %01100d 0) %s
3|M\\374ller %s
3|x\\357\\277\\277,globex %s
3|a\\033[1m,globex %s
3|a\\\\\\\\,globex %s
3|globex\\v%s
3|"globex %s
3|,globex %s
3|globex,,acme %s
3|globex namespaces="" %s
3|globex namespaces="*",namespaces="*" %s
3|globex verify-required %s
3|globex ,namespaces="*" %s
3|globex valid-before="20990101z" %s
3|globex valid-before="20301231235960" %s
3|"glo\\tbex" %s
3|globex namespaces="*\\t" %s
3|globex valid-after="19700101" %s
3|globex valid-after="20300101",valid-before="20200101" %s
3|globex %s\\nrubbish
3|globex %s\\nacme ssh-rsa AAAA
3|globex %s\\rglobex
3|# globex\\n%s
0|globex %s M\\374ller\\r
0|\\t"acme,globex"  Namespaces="fpreport-*,!git",VALID-AFTER="20200101"\\t%s
1|globex cert-authority,valid-before="20990101" %s
END
for time in 19700101 19690101Z 20991301 2099; do
    check_exit 2 "no time for verify.sh: $time" script -s signers -t $time good.tar.zst
    check_exit 2 "nor for fpreport: $time" "$FPREPORT" verify --signers signers --at $time good.tar.zst
done
[ "$VARIANT" != gcc ] || check "verify.sh says which argument is wrong" sh -c 'sh "$1" -s signers -t yesterday good.tar.zst |
    grep -q "^usage: .*; TIME is YYYYMMDD\[HHMM\[SS\]\]\[Z\], not .yesterday.$"' - "$top/templates/site/verify.sh"
printf 'globex valid-before="20200230" %s' "$(public key)" >list
both "a last line without an end is one" 3 '^unreadable: signers: line 1: ' good.tar.zst list
{ public key && echo globex "$(public key)"; } >list
both "a revoked key behind names" 3 '^unreadable: revoked: line 2: ' good.tar.zst signers globex 20260101 list
both "a revoked key" 1 '^refused: .* for globex: it is revoked$' good.tar.zst signers globex 20260101 revoked

# --- Signatures that are none, in submissions that are otherwise whole: put back by standard tools.
pack() { # FOLDER ARCHIVE: as docs/FIELDS.md shows
    (cd "$1" && find . -type f | sed 's,^\./,,' | LC_ALL=C sort | tar --format=ustar --no-recursion -T - --mtime=@0 \
        --owner=0 --group=0 --numeric-owner --mode=0644 -b1 -cf -) | zstd -q -9 >"$2"
    { printf '\120\052\115\030\040\000\000\000'; sha256sum <"$2" | cut -c1-64 | tr a-f A-F | basenc --base16 -d; } >seal
    cat seal >>"$2"
}
changed() { rm -rf y && cp -R x y; }
resign() { rm -f y/statement.json.sig && ssh-keygen -q -Y sign -f "${1:-key}" -n "${2:-$ns}" ${3:+-O hashalg=$3} y/statement.json 2>/dev/null; }
changed && pack y y.tar.zst
both "packed by standard tools" 0 '^good: ' y.tar.zst signers
changed && resign && pack y y.tar.zst
both "signed by ssh-keygen" 0 '^good: ' y.tar.zst signers
changed && resign key git && pack y y.tar.zst
both "signed for another purpose" 1 '^refused: .* for fpreport-submission-v1' y.tar.zst signers
changed && resign key $ns sha256 && pack y y.tar.zst
both "signed with SHA-256" 1 '^refused: ' y.tar.zst signers
changed && resign other && pack y y.tar.zst
both "signed with another key" 1 '^refused: .* not among' y.tar.zst signers
ssh-keygen -q -t rsa -b 1024 -N '' -f short && echo "globex $(public short)" >>foreign
changed && resign short && pack y y.tar.zst
both "signed with a key that is too short" 1 '^refused: .*2048 bits' y.tar.zst foreign
changed && sed -i 's/$/\r/' y/statement.json.sig && pack y y.tar.zst
both "a signature with other line ends" 1 '^refused: not an SSH signature' y.tar.zst signers
changed && : >y/statement.json.sig && pack y y.tar.zst
both "an empty signature" 1 '^refused: ' y.tar.zst signers
changed && python3 - y/statement.json.sig <<'PY' && pack y y.tar.zst
import base64, sys
lines = open(sys.argv[1]).read().split("\n")
blob = base64.b64decode("".join(lines[1:-2]))
s = int.from_bytes(blob[-32:], "little") + 2**252 + 27742317777372353535851937790883648493
text = base64.b64encode(blob[:-32] + s.to_bytes(32, "little")).decode()
open(sys.argv[1], "w").write("\n".join([lines[0], *(text[i:i + 70] for i in range(0, len(text), 70)), *lines[-2:]]))
PY
both "a signature in its other form, S + L" 1 '^refused: ' y.tar.zst signers
changed && sed -i 's/"seed": 1234/"seed": 1235/' y/statement.json && pack y y.tar.zst
both "another statement" 1 '^refused: .* does not belong to this statement' y.tar.zst signers
changed && sed -i 's/$/ /' y/case.json && pack y y.tar.zst
both "another case" 1 "^altered: the files do not match SHA256SUMS, first 'case.json'\$" y.tar.zst signers
changed && rm y/run.json && echo x >y/zzz && pack y y.tar.zst
both "a file that is missing, before one that nobody lists" 1 "do not match SHA256SUMS, first 'run.json'\$" y.tar.zst signers
changed && echo x >y/added && printf 'no \033 line\n' >>y/SHA256SUMS && pack y y.tar.zst
both "a line that is none" 1 "do not match SHA256SUMS, first 'no [?] line'$" y.tar.zst signers
changed && sort y/SHA256SUMS >s && mv s y/SHA256SUMS && pack y y.tar.zst
both "the lines in another order" 1 '^altered: the files do not match SHA256SUMS$' y.tar.zst signers
changed && sed -i 's/$/ /' y/case.json && (cd y && cut -c67- SHA256SUMS | tr '\n' '\0' | xargs -0 sha256sum >../sums && mv ../sums SHA256SUMS) && pack y y.tar.zst
both "another case and its sum" 1 '^altered: the statement' y.tar.zst signers
changed && rm y/statement.json && pack y y.tar.zst
both "no statement" 1 '^altered: a signature without' y.tar.zst signers
changed && rm y/statement.json.sig && pack y y.tar.zst
both "the signature taken away" 1 '^unsigned: ' y.tar.zst signers
head -c -40 good.tar.zst >y.tar.zst
both "the seal of the frame taken away" 1 '^altered: ' y.tar.zst signers
changed && pack y y.tar.zst && cat seal >>y.tar.zst
both "two seals" 3 '^unreadable: ' y.tar.zst signers

# --- Windows: descriptors of 8 MiB, 9 MiB, 2 GiB and 2 TiB before one raw block, with and without its size.
sums() { (cd y && find . -type f | sed 's,^\./,,' | grep -vxE 'SHA256SUMS|WITHHELD|statement\.json(\.sig)?' | xargs sha256sum); }
rm -rf y && mkdir y && echo '{}' >y/run.json && sums >s && mv s y/SHA256SUMS && pack y y.tar.zst && zstd -q -d -c y.tar.zst >tar
three() { printf "\\$(printf %03o $(($1 & 255)))\\$(printf %03o $(($1 >> 8 & 255)))\\$(printf %03o $(($1 >> 16)))"; }
for form in '0 150 intact' '3 151 unreadable' '3 250 unreadable' '3 370 unreadable'; do
    for flags in 000 200; do
        size=$(wc -c <tar)
        set -- $form
        {
            printf "\\050\\265\\057\\375\\$flags\\$2"
            [ $flags = 000 ] || { three "$size" && printf '\000'; }
            three $((size * 8 + 1)) && cat tar
        } >w.tar.zst
        both "a window of 0$2, flags 0$flags" "$1" "^$3: " w.tar.zst
    done
done

# --- What is withheld: lines that are none of a manifest, sealed and signed by who may. The exit, the lines, each name.
withheld() { # LINES, for printf
    changed && printf "$1" >y/WITHHELD && { sums && printf "$1"; } | LC_ALL=C sort -k 2 >sums && mv sums y/SHA256SUMS
    sed -i "s/\(\"sha256\": \"\)[0-9a-f]\{64\}/\1$(sha256sum <y/SHA256SUMS | cut -c1-64)/" y/statement.json && resign && pack y y.tar.zst
}
zeros=$(printf %064d 0)
while IFS='|' read -r want lines; do
    withheld "$lines"
    both "withheld, exit $want: $(printf %s "$lines" | tail -c 50 | tr '\\' /)" "$want" '^(redacted|altered): ' y.tar.zst signers
done <<END
0|$zeros  zzz\n
1|nothash  zzz\n
1|$zeros\n
1|$(printf %063d 0)A  zzz\n
1|${zeros}0  zzz\n
1|$zeros *zzz\n
1|$zeros zzz\n
1|$zeros   zzz\n
1|$zeros  \n
1|\n
1|$zeros  z\r\n
1|$zeros  z\000z\n
1|$zeros  z\351\n
1|$zeros  z z\n
1|$zeros  ../../etc/passwd\n
1|$zeros  $(printf %0241d 0)\n
1|$zeros  a/b/c/d/e/f/g/h/i/j/k/l/m\n
1|$zeros  statement.json\n
1|$zeros  SHA256SUMS\n
1|$zeros  WITHHELD\n
1|$zeros  statement.json.sig\n
1|$zeros  zzz\n$zeros  zzz\n
1|$zeros  zzz\n$(printf %064d 1)  zzz\n
1|$(sha256sum <x/run.json | cut -c1-64)  run.json\n
1|$zeros  run.json\n
END
# More files than there may be, and a line that a shell would take minutes for.
withheld "$(seq -f "$zeros  w%05g\\n" 20001 | tr -d '\n')"
both "20,001 files are withheld" 1 '^altered: WITHHELD lists more than 20000' y.tar.zst signers
changed && head -c 400000 /dev/zero | tr '\0' a >y/WITHHELD && echo >>y/WITHHELD && pack y y.tar.zst
limit=$(paces 5)
limited() { (ulimit -t "$limit" && script "$@"); }
[ "$VARIANT" != gcc ] || check_exit 1 "a line of 400,000 bytes is withheld: within 5 paces" limited -s signers y.tar.zst
check_exit 1 "and by the program" program --signers signers y.tar.zst
changed && head -c 9000000 /dev/zero | tr '\0' '\n' >y/SHA256SUMS && pack y y.tar.zst
[ "$VARIANT" != gcc ] || check_exit 1 "9,000,000 lines in SHA256SUMS: within 5 paces" limited -s signers y.tar.zst

# --- What verify says elsewhere.
"$FPREPORT" verify --format json --only FP4 --signers signers good.tar.zst >out.json 2>&1
check "JSON names signer and key" jq -e --arg key "$(ssh-keygen -lf key.pub | cut -d' ' -f2)" \
    '.runs[0].evidence[0].signature == {state: "signed", signer: "globex", key: $key}' out.json
cp good.tar.zst records/evidence/globex/run.tar.zst
sed -i "s/\"sha256\": \"[0-9a-f]\{64\}\"/\"sha256\": \"$(sha256sum <good.tar.zst | cut -c1-64)\"/" records/results/globex/tiny_llama.json
mkdir records/signers && cp signers records/signers/allowed_signers
check "a record's evidence, with the signers of the records" "$FPREPORT" verify --strict --only FP4 globex/tiny_llama
check_exit 1 "a record's evidence, signed by another vendor" "$FPREPORT" verify --only FP4 --signers acme globex/tiny_llama
ln -s "$top/templates" templates
"$FPREPORT" build -q -o site >/dev/null 2>&1
check "its page names signer and key" grep -q "signed by globex</span> <code class=\"sum\">$(ssh-keygen -lf key.pub | cut -d' ' -f2)<" site/en/result/globex/tiny_llama/index.html
for lang in en zh; do
    case $lang in
    en) set -- "the manifest" "statement about the run" "signature of the statement" ;;
    zh) set -- "提交包的清单文件" "运行的声明文件" "运行声明的签名" ;;
    esac
    sed 's/<wbr>//g' site/$lang/result/globex/tiny_llama/index.html >page.html
    for name in SHA256SUMS statement.json statement.json.sig; do
        check "$lang: the words of $name are its own" grep -q "<code>$name</code></th>.*<em class=\"none\">$1" page.html
        shift
    done
done
check "how to check it: the signers" grep -q 'href="../../signers/allowed_signers"' site/en/method/index.html
check "no log where there is none" sh -c '! grep -q "href=.*log.jsonl" site/en/method/index.html'
check "the site has verify.sh" cmp site/verify.sh "$top/templates/site/verify.sh"
grep -o 'sh verify.sh .*zst' site/en/result/globex/tiny_llama/index.html | head -n 1 >line
mkdir fetched && cp site/verify.sh site/signers/allowed_signers "$(find site/evidence -name "$(sed 's,.* ,,' line)")" fetched/
check "and the command that it shows is true" sh -c 'cd fetched && sh ../line'
{ echo "# compromised"; cat key.pub; } >records/signers/revoked_keys
check_exit 1 "a key that is revoked later" "$FPREPORT" build -q -o site
cut -d' ' -f1,2 key.pub >once && check_same "the revoked keys are published, without comments" once site/signers/revoked_keys
grep -o 'sh verify.sh .*zst' site/en/result/globex/tiny_llama/index.html | head -n 1 >line && cp site/signers/revoked_keys fetched/
check_exit 1 "the command that the page shows refuses it, too" sh -c 'cd fetched && sh ../line'
cp .out said && check "as the page does" grep -q '^refused: .*revoked' said
for page in en/method zh/method en/result/globex/tiny_llama; do
    check "$page leads to them" grep -q 'href="[./]*signers/revoked_keys"' site/$page/index.html
done
rm records/signers/revoked_keys && "$FPREPORT" build -q -o site >/dev/null 2>&1
check_exit 1 "where no key is revoked there is no list" test -e site/signers/revoked_keys
statement_of() { "$FPREPORT" verify --only FP4014 "$1"; }
changed && sed -i 's/"steps": 250/"steps": 260/' y/statement.json && resign && pack y y.tar.zst
check_exit 1 "a statement that is signed and says something else than the files" statement_of y.tar.zst

# --- Keys that cannot sign, and an agent that can.
check_exit 3 "no such key" "$FPREPORT" collect run -o z.tar.zst --sign nokey
check_exit 3 "a key that is too short" "$FPREPORT" collect run -o z.tar.zst --sign short
check_exit 3 "a file that is no key" "$FPREPORT" collect run -o z.tar.zst --sign run/run.json
cp .out said && check "is told what is one" grep -q "; expected an OpenSSH private key, or a public key whose private key is in ssh-agent$" said
check_exit 4 "no ssh-keygen" env PATH=/nonexistent "$FPREPORT" collect run -o z.tar.zst --sign key
ssh-keygen -q -t ed25519 -N secret -C '' -f locked && mkdir only && cp other.pub locked.pub only/
# unasked [NAME=VALUE…] COMMAND…: nobody can be asked for a passphrase
unasked() { setsid env -u SSH_ASKPASS -u DISPLAY "$@" </dev/null; }
no_agent='error: only/other.pub: ssh-keygen gave no signature with this key: No private key found for public key "only/other.pub"; the private key is not beside the public key, and no ssh-agent runs here (SSH_AUTH_SOCK): `eval "$(ssh-agent)"` begins an ssh-agent, `ssh-add PRIVATE-KEY` gives the key to the agent'
for agent in "-u SSH_AUTH_SOCK" SSH_AUTH_SOCK= SSH_AUTH_SOCK=nowhere; do
    check_exit 3 "a public key without an agent: $agent" unasked $agent "$FPREPORT" collect run -o z.tar.zst --sign only/other.pub
    cp .out said && check "is told how to begin one" grep -qxF "$no_agent" said
done
check_exit 3 "a passphrase that nobody can type" unasked -u SSH_AUTH_SOCK "$FPREPORT" collect run -o z.tar.zst --sign locked
cp .out said && check "which says what to do instead" grep -qF 'incorrect passphrase supplied to decrypt private key; if nobody can enter the passphrase, `eval "$(ssh-agent)"` begins an ssh-agent, `ssh-add locked` gives the key to ssh-agent, and --sign locked.pub signs with it' said
check "nothing was written" test ! -e z.tar.zst
eval "$(ssh-agent -s)" >/dev/null && ssh-add -q other 2>/dev/null
check_exit 3 "an agent that has another key" unasked "$FPREPORT" collect run -o z.tar.zst --sign only/locked.pub
cp .out said && check "that is said" grep -qF '; the private key is not beside the public key, and ssh-agent (`ssh-add -L` lists its keys) does not have it: `ssh-add PRIVATE-KEY` gives the key to the agent' said
check_exit 3 "a passphrase, beside an agent" unasked "$FPREPORT" collect run -o z.tar.zst --sign locked.pub
cp .out said && check "which could have it" grep -qF '; if nobody can enter the passphrase, `ssh-add locked` gives the key to ssh-agent, and --sign locked.pub signs with it' said
printf '#!/bin/sh\necho secret\n' >ask && chmod +x ask && setsid env DISPLAY=:0 SSH_ASKPASS="$tmp/ask" SSH_ASKPASS_REQUIRE=force ssh-add -q locked
check "once it has, it signs" unasked "$FPREPORT" collect run -o y.tar.zst --sign locked.pub
rm -f y.tar.zst
"$FPREPORT" collect -q run -o agent.tar.zst --sign only/other.pub >/dev/null 2>&1
echo "globex $(public other)" >agents
both "signed by ssh-agent" 0 '^good: ' agent.tar.zst agents
kill "$SSH_AGENT_PID"
for flags in '--at 20260101' '--revoked revoked'; do
    check_exit 2 "$flags without signers" "$FPREPORT" verify $flags good.tar.zst
done
check_exit 2 "a time that is none" "$FPREPORT" verify --signers signers --at 20261301 good.tar.zst
check_exit 3 "signers that are not there" "$FPREPORT" verify --signers nowhere good.tar.zst
echo 'globex rubbish' >bad
check_exit 3 "signers that are none" "$FPREPORT" verify --signers bad good.tar.zst
cp .out said && check "with their line" grep -q '^bad:1:1: error' said
check_exit 3 "a private key in the place of signers" "$FPREPORT" verify --signers key good.tar.zst
cp .out said
check "is called one, in one line" sh -c '[ $(wc -l <said) = 1 ] && grep -q "^key:1:1: error: found a private key" said'
"$FPREPORT" verify --signers signers good.tar.zst >said 2>&1
check "who signed a submission by itself is told" grep -q "^  the submission is signed by globex with the key" said
"$FPREPORT" verify --only FP4002,FP4015 --signers signers good.tar.zst >said 2>&1
check "and nothing that was not asked" sh -c 'grep -q "FP4015\]$" said && ! grep -q "loss:" said'
seen() { "$FPREPORT" verify --format json --only "$1" good.tar.zst | jq -r '.runs[0].evidence[0] | "\(.log != null) \(.steps)"'; }
check "nor read: it may take more time and memory than there is, and verify.sh does not look into it" test "$(seen FP4002,FP4015)" = "false 0"
check "it is where one more rule is asked" test "$(seen FP4002,FP4003,FP4015)" = "true 250"
check_exit 3 "verify.sh: no signers there" script -s nowhere good.tar.zst
check_exit 2 "verify.sh: a revocation without signers" script -r revoked good.tar.zst

# --- Times that are none, signers that nobody should read, settings of the caller.
for option in -s -r -I -t; do
    check_exit 2 "verify.sh: $option of nothing" script -s signers $option "" good.tar.zst
done
for option in --signers --revoked --vendor --at; do
    check_exit 2 "fpreport: $option of nothing" "$FPREPORT" verify --signers signers $option "" good.tar.zst
done
for time in 2026-13 now 20261301 20260230 202601012400 2026010112345 20260101123460; do
    check_exit 2 "verify.sh: not a time: $time" script -s signers -t $time good.tar.zst
done
echo "globex valid-before=\"20280230\" $(public key)" >unreal
both "signers with a day that is none" 3 "^unreadable: signers: line 1: found the time '20280230'" good.tar.zst unreal
{ cat signers && printf '\0\n'; } >nul
both "signers with a NUL" 3 '^unreadable: signers: found a NUL' good.tar.zst nul
{ cat signers && head -c 1100000 /dev/zero | tr '\0' '#'; } >huge
both "signers of more than 1 MiB" 3 '^unreadable: signers: more than 1 MiB' good.tar.zst huge
{ echo '# valid-after="20260230"' && cat signers; } >remark
both "a comment is none of the signers" 0 '^good: ' good.tar.zst remark
printf 'x\033]0;y\007 %s\n' "$(public key)" >escape
script -s escape good.tar.zst >said
[ "$VARIANT" != gcc ] || check "verify.sh shows no control character of others" sh -c 'grep -q "^unreadable: signers: line 1" said && ! LC_ALL=C grep -q "[[:cntrl:]]" said'
bare() { env -i PATH="$tmp/bin" "$@"; }
check "CDPATH is not followed" bare CDPATH=. TMPDIR="$tmp/scratch" sh "$top/templates/site/verify.sh" -s signers good.tar.zst
check "a TMPDIR below the folder at hand" bare TMPDIR=scratch sh "$top/templates/site/verify.sh" -s signers good.tar.zst
check_exit 4 "said to a full device" sh -c 'sh "$0" -s signers good.tar.zst >/dev/full' "$top/templates/site/verify.sh"
# Where there is no room, it is the disk that fails and not the submission.
wrong=
mkdir disk
if mount -t tmpfs tmpfs disk 2>/dev/null; then
    umount disk
    for room in size=8k size=32k size=64k size=96k size=128k size=192k size=256k size=320k nr_inodes=5 nr_inodes=9 nr_inodes=14 nr_inodes=20 nr_inodes=28; do
        mount -t tmpfs -o $room tmpfs disk
        bare TMPDIR="$tmp/disk" sh "$top/templates/site/verify.sh" -s signers good.tar.zst >said 2>&1; got=$?
        umount disk
        case $got in 0 | 4) ;; *) wrong="$wrong $room: $got $(cat said);" ;; esac
    done
    check "a full disk accuses nobody" sh -c 'echo "$0"; [ -z "$0" ]' "$wrong"
else
    skip "needs mount, for a full disk"
fi
# Nor does a tool that is missing, or fails, or says nothing, or is another.
accused=
lies() { # TOOL WHAT: verify.sh with bin/TOOL as it is now
    script -s signers -I globex good.tar.zst >said 2>/dev/null </dev/null; got=$?
    case $got in 0 | 4) ;; *) accused="$accused $1 $2: $got $(cat said);" ;; esac
}
tools='base64 cat cut date head mkdir mktemp od rm sha256sum sort tail tar tr wc zstd ssh-keygen'
[ "$VARIANT" = gcc ] || tools=mktemp # the script is the same there
for tool in $tools; do
    mv bin/$tool kept && lies $tool 'is missing' && [ $got -eq 4 ] && grep -qx "cannot: find $tool" said || accused="$accused $tool is missing: $got;"
    for answer in 'exit 1' 'while read -r line; do :; done; echo 17'; do
        printf '#!/bin/sh\n%s\n' "$answer" >bin/$tool && chmod +x bin/$tool && lies $tool "$answer"
    done
    rm bin/$tool && mv kept bin/$tool
done
rm -rf scratch/* # what a rm that is none could not remove
check "a tool that is missing or another accuses nobody" sh -c 'echo "$0"; [ -z "$0" ]' "$accused"
instead() { # TOOL SCRIPT: bin/TOOL, which is $tool in it, until `again TOOL`
    mv bin/$1 kept && printf '#!/bin/sh\ntool=%s\n%s\n' "$(readlink kept || echo "$tmp/kept")" "$2" >bin/$1 && chmod +x bin/$1
}
again() { rm bin/$1 && mv kept bin/$1; }
changed && ln y/case.json y/again && (cd y && tar -cf - case.json again | zstd -q) >y.tar.zst
instead tar 'echo "$@" >>"$CALLS"; exec $tool "$@"'
CALLS=$tmp/calls && export CALLS
check_exit 4 "a refusal to a full device" sh -c 'PATH=$1/bin; sh "$0" y.tar.zst >/dev/full' "$top/templates/site/verify.sh" "$tmp"
check "behind which only what is known is unpacked" [ "$(grep -c "^-x .*--no-wildcards" calls)" = 1 ]
again tar
instead ssh-keygen 'echo "No user exists for uid 12345" >&2; exit 255'
check_exit 4 "a user whom the system does not know" script -s signers good.tar.zst
cp .out said; check "which is said" grep -q "^cannot: use ssh-keygen: found 'No user exists for uid 12345'" said
again ssh-keygen
instead ssh-keygen 'for w in "$@"; do case $w in verify-time=*Z) exit 1 ;; line) case $(cat line) in *[0-9]Z\"*) exit 1 ;; esac ;; esac; done; exec $tool "$@"'
echo "globex namespaces=\"$ns\",valid-after=\"20200101Z\",valid-before=\"209901010000Z\" $(public key)" >zulu
check "an OpenSSH that knows no Z behind times" script -s zulu -t 20260101Z good.tar.zst
again ssh-keygen
instead tar 'for w in "$@"; do [ "$w" != -c ] || exit 1; done; exec $tool "$@"'
check "a tar whose headers would be others is not asked for them" script -s signers good.tar.zst
again tar
counted() { # TOOL TEST: bin/TOOL fails unless "$n TEST $at", where $n is the number of the call
    instead $1 "echo >>$tmp/asked; read -r at <$tmp/at; n=0; while read -r _; do n=\$((n + 1)); done <$tmp/asked; [ \$n $2 \$at ] || exit 1; exec \$tool \"\$@\""
}
# A sum that cannot be made from some moment on is not the same as another that cannot.
changed && printf ' ' >>y/case.json && pack y y.tar.zst
accused=
counted sha256sum -le
for at in 4 8 9 10 11 12 13; do
    echo $at >at && : >asked
    script -s signers y.tar.zst >said 2>/dev/null </dev/null; got=$?
    case $got in 1 | 4) ;; *) accused="$accused after $at: $got $(cat said);" ;; esac
done
again sha256sum
check "what was altered is not good where sums fail" sh -c 'echo "$0"; [ -z "$0" ]' "$accused"
# How often each tool is asked, in all and by the first of two looks: one run in which all of them are counted.
[ "$VARIANT" = gcc ] || tools=mktemp
mkdir real count
for tool in $tools; do
    mv bin/$tool real/ && printf '#!/bin/sh\ncase $PWD in */known* | */second*) ;; */first*) echo >>%s ;; esac\necho >>%s\nexec %s "$@"\n' \
        "$tmp/count/$tool.first" "$tmp/count/$tool" "$tmp/real/$tool" >bin/$tool && chmod +x bin/$tool
    : >count/$tool && : >count/$tool.first
done
script -s signers good.tar.zst >said 2>&1
mv real/* bin/
calls_of() { wc -l <count/$1; }
check "each tool is asked" sh -c 'cd count && for tool; do [ -s $tool ] || { echo $tool; exit 1; }; done' - $tools
# Nor does one that fails once, as who is accused is looked at again: the last call of each tool;
# CALLS=all: every one.
accused='' tried=0
for tool in $tools; do
    counted $tool -ne && calls=$(calls_of $tool)
    [ "${CALLS:-}" = all ] && which=$(seq $calls) || which=$calls
    for at in $which; do
        echo $at >at && : >asked && lies $tool "fails at call $at of $calls" && tried=$((tried + 1))
    done
    again $tool
done
rm -rf scratch/*
check "a tool that fails once accuses nobody ($tried calls)" sh -c 'echo "$0"; [ -z "$0" ]' "$accused"
# Nor does one that is killed at the same call of both looks, and not between them.
accused='' tried=0
for tool in $tools; do
    instead $tool "case \$PWD in */known*) look= ;; */first*) look=first ;; */second*) look=second ;; *) look= ;; esac
[ -n \"\$look\" ] || exec \$tool \"\$@\"
echo >>$tmp/asked.\$look; read -r at <$tmp/at; n=0; while read -r _; do n=\$((n + 1)); done <$tmp/asked.\$look
[ \$n -ne \$at ] || kill -SEGV \$\$; exec \$tool \"\$@\""
    calls=$(calls_of $tool.first)
    [ "${CALLS:-}" = all ] && which=$(seq $calls) || which=$calls
    for at in $which; do
        echo $at >at && : >asked.first && : >asked.second
        [ $at -eq 0 ] || { lies $tool "is killed at call $at of $calls" && tried=$((tried + 1)); }
    done
    again $tool
done
rm -rf scratch/*
check "a tool that is killed in both looks accuses nobody ($tried calls)" sh -c 'echo "$0"; [ -z "$0" ]' "$accused"
accused=
for n in 5 6 7 8 9 10 12 16; do
    (ulimit -n $n; script -s signers good.tar.zst) >said 2>/dev/null </dev/null; got=$?
    # 2 is that of a dash that cannot read the script.
    case $got in 0 | 4) ;; 2) [ ! -s said ] || accused="$accused $n: $(cat said)" ;; *) accused="$accused $n: $got $(cat said);" ;; esac
done
for size in 24 32 36 40 44 64; do
    (ulimit -s $size; script -s signers good.tar.zst) >said 2>/dev/null </dev/null; got=$?
    case $got,$(head -c 3 said) in 0,goo | 4,can | 13[0-9],* | 12[67],*) ;; *) accused="$accused stack $size: $got $(cat said);" ;; esac
done
(FUNCNEST=3 && export FUNCNEST && bash "$top/templates/site/verify.sh" -s signers good.tar.zst) >said 2>/dev/null; got=$?
case $got,$(head -c 3 said) in 0,goo | 4,can) ;; *) accused="$accused a shell that ends: $got $(cat said);" ;; esac
rm -rf scratch/*
check "few descriptors, a small stack and a shell that ends accuse nobody" sh -c 'echo "$0"; [ -z "$0" ]' "$accused"
{ printf 'x ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIf%042d\n' 0; cat signers; } >long
both "a key of more than 32 bytes" 3 '^unreadable: signers: line 1: ' good.tar.zst long
echo 'ssh-rsa AAAAB3NzaC1yc2E=' >short
both "a revoked key that ssh-keygen cannot read revokes no other" 0 '^good: ' good.tar.zst signers globex 20260101 short
python3 -c 'import io, sys, tarfile
out = io.BytesIO()
with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as tar:
    one = tarfile.TarInfo("a/" * 1000000)
    one.type, one.mode = tarfile.REGTYPE, 0o644
    tar.addfile(one)
sys.stdout.buffer.write(out.getvalue())' | zstd -q >long.tar.zst
check_exit 3 "a name of 2 MB" within 10 sh "$top/templates/site/verify.sh" long.tar.zst
check "is not shown" test "$(wc -c <.out)" -lt 200
sh "$top/templates/site/verify.sh" good.tar.zst | true
check_exit 4 "tools are not taken from the folder at hand" env -i PATH=bin:.:: TMPDIR="$tmp/scratch" "$(command -v sh)" "$top/templates/site/verify.sh" good.tar.zst
check "verify.sh leaves nothing behind" sh -c '[ -z "$(ls scratch)" ]'
# --- Whose fault it is that there is no signature: the key's (3), or this machine's (4).
mkdir fake && fake() { printf '#!/bin/sh\n%s\n' "$1" >fake/ssh-keygen; chmod +x fake/ssh-keygen; }
seal_with() { PATH="$tmp/fake:$PATH" "$FPREPORT" collect -q run -o none.tar.zst --sign "$1"; }
fake 'echo "Load key \"$5\": incorrect passphrase supplied to decrypt private key" >&2; exit 255'
check_exit 3 "a key that cannot be used" seal_with key
cp .out said && check "is said, with why" grep -q 'key: ssh-keygen gave no signature with this key: Load key "key": incorrect passphrase' said
for words in 'xmalloc: out of memory (allocating 16 bytes)' 'Couldn'"'"'t sign message: memory allocation failed' 'strdup: Cannot allocate memory' \
    'PRNG is not seeded' 'No user exists for uid 0' '/dev/null: Too many open files' 'key: Input/output error'; do
    fake "echo \"$words\" >&2; exit 255"
    check_exit 4 "a machine that cannot: $words" seal_with key
done
for ends in '| head -c 0' '| head -c 200' '>/dev/null; exit 255'; do
    fake "$(command -v ssh-keygen) \"\$@\" $ends" && check_exit 4 "one whose words find no room: $ends" seal_with key
done
fake 'kill -9 $$'
check_exit 4 "one that was killed" seal_with key
fake "ulimit -v 1000000; ulimit -v \$(cat $tmp/room); exec $(command -v ssh-keygen) \"\$@\""
echo 900000 >room && check "ssh-keygen itself, with memory" seal_with key
codes=$(for room in $(seq 3000 250 9500); do echo $room >room; seal_with key >/dev/null 2>&1; echo $?; done | sort -u | tr '\n' ' ')
check "with less and less of it, it is done or the machine's fault" test "$codes" = "0 4 "
rm -f none.tar.zst
echo nonsense >nokey && chmod 600 nokey
check_exit 3 "a file that is no key" "$FPREPORT" collect -q run -o none.tar.zst --sign nokey
fake 'echo "No private key found for \"$5\"" >&2; exit 255'
check_exit 4 "a key that ssh-keygen could not read, which it takes for none" seal_with key
check_exit 3 "one that is none" seal_with nokey
fake "echo another | exec $(command -v ssh-keygen) \"\$@\""
check_exit 4 "a signature of something else is not handed out" seal_with key
cp .out said && check "is said" grep -q 'key: the signature that ssh-keygen gave does not hold' said && check "and nothing is left" test ! -e none.tar.zst

# --- The next step is that of what was found.
step() { # DESCRIPTION WORDS SUBMISSION OPTION…
    what=$1 words=$2; shift 2
    program "$@" >out.txt 2>&1
    check "what to do: $what" sh -c 'tr -s "\n " " " <out.txt | grep -qF "help: $1"' - "$words"
}
step "not signed" "Ask the vendor to seal and sign the run" plain.tar.zst --signers signers
step "a key that nobody knows" "Compare the fingerprint of the key" good.tar.zst --signers foreign
step "another vendor's key" "The key belongs to another vendor" good.tar.zst --signers acme --vendor globex
step "a key for another purpose" "In the file of signers, the line of this key lacks the namespace" good.tar.zst --signers purpose
step "an expired key" "Ask the vendor whether the run was signed while the key was valid" good.tar.zst --signers expired
step "a key that is not valid yet" "The key became valid only after the given time" good.tar.zst --signers early
step "a revoked key" "The vendor, or the maintainer of the file of signers, revoked this key" good.tar.zst --signers signers --revoked revoked
check "explain has them all" sh -c '"$1" explain FP4015 | grep -c "^  \"" | grep -qx 15' - "$FPREPORT"

# --- What cannot be opened, and by whose fault.
ln -s circle.tar.zst circle.tar.zst && mkdir folder.tar.zst
both "a file that is not there" 3 '^unreadable: no such file$' none.tar.zst
both "one below a file" 3 '^unreadable: no such file$' good.tar.zst/none.tar.zst
both "signers that are not there" 3 '^unreadable: signers: no such file$' good.tar.zst none
both "links in a circle are of this machine" 4 '^cannot: read circle.tar.zst: Too many' circle.tar.zst
if [ "$VARIANT" = gcc ] && [ "$(id -u)" = 0 ] && cp "$FPREPORT" program && chmod -R a+rX "$tmp" && chmod 1777 scratch &&
    setpriv --reuid=65534 --regid=65534 --clear-groups ./program version >/dev/null 2>&1; then
    theirs() { HOME=/nonexistent setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
    cp "$whole" shipped.sh && whole=$tmp/shipped.sh
    script() { theirs env -i PATH="$tmp/bin" TMPDIR="$tmp/scratch" "$tmp/bin/sh" "$verify" "$@"; }
    program() { theirs ./program verify --only FP4002,FP4015 "$@"; }
    both "another user may read them" 0 '^good: ' good.tar.zst signers
    mkdir closed && cp good.tar.zst signers closed/
    for closed in good.tar.zst signers revoked closed; do
        chmod 0 $closed
        case $closed in
        closed)
            both "no right to its folder" 4 '^cannot: read closed/good.tar.zst: Permission denied$' closed/good.tar.zst
            both "nor to that of signers" 4 '^cannot: read signers: closed/signers: Permission denied$' good.tar.zst closed/signers
            ;;
        *) both "no right to $closed" 4 "^cannot: read (signers: )?$closed: Permission denied\$" good.tar.zst signers '' '' revoked ;;
        esac
        chmod u+rwX,a+rX $closed
    done
else
    skip "nobody else may run the program, or another build is asked"
fi
for word in -h --help; do
    check "$word says what it is, and which exits mean what" sh -c 'sh "$1" "$2" >helped && head -n 1 helped | grep -q "^verify.sh .*SUBMISSION.tar.zst$" &&
        grep -q "^ *4  this machine fails" helped && grep -q "^ *-r REVOKED" helped' - "$top/templates/site/verify.sh" $word
done
check_exit 2 "other options are none" sh "$top/templates/site/verify.sh" -x good.tar.zst
plan_done
