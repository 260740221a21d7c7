"""How often `fpreport verify --challenge` would be wrong, measured with our own trainer.

  challenge_rates.py run PROGRAM PLAN OUT.jsonl [JOBS [SECONDS]]
  challenge_rates.py table CURVES.jsonl...
  challenge_rates.py oracle                 two curves on stdin: the figures, by numpy

`run` trains small Llamas with PROGRAM (fpreport, fptrain), JOBS at a time, and keeps their first 200
losses, a line of JSON a run; after SECONDS it begins no more. PLAN is one of PLANS. All data is
generated; every seed is fixed here, so that a run can be repeated.

A group is a model, a learning rate and a seed. In each group the case is trained in every way that
an honest vendor could (device, precision, ranks, splits of the batch), and in ways that are not
honest: the weights of the seed with another order of the data, its order with other weights, a
smaller model in its order. `table` holds every run to the group's re-training (fp32, the whole batch
at once), makes curves that were never trained, and prints what the checks would say:

  order   correlation of first differences, steps 21 to 200: FP6002, notice below 0.5
  start   |loss - re-trained| / re-trained of STEP_ZERO: FP6003, notice above the precision's bound
  early   the same in the mean of steps 2 to 10, and
  level   of all 200: FP6004, notice above the precision's bound, and above 0.05
"""
import json, os, shutil, subprocess, sys, tempfile, time
from concurrent.futures import ThreadPoolExecutor

STEPS = 200
MODELS = {  # layers, hidden, heads, kv heads, ffn, length, sequences a step
    "small": (3, 128, 4, 2, 344, 64, 4),
    "middle": (4, 256, 4, 2, 688, 128, 8),
    "large": (6, 512, 8, 4, 1376, 128, 8),
    "proxy-small": (1, 128, 4, 2, 344, 64, 4),
    "proxy-middle": (1, 256, 4, 2, 688, 128, 8),
    "proxy-large": (1, 256, 4, 2, 688, 128, 8),
}
# How it is trained: (name, precision, parts of the batch one after the other, ranks, device)
REFERENCE = ("fp32", "fp32", 1, 1, "")
CPU = [REFERENCE, ("fp32 in 4 parts", "fp32", 4, 1, ""), ("fp32 on 2 ranks", "fp32", 1, 2, "")]
GPU = [REFERENCE, ("fp32 in 4 parts", "fp32", 4, 1, ""), ("tf32", "tf32", 1, 1, ""),
       ("bf16", "bf16", 1, 1, ""), ("bf16 in 4 parts", "bf16", 4, 1, ""), ("fp16", "fp16", 1, 1, "")]
GPU_SMALL = GPU + [("fp32 on a processor", "fp32", 1, 1, "cpu"),
                   ("fp32 on 2 processors", "fp32", 1, 2, "cpu")]
# Bounds and the first step of `order` were chosen by what `cpu` and `gpu` gave; `again` has seeds and
# learning rates that nobody had looked at then.
PLANS = {  # model, learning rates, seeds, ways; device of the reference; first seed
    "tiny": ([("small", (0.002,), 2, CPU)], "cpu", 1000),
    "cpu": ([("small", (0.002,), 8, CPU), ("small", (0.0005,), 4, CPU)], "cpu", 1000),
    "gpu": ([("small", (0.002, 0.0005), 12, GPU_SMALL), ("middle", (0.001, 0.0003), 10, GPU),
             ("large", (0.001, 0.0003), 10, GPU)], "0", 1000),
    "again": ([("small", (0.004, 0.001), 12, GPU_SMALL), ("middle", (0.002, 0.0005), 12, GPU),
               ("large", (0.002, 0.0005), 12, GPU)], "0", 4000),
}


# ---- training --------------------------------------------------------------------------------------

def write(path, value):
    with open(path, "w", encoding="utf-8") as f:
        json.dump(value, f)


