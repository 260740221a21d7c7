#!/usr/bin/env python3
"""Lines of the stages by the issue that they came for: python3 docs/lab/size.py [SINCE]

Each line of *.c, *.h, *.cu and *.cuh is given to the commit that wrote it (git blame -w -M -C). A commit of SINCE's
history, or one that only rewrote what was there, is "before"; any other belongs to the first row of ISSUES whose
pattern its subject has. Commits of MOVED are passed over (git blame --ignore-rev): lines keep the commit that they
had; a line for which git finds none there (an include, a brace) has that of the line above it. Lines of message
tables that hold nothing but text are counted apart."""
import collections
import concurrent.futures
import functools
import re
import subprocess
import sys

STAGES = ("base", "cli", "collector", "verifier", "renderer", "trainer")
ISSUES = (  # name, pattern of the subject; the first that fits
    ("before", r"^layout:|^tree:|^tests?:|^[Mm]erge|names? of functions|function's name|of its own for|plain words|names that (stand once|no other)|is one (file|row)|are one list|"
               r"one serial form|one file and one line|no second name|is its row|carries its row|keeps? (its|their) format|one language for lines|rows in (its|both)|"
               r"what (the merged|merged)|layout$|include cycle|leaves? .* for |one of a tool|by no message|words of a message|as a number once|stays a number|one row of a tool|"
               r"one order of|one digit|is a row|are rows, |are read by a shape|is one line|git itself talks|a process for each|one tree|libgit2|libarchive|"
               r"sorted by one|in one place|the work on (words|names|serial|libraries)|field terms|複|复算"),
    ("34 MLPerf", r"(?i)mlperf|fpreport summary|packages|no division|names of members|a round without|verifier/mlperf"),
    ("32 LLaVA", r"LLaVA|picture|JPEG|MMMU|that see|tower|many lengths|grouped order"),
    ("36 shards", r"shard|a site in parts"),
    ("31 plans, models, adapters", r"^trainer:|^train:|^prepare:|MMLU|Baichuan|--parallel"),
    ("33 the site", r"^(site|renderer|renderer/site|publish|search):"),
    ("35 logs, curves, pages, monitors", r"(?i)^cards:|samples are read|pages of others|tables of others|TensorBoard|Hugging|logs of nano|formats|JSON lines|reports that were counted|"
                                         r"public logs|Megatron's NaN|PaddleSpeech|epoch tells|begin so|monitors|MFU in FP8|last loss in words|pieces of 64|10\^-27|one page a folder|rows of a project|no banner|Unicode's"),
    ("30 doors and walls", r"."),
)
MOVED = r"^tree: (functions called once join|one helper where several|headers are read once|small modules join|buffers and findings begin)" \
        r"|^words:|stands? alone|^verifier: (room messages|rules say what|Chinese o[fn]|sentences that)|^cli: (errors and notes|help says|messages name)" \
        r"|^site: (sentences|more of the words)"  # subjects, whose hashes a rebase changes: what only moved, or was only reworded
MESSAGES = re.compile(r"(static )?const struct (words|rule|mlperf_rule|words_row|rule_words)\b.*= *(\{|$)")
TEXT = re.compile(r'^\s*[{.\w ="]*".*"[,}\s;]*$')


def git(*arguments):
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True).stdout


@functools.cache
def passed_over():
    return [f"--ignore-rev={c}" for c in git("log", "-E", f"--grep={MOVED}", "--format=%H").split()]


def lines_of(file):
    """(commit, whether it is text of a message) of each line."""
    found, commit, within, moved = [], None, False, {c.removeprefix("--ignore-rev=") for c in passed_over()}
    for line in git("blame", "-w", "-M", "-C", *passed_over(), "--line-porcelain", "HEAD", "--", file).split("\n"):
        if re.match(r"[0-9a-f]{40} \d+ \d+", line):
            commit = line[:40]
        elif line.startswith("\t"):
            text = line[1:]
            if commit in moved and found:
                commit = found[-1][0]
            within = within or bool(MESSAGES.match(text))
            found.append((commit, within and bool(TEXT.match(text))))
            within = within and not re.match(r"\};|.*\};$", text)
    return found


def main():
    before = set(git("rev-list", sys.argv[1] if len(sys.argv) > 1 else "47cc999").split())
    files = [f for f in git("ls-files", *STAGES).split() if re.search(r"\.(c|h|cu|cuh)$", f)]
    lines, messages, issue = collections.Counter(), collections.Counter(), {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for commit, is_message in (row for rows in pool.map(lines_of, files) for row in rows):
            if commit not in issue:
                subject = "" if commit in before else git("log", "-1", "--format=%s", commit).strip()
                issue[commit] = next(n for n, p in ISSUES if not subject or re.search(p, subject))
            lines[issue[commit]] += 1
            messages[issue[commit]] += is_message
    print("| for | lines | of these, messages | the rest |\n| --- | --- | --- | --- |")
    for name, _ in ISSUES:
        print(f"| {name} | {lines[name]:,} | {messages[name]:,} | {lines[name] - messages[name]:,} |")
    print(f"| all | {sum(lines.values()):,} | {sum(messages.values()):,} | {sum((lines - messages).values()):,} |")
    if "-v" in sys.argv:
        for c in sorted((c for c in issue if c not in before), key=lambda c: issue[c]): print(issue[c], '|', git("log", "-1", "--format=%s", c).strip())


main()
