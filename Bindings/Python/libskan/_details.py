"""The state of an install and of its re-engagements, read from the documents of skan_details and skan_reengagements."""

import json
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Any, NamedTuple, Optional

from ._status import COARSE_VALUES, CoarseValue
from ._values import Update


class ReengagementEnd(Enum):
    """Why a re-engagement ended."""

    SUPERSEDED = "superseded"
    HOST = "host"
    INVALID_TAG = "invalid tag"
    TAG_NOT_SUPPORTED = "tag not supported"


class RevenueSums(NamedTuple):
    """Exact sums in the currency of a re-engagement's model, with up to 24 places."""

    iap: Decimal
    ad: Decimal


class ReengagementRevenue(NamedTuple):
    """The revenue of a re-engagement."""

    conversion: RevenueSums
    """Since the tap."""
    window: RevenueSums
    """In its window."""


@dataclass(frozen=True)
class Reengagement:
    """A re-engagement that is kept. Rules, "Re-engagement details"."""

    number: int
    """From 1; never used twice."""
    tag: Optional[str]
    """The conversion tag, a secret of the device: keep it out of logs. None = none, and so for the next two."""
    open_id: Optional[str]
    reference: Optional[str]
    start: int
    """When the ad was tapped, Unix seconds."""
    ended: Optional[ReengagementEnd]
    """None = it has not ended."""
    model: str
    """The version of its conversion model."""
    window: int
    """The postback window of its counts: 0, 1 or 2."""
    sessions: int
    events: dict[str, int]
    """The counts of events by name, only those that were counted."""
    revenue: ReengagementRevenue
    fine_value: int
    """0 to 63."""
    coarse_value: tuple[Optional[CoarseValue], ...]
    """That of windows 0, 1 and 2; None = none."""
    window_lock: tuple[Optional[int], ...]
    """When windows 0, 1 and 2 were locked, Unix seconds; None = not locked."""
    update: Optional[Update]
    """The last update; None = none yet."""
    delivered: bool
    """Whether the last update was delivered."""

    @classmethod
    def read(cls, document: dict[str, Any]) -> "Reengagement":
        """Reads one element of the document."""
        ended, revenue, update = document["ended"], document["revenue"], document["update"]
        typed = {
            "ended": None if ended is None else ReengagementEnd(ended),
            "revenue": ReengagementRevenue(_sums(revenue["conversion"]), _sums(revenue["window"])),
            "coarse_value": tuple(COARSE_VALUES[value] for value in document["coarse_value"]),
            "window_lock": tuple(document["window_lock"]),
            "update": None if update is None else _update(update),
        }
        return cls(**{**document, **typed})


@dataclass(frozen=True)
class WindowDetails:
    """One postback window; all is empty in SKAN 3."""

    coarse_value: Optional[CoarseValue]
    previous_coarse_value: Optional[CoarseValue]
    lock_timestamp: Optional[int]
    """When the window was locked, Unix seconds."""
    iap_revenue: dict[str, Decimal]
    """Purchases made while the window was open, as in `Details`."""
    ad_revenue: dict[str, Decimal]


@dataclass(frozen=True)
class Details:
    """The state of an install. A value that the install does not have is None. Rules, "Details"."""

    fine_value: Optional[int]
    """0 to 63."""
    previous_fine_value: Optional[int]
    """None in SKAN 3."""
    first_timestamp: Optional[int]
    """When the install was registered, Unix seconds; None = not registered."""
    last_timestamp: Optional[int]
    """When the newest value was accepted, Unix seconds."""
    iap_revenue: dict[str, Decimal]
    """Purchases of the whole lifetime: exact amounts by currency, such as "USD"; empty if there are none."""
    ad_revenue: dict[str, Decimal]
    """Ad revenue of the whole lifetime; empty in SKAN 3."""
    windows: tuple[WindowDetails, ...]
    """Windows 0, 1 and 2."""
    reengagements: tuple[Reengagement, ...]
    """Those that are kept, by number."""
    json: str
    """The document, as `Engine.import_details` takes it."""

    @classmethod
    def parse(cls, document: str) -> "Details":
        """Reads a details document as `Engine.details` gives it, of either protocol."""
        values: dict[str, Any] = json.loads(document, parse_float=Decimal)
        is_skan4 = "skan_current_conversion_value" in values
        return cls(
            fine_value=values["skan_current_conversion_value" if is_skan4 else "skan_conversion_value"],
            previous_fine_value=values.get("prev_fine_value"),
            first_timestamp=values["skan_first_call_to_skadnetwork_timestamp"],
            last_timestamp=values["skan_last_call_to_skadnetwork_timestamp"],
            iap_revenue=_table(values["skan_total_revenue_by_currency"]),
            ad_revenue=_table(values.get("skan_total_admon_revenue_by_currency")),
            windows=tuple(_window(values, f"p{number}_") for number in range(3)),
            reengagements=tuple(map(Reengagement.read, values.get("reengagements", ()))),
            json=document,
        )


def _window(values: dict[str, Any], prefix: str) -> WindowDetails:
    return WindowDetails(
        coarse_value=COARSE_VALUES[values.get(prefix + "coarse")],
        previous_coarse_value=COARSE_VALUES[values.get(prefix + "prev_coarse_value")],
        lock_timestamp=values.get(prefix + "window_lock"),
        iap_revenue=_table(values.get(prefix + "total_iap_revenue")),
        ad_revenue=_table(values.get(prefix + "total_admon_revenue")),
    )


def _table(table: Optional[dict[str, Any]]) -> dict[str, Decimal]:
    return {currency: Decimal(amount) for currency, amount in (table or {}).items()}


def _sums(sums: dict[str, Any]) -> RevenueSums:
    return RevenueSums(Decimal(sums["iap"]), Decimal(sums["ad"]))


def _update(update: dict[str, Any]) -> Update:
    return Update(**{**update, "coarse_value": COARSE_VALUES[update["coarse_value"]]})
