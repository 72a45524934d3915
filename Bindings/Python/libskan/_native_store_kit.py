"""The declarations of store_kit.h."""

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char_p,
    c_int,
    c_int32,
    c_size_t,
    c_void_p,
)

from ._companions import Companion
from ._library import NativeStore, NativeStructure, members


class NativeStoreKitResult(Structure):
    """skan_store_kit_result."""

    _fields_ = members("size_t size, number; char_p law, reason; int outcome")


KIT_OPEN = CFUNCTYPE(c_int32, c_void_p, POINTER(NativeStore))
KIT_REOPEN = CFUNCTYPE(c_int32, c_void_p)
KIT_REPORT = CFUNCTYPE(None, c_void_p, POINTER(NativeStoreKitResult))


class NativeStoreKit(NativeStructure):
    """skan_store_kit."""

    _fields_ = (
        *members("size_t size; void_p context"),
        ("open", KIT_OPEN),
        ("reopen", KIT_REOPEN),
        *members("bool durable, shared; char_p prefix; uint32 threads, rounds, steps; uint64 seed"),
        ("report", KIT_REPORT),
    )


LIBRARY = Companion(
    "store_kit",
    {"skan_store_kit_run": (c_int, [POINTER(NativeStoreKit)]), "skan_store_kit_law": (c_char_p, [c_size_t])},
)
