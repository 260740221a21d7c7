#!/usr/bin/env python3
"""Independent oracle: the same training by PyTorch's autograd and its own AdamW.

Reads what dump_tiny_llama wrote (settings, initial weights, sequences in order), trains, and
writes `step,loss,grad_norm,lr` as CSV. With --compare it also prints how far another curve
(ours) is from this one. Needs torch and numpy; runs on a CPU or on CUDA.

    python3 torch_tiny_llama.py tiny.bin -o torch.csv --compare ours.csv
    python3 torch_tiny_llama.py tiny.bin -o torch64.csv --dtype float64 --compare ours.csv

Nothing is shared with the C trainer but the file: attention, norms, rotary embedding, loss,
clipping and optimizer are written from their definitions or taken from PyTorch.
"""
import argparse
import csv
import json
import math
import sys

import numpy as np
import torch
import torch.nn.functional as F


def read_dump(path):
    """-> settings, {name: float32 array}, int64 array [steps, accumulation, batch, length + 1]"""
    with open(path, "rb") as f:
        settings = json.loads(f.readline().decode("ascii"))
        weights = {}
        for t in settings["tensors"]:
            count = int(t["rows"]) * int(t["width"])
            raw = f.read(4 * count)
            if len(raw) != 4 * count:
                sys.exit(f"{path}: ends within {t['name']}")
            array = np.frombuffer(raw, dtype="<f4")
            weights[t["name"]] = array.reshape(t["rows"], t["width"]) if t["rows"] > 1 else array
        rest = np.frombuffer(f.read(), dtype="<i4").astype(np.int64)
    shape = [int(settings[k]) for k in ("steps", "gradient_accumulation", "micro_batch")]
    shape.append(int(settings["sequence_length"]) + 1)
    if rest.size != math.prod(shape):
        sys.exit(f"{path}: {rest.size} tokens follow the weights, expected {math.prod(shape)}")
    return settings, weights, rest.reshape(shape)


class Llama:
    """Parameters by their Hugging Face names; `loss` is the mean over all tokens of a batch."""

    def __init__(self, settings, weights, device, dtype):
        self.s = settings
        self.heads, self.kv_heads = int(settings["heads"]), int(settings["kv_heads"])
        self.width = int(settings["hidden"]) // self.heads
        self.p = {name: torch.tensor(np.array(w), dtype=dtype, device=device).requires_grad_(True)
                  for name, w in weights.items()}
        length, half = int(settings["sequence_length"]), self.width // 2
        inverse = settings["rope_theta"] ** (-np.arange(half, dtype=np.float64) / half)
        angle = np.outer(np.arange(length, dtype=np.float64), inverse)
        angle = np.concatenate([angle, angle], axis=1)  # one angle for both halves of a head
        self.cos = torch.tensor(np.cos(angle), dtype=dtype, device=device)
        self.sin = torch.tensor(np.sin(angle), dtype=dtype, device=device)
        blocked = torch.ones(length, length, dtype=torch.bool, device=device).triu(1)
        self.mask = torch.zeros(length, length, dtype=dtype, device=device)
        self.mask.masked_fill_(blocked, float("-inf"))

    def norm(self, x, name):
        mean = x.pow(2).mean(-1, keepdim=True)
        return x / torch.sqrt(mean + self.s["norm_eps"]) * self.p[name]

    def split(self, x, name, heads):  # [B, T, d] -> [B, heads, T, width]
        b, t, _ = x.shape
        return F.linear(x, self.p[name]).reshape(b, t, heads, self.width).transpose(1, 2)

    def turn(self, x):
        first, second = x.chunk(2, dim=-1)
        return x * self.cos + torch.cat([-second, first], dim=-1) * self.sin

    def attention(self, x, at):
        q = self.turn(self.split(x, at + "q_proj.weight", self.heads))
        k = self.turn(self.split(x, at + "k_proj.weight", self.kv_heads))
        v = self.split(x, at + "v_proj.weight", self.kv_heads)
        group = self.heads // self.kv_heads
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        scores = q @ k.transpose(-1, -2) / math.sqrt(self.width) + self.mask
        y = (torch.softmax(scores, dim=-1) @ v).transpose(1, 2)
        return F.linear(y.reshape(x.shape), self.p[at + "o_proj.weight"])

    def feed_forward(self, x, at):
        gate = F.silu(F.linear(x, self.p[at + "gate_proj.weight"]))
        up = F.linear(x, self.p[at + "up_proj.weight"])
        return F.linear(gate * up, self.p[at + "down_proj.weight"])

    def loss(self, sequences):
        inputs, targets = sequences[:, :-1], sequences[:, 1:]
        x = self.p["model.embed_tokens.weight"][inputs]
        for l in range(int(self.s["layers"])):
            at = f"model.layers.{l}."
            x = x + self.attention(self.norm(x, at + "input_layernorm.weight"), at + "self_attn.")
            x = x + self.feed_forward(self.norm(x, at + "post_attention_layernorm.weight"),
                                      at + "mlp.")
        head = "model.embed_tokens.weight" if self.s["tied"] else "lm_head.weight"
        logits = F.linear(self.norm(x, "model.norm.weight"), self.p[head])
        return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1))


