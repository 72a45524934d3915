"""What the sources declare, by language: the names that texts may use."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
FOLDERS = ("Sources", "Include", "Bindings", "Tests", ".ci")
WORD = re.compile(r"\w+")


def files(folder: str, *endings: str) -> list[Path]:
    """The files below a folder of the tree, without what is built there."""
    found = sorted(path for path in (TOP / folder).rglob("*") if path.suffix in endings and path.is_file())
    return [path for path in found if not {"build", ".build", "__pycache__"} & set(path.relative_to(TOP).parts)]


def text(paths: Iterable[Path]) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def without_comments(code: str) -> str:
    """C, C++ or Swift without its comments and the contents of its texts."""
    code = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', code)
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", code, flags=re.DOTALL)


@dataclass
class CNames:
    """The headers in Include/skan."""

    code: str = field(default_factory=lambda: without_comments(text(files("Include/skan", ".h"))))

    @cached_property
    def words(self) -> set[str]:
        """All names: functions, types, constants, members and arguments."""
        return set(WORD.findall(self.code))

    @cached_property
    def functions(self) -> set[str]:
        return set(re.findall(r"\b(skan_\w+)\(", self.code))

    @cached_property
    def statuses(self) -> set[str]:
        """The names of statuses, without their prefixes."""
        listed = re.search(r"enum skan_status_code \{(.*?)\}", self.code, re.DOTALL)
        assert listed
        return {re.sub("^SKAN_(ERROR_)?", "", name) for name in re.findall(r"SKAN_\w+", listed[1])}


@dataclass
class CppNames:
    """The headers in Bindings/Cpp/skan."""

    headers: str = field(default_factory=lambda: text(files("Bindings/Cpp/skan", ".hpp")))

    @cached_property
    def words(self) -> set[str]:
        """All names that the headers themselves give, those of C and of the standard library left out."""
        code = re.sub(r"\b(?:std::[\w:]+|skan_\w+|SKAN_\w+)", "", without_comments(self.headers))
        return set(WORD.findall(code))

    @cached_property
    def of_the_namespace(self) -> set[str]:
        """The names in `namespace skan`, whose contents are not indented."""
        code = re.sub(r"(?s)namespace detail \{.*?\n\} // namespace detail", "", self.headers)
        code = without_comments(code)
        types = re.findall(r"(?m)^(?:enum )?(?:class|struct|using) (?:\[\[nodiscard\]\] )?(\w+)", code)
        return {*types, *re.findall(r"(?m)^(?:\[|inline|constexpr|template)[^(\n=;]*?\b(\w+)(?:\(| =)", code)}


@dataclass
class PythonNames:
    """The package in Bindings/Python, as it is written: nothing of it is run."""

    modules: dict[str, ast.Module] = field(
        default_factory=lambda: {
            path.stem: ast.parse(path.read_text(encoding="utf-8")) for path in files("Bindings/Python/libskan", ".py")
        }
    )

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        every = (node for module in self.modules.values() for node in module.body)
        return {node.name: node for node in every if isinstance(node, ast.ClassDef)}

    def exported(self, module: str) -> set[str]:
        """What a module lists in __all__, or else what it has, or imports as its own, without an underscore."""
        body = self.modules[module].body
        for node in body:
            listed = isinstance(node, ast.Assign) and "__all__" in map(ast.unparse, node.targets)
            if listed and isinstance(node.value, ast.List):
                return {str(name) for name in ast.literal_eval(node.value)}
        named = [node.name for node in body if isinstance(node, (ast.ClassDef, ast.FunctionDef))]
        named += [each.asname or "_" for node in body if isinstance(node, ast.ImportFrom) for each in node.names]
        return {name for name in named if name[0] != "_"}

    @cached_property
    def public(self) -> set[str]:
        """What every module without an underscore exports."""
        modules = [name for name in self.modules if name == "__init__" or not name.startswith("_")]
        return {name for module in modules for name in self.exported(module)}

    def members(self, name: str) -> set[str]:
        """Those of a class and of its bases in the package."""
        found: set[str] = set()
        node = self.classes[name]
        for each in node.body:
            if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found.add(each.name)
            elif isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                found.add(each.target.id)
            elif isinstance(each, ast.Assign):
                found.update(target.id for target in each.targets if isinstance(target, ast.Name))
        for base in node.bases:
            if isinstance(base, ast.Name) and base.id in self.classes:
                found |= self.members(base.id)
        return found

    def function(self, path: list[str]) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | None:
        """The function, method or class of a dotted name in libskan, such as store_kit.run or Engine.details."""
        bodies = [module.body for module in self.modules.values()]
        if path[0] in self.modules:
            bodies, path = [self.modules[path[0]].body], path[1:]
        for name in path:
            named = [
                node
                for body in bodies
                for node in body
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.name == name
            ]
            if not named:
                return None
            bodies = [node.body for node in named]
        return named[0] if path else None

    def arguments(self, path: list[str]) -> set[str] | None:
        """The arguments of a function, method or class; None if there is none of this name."""
        node = self.function(path)
        if isinstance(node, ast.ClassDef):
            made = [
                each for each in node.body if isinstance(each, ast.FunctionDef) and each.name in ("__init__", "__new__")
            ]
            if not made:
                return self.members(node.name)
            node = made[0]
        if node is None:
            return None
        return {each.arg for each in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]}

    def has(self, path: list[str]) -> bool:
        """Whether libskan has the dotted name, such as aio.AsyncEngine or Engine.details."""
        if path[0] in self.modules and not path[0].startswith("_"):
            return len(path) == 1 or (path[1] in self.exported(path[0]) and self.has_members(path[1:]))
        return path[0] in self.public and self.has_members(path)

    def has_members(self, path: list[str]) -> bool:
        if len(path) == 1:
            return True
        return len(path) == 2 and path[0] in self.classes and path[1] in self.members(path[0])

    @cached_property
    def words(self) -> set[str]:
        """What exports, their members and their arguments are called."""
        found = set(self.public)
        for name in self.public & set(self.classes):
            found |= self.members(name) | (self.arguments([name]) or set())
        for module in self.modules.values():
            for node in ast.walk(module):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name in found:
                    found |= {each.arg for each in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]}
        return {name for name in found if not name.startswith("_")} | {"__context__", "__init__"}

    @cached_property
    def of_the_language(self) -> set[str]:
        return set(dir(builtins)) | {"Decimal"}


class SwiftNames:
    """The public declarations of the package, and those of the stand-ins for Apple's frameworks."""

    def __init__(self) -> None:
        paths = [path for path in files("Sources", ".swift") if {"Swift", "Kit"} & set(path.relative_to(TOP).parts)]
        self.code = without_comments(text(paths))
        # Their names in Apple's documentation.
        self.apple = text(files("Tests/Hosts/Readme/AppleStandIns", ".swift"))
        self.every = without_comments(text(files("Sources", ".swift")))

    @cached_property
    def signatures(self) -> dict[str, list[list[str]]]:
        """The arguments' labels of functions, by name; of initializers by type."""
        found: dict[str, list[list[str]]] = {}
        for code in (self.code, without_comments(self.apple)):
            is_protocols = False
            kind = ""
            for line in re.finditer(
                r"(?m)^(?:public )?(?:final )?(struct|class|enum|actor|protocol|extension) ([\w.]+)"
                r"|^ +((?:[\w@]+(?:\([\w]*\))? )*)(?:func (`?\w+`?)(?:<[^>]*>)?|(init)\??(?:<[^>]*>)?)\(",
                code,
            ):
                if line[1]:
                    kind, is_protocols = line[2], line[1] == "protocol"
                    continue
                if "public" not in line[3] and not is_protocols:
                    continue
                name = line[4] or kind
                found.setdefault(name, []).append(labels(code, line.end()))
        return found

    @cached_property
    def types(self) -> set[str]:
        code = self.code + without_comments(self.apple)
        return set(re.findall(r"\bpublic (?:[\w@]+ )*(?:struct|class|enum|actor|protocol|typealias) (\w+)", code))

    @cached_property
    def words(self) -> set[str]:
        """Public types, members, cases and labels."""
        code = self.code + without_comments(self.apple)
        found = self.types | set(re.findall(r"\bpublic (?:[\w@()]+ )*(?:var|let|func) (\w+)", code))
        for cases in re.findall(r"(?m)^    case ([^:=\n]+)", code):
            found |= set(WORD.findall(re.sub(r"\([^)]*\)", "", cases)))
        for signatures in self.signatures.values():
            found.update(label for signature in signatures for label in signature)
        return found | set(self.signatures)

    @cached_property
    def internal(self) -> set[str]:
        """Types of the sources, for texts about them."""
        return set(re.findall(r"\b(?:struct|class|enum|actor|protocol|typealias) (\w+)", self.every))

    @cached_property
    def modules(self) -> set[str]:
        """The products that packages import."""
        table = (TOP / "Package.swift").read_text(encoding="utf-8")
        return set(re.findall(r'(?m)^    (?:product\(|companion\("\w+", )"(\w+)"\)', table))


