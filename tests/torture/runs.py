"""A program run with faults.so: how often it asks the system, and what it does when that goes wrong.

It is started once and stops before main(); each run is a child that goes on from there (faults_server.c)."""
import mmap
import os
import select
import shutil
import signal
import stat
import struct
import subprocess
import tempfile
import time

KILL = "kill"
SHORT = "short"
TERM = "term"
COUNTS = struct.Struct("qqQi4x")
OURS = 2  # faults.h: the program itself broke; 1: a library did
STACKS_MAX = 1 << 20  # allocations whose call stacks are written down


class Fault:
    """The `at`-th request of a class goes wrong (0: none does), `sticky`: all later ones, too."""

    def __init__(self, kind="state", at=0, todo=KILL, sticky=False):
        self.kind, self.at, self.todo, self.sticky = kind, at, todo, sticky

    def __str__(self):
        what = self.todo if isinstance(self.todo, str) else os.strerror(self.todo)
        return f"{self.kind} {self.at}{'+' if self.sticky else ''}: {what}"

    def settings(self):
        return {"FAULTS_CLASS": self.kind, "FAULTS_AT": self.at, "FAULTS_DO": self.todo,
                "FAULTS_STICKY": int(self.sticky)}


class Ran:
    """How a run ended: `code` as a shell says it, `seen` requests of the class, `hit` by the fault, the call
    `stack` of the allocation that failed, `whose` code broke in any of its processes, the `stacks` of all when they
    were asked for."""

    def __init__(self, code, text, seen, hit, stack, whose, stacks=()):
        self.code, self.text, self.seen, self.hit = code, text, seen, hit
        self.stack, self.whose, self.stacks = stack, whose, stacks

    def last_line(self):
        lines = [x for x in self.text.splitlines() if x.strip()]
        return lines[-1][:200] if lines else ""


class Program:
    """A command that waits before main()."""

    def __init__(self, library, command, env=None, limit=300):
        self.limit = limit
        self.counts = tempfile.NamedTemporaryFile()
        self.counts.write(bytes(COUNTS.size))
        self.counts.flush()
        self.shared = mmap.mmap(self.counts.fileno(), COUNTS.size)
        self.out, out = os.pipe()
        os.set_blocking(self.out, False)
        far, self.asks = os.pipe()
        self.answers, back = os.pipe()
        environment = dict(os.environ, **(env or {}), LD_PRELOAD=library, FAULTS_SERVER=f"{far},{back}",
                           FAULTS_COUNT=self.counts.name)
        self.child = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                      pass_fds=(far, back))
        for fd in (out, far, back):
            os.close(fd)

    def close(self):
        for fd in (self.asks, self.answers, self.out):
            os.close(fd)
        self.child.wait()

    def answer(self, said, end):
        """Four bytes of an answer, and what is printed meanwhile; None: it takes too long."""
        while True:
            ready, _, _ = select.select([self.answers, self.out], [], [], max(0, end - time.monotonic()))
            if self.out in ready:
                said.append(os.read(self.out, 65536))
            elif ready:
                return struct.unpack("i", os.read(self.answers, 4))[0]
            else:
                return None

    def run(self, folder, fault=None, record=None, stacks=False):
        """Run it in `folder`, with a fault, or with all its changes or its call stacks written down."""
        self.shared[:] = bytes(COUNTS.size)
        settings = (fault or Fault()).settings()
        with tempfile.TemporaryDirectory() as place:
            if record:
                open(record, "wb").close()
                settings["FAULTS_RECORD"] = record
            if stacks:
                settings["FAULTS_STACKS"] = os.path.join(place, "stacks")
                with open(settings["FAULTS_STACKS"], "wb") as f:
                    f.truncate(8 * STACKS_MAX)
            words = [folder, *(f"{name}={value}" for name, value in settings.items())]
            request = b"".join(os.fsencode(word) + b"\0" for word in words)
            os.write(self.asks, struct.pack("I", len(request)) + request)
            code, text = self.finish()
            seen, hit, stack, whose = COUNTS.unpack(self.shared[:])
            found = ()
            if stacks:
                assert seen < STACKS_MAX
                found = struct.unpack(f"{seen}Q", open(settings["FAULTS_STACKS"], "rb").read(8 * seen))
        return Ran(code, text, seen, hit, stack, whose, found)

    def finish(self):
        said, end = [], time.monotonic() + self.limit
        pid = self.answer(said, end)
        status = self.answer(said, end)
        if status is None:
            os.kill(pid, signal.SIGKILL)
            self.answer(said, time.monotonic() + 10)
            return 124, f"still running after {self.limit} s"
        try:
            while more := os.read(self.out, 65536):
                said.append(more)
        except BlockingIOError:
            pass
        code = os.waitstatus_to_exitcode(status)
        return code if code >= 0 else 128 - code, b"".join(said).decode(errors="replace")


class Ground:
    """A folder that becomes what a template is again and again; what nobody touched since stays in it."""

    def __init__(self, template, folder):
        self.template, self.folder = template, folder
        self.put, self.locks = {}, {}
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)

    @staticmethod
    def same(st):
        return st.st_ino, st.st_mtime_ns, st.st_size, st.st_mode

    @staticmethod
    def remove(path):
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        elif os.path.lexists(path):
            os.unlink(path)

    def fresh(self):
        self._mend("")

    def _mend(self, rel):
        """Folders and files at `rel`. Files of several names become several files, as in any copy."""
        here = os.path.join(self.folder, rel)
        there = {e.name: e for e in os.scandir(os.path.join(self.template, rel))}
        now = {e.name: e for e in os.scandir(here)}
        for name in now.keys() - there.keys():
            self.remove(os.path.join(here, name))
        for name, want in there.items():
            path, inner, has = os.path.join(here, name), os.path.join(rel, name), now.get(name)
            if want.is_dir(follow_symlinks=False):
                self._folder(path, inner, want, has)
            elif has is None or self.put.get(inner) != self.same(has.stat(follow_symlinks=False)):
                self.remove(path)
                shutil.copy2(want.path, path, follow_symlinks=False)
                self.put[inner] = self.same(os.lstat(path))

    def _folder(self, path, inner, want, has):
        mode = stat.S_IMODE(want.stat(follow_symlinks=False).st_mode)
        if has is None or not has.is_dir(follow_symlinks=False):
            self.remove(path)
            os.mkdir(path)
            has = None
        if has is None or stat.S_IMODE(has.stat().st_mode) != mode:
            os.chmod(path, mode)
        self._mend(inner)
