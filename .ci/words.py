"""The words of doc comments: words.py [SOURCE TREE].

The first sentence of a doc comment is a noun phrase with its noun, or a sentence with its verb. What begins with "Of" or
"By" is neither, and what begins with another preposition or conjunction needs a clause behind a comma. Nor has a doc
comment a word that the project has a plainer one for. Folders that have both are listed with how many: there may be fewer,
and never more.
"""

import re
import sys
from collections import Counter
from pathlib import Path

ALWAYS = {"Of", "By", "That", "Which", "Who", "Whose", "Also", "Not", "Or", "And", "Only"}
WITHOUT_CLAUSE = {
    "In", "Where", "As", "When", "With", "For", "From", "To", "On", "At", "Without", "Before", "After", "Between",
    "Until", "Once", "Behind", "Under", "While", "Beside", "Over",
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
# Of folders that are not mended yet: fragments, riddles.
ALLOWED = {
    "Sources/Command/Outbox": (33, 0),
    "Sources/Command/Records": (8, 1),
    "Sources/Command/Report": (140, 3),
    "Sources/Command/Server": (86, 3),
    "Sources/Command/Stores": (7, 0),
    "Tests/Command/Faulty": (1, 0),
    "Tests/Command/Truth": (13, 0),
    "Tests/Core/Engine": (1, 0),
    "Tests/Core/Rules": (6, 0),
    "Tests/Core/Support": (4, 0),
    "Tests/Core/Swift": (6, 0),
    "Tests/HTTP/Swift": (1, 0),
    "Tests/Hosts/SwiftPackage": (3, 0),
    "Tests/Kit": (8, 0),
    "Tests/Postbacks/Receive": (2, 0),
    "Tests/Postbacks/Verify": (2, 0),
    "Tests/Stores/Pool": (1, 0),
    "Tests/Stores/Postgres": (1, 0),
    "Tests/Stores/Redis": (1, 0),
    "Tests/Stores/Swift": (2, 0),
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


def folder_of(path: Path) -> str:
    return "/".join(path.parts[:3]) if len(path.parts) > 3 else "/".join(path.parts[:-1])


def main() -> int:
    tree = Path(sys.argv[1]) if len(sys.argv) > 1 else Path()
    found: dict[str, list[list[str]]] = {}
    count = 0
    for path in sorted((tree / "Sources").rglob("*.swift")) + sorted((tree / "Tests").rglob("*.swift")):
        faults = found.setdefault(folder_of(path.relative_to(tree)), [[], []])
        for line, comment in comments(path.read_text()):
            count += 1
            place = f"{path.relative_to(tree)}:{line}"
            if is_fragment(comment):
                faults[0].append(f'{place}: expected a noun or a sentence, got "{comment[:60]}"')
            for riddle, plainer in RIDDLES.items():
                if re.search(riddle, comment):
                    faults[1].append(f"{place}: expected {plainer}, got {re.search(riddle, comment)[0]}")
    told = 0
    for folder, faults in sorted(found.items()):
        for kind, allowed in zip(faults, ALLOWED.get(folder, (0, 0)), strict=True):
            if len(kind) > allowed:
                print(f"{folder}: {len(kind)}, where {allowed} were left:")
                print(*kind, sep="\n")
                told += len(kind) - allowed
    if "--count" in sys.argv:
        counts = Counter({folder: (len(one), len(other)) for folder, (one, other) in found.items() if one or other})
        print(*(f'    "{folder}": {pair},' for folder, pair in sorted(counts.items())), sep="\n")
    left = sum(len(fragments) + len(riddles) for fragments, riddles in found.values())
    print(f"words: {count} doc comments, {left} faults left, {told} new")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
