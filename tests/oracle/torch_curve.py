#!/usr/bin/env python3
"""Independent oracle on a GPU: PyTorch trains from our safetensors what the trainer trained.

    torch_curve.py START [--device cuda] COMPUTE=OURS.csv:LIMIT …

START is dump_start's folder: initial weights under Hugging Face's names, the settings, and the
sequences in order. COMPUTE is fp32, or bf16: PyTorch's autocast over fp32 weights, gradients and
moments, as a careful user would train. OURS.csv has lines `step,loss,grad_norm,…`. For each, one
TAP line with the mean and the largest relative deviation of the loss from step 21 on (the alignment
rule's steps), and whether the mean is at most LIMIT; for fp32, another for the loss and the gradient
norm of step 1, which no optimizer has touched yet.

    torch_curve.py START --dry-run

needs neither torch nor NumPy: reads everything, checks every name and shape against config.json,
and prints the SHA-256 of the weights, which is what the trainer says of them.

The model is torch_tiny_llama.py's; nothing is shared with the C trainer but the files.
"""
import argparse
import array
import csv
import hashlib
import json
import math
import os
import sys

import hf_weights

FROM_STEP = 21
FIRST_STEP_LIMIT = 1e-5


def expected_shapes(s):
    """Hugging Face's names and shapes of a Llama of these settings, in the order of its layers."""
    hidden, ffn = int(s["hidden"]), int(s["ffn"])
    kv = hidden // int(s["heads"]) * int(s["kv_heads"])
    in_layer = {"input_layernorm": [hidden], "self_attn.q_proj": [hidden, hidden],
                "self_attn.k_proj": [kv, hidden], "self_attn.v_proj": [kv, hidden],
                "self_attn.o_proj": [hidden, hidden], "post_attention_layernorm": [hidden],
                "mlp.gate_proj": [ffn, hidden], "mlp.up_proj": [ffn, hidden],
                "mlp.down_proj": [hidden, ffn]}
    shapes = {"model.embed_tokens.weight": [int(s["vocab"]), hidden]}
    for layer in range(int(s["layers"])):
        shapes.update({f"model.layers.{layer}.{n}.weight": x for n, x in in_layer.items()})
    shapes["model.norm.weight"] = [hidden]
    if not s["tied"]:
        shapes["lm_head.weight"] = [int(s["vocab"]), hidden]
    return shapes


def read_start(folder):
    """-> settings, {name: (shape, fp32 bytes)}, tokens as an array of int32, its shape"""
    with open(os.path.join(folder, "settings.json")) as f:
        settings = json.load(f)
    tensors = hf_weights.read_folder(folder)
    expected = expected_shapes(settings)
    found = {name: shape for name, (shape, _) in tensors.items()}
    if found != expected:
        wrong = sorted(set(map(str, found.items())) ^ set(map(str, expected.items())))
        sys.exit(f"{folder}: found other tensors than expected: {wrong[:4]}")
    tokens = array.array("i")
    with open(os.path.join(folder, "sequences.i32"), "rb") as f:
        tokens.frombytes(f.read())
    shape = [int(settings["steps"]), int(settings["gradient_accumulation"]),
             int(settings["micro_batch"]) * int(settings["ranks"]),
             int(settings["sequence_length"]) + 1]
    if len(tokens) != math.prod(shape):
        sys.exit(f"{folder}: found {len(tokens)} tokens, expected {math.prod(shape)}")
    if not all(0 <= t < settings["vocab"] for t in tokens):
        sys.exit(f"{folder}: found a token that is not below {settings['vocab']:.0f}")
    return settings, {name: tensors[name] for name in expected}, tokens, shape


def dry_run(folder):
    settings, tensors, tokens, shape = read_start(folder)
    values = b"".join(data for _, data in tensors.values())
    print(f"{len(tensors)} tensors, {len(values) // 4} weights, tokens {shape}")
    print(hashlib.sha256(values).hexdigest())


def read_curve(path):
    """{step: (loss, gradient norm)}; lines that are no steps are passed over"""
    with open(path, newline="") as f:
        return {int(row[0]): (float(row[1]), float(row[2]))
                for row in csv.reader(f) if row and row[0].isdigit()}


def train(start, compute, device):
    import torch
    import torch_tiny_llama as oracle
    settings, tensors, tokens, shape = start
    weights = {name: torch.frombuffer(bytearray(data), dtype=torch.float32).reshape(size).numpy()
               for name, (size, data) in tensors.items()}
    model = oracle.Llama(settings, weights, torch.device(device), torch.float32)
    sequences = torch.tensor(tokens, dtype=torch.int64).reshape(shape).to(device)
    plain = model.loss

    def loss(part):  # entered anew each time: within one entry, rounded weights would be kept
        with torch.autocast(device, torch.bfloat16, enabled=compute == "bf16"):
            return plain(part)

    model.loss = loss
    return {step: (loss, norm) for step, loss, norm, _ in
            oracle.train(model, sequences, int(settings["steps"]))}


class Tap:
    def __init__(self):
        self.tests = self.failed = 0

    def tell(self, ok, text):
        self.tests += 1
        self.failed += not ok
        print(f"{'' if ok else 'not '}ok {self.tests} - {text}", flush=True)


def apart(a, b):
    return abs(a - b) / abs(b)


def deviation(ours, oracle):
    """Mean and largest relative deviation of the loss over the alignment rule's steps."""
    off = [apart(ours[n][0], oracle[n][0]) for n in oracle if n >= FROM_STEP]
    return sum(off) / len(off), max(off)


def judge(tap, compute, ours, oracle, limit):
    steps = [n for n in sorted(oracle) if n >= FROM_STEP]
    if not set(oracle) <= set(ours) or not steps:
        return tap.tell(False, f"{compute}: found {len(ours)} steps, expected {len(oracle)}")
    mean, worst = deviation(ours, oracle)
    first, last = min(oracle), max(oracle)
    tap.tell(mean <= limit, f"{compute}, loss against PyTorch's, steps {steps[0]} to {last}: mean {mean:.2e}, "
             f"largest {worst:.2e}, mean at most {limit:.0e} (loss {ours[first][0]:.4f} to {ours[last][0]:.4f}, "
             f"PyTorch's {oracle[first][0]:.4f} to {oracle[last][0]:.4f})")
    if compute == "fp32":
        loss, norm = (apart(ours[first][i], oracle[first][i]) for i in (0, 1))
        tap.tell(max(loss, norm) <= FIRST_STEP_LIMIT, f"{compute}, step {first} against PyTorch's: loss {loss:.2e}, "
                 f"gradient norm {norm:.2e}, at most {FIRST_STEP_LIMIT:.0e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("start")
    parser.add_argument("curves", nargs="*", metavar="COMPUTE=OURS.csv:LIMIT")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--dry-run", action="store_true")
    args = parser.parse_intermixed_args()
    if args.dry_run:
        return dry_run(args.start)
    import torch
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    start, tap, oracles = read_start(args.start), Tap(), {}
    for curve in args.curves:
        compute, rest = curve.split("=", 1)
        path, limit = rest.rsplit(":", 1)
        oracles[compute] = train(start, compute, args.device)
        judge(tap, compute, read_curve(path), oracles[compute], float(limit))
    print(f"1..{tap.tests}")
    if len(oracles) == 2:
        mean, worst = deviation(oracles["bf16"], oracles["fp32"])
        print(f"# for comparison, PyTorch's bf16 against its fp32: mean {mean:.2e}, largest {worst:.2e}")
    print(f"# torch {torch.__version__}, {args.device}")
    return tap.failed > 0


if __name__ == "__main__":
    sys.exit(main())
