"""Calls that coroutines await. They run on threads; their transport may run on the event loop that awaits them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from inspect import isawaitable, iscoroutine
from typing import Any, Callable, TypeVar

from ._arguments import whole
from ._errors import InvalidArgument, Misuse

T = TypeVar("T")

_MOST_THREADS = 1024
_LOOK_AT_LOOP_EVERY = 1.0


class CallThreads:
    """The threads that run the calls of one engine. They are created when they are needed."""

    def __init__(self, count: int) -> None:
        if not 1 <= whole(count, "threads") <= _MOST_THREADS:
            raise InvalidArgument(f"threads: expected 1 to {_MOST_THREADS}, got {count}")
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="libskan")
        self.is_shut = False

    def run(self, function: Callable[..., T], *arguments: Any, **named: Any) -> asyncio.Future[T]:
        """Runs a function in the context of the coroutine that awaits it. Functions begin in the order of the calls."""
        if self.is_shut:
            raise Misuse("the engine is closed")
        loop = asyncio.get_running_loop()
        call = partial(copy_context().run, _run_for, loop, partial(function, *arguments, **named))
        return loop.run_in_executor(self._pool, call)

    def shut(self) -> None:
        """Accepts no more calls. The threads end after they have run the calls that they already have."""
        self.is_shut = True
        self._pool.shutdown(wait=False)


class _Caller(threading.local):
    """The event loop that awaits the call on this thread."""

    loop: asyncio.AbstractEventLoop | None = None


_caller = _Caller()


@contextmanager
def _awaited_by(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    _caller.loop = loop
    try:
        yield
    finally:
        _caller.loop = None


def _run_for(loop: asyncio.AbstractEventLoop, function: Callable[[], T]) -> T:
    with _awaited_by(loop):
        return function()


def waiting(get: Callable[[str], Any]) -> Callable[[str], bytes]:
    """Wraps a transport. If its result is a coroutine or another awaitable, the wrapper waits for that."""

    def get_and_wait(url: str) -> bytes:
        answer = get(url)
        body: bytes = _result_of(answer) if isawaitable(answer) else answer
        return body

    return get_and_wait


def _result_of(awaitable: Awaitable[bytes]) -> bytes:
    """Awaits `awaitable` on the event loop that awaits this thread's call, and returns its result."""
    loop = _caller.loop
    coroutine: Coroutine[Any, Any, bytes] = awaitable if iscoroutine(awaitable) else _awaiting(awaitable)
    try:
        if loop is None:
            raise RuntimeError("the call is awaited by no event loop")
        future = asyncio.run_coroutine_threadsafe(coroutine, loop)
    except RuntimeError:
        coroutine.close()
        raise
    _wait(future, loop)
    return future.result()


async def _awaiting(awaitable: Awaitable[bytes]) -> bytes:
    return await awaitable


def _wait(future: Future[bytes], loop: asyncio.AbstractEventLoop) -> None:
    # Nothing reports that a loop was closed, so this looks from time to time.
    while not wait([future], _LOOK_AT_LOOP_EVERY).done:
        if loop.is_closed():
            raise RuntimeError("the event loop was closed before the transport had an answer")
