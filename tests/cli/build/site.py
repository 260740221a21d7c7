"""The built site, read by an independent HTML parser (Python's).

    site.py PART,… DIR       each page is parsed once for all parts of a call; these are
    site.py check DIR        links, anchors, nothing from elsewhere, provenance, structure
    site.py attack IN OUT    copy the records IN to OUT with every string that may be free text
                             turned into an attack; prints how many
    site.py lengthen DIR     turn these in records into 18,000 times one character
    site.py harmless DIR     nothing that stems from an attack became an element or attribute
    site.py languages DIR    the same pages with the same content in both languages
    site.py data DIR         CSV and JSON say the same, fit their schemas; feeds and site map are sound
    site.py feeds DIR        of these the feeds and the site map alone
    site.py strings TOP      every key of the string table is used, every used key is there
"""
import functools
import gzip
import json
import os
import pathlib
import re
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

from feeds import check_feeds
from site_data import check_beside, check_criteria, check_data, check_stated

TOP = pathlib.Path(__file__).resolve().parents[3]
STRINGS = json.loads((TOP / "templates/site/strings.json").read_text("utf-8"))["strings"]
STATES = {name: set(STRINGS["state." + name].values()) for name in ("verified", "partial", "unverified", "failed", "withdrawn", "removed", "reproduced")}
VOID = {"meta", "link", "br", "hr", "img", "input", "wbr"}
# An implied end tag is legal HTML, but our templates write all of them; so does cmark.
KNOWN = set(
    "html head meta title link body header nav main footer section h1 h2 h3 h4 h5 h6 p a ul ol li dl dt dd table caption"
    " thead tbody tr th td small span b i em strong code pre br hr blockquote details summary div figure figcaption"
    " svg g path line rect circle text tspan desc polyline polygon defs clippath use style title"
    " script article button time abbr ol template bdi wbr".split())
ATTACK = "zqx"  # every attack carries it
TEXTS = [
    "<script>zqx()</script>",
    "\"><img src=x onerror=zqx()>",
    "' onmouseover='zqx()",
    "[zqx](javascript:zqx())",
    "![zqx](https://zqx.example/x.png)",
    "<!-- zqx",
    "]]> zqx &lt;script&gt; {{zqx}} {{{zqx}}}",
    "<zqx@example.org> <https://zqx.example/>",
    "\u202ezqx\u2066\u200f",
    "```\nzqx <b onclick=zqx>",
    "</td></tr></table></main><h1>zqx</h1>",
    "| zqx | <iframe src=//zqx.example> |",
    "<a href=\"data:text/html,zqx\">zqx</a>",
    "[zqx]: javascript:zqx \"x\"",
    "&#x3c;zqx onload=1&#62;",
]
# Keys whose values are names, numbers or paths that the loader restricts.
ASIDE = {"title", "template", "text", "desc", "tspan", "code", "blockquote"}  # names in titles and drawings, lines to copy
HAN = re.compile("[\u3400-\u9fff]")
PROSE = re.compile(r"\b[A-Za-z]{2,}(?: [a-z]{2,}){2,}")
FIXED = {"schema", "id", "vendor", "case", "symbol", "place", "date", "archive", "sha256", "columns", "rows", "commit", "model",
         "trainer", "kind", "precision", "throughput", "reference", "reference_sha256", "url"}


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.path, self.stack, self.faults, self.ids, self.links = path, [], [], [], []
        self.elements, self.loads, self.langs, self.foreign = [], [], [""], []
        self.feed(path.read_text("utf-8"))
        self.close()
        if self.stack:
            self.fault(f"not closed: {self.stack}")

    def fault(self, text):
        self.faults.append(f"{self.path}:{self.getpos()[0]}: {text}")

    def handle_starttag(self, tag, attributes, closed=False):
        self.elements.append((tag, attributes, self.getpos()[0]))
        if tag not in KNOWN:
            self.fault(f"unknown element <{tag}>")
        names = [name for name, _ in attributes]
        if len(set(names)) != len(names):
            self.fault(f"<{tag}>: an attribute twice")
        for name, value in attributes:
            if name.startswith("on"):
                self.fault(f"<{tag} {name}>: a script")
            if name == "id":
                self.ids.append(value)
            if name in ("href", "xlink:href") and tag == "a":
                self.links.append((value, self.getpos()[0]))
            elif tag == "link" and dict(attributes).get("rel") in ("canonical", "alternate"):
                pass
            elif name in ("href", "src", "srcset", "action", "data", "poster", "xlink:href", "background"):
                self.loads.append((tag, value))
            if name == "style" and "url(" in (value or ""):
                self.loads.append((tag, value))
            if name in ("aria-labelledby", "aria-describedby"):
                self.links += [("#" + one, self.getpos()[0]) for one in (value or "").split()]
        if tag not in VOID and not closed:
            self.stack.append(tag)
            self.langs.append(dict(attributes).get("lang") or self.langs[-1])

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes, closed=True)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.stack or self.stack[-1] != tag:
            self.fault(f"</{tag}> closes {self.stack[-1:]}")
            return
        self.stack.pop()
        self.langs.pop()

    def handle_data(self, data):
        if not self.stack and data.strip():
            self.fault("text outside of the document")
        self.hear(data)

    def hear(self, data):
        """Chinese on an English page, and English prose on a Chinese one, stand in an element that says so."""
        lang, tag = self.langs[-1], self.stack[-1] if self.stack else ""
        if lang == "en" and tag not in ASIDE and HAN.search(data):
            self.foreign.append(f"{self.path}:{self.getpos()[0]}: <{tag}> in English holds {data.strip()[:60]!r}")
        if lang.startswith("zh") and PROSE.search(data) and not {"code", "pre", *ASIDE} & set(self.stack):
            self.foreign.append(f"{self.path}:{self.getpos()[0]}: <{tag}> in Chinese holds {data.strip()[:60]!r}")


