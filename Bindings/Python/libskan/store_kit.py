"""Tests that a store keeps the contract of `libskan.Store`, law by law.

    from libskan import store_kit

    for result in store_kit.run(lambda: MyStore("test.db"), durable=True, shared=True):
        assert result.holds, result

This is the kit of C (store_kit.h). It expects a store that works: test separately how your store reports failures.
"""

from __future__ import annotations

import itertools
from ctypes import string_at
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Callable

from ._arguments import text, unsigned, whole, wrong_type
from ._errors import InvalidArgument, write_status
from ._hooks import Save, Store
from ._library import (
    FINALIZE,
    LIST,
    LIST_WITH_PREFIX,
    LOAD,
    LOAD_MANY,
    REMOVE,
    SAVE,
    SAVE_MANY,
    NativeLoadItem,
    NativeSaveItem,
    NativeStore,
    library,
)
from ._native_store_kit import KIT_OPEN, KIT_REOPEN, KIT_REPORT, LIBRARY, NativeStoreKit
from ._status import Status
from ._stores import CompanionStore
from ._trampolines import _answers, _fill, _version

if TYPE_CHECKING:
    from ctypes import _Pointer, c_uint64

    from ._native_store_kit import NativeStoreKitResult

    VersionOut = _Pointer[c_uint64]

_RAISED_MAX = 8


class LawOutcome(Enum):
    """The outcome of a law."""

    PASSED = 0
    FAILED = 1
    NOT_APPLICABLE = 2
    """The law is about something that the store does not claim."""


@dataclass(frozen=True)
class LawResult:
    """The result of one law."""

    number: int
    """The law's number, from 1."""
    law: str
    """The law's name, which stays the same in later versions."""
    outcome: LawOutcome
    reason: str
    """What happened instead, or why the law is not applicable; "" if it passed."""
    raised: tuple[BaseException, ...]
    """The first exceptions that the store raised during this law, except conflicts; at most eight."""

    @property
    def holds(self) -> bool:
        """Whether the law was not broken: it passed, or it does not apply."""
        return self.outcome is not LawOutcome.FAILED


def run(
    open_store: Callable[[], Store],
    *,
    durable: bool,
    shared: bool,
    reopen: Callable[[], object] | None = None,
    prefix: str = "skan-store-kit/",
    threads: int = 4,
    rounds: int = 200,
    steps: int = 4000,
    seed: int = 0,
) -> list[LawResult]:
    """Runs every law, even after one has failed, and returns their results in order.

    - open_store: opens a handle. One handle is open all the time, and for a shared store up to one more for each
      thread. If a handle has a method `close`, the kit calls it.
    - durable: records and versions outlive the last handle.
    - shared: handles that are open together see the same records.
    - reopen: called for a durable store while no handle is open, to make sure that the next handle finds only what was
      really stored.
    - prefix: the prefix of every key, at most 64 bytes; records under other keys are not touched. With "", for a store
      that only the test uses, very short keys are tried too.
    - threads: the number of threads in the laws about several threads, 2 to 64.
    - rounds: how often laws repeat what may fail only by chance, 1 to 1 000 000.
    - steps: the length of the generated sequences, 1 to 100 000.
    - seed: the seed of the generated sequences; 0 = taken from the clock. A failure names the seed.

    Raises `InvalidArgument` if a number is out of its range. KeyboardInterrupt and its like are raised at the end.
    """
    if not callable(open_store):
        raise wrong_type(open_store, "open_store", "a callable that opens a store")
    if reopen is not None and not callable(reopen):
        raise wrong_type(reopen, "reopen", "callable")
    kit = _Kit(open_store, reopen)
    native = NativeStoreKit(
        open=kit.native_open,
        reopen=kit.native_reopen,
        durable=durable,
        shared=shared,
        prefix=text(prefix, "prefix"),
        threads=_in_range(threads, "threads", 2, 64),
        rounds=_in_range(rounds, "rounds", 1, 1_000_000),
        steps=_in_range(steps, "steps", 1, 100_000),
        seed=unsigned(seed, "seed", 64),
        report=kit.native_report,
    )
    if len(prefix.encode()) > 64:
        raise InvalidArgument(f"prefix: expected at most 64 bytes, got {len(prefix.encode())}")
    failed = LIBRARY.functions.skan_store_kit_run(native)
    if kit.interrupts:
        raise kit.interrupts[0]
    if failed < 0:
        raise InvalidArgument("the kit cannot be run as it is")
    return kit.results


def _in_range(number: int, name: str, least: int, most: int) -> int:
    if not least <= whole(number, name) <= most:
        raise InvalidArgument(f"{name}: expected a number in {least}..{most}, got {number}")
    return number


