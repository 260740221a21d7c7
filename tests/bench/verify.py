#!/usr/bin/env python3
"""Verifying 10,000 results and the published pages, beside what a script of one's own would do.

    verify.py FPREPORT [RESULTS] [ROUNDS]

The results are those of many_results.py. The peer is this file, called with `peer`: it loads each
record with json.load (each page: splits its tables) and recomputes the MFU of each row that states
one, nothing else: one of the checks that fpreport makes. Both take turns; figures are medians of
the wall clock and of user and system time, and the largest memory of the child. Pages are those of
../shared/corpus/flagperf; without them that part is skipped with a notice.
"""
import glob
import json
import os
import statistics
import subprocess
import sys
import tempfile

from measured_run import run

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
PAGES = os.path.join(TOP, "..", "shared", "corpus", "flagperf")


def number(text):
    try:
        return float(text.strip().rstrip("%"))
    except ValueError:
        return None


def recompute(columns, rows, peak=312e12, parameters=7e9):
    """How many rows state the MFU that their throughput gives."""
    names = [c.strip().lower() for c in columns]
    if "mfu" not in names:
        return 0
    speed = next((i for i, n in enumerate(names) if "/p/s" in n or "/s/p" in n), None)
    agree = 0
    for row in rows:
        mfu = number(row[names.index("mfu")]) if len(row) == len(names) else None
        rate = number(row[speed]) if speed is not None and len(row) == len(names) else None
        if mfu is not None and rate is not None:
            agree += abs(6 * parameters * rate / peak * 100 - mfu) < 0.1
    return agree


def cell(value):
    return value if isinstance(value, str) else str(value.get("value", ""))


def peer_records(folder):
    agree = 0
    for path in glob.glob(os.path.join(folder, "results", "*", "*.json")):
        with open(path) as f:
            result = json.load(f)
        for table in result.get("performance", []):
            rows = [r.get("cells", []) if isinstance(r, dict) else r for r in table.get("rows", [])]
            columns = [cell(c) for c in table.get("columns", [])]
            agree += recompute(columns, [[cell(c) for c in r] for r in rows])
    return agree


def peer_pages(paths):
    agree = 0
    for path in paths:
        with open(path) as f:
            rows = [line.strip().strip("|").split("|") for line in f if line.startswith("|")]
        agree += recompute(rows[0], rows[2:]) if len(rows) > 2 else 0
    return agree


def compare(what, ours, peer, rounds):
    for command in (ours, peer):
        run(command)  # warm
    pairs = [(run(ours), run(peer)) for _ in range(rounds)]
    print(what)
    for name, side in (("fpreport", 0), ("json.load and MFU in python3", 1)):
        wall, processor, mib = (statistics.median(p[side][k] for p in pairs) for k in range(3))
        best = min(p[side][0] for p in pairs)
        print(f"  {name:28} {wall:7.3f} s wall (best {best:.3f}), {processor:7.3f} s of processor, "
              f"{mib:6.1f} MiB")
    print(f"  ratio of wall {statistics.median(a[0] / b[0] for a, b in pairs):.2f}, of processor "
          f"{statistics.median(a[1] / b[1] for a, b in pairs):.2f} (below 1: fpreport is faster)")


def main():
    if sys.argv[1] == "peer":
        print(peer_records(sys.argv[2]) if os.path.isdir(sys.argv[2]) else peer_pages(sys.argv[2:]))
        return
    program = os.path.abspath(sys.argv[1])
    count = sys.argv[2] if len(sys.argv) > 2 else "10000"
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    me = [sys.executable, os.path.abspath(__file__), "peer"]
    with tempfile.TemporaryDirectory() as folder:
        many = os.path.join(folder, "records")
        subprocess.run([sys.executable, os.path.join(HERE, "many_results.py"), many, count],
                       check=True)
        compare(f"verify {count} results", [program, "verify", "--records", many], me + [many],
                rounds)
    pages = sorted(glob.glob(os.path.join(PAGES, "**", "README.md"), recursive=True))
    if not pages:
        print("note: there is no ../shared/corpus/flagperf, so no pages were verified")
        return
    compare(f"verify {len(pages)} published pages in one call",
            [program, "-C", TOP, "verify"] + pages, me + pages, 4 * rounds)


if __name__ == "__main__":
    main()
