"""Calls that coroutines await. They run on threads; their transport may run on the event loop that awaits them."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from functools import partial
from inspect import isawaitable, iscoroutine
from typing import Any, Callable, TypeVar
from weakref import WeakSet

from ._arguments import in_range
from ._errors import Misuse

T = TypeVar("T")

_MOST_THREADS = 1024
_LOOK_AT_LOOP_EVERY = 1.0


class CallThreads:
    """The threads that run the calls of one engine. They are created when they are needed."""

    def __init__(self, count: int) -> None:
        self._count = in_range(count, "threads", 1, _MOST_THREADS)
        self.is_shut = False
        self.renew()
        _ALL.add(self)

    def renew(self) -> None:
        """Starts without threads: a fork does not copy them, and nobody in the child awaits the parent's calls."""
        self._pool = ThreadPoolExecutor(self._count, thread_name_prefix="libskan")

    def run(self, function: Callable[..., T], *arguments: Any, **named: Any) -> asyncio.Future[T]:
        """Runs a function in the context of the coroutine that awaits it. Functions begin in the order of the calls."""
        if self.is_shut:
            raise Misuse("the engine is closed")
        loop = asyncio.get_running_loop()
        awaited = _AwaitedCall(loop)
        bound: Callable[[], T] = partial(function, *arguments, **named)
        begun: Callable[[], T] = partial(_run_for, awaited, bound)
        call: Callable[[], T] = partial(copy_context().run, begun)
        result = loop.run_in_executor(self._pool, call)
        result.add_done_callback(awaited.end)
        return result

    def shut(self) -> None:
        """Accepts no more calls. The threads end after they have run the calls that they already have."""
        self.is_shut = True
        self._pool.shutdown(wait=False)


_ALL: WeakSet[CallThreads] = WeakSet()


def _after_fork() -> None:
    for threads in list(_ALL):
        threads.renew()


os.register_at_fork(after_in_child=_after_fork)


class _AwaitedCall:
    """A call on a thread, the event loop that awaits it, and the coroutine of its transport while that runs."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._is_given_up = False
        self._request: Future[bytes] | None = None

    def end(self, result: asyncio.Future[Any]) -> None:
        """If the call is no longer awaited, cancels the coroutine, whose result nobody would get."""
        if result.cancelled():
            # The thread writes the request before it looks whether it is given up, so one of the two sees the other.
            self._is_given_up = True
            if self._request is not None:
                self._request.cancel()

    def wait_for(self, request: Future[bytes]) -> bytes:
        """Waits on the call's thread for the transport's coroutine, and returns its result."""
        self._request = request
        if self._is_given_up:
            request.cancel()
        _wait(request, self.loop)
        return request.result()


class _Caller(threading.local):
    """The call that runs on this thread."""

    call: _AwaitedCall | None = None


_caller = _Caller()


def _run_for(awaited: _AwaitedCall, function: Callable[[], T]) -> T:
    _caller.call = awaited
    try:
        return function()
    finally:
        _caller.call = None


def waiting(get: Callable[[str], Any]) -> Callable[[str], bytes]:
    """Wraps a transport. If its result is a coroutine or another awaitable, the wrapper waits for that."""

    def get_and_wait(url: str) -> bytes:
        answer = get(url)
        body: bytes = _result_of(answer) if isawaitable(answer) else answer
        return body

    return get_and_wait


def _result_of(awaitable: Awaitable[bytes]) -> bytes:
    """Awaits `awaitable` on the event loop that awaits this thread's call, and returns its result."""
    call = _caller.call
    coroutine: Coroutine[Any, Any, bytes] = awaitable if iscoroutine(awaitable) else _awaiting(awaitable)
    try:
        if call is None:
            raise RuntimeError("the call is awaited by no event loop")
        request = asyncio.run_coroutine_threadsafe(coroutine, call.loop)
    except RuntimeError:
        coroutine.close()
        raise
    return call.wait_for(request)


async def _awaiting(awaitable: Awaitable[bytes]) -> bytes:
    return await awaitable


def _wait(future: Future[bytes], loop: asyncio.AbstractEventLoop) -> None:
    # Nothing reports that a loop was closed, so this looks from time to time.
    while not wait([future], _LOOK_AT_LOOP_EVERY).done:
        if loop.is_closed():
            raise RuntimeError("the event loop was closed before the transport had an answer")