def make_case(folder, name, model, rate, seed, way, steps=STEPS):
    layers, hidden, heads, kv, ffn, length, batch = MODELS[model]
    _, precision, parts, ranks, _ = way
    write(f"{folder}/models/{model}.json", {
        "schema": "fpreport.model/1", "id": model, "name": model, "nominal_parameters": 1e6,
        "shape": {"vocabulary": 128, "layers": layers, "hidden": hidden, "heads": heads,
                  "kv_heads": kv, "ffn": ffn, "context": length}})
    write(f"{folder}/cases/{name}.json", {
        "schema": "fpreport.case/1", "id": name, "title": name, "model": model, "trainer": "native",
        "data": {"kind": "generated"}, "sequence_length": length,
        "micro_batch": batch // parts // ranks, "gradient_accumulation": parts, "steps": steps,
        "seed": seed, "precision": precision, "parallel": {"data": ranks},
        "optimizer": {"learning_rate": rate, "min_learning_rate": rate / 10, "warmup_steps": min(20, steps),
                      "weight_decay": 0.1, "clip_norm": 1, "init_std": 0.02}})


def read_log(run):
    zero, losses = None, []
    for folder, _, files in os.walk(run):
        for name in files:
            if name != "rank0.out.log":
                continue
            with open(f"{folder}/{name}", encoding="utf-8") as f:
                for line in f:
                    if line.startswith("[PerfLog] "):
                        event = json.loads(line[10:])
                        if event["event"] == "STEP_ZERO":
                            zero = event["value"]["loss"]
                        elif event["event"] == "STEP_END":
                            losses.append(event["value"]["loss"])
    return zero, losses


class Trainings:
    def __init__(self, program, device):
        self.program, self.device = os.path.abspath(program), device
        self.root = tempfile.mkdtemp()
        self.n = 0

    def train(self, model, rate, seed, way, init=None, checkpoint=False, steps=STEPS):
        """-> (folder of the run, step 0, losses)"""
        self.n += 1
        name = f"case{self.n}"
        records, out = f"{self.root}/{name}", f"{self.root}/{name}.out"
        os.makedirs(f"{records}/models"), os.makedirs(f"{records}/cases")
        make_case(records, name, model, rate, seed, way, steps)
        device = way[4] or self.device
        command = [self.program, "train", name, "--records", records, "-q", "-o", out,
                   "--device", device, "--no-measure"]
        command += ["--init", init] if init else []
        command += ["--checkpoint-every", "1"] if checkpoint else []
        env = dict(os.environ, OPENBLAS_NUM_THREADS="1")
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}: exit {done.returncode}: {done.stdout[-300:]}")
        run = f"{out}/{os.listdir(out)[0]}"
        zero, losses = read_log(run)
        shutil.rmtree(records)
        return run, zero, losses

    def weights(self, model, seed):
        """First weights of a seed: one step at a rate that moves none of them."""
        run, _, _ = self.train(model, 1e-12, seed, REFERENCE, checkpoint=True, steps=1)
        return f"{run}/checkpoints/{sorted(os.listdir(f'{run}/checkpoints'))[-1]}"


def train_group(trainings, model, rate, seed, ways, keep):
    other = seed + 500

    def one(kind, name, which, **more):
        run, zero, losses = trainings.train(which, rate, more.pop("seed", seed), **more)
        shutil.rmtree(os.path.dirname(run))
        keep({"model": model, "rate": rate, "seed": seed, "kind": kind, "way": name,
              "precision": more["way"][1], "zero": zero, "loss": losses})

    for way in ways:
        one("honest", way[0], model, way=way)
    for kind, weights, order in (("its weights, another order", seed, other),
                                 ("its order, other weights", other, seed)):
        init = trainings.weights(model, weights)
        one(kind, "fp32", model, way=REFERENCE, init=init, seed=order)
        shutil.rmtree(os.path.dirname(os.path.dirname(os.path.dirname(init))))
    one("its order, a smaller model", "fp32", "proxy-" + model, way=REFERENCE)


