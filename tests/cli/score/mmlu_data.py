#!/usr/bin/env python3
"""mmlu_data.py FOLDER: a tokenizer, a model, a case and MMLU's files, whose scores are known by hand.

The tokenizer: <unk>, <s>, </s>, 256 bytes, the blank, A to D, blank + A to D, and four hints: ① to ④. All other
text is bytes.

The model has one layer of one head. Its last token looks at all hints in the prompt alike and at nothing else; the
logits of A to D are the numbers of ① to ④ that it sees, over all that it sees, and every other logit is 0. So the
most frequent hint is the answer. Without a hint all logits are 0: A is the first of four (mmlu), token 0 the first
of the vocabulary (mmlu-flagperf). The model's v_proj is 0 in `base/`, where adapters bring it (`adapters/`).
"""
import json
import os
import struct
import sys

HINTS, LETTERS, BLANK = "①②③④", "ABCD", "\u2581"
HIDDEN, FFN = 16, 16
PIECES = (["<unk>", "<s>", "</s>"] + [f"<0x{b:02X}>" for b in range(256)] + [BLANK] + list(LETTERS) +
          [BLANK + c for c in LETTERS] + list(HINTS))


def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def field(number, payload):
    if isinstance(payload, int):
        return varint(number * 8) + varint(payload)
    if isinstance(payload, float):
        return varint(number * 8 + 5) + struct.pack("<f", payload)
    return varint(number * 8 + 2) + varint(len(payload)) + payload


def tokenizer():
    out = b""
    for i, piece in enumerate(PIECES):
        kind = 2 if i == 0 else 3 if i < 3 else 6 if i < 259 else 1
        out += field(1, field(1, piece.encode()) + field(2, float(-i)) + field(3, kind))
    return out + field(2, field(3, 2) + field(35, 1)) + field(3, field(1, b"identity") + field(4, 0))


def zeros(rows, width):
    return [[0.0] * width for _ in range(rows)]


def model(with_values):
    prefix, tensors = "model.layers.0.", {}
    embedding, head = zeros(len(PIECES), HIDDEN), zeros(len(PIECES), HIDDEN)
    for row in embedding:
        row[0] = 1.0
    for i, hint in enumerate(HINTS):
        embedding[PIECES.index(hint)][1 + i] = embedding[PIECES.index(hint)][5] = 1.0
        head[PIECES.index(BLANK + LETTERS[i])][6 + i] = 1.0
    for name in ["q_proj", "k_proj", "v_proj", "o_proj"]:
        tensors[f"{prefix}self_attn.{name}.weight"] = zeros(HIDDEN, HIDDEN)
    # Elements 7 and 15 of a head turn the least: by 1e9^(-14/16) a token.
    tensors[f"{prefix}self_attn.q_proj.weight"][7][0] = 8.0
    tensors[f"{prefix}self_attn.k_proj.weight"][7][5] = 8.0
    for i in range(4):
        tensors[f"{prefix}self_attn.o_proj.weight"][6 + i][i] = 1.0
        if with_values:
            tensors[f"{prefix}self_attn.v_proj.weight"][i][1 + i] = 1.0
    for name, rows, width in [("gate_proj", FFN, HIDDEN), ("up_proj", FFN, HIDDEN), ("down_proj", HIDDEN, FFN)]:
        tensors[f"{prefix}mlp.{name}.weight"] = zeros(rows, width)
    for name in [prefix + "input_layernorm", prefix + "post_attention_layernorm", "model.norm"]:
        tensors[name + ".weight"] = [1.0] * HIDDEN
    return tensors | {"model.embed_tokens.weight": embedding, "lm_head.weight": head}


def adapters():
    a, b = zeros(4, HIDDEN), zeros(HIDDEN, 4)
    for i in range(4):
        a[i][1 + i] = b[i][i] = 1.0
    name = "base_model.model.model.layers.0.self_attn.v_proj.lora_"
    return {name + "A.weight": a, name + "B.weight": b}


