"""libskan for asyncio.

    from libskan.aio import AsyncEngine

    async with AsyncEngine(endpoint_url="https://skan.example.com", sdk_key="...", transport=get) as engine:
        await engine.register("install-1")
        await engine.update_conversion_values("install-1", "purchase", device=device)

`get` may be a coroutine function: `async def get(url): return (await client.get(url)).raise_for_status().content`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine, Iterable, Sequence
from functools import wraps
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Protocol, TypeVar, Union

from ._awaited import CallThreads, waiting
from ._engine import Engine
from ._given import transport_function
from ._hooks import AnyTransport, Clock, Store
from ._model import ConversionModel
from ._owning import Owning
from ._status import CallResult, ReengagementCredit
from ._stores import closed_where_refused
from ._values import ManyResult, RevenueItem

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")

T = TypeVar("T")

__all__ = ["AnyAsyncTransport", "AsyncEngine", "AsyncTransport"]


class AsyncTransport(Protocol):
    """HTTP GET by a coroutine, for `AsyncEngine.update_conversion_values`. A coroutine function will do as well."""

    async def get(self, url: str, /) -> bytes:
        """Does what `Transport.get` does, on the event loop that awaits the engine's call."""
        ...


AnyAsyncTransport = Union[AnyTransport, AsyncTransport, Callable[[str], Awaitable[bytes]]]


def _awaited(
    method: Callable[Concatenate[Engine, P], T],
) -> Callable[Concatenate[AsyncEngine, P], Coroutine[Any, Any, T]]:
    """The method of `AsyncEngine` that runs a method of `Engine` on a thread."""

    @wraps(method)
    async def run(self: AsyncEngine, /, *arguments: P.args, **named: P.kwargs) -> T:
        return await self._threads.run(getattr(self._engine, method.__name__), *arguments, **named)

    return run


class AsyncEngine(Owning):
    """An `Engine` whose methods are awaited. Each does what the method of `Engine` with the same name does.

    Up to `threads` calls run at once, on threads of this engine; other calls wait for a thread in the order in which
    they came. The event loop is never blocked. Any number of event loops and tasks may use one engine. In the child of
    a fork the engine has new threads; calls that the parent was making then are the parent's alone.

    A transport is a plain function, which runs on the call's thread, or a coroutine function, which runs on the event
    loop that awaits the call. A coroutine transport must not await its own engine. The store and the clock are plain
    objects.

    Cancelling an `await` does not stop a call that has begun: it runs to its end on its thread, and its change is made.
    Only a coroutine of the transport is cancelled, as if the endpoint had not answered. A call that still waits for a
    thread is not made. So repeat a cancelled call with its event id, as after `StoreUnknown`.
    """

    def __init__(
        self,
        store: Store | None = None,
        clock: Clock | None = None,
        transport: AnyAsyncTransport | None = None,
        protocol: int = 4,
        endpoint_url: str | None = None,
        sdk_key: str | None = None,
        bundle_id: str | None = None,
        app_version: str | None = None,
        models: Sequence[ConversionModel] = (),
        reengagement_models: Sequence[ConversionModel] = (),
        reengagement_credit: ReengagementCredit = ReengagementCredit.ALL,
        reengagement_cooldown_hours: int = 0,
        *,
        threads: int = 32,
    ) -> None:
        """Creates an engine, as `Engine` does.

        - threads: the number of calls that may run at once, 1 to 1024. A call that waits for a store or a transport
          keeps its thread.
        """
        with closed_where_refused(store):
            self._threads = CallThreads(threads)
            self._engine = Engine(
                store,
                clock,
                None if transport is None else waiting(transport_function(transport)),
                protocol,
                endpoint_url,
                sdk_key,
                bundle_id,
                app_version,
                models,
                reengagement_models,
                reengagement_credit,
                reengagement_cooldown_hours,
            )

    async def close(self) -> None:
        """Ends the engine, as `Engine.close` does, after the calls that began before.

        Later calls raise `Misuse`. Closing again is fine. If this is cancelled, the engine ends nevertheless.
        """
        if self._threads.is_shut:
            return
        ended = self._threads.run(self._engine.close)
        try:
            await asyncio.shield(ended)
        finally:
            self._threads.shut()

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._engine.closed

    async def __aenter__(self) -> AsyncEngine:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def update_revenue_many(self, items: Iterable[RevenueItem]) -> ManyResult:
        """Reads the items before it waits for a thread."""
        return await self._threads.run(self._engine.update_revenue_many, list(items))

    async def acknowledge_calls(self, install_id: str, results: Iterable[tuple[int, CallResult]]) -> None:
        """Reads the results before it waits for a thread."""
        await self._threads.run(self._engine.acknowledge_calls, install_id, list(results))

    register = _awaited(Engine.register)
    update_revenue = _awaited(Engine.update_revenue)
    update_conversion_values = _awaited(Engine.update_conversion_values)
    conversion_request = _awaited(Engine.conversion_request)
    apply_response = _awaited(Engine.apply_response)
    pending_calls = _awaited(Engine.pending_calls)
    pending_calls_json = _awaited(Engine.pending_calls_json)
    explanation = _awaited(Engine.explanation)
    answer_request = _awaited(Engine.answer_request)
    reengage = _awaited(Engine.reengage)
    end_reengagement = _awaited(Engine.end_reengagement)
    reengagements = _awaited(Engine.reengagements)
    details = _awaited(Engine.details)
    metadata = _awaited(Engine.metadata)
    import_details = _awaited(Engine.import_details)
    forget = _awaited(Engine.forget)
    rename = _awaited(Engine.rename)