def run(program, plan, out, jobs="1", seconds="1e9"):
    parts, device, first = PLANS[plan]
    trainings, end = Trainings(program, device), time.time() + float(seconds)
    groups = [(model, rate, first + n, ways) for model, rates, seeds, ways in parts
              for rate in rates for n in range(seeds)]
    groups.sort(key=lambda g: g[2])  # whatever ends early has some of all
    failed = []
    with open(out, "w", encoding="utf-8") as f:
        def keep(value):
            f.write(json.dumps(value) + "\n")
            f.flush()

        def group(g):
            if time.time() < end:
                try:
                    train_group(trainings, *g, keep)
                except Exception as e:
                    failed.append(f"{g[:3]}: {e}")
        with ThreadPoolExecutor(int(jobs)) as pool:
            list(pool.map(group, groups))
    shutil.rmtree(trainings.root)
    print(f"{trainings.n} trainings, {len(failed)} groups failed")
    print("\n".join(failed[:5]))
    return 1 if failed else 0


# ---- what the checks say ---------------------------------------------------------------------------

BOUNDS = {  # of start and early, by precision; as in verifier/checks/reproductions/answer.c
    "fp32": (1e-6, 1e-5), "tf32": (1e-4, 1e-4), "bf16": (1e-3, 1e-3), "fp16": (2e-4, 5e-4)}


def figures(loss, reference, zero, reference_zero):
    """order, start, early, level: independently of the C program"""
    import numpy as np
    n = min(len(loss), len(reference), STEPS)
    a, b = np.array(loss[:n], float), np.array(reference[:n], float)
    away = np.abs(a - b) / b
    return (np.corrcoef(np.diff(a[20:]), np.diff(b[20:]))[0, 1], abs(zero - reference_zero) / reference_zero,
            away[1:10].mean(), away.mean())


def odd(values, precision):
    """What the three rules call odd."""
    order, start, early, level = values
    most = BOUNDS[precision]
    return not order > 0.5, not start <= most[0], not (early < most[1] and level < 0.05)


def forged(own, others, small, rng):
    """Curves that nobody trained: (kind, losses, step 0). `own` is the re-training of the group,
    which a forger has only after training; `others` are those of other seeds, which are published;
    `small` is a smaller model in its order."""
    import numpy as np
    true, other = np.array(own["loss"]), np.array(others[0]["loss"])
    smooth = lambda curve: np.convolve(np.pad(curve, 10, mode="edge"), np.ones(21) / 21, "valid")
    mean = smooth(np.mean([o["loss"] for o in others], axis=0))
    noise = np.std(other - smooth(other))
    grows = np.linspace(0, 1, len(true))
    random = lambda size: rng.normal(0, size, len(true))
    for kind, curve in (("a curve of another seed", other),
                        ("mean of other seeds, smoothed, with noise", mean + random(noise))):
        yield kind, curve, curve[0]
        yield kind + ", step 0 computed", curve, own["zero"]
    yield "its own curve, one step late", np.concatenate([true[:1], true[:-1]]), own["zero"]
    yield "its own curve, times 0.99", 0.99 * true, 0.99 * own["zero"]
    yield "its own curve, times 0.99 behind step 0", 0.99 * true, own["zero"]
    yield "its own curve, with noise of its own size", true + random(noise), own["zero"]
    yield "its own curve, with noise that grows to 1 %", true * (1 + 0.01 * grows * random(1)), own["zero"]
    spliced = lambda rest: np.concatenate([true[:10], np.array(rest)[10:]])
    yield "ten steps trained, then another seed", spliced(other), own["zero"]
    if small:
        small = np.array(small[0]["loss"])
        lifted = small + smooth(true) - smooth(small)
        yield "ten steps trained, then a smaller model", spliced(small), own["zero"]
        yield "the same, moved to the level of the case", spliced(lifted), own["zero"]


