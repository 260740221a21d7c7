"""Archives that somebody made to hurt whoever reads them.

    hostile.py make FOLDER TOP       writes them; those of tests/unit/make_archives.py, too
    hostile.py judge FOLDER PROGRAM SECONDS MEBIBYTES
                                     verifies each, and prints what was not refused as it should:
                                     exit 3 (1 where the archive is sound and what is in it is not),
                                     with the file's name, without a control character, in so much
                                     time of the processor and so much memory

Every name in them has the mark ZZVENDOR, so that a trace shows whether one of them became a file.
Bombs are put together from blocks that repeat one byte (RFC 8878, 3.1.1.2.2): 10 GiB are 320 KiB, and
made in no time.
"""

import hashlib
import os
import struct
import subprocess
import sys

MARK = "ZZVENDOR"
BLOCK = 128 << 10


def zstd(data, *options):
    return subprocess.run(["zstd", "-q", "-c", *options], input=data, stdout=subprocess.PIPE,
                          check=True).stdout


def unzstd(data):
    return subprocess.run(["zstd", "-q", "-d", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout


def frame(*parts, window=0x50):
    """One zstd frame; a part is bytes, stored, or (byte, count), as blocks that repeat it."""
    blocks = []
    for part in parts:
        if isinstance(part, tuple):
            byte, count = part
            blocks += [(1, min(BLOCK, count - at), byte) for at in range(0, count, BLOCK)]
        else:
            blocks += [(0, len(part[at:at + BLOCK]), part[at:at + BLOCK])
                       for at in range(0, len(part), BLOCK)]
    out = [struct.pack("<IBB", 0xFD2FB528, 0, window)]
    for i, (kind, size, data) in enumerate(blocks):
        head = size << 3 | kind << 1 | (i == len(blocks) - 1)
        out.append(struct.pack("<I", head)[:3] + data)
    return b"".join(out)


def flooded(front, block, n, behind):
    """One frame: what is stored in front, the same block n times, what is stored behind."""
    def stored(data, last):
        return struct.pack("<I", len(data) << 3 | last)[:3] + data
    return struct.pack("<IBB", 0xFD2FB528, 0, 0x50) + stored(front, 0) + block * n + stored(behind, 1)


def octal(number, width):
    return b"%0*o\0" % (width - 1, number)


def binary(number, width):
    return b"\x80" + (number % (1 << 8 * (width - 1))).to_bytes(width - 1, "big")


def header(name=MARK, size=0, kind=b"0", link=b"", mode=b"0000644\0", magic=b"ustar\x0000",
           prefix=b"", sum_by=0, size_field=None):
    name = name.encode() if isinstance(name, str) else name
    h = bytearray(512)
    for at, field in [(0, name[:100]), (100, mode), (108, b"0000000\0"), (116, b"0000000\0"),
                      (124, size_field or octal(size, 12)), (136, octal(0, 12)), (156, kind),
                      (157, link[:100]), (257, magic), (329, b"0000000\0"), (337, b"0000000\0"),
                      (345, prefix[:155])]:
        h[at:at + len(field)] = field
    h[148:156] = b" " * 8
    h[148:156] = b"%06o\0 " % (sum(h) + sum_by)
    return bytes(h)


def padded(data):
    return data + bytes(-len(data) % 512)


def pax(kind=b"x", **values):
    records = b""
    for key, value in values.items():
        text = b" " + key.replace("__", ".").encode() + b"=" + (
            value if isinstance(value, bytes) else value.encode()) + b"\n"
        n = len(text) + len(str(len(text)))
        n = len(text) + len(str(n))
        records += str(n).encode() + text
    return header("PaxHeaders/" + MARK, len(records), kind) + padded(records)


END = bytes(1024)
ONE = header(size=1) + padded(b"x")


def archives():
    """Name, bytes, exit code."""
    gib = 1 << 30
    yield "bomb-10g", frame(header(size_field=binary(10 * gib, 12)), (b"\0", 10 * gib)), 3
    yield "bomb-10g-nested", zstd(frame(header(), (b"\0", 10 * gib))), 3
    yield "bomb-thrice", zstd(zstd(zstd(frame((b"\0", 10 * gib))))), 3
    yield "bomb-behind-a-file", frame(ONE, (b"\0", 10 * gib)), 3
    yield "bomb-of-255m-files", frame(*[x for i in range(5) for x in (
        header(f"{MARK}{i}", 255 << 20), (b"\0", 255 << 20))], END), 3
    yield "bomb-of-headers", frame(*[header(f"{MARK}{i}") for i in range(20001)], END), 3
    yield "bomb-of-folders", frame(*[header(f"{MARK}{i}/", kind=b"5") for i in range(20001)], END), 3
    yield "bomb-of-one-header", zstd(header() * 200000), 3
    yield "bomb-of-blank-blocks", frame((b"\0", 4 * gib)), 3
    yield "bomb-of-a-long-name", frame(header("././@LongLink", 1 * gib, b"L"), (b"a", 1 * gib), ONE, END), 3
    yield "bomb-of-a-long-link", frame(header("././@LongLink", 1 * gib, b"K"), (b"a", 1 * gib), ONE, END), 3
    yield "bomb-of-a-pax-header", frame(header("P", gib, b"x"), (b"1", gib), ONE, END), 3
    yield "bomb-of-pax-headers", frame(*[pax(comment="x")] * 30000, ONE, END), 3
    yield "bomb-of-long-names", frame(*[header("././@LongLink", 5, b"L") + padded(b"aaaa\0")] * 30000, ONE, END), 3
    # Blocks that repeat a byte no time, or once; that have no literals and no sequences; that repeat three bytes.
    yield "flood-of-nothing", flooded(ONE, b"\2\0\0x", 6 << 20, END), 3
    yield "flood-of-packed-nothing", flooded(ONE, b"\x14\0\0\0\0", 5 << 20, END), 3
    yield "flood-of-single-bytes", flooded(header(size=6 << 20), b"\x0a\0\0\0", 6 << 20, END), 3
    threes = flooded(header(size=307200), b"\x34\0\0\0\1\0\0\0\2", 102400, END)
    assert unzstd(threes) == header(size=307200) + bytes(307200) + END
    yield "flood-of-three-bytes", threes, 3
    yield "bomb-of-json-depth", sealed("run.json", b"[" * (3 << 20)), 1
    yield "bomb-of-json-keys", sealed("run.json", b"{" + b",".join(b'"%d":0' % i for i in range(300000)) + b"}"), 1
    yield "bomb-of-json-bytes", sealed("run.json", b" " * (60 << 20)), 3
    yield "bomb-of-a-long-key", below_a_long_key(), 1
    yield "bomb-of-fingerprints", sealed({f"{MARK}{i}/fingerprint.json": b"[0" + b",0" * 60000 + b"]" for i in range(40)}), 1
    yield "bomb-of-cards", sealed({f"a:b:A:40:1:1/round1/{MARK}{i}_noderank{i}/nvidia_monitor.log":
                                   b"2024-05-06-10:00:00\n" + b"31C 57W 15MiB 40536MiB 9%\n" * 256 for i in range(40)}), 1
    yield "bomb-of-statements", sealed("statement.json", b'{"_type":"https://in-toto.io/Statement/v1",' + b"[" * (1 << 20)), 1
    for name, field in [("negative", binary(-1, 12)), ("most-negative", b"\xff" * 12),
                        ("2-to-60", binary(1 << 60, 12)), ("2-to-63", binary((1 << 63) - 1, 12)),
                        ("octal-max", b"7" * 12), ("minus-octal", b"-0000000001\0"), ("letters", b"zzzzzzzzzzz\0")]:
        yield "size-" + name, zstd(header(size_field=field) + padded(b"x") + END), 3
    for kind in b"1234569VMSXZNAI":
        kind = bytes([kind])
        yield "kind-" + kind.decode(), zstd(header(size=1, kind=kind, link=b"/etc/passwd", magic=b"ustar  \0") + padded(b"x") + END), 3
    yield "volume-header-negative", zstd(header(kind=b"V", size_field=binary(-512, 12), magic=b"ustar  \0") * 4 + END), 3
    yield "hard-link-with-data", zstd(ONE + header("b" + MARK, 1, b"1", MARK.encode()) + padded(b"y") + END), 3
    yield "access-list-on-a-link", zstd(pax(SCHILY__acl__access="user::rwx") + header(kind=b"2", link=b"/etc") + END), 3
    yield "pax-path-up", zstd(pax(path="../" + MARK) + ONE + END), 3
    yield "pax-path-absolute", zstd(pax(path="/tmp/" + MARK) + ONE + END), 3
    yield "pax-path-empty", zstd(pax(path="") + ONE + END), 3
    yield "pax-path-nul", zstd(pax(path=b"a\0" + MARK.encode()) + ONE + END), 3
    yield "pax-path-binary", zstd(pax(hdrcharset="BINARY", path=b"\xff" + MARK.encode()) + ONE + END), 3
    yield "pax-link", zstd(pax(linkpath="/etc/passwd") + header(kind=b"2") + END), 3
    yield "pax-size", zstd(pax(size="99999999999999999999") + ONE + END), 3
    yield "pax-sparse", zstd(pax(GNU__sparse__major="1", GNU__sparse__minor="0", GNU__sparse__name="../" + MARK, GNU__sparse__realsize="99999999999") + ONE + END), 3
    yield "pax-for-all", zstd(pax(b"g", path="../" + MARK) + ONE + END), 3
    yield "pax-line-too-long", zstd(header("P", 20, b"x") + padded(b"99999999999 path=x\n") + ONE + END), 3
    yield "prefix-up", zstd(header(prefix=b"../../etc") + END), 3
    yield "name-without-end", zstd(header("../" + MARK * 12) + END), 3
    yield "wrong-sum", zstd(header(sum_by=1) + END), 3
    yield "named-as-manifest-twice", zstd((header("SHA256SUMS", 1) + padded(b"x")) * 2 + END), 3
    yield "named-through-a-file", zstd(header("a/" + MARK) + header("a") + END), 3
    for at in range(512, 512 * 4, 512):
        yield f"cut-tar-{at}", zstd((ONE + ONE.replace(b"Z", b"Y") + END)[:at - 100]), 3
    whole = zstd(ONE + END)
    for at in range(0, len(whole), max(1, len(whole) // 8)):
        yield f"cut-frame-{at}", whole[:at], 3
    yield "window-2-to-31", frame(ONE, END, window=0xA8), 3
    yield "window-2-to-41", frame(ONE, END, window=0xF8), 3
    yield "dictionary", b"\x28\xb5\x2f\xfd\x21\x07" + whole[6:], 3
    yield "reserved-block", whole[:6] + b"\x07\0\0", 3
    yield "large-block", b"\x28\xb5\x2f\xfd\0\x50" + struct.pack("<I", (BLOCK + 1) << 3 | 1)[:3] + bytes(BLOCK + 1), 3
    for name, begin in [("zip", b"PK\3\4"), ("rar", b"Rar!\x1a\7\0"), ("7z", b"7z\xbc\xaf\x27\x1c"), ("cpio", b"070701"),
                        ("xar", b"xar!"), ("lha", b"\x22\x81-lh5-"), ("cab", b"MSCF"), ("shell", b"#!/bin/sh\n")]:
        yield "inside-" + name, zstd(begin + MARK.encode() * 200), 3
    yield "no-manifest", zstd(ONE + END), 1


def sums(files):
    return b"".join(b"%s  %s\n" % (hashlib.sha256(files[n]).hexdigest().encode(), n.encode())
                    for n in sorted(files) if n != "statement.json")


def below_a_long_key():
    """A statement that repeats the command line of a run: a key, and very many values below it."""
    command = b'[{"%s": [0%s]}]' % (MARK.encode() + b"k" * 300000, b",0" * 20000)
    run = {"run.json": b'{"command": %s}' % command}
    head = (b'{"_type": "https://in-toto.io/Statement/v1", "subject": [{"name": "SHA256SUMS", "digest": {"sha256": "%s"}}], '
            b'"predicateType": "https://slsa.dev/provenance/v1", "predicate": {' % hashlib.sha256(sums(run)).hexdigest().encode())
    return sealed({**run, "statement.json": head + b'"buildDefinition": {"internalParameters": {"command": %s}}}}\n' % command})


def sealed(name, data=None):
    """A sound archive with one file (or several: a dict), as we write it, whose contents are the attack."""
    files = dict(name) if data is None else {name: data}
    files["SHA256SUMS"] = sums(files)
    tar = b"".join(header(n, len(files[n])) + padded(files[n]) for n in sorted(files))
    body = zstd(tar + END)
    return body + b"\x50\x2a\x4d\x18\x20\0\0\0" + hashlib.sha256(body).digest()


def make(folder, top):
    lines = []
    for name, data, code in archives():
        with open(f"{folder}/{name}.tar.zst", "wb") as f:
            f.write(data)
        lines.append(f"{name}.tar.zst {code}\n")
    listed = subprocess.run([sys.executable, f"{top}/tests/unit/make_archives.py", folder],
                            stdout=subprocess.PIPE, check=True, text=True).stdout
    lines += [f"{line.split(chr(9))[0]} 3\n" for line in listed.splitlines()]
    with open(f"{folder}/list", "w") as f:
        f.writelines(lines)


def judge(folder, program, most_seconds, most_mebibytes):
    worst = [0, 0]
    for line in open(f"{folder}/list"):
        name, code = line.split()
        run = subprocess.Popen([program, "verify", f"{folder}/{name}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = run.stdout.read()
        _, status, used = os.wait4(run.pid, 0)
        got = os.waitstatus_to_exitcode(status)
        seconds, size = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
        worst = [max(worst[0], seconds), max(worst[1], size)]
        if got != int(code) or name.encode() not in said or b"\x1b" in said:
            print(f"{name}: exit {got}, expected {code}: {said[:200]!r}")
        if seconds > float(most_seconds) or size > float(most_mebibytes):
            print(f"{name}: {seconds:.2f} s, {size:.0f} MiB")
    print(f"at most {worst[0]:.2f} s and {worst[1]:.0f} MiB", file=sys.stderr)


if __name__ == "__main__":
    {"make": make, "judge": judge}[sys.argv[1]](*sys.argv[2:])
