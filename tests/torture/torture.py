#!/usr/bin/env python3
"""Kills, failing calls, failing allocations and power failures, for every command that writes.

    torture.py FPREPORT faults.so [OPTION…]

    --sample N     N points of each sweep, chosen by --seed, instead of all of them; of a power failure also those at
                   which goes what tells whose the other names are
    --seed S       (1)
    --only NAME    of these scenarios only (again for more)
    --sweep NAME   of these sweeps only: kill, stop, error, lost, open, read, process, look, descriptor,
                   memory, again (the run after a kill is killed or fails, too), power
    --from N, --up-to N   nothing but the N-th call, or change, to the N-th
    --second N     of the run after each kill of `again` so many points (4)
    --limit N      seconds after which a run hangs (300)
    --more N       allocations that fail besides one of each call stack (1000)
    --part K/N     the K-th of N parts of the points, from 0: all parts together are all points
    --random N     random states at each point of a power failure (20; 2 with --sample)
    --again X      the part of the states after a power failure that are run again, besides those of which the order
                   of names is turned round (0.05)

Prints TAP: a test a scenario and sweep, with how many points it had; what went wrong comes before it
as a comment, with the fault that does it again:
    FAULTS_CLASS=… FAULTS_AT=… FAULTS_DO=… OPENBLAS_NUM_THREADS=1 LD_PRELOAD=faults.so fpreport …
"""
import argparse
import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import zlib

import power
from files import held
from runs import KILL, OURS, SHORT, TERM, Fault
from scenarios import ALL

BREAKS = ("kill", "stop", "error", "lost", "open", "read", "process", "look", "descriptor", "memory")
# Of each sweep: the class of its calls and what is done at each, once or (True) from there on.
SWEEPS = {
    "kill": ("state", [(KILL, False)]),
    "stop": ("state", [(TERM, False)]),
    "error": ("state", [(e, s) for e in (errno.ENOSPC, errno.EIO, errno.EDQUOT) for s in (False, True)]
              + [(errno.EINTR, False), (SHORT, False)]),
    "lost": ("sync", [(errno.EIO, False)]),
    "open": ("open", [(errno.EMFILE, False), (errno.EMFILE, True), (errno.EINTR, False), (errno.ESTALE, False)]),
    "read": ("read", [(errno.EIO, False), (errno.EINTR, False), (SHORT, False)]),
    "process": ("process", [(errno.EAGAIN, False), (errno.EAGAIN, True), (errno.ENOMEM, False), (errno.ENOMEM, True),
                            (errno.EMFILE, False), (errno.EINTR, False), (SHORT, False)]),
    # A thing that could not be looked at is not absent. A right that is missing (EACCES) is no fault.
    "look": ("look", [(errno.EIO, False), (errno.EIO, True), (errno.ENOMEM, False), (errno.ESTALE, False)]),
    "descriptor": ("descriptor", [(errno.EIO, False), (errno.EIO, True), (errno.ENOMEM, False), (errno.EMFILE, False)]),
    "memory": ("memory", [(errno.ENOMEM, False), (errno.ENOMEM, True)]),
}
SECOND = [(KILL, False), (TERM, False), (errno.EIO, False), (errno.ENOSPC, True)]
# Our own code never ends so; cmark and libgit2 may where there is no memory, as a kill would.
CRASHES = {134: "abort", 139: "segmentation fault", 135: "bus error", 124: "hung"}


def part_named(text):
    part, _, parts = text.partition("/")
    return int(part), int(parts)


