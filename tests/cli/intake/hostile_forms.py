"""Zips and tar.gz that somebody made to hurt whoever imports them.

    hostile_forms.py make FOLDER             writes them, and their names into FOLDER/list
    hostile_forms.py judge FOLDER PROGRAM SECONDS MEBIBYTES
                                             imports each, and prints what was not refused as it
                                             should: as hostile.py, and nothing may be written

Zips are put together field by field, so that each can lie; without a lie `import` takes what is
made here (`sound`).
"""

import gzip
import os
import struct
import subprocess
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "verify"))
from hostile import END, MARK, binary, header, padded, pax

MIB = 1 << 20


def deflate(data, level=9):
    packer = zlib.compressobj(level, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def zeros(gib):
    """A deflate stream of zeros, put together from a part that stands alone."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    part = packer.compress(bytes(64 * MIB)) + packer.flush(zlib.Z_FULL_FLUSH)
    return part * int(gib * 16) + b"\3\0"


def quoted(data):
    """In a block of deflate that is stored and not the last one."""
    return struct.pack("<BHH", 0, len(data), len(data) ^ 0xffff) + data


class Member:
    """A member of a zip: `local` and `central` say otherwise than it is."""

    def __init__(self, name, data=b"x", method=8, flags=0, packed=None, size=None, crc=None, extra=b"", mode=0o100644,
                 at=None, local=None, central=None, behind=None, raw=None, comment=b"", system=3):
        self.name = name.encode() if isinstance(name, str) else name
        self.body = raw if raw is not None else deflate(data) if method == 8 else data
        self.fields = {"name": self.name, "flags": flags, "method": method, "extra": extra,
                       "crc": zlib.crc32(data) if crc is None else crc,
                       "packed": len(self.body) if packed is None else packed,
                       "size": len(data) if size is None else size}
        self.local, self.central = local or {}, central or {}
        self.mode, self.at, self.behind, self.comment, self.system = mode, at, behind, comment, system

    def put_local(self):
        f = {**self.fields, **self.local}
        return struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 20, f["flags"], f["method"], 0, 33, f["crc"], f["packed"],
                           f["size"], len(f["name"]), len(f["extra"])) + f["name"] + f["extra"] + self.body + (self.behind or b"")

    def put_central(self, at):
        f = {**self.fields, **self.central}
        return struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\1\2", self.system << 8 | 20, 20, f["flags"], f["method"], 0, 33,
                           f["crc"], f["packed"], f["size"], len(f["name"]), len(f["extra"]), len(self.comment), 0, 0,
                           self.mode << 16, at if self.at is None else self.at) + f["name"] + f["extra"] + self.comment


def end(n, size, at, comment=b"", disk=0, told=None):
    return struct.pack("<4sHHHHIIH", b"PK\5\6", disk, disk, n, n if told is None else told, size, at, len(comment)) + comment


def zip_of(*members, front=b"", gap=b"", count=None, comment=b"", behind=b"", **lies):
    body, central = front, b""
    for m in members:
        at = len(body)
        body += m.put_local()
        central += m.put_central(at)
    body += gap
    n = len(members) if count is None else count
    return body + central + end(n, len(central), len(body), comment, **lies) + behind


def descriptor(crc, packed, size, mark=b"PK\7\10"):
    return mark + struct.pack("<III", crc, packed, size)


def gz(tar, **k):
    return gzip.compress(tar, mtime=0, **k)


ONE = header(size=1) + padded(b"x")
X = Member(MARK)


def sound():
    x = zlib.crc32(b"x")
    yield "zip", zip_of(X, Member("b/c", b"y", 0))
    yield "size-behind.zip", zip_of(Member(MARK, flags=8, local={"crc": 0, "packed": 0, "size": 0}, behind=descriptor(x, 3, 1)))
    yield "folder-and-comment.zip", zip_of(Member("d/", b"", 0, mode=0o40755), Member("d/" + MARK), comment=b"made by hand")
    yield "dots.tar.gz", gz(header("./", kind=b"5") + header("./" + MARK, 1) + padded(b"x") + END)
    yield "records.tgz", gz((ONE + END).ljust(10240, b"\0"))


def names():
    for what, name in [("up", "../" + MARK), ("up-inside", "a/../../" + MARK), ("absolute", "/tmp/" + MARK),
                       ("backslash", "a\\" + MARK), ("backslash-up", "..\\..\\" + MARK), ("drive", "C:\\" + MARK),
                       ("drive-slash", "C:/../" + MARK), ("share", "//host/" + MARK), ("home", "~/" + MARK),
                       ("option", "-" + MARK), ("hidden", ".git/hooks/" + MARK), ("empty", ""), ("nul", MARK + "\0.log"),
                       ("escape", "\x1b[31m" + MARK), ("newline", MARK + "\nexit 0"), ("right-to-left", MARK + "\u202egol"),
                       ("not-utf-8", b"\xff\xfe" + MARK.encode()), ("cp437", b"\x81" + MARK.encode()), ("blank", "a " + MARK),
                       ("deep", "a/" * 12 + MARK), ("long", "a" * 241), ("stream", MARK + ":$DATA\\"), ("double-slash", "a//" + MARK)]:
        yield what, name


def zips():
    x, y = zlib.crc32(b"x"), zlib.crc32(b"y")
    for what, name in names():
        yield "name-" + what, zip_of(Member(name, flags=0x800 if isinstance(name, str) else 0))
    yield "name-of-a-folder", zip_of(X, Member("../" + MARK + "/", b"", 0, mode=0o40755))
    yield "name-twice", zip_of(X, Member(MARK, b"y"))
    yield "name-in-other-case", zip_of(X, Member(MARK.lower(), b"y"))
    yield "name-below-a-file", zip_of(X, Member(MARK + "/b"))
    yield "name-made-by-us", zip_of(X, Member("imported-from.json"))
    yield "name-of-the-statement", zip_of(X, Member("statement.json"))
    yield "link", zip_of(Member(MARK, b"/etc/passwd", 0, mode=0o120777))
    for what, mode in [("device", 0o20644), ("disk", 0o60644), ("fifo", 0o10644), ("socket", 0o140644)]:
        yield what, zip_of(Member(MARK, b"", 0, mode=mode))
    yield "link-by-another-system", zip_of(Member(MARK, b"/etc/passwd", 0, mode=0o120777, system=0))
    yield "folder-without-slash", zip_of(Member(MARK, b"", 0, mode=0o40755))
    yield "folder-with-contents", zip_of(Member(MARK + "/", b"xyz", 0, mode=0o40755))
    yield "extra-unix-link", zip_of(Member(MARK, extra=struct.pack("<HH", 0x756e, 4) + b"/etc"))
    yield "extra-other-name", zip_of(Member(MARK, extra=struct.pack("<HHBI", 0x7075, 9, 1, zlib.crc32(MARK.encode())) + b"../e"))
    yield "extra-that-does-not-end", zip_of(Member(MARK, extra=struct.pack("<HH", 0x5455, 999)))
    for method in (1, 9, 12, 14, 93, 95, 98, 99):
        yield f"method-{method}", zip_of(Member(MARK, method=method))
    yield "method-in-front", zip_of(Member(MARK, local={"method": 0}))
    yield "encrypted", zip_of(Member(MARK, flags=1))
    yield "encrypted-in-front", zip_of(Member(MARK, local={"flags": 1}))
    yield "encrypted-strongly", zip_of(Member(MARK, flags=0x40))
    yield "patched", zip_of(Member(MARK, flags=0x20))
    yield "masked", zip_of(Member(MARK, flags=0x2000))
    # Two readings.
    yield "other-name-in-front", zip_of(Member("a" + MARK, local={"name": b"b" + MARK.encode()}))
    yield "other-crc-in-front", zip_of(Member(MARK, local={"crc": 1}))
    yield "other-size-in-front", zip_of(Member(MARK, local={"size": 2}))
    yield "other-packed-in-front", zip_of(Member(MARK, local={"packed": 2}))
    yield "hidden-between", zip_of(X, gap=Member("b" + MARK).put_local())
    yield "hidden-in-front", zip_of(Member("b" + MARK), front=Member("a" + MARK).put_local())
    yield "program-in-front", zip_of(X, front=b"#!/bin/sh\n")
    yield "second-end-in-comment", zip_of(X, comment=end(0, 0, 0))
    inner = zip_of(Member("b" + MARK))
    yield "second-zip-in-comment", zip_of(X, comment=inner)
    yield "second-end-that-fits", zip_of(X, comment=b"-" + end(0, 0, 0, b"z"))
    yield "bytes-behind", zip_of(X, behind=b"\0")
    yield "zip-behind", zip_of(X, behind=inner)
    yield "counts-fewer", zip_of(X, Member("b"), count=1)
    yield "counts-more", zip_of(X, count=2)
    yield "counts-nothing", zip_of(X, count=0)
    yield "two-counts", zip_of(X, told=2)
    yield "second-part", zip_of(X, disk=1)
    yield "empty", end(0, 0, 0)
    yield "only-folders", zip_of(Member("d/", b"", 0, mode=0o40755))
    # Contents that are not what is said of them.
    yield "crc", zip_of(Member(MARK, crc=x ^ 1))
    yield "size-too-small", zip_of(Member(MARK, b"x" * 999, size=9))
    yield "size-too-large", zip_of(Member(MARK, b"x" * 9, size=999))
    yield "packed-too-small", zip_of(Member(MARK, raw=deflate(os.urandom(99))[:50], data=bytes(99)))
    yield "packed-with-more", zip_of(Member(MARK, raw=deflate(b"x") + b"more"))
    yield "deflate-of-nothing", zip_of(Member(MARK, raw=b""))
    yield "deflate-broken", zip_of(Member(MARK, raw=b"\xff" * 20))
    yield "deflate-too-far", zip_of(Member(MARK, raw=b"\x4b\x04\xf2\xff\x03\0"))
    yield "stored-two-sizes", zip_of(Member(MARK, b"x", 0, size=2))
    yield "behind-other-crc", zip_of(Member(MARK, flags=8, behind=descriptor(x ^ 1, 3, 1)))
    yield "behind-other-size", zip_of(Member(MARK, flags=8, behind=descriptor(x, 3, 2)))
    yield "behind-nothing", zip_of(Member(MARK, flags=8))
    yield "behind-64-bits", zip_of(Member(MARK, flags=8, behind=struct.pack("<4sIQQ", b"PK\7\10", x, 3, 1)))
    yield "behind-what-is-stored", zip_of(Member(MARK, b"x", 0, flags=8, behind=descriptor(x, 1, 1)))
    # zip64.
    wide = struct.pack("<HHQQ", 1, 16, 1, 3)
    yield "zip64-sizes", zip_of(Member(MARK, size=0xffffffff, packed=0xffffffff, extra=wide))
    yield "zip64-extra-alone", zip_of(Member(MARK, extra=wide))
    yield "zip64-offset", zip_of(Member(MARK, at=0xffffffff))
    yield "zip64-count", zip_of(X, count=0xffff)
    whole = zip_of(X)
    at = len(whole) - 22
    yield "zip64-end", whole[:at] + struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, at, 0) + struct.pack(
        "<4sIQI", b"PK\6\7", 0, at, 1) + whole[at:]
    # Bombs: one kernel that all share, quoted headers, one huge member, many, zips in zips.
    kernel = deflate(bytes(16 * MIB))
    shared = Member("a" + MARK, raw=kernel, data=b"", size=16 * MIB, crc=0)
    body = shared.put_local()
    central = b"".join(Member(f"{MARK}{i}", raw=kernel, data=b"", size=16 * MIB, crc=0).put_central(0) for i in range(1000))
    yield "bomb-overlapping", body + central + end(1000, len(central), len(body))
    last = Member("b" + MARK, bytes(1 * MIB))
    inside = last.put_local()
    first = Member("a" + MARK, raw=quoted(inside[:30 + len(last.name)]) + last.body, data=b"", size=MIB, crc=0)
    body = first.put_local()
    central = first.put_central(0) + last.put_central(30 + len(first.name) + 5)
    yield "bomb-quoted-overlap", body + central + end(2, len(central), len(body))
    huge = zeros(10)
    yield "bomb-10g", zip_of(Member(MARK, raw=huge, data=b"", size=0xfffffffe))
    yield "bomb-10g-said-to-be-small", zip_of(Member(MARK, raw=huge, data=b"", size=MIB))
    noise = os.urandom(65535)  # so that it shrinks to no thousandth
    yield "bomb-of-240m", zip_of(Member(MARK, raw=b"\0\xff\xff\0\0" + noise + zeros(0.234375), data=b"", size=65535 + 240 * MIB))
    yield "bomb-ratio", zip_of(Member(MARK, raw=zeros(0.0625), data=b"", size=64 * MIB))
    yield "bomb-of-15m-files", zip_of(*[Member(f"{MARK}{i}", raw=kernel, data=b"", size=15 * MIB) for i in range(40)])
    yield "bomb-of-entries", zip_of(*[Member(f"{MARK}{i}", b"", 0) for i in range(20001)])
    many = b"".join(Member(f"{i}", b"", 0).put_central(0) for i in range(100001))
    yield "bomb-of-100001-entries", X.put_local() + many + end(100001 & 0xffff, len(many), len(X.put_local()))
    yield "zip-in-zip", zip_of(Member(MARK, whole))
    yield "gzip-in-zip", zip_of(Member(MARK, gz(b"x")))
    yield "tar-in-zip", zip_of(Member(MARK, ONE + END))
    for i in range(0, len(whole), 9):
        yield f"cut-{i}", whole[:i]


def unseen_pax(**values):
    """Its length is in base 256: who reads octal digits only takes what is in it for a file's header."""
    made = bytearray(pax(comment="x" * 320, **values))
    made[512 + 156] = ord("0")
    made[:512] = header("PaxHeaders/" + MARK, kind=b"x", size_field=binary(int(made[124:135], 8), 12))
    return bytes(made)


def tars():
    good = gz(ONE + END)
    for what, name in names():
        raw = name.encode() if isinstance(name, str) else name
        if raw and b"\0" not in raw:
            yield "name-" + what, gz(pax(path=raw) + ONE + END)
    yield "name-nul", gz(pax(path=MARK.encode() + b"\0.log") + ONE + END)
    yield "name-nul-behind-a-length-in-base-256", gz(unseen_pax(path=MARK.encode() + b"\0.log") + ONE + END)
    yield "name-twice", gz(ONE * 2 + END)
    yield "name-in-other-case", gz(ONE + header(MARK.lower()) + END)
    yield "name-of-a-folder", gz(ONE + header("../" + MARK + "/", kind=b"5") + END)
    yield "name-dots-up", gz(header("./../" + MARK) + END)
    for kind in b"12346SV":
        yield "kind-" + chr(kind), gz(header(size=0, kind=bytes([kind]), link=b"/etc/passwd", magic=b"ustar  \0") + END)
    yield "kind-V-behind", gz(ONE + header(size=0, kind=b"V", magic=b"ustar  \0") + END)
    yield "header-of-nothing-behind", gz(ONE + pax(comment="x") + END)
    yield "for-all-of-nothing-behind", gz(ONE + pax(b"g", comment="x") + END)
    yield "folder-with-contents", gz(ONE + header("d/", 512, kind=b"5") + header("b" + MARK) + END)
    yield "link-out-and-through", gz(header("l", kind=b"2", link=b"/tmp") + header("l/" + MARK) + END)
    yield "sparse", gz(pax(GNU__sparse__major="1", GNU__sparse__minor="0", GNU__sparse__name=MARK, GNU__sparse__realsize="99999999999") + ONE + END)
    longer, named = header("././@LongLink", 6, b"L") + padded(b"A.log\0"), pax(path="B.log")
    for what, first in (("long-and-pax", longer + named), ("pax-and-long", named + longer), ("two-long", longer * 2),
                        ("for-all", pax(b"g", path="B.log")), ("size-for-all", pax(b"g", size="1")), ("size-elsewhere", pax(size="1"))):
        yield "two-readings-" + what, gz(first + ONE + END)
    twice = b"14 path=A.log\n" * 2
    yield "two-readings-path-twice", gz(header("P", len(twice), b"x") + padded(twice) + ONE + END)
    yield "two-readings-folder-for-all", gz(pax(b"g", path="B.log") + header("d/", kind=b"5") + ONE + END)
    yield "two-readings-whole-sparse", gz(pax(GNU__sparse__map="0,1", GNU__sparse__size="1", GNU__sparse__numblocks="1", GNU__sparse__name="B.log") + ONE + END)
    yield "two-readings-other-magic", gz(header(size=1, prefix=b"before", magic=b"ustar  \0") + padded(b"x") + END)
    nul = pax(comment="0" * 600, path=b"B.log\0" + MARK.encode())
    yield "nul-behind-a-binary-size", gz(header("P", kind=b"x", size_field=b"\x80" + (int(nul[124:135], 8)).to_bytes(11, "big")) + nul[512:] + ONE + END)
    yield "mode-with-junk", gz(ONE + header("b" + MARK, 1, mode=b"000064x\0") + padded(b"x") + END)
    yield "mode-in-two", gz(ONE + header("b" + MARK, 1, mode=b"000 644\0") + padded(b"x") + END)
    yield "size-with-junk", gz(header(size_field=b"0000000001x\0") + padded(b"x") + END)
    yield "size-negative", gz(header(size_field=b"\xff" * 12) + END)
    yield "size-2-to-60", gz(header(size_field=b"\x80" + (1 << 60).to_bytes(11, "big")) + END)
    yield "behind-the-tar", gz(ONE + END + header("b" + MARK) + END)
    yield "cut-inside", gz((header(size=600) + bytes(1024))[:1000])
    yield "two-members", good + gz(header("b" + MARK) + END)
    yield "two-halves", gz(ONE) + gz(END)
    both = gz(ONE)[:-8] + struct.pack("<II", 0, 512) + gz(END)[:-8] + struct.pack("<II", zlib.crc32(ONE + END), len(ONE + END))
    yield "two-halves-with-the-sum-of-both", both
    yield "empty-member-behind", good + gz(b"")
    yield "junk-behind", good + b"junk"
    yield "zeros-behind", good + bytes(512)
    yield "wrong-crc", good[:-8] + struct.pack("<I", zlib.crc32(ONE + END) ^ 1) + good[-4:]
    yield "wrong-length", good[:-4] + struct.pack("<I", len(ONE + END) + 512)
    yield "wrong-method", good[:2] + b"\7" + good[3:]
    for bit in (1, 2, 4, 16, 32, 128):
        yield f"flag-{bit}", good[:3] + bytes([bit]) + good[4:]
    yield "name-without-end", good[:3] + b"\x08" + good[4:10] + b"a" * 300
    yield "deflate-broken", good[:10] + b"\xff" * 40 + good[-8:]
    yield "gzip-in-gzip", gz(good)
    yield "zip-in-gzip", gz(zip_of(X))
    yield "zip-in-tar", gz(header(size=len(zip_of(X))) + padded(zip_of(X)) + END)
    yield "no-tar", gz(b"hello\n" * 200)
    yield "nothing", gz(b"")
    yield "only-folders", gz(header("d/", kind=b"5") + END)
    head = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
    huge = zeros(10)
    for size in (0, MIB, 0xffffffff):
        yield f"bomb-10g-said-to-be-{size}", head + huge + struct.pack("<II", 0, size)
    yield "bomb-ratio", head + zeros(0.0625) + struct.pack("<II", 0, 64 * MIB)
    yield "flood-of-nothing", head + b"\0\0\0\xff\xff" * (4 << 20) + b"\3\0" + bytes(8)
    yield "bomb-of-entries", gz(b"".join(header(f"{MARK}{i}") for i in range(20001)) + END, compresslevel=1)
    for i in range(0, len(good), 7):
        yield f"cut-{i}", good[:i]


def make(folder):
    with open(f"{folder}/list", "w") as listed:
        for ending, made in (("zip", zips), ("tar.gz", tars)):
            for name, data in made():
                with open(f"{folder}/{name}.{ending}", "wb") as f:
                    f.write(data)
                listed.write(f"{name}.{ending}\n")
    os.makedirs(f"{folder}/sound")
    for name, data in sound():
        with open(f"{folder}/sound/sound-{name}" if "." in name else f"{folder}/sound/sound.{name}", "wb") as f:
            f.write(data)


def judge(folder, program, most_seconds, most_mebibytes):
    worst = [0, 0]
    os.mkdir(f"{folder}/made")
    for name in open(f"{folder}/list").read().split():
        run = subprocess.Popen([program, "import", "-o", f"{folder}/made", f"{folder}/{name}"], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
        said = run.stdout.read()
        _, status, used = os.wait4(run.pid, 0)
        got = os.waitstatus_to_exitcode(status)
        seconds, size = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
        worst = [max(worst[0], seconds), max(worst[1], size)]
        if got != 3 or name.encode() not in said or b"\x1b" in said or os.listdir(f"{folder}/made"):
            print(f"{name}: exit {got}, expected 3: {said[:300]!r}")
        if "-v" in sys.argv:
            print(said.decode(errors="replace").strip().replace(folder, ""))
        if seconds > float(most_seconds) or size > float(most_mebibytes):
            print(f"{name}: {seconds:.2f} s, {size:.0f} MiB")
    print(f"at most {worst[0]:.2f} s and {worst[1]:.0f} MiB", file=sys.stderr)


if __name__ == "__main__":
    {"make": make, "judge": judge}[sys.argv[1]](*[a for a in sys.argv[2:] if a != "-v"])
