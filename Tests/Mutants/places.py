"""Where one change can be made in a source of Swift or C++, and what it would be: by patterns over its tokens.

Nothing here knows a grammar. A change that is no Swift does not compile, and is left out when that is seen.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

COMMENT_OR_TEXT = re.compile(
    r'//[^\n]*|/\*(?s:.*?)\*/|"""(?s:.*?)"""|"(?:\\\((?:[^()"\n]|\([^()\n]*\))*\)|\\.|[^"\\\n])*"'
)
TOKEN = re.compile(
    r"0x[0-9A-Fa-f_]+|\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?|[$@#]?\w+|\.\.\.|\.\.<|[-+*/%&|^<>=!?~]+|[()\[\]{},;:.\"]"
)
SWAPPED = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
    "&+": "&-", "&-": "&+", "+": "-", "-": "+", "/": "*", "<<": ">>", ">>": "<<", "|": "&", "&": "|",
}  # fmt: skip
SWAPPED_ASSIGNMENTS = {"+=": "-=", "-=": "+=", "&+=": "&-=", "&-=": "&+=", "|=": "&="}
KEYWORDS = {
    "return", "guard", "if", "while", "where", "in", "else", "case", "try", "throw", "throws", "let", "var", "func",
    "init", "switch", "for", "defer", "do", "catch", "break", "continue", "default", "repeat", "yield", "import",
    "package", "private", "fileprivate", "internal", "public", "static", "mutating", "struct", "enum", "extension",
    "typealias", "protocol", "class", "consuming", "borrowing", "subscript", "deinit", "get", "set",
}  # fmt: skip
ENDS = KEYWORDS | {",", ";", "{", "}", "=", "?", ":", "->"} | set(SWAPPED_ASSIGNMENTS)
# What only makes faster, checks what is never so, or is seen only by a sanitizer.
UNSEEN = re.compile(r"reserveCapacity|prefetch|\bassert|precondition|[cC]apacity|@inline|@_|deallocate|\.free\(")
CALL_OR_ASSIGNMENT = re.compile(r"(?:try )?(?:_ = )?[a-z_][\w.?!]*(?:\(.*\)|\[.*\])*(?: (?:[-+*/&|^<>%]*=) .*)?")


@dataclass(frozen=True)
class Place:
    """A span of a source, and what stands there in the mutant. An empty `became` is a statement that is dropped."""

    start: int
    end: int
    kind: str
    is_statement: bool
    was: str
    became: str


@dataclass(frozen=True)
class Token:
    start: int
    end: int
    text: str
    is_binary: bool


def masked(source: str) -> str:
    """The source with blanks for comments and texts, each character at its place."""

    def blank(found: re.Match[str]) -> str:
        text = re.sub(r"[^\n]", " ", found[0])
        return f'"{text[1:-1]}"' if found[0].startswith('"') else text

    return COMMENT_OR_TEXT.sub(blank, source)


def tokens(code: str) -> list[Token]:
    def token(found: re.Match[str]) -> Token:
        around = code[found.start() - 1 : found.start()] + code[found.end() : found.end() + 1]
        is_binary = not found[0][0].isalnum() and len(around) == 2 and around.isspace()
        return Token(found.start(), found.end(), found[0], is_binary)

    return [token(found) for found in TOKEN.finditer(code)]


class Source:
    """A file's text and tokens."""

    def __init__(self, text: str, statuses: list[str]) -> None:
        self.text = text
        self.code = masked(text)
        self.tokens = tokens(self.code)
        self.statuses = statuses
        self.partners = self.matched()

    def matched(self) -> dict[int, int]:
        """The bracket that closes each, and the one that opens it."""
        partners: dict[int, int] = {}
        opened: list[int] = []
        for index, token in enumerate(self.tokens):
            if token.text in "([{":
                opened.append(index)
            elif token.text in ")]}" and opened:
                partners[index] = opened.pop()
                partners[partners[index]] = index
        return partners

    def is_broken(self, left: int) -> bool:
        """A statement ends between this token and the next one."""
        one, other = self.tokens[left], self.tokens[left + 1]
        if "\n" not in self.code[one.end : other.start]:
            return False
        return not (one.is_binary or other.is_binary or other.text == "." or one.text in "(,[")

    def ends(self, index: int, stops: set[str]) -> bool:
        token = self.tokens[index]
        return token.text in stops and (token.text != "?" or token.is_binary)

    def clause(self, index: int, stops: set[str]) -> tuple[int, int]:
        """The tokens around one, as far as no comma, keyword, brace and so on ends what it belongs to."""
        first, last = sorted((index, self.partners.get(index, index)))
        while first > 0 and not self.is_broken(first - 1):
            before = first - 1
            if self.tokens[before].text in ")]":
                before = self.partners.get(before, before)
            elif self.tokens[before].text in "([{" or self.ends(before, stops):
                break
            first = before
        while last + 1 < len(self.tokens) and not self.is_broken(last):
            after = last + 1
            if self.tokens[after].text in "([":
                after = self.partners.get(after, after)
            elif self.tokens[after].text in ")]}" or self.ends(after, stops):
                break
            last = after
        return first, last

    def span(self, first: int, last: int) -> tuple[int, int]:
        return self.tokens[first].start, self.tokens[last].end

    def place(self, kind: str, span: tuple[int, int], became: str, is_statement: bool = False) -> Place:
        return Place(*span, kind, is_statement, self.text[slice(*span)], became)

    # What can be changed

    def places(self) -> Iterator[Place]:
        for index, token in enumerate(self.tokens):
            yield from self.operator(index, token)
            yield from self.literal(index, token)
            yield from self.status(index, token)
            yield from self.condition(index, token)
        yield from self.dropped()

    def operator(self, index: int, token: Token) -> Iterator[Place]:
        """Another operator; the whole clause stands twice, so that nothing binds in another way."""
        assigns = token.text in SWAPPED_ASSIGNMENTS
        if not token.is_binary or not (assigns or token.text in SWAPPED):
            return
        clause = self.clause(index, {"{", "}", ";", ":"} | KEYWORDS if assigns else ENDS)
        if index in clause:
            return
        span = self.span(*clause)
        other = SWAPPED_ASSIGNMENTS[token.text] if assigns else SWAPPED[token.text]
        became = self.text[span[0] : token.start] + other + self.text[token.end : span[1]]
        kind = "assignment" if assigns else "operator" if token.text in ("&&", "||") else "arithmetic"
        if token.text in ("<", "<=", ">", ">=", "==", "!="):
            kind = "comparison"
        yield self.place(kind, span, became, assigns)

    def literal(self, index: int, token: Token) -> Iterator[Place]:
        before = self.tokens[index - 1].text if index > 0 else ""
        span = (token.start, token.end)
        if before == ".":
            return
        if token.text in ("true", "false"):
            yield self.place("boolean", span, "false" if token.text == "true" else "true")
        elif re.fullmatch(r"0x[0-9A-Fa-f_]+|\d[\d_]*", token.text):
            number = int(token.text, 0 if token.text.startswith("0x") else 10)
            yield self.place("constant", span, str(number + 1))
            if number > 0:
                yield self.place("constant", span, str(number - 1))

    def status(self, index: int, token: Token) -> Iterator[Place]:
        """Another status is answered."""
        if token.text not in self.statuses or index < 2 or self.tokens[index - 1].text != ".":
            return
        if self.tokens[index - 2].text not in ("(", ",", ":", "return", "="):
            return
        other = self.statuses[(self.statuses.index(token.text) + 1) % len(self.statuses)]
        yield self.place("status", (self.tokens[index - 1].start, token.end), "." + other)

    def condition(self, index: int, token: Token) -> Iterator[Place]:
        """One of the conditions of an if, a guard or a while, negated."""
        if token.text not in ("if", "guard", "while"):
            return
        at = index + 1
        while at < len(self.tokens):
            first = self.tokens[at]
            clause = self.clause(at, ENDS)
            if first.text in ("let", "var", "case") or clause[0] != at:
                return
            span = self.span(*clause)
            yield self.place("condition", span, f"!({self.text[slice(*span)]})")
            at = clause[1] + 2
            if self.tokens[at - 1].text != ",":
                return

    def dropped(self) -> Iterator[Place]:
        """A line that is a call or an assignment, left out."""
        starts = {token.start: index for index, token in enumerate(self.tokens)}
        position = 0
        for line in self.code.splitlines(keepends=True):
            statement = line.strip()
            start = position + len(line) - len(line.lstrip())
            position += len(line)
            index = starts.get(start)
            if index is None or index == 0 or self.tokens[index].text in KEYWORDS - {"try"}:
                continue
            clause = self.clause(index, set())
            span = self.span(*clause)
            is_whole = clause[0] == index and span[1] <= position and self.is_statement(index)
            if is_whole and CALL_OR_ASSIGNMENT.fullmatch(statement.removesuffix(";")):
                yield self.place("dropped", span, "", True)

    def is_statement(self, index: int) -> bool:
        """It begins behind a brace, a case or another statement, and not among arguments."""
        depth = 0
        for token in reversed(self.tokens[:index]):
            if token.text in ")]}":
                depth += 1
            elif token.text in "([{":
                if depth == 0:
                    return token.text == "{"
                depth -= 1
        return False


