# SPDX-License-Identifier: LGPL-2.1-or-later
"""A static site has no dead link, needs nothing from elsewhere, and all of it can be reached: links.py DIRECTORY"""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loaded = set(), [], []
        self.open = []
        self.faults = []
        self.feed(text)
        self.faults += [f"<{tag}> is not closed" for tag in self.open]

    VOID = ("meta", "link", "br", "hr", "img", "col")

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if "id" in attrs:
            self.ids.add(attrs["id"])
        if tag == "a" and "href" in attrs:
            self.links.append(attrs["href"])
        elif tag == "link":
            self.loaded.append(attrs["href"])
        elif "src" in attrs:
            self.loaded.append(attrs["src"])
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> where {self.open[-1:]} is open")
        else:
            self.open.pop()


def main():
    top = pathlib.Path(sys.argv[1]).resolve()
    pages = {p: Page(p.read_text(encoding="utf-8")) for p in sorted(top.rglob("*.html"))}
    faults, n, reached = [], 0, {top / "index.html"}
    for path, page in pages.items():
        faults += [f"{path.name}: {fault}" for fault in page.faults]
        faults += [f"{path.name}: {url} is loaded from elsewhere" for url in page.loaded if not (path.parent / url).is_file()]
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme:
                continue
            n += 1
            target = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            if target not in pages:
                faults.append(f"{path.name}: {link}: no such page")
            elif url.fragment and urllib.parse.unquote(url.fragment) not in pages[target].ids:
                faults.append(f"{path.name}: {link}: no such section")
            reached.add(target)
    faults += [f"{path.name}: no page has a link to it" for path in pages if path not in reached]
    for fault in faults:
        print(f"FAIL: {fault}")
    print(f"{len(pages)} pages, {n} links")
    return 1 if faults or n < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
