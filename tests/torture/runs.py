"""A program run with faults.so: how often it asks the system, and what it does when that goes wrong."""
import os
import shutil
import struct
import subprocess
import tempfile

KILL = "kill"
SHORT = "short"


class Fault:
    """The `at`-th request of a class goes wrong (0: none does), `sticky`: all later ones, too."""

    def __init__(self, kind="state", at=0, todo=KILL, sticky=False):
        self.kind, self.at, self.todo, self.sticky = kind, at, todo, sticky

    def __str__(self):
        what = self.todo if isinstance(self.todo, str) else os.strerror(self.todo)
        return f"{self.kind} {self.at}{'+' if self.sticky else ''}: {what}"


class Ran:
    """How a run ended: `code` as a shell says it, `seen` requests of the class, `hit` by the fault."""

    def __init__(self, code, text, seen, hit):
        self.code, self.text, self.seen, self.hit = code, text, seen, hit

    def last_line(self):
        lines = [x for x in self.text.splitlines() if x.strip()]
        return lines[-1][:200] if lines else ""


def run(library, command, folder, fault=None, record=None, trace=None, env=None, limit=60):
    """Run it in `folder`; without a fault and a record nothing is preloaded."""
    environment = dict(os.environ, **(env or {}))
    with tempfile.NamedTemporaryFile() as count:
        count.write(bytes(16))
        count.flush()
        if fault or record:
            fault = fault or Fault()
            environment.update(LD_PRELOAD=library, FAULTS_CLASS=fault.kind, FAULTS_AT=str(fault.at),
                               FAULTS_DO=str(fault.todo), FAULTS_STICKY=str(int(fault.sticky)),
                               FAULTS_COUNT=count.name)
        for name, path in (("FAULTS_RECORD", record), ("FAULTS_TRACE", trace)):
            if path:
                open(path, "wb").close()
                environment[name] = path
        try:
            done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit)
            code, text = done.returncode, done.stdout.decode(errors="replace")
        except subprocess.TimeoutExpired:
            code, text = 124, f"still running after {limit} s"
        count.seek(0)
        seen, hit = struct.unpack("qq", count.read(16))
    return Ran(code if code >= 0 else 128 - code, text, seen, hit)


def fresh(template, folder):
    """`folder` becomes what `template` is."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(template, folder, symlinks=True)
