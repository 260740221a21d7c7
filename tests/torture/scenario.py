"""What every scenario has: a template folder as it is before the command, the command, and `outcome(folder)`:
"old", "new", or what is torn. `ends` says which exit codes may come with which outcome.
"""
import os
import subprocess

from runs import Ground, Program

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GOLDEN = os.path.join(TOP, "tests/golden/build/records")


def edit(path, *pairs):
    text = open(path).read()
    for old, new in pairs:
        assert old in text, (path, old)
        text = text.replace(old, new)
    open(path, "w").write(text)


SWEEPS = ("kill", "stop", "error", "lost", "open", "read", "process", "look", "descriptor", "memory", "again", "power")
ALONE = tuple(s for s in SWEEPS if s != "process")  # of a command that starts no process


class Scenario:
    env = {}
    limit = 300  # seconds that a run may take
    done = 0  # the command's exit code when all is well
    # Outcomes that an exit code may come with; "old/new" where both are true of it.
    # None is said by 2 or 3: nothing is wrong with the input.
    ends = {4: {"old"}, 5: {"old", "new"}}
    no_memory = (4, 5)  # exit codes that may come of an allocation that failed, beside `done`
    crash = "parts"  # after a power failure: "whole" old or new, or "parts" each old or new
    sweeps = SWEEPS  # those that differ from another scenario's
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
            self.programs[command] = Program(self.library, command, env, self.limit)
        return self.programs[command]

    def run(self, fault=None, record=None, stacks=False):
        return self.waiting(*self.command).run(self.folder, fault, record, stacks)

    def next(self, folder):
        """The command that comes after a run that was stopped: the same, or one that mends."""
        return self.command

    def run_next(self, fault=None):
        return self.waiting(*self.next(self.folder)).run(self.folder, fault)

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
        return {"new"} if code == self.done else self.ends.get(code, set())

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
