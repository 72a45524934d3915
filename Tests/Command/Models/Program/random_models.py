"""Random models, the same ones for the same seed. Some of them are refused: their conditions come as they fall."""

import random

EVENTS = ["win", "buy", "join", "share \"it\"", "level_10"]


class Models:
    """One random model after the other."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def chance(self, probability):
        return self.random.random() < probability

    def bounds(self, least, most, step=1, keys=("min", "max")):
        """A range with a min, a max, or both."""
        first, last = sorted(self.random.sample(range(least, most), 2))
        given = {keys[0]: first * step, keys[1]: last * step}
        left_out = self.random.choice([None, keys[0], keys[1], keys[1]])
        given.pop(left_out, None)
        return given

    def events(self):
        return self.random.sample(EVENTS, self.random.choice([1, 1, 1, 2, 3]))

    def measure(self, protocol):
        made = {self.random.choice(["count", "sum", "sum", "days"]): self.events()}
        if self.chance(0.3):
            made["scope"] = self.random.choice(["window", "lifetime"])
        if self.chance(0.3):
            made["kind"] = self.random.choice(["all", "iap"] if protocol == 3 else ["all", "iap", "ad"])
        if self.chance(0.3):
            made["amount"] = self.random.choice([{}, {"min": -1.5}, self.bounds(-5, 20, 0.25)])
        if self.chance(0.3):
            made.update(self.random.choice([{"day": self.bounds(0, 5)}, {"hours": self.bounds(0, 100)}]))
        return made

    def when(self, protocol, measures):
        made = {}
        if self.chance(0.4):
            made["events"] = [{"name": name, **self.bounds(0, 6, keys=("min_count", "max_count"))}
                              for name in self.events()]
        if self.chance(0.3):
            kinds = ["iap", "all"] if protocol == 3 else ["iap", "ad", "all"]
            listed = [{"kind": kind, "scope": self.random.choice(["window", "lifetime"]), **self.bounds(-2, 40, 0.125)}
                      for kind in self.random.sample(kinds, self.random.choice([1, 1, 2]))]
            made["revenue"] = listed if len(listed) > 1 or self.chance(0.3) else listed[0]
        if self.chance(0.3):
            made["sessions"] = self.random.choice([{}, self.bounds(0, 9)])
        if self.chance(0.3):
            made.update(self.random.choice([{"day": self.bounds(0, 7)}, {"hours": self.bounds(0, 200)}]))
        if measures and self.chance(0.4):
            made["measures"] = [{"name": name, **self.bounds(0, 9)}
                                for name in self.random.sample(sorted(measures),
                                                               self.random.randrange(len(measures)) + 1)]
        return made

    def rules(self, protocol, measures, keys):
        count = self.random.randrange(5)
        values = {key: sorted(self.random.choices(range(64 if key == "fine" else 3), k=count)) for key in keys}
        made = [{**{key: values[key][number] for key in keys}, "when": self.when(protocol, measures)}
                for number in range(count)]
        for rule in made:
            if protocol == 4 and self.chance(0.15):
                rule["lock"] = True
        return made

    def model(self):
        """A model with any words of the language but digits."""
        protocol = 3 if self.chance(0.15) else 4
        names = ["m", "money spent", "\"x\""][:self.random.randrange(4)]
        measures = {name: self.measure(protocol) for name in names}
        is_separate = protocol == 4 and self.chance(0.3)
        first = {"rules": self.rules(protocol, measures, ["fine"] if protocol == 3 or is_separate or self.chance(0.2)
                                     else ["fine", "coarse"])}
        if is_separate:
            first["coarse_rules"] = self.rules(protocol, measures, ["coarse"])
        later = [{"rules": self.rules(protocol, measures, ["coarse"])} for _ in range(2)]
        made = {"schema": 1, "id": f"random \"{self.random.randrange(1000)}\"", "protocol": protocol,
                "currency": self.random.choice(["USD", "EUR"]), "raise_only": not self.chance(0.2),
                "windows": [first] + (later if protocol == 4 else [])}
        if self.chance(0.3):
            made["rates"] = {"JPY": "0.0067", "GBP": "1.27"}
        if measures:
            made["measures"] = measures
        return made

    def model_of_one_event_each(self):
        """A model of counts and sums of events, which GA4's schema says whole."""
        measures = {f"sum {name}": {"sum": [name]} for name in EVENTS}

        def rules(keys):
            made = self.rules(4, {}, keys)
            for rule in made:
                names = self.events()
                counted, paid = [(names, []), ([], names), (names, names)][self.random.randrange(3)]
                when = {"events": [{"name": name, **self.bounds(0, 6, keys=("min_count", "max_count"))}
                                   for name in counted],
                        "measures": [{"name": f"sum {name}", **self.bounds(0, 30, 0.25)} for name in paid]}
                rule["when"] = {key: value for key, value in when.items() if value}
            return made

        return {"schema": 1, "id": "one event each", "measures": measures, "windows": [
            {"rules": rules(["fine", "coarse"])}, {"rules": rules(["coarse"])}, {"rules": rules(["coarse"])}]}
