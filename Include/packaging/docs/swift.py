"""Writes Markdown of what DocC makes of Swift's modules: swift.py ARCHIVE... FOLDER, a page for each module and type.

DocC keeps a page of each symbol as data. Those of a type's members stand on the page of the type here, since most have
one sentence. What operators and other members a protocol of the standard library brings is left out.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LEFT_OUT = {"Default Implementations", "Operators"}
EVERY_TYPE = {"Copyable", "Escapable", "SendableMetatype"}
# What stands around the text of each kind of span.
SPANS = {"strong": "**", "emphasis": "*"}
LISTS = {"unorderedList": "- ", "orderedList": "1. "}
WIDTH = 88


def target(url: str) -> str:
    """The anchor of a symbol."""
    return "swift" + re.sub(r"[^a-z0-9]+", "-", url.removeprefix("/documentation").lower()).rstrip("-")


def escaped(text: str) -> str:
    """Text without a sign that Markdown knows."""
    return re.sub(r"([\\`*_\[\]<>{}#|])", r"\\\1", text)


class Archive:
    """The pages of DocC, by their identifiers."""

    def __init__(self, paths: list[Path]) -> None:
        self.symbols: dict[str, dict[str, Any]] = {}
        self.references: dict[str, dict[str, Any]] = {}
        for archive in paths:
            for path in sorted((archive / "data" / "documentation").rglob("*.json")):
                symbol = json.loads(path.read_text(encoding="utf-8"))
                self.symbols[symbol["identifier"]["url"]] = symbol
                self.references.update(symbol.get("references", {}))

    def url(self, identifier: str) -> str:
        """Where DocC has the page of a symbol."""
        return str(self.symbols[identifier]["variants"][0]["paths"][0])

    # -------------------------------------------------------------------------------------------------------- texts

    def span(self, part: dict[str, Any]) -> str:
        """A part of a paragraph."""
        kind = part["type"]
        if kind == "text":
            return escaped(part["text"])
        if kind == "codeVoice":
            return f"`{part['code']}`"
        if kind in SPANS:
            return SPANS[kind] + self.spans(part["inlineContent"]) + SPANS[kind]
        if kind == "reference":
            identifier = part["identifier"]
            title = self.references[identifier]["title"]
            if identifier in self.symbols:
                return f"[`{title}`](#{target(self.url(identifier))})"
            return f"[{escaped(title)}]({self.references[identifier]['url']})"
        raise ValueError(f"expected a known kind of span, got {kind}")

    def spans(self, parts: list[dict[str, Any]]) -> str:
        """The text of a paragraph."""
        return "".join(map(self.span, parts)).strip()

    def block(self, part: dict[str, Any], level: int) -> Iterator[str]:
        """The lines of a paragraph, a list, an example and so on."""
        kind = part["type"]
        if kind == "paragraph":
            yield from [self.spans(part["inlineContent"]), ""]
        elif kind == "heading":
            if part["text"] not in ("Overview", "Discussion"):
                yield from [f"{'#' * level} {escaped(part['text'])}" if level < 4 else f"**{part['text']}**", ""]
        elif kind == "codeListing":
            yield from [f"```{part.get('syntax') or 'swift'}", *part["code"], "```", ""]
        elif kind in LISTS:
            for item in part["items"]:
                lines = [line for each in item["content"] for line in self.block(each, level)]
                sign = LISTS[kind]
                yield from [(" " * len(sign) if place else sign) + line for place, line in enumerate(lines)]
        elif kind == "aside":
            lines = [line for each in part["content"] for line in self.block(each, level)]
            yield from [f"**{part['name']}:** {lines[0]}", *lines[1:]]
        elif kind == "table":
            rows = [[" ".join(self.cell(cell)) for cell in row] for row in part["rows"]]
            yield from (f"| {' | '.join(row)} |" for row in [rows[0], ["---"] * len(rows[0]), *rows[1:]])
            yield ""
        else:
            raise ValueError(f"expected a known kind of block, got {kind}")

    def cell(self, blocks: list[dict[str, Any]]) -> Iterator[str]:
        """The text of a table's cell."""
        return (line for part in blocks for line in self.block(part, 4) if line)

    # ------------------------------------------------------------------------------------------------------ symbols

    def declaration(self, symbol: dict[str, Any]) -> Iterator[str]:
        """The declaration, an argument in each line where it is long."""
        for section in symbol.get("primaryContentSections", []):
            for each in section.get("declarations", []):
                text = "".join(token["text"] for token in each["tokens"])
                text = text.replace("nonisolated(nonsending) ", "")
                if len(text) > WIDTH and "(" in text:
                    text = broken(text)
                yield from ["```swift", text, "```", ""]

    def description(self, symbol: dict[str, Any], level: int) -> Iterator[str]:
        """What is said of a symbol, with its declaration first."""
        yield from self.declaration(symbol)
        if symbol.get("abstract"):
            yield from [self.spans(symbol["abstract"]), ""]
        for section in symbol.get("primaryContentSections", []):
            if section["kind"] == "parameters":
                yield from (self.parameter(each) for each in section["parameters"])
                yield ""
            elif section["kind"] == "content":
                for part in section["content"]:
                    yield from self.block(part, level)
            elif section["kind"] not in ("declarations", "mentions"):
                raise ValueError(f"expected a known kind of section, got {section['kind']}")

    def parameter(self, parameter: dict[str, Any]) -> str:
        """A parameter, as an item of a list."""
        return f"- `{parameter['name']}`: {' '.join(self.cell(parameter['content']))}"

    def conforming(self, symbol: dict[str, Any]) -> Iterator[str]:
        """The protocols that a type conforms to, without those of every type."""
        for section in symbol.get("relationshipsSections", []):
            names = [self.references[each]["title"].removeprefix("Swift.") for each in section["identifiers"]]
            names = [name for name in names if name not in EVERY_TYPE]
            if names:
                yield from [f"{section['title']}: {', '.join(f'`{name}`' for name in names)}", ""]

    def page(self, identifier: str) -> Iterator[str]:
        """The page of a module or a type, with its members."""
        symbol = self.symbols[identifier]
        yield from [f"({target(self.url(identifier))})=", f"# {escaped(symbol['metadata']['title'])}", ""]
        yield from self.description(symbol, 2)
        yield from self.conforming(symbol)
        pages = []
        for title, members in self.topics(symbol):
            yield from [f"## {title}", ""]
            for each in members:
                if self.has_page(each):
                    pages.append(each)
                    yield self.entry(each)
                else:
                    yield from self.section(each)
            yield ""
        if pages:
            yield from ["```{toctree}", ":hidden:", ":titlesonly:", ""]
            yield from (f"{self.symbols[each]['metadata']['title']} </swift/{self.file(each)}>" for each in pages)
            yield "```"

    def section(self, identifier: str) -> Iterator[str]:
        """A member, on the page of its type."""
        symbol = self.symbols[identifier]
        yield from [f"({target(self.url(identifier))})=", f"### {escaped(symbol['metadata']['title'])}", ""]
        yield from self.description(symbol, 4)

    def entry(self, identifier: str) -> str:
        """A type with a page of its own, as an item of a list."""
        symbol = self.symbols[identifier]
        link = f"[`{symbol['metadata']['title']}`](#{target(self.url(identifier))})"
        return f"- {link}: {self.spans(symbol['abstract'])}" if symbol.get("abstract") else f"- {link}"

    def topics(self, symbol: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
        """The members by kind. Those that a module adds to a type of another stand on the module's own page."""
        for section in symbol.get("topicSections", []):
            if section["title"] in LEFT_OUT:
                continue
            if section["title"].startswith("Extended "):
                for each in section["identifiers"]:
                    extended = self.symbols[each]
                    of = "" if section["title"] == "Extended Modules" else f" of {extended['metadata']['title']}"
                    yield from ((title + of, members) for title, members in self.topics(extended))
            else:
                yield section["title"], [each for each in section["identifiers"] if each in self.symbols]

    def has_page(self, identifier: str) -> bool:
        """Whether a symbol is a type with members of its own."""
        return any(self.topics(self.symbols[identifier]))

    def file(self, identifier: str) -> str:
        """The name of the page of a module or a type."""
        return target(self.url(identifier)).removeprefix("swift-")

    def below(self, identifier: str) -> Iterator[str]:
        """A module or a type and the types inside."""
        yield identifier
        for _, members in self.topics(self.symbols[identifier]):
            for each in members:
                if self.has_page(each):
                    yield from self.below(each)


def broken(text: str) -> str:
    """A declaration of a function or an initializer with each argument in a line of its own."""
    name = re.search(r"\b(?:func|init)\b[^(]*\(", text)
    if not name:
        return text
    lines, depth = [""], 1
    for end in range(name.end(), len(text)):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(text[end], 0)
        if depth == 0:
            return text[: name.end()] + "".join(f"\n    {line.strip()}" for line in lines) + "\n" + text[end:]
        lines[-1] += text[end]
        if depth == 1 and text[end] == ",":
            lines.append("")
    return text


def main() -> None:
    """Writes all pages, and a list of the modules."""
    archive, folder = Archive([Path(path) for path in sys.argv[1:-1]]), Path(sys.argv[-1])
    folder.mkdir(parents=True, exist_ok=True)
    modules = [name for name, symbol in archive.symbols.items() if symbol["metadata"].get("symbolKind") == "module"]
    for module in modules:
        for identifier in archive.below(module):
            text = "\n".join(archive.page(identifier)) + "\n"
            (folder / f"{archive.file(identifier)}.md").write_text(text, encoding="utf-8")
    listed = "\n".join(f"/swift/{archive.file(module)}" for module in modules)
    (folder / "index.md").write_text(
        f"# Swift\n\nThe modules of the package: `SKAN` has the engine, the others are companions.\n\n"
        f"```{{toctree}}\n:titlesonly:\n:maxdepth: 2\n\n{listed}\n```\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
