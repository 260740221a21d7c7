#!/usr/bin/env python3
"""The figures of `fpreport diff`, in 60 digits and from its definitions alone.

  curve_stats.py check RESULT.json RUN.csv REFERENCE.csv [RESULT.json RUN.csv REFERENCE.csv]...
  curve_stats.py try FPREPORT SEEDS   pairs of curves with everything that goes wrong, made here as
                                      run.csv and ref.csv: prints faults, then how many had a result
"""
import csv, json, math, random, statistics, subprocess, sys
from decimal import Decimal as F, getcontext

WINDOW, HALF = 50, 10
getcontext().prec = 60  # doubles are taken as they are; what is divided is good to 60 digits


def read(path):
    """{step: (loss, seconds)}: the last report of a step counts."""
    with open(path, encoding="utf-8-sig", newline="") as f:
        rows = [r for r in csv.reader(l for l in f.read().splitlines() if l.strip())]
    head = [h.strip().lower() for h in rows[0]]
    out = {}
    for row in rows[1:]:
        cell = dict(zip(head, (c.strip() for c in row)))
        try:
            step = float(cell["step"])
            loss = float(cell["loss"]) if cell.get("loss") else None
        except ValueError:
            continue
        if loss is None:
            continue
        seconds = cell.get("iteration_time_s") or "nan"
        out[step] = (loss, float(seconds))
    return out


def spikes(curve, first):
    steps = [s for s in sorted(curve) if s >= first]
    losses = [curve[s][0] for s in steps]
    found, before = [], False
    for i, x in enumerate(losses):
        near = [y for y in losses[max(0, i - HALF):i + HALF + 1] if math.isfinite(y)]
        now = False
        if math.isfinite(x):
            m = statistics.median(near)
            mad = statistics.median(abs(y - m) for y in near)
            now = x - m > 0.05 * abs(m) and x - m > 8 * 1.4826 * mad
        if now and not before:
            found.append(steps[i])
        before = now
    return found


def correlation(x, y):
    n = len(x)
    if n < 3:
        return None
    mx, my = sum(x) / n, sum(y) / n
    xx, yy = sum((a - mx) ** 2 for a in x), sum((b - my) ** 2 for b in y)
    if xx == 0 or yy == 0:
        return None
    return float(sum((a - mx) * (b - my) for a, b in zip(x, y))) / math.sqrt(float(xx) * float(yy))


def stats(run, ref, first, limit):
    common = [s for s in sorted(run) if s >= first and s in ref]
    used = [s for s in common if math.isfinite(ref[s][0]) and ref[s][0] != 0]
    finite = [s for s in used if math.isfinite(run[s][0])]
    d = {s: (F(run[s][0]) - F(ref[s][0])) / abs(F(ref[s][0])) for s in finite}
    out = {"steps": len(used), "mean": None, "max": None, "max_step": None, "aligned": None}
    bad = [s for s in used if s not in d]
    if used and not bad:
        mean = sum(map(abs, d.values())) / len(d)
        top = max(map(abs, d.values()))
        out.update(mean=float(mean), max=float(top), aligned=mean < F(limit),
                   max_step=next(s for s in used if abs(d[s]) == top))
    elif bad:
        out.update(max_step=bad[0], aligned=False)
    n = len(finite)
    if n:
        dm = sum(d.values()) / n
        out["signed"] = float(dm)
    if n >= 3:
        x = {s: F(s) / 1000 for s in finite}
        xm = sum(x.values()) / n
        sxx = sum((x[s] - xm) ** 2 for s in finite)
        slope = sum((x[s] - xm) * (d[s] - dm) for s in finite) / sxx
        r = [d[s] - dm - slope * (x[s] - xm) for s in finite]
        rr = sum(a * a for a in r)
        out["drift"] = float(slope)
        out["drift_error"] = math.sqrt(float(rr / (n - 2) / sxx))
        out["lag1"] = float(sum(a * b for a, b in zip(r, r[1:])) / rr) if rr else None
    onset = None
    for i, s in enumerate(used):
        last = used[max(0, i + 1 - WINDOW):i + 1]
        beyond = any(t not in d for t in last) or sum(abs(d[t]) for t in last) / len(last) >= F(limit)
        onset = (onset if onset is not None else s) if beyond else None
    out["onset"] = onset
    out["missing"] = [s for s in sorted(ref) if s >= first and s not in run]
    out["extra"] = [s for s in sorted(run) if s >= first and s not in ref]
    out["zero"] = [s for s in common if ref[s][0] == 0]
    out["run_bad"] = [s for s in sorted(run) if s >= first and not math.isfinite(run[s][0])]
    out["ref_bad"] = [s for s in sorted(ref) if s >= first and not math.isfinite(ref[s][0])]
    out["run_spikes"], out["ref_spikes"] = spikes(run, first), spikes(ref, first)
    ratios = [run[s][1] / ref[s][1] for s in used if run[s][1] > 0 and ref[s][1] > 0]
    out["ratio"] = statistics.median(ratios) if ratios else None
    best = length = 0
    for s in used:
        length = length + 1 if run[s][0] == ref[s][0] else 0
        best = max(best, length)
    out["identical"] = best
    pairs = [(a, b) for a, b in zip(used, used[1:]) if b - a == 1 and a in d and b in d]
    out["pairs"] = len(pairs)
    out["correlation"] = correlation([F(run[b][0]) - F(run[a][0]) for a, b in pairs],
                                     [F(ref[b][0]) - F(ref[a][0]) for a, b in pairs])
    return out