def labels(code: str, begin: int) -> list[str]:
    """The labels of the arguments that begin there."""
    depth, end = 1, begin
    while depth:
        depth += {"(": 1, ")": -1}.get(code[end], 0)
        end += 1
    inner = re.sub(r"\[[^\]]*\]|<[^>]*>", "", code[begin : end - 1])
    while re.search(r"\([^()]*\)", inner):
        inner = re.sub(r"\([^()]*\)", "", inner)
    return [WORD.findall(each)[0] for each in inner.split(",") if WORD.search(each)]


class CommandNames:
    """The commands of skan and their options, from the rows in Sources/Command/skan/Commands."""

    ROW = re.compile(r'\.(flag|value|number|choice|datedModel)\(\s*"([\w-]+)"')
    BEGIN = re.compile(r'= Subcommand\(\s*"([\w ]+)"|(fileprivate )?static var (\w+): OptionGroup\b')

    def __init__(self) -> None:
        # Of each option: whether its value is one of a few words.
        self.commands: dict[str, dict[str, bool]] = {}
        groups: dict[tuple[str, str], dict[str, bool]] = {}  # by file, or "" for every file, and name
        used: dict[str, tuple[str, list[str]]] = {}
        for path in files("Sources/Command/skan/Commands", ".swift"):
            code = path.read_text(encoding="utf-8")
            begun = list(self.BEGIN.finditer(code))
            for one, end in zip(begun, [*(after.start() for after in begun[1:]), len(code)]):
                part = code[one.start() : end]
                rows = {name: kind == "choice" for kind, name in self.ROW.findall(part)}
                if one[3]:
                    groups[path.name if one[2] else "", one[3]] = rows
                else:
                    self.commands[one[1]] = {**rows, "help": False, "options": False}
                    used[one[1]] = (path.name, re.findall(r"(?:options:|,)\s*\.(\w+)(?=\s*[,)])", part))
        for command, (file, names) in used.items():
            for name in names:
                self.commands[command].update(groups.get((file, name)) or groups.get(("", name), {}))

    def find(self, words: list[str]) -> str | None:
        """The command that the words begin with, by its longest name."""
        return next((name for size in (2, 1) if (name := " ".join(words[:size])) in self.commands), None)

    @cached_property
    def options(self) -> set[str]:
        return {name for options in self.commands.values() for name in options} | {"version"}


