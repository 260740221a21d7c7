#!/usr/bin/env python3
"""Model folders in Hugging Face's layout, read and written without our code or theirs: the standard
library and the description of the format (https://github.com/huggingface/safetensors).

    hf_weights.py hash FOLDER           SHA-256 of all values as fp32, in the order of a Llama's layers
    hf_weights.py shard IN OUT DTYPE    the same model as BF16, F16 or F32 in three files and an index,
                                        values rounded toward zero, tensors in a shuffled order, and
                                        a rotary buffer per layer as old models have it
    hf_weights.py same A B              exits 1 unless both hold the same values under the same names
"""
import hashlib
import json
import os
import random
import struct
import sys

SIZES = {"F32": 4, "BF16": 2, "F16": 2}
IN_LAYER = ["input_layernorm", "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj",
            "self_attn.o_proj", "post_attention_layernorm", "mlp.gate_proj", "mlp.up_proj",
            "mlp.down_proj"]


def widen(data, dtype):
    """The values of a tensor as fp32 bytes."""
    if dtype == "F32":
        return data
    if dtype == "BF16":
        return b"".join(b"\0\0" + data[i:i + 2] for i in range(0, len(data), 2))
    return b"".join(struct.pack("<f", x[0]) for x in struct.iter_unpack("<e", data))


def narrow(data, dtype):
    if dtype == "F32":
        return data
    if dtype == "BF16":
        return b"".join(data[i + 2:i + 4] for i in range(0, len(data), 4))
    return b"".join(struct.pack("<e", x[0]) for x in struct.iter_unpack("<f", data))


def read_file(path):
    with open(path, "rb") as f:
        (length,) = struct.unpack("<Q", f.read(8))
        header = json.loads(f.read(length))
        data = f.read()
    assert header.pop("__metadata__", {}).get("format") == "pt", "transformers asks for it"
    assert max(t["data_offsets"][1] for t in header.values()) == len(data)
    tensors = {}
    for name, t in header.items():
        begin, end = t["data_offsets"]
        elements = 1
        for n in t["shape"]:
            elements *= n
        assert end - begin == elements * SIZES[t["dtype"]], name
        assert (8 + length + begin) % SIZES[t["dtype"]] == 0, "aligned"
        tensors[name] = (t["shape"], widen(data[begin:end], t["dtype"]))
    return tensors


def read_folder(folder):
    index = os.path.join(folder, "model.safetensors.index.json")
    if not os.path.exists(index):
        return read_file(os.path.join(folder, "model.safetensors"))
    tensors = {}
    for name in sorted(set(json.load(open(index))["weight_map"].values())):
        tensors.update(read_file(os.path.join(folder, name)))
    return {n: t for n, t in tensors.items() if "rotary_emb" not in n}


def as_numbers(tensors):
    """A step of size 0 leaves every number as it is, but may make 0 of -0: they are the same."""
    return {name: (shape, [x[0] for x in struct.iter_unpack("<f", values)])
            for name, (shape, values) in tensors.items()}


def write_file(path, tensors, dtype):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, (shape, values) in tensors:
        values = narrow(values, dtype)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + data)


def shard(source, target, dtype):
    tensors = list(read_folder(source).items())
    layers = json.load(open(os.path.join(source, "config.json")))["num_hidden_layers"]
    tensors += [(f"model.layers.{i}.self_attn.rotary_emb.inv_freq", ([2], b"\0\0\x80\x3f" * 2))
                for i in range(layers)]
    random.Random(1).shuffle(tensors)
    os.mkdir(target)
    files = [f"model-{i + 1:05}-of-00003.safetensors" for i in range(3)]
    for i, name in enumerate(files):
        write_file(os.path.join(target, name), tensors[i::3], dtype)
    weight_map = {tensor: files[i] for i in range(3) for tensor, _ in tensors[i::3]}
    with open(os.path.join(target, "model.safetensors.index.json"), "w") as f:
        json.dump({"metadata": {}, "weight_map": weight_map}, f, indent=2)


def main(verb, folder, *more):
    if verb == "shard":
        shard(folder, *more)
    elif verb == "same":
        sys.exit(as_numbers(read_folder(folder)) != as_numbers(read_folder(*more)))
    else:
        tensors, config = read_folder(folder), json.load(open(os.path.join(folder, "config.json")))
        names = ["model.embed_tokens"]
        for layer in range(config["num_hidden_layers"]):
            names += [f"model.layers.{layer}.{n}" for n in IN_LAYER]
        names += ["model.norm"] + ([] if config["tie_word_embeddings"] else ["lm_head"])
        assert sorted(n + ".weight" for n in names) == sorted(tensors)
        print(hashlib.sha256(b"".join(tensors[n + ".weight"][1] for n in names)).hexdigest())


if __name__ == "__main__":
    main(*sys.argv[1:])
