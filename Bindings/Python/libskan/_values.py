"""What calls take and give, beside numbers and text.

What every call makes anew is a named tuple, which costs a third of a frozen dataclass.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, Optional

from ._arguments import Amount
from ._status import Outcome, Status


class Update(NamedTuple):
    """An update for the app to pass to Apple: `SKAdNetwork.updatePostbackConversionValue` and its elders."""

    id: int
    """Number of this update of this install, from 1; `Engine.acknowledge_update` takes it."""
    window: int
    """Postback window 0, 1 or 2; 0 in SKAN 3."""
    fine_value: Optional[int]
    """0 to 63. None: the app passes Apple the install's current fine value."""
    coarse_value: Optional[int]
    """0 low, 1 medium, 2 high. None: none."""
    lock_window: bool
    """Whether the app locks the window with this update."""
    timestamp: int
    """When the update was decided, in Unix seconds."""


class Result(NamedTuple):
    """What a call came to, and the update it gives out. True only where the outcome is OK."""

    outcome: Outcome
    update: Optional[Update] = None
    """None where there is none: always unless the outcome is OK, and after a SKAN 3 register."""

    def __bool__(self) -> bool:
        return self.outcome is Outcome.OK


class Reengaged(NamedTuple):
    """What became of a report of a re-engagement. True only where the outcome is OK."""

    outcome: Outcome
    number: int = 0
    """Which one it is, from 1, also of a repeated open; 0 where there is none."""

    def __bool__(self) -> bool:
        return self.outcome is Outcome.OK


class Call(NamedTuple):
    """A call for the app to make to Apple."""

    id: int
    """Of its update; `Engine.acknowledge_calls` takes it."""
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
    """0 low, 1 medium, 2 high. None: nil."""
    lock_window: bool
    timestamp: int
    """When it was decided, in Unix seconds."""
    valid_until: int
    """Unix seconds: from then on the app drops the list."""
    tag: Optional[str]
    """A secret of the device: keep it out of logs."""


class Calls(NamedTuple):
    """The calls that wait for the app, in the order to make them. True only where the outcome is OK."""

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
        """The names are needed: an event id must not be taken for `ad_monetization`."""
        return super().__new__(cls, install_id, amount, currency, ad_monetization, event_id, reengagement)

    def __getnewargs_ex__(self) -> tuple[tuple[str, Amount, str], dict[str, Any]]:
        """What a copy is made of."""
        return self[:3], {
            "ad_monetization": self.ad_monetization,
            "event_id": self.event_id,
            "reengagement": self.reengagement,
        }


class ManyResult(NamedTuple):
    """What many amounts came to. True only where none of them failed."""

    statuses: tuple[Status, ...]
    """Of each item, in their order, what a call of its own would have come to."""
    error: Optional[Exception] = None
    """What a call for the first item that failed would have raised, its number in the message; None where none did."""

    def __bool__(self) -> bool:
        return self.error is None


class Request(NamedTuple):
    """A request to the conversion value endpoint. True only where the outcome is OK.

    The URL carries the SDK key, so it is not in `repr`.
    """

    outcome: Outcome
    url: str = ""
    """What to GET; "" unless the outcome is OK."""
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
