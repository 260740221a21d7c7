#!/usr/bin/env python3
"""Adding a sealed run with a large log to an archive; another program, and other tools, beside it.

    archive_add.py FPREPORT [OTHER [MIB [ROUNDS]]]

The run is the golden one with the log of logs.py, of MIB (200), sealed by FPREPORT. `archive add` of
both programs (OTHER: of before a change) takes turns with what has to be done at least, by others:
`zstd -d` and `openssl dgst -sha256` once each, `grep -c` for one word. So does `grep -cE` for some
of the secrets that are looked for, as who has no fpreport would look for them. Figures are medians
of user and system time with that of the processes that read evidence; rates are of the log's bytes.
"""
import glob
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from logs import write_log
from measured_run import run

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GOLDEN = os.path.join(TOP, "tests/golden/build/records")
SECRETS = (r"PRIVATE KEY-----|\b(gh[po]_|github_pat_|hf_|glpat-|AKIA|xox[bp]-|sk-|nvapi-)[A-Za-z0-9_.-]{16}"
           r"|([_-]key|apikey|token|secret|passw(or)?d|credentials)[ \"']*[:=][ \"']*[A-Za-z0-9]{6}"
           r"|\b[0-9]{1,3}(\.[0-9]{1,3}){3}\b|\bhost(name)?[ \"']*[:=][ \"']*[a-z0-9.-]{3}")


def seal(program, folder, mib):
    tree = os.path.join(folder, "run")
    os.mkdir(tree)
    subprocess.run(["tar", "-C", tree, "--zstd", "-xf", f"{GOLDEN}/evidence/globex/run.tar.zst"],
                   check=True)
    os.remove(os.path.join(tree, "SHA256SUMS"))
    log = glob.glob(os.path.join(tree, "**", "rank0.out.log"), recursive=True)[0]
    with open(log, "wb") as out:
        size = write_log(out, mib)
    packed = os.path.join(folder, "run.tar.zst")
    subprocess.run([program, "collect", "-q", "--force", tree, "-o", packed], check=True,
                   stdout=subprocess.DEVNULL)
    return packed, log, size


def add(program, records, packed, archive):
    shutil.rmtree(archive, ignore_errors=True)
    return run([program, "archive", "add", packed, "--records", records, "--archive", archive])


def main():
    programs = [os.path.abspath(p) for p in sys.argv[1:3]]
    mib, rounds = (int(sys.argv[at]) if len(sys.argv) > at else otherwise
                   for at, otherwise in ((3, 200), (4, 5)))
    with tempfile.TemporaryDirectory() as folder:
        packed, log, size = seal(programs[0], folder, mib)
        tar, records = os.path.join(folder, "run.tar"), os.path.join(folder, "records")
        subprocess.run(["zstd", "-dq", packed, "-o", tar], check=True)
        shutil.copytree(GOLDEN, records)
        archive = os.path.join(folder, "archive")
        ways = {p: lambda p=p: add(p, records, packed, archive) for p in programs}
        floor = [["zstd", "-dqc", packed], ["openssl", "dgst", "-sha256", tar],
                 ["grep", "-c", "STEP_END", log]]
        ways["zstd -d, openssl dgst, grep -c"] = lambda: (0, sum(run(c)[1] for c in floor), 0)
        ways["grep -cE of secrets"] = lambda: run(["grep", "-cE", SECRETS, log])
        turns = [{name: way()[1] for name, way in ways.items()} for _ in range(rounds)]
    print(f"archive add of a run with a log of {size / 1e6:.0f} MB, {os.cpu_count()} cores")
    for name in ways:
        took = statistics.median(t[name] for t in turns)
        print(f"  {name}: {took:.3f} s of processor, {size / took / 1e6:.0f} MB/s")
    for name in list(ways)[1:]:
        ratio = statistics.median(t[programs[0]] / t[name] for t in turns)
        print(f"  ratio of processor time to {name} {ratio:.3f}")


if __name__ == "__main__":
    main()
