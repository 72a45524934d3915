"""The kit that proves stores, on stores of Python and of companion libraries."""

from pathlib import Path
from typing import Any, Callable, Optional

import pytest
from libskan import InvalidArgument, SQLiteStore, StoreError, store_kit
from libskan._stores import CompanionStore
from libskan.store_kit import LawOutcome, LawResult
from stores import DictionaryStore

FEW: dict[str, Any] = {"prefix": "", "rounds": 10, "steps": 200}


def assert_all_hold(results: list[LawResult]) -> None:
    assert len(results) > 20
    assert [result.number for result in results] == list(range(1, len(results) + 1))
    assert [result for result in results if not result.holds] == []


class ListingStore(DictionaryStore):
    """Tells its keys, at most 1000 at once; the cursor has the last one."""

    def list_with_prefix(self, prefix: str, cursor: bytes) -> tuple[list[str], bytes]:
        if cursor and not cursor.startswith(b"after "):
            raise ValueError("no cursor of this store")
        keys = sorted(key for key in tuple(self.records) if key > cursor[6:].decode() and key.startswith(prefix))
        return keys[:1000], b"after " + keys[999].encode() if len(keys) > 1000 else b""

    def list(self, cursor: bytes) -> tuple[list[str], bytes]:
        return self.list_with_prefix("", cursor)


def test_a_store_of_python_keeps_every_law() -> None:
    store = ListingStore()
    results = store_kit.run(lambda: store, durable=False, shared=True, **FEW)
    assert_all_hold(results)
    skipped = {result.law.split()[0] for result in results if result.outcome is LawOutcome.NOT_APPLICABLE}
    assert "reopening" in skipped
    assert not {"list", "list_with_prefix"} & skipped


def test_a_companions_store_keeps_every_law(opened: Callable[[], CompanionStore]) -> None:
    results = store_kit.run(opened, durable=True, shared=True, **FEW)
    assert_all_hold(results)
    assert {result.outcome for result in results} == {LawOutcome.PASSED}  # also those of many and of listing


class Wrapped:
    """A companion's store behind Python's methods."""

    def __init__(self, store: SQLiteStore) -> None:
        self.store = store
        self.load, self.save, self.remove = store.load, store.save, store.remove
        self.load_many, self.save_many = store.load_many, store.save_many

    def close(self) -> None:
        self.store.close()


def test_the_methods_of_a_companions_store_keep_every_law(tmp_path: Path) -> None:
    closed: list[bool] = []

    def opened() -> Wrapped:
        return Wrapped(SQLiteStore(tmp_path / "kit.db", synchronous="normal"))

    def reopened() -> None:
        closed.append(not (tmp_path / "kit.db-wal").exists())

    assert_all_hold(store_kit.run(opened, durable=True, shared=True, reopen=reopened, **FEW))
    assert closed
    assert all(closed)


class RaisingStore(DictionaryStore):
    """Fails to list, in a way of its own."""

    def list(self, cursor: bytes) -> tuple[list[str], bytes]:
        raise LookupError("no list")


def test_what_a_law_raises_is_with_its_result() -> None:
    results = store_kit.run(RaisingStore, durable=False, shared=False, **FEW)
    broken = [result for result in results if not result.holds]
    assert len(broken) > 3
    assert all(result.raised and "SKAN_ERROR_STORE" in result.reason for result in broken)
    assert {str(raised) for result in broken for raised in result.raised} == {"no list"}
    assert max(len(result.raised) for result in results) <= 8


def test_an_interrupt_of_a_store_comes_out() -> None:
    class Interrupted(DictionaryStore):
        def load(self, key: str) -> Optional[tuple[bytes, int]]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store_kit.run(Interrupted, durable=False, shared=False, **FEW)


class CarelessStore(DictionaryStore):
    """Saves whatever version is expected."""

    def _expect(self, key: str, version: int) -> None:
        pass


def test_a_broken_law_is_named() -> None:
    store = CarelessStore()
    broken = [result for result in store_kit.run(lambda: store, durable=False, shared=True, **FEW) if not result.holds]
    assert broken
    assert all(result.law and result.reason for result in broken)


def test_what_a_store_raises_is_told() -> None:
    def opened() -> DictionaryStore:
        raise StoreError("no such server")

    results = store_kit.run(opened, durable=False, shared=False, **FEW)
    assert {result.outcome for result in results} == {LawOutcome.FAILED}
    assert "no such server" in str(results[0].raised)


def test_an_interrupt_comes_out() -> None:
    def opened() -> DictionaryStore:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store_kit.run(opened, durable=False, shared=False, **FEW)


@pytest.mark.parametrize(
    "wrong", [{"threads": 1}, {"threads": 65}, {"rounds": 0}, {"steps": 100_001}, {"seed": -1}, {"prefix": "a" * 65}]
)
def test_numbers_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument):
        store_kit.run(DictionaryStore, durable=False, shared=False, **{**FEW, **wrong})
