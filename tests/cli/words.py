"""Names in the code, held against docs/GLOSSARY.md and each other.

    words.py FOLDER    prints one line for each name or file that has a retired word of the glossary, and for
                       each static function whose name stands in another file, too

A reader greps for a name: it should be the glossary's word, and one function.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

STAGES = ["base", "collector", "verifier", "renderer", "trainer", "cli"]
# What is neither a name nor a place for one: comments, texts, characters.
SKIPPED = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
STATIC = re.compile(r"^static\b[^;{}=\n]*?\b(\w+)\((?=[^;{]*\)\s*\{)", re.M)
# NAME: why several files may have a static function of this name.
ALLOWED = {
    "turn_left": "the generator of random numbers on the processor and, in CUDA, on the card",
    "packed_width": "the same width on the processor and on the card, whose headers share nothing",
}


def retired_words(text):
    """The first column of the table below "Retired words"."""
    return set(re.findall(r"^\| (\w+) \| ", text.split("## Retired words")[1], re.M)) - {"word"}


def sources(top):
    return sorted(f for stage in STAGES for f in (top / stage).rglob("*") if f.suffix in (".c", ".h", ".cu", ".cuh"))


def departures(top):
    retired = retired_words((top / "docs/GLOSSARY.md").read_text(encoding="utf-8"))
    functions = defaultdict(list)
    for file in sources(top):
        name, text = file.relative_to(top), SKIPPED.sub(" ", file.read_text(encoding="utf-8"))
        found = {word for part in name.parts for word in re.split(r"[_.]", part)} & retired
        yield from (f"{name}: the file has the retired word {word}" for word in sorted(found))
        for identifier in sorted(set(re.findall(r"[A-Za-z_]\w*", text))):
            for word in sorted(set(identifier.lower().split("_")) & retired):
                yield f"{name}: {identifier} has the retired word {word}"
        for function in set(STATIC.findall(text)):
            functions[function].append(str(name))
    for function, files in sorted(functions.items()):
        if len(files) > 1 and function not in ALLOWED:
            yield f"static {function}() stands in {' '.join(files)}: expected one function of this name"


if __name__ == "__main__":
    for line in departures(Path(sys.argv[1])):
        print(line)
