#!/usr/bin/env python3
"""A tiny Llama in Hugging Face's layout, and its loss, without our code or theirs: a forward pass in
the standard library's doubles, position by position.

    hf_llama.py make FOLDER             a model of 2 layers (the shape is SHAPE), as one fp32 file
    hf_llama.py loss FOLDER TOKEN…      mean cross-entropy in nats of each token but the first
    hf_llama.py hostile FOLDER OUT      OUT/NAME for every way in which the model can be wrong
"""
import cmath
import json
import math
import os
import random
import struct
import sys

from hf_weights import read_folder, write_file

SHAPE = {"vocab_size": 128, "hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2,
         "num_attention_heads": 4, "num_key_value_heads": 2, "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
         "tie_word_embeddings": False, "model_type": "llama"}


def names():
    h, f, s = SHAPE["hidden_size"], SHAPE["intermediate_size"], SHAPE
    kv = h // s["num_attention_heads"] * s["num_key_value_heads"]
    out = {"model.embed_tokens.weight": [s["vocab_size"], h], "model.norm.weight": [h],
           "lm_head.weight": [s["vocab_size"], h]}
    for i in range(s["num_hidden_layers"]):
        layer = {"input_layernorm": [h], "self_attn.q_proj": [h, h], "self_attn.k_proj": [kv, h],
                 "self_attn.v_proj": [kv, h], "self_attn.o_proj": [h, h],
                 "post_attention_layernorm": [h], "mlp.gate_proj": [f, h], "mlp.up_proj": [f, h],
                 "mlp.down_proj": [h, f]}
        out.update({f"model.layers.{i}.{name}.weight": shape for name, shape in layer.items()})
    return out


def make(folder):
    """Matrices that are far from what a training begins with, norms that are not 1."""
    draw = random.Random(20260101)
    tensors = []
    for name, shape in names().items():
        n = math.prod(shape)
        values = [draw.gauss(1, 0.2) if len(shape) == 1 else draw.gauss(0, 0.35) for _ in range(n)]
        tensors.append((name, (shape, struct.pack(f"<{n}f", *values))))
    os.mkdir(folder)
    write_file(os.path.join(folder, "model.safetensors"), tensors, "F32")
    with open(os.path.join(folder, "config.json"), "w") as f:
        json.dump(SHAPE, f)


def times(matrix, x):
    return [sum(a * b for a, b in zip(row, x)) for row in matrix]


def norm(x, w):
    scale = math.sqrt(sum(v * v for v in x) / len(x) + SHAPE["rms_norm_eps"])
    return [v / scale * g for v, g in zip(x, w)]


def turned(x, position, head):
    """Each head's halves are the real and imaginary parts of what is turned."""
    out = list(x)
    half = head // 2
    for begin in range(0, len(x), head):
        for i in range(half):
            z = complex(x[begin + i], x[begin + half + i])
            z *= cmath.exp(1j * position * SHAPE["rope_theta"] ** (-2 * i / head))
            out[begin + i], out[begin + half + i] = z.real, z.imag
    return out


