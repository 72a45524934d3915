"""Every name in the prose of README, of the articles and of the other texts is one that the sources declare.

A name stands between backticks, or begins with skan_, SKAN_ or skan::, or is an option as --model. Its form says what
it has to be (FORMS). Where the text says of which language it is, by words behind it as "in Python", by the column of a
table or by the heading, it is looked up in that language alone. Blocks of code are not read here: test_snippets.py and
test_articles.py compile and run them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import declarations
import pytest
from declarations import TOP

ARTICLES = TOP / "Sources" / "Articles"
TEXTS = [
    *(
        TOP / name
        for name in (
            "README.md",
            "Bindings/Python/README.md",
            "Sources/Core/Rules.md",
            "Sources/SKANModels/README.md",
            "Sources/Truth/CampaignTruth.md",
            "Tests/Vectors/README.md",
        )
    ),
    *sorted(ARTICLES.glob("*.md")),
]

# Texts about the sources themselves: types that are not public may be named there.
ABOUT_THE_SOURCES = {"Architecture", "Contributing"}
# Texts about tests, or that tests show step by step: their names may be in these folders.
ABOUT_TESTS = {"CampaignTruth": "Tests/Truth", "Rules": "Tests/Vectors", "Vectors": "Tests/Vectors"}

# Words of Swift, Python, JSON and SQL, which no declaration gives.
KEYWORDS = {"any", "any Error", "async", "await", "false", "nil", "null", "throws", "true", "with"}

# Names that are not ours.
EXCEPTIONS = {
    "PATH": "the shell's",
    "PKG_CONFIG_PATH": "pkg-config's",
    "PGPASSWORD": "PostgreSQL's",
    "~/.pgpass": "PostgreSQL's",
    "synchronous_commit": "a setting of PostgreSQL",
    "pg_total_relation_size": "a function of PostgreSQL",
    "cluster-node-timeout": "a setting of Redis",
    "CLUSTER FAILOVER": "a command of Redis",
    "MEMORY USAGE": "a command of Redis",
    "ttl": "a setting of Patroni",
    "Conversion Management: Cannot find currency of owner: O": "a reason that the published endpoint alone gives",
    "registerAppForAdNetworkAttribution()": "Apple's, of iOS 14, which the app's code does not need",
    "our_event": "the reader's",
    "paid": "the reader's",
    'companion("NAME", "MODULE")': "a row of Package.swift",
    "/primary": "a path of Patroni's",
    "localizedDescription": "Foundation's, of every error",
    "time.time": "Python's",
    '.package(url: "…/libskan.git", branch: "main")': "SwiftPM's",
    '.package(path: "…/libskan")': "SwiftPM's",
    '.product(name: "SKAN", package: "libskan")': "SwiftPM's",
    "traits: []": "SwiftPM's",
    "@export(interface)": "an attribute of the Swift compiler",
}
# Programs of others, with whose names a line of shell may begin.
PROGRAMS = {"ldconfig", "patronictl", "pip", "redis-cli", "swift", "systemctl", "systemd-analyze"}

LANGUAGES = {"C", "C++", "Python", "Swift"}
LANGUAGE = r"(?:C\+\+|C|Python|Swift)"
BLOCK = re.compile(r"(?ms)^```.*?^```$")
PLACEHOLDER = re.compile(r"…|\.\.\.|com\.example\.\w+|\[N\]|\b[A-Z]\b|\b[A-Z]{2,}\b|\{[^}]*\}")


@dataclass(frozen=True)
class Name:
    """A name in a text."""

    path: Path
    line: int
    text: str
    languages: frozenset[str] = frozenset()  # those of which the text says that it is a name; empty if it does not say

    @property
    def place(self) -> str:
        return f"{self.path.relative_to(TOP)}:{self.line}"

    @property
    def subject(self) -> str:
        return self.path.parent.name if self.path.name == "README.md" else self.path.stem


class Declared:
    """Everything that the sources declare."""

    def __init__(self) -> None:
        self.c = declarations.CNames()
        self.cpp = declarations.CppNames()
        self.python = declarations.PythonNames()
        self.swift = declarations.SwiftNames()
        self.command = declarations.CommandNames()
        self.make = declarations.MakeNames()
        self.tree = declarations.Tree()
        self.setup = (TOP / "Bindings" / "Python" / "setup.py").read_text(encoding="utf-8")
        self.of_tests = {
            folder: declarations.text(declarations.files(folder, ".py", ".jsonl", ".swift"))
            for folder in ABOUT_TESTS.values()
        }
        self.blocks = {path: "\n".join(BLOCK.findall(path.read_text(encoding="utf-8"))) for path in TEXTS}

    def is_quoted(self, text: str) -> bool:
        """Whether the sources have it between quotes, a placeholder being any text."""
        parts = [re.escape(part) for part in PLACEHOLDER.split(text)]
        if not any(re.search(r"\w", part) for part in parts):
            return True
        pattern = r"[^\n]*?".join(parts).replace(r"\ ", r"\s+")
        return bool(re.search(rf"(?<![\w-]){pattern}(?![\w-])", self.tree.quoted))

    def is_in_block(self, text: str, path: Path) -> bool:
        """Whether the text's own code has it: that is compiled and run."""
        return bool(re.search(rf"(?<![\w-]){re.escape(text)}(?![\w-])", self.blocks.get(path, "")))

    # --------------------------------------------------------------------------------------------- of one language

    def c_name(self, text: str) -> bool:
        """skan_create, SKAN_OK, skan_create(&options, …), and skan_* or SKAN_ERROR_ for all that begin so."""
        name, call, _ = text.partition("(")
        if name.endswith(("_", "_*")):
            return any(word.startswith(name.rstrip("*")) for word in self.c.words)
        return name in (self.c.functions if call else self.c.words) or (not call and self.is_quoted(name))

    def cpp_name(self, text: str) -> bool:
        """skan::engine, skan::call_result::delivered, skan::sqlite_store("installs.db")."""
        _, first, *members = text.partition("(")[0].split("::")
        return first in self.cpp.of_the_namespace and all(member in self.cpp.words for member in members)

    def cpp_word(self, text: str) -> bool:
        """What may stand in a text about C++: engine.register_install(…)."""
        names = re.findall(r"[A-Za-z_]\w*", text.partition("(")[0])
        return all(name in self.cpp.words for name in names)

    def python_name(self, text: str) -> bool:
        """libskan.aio.AsyncEngine, Engine.details, Engine(models=[…]), update_revenue, kind=."""
        text = text.removesuffix("=").replace("…", "None").replace("...", "None")
        try:
            tree = ast.parse(text, mode="eval").body
        except SyntaxError:
            return False
        return all(self.python_node(node) for node in [tree, *self.calls_inside(tree)])

    @staticmethod
    def calls_inside(tree: ast.expr) -> list[ast.expr]:
        return [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node is not tree]

    def python_node(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call):
            path = self.python_path(node.func)
            arguments = self.python.arguments(path) if path else None
            names = {keyword.arg for keyword in node.keywords}
            return self.python_node(node.func) and (arguments is None or names <= arguments)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call):
            path = self.python_path(node.value.func)
            return self.python_node(node.value) and bool(path) and self.python.has([*path, node.attr])
        path = self.python_path(node)
        if not path:
            return False
        if len(path) == 1:
            return path[0] in self.python.words | self.python.of_the_language or path[0] in self.python.modules
        return self.python.has(path)

    @staticmethod
    def python_path(node: ast.expr) -> list[str]:
        """The names of a dotted name, without libskan."""
        names: list[str] = []
        while isinstance(node, ast.Attribute):
            names.insert(0, node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return []
        return names if node.id == "libskan" and names else [node.id, *names]

    def swift_name(self, text: str) -> bool:
        """Engine, ConversionModel.decode, updateRevenueMany, .sqlite(path: "…"), updateRevenue(_:amount:)."""
        text = re.sub(r"^try (await )?", "", text)
        if re.search(r"\w=", text):
            return False
        called = re.fullmatch(r"(?s)((?:\w*\.)*(\w+))\((.*)\)((?:\.\w+)*)", text)
        if called:
            head = [name for name in called[1].split(".")[:-1] if name]
            tail = [name for name in called[4].split(".") if name]
            if not all(name in self.swift.words | self.swift.modules for name in [*head, *tail]):
                return False
            inside = re.findall(r"\b[A-Z]\w+\([^()]*\)", called[3])
            outside = called[3]
            for each in inside:
                outside = outside.replace(each, "")
            labels = set(re.findall(r"(?:^|[ ,:(])([A-Za-z]\w*):", outside))
            signatures = self.swift.signatures.get(called[2], [])
            return any(labels <= set(each) for each in signatures) and all(map(self.swift_name, inside))
        if re.fullmatch(r"\[\.\w+\]", text):
            text = text[1:-1]
        if re.fullmatch(r"\w+:( \w+)?", text):
            text = text.partition(":")[0]
        names = [name for name in text.split(".") if name]
        return all(re.fullmatch(r"\w+", name) and name in self.swift.words | self.swift.modules for name in names)

    def command_line(self, text: str) -> bool:
        """skan model check FILE, skan serve --model FILE, --model FILE."""
        words = text.split()
        rows = {name: kind for command in self.command.commands.values() for name, kind in command.items()}
        rows["version"] = False
        if words[0] == "skan" and len(words) > 1:
            words = words[2:] if words[1] == "help" else words[1:]
            command = self.command.find(words)
            if command is None:
                return words[0] == "--version"
            rows = self.command.commands[command]
        for word, after in zip(words, [*words[1:], ""]):
            name = word[2:].partition("=")[0]
            if word.startswith("--") and name not in rows:
                return False
            if word.startswith("--") and rows[name] and re.fullmatch(r"[a-z][a-z0-9-]*", after):
                return self.is_quoted(after)
        return True

    def is_target(self, name: str) -> bool:
        pattern = re.escape(name).replace("NAME", r"[\w-]+")
        return any(re.fullmatch(pattern, target) for target in self.make.targets)

    # ------------------------------------------------------------------------------------------------- any of them

    def of_language(self, text: str, language: str) -> bool:
        if language == "C":
            return all(self.c_name(name) for name in re.findall(r"\w+", text.partition("(")[0]))
        if language == "C++":
            return self.cpp_name(text) if text.startswith("skan::") else self.cpp_word(text)
        return self.python_name(text) if language == "Python" else self.swift_name(text)


# ------------------------------------------------------------------------------------ what names of one form have to be


def is_word(declared: Declared, name: Name, text: str) -> bool:
    """Whether it is a key, an item or a value that the sources have between quotes, or a name of any language."""
    tests = ABOUT_TESTS.get(name.subject)
    return (
        text in EXCEPTIONS
        or declared.is_quoted(text)
        or declared.is_in_block(text, name.path)
        or text in declared.c.words | declared.python.words | declared.cpp.words | declared.swift.words
        or text in declared.swift.modules | declared.python.of_the_language
        or (name.subject in ABOUT_THE_SOURCES and text in declared.swift.internal)
        or (tests is not None and bool(re.search(rf"\b{re.escape(text)}\b", declared.of_tests[tests])))
        or declared.tree.has(text, name.path)
    )


def is_left_alone(declared: Declared, name: Name) -> bool:
    return True


def has_known_keys(declared: Declared, name: Name) -> bool:
    """The keys of a piece of JSON are names; its values are not."""
    keys = re.findall(r'"([\w-]+)"\s*:', name.text) if '"' in name.text else re.findall(r"\w+", name.text)
    return all(is_word(declared, name, key) for key in keys)


def is_command_line(declared: Declared, name: Name) -> bool:
    return declared.command_line(name.text)


def is_target(declared: Declared, name: Name) -> bool:
    return declared.is_target(name.text)


def is_make_line(declared: Declared, name: Name) -> bool:
    """make check-NAME SERVERS="redis", or the variables alone."""
    words = re.sub(r'"[^"]*"', "", name.text).removeprefix("make").split()
    return all(
        word.partition("=")[0] in declared.make.variables if "=" in word else declared.is_target(word) for word in words
    )


def is_scheme(declared: Declared, name: Name) -> bool:
    scheme = re.match(r"[a-z+]+:(?://)?", name.text)
    return scheme is not None and scheme[0] in declared.tree.quoted


def is_c_name(declared: Declared, name: Name) -> bool:
    return declared.c_name(name.text)


def is_cpp_name(declared: Declared, name: Name) -> bool:
    return declared.cpp_name(name.text)


def is_python_name(declared: Declared, name: Name) -> bool:
    return declared.python_name(name.text)


def is_library(declared: Declared, name: Name) -> bool:
    return re.sub(r"^libskan-|\.so$", "", name.text) in [*declared.make.companions, "libskan"]


def is_path(declared: Declared, name: Name) -> bool:
    """A path of the tree or of what is installed; a file of the reader's is in the text's own blocks of code."""
    return (
        declared.tree.has(name.text, name.path)
        or declared.is_in_block(name.text, name.path)
        or declared.is_quoted(name.text)
    )


def is_constant(declared: Declared, name: Name) -> bool:
    """A status, a constant of Python, a module of Swift, or a variable of the environment that our build reads."""
    return (
        name.text in declared.c.statuses | declared.python.public | declared.swift.modules
        or f'"{name.text}"' in declared.setup
    )


def is_identifier(declared: Declared, name: Name) -> bool:
    if name.languages:
        return all(declared.of_language(name.text, language) for language in name.languages)
    return (
        is_word(declared, name, name.text)
        or declared.python_name(name.text)
        or declared.swift_name(name.text)
        or is_members(declared, name)
        or (name.subject in ABOUT_THE_SOURCES and declared.is_target(name.text))
    )


def is_members(declared: Declared, name: Name) -> bool:
    """device.os_version, of C's structs."""
    _, *members = name.text.split(".")
    return bool(members) and all(member in declared.c.words for member in members)


def is_request(declared: Declared, name: Name) -> bool:
    return declared.is_quoted(name.text) or name.text in declared.tree.makefiles


def is_known(declared: Declared, name: Name) -> bool:
    return is_word(declared, name, name.text)


# The forms that a name may have, the first that fits; and what it then has to be.
FORMS: list[tuple[str, str, Callable[[Declared, Name], bool]]] = [
    ("a number, a sign or one letter", r"[^A-Za-z]+|[A-Za-z]|[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}", is_left_alone),
    ("an option of a compiler, or the ending of a file", r"-[A-Za-z].*", is_left_alone),
    ("a formula, or a setting and its value", r"\w[\w\u2212 ]* [<=≥] [^\"]*", is_left_alone),
    ("a program of others", rf"({'|'.join(sorted(PROGRAMS))})( .*)?", is_left_alone),
    ("a header of HTTP", r"[A-Z][a-z]*(-[A-Z][A-Za-z]+)+|ETag|[A-Z]\w+: Bearer( \w+)?", is_left_alone),
    ("JSON", r"[{\"].*|\[[{].*", has_known_keys),
    ("a command, or its options", r"skan( .*)?|--.*", is_command_line),
    ("a line of make", r"make( .*)?|[A-Z]+=.*", is_make_line),
    ("a target of make", r"[a-z]+-NAME(-[a-z]+)?", is_target),
    ("a library", r"libskan(-\w+)?(\.so)?", is_library),
    ("a name of C", r"skan_.*|SKAN_.*", is_c_name),
    ("a name of C++", r"skan::.*", is_cpp_name),
    ("a name of Python", r"libskan\..*", is_python_name),
    ("a URL", r"[a-z+]+:\S+", is_scheme),
    ("a request", r"(GET|POST) .*|/.+|\?\w+=.*", is_request),
    ("files of the folder", r"[a-z]+_\*", is_path),
    (
        "a path",
        r"(?!try |\.package)[^ (]*/[^ (]*|\S+\.(swift|mdx?|h|hpp|c|cpp|py|jsonl?|txt|mk|db|csv|modulemap)",
        is_path,
    ),
    ("a status or constant", r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*", is_constant),
    ("a name", r"(try await )?(\[?\.)?[A-Za-z_][\w.]*(\(.*\)[\w.]*|\]|:( \w+)?|=)?", is_identifier),
    ("words between quotes in the sources", r".*", is_known),
]


def fault(declared: Declared, name: Name) -> str | None:
    """What is wrong with a name, or None."""
    if name.text in KEYWORDS or name.text in EXCEPTIONS:
        return None
    form, _, holds = next(each for each in FORMS if re.fullmatch(each[1], name.text, re.DOTALL))
    if holds(declared, name):
        return None
    languages = f" in {' and '.join(sorted(name.languages))}" if name.languages else ""
    return f"{name.place}: `{name.text}`: {form}{languages} that is not declared"


# ------------------------------------------------------------------------------------------------------ what texts name


def without_blocks(text: str) -> str:
    """The text with its blocks of code emptied; lines stay where they are."""
    text = BLOCK.sub(lambda block: "\n" * block[0].count("\n"), text)
    return re.sub(r"(?m)^ {4}(?! ).*$", "", text)


def language_of_cell(cell: str) -> frozenset[str]:
    """The languages of a table's column, or of the row that a cell begins."""
    words = re.match(rf"{LANGUAGE}(?:(?:, | and ){LANGUAGE})*(?=[,| ]|$)", cell.strip())
    return frozenset(re.split(r", | and ", words[0])) if words else frozenset()


def languages_at(text: str, begin: int, end: int) -> frozenset[str]:
    """The languages of which the text says that a name is one: "`decode` in Python and C++", a column, or a heading."""
    after = re.match(rf"\s+in ({LANGUAGE}(?:(?:, | and ){LANGUAGE})*)(?!\w)", text[end:])
    if after:
        return frozenset(re.split(r", | and ", after[1]))
    lines = text[:begin].split("\n")
    if lines[-1].startswith("|"):
        row = lines[-1] + text[begin:end]
        first = len(lines) - 1
        while first and lines[first - 1].startswith("|"):
            first -= 1
        cells = [re.sub(r"`[^`]*`", "", line).split("|")[1:] for line in (lines[first] + "|", row)]
        column = cells[0][len(cells[1]) - 1] if len(cells[1]) <= len(cells[0]) else ""
        found = language_of_cell(column) or language_of_cell(cells[1][0])
        if found:
            return found
    headings = re.findall(r"(?m)^## (.*)$", text[:begin])
    return frozenset({headings[-1]} & LANGUAGES) if headings else frozenset()


def names(path: Path, text: str) -> Iterator[Name]:
    """The names in a text."""
    text = without_blocks(text)
    is_python = frozenset({"Python"}) if path.parent.name == "Python" else frozenset[str]()
    rest = text
    for span in re.finditer(r"(`+)(.+?)\1", text, re.DOTALL):
        line = text.count("\n", 0, span.start()) + 1
        word = " ".join(span[2].split())
        rest = rest[: span.start()] + re.sub(r"[^\n]", " ", span[0]) + rest[span.end() :]
        if len(span[1]) == 2:
            for part in word.split("/"):
                yield Name(path, line, part, frozenset({"Swift"}))
        else:
            yield Name(path, line, word, languages_at(text, span.start(), span.end()) or is_python)
    for found in re.finditer(r"(?<![\w/.-])(?:(?:skan_|SKAN_|skan::)\w+|--[a-z][\w-]+)", rest):
        yield Name(path, rest.count("\n", 0, found.start()) + 1, found[0])


def links(path: Path, text: str) -> Iterator[tuple[str, bool]]:
    """The links of a text, each with whether it leads somewhere: to an article, a file, or a heading."""
    text = re.sub(r"`[^`]*`", "", without_blocks(text))
    anchors = {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in re.findall(r"(?m)^#+ (.*)$", text)}
    for link in re.findall(r"\]\(([^)\s]*)\)", re.sub(r"\]\n\(", "](", text)):
        if not re.match(r"https?://", link):
            file, _, anchor = link.partition("#")
            yield (
                link,
                (path.parent / file).exists() and (bool(file) or bool({anchor, re.sub(r"-\d$", "", anchor)} & anchors)),
            )


@pytest.fixture(scope="module")
def declared() -> Declared:
    return Declared()


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(TOP)))
def test_every_name_is_declared(declared: Declared, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    faults = [fault(declared, name) for name in names(path, text)]
    assert not [each for each in faults if each], "\n".join(filter(None, faults))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(TOP)))
