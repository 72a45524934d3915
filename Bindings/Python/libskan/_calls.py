"""The calls that are running in one engine: who may close it, and whose hook raised what."""

import os
import sys
from collections.abc import Iterator, Sequence
from ctypes import byref, c_void_p
from itertools import chain
from threading import Event, RLock, get_ident
from types import CodeType, FrameType, FunctionType
from typing import Callable, NamedTuple, Optional, TypeVar
from weakref import WeakSet

from ._entry import is_called_by_c
from ._errors import EXCEPTIONS, Misuse, SkanError, StoreConflict, StoreError, StoreUnknown
from ._library import library
from ._status import Status

F = TypeVar("F", bound=Callable[..., object])

_error_message = library.skan_error_message
_error_free = library.skan_error_free


class Failure(NamedTuple):
    """What a hook raised, the statuses of a call that this explains, and the installs that were asked for.

    No installs: a clock or a transport raised it, or a companion's store, which does not name them.
    """

    exception: BaseException
    explains: tuple[Status, ...]
    installs: Sequence[bytes] = ()


class Call:
    """One call into the library. Calls are used again, by one thread at a time."""

    __slots__ = ("error", "error_out", "failures")

    def __init__(self) -> None:
        self.error = c_void_p()
        self.error_out = byref(self.error)
        self.failures: list[Failure] = []

    def interrupt(self) -> Optional[BaseException]:
        """What ended a hook other than an `Exception`: KeyboardInterrupt, SystemExit or a cancellation."""
        for failure in self.failures:
            if not isinstance(failure.exception, Exception):
                return failure.exception
        return None

    def conclude(self, status: int, install: Optional[bytes] = None) -> None:
        """Raises what the caller has to know after a call that ended in an error or whose hooks raised.

        - install: of a call for many items, the install of the first item that failed.
        """
        reason = self._take_reason(status, install)
        try:
            if reason is not None:
                raise reason
        finally:
            del reason  # or else it would hold this frame, which holds it

    def _take_reason(self, status: int, install: Optional[bytes]) -> Optional[BaseException]:
        failures, interrupt = self.failures, self.interrupt()
        self.failures = []
        error = self._take_error(status) if status >= FIRST_ERROR else None
        if interrupt is not None or error is None:
            return interrupt
        failure = _reason(failures, status, install)
        return error if failure is None else _explained(error, failure.exception)

    def _take_error(self, status: int) -> SkanError:
        message = _error_message(self.error).decode()
        _error_free(self.error)
        self.error.value = None
        return EXCEPTIONS[Status(status)](message)


_MAKERS: set[CodeType] = set()


def makes_calls(function: F) -> F:
    """Marks the function that makes an engine's calls. Its frame holds them as `call` and their engine's as `calls`."""
    assert isinstance(function, FunctionType)
    _MAKERS.add(function.__code__)
    return function


def _reason(failures: Sequence[Failure], status: int, install: Optional[bytes]) -> Optional[Failure]:
    """The failure that explains the status: the last one, since hooks are called again after a failure.

    Of many items it is the last one of this install, or else the first one that names no installs.
    """
    explaining = [failure for failure in failures if status in failure.explains]
    if install is None:
        return explaining[-1] if explaining else None
    named = [failure for failure in explaining if install in failure.installs]
    unnamed = [failure for failure in explaining if not failure.installs]
    return next(chain(reversed(named), unnamed), None)


FIRST_ERROR = min(EXCEPTIONS).value


def _explained(error: SkanError, original: BaseException) -> BaseException:
    """Gives what a hook raised, with libskan's error at the end of its context.

    If libskan turned the store's error into another one, such as a conflict in `load`, it is that error's cause.
    """
    if isinstance(original, (StoreError, StoreConflict, StoreUnknown)) and original.status != error.status:
        error.__cause__ = original
        return error
    earliest = original
    while earliest.__context__ is not None and earliest.__context__.__traceback__ is not None:
        earliest = earliest.__context__
    earliest.__context__ = error  # in place of one from an earlier call, which was never raised and has no traceback
    return original


class Calls:
    """The calls that are running in one engine, each with its thread.

    While a hook waits, its thread may run other greenlets, which call the same engine and wait in hooks in their turn.
    Where a thread is in several calls, frames tell them apart: those of a greenlet begin with the greenlet.

    `running` is only ever changed by single dictionary operations, which need no lock. A call enters itself first and
    looks for the handle then; closing takes the handle away first and looks for calls then: none is missed.
    """

    __slots__ = ("__weakref__", "closing", "handle", "idle", "left", "running")

    def __init__(self) -> None:
        self.handle: Optional[c_void_p] = None
        self.running: dict[Call, int] = {}
        self.idle: list[Call] = []
        self._renew_locks()
        _ALL.add(self)

    def current(self) -> Call:
        """The call in whose hook this thread is. Raises LookupError outside of hooks."""
        thread, found = get_ident(), None
        for call, owner in list(self.running.items()):
            if owner == thread:
                if found is not None:
                    return self._called_from(sys._getframe(1))
                found = call
        if found is None:
            raise LookupError("no call is running on this thread")
        return found

    def _called_from(self, frame: FrameType) -> Call:
        """The call among the callers of a frame."""
        for caller, _ in self._callers(frame):
            call: Call = caller.f_locals["call"]
            return call
        raise LookupError("no call is running in this greenlet")

    def check_not_in_hook(self) -> None:
        """Raises Misuse for a call out of a hook of the same engine, which C cannot tell from another greenlet's.

        To be called by what makes the call, where its thread is in another call already.
        """
        for _, called in self._callers(sys._getframe(1)):
            # A signal's handler that interrupts a call is not called by C.
            if is_called_by_c(called):
                raise Misuse("engine: called from one of its own hooks on the same thread")

    def _callers(self, frame: FrameType) -> Iterator[tuple[FrameType, FrameType]]:
        """The callers of a frame that make calls of this engine, the innermost first, and what each has called."""
        caller = frame.f_back
        while caller is not None:
            if caller.f_code in _MAKERS and caller.f_locals["calls"] is self:
                yield caller, frame
            frame, caller = caller, caller.f_back

    def is_current(self) -> bool:
        """Whether this thread is in a call."""
        return get_ident() in list(self.running.values())

    def wait_for_others(self) -> None:
        """Waits until no call is running. There must be no handle any more."""
        while self.running:
            self.left.wait()
            self.left.clear()

    def forget_other_threads(self) -> None:
        """After a fork: only the forking thread is still there."""
        thread = get_ident()
        self.running = {call: owner for call, owner in self.running.items() if owner == thread}
        self._renew_locks()

    def _renew_locks(self) -> None:
        self.closing = RLock()
        self.left = Event()


_ALL: "WeakSet[Calls]" = WeakSet()


def _after_fork() -> None:
    for calls in list(_ALL):
        calls.forget_other_threads()


os.register_at_fork(after_in_child=_after_fork)
