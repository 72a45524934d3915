"""Replaces what is not ASCII in the names of an object's symbols: ascii_names.py OBJECT.

Swift names constants after the text that they hold. Tools that read symbols expect UTF-8 and find a part of a character
where the name is cut off.
"""

import struct
import sys
from pathlib import Path

STRING_TABLE = 3
ASCII = bytes(range(128)) + b"_" * 128


def main() -> None:
    """Changes the object in place."""
    path = Path(sys.argv[1])
    data = bytearray(path.read_bytes())
    if data[:6] != b"\x7fELF\x02\x01":
        sys.exit(f"{path}: expected a 64-bit little-endian ELF object")
    (sections,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    for header in range(sections, sections + size * count, size):
        (kind,) = struct.unpack_from("<I", data, header + 4)
        begin, length = struct.unpack_from("<QQ", data, header + 24)
        if kind == STRING_TABLE:
            data[begin : begin + length] = data[begin : begin + length].translate(ASCII)
    path.write_bytes(data)


main()
