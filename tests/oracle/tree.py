#!/usr/bin/env python3
"""Figures of a tree of results, computed again from its files alone.

    tree.py TREE RECORDS VERIFY.json

Standard library only, exact rational arithmetic where the formula is one, its own readers of
PerfLog, Megatron's lines, DeepSpeed's timer and the monitors. Every figure that fpreport
recomputed must be the one found here, to its last printed digit; and every derivation, evaluated
as a pocket calculator would, must give the figure. Prints how many did; exit 1 at the first
that does not.
"""
import glob, json, os, re, statistics, sys
from fractions import Fraction as F

tree, records, verdicts = sys.argv[1:4]
doc = json.load(open(verdicts))


def read(path):
    with open(path, errors="replace") as f:
        return f.read()


def record(kind, name):
    path = "%s/%s/%s.json" % (records, kind, name)
    return json.load(open(path)) if os.path.exists(path) else None


def round_half(value, decimals):
    return "%.*f" % (decimals, float(value))


def facts(folder, key, case):
    """name -> value or pair of values, of one round of one case."""
    out, finished, loss, printed = {}, {}, {}, {}
    consumed, seconds, running = {}, {}, None
    for path in sorted(glob.glob(folder + "/*/*.log*")):
        for line in read(path).splitlines():
            if line.startswith("[PerfLog] ") and "STEP_END" in line:
                v = json.loads(line[10:])["value"]
                loss.setdefault(v["global_steps"], v["loss"])
            elif line.startswith("[PerfLog] ") and '"FINISHED"' in line:
                finished = json.loads(line[10:])["value"]
            elif " iteration " in line and "lm loss" in line:
                step = int(re.search(r"iteration +(\d+)/", line).group(1))
                loss.setdefault(step, float(re.search(r"lm loss: (\S+)", line).group(1)))
                consumed[step] = int(re.search(r"consumed samples: +(\d+)", line).group(1))
                seconds[step] = F(re.search(r"\(ms\): (\S+)", line).group(1)) / 1000
            elif line.startswith("Step "):
                m = re.match(r"Step (\d+)/\d+, Loss: (\S+)", line)
                loss.setdefault(int(m.group(1)), float(m.group(2)))
            elif "RunningAvgSamplesPerSec=" in line:
                running = F(re.search(r"RunningAvgSamplesPerSec=([0-9.]+)", line).group(1))
    if loss:
        out["loss"] = loss[max(loss)]
    for name, k in (("e2e_time", "e2e_time"), ("mlm_acc", "final_mlm_accuracy")):
        if k in finished:
            out[name] = finished[k]
    for name, k in (("p_whole", "raw_train_time"), ("p_train", "train_no_eval_time"),
                    ("p_core", "pure_training_computing_time")):
        if k in finished:
            out[name] = F(finished["num_trained_samples"]) / F(str(finished[k]))
    if "converged" in finished:
        out["target_reached"] = str(finished["converged"])
    monitors(folder, out)
    model, framework, card, nodes, procs, _ = key.split(":")
    accelerator = next((a for a in (json.load(open(p)) for p in sorted(glob.glob(records + "/accelerators/*.json")))
                        if card in a.get("aliases", [])), None)
    if not case or not accelerator:
        return out
    n_cards = int(nodes) * int(procs) // accelerator.get("ranks_per_card", 1)
    rate = None
    if consumed:
        last = max(consumed)
        step = F(consumed[last] - consumed[min(consumed)], last - min(consumed))
        rate = step * case["sequence_length"] / seconds[last] / n_cards
    elif running:
        rate = running * case["sequence_length"] / n_cards
    peak = next((p["tflops"] for want in ("bf16", "fp16") for p in accelerator["peaks"] if p["precision"] == want), None)
    if rate is None or not peak:
        return out
    out["token_per_s_per_card"] = rate
    m = record("models", case["model"])
    out["mfu"] = 100 * case.get("mfu_factor", 6) * F(m["nominal_parameters"]) * rate / (F(peak) * 10**12)
    if m.get("exact_parameters") and m.get("shape"):
        flops = 6 * m["exact_parameters"] + 12 * m["shape"]["layers"] * m["shape"]["hidden"] * case["sequence_length"]
        out["mfu_exact"] = 100 * F(flops) * rate / (F(peak) * 10**12)
    return out


