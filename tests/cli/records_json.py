"""Generate JSON texts and broken ones, and hold what fpreport read against Python's json.

  records_json.py make DIR      writes DIR/N.json
  records_json.py compare DIR   reads N.json.out (what fpreport understood) or N.json.err
"""
import json, math, os, random, sys

TEXTS = ["", "a", "显存", "𝄞", "\u0001", "\n", '"', "\\", "/", "é", "￿", "�", "key", "\u2028", "\x7f"]
NUMBERS = ["0", "-0", "1", "16.3", "-2.50", "1e3", "1E-7", "0.1e+2", "123456789012345678", "5e-324",
           "1.7976931348623157e308", "0.3333333333333333", "2.2250738585072014e-308", "1e-400", "9007199254740993"]


def text(r):
    s = "".join(r.choice(TEXTS) for _ in range(r.randrange(4)))
    out = json.dumps(s, ensure_ascii=r.random() < 0.5)
    return out.replace("/", "\\/") if r.random() < 0.3 else out


def value(r, depth):
    kind = r.randrange(8 if depth < 5 else 6)
    space = lambda: r.choice(["", "", " ", "\n", "\t", "\r\n"])
    if kind == 6:
        return "[" + space() + ("," + space()).join(value(r, depth + 1) for _ in range(r.randrange(5))) + space() + "]"
    if kind == 7:
        keys = {json.loads(k): k for k in (text(r) for _ in range(r.randrange(5)))}
        return "{" + space() + ",".join(space() + k + space() + ":" + space() + value(r, depth + 1)
                                         for k in keys.values()) + space() + "}"
    return [lambda: "null", lambda: "true", lambda: "false", lambda: r.choice(NUMBERS),
            lambda: str(r.uniform(-1e6, 1e6)), lambda: text(r)][kind]()


def mutate(r, data):
    for _ in range(r.randrange(1, 4)):
        at = r.randrange(len(data) + 1)
        data = data[:at] + r.choice([b"", bytes([r.randrange(256)]), b'"', b",", b"\\", b"}", b"0"]) + data[at + r.randrange(2):]
    return data


class Refused(Exception):
    pass


def pairs(items):
    if len({k for k, _ in items}) != len(items):
        raise Refused
    return dict(items)


def refuse(_):
    raise Refused


def no_character(code):  # RFC 7493, section 2.1
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF


def strict(data):
    """Python's json, narrowed to what json.h promises."""
    s = data.decode("utf-8")  # strict: overlong forms and surrogates are errors
    v = json.loads(s, object_pairs_hook=pairs, parse_constant=refuse, parse_int=float)
    def look(v):
        if isinstance(v, str) and any(c == "\0" or 0xD800 <= ord(c) < 0xE000 or no_character(ord(c)) for c in v):
            raise Refused
        if isinstance(v, float) and not math.isfinite(v):
            raise Refused
        for inner in (list(v) + list(v.values()) if isinstance(v, dict) else v if isinstance(v, list) else []):
            look(inner)
    look(v)
    return v


def same(a, b):
    if isinstance(a, float) and isinstance(b, float):
        return a == b and math.copysign(1, a) == math.copysign(1, b)
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    return len(a) == len(b) and all(map(same, a, b)) if isinstance(a, list) else a == b


def make(folder):
    r = random.Random(20241120)
    for n in range(3000):
        data = value(r, 0).encode()
        if n % 2:
            data = mutate(r, data)
        with open(f"{folder}/{n}.json", "wb") as f:
            f.write(data)


def compare(folder):
    accepted = refused = wrong = 0
    for name in sorted(n for n in os.listdir(folder) if n.endswith(".json")):
        data = open(f"{folder}/{name}", "rb").read()
        try:
            expected = strict(data)
            ok = os.path.exists(f"{folder}/{name}.out") and \
                same(expected, json.loads(open(f"{folder}/{name}.out", encoding="utf-8", newline="").read(), parse_int=float))
            accepted += 1
        except (Refused, ValueError):
            ok = os.path.exists(f"{folder}/{name}.err")
            refused += 1
        if not ok:
            wrong += 1
            print(f"{name}: {data[:200]!r}")
    print(f"{accepted} accepted, {refused} refused, {wrong} wrong")
    return wrong or accepted < 1000 or refused < 500


if __name__ == "__main__":
    sys.exit(1 if {"make": make, "compare": compare}[sys.argv[1]](sys.argv[2]) else 0)
