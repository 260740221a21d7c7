"""An archive grows by whole lines, and what a line names is there.
"""
import json
import os
import shutil

from files import digest, tree
from scenario import ALONE, GOLDEN, SWEEPS, Scenario


class Archive(Scenario):
    """A submission comes to an archive that has one: its object, its entry in the log, the head."""
    name = "archive"
    # 3: the log cannot be read just now. 4 with the entry: it is in the log, and that was not said.
    ends = {4: {"old", "new"}, 5: {"old", "new"}}
    crash = "whole"
    NAMES = ("evidence/globex/run.tar.zst", "second.tar.zst")
    before = True  # there is one already

    def prepare(self, folder):
        shutil.copytree(GOLDEN, f"{folder}/records")
        os.makedirs(f"{folder}/run")
        self.sh("tar", "-C", f"{folder}/run", "--zstd", "-xf", f"{folder}/records/{self.NAMES[0]}")
        os.remove(f"{folder}/run/SHA256SUMS")
        open(f"{folder}/run/note.txt", "w").write("another\n")
        self.sh(self.program, "collect", "-q", "--force", "run", "-o", self.NAMES[1])
        shutil.rmtree(f"{folder}/run")
        if self.before:
            self.sh(self.program, "archive", "add", "-q", f"records/{self.NAMES[0]}")
        self.command = [self.program, "archive", "add", "-q", self.NAMES[1]]
        self.digest = digest(open(f"{folder}/{self.NAMES[1]}", "rb").read())
        self.object = f"objects/sha256/{self.digest[:2]}/{self.digest}"
        self.log = open(f"{folder}/archive/log.jsonl", "rb").read() if self.before else b""
        self.old = tree(f"{folder}/archive")

    def judge(self, files):
        """Whole lines, each bound to the one before; what a line names is there, as it is named."""
        log = files.get("log.jsonl", b"")
        if not log.startswith(self.log):
            return "torn: the log that was there"
        more = log[len(self.log):]
        for path, data in files.items():
            if path.startswith("objects/") and digest(data) != os.path.basename(path):
                return f"torn: {path}"
        if not more.endswith(b"\n") or b"\0" in more:
            return "old"  # nothing, or a line that was never finished: fsck tells it from a changed one
        entry = json.loads(more)
        prev = digest(self.log.splitlines(True)[-1]) if self.before else "0" * 64
        if entry["prev"] != prev or entry["object"] != self.digest:
            return f"torn: {entry}"
        return "new" if self.object in files else "torn: an entry without its object"

    def log_now(self, folder):
        path = f"{folder}/archive/log.jsonl"
        return open(path, "rb").read() if os.path.exists(path) else b"\n"

    def next(self, folder):
        cut = Archive.log_now(self, folder)[-1:] != b"\n"
        return [self.program, "archive", "repair", "--archive", "archive"] if cut else self.command

    def mend(self, folder):
        """A line that was never finished is cut off only when somebody says so; nothing else is cut."""
        text = Archive.log_now(self, folder)
        if text[-1:] != b"\n":
            self.sh(self.program, "archive", "repair", "--archive", "archive", cwd=folder)
            assert text.startswith(open(f"{folder}/archive/log.jsonl", "rb").read())

    def outcome(self, folder):
        root = f"{folder}/archive"
        return self.judge({p: open(f"{root}/{p}", "rb").read() for p in tree(root)
                           if p.startswith("objects/") or p == "log.jsonl"})

    def in_state(self, state):
        return self.judge({p[8:]: data for p, data in state.items() if data is not None and
                           (p.startswith("archive/objects/") or p == "archive/log.jsonl")})

    def sound_archive(self, folder):
        said = self.quick(self.program, "fsck", "--records", "nowhere", "--archive", "archive", ok=(0, 1))
        return None if ": 0 findings" in said else said

    def sound(self, folder):
        return Scenario.sound(self, folder) or Archive.sound_archive(self, folder)


