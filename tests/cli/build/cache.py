"""Random edits of a project; after each, a build that may use what it remembers must give the bytes,
the exit code and the words of one that makes everything anew.

    cache.py PROGRAM FOLDER SEED STEPS

FOLDER holds `records` and `templates`. Prints what was done at the first difference, and exits 1;
else how many builds had nothing to do, how many made a part and how many made everything.
"""
import filecmp
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys

PROGRAM, CACHE = os.path.abspath(sys.argv[1]), "site.fpreport-cache"


def read(path):
    with open(path, "rb") as f:
        return f.read()


def write(path, data):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())


def replace(path, data):
    """By another file of that name, as editors do."""
    write(path + "~", data)
    os.rename(path + "~", path)


def results():
    return sorted(os.path.join(folder, name) for folder, _, names in os.walk("records/results")
                  for name in names if name.endswith(".json"))


def edit_numbers(rng, path):
    text = read(path).decode()
    numbers = list(re.finditer(r'"(\d+)(\.\d+)?"', text))
    if not numbers:
        return "nothing in " + path
    m = rng.choice(numbers)
    digits = str(rng.randrange(10 ** len(m[1])))
    how = rng.choice((write, replace))
    how(path, text[:m.start(1)] + digits + text[m.end(1):])
    return f"{path}: {m[0]} now has {digits}"


def edit_result(rng):
    return edit_numbers(rng, rng.choice(results()))


def texts_of(value, key=None):
    """Where each text of a record stands: (container, key)."""
    for k, v in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(v, str) and k not in ("schema", "vendor", "case", "sha256", "archive"):
            yield value, k
        elif isinstance(v, (dict, list)):
            yield from texts_of(v, k)


def edit_text(rng):
    """Any text of a result: what is shown of it, and where, must be found out by the program."""
    path = rng.choice(results())
    record = json.loads(read(path))
    at, key = rng.choice(list(texts_of(record)))
    was = at[key]
    at[key] = rng.choice((was + "x", was[1:], "x" + was, was + "（1x8）", was + " fp16", "bf16", "/", "OOM", "12.5"))
    write(path, json.dumps(record, ensure_ascii=False, indent=1))
    return f"{path}: {key} {was!r} is {at[key]!r}"


def edit_table(rng):
    kind = rng.choice(("accelerators", "models", "cases", "vendors"))
    path = f"records/{kind}/{rng.choice(sorted(os.listdir('records/' + kind)))}"
    text = read(path).decode()
    m = rng.choice(list(re.finditer(r'[0-9]+|"name": "[^"]*|"title": "[^"]*', text)) or [None])
    if not m:
        return "nothing"
    new = m[0] + " x" if m[0].startswith('"') else str(rng.randrange(1, 10 ** min(len(m[0]), 4)))
    write(path, text[:m.start()] + new + text[m.end():])
    return f"{path}: {m[0]} is {new}"


def copy_figures(rng):
    """The figures of one result in another: twins."""
    a, b = (json.loads(read(p)) for p in (rng.choice(results()), rng.choice(results())))
    b["performance"] = a.get("performance", [])
    path = f"records/results/{b['vendor']}/{b['case']}.json"
    write(path, json.dumps(b, ensure_ascii=False, indent=1))
    return f"{path} has the figures of {a['vendor']}/{a['case']}"


def add_result(rng):
    r = json.loads(read(rng.choice(results())))
    r["vendor"] = rng.choice(("acme", "globex", "third", "fourth"))
    r["case"] = rng.choice(("toy", "old", "new", "tiny_llama"))
    path = f"records/results/{r['vendor']}/{r['case']}.json"
    write(path, json.dumps(r, ensure_ascii=False, indent=1))
    return path + " is there"


def drop_result(rng):
    if len(results()) < 4:
        return "nothing"
    path = rng.choice(results())
    os.remove(path)
    return path + " is gone"


