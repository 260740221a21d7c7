#!/usr/bin/env python3
"""token_ids.py FOLDER BOS EOS: the ids of a prepared folder, a text a line, as spm_encode prints them."""
import struct
import sys

data = open(sys.argv[1] + "/tokens.npy", "rb").read()
assert data[:8] == b"\x93NUMPY\x01\0", data[:8]
start = 10 + struct.unpack("<H", data[8:10])[0]
narrow = b"'<u2'" in data[:start]
ids = [i for (i,) in struct.iter_unpack("<H" if narrow else "<i", data[start:])]
bos, eos, line = int(sys.argv[2]), int(sys.argv[3]), []
for token in ids:
    if token == bos:
        line = []
    elif token == eos:
        print(*line)
    else:
        line.append(token)
