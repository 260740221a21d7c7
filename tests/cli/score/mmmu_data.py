#!/usr/bin/env python3
"""mmmu_data.py FOLDER: a model that sees, a case and MMMU's files, whose scores are known by hand.

The language model is that of mmlu_data.py, whose answer is the most frequent hint; behind a letter it ends. The
tower's rows say how bright a patch is, and the projector makes a hint ④ of a bright one, which counts for more than
all hints of the text. So a white picture is answered with D, a black one with the text's hint. Without any, all
logits are 0: <unk>, 128 times, names no option, and one is drawn.
"""
import json
import os
import struct
import sys
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import mmlu_data as text

SEEN, PATCH, SIDE = 4, 14, 28


def language():
    tensors = text.model(True)
    for letter in text.LETTERS:
        tensors["model.embed_tokens.weight"][text.PIECES.index(text.BLANK + letter)][14] = 10.0
    tensors["lm_head.weight"][text.PIECES.index("</s>")][14] = 1.0
    return tensors


def projector():
    first, second = text.zeros(text.HIDDEN, SEEN), text.zeros(text.HIDDEN, text.HIDDEN)
    first[0][0] = 10.0
    second[4][0] = second[5][0] = 0.1
    name = "multi_modal_projector.linear_"
    return {name + "1.weight": first, name + "1.bias": [0.0] * text.HIDDEN, name + "2.weight": second,
            name + "2.bias": [1.0] + [0.0] * (text.HIDDEN - 1)}


def tower():
    model, layer = "vision_tower.vision_model.", "vision_tower.vision_model.encoder.layers.0."
    tensors = {model + "embeddings.class_embedding": [0.0] * SEEN,
               model + "embeddings.position_embedding.weight": [[0.0, 0.0, 1.0, -1.0]] * 5}
    for norm in [model + "pre_layrnorm", layer + "layer_norm1", layer + "layer_norm2"]:
        tensors |= {norm + ".weight": [1.0] * SEEN, norm + ".bias": [0.0] * SEEN}
    for linear, out, width in [(f"self_attn.{n}_proj", SEEN, SEEN) for n in ["q", "k", "v", "out"]] + [
            ("mlp.fc1", 8, SEEN), ("mlp.fc2", SEEN, 8)]:
        tensors |= {f"{layer}{linear}.weight": text.zeros(out, width), f"{layer}{linear}.bias": [0.0] * out}
    share = 1 / (3 * PATCH * PATCH)
    return tensors, {model + "embeddings.patch_embedding.weight": [s * share for s in [1, -1, 0, 0]
                                                                   for _ in range(3 * PATCH * PATCH)]}


def write_all(path, tensors, patches):
    header, data = {}, b""
    for name, rows in sorted((tensors | patches).items()):
        flat = [x for row in rows for x in row] if isinstance(rows[0], list) else rows
        shape = ([SEEN, 3, PATCH, PATCH] if name in patches else
                 [len(rows), len(rows[0])] if isinstance(rows[0], list) else [len(rows)])
        begin, data = len(data), data + struct.pack(f"<{len(flat)}f", *flat)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [begin, len(data)]}
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 8)
    text.write(path, struct.pack("<Q", len(head)) + head + data)


def png(path, value, width=30, height=29):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes([value]) * 3 * width) * height
    text.write(path, b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
               chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def questions():
    options = ["one", "two", "three", "four"]
    rows = [("Accounting_1", "which? ②", options, "B", "black"),          # right
            ("Accounting_2", "which <image 1>?", options, "D", "white"),   # right: the picture
            ("Accounting_3", "which? ①", options, "C", "black"),          # wrong
            ("Art_Theory_1", "③ ③ ①", str(options), "C", "black"),        # right: options as MMMU's tables have them
            ("Art_Theory_2", "①", options, "A", "white"),                 # wrong: the picture
            ("Math_1", "how many? ③", [], ["three", "C"], "black"),       # right: "C" is in "C"
            ("Math_2", "how many? ③", "[]", "['2', '2.0']", "black"),     # wrong
            ("Math_3", "no hint", options, "A", "black")]                 # generated: drawn; by logits: A
    return [{"id": "validation_" + i, "question": q, "options": o, "answer": a, "image_1": f"images/{p}.png",
             "question_type": "open" if i in ("Math_1", "Math_2") else "multiple-choice"} for i, q, o, a, p in rows]


def main():
    folder = sys.argv[1]
    seen, patches = tower()
    text.write(f"{folder}/tokenizer.model", text.tokenizer())
    write_all(f"{folder}/model/model.safetensors", language() | projector() | seen, patches)
    text.write_tensors(f"{folder}/language/model.safetensors", language())
    text.write_tensors(f"{folder}/projector/mm_projector.safetensors", projector())
    write_all(f"{folder}/tower/model.safetensors", seen, patches)
    text.write(f"{folder}/mmmu/questions.json", json.dumps(questions()).encode())
    png(f"{folder}/mmmu/images/black.png", 0)
    png(f"{folder}/mmmu/images/white.png", 255)
    vision = {"layers": 2, "hidden": SEEN, "heads": 1, "ffn": 8, "image_size": SIDE, "patch_size": PATCH}
    shape = {"vocabulary": len(text.PIECES), "layers": 1, "hidden": text.HIDDEN, "heads": 1, "ffn": text.FFN,
             "rope_theta": 1e9, "names": "llava_hf", "vision": vision}
    case = {"schema": "fpreport.case/1", "id": "seeing", "title": {"zh": "手工模型", "en": "a crafted model"},
            "task": {"zh": "多模态大模型", "en": "Multimodal large model"}, "model": "seeing", "trainer": "native",
            "data": {"kind": "generated", "name": "fpreport picture corpus"}, "sequence_length": 64, "steps": 1,
            "seed": 1, "precision": "fp32"}
    model = {"schema": "fpreport.model/1", "id": "seeing", "name": "seeing", "shape": shape}
    blind = {"vocabulary": len(text.PIECES), "layers": 1, "hidden": 16, "heads": 1, "ffn": 16}
    for path, record in [("models/seeing.json", model), ("cases/seeing.json", case | {"stage": "finetune"}),
                         ("models/blind.json", model | {"id": "blind", "name": "blind", "shape": blind}),
                         ("cases/blind.json", case | {"id": "blind", "model": "blind"})]:
        text.write(f"{folder}/records/{path}", json.dumps(record).encode())


main()
