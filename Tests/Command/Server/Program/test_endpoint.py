"""The endpoint over HTTP: the published requests, the answers' forms, the reasons.

Rules, "Endpoint requests", "Endpoint reasons", "Endpoint decisions".
"""

import json
import subprocess
import urllib.parse
import urllib.request

from server_tools import IDFA, IDFV, KEY, MIXED, NOW, SKAN3, ServeCase, items3, items4

REFERENCE4 = {
    "a": KEY, "p": "iOS", "i": "com.singular.app", "v": "16.1", "idfa": IDFA, "idfv": IDFV, "n": "sng_level_up",
    "app_v": "1.2.3", "skan_current_conversion_value": 3, "prev_fine_value": 1,
    "skan_first_call_to_skadnetwork_timestamp": NOW - 90_000, "skan_last_call_to_skadnetwork_timestamp": NOW - 60,
    "skan_total_revenue_by_currency": '{"USD":9.99}', "skan_total_admon_revenue_by_currency": '{"USD":1.2}',
    "p0_coarse": 0, "p0_prev_coarse_value": 0, "p0_total_iap_revenue": '{"USD":9.99}',
    "p0_total_admon_revenue": '{"USD":1.2}',
}


def java_encoded(items):
    """As java.net.URLEncoder writes values: `+` for a space, `*` as it is, `~` not."""
    def value(text):
        return urllib.parse.quote_plus(str(text), safe="*").replace("~", "%7E")
    return "&".join(f"{name}={value(text)}" for name, text in items.items())


class PublishedExamples(ServeCase):
    def expect_value(self, document):
        self.assertEqual(document["status"], "ok", document)
        self.assertIn(document["conversion_value"], range(64))
        self.assertIn(document["skan_updated_coarse_value"], range(3))
        self.assertEqual(document["postback_sequence_index"], 0)
        self.assertLessEqual(
            document.keys(),
            {"conversion_value", "skan_updated_coarse_value", "skan_updated_lock_window_value",
             "postback_sequence_index", "status"})

    def test_curl(self):
        server = self.serve("--model", MIXED)
        arguments = [part for name, value in REFERENCE4.items() for part in ("--data-urlencode", f"{name}={value}")]
        run = subprocess.run(
            ["curl", "-sS", "--get", "--fail", f"{server.url}/api/v2/conversion_value", *arguments],
            capture_output=True, check=True, timeout=60)
        self.expect_value(json.loads(run.stdout))

    def test_python(self):
        server = self.serve("--model", MIXED)
        query = urllib.parse.urlencode(REFERENCE4)
        with urllib.request.urlopen(f"{server.url}/api/v2/conversion_value?{query}", timeout=60) as answer:
            self.assertEqual(answer.status, 200)
            self.expect_value(json.load(answer))

    def test_every_encoding_decides_alike(self):
        """Also with the JSON as it is, which several published snippets send."""
        plain = "&".join(f"{name}={value}" for name, value in REFERENCE4.items())
        all_escaped = "&".join(
            "=".join("".join(f"%{byte:02x}" for byte in str(part).encode()) for part in item)
            for item in REFERENCE4.items())
        # An event that no rule names, and the same revenue.
        java = java_encoded(dict(REFERENCE4, n="level up *~", p0_total_iap_revenue='{"USD": 9.99}'))
        self.assertIn("%7B%22USD%22%3A+9.99%7D", java)
        queries = [java, plain, all_escaped, urllib.parse.urlencode(REFERENCE4) + "&&",
                   urllib.parse.urlencode(REFERENCE4, quote_via=urllib.parse.quote) + "&unknown=1&a%"]
        answers = set()
        for number, query in enumerate(queries):
            server = self.serve("--model", MIXED)
            answer = server.get(f"/api/v2/conversion_value?{query}")
            self.assertEqual((answer.status, answer.headers["content-type"]), (200, "application/json"))
            self.assertEqual(int(answer.headers["content-length"]), len(answer.body))
            self.expect_value(answer.document)
            answers.add(answer.body)
            server.stop()
        self.assertEqual(len(answers), 1, answers)

    def test_the_test_endpoint_is_there_without_a_model_of_skan_3_only(self):
        server = self.serve("--model", SKAN3)
        answer = server.ask(3, **items3(total_revenue_by_currency='{"USD":12.5}'))
        self.assertEqual(answer.document["status"], "ok")
        self.assertGreater(answer.document["conversion_value"], 0)


