#!/bin/sh
# Every key that ssh-keygen -Y sign can use signs a submission, and is asked for alike by verify, by verify.sh and by
# ssh-keygen; FIDO keys are made in software (fido.py).
. "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1
for tool in openssl ssh-keygen; do command -v $tool >/dev/null || { skip "no $tool"; plan_done; }; done
cp -R "$top/tests/golden/build/records" records
mkdir run && tar -C run --zstd -xf records/evidence/globex/run.tar.zst && rm run/SHA256SUMS
ns=fpreport-submission-v1
looks_once once.sh # the other looks are those of sign.sh
script() { sh once.sh "$@"; }
program() { "$FPREPORT" verify --only FP4002,FP4015 "$@"; }
both() { # DESCRIPTION EXIT SUBMISSION OPTIONS-OF-THE-SCRIPT OPTIONS-OF-THE-PROGRAM
    script $4 "$3" >theirs 2>&1; script_exit=$?
    program $5 "$3" >ours 2>&1; program_exit=$?
    if [ $script_exit -eq "$2" ] && [ $program_exit -eq "$2" ]; then ok "$1"; else
        not_ok "$1"; echo "# expected $2; verify.sh $script_exit, fpreport verify $program_exit"
        sed 's/^/# /' theirs ours | head -n 20
    fi
}
pack() { # FOLDER ARCHIVE: as docs/FIELDS.md shows
    (cd "$1" && find . -type f | sed 's,^\./,,' | LC_ALL=C sort | tar --format=ustar --no-recursion -T - --mtime=@0 \
        --owner=0 --group=0 --numeric-owner --mode=0644 -b1 -cf -) | zstd -q -9 >"$2"
    { printf '\120\052\115\030\040\000\000\000'; sha256sum <"$2" | cut -c1-64 | tr a-f A-F | basenc --base16 -d; } >seal
    cat seal >>"$2"
}
public() { cut -d' ' -f1,2 "$1.pub"; }
"$FPREPORT" collect -q run -o plain.tar.zst >/dev/null 2>&1 && mkdir whole && tar -C whole --zstd -xf plain.tar.zst 2>/dev/null

# --- Keys in files.
while read -r name type bits; do
    ssh-keygen -q -t $type ${bits:+-b $bits} -N '' -C '' -f $name </dev/null
    check "$name: collect signs with it" "$FPREPORT" collect -q run -o $name.tar.zst --sign $name
done <<'LIST'
ecdsa256 ecdsa 256
ecdsa384 ecdsa 384
ecdsa521 ecdsa 521
rsa2048 rsa 2048
rsa3072 rsa 3072
ed25519 ed25519
LIST

# --- FIDO keys: the signature is put beside the statement, as a vendor's machine would have done.
for kind in ed25519 ecdsa; do
    rm -rf x && cp -R whole x && python3 "$top/tests/cli/verify/fido.py" $kind sk-$kind $ns x/statement.json &&
        check "sk-$kind: ssh-keygen takes it" sh -c "ssh-keygen -Y check-novalidate -n $ns -s x/statement.json.sig <x/statement.json"
    pack x sk-$kind.tar.zst
done

for name in ecdsa256 ecdsa384 ecdsa521 rsa2048 rsa3072 ed25519 sk-ed25519 sk-ecdsa; do
    echo "globex namespaces=\"$ns\" $(public $name)" >signers
    public $name >revoked
    both "$name: good" 0 $name.tar.zst "-s signers -I globex" "--signers signers --vendor globex"
    check "$name: its key is named" grep -q "$(ssh-keygen -lf $name.pub | cut -d' ' -f2)" theirs
    both "$name: nobody asks by whom" 0 $name.tar.zst "" ""
    both "$name: of somebody else" 1 $name.tar.zst "-s signers -I acme" "--signers signers --vendor acme"
    both "$name: revoked" 1 $name.tar.zst "-s signers -I globex -r revoked" "--signers signers --vendor globex --revoked revoked"
    rm -rf x && mkdir x && tar -C x --zstd -xf $name.tar.zst 2>/dev/null
    cp x/statement.json.sig its.sig
    sed 's/"steps": 250/"steps": 260/' x/statement.json >changed && mv changed x/statement.json
    (cd x && pack . ../changed.tar.zst)
    program --signers signers changed.tar.zst >said 2>&1; check "$name: another statement" test $? -eq 1
