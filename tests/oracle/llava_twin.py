#!/usr/bin/env python3
"""llava_twin.py: a LLaVA of a few hundred weights in plain Python floats, written from the papers' formulas and
not from the trainer: its loss, what its tower gives, and gradients by central differences. Prints the tables of
tests/unit/trainer/model/llava_twin.h.

Weight k of a tensor is 0.4 sin(0.001 h + 0.7 k), rounded to fp32, with h = fold of h * 31 + byte over its name,
below 65536; those of norms are 1 more. Pixel i is (7 i i + 3 i) mod 256.
"""
import math
import struct

V, L, H, A, K, F = 11, 2, 16, 2, 1, 12          # language model: vocabulary, layers, hidden, heads, kv heads, ffn
TL, TH, TA, TF, SIDE, P = 2, 8, 2, 12, 4, 2     # tower
ROWS = (SIDE // P) ** 2
LENGTH = 8
INPUTS = [[1, -1, -1, -1, -1, 5, 6, 7], [1, 8, 9, 10, 2, 0, 0, 0]]
TARGETS = [[None, None, None, None, None, 6, 7, None], [None, 9, 10, 2, None, None, None, None]]
MEAN, DEVIATION = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)
nudged = {}


def fp32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def weight(name, k):
    h = 0
    for byte in name.encode():
        h = (h * 31 + byte) % 65536
    one = 1.0 if "norm" in name and name.endswith(".weight") else 0.0
    return fp32(one + 0.4 * math.sin(0.001 * h + 0.7 * k)) + nudged.get((name, k), 0.0)


def matrix(name, rows, width):
    return [[weight(name, r * width + c) for c in range(width)] for r in range(rows)]


def vector(name, width):
    return [weight(name, c) for c in range(width)]


def linear(x, name, out, bias=True):
    w = matrix(name + ".weight", out, len(x[0]))
    b = vector(name + ".bias", out) if bias else [0.0] * out
    return [[sum(p * q for p, q in zip(row, w[o])) + b[o] for o in range(out)] for row in x]


def add(x, y):
    return [[p + q for p, q in zip(a, b)] for a, b in zip(x, y)]


def layer_norm(x, name):
    w, b, out = vector(name + ".weight", len(x[0])), vector(name + ".bias", len(x[0])), []
    for row in x:
        m = sum(row) / len(row)
        v = sum((e - m) ** 2 for e in row) / len(row)
        out.append([(e - m) / math.sqrt(v + 1e-5) * p + q for e, p, q in zip(row, w, b)])
    return out


def rms_norm(x, name):
    w = vector(name + ".weight", len(x[0]))
    return [[e / math.sqrt(sum(f * f for f in row) / len(row) + 1e-5) * p for e, p in zip(row, w)] for row in x]


def attend(q, k, v, heads, kv_heads, causal):
    width, out = len(q[0]) // heads, []
    for i in range(len(q)):
        row = []
        for h in range(heads):
            g = h // (heads // kv_heads)
            seen = range(i + 1 if causal else len(q))
            s = [sum(q[i][h * width + e] * k[j][g * width + e] for e in range(width)) / math.sqrt(width) for j in seen]
            top = max(s)
            p = [math.exp(x - top) for x in s]
            row += [sum(p[j] * v[j][g * width + e] for j in seen) / sum(p) for e in range(width)]
        out.append(row)
    return out


