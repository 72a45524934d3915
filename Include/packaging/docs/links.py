"""Finds links of a static site that lead nowhere: links.py SITE. Links to other sites are not followed."""

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LINKS = {("a", "href"), ("img", "src"), ("link", "href"), ("script", "src")}


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Notes what a tag leads to, and its own anchor."""
        for name, value in attributes:
            if value and name in {"id", "name"}:
                self.anchors.add(value)
            if value and (tag, name) in LINKS:
                self.links.append(value)


def wrong_links(site: Path) -> Iterator[str]:
    """The links that lead nowhere, each with its page."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
            if not target.is_file():
                yield f"{path}: {link}"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                yield f"{path}: {link} has no such anchor"


if __name__ == "__main__":
    wrong = sorted(set(wrong_links(Path(sys.argv[1]).resolve())))
    sys.stdout.write("".join(f"{line}\n" for line in wrong))
    sys.stdout.write(f"links: {len(wrong)} lead nowhere\n")
    sys.exit(1 if wrong else 0)