def test_every_link_leads_somewhere(path: Path) -> None:
    assert not [link for link, leads in links(path, path.read_text(encoding="utf-8")) if not leads]


def test_every_exception_is_needed() -> None:
    used = {name.text for path in TEXTS for name in names(path, path.read_text(encoding="utf-8"))}
    keys = {key for name in used for key in re.findall(r'"(\w+)"\s*:', name)}
    assert not (set(EXCEPTIONS) | KEYWORDS) - used - keys
    assert not PROGRAMS - {name.split()[0] for name in used}


WRONG = [
    # C
    "`skan_acknowledge_update`",
    "`skan_pending_update(engine, …)`",
    "`SKAN_ERROR_OUTDATED`",
    "Call skan_update_conversions after it.",
    "`REFUSED`",
    # C++
    "`skan::motor`",
    "`skan::call_result::accepted`",
    "| C++ |\n|---|\n| `skan::register_install` |",
    "| C++ |\n|---|\n| `engine.enlist(…)` |",
    # Python
    "`libskan.aio.Engine`",
    "`Engine.describe`",
    "`ConversionModel(dokument=text)`",
    "`store_kit.run(open_store, lasting=True)`",
    "`pending_update` in Python",
    # Swift
    "``Motor``",
    "``Engine/describe(_:)``",
    "`pendingUpdate` in Swift",
    '`try await .sqlite(file: "installs.db")`',
    "`SKAdNetwork.updatePostbackConversionValue(fine, value: coarse)`",
    # The command, make, paths, keys and articles
    "`skan model verify`",
    "`skan import --model FILE`",
    "`--trusted-proxies`",
    "`skan model import --from branch`",
    "`make check-everything`",
    "`make install COMPANION=`",
    "`Sources/Core/Rules.txt`",
    "`skan/engine.h`",
    "`share/skan/templates`",
    "`libskan-mysql`",
    "`coarse_vlaue`",
    '`{"fime": 0, "when": {}}`',
    "`mysql://…`",
]


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_name_is_found(declared: Declared, text: str) -> None:
    assert any(fault(declared, name) for name in names(ARTICLES / "Postbacks.md", text))


@pytest.mark.parametrize("text", ["[an article](Engines.md)", "[a file](../Engines.md)", "[a heading](#engines)"])
def test_a_wrong_link_is_found(text: str) -> None:
    assert not all(leads for _, leads in links(ARTICLES / "Postbacks.md", text))
