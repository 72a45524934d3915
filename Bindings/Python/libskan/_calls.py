"""The calls that are running in one engine: who may close it, and whose hook raised what."""

import os
from ctypes import byref, c_void_p
from threading import Event, RLock, get_ident
from typing import NamedTuple, Optional
from weakref import WeakSet

from ._errors import EXCEPTIONS, SkanError, StoreConflict, StoreError, StoreUnknown
from ._library import library
from ._status import Status

_error_message = library.skan_error_message
_error_free = library.skan_error_free


class Failure(NamedTuple):
    """What a hook raised, and the statuses of a call that this explains."""

    exception: BaseException
    explains: tuple[Status, ...]


class Call:
    """One call into the library. Calls are used again, by one thread at a time."""

    __slots__ = ("error", "error_out", "failures")

    def __init__(self) -> None:
        self.error = c_void_p()
        self.error_out = byref(self.error)
        self.failures: list[Failure] = []

    def interrupt(self) -> Optional[BaseException]:
        """What ended a hook that is no ordinary exception: KeyboardInterrupt, SystemExit, a cancellation."""
        for failure in self.failures:
            if not isinstance(failure.exception, Exception):
                return failure.exception
        return None

    def conclude(self, status: int) -> None:
        """After a call that ended in an error, or whose hooks raised: raises what the caller has to know."""
        reason = self._take_reason(status)
        try:
            if reason is not None:
                raise reason
        finally:
            del reason  # or else it would hold this frame, which holds it

    def _take_reason(self, status: int) -> Optional[BaseException]:
        failures, interrupt = self.failures, self.interrupt()
        self.failures = []
        error = self._take_error(status) if status >= FIRST_ERROR else None
        if interrupt is not None or error is None:
            return interrupt
        for failure in reversed(failures):
            if status in failure.explains:
                return _explained(error, failure.exception)
        return error

    def _take_error(self, status: int) -> SkanError:
        message = _error_message(self.error).decode()
        _error_free(self.error)
        self.error.value = None
        return EXCEPTIONS[Status(status)](message)


FIRST_ERROR = min(EXCEPTIONS).value


def _explained(error: SkanError, original: BaseException) -> BaseException:
    """What a hook raised, with libskan's error at the end of its context.

    A store's own error that has become another one, as a conflict in `load` does, is the cause of that one.
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
    """The calls that are running in one engine, each with its thread, the innermost of a thread last.

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
        """The call that this thread is in. Raises LookupError where it is in none."""
        thread = get_ident()
        for call, owner in reversed(list(self.running.items())):
            if owner == thread:
                return call
        raise LookupError("no call is running on this thread")

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
