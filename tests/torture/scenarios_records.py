"""Records, projects and challenges are made: each whole, or not there.
"""
import json
import os
import shutil

from files import digest, tree
from scenario import ALONE, GOLDEN, TOP, Scenario, edit

SHORT_CASE = (('"id": "tiny_llama"', '"id": "short"'), ('"steps": 250', '"steps": 6'), ('"warmup_steps": 20', '"warmup_steps": 2'),
              ('"micro_batch": 4', '"micro_batch": 1'), ('"mfu_factor": 6,', '"mfu_factor": 6'))


def short_case(text):
    head, tail = text.split('"alignment": {', 1)
    text = head + tail.split("\n  }", 1)[1].lstrip(",")
    for old, new in SHORT_CASE:
        text = text.replace(old, new)
    return text


class Records(Scenario):
    """One that judges the folder of the records, whose files have digests."""

    def view(self, folder):
        return tree(f"{folder}/records", (".fpreport-tmp",))

    def learn(self, folder):
        self.new = self.view(folder)

    def outcome(self, folder):
        return self.judge(self.view(folder))

    def in_state(self, state):
        return self.judge({p[8:]: digest(data) for p, data in state.items() if data is not None
                           and p.startswith("records/") and ".fpreport-tmp" not in p})

    def sound(self, folder):
        left = [f for f in tree(f"{folder}/records") if ".fpreport-tmp" in f]
        return super().sound(folder) or (f"left behind: {left}" if left else None)


class Trained(Scenario):
    """One that begins with the run of a short case."""

    def train(self, folder):
        """The run's folder."""
        case = short_case(open(f"{TOP}/records/cases/tiny_llama.json").read())
        open(f"{folder}/records/cases/short.json", "w").write(case)
        self.sh(self.program, "-q", "train", "short", "-o", "runs")
        (run,) = os.listdir(f"{folder}/runs")
        os.rename(f"{folder}/runs/{run}", f"{folder}/{run}")
        os.rmdir(f"{folder}/runs")
        return run


class Collect(Trained, Records):
    """A run becomes an archive and a record; another record is there."""
    name = "collect"
    sweeps = ALONE
    # 4 with all of it: standard output could not be written.
    ends = {4: {"old", "archive only", "new"}, 5: {"old", "archive only", "new"}}

    def prepare(self, folder):
        records = os.path.join(TOP, "records")
        for name in ("vendors", "accelerators", "models", "cases"):
            shutil.copytree(f"{records}/{name}", f"{folder}/records/{name}")
        os.rename(f"{folder}/{self.train(folder)}", f"{folder}/run1")
        self.command = [self.program, "collect", "-q", "run1", "--vendor", "nvidia", "--force"]
        self.sh(*self.command)
        os.remove(f"{folder}/records/evidence/nvidia/short-run1.tar.zst")
        edit(f"{folder}/records/results/nvidia/short.json", ('"vendor": "nvidia"', '"vendor": "nvidia" '))
        self.old, self.new = self.view(folder), None

    def judge(self, view):
        record, archive = "results/nvidia/short.json", "evidence/nvidia/short-run1.tar.zst"
        odd = [p for p in set(view) | set(self.new)
               if view.get(p) not in (self.old.get(p), self.new.get(p))]
        if odd:
            return f"torn: {sorted(odd)[:3]}"
        if view == self.old:
            return "old"
        if view[record] == self.new[record]:
            return "new" if archive in view else "torn: a record without its archive"
        return "archive only"


