"""One simulated life: a phone, an app that obeys, a host that uses libskan, and what has to hold at each moment."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import app
import reference
from app import Disk, Made, Report
from apple import DAY, HOUR, WINDOW_ENDS, Call, Conversion, Landing, Phone, Unavailable
from libskan import Device, Reengagement, ReengagementEnd, RevenueKind
from stores import DictionaryStore
from truth import Ledger, Value, converted
from worlds import World

HERE = Path(__file__).resolve().parent
START = 1_700_000_000
INSTALL = "player-1"
MODELS = {name: (HERE / f"{name}.json").read_bytes() for name in ("install", "return", "falling")}
READ = {name: reference.read_model(document) for name, document in MODELS.items()}
SYSTEMS = ((16, 0), (16, 4), (17, 4), (18, 0), (18, 3), (18, 4), (18, 4), (18, 5), (26, 2))
PROPERTIES = {
    "P1": "Apple holds what the model gives, after every whole list",
    "P2": "what is told of one re-engagement changes no other's values",
    "P3": "no call locks another conversion",
    "P4": "a locked postback holds the final values",
    "P5": "no call lands in another window",
    "P6": "lists and reports again do no harm",
    "P7": "no call that the system lacks",
    "P8": "a refused tag is not called again",
    "P9": "6 re-engagements, 8 calls, 32 768 bytes",
    "P10": "without re-engagements all is as before",
    "P11": "a postback decodes to the rule that decided",
    "P12": "sums of windows are the conversion's, and the newest alone is credited",
}


class Broken(Exception):
    """A property does not hold."""


class Setting(NamedTuple):
    """How the host makes its engine."""

    newest: bool
    cooldown_hours: int
    model: str


@dataclass
class Tally:
    """What was looked at, and what could not be judged, by its reason."""

    checks: Counter[str] = field(default_factory=Counter)
    unjudged: Counter[str] = field(default_factory=Counter)


class Killed(Exception):
    """The app's process ended."""