def learning_rate(s, step):
    warmup, steps = s["warmup_steps"], s["steps"]
    if step <= warmup:
        return s["lr"] * step / warmup
    part = min(1.0, (step - warmup) / (steps - warmup))
    return s["min_lr"] + 0.5 * (s["lr"] - s["min_lr"]) * (1 + math.cos(math.pi * part))


def make_optimizer(model):
    """Weight decay on projections and the head; not on norms, not on the embedding."""
    kept, decayed = [], []
    for name, p in model.p.items():
        plain = name.endswith("norm.weight") or name == "model.embed_tokens.weight"
        (kept if plain else decayed).append(p)
    s = model.s
    groups = [{"params": decayed, "weight_decay": s["weight_decay"]},
              {"params": kept, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=s["lr"], betas=(s["beta1"], s["beta2"]), eps=s["eps"])


def train(model, sequences, steps):
    optimizer = make_optimizer(model)
    params = list(model.p.values())
    for step in range(1, steps + 1):
        lr = learning_rate(model.s, step)
        for group in optimizer.param_groups:
            group["lr"] = lr
        optimizer.zero_grad()
        total, parts = 0.0, sequences[step - 1]
        for part in parts:
            loss = model.loss(part) / len(parts)
            loss.backward()
            total += float(loss.detach())
        # clip_grad_norm_ returns the norm before clipping
        bound = model.s["clip_norm"] if model.s["clip_norm"] > 0 else float("inf")
        norm = float(torch.nn.utils.clip_grad_norm_(params, bound))
        optimizer.step()
        yield step, total, norm, lr


def read_losses(path):
    with open(path, newline="") as f:
        return {int(row["step"]): float(row["loss"]) for row in csv.DictReader(f)}


def compare(ours, oracle):
    """The alignment rule looks at steps from 21 on; the whole curve is reported as well.
    Returns the largest relative deviation of any step."""
    largest = 0.0
    for name, first in (("all steps", 1), ("from step 21", 21)):
        steps = [n for n in sorted(oracle) if n in ours and n >= first]
        if not steps:
            continue
        off = [abs(ours[n] - oracle[n]) / abs(oracle[n]) for n in steps]
        worst = max(range(len(off)), key=off.__getitem__)
        largest = max(largest, off[worst])
        print(f"{name}: {len(steps)} compared, relative deviation mean {sum(off) / len(off):.3e}, "
              f"maximum {off[worst]:.3e} at step {steps[worst]}")
    first, last = min(oracle), max(oracle)
    for n in (first, last):
        if n in ours:
            print(f"step {n}: ours {ours[n]:.9g}, oracle {oracle[n]:.9g}")
    return largest


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("dump", help="file written by dump_tiny_llama")
    parser.add_argument("-o", "--out", default="-", help="CSV to write; - is stdout (default)")
    parser.add_argument("--compare", metavar="CSV", help="curve to hold against this one")
    parser.add_argument("--max-deviation", type=float, metavar="X",
                        help="with --compare: exit 1 when a step is further off than this, relative")
    parser.add_argument("--dtype", choices=("float32", "float64"), default="float32")
    parser.add_argument("--device", default="cpu", help="cpu (default), cuda, cuda:1 …")
    parser.add_argument("--steps", type=int, help="stop after so many steps")
    args = parser.parse_args()

    # plain fp32 products on CUDA: no TF32
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    settings, weights, sequences = read_dump(args.dump)
    device = torch.device(args.device)
    model = Llama(settings, weights, device, getattr(torch, args.dtype))
    sequences = torch.from_numpy(sequences).to(device)
    steps = min(args.steps or int(settings["steps"]), int(settings["steps"]))
    print(f"torch {torch.__version__}, {args.dtype} on {device}, "
          f"{sum(p.numel() for p in model.p.values())} parameters, {steps} steps", file=sys.stderr)

    losses = {}
    out = sys.stdout if args.out == "-" else open(args.out, "w", newline="")
    out.write("step,loss,grad_norm,lr\n")
    for step, loss, norm, lr in train(model, sequences, steps):
        losses[step] = loss
        out.write(f"{step},{loss:.9g},{norm:.9g},{lr:.9g}\n")
    out.flush()
    if out is not sys.stdout:
        out.close()
    if args.compare:
        largest = compare(read_losses(args.compare), losses)
        if args.max_deviation is not None and not largest <= args.max_deviation:
            sys.exit(f"a step deviates by {largest:.3e}, allowed are {args.max_deviation:.3e}")


if __name__ == "__main__":
    main()
