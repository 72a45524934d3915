"""The C functions that call hooks: one per hook signature, for all engines.

A hook struct's context is the number of a slot. The engine owns its slots; the table only finds them, and the C
finalizer takes them out of it. Nothing that a hook raises goes through C: it is noted for the call that ran the hook,
and C gets the hook's way to say that it failed.
"""

from __future__ import annotations

import itertools
import operator
from ctypes import c_void_p, string_at
from typing import TYPE_CHECKING, Any, Callable
from weakref import WeakValueDictionary

from ._arguments import copied
from ._calls import Calls, Failure
from ._entry import covering_entry
from ._errors import LimitExceeded, StoreConflict, StoreError
from ._hooks import AnyTransport, Clock, Store
from ._library import FINALIZE, GET, LOAD, NOW, REMOVE, SAVE, NativeClock, NativeStore, NativeTransport, library
from ._status import Status

if TYPE_CHECKING:
    from ctypes import _Pointer, c_uint64

    VersionOut = _Pointer[c_uint64]


class Slot:
    """One hook object of one engine, its methods looked up once."""

    def __init__(self, calls: Calls, **methods: Callable[..., Any]) -> None:
        for name, method in methods.items():
            if not callable(method):
                raise TypeError(f"{name} must be callable, not {type(method).__name__}")
        self.calls = calls
        self.number = next(_NUMBERS)
        self.__dict__.update(methods)
        SLOTS[self.number] = self
"""
