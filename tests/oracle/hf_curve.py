#!/usr/bin/env python3
"""Reference curves of the native cases, by transformers and peft in float64.

    hf_curve.py RECORDS CASE START [-o CURVE.csv] [--compare OURS.csv] [--device cpu]

START is what dump_case wrote: initial weights under the checkpoint's names, adapters under peft's,
and the sequences in order. Everything else is read from the records of the case and its model. The
curve has `step,loss`, what a case names as its reference; --compare prints how far another curve is
from it, as a share of the loss.

    llama       transformers' LlamaForCausalLM
    baichuan    the same without rotation, with ALiBi in its mask by BLOOM's slopes, and rows of the
                head of length 1: transformers has no class of Baichuan's own
    llava       transformers' LlavaForConditionalGeneration, both stages; samples of a micro-batch are
                padded to its longest, as anybody's would be: no length is ours
    lora        peft's adapters, with the dropout of trainer/model/lora.h in place of nn.Dropout

Optimizer and clipping are PyTorch's. A step's micro-batches are one batch here: their mean is the same.
Nothing is shared with the C trainer but the files.
"""
import argparse
import csv
import json
import math
import os
import sys

import numpy
import torch
import torch.nn.functional as F

import hf_weights
from torch_tiny_llama import compare

WORD = (1 << 64) - 1
TARGETS = ["q_proj", "k_proj", "v_proj", "gate_proj", "up_proj"]


def read_records(folder, case_id):
    def read(kind, name):
        with open(os.path.join(folder, kind, name + ".json")) as f:
            return json.load(f)
    case = read("cases", case_id)
    return case, read("models", case["model"])["shape"]


def read_weights(path):
    return {name: torch.from_numpy(numpy.frombuffer(data, dtype="<f4").reshape(shape).astype("f8"))
            for name, (shape, data) in hf_weights.read_file(path).items()}


def read_sequences(folder, case):
    tokens = numpy.fromfile(os.path.join(folder, "sequences.i32"), dtype="<i4").astype("i8")
    batch = case["micro_batch"] * case["gradient_accumulation"]
    return torch.from_numpy(tokens.reshape(case["steps"], batch, case["sequence_length"] + 1))


# ---- dropout by counters: splitmix64's finalizer of key and place ---------------------------------

def mix(x):
    x = (x + 0x9e3779b97f4a7c15) & WORD
    x = ((x ^ x >> 30) * 0xbf58476d1ce4e5b9) & WORD
    x = ((x ^ x >> 27) * 0x94d049bb133111eb) & WORD
    return x ^ x >> 31


def mix_all(x):
    u = numpy.uint64
    x = x + u(0x9e3779b97f4a7c15)
    x = (x ^ x >> u(30)) * u(0xbf58476d1ce4e5b9)
    x = (x ^ x >> u(27)) * u(0x94d049bb133111eb)
    return x ^ x >> u(31)


class Dropout(torch.nn.Module):
    """Of one adapter: an element is kept by what its place in the step's rows is mixed to."""

    def __init__(self, seed, layer, target, keep):
        super().__init__()
        self.seed, self.key, self.keep, self.step = seed, mix(layer * len(TARGETS) + target), keep, 0

    def forward(self, x):
        key = mix(mix(self.seed ^ mix(self.step)) ^ self.key)
        places = numpy.arange(x.numel(), dtype=numpy.uint64)
        below = int(numpy.float32(self.keep) * 2 ** 24)
        kept = mix_all(numpy.uint64(key) ^ places) >> numpy.uint64(40) < below
        return x * torch.from_numpy(kept.reshape(x.shape)).to(x) / self.keep


# ---- models ---------------------------------------------------------------------------------------

def plain_names(weights):
    """Packed queries, keys and values under a name each."""
    out = {}
    for name, w in weights.items():
        if "W_pack" not in name:
            out[name] = w
            continue
        for which, part in zip("qkv", w.chunk(3)):
            out[name.replace("W_pack", which + "_proj")] = part
    return out


