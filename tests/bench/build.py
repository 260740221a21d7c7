#!/usr/bin/env python3
"""Building the site of 10,000 results, beside hugo with as many pages of the same size.

    build.py FPREPORT [RESULTS] [ROUNDS]

The results are those of many_results.py. For hugo (Debian's), each HTML page of the site that
fpreport wrote becomes a Markdown page: its charts inlined as they are, the words of its tables as
a Markdown table, as many rows as make a page of the same size; pages over HUGO_PAGE_MAX are cut to
that, so that goldmark does not have to parse a table of megabytes. One layout, no taxonomies,
lists, feeds or sitemap. fpreport does the rest beside: it verifies, writes Markdown pages, records,
verdicts, badges and tables, and syncs. Both take turns, on one file system (TMPDIR chooses it);
figures are medians. With hugo not there, or too little memory for it (it keeps all pages: 17.6 GiB
were measured for 22,594), its part is skipped with a notice. What hugo wrote is removed and the disk
synced after each of its turns: the others would else wait for its writes, and what it pushed out of the
memory of the system is read again by a build of nothing that is not counted. After each cold build a record is changed
and the site built again: the first change, which nothing has prepared but the cold build itself. Then
nothing, something that only the result's own pages show, and a figure that all its lists show are
changed in turns: what a build with its cache takes, and that its bytes are those of one without.
"""
import glob
import gzip
import html
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from measured_run import run

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
HUGO_PAGE_MAX = 256 * 1024
HUGO_MIB_PER_PAGE = 0.9
CHANGES = 3  # of each kind at least, where rounds of cold builds are fewer: a median of one is none
LAYOUT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{ .Title }} · {{ .Site.Title }}</title>
<link rel="stylesheet" href="{{ "style.css" | relURL }}"></head>
<body><nav>{{ range .Site.Menus.main }}<a href="{{ .URL }}">{{ .Name }}</a> {{ end }}</nav>
<main><h1>{{ .Title }}</h1>
{{ .Content }}</main>
<footer>{{ .Site.Title }}</footer></body></html>
"""
CONFIG = """baseURL = "https://results.example/"
title = "Results"
disableKinds = ["home", "section", "taxonomy", "term", "RSS", "sitemap", "robotsTXT", "404"]
[markup.goldmark.renderer]
unsafe = true
""" + "".join(f'[[menu.main]]\nname = "{name}"\nurl = "/{name}/"\n'
              for name in ("results", "models", "compare", "references", "rules", "method"))


def clean(text):
    text = html.unescape(re.sub(r"<[^>]*>", " ", text))
    return " ".join(re.sub(r"[|\\`*_<>\[\]{}#~]", " ", text).split())[:120] or "–"


def markdown(page, size):
    """A Markdown page with the page's charts and words that renders to about `size` bytes."""
    title = clean((re.search(r"<h1[^>]*>(.*?)</h1>", page, re.S) or [0, "Page"])[1])
    parts = re.findall(r"<svg.*?</svg>", page, re.S)
    parts = [re.sub(r"\n\s*\n", "\n", svg) for svg in parts]
    words = [clean(c) for c in re.findall(r"<(?:td|th|p|li|dd)\b[^>]*>(.*?)</(?:td|th|p|li|dd)>",
                                          page, re.S)] or ["–"]
    lines = ["|" + " column |" * 6, "|" + " --- |" * 6]
    left = size - sum(len(svg.encode()) for svg in parts) - len(LAYOUT) - 400
    at = 0
    while left > 0:
        row = [words[(at + k) % len(words)] for k in range(6)]
        lines.append("| " + " | ".join(row) + " |")
        left -= sum(len(html.escape(c).encode()) + 10 for c in row) + 11
        at += 6
    return f"---\ntitle: {json.dumps(title)}\n---\n" + "\n\n".join(
        [f"<div>{svg}</div>" for svg in parts] + ["\n".join(lines), ""])


def hugo_site(folder, site):
    """Bytes that are expected; the pages lie in 64 folders."""
    os.makedirs(os.path.join(folder, "layouts/_default"))
    with open(os.path.join(folder, "config.toml"), "w") as out:
        out.write(CONFIG)
    with open(os.path.join(folder, "layouts/_default/single.html"), "w") as out:
        out.write(LAYOUT)
    pages = sorted(glob.glob(os.path.join(site, "**", "*.html"), recursive=True))
    for i, path in enumerate(pages):
        with open(path) as f:
            page = f.read()
        to = os.path.join(folder, "content", f"s{i % 64:02d}")
        os.makedirs(to, exist_ok=True)
        with open(os.path.join(to, f"p{i:06d}.md"), "w") as out:
            out.write(markdown(page, min(len(page.encode()), HUGO_PAGE_MAX)))


def tree(folder, suffix=""):
    sizes = [os.path.getsize(os.path.join(root, name)) for root, _, names in os.walk(folder)
             for name in names if name.endswith(suffix)]
    return len(sizes), sum(sizes)


def say(name, runs):
    wall, processor, mib = (statistics.median(r[k] for r in runs) for k in range(3))
    print(f"  {name:34} {wall:7.3f} s wall (best {min(r[0] for r in runs):.3f}), "
          f"{processor:7.3f} s of processor, {mib:7.1f} MiB", flush=True)
    return wall, processor


