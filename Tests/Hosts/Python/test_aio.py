"""AsyncEngine: the same calls as Engine's, awaited, and transports that are coroutines."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import os
import re
import threading
from collections.abc import Coroutine
from typing import Any, Callable, TypeVar

import pytest
from engines import ENDPOINT, new_async_engine, new_engine
from libskan import (
    CallResult,
    ConversionModel,
    Engine,
    InvalidArgument,
    Misuse,
    Outcome,
    RevenueItem,
    RevenueKind,
    SkanError,
    TransportError,
)
from libskan.aio import AsyncEngine, AsyncTransport
from stores import DictionaryStore, MeetingStore

T = TypeVar("T")
INSTALL = "player-1"
VALUE = b'{"conversion_value": 12, "skan_updated_coarse_value": 1}'
RETURN = """{"schema": 1, "id": "return", "conversion": "re-engagement", "windows": [
    {"rules": [{"fine": 0, "coarse": "low"},
               {"fine": 9, "coarse": "high", "when": {"events": [{"name": "purchase"}]}}]},
    {"rules": [{"coarse": "low"}]}, {"rules": [{"coarse": "low"}]}]}"""
PATIENCE = 60


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """On an event loop of its own; a test that hangs fails."""
    return asyncio.run(asyncio.wait_for(coroutine, PATIENCE))


class SlowStore(DictionaryStore):
    """A store whose loads wait until they are let go."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = threading.Semaphore(0)
        self.let_go = threading.Event()

    def load(self, key: str) -> tuple[bytes, int] | None:
        self.begun.release()
        assert self.let_go.wait(PATIENCE)
        return super().load(key)

    async def wait_until_begun(self) -> None:
        """Until one more load waits."""
        assert await asyncio.to_thread(self.begun.acquire, timeout=PATIENCE)


# ------------------------------------------------------------------------------------------------------------- methods


def methods(kind: type) -> dict[str, Callable[..., Any]]:
    return {name: member for name, member in vars(kind).items() if not name.startswith("_") and callable(member)}


def test_it_has_every_method_of_an_engine_with_the_same_signature() -> None:
    synchronous, awaited = methods(Engine), methods(AsyncEngine)
    assert set(synchronous) == set(awaited)
    assert len(synchronous) >= 14
    for name, method in synchronous.items():
        assert inspect.iscoroutinefunction(awaited[name]), name
        assert inspect.signature(awaited[name]) == inspect.signature(method), name
    assert isinstance(AsyncEngine.closed, property)


def test_it_is_made_with_the_same_arguments_and_a_number_of_threads() -> None:
    same = dict(inspect.signature(Engine.__init__).parameters)
    parameters = dict(inspect.signature(AsyncEngine.__init__).parameters)
    assert parameters.pop("threads").default == 32
    assert list(parameters) == list(same)
    assert parameters.pop("transport").default is same.pop("transport").default is None
    assert parameters == same
    for threads in (0, 1025):
        with pytest.raises(InvalidArgument, match=f"^threads: expected 1 to 1024, got {threads}$"):
            new_async_engine(threads=threads)


