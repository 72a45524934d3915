"""Stores for tests."""

import itertools
import threading
import time
from contextlib import AbstractContextManager
from typing import Optional

from libskan import StoreConflict


class DictionaryStore:
    """The whole contract of a store, in memory."""

    def __init__(self) -> None:
        self.records: dict[str, tuple[bytes, int]] = {}
        self._lock: AbstractContextManager[object] = threading.Lock()
        self._versions = itertools.count(1)

    def load(self, key: str) -> Optional[tuple[bytes, int]]:
        with self._lock:
            return self.records.get(key)

    def save(self, key: str, data: bytes, expected_version: int) -> int:
        with self._lock:
            self._expect(key, expected_version)
            version = next(self._versions)
            self.records[key] = data, version
            return version

    def remove(self, key: str, expected_version: int) -> None:
        with self._lock:
            self._expect(key, expected_version)
            self.records.pop(key, None)

    def _expect(self, key: str, version: int) -> None:
        stored = self.records[key][1] if key in self.records else 0
        if stored != version:
            raise StoreConflict(f"{key}: version {stored} is stored, not {version}")


class MeetingStore(DictionaryStore):
    """Lets other threads come between a load and its save, and counts the saves that conflict."""

    def __init__(self) -> None:
        super().__init__()
        self.conflicts = 0

    def load(self, key: str) -> Optional[tuple[bytes, int]]:
        record = super().load(key)
        time.sleep(0)
        return record

    def save(self, key: str, data: bytes, expected_version: int) -> int:
        try:
            return super().save(key, data, expected_version)
        except StoreConflict:
            self.conflicts += 1
            raise
