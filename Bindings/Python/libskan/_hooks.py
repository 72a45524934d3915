"""What an engine may be given: a store, a clock, a transport.

Hooks are called from whichever thread uses the engine, several at once, for the same key too. No lock is held
meanwhile. A hook that calls its own engine gets `Misuse`. The engine's call raises what a hook raised, except for an
`Exception` in a call that succeeded nevertheless, for example when a save timed out and was then found applied.
"""

from collections.abc import Iterable, Sequence
from typing import Callable, NamedTuple, Optional, Protocol, Union


class Store(Protocol):
    """Durable storage of records, one per install id.

    A record is 1 to 32768 opaque bytes with a version from 1 to 2**64 - 1. Every save gives the record another version,
    also when the bytes are equal, and a version is never used twice for a key, also not after a remove: take it from a
    counter of the whole store, or draw it at random. Keys are install ids as the host gave them.
    """

    def load(self, key: str, /) -> Optional[tuple[bytes, int]]:
        """The record and its version; None where there is none. Whatever it raises means that the store failed."""

    def save(self, key: str, data: bytes, expected_version: int, /) -> int:
        """Stores the record if the stored version is the expected one (0: if there is none); gives the new version.

        Raises `StoreConflict` where the stored version is another one or, with an expected version other than 0, there
        is no record: nothing is changed. Raises `StoreError` if certainly nothing was applied. Any other exception,
        such as a time-out after sending, means that the save may have been applied: libskan then finds out by itself,
        or answers `StoreUnknown`.
        """

    def remove(self, key: str, expected_version: int, /) -> None:
        """Removes the record if its version is the expected one. Raises as `save` does."""


class Save(NamedTuple):
    """One of many saves: what `Store.save` takes."""

    key: str
    data: bytes
    expected_version: int


class ManyStore(Store, Protocol):
    """A store that loads and saves many records in one round trip, for `Engine.update_revenue_many`.

    A store may also have only one of the two methods: the engine uses what there is.
    """

    def load_many(self, keys: Sequence[str], /) -> Iterable[Union[tuple[bytes, int], Exception, None]]:
        """What `load` would answer for each of 1 to 1024 distinct keys, in their order.

        If `load` would raise for a key, its answer is that exception. What this method raises is the answer for each.
        """

    def save_many(self, saves: Sequence[Save], /) -> Iterable[Union[int, Exception]]:
        """What `save` would answer for each of 1 to 1024 saves of distinct keys, in their order.

        If `save` would raise, the answer is that exception. What this method raises is the answer for each.
        """


class ListingStore(Store, Protocol):
    """A store that lists its keys, for tools; engines do not call this."""

    def list(self, cursor: bytes, /) -> tuple[Iterable[str], bytes]:
        """One page of the keys, in an order of the store's own, and the cursor of the next page.

        The first page has an empty cursor, and the last page gives an empty one. A page may be empty. A key that exists
        from the first page to the last is listed at least once.
        """


class PrefixListingStore(ListingStore, Protocol):
    """A store that lists the keys that begin with a prefix, without the cost of the others; for tools."""

    def list_with_prefix(self, prefix: str, cursor: bytes, /) -> tuple[Iterable[str], bytes]:
        """One page as `list` gives it, of the keys that begin with `prefix`; an empty one stands for all keys."""


Clock = Callable[[], float]
"""The time in seconds since 1970, int or float, as `time.time` gives it; read to the microsecond."""


class Transport(Protocol):
    """HTTP GET, for `Engine.update_conversion_values`. A plain callable, url to body, will do as well."""

    def get(self, url: str, /) -> bytes:
        """The body of an answer with HTTP status 200; raises for any other answer, and if none came in time.

        The URL begins with the engine's `endpoint_url`: Singular's server, unless said otherwise. It carries the SDK
        key: keep it out of logs.
        """


AnyTransport = Union[Transport, Callable[[str], bytes]]
