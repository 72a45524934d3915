"""Loads the libraries that are packed beside libskan's own, each when it is first needed."""

import os
from ctypes import CDLL

from ._forks import ForkedLock
from ._library import PATH
from ._native_postback import SIGNATURES as POSTBACK
from ._native_stores import SIGNATURES as STORES

# What each needs of the system, which the wheel does not carry.
_NEEDS = {
    "postback": "OpenSSL 3's libcrypto (Debian: libssl3)",
    "postgres": "libpq (Debian: libpq5)",
    "redis": "hiredis and OpenSSL 3's libssl (Debian: libhiredis0.14 libssl3)",
}
_SIGNATURES = {**STORES, "postback": POSTBACK}

_loaded: dict[str, CDLL] = {}
_lock = ForkedLock()


def companion(name: str) -> CDLL:
    """The library, with the functions of its header declared.

    Raises ImportError where it is not in the package, or the system lacks what it needs.
    """
    with _lock:
        if name not in _loaded:
            _loaded[name] = _load(name)
        return _loaded[name]


def _load(name: str) -> CDLL:
    path = os.path.join(os.path.dirname(PATH), f"libskan-{name.replace('_', '-')}.so")
    try:
        library = CDLL(path)
    except OSError as error:
        needs = f"; it needs {_NEEDS[name]}" if name in _NEEDS else ""
        raise ImportError(
            f"libskan's {name} library cannot be loaded{needs}: {error}", name="libskan", path=path
        ) from error
    for function_name, (restype, argtypes) in _SIGNATURES[name].items():
        function = getattr(library, function_name)
        function.restype = restype
        function.argtypes = argtypes
    return library
