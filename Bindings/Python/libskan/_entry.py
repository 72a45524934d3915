"""Lets a function's `try` catch what is raised while the function is being entered.

From Python 3.11 on, signal handlers run at a function's very first instruction, before its `try` begins: most of the
time that C code runs before it calls back ends there. A KeyboardInterrupt raised at that point would never reach the
callback's `except`; ctypes would drop it and give C an undefined status. Before 3.11, none are run ahead of a `try`;
there, one instruction at its end stays uncovered.
"""

import sys
from types import CodeType, FrameType, FunctionType
from typing import Callable, TypeVar

F = TypeVar("F", bound=Callable[..., object])

_CALLED_BY_C: set[CodeType] = set()


def is_called_by_c(frame: FrameType) -> bool:
    """Whether it is the frame of a function whose entry is covered: one that C calls."""
    return frame.f_code in _CALLED_BY_C


if sys.version_info >= (3, 11):

    def covering_entry(function: F) -> F:
        """Stretches the first `try` of a function, with which it has to begin, over the instructions before it."""
        assert isinstance(function, FunctionType)
        code = function.__code__
        start, _, target, depth = _first_entry(code.co_exceptiontable)
        entry = bytes([_ENTRY_MARK, *start, *target, *depth])
        function.__code__ = code.replace(co_exceptiontable=entry + code.co_exceptiontable)
        _CALLED_BY_C.add(function.__code__)
        return function

    # An entry of the table is four numbers: where it starts, how long it is, its handler, the stack's depth. A number
    # is bytes of six bits, _MORE set in all but the last; the first byte of an entry also has _ENTRY_MARK set.
    _ENTRY_MARK = 0x80
    _MORE = 0x40

    def _first_entry(table: bytes) -> list[bytes]:
        numbers = [b""]
        for byte in table:
            numbers[-1] += bytes([byte & ~_ENTRY_MARK])
            if not byte & _MORE:
                if len(numbers) == 4:
                    return numbers
                numbers.append(b"")
        raise ValueError("the function has no try")

else:

    def covering_entry(function: F) -> F:
        """Gives the function as it is."""
        assert isinstance(function, FunctionType)
        _CALLED_BY_C.add(function.__code__)
        return function
