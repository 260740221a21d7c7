#!/usr/bin/env python3
"""`fpreport diff --format json` on generated pairs of curves, beside FlagPerf's rule as one writes
it down: the mean of |run - reference| / |reference| over the common steps from 21 on.

  align_pairs.py FPREPORT FOLDER PAIRS

Every pair is written in a form that exports really have: other column orders, further columns,
quotes, blanks, CRLF, a byte order mark, no last newline, unsorted, repeated, negative and broken
steps, NaN in many spellings. All six figures have to be the same doubles, to the last digit.
Prints what is not, and how many pairs were compared.
"""
import json, math, random, subprocess, sys

NANS = ["nan", "NaN", "NAN", "-nan", "Nan"]
INFS = ["inf", "Infinity", "INF", "+inf", "-inf", "-Infinity"]


def curve(r, steps, base):
    """[(text of the step, text of the loss or None)] in file order."""
    rows = []
    for s in steps:
        loss = base(s)
        text = r.choice([f"{loss:.6f}", f"{loss:.3E}", repr(loss), f"{loss:.2f}", f"+{loss:.4f}"])
        if r.random() < 0.004:
            text = r.choice(NANS + INFS)
        if r.random() < 0.004:
            text = r.choice(["0", "-0.0", "-3.25"])
        if r.random() < 0.01:
            text = r.choice([None, "NA", "null", "None", "n/a"])
        step = f"{s:g}" if s != int(s) else r.choice([str(int(s))] * 4 + [f"{int(s)}.0"])
        rows.append((step, text))
        if r.random() < 0.01:
            rows.append((step, f"{loss * 1.25:.5f}"))
    return rows


def write(r, path, rows):
    names = {"step": r.choice(["step", "Step", "iteration", "global_step"]),
             "loss": r.choice(["loss", "Loss", "lm loss", "lm_loss"])}
    extra = r.sample(["iteration_time_s", "lr", "grad_norm", "note"], r.randint(0, 4))
    columns = ["step", "loss"] + extra
    if r.random() < 0.5:
        r.shuffle(columns)
    end, quote = r.choice(["\n", "\r\n"]), r.choice(["", "", '"'])
    pad = r.choice(["", "", " ", "\t "])
    cell = lambda x: pad + quote + x + quote + pad
    lines = [",".join(cell(names.get(c, c)) for c in columns)]
    for step, loss in rows:
        values = {"step": step, "loss": loss or "", "iteration_time_s": f"{r.uniform(1, 9):.3f}",
                  "lr": "1e-4", "grad_norm": r.choice(["", "nan", "1.5"]),
                  "note": "a,b" if quote else "x"}
        lines.append(",".join(cell(values[c]) for c in columns))
        if r.random() < 0.005:
            lines.append(r.choice(["", "# a remark", "   "]))
    text = end.join(lines) + (end if r.random() < 0.7 else "")
    with open(path, "wb") as f:
        f.write((b"\xef\xbb\xbf" if r.random() < 0.3 else b"") + text.encode())


def kept(rows):
    """{step: loss}: the last report counts, one without a loss is none."""
    out = {}
    for step, text in rows:
        if text is None or text.lower() in ("na", "null", "none", "n/a"):
            continue
        out[float(step)] = float(text)
    return out


def rule(run, ref):
    steps = [s for s in sorted(run) if s >= 21 and s in ref
             and math.isfinite(ref[s]) and ref[s] != 0]
    errors = [abs(run[s] - ref[s]) / abs(ref[s]) for s in steps]
    out = {"from_step": 21, "steps": len(steps), "limit": 0.02}
    if not steps:
        return dict(out, mean_rel_error=None, max_rel_error=None, max_step=None, aligned=None)
    bad = [s for s, e in zip(steps, errors) if not math.isfinite(e)]
    if bad:
        return dict(out, mean_rel_error=None, max_rel_error=None, max_step=bad[0], aligned=False)
    mean, top = math.fsum(errors) / len(errors), max(errors)
    return dict(out, mean_rel_error=mean, max_rel_error=top,
                max_step=steps[errors.index(top)], aligned=mean < 0.02)


def steps_of(r):
    n = r.choice([1, 2, 21, 22, 60, 300, 1500])
    kind = r.choice(["plain", "plain", "plain", "tenth", "every", "late", "negative", "half"])
    return {"plain": range(1, n + 1), "tenth": [i / 10 for i in range(1, n + 1)],
            "every": range(0, 10 * n, 10), "late": range(20, 20 + n),
            "negative": range(-n // 2, n), "half": [21 + i / 2 for i in range(n)]}[kind]


def make_pair(seed, folder):
    r = random.Random(seed)
    scale = r.choice([0.0005, 0.005, 0.019, 0.02, 0.05])
    base = lambda s: 2 + 8 / (1 + abs(s) / 50)
    steps = list(steps_of(r))
    both = {}
    for name in ("run", "ref"):
        mine = [s for s in steps if r.random() > 0.02] or steps
        if r.random() < 0.05:
            mine = [s + 100000 for s in mine]
        if r.random() < 0.1:
            mine = mine[-1:]
        shift = scale if name == "run" else 0
        rows = curve(r, mine, lambda s: base(s) * (1 + shift * r.gauss(0.8, 0.5)))
        if r.random() < 0.2:
            r.shuffle(rows)
        write(r, f"{folder}/{name}.csv", rows)
        both[name] = kept(rows)
    return both


def main(fpreport, folder, pairs):
    wrong = compared = 0
    for seed in range(int(pairs)):
        both = make_pair(seed, folder)
        if not both["run"] or not both["ref"]:
            continue
        got = subprocess.run([fpreport, "diff", "--format", "json", f"{folder}/run.csv",
                              f"{folder}/ref.csv"], capture_output=True, text=True)
        want = rule(both["run"], both["ref"])
        try:
            said = json.loads(got.stdout)["alignment"]
        except ValueError:
            said = {"no document": got.stderr[:200]}
        finite = all(math.isfinite(x) for c in both.values() for x in c.values())
        code = {None: 3, True: 0 if finite else 1, False: 1}[want["aligned"]]
        compared += 1
        if said != want or got.returncode != code:
            wrong += 1
            print(f"# seed {seed}: exit {got.returncode} {said}\n#   expected {code} {want}")
    print(compared, wrong)
    return 1 if wrong or compared < int(pairs) * 0.9 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
