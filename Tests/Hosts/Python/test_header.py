"""The declarations of the package against the headers themselves."""

import ctypes
import os
import re
import subprocess
from ctypes import POINTER, c_char_p, c_int32, c_size_t, c_uint32, c_uint64, c_void_p, sizeof
from enum import IntEnum
from pathlib import Path
from typing import Any

import pytest
from libskan import (
    ENDPOINT_SINGULAR,
    INSTALL_ALONE,
    CallResult,
    CoarseValue,
    Outcome,
    ReengagementCredit,
    RevenueKind,
    Status,
    _engine,
    _library,
)
from libskan._companions import COMPANIONS
from package import modules

INCLUDE = Path(__file__).resolve().parents[3] / "Include"

modules()  # all are imported, and declare their structs
# The headers of libskan itself; a companion has one, of its name.
CORE = ("skan", "store", "model", "reengagement", "companion")
# Of each library: what the package declares of its headers.
SIGNATURES = {"skan": _library.SIGNATURES, **{name: each.signatures for name, each in COMPANIONS.items()}}

# By the name in C.
STRUCTS: dict[str, Any] = _library.STRUCTURES

# What a C type is passed as, where ctypes has another name. Bytes with a length go as c_char_p, so that Python's bytes
# need no copy.
TYPES: dict[str, Any] = {
    "void": None,
    "size_t": c_size_t,
    "size_t *": POINTER(c_size_t),
    "uint32_t *": POINTER(c_uint32),
    "uint64_t *": POINTER(c_uint64),
    "skan_status": c_int32,
    "skan_status *": POINTER(c_int32),
    "const char *": c_char_p,
    "const char *const *": POINTER(c_char_p),
    "const void *": c_char_p,
    "void *": c_void_p,
    "char **": POINTER(c_char_p),
    "skan_error **": c_void_p,
    "skan_update *": c_void_p,
    "skan_json_visit": c_void_p,
    "skan_http_done": c_void_p,
}


def headers_of(name: str) -> tuple[str, ...]:
    """The names of a library's headers."""
    return CORE if name == "skan" else (name,)


def text_of(name: str) -> str:
    """A library's headers without their comments."""
    texts = [(INCLUDE / "skan" / f"{header}.h").read_text(encoding="utf-8") for header in headers_of(name)]
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", "".join(texts), flags=re.DOTALL)


HEADER = text_of("skan")
ALL = "".join(text_of(name) for name in SIGNATURES)


def passed_as(type_: str) -> Any:
    """A C type in terms of ctypes."""
    if type_ in TYPES:
        return TYPES[type_]
    name, _, stars = type_.replace("const ", "").partition(" ")
    if not stars:
        return STRUCTS[name] if name in STRUCTS else getattr(ctypes, f"c_{name.removesuffix('_t')}")
    if stars == "**":
        return POINTER(c_void_p)
    return POINTER(STRUCTS[name]) if name in STRUCTS else c_void_p


def functions(header: str) -> dict[str, tuple[Any, list[Any]]]:
    """What a header declares, in terms of ctypes."""
    declared = {}
    for result, name, parameters in re.findall(
        r"^((?:const )?\w+ (?:\*const )?\*{0,2})(skan_\w+)\(([^)]*)\);", header, re.MULTILINE
    ):
        types = [re.sub(r"\w+$", "", parameter.strip()).strip() for parameter in parameters.split(",")]
        given = c_void_p if result == "const void *" else passed_as(result.strip())  # not read up to a NUL
        declared[name] = given, [] if parameters == "void" else [passed_as(type_) for type_ in types]
    return declared


@pytest.mark.parametrize("name", SIGNATURES)
def test_every_function_that_the_package_uses_is_declared_as_in_its_header(name: str) -> None:
    found = functions(text_of(name))
    declared = {each: found[each] for each in SIGNATURES[name]}
    assert declared == SIGNATURES[name]
    library = _library.library if name == "skan" else COMPANIONS[name].functions
    for function_name, (result, parameters) in declared.items():
        function = getattr(library, function_name)
        assert (function.restype, list(function.argtypes)) == (result, parameters)


