"""README's quick starts, as a user writes them down."""

import sys
from pathlib import Path

from machine import TOP

README = TOP / "Tests" / "Hosts" / "Readme"
sys.path.insert(0, str(README))
import snippets  # noqa: E402

SNIPPETS = {snippet.name: snippet for snippet in snippets.read(TOP / "README.md")}
WHERE = {"C: c": "quick_start.c", "C++: cpp": "quick_start.cpp", "Python: python": "quick_start.py"}
WARNINGS = "-Wall -Wextra -pedantic -Werror"
C_AND_CPP = [(f"cc -std=c11 {WARNINGS}", "quick_start.c"), (f"c++ -std=c++17 {WARNINGS}", "quick_start.cpp")]
# What the served endpoint needs, and README's line with the file's place on a machine.
SERVE = "skan serve --model mixed.json"
MODEL = TOP / "Sources" / "SKANModels" / "mixed.json"


def written(folder: Path, url: str) -> None:
    """The quick starts in C, C++ and Python, with the URL of an endpoint and a key in place of README's."""
    for name, template in WHERE.items():
        text = snippets.filled(SNIPPETS[name], README / template)
        text = text.replace("https://skan.example.com", url).replace('"…"', '"a-key"')
        (folder / template).write_text(text, encoding="utf-8")
