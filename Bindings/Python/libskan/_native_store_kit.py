"""The declarations of store_kit.h."""

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

from ._companions import Companion
from ._library import NativeStore, NativeStructure


class NativeStoreKitResult(Structure):
    """skan_store_kit_result."""

    _fields_ = (("size", c_size_t), ("number", c_size_t), ("law", c_char_p), ("reason", c_char_p), ("outcome", c_int))


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


LIBRARY = Companion(
    "store_kit",
    {"skan_store_kit_run": (c_int, [POINTER(NativeStoreKit)]), "skan_store_kit_law": (c_char_p, [c_size_t])},
)
