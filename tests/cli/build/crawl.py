"""A site over HTTP, below a path, as a browser and a search engine go through it.

    crawl.py SITE URL    serves SITE (Python's http.server) at the path of URL on a free port of this
                         machine, and follows every link, asset, feed and line of the site map from its
                         top; addresses that begin with URL are asked here. Prints what is not there,
                         what leads out of the path, anchors that no page has; and how much was asked
"""
import functools
import http.server
import re
import sys
import threading
import urllib.error
import urllib.request
from html.parser import HTMLParser
from urllib.parse import unquote, urljoin, urlsplit

LINKS = ("href", "src", "xlink:href")


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.ids = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.links += [value for name, value in attributes if name in LINKS and value]
        self.ids |= {value for name, value in attributes if name == "id"}


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files below a path, and nothing beside it."""

    def __init__(self, *args, below, **more):
        self.below = below
        super().__init__(*args, **more)

    def translate_path(self, path):
        return super().translate_path(path[len(self.below) - 1:]) if path.startswith(self.below) else "/nowhere"

    def log_message(self, *args):
        pass


def get(address):
    try:
        with urllib.request.urlopen(address) as answer:
            return answer.status, answer.headers.get("Content-Type", ""), answer.read()
    except urllib.error.HTTPError as error:
        return error.code, "", b""


def crawl(here, url):
    """(address, what is wrong) of all that is reached; how many addresses, how many anchors."""
    seen, anchors, todo, wrong = {}, [], [here, here + "sitemap.xml", here + "404.html"], []
    while todo:
        address = todo.pop()
        if address in seen:
            continue
        status, kind, body = get(address)
        seen[address] = set()
        if status != 200:
            wrong.append((address, status))
            continue
        text = body.decode("utf-8") if re.search("html|xml", kind) or address.endswith(".atom") else ""
        page = Page(text) if "html" in kind else None
        seen[address] = page.ids if page else set()
        for link in page.links if page else re.findall(r'(?:href="|<loc>|<id>)([^"<]*)', text):
            to = urljoin(address, link)
            to = here + to[len(url):] if to.startswith(url) else to
            if urlsplit(to).netloc == urlsplit(here).netloc:
                if not to.startswith(here):
                    wrong.append((address, f"{link} leads out of the site"))
                todo.append(to.split("#")[0])
                anchors += [(address, to.split("#")[0], unquote(to.split("#")[1]))] if "#" in to else []
    wrong += [(a, f"{to} has no #{anchor}") for a, to, anchor in anchors if anchor not in seen.get(to, ())]
    return wrong, len(seen), len(anchors)


def main():
    site, url = sys.argv[1:]
    below = urlsplit(url).path
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=site, below=below))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    wrong, addresses, anchors = crawl(f"http://127.0.0.1:{server.server_port}{below}", url)
    server.shutdown()
    print(*(f"{address}: {what}" for address, what in wrong[:20]), sep="\n", end="\n" if wrong else "")
    print(f"{addresses} addresses, {anchors} anchors, {len(wrong)} faults")
    return 1 if wrong or addresses < 30 else 0


sys.exit(main())
