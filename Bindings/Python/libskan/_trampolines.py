"""The C functions that call hooks: one for each hook signature, shared by all engines.

The context in a hook struct is the number of a slot. The engine owns its slots. A table finds them, and the C finalizer
removes them from it. No exception of a hook passes through C: it is stored in the call that ran the hook, and C gets
the status or value that means failure.
"""

from __future__ import annotations

import itertools
import operator
import sys
from collections.abc import Sequence
from ctypes import Structure, string_at
from typing import TYPE_CHECKING, Any, Callable
from weakref import ref

from ._arguments import BytesLike, copied
from ._calls import Calls, Failure
from ._entry import covering_entry
from ._errors import get_status, write_status
from ._given import clock_function, store_functions, transport_function
from ._hooks import AnyTransport, Clock, Save, Store
from ._library import (
    FINALIZE,
    GET,
    LIST,
    LIST_WITH_PREFIX,
    LOAD,
    LOAD_MANY,
    NOW,
    REMOVE,
    SAVE,
    SAVE_MANY,
    NativeClock,
    NativeStore,
    NativeTransport,
    library,
)
from ._status import Status

if TYPE_CHECKING:
    from ctypes import _Pointer, c_uint64

    VersionOut = _Pointer[c_uint64]
    LoadItems = _Pointer[Structure]
    SaveItems = _Pointer[Structure]

_buffer_set = library.skan_buffer_set
_buffer_data = library.skan_buffer_data
_buffer_size = library.skan_buffer_size

_VERSION_LIMIT = 1 << 64
_TIME_LIMIT = 1 << 63
_NO_TIME = -1

_STORE_ERRORS = (Status.STORE, Status.STORE_UNKNOWN)
_TRANSPORT_ERRORS = (Status.TRANSPORT, Status.TRANSPORT_UNKNOWN, Status.LIMIT_EXCEEDED)
_CLOCK_ERRORS = (Status.CLOCK,)


def _has_green_threads() -> bool:
    """Whether threads may be green. Then calls must not wait for each other in C: that stops all green threads."""
    return "gevent" in sys.modules or "eventlet" in sys.modules


class Slot:
    """A hook object of an engine, which C finds by the slot's number."""

    def __init__(self, calls: Calls) -> None:
        self.calls = calls
        self.number = next(_NUMBERS)

    def publish(self) -> None:
        """Puts the slot into the table. From then on the C finalizer has to remove it."""
        SLOTS[self.number] = ref(self)


class StoreSlot(Slot):
    """The slot of a store."""

    def __init__(self, calls: Calls, store: Store) -> None:
        super().__init__(calls)
        self.native = NativeStore(context=self.number, finalize=_FINALIZE, keeps_stack=not _has_green_threads())
        for name, function in store_functions(store).items():
            setattr(self, name, function)
            setattr(self.native, name, _STORE_HOOKS[name])


class ClockSlot(Slot):
    """The slot of a clock."""

    def __init__(self, calls: Calls, clock: Clock) -> None:
        super().__init__(calls)
        self.now = clock_function(clock)
        self.native = NativeClock(context=self.number, now=_NOW, finalize=_FINALIZE)


class TransportSlot(Slot):
    """The slot of a transport."""

    def __init__(self, calls: Calls, transport: AnyTransport) -> None:
        super().__init__(calls)
        self.get = transport_function(transport)
        self.native = NativeTransport(context=self.number, get=_GET, finalize=_FINALIZE)


SLOTS: dict[int, Callable[[], Any]] = {}
_NUMBERS = itertools.count(1)  # ctypes gives a context of 0 as None


def _entered(context: int) -> Any:
    """The slot with this number.

    Raises the interrupt of an earlier hook of the same call, if there is one, so that this hook does not start.
    """
    slot = SLOTS[context]()
    interrupt = slot.calls.current().interrupt()
    if interrupt is not None:
        raise interrupt
    return slot


def _note(context: int, exception: BaseException, explains: tuple[Status, ...], installs: Sequence[bytes] = ()) -> None:
    SLOTS[context]().calls.current().failures.append(Failure(exception, explains, installs))


def _fill(buffer: int, data: BytesLike, name: str) -> int:
    content = data if isinstance(data, bytes) else copied(data, name)
    status: int = _buffer_set(buffer, content, len(content))
    return status


def _version(value: int) -> int:
    version = operator.index(value)
    if not 0 < version < _VERSION_LIMIT:
        raise ValueError(f"a record's version must be in 1..2**64 - 1, not {version}")
    return version


@covering_entry
def _load(context: int, key: bytes, out: int, version: VersionOut) -> int:
    try:
        found = _entered(context).load(key.decode())
        if found is None:
            return Status.NOT_FOUND
        data, number = found
        version[0] = _version(number)
        return _fill(out, data, "a record")
    except BaseException as exception:
        _note(context, exception, _STORE_ERRORS, (key,))
        return Status.STORE


