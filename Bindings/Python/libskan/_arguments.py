"""Turns Python's arguments into C's, refusing what C would cut or wrap silently."""

from decimal import Decimal
from typing import Optional, Union

from ._errors import InvalidArgument

BytesLike = Union[bytes, bytearray, memoryview]
Amount = Union[float, int, Decimal]


def text(value: str, name: str) -> bytes:
    """UTF-8 for a C string. Raises InvalidArgument for a NUL or a lone surrogate."""
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
    """As `text`; None stays None."""
    return None if value is None else text(value, name)


def content(value: Union[str, BytesLike], name: str) -> bytes:
    """The bytes of a body or document; text as UTF-8."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str):
        try:
            return value.encode()
        except UnicodeEncodeError as error:
            raise InvalidArgument(f"{name}: lone surrogate at index {error.start}") from None
    return copied(value, name)


def copied(value: BytesLike, name: str) -> bytes:
    """A copy of a bytes-like object. Raises TypeError for anything else, an int above all, which `bytes` would take."""
    try:
        return memoryview(value).tobytes()
    except TypeError:
        raise TypeError(f"{name} must be bytes-like, not {type(value).__name__}") from None


def double(value: Amount, name: str) -> float:
    """The nearest double."""
    if isinstance(value, (float, int, Decimal)) and not isinstance(value, bool):
        try:
            return float(value)
        except (OverflowError, ValueError):
            raise InvalidArgument(f"{name}: no double is near it") from None
    raise TypeError(f"{name} must be float, int or Decimal, not {type(value).__name__}")


def unsigned(value: int, name: str, bits: int) -> int:
    """A number that an unsigned C integer of so many bits takes as it is."""
    if not isinstance(value, int):
        raise TypeError(f"{name} must be int, not {type(value).__name__}")
    if value < 0 or value >> bits:
        raise InvalidArgument(f"{name}: {value} is not in 0..2**{bits} - 1")
    return value
