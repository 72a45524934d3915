"""Writes a page for each command of skan: manual.py COMMAND FOLDER. mandoc shows the command's own manual pages."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

SECTION = re.compile(r'<section class="Sh">\s*<h1 class="Sh"[^>]*><a[^>]*>(.*?)</a></h1>(.*?)</section>', re.DOTALL)
# An option in a text; one that begins a row stands in <b>.
OPTION = re.compile(r"(?<![\w>-])(--[a-z][a-z-]*)")
PAGE = re.compile(r"<b>(skan(?:-[a-z]+)*)</b>\(1\)")


def run(*words: str, given: str = "") -> str:
    """What a program prints. One that completes words exits with 1 where it knows none."""
    return subprocess.run(words, input=given, stdout=subprocess.PIPE, text=True, check="--complete" not in words).stdout


def commands(skan: str) -> list[tuple[list[str], str]]:
    """All commands, those of two words too, as ["model", "check"], each with what it does."""

    def words(*before: str) -> list[list[str]]:
        return [line.split("\t") for line in run(skan, "help", "--complete", *before, "").splitlines()]

    found = []
    for word, text in words():
        found += [([word, part], text) for part, text in words(word)] or [([word], text)]
    return found


def page(skan: str, command: list[str]) -> str:
    """The page of a command, in Markdown around mandoc's HTML."""
    manual = run("mandoc", "-T", "html", "-O", "fragment", given=run(skan, "help", "--man", *command))
    lines = ["# " + " ".join(["skan", *command]), ""]
    for heading, body in SECTION.findall(manual):
        heading = " ".join(heading.split()).capitalize()
        if heading == "Name":
            body = re.sub(r">[^<]*? - (\w)", lambda found: ">" + found[1].upper(), body, count=1).replace(
                "</p>", ".</p>"
            )
        else:
            lines += [f"## {heading}", ""]
        body = OPTION.sub(r'<code class="option">\1</code>', body)
        body = re.sub(r"\s*<br/>\n?", "\n", body)
        body = PAGE.sub(lambda found: f'<a href="{found[1]}.html">{found[1].replace("-", " ")}</a>', body)
        body = re.sub(r'<a class="permalink" href="[^"]*">(.*?)</a>', r"\1", body, flags=re.DOTALL)
        body = re.sub(r' id="[^"]*"', "", body)
        lines += [
            "````{raw} html",
            f'<div class="manual {heading.lower().partition(" ")[0]}">{body.strip()}</div>',
            "````",
            "",
        ]
    return "\n".join(lines)


def main() -> None:
    """Writes all pages, and a list of them."""
    skan, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "skan.md").write_text(page(skan, []), encoding="utf-8")
    lines = ["# The command", "", "The manual pages of `skan`, which `man skan` shows where it is installed.", ""]
    lines += ["- [skan](skan.md): stores, exit codes and what all commands share"]
    names = ["skan"]
    for command, text in commands(skan):
        names.append("-".join(["skan", *command]))
        (folder / f"{names[-1]}.md").write_text(page(skan, command), encoding="utf-8")
        lines.append(f"- [skan {' '.join(command)}]({names[-1]}.md): {text}")
    lines += ["", "```{toctree}", ":hidden:", "", *names, "```", ""]
    (folder / "index.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
