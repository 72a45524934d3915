"""Loads the shared library that is packed with this package, and declares the functions of its headers."""

import os
from ctypes import (
    CDLL,
    CFUNCTYPE,
    POINTER,
    Structure,
    c_bool,
    c_char,
    c_char_p,
    c_double,
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
JSON_VISIT = CFUNCTYPE(None, c_void_p, c_void_p)
# A companion's report function: context, status, message.
REPORT = CFUNCTYPE(None, c_void_p, c_int32, c_char_p)


class NativeStructure(Structure):
    """A struct of the headers, with `size` set and all other members zero."""

    def __init__(self, **members: Any) -> None:
        super().__init__(size=sizeof(self), **members)


class NativeLoadItem(Structure):
    """skan_load_item."""

    _fields_ = (("key", c_char_p), ("out", c_void_p), ("version", c_uint64), ("status", c_int32))


class NativeSaveItem(Structure):
    """skan_save_item."""

    _fields_ = (
        ("key", c_char_p),
        ("data", c_void_p),
        ("length", c_size_t),
        ("expected_version", c_uint64),
        ("new_version", c_uint64),
        ("status", c_int32),
    )


LOAD_MANY = CFUNCTYPE(None, c_void_p, POINTER(NativeLoadItem), c_size_t)
SAVE_MANY = CFUNCTYPE(None, c_void_p, POINTER(NativeSaveItem), c_size_t)


class NativeStore(NativeStructure):
    """skan_store."""

    _fields_ = (
        ("size", c_size_t),
        ("context", c_void_p),
        ("load", LOAD),
        ("save", SAVE),
        ("remove", REMOVE),
        ("finalize", FINALIZE),
        ("load_many", LOAD_MANY),
        ("save_many", SAVE_MANY),
        ("list", LIST),
        ("list_with_prefix", LIST_WITH_PREFIX),
        ("keeps_stack", c_bool),
    )


class NativeClock(NativeStructure):
    """skan_clock."""

    _fields_ = (("size", c_size_t), ("context", c_void_p), ("now", NOW), ("finalize", FINALIZE))


class NativeTransport(NativeStructure):
    """skan_transport."""

    _fields_ = (("size", c_size_t), ("context", c_void_p), ("get", GET), ("finalize", FINALIZE))


class NativeOptions(NativeStructure):
    """skan_options."""

    _fields_ = (
        ("size", c_size_t),
        ("protocol", c_uint32),
        ("store", POINTER(NativeStore)),
        ("clock", POINTER(NativeClock)),
        ("transport", POINTER(NativeTransport)),
        ("endpoint_url", c_char_p),
        ("sdk_key", c_char_p),
        ("bundle_id", c_char_p),
        ("app_version", c_char_p),
        ("models", POINTER(c_void_p)),
        ("model_count", c_size_t),
        ("switches_stacks", c_bool),
        ("reengagement_models", POINTER(c_void_p)),
        ("reengagement_model_count", c_size_t),
        ("reengagement_credit", c_int32),
        ("reengagement_cooldown_hours", c_uint32),
    )


class NativeDevice(NativeStructure):
    """skan_device."""

    _fields_ = (("size", c_size_t), ("os_version", c_char_p), ("idfv", c_char_p), ("idfa", c_char_p))


class NativeUpdate(Structure):
    """skan_update. Created in every call, so its size is an argument."""

    _fields_ = (
        ("size", c_size_t),
        ("id", c_uint64),
        ("window", c_int32),
        ("fine_value", c_int32),
        ("coarse_value", c_int32),
        ("lock_window", c_bool),
        ("timestamp", c_int64),
    )


class NativeRegistration(NativeStructure):
    """skan_registration."""

    _fields_ = (
        ("size", c_size_t),
        ("first_launch", c_int64),
        ("begins_again", c_bool),
        ("keeps_revenue", c_bool),
    )


class NativeAmount(Structure):
    """skan_amount."""

    _fields_ = (("text", c_char_p), ("number", c_double))


class NativeRevenue(Structure):
    """skan_revenue. Used in arrays, so each element sets its size."""

    _fields_ = (
        ("size", c_size_t),
        ("install_id", c_char_p),
        ("amount", NativeAmount),
        ("currency", c_char_p),
        ("event_id", c_char_p),
        ("kind", c_int32),
        ("reengagement", c_uint32),
    )


class NativeEvent(NativeStructure):
    """skan_event."""

    _fields_ = (
        ("size", c_size_t),
        ("name", c_char_p),
        ("event_id", c_char_p),
        ("device", POINTER(NativeDevice)),
        ("amount", NativeAmount),
        ("currency", c_char_p),
        ("kind", c_int32),
        ("reengagement", c_uint32),
    )


class NativeReengagement(NativeStructure):
    """skan_reengagement_report."""

    _fields_ = (
        ("size", c_size_t),
        ("open_id", c_char_p),
        ("tag", c_char_p),
        ("reference", c_char_p),
        ("opened_at", c_int64),
        ("is_started", c_bool),
        ("is_overlapping", c_bool),
        ("device", POINTER(NativeDevice)),
    )


TAG_MAX = 256


class NativeCall(Structure):
    """skan_call. Used in arrays, so the first element sets its size."""

    _fields_ = (
        ("size", c_size_t),
        ("id", c_uint64),
        ("conversion", c_uint32),
        ("framework", c_int32),
        ("conversion_type", c_int32),
        ("window", c_int32),
        ("fine_value", c_int32),
        ("coarse_value", c_int32),
        ("lock_window", c_bool),
        ("timestamp", c_int64),
        ("valid_until", c_int64),
        ("tag", c_char * (TAG_MAX + 1)),
    )


class NativeAcknowledgement(NativeStructure):
    """skan_acknowledgement."""

    _fields_ = (("size", c_size_t), ("id", c_uint64), ("result", c_int32))


class NativeRecord(NativeStructure):
    """skan_record."""

    _fields_ = (
        ("size", c_size_t),
        ("protocol", c_uint32),
        ("is_registered", c_bool),
        ("first_timestamp", c_int64),
        ("last_timestamp", c_int64),
        ("closes_at", c_int64),
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
    "skan_error_code": (c_int32, [_ERROR]),
    "skan_error_message": (c_char_p, [_ERROR]),
    "skan_error_create": (c_void_p, [c_int32, c_char_p]),
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
    "skan_json_read": (c_int32, [c_char_p, c_size_t, JSON_VISIT, c_void_p, _ERROR_OUT]),
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