done

# --- Changed signatures: the last byte of the numbers, the algorithm's name, and one number in a longer form.
damage() { # FILE.sig HOW
    python3 - "$1" "$2" <<'PY'
import base64, struct, sys
path, how = sys.argv[1:]
lines = open(path).read().split("\n")
blob = base64.b64decode("".join(lines[1:-2]))
at, parts = 10, []
for _ in range(5):
    n = struct.unpack(">I", blob[at:at + 4])[0]
    parts.append(blob[at + 4:at + 4 + n])
    at += 4 + n
string = lambda b: struct.pack(">I", len(b)) + b
n = struct.unpack(">I", parts[4][:4])[0]
name, rest = parts[4][4:4 + n], parts[4][4 + n:]
m = struct.unpack(">I", rest[:4])[0]
numbers, behind = rest[4:4 + m], rest[4 + m:]
if how == "number":
    numbers = numbers[:-1] + bytes([numbers[-1] ^ 1])
elif how == "longer":
    numbers = b"\0" + numbers if b"rsa" in name else struct.pack(">I", struct.unpack(">I", numbers[:4])[0] + 1) + b"\0" + numbers[4:]
elif how == "name":
    name = {b"rsa-sha2-512": b"ssh-rsa"}.get(name, b"ssh-ed25519")
elif how == "behind":
    behind += b"\0"
elif how == "use":
    behind = bytes([behind[0] ^ 4]) + behind[1:]
parts[4] = string(name) + string(numbers) + behind
text = base64.b64encode(blob[:10] + b"".join(map(string, parts))).decode()
open(path, "w").write("\n".join([lines[0], *(text[i:i + 70] for i in range(0, len(text), 70)), *lines[-2:]]))
PY
}
for name in ecdsa256 ecdsa521 rsa2048 sk-ed25519 sk-ecdsa; do
    echo "globex namespaces=\"$ns\" $(public $name)" >signers
    case $name in *ed25519) ways="number name behind use" ;; sk-*) ways="number longer name behind use" ;; *) ways="number longer name behind" ;; esac
    for how in $ways; do
        rm -rf x && mkdir x && tar -C x --zstd -xf $name.tar.zst 2>/dev/null
        damage x/statement.json.sig $how && pack x damaged.tar.zst
        both "$name: refused: $how" 1 damaged.tar.zst "-s signers" "--signers signers"
    done
done

# --- Keys that do not count.
ssh-keygen -q -t rsa -b 1024 -N '' -C '' -f rsa1024
check_exit 3 "RSA of 1024 bits does not sign" "$FPREPORT" collect -q run -o short.tar.zst --sign rsa1024
rm -rf x && cp -R whole x && ssh-keygen -q -Y sign -f rsa1024 -n $ns x/statement.json 2>/dev/null && pack x rsa1024.tar.zst
echo "globex namespaces=\"$ns\" $(public rsa1024)" >signers
both "RSA of 1024 bits is refused" 1 rsa1024.tar.zst "-s signers" "--signers signers"
program --signers signers rsa1024.tar.zst >said 2>&1
check "and the signers' line says so" grep -q "signers:1:.*RSA of 2048 bits" said
cut -d' ' -f2 rsa2048.pub | base64 -d >blob && printf x >>blob
echo "globex ssh-rsa $(base64 -w 0 blob)" >signers
both "a line whose key has more behind it admits nobody" 1 rsa2048.tar.zst "-s signers" "--signers signers"
plan_done
