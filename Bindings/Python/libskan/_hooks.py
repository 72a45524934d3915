"""The types of hooks: a store, a clock, a transport.

Hooks are called from any thread that uses the engine, several at once. Calls that change one install take turns, but a
call that takes long loses its turn, and calls that read have none. No lock is held meanwhile. If a hook calls its own
engine, that call raises `Misuse`. If a hook's `Exception` makes the engine's call fail, the call raises a `StoreError`,
`TransportError` or `ClockError` whose `__cause__` it is. A hook may raise such an error itself, and then the call
raises that. A call that succeeds nevertheless raises nothing, for example if a save timed out and was then found
applied. Interrupts such as KeyboardInterrupt come out as they are.
"""

from collections.abc import Iterable, Sequence
from typing import Callable, NamedTuple, Optional, Protocol, Union


class Store(Protocol):
    """Durable storage of records, one per install id.

    A record is 1 to 32768 opaque bytes with a version from 1 to 2**64 - 1. Every save gives the record another version,
    even if the bytes are equal, and a version is never used twice for a key, not even after a remove: take it from a
    counter of the whole store, or draw it at random. Keys are install ids as the host gave them.
    """

    def load(self, key: str, /) -> Optional[tuple[bytes, int]]:
        """Returns the record and its version, or None if there is none. Any exception means that the store failed."""
        ...

    def save(self, key: str, data: bytes, expected_version: int, /) -> int:
        """Stores the record if the stored version is the expected one (0: if there is none). Returns the new version.

        Raises `StoreConflict` if another version is stored, or if one is expected and there is no record: nothing is
        changed. Raises `StoreError` if certainly nothing was applied. Any other exception, such as a time-out after
        sending, means that the save may have been applied: libskan then finds out by itself, or raises `StoreUnknown`.
        """
        ...

    def remove(self, key: str, expected_version: int, /) -> None:
        """Removes the record if its version is the expected one. Raises as `save` does."""


class Save(NamedTuple):
    """One of many saves: the arguments of `Store.save`."""

    key: str
    data: bytes
    expected_version: int


class ManyStore(Store, Protocol):
    """A store that loads and saves many records in one round trip, for `Engine.update_revenue_many`.

    A store may have only one of the two methods; the engine then uses that one.
    """

    def load_many(self, keys: Sequence[str], /) -> Iterable[Union[tuple[bytes, int], Exception, None]]:
        """Does `load` for each of 1 to 1024 distinct keys, and returns the results in their order.

        If `load` would raise for a key, its result is that exception. If this method raises, that is the result of each
        key.
        """
        ...

    def save_many(self, saves: Sequence[Save], /) -> Iterable[Union[int, Exception]]:
        """Does `save` for each of 1 to 1024 saves with distinct keys, and returns the results in their order.

        If `save` would raise, the result is that exception. If this method raises, that is the result of each save.
        """
        ...


class ListingStore(Store, Protocol):
    """A store that lists its keys, for tools; engines do not call this."""

    def list(self, cursor: bytes, /) -> tuple[Iterable[str], bytes]:
        """Returns one page of the keys, in an order that the store chooses, and the cursor of the next page.

        The first page has an empty cursor, and the last page returns an empty one. A page may be empty. A key that
        exists from the first page to the last is listed at least once.
        """
        ...


class PrefixListingStore(ListingStore, Protocol):
    """A store that lists the keys with a prefix without reading the others, for tools."""

    def list_with_prefix(self, prefix: str, cursor: bytes, /) -> tuple[Iterable[str], bytes]:
        """Returns one page as `list` does, of the keys that begin with `prefix`; an empty prefix means all keys."""
        ...


Clock = Callable[[], float]
"""The time in seconds since 1970, int or float, as `time.time` returns it. Read to the microsecond."""


class Transport(Protocol):
    """HTTP GET, for `Engine.update_conversion_values`. A plain function from URL to body will do as well."""

    def get(self, url: str, /) -> bytes:
        """Returns the body of an answer with HTTP status 200. Raises for any other answer, and if none came in time.

        A `TransportUnknown` says that the request was sent, so that the endpoint may have counted the event. A URL
        without an `event_id` in its query must not be sent again after that, because it would count twice.
        The URL begins with the engine's `endpoint_url`. It carries the SDK key: keep it out of logs.
        """
        ...


AnyTransport = Union[Transport, Callable[[str], bytes]]
