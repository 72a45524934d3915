"""The calls that are running in one engine: decides when it may be closed, and which hook's exception to raise."""

import os
import sys
from collections.abc import Iterator, Sequence
from ctypes import byref, c_char_p, c_void_p
from itertools import chain
from threading import Event, RLock, get_ident
from types import CodeType, FrameType, FunctionType
from typing import Callable, NamedTuple, Optional, TypeVar
from weakref import WeakSet

from ._entry import is_called_by_c
from ._errors import EXCEPTIONS, Misuse, SkanError
from ._library import library
from ._status import Status

F = TypeVar("F", bound=Callable[..., object])


class Failure(NamedTuple):
    """A hook's exception, the statuses of a call that it explains, and the installs of the hook's call.

    There are no installs if a clock or a transport raised it, or a companion's store, which does not name them.
    """

    exception: BaseException
    explains: tuple[Status, ...]
    installs: Sequence[bytes] = ()


class Call:
    """One call into the library. Call objects are reused, by one thread at a time."""

    __slots__ = ("error", "error_out", "failures")

    def __init__(self) -> None:
        self.error = c_void_p()
        self.error_out = byref(self.error)
        self.failures: list[Failure] = []

    def interrupt(self) -> Optional[BaseException]:
        """The KeyboardInterrupt, SystemExit or cancellation that ended a hook; an `Exception` is none of these."""
        for failure in self.failures:
            if not isinstance(failure.exception, Exception):
                return failure.exception
        return None

    def conclude(self, status: int, install: Optional[bytes] = None) -> None:
        """Raises the exception for the caller, after a call that ended in an error or whose hooks raised.

        - install: for a call with many items, the install of the first item that failed.
        """
        reason = self._take_reason(status, install)
        try:
            if reason is not None:
                raise reason
        finally:
            del reason  # otherwise a cycle: it holds this frame, which holds it

    def _take_reason(self, status: int, install: Optional[bytes]) -> Optional[BaseException]:
        failures, interrupt = self.failures, self.interrupt()
        self.failures = []
        error = self._take_error(status) if status >= FIRST_ERROR else None
        if interrupt is not None or error is None:
            return interrupt
        failure = _reason(failures, status, install)
        return error if failure is None else _explained(error, failure.exception)

    def _take_error(self, status: int) -> SkanError:
        message = library.skan_error_message(self.error).decode(errors="replace")
        library.skan_error_free(self.error)
        self.error.value = None
        return EXCEPTIONS[Status(status)](message)


def completed(function: Callable[..., int], *arguments: object) -> int:
    """Calls a function of C outside of an engine. Raises its error, or returns the outcome."""
    call = Call()
    status = function(*arguments, call.error_out)
    if status >= FIRST_ERROR:
        call.conclude(status)
    return status


def taken(memory: c_char_p) -> str:
    """Returns a text of the library and frees the library's copy; "" for NULL."""
    try:
        return (memory.value or b"").decode()
    finally:
        library.skan_free(memory)


_MAKERS: set[CodeType] = set()


def makes_calls(function: F) -> F:
    """Marks a function that makes an engine's calls.

    Its frame must have the call as `call` and the engine's calls as `calls`.
    """
    plain: object = function
    assert isinstance(plain, FunctionType)
    _MAKERS.add(plain.__code__)
    return function


def _reason(failures: Sequence[Failure], status: int, install: Optional[bytes]) -> Optional[Failure]:
    """The failure that explains the status: the last one, since hooks are called again after a failure.

    For a call with many items it is the last failure of this install, otherwise the first that names no installs.
    """
    explaining = [failure for failure in failures if status in failure.explains]
    if install is None:
        return explaining[-1] if explaining else None
    named = [failure for failure in explaining if install in failure.installs]
    unnamed = [failure for failure in explaining if not failure.installs]
    return next(chain(reversed(named), unnamed), None)


FIRST_ERROR = min(EXCEPTIONS).value


def _explained(error: SkanError, raised: BaseException) -> SkanError:
    """Returns the error of a call that failed because of what a hook raised.

    If the hook raised libskan's error for this, that is the error; otherwise what it raised is the cause.
    """
    if isinstance(raised, SkanError) and raised.status == error.status:
        return raised
    error.__cause__ = raised
    return error


class Calls:
    """The calls that are running in one engine, each with its thread.

    While a hook waits, its thread may run other greenlets. They may call the same engine, and wait in hooks too. If a
    thread is in several calls, its frames tell them apart: the frames of a greenlet begin where the greenlet began.

    `running` is changed only by single dictionary operations, so it needs no lock. A call first enters itself and then
    looks for the handle. Closing first takes the handle away and then looks for calls. So closing misses no call.
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
        """The call that a frame was called from."""
        for caller, _ in self._callers(frame):
            call: Call = caller.f_locals["call"]
            return call
        raise LookupError("no call is running in this greenlet")

    def check_not_in_hook(self) -> None:
        """Raises Misuse for a call from a hook of the same engine, which C cannot tell from a call of another greenlet.

        Must be called by the function that makes the call, if its thread is already in another call.
        """
        for _, called in self._callers(sys._getframe(1)):
            # A signal's handler that interrupts a call is not called by C.
            if is_called_by_c(called):
                raise Misuse("engine: called from one of its own hooks on the same thread")

    def _callers(self, frame: FrameType) -> Iterator[tuple[FrameType, FrameType]]:
        """The callers of a frame that make this engine's calls, innermost first, each with the function it called."""
        caller = frame.f_back
        while caller is not None:
            if caller.f_code in _MAKERS and caller.f_locals["calls"] is self:
                yield caller, frame
            frame, caller = caller, caller.f_back

    def is_current(self) -> bool:
        """Whether this thread is in a call."""
        return get_ident() in list(self.running.values())

    def wait_for_others(self) -> None:
        """Waits until no call is running. The handle must have been taken away before."""
        while self.running:
            self.left.wait()
            self.left.clear()

    def forget_other_threads(self) -> None:
        """Forgets the calls of other threads. After a fork only the forking thread still exists."""
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
