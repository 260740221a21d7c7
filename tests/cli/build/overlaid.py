"""Results that were compared with one reference: overlaid.py RECORDS VENDOR=AMPLITUDE…

Each VENDOR gets a copy of fpreport/tiny_llama, sealed anew, whose losses swing by AMPLITUDE percent
around those of the run, and are the farthest off at step 150. Prints "VENDOR STEP PERCENT": where
each is farthest from the reference from step 21 on, computed here.
"""
import csv
import hashlib
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

PEAK = 150


def swing(step, amplitude):
    wave = 0.5 * math.sin(step * 0.13) * math.sin(step * 0.017)
    return 1 + amplitude / 100 * (1.0 if step == PEAK else wave)


def worst(records, losses):
    rows = list(csv.reader(open(records / "references/tiny_llama.csv")))[1:]
    off = [((losses[int(s)] - float(v)) / abs(float(v)) * 100, int(s)) for s, v, *_ in rows if int(s) in losses and int(s) >= 21]
    return max(off, key=lambda o: (abs(o[0]), -o[1]))


def reseal(archive, to, amplitude):
    """The same archive with other losses; those losses by step."""
    losses = {}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(f"zstd -dcq '{archive}' | tar x -C '{folder}'", shell=True, check=True)
        root = pathlib.Path(folder)
        log = next(root.rglob("rank0.out.log"))

        def changed(found):
            step = int(re.search(r'"global_steps": (\d+)', found.string[found.end():]).group(1))
            losses[step] = round(float(found.group(1)) * swing(step, amplitude), 6)
            return f'"loss": {losses[step]}'

        lines = [re.sub(r'"loss": ([\d.]+)', changed, line) for line in log.read_text().splitlines(True)]
        log.write_text("".join(lines))
        names = sorted(str(p.relative_to(root)) for p in root.rglob("*") if p.is_file() and p.name != "SHA256SUMS")
        sums = "".join(f"{hashlib.sha256((root / n).read_bytes()).hexdigest()}  {n}\n" for n in names)
        (root / "SHA256SUMS").write_text(sums)
        to.parent.mkdir(parents=True, exist_ok=True)
        listed = root / ".names"
        listed.write_text("\n".join(["SHA256SUMS", *names]) + "\n")
        subprocess.run(f"tar c -C '{folder}' --format=ustar --mtime=@0 --owner=0 --group=0 --mode=0644 -T '{listed}' | zstd -q -o '{to}'",
                       shell=True, check=True)
    return losses


def main():
    records = pathlib.Path(sys.argv[1])
    original = json.loads((records / "results/fpreport/tiny_llama.json").read_text())
    for wanted in sys.argv[2:]:
        vendor, amplitude = wanted.split("=")
        result = json.loads(json.dumps(original))
        archive = f"evidence/{vendor}/tiny_llama.tar.zst"
        losses = reseal(records / original["evidence"][0]["archive"], records / archive, float(amplitude))
        digest = hashlib.sha256((records / archive).read_bytes()).hexdigest()
        result.update(vendor=vendor, evidence=[{"archive": archive, "sha256": digest, "table": 1, "row": 1}])
        for block in result["performance"]:
            for row in block["table"]["rows"]:
                row[4] = f"{losses[max(losses)]:.4f}"
        to = records / "results" / vendor / "tiny_llama.json"
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(json.dumps(result, ensure_ascii=False, indent=1))
        percent, step = worst(records, losses)
        print(vendor, step, f"{percent:.4f}")


main()
