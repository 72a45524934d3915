"""What the headers of the companion libraries declare: stores, and the kit that proves them."""

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_bool,
    c_char_p,
    c_int,
    c_int32,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any

from ._library import NativeStore, NativeStructure

REPORT = CFUNCTYPE(None, c_void_p, c_int32, c_char_p)


class NativeSqliteOptions(NativeStructure):
    """skan_sqlite_options."""

    _fields_ = (
        ("size", c_size_t),
        ("synchronous", c_int32),
        ("busy_timeout_ms", c_uint32),
        ("max_connections", c_uint32),
        ("reserved", c_uint32),
        ("report", REPORT),
        ("report_context", c_void_p),
    )


class NativePostgresOptions(NativeStructure):
    """skan_postgres_options."""

    _fields_ = (
        ("size", c_size_t),
        ("table", c_char_p),
        ("timeout_ms", c_uint32),
        ("max_connections", c_uint32),
        ("create_table", c_uint32),
        ("pooled", c_uint32),
        ("report", REPORT),
        ("report_context", c_void_p),
    )


class NativeRedisOptions(NativeStructure):
    """skan_redis_options."""

    _fields_ = (
        ("size", c_size_t),
        ("prefix", c_char_p),
        ("timeout_ms", c_uint32),
        ("connect_timeout_ms", c_uint32),
        ("max_connections", c_uint32),
        ("expire_days_after_close", c_uint32),
        ("allow_eviction", c_uint32),
        ("reserved", c_uint32),
        ("report", REPORT),
        ("report_context", c_void_p),
    )


class NativeStoreKitResult(Structure):
    """skan_store_kit_result."""

    _fields_ = (
        ("size", c_size_t),
        ("number", c_size_t),
        ("law", c_char_p),
        ("reason", c_char_p),
        ("outcome", c_int),
    )


KIT_OPEN = CFUNCTYPE(c_int32, c_void_p, POINTER(NativeStore))
KIT_REOPEN = CFUNCTYPE(c_int32, c_void_p)
KIT_REPORT = CFUNCTYPE(None, c_void_p, POINTER(NativeStoreKitResult))


class NativeStoreKit(NativeStructure):
    """skan_store_kit."""

    _fields_ = (
        ("size", c_size_t),
        ("context", c_void_p),
        ("open", KIT_OPEN),
        ("reopen", KIT_REOPEN),
        ("durable", c_bool),
        ("shared", c_bool),
        ("prefix", c_char_p),
        ("threads", c_uint32),
        ("rounds", c_uint32),
        ("steps", c_uint32),
        ("seed", c_uint64),
        ("report", KIT_REPORT),
    )


_STORE = POINTER(NativeStore)

# Of each header: what a function gives back, and what it takes.
SIGNATURES: dict[str, dict[str, tuple[Any, list[Any]]]] = {
    "sqlite": {
        "skan_sqlite_store_open": (c_int32, [c_char_p, POINTER(NativeSqliteOptions), _STORE, c_void_p]),
        "skan_sqlite_store_close": (None, [_STORE]),
    },
    "postgres": {
        "skan_postgres_store_open": (c_int32, [c_char_p, POINTER(NativePostgresOptions), _STORE, c_void_p]),
        "skan_postgres_store_close": (None, [_STORE]),
    },
    "redis": {
        "skan_redis_store_open": (c_int32, [c_char_p, POINTER(NativeRedisOptions), _STORE, c_void_p]),
        "skan_redis_store_close": (None, [_STORE]),
    },
    "store_kit": {
        "skan_store_kit_run": (c_int, [POINTER(NativeStoreKit)]),
        "skan_store_kit_law": (c_char_p, [c_size_t]),
    },
}
