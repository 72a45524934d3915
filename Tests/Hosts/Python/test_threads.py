"""One engine, many threads: nothing is lost, nothing is counted twice."""

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Optional

import pytest
from engines import new_engine
from libskan import Outcome, Store
from stores import DictionaryStore, MeetingStore

THREADS = 8
PURCHASES = 400


@pytest.mark.parametrize("store", [None, DictionaryStore()], ids=["in_memory", "hooks"])
def test_sums_are_exact(store: Optional[Store]) -> None:
    def buy(thread: int) -> int:
        counted = 0
        for number in range(PURCHASES):
            own = f"player-{thread}"
            assert engine.update_revenue("everybody", Decimal("0.1"), "USD") is Outcome.OK
            assert engine.update_revenue(own, 0.01, "EUR", event_id=f"{number}") is Outcome.OK
            counted += engine.update_revenue("once", 1, "USD", event_id=f"{number % 64}") is Outcome.OK
        return counted

    with new_engine(store) as engine, ThreadPoolExecutor(THREADS) as threads:
        counted = sum(threads.map(buy, range(THREADS)))
        assert engine.details("everybody").iap_revenue == {"USD": Decimal(THREADS * PURCHASES) / 10}
        for thread in range(THREADS):
            assert engine.details(f"player-{thread}").iap_revenue == {"EUR": Decimal(PURCHASES) / 100}
        assert engine.details("once").iap_revenue == {"USD": Decimal(counted)}
    assert counted >= 64


def test_calls_on_one_install_take_turns() -> None:
    store = MeetingStore()
    with new_engine(store) as engine, ThreadPoolExecutor(64) as threads:
        calls = [threads.submit(engine.update_revenue, "busy", 1, "USD") for _ in range(1000)]
        assert all(call.result() is Outcome.OK for call in calls)
        assert engine.details("busy").iap_revenue == {"USD": Decimal(1000)}
    assert store.conflicts == 0


def test_updates_of_threads_are_their_own() -> None:
    def play(thread: int) -> None:
        install = f"player-{thread}"
        first = engine.register(install).update
        assert first is not None
        for number in range(1, 201):
            value = (thread * 7 + number) % 63 + 1
            ticket = engine.conversion_request(install, "level_up").ticket
            update = engine.apply_response(install, ticket, b'{"conversion_value":%d}' % value).update
            assert update is not None
            assert (update.id, update.fine_value) == (first.id + number, value)
            assert {call.id for call in engine.pending_calls(install).calls} == {update.id}
            assert engine.details(install).fine_value == value

    with new_engine() as engine, ThreadPoolExecutor(THREADS) as threads:
        for done in [threads.submit(play, thread) for thread in range(THREADS)]:
            done.result()