def faults_of(got, run, ref):
    want = stats(read(run), read(ref), 21, "0.02")
    a, s = got["alignment"], got["statistics"]
    faults = []

    def same(name, x, y):
        if isinstance(x, float) and isinstance(y, (int, float)) and not isinstance(y, bool):
            if abs(x - y) <= 1e-9 * max(abs(x), abs(y)) + 1e-14:
                return
        elif x == y:
            return
        faults.append(f"{name}: expected {x}, found {y}")

    def times(name, steps):
        same(name, len(steps), s[name]["n"])
        same(name + " first", steps[0] if steps else None, s[name]["first_step"])

    for name, key in (("steps", "steps"), ("mean", "mean_rel_error"), ("max", "max_rel_error"),
                      ("max_step", "max_step"), ("aligned", "aligned")):
        same(name, want[name], a[key])
    for name, key in (("signed", "signed_mean"), ("drift", "drift_per_1000_steps"),
                      ("drift_error", "drift_standard_error"), ("lag1", "residual_lag1"),
                      ("onset", "onset_step"), ("ratio", "time_ratio")):
        same(name, want.get(name), s[key])
    for name, key in (("missing_steps", "missing"), ("extra_steps", "extra"),
                      ("reference_zero", "zero"), ("run_not_finite", "run_bad"),
                      ("reference_not_finite", "ref_bad"), ("run_spikes", "run_spikes"),
                      ("reference_spikes", "ref_spikes")):
        times(name, want[key])
    same("identical", want["identical"], s["identical"]["steps"])
    same("pairs", want["pairs"], s["first_differences"]["pairs"])
    same("correlation", want["correlation"], s["first_differences"]["correlation"])
    return faults


def check(*files):
    failed = False
    for result, run, ref in zip(files[::3], files[1::3], files[2::3]):
        for fault in faults_of(json.load(open(result)), run, ref):
            print(f"{result}: {fault}")
            failed = True
    return failed


def make(seed):
    r = random.Random(seed)
    n, every = r.choice([1, 3, 30, 150, 400]), r.choice([1, 1, 1, 5, 0.5])
    for name in ("run", "ref"):
        rows, loss = [], 10.0
        bias = r.choice([1, 1, 1.001, 1.02, 0.9])
        for i in range(n):
            step = (i + 1) * every
            loss = 2 + 8 / (1 + i / 20) * bias * (1 + r.gauss(0, 0.004))
            if r.random() < 0.01:
                loss *= 1.5
            text = f"{loss:.{r.choice([2, 5, 8])}f}"
            text = r.choices([text, "NaN", "inf", "-3.5", "0", "", "1e-3", "broken"],
                             [900, 1 if r.random() < .2 else 0, .2, 1, .5, 6, 1, 3])[0]
            if r.random() < 0.02:
                continue
            rows.append((step, text, f"{r.uniform(1, 2):.4f}" if r.random() < 0.5 else ""))
            if r.random() < 0.02:
                rows.append((step, f"{loss * 1.01:.5f}", ""))
        if r.random() < 0.3 and not any(rows[i][0] == rows[i - 1][0] for i in range(1, len(rows))):
            r.shuffle(rows)
        end = r.choice(["\n", "\r\n"])
        quote = r.choice(["", '"'])
        order = r.sample(["step", "loss", "iteration_time_s", "lr"], 4)
        with open(f"{name}.csv", "w", newline="", encoding="utf-8") as f:
            f.write(r.choice(["", "\ufeff"]) + ",".join(quote + o + quote for o in order) + end)
            for step, text, seconds in rows:
                cells = {"step": f"{step:g}", "loss": text, "iteration_time_s": seconds, "lr": "1e-4"}
                f.write(",".join(quote + cells[o] + quote for o in order) + end)


def try_seeds(program, seeds):
    n = failed = 0
    for seed in range(1, int(seeds) + 1):
        make(seed)
        said = subprocess.run([program, "diff", "--format", "json", "run.csv", "ref.csv"],
                              capture_output=True, check=False)
        if not said.stdout and said.returncode == 3:
            continue
        n += 1
        got = json.loads(said.stdout or "null")
        faults = ["no result"] if got is None else faults_of(got, "run.csv", "ref.csv")
        finite = got and all(math.isfinite(loss) for f in ("run.csv", "ref.csv") for loss, _ in read(f).values())
        if got and said.returncode != {None: 3, True: 0 if finite else 1, False: 1}[got["alignment"]["aligned"]]:
            faults.append(f"exit {said.returncode}")
        for fault in faults:
            print(f"seed {seed}: {fault}", said.stderr.decode(errors="replace"))
        failed += bool(faults)
    print(n)
    return failed > 0


if __name__ == "__main__":
    sys.exit({"check": check, "try": try_seeds}[sys.argv[1]](*sys.argv[2:]))
