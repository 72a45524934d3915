"""Interrupts at every instruction of a clock's hook, for test_interrupts: prints how many there were.

For Python before 3.11, where a signal's handler may run before any instruction but a function's first. A trace raises
what the handler would.
"""

import sys
from types import FrameType
from typing import Any, Optional

from engines import new_engine
from libskan import _trampolines

NOW = 1_700_000_000
HOOK = _trampolines._now.__code__


class Alarm(BaseException):
    """What the signal's handler raises, as KeyboardInterrupt is raised."""


class Interrupter:
    """Raises before the instruction of the hook with a number, once."""

    def __init__(self, number: int) -> None:
        self.left = number
        self.has_raised = False

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Optional["Interrupter"]:
        if frame.f_code is not HOOK:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode" and not self.has_raised:
            self.left -= 1
            if self.left < 0:
                self.has_raised = True
                raise Alarm
        return self


def main() -> None:
    """Once for each instruction that runs."""
    interrupts = 0
    while True:
        # The first one begins the hook's `try`.
        interrupter = Interrupter(interrupts + 1)
        with new_engine(clock=lambda: NOW) as engine:
            sys.settrace(interrupter)
            try:
                result = engine.register("player-1")
            except Alarm:
                assert interrupter.has_raised
                interrupts += 1
                sys.settrace(None)
                update = engine.register("player-1").update
                assert update, "it is registered already"
                assert update.timestamp == NOW
                continue
            finally:
                sys.settrace(None)
            assert not interrupter.has_raised, f"nothing came of instruction {interrupts + 1}: {result}"
            break
    print(interrupts)


if __name__ == "__main__":
    main()