def chosen(name: str, text: str, statuses: list[str], seed: int, lines_per_place: int) -> list[Place]:
    """Places of a file, at least one: drawn by kind first, so that the many constants leave room for others; one a line."""
    source = Source(text, statuses)
    code_lines = sum(1 for line in source.code.splitlines() if line.strip(" }"))
    return drawn(name, text, source.places(), code_lines, seed, lines_per_place)


def drawn(
    name: str, text: str, places: Iterable[Place], code_lines: int, seed: int, lines_per_place: int
) -> list[Place]:
    kinds: dict[str, list[Place]] = defaultdict(list)
    for place in places:
        begin = text.rfind("\n", 0, place.start) + 1
        lines = text[begin : text.find("\n", place.end)]
        if not UNSEEN.search(lines) and "//" not in place.was:
            kinds[place.kind].append(place)
    draw = random.Random(f"{seed} {name}")
    taken: list[Place] = []
    lines_taken: set[int] = set()
    while kinds and len(taken) < max(1, round(code_lines / lines_per_place)):
        kind = draw.choice(sorted(kinds))
        place = kinds[kind].pop(draw.randrange(len(kinds[kind])))
        if not kinds[kind]:
            del kinds[kind]
        lines_of_place = set(range(text.count("\n", 0, place.start), text.count("\n", 0, place.end) + 1))
        if not lines_taken & lines_of_place:
            taken.append(place)
            lines_taken |= lines_of_place
    return sorted(taken, key=lambda place: place.start)