def numbers_of(enum: str, prefix: str = "") -> dict[str, int]:
    """The constants of an enum, by their names without SKAN_ and the prefix, a pattern."""
    body = re.search(rf"^enum {enum} \{{(.*?)\}}", HEADER, re.DOTALL | re.MULTILINE)
    assert body is not None
    return {name: int(number) for name, number in re.findall(rf"\bSKAN_{prefix}(\w+) = (-?\d+)", body[1])}


def test_every_status_has_its_number() -> None:
    numbers = numbers_of("skan_status_code", "(?:ERROR_)?")
    assert {status.name: status.value for status in Status} == numbers
    assert {outcome.name for outcome in Outcome} == {name for name in numbers if numbers[name] < 100}
    for status in Status:
        prefix = "SKAN_ERROR_" if status >= 100 else "SKAN_"
        assert _library.library.skan_status_name(status).decode() == prefix + status.name


@pytest.mark.parametrize(
    ("kind", "enum", "prefix"),
    [
        (CallResult, "skan_call_result", "CALL_"),
        (CoarseValue, "skan_coarse_value", "COARSE_(?!NONE)"),
        (ReengagementCredit, "skan_credit", "CREDIT_"),
        (RevenueKind, "skan_revenue_kind", ""),
    ],
)
def test_every_word_has_its_number(kind: type[IntEnum], enum: str, prefix: str) -> None:
    assert {word.name: word.value for word in kind} == numbers_of(enum, prefix)


def test_the_words_of_calls_have_their_numbers() -> None:
    frameworks = {name.upper(): number for number, name in enumerate(_engine._FRAMEWORKS)}
    assert frameworks == numbers_of("skan_framework")
    types = numbers_of("skan_conversion_type", "CONVERSION_")
    words = {None: "NONE", "install": "INSTALL", "re-engagement": "REENGAGEMENT"}
    assert {types[words[word]]: word for word in words} == _engine._CONVERSION_TYPES


def test_constants_are_the_headers() -> None:
    assert f'#define SKAN_ENDPOINT_SINGULAR "{ENDPOINT_SINGULAR}"' in (INCLUDE / "skan" / "skan.h").read_text("utf-8")
    assert "#define SKAN_INSTALL_ALONE UINT32_MAX" in HEADER
    assert c_uint32(-1).value == INSTALL_ALONE


def test_the_abi_version_is_the_headers() -> None:
    assert re.findall(r"#define SKAN_ABI_VERSION (\d+)", HEADER) == [str(_library.ABI_VERSION)]


@pytest.mark.parametrize("name", STRUCTS)
def test_a_struct_has_every_member_of_its_header(name: str) -> None:
    body = re.search(rf"^(?:typedef )?struct {name} \{{(.*?)^\}}", ALL, re.DOTALL | re.MULTILINE)
    assert body is not None
    members = [re.search(r"\(\*(\w+)\)|(\w+)(?:\[[^]]+\])?$", part.strip()) for part in body[1].split(";")]
    assert [match[1] or match[2] for match in members if match] == members_of(STRUCTS[name])


def test_structs_have_their_layout(tmp_path: Path) -> None:
    """The size of C's, and every member where C has it."""
    lines = []
    for name, struct in STRUCTS.items():
        lines.append(f'printf("{name} 0 %zu\\n", sizeof({name}));')
        for member in members_of(struct):
            place = f"offsetof({name}, {member}), sizeof((({name} *)0)->{member})"
            lines.append(f'printf("{name}.{member} %zu %zu\\n", {place});')
    headers = "".join(f"#include <skan/{header}.h>\n" for name in SIGNATURES for header in headers_of(name))
    source = tmp_path / "layout.c"
    source.write_text(f"#include <stddef.h>\n#include <stdio.h>\n{headers}int main(void) {{ {' '.join(lines)} }}")
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-I", str(INCLUDE), str(source), "-o", str(tmp_path / "layout")], check=True)
    printed = subprocess.run([str(tmp_path / "layout")], check=True, capture_output=True, text=True).stdout
    layout = []
    for name, struct in STRUCTS.items():
        layout.append(f"{name} 0 {sizeof(struct)}")
        for field, *_ in struct._fields_:
            place = getattr(struct, field)
            layout.append(f"{name}.{field.rstrip('_')} {place.offset} {place.size}")
    assert printed.splitlines() == layout


def members_of(struct: Any) -> list[str]:
    """The names of its members in C; one that is a word of Python's has a line behind it there."""
    return [field[0].rstrip("_") for field in struct._fields_]
