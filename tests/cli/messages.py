"""Is what a checker says there in Chinese?

    messages.py sources TOP   messages of the sources without a row in both languages, rows that
                              nothing says, and rows whose languages have other values
    messages.py said TOP      of lines "RULE<tab>MESSAGE", those that no format of the rows fits
    messages.py pages FOLDER  English sentences on the pages below, in text of ours

A message is a string of the sources below with a word in it, and a blank: single words are values
of messages, or keys. What logs look like and what only a terminal sees is left out.
"""

import errno
import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

# Files of verifier/ whose strings are read, shown elsewhere, or in the page's language already.
ELSEWHERE = re.compile(
    r"verdicts/.*|diff/.*|checks/list|checks/rules|checks/rule_kinds|claims/worded|curves/curve_\w+"
    r"|mlperf/(log|result)/.*|mlperf/rules/(?!message|official_messages).*|mlperf/score/(?!rcp$|rcp_messages).*|mlperf/package/tree|verify_mlperf(_record)?"  # of rule files, for terminals
    r"|proofs/checkout|shard_\w+|verify(_tree)?|logs/log_banner|logs/log_printed|logs/log_skips|runs/(sys_info|run_tree)"
    r"|logs/rows/own_rows"
)
# Of base/: what is wrong with a submission, what is measured, how losses compare.
BASE = ["files/beneath", "sealed/submission", "sealed/archive", "sealed/tar", "records/facts", "records/measured", "project/peaks",
        "json/shape_save", "process/worker"]
# Why a fact about the machine or the program is not known.
FACTS = ["trainer/cards/accelerator", "trainer/cards/nvml", "trainer/fingerprint/fingerprint",
         "base/git/repo", "cli/absent"]
# What logs have in them, what is no message, and what only a terminal shows.
NAMES = {
    "Pretrain stage: Tokens/p/s", "Finetune stage: Tokens/p/s", "MMLU5-shots Acc", "target score",
    "Throughput(token per chip per second)", "MMLU achieved", "eval score", "%s throughput (op/s)",
    "MaxMemAllocated (GB)", "Max CUDA memory allocated (GB)", "[PerfLog] ", "global ", "zstd: %s",
    "expected an object whose 'schema' is \"", "size %.0f", "%.4g %s (%.4g to %.4g, %d times",
    "%s; slowest is rank %d, %.4g)", "libarchive, ",
    "lm loss", "train/CE loss", "memory/max_allocated (GiB)", "tokens/s of a card", "tokens/s of all cards", "GiB of a card",
    " vs samples", '{"step": %', ', "wall_time": %.17g',
    "FIELD_NAMED takes an enum for an int", "%s%s says '%s'", "default string", "to be filled by o.e.m.", "not specified", "system serial number", "no adapter in ", "glibc %s",
    "Available on-premise", "Available cloud", "Research, Development, or Internal (RDI)", "available onprem",
}


def is_silent_format(path):
    """A log format that notes nothing: its strings are what its lines look like."""
    return path.parent.name in ("formats", "rows") and "diags_add" not in path.read_text(encoding="utf-8")


def code_of(path):
    """The source without the row at its end, in which a rule or a log format says what it is."""
    text = path.read_text(encoding="utf-8").partition("\nconst struct log_format log_format_")[0]
    text = re.sub(r"\nconst struct words \w+\[\] = \{.*?\n\};", "", text, flags=re.S)
    rule = max(text.find("\nconst struct rule rule_"), text.find("\nconst struct mlperf_rule mlperf_rule_"))
    begin = text.find("\n/* clang-format off */\nstatic const struct", 0, rule)
    return text[:rule if begin < 0 else begin] if rule >= 0 else text


def literals(path):
    """Strings with their lines, neighbours joined; no comments, no characters, no directives."""
    text = code_of(path)
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


