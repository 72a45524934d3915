"""Finds links of a static site that lead nowhere: links.py SITE. Links to other sites are not followed.

DocC's pages are data that a script shows, so their links are taken from the data.
"""

import json
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if value and name in {"id", "name"}:
                self.anchors.add(value)
            if value and (tag, name) in {("a", "href"), ("img", "src"), ("link", "href"), ("script", "src")}:
                self.links.append(value)


def urls(data: object) -> Iterator[str]:
    """Where DocC's data have pages: the values of all members `url`."""
    if isinstance(data, dict):
        if isinstance(data.get("url"), str) and data.get("type") != "image":
            yield data["url"]
        for value in data.values():
            yield from urls(value)
    elif isinstance(data, list):
        for value in data:
            yield from urls(value)


def has_anchor(page: Page, name: str) -> bool:
    """Whether a page has this anchor, or that of the class whose inherited member it names, as pdoc's pages do."""
    return name in page.anchors or name.rpartition(".")[0] in page.anchors


def wrong_of_pages(site: Path) -> Iterator[str]:
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html") if "swift" not in path.parts}
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or link.startswith("javascript:"):
                continue
            target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                yield f"{path}: {link}"
            elif parts.fragment and target in pages and not has_anchor(pages[target], unquote(parts.fragment)):
                yield f"{path}: {link} has no such anchor"


def wrong_of_data(site: Path) -> Iterator[str]:
    folder = site / "swift" / "data" / "documentation"
    pages = {"/documentation" + str(path.relative_to(folder).with_suffix("")).join(("/", "")) for path in
             folder.rglob("*.json")} | {"/documentation", "/documentation/"}
    for path in folder.rglob("*.json"):
        for url in urls(json.loads(path.read_text(encoding="utf-8"))):
            if url.startswith("/") and urlsplit(url).path.rstrip("/").lower() not in pages:
                yield f"{path}: {url}"


if __name__ == "__main__":
    root = Path(sys.argv[1]).resolve()
    wrong = sorted({*wrong_of_pages(root), *wrong_of_data(root)})
    sys.stdout.write("".join(f"{line}\n" for line in wrong))
    sys.stdout.write(f"links: {len(wrong)} lead nowhere\n")
    sys.exit(1 if wrong else 0)
