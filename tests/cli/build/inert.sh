#!/bin/sh
# Markdown pages are shown by forges and other programs, not all of which take scripts out of them:
# what others wrote is no HTML there, and is the same record when the page is imported.
place=memory; . "$(dirname "$0")/../../lib.sh"
cd "$tmp" || exit 1
ln -s "$top/templates" templates
cat >live.py <<'PY'
"""What of a Markdown page a browser would run or open, shown by cmark with raw HTML let through, and by
a reader of blocks of HTML that go on to their closing tag, as the first Markdown had it."""
import ctypes, ctypes.util, html.parser, re, sys

cmark = ctypes.CDLL("libcmark.so.0.30.2")
cmark.cmark_markdown_to_html.restype = ctypes.c_char_p
QUIET = {"a", "abbr", "b", "blockquote", "br", "code", "dd", "del", "details", "div", "dl", "dt", "em", "h1", "h2", "h3", "h4",
         "h5", "h6", "hr", "i", "img", "kbd", "li", "ol", "p", "pre", "s", "span", "strong", "sub", "summary",
         "sup", "table", "tbody", "td", "th", "thead", "tr", "u", "ul", "font", "center", "small", "big", "ins"}


class Live(html.parser.HTMLParser):
    def __init__(self, raw):
        super().__init__()
        self.found, self.raw = [], raw

    def handle_starttag(self, tag, attrs):
        if tag not in QUIET:
            self.found.append(f"<{tag}>")
        for name, value in attrs:
            scheme = re.match(r"[a-z][a-z0-9+.-]*:", re.sub(r"[\x00-\x20]", "", value or "").lower())
            if self.raw or name not in ("href", "title", "class", "start", "src", "alt"):
                self.found.append(f"<{tag} {name}>")
            elif scheme and scheme[0] not in ("http:", "https:", "mailto:"):
                self.found.append(f"{name}={value}")
            elif name in ("href", "src") and (value or "").lstrip().startswith("//"):
                self.found.append(f"{name}={value}")

    handle_startendtag = handle_starttag

    def close(self):
        if self.rawdata.startswith("<!--"):
            self.found.append("a comment that hides the rest")
        super().close()

    def handle_decl(self, decl):
        self.found.append(f"<!{decl}>")

    def handle_pi(self, data):
        self.found.append(f"<?{data}>")


def elsewhere(source):
    """Programs to which a backslash in front of a tag is none (Python-Markdown, markdown2, Discount), that go
    on behind the end of a line to that of an address, and that take {…} for attributes (kramdown)."""
    text = re.sub(r"(?ms)^ *(`{3,}|~{3,})[^\n]*\n.*?^ *\1[`~]*$", "", source)
    text = re.sub(r"(?<![\\`])(`+)(?!`)[^\n]*?(?<!`)\1(?!`)", "", text)
    raw = Live(True)
    raw.feed(re.sub(r"<(https?://[^<>\s]*|mailto:[^<>\s]*|[\w.+-]+@[\w.-]+)>", "", text))
    for url in re.findall(r"(?<!\\)\]\(([^)]*)\)", text):
        scheme = re.match(r"[a-z][a-z0-9+.-]*:", re.sub(r"[\t\r\n]", "", url).lower())
        if scheme and scheme[0] not in ("http:", "https:", "mailto:"):
            raw.found.append(url)
    return raw.found + re.findall(r"(?<!\\)(?:\\\\)*\{(?::|[^}\n]*=)[^}\n]*\}", text)


bad = 0
for path in sys.argv[1:]:
    source = open(path, "rb").read()
    live = Live(False)
    live.feed(cmark.cmark_markdown_to_html(source, len(source), 1 << 17).decode())
    live.close()
    found = live.found
    for block in re.findall(r"(?ms)^<(?:div|table|p|details)>.*?^</(?:div|table|p|details)>", source.decode()):
        inner = Live(True)
        inner.feed(block)
        inner.close()
        found += inner.found
    found += elsewhere(source.decode())
    for what in sorted(set(found)):
        bad += 1
        print(f"{path}: {what}")
