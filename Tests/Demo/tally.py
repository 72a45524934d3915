"""What the demo counts by itself, beside libskan, and the table at its end."""

from __future__ import annotations

from collections import Counter, defaultdict
from decimal import Decimal

from libskan import CoarseValue, ConversionModel, Details, Engine, Outcome, Reengagement
from lives import CURRENCIES, Action

COARSE = ("low", "medium", "high")
CODES = [currency.code for currency in CURRENCIES]

Sums = dict[str, Decimal]


def install_of(player: int) -> str:
    """The name of a player's install."""
    return f"player-{player + 1}"


def added(sums: Sums, revenue: dict[str, Decimal]) -> None:
    """Adds what a table of libskan has."""
    for currency, amount in revenue.items():
        sums[currency] += amount


class Tally:
    """How often each kind of call ended how, and what each player paid: the sums libskan must have.

    A re-engagement's revenue is in its model's currency; `rates` are the model's.
    """

    def __init__(self, rates: dict[str, Decimal]) -> None:
        self.rates = rates
        self.outcomes: dict[str, Counter[Outcome]] = defaultdict(Counter)
        self.purchases: dict[int, Sums] = defaultdict(lambda: defaultdict(Decimal))
        self.impressions: dict[int, Sums] = defaultdict(lambda: defaultdict(Decimal))
        self.returned: dict[int, list[Decimal]] = defaultdict(list)

    def come_back(self, player: int) -> None:
        """A re-engagement begins, which is credited with whatever the player pays from now on."""
        self.returned[player].append(Decimal(0))

    def pay(self, action: Action) -> None:
        """Counts a purchase or an impression, once."""
        paid = self.impressions if action.what == "impression" else self.purchases
        paid[action.player][action.currency] += action.amount
        worth = action.amount * self.rates[action.currency]
        self.returned[action.player] = [sum_ + worth for sum_ in self.returned[action.player]]

    def differs(self, player: int, details: Details) -> bool:
        """Whether an install has other sums than its player paid."""
        iap, ads = self.purchases.get(player, {}), self.impressions.get(player, {})
        return details.iap_revenue != iap or details.ad_revenue != ads

    def differs_since(self, player: int, reengagements: tuple[Reengagement, ...]) -> bool:
        """Whether a re-engagement has another sum than its player paid since the tap."""
        sums = [sum(each.revenue.conversion) for each in reengagements]
        return sums != self.returned[player]

    def show(self, engine: Engine, model: ConversionModel, returns: ConversionModel, players: int) -> int:
        """Prints the table of all installs; answers how many of them differ from what they paid."""
        installs = [engine.details(install_of(player)) for player in range(players)]
        show_values("Installs", [details.fine_value for details in installs], model)
        show_coarse(installs)
        values: list[int | None] = [each.fine_value for details in installs for each in details.reengagements]
        show_values(f"{len(values)} re-engagements", values, returns)
        show_revenue(installs)
        print("\nOutcomes")
        for call, outcomes in self.outcomes.items():
            ends = " ".join(f"{count} {outcome.name}" for outcome, count in sorted(outcomes.items()))
            print(f"  {call:<25} {ends}")
        return sum(
            self.differs(player, details) or self.differs_since(player, details.reengagements)
            for player, details in enumerate(installs)
        )


def meaning(model: ConversionModel, fine: int) -> str:
    """What a value stands for, from the model's rule."""
    document = model.decode(0, fine)
    if not document or not document["rules"]:
        return ""
    when = document["rules"][0]["when"]
    parts = [event["name"] for event in when["events"]]
    if when["sessions"]:
        parts.append(f"{when['sessions']['min']}+ sessions")
    if when["revenue"]:
        least, most = when["revenue"][0]["min"], when["revenue"][0]["max"]
        parts.append(f"${least} and more" if most is None else f"${least} to ${most}")
    return "  " + ", ".join(parts) if parts else ""


def show_values(what: str, values: list[int | None], model: ConversionModel) -> None:
    """By fine value of the first window."""
    fine = Counter(values)
    most = max(fine.values())
    print(f"\n{what} by final value of the first window, and what it stands for")
    for value, count in sorted((value, count) for value, count in fine.items() if value is not None):
        print(f"  {value:2} {count:5} {'█' * -(-count * 30 // most)}{meaning(model, value)}")


def show_coarse(installs: list[Details]) -> None:
    """By coarse value of each window."""
    print("\nInstalls by coarse value\n  window  " + "".join(f"{name:>8}" for name in (*COARSE, "none")))
    for window in range(3):
        coarse = Counter(details.windows[window].coarse_value for details in installs)
        print(f"  {window:<8}" + "".join(f"{coarse[value]:>8}" for value in (*CoarseValue, None)))


def show_revenue(installs: list[Details]) -> None:
    """By window."""
    names = [f"IAP {code}" for code in CODES] + ["ad USD"]
    print("\nRevenue by window\n" + " " * 11 + "".join(f"{name:>13}" for name in names))
    for window in range(4):
        purchases: Sums = defaultdict(Decimal)
        impressions: Sums = defaultdict(Decimal)
        for details in installs:
            part = details.windows[window] if window < 3 else details
            added(purchases, part.iap_revenue)
            added(impressions, part.ad_revenue)
        name = f"window {window}" if window < 3 else "lifetime"
        print(f"  {name:<9}" + "".join(f"{purchases[code]:13.2f}" for code in CODES) + f"{impressions['USD']:13.4f}")
