"""Stores that are written in C. Engines call their companion libraries directly, without Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import (
    POINTER,
    Structure,
    addressof,
    byref,
    c_char_p,
    c_int32,
    c_uint64,
    c_void_p,
    cast,
    memmove,
    sizeof,
    string_at,
)
from inspect import signature
from logging import Logger
from threading import local
from typing import Any, Callable, Union
from weakref import ref

from ._arguments import content, seconds, text, whole
from ._calls import Calls, Failure, completed
from ._companions import Companion
from ._entry import covering_entry
from ._errors import EXCEPTIONS, InvalidArgument, Misuse, SkanError, StoreConflict, StoreError, StoreUnknown
from ._forks import ForkedLock
from ._hooks import Save
from ._library import REPORT, REPORTING, NativeLoadItem, NativeSaveItem, NativeStore, library, structure
from ._owning import Closing
from ._status import Status

Report = Union[Logger, Callable[[SkanError], object]]
"""Receives the error of every failed call of a store, in the words of the library behind the store.

Either a logger, which logs the error, or a callable, which gets the exception: `StoreError` or `StoreUnknown`. The text
names no key, record or password. Any thread may call it, several at once, and it must not call the store or its engine.
An `Exception` that it raises goes to `sys.unraisablehook`; the call goes on.
"""

_BATCH_MAX = 1024


class CompanionStore(Closing):
    """A store in C. It can be used like any store, or be given to one engine, which then owns it and closes it.

    For two engines on the same records, open the store twice. It may be used in a child after a fork. A failure raises
    `StoreError` (certainly nothing was applied) or `StoreUnknown`, with the words of the library behind the store, also
    in the engine's calls.
    """

    def __init__(self, library: StoreLibrary, address: bytes, report: Report | None, **options: Any) -> None:
        self._report = _teller(report)
        self._calls: Calls | None = None
        self._words = local()
        self._lock = ForkedLock()
        self._native: Structure | None = None
        # Kept until the C store is finalized, by this object or by an engine, which keeps this object until then.
        self._reporter = REPORT(_reporter_of(self))
        native, given = NativeStore(), library.options(report=self._reporter, **options)
        completed(library.open, address, byref(given), byref(native))
        self._native = native

    def close(self) -> None:
        """Closes the store, unless an engine owns it. No thread may be in one of its calls. Closing again is fine."""
        with self._lock:
            native, self._native = self._native, None
        if native is not None:
            native.finalize(native.context)

    def _lend(self, calls: Calls | None) -> Structure:
        """Hands the C store over to a new owner, which finalizes it.

        - calls: the calls of the new owner, if it is an engine.
        """
        with self._lock:
            native, self._native = self._native, None
            if native is None:
                raise Misuse("store: it is closed, or an engine owns it: open another one")
            self._calls = calls
        return native

    def _own(self) -> Structure:
        native = self._native
        if native is None:
            raise Misuse("store: it is closed, or an engine owns it")
        self._words.failure = self._words.interrupt = None
        return native

    def load(self, key: str, /) -> tuple[bytes, int] | None:
        """Returns the record and its version, or None if there is none."""
        native, version, buffer = self._own(), c_uint64(), library.skan_buffer_create()
        try:
            status = native.load(native.context, text(key, "key"), buffer, version)
            if status == Status.NOT_FOUND:
                return None
            self._check(status)
            return _content(buffer), version.value
        finally:
            library.skan_buffer_destroy(buffer)

    def save(self, key: str, data: bytes, expected_version: int, /) -> int:
        """Stores the record if the stored version is the expected one (0: if none). Returns the new version."""
        native, version, data = self._own(), c_uint64(), content(data, "data")
        memory = cast(c_char_p(data), c_void_p)
        self._check(native.save(native.context, text(key, "key"), memory, len(data), expected_version, version))
        return version.value

    def remove(self, key: str, expected_version: int, /) -> None:
        """Removes the record if its version is the expected one."""
        native = self._own()
        self._check(native.remove(native.context, text(key, "key"), expected_version))

    def load_many(self, keys: Sequence[str], /) -> Iterable[tuple[bytes, int] | Exception | None]:
        """Does `load` for each of 1 to 1024 distinct keys, in one round trip if the store can."""
        native = self._own()
        if not native.load_many:
            return [_caught(self.load, key) for key in keys]
        _check_count(len(keys))
        items = (NativeLoadItem * len(keys))()
        for item, key in zip(items, keys):
            item.key, item.status = text(key, "key"), Status.STORE
            item.out = library.skan_buffer_create()
        try:
            native.load_many(native.context, items, len(items))
            return [self._loaded(item) for item in items]
        finally:
            for item in items:
                library.skan_buffer_destroy(item.out)

    def save_many(self, saves: Sequence[Save], /) -> Iterable[int | Exception]:
        """Does `save` for each of 1 to 1024 saves with distinct keys, in one round trip if the store can."""
        native = self._own()
        if not native.save_many:
            return [_caught(self.save, *save) for save in saves]
        _check_count(len(saves))
        items = (NativeSaveItem * len(saves))()
        data = [content(save.data, "data") for save in saves]
        for item, save, record in zip(items, saves, data):
            item.key, item.data, item.length = text(save.key, "key"), cast(c_char_p(record), c_void_p), len(record)
            item.expected_version, item.status = save.expected_version, Status.STORE_UNKNOWN
        native.save_many(native.context, items, len(items))
        return [item.new_version if item.status == Status.OK else self._failure(item.status) for item in items]

    def _loaded(self, item: Structure) -> tuple[bytes, int] | Exception | None:
        if item.status == Status.OK:
            return _content(item.out), item.version
        return None if item.status == Status.NOT_FOUND else self._failure(item.status)

    def _check(self, status: int) -> None:
        if status:
            raise self._failure(status)

    def _failure(self, status: int) -> SkanError:
        """The error that the hook reported which this thread has just called.

        Raises what `report` raised meanwhile and is no `Exception`, such as KeyboardInterrupt.
        """
        interrupt: BaseException | None = self._words.interrupt
        if interrupt is not None:
            raise interrupt
        if status == Status.STORE_CONFLICT:
            return StoreConflict("another version is stored, or none")
        failure: SkanError | None = self._words.failure
        if failure is not None and failure.status == status:
            return failure
        return (StoreError if status == Status.STORE else StoreUnknown)(f"the store answered {status}")

    def _tell(self, status: int, message: bytes) -> None:
        failure = EXCEPTIONS[Status(status)](message.decode(errors="replace"))
        self._words.failure = failure
        calls = self._calls
        if calls is not None:
            calls.current().failures.append(Failure(failure, (Status(status),)))
        self._report(failure)


@contextmanager
def closed_where_refused(store: object) -> Iterator[None]:
    """Closes a C store if its new owner cannot be created."""
    try:
        yield
    except BaseException:
        if isinstance(store, CompanionStore):
            store.close()
        raise


class CompanionSlot:
    """The slot of a companion's store, for an engine's options."""

    def __init__(self, calls: Calls, store: CompanionStore) -> None:
        self.calls = calls
        self.store = store
        self.native = NativeStore()

    def publish(self) -> None:
        """Takes the C store over. From then on the engine finalizes it."""
        lent = self.store._lend(self.calls)
        memmove(addressof(self.native), addressof(lent), sizeof(lent))


def _reporter_of(store: CompanionStore) -> Callable[[int, int, bytes], None]:
    weak = ref(store)

    @covering_entry
    def report(_context: int, status: int, message: bytes) -> None:
        try:
            told = weak()
            if told is not None:
                told._tell(status, message)
        except BaseException as raised:
            if isinstance(raised, Exception):
                raise  # ctypes passes it to sys.unraisablehook, and the call goes on
            _interrupt(weak(), raised)

    return report


def _interrupt(store: CompanionStore | None, interrupt: BaseException) -> None:
    """Makes the call of the engine or of the store raise an exception that is no `Exception`."""
    if store is None:
        return
    if store._calls is None:
        store._words.interrupt = interrupt
    else:
        store._calls.current().failures.append(Failure(interrupt, ()))


def _teller(report: Report | None) -> Callable[[SkanError], object]:
    if report is None:
        return lambda failure: None
    if isinstance(report, Logger):
        return lambda failure: report.error("%s: %s", failure.status, failure.message)
    if not callable(report):
        raise TypeError(f"report must be a logger or callable, not {type(report).__name__}")
    return report


def _content(buffer: int) -> bytes:
    return string_at(library.skan_buffer_data(buffer), library.skan_buffer_size(buffer))


def _caught(function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except SkanError as error:
        return error


def _check_count(count: int) -> None:
    if not 1 <= count <= _BATCH_MAX:
        raise StoreError(f"expected 1 to {_BATCH_MAX} keys at once, got {count}")


def ways_to_open() -> str:
    """A text with the ways to open a store: "PostgresStore(url), RedisStore(url) or SQLiteStore(path)"."""
    kinds = CompanionStore.__subclasses__()
    *others, last = (f"{kind.__name__}({next(iter(signature(kind).parameters))})" for kind in kinds)
    return f"{', '.join(others)} or {last}"


def milliseconds(time: float, name: str) -> int:
    """A time in milliseconds, at least 1, because 0 means the default in C."""
    if not 0 < seconds(time, name) <= 3600:
        raise InvalidArgument(f"{name}: expected a time above 0, at most 3600 seconds, got {time}")
    return max(1, round(time * 1000))


def number(count: int, name: str) -> int:
    """A number for C, at least 1, because 0 means the default in C."""
    if not 0 < whole(count, name) < 1 << 32:
        raise InvalidArgument(f"{name}: expected a number from 1 on, got {count}")
    return count


class StoreLibrary(Companion):
    """A store library: skan_NAME_store_open, with these options before the report, and skan_NAME_store_close."""

    def __init__(self, name: str, options: str, needs: Mapping[str, str] | None = None) -> None:
        self.options = structure(f"skan_{name}_options", f"size_t size; {options}; {REPORTING}", report=REPORT)
        self._open = f"skan_{name}_store_open"
        opening = [c_char_p, POINTER(self.options), POINTER(NativeStore), c_void_p]
        super().__init__(name, {self._open: (c_int32, opening)}, needs)

    @property
    def open(self) -> Any:
        """The function that opens a store."""
        return getattr(self.functions, self._open)
