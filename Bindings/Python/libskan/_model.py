"""Conversion models: which value an install has, decided locally."""

from __future__ import annotations

import json
from ctypes import byref, c_char_p, c_void_p
from decimal import Decimal
from typing import Any

from ._arguments import BytesLike, content, in_range
from ._calls import completed, taken
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
        completed(library.skan_model_create, data, len(data), byref(self._native))
        self._version: str = library.skan_model_version(self._native).decode()

    def __del__(self) -> None:
        native = getattr(self, "_native", None)
        if native:
            library.skan_model_destroy(native)

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
        status = completed(
            library.skan_model_decode,
            self._native,
            in_range(window, "window", 0, 2),
            -1 if fine is None else in_range(fine, "fine", 0, 63),
            -1 if coarse is None else in_range(coarse, "coarse", 0, 2),
            byref(document),
        )
        return None if status == Status.NOT_FOUND else parsed(taken(document))


def parsed(document: str) -> Any:
    """Parses a document of the library with exact amounts."""
    return json.loads(document, parse_float=Decimal)


def native_model(model: ConversionModel) -> c_void_p:
    """The library's handle for this model."""
    return model._native
