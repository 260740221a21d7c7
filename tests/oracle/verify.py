#!/usr/bin/env python3
"""An independent look at what `fpreport verify --format json` recomputed.

  verify.py evidence RECORDS VERIFY.json          from the sealed submissions themselves
  verify.py pages RECORDS VERIFY.json PAGE.md…    MFU from the raw text of published pages

Standard library only; exact rational arithmetic, another table reader, another tar reader.
Prints how many figures agree to the last printed digit; exit 1 at the first that does not.
"""
import io, json, os, re, subprocess, sys, tarfile
from fractions import Fraction as F

RULE = (21, F(2, 100))


def fail(text):
    sys.exit("differs: " + text)


def shown(value, like):
    """The exact value with as many decimals as the text has."""
    digits = len(like.rstrip("%").partition(".")[2])
    return "%.*f" % (digits, float(value))


def members(path):
    raw = subprocess.run(["zstd", "-dcq", path], check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(raw)) as tar:
        return {m.name: tar.extractfile(m).read().decode() for m in tar if m.isfile()}


def steps_of(log):
    """step -> (loss, seconds) as exact decimals of what was printed."""
    steps = {}
    for line in log.splitlines():
        if line.startswith("[PerfLog] ") and '"STEP_END"' in line:
            value = json.loads(line[10:], parse_float=F)["value"]
            steps[int(value["global_steps"])] = (F(value["loss"]), F(value["step_time_s"]))
    return steps


def curve_of(path):
    rows = [line.split(",") for line in open(path).read().split()[1:]]
    return {int(r[0]): F(r[1]) for r in rows if r[1]}


def throughput(steps, case):
    report = case.get("report", {})
    counted = [s for n, (_, s) in sorted(steps.items()) if n > report.get("warmup_steps", 0)]
    if report.get("throughput") == "last":
        counted = counted[-1:]
    batch = case["micro_batch"] * case.get("gradient_accumulation", 1)
    batch *= case.get("parallel", {}).get("data", 1)
    return len(counted) * batch * case["sequence_length"] / sum(counted)


def align(steps, reference):
    errors = {n: abs(steps[n][0] - reference[n]) / abs(reference[n])
              for n in steps if n in reference and n >= RULE[0]}
    worst = max(errors, key=lambda n: (errors[n], -n))
    return len(errors), sum(errors.values()) / len(errors), errors[worst], worst


def check_alignment(got, want):
    n, mean, worst, at = want
    if got["steps"] != n or got["max_step"] != at:
        fail("alignment over %s steps, worst %s" % (got["steps"], got["max_step"]))
    for key, value in (("mean_rel_error", mean), ("max_rel_error", worst)):
        # the difference of two doubles near 1 is exact to 1e-16, so 1e-4 of it to 1e-12
        if abs(F(got[key]) - value) > value * F(1, 10 ** 9):
            fail("%s is %s, exactly %s" % (key, got[key], float(value)))
    if got["aligned"] != (mean < RULE[1]):
        fail("aligned")


def check_run(records, run):
    checked = 0
    for e in run["evidence"]:
        files = members(os.path.join(records, e["archive"]))
        case = json.loads(files["case.json"])
        steps = steps_of(files[e["log"]])
        want = {"token_per_s_per_card": throughput(steps, case), "loss": steps[max(steps)][0]}
        for m in run["metrics"]:
            if m["name"] in want:
                if shown(want[m["name"]], m["recomputed"]) != m["recomputed"]:
                    fail("%s %s: %s, exactly %s" % (run["id"], m["name"], m["recomputed"],
                                                    float(want[m["name"]])))
                checked += 1
        if "alignment" in e:
            reference = curve_of(os.path.join(records, e["alignment"]["reference"]))
            check_alignment(e["alignment"], align(steps, reference))
            checked += 1
    return checked


def tables(page):
    """Tables whose first header cell is 配置: header and body rows, as lists of cells."""
    found, body = [], None
    for line in page.read().replace("\r", "").split("\n"):
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if not line.strip().startswith("|"):
            body = None
        elif body is None and cells[0] == "配置":
            body = [cells]
            found.append(body)
        elif body is not None:
            body.append(cells)
    return [(t[0], t[2:]) for t in found]


def factors(records, text, row, header, derivation):
    """factor and N by the page's words; the peak is looked up in the records."""
    model = re.search(r"\|\s*模型\s*\|\s*([^|]*?)\s*\|", text).group(1).replace("*", "x").lower()
    size = {"mixtral_8x7b": F("12.7")}.get(model) or F(re.search(r"_(\d+)b", model).group(1))
    first = row[0]
    factor = 2 if "pretrain" in first and "llava" in model else 4 if "lora" in text.lower() else 6
    precision = row[header.index("precision")] if "precision" in header else ""
    hyper = row[header.index("fix_hp")] if "fix_hp" in header else ""
    stated = re.search(r"theoryflops=(\d+)T", hyper)
    if stated:
        return factor, size, [F(stated.group(1))]
    override = re.search(r"数据精度=(\w+)", hyper)
    precision = override.group(1) if override else precision
    if not precision:
        precision = re.search(r"\|\s*数据精度\s*\|\s*(\w+)", text).group(1)
    card = re.match(r"[A-Za-z0-9 -]*?(A100|A800|H100|H800|Bi-150|BI150|Atlas)", first).group(1)
    name = {"Bi-150": "bi-v150", "BI150": "bi-v150", "Atlas": "atlas-800t-a2"}.get(card, card.lower())
    record = json.load(open(os.path.join(records, "accelerators", name + ".json")))
    peaks = {p["precision"]: F(str(p["tflops"])) for p in record["peaks"]}
    if precision == "bf16+fp8":
        return factor, size, [peaks["fp8"], peaks["bf16"]]
    if precision in ("fp32", "tf32"):
        return factor, size, [peaks["tf32"]]
    return factor, size, [peaks["fp16" if precision == "fp16" else "bf16"]]


def check_page(records, run, path):
    checked, text, found = 0, open(path).read(), tables(open(path))
    for m in run["metrics"]:
        if m["name"] != "mfu" or not m["recomputed"]:
            continue
        header, rows = found[m["table"] - 1]
        row = rows[m["row"] - 1]
        tps = F(row[header.index("token/p/s")])
        factor, size, peaks = factors(records, text, row, header, m["derivation"])
        want = [100 * factor * size * 10 ** 9 * tps / (peak * 10 ** 12) for peak in peaks]
        got = m["recomputed"].split("-")
        if [shown(w, g) for w, g in zip(want, got)] != [g.rstrip("%") for g in got]:
            fail("%s row %d.%d: MFU %s, exactly %s" % (run["id"], m["table"], m["row"],
                                                       m["recomputed"], [float(w) for w in want]))
        checked += 1
    return checked


def main(kind, records, document, *pages):
    runs = json.load(open(document))["runs"]
    if kind == "evidence":
        checked = sum(check_run(records, run) for run in runs)
    else:
        by_file = {run["file"]: run for run in runs}
        checked = sum(check_page(records, by_file[page], page) for page in pages)
    print("%d figures agree" % checked)
    sys.exit(0 if checked else 1)


main(*sys.argv[1:])
