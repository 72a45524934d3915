"""The types that calls take and give, besides numbers and text.

Types that every call makes anew are named tuples, which cost a third of a frozen dataclass.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, Optional

from ._arguments import Amount
from ._status import Outcome, Status


class Update(NamedTuple):
    """An update for the app to pass to Apple: `SKAdNetwork.updatePostbackConversionValue` and its older forms."""

    id: int
    """Number of this update of this install, from 1; `Engine.acknowledge_update` takes it."""
    window: int
    """Postback window 0, 1 or 2; 0 in SKAN 3."""
    fine_value: Optional[int]
    """0 to 63; None = the app passes the install's current fine value to Apple."""
    coarse_value: Optional[int]
    """0 low, 1 medium, 2 high; None = no coarse value."""
    lock_window: bool
    """Whether the app locks the window with this update."""
    timestamp: int
    """When the update was decided, in Unix seconds."""


class Result(NamedTuple):
    """The outcome of a call, and the update that it gives. True only if the outcome is OK."""

    outcome: Outcome
    update: Optional[Update] = None
    """The update; None unless the outcome is OK, and after a SKAN 3 register."""

    def __bool__(self) -> bool:
        return self.outcome is Outcome.OK


class Reengaged(NamedTuple):
    """The outcome of a reported re-engagement. True only if the outcome is OK."""

    outcome: Outcome
    number: int = 0
    """The re-engagement's number, from 1, also for a repeated open; 0 if there is none."""

    def __bool__(self) -> bool:
        return self.outcome is Outcome.OK


class Call(NamedTuple):
    """A call for the app to make to Apple."""

    id: int
    """The id of its update; `Engine.acknowledge_calls` takes it."""
    conversion: int
    """0 = the install, else the re-engagement's number."""
    framework: str
    """"SKAdNetwork" or "AdAttributionKit"."""
    conversion_type: Optional[str]
    """The type that the call names: None, "install" or "re-engagement"."""
    window: int
    """Postback window 0, 1 or 2, for which it was decided."""
    fine_value: int
    """0 to 63."""
    coarse_value: Optional[int]
    """0 low, 1 medium, 2 high; None = nil."""
    lock_window: bool
    timestamp: int
    """When it was decided, in Unix seconds."""
    valid_until: int
    """When the app has to drop the list, in Unix seconds."""
    tag: Optional[str]
    """A secret of the device: keep it out of logs."""


class Calls(NamedTuple):
    """The calls that wait for the app, in the order to make them. True only if the outcome is OK."""

    outcome: Outcome
    calls: tuple[Call, ...] = ()

    def __bool__(self) -> bool:
        return self.outcome is Outcome.OK


class _RevenueItem(NamedTuple):
    install_id: str
    amount: Amount
    currency: str
    ad_monetization: bool
    event_id: Optional[str]
    reengagement: int


class RevenueItem(_RevenueItem):
    """One of many amounts: what `Engine.update_revenue` takes."""

    __slots__ = ()

    def __new__(
        cls,
        install_id: str,
        amount: Amount,
        currency: str,
        *,
        ad_monetization: bool = False,
        event_id: Optional[str] = None,
        reengagement: int = 0,
    ) -> "RevenueItem":
        """Requires the names of optional arguments, so that no event id is taken for `ad_monetization`."""
        return super().__new__(cls, install_id, amount, currency, ad_monetization, event_id, reengagement)

    def __getnewargs_ex__(self) -> tuple[tuple[str, Amount, str], dict[str, Any]]:
        """What a copy is made of."""
        return self[:3], {
            "ad_monetization": self.ad_monetization,
            "event_id": self.event_id,
            "reengagement": self.reengagement,
        }


class ManyResult(NamedTuple):
    """The statuses of many amounts. True only if none of them failed."""

    statuses: tuple[Status, ...]
    """The status of each item, in order: the one that a call for it alone would have had."""
    error: Optional[Exception] = None
    """What a call for the first failed item would have raised, with its number in the message; None if none failed."""

    def __bool__(self) -> bool:
        return self.error is None


class Request(NamedTuple):
    """A request to the conversion value endpoint. True only if the outcome is OK.

    The URL carries the SDK key, so it is not in `repr`.
    """

    outcome: Outcome
    url: str = ""
    """The URL to GET; "" unless the outcome is OK."""
    ticket: int = 0
    """Goes to `Engine.apply_response` with the answer; 0 unless the outcome is OK."""

    def __bool__(self) -> bool:
        return self.outcome is Outcome.OK

    def __repr__(self) -> str:
        return f"Request(outcome={self.outcome!r}, ticket={self.ticket})"


@dataclass(frozen=True)
class Device:
    """The device an event came from: items `v`, `idfv` and `idfa` of a request. None or "" is left out.

    Each has at most 256 bytes of UTF-8 without control characters.
    """

    os_version: Optional[str] = None
    """iOS version, "16.1"."""
    idfv: Optional[str] = None
    """Identifier for vendor."""
    idfa: Optional[str] = None
    """Identifier for advertisers."""
