"""What folders hold. A file whose number, times and size are known is not read again."""
import functools
import hashlib
import os

_known = {}  # (inode, mtime, ctime, size) -> digest


@functools.lru_cache(maxsize=1 << 16)
def digest(data):
    return hashlib.sha256(data).hexdigest()


def digest_of(entry):
    st = entry.stat(follow_symlinks=False)
    key = (st.st_ino, st.st_mtime_ns, st.st_ctime_ns, st.st_size)
    if key not in _known:
        if len(_known) > 1 << 18:
            _known.clear()
        with open(entry.path, "rb") as f:
            _known[key] = hashlib.sha256(f.read()).hexdigest()
    return _known[key]


def entries(folder, rel=""):
    """(path below the folder, entry) of all that is in it; nothing when it is not there."""
    try:
        found = sorted(os.scandir(folder), key=lambda e: e.name)
    except FileNotFoundError:
        return
    for entry in found:
        yield rel + entry.name, entry
        if entry.is_dir(follow_symlinks=False):
            yield from entries(entry.path, rel + entry.name + "/")


def tree(folder, skip=()):
    """{path: digest} of all files below a folder; {} when it is not there."""
    return {rel: digest_of(e) for rel, e in entries(folder)
            if not e.is_dir(follow_symlinks=False) and not any(s in rel for s in skip)}


def stamps(folder):
    """What no call that changes a file leaves as it is; folders by their names alone."""
    rows = []
    for rel, entry in entries(folder):
        st = entry.stat(follow_symlinks=False)
        folders = entry.is_dir(follow_symlinks=False)
        rows.append((rel, st.st_ino, None if folders else (st.st_mtime_ns, st.st_ctime_ns, st.st_size)))
    return rows


def held(folder):
    """What a folder holds, to compare: names, bytes, and which names are of one file. Its locks name files by
    numbers, which are others each time."""
    first, rows = {}, []
    for rel, entry in entries(folder):
        number = entry.inode()
        named = first.setdefault(number, rel)
        if entry.is_dir(follow_symlinks=False):
            rows.append((rel, named, None))
        else:
            rows.append((rel, named, (entry.path,) if rel.endswith(".fpreport-lock") else digest_of(entry)))
    rows = [(rel, named, lock_of(what[0], first) if isinstance(what, tuple) else what) for rel, named, what in rows]
    return hash(tuple(rows))


def lock_of(path, first):
    with open(path, "rb") as f:
        text = f.read().strip(b"\0\n").decode(errors="replace")
    return tuple(first.get(int(line), "nobody") if line.isdigit() else line for line in text.split("\n"))
