#!/usr/bin/env python3
"""What a result costs inside a shard: CPU time, and memory.

    shard.py FPREPORT [BEFORE] [RESULTS] [ROUNDS]

The results are those of many_results.py, without evidence, in /dev/shm. A shard of all of them and a
shard of half of them are verified; the difference of the two is what results cost, without the start
of the program and the list of all records. BEFORE is another build of fpreport: the two take turns,
and the documents that they write must be the same, but for the digests at their ends.
"""
import itertools
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from measured_run import run

HERE = os.path.dirname(os.path.abspath(__file__))


def measure(program, folder, shard):
    """CPU seconds and MiB of a shard that is not there yet."""
    out = os.path.join(folder, os.path.basename(program) + ".out")
    shutil.rmtree(out, ignore_errors=True)
    command = [program, "verify", "--records", os.path.join(folder, "records"), "--shard", shard,
               "--format", "json", "-o", os.path.join(out, "0.json")]
    _, seconds, mib = run(command)
    return seconds, mib, os.path.join(out, "0.json")


def lines(path):
    """Without the digest of what is kept for a build, and that of the document."""
    with open(path, "rb") as document:
        yield from (line for line in document if not line.startswith((b'  "ended": ', b'  "digest": ')))


def main():
    programs = [os.path.abspath(p) for p in sys.argv[1:3] if os.path.exists(p)]
    more = sys.argv[1 + len(programs):]
    count, rounds = (int(v) for v in more + ["10000", "5"][len(more):])
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        subprocess.run([sys.executable, os.path.join(HERE, "many_results.py"),
                        os.path.join(folder, "records"), str(count)], check=True)
        links = []
        for number, program in enumerate(programs):
            links.append(os.path.join(folder, f"fpreport{number}"))
            os.symlink(program, links[-1])
        taken = {link: {"0/1": [], "0/2": []} for link in links}
        for _ in range(rounds):
            for shard in ("0/2", "0/1"):
                for link in links:
                    taken[link][shard].append(measure(link, folder, shard))
        documents = [taken[link]["0/1"][0][2] for link in links]
        if len(links) > 1 and any(a != b for a, b in itertools.zip_longest(*map(lines, documents))):
            sys.exit("shard.py: the two programs wrote different documents")
        for link, program in zip(links, programs):
            seconds, mib = ([statistics.median(t[k] for t in taken[link][shard])
                             for shard in ("0/1", "0/2")] for k in (0, 1))
            each = 2 * (seconds[0] - seconds[1]) / count
            print(f"{program}: {seconds[0]:.2f} s of processor, {mib[0]:.0f} MiB for {count} results "
                  f"in one shard; a result {1e3 * each:.3f} ms, "
                  f"{2 * (mib[0] - mib[1]) * 1024 / count:.1f} KiB")
        if len(links) > 1:
            ratio = statistics.median(a[0] / b[0] for a, b in zip(taken[links[0]]["0/1"],
                                                                  taken[links[1]]["0/1"]))
            print(f"ratio of processor {ratio:.2f} (below 1: the first is faster)")


if __name__ == "__main__":
    main()
