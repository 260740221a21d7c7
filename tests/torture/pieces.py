#!/usr/bin/env python3
"""All of `make torture`, in pieces of half a minute that can be interrupted and taken up again.

    pieces.py PROGRAM faults.so flip_bits FOLDER [--jobs N] [--list] [--report]

FOLDER/state has a line for each piece that is finished: its name, its seconds of processor, its points
and how many were wrong. A run goes on with what is not there; what was said of a piece is in
FOLDER/NAME.txt. A kill or an interrupt loses the pieces that were at work. Another program, library or
sweep than those of the state is refused: `rm -r FOLDER` begins anew.

    --of EXPR  the pieces whose names it matches only: --of "(look|again)-[0-9]" --of mutants
    --list     the pieces that are left and how long they take, by what was measured
    --report   what is known so far, as the table of docs/lab/testing.md
"""
import argparse
import hashlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

from scenarios import ALL

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
SCRIPT = os.path.join(TOP, "templates/site/verify.sh")
SECONDS = 30  # of processor that a piece should take

# Points of each sweep as a run counts them, and seconds of processor that one takes with what follows it
# (measured): only the number of pieces and the estimate come from here. A power failure is simulated, so
# that most of its states cost little, but those of a branch have to be put on a disk.
STATE_FAULTS, OPEN_FAULTS, READ_FAULTS, MEMORY_FAULTS, PROCESS_FAULTS, MORE = 8, 4, 3, 2, 6, 200
LOOK_FAULTS, DESCRIPTOR_FAULTS, SECOND = 4, 4, 4  # about one of a descriptor for each open; a point of `again` is three runs
SCENARIOS = {  # name: (state, open, read, look, call stacks of allocations, seconds a point)
    "build": (793, 670, 430, 4243, 2978, 0.06),
    "build-uncached": (556, 665, 425, 2403, 2900, 0.06),
    "build-archived": (800, 688, 441, 4291, 2978, 0.06),
    "build-published": (800, 677, 419, 4259, 3400, 0.06),
    "first-build": (780, 639, 253, 2354, 2949, 0.06),
    "build-by-file": (1182, 854, 534, 4219, 2985, 0.07),
    "build-again": (149, 618, 212, 4243, 2508, 0.12),
    "publish": (239, 1025, 999, 1277, 4613, 0.1),
    "publish-loose": (88, 1500, 1758, 5499, 4613, 0.1),
    "first-publish": (585, 1270, 1097, 2235, 4613, 0.1),
    "publish-signed": (285, 1063, 1027, 1338, 5783, 0.1),
    "collect": (31, 196, 332, 269, 1684, 0.03),
    "reproduce": (141, 192, 222, 6095, 2396, 0.12),
    "new": (143, 131, 190, 314, 213, 0.02),
    "import": (11, 3, 2, 5, 1038, 0.02),
    "archive": (48, 40, 36, 91, 1499, 0.02),
    "first-archive": (61, 42, 32, 96, 1499, 0.02),
    "withdraw": (25, 11, 5, 31, 930, 0.03),
    "redact": (48, 22, 8, 46, 1115, 0.03),
    "challenge": (8, 3, 2, 4, 919, 0.02),
    "fsck": (13, 7, 6, 52, 913, 0.02),
    "fsck-site": (12, 619, 309, 570, 913, 0.02),
    "fsck-signed": (13, 9, 10, 54, 913, 0.02),
}
CALLS = 10  # of processes, pipes and what is waited for
USUAL = (150, 150, 150, 300, 1500, 0.05)  # one that nobody measured
SWEEPS = ("kill", "stop", "error", "lost", "open", "read", "process", "look", "descriptor", "again", "power", "memory")
RANKS = {"kill": 0, "error": 0, "lost": 0, "stop": 0, "process": 0, "again": 0, "power": 0, "look": 1, "descriptor": 1, "open": 1, "read": 1, "bits": 2, "mutants": 3, "memory": 4}
BITS, MUTANTS = 10160, 10000
BIT_SECONDS, MUTANT_SECONDS = 0.015, 0.04


class Piece:
    def __init__(self, group, part, parts, seconds, rank, command):
        self.group, self.name = group, f"{group}-{part + 1}of{parts}".replace(" ", "-")
        self.seconds, self.command = seconds / parts, command
        self.order = (rank, seconds, group, part)  # what is whole soonest comes first


