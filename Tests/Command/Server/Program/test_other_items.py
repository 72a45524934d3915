"""A client of the endpoint that names the OS version `ve` and its user `sing`, and what it reads in answers.

A browser for iOS asks in this way, through a back end of its own. It keeps what it was told and sends it again, has no
totals of revenue, and reports an error of the last answer as `_skerror`. Rules, "Endpoint requests", "Endpoint users".
"""

import json

from server_tools import IDFV, KEY, NOW, ServeCase, items3, items4

SING = "0B7C3C1E-6A55-4C0B-9E0E-6B0F6D1B2C3D"
DAY = 86_400
COARSE = {0: [0, 0, 1, 1, 2], 1: [0, 0, 1], 2: [0, 1]}


class Browser:
    """What the client keeps, and how it reads answers."""

    def __init__(self, server, **user):
        self.server = server
        self.items = {"a": KEY, "i": "com.example.browser", "app_v": "120.0", "p": "iOS", "ve": "17.4", **user}
        self.kept = {}
        self.updates = []  # what it tells Apple

    def register(self, now):
        self.kept = {"skan_current_conversion_value": 0, "skan_first_call_to_skadnetwork_timestamp": now,
                     "skan_last_call_to_skadnetwork_timestamp": now}

    def ask(self, name, now):
        self.server.at(now)
        answer = self.server.ask(n=name, **self.items, **self.kept)
        assert answer.status == 200, answer
        self.read(answer.document, now)
        return answer.document

    def read(self, answer, now):
        self.kept.pop("_skerror", None)
        if answer["status"] != "ok":
            self.kept["_skerror"] = answer["reason"]
            return
        if "conversion_value" not in answer:
            assert answer == {"status": "ok"}, answer
            return
        window, coarse = answer["postback_sequence_index"], answer.get("skan_updated_coarse_value")
        self.updates.append((window, answer["conversion_value"], coarse))
        self.kept["skan_last_call_to_skadnetwork_timestamp"] = now
        if window == 0:
            self.kept["prev_fine_value"] = self.kept["skan_current_conversion_value"]
            self.kept["skan_current_conversion_value"] = answer["conversion_value"]
        if coarse is not None:
            if f"p{window}_coarse" in self.kept:
                self.kept[f"p{window}_prev_coarse_value"] = self.kept[f"p{window}_coarse"]
            self.kept[f"p{window}_coarse"] = coarse


class OtherItems(ServeCase):
    def begin(self):
        def sessions(window):
            return [{"coarse": coarse, "when": {"sessions": {"min": count}}}
                    for count, coarse in enumerate(COARSE[window], 1)]
        first = [{"fine": count, **rule} for count, rule in enumerate(sessions(0), 1)]
        first.append({"fine": 9, "coarse": 2, "when": {"events": [{"name": "default_browser"}]}})
        model = {"schema": 1, "id": "browser",
                 "windows": [{"rules": first}, {"rules": sessions(1)}, {"rules": sessions(2)}]}
        self.file("model.json").write_text(json.dumps(model))
        return self.serve("--model", self.file("model.json"), "--store", self.sqlite("users.db"))

    def test_a_life_of_35_days(self):
        browser = Browser(self.begin(), sing=SING)
        browser.register(NOW)
        right = []
        for hour, fine, coarse in ((1, 1, 0), (5, 2, 0), (9, 3, 1)):
            self.assertEqual(browser.ask("__SESSION__", NOW + 3600 * hour), {
                "conversion_value": fine, "skan_updated_coarse_value": coarse, "postback_sequence_index": 0,
                "status": "ok"})
            right.append((0, fine, coarse))
        # No rule asks for a search, and nothing else changed.
        self.assertEqual(browser.ask("search", NOW + 3600 * 10), {"status": "ok"})
        browser.ask("default_browser", NOW + 3600 * 20)
        right.append((0, 9, 2))
        self.assertEqual(browser.ask("__SESSION__", NOW + 3600 * 30), {"status": "ok"})
        for day in range(2, 35):
            window, count = (1, day - 1) if day < 7 else (2, day - 6)
            before = browser.kept.get(f"p{window}_coarse")
            answer = browser.ask("__SESSION__", NOW + day * DAY + 60)
            coarse = COARSE[window][min(count, len(COARSE[window])) - 1]
            if coarse == before:
                self.assertEqual(answer, {"status": "ok"}, day)
            else:
                # In later windows the fine value is the one that the install has.
                self.assertEqual(answer, {"conversion_value": 9, "skan_updated_coarse_value": coarse,
                                          "postback_sequence_index": window, "status": "ok"}, day)
                right.append((window, 9, coarse))
        self.assertEqual(browser.updates, right)
        for day in (35, 36):
            reason = f"Invalid measurement period: {day}"
            self.assertEqual(browser.ask("__SESSION__", NOW + day * DAY), {"status": "error", "reason": reason})
            self.assertEqual(browser.kept["_skerror"], reason)
        self.assertEqual(browser.updates, right)

    def test_an_error_that_it_reports_changes_nothing(self):
        browser = Browser(self.begin(), sing=SING)
        browser.register(NOW)
        browser.kept["_skerror"] = "Error Domain=SKANErrorDomain Code=10 \"(null)\" {\n}"
        self.assertEqual(browser.ask("__SESSION__", NOW + 60)["conversion_value"], 1)

    def test_each_kind_of_id_is_a_user_of_its_own(self):
        server = self.begin()
        kinds = [{"idfv": SING}, {"idfa": SING}, {"sing": SING}, {"sdid": SING}, {"custom_user_id": SING}]
        for user in kinds:
            browser = Browser(server, **user)
            browser.register(NOW)
            values = [browser.ask("__SESSION__", NOW + 60 * minute).get("conversion_value") for minute in (1, 2)]
            self.assertEqual(values, [1, 2], user)
        prefixes = sorted(key.decode().partition("/")[0] for key in self.records("users.db") if key.startswith(b"v"))
        self.assertEqual(prefixes, ["v2", "v2-custom_user_id", "v2-idfa", "v2-sdid", "v2-sing"])

    def test_the_first_of_several_ids_counts(self):
        server = self.begin()
        order = ("idfv", "idfa", "sing", "sdid", "custom_user_id")
        zeros = "00000000-0000-0000-0000-000000000000"
        for place in range(len(order)):
            user = {name: zeros if number < place else f"{SING[:-1]}{place}" for number, name in enumerate(order)}
            server.ask(**items4(**user))
        prefixes = {key.decode().partition("/")[0] for key in self.records("users.db") if key.startswith(b"v")}
        self.assertEqual(prefixes, {"v2", *(f"v2-{name}" for name in order[1:])})

    def test_what_is_still_refused(self):
        server = self.begin()
        for items, named in (({"v": None}, "v"), ({"v": None, "ve": "1\x01"}, "ve"), ({"idfv": None}, "idfv"),
                             ({"idfv": None, "sing": "x" * 257}, "sing"), ({"idfv": None, "sdid": "x" * 120}, "sdid")):
            reason = server.ask(**items4(**items)).reason
            self.assertEqual(reason, f"Conversion Management: Invalid parameter {named} given")

    def test_skan_3_takes_them_too(self):
        server = self.serve("--any-key")
        for value in (0, 1, 2, ""):
            document = server.ask(3, **items3(idfv=None, custom_user_id=IDFV)).document
            self.assertEqual(document["conversion_value"], value)