TEXT = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
ROW = re.compile(r"\{\.en = " + TEXT + r",\s*\.zh = " + TEXT + r"\}", re.S)
TABLE = re.compile(r"const struct words (\w+)\[\] = \{\n(.*?)\n\};", re.S)
PLACE = re.compile(r"%[-+ #0-9.*]*[lzj]*[sdiuxXeEfgGc]")


def rows_of(path):
    """The rows of a file, of a rule or of a room: [(English, Chinese)]."""
    tables = [m[2] for m in TABLE.finditer(path.read_text(encoding="utf-8"))]
    return [(decoded(m[1]), decoded(m[2])) for table in tables for m in ROW.finditer(table)]


def rows_of_rooms(top):
    """Those of whole rooms, in files of their own."""
    files = [*top.glob("base/**/*_messages.c"), *top.glob("verifier/**/*_messages.c"), top / "base/records/fact_reasons.c"]
    return {en: (path, zh) for path in sorted(files) for en, zh in rows_of(path)}


def former(top):
    """Reasons that only sealed fingerprints still hold."""
    rows = (top / "base/records/fact_reasons.c").read_text(encoding="utf-8").partition("/* Of programs before")[2]
    return {decoded(m[1]) for m in ROW.finditer(rows)}


def faults_of_row(en, zh):
    """Both languages have the same values, each of them."""
    values = len(PLACE.findall(en.replace("%%", "")))
    said = {int(n) for n in re.findall(r"\{(\d+)(?::said)?\}", zh)}
    if not zh:
        yield "has no Chinese"
    if re.search(r"\{(?!\d+(?::said)?\})", zh):
        yield "found '{', expected {1} or {1:said}"
    if said != set(range(1, values + 1)):
        yield f"has {values} values, its Chinese those of {sorted(said)}"


def decoded(source):
    joined = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', source))
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), joined)


def is_message(text):
    words = re.sub(r"%[-+ #0-9.*]*[hlzjt]*[a-zA-Z]", " ", text)
    return bool(re.search(r"[a-z]{3,}", words)) and " " in text


def check_sources(top):
    rooms = rows_of_rooms(top)
    room_files = {path for path, _ in rooms.values()}
    files = [f for f in sorted(top.glob("verifier/**/*.c"))
             if not ELSEWHERE.fullmatch(str(f.relative_to(top / "verifier").with_suffix(""))) and not is_silent_format(f)]
    files += [top / "base" / f"{name}.c" for name in BASE] + [top / f"{name}.c" for name in FACTS]
    for path in files:
        if path in room_files:
            continue
        rows = dict(rows_of(path))
        said_here = set()
        for line, text in literals(path):
            # What begins with the name of its file loses that on the way.
            bare = text.removeprefix("%s: ")
            forms = {text, bare}
            said_here |= forms
            if is_message(bare) and bare not in NAMES and not (set(rooms) | set(rows)) & forms:
                yield f'{path.relative_to(top)}:{line}: no translation of "{text}"'
        for text in sorted(set(rows) - said_here):
            yield f'{path.relative_to(top)}: nothing says "{text}"'
        for en, zh in rows_of(path):
            for fault in faults_of_row(en, zh):
                yield f'{path.relative_to(top)}: "{en}" {fault}'
    known = all_messages(top)
    for path in files:
        for case in re.findall(r"struct rule_case cases\[\] = \{\n(.*?)\n\};", path.read_text(encoding="utf-8"), re.S):
            for text in re.findall(r'^    \{"((?:[^"\\]|\\.)*)",', case, re.M):
                if text not in known:
                    yield f'{path.relative_to(top)}: a case of what no row says: "{text}"'
    said = set()
    for path in [*top.glob("verifier/**/*.c"), *top.glob("base/**/*.c"), *top.glob("trainer/**/*.c"), top / "cli/absent.c",
                 top / "collector/submission/adopted.c"]:
        for _, text in literals(path) if path not in room_files else ():
            bare = text.removeprefix("%s: ")
            # Behind these stands what the system says.
            said |= {text, bare, text + ": %s", bare + ": %s"}
    said |= {os.strerror(number) for number in errno.errorcode}
    for en, (path, zh) in sorted(rooms.items()):
        if en not in said and en not in former(top):
            yield f'{path.relative_to(top)}: nothing says "{en}"'
        for fault in faults_of_row(en, zh):
            yield f'{path.relative_to(top)}: "{en}" {fault}'


