#!/usr/bin/env python3
"""Counts what a published page holds and finds it again in its record (JSON from `import -o -`).

    loss.py PAGE RECORD [PAGE RECORD]...

An oracle of its own: it knows lines, pipes and list marks, and nothing of fpreport's reader.
Every table cell, bullet, numbered item, heading and other line of text must be in the record.
Prints one line of counts per kind, "in" from the page and "out" found in the record, and every
loss; exits 1 when there is one.
"""
import collections
import json
import re
import sys

HIDDEN = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e"
                    "\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff]")
MARKERS = {"输入批尺寸", "通用指标", "性能指标"}


def squeeze(text):
    """Text without what Markdown and the two colons make of it."""
    text = re.sub(r"\\\|", "|", text).replace("：", ":")
    return re.sub(r"\s+", "", text)


def source_parts(text):
    """(kind, text) of every line that says something."""
    text = re.split(r"\n *<!-- fpreport:verification -->", text)[0]  # derived, left out on purpose
    text = HIDDEN.sub("\ufffd", text.lstrip("\ufeff"))
    lines = text.split("\n")
    fence, in_table = None, False
    for i, line in enumerate(lines):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark:
            fence = None if fence else mark.group(1)
            yield "line", line.strip()
            continue
        if fence or not line.strip():
            if line.strip():
                yield "line", line.strip()
            continue
        follows = lines[i + 1] if i + 1 < len(lines) else ""
        in_table = in_table and "|" in line.strip()[1:]
        if re.fullmatch(r"[\s|:-]*-[\s|:-]*", line) and "|" in line:
            if i and "|" in lines[i - 1]:
                in_table = True
                continue  # the rule below a table's header
        if in_table or re.match(r"\s*\|.*\|", line) or \
                ("|" in line and re.fullmatch(r"[\s|:-]+", follows)):
            inner = line.strip()
            inner = inner[1:] if inner.startswith("|") else inner
            inner = inner[:-1] if re.search(r"(?<!\\)\|$", inner) else inner
            for cell in re.split(r"(?<!\\)\|", inner):
                yield "cell", cell.strip()
            continue
        for kind, mark in (("bullet", r"\s*[-*+]\s+(.*)"), ("item", r"\s*\d+[.)]\s+(.*)"),
                           ("heading", r"\s*#{1,6}\s*(.*)")):
            found = re.match(mark, line)
            if found:
                break
        body = found.group(1) if found else line
        heading = re.match(r"#{1,6}\s+(.*)", body)
        yield (kind if found else "line"), (heading.group(1) if heading else body).strip()


def record_parts(node, cells, texts):
    """All strings of the record: cells of tables apart from the rest."""
    if isinstance(node, dict):
        if "columns" in node and "rows" in node:
            for row in [node["columns"]] + node["rows"]:
                for cell in row:
                    cells[squeeze(cell if isinstance(cell, str) else cell["as_published"])] += 1
            if node.get("caption"):
                texts.append("*%s*" % node["caption"])
            return
        if "value" in node and ("label" in node or "items" in node or "plain" in node):
            texts.append("%s:%s" % (node["label"], node["value"]) if "label" in node
                         else node["value"])
        for key, value in node.items():
            record_parts(value, cells, texts) if not isinstance(value, str) else texts.append(value)
    elif isinstance(node, list):
        for value in node:
            record_parts(value, cells, texts) if not isinstance(value, str) else texts.append(value)


def compare(page, record, counts):
    """Counts into `counts`; the losses of one page."""
    cells, texts, losses = collections.Counter(), [], []
    with open(record, encoding="utf-8") as f:
        record_parts(json.load(f), cells, texts)
    pool = "\n".join(squeeze(t) for t in texts)
    with open(page, encoding="utf-8", newline=None) as f:
        text = f.read()
    for kind, part in source_parts(text):
        key = squeeze(part)
        counts[kind, "in"] += 1
        if kind == "cell" and cells[key] > 0:
            cells[key] -= 1
        elif key and key not in pool and part.rstrip(":：") not in MARKERS:
            losses.append((kind, part))
            continue
        elif kind == "cell" and not key and "||" not in pool:
            losses.append((kind, "(empty)"))
            continue
        counts[kind, "out"] += 1
    return losses


def main():
    counts, lost = collections.Counter(), 0
    pairs = sys.argv[1:]
    for page, record in zip(pairs[::2], pairs[1::2]):
        for kind, part in compare(page, record, counts):
            lost += 1
            print("LOST %s: %s: %s" % (page, kind, part))
    for kind in ("cell", "bullet", "item", "heading", "line"):
        print("%s: in %d, out %d" % (kind + "s", counts[kind, "in"], counts[kind, "out"]))
    return 1 if lost else 0


sys.exit(main())