class _Kit:
    """One run of the kit: the functions that C calls, and the results and exceptions so far."""

    def __init__(self, open_store: Callable[[], Store], reopen: Callable[[], object] | None) -> None:
        self.results: list[LawResult] = []
        self.interrupts: list[BaseException] = []
        self._raised: list[BaseException] = []
        self._open_store = open_store
        self._reopen_store = reopen
        self._numbers = itertools.count(1)
        self._handles: dict[int, Any] = {}
        self._lent: list[CompanionStore] = []  # whose C stores the kit finalizes itself
        self.native_open = KIT_OPEN(self._open)
        self.native_reopen = KIT_REOPEN(self._reopen)
        self.native_report = KIT_REPORT(self._report)
        self._load_hook = LOAD(self._load)
        self._save_hook = SAVE(self._save)
        self._remove_hook = REMOVE(self._remove)
        self._finalize_hook = FINALIZE(self._finalize)
        self._optional_hooks = {
            "load_many": LOAD_MANY(self._load_many),
            "save_many": SAVE_MANY(self._save_many),
            "list": LIST(self._list),
            "list_with_prefix": LIST_WITH_PREFIX(self._list_with_prefix),
        }

    def _note(self, exception: BaseException) -> None:
        if not isinstance(exception, Exception):
            self.interrupts.append(exception)
        if len(self._raised) < _RAISED_MAX:
            self._raised.append(exception)

    def _open(self, _context: int, out: _Pointer[NativeStore]) -> int:
        try:
            store = self._open_store()
            if isinstance(store, CompanionStore):
                self._lent.append(store)
                out[0] = store._lend(None)
                return Status.OK
            number = next(self._numbers)
            self._handles[number] = store
            native = NativeStore(
                context=number,
                load=self._load_hook,
                save=self._save_hook,
                remove=self._remove_hook,
                finalize=self._finalize_hook,
            )
            for name, hook in self._optional_hooks.items():
                if getattr(store, name, None) is not None:
                    setattr(native, name, hook)
            out[0] = native
            return Status.OK
        except BaseException as exception:
            self._note(exception)
            return Status.STORE

    def _reopen(self, _context: int) -> int:
        try:
            if self._reopen_store is not None:
                self._reopen_store()
            return Status.OK
        except BaseException as exception:
            self._note(exception)
            return Status.STORE

    def _report(self, _context: int, result: _Pointer[NativeStoreKitResult]) -> None:
        law, raised = result[0], tuple(self._raised)
        self._raised.clear()
        reason = law.reason.decode(errors="replace")
        self.results.append(LawResult(law.number, law.law.decode(), LawOutcome(law.outcome), reason, raised))

    def _load(self, context: int, key: bytes, out: int, version: VersionOut) -> int:
        try:
            found = self._handles[context].load(key.decode())
            if found is None:
                return Status.NOT_FOUND
            data, number = found
            version[0] = _version(number)
            return _fill(out, data, "a record")
        except BaseException as exception:
            self._note(exception)
            return Status.STORE

    def _save(self, context: int, key: bytes, data: int, length: int, expected: int, version: VersionOut) -> int:
        try:
            version[0] = _version(self._handles[context].save(key.decode(), string_at(data, length), expected))
            return Status.OK
        except BaseException as exception:
            return self._write_failed(exception)

    def _remove(self, context: int, key: bytes, expected: int) -> int:
        try:
            self._handles[context].remove(key.decode(), expected)
            return Status.OK
        except BaseException as exception:
            return self._write_failed(exception)

    def _load_many(self, context: int, items: _Pointer[NativeLoadItem], count: int) -> None:
        try:
            keys = [items[index].key.decode() for index in range(count)]
            for index, found in enumerate(_answers(self._handles[context].load_many(keys), count, "load_many")):
                item = items[index]
                if found is None:
                    item.status = Status.NOT_FOUND
                elif isinstance(found, BaseException):
                    self._note(found)
                else:
                    data, number = found
                    item.version = _version(number)
                    item.status = _fill(item.out, data, "a record")
        except BaseException as exception:
            self._note(exception)

    def _save_many(self, context: int, items: _Pointer[NativeSaveItem], count: int) -> None:
        try:
            saves = [
                Save(item.key.decode(), string_at(item.data, item.length), item.expected_version)
                for item in (items[index] for index in range(count))
            ]
            for index, saved in enumerate(_answers(self._handles[context].save_many(saves), count, "save_many")):
                item = items[index]
                if isinstance(saved, BaseException):
                    item.status = self._write_failed(saved)
                else:
                    item.new_version = _version(saved)
                    item.status = Status.OK
        except BaseException as exception:
            status = self._write_failed(exception)
            for index in range(count):
                items[index].status = status

    def _list(self, context: int, cursor: int, keys: int) -> int:
        return self._fill_page(cursor, keys, lambda place: self._handles[context].list(place))

    def _list_with_prefix(self, context: int, prefix: bytes, cursor: int, keys: int) -> int:
        return self._fill_page(
            cursor, keys, lambda place: self._handles[context].list_with_prefix(prefix.decode(), place)
        )

    def _fill_page(self, cursor: int, keys: int, listed: Callable[[bytes], Any]) -> int:
        try:
            page, following = listed(string_at(library.skan_buffer_data(cursor), library.skan_buffer_size(cursor)))
            status = _fill(keys, b"".join(key.encode() + b"\0" for key in page), "keys")
            return status or _fill(cursor, following, "a cursor")
        except BaseException as exception:
            self._note(exception)
            return Status.STORE

    def _write_failed(self, exception: BaseException) -> int:
        status = write_status(exception)
        if status != Status.STORE_CONFLICT:
            self._note(exception)
        return status

    def _finalize(self, context: int) -> None:
        try:
            close = getattr(self._handles.pop(context), "close", None)
            if close is not None:
                close()
        except BaseException as exception:
            self._note(exception)
