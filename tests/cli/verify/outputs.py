#!/usr/bin/env python3
"""Looks at what `fpreport verify` wrote, with another reader for each format.

  outputs.py columns VERIFY.json        every column is the first byte of a cell that fits
  outputs.py sarif FILE.sarif           schema, rule indexes, places (run where fpreport ran)
  outputs.py stable A.sarif B.sarif     the same findings have the same fingerprints
  outputs.py junit FILE.xml             counts are those of what they count
  outputs.py hostile OUT.json           writes records whose texts are hostile

Prints what differs; exit 1 then. Standard library and python3-jsonschema.
"""
import json, os, re, sys, urllib.parse
import xml.etree.ElementTree as ET

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
# Rules that print a figure anew: the header under which it stands.
HEADERS = {"FP2003": ["MFU"], "FP2013": ["MFU"], "FP2005": ["parallel"],
           "FP3001": ["配置", "配置 "], "FP3004": ["配置"]}
wrong = []


def check(ok, *what):
    if not ok:
        wrong.append(" ".join(str(w) for w in what))


def lines_of(path):
    return open(path, "rb").read().replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")


def cells_of(line):
    """(first byte from 1, text) of each cell of a pipe table's line."""
    cells, begin = [], 0
    for at in [m.start() for m in re.finditer(rb"(?<!\\)\|", line)] + [len(line)]:
        raw = line[begin:at]
        lead = len(raw) - len(raw.lstrip(b" \t"))
        cells.append((begin + lead + 1, raw.strip().replace(b"\\|", b"|").decode()))
        begin = at + 1
    return cells


def header_of(lines, at):
    while at > 1 and b"|" in lines[at - 2]:
        at -= 1
    return cells_of(lines[at - 1])


def page_column(f, lines):
    cells = cells_of(lines[f["line"] - 1])
    index = [i for i, c in enumerate(cells) if c[0] == f["column"]]
    check(len(index) == 1, f["file"], f["line"], f["column"], "is no cell's first byte")
    if len(index) != 1:
        return
    text = cells[index[0]][1]
    if f["rule"] in HEADERS:
        # a list's or quote's mark before the table is a cell here
        head = [t for _, t in header_of(lines, f["line"])]
        check(text == f.get("stated") or head[index[0]].replace(" ", "") in HEADERS[f["rule"]],
              f["rule"], "points at", text, "below", head[index[0]])
    elif f["rule"] == "FP1003":
        check("=" + text in f["stated"], "FP1003 points at", text)
    elif f["rule"] == "FP2010":
        check(text.replace(" ", "").endswith(f["stated"]) or text in f["message"], "FP2010 points at", text)
    else:
        check(text == f["stated"], f["rule"], "points at", repr(text), "and states", repr(f["stated"]))


def record_column(f, lines):
    line = lines[f["line"] - 1][f["column"] - 1:].decode()
    check(line.startswith('"'), f["file"], f["line"], f["column"], "is no string")
    text = json.JSONDecoder().raw_decode(line)[0]
    if f["rule"] not in HEADERS and f["rule"] not in ("FP1003", "FP2010"):
        check(text == f["stated"], f["rule"], "points at", text[:40])


def columns(path):
    n = 0
    for run in json.load(open(path))["runs"]:
        for f in run["findings"] + [c for c in run["checks"] if "stated" in c]:
            if "column" not in f:
                continue
            n += 1
            (record_column if f["file"].endswith(".json") else page_column)(f, lines_of(f["file"]))
    print(n, "columns")
    check(n > 0, "no columns")


def character_of(result):
    place = result["locations"][0]["physicalLocation"]
    region, path = place["region"], urllib.parse.unquote(place["artifactLocation"]["uri"])
    check(os.path.isfile(path) or path.startswith("file:"), path, "is no file")
    if "startColumn" not in region:
        return
    line = lines_of(path)[region["startLine"] - 1].decode(errors="replace")
    check(line[region["startColumn"] - 2] in "| \"", "column", region["startColumn"], "of", line)


def sarif(path):
    import jsonschema
    doc = json.load(open(path))
    schema = json.load(open(os.environ.get("SARIF_SCHEMA", TOP + "/tests/data/sarif.schema.json")))
    for e in jsonschema.Draft7Validator(schema).iter_errors(doc):
        check(False, list(e.path), e.message[:200])
    run = doc["runs"][0]
    rules = [r["id"] for r in run["tool"]["driver"]["rules"]]
    seen = set()
    for r in run["results"]:
        check(rules[r["ruleIndex"]] == r["ruleId"], r["ruleId"], "is not at its index")
        place = r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        key = (r["ruleId"], place, r["partialFingerprints"]["primaryLocationLineHash"])
        check(key not in seen, "two findings of one fingerprint:", key)
        seen.add(key)
        character_of(r)
    print(len(run["results"]), "results")


def fingerprints(path):
    return sorted((r["ruleId"], r["partialFingerprints"]["primaryLocationLineHash"])
                  for r in json.load(open(path))["runs"][0]["results"])


def lines_in(path):
    return [r["locations"][0]["physicalLocation"]["region"]["startLine"]
            for r in json.load(open(path))["runs"][0]["results"]]


def stable(a, b):
    check(fingerprints(a) == fingerprints(b), "other fingerprints")
    check(lines_in(a) != lines_in(b), "the lines did not move: nothing is shown by this")


def junit(path):
    root = ET.parse(path).getroot()
    sums = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    for suite in root:
        cases = suite.findall("testcase")
        found = {"tests": len(cases), "failures": len(suite.findall("testcase/failure")),
                 "errors": len(suite.findall("testcase/error")),
                 "skipped": len(suite.findall("testcase/skipped"))}
        for key, n in found.items():
            check(suite.get(key) == str(n), suite.get("name"), key, suite.get(key), "not", n)
            sums[key] += n
    for key, n in sums.items():
        check(root.get(key) == str(n), "all", key, root.get(key), "not", n)
    print(sums)


HOSTILE = ["\x01\x1b[31mred\x1b]0;title\x07", "\u202egnp.exe\u2066",
           "]]></failure><failure>&amp;\"'<script>", "\x85\x9b31m", "tab\there\nand\rthere",
           "%s%n{}`\\", "\ud7ff\ue000\U0010fffd", "長" * 34000]


def hostile(path):
    rows = [[{"as_published": t} if i == 2 else t for i in range(6)] for t in HOSTILE]
    table = {"columns": ["配置", "fix_hp", "token/p/s", "loss", "mem", "MFU"],
             "rows": [["A100单机8卡（1x8）", t[:60] if i == 5 else "/", {"as_published": t},
                       {"as_published": t}, {"as_published": t}, {"as_published": t}]
                      for i, t in enumerate(HOSTILE)]}
    json.dump({"schema": "fpreport.result/1", "vendor": "evil", "case": "hostile",
               "environments": [{"title": t[:200], "groups": []} for t in HOSTILE],
               "performance": [{"table": table}]}, open(path, "w"), ensure_ascii=True)


globals()[sys.argv[1]](*sys.argv[2:])
for w in wrong[:20]:
    print("differs:", w)
sys.exit(bool(wrong))