def test_every_method_answers_as_an_engine_does() -> None:
    models = [ConversionModel(RETURN)]
    engine = new_engine(clock=lambda: 1_700_000_000, transport=lambda url: VALUE, reengagement_models=models)
    awaited = new_async_engine(clock=lambda: 1_700_000_000, transport=lambda url: VALUE, reengagement_models=models)
    calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
        ("register", (INSTALL,), {}),
        ("update_revenue", (INSTALL, 4.99, "USD"), {"event_id": "order-1", "kind": RevenueKind.AD}),
        ("update_revenue_many", ([RevenueItem(INSTALL, 1, "USD", event_id="order-2")],), {}),
        ("update_conversion_values", (INSTALL, "purchase"), {"event_id": "order-1"}),
        ("update_conversion_values", (INSTALL, "purchase"), {"event_id": "order-1"}),
        ("conversion_request", (INSTALL, "purchase"), {"event_id": "order-1"}),
        ("apply_response", (INSTALL, 0, VALUE.replace(b"12", b"13")), {"event_name": "level", "event_id": "level-1"}),
        ("apply_response", (INSTALL, 0, VALUE), {"event_id": "level-1"}),
        ("pending_calls", (INSTALL,), {}),
        ("acknowledge_calls", (INSTALL, [(1_700_000_000_000_003, CallResult.DELIVERED)]), {}),
        ("pending_calls", (INSTALL,), {}),
        ("reengage", (INSTALL, "open-1"), {"tag": "t1", "is_overlapping": True}),
        ("update_conversion_values", (INSTALL, "purchase"), {"event_id": "order-3", "amount": 4.99, "currency": "USD"}),
        ("pending_calls", (INSTALL,), {}),
        ("pending_calls_json", (INSTALL,), {}),
        ("acknowledge_calls", (INSTALL, [(1_700_000_000_000_005, CallResult.DELIVERED)]), {}),
        ("pending_calls", (INSTALL,), {}),
        ("reengagements", (INSTALL,), {}),
        ("explanation", (INSTALL,), {"reengagement": 1}),
        ("end_reengagement", (INSTALL, 1), {}),
        ("end_reengagement", (INSTALL, 2), {}),
        ("details", (INSTALL,), {}),
        ("metadata", (INSTALL,), {}),
        ("rename", (INSTALL, "install-2"), {}),
        ("details", ("install-2",), {}),
        ("rename", ("install-2", INSTALL), {}),
        ("import_details", (INSTALL, "{}"), {}),
        ("forget", (INSTALL,), {}),
        ("conversion_request", (INSTALL,), {"event_name": "purchase", "device": None}),
        ("details", (INSTALL,), {}),
    ]

    async def all_of_them() -> None:
        async with awaited:
            for name, arguments, named in calls:
                expected = getattr(engine, name)(*arguments, **named)
                assert await getattr(awaited, name)(*arguments, **named) == expected, name
            for name in ("explanation", "answer_request"):
                with pytest.raises(SkanError) as raised:
                    getattr(engine, name)(INSTALL)
                with pytest.raises(type(raised.value), match=f"^{re.escape(str(raised.value))}$"):
                    await getattr(awaited, name)(INSTALL)

    run(all_of_them())
    assert {name for name, _, _ in calls} | {"answer_request", "close"} == set(methods(Engine))


class Recorded(Engine):
    """An engine that notes what its methods are called with, and answers nothing."""

    def __init__(self, notes: list[dict[str, Any]]) -> None:
        super().__init__(endpoint_url=ENDPOINT)
        for name, method in methods(Engine).items():
            if name != "close":
                setattr(self, name, self.noting(inspect.signature(method), notes))

    def noting(self, signature: inspect.Signature, notes: list[dict[str, Any]]) -> Callable[..., None]:
        def note(*arguments: Any, **named: Any) -> None:
            given = signature.bind(self, *arguments, **named)
            notes.append({name: value for name, value in given.arguments.items() if name != "self"})

        return note


@pytest.mark.parametrize("name", sorted(set(methods(Engine)) - {"close"}))
def test_every_argument_reaches_the_engine(name: str) -> None:
    """Each parameter is given a value of its own, by position where that is allowed, and by name."""
    parameters = list(inspect.signature(methods(Engine)[name]).parameters.values())[1:]
    # Items and results are read into a list by the caller's thread.
    values: dict[str, Any] = {each.name: (each.name,) for each in parameters}
    expected = {key: list(value) if key in ("items", "results") else value for key, value in values.items()}
    positional = [each.name for each in parameters if each.kind is not each.KEYWORD_ONLY]

    async def call(by_position: list[str]) -> None:
        notes: list[dict[str, Any]] = []
        awaited = new_async_engine()
        plain, awaited._engine = awaited._engine, Recorded(notes)
        async with awaited:
            named = {key: value for key, value in values.items() if key not in by_position}
            await getattr(awaited, name)(*(values[key] for key in by_position), **named)
        plain.close()
        assert notes == [expected]

    run(call([]))
    run(call(positional))


