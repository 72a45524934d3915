"""Lets a function's `try` also catch what is raised while the function is being entered or left.

From Python 3.11 on, signal handlers run at a function's very first instruction, before its `try` begins. If C code
calls back, a signal during the C code is nearly always handled there. Before 3.11, no handler runs ahead of a `try`,
but one may run between the end of a `try` and the `return` in it. A KeyboardInterrupt raised at such a point would
never reach the callback's `except`; ctypes would drop it and return an undefined value to C, for instance a time in
1974.
"""

import sys
from opcode import opmap
from types import CodeType, FrameType, FunctionType
from typing import Callable, TypeVar

F = TypeVar("F", bound=Callable[..., object])

_CALLED_BY_C: set[CodeType] = set()


def is_called_by_c(frame: FrameType) -> bool:
    """Whether a frame is of a function that C calls and that `covering_entry` has changed."""
    return frame.f_code in _CALLED_BY_C


if sys.version_info >= (3, 11):

    def covering_entry(function: F) -> F:
        """Extends the `try` with which a function begins over the instructions before it."""
        plain: object = function
        assert isinstance(plain, FunctionType)
        code = plain.__code__
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
        plain: object = function
        assert isinstance(plain, FunctionType)
        code = plain.__code__
        # A release build of the interpreter accepts a `try` that is open at a `return`; a debug build does not.
        instructions = code.co_code.replace(_END_OF_TRY + _RETURN, _NOTHING + _RETURN)
        if not hasattr(sys, "gettotalrefcount"):
            plain.__code__ = code.replace(co_code=instructions)
        _CALLED_BY_C.add(plain.__code__)
        return function
