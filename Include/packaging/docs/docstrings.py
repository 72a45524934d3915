"""Makes reStructuredText, which Sphinx reads, of the package's docstrings, which are in Markdown."""

from __future__ import annotations

import re

CODE = re.compile(r"(`[^`]*`)")
# What reStructuredText would take for markup. `names` mean the same in both.
MARKUP = re.compile(r"([*|\\]|(?<=\w)_(?!\w))")


def escaped(line: str) -> str:
    """A line of text in which only names between backticks are markup."""
    return "".join(part if part.startswith("`") else MARKUP.sub(r"\\\1", part) for part in CODE.split(line))


def is_item(line: str) -> bool:
    """Whether a line begins an item of a list."""
    return line.startswith("- ")


def restructured(app: object, kind: str, name: str, subject: object, options: object, lines: list[str]) -> None:
    """Rewrites the lines of a docstring: code stands after an empty line, in four columns."""
    found: list[str] = []
    is_code = False
    for line in lines:
        before = found[-1] if found else ""
        begins_code = line.startswith("    ") and not before.strip() and not is_code
        is_code = (line.startswith("    ") and (is_code or begins_code)) or (is_code and not line.strip())
        if begins_code:
            found += ["::", ""]
        if is_item(line) and before.strip() and not before.startswith(("- ", "  ")):
            found.append("")
        found.append(line if is_code else escaped(line))
    lines[:] = [*found, ""]