def attend(q, keys, values, head):
    group = SHAPE["num_attention_heads"] // SHAPE["num_key_value_heads"]
    out = []
    for h in range(SHAPE["num_attention_heads"]):
        mine, theirs = slice(h * head, (h + 1) * head), slice(h // group * head, (h // group + 1) * head)
        scores = [sum(a * b for a, b in zip(q[mine], k[theirs])) / math.sqrt(head) for k in keys]
        weights = [math.exp(s - max(scores)) for s in scores]
        out += [sum(w * v[theirs][i] for w, v in zip(weights, values)) / sum(weights) for i in range(head)]
    return out


def loss(folder, tokens):
    w = {}
    for name, (shape, data) in read_folder(folder).items():
        flat = [x[0] for x in struct.iter_unpack("<f", data)]
        w[name] = flat if len(shape) == 1 else [flat[i:i + shape[1]] for i in range(0, len(flat), shape[1])]
    head = SHAPE["hidden_size"] // SHAPE["num_attention_heads"]
    layers = range(SHAPE["num_hidden_layers"])
    keys, values, total = [[] for _ in layers], [[] for _ in layers], 0.0
    for position, (token, target) in enumerate(zip(tokens, tokens[1:])):
        x = w["model.embed_tokens.weight"][token]
        for l in layers:
            p = {k.split(".", 3)[3][:-len(".weight")]: v for k, v in w.items() if k.startswith(f"model.layers.{l}.")}
            y = norm(x, p["input_layernorm"])
            keys[l].append(turned(times(p["self_attn.k_proj"], y), position, head))
            values[l].append(times(p["self_attn.v_proj"], y))
            q = turned(times(p["self_attn.q_proj"], y), position, head)
            x = [a + b for a, b in zip(x, times(p["self_attn.o_proj"], attend(q, keys[l], values[l], head)))]
            y = norm(x, p["post_attention_layernorm"])
            gated = [g / (1 + math.exp(-g)) * u for g, u in zip(times(p["mlp.gate_proj"], y), times(p["mlp.up_proj"], y))]
            x = [a + b for a, b in zip(x, times(p["mlp.down_proj"], gated))]
        logits = times(w["lm_head.weight"], norm(x, w["model.norm.weight"]))
        total += math.log(sum(math.exp(z) for z in logits)) - logits[target]
    print(f"{total / (len(tokens) - 1):.9f}")


def raw(path, header, data, length=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text) if length is None else length) + text + data)


def hostile(folder, out):
    os.makedirs(out)
    with open(os.path.join(folder, "model.safetensors"), "rb") as f:
        whole = f.read()
    (n,) = struct.unpack("<Q", whole[:8])
    header, data = json.loads(whole[8:8 + n]), whole[8 + n:]

    def variant(name, change, content=data):
        h = json.loads(json.dumps(header))
        change(h)
        raw(os.path.join(out, name + ".safetensors"), h, content)

    def path(name):
        return os.path.join(out, name + ".safetensors")

    q, first = "model.layers.0.self_attn.q_proj.weight", next(k for k in header if k != "__metadata__")
    with open(path("cut"), "wb") as f:
        f.write(whole[:-1000])
    with open(path("empty"), "wb"):
        pass
    with open(path("text"), "w") as f:
        f.write("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    raw(path("long_header"), header, data, 1 << 62)
    raw(path("no_json"), b"{" * 4096, data)
    variant("missing", lambda h: h.pop("lm_head.weight"), data)
    variant("renamed", lambda h: h.update({"lm_tail.weight": h.pop("lm_head.weight")}))
    variant("turned", lambda h: h["lm_head.weight"].update(shape=h["lm_head.weight"]["shape"][::-1]))
    variant("type", lambda h: h[q].update(dtype="I32"))
    variant("overlap", lambda h: h[q].update(data_offsets=h[first]["data_offsets"]))
    variant("beyond", lambda h: h[q].update(data_offsets=[len(data), len(data) + 1024]))
    variant("overflow", lambda h: h[q].update(shape=[1 << 33, 1 << 33]))
    variant("behind", lambda h: None, data + b"0123")
    for name, entry in (("outside", "../model.safetensors"), ("absolute", "/etc/passwd"), ("absent", "none.safetensors")):
        os.mkdir(os.path.join(out, name))
        with open(os.path.join(out, name, "model.safetensors.index.json"), "w") as f:
            json.dump({"weight_map": {k: entry for k in header if k != "__metadata__"}}, f)
    nan = bytearray(data)
    begin = header["lm_head.weight"]["data_offsets"][0]
    nan[begin:begin + 4] = struct.pack("<f", math.nan)
    os.makedirs(out + ".nan")
    raw(os.path.join(out + ".nan", "model.safetensors"), header, bytes(nan))


if __name__ == "__main__":
    verb, folder, *more = sys.argv[1:]
    if verb == "make":
        make(folder)
    elif verb == "loss":
        loss(folder, [int(t) for t in more])
    else:
        hostile(folder, *more)
