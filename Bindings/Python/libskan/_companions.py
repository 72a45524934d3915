"""Loads the libraries that are packed with libskan's own, each when it is first needed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from ctypes import CDLL

from ._forks import ForkedLock
from ._library import PATH, Signatures, declared

COMPANIONS: dict[str, Companion] = {}
"""All companion libraries of the package, by the names of their headers."""

_lock = ForkedLock()


class Companion:
    """A companion library: the functions of its header that the package uses."""

    def __init__(self, name: str, signatures: Signatures, needs: Mapping[str, str] | None = None) -> None:
        """Loads nothing yet.

        - needs: the system libraries that the wheel does not contain, each with the Debian package that has it.
        """
        self.name, self.signatures, self.needs = name, signatures, needs or {}
        self.file = f"libskan-{name.replace('_', '-')}.so"
        self._loaded: CDLL | None = None
        COMPANIONS[name] = self

    @property
    def functions(self) -> CDLL:
        """The library, with its functions declared.

        Raises ImportError if the package does not contain the library, or if the system lacks a library that it needs.
        """
        with _lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _load(self) -> CDLL:
        path = os.path.join(os.path.dirname(PATH), self.file)
        try:
            library = CDLL(path)
        except OSError as error:
            packages = " ".join(dict.fromkeys(self.needs.values()))
            needs = f"; it needs {', '.join(self.needs)} (Debian: {packages})" if self.needs else ""
            raise ImportError(
                f"libskan's {self.name} library cannot be loaded{needs}: {error}", name="libskan", path=path
            ) from error
        return declared(library, self.signatures)
