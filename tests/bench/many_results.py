#!/usr/bin/env python3
"""A records folder with thousands of results, from a fixed seed.

    many_results.py FOLDER [RESULTS]

Vendors, accelerators, models and cases are those of this project; a result is one of its results
with some numbers of its tables, batch sizes and versions changed, for a case that is a copy of the
result's, so that vendor and case stay unique. Evidence is left out: opening 10,000 archives would
measure something else. Some changed numbers contradict others; those results fail, as in life.
"""
import copy
import glob
import json
import os
import random
import re
import shutil
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def write(path, value):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as out:
        json.dump(value, out, ensure_ascii=False, indent=2)


def vary_text(rng, text):
    """Another number of as many digits in place of the last one, one time in thirty."""
    numbers = list(re.finditer(r"\d+", text))
    if not numbers or rng.random() < 29 / 30:
        return text
    last = numbers[-1]
    digits = "".join(rng.choice("123456789") for _ in last.group())
    return text[:last.start()] + digits + text[last.end():]


def vary(rng, value, key=None):
    """All cells ("value") and versions; what names things stays."""
    if isinstance(value, dict):
        return {k: vary(rng, v, k) for k, v in value.items()}
    if isinstance(value, list):
        return [vary(rng, v, key) for v in value]
    return vary_text(rng, value) if key == "value" and isinstance(value, str) else value


def seeds():
    for path in sorted(glob.glob(os.path.join(TOP, "records/results/*/*.json"))):
        with open(path) as f:
            result = json.load(f)
        result.pop("evidence", None)
        with open(os.path.join(TOP, "records/cases", result["case"] + ".json")) as f:
            yield result, json.load(f)


def main():
    folder = sys.argv[1]
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 10000
    rng = random.Random(1)
    for part in ("vendors", "accelerators", "models", "cases", "references", "schema"):
        shutil.copytree(os.path.join(TOP, "records", part), os.path.join(folder, part))
    found = list(seeds())
    for made in range(wanted):
        result, case = map(copy.deepcopy, found[made % len(found)])
        case["id"] = result["case"] = f"{case['id']}-{made // len(found):05d}"
        write(os.path.join(folder, "cases", case["id"] + ".json"), case)
        write(os.path.join(folder, "results", result["vendor"], case["id"] + ".json"),
              vary(rng, result))


if __name__ == "__main__":
    main()
