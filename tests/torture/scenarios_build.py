"""A site is built: readers see the old one or the new one, whole.
"""
import os
import shutil

from files import digest, stamps, tree
from scenario import GOLDEN, Scenario, edit
from scenarios_archive import Archive


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
    sweeps = ("kill", "again", "power")


class BuildArchived(Build):
    """The evidence lies in an archive only."""
    name = "build-archived"
    sweeps = ("open", "read", "look")

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