# ------------------------------------------------------------------------------------------------------------- threads


def test_a_close_that_is_cancelled_ends_the_engine_nevertheless() -> None:
    async def cancelled() -> None:
        store = SlowStore()
        engine = new_async_engine(store, threads=1)
        call = asyncio.create_task(engine.details(INSTALL))
        await store.wait_until_begun()
        closing = asyncio.create_task(engine.close())
        await asyncio.sleep(0)  # it waits for the only thread
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing
        with pytest.raises(Misuse):
            await engine.details(INSTALL)
        await engine.close()
        store.let_go.set()
        await call
        await wait_until_threads_end(engine)
        assert engine.closed

    run(cancelled())


def test_the_threads_of_a_closed_engine_end() -> None:
    async def closed() -> None:
        async with new_async_engine(threads=3) as engine:
            await asyncio.gather(*(engine.details(INSTALL) for _ in range(9)))
            assert threads_of(engine)
        await wait_until_threads_end(engine)

    run(closed())


def threads_of(engine: AsyncEngine) -> list[threading.Thread]:
    return [thread for thread in engine._threads._pool._threads if thread.is_alive()]


async def wait_until_threads_end(engine: AsyncEngine) -> None:
    """A test that waits for ever fails."""
    while threads_of(engine):
        await asyncio.sleep(0.001)


def test_calls_wait_for_a_thread_in_their_order() -> None:
    async def three_on_one_thread() -> list[str]:
        store = SlowStore()
        loaded: list[str] = []
        load = store.load

        def note(key: str) -> tuple[bytes, int] | None:
            loaded.append(key)
            return load(key)

        store.load = note  # type: ignore[method-assign]
        async with new_async_engine(store, threads=1) as engine:
            calls = [asyncio.ensure_future(engine.metadata(f"player-{number}")) for number in range(3)]
            await store.wait_until_begun()
            assert loaded == ["player-0"]
            store.let_go.set()
            await asyncio.gather(*calls)
        return loaded

    assert run(three_on_one_thread()) == ["player-0", "player-1", "player-2"]


def test_as_many_calls_run_at_once_as_there_are_threads() -> None:
    async def all_wait() -> None:
        store = SlowStore()
        async with new_async_engine(store) as engine:
            calls = [asyncio.ensure_future(engine.metadata(f"player-{number}")) for number in range(33)]
            for _ in range(32):
                await store.wait_until_begun()
            assert not store.begun.acquire(blocking=False)
            store.let_go.set()
            assert await asyncio.gather(*calls) == [""] * 33

    run(all_wait())


def test_hooks_see_the_context_of_the_coroutine() -> None:
    request = contextvars.ContextVar("request", default="none")
    seen: list[str] = []

    async def get(url: str) -> bytes:
        seen.append(request.get())
        return VALUE

    def now() -> int:
        seen.append(request.get())
        return 1_700_000_000

    async def within_a_request() -> None:
        async with new_async_engine(clock=now, transport=get) as engine:
            request.set("request-1")
            await engine.register(INSTALL)
            await engine.update_conversion_values(INSTALL)

    run(within_a_request())
    assert set(seen) == {"request-1"}


# ----------------------------------------------------------------------------------------------------------- transport


class Client:
    """A client whose requests are awaited."""

    async def get(self, url: str, /) -> bytes:
        await asyncio.sleep(0)
        return VALUE


async def by_a_coroutine(url: str) -> bytes:
    await asyncio.sleep(0)
    return VALUE


@pytest.mark.parametrize("transport", [by_a_coroutine, Client(), lambda url: by_a_coroutine(url), lambda url: VALUE])
def test_a_transport_may_be_a_coroutine_or_plain(transport: AsyncTransport) -> None:
    async def updated() -> tuple[Outcome, int | None]:
        async with new_async_engine(transport=transport) as engine:
            await engine.register(INSTALL)
            outcome, update = await engine.update_conversion_values(INSTALL)
            assert update
            return outcome, update.fine_value

    assert run(updated()) == (Outcome.OK, 12)


