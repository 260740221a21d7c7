"""Do `fpreport verify` and verify.sh agree about a submission that somebody changed?

    mutants.py PROGRAM SCRIPT SIGNERS SEED COUNT FIRST SECOND [FILE...]

Makes COUNT changed submissions from two signed ones, by SEED, and puts each, and every further FILE, to
both programs. COUNT "bits" flips every bit of FIRST, one by one; "bits:K/N" every N-th from the K-th. Prints
those about which they disagree, and those that both take although the files in them are not those of FIRST
or SECOND; then the counts. Ends with 1 when there is one of either.

With FAULTS_LIBRARY=faults.so fpreport is started only once (runs.py).

Half of the changes are of the compressed file as it lies there, half of the tar inside, which is
compressed and sealed again as docs/FIELDS.md says, so that the readers behind the seal are asked.
"""

import collections
import hashlib
import os
import random
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

from runs import Program

program, script, signers, seed, count, first, second, *files = sys.argv[1:]
rng = random.Random(int(seed))
bits = count.startswith("bits")
library, started = os.environ.get("FAULTS_LIBRARY"), []
SUBMISSION = "submission.tar.zst"
BLOCK = 512


def run(*argv, data=None):
    return subprocess.run(argv, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout


def read(path):
    with open(path, "rb") as f:
        return f.read()


def seal(tar):
    frame = run("zstd", "-q", "-c", data=tar)
    return frame + bytes.fromhex("502a4d1820000000") + hashlib.sha256(frame).digest()


packed = [read(first), read(second)]
tars = [run("zstd", "-q", "-d", "-c", data=p) for p in packed]


def members(tar):
    """Where each member begins and ends, with its padding."""
    at, found = 0, []
    while tar[at : at + 1] not in (b"\0", b""):
        size = int(tar[at + 124 : at + 135], 8)
        end = at + BLOCK + -(-size // BLOCK) * BLOCK
        found.append((at, end))
        at = end
    return found


def checked(header):
    """The header with its right sum."""
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return header


def flip(data, n):
    data = bytearray(data)
    for _ in range(n):
        bit = rng.randrange(len(data) * 8)
        data[bit // 8] ^= 1 << bit % 8
    return bytes(data)


def cut(data):
    return data[: rng.randrange(len(data))]


def swap_blocks(data, size=BLOCK):
    n = len(data) // size
    a, b = sorted(rng.sample(range(n), 2)) if n > 1 else (0, 0)
    block = lambda i: data[i * size : (i + 1) * size]
    return data[: a * size] + block(b) + data[(a + 1) * size : b * size] + block(a) + data[(b + 1) * size :] if a != b else data


def splice(a, b):
    """The beginning of one and the end of the other."""
    at, to = rng.randrange(len(a)), rng.randrange(len(b))
    return a[:at] + b[to:]


def exchange_member(a, b):
    """A member of one in the place of the one of that number in the other."""
    x, y = members(a), members(b)
    i = rng.randrange(min(len(x), len(y)))
    return a[: x[i][0]] + b[y[i][0] : y[i][1]] + a[x[i][1] :]


def drop_or_double(tar):
    at, end = rng.choice(members(tar))
    return tar[:at] + tar[end:] if rng.random() < 0.5 else tar[:end] + tar[at:end] + tar[end:]


def add_member(tar):
    names = [b"extra.txt", b"../evil", b"/etc/passwd", b"statement.json", b"a b", b"x" * 99, b"SHA256SUMS/x", b"CASE.json",
             b".x", b"-x", b"\xc3\xa9"]
    header = bytearray(BLOCK)
    name = rng.choice(names)
    header[0 : len(name)] = name
    header[100:136] = b"0000644\0" + b"0000000\0" * 2 + b"00000000000\0"
    header[136:148], header[156:157] = b"00000000000\0", rng.choice([b"0", b"\0", b"5", b"7"])
    header[257:265], header[329:345] = b"ustar\x0000", b"0000000\0" * 2
    at = rng.choice([0, members(tar)[-1][1]])
    return tar[:at] + bytes(checked(header)) + tar[at:]


def change_header(tar):
    """One byte of a header, its sum put right."""
    at, _ = rng.choice(members(tar))
    header = bytearray(tar[at : at + BLOCK])
    where = rng.choice([rng.randrange(BLOCK), 156, rng.randrange(100, 148), rng.randrange(257, 265)])
    header[where] = rng.choice([rng.randrange(256), ord(rng.choice("01234567 \0"))])
    return tar[:at] + bytes(checked(header)) + tar[at + BLOCK :]


def type_of_header(tar):
    at, _ = rng.choice(members(tar))
    header = bytearray(tar[at : at + BLOCK])
    header[156:157] = rng.choice([b"\0", b"1", b"2", b"3", b"4", b"5", b"6", b"7", b"L", b"K", b"x", b"g", b"V", b"Z"])
    return tar[:at] + bytes(checked(header)) + tar[at + BLOCK :]


def sign_wrongly(tar):
    """Signed again, by a key that does not count."""
    for at, end in members(tar):
        if tar[at : at + 100].rstrip(b"\0") == b"statement.json":
            statement = tar[at + BLOCK : at + BLOCK + int(tar[at + 124 : at + 135], 8)]
    armour = run("ssh-keygen", "-q", "-Y", "sign", "-f", wrong_key, "-n", "fpreport-submission-v1", data=statement)
    for at, end in members(tar):
        if tar[at : at + 100].rstrip(b"\0") == b"statement.json.sig":
            return tar[: at + BLOCK] + armour.ljust(end - at - BLOCK, b"\0") + tar[end:]
    return tar


def compress_again(tar):
    level = rng.choice(["-1", "-3", "-12", "-19", "--fast=3"])
    frame = run("zstd", "-q", "-c", level, *rng.choice([["--check"], ["--no-check"]]), data=tar)
    return frame + bytes.fromhex("502a4d1820000000") + hashlib.sha256(frame).digest()


def mutant():
    i = rng.randrange(2)
    a, b, p = tars[i], tars[1 - i], packed[i]
    kinds = [
        ("bit of the file", lambda: flip(p, 1)),
        ("bits of the file", lambda: flip(p, rng.randrange(2, 9))),
        ("file cut", lambda: cut(p)),
        ("files spliced", lambda: splice(p, packed[1 - i])),
        ("blocks of the file swapped", lambda: swap_blocks(p, rng.choice([1, 16, 64]))),
        ("something behind the file", lambda: p + rng.choice([b"\0", p, packed[1 - i], rng.randbytes(40), p[-40:]])),
        ("bit of the frame, sealed", lambda: (lambda f: f + p[-40:-32] + hashlib.sha256(f).digest())(flip(p[:-40], 1))),
        ("bit of the tar", lambda: seal(flip(a, 1))),
        ("tar cut", lambda: seal(cut(a))),
        ("tars spliced", lambda: seal(splice(a, b))),
        ("blocks of the tar swapped", lambda: seal(swap_blocks(a))),
        ("member exchanged", lambda: seal(exchange_member(a, b))),
        ("member gone or twice", lambda: seal(drop_or_double(a))),
        ("member added", lambda: seal(add_member(a))),
        ("header changed", lambda: seal(change_header(a))),
        ("type changed", lambda: seal(type_of_header(a))),
        ("signed by another", lambda: seal(sign_wrongly(a))),
        ("compressed again", lambda: compress_again(a)),
    ]
    name, make = rng.choice(kinds)
    return name, make()


def bit_flipped(bit):
    data = bytearray(packed[0])
    data[bit // 8] ^= 1 << bit % 8
    return "bit", bytes(data)


OURS = [program, "verify", "-q", "--records", ".", "--only", "FP4002,FP4015", "--signers", os.path.abspath(signers), SUBMISSION]
own = threading.local()  # of each thread: its folder and, started once, the program


def ask_ours(place):
    """Exit code and text."""
    if not library:
        done = subprocess.run(OURS, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout.decode(errors="replace")
    if not hasattr(own, "program"):
        own.program = Program(library, OURS)
        started.append(own.program)
    done = own.program.run(place)
    return done.code, done.text


def ask(job):
    """A submission of a name, at a path or made of bytes, put to both."""
    name, data = job
    if not hasattr(own, "place"):
        own.place = tempfile.mkdtemp(dir=folder)
    with open(os.path.join(own.place, SUBMISSION), "wb") as f:
        f.write(data)
    ours, said = ask_ours(own.place)
    theirs = subprocess.run(["sh", os.path.abspath(script), "-s", os.path.abspath(signers), SUBMISSION], cwd=own.place,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=dict(os.environ, TMPDIR=folder), check=False)
    return name, data, (ours, said), (theirs.returncode, theirs.stdout.decode(errors="replace"))


def is_original(data):
    tar = subprocess.run(["zstd", "-q", "-d", "-c"], input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    return tar in tars


def numbers():
    if not bits:
        return range(int(count))
    first_bit, _, step = (count[5:] or "0/1").partition("/")
    return range(int(first_bit), len(packed[0]) * 8, int(step))


def jobs():
    for path in files:
        yield os.path.basename(path), read(path)
    for n in numbers():
        name, data = bit_flipped(n) if bits else mutant()
        yield f"{n}, {name}", data


def main():
    seen, apart, taken = collections.Counter(), 0, 0
    with ThreadPoolExecutor(2) as pool:
        for name, data, (ours, said), (theirs, told) in pool.map(ask, jobs()):
            seen[ours] += 1
            if ours != theirs:
                apart += 1
                print(f"{name}: fpreport {ours}, verify.sh {theirs}")
                print("   ", said.strip().replace("\n", "\n    ")[:400])
                print("   ", told.strip()[:300])
            if 0 in (ours, theirs) and (bits or not is_original(data)):
                taken += 1
                print(f"{name}: taken, and its files are others")
    for one in started:
        one.close()
    codes = ", ".join(f"exit {code}: {n}" for code, n in sorted(seen.items()))
    print(f"{sum(seen.values())} submissions ({codes}); {apart} judged differently, {taken} taken wrongly")
    return 1 if apart or taken else 0


with tempfile.TemporaryDirectory() as folder:
    wrong_key = os.path.join(folder, "wrong")
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", wrong_key)
    sys.exit(main())
