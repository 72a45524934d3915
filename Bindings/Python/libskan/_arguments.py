"""Converts Python's arguments to C's, and refuses those that C would silently cut or wrap."""

import os
from ctypes import Structure
from decimal import Decimal
from typing import Any, Optional, Union

from ._errors import InvalidArgument
from ._library import NativeAmount
from ._status import RevenueKind

BytesLike = Union[bytes, bytearray, memoryview]
Amount = Union[float, int, Decimal]


def wrong_type(value: Any, name: str, expected: str, hint: str = "") -> TypeError:
    """Makes the error for an argument of the wrong type. It does not show the value, which may be a secret."""
    found = f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__
    return TypeError(f"{name} must be {expected}, not {found}{hint}")


def text(value: str, name: str) -> bytes:
    """Encodes a text as UTF-8 for a C string. Raises InvalidArgument for a NUL or a lone surrogate."""
    try:
        encoded = value.encode()
    except AttributeError:
        raise TypeError(f"{name} must be str, not {type(value).__name__}") from None
    except UnicodeEncodeError as error:
        raise InvalidArgument(f"{name}: lone surrogate at index {error.start}") from None
    if 0 in encoded:
        raise InvalidArgument(f"{name}: NUL at byte {encoded.index(0)}")
    return encoded


def optional_text(value: Optional[str], name: str) -> Optional[bytes]:
    """Does what `text` does; None stays None."""
    return None if value is None else text(value, name)


def content(value: Union[str, BytesLike], name: str) -> bytes:
    """The bytes of a body or document. A text is encoded as UTF-8."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        try:
            return value.encode()
        except UnicodeEncodeError as error:
            raise InvalidArgument(f"{name}: lone surrogate at index {error.start}") from None
    return copied(value, name)


def copied(value: BytesLike, name: str) -> bytes:
    """Copies a bytes-like object. Raises TypeError for anything else, also for an int, which `bytes` would accept."""
    try:
        return memoryview(value).tobytes()
    except TypeError:
        raise TypeError(f"{name} must be bytes-like, not {type(value).__name__}") from None


def _double(value: Union[float, int], name: str) -> float:
    """The double nearest to an amount that is no Decimal. For an int below 1e12 it is the same number."""
    if isinstance(value, (float, int)) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            raise InvalidArgument(f"{name}: expected a finite number between -1e12 and 1e12, got more") from None
    raise TypeError(f"{name} must be float, int or Decimal, not {type(value).__name__}")


def native_amount(value: Amount) -> Structure:
    """An amount. A Decimal is passed as text, which C reads exactly, or refuses."""
    if type(value) is float:
        return NativeAmount(None, value)
    if isinstance(value, Decimal):
        return NativeAmount(str(value).encode())
    return NativeAmount(None, _double(value, "amount"))


def path(value: Union[str, os.PathLike[str]], name: str) -> bytes:
    """A path in the file system's encoding."""
    try:
        encoded = os.fsencode(value)
    except TypeError:
        raise wrong_type(value, name, "str or os.PathLike") from None
    if 0 in encoded:
        raise InvalidArgument(f"{name}: NUL at byte {encoded.index(0)}")
    return encoded


def seconds(value: float, name: str) -> float:
    """A number of seconds, without any limits."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise wrong_type(value, name, "int or float")
    return value


def whole(value: int, name: str) -> int:
    """A whole number, without any limits."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong_type(value, name, "int")
    return value


def in_range(value: int, name: str, least: int, most: int) -> int:
    """A whole number from `least` to `most`; refuses any other."""
    if not least <= whole(value, name) <= most:
        raise InvalidArgument(f"{name}: expected {least} to {most}, got {value}")
    return value


def flag(value: bool, name: str) -> int:
    """A bool as C's 1 or 0."""
    if not isinstance(value, bool):
        raise wrong_type(value, name, "bool")
    return int(value)


def native_kind(value: RevenueKind) -> int:
    """A kind of revenue. C refuses other numbers."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong_type(value, "kind", "RevenueKind")
    return signed(value, "kind", 32)


def signed(value: int, name: str, bits: int) -> int:
    """A number that fits into a signed C integer of so many bits; refuses any other."""
    if not -(1 << bits - 1) <= whole(value, name) < 1 << bits - 1:
        raise InvalidArgument(f"{name}: {value} is not in -2**{bits - 1}..2**{bits - 1} - 1")
    return value


def unsigned(value: int, name: str, bits: int) -> int:
    """A number that fits into an unsigned C integer of so many bits; refuses any other."""
    if not isinstance(value, int):
        raise TypeError(f"{name} must be int, not {type(value).__name__}")
    if value < 0 or value >> bits:
        raise InvalidArgument(f"{name}: {value} is not in 0..2**{bits} - 1")
    return value
