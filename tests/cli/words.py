"""Names in the code, held against docs/GLOSSARY.md and each other.

    words.py FOLDER    prints one line for each name, file or Chinese text that has a retired word of the glossary, for each
                       static function whose name stands in another file, too, and for each file that a comment
                       names and that is not there

A reader greps for a name: it should be the glossary's word, and one function.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

STAGES = ["base", "collector", "verifier", "renderer", "trainer", "cli"]
# What is neither a name nor a place for one: comments, texts, characters.
SKIPPED = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
COMMENT = re.compile(r"/\*.*?\*/", re.S)
# A path from a stage, or a header by itself.
NAMED = re.compile(r"(?<![\w/.<])((?:%s)/[\w./*]*[\w*/]|\w+\.h\b)" % "|".join(STAGES))
STATIC = re.compile(r"^static\b[^;{}=\n]*?\b(\w+)\((?=[^;{]*\)\s*\{)", re.M)
# NAME: why several files may have a static function of this name.
ALLOWED = {
    "turn_left": "the generator of random numbers on the processor and, in CUDA, on the card",
    "packed_width": "the same width on the processor and on the card, whose headers share nothing",
}


def retired_words(text):
    """The table below "Retired words": what is said now, by the word."""
    rows = re.findall(r"^\| (\w+) \| (.*) \|$", text.split("## Retired words")[1], re.M)
    return dict(rows[1:])  # below the head


def retired_texts(top, retired):
    """Chinese words in texts: in the code and in what pages are made from."""
    words = [word for word in retired if not word.isascii()]
    templates = [f for f in sorted((top / "templates").rglob("*")) if f.suffix in (".json", ".md", ".html")]
    for file in sources(top) + templates:
        text = file.read_text(encoding="utf-8")
        yield from (f"{file.relative_to(top)}: a text has {word}, now: {retired[word]}" for word in words if word in text)


def absent_files(top, headers, text):
    """What comments name and is not there: a path, with or without `*`, or a header."""
    for comment in COMMENT.findall(text):
        for name in sorted(set(NAMED.findall(comment))):
            if not (name in headers if "/" not in name else any(top.glob(name))):
                yield name


def sources(top):
    return sorted(f for stage in STAGES for f in (top / stage).rglob("*") if f.suffix in (".c", ".h", ".cu", ".cuh"))


def departures(top):
    retired = retired_words((top / "docs/GLOSSARY.md").read_text(encoding="utf-8"))
    functions = defaultdict(list)
    headers = {file.name for file in sources(top)}
    yield from retired_texts(top, retired)
    for file in sources(top):
        name, whole = file.relative_to(top), file.read_text(encoding="utf-8")
        text = SKIPPED.sub(" ", whole)
        yield from (f"{name}: a comment names {absent}, which is not there" for absent in absent_files(top, headers, whole))
        found = {word for part in name.parts for word in re.split(r"[_.]", part)} & set(retired)
        yield from (f"{name}: the file has the retired word {word}, now: {retired[word]}" for word in sorted(found))
        for identifier in sorted(set(re.findall(r"[A-Za-z_]\w*", text))):
            for word in sorted(set(identifier.lower().split("_")) & set(retired)):
                yield f"{name}: {identifier} has the retired word {word}, now: {retired[word]}"
        for function in set(STATIC.findall(text)):
            functions[function].append(str(name))
    for function, files in sorted(functions.items()):
        if len(files) > 1 and function not in ALLOWED:
            yield f"static {function}() stands in {' '.join(files)}: expected one function of this name"


if __name__ == "__main__":
    for line in departures(Path(sys.argv[1])):
        print(line)
