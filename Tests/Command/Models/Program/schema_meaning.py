"""What vendors' schemas say, read for itself and played beside the model that skan model import makes of them.

Each class reads one form and says which values an install has, from all that happened to it. Nothing is counted step by
step and nothing is shared with the model: every number is found again in the whole history.
"""

import csv
import json
import math
import random
from dataclasses import dataclass, field
from decimal import Decimal

DAYS = [(0, 2), (2, 7), (7, 35)]
HOUR, DAY = 3600, 86400
COARSE = ["low", "medium", "high"]


@dataclass
class Step:
    """A session where there is no event; with an amount, or an amount alone."""

    time: int
    event: str | None = None
    amount: Decimal | None = None
    currency: str = "USD"
    is_alone: bool = False

    def line(self):
        made = {"time": self.time}
        if not self.is_alone:
            made.update({"event": self.event} if self.event else {"session": True})
        if self.amount is not None:
            made.update({"revenue": float(self.amount), "currency": self.currency})
        return json.dumps(made)


def window(time):
    """The window of a time since install; None behind the last one."""
    return next((number for number, days in enumerate(DAYS) if days[0] * DAY <= time < days[1] * DAY), None)


@dataclass
class Life:
    """What happened to an install, up to now."""

    steps: list[Step] = field(default_factory=list)

    @property
    def now(self):
        return self.steps[-1].time

    def of(self, event, is_lifetime):
        return [step for step in self.steps if step.event == event and not step.is_alone
                and (is_lifetime or window(step.time) == window(self.now))]

    def count(self, event, *, is_lifetime=False):
        return len(self.of(event, is_lifetime))

    def money(self, event, *, is_lifetime=False):
        return sum((step.amount for step in self.of(event, is_lifetime)
                    if step.amount is not None and step.currency == "USD"), Decimal())

    def all_money(self):
        return sum((step.amount for step in self.steps if step.amount is not None and step.currency == "USD"
                    and window(step.time) == window(self.now)), Decimal())


class Schema:
    """Values that only rise. A value is (window, "fine" or "coarse", number)."""

    events: set[str]

    def holding(self, life):
        """The values whose conditions hold now."""
        raise NotImplementedError

    def play(self, steps):
        """After each step the fine value and each window's coarse value."""
        life, fine, coarse = Life(), 0, [None, None, None]
        for step in steps:
            life.steps.append(step)
            if not step.is_alone and window(life.now) is not None:
                for kind, value in self.holding(life):
                    number = window(life.now)
                    if kind == "coarse":
                        coarse[number] = value if coarse[number] is None else max(coarse[number], value)
                    elif number == 0:
                        fine = max(fine, value)
            yield fine, list(coarse)


class AppsFlyer(Schema):
    def __init__(self, text, same_value=None):
        self.rows = list(csv.DictReader(text.splitlines()))
        self.same_value = same_value
        self.events = {row["event_name"] for row in self.rows} - {""}

    def holding(self, life):
        groups = {}
        for row in self.rows:
            if int(row["postback_sequence_index"]) != window(life.now):
                continue
            kinds = [("fine", int(row["conversion_value"]))] if row["conversion_value"] else []
            if row["coarse_conversion_value"]:
                kinds.append(("coarse", COARSE.index(row["coarse_conversion_value"])))
            for value in kinds:
                groups.setdefault(value, []).append(self.holds(row, life))
        every = all if self.same_value == "all" else any
        return [value for value, found in groups.items() if every(found)]

    def holds(self, row, life):
        hours = life.now // HOUR
        if hours < int(row["min_time_post_install"] or 0) or hours >= (int(row["max_time_post_install"] or 0) or math.inf):
            return False
        name = row["event_name"]
        if not name:
            return True
        if row["min_event_revenue"] or row["max_event_revenue"]:
            money = life.all_money() if name == "af_skad_revenue" else life.money(name)
            last = max(Decimal(other["max_event_revenue"]) for other in self.rows if other["event_name"] == name
                       and other["max_event_revenue"]
                       and other["postback_sequence_index"] == row["postback_sequence_index"])
            most = Decimal(row["max_event_revenue"])
            return Decimal(row["min_event_revenue"]) < money and (money <= most or most == last)
        count = life.count(name)
        if row["min_event_counter"] or row["max_event_counter"]:
            return int(row["min_event_counter"] or 0) < count <= int(row["max_event_counter"] or 10**9)
        return count >= 1


class Meta(Schema):
    def __init__(self, text):
        self.data = json.loads(text)["data"][0]
        rules = self.data["conversion_value_rules"] + [
            rule for each in self.data["coarse_cv_configs"] for rule in each["coarse_cv_rules"]]
        self.events = {event["event_name"] for rule in rules for event in rule["events"]}

    def holding(self, life):
        found = []
        if life.now < self.data["cutoff_time"] * DAY:
            found += [("fine", rule["conversion_value"]) for rule in self.data["conversion_value_rules"]
                      if self.holds(rule, life)]
        for each in self.data["coarse_cv_configs"]:
            is_over = each["postback_sequence_index"] == 1 and life.now >= self.data["cutoff_time"] * DAY
            if not is_over and each["postback_sequence_index"] - 1 == window(life.now):
                found += [("coarse", COARSE.index(rule["coarse_cv_value"])) for rule in each["coarse_cv_rules"]
                          if rule["coarse_cv_value"] != "none" and self.holds(rule, life)]
        return found

    def holds(self, rule, life):
        for event in rule["events"]:
            name = event["event_name"]
            if "values" not in event and not life.count(name, is_lifetime=True):
                return False
            for value in event.get("values", []):
                if life.money(name, is_lifetime=True) <= Decimal(str(value["amount"])):
                    return False
        return True