def collect(paths):
    groups, others = {}, {}
    for path in paths:
        with open(path, encoding="utf-8") as f:
            for line in f:
                r = json.loads(line)
                groups.setdefault((path, r["model"], r["rate"], r["seed"]), []).append(r)
    for key, runs in groups.items():
        own = [r for r in runs if r["kind"] == "honest" and r["way"] == "fp32"]
        if own:
            others.setdefault(key[:3], []).append((key, own[0]))
    return groups, others


def rows_of(paths):
    """(honest, kind, way, precision, figures…)"""
    import numpy as np
    rng = np.random.default_rng(20261122)
    groups, others = collect(paths)
    for key, runs in sorted(groups.items()):
        own = [r for r in runs if r["kind"] == "honest" and r["way"] == "fp32"]
        if not own:
            continue
        own = own[0]
        beside = [o for k, o in others[key[:3]] if k != key]
        for r in runs:
            if r is not own:
                yield (r["kind"] == "honest", r["kind"], r["way"], r["precision"],
                       *figures(r["loss"], own["loss"], r["zero"], own["zero"]))
                if r["kind"] != "honest":
                    yield (False, r["kind"] + ", step 0 computed", r["way"], r["precision"],
                           *figures(r["loss"], own["loss"], own["zero"], own["zero"]))
        if beside:
            small = [r for r in runs if r["kind"] == "its order, a smaller model"]
            for kind, loss, zero in forged(own, beside, small, rng):
                yield (False, kind, "", "fp32", *figures(loss, own["loss"], zero, own["zero"]))


RULES = ("FP6002", "FP6003", "FP6004")
WIDEST = "bf16"  # what a forger would say the run was trained in


def table(*paths):
    rows, kinds = list(rows_of(paths)), {}
    groups = len({key for key in collect(paths)[0]})
    for honest, kind, way, precision, *values in rows:
        bounds = precision if honest else WIDEST
        kinds.setdefault((not honest, way if honest else kind), []).append((*values, odd(values, bounds)))
    print(f"{groups} groups; from the least to the most, and how many each rule calls odd")
    print(f"{'':46} {'n':>4}  {'order':^15}  {'start':^17}  {'early':^17}  {'level':^17}  "
          + "".join(f"{rule:>7}" for rule in RULES) + "   none")
    last = None
    for (fake, name), all in sorted(kinds.items()):
        if fake != last:
            print(f"not trained so, by the bounds of {WIDEST}" if fake else "trained so, held to fp32 of the same seed")
            last = fake
        order, start, early, level, says = zip(*all)
        away = "  ".join(f"{min(x):8.1e} {max(x):8.1e}" for x in (start, early, level))
        print(f"  {name[:44]:44} {len(all):4}  {min(order):7.4f} {max(order):7.4f}  {away}  "
              + "".join(f"{sum(s[i] for s in says):7}" for i in range(3))
              + f"{sum(not any(s) for s in says):7}")
    says = {fake: [says for (f, _), all in kinds.items() if f == fake for *_, says in all] for fake in (False, True)}
    for name, called in [(rule, lambda s, i=i: s[i]) for i, rule in enumerate(RULES)] + [("any   ", any)]:
        print(f"{name}: {sum(map(called, says[False]))} of {len(says[False])} honest runs called odd, "
              f"{sum(not called(s) for s in says[True])} of {len(says[True])} others not")
    return 0


def oracle():
    import numpy as np
    a, b = (list(map(float, line.split())) for line in sys.stdin.read().splitlines()[:2])
    print(" ".join(f"{x:.12g}" for x in figures(a, b, a[0], b[0])))
    return 0


if __name__ == "__main__":
    sys.exit({"run": run, "table": table, "oracle": oracle}[sys.argv[1]](*sys.argv[2:]))
