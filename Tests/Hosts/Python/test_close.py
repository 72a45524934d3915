"""The end of an engine: nobody uses what is gone, and nobody waits for ever."""

import os
import threading
import time
from typing import Callable, Optional

import pytest
from calls import CALLS
from engines import new_engine
from libskan import Engine, Misuse, Outcome
from package import run
from stores import DictionaryStore

INSTALL = "player-1"


@pytest.mark.parametrize("call", CALLS)
def test_calls_after_close_are_misuse(call: Callable[[Engine, str], object]) -> None:
    engine = new_engine()
    engine.close()
    for _ in range(2):
        with pytest.raises(Misuse, match="closed"):
            call(engine, INSTALL)


def test_a_context_closes() -> None:
    with new_engine() as engine:
        assert engine.register(INSTALL)
        assert not engine.closed
    engine.close()  # again
    assert engine.closed
    with pytest.raises(ZeroDivisionError), new_engine() as other:
        1 / 0  # noqa: B018
    assert other.closed


def test_an_engine_that_was_never_made_is_deleted_quietly() -> None:
    engine = Engine.__new__(Engine)
    del engine


class SlowStore(DictionaryStore):
    """Its loads last until they are released."""

    def __init__(self) -> None:
        super().__init__()
        self.entered = threading.Event()
        self.released = threading.Event()

    def load(self, key: str) -> Optional[tuple[bytes, int]]:
        self.entered.set()
        assert self.released.wait(120)
        return super().load(key)


def test_close_waits_for_other_threads() -> None:
    store = SlowStore()
    engine = new_engine(store)
    outcomes: list[Outcome] = []
    caller = threading.Thread(target=lambda: outcomes.append(engine.register(INSTALL).outcome))
    caller.start()
    assert store.entered.wait(120)
    closers = [threading.Thread(target=engine.close) for _ in range(3)]
    for closer in closers:
        closer.start()
    while not engine.closed:
        time.sleep(0.001)
    with pytest.raises(Misuse, match="closed"):
        engine.details(INSTALL)
    assert all(closer.is_alive() for closer in closers)
    store.released.set()
    for thread in [caller, *closers]:
        thread.join(120)
        assert not thread.is_alive()
    assert outcomes == [Outcome.OK]


def test_close_races_with_calls() -> None:
    for _ in range(100):
        store = DictionaryStore()
        engine = new_engine(store)
        together = threading.Barrier(4)
        counted = [0, 0, 0]

        def call(thread: int, engine: Engine = engine, together: threading.Barrier = together) -> None:
            together.wait(120)
            try:
                while True:
                    engine.update_revenue(INSTALL, 1, "USD")
                    counted[thread] += 1  # noqa: B023
            except Misuse:
                pass

        threads = [threading.Thread(target=call, args=[thread]) for thread in range(3)]
        for thread in threads:
            thread.start()
        together.wait(120)
        engine.close()
        for thread in threads:
            thread.join(120)
            assert not thread.is_alive()
        with new_engine(store) as after:
            assert after.details(INSTALL).iap_revenue.get("USD", 0) == sum(counted)


def test_a_fork_while_other_threads_are_in_calls() -> None:
    store = SlowStore()
    engine = new_engine(store)
    caller = threading.Thread(target=engine.register, args=[INSTALL])
    caller.start()
    assert store.entered.wait(120)
    child = os.fork()
    if child == 0:
        # The child has this thread alone.
        store.released.set()
        engine.close()
        os._exit(7)
    store.released.set()
    caller.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert engine.details(INSTALL).first_timestamp is not None
    engine.close()


def test_engines_left_open_do_not_disturb_the_exit_of_python() -> None:
    program = """
import threading, time
from libskan import Engine
def new_engine(**options):
    return Engine(endpoint_url="https://skan.example.com", **options)
class Service:
    def __init__(self):
        self.engine = new_engine(clock=time.time, transport=self.get)
        self.engine.register("player-1")
    def get(self, url):
        return b""
service = Service()
engine = new_engine(clock=time.time)
asleep = threading.Event()
def get(url):
    asleep.set()
    time.sleep(60)
busy = new_engine(transport=get)
busy.register("player-1")
threading.Thread(target=busy.update_conversion_values, args=["player-1"], daemon=True).start()
asleep.wait()
"""
    ended = run(program)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