def sweeps(program, library):
    for kind in ALL:
        name = kind.name
        state, opens, reads, looks, memory, cost = SCENARIOS.get(name, USUAL)
        counts = {"kill": state, "stop": state, "process": CALLS * PROCESS_FAULTS, "error": state * STATE_FAULTS, "lost": state // 5,
                  "open": opens * OPEN_FAULTS, "read": reads * READ_FAULTS, "look": looks * LOOK_FAULTS, "descriptor": opens * DESCRIPTOR_FAULTS, "again": state * SECOND * 3,
                  "power": state * (8 if "publish" in name else 1), "memory": (memory + MORE) * MEMORY_FAULTS}
        for sweep, points in counts.items():
            if sweep not in kind.sweeps:
                continue
            seconds = points * cost
            parts = max(1, round(seconds / SECONDS))
            for part in range(parts):
                yield Piece(f"{name} {sweep}", part, parts, seconds, RANKS[sweep],
                            ["python3", f"{HERE}/torture.py", program, library, "--only", name, "--sweep", sweep,
                             "--more", str(MORE), "--part", f"{part}/{parts}"])


def submissions(program, flip, small):
    mutants = ["python3", f"{HERE}/mutants.py", program, SCRIPT, f"{small}/signers"]
    both = [f"{small}/a.tar.zst", f"{small}/b.tar.zst"]
    yield Piece("bits, the reader", 0, 1, 5, RANKS["bits"], [flip, both[0], f"{small}/signers", "acme"])
    parts = round(BITS * BIT_SECONDS / SECONDS)
    for part in range(parts):
        yield Piece("bits, both programs", part, parts, BITS * BIT_SECONDS, RANKS["bits"],
                    mutants + ["1", f"bits:{part}/{parts}", *both])
    parts = round(MUTANTS * MUTANT_SECONDS / SECONDS)
    for part in range(parts):
        yield Piece("mutants", part, parts, MUTANTS * MUTANT_SECONDS, RANKS["mutants"],
                    mutants + [str(20261122 + part), str(-(-MUTANTS // parts)), *both])


COUNTS = [re.compile(rb"(\d+) points, (\d+) wrong"),
          re.compile(rb"(\d+) submissions \(.*\); (\d+) judged differently, (\d+) taken wrongly"),
          re.compile(rb"(\d+) bits of \d+ flipped, (\d+) taken")]


def counted(text, good):
    """Points and how many were wrong; None: it did not come to its end, or not to the one that it tells."""
    for pattern in COUNTS:
        found = pattern.findall(text)
        if found:
            points, wrong = int(found[-1][0]), sum(int(x) for x in found[-1][1:])
            return (points, wrong) if good == (wrong == 0) else None
    return None


class State:
    def __init__(self, folder, identity):
        self.path, self.done, self.lock = os.path.join(folder, "state"), {}, threading.Lock()
        lines = open(self.path).read().splitlines() if os.path.exists(self.path) else []
        if lines and lines[0] != identity:
            sys.exit(f"{self.path} is of another program or other sweeps: rm -r {folder} begins anew")
        for line in lines[1:]:
            name, seconds, points, wrong = line.split("\t")
            self.done[name] = (float(seconds), int(points), int(wrong))
        if not lines:
            self.add_line(identity)

    def add_line(self, line):
        with open(self.path, "a") as f:
            f.write(line + "\n")
            f.flush()
            os.fsync(f.fileno())

    def add(self, piece, seconds, points, wrong):
        with self.lock:
            self.done[piece.name] = (seconds, points, wrong)
            self.add_line(f"{piece.name}\t{seconds:.1f}\t{points}\t{wrong}")


def identity(*paths):
    digest = hashlib.sha256()
    for path in [*paths, SCRIPT, *sorted(os.path.join(HERE, n) for n in os.listdir(HERE) if n.endswith((".py", ".sh")))]:
        digest.update(open(path, "rb").read())
    return digest.hexdigest()


class Run:
    def __init__(self, options, pieces, state):
        self.options, self.state, self.lock = options, state, threading.Lock()
        self.left = [p for p in pieces if p.name not in state.done]
        self.all, self.failed, self.stopping, self.children = len(pieces), 0, False, set()

    def stop(self, *_):
        self.stopping = True
        for child in list(self.children):
            try:
                os.killpg(child.pid, signal.SIGTERM)
            except ProcessLookupError:
                pass

    def next(self):
        with self.lock:
            return None if self.stopping or not self.left else self.left.pop(0)

    def work(self):
        while (piece := self.next()) is not None:
            out = os.path.join(self.options.folder, piece.name + ".txt")
            with open(out, "wb") as f, tempfile.TemporaryDirectory(dir=self.options.place) as place:
                child = subprocess.Popen(piece.command, stdout=f, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                         process_group=0,
                                         env=dict(os.environ, TMPDIR=place, FAULTS_LIBRARY=self.options.library))
                self.children.add(child)
                _, status, usage = os.wait4(child.pid, 0)
                self.children.discard(child)
            if not self.stopping:
                self.finish(piece, usage.ru_utime + usage.ru_stime, status == 0, open(out, "rb").read())

    def finish(self, piece, seconds, good, text):
        counts = counted(text, good)
        with self.lock:
            self.failed += counts is None or counts[1] > 0
            if counts is None:
                last = text.strip().splitlines()[-1:] or [b"nothing said"]
                print(f"{piece.name}: did not end well: {last[0].decode(errors='replace')[:200]}", flush=True)
                return
        self.state.add(piece, seconds, *counts)
        print(f"{time.strftime('%H:%M:%S')} {len(self.left)} of {self.all} not begun: {piece.name}: {counts[0]} points, "
              f"{counts[1]} wrong, {seconds:.0f} s", flush=True)

    def all_of_it(self):
        signal.signal(signal.SIGTERM, self.stop)
        signal.signal(signal.SIGINT, self.stop)
        threads = [threading.Thread(target=self.work) for _ in range(self.options.jobs)]
        for t in threads:
            t.start()
        while any(t.is_alive() for t in threads):
            time.sleep(0.2)


def cell(parts, done, points, wrong):
    if not done:
        return ""
    return f"{'all ' if done == parts else ''}{points}{'' if done == parts else f' ({done} of {parts} pieces)'}, {wrong}"


def report(pieces, state):
    """A Markdown table, a row a scenario and a column a sweep: points, and how many were wrong."""
    groups = {}
    for piece in pieces:
        row = groups.setdefault(piece.group, [0, 0, 0, 0])
        _, points, wrong = state.done.get(piece.name, (0, 0, 0))
        for i, more in enumerate((1, piece.name in state.done, points, wrong)):
            row[i] += more
    print("| | " + " | ".join(SWEEPS) + " |\n|" + " --- |" * (len(SWEEPS) + 1))
    for name in (kind.name for kind in ALL):
        print(f"| {name} | " + " | ".join(cell(*groups.pop(f"{name} {sweep}", (0, 0, 0, 0))) for sweep in SWEEPS) + " |")
    for group, row in groups.items():
        print(f"\n{group}: {cell(*row) or 'nothing yet'}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "library", "flip", "folder"):
        parser.add_argument(name, type=os.path.abspath)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--of", action="append", default=[])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    options.place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    os.makedirs(options.folder, exist_ok=True)
    state = State(options.folder, identity(options.program, options.library, options.flip))
    small = os.path.join(options.folder, "small")
    pieces = sorted([*sweeps(options.program, options.library), *submissions(options.program, options.flip, small)],
                    key=lambda p: p.order)
    if options.report:
        return report(pieces, state)
    pieces = [p for p in pieces if not options.of or any(re.search(expr, p.name) for expr in options.of)]
    run = Run(options, pieces, state)
    if options.list:
        for piece in run.left:
            print(f"{piece.name}: {piece.seconds:.0f} s")
    print(f"{len(run.left)} of {run.all} pieces are left, {sum(p.seconds for p in run.left) / 3600:.1f} h of processor")
    if options.list:
        return 0
    if not os.path.exists(f"{small}/b.tar.zst"):
        subprocess.run(["rm", "-rf", small], check=True)
        subprocess.run(["sh", f"{HERE}/small.sh", options.program, small], check=True)
    run.all_of_it()
    report(pieces, state)
    return run.failed > 0 or any(p.name not in state.done for p in pieces)


if __name__ == "__main__":
    sys.exit(main())
