#!/usr/bin/env python3
"""A security key in software: what ssh-keygen -Y sign makes with a FIDO key (OpenSSH, PROTOCOL.u2f).

    fido.py ed25519|ecdsa KEY NAMESPACE FILE

Makes KEY.pem where it is absent, KEY.pub, and FILE.sig over FILE. openssl signs.
"""
import base64
import hashlib
import os
import struct
import subprocess
import sys
import tempfile

KIND, KEY, NAMESPACE, FILE = sys.argv[1:5]
APPLICATION, FLAGS, COUNTER = b"ssh:", 1, 7
ALGORITHM = {"ed25519": ["ED25519"], "ecdsa": ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"]}
TYPE = {"ed25519": b"sk-ssh-ed25519@openssh.com", "ecdsa": b"sk-ecdsa-sha2-nistp256@openssh.com"}


def string(data):
    return struct.pack(">I", len(data)) + data


def openssl(*arguments):
    return subprocess.run(["openssl", *arguments], check=True, stdout=subprocess.PIPE).stdout


def positive(number):
    return string(number.to_bytes(number.bit_length() // 8 + 1, "big"))


def numbers_of(der):
    """r and s of 30 len 02 len r 02 len s."""
    out, at = [], 2
    for _ in range(2):
        out.append(int.from_bytes(der[at + 2:at + 2 + der[at + 1]], "big"))
        at += 2 + der[at + 1]
    return out


def signature_of(data):
    with tempfile.NamedTemporaryFile() as message:
        message.write(data)
        message.flush()
        made = openssl("pkeyutl", "-sign", "-rawin", "-inkey", f"{KEY}.pem", "-in", message.name,
                       *(["-digest", "sha256"] if KIND == "ecdsa" else []))
    return made if KIND == "ed25519" else b"".join(positive(n) for n in numbers_of(made))


if not os.path.exists(f"{KEY}.pem"):
    openssl("genpkey", "-out", f"{KEY}.pem", "-algorithm", *ALGORITHM[KIND])
der = openssl("pkey", "-in", f"{KEY}.pem", "-pubout", "-outform", "DER")
point = string(der[-32:]) if KIND == "ed25519" else string(b"nistp256") + string(der[-65:])
public = string(TYPE[KIND]) + point + string(APPLICATION)
with open(f"{KEY}.pub", "w") as out:
    out.write(f"{TYPE[KIND].decode()} {base64.b64encode(public).decode()}\n")

name, message = NAMESPACE.encode(), open(FILE, "rb").read()
inner = b"SSHSIG" + string(name) + string(b"") + string(b"sha512") + string(hashlib.sha512(message).digest())
use = struct.pack(">BI", FLAGS, COUNTER)
made = signature_of(hashlib.sha256(APPLICATION).digest() + use + hashlib.sha256(inner).digest())
whole = (b"SSHSIG" + struct.pack(">I", 1) + string(public) + string(name) + string(b"") + string(b"sha512")
         + string(string(TYPE[KIND]) + string(made) + use))
text = base64.b64encode(whole).decode()
with open(f"{FILE}.sig", "w") as out:
    out.write("-----BEGIN SSH SIGNATURE-----\n")
    out.writelines(text[i:i + 70] + "\n" for i in range(0, len(text), 70))
    out.write("-----END SSH SIGNATURE-----\n")
