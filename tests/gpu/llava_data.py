#!/usr/bin/env python3
"""Conversations of one length, as trainer/data/conversations.h has them, to measure with.

    llava_data.py FOLDER T [SAMPLES] [SIDE] [PATCHES] [VOCABULARY]

Each sample has T rows: a beginning, a picture (PATCHES rows) and text, of which all that follows the
picture is a target. Tokens and pixels come from a seed.
"""
import hashlib
import json
import os
import random
import struct
import sys


def npy(descr, shape, data):
    text = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (descr, "".join("%d, " % n for n in shape))
    text += " " * (118 - len(text) - 1) + "\n"
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(text)) + text.encode() + data


def main(folder, rows, samples=256, side=336, patches=576, vocabulary=32000):
    draw = random.Random(1)
    tokens, labels = [], []
    for _ in range(samples):
        text = [draw.randrange(3, vocabulary) for _ in range(rows - 1 - patches)]
        tokens += [1, -200] + text
        labels += [-100, -100] + text
    length = len(tokens) // samples
    pictures = min(samples, 64)
    files = {
        "tokens.npy": npy("<i4", [len(tokens)], struct.pack("<%di" % len(tokens), *tokens)),
        "labels.npy": npy("<i4", [len(labels)], struct.pack("<%di" % len(labels), *labels)),
        "offsets.npy": npy("<i8", [samples + 1], struct.pack("<%dq" % (samples + 1), *range(0, len(tokens) + 1, length))),
        "pictures.npy": npy("<i4", [samples], struct.pack("<%di" % samples, *(i % pictures for i in range(samples)))),
        "lengths.npy": npy("<i4", [samples], struct.pack("<%di" % samples, *([length] * samples))),
        "pixels.npy": npy("|u1", [pictures, side, side, 3], draw.randbytes(pictures * side * side * 3)),
    }
    os.makedirs(folder)
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as f:
            f.write(data)
    with open(os.path.join(folder, "prepared.json"), "w") as f:
        json.dump({"outputs": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}}, f, indent=2)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