class FirstArchive(Archive):
    """No archive yet. What is left of one that was stopped is none: a site is built before the next."""
    name = "first-archive"
    before = False

    def mend(self, folder):
        Archive.mend(self, folder)
        self.sh(self.program, "build", "-q", "--records", "records", "-o", "built", cwd=folder, ok=(0, 1))
        shutil.rmtree(f"{folder}/built")


class Withdraw(Scenario):
    """An entry about a submission that is there."""
    name = "withdraw"
    kind, withheld = "withdrawn", None
    sweeps = ALONE
    ends = {4: {"old", "new"}, 5: {"old", "new"}}
    crash = "whole"
    mend = Archive.mend
    next = Archive.next

    def prepare(self, folder):
        shutil.copytree(f"{GOLDEN}/evidence", f"{folder}/evidence")
        self.sh(self.program, "archive", "add", "-q", "--archive", "archive", "evidence/globex/run.tar.zst")
        self.log = open(f"{folder}/archive/log.jsonl", "rb").read()
        self.submission = json.loads(self.log)["submission"]
        self.command = [self.program, "archive", *self.words(self.submission), "--reason", "x", "-q",
                        "--archive", "archive"]

    def words(self, submission):
        return "withdraw", submission

    def judge(self, files):
        """Whole lines behind those that were there; what they name is there, as it is named."""
        log = files.get("log.jsonl", b"")
        if not log.startswith(self.log):
            return "torn: the log that was there"
        for path, data in files.items():
            if path.startswith("objects/") and digest(data) != os.path.basename(path):
                return f"torn: {path}"
        lines = log.splitlines(True)
        more = [x for x in lines[1:] if x.endswith(b"\n") and b"\0" not in x]
        for before, line in zip(lines, more):
            entry = json.loads(line)
            there = self.withheld is None or f"objects/sha256/{entry['object'][:2]}/{entry['object']}" in files
            if entry["prev"] != digest(before) or entry["kind"] != self.kind or not there:
                return f"torn: {entry}"
        return "new" if more else "old"

    outcome = Archive.outcome
    in_state = Archive.in_state
    sound = Archive.sound


class Redact(Withdraw):
    """The archive without some files is made, and becomes an object with its entry."""
    name = "redact"
    sweeps = SWEEPS
    kind, withheld = "redaction", ["run.json"]

    def words(self, submission):
        return "redact", submission, *self.withheld


class Fsck(Withdraw):
    """An archive is looked at, and what is found is written to a file. Trouble of the machine is never taken
    for a fault of the archive (exit 1), nor for none (exit 0)."""
    name = "fsck"
    looked = "archive"
    # "partly": what could be looked at, which is said
    ends = {1: set(), 4: {"old", "new", "partly"}, 5: {"old", "new"}}

    def prepare(self, folder):
        super().prepare(folder)
        self.old = tree(f"{folder}/{self.looked}")
        self.command = [self.program, "fsck", "--archive", "archive", "--records", "nowhere", "--format", "json", "-o", "found.json"]

    def learn(self, folder):
        self.found = open(f"{folder}/found.json", "rb").read()
        assert json.loads(self.found)["findings"] == []

    def judge(self, files):
        below = self.looked + "/"
        if {p[len(below):]: digest(data) for p, data in files.items() if p.startswith(below)} != self.old:
            return f"torn: the {self.looked} was changed"
        found = files.get("found.json")
        if found is None or found == self.found:
            return "old" if found is None else "new"
        said = json.loads(found)
        return "partly" if said.get("incomplete") and said["findings"] == [] else f"torn: {found}"

    def outcome(self, folder):
        return self.judge({p: open(f"{folder}/{p}", "rb").read() for p in tree(folder)})

    def in_state(self, state):
        return self.judge({p: data for p, data in state.items() if data is not None})

    def sound(self, folder):
        return Scenario.sound(self, folder)