class MakeNames:
    """The targets and variables of Makefile and of what it includes."""

    def __init__(self) -> None:
        self.code = text([TOP / "Makefile", *(path for folder in FOLDERS for path in files(folder, ".mk"))])
        self.companions = re.findall(r'companion\("(\w+)"', (TOP / "Package.swift").read_text(encoding="utf-8"))

    @cached_property
    def targets(self) -> set[str]:
        row = r"(?m)^{}\.([\w-]+) *="
        found = set(re.findall(row.format("task"), self.code))
        for table in ("check", "command-tests"):
            for name in re.findall(row.format(table), self.code):
                found |= {f"check-{name}", f"check-{name}-sanitizers", f"check-{name}-full"}
        for prefix, names in re.findall(r"\$\(addprefix ([a-z]+-),([a-z ]+)\)", self.code):
            found |= {prefix + name for name in names.split()}
        for line in re.findall(r"(?m)^(?:\.PHONY: (.*)|([\w$():%. -]+):(?!=).*)$", self.code):
            found |= {word for word in "".join(line).split() if re.fullmatch(r"[a-z][a-z0-9-]*", word)}
        return found

    @cached_property
    def variables(self) -> set[str]:
        return set(re.findall(r"\$\(([A-Z_]+)\)", self.code)) | set(re.findall(r"ifdef (\w+)", self.code))


class Tree:
    """The files and folders of the tree, and the texts in its sources."""

    def __init__(self) -> None:
        self.paths = [TOP / name for name in ("Makefile", "Package.swift", "README.md")] + [
            path
            for folder in FOLDERS
            for path in [TOP / folder, *(TOP / folder).rglob("*")]
            if not {"build", ".build", "__pycache__"} & set(path.relative_to(TOP).parts)
        ]
        self.makefiles = MakeNames().code

    @cached_property
    def installed(self) -> dict[str, list[Path]]:
        """Where what is installed into a folder comes from."""
        packaging = TOP / "Include" / "packaging"
        return {
            "share/skan/models": [TOP / "Sources" / "SKANModels"],
            "share/skan": [packaging / "share"],
            "share/doc/skan": [TOP / "Sources" / "Core", TOP / "Sources" / "Articles"],
            "skan": [TOP / "Include" / "skan", TOP / "Bindings" / "Cpp" / "skan"],
        }

    def has(self, name: str, near: Path) -> bool:
        """Whether there is a file or folder of this name; NAME and … stand for any text."""
        pattern = re.sub(r"NAME|…|\*+", "*", name.rstrip("/"))
        if any(next(root.glob(pattern), None) for root in (TOP, TOP / "Sources", near.parent)):
            return True
        if any(path.match(pattern) for path in self.paths):
            return True
        for folder, sources in self.installed.items():
            if pattern == folder:
                return True
            if pattern.startswith(folder + "/"):
                return any((source / pattern[len(folder) + 1 :]).exists() for source in sources)
        built = re.fullmatch(r"build/([\w-]+)", pattern)
        return built is not None and f"$(BUILD)/{built[1]}" in self.makefiles

    @cached_property
    def quoted(self) -> str:
        """Every text between quotes in the sources, in the ready models and in comments of the headers, one a line."""
        swift = text(files("Sources", ".swift"))
        found = re.findall(r'"((?:\\.|[^"\\\n])*)"', swift)
        found += [re.sub(r"\\\n\s*", "", part) for part in re.findall(r'"""\n(.*?)"""', swift, re.DOTALL)]
        found += re.findall(r'"([^"\n]*)"', text(files("Sources/SKANModels", ".json")))
        found += re.findall(r'"([^"\n]*)"', text(files("Tests/Hosts/Readme/AppleStandIns", ".swift")))
        return "\n".join([*found, text(files("Include/skan", ".h"))])
