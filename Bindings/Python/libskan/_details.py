"""The whole state of an install, read from its details document."""

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Optional

Revenue = Optional[dict[str, Decimal]]
"""Exact amounts by currency, such as "USD"; None if there is no entry."""


@dataclass(frozen=True)
class WindowDetails:
    """One postback window of SKAN 4."""

    coarse_value: Optional[int]
    """0 low, 1 medium, 2 high."""
    previous_coarse_value: Optional[int]
    locked_at: Optional[int]
    """When the window was locked, Unix seconds."""
    iap_revenue: Revenue
    """Purchases made while the window was open."""
    ad_revenue: Revenue
    """Ad revenue earned while the window was open."""


@dataclass(frozen=True)
class Details:
    """The state of an install. A value that the install does not have is None. Rules, "Details"."""

    conversion_value: Optional[int]
    """The current fine value, 0 to 63."""
    previous_fine_value: Optional[int]
    """The previous fine value; None in SKAN 3."""
    first_call: Optional[int]
    """When the install was registered, Unix seconds; None = not registered."""
    last_call: Optional[int]
    """When the newest value was accepted, Unix seconds."""
    iap_revenue: Revenue
    """Purchases of the whole lifetime."""
    ad_revenue: Revenue
    """Ad revenue of the whole lifetime; None in SKAN 3."""
    windows: tuple[WindowDetails, ...]
    """Windows 0, 1 and 2; empty in SKAN 3."""
    json: str
    """The details document, as `Engine.import_details` takes it."""

    @classmethod
    def parse(cls, document: str) -> "Details":
        """Reads a details document as `Engine.details` gives it, of either protocol; amounts stay exact."""
        values: dict[str, Any] = json.loads(document, parse_float=Decimal)
        skan4 = "skan_current_conversion_value" in values
        return cls(
            conversion_value=values["skan_current_conversion_value" if skan4 else "skan_conversion_value"],
            previous_fine_value=values["prev_fine_value"] if skan4 else None,
            first_call=values["skan_first_call_to_skadnetwork_timestamp"],
            last_call=values["skan_last_call_to_skadnetwork_timestamp"],
            iap_revenue=_revenue(values["skan_total_revenue_by_currency"]),
            ad_revenue=_revenue(values["skan_total_admon_revenue_by_currency"]) if skan4 else None,
            windows=tuple(_window(values, f"p{number}_") for number in range(3)) if skan4 else (),
            json=document,
        )


def _window(values: dict[str, Any], prefix: str) -> WindowDetails:
    return WindowDetails(
        coarse_value=values[prefix + "coarse"],
        previous_coarse_value=values[prefix + "prev_coarse_value"],
        locked_at=values[prefix + "window_lock"],
        iap_revenue=_revenue(values[prefix + "total_iap_revenue"]),
        ad_revenue=_revenue(values[prefix + "total_admon_revenue"]),
    )


def _revenue(table: Optional[dict[str, Any]]) -> Revenue:
    return None if table is None else {currency: Decimal(amount) for currency, amount in table.items()}
