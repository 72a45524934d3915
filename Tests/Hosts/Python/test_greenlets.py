"""Hooks that switch to other greenlets of their thread, as greenlet and gevent do it."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from functools import partial
from typing import Callable

import greenlet
import pytest
from engines import new_engine
from libskan import Engine, ManyResult, Misuse, Outcome, RevenueItem, Status, TransportError
from stores import DictionaryStore

VALUE = b'{"conversion_value": 12, "skan_updated_coarse_value": 1}'
GREENLETS = 8
PURCHASES = 70


class Greenlets:
    """Greenlets that run in turn: what one does ends at its next switch."""

    def __init__(self) -> None:
        self.switches = dict.fromkeys(("store", "clock", "transport"), 0)
        self.scheduler = greenlet.getcurrent()

    def switch(self, kind: str) -> None:
        """Lets the others run."""
        if greenlet.getcurrent() is not self.scheduler:
            self.switches[kind] += 1
            self.scheduler.switch()

    def run(self, *works: Callable[[], object]) -> None:
        """Runs them all to their ends."""
        left = [greenlet.greenlet(work) for work in works]
        while left:
            for each in left:
                each.switch()
            left = [each for each in left if not each.dead]


class SwitchingStore(DictionaryStore):
    """Lets other greenlets run before it answers."""

    def __init__(self, switch: Callable[[str], None]) -> None:
        super().__init__()
        self.switch = switch

    def load(self, key: str) -> tuple[bytes, int] | None:
        self.switch("store")
        return super().load(key)

    def save(self, key: str, data: bytes, expected_version: int) -> int:
        self.switch("store")
        return super().save(key, data, expected_version)


def switching_engine(switch: Callable[[str], None]) -> Engine:
    def now() -> int:
        switch("clock")
        return 1_700_000_000

    def get(url: str) -> bytes:
        switch("transport")
        return VALUE

    return new_engine(SwitchingStore(switch), now, get)


def buy(engine: Engine, install: str) -> None:
    assert engine.register(install)
    for order in map(str, range(PURCHASES)):
        assert engine.update_revenue(install, 0.5, "USD", event_id=order) is Outcome.OK
        assert engine.update_conversion_values(install, "purchase", event_id=order).outcome in (
            Outcome.OK,
            Outcome.NO_NEW_VALUE,
        )


def check_all_is_counted(engine: Engine, switches: dict[str, int]) -> None:
    assert min(switches.values()) >= 400
    for number in range(GREENLETS):
        assert engine.details(f"player-{number}").iap_revenue == {"USD": PURCHASES * Decimal("0.5")}


def test_hooks_switch_greenlets() -> None:
    greenlets = Greenlets()
    with switching_engine(greenlets.switch) as engine:
        greenlets.run(*(partial(buy, engine, f"player-{number}") for number in range(GREENLETS)))
        check_all_is_counted(engine, greenlets.switches)


def test_greenlets_that_meet_on_an_install_do_not_hang() -> None:
    """A greenlet that waited for its turn would stop the one that has it."""
    greenlets = Greenlets()
    with switching_engine(greenlets.switch) as engine:
        engine.register("player-0")
        greenlets.run(*(partial(engine.update_revenue, "player-0", 1, "USD") for _ in range(GREENLETS)))
        assert engine.details("player-0").iap_revenue == {"USD": Decimal(GREENLETS)}


def test_each_greenlet_gets_what_its_own_hook_raised() -> None:
    greenlets = Greenlets()
    raised: dict[str, BaseException | None] = {}

    class Outage(Exception):
        pass

    def get(url: str) -> bytes:
        greenlets.switch("transport")
        raise Outage(url.partition("idfv=")[0])

    def fail(install: str) -> None:
        try:
            engine.update_conversion_values(install, install)
        except TransportError as error:
            raised[install] = error.__cause__

    with new_engine(transport=get) as engine:
        installs = [f"event{number}" for number in range(GREENLETS)]
        for install in installs:
            engine.register(install)
        greenlets.run(*(partial(fail, install) for install in installs))
    assert {install: f"n={install}&" in str(error) for install, error in raised.items()} == dict.fromkeys(
        installs, True
    )


def test_a_hook_that_calls_its_own_engine_is_misuse_in_a_greenlet_too() -> None:
    greenlets = Greenlets()
    refused: list[Misuse] = []

    class CallingBack(SwitchingStore):
        def load(self, key: str) -> tuple[bytes, int] | None:
            found = super().load(key)
            with pytest.raises(Misuse, match="called from one of its own hooks") as raised:
                engine.details("other")
            refused.append(raised.value)
            return found

    with new_engine(CallingBack(greenlets.switch)) as engine:
        greenlets.run(*(partial(engine.register, f"player-{number}") for number in range(GREENLETS)))
    assert len(refused) == GREENLETS


def test_a_bad_item_of_many_raises_nothing_in_a_greenlet_either() -> None:
    """Other greenlets of the thread are in calls of the engine meanwhile."""
    greenlets = Greenlets()
    results: list[ManyResult] = []
    with switching_engine(greenlets.switch) as engine:

        def buy_two(install: str) -> None:
            items = [RevenueItem(install, 1, "USD"), RevenueItem(install, 1, "?")]
            results.append(engine.update_revenue_many(items))

        greenlets.run(*(partial(buy_two, f"player-{number}") for number in range(GREENLETS)))
        assert [result.statuses for result in results] == [(Status.OK, Status.INVALID_ARGUMENT)] * GREENLETS
        assert {str(result.error).partition(":")[0] for result in results} == {"items[1]"}
        for number in range(GREENLETS):
            assert engine.details(f"player-{number}").iap_revenue == {"USD": Decimal(1)}


def test_many_items_in_a_hook_of_the_engine_are_misuse_in_a_greenlet_too() -> None:
    greenlets = Greenlets()
    refused: list[Misuse] = []

    def get(url: str) -> bytes:
        greenlets.switch("transport")
        with pytest.raises(Misuse, match="called from one of its own hooks") as raised:
            engine.update_revenue_many([RevenueItem("other", 1, "USD")])
        refused.append(raised.value)
        return VALUE

    with new_engine(transport=get) as engine:
        installs = [f"player-{number}" for number in range(GREENLETS)]
        for install in installs:
            engine.register(install)
        greenlets.run(*(partial(engine.update_conversion_values, install) for install in installs))
        assert engine.details("other").iap_revenue == {}
    assert len(refused) == GREENLETS


def test_close_is_refused_while_another_greenlet_of_the_thread_is_in_a_call() -> None:
    greenlets = Greenlets()
    engine = switching_engine(greenlets.switch)

    def close() -> None:
        with pytest.raises(Misuse, match="this thread is in a call"):
            engine.close()

    greenlets.run(lambda: engine.register("player-1"), close)
    engine.close()


def test_greenlets_on_several_threads() -> None:
    local = threading.local()

    def switch(kind: str) -> None:
        if hasattr(local, "greenlets"):
            local.greenlets.switch(kind)

    def on_a_thread(numbers: range) -> None:
        local.greenlets = Greenlets()
        local.greenlets.run(*(partial(buy, engine, f"player-{number}") for number in numbers))

    with switching_engine(switch) as engine:
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(on_a_thread, [range(start, start + 2) for start in range(0, GREENLETS, 2)]))
        for number in range(GREENLETS):
            assert engine.details(f"player-{number}").iap_revenue == {"USD": PURCHASES * Decimal("0.5")}


GEVENT = """
from gevent import monkey
{patch}
import gevent
from test_greenlets import GREENLETS, buy, check_all_is_counted, switching_engine

switches = dict.fromkeys(("store", "clock", "transport"), 0)

def switch(kind):
    switches[kind] += 1
    gevent.sleep(0)

engine = switching_engine(switch)
greenlets = [gevent.spawn(buy, engine, f"player-{{number}}") for number in range(GREENLETS)]
gevent.joinall(greenlets, timeout=120, raise_error=True)
assert all(each.successful() for each in greenlets), greenlets
check_all_is_counted(engine, switches)
engine.close()
print("right")
"""


@pytest.mark.parametrize("patch", ["monkey.patch_all()", ""])
def test_gevent(patch: str) -> None:
    """In a process of its own, since it changes the standard library."""
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", GEVENT.format(patch=patch)],
        cwd=__file__.rpartition("/")[0],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (ended.returncode, ended.stdout) == (0, "right\n"), ended.stderr
