"""Calls under a storm of signals, for test_interrupts: prints the revenue at the end and how many alarms there were.

Argument: how many purchases of 1 USD. Each is repeated, with its event id, until its call returns.
"""

import random
import signal
import sys
import time
from types import FrameType
from typing import Optional

from stores import DictionaryStore

from libskan import Engine

INSTALL = "player-1"


class Alarm(BaseException):
    """What the signal's handler raises, as KeyboardInterrupt is raised."""


def ring(number: int, frame: Optional[FrameType]) -> None:
    """The handler."""
    raise Alarm


def arm() -> None:
    """Sets off the next alarm. Only then: no second one while the first is on its way out."""
    signal.setitimer(signal.ITIMER_REAL, random.uniform(0.00001, 0.0005))


purchases = int(sys.argv[1])
bought = alarms = 0
engine = Engine(DictionaryStore(), clock=time.time)
engine.register(INSTALL)
signal.signal(signal.SIGALRM, ring)
while bought < purchases:
    try:
        arm()
        while bought < purchases:
            engine.update_revenue(INSTALL, 1, "USD", event_id=f"order-{bought}")
            bought += 1
    except Alarm:
        alarms += 1
signal.signal(signal.SIGALRM, signal.SIG_IGN)
revenue = engine.details(INSTALL).iap_revenue
engine.close()
print(revenue and revenue["USD"], alarms)
