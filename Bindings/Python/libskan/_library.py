"""Loads the shared library packed with this package, and declares what skan.h declares."""

import os
from ctypes import (
    CDLL,
    CFUNCTYPE,
    POINTER,
    Structure,
    c_bool,
    c_char_p,
    c_double,
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


class NativeStructure(Structure):
    """A struct of skan.h: `size` is set, the rest zero."""

    def __init__(self, **members: Any) -> None:
        super().__init__(size=sizeof(self), **members)


class NativeStore(NativeStructure):
    """skan_store."""

    _fields_ = (
        ("size", c_size_t),
        ("context", c_void_p),
        ("load", LOAD),
        ("save", SAVE),
        ("remove", REMOVE),
        ("finalize", FINALIZE),
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
        ("reserved", c_uint32),
        ("store", POINTER(NativeStore)),
        ("clock", POINTER(NativeClock)),
        ("transport", POINTER(NativeTransport)),
        ("endpoint_url", c_char_p),
        ("sdk_key", c_char_p),
        ("bundle_id", c_char_p),
        ("app_version", c_char_p),
    )


class NativeDevice(NativeStructure):
    """skan_device."""

    _fields_ = (("size", c_size_t), ("os_version", c_char_p), ("idfv", c_char_p), ("idfa", c_char_p))


class NativeUpdate(Structure):
    """skan_update. Made in every call, so its size comes as an argument."""

    _fields_ = (
        ("size", c_size_t),
        ("id", c_uint64),
        ("window", c_int32),
        ("fine_value", c_int32),
        ("coarse_value", c_int32),
        ("lock_window", c_int32),
        ("timestamp", c_int64),
    )


_ENGINE = c_void_p
_ERROR = c_void_p
_TEXT_OUT = POINTER(c_char_p)
_DEVICE = POINTER(NativeDevice)
# What nearly every call takes: a pointer without a type is faster to pass.
_ERROR_OUT = c_void_p
_UPDATE_OUT = c_void_p

# What a function gives back, and what it takes.
SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
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
    "skan_create": (c_int32, [POINTER(NativeOptions), POINTER(_ENGINE), _ERROR_OUT]),
    "skan_destroy": (None, [_ENGINE]),
    "skan_register": (c_int32, [_ENGINE, c_char_p, _UPDATE_OUT, _ERROR_OUT]),
    "skan_update_revenue": (c_int32, [_ENGINE, c_char_p, c_double, c_char_p, c_bool, c_char_p, _ERROR_OUT]),
    "skan_conversion_request": (
        c_int32,
        [_ENGINE, c_char_p, c_char_p, _DEVICE, _TEXT_OUT, POINTER(c_uint64), _ERROR_OUT],
    ),
    "skan_apply_response": (c_int32, [_ENGINE, c_char_p, c_uint64, c_char_p, c_size_t, _UPDATE_OUT, _ERROR_OUT]),
    "skan_update_conversion_values": (
        c_int32,
        [_ENGINE, c_char_p, c_char_p, c_char_p, _DEVICE, _UPDATE_OUT, _ERROR_OUT],
    ),
    "skan_pending_update": (c_int32, [_ENGINE, c_char_p, _UPDATE_OUT, _ERROR_OUT]),
    "skan_acknowledge_update": (c_int32, [_ENGINE, c_char_p, c_uint64, c_bool, _ERROR_OUT]),
    "skan_details": (c_int32, [_ENGINE, c_char_p, _TEXT_OUT, _ERROR_OUT]),
    "skan_metadata": (c_int32, [_ENGINE, c_char_p, _TEXT_OUT, _ERROR_OUT]),
    "skan_import_details": (c_int32, [_ENGINE, c_char_p, c_char_p, c_size_t, _ERROR_OUT]),
    "skan_forget": (c_int32, [_ENGINE, c_char_p, _ERROR_OUT]),
}


def _loaded(path: str) -> CDLL:
    """The library, fit for this package. Raises ImportError where there is none, or another one."""
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
    for name, (restype, argtypes) in SIGNATURES.items():
        function = getattr(loaded, name)
        function.restype = restype
        function.argtypes = argtypes
    return loaded


library = _loaded(PATH)
