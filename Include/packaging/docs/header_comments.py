"""Makes Doxygen's comments of those of a C header: header_comments.py HEADER, to standard output.

The headers are written for people who read them as they are, with lists and examples aligned by hand. Doxygen is given
the first sentence of a comment as its summary, and the whole comment as preformatted text.
"""

import html
import re
import sys
from pathlib import Path

COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
LEADER = re.compile(r"^[ \t]*\*[ \t]?", re.MULTILINE)
RULER = re.compile(r"-{8,} *(\S.*\S)\s*")
SENTENCE = re.compile(r"(.+?\.)(?:\s|$)", re.DOTALL)
LIST = re.compile(r"^([ ]*)(?=[-+] )", re.MULTILINE)


def escaped(text: str) -> str:
    """Text in which nothing is a command or a link but names that Doxygen knows."""
    return LIST.sub(r"\1\\", re.sub(r"([@\\#%])", r"\\\1", html.escape(text, quote=False)))


def documentation(comment: str, begins: bool, header: str) -> str:
    """A comment in Doxygen's form; `begins`: nothing but spaces stands before it in its line."""
    text = LEADER.sub("", comment).strip("\n").strip()
    if not begins:
        return f"/**< {escaped(' '.join(text.split()))} */"
    place = ""
    if text.startswith(f"{header} - "):
        text = text.removeprefix(f"{header} - ")
        place, text = f"@file {header}\n", text[:1].upper() + text[1:]
    sentence = SENTENCE.match(text)
    summary = " ".join((sentence.group(1) if sentence else text).split())
    rest = f"\n\n<pre>\n{escaped(text)}\n</pre>" if " ".join(text.split()) != summary else ""
    return f"/** {place}@brief {escaped(summary)}{rest} */"


def is_heading(comment: re.Match[str], text: str) -> bool:
    """Whether a comment is of a part of the header, or repeats its guard's name: no declaration follows it."""
    if comment.start() == 0:
        return False
    return (
        RULER.fullmatch(comment.group(1).strip()) is not None
        or text.startswith("\n\n", comment.end())
        or text[: comment.start()].endswith("#endif ")
    )


def documented(text: str, header: str) -> str:
    found: list[str] = []
    end = 0
    for comment in COMMENT.finditer(text):
        begins = text[text.rfind("\n", 0, comment.start()) + 1 : comment.start()].strip() == ""
        found.append(text[end : comment.start()])
        if not is_heading(comment, text):
            found.append(documentation(comment.group(1), begins, header))
        end = comment.end()
    return "".join(found) + text[end:]


if __name__ == "__main__":
    path = Path(sys.argv[1])
    sys.stdout.write(documented(path.read_text(encoding="utf-8"), path.name))