class Reproduce(Trained):
    """A case is trained again: the run's folder, its archive and the record of it."""
    name = "reproduce"
    ends = {1: {"old", "new", "archive only"}, 4: {"old", "archive only", "new"}, 5: {"old", "archive only", "new"}}

    def prepare(self, folder):
        shutil.copytree(GOLDEN, f"{folder}/records")
        shutil.rmtree(f"{folder}/records/results/acme")
        shutil.copytree(os.path.join(TOP, "records/cases"), f"{folder}/records/cases", dirs_exist_ok=True)
        run = self.train(folder)
        self.sh(self.program, "collect", "-q", run, "--vendor", "globex", "--force")
        shutil.rmtree(f"{folder}/{run}")
        self.command = [self.program, "reproduce", "-q", "globex/short", "--by", "T"]

    def learn(self, folder):
        assert self.outcome(folder) == "new", self.outcome(folder)

    def judge(self, files):
        """Every record is whole and its archive is there; an archive may be alone."""
        records = [p for p in files if p.endswith(".json")]
        for path in records:
            try:
                record = json.loads(files[path])
            except ValueError as error:
                return f"torn: {path}: {error}"
            archive = files.get(os.path.join(os.path.dirname(path), os.path.basename(record["archive"])))
            if archive is None or digest(archive) != record["sha256"]:
                return f"torn: {path} and its archive {record['archive']}"
        return "new" if records else "archive only" if files else "old"

    def outcome(self, folder):
        root = f"{folder}/records/reproductions"
        files = {p: open(f"{root}/{p}", "rb").read() for p in tree(root) if ".fpreport-tmp" not in p}
        return self.judge(files)

    def in_state(self, state):
        start = "records/reproductions/"
        return self.judge({p[len(start):]: data for p, data in state.items() if data is not None
                           and p.startswith(start) and ".fpreport-tmp" not in p})


class New(Scenario):
    """A project from nothing: all of it or nothing."""
    name = "new"
    sweeps = ALONE
    crash = "whole"
    ends = {4: {"old", "new"}, 5: {"old", "new"}}

    def prepare(self, folder):
        self.command = [self.program, "-q", "new", "project", "made"]
        self.old, self.new = {}, None

    def learn(self, folder):
        self.new = tree(f"{folder}/made")

    def judge(self, view):
        return "old" if view == {} else "new" if view == self.new else "torn"

    def outcome(self, folder):
        return self.judge(tree(f"{folder}/made"))

    def in_state(self, state):
        return self.judge({p[5:]: digest(data) for p, data in state.items()
                           if data is not None and p.startswith("made/")})

    def again(self, folder):
        """Once it is there, it is not made again."""
        return self.outcome(folder) != "new"

    def sound(self, folder):
        left = [n for n in os.listdir(folder) if n != "made"]
        return super().sound(folder) or (f"left behind: {left}" if left else None)


class Import(Records):
    """A published page replaces a record: the old one or the new one."""
    name = "import"
    ends = {4: {"old", "new"}, 5: {"old", "new"}}

    def prepare(self, folder):
        os.makedirs(f"{folder}/records/results/acme")
        shutil.copy(os.path.join(TOP, "tests/golden/pages/plain.md"), f"{folder}/page.md")
        open(f"{folder}/records/results/acme/toy.json", "w").write("{}\n")
        self.command = [self.program, "import", "-q", "--force", "--vendor", "acme", "--case", "toy", "page.md"]
        self.old, self.new = self.view(folder), None

    def judge(self, view):
        return "old" if view == self.old else "new" if view == self.new else f"torn: {sorted(view)}"


class Challenge(Scenario):
    """A challenge is issued into a file: another one each time, whole or not there."""
    name = "challenge"
    sweeps = ALONE
    ends = {4: {"old", "new"}, 5: {"old", "new"}}
    crash = "whole"

    def prepare(self, folder):
        records = os.path.join(TOP, "records")
        for name in ("vendors", "models", "cases"):
            shutil.copytree(f"{records}/{name}", f"{folder}/records/{name}")
        self.command = [self.program, "challenge", "tiny_llama", "--vendor", "acme", "-q", "-o", "c.json"]

    def judge(self, data):
        if data is None:
            return "old"
        try:
            c = json.loads(data)
        except ValueError:
            return "torn: no JSON"
        text = "fpreport-seed-v1" + c["nonce"] + c["key"] + c["case_sha256"]
        return "new" if int(digest(text.encode())[:16], 16) >> 11 == c["seed"] else f"torn: {c}"

    def outcome(self, folder):
        path = f"{folder}/c.json"
        return self.judge(open(path, "rb").read() if os.path.exists(path) else None)

    def in_state(self, state):
        return self.judge(state.get("c.json"))

    def again(self, folder):
        """One that was issued is not replaced."""
        return self.outcome(folder) != "new"