def break_result(rng):
    path = rng.choice(results())
    text = read(path)
    keep = read(path)
    write(path, rng.choice((text[:len(text) // 2], text.replace(b'"vendor"', b'"vendro"', 1))))
    return path + " is broken", lambda: write(path, keep)


def edit_template(rng):
    name = rng.choice(("site/about.html", "site/home.html", "site/parts.html", "site/result.html",
                       "site/style.css", "result.md", "site/strings.json"))
    path = "templates/" + name
    if not os.path.exists(path):
        return "nothing"
    keep = read(path)
    if name.endswith("strings.json"):
        write(path, keep.replace(b'"en": "', b'"en": "The ', 1))
    else:
        write(path, keep + rng.choice((b" ", b"\nmore\n", b"\n{{oops")))
    return path + " is another", lambda: write(path, keep)


def settings(rng):
    path = "records/site.json"
    if os.path.exists(path) and rng.random() < 0.3:
        os.remove(path)
        return path + " is gone"
    ids = [p[len("records/results/"):-len(".json")] for p in results()]
    write(path, json.dumps({"schema": "fpreport.site/1", "url": f"https://{rng.randrange(99)}.org/",
                            "compare": [{"a": rng.choice(ids), "b": rng.choice(ids)}]}))
    return path + " is another"


def evidence(rng):
    path = rng.choice(("records/evidence/globex/run.tar.zst", "records/references/tiny_llama.csv"))
    keep = read(path)
    data = bytearray(keep)
    data[rng.randrange(len(data))] ^= 1
    write(path, bytes(data))
    return path + " is damaged", lambda: write(path, keep)


EVIDENCE = "records/evidence/globex/run.tar.zst"


def compress_again(rng):
    """The same run in another file; records that named it name the new one."""
    tar = subprocess.run(["zstd", "-q", "-dc", EVIDENCE], capture_output=True).stdout
    packed = subprocess.run(["zstd", "-q", f"-{rng.randrange(1, 12)}"], input=tar, capture_output=True).stdout
    packed += b"\x50\x2a\x4d\x18\x20\0\0\0" + hashlib.sha256(packed).digest()
    was = hashlib.sha256(read(EVIDENCE)).hexdigest().encode()
    replace(EVIDENCE, packed)
    for path in results():
        replace(path, read(path).replace(was, hashlib.sha256(packed).hexdigest().encode()))
    return EVIDENCE + " is compressed again"


def archive(rng):
    """What the log of the archive says, and what of the run is published."""
    def run(*words):
        return subprocess.run([PROGRAM, "archive", *words], capture_output=True).stdout
    if not os.path.exists("archive/log.jsonl") or rng.random() < 0.2:
        run("add", "-q", EVIDENCE)
        return "the evidence comes to the archive"
    names = subprocess.run(["tar", "--zstd", "-tf", EVIDENCE], capture_output=True).stdout.decode().split()
    manifest = subprocess.run(["tar", "--zstd", "-xOf", EVIDENCE, "SHA256SUMS"], capture_output=True).stdout
    what = rng.choice((["--publish", "full"], ["--publish", "hashes", "--reason", "x"],
                       rng.sample(names, 2) + ["--reason", "x"], [rng.choice(names), "--reason", "x"]))
    run("redact", "-q", hashlib.sha256(manifest).hexdigest(), *what)
    return "of the run is withheld: " + " ".join(what)


def spoil_site(rng):
    path = rng.choice([os.path.join(folder, name) for folder, _, names in os.walk("site")
                       for name in names if name != ".fpreport-build"])
    st = os.stat(path)
    text = read(path)
    if rng.random() < 0.5:
        os.remove(path)
        return path + " was removed"
    write(path, text.replace(b"e", b"a", 1) if rng.random() < 0.7 else text + b"more")
    os.utime(path, ns=(st.st_atime_ns, st.st_mtime_ns))
    return path + " was changed, with its old time"


def spoil_cache(rng):
    if not os.path.exists(CACHE):
        return "nothing"
    data = bytearray(read(CACHE))
    how = rng.randrange(4)
    if how == 0:
        data = data[:rng.randrange(len(data))]
    elif how == 1:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif how == 2:
        data = bytes(rng.randrange(256) for _ in range(200))
    else:
        os.remove(CACHE)
        return CACHE + " is gone"
    write(CACHE, bytes(data))
    return f"{CACHE} is damaged ({how})"


def previous(rng):
    shutil.rmtree("before", ignore_errors=True)
    if rng.random() < 0.3:
        return "no site before"
    shutil.copytree("site", "before")
    return "the site is the one before"


def touch(rng):
    os.utime(rng.choice(results()))
    return "a record is as old as now"


def nothing(rng):
    return "nothing"


EDITS = [archive] * 5 + [compress_again] + [edit_result] * 6 + [edit_text] * 8 + [copy_figures] * 2 + [add_result] * 3 + [drop_result] * 3 + [break_result,
         edit_table, edit_table, edit_template, settings, evidence, spoil_site, spoil_site,
         spoil_cache, previous, touch, nothing, nothing]


def build(program, out, *more):
    if os.path.isdir("before"):
        more += ("--previous", "before")
    run = subprocess.run([program, "build", "-v", "--keep-going", "-o", out, *more], capture_output=True)
    words = [line for line in run.stderr.decode().splitlines() if ": kept: " not in line]
    how = [line for line in words if line.startswith("cache: ")]
    words = [line for line in words if not line.startswith("cache: ")]
    return run.returncode, words, run.stdout.decode().splitlines()[:-1], "".join(how)


def differ(a, b):
    """The first path that is not the same in both trees."""
    seen = filecmp.dircmp(a, b, ignore=[])
    for name in seen.left_only + seen.right_only + seen.funny_files:
        return os.path.join(a, name)
    for name in seen.common_files:
        if read(os.path.join(a, name)) != read(os.path.join(b, name)):
            return os.path.join(a, name)
    for name in seen.common_dirs:
        if found := differ(os.path.join(a, name), os.path.join(b, name)):
            return found
    return None


def main():
    program, folder, seed, steps = sys.argv[1:]
    os.chdir(folder)
    rng = random.Random(int(seed))
    counts, done, undo = {}, [], None
    for step in range(int(steps)):
        if undo and rng.random() < 0.7:
            undo()
            undo = None
            done.append("undone")
        elif step:
            what = rng.choice(EDITS)(rng)
            if isinstance(what, tuple):
                what, undo = what
            done.append(what)
        shutil.rmtree("cold", ignore_errors=True)
        cold = build(program, "cold", "--no-cache")
        warm = build(program, "site")
        counts[warm[3]] = counts.get(warm[3], 0) + 1
        stands = cold[0] > 1 and not os.path.isdir("cold")  # nothing was built: the site is as it was
        difference = None if stands else differ("site", "cold")
        if warm[:3] != cold[:3] or difference:
            print(f"seed {seed}, step {step}: {difference or (warm, cold)}, after:", *done[-4:],
                  sep="\n  ")
            sys.exit(1)
    print(", ".join(f"{n} of {how or 'everything'}" for how, n in sorted(counts.items())))


main()
