#!/usr/bin/env python3
"""Verifying 1,000 results, each with a sealed submission of its own; another program beside it.

    evidence.py FPREPORT [OTHER [RESULTS [ROUNDS [FOLDER]]]]

Each result is a tiny native run of a case of its own, sealed and drafted by `collect`, with its log,
monitors and fingerprint. TRAINED of the runs are trained by FPREPORT; the others are copies of these
under the name of another case. `verify` of both programs (OTHER: of before a change) is run in turns
on the same records; figures are medians of user and system time with that of the processes that
read evidence, and the last line is the ratio of FPREPORT to OTHER. Their documents (--format json)
are compared as well. The records are made in a folder that is removed, or in FOLDER, where they stay
for the next time.
"""
import glob
import hashlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from measured_run import run

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STEPS = 60
TRAINED = 4
NAME = "tiny-%05d"
VENDOR = "fpreport"


def ask(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"evidence.py: exit {done.returncode}: {' '.join(command)}\n{done.stderr}")


def write_case(records, number):
    with open(os.path.join(TOP, "records/cases/tiny_llama.json")) as f:
        case = json.load(f)
    del case["alignment"]
    case.update(id=NAME % number, steps=STEPS, seed=1 + number % TRAINED)
    with open(os.path.join(records, "cases", case["id"] + ".json"), "w") as out:
        json.dump(case, out, ensure_ascii=False, indent=2)


def train(program, records, folder, number):
    ask([program, "train", NAME % number, "--records", records, "-q", "-o", f"runs-{number}"], folder)
    found = glob.glob(os.path.join(folder, f"runs-{number}", "**", "run.json"), recursive=True)
    return os.path.dirname(found[0])


def sum_of(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def replace(folder, old, new):
    for path in glob.glob(os.path.join(folder, "**"), recursive=True):
        if os.path.isfile(path):
            with open(path, "rb") as f:
                text = f.read()
            with open(path, "wb") as out:
                out.write(text.replace(old.encode(), new.encode()))


def copy(run_folder, to, old, new):
    """The same run of another case, whose name is as long; run.json has the sums of the files, and the
    fingerprint that of the case."""
    shutil.copytree(run_folder, to)
    for path in glob.glob(os.path.join(to, f"{old}:*")):
        os.rename(path, path.replace(f"/{old}:", f"/{new}:"))
    replace(to, old, new)
    replace(to, sum_of(os.path.join(run_folder, "case.json")), sum_of(os.path.join(to, "case.json")))
    with open(os.path.join(to, "run.json")) as f:
        about = json.load(f)
    for file in about["files"]:
        file["sha256"] = sum_of(os.path.join(to, file["path"]))
    with open(os.path.join(to, "run.json"), "w") as out:
        json.dump(about, out)


def make(program, records, wanted):
    """What is there stays."""
    if os.path.isdir(os.path.join(records, "results")):
        return
    with tempfile.TemporaryDirectory() as folder:
        alone = os.path.join(folder, "records")  # with one case at a time: collect reads all records
        for part in ("vendors", "accelerators", "models", "references"):
            shutil.copytree(os.path.join(TOP, "records", part), os.path.join(alone, part))
        shutil.copytree(alone, records, dirs_exist_ok=True)
        for place in (records, alone):
            os.makedirs(os.path.join(place, "cases"))
        for number in range(wanted):
            write_case(records, number)
        trained = [train(program, records, folder, n) for n in range(min(wanted, TRAINED))]
        for number in range(wanted):
            first = number % TRAINED
            to = trained[first]
            if number != first:
                to = os.path.join(folder, "copy", os.path.basename(to))
                copy(trained[first], to, NAME % first, NAME % number)
            write_case(alone, number)
            ask([program, "collect", to, "-q", "--vendor", VENDOR, "--records", alone, "-o",
                 records], folder)
            os.remove(os.path.join(alone, "cases", NAME % number + ".json"))
            shutil.rmtree(os.path.join(folder, "copy"), ignore_errors=True)


def document(program, records):
    command = [program, "verify", "--records", records, "--format", "json"]
    return subprocess.run(command, capture_output=True).stdout


def main():
    programs = [os.path.abspath(p) for p in sys.argv[1:3]]
    wanted, rounds = (int(sys.argv[at]) if len(sys.argv) > at else otherwise
                      for at, otherwise in ((3, 1000), (4, 5)))
    with tempfile.TemporaryDirectory() as own:
        records = os.path.abspath(sys.argv[5]) if len(sys.argv) > 5 else own
        make(programs[0], records, wanted)
        commands = [[p, "verify", "--records", records] for p in programs]
        for command in commands:
            run(command)  # warm
        turns = [[run(command) for command in commands] for _ in range(rounds)]
        print(f"verify {wanted} results, each with a sealed submission")
        for side, program in enumerate(programs):
            wall, processor, mib = (statistics.median(t[side][k] for t in turns) for k in range(3))
            print(f"  {program}: {processor:.3f} s of processor (least "
                  f"{min(t[side][1] for t in turns):.3f}), {wall:.3f} s wall, {mib:.1f} MiB")
        if len(programs) > 1:
            same = document(programs[0], records) == document(programs[1], records)
            print(f"  the documents are {'the same' if same else 'NOT the same'}")
            print("  ratio of processor time "
                  f"{statistics.median(t[0][1] / t[1][1] for t in turns):.3f}")


if __name__ == "__main__":
    main()
