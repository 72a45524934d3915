#!/usr/bin/env python3
"""The promise of skan.h: the ABI only grows. What the public headers declare, against the list of what was released.

    released.py LIST INCLUDE            tells every fault
    released.py LIST INCLUDE RELEASE    prints the lines that LIST has not, for this release

LIST has a line for each declaration, `RELEASE KIND NAME: WHAT`, with the release that brought it; before the first
release it has none, and nothing is promised. INCLUDE/skan has the headers. CC compiles the program that tells offsets and numbers, OTHER_CC is a clang, which tells declarations.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HELP = """
What was released stays as it is: programs that were compiled against it run with every later library. Undo the change.
New: functions, types, constants, and members at the end of a struct that begins with its `size`. Each gets a line in
{list}, as shown, with the release that it will come with. No other line of the list changes.
"""

LINE = re.compile(r"(\d+\.\d+\.\d+) (constant|function|member|size|type) ([^:]+): (.+)")

Key = tuple[str, str]  # kind and name
Release = tuple[int, ...]


@dataclass
class Member:
    """Where a member of a struct stands."""

    name: str
    offset: int
    size: int
    alignment: int


@dataclass
class Headers:
    """What the headers declare."""

    said: dict[Key, str] = field(default_factory=dict)
    structs: dict[str, list[Member]] = field(default_factory=dict)

    def grows(self, struct: str) -> bool:
        """Whether callers say how large theirs is."""
        return self.said.get(("member", f"{struct}.size")) == "size_t at 0"


# ------------------------------------------------------------------------------------------------------------ headers


def run(*command: str) -> str:
    """What a command prints."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def declared(include: str, source: str) -> Iterator[dict[str, Any]]:
    """What the headers declare at file scope, as clang reads it. All public names begin with skan."""
    clang = os.environ.get("OTHER_CC", "clang")
    tree = run(clang, "-std=c11", f"-I{include}", "-fsyntax-only", "-Xclang", "-ast-dump=json", source)
    for node in json.loads(tree)["inner"]:
        names = [node.get("name", "")] + [child.get("name", "") for child in node.get("inner", [])[:1]]
        if any(name.lower().startswith("skan") for name in names):
            yield node


def macros(include: str, source: str) -> Iterator[tuple[str, str]]:
    """Macros with a value, which include guards have not."""
    text = run(os.environ.get("CC", "gcc"), "-std=c11", f"-I{include}", "-E", "-dM", source)
    yield from re.findall(r"^#define (SKAN_\w+(?:\([^)]*\))?) (.+)$", text, flags=re.MULTILINE)


def type_of(node: dict[str, Any]) -> str:
    """The type of a declaration, in the spelling of the header; clangs differ over bool."""
    return re.sub(r"\b_Bool\b", "bool", node["type"]["qualType"])


def numbers(include: str, source: str, expressions: list[str]) -> list[int]:
    """The values of constant expressions."""
    lines = "".join(f'    printf("%lld\\n", (long long)({expression}));\n' for expression in expressions)
    program = f"{source}.numbers"
    Path(f"{program}.c").write_text(
        f'#include <stddef.h>\n#include <stdio.h>\n#include "{source}"\nint main(void) {{\n{lines}}}\n'
    )
    run(os.environ.get("CC", "gcc"), "-std=gnu11", f"-I{include}", "-o", program, f"{program}.c")
    return [int(line) for line in run(program).split()]


def read(include: str, directory: str) -> Headers:
    """Reads all headers, with files of its own in the directory."""
    source = f"{directory}/headers.h"
    names = sorted(header.name for header in Path(include, "skan").glob("*.h"))
    Path(source).write_text("".join(f"#include <skan/{name}>\n" for name in names))

    headers = Headers()
    headers.said.update({("constant", name): value for name, value in macros(include, source)})
    constants: list[str] = []
    members: list[tuple[str, str, str]] = []
    for node in declared(include, source):
        name = node.get("name", "")
        if node["kind"] == "FunctionDecl":
            headers.said["function", name] = type_of(node)
        elif node["kind"] == "TypedefDecl":
            headers.said["type", name] = type_of(node)
        elif node["kind"] == "EnumDecl":
            constants += [value["name"] for value in node["inner"] if value["kind"] == "EnumConstantDecl"]
        elif node["kind"] == "RecordDecl":
            fields = [part for part in node.get("inner", []) if part["kind"] == "FieldDecl"]
            members += [(name, part["name"], type_of(part)) for part in fields]
        else:
            sys.exit(f"released.py does not know what a {node['kind']} is: {name}")

    structs = list(dict.fromkeys(struct for struct, _, _ in members))
    asked = constants + [f"sizeof({struct})" for struct in structs]
    for struct, member, _ in members:
        value = f"(({struct} *)0)->{member}"
        asked += [f"offsetof({struct}, {member})", f"sizeof({value})", f"_Alignof(__typeof__({value}))"]
    told = iter(numbers(include, source, asked))
    for name in constants:
        headers.said["constant", name] = str(next(told))
    for name in structs:
        headers.said["size", name] = str(next(told))
    for struct, member, kind in members:
        offset, size, alignment = next(told), next(told), next(told)
        headers.said["member", f"{struct}.{member}"] = f"{kind} at {offset}"
        headers.structs.setdefault(struct, []).append(Member(member, offset, size, alignment))
    return headers


