"""Makes Doxygen's comments of those of a C or C++ header: header_comments.py HEADER, to standard output.

The headers are written for people who read them as they are: with lists, and with examples and columns aligned by hand.
Doxygen is given the same in its own Markdown.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
LEADER = re.compile(r"^[ \t]*\*[ \t]?", re.MULTILINE)
RULER = re.compile(r"-{8,} *(\S.*\S)\s*")
# A value of an enum with a comment of its own behind it.
VALUE = re.compile(r"\n +SKAN_\w+ = -?\d+,? +/\*")
SPAN = re.compile(r"(`[^`\n]*`|\"[^\"\n]*\")")
# A name and what is said of it, in columns of their own.
ROW = re.compile(r"  (\S.*?)  +(\S.*)")


def escaped(text: str) -> str:
    """Text in which nothing is a command, markup or a link. What is quoted is none for Doxygen anyway."""
    parts = SPAN.split(text)
    return "".join(
        part if part.startswith(("`", '"')) else re.sub(r"([@\\#%<>*&]|__|--)", r"\\\1", part) for part in parts
    )


def block(lines: list[str], indent: str) -> Iterator[str]:
    """Lines that stay as they are: an example, or columns that were aligned by hand."""
    least = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    yield from ["", indent + "@verbatim", *(indent + line[least:] for line in lines), indent + "@endverbatim", ""]


def marked(lines: list[str]) -> Iterator[str]:
    """The lines of a comment in Markdown."""
    kept: list[str] = []
    item = ""  # the columns that what belongs to the item of a list begins with
    for line in [*lines, ""]:
        text = line.strip()
        column = len(line) - len(line.lstrip())
        row = ROW.fullmatch(line)
        if item == "row" and column > 4 and not kept:
            yield "  " + escaped(text)
            continue
        if column >= (6 if item == "list" else 4) or (kept and not text):
            kept.append(line)
            continue
        if kept:
            while not kept[-1].strip():
                kept.pop()
            yield from block(kept, "  " if item else "")
            kept = []
        if not text:
            item = "" if item == "row" else item
            yield ""
        elif row:
            if item != "row":
                yield ""
            item = "row"
            yield f"- `{row[1]}`: {escaped(row[2])}"
        elif text.startswith("- "):
            if item != "list":
                yield ""
            item = "list"
            yield "- " + escaped(text[2:])
        else:
            if item and column < 2:
                item = ""
                yield ""
            yield ("  " if item else "") + escaped(text)


def documentation(comment: str, begins: bool, header: str) -> str:
    """A comment in Doxygen's form; `begins`: nothing but spaces stands before it in its line."""
    text = LEADER.sub("", comment).strip("\n").rstrip()
    if not begins:
        return f"/**< {escaped(' '.join(text.split()))} */"
    text = text.lstrip()
    place = ""
    if text.startswith(f"{header} - "):
        text = text.removeprefix(f"{header} - ")
        place = f"@file {header}\n"
        text = text if text.startswith("libskan") else text[:1].upper() + text[1:]
    return f"/** {place}{chr(10).join(marked(text.split(chr(10))))} */"


def begins_line(comment: re.Match[str], text: str) -> bool:
    """Whether nothing but spaces stands before a comment in its line."""
    return text[text.rfind("\n", 0, comment.start()) + 1 : comment.start()].strip() == ""


def is_heading(comment: re.Match[str], text: str) -> bool:
    """Whether a comment is of a part of the header, or of several values of an enum, or repeats its guard's name."""
    if comment.start() == 0 or not begins_line(comment, text):
        return text[: comment.start()].endswith("#endif ")
    return (
        RULER.fullmatch(comment.group(1).strip()) is not None
        or text.startswith("\n\n", comment.end())
        or VALUE.match(text, comment.end()) is not None
    )


def documented(text: str, header: str) -> str:
    """The header with Doxygen's comments, beside those that describe no declaration."""
    found: list[str] = []
    end = 0
    for comment in COMMENT.finditer(text):
        found.append(text[end : comment.start()])
        found.append(
            comment[0] if is_heading(comment, text) else documentation(comment[1], begins_line(comment, text), header)
        )
        end = comment.end()
    return "".join(found) + text[end:]


if __name__ == "__main__":
    path = Path(sys.argv[1])
    sys.stdout.write(documented(path.read_text(encoding="utf-8"), path.name))
