#!/usr/bin/env python3
"""The loss of step 1 from a dump, by a forward pass in NumPy doubles, token by token where the C
trainer works on whole matrices: every row attends over a Python loop of its own past.

    numpy_forward.py DUMP OURS.csv     exits 1 unless the losses agree to 1e-6 of themselves
"""
import json
import sys

import numpy as np


def norm(x, w, eps):
    return x / np.sqrt((x * x).mean() + eps) * w


def turn(x, position, theta):
    half = len(x) // 2
    out = x.copy()
    for i in range(half):
        z = complex(x[i], x[i + half]) * np.exp(1j * position * theta ** (-i / half))
        out[i], out[i + half] = z.real, z.imag
    return out


def main(dump, ours):
    with open(dump, "rb") as f:
        s = json.loads(f.readline())
        w = {t["name"]: np.frombuffer(f.read(4 * t["rows"] * t["width"]), "<f4")
             .reshape(t["rows"], t["width"]).astype(float) for t in s["tensors"]}
        tokens = np.frombuffer(f.read(), "<i4").reshape(-1, s["sequence_length"] + 1)
    heads, group, width = s["heads"], s["heads"] // s["kv_heads"], s["hidden"] // s["heads"]
    losses = []
    for sequence in tokens[: s["micro_batch"] * s["gradient_accumulation"]]:
        keys = [[] for _ in range(s["layers"])]
        values = [[] for _ in range(s["layers"])]
        for position, (token, target) in enumerate(zip(sequence, sequence[1:])):
            x = w["model.embed_tokens.weight"][token]
            for l in range(s["layers"]):
                p = {k.split(".", 3)[3]: v for k, v in w.items() if k.startswith(f"model.layers.{l}.")}
                y = norm(x, p["input_layernorm.weight"][0], s["norm_eps"])
                q = (p["self_attn.q_proj.weight"] @ y).reshape(-1, width)
                k = (p["self_attn.k_proj.weight"] @ y).reshape(-1, width)
                keys[l].append([turn(row, position, s["rope_theta"]) for row in k])
                values[l].append((p["self_attn.v_proj.weight"] @ y).reshape(-1, width))
                gathered = []
                for h in range(heads):
                    score = np.array([turn(q[h], position, s["rope_theta"]) @ past[h // group]
                                      for past in keys[l]]) / width ** 0.5
                    weight = np.exp(score - score.max())
                    gathered.append(sum(a * past[h // group] for a, past in zip(weight, values[l]))
                                    / weight.sum())
                x = x + p["self_attn.o_proj.weight"] @ np.concatenate(gathered)
                y = norm(x, p["post_attention_layernorm.weight"][0], s["norm_eps"])
                gate = p["mlp.gate_proj.weight"] @ y
                x = x + p["mlp.down_proj.weight"] @ (
                    gate / (1 + np.exp(-gate)) * (p["mlp.up_proj.weight"] @ y))
            head = w["model.embed_tokens.weight" if s["tied"] else "lm_head.weight"]
            logits = head @ norm(x, w["model.norm.weight"][0], s["norm_eps"])
            losses.append(np.log(np.exp(logits).sum()) - logits[target])
    with open(ours) as f:
        first = float(f.readlines()[1].split(",")[1])
    oracle = float(np.mean(losses))
    print(f"step 1: ours {first:.9g}, numpy {oracle:.9g}, relative {abs(first / oracle - 1):.2e}")
    return abs(first / oracle - 1) > 1e-6


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