@functools.cache
def pages_of(root):
    return {path: Page(path) for path in sorted(root.rglob("*.html"))}


def target_of(page, url):
    """The file that a link of a page below a resolved root leads to; in a site nothing is a symbolic link."""
    return os.path.normpath(os.path.join(page.path.parent, unquote(url.path))) if url.path else str(page.path)


def check_links(root, pages):
    ids = {str(page.path): set(page.ids) for page in pages}
    files = {str(path) for path in root.rglob("*") if path.is_file() and not path.is_symlink()}
    for page in pages:
        if len(set(page.ids)) != len(page.ids):
            yield f"{page.path}: an id twice: {sorted(i for i in set(page.ids) if page.ids.count(i) > 1)}"
        for href, line in page.links:
            url = urlsplit(href)
            if url.scheme in ("http", "https", "mailto"):
                continue
            if url.scheme or url.netloc:
                yield f"{page.path}:{line}: link to {href!r}"
                continue
            target = target_of(page, url)
            if target not in files:
                yield f"{page.path}:{line}: {href!r} leads nowhere"
            elif url.fragment and url.fragment not in ids.get(target, ()):
                yield f"{page.path}:{line}: {href!r} has no such anchor"


def check_reach(root, pages):
    """Every page can be reached from the index."""
    by_path = {str(page.path): page for page in pages}
    todo, seen = [str(root / "index.html")], set()
    while todo:
        path = todo.pop()
        if path in seen or path not in by_path:
            continue
        seen.add(path)
        for href, _ in by_path[path].links:
            url = urlsplit(href)
            if not url.scheme and url.path:
                todo.append(target_of(by_path[path], url))
    for path in by_path.keys() - seen - {str(root / "404.html")}:
        yield f"{path}: no way leads here from the index"


