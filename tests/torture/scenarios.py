"""What is tortured: commands that write, and what their readers must find whatever happens.

A scenario has a template folder as it is before the command, the command, and `outcome(folder)`: "old",
"new", or what is torn. `ends` says which exit codes may come with which outcome.
"""
import json
import os
import shutil
import subprocess

from files import digest, held, stamps, tree
from runs import Ground, Program

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GOLDEN = os.path.join(TOP, "tests/golden/build/records")
GIT = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org",
       "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org",
       "SOURCE_DATE_EPOCH": "1700000000"}


def edit(path, *pairs):
    text = open(path).read()
    for old, new in pairs:
        assert old in text, (path, old)
        text = text.replace(old, new)
    open(path, "w").write(text)


class Scenario:
    env = {}
    done = 0  # the command's exit code when all is well
    # Outcomes that an exit code may come with; "old/new" where both are true of it.
    ends = {4: {"old"}, 5: {"old", "new"}}
    crash = "parts"  # after a power failure: "whole" old or new, or "parts" each old or new
    sweeps = ("kill", "error", "open", "read", "memory", "power")  # those that differ from another scenario's
    last = ()  # ends of names that are removed when nothing else needs them

    def __init__(self, program, library, work):
        self.program, self.library, self.work = program, library, work
        self.programs, self.known = {}, {}
        self.template = os.path.join(work, self.name + ".template")
        self.folder = os.path.join(work, self.name)
        os.makedirs(self.template)
        self.prepare(self.template)
        self.ground = Ground(self.template, self.folder)

    def waiting(self, *command):
        """The command, started once."""
        if command not in self.programs:
            env = dict(self.env, OPENBLAS_NUM_THREADS="1")
            self.programs[command] = Program(self.library, command, env)
        return self.programs[command]

    def run(self, fault=None, record=None, stacks=False):
        return self.waiting(*self.command).run(self.folder, fault, record, stacks)

    def close(self):
        for program in self.programs.values():
            program.close()

    def quick(self, *command, ok=(0,)):
        """sh() in the folder, of a program that is asked often."""
        done = self.waiting(*command).run(self.folder)
        assert done.code in ok, (command, done.code, done.text)
        return done.text

    def sh(self, *command, cwd=None, ok=(0,)):
        done = subprocess.run(command, cwd=cwd or self.template, env=dict(os.environ, **self.env),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode in ok, (command, done.returncode, done.stdout.decode())
        return done.stdout.decode()

    def allowed(self, code):
        return {"new"} if code == self.done else self.ends.get(code, {"old"})

    def fresh(self):
        """The folder as it is before the run."""
        self.ground.fresh()

    def learn(self, folder):
        """After a run of which nothing went wrong: what "new" is."""

    def mend(self, folder):
        """What a person has to do before the run that follows."""

    def again(self, folder):
        """Does the run that follows have anything to do?"""
        return True

    def sound(self, folder):
        """What is wrong after a run that followed; None."""
        outcome = self.outcome(folder)
        return None if outcome == "new" else f"afterwards {outcome}"

    def in_state(self, state):
        """outcome() of files in memory; None: they have to be put on a disk."""
        return None


class Build(Scenario):
    """A site of other records is replaced; unchanged and others' files are among it."""
    name = "build"
    done = 1  # the sample has a result that fails
    ends = {4: {"old", "new"}, 5: {"old", "new"}}  # "the new files are in place, but …"
    crash = "whole"
    skip = (".fpreport-build",)
    stays = ("site.fpreport-cache", "site.fpreport-previous")
    last = (".fpreport-build", ".fpreport-lock")
    options = ()

    def prepare(self, folder):
        self.take_records(folder)
        self.command = [self.program, "build", "-q", "-o", "site", *self.options]
        self.sh(*self.command, ok=(1,))
        open(f"{folder}/site/mine.txt", "w").write("mine\n")
        edit(f"{folder}/records/results/acme/toy.json", ('"2.5"', '"2.6"'))
        os.remove(f"{folder}/records/results/acme/old.json")
        self.old, self.new = self.view(folder), None

    def take_records(self, folder):
        shutil.copytree(GOLDEN, f"{folder}/records")

    def view(self, folder):
        return tree(f"{folder}/site", self.skip)

    def learn(self, folder):
        self.new = self.view(folder)

    def judge(self, view):
        if view == self.old:
            return "old"
        if view == self.new:
            return "new"
        odd = [p for p in set(view) | set(self.new)
               if view.get(p) not in (self.old.get(p), self.new.get(p))]
        return f"torn: {sorted(odd)[:3]}" if odd else "mixed"

    def outcome(self, folder):
        return self.judge(self.view(folder))

    def in_state(self, state):
        return self.judge({p[5:]: digest(data) for p, data in state.items()
                           if data is not None and p.startswith("site/")
                           and not any(s in p for s in self.skip)})

    def sound(self, folder):
        left = [n for n in os.listdir(folder) if n.startswith("site.") and n not in self.stays]
        left += [p for p in tree(f"{folder}/site") if p.endswith(".fpreport-tmp")]
        return super().sound(folder) or (f"left behind: {left}" if left else None)


class FirstBuild(Build):
    """No site yet."""
    name = "first-build"

    def prepare(self, folder):
        shutil.copytree(GOLDEN, f"{folder}/records")
        self.command = [self.program, "build", "-q", "-o", "site"]
        self.old = {}


class BuildUncached(Build):
    """Nothing is written beside the site that would be synced after it."""
    name = "build-uncached"
    options = ("--no-cache",)
    sweeps = ("kill", "power")


class BuildArchived(Build):
    """The evidence lies in an archive only."""
    name = "build-archived"
    sweeps = ("open", "read")

    def take_records(self, folder):
        super().take_records(folder)
        self.sh(self.program, "archive", "add", "-q", f"records/{Archive.NAMES[0]}")
        os.remove(f"{folder}/records/{Archive.NAMES[0]}")


class BuildAgain(Build):
    """A site is replaced by the tree before, brought up to date."""
    name = "build-again"

    def prepare(self, folder):
        shutil.copytree(GOLDEN, f"{folder}/records")
        self.command = [self.program, "build", "-q", "-o", "site"]
        self.old = self.new = self.left = None

    def fresh(self):
        """The tree before is used only where it was made, so that a copy will not do. Where a run that followed
        left all in place, one build more makes it as it was."""
        if stamps(self.folder) == self.left:
            return
        record = f"{self.folder}/records/results/acme/toy.json"
        if not self.is_left_by_a_build(self.folder):
            self.ground.fresh()
            edit(record, ('"2.5"', '"2.7"'))
            self.quick(*self.command, ok=(1,))
        edit(record, ('"2.7"', '"2.6"'))
        self.quick(*self.command, ok=(1,))
        if not os.path.exists(f"{self.folder}/{self.stays[-1]}"):  # it was not as its list says, and went
            for change in (('"2.6"', '"2.7"'), ('"2.7"', '"2.6"')):
                edit(record, change)
                self.quick(*self.command, ok=(1,))
        edit(record, ('"2.6"', '"2.7"'))
        assert sorted(os.listdir(self.folder)) == ["records", "site", *self.stays], os.listdir(self.folder)
        self.old = self.old or self.view(self.folder)
        assert self.view(self.folder) == self.old
        self.left = stamps(self.folder)

    def is_left_by_a_build(self, folder):
        return sorted(os.listdir(folder)) == ["records", "site", *self.stays] and self.outcome(folder) == "new"


class BuildByFile(Build):
    """A file system that cannot exchange two folders: each file is the old one or the new one."""
    name = "build-by-file"
    env = {"FAULTS_NO_EXCHANGE": "1"}
    crash = "parts"
    skip = (".fpreport-build", ".fpreport-tmp")  # these go with the next run
    ends = {4: {"old", "new", "mixed"}, 5: {"old", "new", "mixed"}}


class Publish(Scenario):
    name = "publish"
    before = True  # something was published already
    env = GIT
    crash = "whole"
    # 3: what is published cannot be read just now; 2: the same of git's configuration.
    ends = {2: {"old"}, 3: {"old"}, 4: {"old"}, 5: {"old", "new"}}

    def prepare(self, folder):
        self.env = dict(GIT, HOME=folder)
        shutil.copytree(GOLDEN, f"{folder}/records")
        self.sh("git", "init", "-q", "-b", "main", ".")
        self.sh("git", "config", "user.name", "A")
        self.sh("git", "config", "user.email", "a@example.org")
        shutil.rmtree(f"{folder}/.git/hooks")
        self.command = [self.program, "publish", "--accept", "-q"]
        self.sh(self.program, "build", "-q", ok=(1,))
        if self.before:
            self.sh(*self.command)
        edit(f"{folder}/records/results/acme/toy.json", ('"2.5"', '"2.6"'))
        self.sh(self.program, "build", "-q", ok=(1,))
        self.old, self.new = self.tip(folder), None

    def git(self, folder, *command):
        return subprocess.run(["git", "--git-dir", f"{folder}/.git", *command], cwd=folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=dict(os.environ, **self.env))

    def tip(self, folder):
        packed = f"{folder}/.git/packed-refs"
        try:
            return open(f"{folder}/.git/refs/heads/gh-pages").read().strip()
        except OSError:
            lines = open(packed).read().split("\n") if os.path.exists(packed) else []
            return next((x[:40] for x in lines if x.endswith("gh-pages")), "")

    def learn(self, folder):
        self.new = self.tip(folder)

    def outcome(self, folder):
        tip = self.tip(folder)
        if tip not in (self.old, self.new):
            return f"torn: the branch is '{tip[:60]}'"
        key = held(f"{folder}/.git")
        if key not in self.known:
            done = self.git(folder, "fsck", "--full", "--strict", "--no-dangling")
            self.known[key] = done.returncode and "torn: " + done.stdout.decode()[:200]
        if self.known[key]:
            return self.known[key]
        return "old" if tip == self.old else "new"

    def sound(self, folder):
        # Its own files of a pack go with the next commit.
        left = [f for f in tree(f"{folder}/.git") if f.endswith(".lock")]
        return super().sound(folder) or (f"left behind: {left}" if left else None)


class FirstPublish(Publish):
    """No branch yet, and nothing of ours in the repository."""
    name = "first-publish"
    before = False
    sweeps = ("kill", "error", "power")


SHORT_CASE = (('"id": "tiny_llama"', '"id": "short"'), ('"steps": 250', '"steps": 6'), ('"warmup_steps": 20', '"warmup_steps": 2'),
              ('"micro_batch": 4', '"micro_batch": 1'), ('"mfu_factor": 6,', '"mfu_factor": 6'))


def short_case(text):
    head, tail = text.split('"alignment": {', 1)
    text = head + tail.split("\n  }", 1)[1].lstrip(",")
    for old, new in SHORT_CASE:
        text = text.replace(old, new)
    return text


class Collect(Scenario):
    """A run becomes an archive and a record; another record is there."""
    name = "collect"
    # 4 with all of it: standard output could not be written.
    ends = {3: {"old", "archive only"}, 4: {"old", "archive only", "new"}, 5: {"old", "archive only", "new"}}

    def prepare(self, folder):
        records = os.path.join(TOP, "records")
        for name in ("vendors", "accelerators", "models", "cases"):
            shutil.copytree(f"{records}/{name}", f"{folder}/records/{name}")
        case = short_case(open(f"{records}/cases/tiny_llama.json").read())
        open(f"{folder}/records/cases/short.json", "w").write(case)
        self.sh(self.program, "-q", "train", "short", "-o", "runs")
        (run,) = os.listdir(f"{folder}/runs")
        os.rename(f"{folder}/runs/{run}", f"{folder}/run1")
        shutil.rmtree(f"{folder}/runs")
        self.command = [self.program, "collect", "-q", "run1", "--vendor", "nvidia", "--force"]
        self.sh(*self.command)
        os.remove(f"{folder}/records/evidence/nvidia/short-run1.tar.zst")
        edit(f"{folder}/records/results/nvidia/short.json", ('"vendor": "nvidia"', '"vendor": "nvidia" '))
        self.old, self.new = self.view(folder), None

    def view(self, folder):
        return tree(f"{folder}/records", (".fpreport-tmp",))

    def learn(self, folder):
        self.new = self.view(folder)

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

    def outcome(self, folder):
        return self.judge(self.view(folder))

    def in_state(self, state):
        return self.judge({p[8:]: digest(data) for p, data in state.items() if data is not None
                           and p.startswith("records/") and ".fpreport-tmp" not in p})

    def sound(self, folder):
        left = [f for f in tree(f"{folder}/records") if ".fpreport-tmp" in f]
        return super().sound(folder) or (f"left behind: {left}" if left else None)


class Reproduce(Scenario):
    """A case is trained again: the run's folder, its archive and the record of it."""
    name = "reproduce"
    ends = {1: {"old", "new", "archive only"}, 3: {"old", "archive only"},
            4: {"old", "archive only", "new"}, 5: {"old", "archive only", "new"}}

    def prepare(self, folder):
        shutil.copytree(GOLDEN, f"{folder}/records")
        shutil.rmtree(f"{folder}/records/results/acme")
        shutil.copytree(os.path.join(TOP, "records/cases"), f"{folder}/records/cases", dirs_exist_ok=True)
        case = short_case(open(f"{folder}/records/cases/tiny_llama.json").read())
        open(f"{folder}/records/cases/short.json", "w").write(case)
        self.sh(self.program, "-q", "train", "short", "-o", "runs")
        (run,) = os.listdir(f"{folder}/runs")
        self.sh(self.program, "collect", "-q", f"runs/{run}", "--vendor", "globex", "--force")
        shutil.rmtree(f"{folder}/runs")
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
    crash = "whole"
    ends = {2: {"old"}, 3: {"old"}, 4: {"old", "new"}, 5: {"old", "new"}}

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
        left = [n for n in os.listdir(folder) if n != "made" and not n.startswith("made.fpreport-")]
        return super().sound(folder) or (f"left behind: {left}" if left else None)


class Import(Scenario):
    """A published page replaces a record: the old one or the new one."""
    name = "import"
    ends = {3: {"old"}, 4: {"old", "new"}, 5: {"old", "new"}}

    def prepare(self, folder):
        os.makedirs(f"{folder}/records/results/acme")
        shutil.copy(os.path.join(TOP, "tests/golden/pages/plain.md"), f"{folder}/page.md")
        open(f"{folder}/records/results/acme/toy.json", "w").write("{}\n")
        self.command = [self.program, "import", "-q", "--force", "--vendor", "acme", "--case", "toy", "page.md"]
        self.old, self.new = self.view(folder), None

    def view(self, folder):
        return tree(f"{folder}/records", (".fpreport-tmp",))

    def learn(self, folder):
        self.new = self.view(folder)

    def judge(self, view):
        return "old" if view == self.old else "new" if view == self.new else f"torn: {sorted(view)}"

    def outcome(self, folder):
        return self.judge(self.view(folder))

    def in_state(self, state):
        return self.judge({p[8:]: digest(data) for p, data in state.items() if data is not None
                           and p.startswith("records/") and ".fpreport-tmp" not in p})

    def sound(self, folder):
        left = [f for f in tree(f"{folder}/records") if ".fpreport-tmp" in f]
        return super().sound(folder) or (f"left behind: {left}" if left else None)


class Archive(Scenario):
    """A submission comes to an archive that has one: its object, its entry in the log, the head."""
    name = "archive"
    # 3: the log cannot be read just now. 4 with the entry: it is in the log, and that was not said.
    ends = {3: {"old"}, 4: {"old", "new"}, 5: {"old", "new"}}
    crash = "whole"
    NAMES = ("evidence/globex/run.tar.zst", "second.tar.zst")
    before = True  # there is one already

    def prepare(self, folder):
        shutil.copytree(GOLDEN, f"{folder}/records")
        os.makedirs(f"{folder}/run")
        self.sh("tar", "-C", f"{folder}/run", "--zstd", "-xf", f"{folder}/records/{self.NAMES[0]}")
        os.remove(f"{folder}/run/SHA256SUMS")
        open(f"{folder}/run/note.txt", "w").write("another\n")
        self.sh(self.program, "collect", "-q", "run", "-o", self.NAMES[1])
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

    def mend(self, folder):
        """A line that was never finished is cut off only when somebody says so; nothing else is cut."""
        path = f"{folder}/archive/log.jsonl"
        text = open(path, "rb").read() if os.path.exists(path) else b"\n"
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
    """No archive yet."""
    name = "first-archive"
    before = False


class Withdraw(Scenario):
    """An entry about a submission that is there."""
    name = "withdraw"
    kind, withheld = "withdrawn", None
    ends = {3: {"old"}, 4: {"old", "new"}, 5: {"old", "new"}}
    crash = "whole"
    mend = Archive.mend

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
    kind, withheld = "redaction", ["run.json"]

    def words(self, submission):
        return "redact", submission, *self.withheld


class PublishSigned(Publish):
    """A site with the log of an archive, and a checkpoint of both: two files in the archive."""
    name = "publish-signed"

    def prepare(self, folder):
        archived = f"records/{Archive.NAMES[0]}"
        self.env = dict(GIT, HOME=folder)
        shutil.copytree(GOLDEN, f"{folder}/records")
        key = os.path.join(self.work, "signed.key")  # ssh-keygen wants it to be readable by nobody else
        self.sh("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key)
        self.sh("git", "init", "-q", "-b", "main", ".")
        self.sh("git", "config", "user.name", "A")
        self.sh("git", "config", "user.email", "a@example.org")
        shutil.rmtree(f"{folder}/.git/hooks")
        self.command = [self.program, "publish", "--accept", "-q", "--sign", key]
        self.sh(self.program, "archive", "add", "-q", archived)
        self.sh(self.program, "build", "-q", ok=(1,))
        self.sh(*self.command)
        edit(f"{folder}/records/results/acme/toy.json", ('"2.5"', '"2.6"'))
        self.sh(self.program, "build", "-q", ok=(1,))
        self.old, self.new = self.tip(folder), None

    def outcome(self, folder):
        """A checkpoint in the archive has its signature, or both are on their way."""
        key = held(f"{folder}/archive")
        if key not in self.known:
            self.known[key] = os.path.exists(f"{folder}/archive/checkpoint.next") or self.is_signed(folder)
        if not self.known[key]:
            return "torn: a checkpoint without its signature"
        return super().outcome(folder)

    def is_signed(self, folder):
        file = f"{folder}/archive/checkpoint.json"
        done = subprocess.run(["ssh-keygen", "-Y", "check-novalidate", "-n", "fpreport-checkpoint-v1", "-s",
                               f"{file}.sig"], stdin=open(file, "rb"), stdout=subprocess.DEVNULL,
                              stderr=subprocess.STDOUT)
        return done.returncode == 0

    def sound(self, folder):
        return super().sound(folder) or Archive.sound_archive(self, folder)


class Challenge(Scenario):
    """A challenge is issued into a file: another one each time, whole or not there."""
    name = "challenge"
    ends = {3: {"old"}, 4: {"old", "new"}, 5: {"old", "new"}}
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


class Fsck(Withdraw):
    """An archive is looked at, and what is found is written to a file. Trouble of the machine is never taken
    for a fault of the archive (exit 1), nor for none (exit 0)."""
    name = "fsck"
    # "partly": what could be looked at, which is said
    ends = {1: set(), 3: {"old"}, 4: {"old", "new", "partly"}, 5: {"old", "new"}}

    def prepare(self, folder):
        super().prepare(folder)
        self.old = tree(f"{folder}/archive")
        self.command = [self.program, "fsck", "--archive", "archive", "--records", "nowhere", "--format", "json", "-o", "found.json"]

    def learn(self, folder):
        self.found = open(f"{folder}/found.json", "rb").read()
        assert json.loads(self.found)["findings"] == []

    def judge(self, files):
        if {p[8:]: digest(data) for p, data in files.items() if p.startswith("archive/")} != self.old:
            return "torn: the archive was changed"
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


ALL = [Build, BuildAgain, BuildUncached, BuildArchived, FirstBuild, BuildByFile, Publish, FirstPublish, PublishSigned, Collect, Reproduce,
       New, Import, Archive, FirstArchive, Withdraw, Redact, Challenge, Fsck]
