"""One engine, many threads: nothing is lost, nothing is counted twice."""

import threading
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Optional

import pytest
from libskan import Engine, Outcome, Store
from stores import DictionaryStore

THREADS = 8
PURCHASES = 400


def stores() -> list[Optional[Store]]:
    """The engine's own store, and one of hooks."""
    return [None, DictionaryStore()]


@pytest.mark.parametrize("store", stores(), ids=["in_memory", "hooks"])
def test_sums_are_exact(store: Optional[Store]) -> None:
    def buy(thread: int) -> int:
        counted = 0
        for number in range(PURCHASES):
            own = f"player-{thread}"
            assert engine.update_revenue("everybody", Decimal("0.1"), "USD") is Outcome.OK
            assert engine.update_revenue(own, 0.01, "EUR", event_id=f"{number}") is Outcome.OK
            counted += engine.update_revenue("once", 1, "USD", event_id=f"{number % 64}") is Outcome.OK
        return counted

    with Engine(store) as engine, ThreadPoolExecutor(THREADS) as threads:
        counted = sum(threads.map(buy, range(THREADS)))
        assert engine.details("everybody").iap_revenue == {"USD": Decimal(THREADS * PURCHASES) / 10}
        for thread in range(THREADS):
            assert engine.details(f"player-{thread}").iap_revenue == {"EUR": Decimal(PURCHASES) / 100}
        assert engine.details("once").iap_revenue == {"USD": Decimal(counted)}
    assert counted >= 64


@pytest.mark.parametrize("store", stores(), ids=["in_memory", "hooks"])
def test_an_install_is_registered_once(store: Optional[Store]) -> None:
    together = threading.Barrier(THREADS)

    def register(number: int) -> Outcome:
        together.wait(10)
        return engine.register(f"player-{number // THREADS}").outcome

    with Engine(store) as engine, ThreadPoolExecutor(THREADS) as threads:
        outcomes = list(threads.map(register, range(THREADS * 20)))
    assert outcomes.count(Outcome.OK) == 20
    assert outcomes.count(Outcome.ALREADY_REGISTERED) == 20 * (THREADS - 1)


def test_updates_of_threads_are_their_own() -> None:
    def play(thread: int) -> None:
        install = f"player-{thread}"
        engine.register(install)
        for number in range(200):
            value = (thread * 7 + number) % 63 + 1
            ticket = engine.conversion_request(install, "level_up").ticket
            update = engine.apply_response(install, ticket, b'{"conversion_value":%d}' % value).update
            assert update is not None
            assert (update.id, update.fine_value) == (number + 2, value)
            assert engine.pending_update(install).update == update
            assert engine.details(install).conversion_value == value

    with Engine() as engine, ThreadPoolExecutor(THREADS) as threads:
        for done in [threads.submit(play, thread) for thread in range(THREADS)]:
            done.result()


def test_two_engines_on_one_store() -> None:
    store = DictionaryStore()

    def buy(engine: Engine) -> None:
        for _ in range(PURCHASES):
            engine.update_revenue("player-1", 1, "USD")

    with Engine(store) as first, Engine(store) as second:
        threads = [threading.Thread(target=buy, args=[engine]) for engine in (first, second, first, second)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert first.details("player-1") == second.details("player-1")
        assert first.details("player-1").iap_revenue == {"USD": Decimal(4 * PURCHASES)}