def check_page(page):
    yield from page.faults
    tags = [tag for tag, _, _ in page.elements]
    for tag, want in (("html", 1), ("title", None), ("h1", 1), ("main", 1)):
        if want and tags.count(tag) != want:
            yield f"{page.path}: {tags.count(tag)} <{tag}>, expected {want}"
    if not dict(page.elements[0][1]).get("lang"):
        yield f"{page.path}: <html> has no lang"
    for tag, attributes, _ in page.elements:
        if tag == "pre" and dict(attributes).get("tabindex") != "0":
            yield f"{page.path}: a <pre> that no key scrolls"
    for forbidden in ("iframe", "object", "embed", "form", "base", "img", "style"):
        if forbidden in tags:
            yield f"{page.path}: <{forbidden}>"
    scripts = [dict(attributes) for tag, attributes, _ in page.elements if tag == "script" and ("type", "application/ld+json") not in attributes]
    if [sorted(one) for one in scripts] != [["src"]] or not scripts[0]["src"].endswith("site.js"):
        yield f"{page.path}: scripts {scripts}, expected the one of the site"
    if any(name == "style" for _, attributes, _ in page.elements for name, _ in attributes):
        yield f"{page.path}: a style attribute, which the policy forbids"
    for tag, value in page.loads:
        url = urlsplit(value or "")
        if (url.scheme or url.netloc) and page.path.name == "404.html":
            continue  # it is shown at any path, so that it names the whole address, where there is one
        if url.scheme or url.netloc or tag not in ("link", "use", "script"):
            yield f"{page.path}: <{tag}> loads {value!r}"
    said = re.sub(r"<(code|template)\b.*?</\1>|<[^>]*>", "", page.path.read_text("utf-8"), flags=re.S)
    for place in re.findall(r"\{\w+(?:\|[^{}|]*\|[^{}|]*)?\}", said):
        yield f"{page.path}: {place} is left where a value should be"
    levels = [int(tag[1]) for tag in tags if re.fullmatch("h[1-6]", tag)]
    for a, b in zip(levels, levels[1:]):
        if b > a + 1:
            yield f"{page.path}: h{b} follows h{a}"
    yield from check_weight(page)


def check_weight(page):
    """On its way 100 kB at most, as issue 5 asks of a result. Laid out 200 kB; a list is as heavy as its rows, 250 of 2 kB
    on a page, of which each table takes five (SITE_PAGE_ROWS, SITE_GROUP_ROWS), or as its lines."""
    text = re.sub("<template.*?</template>", "", page.path.read_text("utf-8"), flags=re.S)  # lines for the script
    rows, items = text.count("<tr data-row="), text.count("<li>")
    limit = 60_000 + 2_000 * (rows + 5 * text.count("<table ")) + 200 * items if rows or items > 500 else 200_000
    sent, laid = len(gzip.compress(page.path.read_bytes(), 9)), len(text.encode())
    if sent > 102_400 or laid > limit or rows > 250:
        yield f"{page.path}: {sent} bytes gzipped, {laid} laid out for {rows} rows and {items} lines (at most {limit})"


def check_figures(page):
    """In tables of figures (rows with an anchor t1-r1) every number has a mark, a state is a word."""
    text = page.path.read_text("utf-8")
    for row in re.findall(r'<tr id="t\d+-r\d+".*?</tr>', text, re.S):
        for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)[1:]:
            bare = re.sub(r"<[^>]*>", "", cell)
            if re.match(r"\s*[\d.]+(%|/[\d.]+|\s)", bare + " ") and 'class="mark ' not in cell:
                yield f"{page.path}: the figure {bare!r} does not say where it comes from"
    for name, inner in re.findall(r'<span class="state (\w+)"><i[^>]*>[^<]+</i>(.*?)</span>', text):
        if inner.strip() not in STATES[name]:
            yield f"{page.path}: the state {name} reads {inner!r}"
    for cell in re.findall(r'<td class="number"[^>]*>(.*?)</td>', text, re.S):
        if not re.sub(r"<[^>]*>", "", cell).strip():
            yield f"{page.path}: an empty cell among figures"