def test_a_coroutine_runs_on_the_loop_that_awaits_the_call() -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    async def get(url: str) -> bytes:
        loops.append(asyncio.get_running_loop())
        return VALUE

    engine = new_async_engine(transport=get)

    async def awaited(install: str) -> asyncio.AbstractEventLoop:
        await engine.register(install)
        await engine.update_conversion_values(install)
        return asyncio.get_running_loop()

    assert [run(awaited("player-1")), run(awaited("player-2"))] == loops
    run(engine.close())


def test_what_a_coroutine_raises_is_the_cause() -> None:
    class Outage(Exception):
        pass

    async def get(url: str) -> bytes:
        raise Outage("no network")

    async def failed() -> None:
        async with new_async_engine(transport=get) as engine:
            await engine.register(INSTALL)
            with pytest.raises(TransportError) as raised:
                await engine.update_conversion_values(INSTALL)
            assert isinstance(raised.value.__cause__, Outage)

    run(failed())


def test_500_requests_at_once_share_32_threads() -> None:
    open_now = most = 0

    async def get(url: str) -> bytes:
        nonlocal open_now, most
        open_now += 1
        most = max(most, open_now)
        await asyncio.sleep(0)
        open_now -= 1
        return VALUE

    async def all_at_once() -> list[bool]:
        async with new_async_engine(transport=get) as engine:

            async def one(install: str) -> bool:
                await engine.register(install)
                return bool(await engine.update_conversion_values(install))

            return await asyncio.gather(*(one(f"player-{number}") for number in range(500)))

    assert run(all_at_once()) == [True] * 500
    assert 1 <= most <= 32


# -------------------------------------------------------------------------------------------------------- cancellation


def test_a_call_that_has_begun_runs_to_its_end_though_its_await_is_cancelled() -> None:
    async def cancelled() -> None:
        store = SlowStore()
        async with new_async_engine(store, threads=1) as engine:
            call = asyncio.ensure_future(engine.register("begun"))
            await store.wait_until_begun()
            waits = asyncio.ensure_future(engine.register("waits"))
            await asyncio.sleep(0)
            for task in (call, waits):
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            store.let_go.set()
            assert (await engine.register("begun")).outcome is Outcome.ALREADY_REGISTERED
            assert (await engine.register("waits")).outcome is Outcome.OK

    run(cancelled())


def test_the_coroutine_of_a_cancelled_call_is_cancelled() -> None:
    async def cancelled() -> None:
        begun, ended = asyncio.Event(), asyncio.Event()

        async def get(url: str) -> bytes:
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
            return VALUE

        async with new_async_engine(transport=get) as engine:
            await engine.register(INSTALL)
            call = asyncio.ensure_future(engine.update_conversion_values(INSTALL, "login", event_id="login-1"))
            await begun.wait()
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            await ended.wait()
            # The thread is free again, and nothing was applied.
            assert (await engine.details(INSTALL)).fine_value == 0

    run(cancelled())


def test_a_coroutine_that_comes_after_its_call_was_cancelled_is_cancelled() -> None:
    async def cancelled() -> None:
        called, answered, is_cancelled = asyncio.Event(), asyncio.Event(), threading.Event()
        loop = asyncio.get_running_loop()

        async def answer() -> bytes:
            await answered.wait()
            return VALUE

        def get(url: str) -> Coroutine[None, None, bytes]:
            loop.call_soon_threadsafe(called.set)
            is_cancelled.wait(60)
            return answer()

        async with new_async_engine(transport=get, threads=1) as engine:
            await engine.register(INSTALL)
            call = asyncio.ensure_future(engine.update_conversion_values(INSTALL, "login"))
            await called.wait()
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            is_cancelled.set()
            try:
                # The only thread is free though nothing answers.
                details = await asyncio.wait_for(engine.details(INSTALL), 60)
            finally:
                answered.set()
            assert details.fine_value == 0

    run(cancelled())


# ---------------------------------------------------------------------------------------------------------------- fork