sys.exit(bad > 0)
PY
live() { python3 live.py "$@"; }
if ! live /dev/null 2>/dev/null; then skip "no libcmark to ask"; plan_done; exit; fi
printf '<div>\n<script>x</script>\n</div>\n' >bad.md && check_exit 1 "a script would be found" live bad.md
printf '[x](javascript:x)\n' >bad.md && check_exit 1 "and a link" live bad.md
printf '<div>\n\n\\<b onclick=x>\n\n</div>\n' >bad.md && check_exit 1 "and what only others take for HTML" live bad.md

printf '# \\<b onclick=x>\n' >bad.md && check_exit 1 "a tag behind a backslash, which not all know" live bad.md
printf '[x](java\nscript:x)\n' >bad.md && check_exit 1 "a link that goes on in the next line" live bad.md
printf '# x {: onclick=x}\n' >bad.md && check_exit 1 "and attributes in braces" live bad.md
printf '`\\<b onclick=x>` \\{onclick=x} &lt;b onclick=x>\n\n```\n<b onclick=x>\n```\n' >bad.md && check "not what is code, escaped or an entity" live bad.md

# One vector a text, each in what holds text of several blocks (v), and in every string (w).
cat >vectors.py <<'PY'
import json, pathlib, sys
vectors = [
    "x \\<img src=x onerror=alert(1)> y", "<b.c/onclick=alert(1)>", "<b@c/onclick=alert(1)>", "<http:/onclick=alert(1)>", "[x](java\nscript:alert(1))",
    "[x](java\tscript:alert(1))", "{: onclick=alert(1)}", "x {onclick=alert(1)}", "x \\\\{onclick=alert(1)}", "{::comment}", "x\n\n# y {#z onclick=alert(1)}",
    "<script>alert(1)</script>", "before <script>alert(1)</script> behind", "<div>\n<script>alert(1)</script>\n</div>",
    "<div>\n\n\\<script>alert(1)</script>\n\n</div>", "<div onclick=alert(1)>x</div>", "<img src=x onerror=alert(1)>",
    "text <img src=x onerror=alert(1)", "<svg/onload=alert(1)>", "<a\nhref=\"javascript:alert(1)\">x</a>", "<a\thref='javascript:alert(1)'>x</a>",
    "<scr\x01ipt>alert(1)</scr\x01ipt>", "<a\x0chref=javascript:alert(1)>x</a>", "<i\x7fmg src=x onerror=alert(1)>",
    "[x](javascript:alert(1))", "[x](\njavascript:alert(1))", "[x](<javascript:alert(1)>)", "[x](java\\script:alert(1))", "[x](javascript\\:alert(1))",
    "[x](&#106;avascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "![x](data:text/html,x)", "[x](//evil.example)", "[x][y]\n\n[y]: javascript:alert(1)",
    "[x][y]\n\n[y]:\n  javascript:alert(1)", "<javascript:alert(1)>", "<!-- --><script>alert(1)</script>", "<!--><script>alert(1)</script>-->",
    "<!-- a\n<script>alert(1)</script>\n-->", "<?php x ?>", "<!DOCTYPE x>", "<![CDATA[<script>alert(1)</script>]]>", "<pre>\n<script>x</script>\n[x](javascript:x)\n```\n</pre>",
    "<style>\n* {display: none}\n</style>", "<textarea>\nall behind", "<plaintext>", "<template>", "<select>", "<iframe src=//evil.example></iframe>",
    "- <div>\n  <script>x</script>\n", "> <div>\n> <b onclick=x>\n", "1. x\n\n   <table><tr><td onclick=x>\n", "<table>\n<tr><td>1</td></tr>\n</table>\n<b onclick=x>",
    "`<script>`", "```\n<script>x</script>\n```", "    <script>x</script>", "a\n    <script>x</script>", "<b>bold</b> and <br> and <https://example.org>",
    "<details>\n<summary>x</summary>\n\ny\n</details>", "\\<script>x</script>", "\\\\<script>x</script>", "<div>\\<script>x</script></div>",
    "<ScRiPt>x</sCrIpT>", "<meta http-equiv=refresh content='0;url=//evil'>", "<base href=//evil>", "<form action=//evil>", "<p>\n[x](javascript:x)\n</p>",
    "<div>\n[x](javascript:x)\n</div>", "<div>\n```\n</div>\n<script>x</script>", "<pre>\n\n<div onclick=x>\n\n```",
    "a\n<div>\n<script>x</script>\n</div>", "<div>\n<script>x</script>", "<div>", "a\n<div>\n<b onclick=x>", "<div> <script>x</script>",
    "x\n\n<div>\n<script>x</script>", "a\n<p>\n[x](javascript:x)", "<div", "<", "<scr", "a\n<pre>\n<script>x</script>", "\\", "a\\", "[x](", "<!--",
    "<!-- \n<script>x</script>", "``` <script>x</script>", "~~~\n<script>x</script>", "a\n\n    <script>x</script>", "- <div>\n  <script>x</script>",
    "&lt;script>", "<div>\n\\<script>x</script>", "<b>\n<script>x</script>", "</div>\n<script>x</script>", "# <div>\n<script>x</script>",
    "<div>\n<a<b onclick=x>", "<div>\n<https://x onclick=x>", " <div>\n<script>x</script>", " > <div>\n> <b onclick=x>", "<me@example.org>", "<p>\n<!-- hides", "<!-- a\nb -->", "<!-->\n<script>x</script>-->", "<!-- a --> <script>x</script> -->", "<!-- --!>\n<script>x</script>-->",
]
KEPT = {"schema", "case", "vendor", "id", "archive", "sha256", "date", "key"}


def everywhere(value, text):
    if isinstance(value, dict):
        return {k: v if k in KEPT else everywhere(v, text) for k, v in value.items()}
    if isinstance(value, list):
        return [everywhere(v, text) for v in value]
    return text if isinstance(value, str) else value


def save(r):
    to = pathlib.Path(sys.argv[2], "results", r["vendor"])
    to.mkdir(parents=True, exist_ok=True)
    (to / f"{r['case']}.json").write_text(json.dumps(r, ensure_ascii=False))


record = json.loads(pathlib.Path(sys.argv[1]).read_text())
for i, text in enumerate(vectors):
    r = json.loads(json.dumps(record))
    r["case"] = f"v{i:02}"
    r["performance"].insert(0, {"text": text})
    r["preamble"] = text
    save(r)
    save(everywhere(record, text) | {"case": f"w{i:02}"})
print(len(vectors))
PY
n=$(python3 vectors.py "$top/tests/golden/build/records/results/acme/toy.json" first)
for folder in first second; do
    mkdir -p $folder && for kind in vendors models accelerators; do cp -R "$top/tests/golden/build/records/$kind" $folder/; done
done
check "pages of $n texts" "$FPREPORT" render -q --records first -o pages
check "there are as many" test "$(find pages -name README.md -path '*/[vw]*/*' | wc -l)" -eq $((2 * n))
check "none of them has anything live in it" live $(find pages -name '*.md' | sort)

# There and back: what a page says is the record, from the first import on.
there() { mkdir -p "$2" && for page in "$1"/acme/[vw]*/README.md; do "${3:-$FPREPORT}" import -q -o "$2/results" --vendor acme --case "$(basename "$(dirname "$page")")" "$page" 2>/dev/null; done; }
there pages second && check "all are imported" test "$(find second -name '[vw]*.json' | wc -l)" -eq $((2 * n))
"$FPREPORT" render -q --records second -o pages2 >/dev/null 2>&1 && there pages2 third "$PLAIN_PROGRAM" # the same pages: once with sanitizers
check "nor is there then" live $(find pages2 -name '*.md' | sort)
check "imported again they are the same records" diff -r second/results third/results
mkdir -p third && cp -R second/vendors second/models second/accelerators third/ && "$FPREPORT" render -q --records third -o pages3 >/dev/null 2>&1
check "and the same pages" diff -r pages3 pages2
check "blocks of code, comments, tags of words and addresses are as they were" python3 - second/results/acme <<'PY'
import json, pathlib, sys
texts = [json.loads(p.read_text()).get("preamble", "") for p in sorted(pathlib.Path(sys.argv[1]).glob("*.json"))]
for want in ("```\n<script>x</script>\n```", "<b>bold</b> and <br> and <https://example.org>", "<!-- a\nb -->"):
    assert any(want in t for t in texts), want
PY
plan_done
