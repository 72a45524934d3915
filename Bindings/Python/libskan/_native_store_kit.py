"""The declarations of store_kit.h."""

from ctypes import CFUNCTYPE, POINTER, c_int, c_int32, c_void_p

from ._companions import Companion
from ._library import NativeStore, structure

NativeStoreKitResult = structure(
    "skan_store_kit_result", "size_t size, number; char_p law, reason; int outcome", sets_size=False
)
KIT_OPEN = CFUNCTYPE(c_int32, c_void_p, POINTER(NativeStore))
KIT_REOPEN = CFUNCTYPE(c_int32, c_void_p)
KIT_REPORT = CFUNCTYPE(None, c_void_p, POINTER(NativeStoreKitResult))
NativeStoreKit = structure(
    "skan_store_kit",
    "size_t size; void_p context; open open; reopen reopen; bool durable, shared; char_p prefix; "
    "uint32 threads, rounds, steps; uint64 seed; report report",
    open=KIT_OPEN,
    reopen=KIT_REOPEN,
    report=KIT_REPORT,
)

LIBRARY = Companion("store_kit", {"skan_store_kit_run": (c_int, [POINTER(NativeStoreKit)])})
