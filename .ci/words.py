"""The words of doc comments: words.py [SOURCE TREE]. Any fault is an error.

The first sentence of a doc comment is a noun phrase with its noun, or a sentence with its verb. What begins with "Of" or
"By" is neither, and what begins with another preposition or conjunction needs a clause behind a comma. Nor has a doc
comment a word that the project has a plainer one for.
"""

import re
import sys
from pathlib import Path

ALWAYS = {"Of", "By", "That", "Which", "Who", "Whose", "Also", "Not", "Or", "And", "Only"}
WITHOUT_CLAUSE = {
    "In", "Where", "As", "When", "With", "For", "From", "To", "On", "At", "Without", "Before", "After", "Between",
    "Until", "Once", "Behind", "Under", "While", "Beside", "Over", "Since", "Around", "Among", "Above", "Below",
    "Beyond", "Within", "Through", "Per", "Like", "If", "Because", "Against", "During", "Along", "Inside", "Outside",
}
# What a reader has to guess, and what is plainer.
RIDDLES = {
    r"longest ago": "least recently",
    r"\bkept apart\b": "refused, stored separately",
    r"\bsightings?\b": "observed postback",
    r"\bof itself\b": "by default, otherwise",
    r"\bof one's own\b": "of your own",
    r"\bwhat strangers send\b": "untrusted input",
}


def comments(text: str) -> list[tuple[int, str]]:
    """Doc comments, each with its line."""
    found: list[tuple[int, str]] = []
    is_open = False
    for number, line in enumerate(text.split("\n"), 1):
        part = re.match(r"\s*///(?: (.*))?$", line)
        if part and is_open:
            found[-1] = (found[-1][0], f"{found[-1][1]} {part[1] or ''}")
        elif part:
            found.append((number, part[1] or ""))
        is_open = part is not None
    return found


def is_fragment(comment: str) -> bool:
    sentence = re.split(r"(?<=[.:;!?])(?:\s|$)", comment, maxsplit=1)[0]
    first = sentence.split(" ")[0].rstrip(",.:;")
    if first in ALWAYS:
        return True
    return first in WITHOUT_CLAUSE and not re.search(r", (?:\S+ ){2}", sentence)


def faults(comment: str) -> list[str]:
    matches = ((plainer, re.search(riddle, comment)) for riddle, plainer in RIDDLES.items())
    found = [f"expected {plainer}, got {match[0]}" for plainer, match in matches if match]
    return [f'expected a noun or a sentence, got "{comment[:60]}"', *found] if is_fragment(comment) else found


def main() -> int:
    tree = Path(sys.argv[1]) if len(sys.argv) > 1 else Path()
    comment_count = fault_count = 0
    for path in sorted((tree / "Sources").rglob("*.swift")) + sorted((tree / "Tests").rglob("*.swift")):
        for line, comment in comments(path.read_text()):
            comment_count += 1
            for fault in faults(comment):
                fault_count += 1
                print(f"{path.relative_to(tree)}:{line}: {fault}")
    print(f"words: {comment_count} doc comments, {fault_count} faults")
    return 1 if fault_count else 0


if __name__ == "__main__":
    sys.exit(main())
