"""Changes of mutations.py in an archive, which is sealed again by the one who made them: functions
of a submission and a random generator, which say what they changed, or None."""
import json, os, re

from mutation_text import change_character, change_digit


def member(s, r, pattern):
    places = [(p, n) for p, files in s.archives.items() for n in files if re.search(pattern, n)]
    return r.choice(places) if places else None


def edit(s, r, pattern, how):
    """Change the text of a file of one archive, which is sealed again."""
    place = member(s, r, pattern)
    if not place:
        return None
    path, name = place
    text = s.archives[path][name].decode()
    changed = how(text)
    if changed is None or changed[0] == text:
        return None
    s.archives[path][name] = changed[0].encode()
    s.seal(path)
    return f"{os.path.basename(name)}: {changed[1]}"


LOG = r"rank\d+\.out\.log$"
STEP = r'STEP_END|iteration +\d|^Step |timer\.py'


def log_field(pattern):
    def change(s, r):
        def how(text):
            lines = text.split("\n")
            places = [(i, m) for i, l in enumerate(lines) if re.search(STEP, l) for m in re.finditer(pattern, l)]
            if not places:
                return None
            i, m = r.choice(places)
            new = change_digit(r, m[1])
            if new == m[1]:
                return None
            lines[i] = lines[i][:m.start(1)] + new + lines[i][m.end(1):]
            return "\n".join(lines), f"line {i + 1}: {m[0].strip()}: {m[1]} -> {new}"
        return edit(s, r, LOG, how)
    return change


NUMBER = r"([-+]?\d+\.?\d*(?:[eE][-+]?\d+)?)"


def json_leaf(name):
    def change(s, r):
        def how(text):
            doc = json.loads(text)
            leaves = []
            def walk(v, at):
                for k, x in (v.items() if isinstance(v, dict) else enumerate(v)):
                    walk(x, at + [k]) if isinstance(x, (dict, list)) else leaves.append((v, k, at + [k]))
            walk(doc, [])
            leaves = [x for x in leaves if isinstance(x[0][x[1]], (str, int, float)) and not isinstance(x[0][x[1]], bool)]
            v, k, at = r.choice(leaves)
            old = v[k]
            new = change_character(r, str(old))
            if new is None:
                return None
            v[k] = new if isinstance(old, str) else float(new) if "." in new or "e" in new else int(new)
            named = f" ({v['key']})" if "key" in v and k != "key" else ""
            return json.dumps(doc, ensure_ascii=False, indent=2) + "\n", f"{'.'.join(map(str, at))}{named}: {old} -> {v[k]}"
        return edit(s, r, name + "$", how)
    return change


def monitor(s, r):
    def how(text):
        lines = text.split("\n")
        places = [i for i, l in enumerate(lines) if change_digit(r, l)]
        i = r.choice(places)
        old, lines[i] = lines[i], change_digit(r, lines[i])
        return "\n".join(lines), f"line {i + 1}: {old} -> {lines[i]}"
    return edit(s, r, r"_monitor\.log$", how)


def removed(s, r):
    def how(text):
        lines = text.split("\n")
        places = [i for i, l in enumerate(lines) if re.search(STEP, l)]
        i, n = r.choice(places), r.choice([1, 2, 5, 20])
        return "\n".join(l for k, l in enumerate(lines) if not (i <= k < i + n and re.search(STEP, l))), f"{n} steps from line {i + 1} on"
    return edit(s, r, LOG, how)


def seed(s, r):
    return edit(s, r, r"^case\.json$", lambda t: (re.sub(r'"seed": (\d+)', lambda m: f'"seed": {change_digit(r, m[1])}', t), "seed"))


def lost_file(s, r):
    path, name = member(s, r, ".")
    if name == "SHA256SUMS":
        return None
    del s.archives[path][name]
    s.seal(path)
    return f"without {name}"


def renamed(s, r):
    path = r.choice(list(s.archives))
    files = s.archives[path]
    old = next(n.split("/")[0] for n in files if "/" in n)
    new = change_digit(r, old)
    s.archives[path] = {re.sub("^" + re.escape(old), new, n): b for n, b in files.items()}
    s.seal(path)
    return f"folder {old} -> {new}"


ARCHIVE = {"loss": log_field(r'(?:"loss": |lm loss: |Loss: )' + NUMBER),
           "time of a step": log_field(r'(?:"step_time_s": |iteration \(ms\): |CurrSamplesPerSec=)' + NUMBER),
           "rate of a step": log_field(r'(?:"tokens/s": |RunningAvgSamplesPerSec=)' + NUMBER),
           "time stamp": log_field(r'(?:"time_ms": |\[)(\d{13}|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)'),
           "step number": log_field(r'(?:"global_steps": |iteration +|^Step |global_step=)(\d+)'),
           "samples": log_field(r'(?:"num_trained_samples": |consumed samples: +|global batch size: +)(\d+)'),
           "run.json": json_leaf(r"^run\.json"), "case.json": json_leaf(r"^case\.json"), "fingerprint": json_leaf(r"fingerprint\.json"),
           "monitor": monitor, "steps removed": removed, "seed": seed, "file lost": lost_file, "folder renamed": renamed}


def flip(s, r):
    path = r.choice(list(s.packed))
    data = bytearray(s.packed[path])
    at, bit = r.randrange(len(data)), r.randrange(8)
    data[at] ^= 1 << bit
    s.packed[path] = bytes(data)
    return f"bit {bit} of byte {at}"
