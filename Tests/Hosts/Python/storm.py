"""Calls under a storm of signals, for test_interrupts: prints the revenue at the end and how many alarms there were.

Argument: how many purchases of 1 USD. Each is repeated, with its event id, until its call returns.
"""

import random
import signal
import sys
import time
from contextlib import nullcontext
from types import FrameType
from typing import Optional

from engines import new_engine
from libskan import Engine
from stores import DictionaryStore

INSTALL = "player-1"


class Store(DictionaryStore):
    """Without locks, which an exception out of nowhere may leave locked."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = nullcontext()


class Alarm(BaseException):
    """What the signal's handler raises, as KeyboardInterrupt is raised."""


def ring(number: int, frame: Optional[FrameType]) -> None:
    """The handler."""
    raise Alarm


def arm() -> None:
    """Sets off the next alarm. Only then: no second one while the first is on its way out."""
    signal.setitimer(signal.ITIMER_REAL, random.uniform(0.00001, 0.0005))


def buy(engine: Engine, purchases: int) -> None:
    """One purchase after the other, from the first that has not come to an end, until an alarm."""
    global bought
    arm()
    while bought < purchases:
        engine.update_revenue(INSTALL, 1, "USD", event_id=f"order-{bought}")
        bought += 1
    signal.setitimer(signal.ITIMER_REAL, 0)


bought = alarms = 0


def main(purchases: int) -> None:
    """The storm."""
    global alarms
    with new_engine(Store(), clock=time.time) as engine:
        engine.register(INSTALL)
        signal.signal(signal.SIGALRM, ring)
        while bought < purchases:
            try:
                buy(engine, purchases)
            except Alarm:
                alarms += 1
        print(engine.details(INSTALL).iap_revenue["USD"], alarms)


if __name__ == "__main__":
    main(int(sys.argv[1]))
