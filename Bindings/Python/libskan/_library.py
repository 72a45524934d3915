"""Loads the shared library that is packed with this package, and declares the functions of its headers."""

import ctypes
import os
from ctypes import (
    CDLL,
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char_p,
    c_int,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
    sizeof,
)
from typing import Any

from ._version import __version__

ABI_VERSION = 1
PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_lib", "libskan.so")

LOAD = CFUNCTYPE(c_int32, c_void_p, c_char_p, c_void_p, POINTER(c_uint64))
SAVE = CFUNCTYPE(c_int32, c_void_p, c_char_p, c_void_p, c_size_t, c_uint64, POINTER(c_uint64))
REMOVE = CFUNCTYPE(c_int32, c_void_p, c_char_p, c_uint64)
NOW = CFUNCTYPE(c_int64, c_void_p)
GET = CFUNCTYPE(c_int32, c_void_p, c_char_p, c_void_p)
FINALIZE = CFUNCTYPE(None, c_void_p)
LIST = CFUNCTYPE(c_int32, c_void_p, c_void_p, c_void_p)
LIST_WITH_PREFIX = CFUNCTYPE(c_int32, c_void_p, c_char_p, c_void_p, c_void_p)
# A companion's report function: context, status, message.
REPORT = CFUNCTYPE(None, c_void_p, c_int32, c_char_p)
# The last members of a companion's options.
REPORTING = "report report; void_p report_context"


class NativeStructure(Structure):
    """A struct of the headers, with `size` set and all other members zero."""

    def __init__(self, **members: Any) -> None:
        super().__init__(size=sizeof(self), **members)


STRUCTURES: dict[str, Any] = {}
"""All structs of the headers that the package uses."""


def structure(name: str, members: str, *, sets_size: bool = True, **kinds: Any) -> type[Structure]:
    """Declares a struct of the headers.

    - members: "size_t size; skan_device* device; char[8] key" are three; "int32 window, fine_value" are two of c_int32.
    - sets_size: whether a new struct has its `size`.
    - kinds: the types of members that ctypes and the structs before do not have.
    """

    def kind(word: str) -> Any:
        if word.endswith("*"):
            return POINTER(kind(word[:-1]))
        plain, _, count = word.rstrip("]").partition("[")
        found = kinds.get(plain) or STRUCTURES.get(plain) or getattr(ctypes, f"c_{plain}")
        return found * int(count) if count else found

    parts = [part.split(maxsplit=1) for part in members.split(";")]
    fields = [(member, kind(word)) for word, names in parts for member in names.split(", ")]
    base = NativeStructure if sets_size else Structure
    STRUCTURES[name] = type(name, (base,), {"__doc__": f"{name}.", "_fields_": fields})
    made: type[Structure] = STRUCTURES[name]
    return made


NativeLoadItem = structure("skan_load_item", "char_p key; void_p out; uint64 version; int32 status", sets_size=False)
NativeSaveItem = structure(
    "skan_save_item",
    "char_p key; void_p data; size_t length; uint64 expected_version, new_version; int32 status",
    sets_size=False,
)
LOAD_MANY = CFUNCTYPE(None, c_void_p, POINTER(NativeLoadItem), c_size_t)
SAVE_MANY = CFUNCTYPE(None, c_void_p, POINTER(NativeSaveItem), c_size_t)
NativeStore = structure(
    "skan_store",
    "size_t size; void_p context; load load; save save; remove remove; finalize finalize; load_many load_many; "
    "save_many save_many; list list; list_with_prefix list_with_prefix; bool keeps_stack",
    load=LOAD,
    save=SAVE,
    remove=REMOVE,
    finalize=FINALIZE,
    load_many=LOAD_MANY,
    save_many=SAVE_MANY,
    list=LIST,
    list_with_prefix=LIST_WITH_PREFIX,
)
NativeClock = structure(
    "skan_clock", "size_t size; void_p context; now now; finalize finalize", now=NOW, finalize=FINALIZE
)
NativeTransport = structure(
    "skan_transport", "size_t size; void_p context; get get; finalize finalize", get=GET, finalize=FINALIZE
)
NativeOptions = structure(
    "skan_options",
    "size_t size; uint32 protocol; skan_store* store; skan_clock* clock; skan_transport* transport; "
    "char_p endpoint_url, sdk_key, bundle_id, app_version; void_p* models; size_t model_count; bool switches_stacks; "
    "void_p* reengagement_models; size_t reengagement_model_count; int32 reengagement_credit; "
    "uint32 reengagement_cooldown_hours",
)
NativeDevice = structure("skan_device", "size_t size; char_p os_version, idfv, idfa")
# Created in every call, so its size is an argument.
NativeUpdate = structure(
    "skan_update",
    "size_t size; uint64 id; int32 window, fine_value, coarse_value; bool lock_window; int64 timestamp",
    sets_size=False,
)
NativeRegistration = structure("skan_registration", "size_t size; int64 first_launch; bool begins_again, keeps_revenue")
NativeAmount = structure("skan_amount", "char_p text; double number", sets_size=False)
NativeRevenue = structure(
    "skan_revenue",
    "size_t size; char_p install_id; skan_amount amount; char_p currency, event_id; int32 kind; uint32 reengagement",
)
NativeEvent = structure(
    "skan_event",
    "size_t size; char_p name, event_id; skan_device* device; skan_amount amount; char_p currency; int32 kind; "
    "uint32 reengagement",
)
NativeReengagement = structure(
    "skan_reengagement_report",
    "size_t size; char_p open_id, tag, reference; int64 opened_at; bool is_started, is_overlapping; "
    "skan_device* device",
)
NativeCall = structure(
    "skan_call",
    "size_t size; uint64 id; uint32 conversion; int32 framework, conversion_type, window, fine_value, coarse_value; "
    "bool lock_window; int64 timestamp, valid_until; char[257] tag",
)
NativeAcknowledgement = structure("skan_acknowledgement", "size_t size; uint64 id; int32 result")
NativeRecord = structure(
    "skan_record",
    "size_t size; uint32 protocol; bool is_registered; int64 first_timestamp, last_timestamp, closes_at",
)

