"""The parts of a record that tools and stores may read without an engine."""

from ctypes import byref, c_char_p
from dataclasses import dataclass
from typing import Optional

from ._arguments import BytesLike, copied
from ._calls import completed, taken
from ._details import Details
from ._library import NativeRecord, library


@dataclass(frozen=True)
class Record:
    """The content of a record."""

    protocol: int
    """4 or 3, the SKAN version."""
    first_timestamp: Optional[int]
    """As in the details, and so is the next."""
    last_timestamp: Optional[int]
    closes_at: Optional[int]
    """When the last postback window closes, including those of re-engagements (SKAN 3: as known now).

    Unix seconds; None = there is none.
    """
    details: Details


def read_record(data: BytesLike) -> Record:
    """Reads a record as a store holds it, of either protocol.

    Raises `CorruptRecord`, `RecordTooNew`. Rules, "Records", "Details".
    """
    data = copied(data, "data")
    native, json = NativeRecord(), c_char_p()
    completed(library.skan_record_read, data, len(data), byref(native), byref(json))
    details = Details.parse(taken(json))
    if not native.is_registered:
        return Record(native.protocol, None, None, native.closes_at or None, details)
    return Record(native.protocol, native.first_timestamp, native.last_timestamp, native.closes_at, details)
