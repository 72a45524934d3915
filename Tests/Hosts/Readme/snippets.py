"""The code that README shows: every block between ``` and ```, as it stands."""

import re
from dataclasses import dataclass
from pathlib import Path

IMPORT = re.compile(r"(#include|import|from) ")


@dataclass(frozen=True)
class Snippet:
    section: str
    language: str
    line: int  # of README, of its first line of code
    name: str  # "Try it: sh", the next one of that section and language "Try it: sh 2"
    text: str

    @property
    def imports(self):
        """The lines up to the last import; the code is what comes after them."""
        return max((i + 1 for i, line in enumerate(self.text.splitlines()) if IMPORT.match(line)), default=0)


def read(path):
    """All snippets of a README, in their order. Code that is not between fences with a language is refused: nothing
    here would see it."""
    found, section, language, begun = [], "", None, 0
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            if language is None:
                language, begun = line[3:], number
                if not language:
                    raise ValueError(f"{path}:{number}: code without a language")
            else:
                before = sum((each.section, each.language) == (section, language) for each in found)
                name = f"{section}: {language}" + (f" {before + 1}" if before else "")
                found.append(Snippet(section, language, begun + 1, name, "\n".join(lines[begun : number - 1]) + "\n"))
                language = None
        elif language is None and line.startswith("## "):
            section = line[3:]
        elif language is None and line.startswith(("    ", "\t", "~~~")):
            raise ValueError(f"{path}:{number}: code that is not between ``` and ```")
    if language is not None:
        raise ValueError(f"{path}:{begun}: code without an end")
    return found


def filled(snippet, template):
    """The template's text with the snippet in place of its two marks, alone in a line each: "// README: imports" and
    "// README: code". Compilers name README's lines where something is wrong there."""
    template = Path(template)
    comment = "# " if snippet.language == "python" else "// "
    lines = snippet.text.splitlines()
    parts = {
        comment + "README: imports": (0, lines[: snippet.imports]),
        comment + "README: code": (snippet.imports, lines[snippet.imports :]),
    }
    text = []
    for number, line in enumerate(template.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip() not in parts:
            text.append(line)
            continue
        offset, code = parts.pop(line.strip())
        places = {
            "c": ('#line {} "{}"', ""),
            "cpp": ('#line {} "{}"', ""),
            "swift": ('#sourceLocation(file: "{1}", line: {0})', "#sourceLocation()"),
        }.get(snippet.language, ("", ""))
        text += [places[0].format(snippet.line + offset, "README.md"), *code]
        text.append(places[1] or places[0].format(number + 1, template.name))
    if parts:
        raise ValueError(f"{template}: without {', '.join(parts)}")
    return "\n".join(text) + "\n"