class Sweep:
    def __init__(self, options):
        self.options = options
        self.rng = random.Random(options.seed)
        self.tests = self.failed = 0
        self.stacks, self.hit, self.missed = set(), set(), 0
        self.recovered = {}  # what a folder held -> what came of the run after it

    def say(self, good, text):
        self.tests += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.tests} - {text}", flush=True)

    def choose(self, points):
        """Those of this part, whatever the number of all: threads make it differ by a few."""
        part, parts = self.options.part
        points = [p for p in points if zlib.crc32(repr(p).encode()) % parts == part]
        n = self.options.sample
        return points if not n or n >= len(points) else self.rng.sample(points, n)

    def points(self, scenario, kind, faults):
        scenario.fresh()
        whole = scenario.run(Fault(kind), stacks=kind == "memory")
        assert whole.code == scenario.done, (scenario.name, whole.code, whole.text)
        scenario.learn(scenario.folder)
        self.library_changes_nothing(scenario)
        at = self.allocations(whole.stacks) if kind == "memory" else range(self.options.first, min(whole.seen, self.options.up_to) + 1)
        return self.choose([(n, todo, sticky) for n in at for todo, sticky in faults])

    def allocations(self, stacks):
        """One of each call stack, whichever; and of the others as many as --more says."""
        of = {}
        for n, stack in enumerate(stacks, 1):
            of.setdefault(stack, []).append(n)
        rng = random.Random(self.options.seed)  # the same for each part
        chosen = {rng.choice(numbers) for numbers in of.values()}
        others = [n for n in range(1, len(stacks) + 1) if n not in chosen]
        self.stacks, self.hit = set(of), set()
        return sorted(chosen | set(rng.sample(others, min(self.options.more, len(others)))))

    def library_changes_nothing(self, scenario):
        """What was learnt with the library is what comes without it, too."""
        scenario.fresh()
        plain = subprocess.run(scenario.command, cwd=scenario.folder, env=dict(os.environ, **scenario.env),
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        outcome = scenario.outcome(scenario.folder)
        assert plain.returncode == scenario.done and outcome == "new", (scenario.name, outcome, plain.stdout.decode())

    def recover(self, scenario):
        """What comes after must find nothing in its way. The same bytes are run once."""
        key = held(scenario.folder)
        if key not in self.recovered:
            self.recovered[key] = self.run_again(scenario)
        return self.recovered[key]

    def run_again(self, scenario):
        scenario.mend(scenario.folder)
        if not scenario.again(scenario.folder):
            return scenario.sound(scenario.folder)
        after = scenario.run()
        if after.code != scenario.done:
            return f"the next run ends with {after.code}: {after.last_line()}"
        return scenario.sound(scenario.folder)

    def attempt(self, scenario, name, kind, point):
        """None, or what is wrong; and what it was."""
        fault = Fault(kind, *point)
        scenario.fresh()
        ran = scenario.run(fault)
        self.hit.add(ran.stack)
        self.missed += not ran.hit
        outcome = scenario.outcome(scenario.folder)
        killed = ran.code in (137, 143)  # of another process that was killed this one has to say what came of it
        word = "killed" if killed else CRASHES.get(ran.code, str(ran.code))
        if outcome.startswith("torn") or (outcome == "mixed" and scenario.crash == "whole"):
            return outcome, word, fault
        if not killed and ran.code not in CRASHES and outcome not in scenario.allowed(ran.code):
            return f"exit {ran.code} with {outcome}: {ran.last_line()}", word, fault
        if name == "memory" and word not in CRASHES.values() and ran.code not in (scenario.done, *scenario.no_memory):
            return f"exit {ran.code} for want of memory: {ran.last_line()}", word, fault
        if ran.whose == OURS:
            return f"our own code broke ({word}), {outcome}: {ran.last_line()}", word, fault
        if word in CRASHES.values() and not (name == "memory" and ran.whose):
            return f"{word}, {outcome}: {ran.last_line()}", word, fault
        return self.recover(scenario), word, fault

    def breaks(self, scenario, name):
        kind, faults = SWEEPS[name]
        bad, ends = [], {}
        self.recovered, self.missed = {}, 0
        for point in self.points(scenario, kind, faults):
            wrong, word, fault = self.attempt(scenario, name, kind, point)
            ends[word] = ends.get(word, 0) + 1
            if wrong:
                bad.append(f"{fault}: {wrong}")
        counts = ", ".join(f"{n} x {word if word.isalpha() or ' ' in word else 'exit ' + word}"
                           for word, n in sorted(ends.items()))
        counts += f"; {self.missed} not reached" if self.missed else ""
        if name == "memory":
            counts += f"; {len(self.hit & self.stacks)} of {len(self.stacks)} call stacks"
        n = sum(ends.values())
        self.report(scenario, name, n, bad, counts, self.missed > 1 + n // 10)

    # ---- again -------------------------------------------------------------------------------

    def again(self, scenario):
        """Killed, and what comes after that is killed or refused, too; the third must succeed."""
        bad, n, ends = [], 0, {}
        self.recovered, calls = {}, {}  # what a folder held -> how many calls the second run makes
        for at, todo, sticky in self.points(scenario, "state", [(KILL, False)]):
            first = Fault("state", at, todo, sticky)
            before = self.killed(scenario, first)
            if before is None:
                continue
            key = held(scenario.folder)
            if key not in calls:
                calls[key] = scenario.run_next(Fault("state")).seen
            chosen = self.rng.sample(range(1, calls[key] + 1), min(calls[key], self.options.second))
            for second in (Fault("state", k, *self.rng.choice(SECOND)) for k in chosen):
                n += 1
                word, wrong = self.twice(scenario, first, second)
                ends[word] = ends.get(word, 0) + 1
                if wrong:
                    bad.append(f"{first}, then {second}: {wrong}")
        self.report(scenario, "again", n, bad, ", ".join(f"{x} x {word}" for word, x in sorted(ends.items())))

    def killed(self, scenario, fault):
        """What is there after a kill; None: nothing is left to do, or nobody was killed."""
        scenario.fresh()
        ran = scenario.run(fault)
        return scenario.outcome(scenario.folder) if ran.hit and scenario.again(scenario.folder) else None

    def twice(self, scenario, first, second):
        """How the second run ended, and what is wrong; None."""
        before = self.killed(scenario, first)
        if before is None:
            return "nothing to do", None
        is_command = scenario.next(scenario.folder) == scenario.command
        ran = scenario.run_next(second)
        outcome = scenario.outcome(scenario.folder)
        killed = ran.code in (137, 143)
        word = "killed" if killed else CRASHES.get(ran.code, f"exit {ran.code}")
        allowed = scenario.allowed(ran.code) | ({before} if ran.code != scenario.done else set())
        if outcome.startswith("torn") or (outcome == "mixed" and scenario.crash == "whole"):
            return word, outcome
        if not killed and (ran.code not in (scenario.done, *scenario.ends) or outcome not in allowed) and is_command:
            return word, f"exit {ran.code} with {outcome} after {before}: {ran.last_line()}"
        if ran.whose == OURS or word in CRASHES.values():
            return word, f"{word}, {outcome}: {ran.last_line()}"
        return word, self.recover(scenario)

    def report(self, scenario, name, n, bad, counts, faultless=False):
        """Threads make a few points differ from run to run; a sweep that reaches none, or few, shows nothing."""
        for line in bad[:40]:
            print(f"# {scenario.name} {line}")
        nothing = n == 0 and self.options.part == (0, 1)
        if nothing or faultless:
            print(f"# {scenario.name} {name}: the faults did not happen")
        self.say(not bad and not nothing and not faultless, f"{scenario.name}, {name}: {n} points, {len(bad)} wrong ({counts})")

    # ---- power -------------------------------------------------------------------------------

    def power(self, scenario):
        scenario.fresh()
        disk = power.Disk(os.path.realpath(scenario.folder))
        log = os.path.join(self.options.work, "record")
        ran = scenario.run(record=log)
        assert ran.code == scenario.done, (ran.code, ran.text)
        scenario.learn(scenario.folder)
        self.came_of = {}
        events = list(power.events(log))
        among = range(self.options.first - 1, min(len(events), self.options.up_to))
        chosen = set(self.choose(list(among))) | {len(events)}
        if self.options.sample:
            chosen |= {n + 1 for n, e in enumerate(events) if e[0] == "U" and e[2].endswith(scenario.last)}
        bad, n, put = [], 0, 0
        for at in range(len(events) + 1):
            if at:
                disk.play(events[at - 1])
            if at not in chosen:
                continue
            for name, (state, nodes) in disk.states(self.rng, self.options.random):
                n += 1
                wrong, was_put = self.after_power(scenario, disk, state, nodes, at == len(events), name)
                put += was_put
                if wrong:
                    what = "the end" if at == len(events) else " ".join(str(x) for x in events[at][:4])
                    bad.append(f"power fails before {at + 1} ({what}), {name}: {wrong}")
        self.report(scenario, "power", n, bad, f"{len(events)} changes, {put} states run again")

    def after_power(self, scenario, disk, state, nodes, at_end, name):
        """What is wrong, and whether it was run again. The same state is run once."""
        key = hash(tuple((path, id(nodes[path]), data) for path, data in state.items()))
        if key not in self.came_of:
            outcome = scenario.in_state(state)
            look = outcome is None or name in power.HARD or self.rng.random() < self.options.again
            came = self.look_after_power(scenario, disk, state, nodes, at_end, outcome, look)
            if look:
                self.came_of[key] = came
            return came, look
        return self.came_of[key], False

    def look_after_power(self, scenario, disk, state, nodes, at_end, outcome, look):
        if look:
            self.put(scenario, disk, state, nodes)
            outcome = scenario.outcome(scenario.folder)
        if outcome.startswith("torn") or (outcome == "mixed" and scenario.crash == "whole"):
            return outcome
        if at_end and outcome != "new":
            return f"lost after a good end: {outcome}"
        return self.recover(scenario) if look else None

    def put(self, scenario, disk, state, nodes):
        shutil.rmtree(scenario.folder)
        os.mkdir(scenario.folder)
        moved = power.put(state, nodes, disk, scenario.folder)
        for name in os.listdir(scenario.folder):
            if name.endswith(".fpreport-lock"):  # it names inodes, which are others here
                path = os.path.join(scenario.folder, name)
                lines = open(path).read().strip("\0\n").split("\n")
                lines = [str(moved.get(int(x), x)) if x.isdigit() else x for x in lines]
                open(path, "w").write("\n".join(lines) + "\n")
        if scenario.name in ("publish", "first-publish"):  # folders without files are not lost in git
            for part in ("refs/heads", "refs/tags", "objects/info", "objects/pack", "info"):
                os.makedirs(os.path.join(scenario.folder, ".git", part), exist_ok=True)

    def takes(self, scenario, sweep):
        return sweep in (self.options.sweep or scenario.sweeps)

    def all(self):
        for kind in ALL:
            if self.options.only and kind.name not in self.options.only:
                continue
            scenario = kind(self.options.program, self.options.library, self.options.work)
            scenario.limit = self.options.limit
            for name in BREAKS:
                if self.takes(scenario, name):
                    self.breaks(scenario, name)
            if self.takes(scenario, "again"):
                self.again(scenario)
            if self.takes(scenario, "power"):
                self.power(scenario)
            scenario.close()
        print(f"1..{self.tests}")


def own_fonts(work):
    """Two fonts and no list of them: one that was written while fonts could not be opened says that there are none,
    for whoever draws later; as root for the whole machine."""
    fonts = os.path.join(work, "fonts")
    os.mkdir(fonts)
    for style in ("sans-serif", "sans-serif:bold") if shutil.which("fc-match") else ():
        shutil.copy(subprocess.run(["fc-match", "-f", "%{file}", style], check=True, capture_output=True, text=True).stdout, fonts)
    file = os.path.join(work, "fonts.conf")
    with open(file, "w") as out:
        out.write(f"<fontconfig><dir>{fonts}</dir><cachedir>/dev/null/none</cachedir></fontconfig>\n")
    os.environ["FONTCONFIG_FILE"] = file


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("library", type=os.path.abspath)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append")
    parser.add_argument("--sweep", action="append")
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--up-to", type=int, default=sys.maxsize)
    parser.add_argument("--second", type=int, default=4)
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--more", type=int, default=1000)
    parser.add_argument("--random", type=int)
    parser.add_argument("--part", type=part_named, default=(0, 1))
    parser.add_argument("--again", type=float, default=0.05)
    options = parser.parse_args()
    if options.random is None:
        options.random = 2 if options.sample else 20
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # its folder goes all the same
    # Memory is faster than a disk, and the model knows what a disk forgets.
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=place) as options.work:
        own_fonts(options.work)
        sweep = Sweep(options)
        sweep.all()
    sys.exit(sweep.failed > 0)


if __name__ == "__main__":
    main()
