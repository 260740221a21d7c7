#!/usr/bin/env python3
"""Makes a records folder from the case `mini`: good and bad cases, and token files.

    train_cases.py GOLDEN OUT
"""
import copy
import json
import os
import struct
import sys

golden, out = sys.argv[1:]
cases, models = os.path.join(out, "cases"), os.path.join(out, "models")
os.makedirs(cases)
os.makedirs(models)
with open(os.path.join(golden, "models", "mini.json")) as f:
    model = f.read()
with open(os.path.join(golden, "cases", "mini.json")) as f:
    mini = json.load(f)
with open(os.path.join(models, "mini.json"), "w") as f:
    f.write(model)

CASES = {
    "mini": {},
    "slow": {"steps": 20000},
    "endless": {"steps": 100000000},
    "command": {"trainer": "command"},
    "unknown": {"colour": "red"},
    "type": {"steps": "six"},
    "no_model": {"model": "nothere"},
    "no_data": {"data": None},
    "external": {"data": {"kind": "external"}},
    "no_path": {"data": {"kind": "npy"}},
    "ranks": {"parallel": {"tensor": 3}},
    "bf16": {"precision": "bf16"},
    "warmup": {"optimizer": {"learning_rate": 0.01, "warmup_steps": 100}},
    "many_warmup": {"optimizer": {"learning_rate": 0.01, "warmup_steps": 2**33 + 1}},
    "long": {"sequence_length": 200000},
    "sha": {"data": {"kind": "generated", "sha256": "abc"}},
    "wrong_sha": {"data": {"kind": "generated", "sha256": "0" * 64}},
    "nan": {"steps": 400, "optimizer": {"learning_rate": 1000, "min_learning_rate": 1000,
                                        "clip_norm": 0, "init_std": 10}},
    "npy": {"data": {"kind": "npy", "path": "tokens.npy"}},
    "npy_sha": {"data": {"kind": "npy", "path": "tokens.npy", "sha256": "0" * 64}},
    "npy_none": {"data": {"kind": "npy", "path": "none.npy"}},
    "npy_short": {"data": {"kind": "npy", "path": "short.npy"}},
    "npy_text": {"data": {"kind": "npy", "path": "text.npy"}},
    "npy_token": {"data": {"kind": "npy", "path": "token.npy"}},
    "megatron": {"data": {"kind": "megatron", "path": "tokens"}},
    "megatron_cut": {"data": {"kind": "megatron", "path": "cut"}},
}
for name, changes in CASES.items():
    case = copy.deepcopy(mini)
    case.update(changes, id=name)
    case = {key: value for key, value in case.items() if value is not None}
    with open(os.path.join(cases, name + ".json"), "w") as f:
        json.dump(case, f, indent=1)
with open(os.path.join(cases, "not_json.json"), "w") as f:
    f.write("{steps: 6}\n")


def npy(name, tokens):
    head = "{'descr': '<u2', 'fortran_order': False, 'shape': (%d,), }" % len(tokens)
    head = head.ljust(117) + "\n"
    with open(os.path.join(cases, name), "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        f.write(struct.pack("<%dH" % len(tokens), *tokens))


def megatron(name, tokens, bytes_left_out=0):
    """One document of uint16 (code 8), as Megatron-LM's MMapIndexedDataset keeps it."""
    raw = struct.pack("<%dH" % len(tokens), *tokens)
    with open(os.path.join(cases, name + ".bin"), "wb") as f:
        f.write(raw[:len(raw) - bytes_left_out])
    with open(os.path.join(cases, name + ".idx"), "wb") as f:
        f.write(b"MMIDIDX\x00\x00" + struct.pack("<QBQQ", 1, 8, 1, 2))
        f.write(struct.pack("<i", len(tokens)) + struct.pack("<q", 0) + struct.pack("<qq", 0, 1))


tokens = [(i * i + i // 7) % 128 for i in range(2000)]
npy("tokens.npy", tokens)
npy("short.npy", tokens[:10])
npy("token.npy", tokens[:500] + [128] + tokens[500:])
megatron("tokens", tokens)
megatron("cut", tokens, bytes_left_out=2)
with open(os.path.join(cases, "text.npy"), "w") as f:
    f.write("not an array\n")