def test_an_engine_works_in_the_child_of_a_fork_though_all_of_its_threads_were_busy() -> None:
    store = SlowStore()
    engine = new_async_engine(store, threads=2)

    async def fork_while_busy() -> int:
        calls = [asyncio.ensure_future(engine.register(f"player-{number}")) for number in range(3)]
        for _ in range(2):
            await store.wait_until_begun()
        child = os.fork()
        if child == 0:
            os._exit(in_the_child())
        store.let_go.set()
        await asyncio.gather(*calls)
        return (await asyncio.to_thread(os.waitpid, child, 0))[1]

    def in_the_child() -> int:
        def registers_in_time() -> None:
            store.let_go.set()
            assert run(engine.register("child"))

        child = threading.Thread(target=registers_in_time, daemon=True)
        child.start()
        child.join(PATIENCE)
        return int(child.is_alive())

    assert run(fork_while_busy()) == 0
    run(engine.close())


def unwatched(task: asyncio.Task[Any] | None) -> None:
    """Lets a task end with its loop without a message of asyncio's."""
    task._log_destroy_pending = False  # type: ignore[union-attr]


def leave(call: Coroutine[Any, Any, object], meanwhile: Coroutine[Any, Any, None]) -> None:
    """Awaits a call on an event loop that closes once the other coroutine is over."""
    loop = asyncio.new_event_loop()
    task = loop.create_task(call)
    loop.run_until_complete(meanwhile)
    loop.run_until_complete(loop.shutdown_default_executor())
    loop.close()
    unwatched(task)


def test_a_loop_that_closes_ends_the_call_that_waits_for_its_transport() -> None:
    asked = threading.Event()
    store = DictionaryStore()

    async def get(url: str) -> bytes:
        unwatched(asyncio.current_task())
        asked.set()
        await asyncio.Event().wait()
        return VALUE

    async def until_asked() -> None:
        assert await asyncio.to_thread(asked.wait, PATIENCE)

    engine = new_async_engine(store, transport=get)
    run(engine.register(INSTALL))
    leave(engine.update_conversion_values(INSTALL, event_id="order-1"), until_asked())
    run(engine.close())  # waits for the call
    with new_engine(store, transport=lambda url: VALUE) as after:
        assert after.update_conversion_values(INSTALL, event_id="order-1").outcome is Outcome.OK


def test_a_loop_that_closes_before_the_transport_is_called_ends_the_call_too() -> None:
    store = SlowStore()
    requests: list[str] = []

    async def get(url: str) -> bytes:
        requests.append(url)
        return VALUE

    with new_engine(records := DictionaryStore()) as engine:
        engine.register(INSTALL)
    store.records = records.records
    awaited = new_async_engine(store, transport=get)
    leave(awaited.update_conversion_values(INSTALL), store.wait_until_begun())
    store.let_go.set()
    run(awaited.close())
    assert requests == []


# --------------------------------------------------------------------------------------------------------------- close


def test_close_waits_for_the_calls_before_it() -> None:
    async def closed() -> None:
        store = SlowStore()
        engine = new_async_engine(store)
        call = asyncio.ensure_future(engine.register(INSTALL))
        await store.wait_until_begun()
        closing = asyncio.ensure_future(engine.close())
        await asyncio.sleep(0)
        assert not closing.done()
        store.let_go.set()
        await closing
        assert call.done()
        assert (await call).outcome is Outcome.OK
        assert engine.closed
        await engine.close()
        with pytest.raises(Misuse, match="the engine is closed"):
            await engine.register(INSTALL)

    run(closed())


def test_an_engine_that_is_not_closed_ends_with_its_object() -> None:
    engine = new_async_engine()
    run(engine.register(INSTALL))
    native = engine._engine
    del engine
    assert not native.closed


def test_calls_on_one_install_take_turns() -> None:
    store = MeetingStore()

    async def buy() -> None:
        async with new_async_engine(store) as engine:
            calls = [engine.update_revenue(INSTALL, 1, "USD") for _ in range(200)]
            assert set(await asyncio.gather(*calls)) == {Outcome.OK}

    run(buy())
    assert store.conflicts == 0
