"""The types of calls' arguments and results, besides numbers and text.

Types that every call creates are named tuples, which take a third of the time of a frozen dataclass.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, Optional

from ._arguments import Amount
from ._status import CoarseValue, Outcome, RevenueKind, Status

ENDPOINT_SINGULAR = "https://sdk-api-v1.singular.net"
"""The published endpoint, Singular's, as `endpoint_url` of an engine that asks it."""

INSTALL_ALONE = 0xFFFFFFFF
"""As `reengagement` of an amount or an event: it counts for the install, and for no re-engagement."""


class Update(NamedTuple):
    """A new value of the install, which `Engine.pending_calls` hands to the app."""

    id: int
    """The number of this update among the install's updates, from 1; `Engine.acknowledge_calls` takes it."""
    window: int
    """Postback window 0, 1 or 2; 0 in SKAN 3."""
    fine_value: Optional[int]
    """0 to 63; None = none: the install's current one stays."""
    coarse_value: Optional[CoarseValue]
    lock_window: bool
    """Whether the app locks the window."""
    timestamp: int
    """When the update was decided, in Unix seconds."""


class Result(NamedTuple):
    """The outcome of a call, and the update that it gives. True only if the outcome is OK."""

    outcome: Outcome
    update: Optional[Update] = None
    """The update; None if the install has no new value, as after a registration in SKAN 3."""

    def __bool__(self) -> bool:
        return self.outcome is Outcome.OK


class Reengaged(NamedTuple):
    """The result of recording a re-engagement. True only if the outcome is OK."""

    outcome: Outcome
    number: int = 0
    """The re-engagement's number, from 1, also for a repeated open; 0 if there is none."""

    def __bool__(self) -> bool:
        return self.outcome is Outcome.OK


class AppCall(NamedTuple):
    """A call for the app to make to Apple."""

    id: int
    """The number of its update; `Engine.acknowledge_calls` takes it."""
    conversion: int
    """0 = the install, otherwise the re-engagement's number."""
    framework: str
    """"SKAdNetwork" or "AdAttributionKit"."""
    conversion_type: Optional[str]
    """The conversion type that the call names: None, "install" or "re-engagement"."""
    window: int
    """The postback window of the update: 0, 1 or 2."""
    fine_value: int
    """0 to 63."""
    coarse_value: Optional[CoarseValue]
    lock_window: bool
    timestamp: int
    """When the update was decided, in Unix seconds."""
    valid_until: int
    """When the app must drop the list, in Unix seconds."""
    tag: Optional[str]
    """The conversion tag, a secret of the device: keep it out of logs. None = a call without a tag."""


class AppCalls(NamedTuple):
    """The calls that wait for the app, in the order in which the app must make them. True only if the outcome is OK."""

    outcome: Outcome
    calls: tuple[AppCall, ...] = ()

    def __bool__(self) -> bool:
        return self.outcome is Outcome.OK


class _RevenueItem(NamedTuple):
    install_id: str
    amount: Amount
    currency: str
    kind: RevenueKind
    event_id: Optional[str]
    reengagement: int


class RevenueItem(_RevenueItem):
    """One of many amounts: the arguments of `Engine.update_revenue`."""

    __slots__ = ()

    def __new__(
        cls,
        install_id: str,
        amount: Amount,
        currency: str,
        *,
        kind: RevenueKind = RevenueKind.IAP,
        event_id: Optional[str] = None,
        reengagement: int = 0,
    ) -> "RevenueItem":
        """Takes optional arguments by name only, so that an event id cannot be mistaken for a kind."""
        return super().__new__(cls, install_id, amount, currency, kind, event_id, reengagement)

    def __getnewargs_ex__(self) -> tuple[tuple[str, Amount, str], dict[str, Any]]:
        """The arguments from which a copy is made."""
        return self[:3], {
            "kind": self.kind,
            "event_id": self.event_id,
            "reengagement": self.reengagement,
        }


class ManyResult(NamedTuple):
    """The statuses of many amounts. True only if none of them failed."""

    statuses: tuple[Status, ...]
    """For each item, in order, the status that a single call would have had."""
    error: Optional[Exception] = None
    """The exception of a call for the first failed item, with its number in the message; None if none failed."""

    def __bool__(self) -> bool:
        return self.error is None


class Request(NamedTuple):
    """A request to a conversion-value endpoint. True only if the outcome is OK.

    The URL carries the SDK key, so it is not in `repr`.
    """

    outcome: Outcome
    url: str = ""
    """The URL to GET; "" unless the outcome is OK."""
    ticket: int = 0
    """The argument for `Engine.apply_response`, with the answer; 0 unless the outcome is OK."""

    def __bool__(self) -> bool:
        return self.outcome is Outcome.OK

    def __repr__(self) -> str:
        return f"Request(outcome={self.outcome!r}, ticket={self.ticket})"


@dataclass(frozen=True)
class Device:
    """The device that an event came from: items `v`, `idfv` and `idfa` of a request. None or "" is left out.

    Each has at most 256 bytes of UTF-8 without control characters.
    """

    os_version: Optional[str] = None
    """iOS version, "16.1"."""
    idfv: Optional[str] = None
    """Identifier for vendor."""
    idfa: Optional[str] = None
    """Identifier for advertisers."""
