"""libskan for asyncio.

    from libskan.aio import AsyncEngine

    async with AsyncEngine(endpoint_url="https://skan.example.com", sdk_key="...", transport=get) as engine:
        await engine.register("player-1")
        await engine.update_conversion_values("player-1", "purchase", device=device)

`get` may be a coroutine function: `async def get(url): return (await client.get(url)).raise_for_status().content`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Sequence
from types import TracebackType
from typing import Any, Callable, Protocol, Union

from ._arguments import Amount, BytesLike
from ._awaited import CallThreads, waiting
from ._details import Details
from ._engine import Engine
from ._given import transport_function
from ._hooks import AnyTransport, Clock, Store
from ._model import ConversionModel
from ._owning import Owning
from ._status import CallResult, Outcome, ReengagementCredit, RevenueKind
from ._stores import closed_where_refused
from ._values import AppCalls, Device, ManyResult, Reengaged, Request, Result, RevenueItem

__all__ = ["AnyAsyncTransport", "AsyncEngine", "AsyncTransport"]


class AsyncTransport(Protocol):
    """HTTP GET by a coroutine, for `AsyncEngine.update_conversion_values`. A coroutine function will do as well."""

    async def get(self, url: str, /) -> bytes:
        """Does what `Transport.get` does, on the event loop that awaits the engine's call."""


AnyAsyncTransport = Union[AnyTransport, AsyncTransport, Callable[[str], Awaitable[bytes]]]


class AsyncEngine(Owning):
    """An `Engine` whose methods are awaited. `Engine` describes what each does, returns and raises.

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

    async def register(self, install_id: str) -> Result:
        """See `Engine.register`."""
        return await self._threads.run(self._engine.register, install_id)

    async def update_revenue(
        self,
        install_id: str,
        amount: Amount,
        currency: str,
        *,
        kind: RevenueKind = RevenueKind.IAP,
        event_id: str | None = None,
        reengagement: int = 0,
    ) -> Outcome:
        """See `Engine.update_revenue`."""
        return await self._threads.run(
            self._engine.update_revenue,
            install_id,
            amount,
            currency,
            kind=kind,
            event_id=event_id,
            reengagement=reengagement,
        )

    async def update_revenue_many(self, items: Iterable[RevenueItem]) -> ManyResult:
        """See `Engine.update_revenue_many`."""
        return await self._threads.run(self._engine.update_revenue_many, list(items))

    async def update_conversion_values(
        self,
        install_id: str,
        event_name: str | None = None,
        *,
        event_id: str | None = None,
        device: Device | None = None,
        amount: Amount | None = None,
        currency: str | None = None,
        kind: RevenueKind = RevenueKind.IAP,
        reengagement: int = 0,
    ) -> Result:
        """See `Engine.update_conversion_values`."""
        return await self._threads.run(
            self._engine.update_conversion_values,
            install_id,
            event_name,
            event_id=event_id,
            device=device,
            amount=amount,
            currency=currency,
            kind=kind,
            reengagement=reengagement,
        )

    async def conversion_request(
        self,
        install_id: str,
        event_name: str | None = None,
        *,
        event_id: str | None = None,
        device: Device | None = None,
        amount: Amount | None = None,
        currency: str | None = None,
        kind: RevenueKind = RevenueKind.IAP,
        reengagement: int = 0,
    ) -> Request:
        """See `Engine.conversion_request`."""
        return await self._threads.run(
            self._engine.conversion_request,
            install_id,
            event_name,
            event_id=event_id,
            device=device,
            amount=amount,
            currency=currency,
            kind=kind,
            reengagement=reengagement,
        )

    async def apply_response(
        self,
        install_id: str,
        ticket: int,
        body: str | BytesLike,
        *,
        event_name: str | None = None,
        event_id: str | None = None,
        reengagement: int = 0,
    ) -> Result:
        """See `Engine.apply_response`."""
        return await self._threads.run(
            self._engine.apply_response,
            install_id,
            ticket,
            body,
            event_name=event_name,
            event_id=event_id,
            reengagement=reengagement,
        )

    async def pending_calls(self, install_id: str, device: Device | None = None) -> AppCalls:
        """See `Engine.pending_calls`."""
        return await self._threads.run(self._engine.pending_calls, install_id, device)

    async def pending_calls_json(self, install_id: str, device: Device | None = None) -> tuple[Outcome, str]:
        """See `Engine.pending_calls_json`."""
        return await self._threads.run(self._engine.pending_calls_json, install_id, device)

    async def acknowledge_calls(self, install_id: str, results: Iterable[tuple[int, CallResult]]) -> None:
        """See `Engine.acknowledge_calls`."""
        await self._threads.run(self._engine.acknowledge_calls, install_id, list(results))

    async def explanation(self, install_id: str, *, reengagement: int = 0) -> tuple[Outcome, dict[str, Any] | None]:
        """See `Engine.explanation`."""
        return await self._threads.run(self._engine.explanation, install_id, reengagement=reengagement)

    async def answer_request(self, target: str) -> tuple[Outcome | None, str]:
        """See `Engine.answer_request`."""
        return await self._threads.run(self._engine.answer_request, target)

    async def reengage(
        self,
        install_id: str,
        open_id: str | None = None,
        tag: str | None = None,
        reference: str | None = None,
        opened_at: int = 0,
        is_started: bool = False,
        is_overlapping: bool = False,
        device: Device | None = None,
    ) -> Reengaged:
        """See `Engine.reengage`."""
        return await self._threads.run(
            self._engine.reengage,
            install_id,
            open_id,
            tag,
            reference,
            opened_at,
            is_started,
            is_overlapping,
            device,
        )

    async def end_reengagement(self, install_id: str, number: int) -> Outcome:
        """See `Engine.end_reengagement`."""
        return await self._threads.run(self._engine.end_reengagement, install_id, number)

    async def reengagements(self, install_id: str) -> list[dict[str, Any]]:
        """See `Engine.reengagements`."""
        return await self._threads.run(self._engine.reengagements, install_id)

    async def details(self, install_id: str) -> Details:
        """See `Engine.details`."""
        return await self._threads.run(self._engine.details, install_id)

    async def metadata(self, install_id: str) -> str:
        """See `Engine.metadata`."""
        return await self._threads.run(self._engine.metadata, install_id)

    async def import_details(self, install_id: str, json: str | BytesLike) -> Outcome:
        """See `Engine.import_details`."""
        return await self._threads.run(self._engine.import_details, install_id, json)

    async def forget(self, install_id: str) -> None:
        """See `Engine.forget`."""
        await self._threads.run(self._engine.forget, install_id)