@covering_entry
def _save(context: int, key: bytes, data: int, length: int, expected_version: int, new_version: VersionOut) -> int:
    try:
        number = _entered(context).save(key.decode(), string_at(data, length), expected_version)
        new_version[0] = _version(number)
        return Status.OK
    except BaseException as exception:
        return _write_failed(context, exception, (key,))


@covering_entry
def _remove(context: int, key: bytes, expected_version: int) -> int:
    try:
        _entered(context).remove(key.decode(), expected_version)
        return Status.OK
    except BaseException as exception:
        return _write_failed(context, exception, (key,))


@covering_entry
def _load_many(context: int, items: LoadItems, count: int) -> None:
    # An item whose status stays unset has failed.
    try:
        keys = [items[index].key.decode() for index in range(count)]
        answers = _answers(_entered(context).load_many(keys), count, "load_many")
        for index, found in enumerate(answers):
            _answer_load(context, items[index], found)
    except BaseException as exception:
        _note(context, exception, _STORE_ERRORS, [items[index].key for index in range(count)])


def _answer_load(context: int, item: Structure, found: Any) -> None:
    try:
        if found is None:
            item.status = Status.NOT_FOUND
        elif isinstance(found, Exception):
            _note(context, found, _STORE_ERRORS, (item.key,))
        else:
            data, number = found
            item.version = _version(number)
            item.status = _fill(item.out, data, "a record")
    except Exception as exception:
        _note(context, exception, _STORE_ERRORS, (item.key,))


@covering_entry
def _save_many(context: int, items: SaveItems, count: int) -> None:
    # An item whose status stays unset may have been applied.
    try:
        saves = []
        for index in range(count):
            item = items[index]
            saves.append(Save(item.key.decode(), string_at(item.data, item.length), item.expected_version))
        answers = _answers(_entered(context).save_many(saves), count, "save_many")
        for index, saved in enumerate(answers):
            _answer_save(context, items[index], saved)
    except BaseException as exception:
        status = _write_failed(context, exception, [items[index].key for index in range(count)])
        for index in range(count):
            items[index].status = status


def _answer_save(context: int, item: Structure, saved: Any) -> None:
    try:
        if isinstance(saved, Exception):
            item.status = _write_failed(context, saved, (item.key,))
        else:
            item.new_version = _version(saved)
            item.status = Status.OK
    except Exception as exception:
        _note(context, exception, _STORE_ERRORS, (item.key,))


def _answers(answers: Any, count: int, name: str) -> list[Any]:
    given: list[Any] = list(answers)
    if len(given) != count:
        raise ValueError(f"a store's {name} must give {count} answers, not {len(given)}")
    return given


@covering_entry
def _list(context: int, cursor: int, keys: int) -> int:
    try:
        return _fill_page(cursor, keys, SLOTS[context]().list(_held(cursor)))
    except BaseException as exception:
        _note(context, exception, _STORE_ERRORS)
        return Status.STORE


@covering_entry
def _list_with_prefix(context: int, prefix: bytes, cursor: int, keys: int) -> int:
    try:
        return _fill_page(cursor, keys, SLOTS[context]().list_with_prefix(prefix.decode(), _held(cursor)))
    except BaseException as exception:
        _note(context, exception, _STORE_ERRORS)
        return Status.STORE


def _held(buffer: int) -> bytes:
    return string_at(_buffer_data(buffer), _buffer_size(buffer))


def _fill_page(cursor: int, keys: int, listed: Any) -> int:
    page, following = listed
    status = _fill(keys, b"".join(key.encode() + b"\0" for key in page), "keys")
    return status or _fill(cursor, following, "a cursor")


def _write_failed(context: int, exception: BaseException, installs: Sequence[bytes]) -> Status:
    status = write_status(exception)
    if status != Status.STORE_CONFLICT:
        _note(context, exception, _STORE_ERRORS, installs)
    return status


@covering_entry
def _now(context: int) -> int:
    try:
        microseconds: int = round(_entered(context).now() * 1_000_000)
        if not -_TIME_LIMIT <= microseconds < _TIME_LIMIT:
            raise OverflowError(f"a clock gives seconds since 1970, not {microseconds} microseconds")
        return microseconds
    except BaseException as exception:
        _note(context, exception, _CLOCK_ERRORS)
        return _NO_TIME


@covering_entry
def _get(context: int, url: bytes, body: int) -> int:
    try:
        return _fill(body, _entered(context).get(url.decode()), "an answer's body")
    except BaseException as exception:
        _note(context, exception, _TRANSPORT_ERRORS)
        return get_status(exception)


_NOW = NOW(_now)
_GET = GET(_get)
_FINALIZE = FINALIZE(SLOTS.pop)
_STORE_HOOKS = {
    "load": LOAD(_load),
    "save": SAVE(_save),
    "remove": REMOVE(_remove),
    "load_many": LOAD_MANY(_load_many),
    "save_many": SAVE_MANY(_save_many),
    "list": LIST(_list),
    "list_with_prefix": LIST_WITH_PREFIX(_list_with_prefix),
}
