"""Submissions for mutations.py: the shipped one, and generated ones of a command's logs; how an
archive of files is sealed, and how one is verified."""
import copy, hashlib, io, json, os, struct, subprocess, tarfile

STAMP = "%Y-%m-%dT%H:%M:%SZ"


def header(name, size):
    """One block of ustar: long names are cut at the last '/' that makes both parts fit."""
    raw, prefix = name.encode(), b""
    if len(raw) > 100:
        cut = raw.rindex(b"/", 0, 156)
        prefix, raw = raw[:cut], raw[cut + 1:]
    block = bytearray(struct.pack("100s8s8s8s12s12s8s1s100s6s2s32s32s8s8s155s12x", raw, b"0000644", b"0000000", b"0000000",
                                  b"%011o" % size, b"0" * 11, b" " * 8, b"0", b"", b"ustar", b"00", b"", b"", b"0000000",
                                  b"0000000", prefix))
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def pack(files):
    files = {n: b for n, b in files.items() if n != "SHA256SUMS"}
    ordered = sorted(files.items(), key=lambda x: x[0].encode())
    sums = "".join(f"{hashlib.sha256(b).hexdigest()}  {n}\n" for n, b in ordered)
    raw = b"".join(header(n, len(b)) + b + b"\0" * (-len(b) % 512)
                   for n, b in sorted({**files, "SHA256SUMS": sums.encode()}.items(), key=lambda x: x[0].encode()))
    return subprocess.run(["zstd", "-q", "-c"], input=raw + b"\0" * 1024, stdout=subprocess.PIPE, check=True).stdout


def name_files(run, files):
    run["files"] = [{"path": n, "sha256": hashlib.sha256(b).hexdigest()} for n, b in sorted(files.items())
                    if n not in ("run.json", "SHA256SUMS")]
    return (json.dumps(run, indent=2, ensure_ascii=False) + "\n").encode()


def restate(files):
    """run.json, too, names the files as they are now."""
    try:
        run = json.loads(files.get("run.json", b"{}"))
    except ValueError:
        return
    if "files" in run:
        files["run.json"] = name_files(run, files)


def unpack(path):
    raw = subprocess.run(["zstd", "-q", "-d", "-c", path], stdout=subprocess.PIPE, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(raw)) as tar:
        return {m.name: tar.extractfile(m).read() for m in tar if m.isfile()}


class Submission:
    """A record and the files of its archives, by the path that the record gives them."""

    def __init__(self, name, record, archives):
        self.name, self.record, self.archives = name, record, archives
        self.place = f"results/{record['vendor']}/{name}.json"
        self.packed, self.restate = {}, False

    def copy(self):
        other = Submission(self.name, copy.deepcopy(self.record), {p: dict(f) for p, f in self.archives.items()})
        other.place, other.packed = self.place, dict(self.packed)
        return other

    def seal(self, path):
        """After a change of its files, as the one who made it would."""
        if self.restate:
            restate(self.archives[path])
        self.packed[path] = pack(self.archives[path])
        for e in self.record["evidence"]:
            if e["archive"] == path:
                e["sha256"] = hashlib.sha256(self.packed[path]).hexdigest()

    def write(self, root):
        for path, data in self.packed.items():
            os.makedirs(os.path.dirname(f"{root}/{path}"), exist_ok=True)
            with open(f"{root}/{path}", "wb") as f:
                f.write(data)
        os.makedirs(os.path.dirname(f"{root}/{self.place}"), exist_ok=True)
        with open(f"{root}/{self.place}", "w", encoding="utf-8") as f:
            json.dump(self.record, f, ensure_ascii=False, indent=1)
        return f"{root}/{self.place}"


def verify(program, root, path):
    p = subprocess.run([program, "verify", "--records", root, "--format", "json", path], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=60)
    try:
        return p.returncode, json.loads(p.stdout)["runs"][0], p.stderr.decode()
    except (ValueError, IndexError):
        return p.returncode, None, p.stderr.decode()


def shipped_submission(records):
    with open(f"{records}/results/fpreport/tiny_llama.json", encoding="utf-8") as f:
        record = json.load(f)
    path = record["evidence"][0]["archive"]
    s = Submission("tiny_llama", record, {path: unpack(f"{records}/{path}")})
    with open(f"{records}/{path}", "rb") as f:
        s.packed[path] = f.read()
    return s