# --------------------------------------------------------------------------------------------------------------- list


def read_list(path: str) -> dict[Key, tuple[str, str]]:
    """What was released and with which release."""
    released: dict[Key, tuple[str, str]] = {}
    # A line that begins with a space goes on the one before.
    for line in re.sub(r"\n +", " ", Path(path).read_text()).splitlines():
        if not line or line.startswith("#"):
            continue
        match = LINE.fullmatch(line)
        if not match:
            sys.exit(f"{path}: expected `RELEASE KIND NAME: WHAT`, got {line}")
        release, kind, name, what = match.groups()
        if (kind, name) in released:
            sys.exit(f"{path}: {kind} {name} has two lines")
        released[kind, name] = (what, release)
    return released


def order(release: str) -> Release:
    """1.10.0 comes after 1.9.0."""
    return tuple(int(part) for part in release.split("."))


# ------------------------------------------------------------------------------------------------------------- faults


def may_be(key: Key, was: str, now: str, headers: Headers) -> bool:
    """Whether a declaration may have become this: structs that begin with their size grow, limits rise."""
    kind, name = key
    if now == was:
        return True
    may_rise = headers.grows(name) if kind == "size" else kind == "constant" and name.endswith("_MAX")
    return may_rise and now.isdigit() and was.isdigit() and int(now) > int(was)


def changes(released: dict[Key, tuple[str, str]], headers: Headers) -> Iterator[str]:
    """What changed, went or has no line in the list."""
    for key, (was, release) in released.items():
        now = headers.said.get(key)
        if now is None:
            yield f"{key[0]} {key[1]} is gone; {release} has it: {was}"
        elif not may_be(key, was, now, headers):
            yield f"{key[0]} {key[1]} is `{now}`; in {release} it is `{was}`"
    for key, now in headers.said.items():
        if key not in released:
            yield f"not in the list: a.b.c {key[0]} {key[1]}: {now}"


def growth(struct: str, released: dict[Key, tuple[str, str]], headers: Headers) -> Iterator[str]:
    """Members that a struct got later stand behind all that an older caller's struct has, its padding included."""
    if ("size", struct) not in released:
        return
    first_size, first = released["size", struct]
    current, end, alignment, first_end = first, 0, 1, 0
    for member in sorted(headers.structs.get(struct, []), key=lambda member: member.offset):
        name = f"member {struct}.{member.name}"
        _, release = released.get(("member", f"{struct}.{member.name}"), ("", ""))
        if not release:
            return
        whole = -(-end // alignment) * alignment
        if order(release) < order(current):
            yield f"{name} of {release} stands behind a member of {current}"
        elif order(release) > order(current):
            if not headers.grows(struct):
                yield f"{name} of {release}: a struct without `size` as its first member never grows"
            if member.offset < whole:
                yield f"{name} of {release} is at {member.offset}, within the {whole} bytes of {current}'s struct"
            current = release
        end, alignment = member.offset + member.size, max(alignment, member.alignment)
        if release == first:
            first_end = -(-end // alignment) * alignment
    if str(first_end) != first_size:
        yield f"the members of {first} give {struct} {first_end} bytes, not the {first_size} it had then"


def main() -> None:
    """Tells every fault, ends with 1 where there is one; or prints lines for a release."""
    path, include, *release = sys.argv[1:]
    released = read_list(path)
    with tempfile.TemporaryDirectory() as directory:
        headers = read(include, directory)
    if release:
        for (kind, name), what in headers.said.items():
            if (kind, name) not in released:
                print(f"{release[0]} {kind} {name}: {what}")
        return
    if not released:
        print(f"released: nothing yet; the headers have {len(headers.said)} declarations")
        return
    faults = list(changes(released, headers))
    for struct in headers.structs:
        faults += growth(struct, released, headers)
    for fault in faults:
        print(f"FAILED {fault}")
    kinds = [kind for kind, _ in released]
    counts = ", ".join(f"{kinds.count(kind)} {kind}s" for kind in sorted(set(kinds)))
    print(f"released: {counts}; {len(faults)} faults")
    if faults:
        sys.exit(HELP.format(list=path))


if __name__ == "__main__":
    main()
