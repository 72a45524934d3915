"""The declarations of the package against the headers of libskan's companions."""

from ctypes import POINTER, c_int
from pathlib import Path
from typing import Any

import pytest
from libskan import _library, _native_stores
from libskan._companions import companion
from test_header import TYPES, assert_layout, functions, members_of, text_of

STRUCTS: dict[str, dict[str, Any]] = {
    "sqlite": {"skan_sqlite_options": _native_stores.NativeSqliteOptions},
    "postgres": {"skan_postgres_options": _native_stores.NativePostgresOptions},
    "redis": {"skan_redis_options": _native_stores.NativeRedisOptions},
    "store_kit": {
        "skan_store_kit": _native_stores.NativeStoreKit,
        "skan_store_kit_result": _native_stores.NativeStoreKitResult,
    },
}

COMPANION_TYPES = {
    **TYPES,
    "int": c_int,
    "skan_store *": POINTER(_library.NativeStore),
    "const skan_sqlite_options *": POINTER(_native_stores.NativeSqliteOptions),
    "const skan_postgres_options *": POINTER(_native_stores.NativePostgresOptions),
    "const skan_redis_options *": POINTER(_native_stores.NativeRedisOptions),
    "const skan_store_kit *": POINTER(_native_stores.NativeStoreKit),
}


def test_every_header_has_its_structs_here() -> None:
    assert set(STRUCTS) == set(_native_stores.SIGNATURES)


@pytest.mark.parametrize("name", STRUCTS)
def test_every_function_is_declared_as_in_its_header(name: str) -> None:
    declared = functions(text_of(name), COMPANION_TYPES)
    assert declared
    assert declared == _native_stores.SIGNATURES[name]
    for function_name, (result, parameters) in declared.items():
        function = getattr(companion(name), function_name)
        assert (function.restype, list(function.argtypes)) == (result, parameters)


@pytest.mark.parametrize("name", STRUCTS)
def test_structs_are_those_of_the_header(name: str, tmp_path: Path) -> None:
    for struct_name, struct in STRUCTS[name].items():
        assert members_of(text_of(name), struct_name) == [field[0] for field in struct._fields_]
        assert_layout(name, struct_name, struct, tmp_path)