def write_tensors(path, tensors):
    header, data = {}, b""
    for name in sorted(tensors):
        rows = tensors[name]
        flat = [x for row in rows for x in row] if isinstance(rows[0], list) else rows
        shape = [len(rows), len(rows[0])] if isinstance(rows[0], list) else [len(rows)]
        begin, data = len(data), data + struct.pack(f"<{len(flat)}f", *flat)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [begin, len(data)]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    write(path, struct.pack("<Q", len(text)) + text + data)


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.write(data)


def questions(*rows):
    quoted = [",".join('"' + cell.replace('"', '""') + '"' if set(cell) & set(',"\n') else cell for cell in row)
              for row in rows]
    return ("\n".join(quoted) + "\n").encode()


def row(text, answer, choices=("one", "two, or more", 'the "third"', "None")):
    return (text, *choices, answer)


def mmlu(folder):
    # mmlu 7 of 8, mmlu-flagperf 6 of 8: the last one has no hint, and its answer is A.
    plain = [row("plain", c) for c in "ABCDA"]
    hints = [row(f"which? {HINTS[LETTERS.index(c)]}", c) for c in "ABCD"]
    hints += [row("two\nlines ④", "D"), row("a, b and ③", "C"), row("wrong ①", "B"), row("none", "A")]
    # All five examples fit 2048 tokens and have ② four times, the question ① twice: B. 512 tokens have room for
    # the last two examples, which have ② once: A. mmlu 0 of 4, mmlu-flagperf 4 of 4.
    front = [row("x" * 110 + ("②" if i < 4 else ""), "B") for i in range(5)]
    # The last example has ③ three times. 2048 tokens have room for four examples: A. 512 have room for none, and
    # not for the third question, of which only the header stays. mmlu 3 of 3, mmlu-flagperf 2 of 3.
    last = [row("y" * 420 + ("③③③" if i == 4 else ""), "C") for i in range(5)]
    for subject, dev, test in [
            ("abstract_hints", plain, hints),
            ("dropped_front", front, [row("q ①①", "A")] * 4),
            ("dropped_last", last, [row("q ①", "A"), row("r ①", "A"), row("z" * 600 + "①", "A")])]:
        write(f"{folder}/dev/{subject}_dev.csv", questions(*dev))
        write(f"{folder}/test/{subject}_test.csv", questions(*test))


def records(folder):
    shape = {"vocabulary": len(PIECES), "layers": 1, "hidden": HIDDEN, "heads": 1, "ffn": FFN, "rope_theta": 1e9}
    case = {"schema": "fpreport.case/1", "id": "crafted", "title": {"zh": "手工模型", "en": "a crafted model"},
            "task": {"zh": "自然语言理解", "en": "language modelling"}, "model": "crafted", "trainer": "native",
            "data": {"kind": "generated", "name": "corpus"}, "sequence_length": 64, "steps": 1, "seed": 1,
            "precision": "fp32"}
    lora = {"r": 4, "alpha": 4, "dropout": 0.5, "targets": ["v_proj"]}
    for path, record in [
            ("models/crafted.json", {"schema": "fpreport.model/1", "id": "crafted", "name": "crafted", "shape": shape}),
            ("cases/crafted.json", case),
            ("cases/crafted_lora.json", case | {"id": "crafted_lora", "lora": lora})]:
        write(f"{folder}/{path}", json.dumps(record).encode())


def main():
    folder = sys.argv[1]
    write(f"{folder}/tokenizer.model", tokenizer())
    write_tensors(f"{folder}/model/model.safetensors", model(True))
    write_tensors(f"{folder}/base/model.safetensors", model(False))
    write_tensors(f"{folder}/adapters/adapter_model.safetensors", adapters())
    mmlu(f"{folder}/mmlu")
    records(f"{folder}/records")


if __name__ == "__main__":
    main()