def middle(records):
    """The result in the middle, and its text."""
    paths = sorted(glob.glob(os.path.join(records, "results", "*", "*.json")))
    path = paths[len(paths) // 2]
    with open(path) as f:
        return path, f.read()


def change_value(records, number):
    """A batch size: nothing but the result's own pages show it."""
    path, text = middle(records)
    with open(path, "w") as f:
        f.write(re.sub(r'("value": "\d+)', lambda m: m[1] + str(number), text, count=1))
    return path, text


def change_figure(records, number):
    """The last cell of the first row of figures: every list that the result is in shows it."""
    path, text = middle(records)
    record = json.loads(text)
    table = next(block["table"] for block in record["performance"] if "table" in block)
    table["rows"][0][table["columns"].index("MFU")] = f"3{number}%"
    with open(path, "w") as f:
        json.dump(record, f, ensure_ascii=False, indent=2)
    return path, text


def ours(program, records, out):
    return [program, "-C", TOP, "build", "-q", "--records", records, "-o", out]


def changed(command, records, number, change=change_value):
    """A build after one record was changed; the record is put back."""
    path, text = change(records, number)
    took = run(command)
    with open(path, "w") as f:
        f.write(text)
    return took


def again(command, records, rounds, cold, first):
    """Nothing changed, one record changed: in turns. A build of the record that is back is not counted."""
    nothing, one, figure = [], [], []
    run(command)
    for i in range(rounds):
        run(command)
        nothing.append(run(command))
        one.append(changed(command, records, 1 + i % 8))
        run(command)
        figure.append(changed(command, records, 1 + i % 8, change_figure))
    run(command)
    limit = " (wanted: below 5)"
    for name, runs, limit in (("nothing changed", nothing, ""), ("one changed after a cold build", first, limit),
                              ("one record changed", one, limit), ("one record's figure", figure, limit)):
        wall, processor = say("fpreport, " + name, runs)
        print(f"    {100 * wall / cold[0]:.1f} % of the cold build's wall, "
              f"{100 * processor / cold[1]:.1f} % of its processor{limit}")


def same_as_cold(command, site):
    """What was made in parts is what is made at once."""
    anew = site + ".anew"
    run(command[:-1] + [anew, "--no-cache"])
    same = subprocess.run(["diff", "-rq", site, anew], stdout=subprocess.DEVNULL).returncode == 0
    shutil.rmtree(anew)
    print(f"  {'the same bytes as' if same else 'NOT THE SAME AS'} a build without a cache")
    return same


def weights(site):
    pages = glob.glob(os.path.join(site, "*", "result", "*", "*", "index.html"))
    packed = []
    for path in pages[::max(1, len(pages) // 500)]:
        with open(path, "rb") as f:
            packed.append(len(gzip.compress(f.read(), 6)))
    heaviest = max(pages, key=os.path.getsize)
    with open(heaviest, "rb") as f:
        worst = len(gzip.compress(f.read(), 6))
    print(f"  a result page, gzipped: median {statistics.median(packed) / 1024:.1f} KiB, the largest "
          f"file {worst / 1024:.1f} KiB (at most 100 KB)")


def forget(site):
    """The site and all that lies beside it."""
    for path in glob.glob(site + "*"):
        (shutil.rmtree if os.path.isdir(path) else os.remove)(path)


def find_hugo(pages):
    hugo = shutil.which("hugo")
    with open("/proc/meminfo") as f:
        free = int(re.search(r"MemAvailable: *(\d+)", f.read())[1]) / 1024
    if not hugo:
        print("note: there is no hugo, so the site was not compared")
    elif free < HUGO_MIB_PER_PAGE * pages:
        print(f"note: {free:.0f} MiB of memory are free; hugo needs about "
              f"{HUGO_MIB_PER_PAGE * pages:.0f}, so the site was not compared")
        hugo = None
    # Its collector lets garbage grow as large as what is in use: of 10,000 results, past this machine's memory.
    os.environ["GOMEMLIMIT"] = f"{free * 0.85:.0f}MiB"
    return hugo


def compare(program, folder, count, rounds):
    records, site, peer = (os.path.join(folder, name) for name in ("records", "site", "hugo"))
    subprocess.run([sys.executable, os.path.join(HERE, "many_results.py"), records, count],
                   check=True)
    command = ours(program, records, site)
    run(command)
    files, size = tree(site)
    pages, page_size = tree(site, ".html")
    print(f"build {count} results: {files} files, {size / 1e6:.0f} MB; {pages} of them HTML pages, "
          f"{page_size / 1e6:.0f} MB")
    weights(site)
    hugo = find_hugo(pages)
    cold, first, other, written = [], [], [], (0, 0)
    if hugo:
        hugo_site(peer, site)
    for i in range(rounds + 1):  # the first round warms
        forget(site)
        cold.append(run(command))
        first.append(changed(command, records, 1 + i % 8))
        if hugo:
            other.append(run([hugo, "--quiet", "-s", peer]))
            written = tree(os.path.join(peer, "public"))
            shutil.rmtree(os.path.join(peer, "public"))
            os.sync()
    took = say("fpreport, no site yet", cold[1:])
    if hugo:
        say("hugo, no site yet", other[1:])
        files, size = written
        ratios = [[a[k] / b[k] for a, b in zip(cold[1:], other[1:])] for k in range(2)]
        print(f"  hugo wrote {files} files, {size / 1e6:.0f} MB; ratio of wall "
              f"{statistics.median(ratios[0]):.2f}, of processor "
              f"{statistics.median(ratios[1]):.2f} (below 1: fpreport is faster)")
    again(command, records, max(rounds, CHANGES), took, first[1:])
    if not same_as_cold(command, site):
        sys.exit(1)


def main():
    program = os.path.abspath(sys.argv[1])
    count = sys.argv[2] if len(sys.argv) > 2 else "10000"
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    for n in (count,) if count == "1000" else ("1000", count):
        with tempfile.TemporaryDirectory() as folder:
            compare(program, folder, n, rounds)


if __name__ == "__main__":
    main()