def monitors(folder, out):
    machine, used, watts = [], {}, {}
    for path in sorted(glob.glob(folder + "/*/*_monitor.log")):
        if path.endswith("/pwr_monitor.log"):
            machine += [F(l.split("\t")[1]) for l in read(path).splitlines()]
        card, paired = 0, path.endswith("/iluvatar_monitor.log")
        for line in read(path).splitlines():
            m = re.match(r"\d+C (\S+) (\d+)MiB (\d+)MiB", line)
            if not m:
                card = 0 if re.match(r"\d{4}-", line) else card
                continue
            used.setdefault((path, card), []).append((int(m.group(2)), int(m.group(3))))
            if m.group(1) != "N/A":
                for c in (card - 1, card) if paired else (card,):
                    watts.setdefault((path, c), []).append(F(m.group(1).rstrip("W")))
            card += 1
    if used:
        most = max(sorted(used), key=lambda c: max(used[c])[0])
        total = F(used[most][0][1], 1024)
        out["memory"] = (F(max(u for u, _ in used[most]), 1024), total)
        out["memory_typical"] = (F(statistics.median_low([u for u, _ in used[most]]), 1024), total)
    if watts:
        out["card_power"] = sum(sum(w) / len(w) for w in watts.values()) / len(watts)
        out["card_power_peak"] = max(max(w) for w in watts.values())
    if machine:
        out["machine_power"] = max(machine)


def calculate(derivation):
    """The part in front of '=', else of the words, by Python's own arithmetic."""
    text = derivation.split(" = ")[0] if " = " in derivation else re.split(r" \(|, ", derivation)[0]
    text = text.replace(" of ", "  # ").replace(" GiB", "").replace(" W", "").split("#")[0]
    return eval(text, {"__builtins__": {}}) if re.fullmatch(r"[-0-9.eE+*/() ]+", text.strip()) else None


checked = redone = 0
for run in doc["runs"]:
    key, _, round_ = run["id"].rpartition("/")
    folder = glob.escape("%s/%s/%s" % (tree, key, round_))
    case = record("cases", run["found"]["case"]) if run["found"]["case"] else None
    mine = facts(folder, key, case)
    for m in run["metrics"]:
        name, shown = m["name"], m["recomputed"]
        if shown is None:
            if name in mine:
                sys.exit("%s: %s was not recomputed: %s" % (run["id"], name, m.get("reason")))
            if not m.get("reason"):
                sys.exit("%s: %s: no figure and no reason" % (run["id"], name))
            continue
        if name not in mine:
            sys.exit("%s: %s is %s, found none here" % (run["id"], name, shown))
        want = mine.pop(name)
        parts = shown.rstrip("%").split("/")
        wanted = [want] if not isinstance(want, tuple) else list(want)
        if isinstance(want, str):
            ok = want == shown
        else:
            ok = [round_half(w, len(p.partition(".")[2])) for w, p in zip(wanted, parts)] == parts
        if not ok:
            sys.exit("%s: %s is %s, expected %s" % (run["id"], name, shown, [str(w) if isinstance(w, str) else float(w) for w in wanted]))
        checked += 1
        value = calculate(m["derivation"])
        if value is not None:
            scale = 100 if shown.endswith("%") else 1
            near = abs(float(wanted[0]) - scale * value) <= 1e-9 * abs(scale * value) + 1e-4
            if not near:
                sys.exit("%s: %s: '%s' gives %r, expected %r" % (run["id"], name, m["derivation"], value, float(wanted[0])))
            redone += 1
    if mine:
        sys.exit("%s: not recomputed: %s" % (run["id"], ", ".join(sorted(mine))))
print("%d figures, %d by their derivation" % (checked, redone))
if checked == 0 or redone == 0:
    sys.exit("nothing was checked")
