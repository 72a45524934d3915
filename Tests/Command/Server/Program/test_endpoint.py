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

    def test_raw_http(self):
        server = self.serve("--model", MIXED)
        answer = server.ask(**REFERENCE4)
        self.assertEqual((answer.status, answer.headers["content-type"]), (200, "application/json"))
        self.assertEqual(int(answer.headers["content-length"]), len(answer.body))
        self.expect_value(answer.document)

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

    def test_java(self):
        server = self.serve("--model", MIXED)
        spaced = dict(REFERENCE4, n="level up *~", p0_total_iap_revenue='{"USD": 9.99, "EUR": 1.5}')
        encoded = java_encoded(spaced)
        self.assertIn("%7B%22USD%22%3A+9.99%2C+%22EUR%22%3A+1.5%7D", encoded)
        self.expect_value(server.get(f"/api/v2/conversion_value?{encoded}").document)

    def test_every_encoding_decides_alike(self):
        """Also with the JSON as it is, which several published snippets send."""
        plain = "&".join(f"{name}={value}" for name, value in REFERENCE4.items())
        all_escaped = "&".join(
            "=".join("".join(f"%{byte:02x}" for byte in str(part).encode()) for part in item)
            for item in REFERENCE4.items())
        queries = [java_encoded(REFERENCE4), plain, all_escaped, urllib.parse.urlencode(REFERENCE4) + "&&",
                   urllib.parse.urlencode(REFERENCE4, quote_via=urllib.parse.quote) + "&unknown=1&a%"]
        answers = set()
        for number, query in enumerate(queries):
            server = self.serve("--model", MIXED)
            answer = server.get(f"/api/v2/conversion_value?{query}")
            self.expect_value(answer.document)
            answers.add(answer.body)
            server.stop()
        self.assertEqual(len(answers), 1, answers)

    def test_three_events_of_the_test_endpoint(self):
        server = self.serve()
        for key in [{"a": None}, {}]:
            user = {"idfv": f"user-{len(key)}", **key}
            got = [server.ask(3, **items3(**user)) for _ in range(5)]
            self.assertEqual(
                [answer.body for answer in got],
                [b'{"conversion_value":0,"status":"ok"}', b'{"conversion_value":1,"status":"ok"}',
                 b'{"conversion_value":2,"status":"ok"}'] + [b'{"conversion_value":"","status":"ok"}'] * 2)

    def test_the_test_endpoint_is_there_without_a_model_of_skan_3_only(self):
        server = self.serve("--model", SKAN3)
        answer = server.ask(3, **items3(total_revenue_by_currency='{"USD":12.5}'))
        self.assertEqual(answer.document["status"], "ok")
        self.assertGreater(answer.document["conversion_value"], 0)


