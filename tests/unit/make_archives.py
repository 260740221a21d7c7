# Writes hostile and odd .tar.zst files into the folder named on the command line, made with
# Python's tarfile and the zstd program and so independent of base/sealed/archive.c. Line by line it
# prints "FILE<tab>EXPECTED": a part of the message with which the file must be refused, or
# "ok N canonical|other".
import io, subprocess, sys, tarfile

folder = sys.argv[1]


def zstd(data, *options):
    return subprocess.run(["zstd", "-q", "-c", *options], input=data, stdout=subprocess.PIPE,
                          check=True).stdout


def put(name, packed, expected):
    with open(f"{folder}/{name}.tar.zst", "wb") as f:
        f.write(packed)
    print(f"{name}.tar.zst\t{expected}")


def entry(name, data=b"x", **fields):
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for key, value in fields.items():
        setattr(info, key, value)
    return info, data


def tar(*entries, format=tarfile.USTAR_FORMAT):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=format) as t:
        for info, data in entries:
            t.addfile(info, io.BytesIO(data))
    return out.getvalue()


def one(name, **fields):
    return zstd(tar(entry(name, **fields), format=tarfile.GNU_FORMAT))


good = tar(entry("a.txt"), entry("b/c.txt", b"hello"))
put("good", zstd(good), "ok 2 other")
put("folders", zstd(tar(entry("d", b"", type=tarfile.DIRTYPE), entry("d/x"))), "ok 1 other")
put("gnu", zstd(tar(entry("a.txt"), format=tarfile.GNU_FORMAT)), "ok 1 other")
put("pax", zstd(tar(entry("a.txt", pax_headers={"comment": "x"}), format=tarfile.PAX_FORMAT)),
    "ok 1 other")
put("checksummed", zstd(good, "--check"), "ok 2 other")
put("after-the-end", zstd(good + tar(entry("evil.txt"))), "ok 2 other")

for n, (name, why) in enumerate([
        ("../evil", "begins with '.'"), ("a/../../evil", "begins with '.'"),
        ("/etc/passwd", "begins with '/'"), ("a//b", "empty component"),
        ("./a", "begins with '.'"), ("a/.git/config", "begins with '.'"),
        ("-rf", "begins with '.' or '-'"), ("a\\b", "has a byte other"),
        ("a b", "has a byte other"), ("a\nb", "has a byte other"), ("a\x1b[31m", "has a byte other"),
        ("x" * 90 + "/" + "y" * 90 + "/" + "z" * 60, "longer than 240"),
        ("/".join("abcdefghijklm"), "more than 12 levels deep")]):
    put(f"name{n}", one(name), why)
put("unicode", zstd(tar(entry("a\u202eb"), format=tarfile.PAX_FORMAT)), "")

put("twice", zstd(tar(entry("a"), entry("a"))), "two files have the name 'a'")
put("case", zstd(tar(entry("a/B"), entry("A/b"))), "two files have the name 'a/b'")
put("file-and-folder", zstd(tar(entry("a"), entry("a-b"), entry("a/b"))), "'a' is both a file and the")

for kind, why in [(tarfile.SYMTYPE, "is a symbolic link"), (tarfile.LNKTYPE, "is a hard link"),
                  (tarfile.CHRTYPE, "is a character device"),
                  (tarfile.BLKTYPE, "is a block device"), (tarfile.FIFOTYPE, "is a FIFO")]:
    put("kind" + kind.decode(), one("a", data=b"", type=kind, linkname="/etc/passwd"), why)

sparse = tarfile.TarInfo("s").tobuf(tarfile.GNU_FORMAT)
sparse = bytearray(tar(entry("s"), format=tarfile.GNU_FORMAT)[:1024])
sparse[156:157] = b"S"
sparse[386:410] = b"00000000000\x0000000000001\x00"
sparse[483:495] = b"77777777777\x00"
sparse[148:156] = b" " * 8
sparse[148:156] = b"%06o\x00 " % sum(sparse[:512])
put("sparse", zstd(bytes(sparse) + bytes(1024)), "")

put("nested", zstd(zstd(good)), "not a readable tar")
put("gzip-inside", zstd(subprocess.run(["gzip", "-c"], input=good, stdout=subprocess.PIPE).stdout),
    "not a readable tar")
put("plain-tar", good, "not a zstd file")
put("empty", b"", "not a zstd file")
put("empty-inside", zstd(b""), "ok 0 other")
put("text", zstd(b"hello world\n" * 1000), "not a readable tar")
put("two-frames", zstd(good) + zstd(good), "follow the zstd frame")
put("split-frames", zstd(good[:1000]) + zstd(good[1000:]), "follow the zstd frame")
put("skippable", zstd(good) + b"\x50\x2a\x4d\x18\x01\x00\x00\x00x", "follow the zstd frame")
put("trailing", zstd(good) + b"x", "1 bytes follow the zstd frame")
put("wide", zstd(good, "--long=27"), "wants a window of 134217728 bytes")
put("many", zstd(tar(entry("a", b""))[:512] * 200000), "more than 20000 entries")
big = tar(entry("a", b""))[:512]
for name, size, why in [("declared-8g", 0o77777777777, "larger than 256 MiB"),
                        ("declared-60m", 60 << 20, "more than 50000000 bytes"),
                        ("short", 4 << 20, "")]:
    head = bytearray(big)
    head[124:136] = b"%011o\x00" % size
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\x00 " % sum(head)
    put(name, zstd(bytes(head) + bytes(2048)), why)
put("ratio", zstd(tar(entry("a", bytes(30 << 20)), entry("b", bytes(30 << 20)))),
    "more than 1000 times its packed size")
