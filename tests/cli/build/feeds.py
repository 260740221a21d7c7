"""Feeds and site map of a built site, by the words of their specifications: RFC 4287 and sitemaps.org."""
import datetime
import re
import xml.etree.ElementTree as ET
from urllib.parse import urlsplit

ATOM = "{http://www.w3.org/2005/Atom}"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
# RFC 4287, 4.1.1 and 4.1.2: what is there once, and what at most once.
ONCE = ("id", "title", "updated")
AT_MOST_ONCE = {"feed": ("generator", "icon", "logo", "rights", "subtitle"), "entry": ("content", "published", "rights", "source", "summary")}


def is_date(text):
    """Of RFC 3339, and a day of the calendar."""
    try:
        return bool(re.fullmatch(r"[-\d]{10}T[:\d]{8}Z", text)) and datetime.datetime.fromisoformat(text[:-1]).year > 1970
    except ValueError:
        return False


def check_element(path, element, url):
    """One feed or entry: what RFC 4287 asks of it, and links that lead somewhere, whole where the site has an address."""
    kind = element.tag.removeprefix(ATOM)
    found = [child.tag.removeprefix(ATOM) for child in element]
    for child in ONCE:
        if found.count(child) != 1 or not (element.findtext(ATOM + child) or "").strip():
            yield f"{path}: a {kind} has {found.count(child)} {child}, or an empty one"
    for child in AT_MOST_ONCE[kind]:
        if found.count(child) > 1:
            yield f"{path}: a {kind} has {found.count(child)} {child}"
    if not is_date(element.findtext(ATOM + "updated") or ""):
        yield f"{path}: updated {element.findtext(ATOM + 'updated')!r}"
    if not urlsplit(element.findtext(ATOM + "id") or "").scheme:
        yield f"{path}: the id {element.findtext(ATOM + 'id')!r} is no IRI"
    links = [(link.get("rel") or "alternate", link.get("type"), link.get("hreflang"), link.get("href") or "") for link in element.findall(ATOM + "link")]
    if len({one[:3] for one in links}) != len(links) or "alternate" not in {one[0] for one in links}:
        yield f"{path}: links {links}"
    for *_, href in links:
        if url and not href.startswith(url):
            yield f"{path}: {href} is no address of {url}"
        elif not url and (urlsplit(href).scheme or not (path.parent / href).is_file()):
            yield f"{path}: {href} leads nowhere"


def check_feeds(root):
    home = re.search(r'<link rel="canonical" href="(.*)en/index.html">', (root / "en/index.html").read_text("utf-8"))
    url = home[1] if home else ""
    for path in sorted(root.rglob("*.atom")):
        feed = ET.fromstring(path.read_bytes())
        if feed.tag != ATOM + "feed":
            yield f"{path}: a {feed.tag}"
        entries = feed.findall(ATOM + "entry")
        for element in [feed, *entries]:
            yield from check_element(path, element, url)
        if not feed.findtext(f"{ATOM}author/{ATOM}name"):
            yield f"{path}: no author"
        if "self" not in [link.get("rel") for link in feed.findall(ATOM + "link")]:
            yield f"{path}: no link to itself"
        ids = [element.findtext(ATOM + "id") for element in [feed, *entries]]
        if len(set(ids)) != len(ids):
            yield f"{path}: an id twice"
        dates = [entry.findtext(ATOM + "updated") for entry in entries]
        if dates != sorted(dates, reverse=True) or dates and feed.findtext(ATOM + "updated") != dates[0]:
            yield f"{path}: not the newest first, or not updated with it"
    yield from check_sitemap(root, url)


def check_sitemap(root, url):
    """Within the limits of sitemaps.org, of pages below its own address, each naming the other language's."""
    path = root / "sitemap.xml"
    if not path.exists():  # it would have to hold whole addresses
        if "Sitemap:" in (root / "robots.txt").read_text():
            yield "robots.txt: names a site map that is not there"
        return
    others = {}
    for one in [path, *root.glob("sitemap-*.xml")]:
        top = ET.fromstring(one.read_bytes())
        if one.stat().st_size > 50 << 20 or len(top) > 50000 or top.tag not in (SITEMAP + "urlset", SITEMAP + "sitemapindex"):
            yield f"{one.name}: {one.stat().st_size} bytes, {len(top)} in a {top.tag}"
        for entry in top:
            kind = "url" if top.tag == SITEMAP + "urlset" else "sitemap"
            own = [child.tag for child in entry if child.tag.startswith(SITEMAP)]
            if entry.tag != SITEMAP + kind or own != [SITEMAP + "loc"]:
                yield f"{one.name}: a {entry.tag} with {own}"
        for entry in top.findall(SITEMAP + "url"):
            loc = entry.findtext(SITEMAP + "loc") or ""
            if not re.fullmatch(r"https?://[!-;=?-~]+", loc):
                yield f"{one.name}: {loc!r} is no whole address (RFC 3986)"
            for link in entry.findall("{http://www.w3.org/1999/xhtml}link"):
                lang = {"zh-CN": "zh", "en": "en"}.get(link.get("hreflang"))
                if link.get("rel") != "alternate" or not (link.get("href") or "").startswith(f"{url}{lang}/"):
                    yield f"{one.name}: {link.attrib}"
            if len(loc) >= 2048 or not loc.startswith(url) or "#" in loc or loc in others:
                yield f"{one.name}: {loc}"
            others[loc] = [link.get("href") for link in entry.findall("{http://www.w3.org/1999/xhtml}link")]
    for loc, links in others.items():
        if not links or any(loc not in others.get(link, ()) for link in links):
            yield f"sitemap: {loc} and {links} do not name each other"
    pages = {url + str(p.relative_to(root)) for lang in ("zh", "en") for p in (root / lang).rglob("*.html")}
    if others.keys() != pages:
        yield f"sitemap.xml: lists other pages than there are: {sorted(others.keys() ^ pages)[:3]}"