def all_messages(top):
    """Those of rules, of what they ask, and of rooms."""
    table = {en: zh for en, (_, zh) in rows_of_rooms(top).items()}
    for rule in sorted(top.glob("verifier/**/*.c")):
        table.update(rows_of(rule))
    return table


def is_prose(text):
    return bool(re.search(r"(?:^| )[a-z]{2,}[,;:]? [a-z]{2,}(?:[,;: ]|$)", text))


class Table:
    """The formats as regular expressions: another way to take a message apart than the program's."""

    CONVERSION = re.compile(r"%([-+#0-9.*]*[hlzjt]*)([a-zA-Z])")

    def __init__(self, top):
        self.formats = [(self.pattern(f), self.inner(zh)) for f, zh in all_messages(top).items()]

    def pattern(self, text):
        pattern, at = "", 0
        for m in self.CONVERSION.finditer(text):
            pattern += re.escape(text[at:m.start()].replace("%%", "%"))
            pattern += "(.*?)" if m[2] == "s" else "([-+.0-9einfa]+)"
            at = m.end()
        return re.compile(pattern + re.escape(text[at:].replace("%%", "%")), re.S)

    @staticmethod
    def inner(translation):
        return [int(n) for n in re.findall(r"\{(\d+):said\}", translation)]

    def says(self, text, depth=0):
        for pattern, inner in self.formats if depth < 5 else []:
            m = pattern.fullmatch(text)
            if m and all(not is_prose(m[i]) or self.says(m[i], depth + 1) for i in inner):
                return True
        return False


def check_said(top):
    table = Table(top)
    for line in sys.stdin:
        rule, message = line.rstrip("\n").split("\t", 1)
        if not table.says(message):
            yield f"{rule}: {message}"


class Page(HTMLParser):
    """Text and labels that are ours: not code to copy, not a vendor's, not marked as English."""

    VOID = {"meta", "link", "br", "img", "input", "hr", "wbr"}
    RUN = re.compile(r"[A-Za-z][A-Za-z'’-]*(?:[,;:]? [A-Za-z][A-Za-z'’-]*){3,}")

    def __init__(self):
        super().__init__()
        self.open, self.found = [], []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        theirs = (
            tag in ("script", "style", "pre", "template") or given.get("lang") == "en"
            or "claims" in (given.get("class") or "").split()
        )
        if tag not in self.VOID:
            self.open.append((tag, theirs))
        for name in ("title", "aria-label", "alt", "content", "placeholder"):
            self.look(given.get(name) or "")

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        self.look(data)

    def look(self, text):
        run = self.RUN.search(text)
        listed = run and not re.search("[A-Za-z] [A-Za-z]", run.group(0))  # names with commas between them are no sentence
        if run and not listed and not any(theirs for _, theirs in self.open):
            self.found.append(run.group(0))


def check_pages(folder):
    for path in sorted(folder.rglob("*.html")):
        page = Page()
        page.feed(path.read_text(encoding="utf-8"))
        for text in sorted(set(page.found)):
            yield f"{path.relative_to(folder)}: {text}"


def main():
    checks = {
        "sources": lambda: check_sources(Path(sys.argv[2])),
        "said": lambda: check_said(Path(sys.argv[2])),
        "pages": lambda: check_pages(Path(sys.argv[2])),
    }
    for line in checks[sys.argv[1]]():
        print(line)


if __name__ == "__main__":
    main()