class Values(ServeCase):
    """What is decided, and whose the counts are, is in the core's EndpointTests, EndpointAnswerTests and
    EndpointLivesTests."""

    def test_counts_are_kept_by_user_and_app(self):
        rules = [{"fine": n, "when": {"sessions": {"min": n}}} for n in (1, 2, 3)]
        server = self.serve("--model", self.model("counts", *rules))

        def value(fine, **more):
            return server.ask(**items4(skan_current_conversion_value=fine, **more)).document.get("conversion_value")

        self.assertEqual([value(0), value(1), value(2)], [1, 2, 3])
        self.assertEqual(value(0, idfv="another"), 1)
        self.assertEqual(value(0, i="com.example.other"), 1)
        self.assertEqual(value(0, idfv=None, idfa=IDFV), 1)

    def test_old_users_stay_on_their_model(self):
        """A new model comes first; who began on the old one is decided by it, also by another server."""
        old, new = self.model("old", {"fine": 3, "when": {}}), self.model("new", {"fine": 9, "when": {}})
        store = self.sqlite("counts.db")
        first = self.serve("--model", old, "--store", store)
        self.assertEqual(first.ask(**items4(idfv="old")).document["conversion_value"], 3)
        first.stop()
        second = self.serve("--model", new, "--model", old, "--store", store)
        self.assertEqual(second.stores, f"counts of installs in {store}")
        self.assertEqual(second.ask(**items4(idfv="old")).document["conversion_value"], 3)
        self.assertEqual(second.ask(**items4(idfv="new")).document["conversion_value"], 9)
        second.stop()
        third = self.serve("--model", new, "--store", store)
        self.assertEqual(third.ask(**items4(idfv="old")).document["conversion_value"], 3)
        third.stop()
        # A store whose models somebody has deleted.
        with self.database("counts.db") as database:
            database.execute("DELETE FROM skan_records WHERE CAST(key AS TEXT) LIKE 'model/%'")
        fourth = self.serve("--model", new, "--store", store)
        self.assertEqual(fourth.ask(**items4(idfv="old")).reason,
                         "Conversion Management: Conversion Model not found for app: com.example.game")
        fourth.stop()
        self.assertIn("model_unknown", [line.get("outcome") for line in fourth.log()])

    def test_apps_have_models_of_their_own(self):
        own = self.model("own", {"fine": 40, "when": {}})
        server = self.serve("--model", MIXED, "--app", f"com.example.own={own}", "--app", f"com.spiel.größe={own}")
        for app in "com.example.own", "com.spiel.größe":
            self.assertEqual(server.ask(**items4(i=app)).document["conversion_value"], 40)
        for app in "com.example.game", "COM.EXAMPLE.OWN":
            self.assertNotEqual(server.ask(**items4(i=app)).document.get("conversion_value"), 40)
        # Names of items are as they are written.
        answer = server.get("/api/v2/conversion_value?I=com.example.own&" + urllib.parse.urlencode(items4(i="x")))
        self.assertNotEqual(answer.document.get("conversion_value"), 40)


class Reasons(ServeCase):
    def setUp(self):
        super().setUp()
        self.server = self.serve("--model", MIXED)

    def expect(self, reason, answer):
        self.assertEqual((answer.status, answer.document), (200, {"status": "error", "reason": reason}))
        self.assertEqual(answer.headers["content-type"], "application/json")

    def invalid(self, name, answer):
        self.expect(f"Conversion Management: Invalid parameter {name} given", answer)

    def test_no_items_and_too_many(self):
        self.invalid("a", self.server.get("/api/v2/conversion_value"))
        self.invalid("a", self.server.get("/api/v2/conversion_value?" + "x=1&" * 200))

    def test_items_there_twice(self):
        """The server looks at these itself, before the core does."""
        query = urllib.parse.urlencode(items4())
        for name, more in {"a": "a=", "i": "%69=x"}.items():
            self.invalid(name, self.server.get(f"/api/v2/conversion_value?{query}&{more}"))
            self.invalid(name, self.server.get(f"/api/v2/conversion_value?{more}&{query}"))

    def test_values_out_of_range(self):
        """Each by its own name; what else a value may not be is in the core's ImportTests and EndpointTests."""
        for name, values in {
            "skan_current_conversion_value": [64, "1.5"], "prev_fine_value": [64], "p1_coarse": [3],
            "p2_prev_coarse_value": [-1], "p0_window_lock": ["soon"], "p2_total_admon_revenue": ['{"USD":null}'],
            "skan_first_call_to_skadnetwork_timestamp": ["now"], "skan_last_call_to_skadnetwork_timestamp": ["true"],
            "skan_total_revenue_by_currency": ["{", "[]", '{"USD":"1"}', '{"USD":1,"USD":2}', "1"],
            "n": ["x" * 33, "é", "a\nb"], "i": ["x" * 300, "a/b", "a\x00b", b"\xff"],
        }.items():
            for value in values:
                with self.subTest(name=name, value=value):
                    self.invalid(name, self.server.ask(**items4(**{name: value})))

    def test_platform(self):
        for platform in "Android", "i", "iOSx", "ios ", "tvOS":
            self.expect("Unknown platform error - Non iOS platform", self.server.ask(**items4(p=platform)))
        for platform in "ios", "IOS":
            self.assertEqual(self.server.ask(**items4(p=platform)).document["status"], "ok")

    def test_after_the_last_window(self):
        for age, days in {3_024_000: 35, 3_110_399: 35, 3_110_400: 36}.items():
            first = NOW - age
            answer = self.server.ask(**items4(skan_first_call_to_skadnetwork_timestamp=first,
                                              skan_last_call_to_skadnetwork_timestamp=first))
            self.expect(f"Invalid measurement period: {days}", answer)

    def test_skan_3_after_24_hours(self):
        for age, hours in {86_400: 24, 93_599: 25, 360_000: 100}.items():
            answer = self.server.ask(3, **items3(first_call_to_skadnetwork_timestamp=NOW - age,
                                                 last_call_to_skadnetwork_timestamp=NOW - age))
            self.expect("More than 24 hours have past since last conversion update "
                        f"({hours} hours), the update window is closed", answer)

    def test_no_model(self):
        server = self.serve("--app", f"com.example.only={SKAN3}", "--app", f"com.example.only={MIXED}")
        for version, items in (4, items4), (3, items3):
            self.assertEqual(server.ask(version, **items(i="com.example.only")).document["status"], "ok")
            for app in "com.example.game", 'quoted"\\', "größe 🎮":
                self.expect(f"Conversion Management: Conversion Model not found for app: {app}",
                            server.ask(version, **items(i=app)))
            for app in "x" * 300, b"\xff", "a\x00b":
                self.invalid("i", server.ask(version, **items(i=app)))
