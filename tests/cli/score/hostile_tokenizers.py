#!/usr/bin/env python3
"""hostile_tokenizers.py PROGRAM: bytes that are no SentencePiece model, for `prepare` in a folder with a good one:
exit 0 when each is refused with exit 3 and one line that names the file."""
import subprocess
import sys

good = open("tokenizer.model", "rb").read()


def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def piece(text):
    inner = b"\x0a" + varint(len(text)) + text
    return b"\x0a" + varint(len(inner)) + inner


cut = [good[:n] for n in (0, 1, 2, 3, 7, len(good) // 2, len(good) - 1)]
hostile = {"huge length": b"\x0a" + b"\xff" * 9 + b"\x01", "endless number": b"\xff" * 30, "group": b"\x0b\x0c",
           "field 0": b"\x02\x00", "inner length": b"\x0a\x03\x0a\x7fa", "twice": good + piece(b"A"),
           "empty piece": good + b"\x0a\x00", "nan": good + b"\x0a\x08\x0a\x01z\x15\x00\x00\xc0\x7f", "unused": good + b"\x0a\x05\x0a\x01z\x18\x05",
           "no unknown": piece(b"a"), "nested": b"\x0a\x02" * 100000, "long piece": good + piece(b"z" * 2000), "text": b"hello\n" * 50}
for i, data in enumerate(cut):
    hostile[f"cut {i}"] = data
bad = 0
for name, data in hostile.items():
    open("hostile.model", "wb").write(data)
    run = subprocess.run([sys.argv[1], "prepare", "--tokenizer", "hostile.model", "-o", "no", "two.txt"], capture_output=True, text=True)
    if run.returncode != 3 or "hostile.model: " not in run.stderr or len(run.stderr.splitlines()) != 1:
        bad += 1
        print("#", name, run.returncode, run.stderr[:200])
sys.exit(bad)
