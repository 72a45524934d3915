"""Random schemas in vendors' forms, the same ones for the same seed."""

import json
import random

EVENTS = ["buy", "win", "join"]
COARSE = ["low", "medium", "high"]
COLUMNS = ("app_id,conversion_value,event_name,min_event_counter,max_event_counter,min_event_revenue,max_event_revenue,"
           "min_time_post_install,max_time_post_install,last_config_change,postback_sequence_index,"
           "coarse_conversion_value,lock_window_type,lock_window_time\n")


class Schemas:
    """One random schema after the other, as text."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def chance(self, probability):
        return self.random.random() < probability

    def amount(self, least=0):
        return self.random.randrange(least, 40) / 4

    # AppsFlyer

    def row(self, window, values):
        name = self.random.choice(["af_skad_revenue", "", *EVENTS])
        counter, revenue = ("", ""), ("", "")
        if name == "af_skad_revenue" or (name and self.chance(0.5)):
            least = self.amount()
            revenue = (least, least + self.amount(1))
            counter = self.random.choice([(0, 1), ("", "")])
        elif name:
            least = self.random.randrange(4)
            counter = self.random.choice([(least, least + self.random.randrange(1, 4)), (least, ""), ("", least + 1),
                                          ("", "")])
        least = self.random.choice([0, 0, 5, 48 if window else 0])
        most = self.random.choice([0, "", 60, least + self.random.randrange(1, 200)])
        has_fine = window == 0 and self.chance(0.75)
        fine = values.pop() if has_fine else ""
        coarse = self.random.choice(["", "", *COARSE] if has_fine else COARSE)
        return (f"id1,{fine},{name},{counter[0]},{counter[1]},{revenue[0]},{revenue[1]},{least},{most},"
                f"2026-02-03 04:05:06,{window},{coarse},,\n")

    def appsflyer(self):
        """Rows in any order, of which several may have one coarse value."""
        values = list(range(64))
        self.random.shuffle(values)
        rows = [self.row(window, values) for window in range(3) if window == 0 or self.chance(0.5)
                for _ in range(self.random.randrange(1, 12))]
        self.random.shuffle(rows)
        return COLUMNS + "".join(rows)

    # Meta

    def metas_events(self):
        return [{"event_name": name, **({"values": [{"currency": "USD", "amount": self.amount()}]}
                                        if self.chance(0.5) else {})}
                for name in self.random.sample(EVENTS, self.random.randrange(3))]

    def meta(self):
        fine = [{"conversion_value": self.random.randrange(64), "events": self.metas_events()}
                for _ in range(self.random.randrange(1, 9))]
        coarse = [{"postback_sequence_index": number, "coarse_cv_rules": [
            {"coarse_cv_value": self.random.choice(["none", *COARSE]), "events": self.metas_events()}
            for _ in range(self.random.randrange(4))]} for number in (1, 2, 3)]
        return json.dumps({"data": [{"cutoff_time": self.random.randrange(1, 5), "default_currency": "USD",
                                     "conversion_value_rules": fine, "coarse_cv_configs": coarse}]})

    # TikTok

    def tiktoks_events(self):
        return [{"event_name_report": name, "revenue_min": least, "revenue_max": least and least + 1}
                for name in self.random.sample(EVENTS, self.random.randrange(1, 3))
                for least in [self.random.choice([0, self.amount()])]]

    def tiktok(self):
        def rows(values):
            return [{"conversion_value": value, "event_funnel": self.tiktoks_events()} for value in values]

        return json.dumps({"currency": "USD", "postbacks": [{
            "postback_index": number,
            "fine": rows(str(self.random.randrange(64)) for _ in range(6)) if number == 0 else None,
            "coarse": rows(self.random.choices(COARSE, k=self.random.randrange(4)))} for number in range(3)]})

    # GA4

    def mapping(self, name):
        made = {"eventName": name}
        if self.chance(0.5):
            made["minEventCount"] = self.random.randrange(3)
        if self.chance(0.3):
            made["maxEventCount"] = made.get("minEventCount", 0) + self.random.randrange(4)
        if self.chance(0.3):
            made["minEventValue"] = self.amount()
        if self.chance(0.2):
            made["maxEventValue"] = made.get("minEventValue", 0) + self.amount(1)
        return made

    def ga4(self):
        """In about half of the windows the values do not ascend."""
        def rows(is_first):
            count = self.random.randrange(1, 7)
            fine, coarse = self.random.sample(range(64), count), self.random.choices(range(3), k=count)
            if self.chance(0.6):
                fine.sort(reverse=True)
                coarse.sort(reverse=True)
            return [{**({"fineValue": fine[number]} if is_first else {}),
                     "coarseValue": f"COARSE_VALUE_{COARSE[coarse[number]].upper()}",
                     "eventMappings": [self.mapping(name) for name
                                       in self.random.sample(EVENTS, self.random.randrange(1, 4))],
                     "lockEnabled": self.chance(0.1)} for number in range(count)]

        windows = {"postbackWindowOne": rows(True)}
        windows.update({key: rows(False) for key in ("postbackWindowTwo", "postbackWindowThree") if self.chance(0.7)})
        return json.dumps({key: {"conversionValues": made, "postbackWindowSettingsEnabled": True}
                           for key, made in windows.items()})