class TikTok(Schema):
    def __init__(self, text):
        self.postbacks = json.loads(text)["postbacks"]
        self.events = {event["event_name_report"] for postback in self.postbacks for kind in ("fine", "coarse")
                       for row in postback[kind] or [] for event in row["event_funnel"]}

    def holding(self, life):
        found = []
        for postback in self.postbacks:
            if postback["postback_index"] == window(life.now):
                found += [("fine", int(row["conversion_value"])) for row in postback["fine"] or []
                          if self.holds(row, life)]
                found += [("coarse", COARSE.index(row["conversion_value"])) for row in postback["coarse"]
                          if self.holds(row, life)]
        return found

    def holds(self, row, life):
        for event in row["event_funnel"]:
            name, least = event["event_name_report"], event["revenue_min"]
            if least == 0 and event["revenue_max"] == 0:
                if not life.count(name):
                    return False
            elif life.money(name, is_lifetime=True) <= Decimal(str(least)):
                return False
        return True


class GA4(Schema):
    """Fine and coarse value go together; they fall, too, where the rows of a window do not ascend."""

    def __init__(self, text):
        schema = json.loads(text)
        self.windows = []
        for key in ("postbackWindowOne", "postbackWindowTwo", "postbackWindowThree"):
            given = schema.get(key, {})
            if given.get("postbackWindowSettingsEnabled"):
                self.windows.append(given["conversionValues"])
            else:
                self.windows.append(self.windows[-1])
        self.events = {mapping["eventName"] for rows in self.windows for row in rows
                       for mapping in row["eventMappings"]}
        self.only_rises = all(
            list(values) == sorted(values, reverse=True) for number, rows in enumerate(self.windows)
            for values in ([row.get("fineValue", 0) if number == 0 else 0 for row in rows],
                           [row["coarseValue"].replace("HIGH", "Z") for row in rows]))

    def play(self, steps):
        life, values, locked = Life(), [(0, -1), (0, -1), (0, -1)], [False] * 3
        for step in steps:
            life.steps.append(step)
            number = window(life.now)
            row = None
            if not step.is_alone and number is not None and not locked[number]:
                row = next((row for row in self.windows[number] if self.holds(row, life)), None)
            if row is not None:
                new = (row["fineValue"] if number == 0 else 0,
                       COARSE.index(row["coarseValue"].removeprefix("COARSE_VALUE_").lower()))
                if new >= values[number] or not self.only_rises:
                    values[number] = new
                    locked[number] = row["lockEnabled"]
            yield values[0][0], [None if coarse < 0 else coarse for _, coarse in values]

    def holds(self, row, life):
        for mapping in row["eventMappings"]:
            name = mapping["eventName"]
            count, money = life.count(name), life.money(name)
            bounds = {key: Decimal(str(value)) for key, value in mapping.items() if key != "eventName"}
            if not bounds and count == 0:
                return False
            if count < bounds.get("minEventCount", 0) or count > bounds.get("maxEventCount", math.inf):
                return False
            is_about_money = "minEventValue" in bounds or "maxEventValue" in bounds
            least, end = bounds.get("minEventValue", 0), bounds.get("maxEventValue", math.inf)
            if is_about_money and not least <= money < end:
                return False
        return True


class Histories:
    """Random histories about the events and around the amounts of a schema, the same ones for the same seed."""

    def __init__(self, schema, amounts, seed):
        self.random = random.Random(seed)
        self.events = sorted(schema.events)
        self.amounts = [Decimal(amount) for amount in amounts]

    def amount(self):
        """One that comes close to the amounts of the schema, or brings a sum close to the next of them."""
        cents = Decimal(self.random.choice(["0", "0.01", "-0.01", "0.000000000001", "0.5"]))
        amount = self.random.choice(self.amounts) + cents
        if len(self.amounts) > 1 and self.random.random() < 0.5:
            amount -= self.random.choice(self.amounts)
        return abs(amount) if self.random.random() < 0.9 else -abs(amount)

    def history(self):
        steps, time = [], 0
        for _ in range(self.random.randrange(1, 16)):
            time += int(self.random.choice([60, HOUR, 5 * HOUR, DAY, 4 * DAY]) * self.random.random())
            if self.random.random() < 0.1:
                time = -(-time // HOUR) * HOUR
            step = Step(time, self.random.choice([None, "other", *3 * self.events]))
            if self.random.random() < 0.6:
                step.amount = self.amount()
                step.currency = self.random.choice(["USD"] * 9 + ["EUR"])
                step.is_alone = self.random.random() < 0.2
            steps.append(step)
        return steps
