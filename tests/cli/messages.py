"""Is everything that a checker can say in templates/site/messages.json, and nothing else?

    messages.py TABLE TOP    prints what is missing or superfluous, one a line

A message is a string of the sources below with two words, and a single word that is listed here
because it is a value of one. What logs look like and what only a terminal sees is left out.
"""

import json
import re
import sys
from pathlib import Path

# Files of verifier/ whose strings are read, shown elsewhere, or in the page's language already.
ELSEWHERE = re.compile(
    r"explain(_\w+)?|verdict_\w+|diff(_\w+)?|checks(_words)?|rules|curve_\w+|checkout|verify(_tree)?"
    r"|log_(deepspeed|llama_recipes|llava|megatron|paddle|patterns|result|summary|target)|sys_info|run_tree"
)
# Of base/: what is wrong with a submission, what is measured, how losses compare.
BASE = ["submission", "archive", "tar", "facts", "measured", "peaks"]
# What logs have in them, what is no message, and what only a terminal shows.
NAMES = {
    "Pretrain stage: Tokens/p/s", "Finetune stage: Tokens/p/s", "MMLU5-shots Acc", "target score",
    "Throughput(token per chip per second)", "MMLU achieved", "eval score", "%s throughput (op/s)",
    "MaxMemAllocated (GB)", "Max CUDA memory allocated (GB)", "[PerfLog] ", "global ", "zstd: %s",
    "expected an object whose 'schema' is \"", "size %.0f", "%.4g %s (%.4g to %.4g, %d times",
    "%s; slowest is rank %d, %.4g)",
}


def literals(path):
    """Strings with their lines, neighbours joined; no comments, no characters, no directives."""
    text = path.read_text(encoding="utf-8")
    token = re.compile(r'/\*.*?\*/|#include[^\n]*|"((?:[^"\\]|\\.)*)"|\'(?:[^\'\\]|\\.)*\'|\s+|.', re.S)
    joined, line = None, 0
    for match in token.finditer(text):
        found = match.group(0)
        if found[0] == '"':
            part = re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), match.group(1))
            joined = (joined or "") + part
            line = text.count("\n", 0, match.start()) + 1
        elif not found.isspace() and not found.startswith("/*"):
            if joined is not None:
                yield line, joined
            joined = None


def is_message(text):
    """Has it a word, and a blank? Single words are values of messages, or keys: nobody can tell."""
    words = re.sub(r"%[-+ #0-9.*]*[hlzjt]*[a-zA-Z]", " ", text)
    return bool(re.search(r"[a-z]{3,}", words)) and " " in text


def main():
    table = set(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["messages"])
    top = Path(sys.argv[2])
    files = [f for f in sorted(top.glob("verifier/*.c")) if not ELSEWHERE.fullmatch(f.stem)]
    files += [top / "base" / f"{name}.c" for name in BASE]
    said = set()
    for path in files:
        for line, text in literals(path):
            # What begins with the name of its file loses that on the way.
            bare = text.removeprefix("%s: ")
            said |= {text, bare}
            if is_message(bare) and bare not in NAMES and text not in table and bare not in table:
                print(f"{path.relative_to(top)}:{line}: no translation of \"{text}\"")
    everything = said | {
        bare
        for path in [*top.glob("verifier/*.c"), *top.glob("base/*.c"), *top.glob("trainer/*.c")]
        for _, text in literals(path)
        for bare in (text, text.removeprefix("%s: "), text + ": %s", text.removeprefix("%s: ") + ": %s")
    }
    for text in sorted(table - everything):
        print(f"{sys.argv[1]}: nothing says \"{text}\"")


if __name__ == "__main__":
    main()