class Values(ServeCase):
    def test_counts_are_kept_by_user_and_app(self):
        rules = [{"fine": n, "when": {"sessions": {"min": n}}} for n in (1, 2, 3)]
        server = self.serve("--model", self.model("counts", windows=[{"rules": rules}, {"rules": []}, {"rules": []}]))

        def value(fine, **more):
            return server.ask(**items4(skan_current_conversion_value=fine, **more)).document.get("conversion_value")

        self.assertEqual([value(0), value(1), value(2)], [1, 2, 3])
        self.assertEqual(value(0, idfv="another"), 1)
        self.assertEqual(value(0, i="com.example.other"), 1)
        # idfv is who it is, idfa where there is none, and an id of zeros is nobody's.
        self.assertEqual(value(1, idfa=IDFA), 3)
        self.assertEqual(value(0, idfv=None, idfa=IDFA), 1)
        self.assertEqual(value(1, idfv="00000000-0000-0000-0000-000000000000", idfa=IDFA), 2)
        # The same text as idfv is another user.
        self.assertEqual(value(0, idfv=IDFA), 1)
        self.assertEqual(value(2, idfv=None, idfa=IDFA), 3)
        # The same user with another first call has installed the app again.
        self.assertEqual(value(0, skan_first_call_to_skadnetwork_timestamp=NOW - 60,
                               skan_last_call_to_skadnetwork_timestamp=NOW - 60), 1)

    def test_locks_and_later_windows(self):
        coarse = {"rules": [{"coarse": 1, "lock": True, "when": {}}]}
        rules = [{"fine": 5, "coarse": 1, "lock": True, "when": {}}]
        server = self.serve("--model", self.model("locks", windows=[{"rules": rules}, coarse, coarse]))
        self.assertEqual(server.ask(**items4()).body, b'{"conversion_value":5,"skan_updated_coarse_value":1,'
                         b'"skan_updated_lock_window_value":true,"postback_sequence_index":0,"status":"ok"}')
        self.assertEqual(server.ask(**items4(p0_window_lock=NOW - 5, skan_current_conversion_value=5)).body,
                         b'{"status":"ok"}')
        for days, window in (3, 1), (8, 2):
            first = NOW - days * 86_400
            answer = server.ask(**items4(skan_current_conversion_value=7,
                                         skan_first_call_to_skadnetwork_timestamp=first,
                                         skan_last_call_to_skadnetwork_timestamp=first))
            self.assertEqual(answer.document, {
                "conversion_value": 7, "skan_updated_coarse_value": 1, "skan_updated_lock_window_value": True,
                "postback_sequence_index": window, "status": "ok"})

    def test_no_new_value(self):
        server = self.serve("--model", self.model("none"))
        self.assertEqual(server.ask(**items4()).body, b'{"status":"ok"}')

    def test_old_users_stay_on_their_model(self):
        """A new model comes first; who began on the old one is decided by it, also by another server."""
        old = self.model("old", windows=[{"rules": [{"fine": 3, "when": {}}]}, {"rules": []}, {"rules": []}])
        new = self.model("new", windows=[{"rules": [{"fine": 9, "when": {}}]}, {"rules": []}, {"rules": []}])
        store = f"sqlite:{self.folder / 'counts.db'}"
        first = self.serve("--model", old, "--store", store)
        self.assertEqual(first.ask(**items4(idfv="old")).document["conversion_value"], 3)
        first.stop()
        second = self.serve("--model", new, "--model", old, "--store", store)
        self.assertEqual(second.store, store)
        self.assertEqual(second.ask(**items4(idfv="old")).document["conversion_value"], 3)
        self.assertEqual(second.ask(**items4(idfv="new")).document["conversion_value"], 9)
        second.stop()
        third = self.serve("--model", new, "--store", store)
        self.assertEqual(third.ask(**items4(idfv="old")).reason,
                         "Conversion Management: Conversion Model not found for app: com.example.game")
        self.assertIn("model_unknown", [line.get("outcome") for line in self.log_of(third)])

    def log_of(self, server):
        server.stop()
        return server.log()

    def test_apps_have_models_of_their_own(self):
        rules = [{"fine": 40, "when": {}}]
        own = self.model("own", windows=[{"rules": rules}, {"rules": []}, {"rules": []}])
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

    def test_required_items(self):
        for name in items4().keys() - {"skan_last_call_to_skadnetwork_timestamp"}:
            self.invalid(name, self.server.ask(**items4(**{name: None})))
            self.invalid(name, self.server.ask(**items4(**{name: ""})))
        self.invalid("a", self.server.get("/api/v2/conversion_value"))
        self.invalid("a", self.server.get("/api/v2/conversion_value?" + "x=1&" * 200))

    def test_values_out_of_range(self):
        for name, values in {
            "skan_current_conversion_value": [64, -1, "x", "1.5", "1" * 60],
            "prev_fine_value": [64, "{}"], "p1_coarse": [3, "low"], "p2_prev_coarse_value": [-1],
            "p0_window_lock": ["soon"], "skan_first_call_to_skadnetwork_timestamp": ["9" * 30, "now"],
            "skan_last_call_to_skadnetwork_timestamp": ["true"],
            "skan_total_revenue_by_currency": ["{", "[]", '{"USD":"1"}', '{"us":1}', '{"USD":1,"USD":2}', "1",
                                               '{"USD":1e30}'],
            "p2_total_admon_revenue": ['{"USD":null}'],
            "n": ["x" * 33, "é", "a\x00b", "a\nb"], "i": ["x" * 300, "a/b", "a\x00b", b"\xff", "x" * 124],
            "idfv": ["\x1b", "x" * 120], "a": ["x" * 257], "app_v": [b"\xc3"],
        }.items():
            for value in values:
                with self.subTest(name=name, value=value):
                    self.invalid(name, self.server.ask(**items4(**{name: value})))

    def test_items_there_twice_or_broken(self):
        query = urllib.parse.urlencode(items4())
        for name, more in {"a": "a=", "n": "n=other", "i": "%69=x", "idfv": "idfv=%4"}.items():
            self.invalid(name, self.server.get(f"/api/v2/conversion_value?{query}&{more}"))
            self.invalid(name, self.server.get(f"/api/v2/conversion_value?{more}&{query}"))
        for value in "%", "%g0", "%0", "a%%20":
            rest = urllib.parse.urlencode(items4(n=None))
            self.invalid("n", self.server.get(f"/api/v2/conversion_value?n={value}&{rest}"))

    def test_platform(self):
        for platform in "Android", "i", "iOSx", "ios ", "tvOS":
            self.expect("Unknown platform error - Non iOS platform", self.server.ask(**items4(p=platform)))
        for platform in "ios", "IOS", "iOS":
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
            self.invalid("i", server.ask(version, **items(i="x" * 300)))
            self.invalid("i", server.ask(version, **items(i=b"\xff")))
            self.invalid("i", server.ask(version, **items(i="a\x00b")))
