"""Lets a function's `try` catch what is raised while the function is being entered, or left.

From Python 3.11 on, signal handlers run at a function's very first instruction, before its `try` begins: most of the
time that C code runs before it calls back ends there. Before 3.11, none are run ahead of a `try`, but they are between
the end of a `try` and the `return` in it. A KeyboardInterrupt raised at such a point would never reach the callback's
`except`; ctypes would drop it and give C an undefined answer, a time of 1974 for instance.
"""

import sys
from opcode import opmap
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
    # Instructions are two bytes each; none of these has an argument.
    _END_OF_TRY, _RETURN, _NOTHING = (bytes([opmap[name], 0]) for name in ("POP_BLOCK", "RETURN_VALUE", "NOP"))

    def covering_entry(function: F) -> F:
        """Lets the `try` of a function end with its `return`, not one instruction before it."""
        assert isinstance(function, FunctionType)
        code = function.__code__
        # The interpreter forgets a `try` that is open at a `return`; only one that was built for debugging minds.
        instructions = code.co_code.replace(_END_OF_TRY + _RETURN, _NOTHING + _RETURN)
        if not hasattr(sys, "gettotalrefcount"):
            function.__code__ = code.replace(co_code=instructions)
        _CALLED_BY_C.add(function.__code__)
        return function