_ENGINE = c_void_p
_MODEL = c_void_p
_ERROR = c_void_p
_TEXT_OUT = POINTER(c_char_p)
_DEVICE = POINTER(NativeDevice)
_EVENT = POINTER(NativeEvent)
# The arguments of nearly every call. Untyped pointers are faster to pass.
_ERROR_OUT = c_void_p
_UPDATE_OUT = c_void_p


def _on_install(*arguments: Any) -> tuple[Any, list[Any]]:
    """A function about an install: these are its arguments between the install's id and the error."""
    return c_int32, [_ENGINE, c_char_p, *arguments, _ERROR_OUT]


# By each function's name, its result type and its argument types.
Signatures = dict[str, tuple[Any, list[Any]]]
SIGNATURES: Signatures = {
    "skan_status_name": (c_char_p, [c_int32]),
    "skan_error_message": (c_char_p, [_ERROR]),
    "skan_error_free": (None, [_ERROR]),
    "skan_free": (None, [c_void_p]),
    "skan_version": (c_char_p, []),
    "skan_abi_version": (c_uint32, []),
    "skan_buffer_set": (c_int32, [c_void_p, c_char_p, c_size_t]),
    "skan_buffer_create": (c_void_p, []),
    "skan_buffer_data": (c_void_p, [c_void_p]),
    "skan_buffer_size": (c_size_t, [c_void_p]),
    "skan_buffer_destroy": (None, [c_void_p]),
    "skan_model_create": (c_int32, [c_char_p, c_size_t, POINTER(_MODEL), _ERROR_OUT]),
    "skan_model_destroy": (None, [_MODEL]),
    "skan_model_version": (c_char_p, [_MODEL]),
    "skan_model_decode": (c_int32, [_MODEL, c_int, c_int, c_int, _TEXT_OUT, _ERROR_OUT]),
    "skan_create": (c_int32, [POINTER(NativeOptions), POINTER(_ENGINE), _ERROR_OUT]),
    "skan_destroy": (None, [_ENGINE]),
    "skan_register": _on_install(POINTER(NativeRegistration), _UPDATE_OUT),
    "skan_update_revenue": _on_install(NativeAmount, c_char_p, c_int32, c_char_p),
    "skan_update_revenue_many": (
        c_int32,
        [_ENGINE, POINTER(NativeRevenue), c_size_t, POINTER(c_int32), _ERROR_OUT],
    ),
    "skan_conversion_request": _on_install(_EVENT, _TEXT_OUT, POINTER(c_uint64)),
    "skan_apply_response": _on_install(_EVENT, c_uint64, c_char_p, c_size_t, _UPDATE_OUT),
    "skan_update_conversion_values": _on_install(_EVENT, _UPDATE_OUT),
    "skan_explanation": _on_install(c_uint32, _TEXT_OUT),
    "skan_answer_request": (c_int32, [_ENGINE, c_char_p, _TEXT_OUT, _ERROR_OUT]),
    "skan_details": _on_install(_TEXT_OUT),
    "skan_metadata": _on_install(_TEXT_OUT),
    "skan_import_details": _on_install(c_char_p, c_size_t),
    "skan_forget": _on_install(),
    "skan_rename": _on_install(c_char_p),
    "skan_reengage": _on_install(POINTER(NativeReengagement), POINTER(c_uint32)),
    "skan_pending_calls": _on_install(_DEVICE, POINTER(NativeCall), c_size_t, POINTER(c_size_t)),
    "skan_pending_calls_json": _on_install(_DEVICE, _TEXT_OUT),
    "skan_acknowledge_calls": _on_install(POINTER(NativeAcknowledgement), c_size_t),
    "skan_end_reengagement": _on_install(c_uint32),
    "skan_reengagements": _on_install(_TEXT_OUT),
    "skan_record_read": (c_int32, [c_char_p, c_size_t, POINTER(NativeRecord), _TEXT_OUT, _ERROR_OUT]),
}


def _loaded(path: str) -> CDLL:
    """Loads the library. Raises ImportError if there is none, or if its version is not this package's."""
    try:
        loaded = CDLL(path)
        abi_version, version = loaded.skan_abi_version, loaded.skan_version
    except (OSError, AttributeError) as error:
        raise ImportError(f"libskan's shared library cannot be loaded: {error}", name="libskan", path=path) from error
    abi_version.restype, abi_version.argtypes = SIGNATURES["skan_abi_version"]
    version.restype, version.argtypes = SIGNATURES["skan_version"]
    found = abi_version(), version().decode()
    if found != (ABI_VERSION, __version__):
        raise ImportError(
            f"libskan {__version__} for ABI {ABI_VERSION} was packed with a library of version {found[1]} for ABI "
            f"{found[0]}: {path}",
            name="libskan",
            path=path,
        )
    return declared(loaded, SIGNATURES)


def declared(loaded: CDLL, signatures: Signatures) -> CDLL:
    """Declares the functions of a library."""
    for name, (restype, argtypes) in signatures.items():
        function = getattr(loaded, name)
        function.restype, function.argtypes = restype, argtypes
    return loaded


library = _loaded(PATH)
