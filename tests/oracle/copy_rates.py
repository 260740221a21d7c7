#!/usr/bin/env python3
"""How often `fpreport diff` finds a curve that was made from its reference, and how often it says
the same of an honest run.

  copy_rates.py FPREPORT FOLDER [CURVES [LENGTHS]]

Honest: all pairs of CURVES (real trainings on two machines), both ways, whole and in stretches of
200 to 2000 reports (or LENGTHS, as 500,2000); and pairs of small trainings made here (a softmax regression by stochastic
gradient descent) with another rounding, another data order, another learning rate. Made from the
reference: smoothed, noised, scaled, offset, shifted, resampled. Prints a table of each, and for
every kind of notice about copies `false KIND alarms pairs` and `found FAKE caught made`.
"""
import csv, glob, itertools, json, math, os, random, subprocess, sys

KINDS = ("identical", "repeated", "shifted", "smooth", "scaled", "noise")


def read(path):
    with open(path) as f:
        return [(float(r["step"]), float(r["loss"])) for r in csv.DictReader(f) if r["loss"]]


def training(seed, order, rounding=0.0, rate=0.05, steps=2200):
    """Losses per step: 4 classes, 8 features, batches of 4."""
    make = random.Random(seed)
    centres = [[make.gauss(0, 1) for _ in range(8)] for _ in range(4)]
    noise, batch = random.Random(rounding), random.Random(order)
    w = [[0.0] * 8 for _ in range(4)]
    losses = []
    for _ in range(steps):
        total, grad = 0.0, [[0.0] * 8 for _ in range(4)]
        for _ in range(4):
            y = batch.randrange(4)
            x = [c + batch.gauss(0, 1.5) for c in centres[y]]
            z = [sum(a * b for a, b in zip(row, x)) for row in w]
            top = max(z)
            e = [math.exp(v - top) for v in z]
            s = sum(e)
            total -= math.log(e[y] / s)
            for k in range(4):
                g = e[k] / s - (k == y)
                for i in range(8):
                    grad[k][i] += g * x[i] / 4
        for k in range(4):
            for i in range(8):
                w[k][i] -= rate * grad[k][i] * (1 + rounding * noise.gauss(0, 1))
        losses.append(total / 4)
    return [(i + 1.0, x + 0.2) for i, x in enumerate(losses)]


def write(path, points):
    with open(path, "w") as f:
        f.write("step,loss\n" + "".join(f"{s:g},{x:.7f}\n" for s, x in points))


class Tool:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def kinds(self, run, ref):
        write(f"{self.folder}/run.csv", run)
        write(f"{self.folder}/ref.csv", ref)
        out = subprocess.run([self.program, "diff", "--format", "json", "--from-step", "0",
                              f"{self.folder}/run.csv", f"{self.folder}/ref.csv"],
                             capture_output=True, text=True).stdout
        return {n["kind"] for n in json.loads(out)["notices"]}


def stretches(a, b, lengths):
    """The steps that both have, whole and in parts."""
    y = dict(b)
    common = [(s, x) for s, x in a if s in y]
    yield common, [(s, y[s]) for s, _ in common]
    for n in lengths:
        for at in range(0, len(common) - n + 1, n):
            part = common[at:at + n]
            yield part, [(s, y[s]) for s, _ in part]


def smoothed(ref, window):
    out, half = [], window // 2
    for i, (s, _) in enumerate(ref):
        part = [x for _, x in ref[max(0, i - half):i + half + 1]]
        out.append((s, sum(part) / len(part)))
    return out


def exponential(ref, weight):
    mean, out = ref[0][1], []
    for s, x in ref:
        mean = weight * mean + (1 - weight) * x
        out.append((s, mean))
    return out


def resampled(ref, stretch, shift):
    out = []
    for i, (s, _) in enumerate(ref):
        at = min(len(ref) - 1.0, i * stretch + shift)
        k = min(len(ref) - 2, int(at))
        out.append((s, ref[k][1] + (at - k) * (ref[k + 1][1] - ref[k][1])))
    return out


def fakes(ref, r):
    losses = [x for _, x in ref]
    for window in (3, 5, 9, 15, 21):
        yield f"smoothed over {window}", smoothed(ref, window)
    for weight in (0.6, 0.9):
        yield f"smoothed, weight {weight}", exponential(ref, weight)
    yield "smoothed over 5, noise 1e-4", [(s, x * (1 + r.gauss(0, 1e-4)))
                                          for s, x in smoothed(ref, 5)]
    for size in (1e-4, 1e-3, 1e-2):
        yield f"noise {size:g}", [(s, x * (1 + r.gauss(0, size))) for s, x in ref]
    yield "noise of 0.001 in all", [(s, x + r.gauss(0, 0.001)) for s, x in ref]
    yield "even noise 1e-3", [(s, x * (1 + r.uniform(-1e-3, 1e-3))) for s, x in ref]
    for factor in (0.99, 1.001, 1.01):
        yield f"times {factor:g}", [(s, x * factor) for s, x in ref]
    yield "plus 0.005", [(s, x + 0.005) for s, x in ref]
    for k in (1, 3, 5, 10):
        yield f"shifted by {k}", [(s, losses[max(0, i - k)]) for i, (s, _) in enumerate(ref)]
    yield "resampled half a step on", resampled(ref, 1, 0.5)
    yield "resampled, stretched by 1 %", resampled(ref, 0.99, 0)
    yield "copied", ref


def main(program, folder, curves=None, lengths="200,500,1000,2000"):
    lengths = [int(n) for n in lengths.split(",")]
    tool, alarms, pairs, found = Tool(program, folder), dict.fromkeys(KINDS, 0), {}, {}
    honest, references = [], []
    groups = {}
    for path in sorted(glob.glob(f"{curves}/*.csv")) if curves else []:
        groups.setdefault(os.path.basename(path).split(".")[0], []).append(read(path))
    for curve in groups.values():
        honest += [("real", a, b) for a, b in itertools.permutations(curve, 2)]
        references.append(curve[0])
    for seed in range(4):
        base = training(seed, seed)
        honest += [("rounding", training(seed, seed, r), base) for r in (1e-4, 1e-3, 1e-2)]
        honest += [("order", training(seed, seed + 100), base),
                   ("rate", training(seed, seed, rate=0.04), base)]
        references.append(base)
    for what, a, b in honest:
        for run, ref in stretches(a, b, lengths):
            kinds = tool.kinds(run, ref)
            at = pairs.setdefault((what, len(run) if len(run) in lengths else 0), [0, {}])
            at[0] += 1
            for kind in kinds & set(KINDS):
                alarms[kind] += 1
                at[1][kind] = at[1].get(kind, 0) + 1
    for (what, n), (count, said) in pairs.items():
        print(f"# honest, {what}, {n or 'all'} reports: {count} pairs, {said or 'nothing'}")
    total = sum(count for count, _ in pairs.values())
    for kind in KINDS:
        print(f"false {kind} {alarms[kind]} {total}")
    r = random.Random(1)
    for ref in references:
        for name, run in fakes(ref, r):
            kinds = tool.kinds(run, ref) & set(KINDS)
            at = found.setdefault(name, [0, 0, set()])
            at[0] += bool(kinds)
            at[1] += 1
            at[2] |= kinds
    for name, (caught, made, kinds) in found.items():
        print(f"# {name}: {', '.join(sorted(kinds)) or 'nothing'}")
        print(f"found {name.replace(' ', '_')} {caught} {made}")


if __name__ == "__main__":
    main(*sys.argv[1:])