def turn(x, heads):
    width, out = len(x[0]) // heads, []
    for i, row in enumerate(x):
        new = list(row)
        for h in range(heads):
            for e in range(width // 2):
                angle = i * 10000.0 ** (-2 * e / width)
                a, b = row[h * width + e], row[h * width + e + width // 2]
                new[h * width + e] = a * math.cos(angle) - b * math.sin(angle)
                new[h * width + e + width // 2] = b * math.cos(angle) + a * math.sin(angle)
        out.append(new)
    return out


def tower():
    base, patches = "vision_tower.vision_model.", []
    pixel = lambda y, x, c: (lambda i: (7 * i * i + 3 * i) % 256)((y * SIDE + x) * 3 + c)
    for py in range(SIDE // P):
        for px in range(SIDE // P):
            patches.append([(pixel(py * P + y, px * P + x, c) / 255 - MEAN[c]) / DEVIATION[c]
                            for c in range(3) for y in range(P) for x in range(P)])
    x = [vector(base + "embeddings.class_embedding", TH)] + linear(patches, base + "embeddings.patch_embedding", TH, False)
    x = layer_norm(add(x, matrix(base + "embeddings.position_embedding.weight", 1 + ROWS, TH)), base + "pre_layrnorm")
    for l in range(TL):
        name = f"{base}encoder.layers.{l}."
        n = layer_norm(x, name + "layer_norm1")
        q, k, v = (linear(n, name + f"self_attn.{c}_proj", TH) for c in "qkv")
        x = add(x, linear(attend(q, k, v, TA, TA, False), name + "self_attn.out_proj", TH))
        n = linear(layer_norm(x, name + "layer_norm2"), name + "mlp.fc1", TF)
        x = add(x, linear([[e / (1 + math.exp(-1.702 * e)) for e in row] for row in n], name + "mlp.fc2", TH))
    return x[1:]


def project(rows):
    name = "multi_modal_projector.linear_"
    inner = linear(rows, name + "1", H)
    return linear([[e * (1 + math.erf(e / math.sqrt(2))) / 2 for e in row] for row in inner], name + "2", H)


def loss(rows):
    table, pictures, total, n = matrix("language_model.model.embed_tokens.weight", V, H), iter(project(rows)), 0.0, 0
    for inputs, targets in zip(INPUTS, TARGETS):
        x = [next(pictures) if t < 0 else table[t] for t in inputs]
        for l in range(L):
            name = f"language_model.model.layers.{l}."
            y = rms_norm(x, name + "input_layernorm")
            q, k, v = (linear(y, f"{name}self_attn.{c}_proj", w, False) for c, w in
                       [("q", H), ("k", K * H // A), ("v", K * H // A)])
            y = attend(turn(q, A), turn(k, K), v, A, K, True)
            x = add(x, linear(y, name + "self_attn.o_proj", H, False))
            y = rms_norm(x, name + "post_attention_layernorm")
            gate, up = linear(y, name + "mlp.gate_proj", F, False), linear(y, name + "mlp.up_proj", F, False)
            y = [[g / (1 + math.exp(-g)) * u for g, u in zip(a, b)] for a, b in zip(gate, up)]
            x = add(x, linear(y, name + "mlp.down_proj", H, False))
        logits = linear(rms_norm(x, "language_model.model.norm"), "language_model.lm_head", V, False)
        for row, target in zip(logits, targets):
            if target is not None:
                top = max(row)
                total += top + math.log(sum(math.exp(e - top) for e in row)) - row[target]
                n += 1
    return total / n


def main():
    rows, layer = tower(), "language_model.model.layers."
    print(f"static const double twin_loss = {loss(rows):.12g};\n")
    print("static const double twin_rows[] = {" + ", ".join(f"{e:.9g}" for row in rows for e in row) + "};\n")
    print("static const struct twin_gradient {\n    const char *name;\n    int element;\n    double value;\n} twin_gradients[] = {")
    for name, k in [("language_model.model.embed_tokens.weight", 1 * H + 3), ("language_model.model.embed_tokens.weight", 5 * H),
                    (layer + "0.input_layernorm.weight", 2), (layer + "0.self_attn.q_proj.weight", 37),
                    (layer + "0.self_attn.k_proj.weight", 21), (layer + "0.self_attn.v_proj.weight", 50),
                    (layer + "1.self_attn.o_proj.weight", 77), (layer + "0.mlp.gate_proj.weight", 90),
                    (layer + "1.mlp.up_proj.weight", 11), (layer + "1.mlp.down_proj.weight", 60),
                    ("language_model.model.norm.weight", 9), ("language_model.lm_head.weight", 6 * H + 1),
                    ("multi_modal_projector.linear_1.weight", 19), ("multi_modal_projector.linear_1.bias", 4),
                    ("multi_modal_projector.linear_2.weight", 33), ("multi_modal_projector.linear_2.bias", 7)]:
        sides = []
        for by in (1e-4, -1e-4):
            nudged[(name, k)] = by
            sides.append(loss(rows))
            del nudged[(name, k)]
        print(f'    {{"{name}", {k}, {(sides[0] - sides[1]) / 2e-4:.9g}}},')
    print("};")


main()