def llama(shape, weights):
    from transformers import LlamaConfig, LlamaForCausalLM
    config = LlamaConfig(
        vocab_size=shape["vocabulary"], hidden_size=shape["hidden"], intermediate_size=shape["ffn"],
        num_hidden_layers=shape["layers"], num_attention_heads=shape["heads"],
        num_key_value_heads=shape.get("kv_heads", shape["heads"]), rms_norm_eps=shape.get("norm_eps", 1e-5),
        max_position_embeddings=shape["context"], tie_word_embeddings=False, use_cache=False)
    config._attn_implementation = "eager"
    model = LlamaForCausalLM(config).double()
    model.load_state_dict(plain_names(weights), strict=True)
    return model


class NoTurn(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width

    def forward(self, x, position_ids=None, **_):
        size = (x.shape[0], x.shape[1], self.width)
        return x.new_ones(size), x.new_zeros(size)


def alibi_mask(heads, length):
    from transformers.models.bloom.modeling_bloom import build_alibi_tensor
    slopes = build_alibi_tensor(torch.ones(1, 2), heads, torch.float64).view(heads, 2)[:, 1]
    place = torch.arange(length, dtype=torch.float64)
    bias = slopes[:, None, None] * (place[None, :] - place[:, None])
    ahead = torch.ones(length, length, dtype=torch.bool).triu(1)
    return bias.masked_fill(ahead, torch.finfo(torch.float64).min)


def losses_of(model, shape, rows):
    """-> a function from sequences to the mean loss of their targets"""
    if shape.get("position") == "alibi":
        model.model.rotary_emb = NoTurn(shape["hidden"] // shape["heads"])

    def loss(sequences):
        inputs, targets = sequences[:, :rows], sequences[:, 1:rows + 1]
        if shape.get("position") == "alibi":
            mask = alibi_mask(shape["heads"], rows).to(sequences.device)
            hidden = model.model(input_ids=inputs, use_cache=False,
                                 attention_mask=mask.expand(len(inputs), -1, -1, -1))[0]
            head = model.lm_head.weight
            logits = F.linear(hidden, F.normalize(head) if shape.get("head") == "normed" else head)
        else:
            logits = model(input_ids=inputs, use_cache=False).logits
        return F.cross_entropy(logits.flatten(0, 1), targets.reshape(-1))
    return loss


def with_adapters(model, case, adapters):
    from peft import LoraConfig, get_peft_model
    lora, drops = case["lora"], []
    model = get_peft_model(model, LoraConfig(
        r=lora["r"], lora_alpha=lora["alpha"], lora_dropout=lora["dropout"], bias="none",
        task_type="CAUSAL_LM", target_modules=lora["targets"])).double()
    state = model.state_dict()
    with torch.no_grad():
        for name, w in adapters.items():
            state[name.replace(".weight", ".default.weight")].copy_(w)
    for name, part in model.named_modules():
        if "default" not in getattr(part, "lora_dropout", {}):
            continue
        layer, target = int(name.split("layers.")[1].split(".")[0]), name.rsplit(".", 1)[1]
        drops.append(Dropout(case["seed"], layer, TARGETS.index(target), 1 - lora["dropout"]))
        part.lora_dropout["default"] = drops[-1]
    return model, drops


# ---- training -------------------------------------------------------------------------------------

def learning_rate(o, step, steps):
    if o.get("warmup_from") == "zero":  # transformers' own lambda
        from transformers.optimization import _get_cosine_schedule_with_warmup_lr_lambda as of
        assert o["min_learning_rate"] == 0
        return o["learning_rate"] * of(step - 1, num_warmup_steps=o["warmup_steps"],
                                       num_training_steps=steps, num_cycles=0.5)
    if step <= o["warmup_steps"]:
        return o["learning_rate"] * step / o["warmup_steps"]
    part = (step - o["warmup_steps"]) / (steps - o["warmup_steps"])
    span = o["learning_rate"] - o["min_learning_rate"]
    return o["min_learning_rate"] + 0.5 * span * (1 + math.cos(math.pi * part))


def optimizer_of(model, o):
    trained = [(n, p) for n, p in model.named_parameters() if p.requires_grad]
    keeps = [p for n, p in trained if o.get("decays") != "all" and
             (n.endswith("norm.weight") or "embed_tokens" in n)]
    decays = [p for _, p in trained if not any(p is k for k in keeps)]
    return torch.optim.AdamW([{"params": decays, "weight_decay": o["weight_decay"]},
                              {"params": keeps, "weight_decay": 0.0}],
                             lr=o["learning_rate"], betas=(o["beta1"], o["beta2"]), eps=o["epsilon"])


# ---- models that see ------------------------------------------------------------------------------

MEAN, DEVIATION = [0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]


def llava_name(name):
    """The name of before transformers 4.52 for whatever this version calls a tensor."""
    n = name[6:] if name.startswith("model.") else name
    if n.startswith("lm_head"):
        return "language_model." + n
    if n.startswith("language_model.") and not n.startswith(("language_model.model.", "language_model.lm_head")):
        return n.replace("language_model.", "language_model.model.", 1)
    if n.startswith("vision_tower.") and not n.startswith("vision_tower.vision_model."):
        return n.replace("vision_tower.", "vision_tower.vision_model.", 1)
    return n


def llava(shape, start, stage):
    from transformers import CLIPVisionConfig, LlamaConfig, LlavaConfig, LlavaForConditionalGeneration
    v, image = shape["vision"], shape["vocabulary"]
    vision = CLIPVisionConfig(
        hidden_size=v["hidden"], intermediate_size=v["ffn"], num_hidden_layers=v["layers"],
        num_attention_heads=v["heads"], image_size=v["image_size"], patch_size=v["patch_size"],
        hidden_act="quick_gelu", layer_norm_eps=v.get("norm_eps", 1e-5))
    text = LlamaConfig(
        vocab_size=shape["vocabulary"] + 1, hidden_size=shape["hidden"], intermediate_size=shape["ffn"],
        num_hidden_layers=shape["layers"], num_attention_heads=shape["heads"],
        num_key_value_heads=shape.get("kv_heads", shape["heads"]), rms_norm_eps=shape.get("norm_eps", 1e-5),
        max_position_embeddings=shape["context"], tie_word_embeddings=False, use_cache=False)
    config = LlavaConfig(vision_config=vision, text_config=text, image_token_index=image,
                         projector_hidden_act="gelu", vision_feature_select_strategy="default",
                         vision_feature_layer=v.get("used_layers", v["layers"] - 1) - v["layers"] - 1)
    config._attn_implementation = "eager"
    model = LlavaForConditionalGeneration(config).double()
    weights = {}
    for file in sorted(os.listdir(start)):
        if file.endswith(".safetensors"):
            weights.update({llava_name(n): w for n, w in read_weights(os.path.join(start, file)).items()})
    unused = "layers.%d." % (v["layers"] - 1)
    with torch.no_grad():
        for name, p in model.named_parameters():
            common = llava_name(name)
            tower = common.startswith("vision_tower.")
            p.requires_grad_(common.startswith("multi_modal") or (stage == "finetune" and not tower))
            if tower and (unused in common or "post_layernorm" in common):
                continue
            w = weights.pop(common)
            if len(p) == len(w) + 1:  # the mark's row, which no text has and no softmax may count
                p.zero_()
            p[:len(w)].copy_(w)
    assert not weights, sorted(weights)[:4]
    return model


def llava_losses(model, case, shape, start):
    """-> a function from a step to the sum of its targets' losses, and how many they are"""
    with open(os.path.join(start, "samples.json")) as f:
        samples = json.load(f)
    v, image = shape["vision"], shape["vocabulary"]
    side, rows = v["image_size"], (v["image_size"] // v["patch_size"]) ** 2
    pixels = numpy.fromfile(os.path.join(start, "pixels.u8"), dtype="u1").reshape(-1, side, side, 3)
    of_step, at_once = case["micro_batch"] * case["gradient_accumulation"], case["micro_batch"]

    def of_batch(batch):
        ids = [[x for t in s["tokens"] for x in ([image] * rows if t == -200 else [t])] for s in batch]
        labels = [[x for t, y in zip(s["tokens"], s["labels"]) for x in ([-100] * rows if t == -200 else [y])]
                  for s in batch]
        longest = min(max(map(len, ids)), case["sequence_length"])
        pad = lambda x, fill: torch.tensor([(r + [fill] * longest)[:longest] for r in x])
        mask = torch.tensor([[int(i < len(r)) for i in range(longest)] for r in ids])
        seen = [s["picture"] for s in batch if s["picture"] >= 0]
        x = torch.from_numpy(pixels[seen].transpose(0, 3, 1, 2).astype("f8")) / 255
        x = (x - torch.tensor(MEAN).double()[:, None, None]) / torch.tensor(DEVIATION).double()[:, None, None]
        logits = model(input_ids=pad(ids, 0), attention_mask=mask, use_cache=False,
                       **(dict(pixel_values=x) if seen else {})).logits[:, :-1, :image]
        labels = pad(labels, -100)[:, 1:]
        return F.cross_entropy(logits.reshape(-1, image), labels.reshape(-1), ignore_index=-100,
                               reduction="sum"), int((labels != -100).sum())

    def of(step):
        chosen = samples[(step - 1) * of_step:step * of_step]
        parts = [of_batch(chosen[i:i + at_once]) for i in range(0, of_step, at_once)]
        if case.get("mean") == "ranks":
            return sum(loss / n for loss, n in parts) / len(parts)
        return sum(loss for loss, _ in parts) / sum(n for _, n in parts)
    return of


def train_llava(case, shape, start):
    model = llava(shape, start, case["stage"]).train()
    o, loss_of = case["optimizer"], llava_losses(model, case, shape, start)
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=0.0, betas=(o["beta1"], o["beta2"]), eps=o["epsilon"],
                                  weight_decay=o["weight_decay"])
    for step in range(1, case["steps"] + 1):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(o, step, case["steps"])
        optimizer.zero_grad()
        loss = loss_of(step)
        loss.backward()
        if o["clip_norm"]:
            torch.nn.utils.clip_grad_norm_(trained, o["clip_norm"])
        optimizer.step()
        yield step, loss.item()


def train(case, shape, start, device):
    if "stage" in case:
        yield from train_llava(case, shape, start)
        return
    model, drops = llama(shape, read_weights(os.path.join(start, "model.safetensors"))), []
    # the trainer's sequence_length counts rows; `inside`, the last row has no target
    rows = case["sequence_length"] - (case.get("targets") == "inside")
    loss_of = losses_of(model, shape, rows)
    if "lora" in case:
        wrapped, drops = with_adapters(model, case, read_weights(
            os.path.join(start, "adapters", "adapter_model.safetensors")))
        loss_of = losses_of(wrapped, shape, rows)
        model = wrapped
    model.to(device).train()
    o, steps = case["optimizer"], case["steps"]
    optimizer, sequences = optimizer_of(model, o), read_sequences(start, case).to(device)
    trained = [p for p in model.parameters() if p.requires_grad]
    for step in range(1, steps + 1):
        for d in drops:
            d.step = step
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(o, step, steps)
        optimizer.zero_grad()
        loss = loss_of(sequences[step - 1])
        loss.backward()
        if o["clip_norm"]:
            torch.nn.utils.clip_grad_norm_(trained, o["clip_norm"])
        optimizer.step()
        yield step, loss.item()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("records")
    parser.add_argument("case")
    parser.add_argument("start")
    parser.add_argument("-o", "--out", required=True)
    parser.add_argument("--compare", metavar="CSV")
    parser.add_argument("--device", default="cpu")
    args = parser.parse_args()
    import transformers
    case, shape = read_records(args.records, args.case)
    curve = dict(train(case, shape, args.start, args.device))
    with open(args.out, "w", newline="") as f:
        f.write("step,loss\n" + "".join(f"{n},{loss:.9g}\n" for n, loss in curve.items()))
    libraries = f"torch {torch.__version__}, transformers {transformers.__version__}"
    if "lora" in case:
        import peft
        libraries += f", peft {peft.__version__}"
    print(f"{args.case}: {len(curve)} steps, loss {curve[1]:.6f} to {curve[len(curve)]:.6f}; {libraries}, {args.device}")
    if args.compare:
        with open(args.compare, newline="") as f:
            ours = {int(row["step"]): float(row["loss"]) for row in csv.DictReader(f)}
        compare(ours, curve)


if __name__ == "__main__":
    sys.exit(main())