class Life:
    """Runs by chance; everything follows from its number and its world."""

    def __init__(self, number: int, world: World, engine: Callable[..., Any], only: str = "") -> None:
        """`only`: the one property that breaks the life, all others are looked at and passed over."""
        self.only = only
        self.name = f"life {number} in {world}"
        self.chance = chance = random.Random(f"{number} {world}")
        self.world, self.now, self.tally = world, START, Tally()
        self.setting = Setting(
            chance.random() < 0.3, chance.choice((0, 0, 0, 2)), chance.choice(("return", "return", "falling"))
        )
        self.model = READ[self.setting.model]
        self.store = DictionaryStore() if chance.random() < 0.1 else None
        self.engine = engine(self.setting, lambda: float(self.now), self.store)
        self.phone = Phone(world, chance.choice(SYSTEMS), chance.random() < 0.6, chance.random() < 0.05)
        self.first_system = self.phone.system
        self.tells_system = chance.random() < 0.9
        self.is_careful = chance.random() < 0.3  # is never killed, loses nothing
        self.disk, self.steps = Disk(), 0
        self.install = Ledger(READ["install"], START, is_install=True)
        self.ledgers: dict[int, Ledger] = {}
        self.conversions: dict[int, Conversion | None] = {}
        self.opens: dict[str, Report] = {}
        self.told: list[Report] = []
        self.refused: set[int] = set()
        self.failed: set[int] = set()
        self.spoiled: set[str] = set()
        self.window_sums: dict[tuple[int, int, str], Decimal] = {}
        self.paid = Decimal(0)  # each amount that was credited, once
        self.is_registered = False

    def chances(self, probability: float) -> bool:
        return self.chance.random() < probability

    def mishap(self, probability: float) -> bool:
        return not self.is_careful and self.chance.random() < probability

    def expect(self, name: str, holds: bool, *what: Any) -> None:
        self.tally.checks[name] += 1
        if not holds and self.only in ("", name):
            raise Broken(
                f"{name}, {PROPERTIES[name]}: {self.name}, at {self.now - START} s: {' '.join(map(str, what))}"
            )

    # ------------------------------------------------------------------------------------------------------- the life

    def run(self) -> Tally:
        self.phone.install(self.now)
        if self.chances(0.95):
            self.register()
        for _ in range(self.chance.randrange(12, 40)):
            self.now += self.pause()
            self.step()
        self.session()
        self.check_sums()
        self.engine.close()
        return self.tally

    def pause(self) -> int:
        """Often short, sometimes to the border of a window."""
        turn = self.chance.random()
        if turn < 0.5:
            return self.chance.randrange(0, 2 * HOUR)
        if turn < 0.75:
            return self.chance.randrange(2 * HOUR, 2 * DAY)
        if turn < 0.85:
            return self.chance.randrange(2 * DAY, 9 * DAY)
        starts = [START, *(ledger.start for ledger in self.ledgers.values())]
        border = self.chance.choice(starts) + self.chance.choice(WINDOW_ENDS) + self.chance.choice((-1, 0, 1))
        return border - self.now if self.now < border < self.now + 20 * DAY else HOUR

    def step(self) -> None:
        turn = self.chance.random()
        if turn < 0.25:
            self.session()
        elif turn < 0.45:
            self.open(self.tap)
        elif turn < 0.49:
            self.open(self.old_link)
        elif turn < 0.52:
            self.open(self.forged_link)
        elif turn < 0.72:
            self.host_pays()
        elif turn < 0.88:
            self.host_event()
        elif turn < 0.90:
            self.host_ends()
        elif turn < 0.93:
            self.report_again()
        elif turn < 0.95:
            self.renew_device()
        else:
            self.session()

    def register(self) -> None:
        """The first launch, in one second."""
        self.engine.register(INSTALL)
        self.is_registered = True
        self.install.start = self.now
        self.install.begin()
        self.install.values[0] = (0, None)
        self.app_runs(self.work_off_list)

    def session(self) -> None:
        if not self.is_registered and self.chances(0.5):
            self.register()
        self.app_runs(self.start)

    def app_runs(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Killed:
            self.tally.checks["kills"] += 1

    def start(self) -> None:
        """A start of the app."""
        self.send_acknowledgements()
        if not self.send_reports():
            return
        self.count_event(None, 0)
        self.work_off_list()

    # ---------------------------------------------------------------------------------------------------------- opens

    def open(self, link: Callable[[], tuple[str | None, Conversion | None]]) -> None:
        self.app_runs(lambda: self.opened(*link()))

    def tap(self) -> tuple[str | None, Conversion | None]:
        newest = [each for each in self.phone.own(self.now) if each.kind == "re-engagement"][-1:]
        hours = self.setting.cooldown_hours
        is_cooling = any(self.now - each.began < hours * HOUR for each in newest)
        parameter, conversion = self.phone.tap(self.now, not is_cooling)
        if is_cooling and self.phone.overlaps:
            return None, None  # no conversion, so no tag
        if self.chances(0.05):
            return None, conversion  # the ad's URL is no universal link: the app is not told
        return parameter, conversion

    def old_link(self) -> tuple[str | None, Conversion | None]:
        if not self.told or self.phone.system < (18, 0):
            return None, None
        return self.chance.choice(self.told).tag or self.world.plain_parameter, None

    def forged_link(self) -> tuple[str | None, Conversion | None]:
        return ("forged" if self.phone.system >= (18, 0) else None), None

    def opened(self, parameter: str | None, conversion: Conversion | None) -> None:
        if parameter is None:
            return
        is_tag = self.phone.overlaps and parameter != ""
        report = Report(
            f"open {len(self.opens)}", parameter if is_tag else None, is_tag, self.now, "spring", False, conversion
        )
        self.opens[report.open_id] = report
        self.disk.reports.append(report)
        self.may_die(0.03)
        report.is_started = True  # written before the call: it may have been made
        self.may_die(0.02)
        self.made(0, self.phone_call(app.first_call(report)), None)
        self.may_die(0.05)
        if self.chances(0.8):
            self.send_reports()
        if self.chances(0.6):
            self.start()

    def phone_call(self, call: Call) -> tuple[Call, int, list[Landing]]:
        result, landings = app.make(self.phone, call, self.now)
        return call, result, landings

    def may_die(self, probability: float) -> None:
        if self.mishap(probability):
            raise Killed

    # ------------------------------------------------------------------------------------------------------ the server

    def send_reports(self) -> bool:
        """In any order; each until the server has answered."""
        self.chance.shuffle(self.disk.reports)
        while self.disk.reports:
            if self.mishap(0.1):
                return False  # lost on its way
            report = self.disk.reports[0]
            self.take_report(report)
            if self.mishap(0.1):
                return False  # its answer is lost
            self.disk.reports.pop(0)
            self.may_die(0.03)
        return True

    def take_report(self, report: Report) -> None:
        before = self.kept()
        outcome, number = self.engine.reengage(
            INSTALL,
            open_id=report.open_id,
            tag=report.tag,
            reference=report.reference,
            opened_at=report.opened,
            is_started=report.is_started,
            is_overlapping=report.is_overlapping,
            device=self.device(),
        )
        self.told.append(report)
        known = [kept.number for kept in before.values() if kept.open_id == report.open_id]
        if known:
            self.expect("P6", outcome.name == "DUPLICATE_EVENT" and number == known[-1], outcome, number, known)
        if outcome.name == "OK":
            self.expect("P6", number not in self.ledgers, "a number twice", number)
            self.ledgers[number] = ledger = Ledger(self.model, report.opened, is_install=False)
            self.conversions[number] = report.conversion
            ledger.counted = ledger.window(self.now) or 0
            ledger.first_update(self.now, self.install)
        kept = self.kept()
        self.expect("P9", len(kept) <= 6, len(kept), "re-engagements")
        if self.store is not None:
            sizes = [len(record) for record, _ in self.store.records.values()]
            self.expect("P9", all(size <= 32_768 for size in sizes), sizes)
        self.check_isolation(before, kept, number if outcome.name == "OK" else 0, "a report")

    def report_again(self) -> None:
        """The network brings an earlier one once more."""
        if self.told:
            count = len(self.ledgers)
            report = self.chance.choice(self.told)
            is_answered = report not in self.disk.reports
            self.take_report(report)
            if is_answered:
                self.tally.checks["reports again"] += 1
            self.tally.checks["taken again"] += len(self.ledgers) - count

    def device(self) -> Device | None:
        return Device(f"{self.phone.system[0]}.{self.phone.system[1]}") if self.tells_system else None

    def kept(self) -> dict[int, Reengagement]:
        return {each.number: each for each in self.engine.reengagements(INSTALL)}

    def is_active(self, kept: Reengagement) -> bool:
        return kept.ended is None and self.now - kept.start < WINDOW_ENDS[2]

    def credited(self, named: int) -> list[int]:
        active = [number for number, kept in self.kept().items() if self.is_active(kept)]
        if named:
            return [number for number in active if number == named]
        if not self.setting.newest or not active:
            return active
        return [max(active, key=lambda number: (self.ledgers[number].start, number))]

    def host_pays(self) -> None:
        amount = Decimal(self.chance.choice(("0.99", "1.99", "4.99", "9.99", "-0.99", "-4.99", "0.0012")))
        currency = self.chance.choice(("USD", "USD", "EUR", "XXX"))
        is_ad = self.chances(0.3)
        kind = "ad" if is_ad else "iap"
        named = self.name_one()
        credited, before = self.credited(named), self.kept()
        self.engine.update_revenue(INSTALL, amount, currency, kind=RevenueKind[kind.upper()], reengagement=named)
        value = converted(amount, currency, self.model)
        if value is not None:
            self.install.pay(value, kind, self.now)
            self.paid += value if credited else 0
            for number in credited:
                self.ledgers[number].pay(value, kind, self.now)
        self.check_isolation(before, self.kept(), named, "an amount") if named else None
        self.check_sums()
        if self.chances(0.7):
            self.count_event("buy", named)

    def host_event(self) -> None:
        self.count_event(self.chance.choice(("level", "buy", "other", None)), self.name_one())

    def name_one(self) -> int:
        return self.chance.choice([0, 0, *self.ledgers, *self.ledgers, 99]) if self.ledgers else 0

    def count_event(self, event: str | None, named: int) -> None:
        credited, before = self.credited(named), self.kept()
        outcome = self.engine.update_conversion_values(INSTALL, event, reengagement=named).outcome
        if outcome.name in ("NOT_REGISTERED", "WINDOW_CLOSED"):
            return
        if self.is_registered:
            self.install.count(event, self.now, self.install)
        for number in credited:
            self.ledgers[number].count(event, self.now, self.install)
        if named:
            self.check_isolation(before, self.kept(), named, "an event")

    def host_ends(self) -> None:
        if self.ledgers:
            self.engine.end_reengagement(INSTALL, self.chance.choice(list(self.ledgers)))

    def renew_device(self) -> None:
        if self.chances(0.5):
            self.phone.system = max(self.phone.system, self.chance.choice(SYSTEMS))
        else:
            self.phone.opted_in = True

    # -------------------------------------------------------------------------------------------------------- the list

    def work_off_list(self) -> None:
        """Fetches lists until one is made as a whole, or the app gives up."""
        for _ in range(3):
            if self.mishap(0.05):
                return
            calls = self.engine.pending_calls(INSTALL, self.device()).calls
            self.expect("P9", len(calls) <= 8, len(calls), "calls")
            for number, kept in self.kept().items():
                if self.is_active(kept):
                    self.ledgers[number].first_update(self.now, self.install)
            for call in calls:
                self.expect("P8", call.tag is None or call.conversion not in self.refused, call)
            if self.mishap(0.05):
                return
            if self.make_list(calls):
                return

    def make_list(self, calls: list[Any]) -> bool:
        """Whether nothing of it had to be dropped."""
        held = self.expected()
        made: list[Made] = []
        is_whole = True
        for call in calls:
            self.may_die(0.06)
            if self.mishap(0.05):
                self.now += self.chance.choice((1, 60, HOUR, 20 * HOUR))
            if self.now >= call.valid_until:
                is_whole = False
                break
            if self.mishap(0.02):
                made.append(Made(call.id, app.FAILED))
                self.failed.add(call.id)
                continue
            made.append(self.make(call, held))
        is_truthful = is_whole and all(each.result != app.FAILED for each in made)
        if is_truthful:
            self.check_truth("P1", held)
            if self.chances(0.1) and all(self.now < call.valid_until for call in calls):
                for call in calls:
                    self.make(call, held)
                self.check_truth("P6", held)
        ids = [call.id for call in calls]
        self.may_die(0.05)
        self.disk.acknowledgements = app.results(made, ids)
        self.tally.checks["lists"] += 1
        self.tally.checks["calls"] += len(made)
        if not self.mishap(0.1):
            self.send_acknowledgements()
        return is_whole

    def make(self, call: Any, held: dict[str, tuple[int, Value]]) -> Made:
        meant = Call(
            call.framework, call.fine_value, call.coarse_value, call.lock_window, call.conversion_type, call.tag
        )
        if app.lacks(self.phone, meant):
            self.expect("P7", not self.tells_system, meant, "on iOS", self.phone.system)
            return Made(call.id, app.DELIVERED)
        try:
            return self.made(call.id, self.phone_call(meant), call)
        except Unavailable as error:
            self.expect("P7", False, error)
            raise

    def made(self, id: int, made: tuple[Call, int, list[Landing]], call: Any) -> Made:
        """Looks where a call took effect."""
        _, result, landings = made
        for landing in landings:
            if landing.locks:
                self.check_lock(landing, call)
            is_meant = call is not None and not landing.is_mirrored and self.is_meant(landing.conversion, call)
            if is_meant and self.is_in_time(landing.conversion, call.conversion):
                self.expect("P5", call.window == landing.window, call, "landed in window", landing.window)
        return Made(id, result, landings)

    def is_meant(self, conversion: Conversion, call: Any) -> bool:
        if call.conversion == 0:
            return conversion.kind == "install"
        return self.conversions.get(call.conversion) is conversion

    def is_in_time(self, conversion: Conversion, number: int) -> bool:
        """Whether its windows begin with those of the server."""
        start = self.ledgers[number].start if number else self.install.start
        if conversion.base(self.world) == start and conversion.first_update is not None:
            return True
        self.tally.unjudged["a window that begins with a late first update"] += 1
        return False

    def send_acknowledgements(self) -> None:
        """One at a time: sent, or given up."""
        results, self.disk.acknowledgements = self.disk.acknowledgements, []
        if not results or self.mishap(0.1):
            return
        tagged = {kept.update.id: number for number, kept in self.kept().items() if kept.tag and kept.update}
        for _ in range(2 if self.chances(0.1) else 1):
            self.engine.acknowledge_calls(INSTALL, results)
        for id, result in results:
            if result in (app.INVALID_TAG, app.NOT_SUPPORTED) and id in tagged:
                self.refused.add(tagged[id])

    # --------------------------------------------------------------------------------------------------- what must hold

    def expected(self) -> dict[str, tuple[int, Value]]:
        """What Apple has to hold once this moment's list is made: window and value by the conversion's name."""
        held: dict[str, tuple[int, Value]] = {}
        window = self.install.window(self.now)
        if self.is_registered and window is not None and window in self.install.values:
            for name in ("the install", "SKAdNetwork's install"):
                held[name] = (window, self.install.values[window])
        for number, kept in self.kept().items():
            window = self.ledgers[number].window(self.now)
            conversion = self.conversions[number]
            if not self.is_active(kept) or window is None or conversion is None:
                continue
            value = self.ledgers[number].values[window]
            newest = [each for each in self.phone.own(self.now) if each.kind == "re-engagement"][-1:]
            if kept.tag is None and conversion not in newest:
                self.tally.unjudged["an untagged re-engagement behind another conversion, or none"] += 1
            elif kept.tag is None and self.has_newer_open(number):
                self.tally.unjudged["an untagged re-engagement behind an open without a conversion"] += 1
            else:
                held[conversion.name] = (window, value)
        return held

    def has_newer_open(self, number: int) -> bool:
        return any(self.ledgers[other].start >= self.ledgers[number].start for other in self.ledgers if other > number)

    def check_truth(self, name: str, held: dict[str, tuple[int, Value]]) -> None:
        for conversion in self.phone.conversions:
            if conversion.name in self.spoiled:
                continue
            if conversion.name not in held or not conversion.is_active(self.now, self.world):
                continue
            window, value = held[conversion.name]
            number = next((number for number, each in self.conversions.items() if each is conversion), 0)
            if not self.may_hold(conversion) or not self.is_in_time(conversion, number):
                continue
            if conversion.window(self.now, self.world) != window:
                continue  # it ended in mid-list
            came = conversion.held[window]
            # In later windows Apple looks at the coarse value alone.
            is_right = came.coarse == value[1] and (window > 0 or came.fine == value[0])
            self.expect(name, is_right, conversion.name, "holds", came, "and should", value, "in window", window)

    def may_hold(self, conversion: Conversion) -> bool:
        """Whether this world and this system let anybody update it at all."""
        if conversion.framework == "SKAdNetwork":
            if self.first_system < (16, 1):
                self.tally.unjudged["coarse values on a system that began without"] += 1
            return self.first_system >= (16, 1)
        if not self.tells_system and self.first_system < (18, 0):
            self.tally.unjudged["calls of iOS 18 for a system that was not told"] += 1
            return False
        if conversion.kind == "install":
            was_behind = any(each.kind == "re-engagement" for each in self.phone.conversions)
            if was_behind and self.world.install_behind_newer == "nothing":
                self.tally.unjudged["the install where [.install] does nothing"] += 1
                return False
            return True
        if self.phone.refuses_tags:
            self.tally.unjudged["tags that are refused"] += 1
            return False
        return True

    def check_lock(self, landing: Landing, call: Any) -> None:
        conversion = landing.conversion
        self.expect("P3", call is not None, "an open's first call locks", conversion.name)
        if conversion.kind == "re-engagement" and not self.is_meant(conversion, call):
            number = next((number for number, each in self.conversions.items() if each is conversion), 0)
            kept = self.kept().get(number)
            if kept is None or kept.ended in (ReengagementEnd.HOST, ReengagementEnd.INVALID_TAG):
                self.tally.unjudged["a lock of a conversion that the server does not know"] += 1
            elif self.is_in_time(conversion, number):
                self.expect("P3", False, call, "locks", conversion.name)
            return
        ledger = self.ledgers[call.conversion] if call.conversion else self.install
        if landing.is_mirrored and call.id in self.failed:
            self.tally.unjudged["a lock behind a call that failed"] += 1
            self.spoiled.add(conversion.name)
        elif self.is_in_time(conversion, call.conversion) and self.may_hold(conversion):
            value, came = ledger.values.get(landing.window), conversion.held[landing.window]
            is_final = value is not None and came.coarse == value[1] and (landing.window > 0 or came.fine == value[0])
            self.expect("P4", is_final and landing.window in ledger.locked, conversion.name, came, "and not", value)

    def check_isolation(
        self, before: dict[int, Reengagement], after: dict[int, Reengagement], named: int, what: str
    ) -> None:
        members = ("fine_value", "coarse_value", "window_lock", "sessions", "events", "revenue", "window")
        for number, kept in before.items():
            if number != named and number in after:
                same = all(getattr(kept, member) == getattr(after[number], member) for member in members)
                self.expect("P2", same, what, "of", named, "changes", kept, "to", after[number])

    def check_sums(self) -> None:
        newest = Decimal(0)
        for number, kept in self.kept().items():
            ledger = self.ledgers[number]
            for kind in ("iap", "ad"):
                total = getattr(kept.revenue.conversion, kind)
                self.window_sums[number, kept.window, kind] = getattr(kept.revenue.window, kind)
                parts = [self.window_sums.get((number, window, kind), Decimal(0)) for window in range(3)]
                wanted = ledger.sums.get(("conversion", kind), Decimal(0))
                self.expect("P12", total == wanted == sum(parts), number, kind, total, wanted, parts)
                newest += total
        if self.setting.newest and len(self.ledgers) == len(self.kept()):
            self.expect("P12", newest == self.paid, newest, self.paid)
