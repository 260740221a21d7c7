"""What a disk may hold after its power failed, from the changes that faults.so wrote down.

The model is POSIX taken at its word, which is less than any file system keeps: bytes of a file are
durable after fsync of the file, a name in a folder after fsync of that folder (that of a new folder in
its parent, too), everything after syncfs. What is not durable may be there or not, name by name, and
bytes may be cut or zero; what was durable before a file was only appended to stays. Changes of two names in one folder by one call (rename) go together.

A journal keeps changes in their order; POSIX does not say so, and no state here relies on it: the newest name may be
there alone, or the oldest be the only one that is lost.
"""
import os
import random
import time


# States in which an order that the program relied on is gone.
HARD = ("the newest name alone", "all but the oldest name")


class Node:
    def __init__(self, folder, data=b""):
        self.folder = folder
        self.names = {}  # durable: name -> Node
        self.data = data  # durable
        self.now = bytearray(data)
        self.writes = []  # since then: the whole of it after each change


class Disk:
    """A tree below `root` and what happened to it."""

    def __init__(self, root):
        self.root = root
        self.top = Node(True)
        self.live = {self.top: {}}  # folder -> names as a running program sees them
        self.inode = {os.stat(root).st_ino: self.top}
        self.pending = []  # (folder, {name: Node or None})
        self._load(root, self.top)

    def _load(self, path, node):
        for entry in sorted(os.scandir(path), key=lambda e: e.name):
            if entry.is_symlink():
                continue
            child = Node(entry.is_dir(), b"" if entry.is_dir() else open(entry.path, "rb").read())
            self.inode[entry.inode()] = child
            node.names[entry.name] = child
            if child.folder:
                self.live[child] = {}
                self._load(entry.path, child)
        self.live[node] = dict(node.names)

    def _find(self, path):
        """Folder and name of a path; None: it lies elsewhere."""
        path = os.path.normpath(path)
        if path != self.root and not path.startswith(self.root + "/"):
            return None, None
        parts = path[len(self.root) + 1:].split("/")
        node = self.top
        for part in parts[:-1]:
            node = self.live[node].get(part)
            if node is None or not node.folder:
                return None, None
        return node, parts[-1]

    def _name(self, changes):
        """Several names at once: [(folder, name, node)]."""
        together = {}
        for folder, name, node in changes:
            together.setdefault(folder, {})[name] = node
            if node is None:
                self.live[folder].pop(name, None)
            else:
                self.live[folder][name] = node
        self.pending += together.items()

    def _bytes(self, inode):
        return self.inode.get(int(inode))

    # One method a kind of event (faults_record.c: record).

    def on_C(self, inode, a, b, offset, data):
        folder, name = self._find(a)
        if folder:
            self.inode[int(inode)] = node = Node(False)
            self._name([(folder, name, node)])

    def on_D(self, inode, a, b, offset, data):
        folder, name = self._find(a)
        if folder:
            self.inode[int(inode)] = node = Node(True)
            self.live[node] = {}
            self._name([(folder, name, node)])

    def on_U(self, inode, a, b, offset, data):
        folder, name = self._find(a)
        if folder:
            self._name([(folder, name, None)])

    def on_L(self, inode, a, b, offset, data):
        source, target = self._find(a), self._find(b)
        if source[0] and target[0]:
            self._name([(*target, self.live[source[0]][source[1]])])

    def on_R(self, inode, a, b, offset, data):
        source, target = self._find(a), self._find(b)
        if source[0] and target[0]:
            node = self.live[source[0]][source[1]]
            self._name([(*source, None), (*target, node)])

    def on_E(self, inode, a, b, offset, data):
        one, two = self._find(a), self._find(b)
        if one[0] and two[0]:
            first, second = self.live[one[0]][one[1]], self.live[two[0]][two[1]]
            self._name([(*one, second), (*two, first)])

    def on_W(self, inode, a, b, offset, data):
        node = self._bytes(inode)
        if node:
            node.now[len(node.now):] = bytes(max(0, offset - len(node.now)))
            node.now[offset:offset + len(data)] = data
            node.writes.append(bytes(node.now))

    def on_T(self, inode, a, b, offset, data):
        node = self._bytes(inode)
        if node:
            node.now[:] = node.now[:offset].ljust(offset, b"\0")
            node.writes.append(bytes(node.now))

    def on_S(self, inode, a, b, offset, data):
        node = self._bytes(inode)
        if node and node.folder:
            rest = []
            for folder, names in self.pending:
                if folder is node:
                    self._settle(folder, names)
                else:
                    rest.append((folder, names))
            self.pending = rest
        elif node:
            node.now[:] = data  # mapped memory is written without a call
            node.data, node.writes = bytes(data), []

    def on_F(self, inode, a, b, offset, data):
        for folder, names in self.pending:
            self._settle(folder, names)
        self.pending = []
        for node in self.inode.values():
            if node.writes:
                node.data, node.writes = node.writes[-1], []

    @staticmethod
    def _settle(folder, names):
        for name, node in names.items():
            if node is None:
                folder.names.pop(name, None)
            else:
                folder.names[name] = node

    def play(self, event):
        kind, inode, a, b, offset, data = event
        getattr(self, "on_" + kind)(inode, a, b, offset, data)

    # What may be there now: {path: bytes}, with {path: None} for folders.

    def state(self, keep, content):
        """keep(i): is the i-th pending change of names there? content(node): bytes of a file."""
        changed = {}
        for i, (folder, names) in enumerate(self.pending):
            if keep(i):
                now = changed.setdefault(folder, dict(folder.names))
                for name, node in names.items():
                    if node is None:
                        now.pop(name, None)
                    else:
                        now[name] = node
        out, inodes = {}, {}

        def walk(node, path):
            for name, child in changed.get(node, node.names).items():
                inner = f"{path}{name}"
                out[inner] = None if child.folder else content(child)
                inodes[inner] = child
                if child.folder:
                    walk(child, inner + "/")

        walk(self.top, "")
        return out, inodes

    def states(self, rng, n_random):
        """States worth a look, each as state() gives it, with a name."""
        def last(node):
            return node.writes[-1] if node.writes else node.data

        def stays(node):
            return len(node.data) if all(w.startswith(node.data) for w in node.writes) else 0

        def cut(fraction):
            def content(node):
                data, n = last(node), stays(node)
                return data[:n + int((len(data) - n) * fraction)] if node.writes else data
            return content

        def zeroed(node):
            data, n = last(node), stays(node)
            return data[:n] + bytes(len(data) - n) if node.writes else node.data

        yield "everything", self.state(lambda i: True, last)
        if not self.pending and not any(n.writes for n in self.inode.values()):
            return
        yield "nothing unsynced", self.state(lambda i: False, lambda n: n.data)
        yield "names, no bytes", self.state(lambda i: True, cut(0))
        yield "names, half the bytes", self.state(lambda i: True, cut(0.5))
        yield "names, zeros", self.state(lambda i: True, zeroed)
        yield HARD[0], self.state(lambda i: i == len(self.pending) - 1, last)
        yield HARD[1], self.state(lambda i: i > 0, last)
        for r in range(n_random):
            chance = rng.random()
            kept = [rng.random() < chance for _ in self.pending]
            chosen = {}

            def content(node):
                if node not in chosen:
                    data = rng.choice([node.data, *node.writes[-3:]])
                    if node.writes and rng.random() < 0.3:
                        data = data[:rng.randrange(min(stays(node), len(data)), len(data) + 1)]
                    chosen[node] = data
                return chosen[node]

            yield f"random {r}", self.state(lambda i: kept[i], content)


def events(path):
    """What faults.so wrote down."""
    data = open(path, "rb").read()
    at = 0
    while at < len(data):
        end = data.index(b"\n", at)
        kind, inode, a, b, offset, n = data[at:end].split(b"\0")
        n = int(n)
        yield kind.decode(), int(inode), os.fsdecode(a), os.fsdecode(b), int(offset), data[end + 1:end + 1 + n]
        at = end + 1 + n


def put(state, inodes, disk, folder):
    """Make the state's files in an empty folder, all of one instant: the order in which they are made here says nothing
    of the order in which the program did. Gives the inodes that its files had and have now."""
    now = time.time_ns()
    had = {node: inode for inode, node in disk.inode.items()}
    moved, made = {}, {}
    for path, data in state.items():
        target = os.path.join(folder, path)
        if data is None:
            os.mkdir(target)
        elif inodes[path] in made:
            os.link(made[inodes[path]], target)
        else:
            made[inodes[path]] = target
            with open(target, "wb") as out:
                out.write(data)
            os.utime(target, ns=(now, now))
        moved[had.get(inodes[path])] = os.stat(target).st_ino
    return moved