def check_compared(page):
    """A difference stands in the unit of its tolerance, and is within it where the figure agrees."""
    text = page.path.read_text("utf-8")
    head = re.search(r'<table class="compared">.*?</thead>', text, re.S)
    if not head:
        return
    keys = re.findall(r'data-key="(\w+)"', head[0])
    for row in re.findall(r'<tr><th scope="row">.*?</tr>', text[head.end():text.index("</table>", head.end())], re.S):
        cells = dict(zip(keys, re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", row, re.S)))
        two = [re.fullmatch(r"([−+±])([\d.]+)\s*(\S*)", re.sub(r"<small.*?</small>|<[^>]*>", "", cells.get(k, "")).strip()) for k in ("difference", "tolerance")]
        if not all(two):
            continue
        difference, tolerance = two
        if difference[3] != tolerance[3]:
            yield f"{page.path}: a difference {difference[0]} beside a tolerance {tolerance[0]}"
        if re.search('class="outcome (pass|derived)"', row) and float(difference[2]) > float(tolerance[2]) + 1e-9:
            yield f"{page.path}: {difference[0]} agrees, beyond {tolerance[0]}"


def check_reasons(root):
    """Each row of a failed result says why it failed, by the error that is nearest to it, whatever its figures show."""
    told = 0
    for path in sorted(root.rglob("*.html")):
        for body in re.findall(r'<tbody data-state="failed">.*?</tbody>', path.read_text("utf-8"), re.S):
            for who, table, place, row in re.findall(r'<tr data-row="([^":]*):(\d+)\.(\d+)(?:-[0-9a-f]{32})?"(.*?)</tr>', body, re.S):
                findings = json.loads((root / "result" / who / "verify.json").read_text("utf-8"))["runs"][0]["findings"]
                errors = [f for f in findings if f["severity"] == "error"]
                near = [[f["rule"] for f in errors if (f.get("table"), f.get("row")) == (int(table), int(place))],
                        [f["rule"] for f in errors if not f.get("row")], [f["rule"] for f in errors]]
                why = re.search(r'<span class="why">(.*?)</span></th>', row, re.S)
                if not why:
                    yield f"{path}: {who} {table}.{place} does not say why it failed"
                else:
                    told += 1
                    rule = re.search(r'rules/index.html#(FP\d+)">\1</a> \S', why[1])
                    if not rule or rule[1] != next(n for n in near if n)[0]:
                        yield f"{path}: {who} {table}.{place} failed by {near}, and says {why[1]!r}"
    if not told:
        yield f"{root}: no row says why it failed"


def shape_of(page):
    """What does not depend on the language: elements, anchors, and figures."""
    text = page.path.read_text("utf-8")
    figures = [re.sub(r"<[^>]*>", "", one) for one in re.findall(r'<span class="value"[^>]*>(.*?)</span>', text)]
    # What is foreign on one side is marked there only; words of other lengths fill other lines of a drawing.
    tags = [tag for tag, attributes, _ in page.elements if not (tag == "span" and [name for name, _ in attributes] == ["lang"])
            and dict(attributes).get("class") not in ("other", "original", "wrapped")]
    return tags, page.ids, figures


def check_languages(root):
    sets = {lang: {p.relative_to(root / lang) for p in (root / lang).rglob("*") if p.is_file()} for lang in ("zh", "en")}
    for path in sorted(sets["zh"] ^ sets["en"]):
        yield f"{path}: in one language only"
    for path in sorted(sets["zh"] & sets["en"]):
        if path.suffix != ".html":
            continue
        zh, en = (pages_of(root)[root / lang / path] for lang in ("zh", "en"))
        for what, a, b in zip(("elements", "anchors", "figures"), shape_of(zh), shape_of(en)):
            a = [{"是": "yes", "否": "no"}.get(one, one) for one in a] if what == "figures" else a
            if a != b:
                yield f"{path}: other {what} in Chinese than in English: {[x for x in zip(a, b) if x[0] != x[1]][:2]}"
        for lang, page, want in (("zh", zh, "zh-CN"), ("en", en, "en")):
            yield from page.foreign
            if dict(page.elements[0][1]).get("lang") != want:
                yield f"{page.path}: lang is not {want}"
            other = "en" if lang == "zh" else "zh"
            if not any(href.endswith(f"{other}/{path}") for href, _ in page.links):
                yield f"{page.path}: no link to itself in the other language"


def check_strings(top):
    table = json.loads((top / "templates/site/strings.json").read_text("utf-8"))["strings"]
    used = set()
    for path in (top / "templates/site").rglob("*"):
        if path.is_file() and path.name != "strings.json":
            used |= set(re.findall(r"\{\{t\.([\w.]+)\}\}", path.read_text("utf-8")))
    missing = used - table.keys()
    for path in (top / "renderer").rglob("*.c"):
        used |= set(re.findall(r'"([a-z0-9]+(?:\.[A-Za-z0-9]+)+)"', path.read_text("utf-8")))
    for key in sorted(missing):
        yield f"strings.json: no {key}, which a template asks for"
    for key in sorted(table.keys() - used):
        yield f"strings.json: nobody uses {key}"


def attack_value(value, counter):
    if isinstance(value, str):
        counter[0] += 1
        return TEXTS[counter[0] % len(TEXTS)]
    if isinstance(value, list):
        return [attack_value(one, counter) for one in value]
    if isinstance(value, dict):
        return {key: one if key in FIXED else attack_value(one, counter) for key, one in value.items()}
    return value


def attack_tables(value, counter):
    """Free cells: all of the general metrics table, the configuration and hyper-parameters of figures."""
    if isinstance(value, list):
        for one in value:
            attack_tables(one, counter)
    if not isinstance(value, dict):
        return
    for one in value.values():
        attack_tables(one, counter)
    if "rows" in value and "columns" in value:
        free = [c in ("配置", "fix_hp", "precision") or "指标" in c or "说明" in c for c in value["columns"]]
        for row in value["rows"]:
            for i, cell in enumerate(row):
                if isinstance(cell, str) and i < len(free) and free[i]:
                    counter[0] += 1
                    row[i] = TEXTS[counter[0] % len(TEXTS)].replace("\n", " ")
                elif isinstance(cell, str):
                    counter[0] += 1
                    row[i] = {"as_published": TEXTS[counter[0] % len(TEXTS)].replace("\n", " ")}


def attack(source, target):
    counter = [0]
    for path in sorted(source.rglob("*.json")):
        record = json.loads(path.read_text("utf-8"))
        kind = path.relative_to(source).parts[0]
        if kind in ("results", "vendors", "models"):
            tables = json.loads(json.dumps(record))
            record = attack_value(record, counter)
            if kind == "results":
                attack_tables(record, counter)
            del tables
        to = target / path.relative_to(source)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(json.dumps(record, ensure_ascii=False, indent=1), "utf-8")
    return counter[0]


def lengthen(value):
    """What is an attack, as a long text of one character."""
    if isinstance(value, list):
        return [lengthen(one) for one in value]
    if isinstance(value, dict):
        return {key: "x" if key == "path" else lengthen(one) for key, one in value.items()}
    return "字" * 18000 if isinstance(value, str) and ATTACK in value else value


def harmless(page):
    yield from page.faults
    for tag, attributes, line in page.elements:
        if ATTACK in tag or tag in ("script", "img", "iframe", "b") and any(ATTACK in str(v) for _, v in attributes):
            yield f"{page.path}:{line}: <{tag}>"
        for name, value in attributes:
            if ATTACK in name or name.startswith("on"):
                yield f"{page.path}:{line}: <{tag} {name}>"
            if ATTACK in (value or "") and not re.fullmatch(r"g-[\w.-]+", value) and name not in ("title", "href", "content", "aria-label", "hreflang", "data-name", "data-also", "data-group", "data-criteria"):
                yield f"{page.path}:{line}: <{tag} {name}={value!r}>"
            if name == "href" and urlsplit((value or "").strip()).scheme not in ("", "http", "https", "mailto"):
                yield f"{page.path}:{line}: {value!r}"
    if page.path.read_text("utf-8").count("\u202e"):
        yield f"{page.path}: a bidirectional override of the vendor's"


def check_pages(root, look_at, more=lambda root, pages: ()):
    pages = list(pages_of(root).values())
    if not pages:
        yield "no pages"
    for page in pages:
        yield from look_at(page)
    yield from check_links(root, pages)
    yield from more(root, pages)


PARTS = {
    "check": lambda root: check_pages(root, lambda page: [*check_page(page), *check_figures(page), *check_compared(page)], check_reach),
    "harmless": lambda root: check_pages(root, harmless),
    "languages": check_languages,
    "data": lambda root: [*check_data(root), *check_criteria(root), *check_beside(root), *check_stated(root), *check_feeds(root)],
    "feeds": check_feeds,
    "reasons": check_reasons,
    "strings": check_strings,
}


def main():
    command, root = sys.argv[1], pathlib.Path(sys.argv[2])
    if command == "attack":
        print(attack(root, pathlib.Path(sys.argv[3])))
        return 0
    if command == "lengthen":
        for path in root.rglob("*.json"):
            path.write_text(json.dumps(lengthen(json.loads(path.read_text("utf-8"))), ensure_ascii=False), "utf-8")
        return 0
    bad = False
    for part in command.split(","):
        faults = list(PARTS[part](root.resolve()))
        print(*faults[:40], sep="\n")
        print(f"{part}: {len(faults)} faults")
        bad = bad or faults
    return 1 if bad else 0


sys.exit(main())
