"""Conversion models: which value an install has, decided locally."""

from __future__ import annotations

import json
from ctypes import byref, c_char_p, c_void_p
from decimal import Decimal
from typing import Any

from ._arguments import BytesLike, content
from ._calls import FIRST_ERROR, Call
from ._errors import InvalidArgument
from ._library import library
from ._owning import Owning
from ._status import Status


class ConversionModel(Owning):
    """A conversion model, read and checked; it never changes and may be used by any number of threads and engines.

    A JSON document whose rules say which fine or coarse value an install has, by revenue, events, sessions and days.
    share/skan/models describes its form (README.md there) and has ready models to start with. Rules, "Model document",
    "Model versions".
    """

    def __init__(self, document: str | BytesLike) -> None:
        """Reads a model's document of at most 64 KiB.

        Raises `InvalidDocument` with the place, as a JSON pointer in quotes, and the reason.
        """
        self._native = c_void_p()
        data = content(document, "document")
        call = Call()
        status = _create(data, len(data), byref(self._native), call.error_out)
        if status:
            call.conclude(status)
        self._version: str = _version(self._native).decode()

    def __del__(self) -> None:
        native = getattr(self, "_native", None)
        if native:
            _destroy(native)

    def __repr__(self) -> str:
        return f"ConversionModel(version={self._version!r})"

    @property
    def version(self) -> str:
        """The SHA-256 of the document's bytes, 64 hexadecimal digits in lower case.

        Keep every document under its version: installs stay on the model that they were registered with.
        """
        return self._version

    def decode(self, window: int, fine: int | None = None, coarse: int | None = None) -> dict[str, Any] | None:
        """Decodes a value: returns all rules of the window with this value, and the ranges that contain theirs.

        - window: 0, 1 or 2; 0 in SKAN 3.
        - fine: 0 to 63; coarse: 0 to 2. At least one of them is required; with both, a rule must have both.

        Fine 0 in window 0 without a coarse value is also the value after registering alone. The document then has
        `"registration": True`, and its envelope also covers an install that did nothing.

        Returns the document that model.h describes, with amounts as `Decimal`; None if no rule has the value, so that
        it cannot be decoded. If a postback does not carry a value, Apple hid it; it is not 0. Rules, "Model decode".
        """
        document = c_char_p()
        call = Call()
        status = _decode(
            self._native,
            _number(window, "window", 2),
            -1 if fine is None else _number(fine, "fine", 63),
            -1 if coarse is None else _number(coarse, "coarse", 2),
            byref(document),
            call.error_out,
        )
        if status >= FIRST_ERROR:
            call.conclude(status)
        return None if status == Status.NOT_FOUND else parsed(document)


def parsed(document: c_char_p) -> Any:
    """Parses a document of the library with exact amounts, and frees the library's copy."""
    try:
        return json.loads(document.value or b"{}", parse_float=Decimal)
    finally:
        library.skan_free(document)


def native_model(model: ConversionModel) -> c_void_p:
    """The library's handle for this model."""
    return model._native


def _number(value: int, name: str, most: int) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{name} must be int, not {type(value).__name__}")
    # C's int would wrap some numbers, and -1 means "not given" there.
    if not 0 <= value <= most:
        raise InvalidArgument(f"{name}: expected 0 to {most}, got {value}")
    return value


_create = library.skan_model_create
_version = library.skan_model_version
_decode = library.skan_model_decode
_destroy = library.skan_model_destroy
