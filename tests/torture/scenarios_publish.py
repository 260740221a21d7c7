"""A site is published: the branch is the old one or the new one, and git finds nothing wrong with it.
"""
import glob
import os
import shutil
import subprocess

from files import held, tree
from scenario import GOLDEN, Scenario, edit
from scenarios_archive import Archive, Fsck
from scenarios_build import Build

GIT = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org",
       "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org",
       "SOURCE_DATE_EPOCH": "1700000000"}


class Publish(Scenario):
    name = "publish"
    before = True  # something was published already
    env = GIT
    crash = "whole"
    ends = {4: {"old"}, 5: {"old", "new"}}

    def make_repository(self, folder):
        self.env = dict(GIT, HOME=folder)
        shutil.copytree(GOLDEN, f"{folder}/records")
        self.sh("git", "init", "-q", "-b", "main", ".")
        self.sh("git", "config", "user.name", "A")
        self.sh("git", "config", "user.email", "a@example.org")
        shutil.rmtree(f"{folder}/.git/hooks")

    def prepare(self, folder):
        self.make_repository(folder)
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
        left = [f for f in tree(f"{folder}/.git") if f.endswith((".lock", ".keep")) or f.startswith("fpreport/pack")]
        return super().sound(folder) or (f"left behind: {left}" if left else None)


class PublishLoose(Publish):
    """Records and site were committed by git itself, which keeps each object in a file of its own."""
    name = "publish-loose"
    sweeps = ("open", "read", "look")

    def prepare(self, folder):
        super().prepare(folder)
        self.sh("git", "add", "-A")
        self.sh("git", "commit", "-qm", "records and site")
        for pack in glob.glob(f"{folder}/.git/objects/pack/*"):
            moved = f"{folder}/{os.path.basename(pack)}"
            os.rename(pack, moved)
            if moved.endswith(".pack"):
                with open(moved, "rb") as packed:
                    subprocess.run(["git", "-C", folder, "unpack-objects", "-q"], stdin=packed, check=True)
            os.remove(moved)


class FirstPublish(Publish):
    """No branch yet, and nothing of ours in the repository."""
    name = "first-publish"
    before = False
    sweeps = ("kill", "error", "lost", "again", "power")


class BuildPublished(Build):
    """What was published on the branch, which a site tells its changes from: never taken for missing or damaged
    where the machine cannot read it."""
    name = "build-published"
    sweeps = ("open", "read", "look", "memory")

    def take_records(self, folder):
        Publish.make_repository(self, folder)
        self.sh(self.program, "build", "-q", ok=(1,))
        self.sh(self.program, "publish", "--accept", "-q")
        shutil.rmtree(f"{folder}/site")


def publish_signed(scenario):
    """A site with the log of an archive is published; the command that did it."""
    key = os.path.join(scenario.work, f"{scenario.name}.key")  # ssh-keygen wants it to be readable by nobody else
    command = [scenario.program, "publish", "--accept", "-q", "--sign", key]
    scenario.sh("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key)
    scenario.sh(scenario.program, "archive", "add", "-q", f"records/{Archive.NAMES[0]}")
    scenario.sh(scenario.program, "build", "-q", ok=(1,))
    scenario.sh(*command)
    return command


class PublishSigned(Publish):
    """A site with the log of an archive, and a checkpoint of both: two files in the archive."""
    name = "publish-signed"
    no_memory = (4, 5)

    def prepare(self, folder):
        self.make_repository(folder)
        self.command = publish_signed(self)
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


class FsckSite(Fsck):
    """A copy of a published site is held to its signed list."""
    name = "fsck-site"
    looked = "site"
    sweeps = ("open", "read", "look", "memory")
    asked = ("site",)

    def prepare(self, folder):
        Publish.make_repository(self, folder)
        publish_signed(self)
        shutil.rmtree(f"{folder}/site")
        self.sh("git", "clone", "-q", "-b", "gh-pages", ".", "site")
        shutil.rmtree(f"{folder}/site/.git")
        for name in {".git", "site", "records", "archive"} - {self.looked}:
            shutil.rmtree(f"{folder}/{name}")
        self.old = tree(f"{folder}/{self.looked}")
        self.command = [self.program, "fsck", *self.asked, "--format", "json", "-o", "found.json"]


class FsckSigned(FsckSite):
    """The archive that it was made from, with the checkpoint of it."""
    name = "fsck-signed"
    looked = "archive"
    sweeps = ("open", "read", "look")
    asked = ("--archive", "archive", "--records", "nowhere")
