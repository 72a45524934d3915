"""The declarations of the package against skan.h itself."""

import os
import re
import subprocess
from ctypes import (
    POINTER,
    c_bool,
    c_char_p,
    c_double,
    c_int,
    c_int32,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
    sizeof,
)
from pathlib import Path
from typing import Any

import pytest
from libskan import Outcome, Status, _library

INCLUDE = Path(__file__).resolve().parents[3] / "Include"


def text_of(name: str) -> str:
    """A header without its comments."""
    text = (INCLUDE / "skan" / f"{name}.h").read_text(encoding="utf-8")
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)


HEADER = text_of("skan")

STRUCTS: dict[str, Any] = {
    "skan_store": _library.NativeStore,
    "skan_clock": _library.NativeClock,
    "skan_transport": _library.NativeTransport,
    "skan_options": _library.NativeOptions,
    "skan_update": _library.NativeUpdate,
    "skan_device": _library.NativeDevice,
    "skan_load_item": _library.NativeLoadItem,
    "skan_save_item": _library.NativeSaveItem,
    "skan_revenue": _library.NativeRevenue,
    "skan_record": _library.NativeRecord,
}

# What a C type is passed as. Bytes with a length go as c_char_p, so that Python's bytes need no copy.
TYPES: dict[str, Any] = {
    "void": None,
    "bool": c_bool,
    "int": c_int,
    "double": c_double,
    "size_t": c_size_t,
    "uint32_t": c_uint32,
    "uint64_t": c_uint64,
    "skan_status": c_int32,
    "const char *": c_char_p,
    "const void *": c_char_p,
    "void *": c_void_p,
    "char **": POINTER(c_char_p),
    "uint64_t *": POINTER(c_uint64),
    "skan *": c_void_p,
    "skan **": POINTER(c_void_p),
    "skan_model *": c_void_p,
    "const skan_model *": c_void_p,
    "skan_model **": POINTER(c_void_p),
    "skan_buffer *": c_void_p,
    "const skan_buffer *": c_void_p,
    "skan_error *": c_void_p,
    "const skan_error *": c_void_p,
    "skan_error **": c_void_p,
    "skan_update *": c_void_p,
    "skan_status *": POINTER(c_int32),
    "skan_record *": POINTER(_library.NativeRecord),
    "const skan_revenue *": POINTER(_library.NativeRevenue),
    "const skan_options *": POINTER(_library.NativeOptions),
    "const skan_device *": POINTER(_library.NativeDevice),
    "skan_json_visit": _library.JSON_VISIT,
}

RESULTS = {**TYPES, "const void *": c_void_p}  # c_char_p would be read up to a NUL


def functions(header: str = HEADER, types: dict[str, Any] = TYPES) -> dict[str, tuple[Any, list[Any]]]:
    """What a header declares, in terms of ctypes."""
    declared = {}
    for result, name, parameters in re.findall(
        r"^((?:const )?\w+ \*{0,2})(skan_\w+)\(([^)]*)\);", header, re.MULTILINE
    ):
        names = [re.sub(r"\w+$", "", parameter.strip()).strip() for parameter in parameters.split(",")]
        results = {**types, **RESULTS}
        declared[name] = results[result.strip()], [] if parameters == "void" else [types[type_] for type_ in names]
    return declared


def test_every_function_is_declared_as_in_the_header() -> None:
    assert functions() == _library.SIGNATURES
    for name, (result, parameters) in functions().items():
        function = getattr(_library.library, name)
        assert (function.restype, list(function.argtypes)) == (result, parameters)


def test_every_status_has_its_number() -> None:
    numbers = {
        re.sub(r"^(ERROR_)?", "", name): int(number)
        for name, number in re.findall(r"SKAN_(?!JSON_)(\w+) = (\d+)", HEADER)
    }
    assert {status.name: status.value for status in Status} == numbers
    hooks_only = {"NOT_FOUND"}
    assert {outcome.name for outcome in Outcome} == {name for name in numbers if numbers[name] < 100} - hooks_only
    for status in Status:
        prefix = "SKAN_ERROR_" if status >= 100 else "SKAN_"
        assert _library.library.skan_status_name(status).decode() == prefix + status.name


def test_the_abi_version_is_the_headers() -> None:
    assert re.findall(r"#define SKAN_ABI_VERSION (\d+)", HEADER) == [str(_library.ABI_VERSION)]


@pytest.mark.parametrize("name", STRUCTS)
def test_structs_have_their_layout(name: str, tmp_path: Path) -> None:
    assert_layout("skan", name, STRUCTS[name], tmp_path)


def assert_layout(header: str, name: str, struct: Any, folder: Path) -> None:
    """A struct has the size of C's, and its members are where C has them."""
    members = [field[0] for field in struct._fields_]
    lines = [f'printf("%zu %zu\\n", offsetof({name}, {m}), sizeof((({name} *)0)->{m}));' for m in members]
    source = folder / "layout.c"
    source.write_text(
        f"#include <stddef.h>\n#include <skan/{header}.h>\n#include <stdio.h>\n"
        f'int main(void) {{ printf("0 %zu\\n", sizeof({name})); {" ".join(lines)} }}'
    )
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-I", str(INCLUDE), str(source), "-o", str(folder / "layout")], check=True)
    printed = subprocess.run([str(folder / "layout")], check=True, capture_output=True, text=True).stdout
    layout = [tuple(map(int, line.split())) for line in printed.splitlines()]
    assert layout == [(0, sizeof(struct)), *(place(struct, member) for member in members)]


def place(struct: Any, member: str) -> tuple[int, int]:
    """Offset and size of a member."""
    field = getattr(struct, member)
    return field.offset, field.size


def test_a_struct_has_every_member_of_the_header() -> None:
    for name, struct in STRUCTS.items():
        assert members_of(HEADER, name) == [field[0] for field in struct._fields_]


def members_of(header: str, name: str) -> list[str]:
    """The names of a struct's members."""
    body = re.search(r"typedef struct " + name + r" \{(.*?)\} " + name + ";", header, re.DOTALL)
    assert body is not None
    members = [re.search(r"\(\*(\w+)\)|(\w+)$", member.strip()) for member in body[1].split(";") if member.strip()]
    return [match[1] or match[2] for match in members if match]
