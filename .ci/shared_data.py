"""Data that several objects of one library define under one name: shared_data.py OBJECT...

The linker keeps one copy of a weak symbol. Embedded Swift names a constant array by the function it stands in and a
number, and numbers anew in each module that the function is compiled into: where two modules number differently, a
function would get the other one's array. So all copies have to be the same, byte for byte, and point to the same.

Of a final class's methods a copy may leave some out: nobody looks for them there.
"""

import re
import struct
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FINAL_CLASS = re.compile(r"\bfinal class (\w+)")
LEFT_OUT = "swift_deletedMethodError"
WEAK, OBJECT, FUNCTION, NO_BITS, SYMBOL_TABLE, RELOCATIONS = 2, 1, 2, 8, 2, 4


class Section(NamedTuple):
    """A section's header, as ELF has it."""

    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry: int


class Symbol(NamedTuple):
    """A symbol, as ELF has it."""

    name: int
    info: int
    other: int
    section: int
    value: int
    size: int


class Data(NamedTuple):
    """What stands under a symbol: its bytes, and at which of their places it points to what."""

    bytes: bytes
    pointers: list[tuple[int, "Pointed"]]


Pointed = str | tuple[int, Data]


class ObjectFile:
    """An object file of ELF, 64 bits, little-endian."""

    def __init__(self, path: Path) -> None:
        self.bytes = path.read_bytes()
        if self.bytes[:6] != b"\x7fELF\x02\x01":
            sys.exit(f"{path}: expected an object of ELF, 64 bits, little-endian")
        (start,) = struct.unpack_from("<Q", self.bytes, 0x28)
        size, count = struct.unpack_from("<HH", self.bytes, 0x3A)
        self.sections = [
            Section(*struct.unpack_from("<IIQQQQIIQQ", self.bytes, start + index * size)) for index in range(count)
        ]
        table = next((each for each in self.sections if each.kind == SYMBOL_TABLE), None)
        self.symbols = [Symbol(*each) for each in struct.iter_unpack("<IBBHQQ", self.content(table))] if table else []
        self.names = self.content(self.sections[table.link]) if table else b""

    def content(self, section: Section) -> bytes:
        """A section's bytes; zeros that the file does not hold are none."""
        return b"" if section.kind == NO_BITS else self.bytes[section.offset : section.offset + section.size]

    def name(self, symbol: Symbol) -> str:
        """A symbol's name."""
        return self.names[symbol.name : self.names.index(b"\0", symbol.name)].decode()

    def data(self, symbol: Symbol, depth: int = 4) -> Data:
        """What stands under a symbol, with what it points to as far as `depth`."""
        content = self.content(self.sections[symbol.section])
        found = []
        for section in self.sections:
            if section.kind != RELOCATIONS or section.info != symbol.section:
                continue
            for offset, info, addend in struct.iter_unpack("<QQq", self.content(section)):
                if symbol.value <= offset < symbol.value + symbol.size:
                    found.append((offset - symbol.value, self.pointed(self.symbols[info >> 32], addend, depth - 1)))
        return Data(content[symbol.value : symbol.value + symbol.size] or bytes(symbol.size), sorted(found, key=repr))

    def pointed(self, target: Symbol, addend: int, depth: int) -> Pointed:
        """What a pointer leads to: a function's name; of data, whose name each object may choose, what it is."""
        if target.info & 15 == FUNCTION or not 0 < target.section < len(self.sections) or depth == 0:
            return self.name(target)
        place = target.value + addend
        for symbol in self.symbols:
            if symbol.section == target.section and symbol.value <= place < symbol.value + symbol.size:
                data = self.data(symbol, depth)
                is_text = not data.pointers and data.bytes.find(b"\0") == len(data.bytes) - 1
                return data.bytes[:-1].hex() if is_text else (place - symbol.value, data)
        # A text: data without a symbol.
        return self.content(self.sections[target.section])[place:].split(b"\0")[0].hex()

    def weak_data(self) -> Iterator[tuple[str, Data]]:
        """Each weak symbol of data."""
        for symbol in self.symbols:
            if symbol.info >> 4 == WEAK and symbol.info & 15 == OBJECT and 0 < symbol.section < len(self.sections):
                yield self.name(symbol), self.data(symbol)


def final_classes(tree: Path) -> set[str]:
    """How their data is called: behind the module's name, the length and the name, then CN."""
    names = {name for path in tree.rglob("*.swift") for name in FINAL_CLASS.findall(path.read_text())}
    return {f"{len(name)}{name}CN" for name in names}


def are_same(one: Data, other: Data, is_final: bool) -> bool:
    """Whether two copies are; of a final class's, methods that one leaves out aside."""
    if one.bytes != other.bytes or len(one.pointers) != len(other.pointers):
        return False
    return all(
        this == that or (is_final and this[0] == that[0] and LEFT_OUT in (this[1], that[1]))
        for this, that in zip(one.pointers, other.pointers, strict=True)
    )


def main(paths: list[str]) -> int:
    """Names data whose copies differ; answers the exit code."""
    finals = final_classes(Path("Sources"))
    copies: dict[str, list[tuple[Data, str]]] = defaultdict(list)
    faults = set()
    for path in sorted(set(paths)):
        for name, data in ObjectFile(Path(path)).weak_data():
            is_final = any(name.endswith(each) for each in finals)
            for found, elsewhere in copies[name]:
                if name not in faults and not are_same(data, found, is_final):
                    faults.add(name)
                    print(f"{name}: one copy in {elsewhere}, another one in {path}")
            copies[name].append((data, path))
    print(f"shared data: {len(copies)} symbols, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
