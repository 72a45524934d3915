"""The statuses of calls: the numbers of skan.h, under their names without the prefix."""

from enum import IntEnum
from typing import Optional


class Outcome(IntEnum):
    """The outcome of a call. All but OK are expected in normal operation and changed nothing. True only for OK."""

    OK = 0
    ALREADY_REGISTERED = 1
    """The install was registered or imported before."""
    DUPLICATE_EVENT = 2
    """This event id was counted before, so the call is a retry and counts nothing."""
    NO_NEW_VALUE = 3
    """The answer carries no value to apply."""
    STALE_RESPONSE = 4
    """The answer is for another window, or a newer answer was applied before."""
    WINDOW_LOCKED = 5
    """The current postback window was locked before; Apple ignores updates to it."""
    WINDOW_CLOSED = 6
    """The last postback window is over. SKAN 3: 24 hours without a new value."""
    NOT_REGISTERED = 7
    """`Engine.register` was never called for this install."""
    NOTHING_PENDING = 8
    """No call waits for the app."""
    NOT_FOUND = 9
    """There is no re-engagement with this number."""
    UNSUPPORTED = 10
    """The device's system is older than iOS 18 and has no re-engagements."""

    def __bool__(self) -> bool:
        return self is Outcome.OK

    def __str__(self) -> str:
        return self.name


class RevenueKind(IntEnum):
    """What brought money."""

    IAP = 0
    """An in-app purchase, or its refund."""
    AD = 1
    """An ad that the app showed: ad monetization. SKAN 3 has no ad revenue."""


class CoarseValue(IntEnum):
    """A coarse conversion value."""

    LOW = 0
    MEDIUM = 1
    HIGH = 2


# By number; none is -1 in structs and null in documents.
COARSE_VALUES: dict[Optional[int], Optional[CoarseValue]] = {None: None, -1: None, **dict(enumerate(CoarseValue))}


class ReengagementCredit(IntEnum):
    """The re-engagements that purchases and events count for, if a call names none."""

    ALL = 0
    """All active re-engagements."""
    NEWEST = 1
    """The newest active re-engagement."""


class CallResult(IntEnum):
    """The result to report for an update: the worst of its calls."""

    FAILED = 0
    DELIVERED = 1
    INVALID_TAG = 2
    """AdAttributionKitError.invalidConversionTag."""
    TAG_NOT_SUPPORTED = 3
    """AdAttributionKitError.conversionTagNotSupported."""


class Status(IntEnum):
    """Every status of the C interface: the outcomes below 100, the errors from 100 on. See `SkanError.status`."""

    OK = 0
    ALREADY_REGISTERED = 1
    DUPLICATE_EVENT = 2
    NO_NEW_VALUE = 3
    STALE_RESPONSE = 4
    WINDOW_LOCKED = 5
    WINDOW_CLOSED = 6
    NOT_REGISTERED = 7
    NOTHING_PENDING = 8
    NOT_FOUND = 9
    UNSUPPORTED = 10

    INVALID_ARGUMENT = 100
    MISUSE = 101
    LIMIT_EXCEEDED = 102
    INVALID_DOCUMENT = 103

    MALFORMED_RESPONSE = 110
    ILLEGAL_VALUE = 111
    REJECTED = 112

    STORE = 120
    STORE_CONFLICT = 121
    STORE_UNKNOWN = 122
    CORRUPT_RECORD = 123
    RECORD_TOO_NEW = 124

    TRANSPORT = 130
    TRANSPORT_UNKNOWN = 131

    MODEL_UNKNOWN = 140

    CLOCK = 150

    def __str__(self) -> str:
        return self.name
