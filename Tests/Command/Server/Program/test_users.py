"""Users are bounded: how many there are in memory, what is kept of each, and who may ask at all."""

import os
import time
from unittest import mock

from server_tools import KEY, MIXED, NOW, SECRETS, ServeCase, items3, items4, request_of, value_path
from tools import skan

OTHER_KEY = "sdkey_77aa0b1c2d3e"
SECRETS.append(OTHER_KEY)
REVENUE = '{"USD":123.45,"EUR":6.78}'


class UserCase(ServeCase):
    def counting(self, *options, **more):
        """Fine value 1 for the second event of a user, 0 for the first."""
        rules = [{"fine": number, "when": {"sessions": {"min": number + 1}}} for number in range(10)]
        return self.serve("--model", self.model("counting", *rules), *options, **more)

    def seen(self, server, user, **more):
        """How often the user was counted, this time among them."""
        return server.ask(**{**items4(idfv=user), **more}).document


class Bounded(UserCase):
    def sessions(self, server, user):
        document = self.seen(server, user)
        return document.get("conversion_value", 0) + 1

    def test_who_was_seen_the_longest_ago_goes_first(self):
        server = self.counting("--max-users", 3)
        for user in "a", "b", "c", "a":
            self.sessions(server, user)
        self.assertEqual(self.sessions(server, "d"), 1)
        self.assertEqual(self.sessions(server, "a"), 3)
        self.assertEqual(self.sessions(server, "c"), 2)
        # It had to make room for d.
        self.assertEqual(self.sessions(server, "b"), 1)
        metrics = server.metrics()
        self.assertEqual((metrics["skan_users", ""], metrics["skan_users_gone_total", ""]), (3, 2))

    def test_those_of_a_store_are_bounded_too(self):
        server = self.counting("--store", self.sqlite("counts.db"), "--max-users", 100)
        for number in range(150):
            server.at(NOW + number * 3600)
            self.seen(server, f"u{number}")
        self.eventually(lambda: len(self.users("counts.db")) <= 100)
        left = set(self.users("counts.db"))
        self.assertLessEqual({b"v2/com.example.game/u%d" % number for number in range(60, 150)}, left)
        self.eventually(lambda: server.metrics()["skan_users", ""] <= 100)
        self.assertGreaterEqual(server.metrics()["skan_users_gone_total", ""], 50)
        server.stop()
        self.assertIn("users", [line["event"] for line in server.log()])

    def test_memory_stays(self):
        """Seen: 8.5 KB for each new user."""
        # AddressSanitizer keeps what was freed, for a while.
        with mock.patch.dict(os.environ, ASAN_OPTIONS="quarantine_size_mb=0:thread_local_quarantine_size_kb=0"):
            server = self.counting("--max-users", 2000, "--log", "nothing")
        tables = {f"p{n}_total_{kind}_revenue": "{" + ",".join(f'"{chr(65 + i)}AA":{i}.123456' for i in range(26)) + "}"
                  for n in range(3) for kind in ("iap", "admon")}
        with server.connect() as client:
            for part in range(3):
                for number in range(2000):
                    client.sendall(request_of(value_path(idfv=f"user-{part}-{number}", **tables)))
                    self.assertIn(b'"ok"', client.recv(65536))
                if part == 0:
                    before = server.memory()
        self.assertLess(server.memory() - before, 2000)
        self.assertEqual(server.metrics()["skan_users", ""], 2000)

    def test_counts_are_kept_and_nothing_else(self):
        store = self.sqlite("counts.db")
        server = self.counting("--store", store)
        more = {"p0_total_iap_revenue": REVENUE, "skan_total_revenue_by_currency": REVENUE, "p0_coarse": 1,
                "prev_fine_value": 5}
        for _ in range(3):
            document = self.seen(server, "user", **more)
        self.assertEqual(document["conversion_value"], 2)
        [record] = self.users("counts.db").values()
        self.assertLess(len(record), 200)
        shown = self.succeeded(skan("show", "--json", store, "v2/com.example.game/user")).out
        for told in "123.45", "6.78", "USD":
            self.assertNotIn(told, shown)

    def test_purge_goes_by_when_a_user_was_seen(self):
        today = int(time.time())
        store = self.sqlite("counts.db")
        server = self.counting("--store", store, now=today - 20 * 86_400)

        def called(days):
            return {f"skan_{call}_call_to_skadnetwork_timestamp": today - days * 86_400 for call in ("first", "last")}

        first = called(37)
        for user in "gone", "seen":
            self.seen(server, user, **first)
        # Its windows are open until day 35.
        self.seen(server, "open", **called(20))
        server.at(today - 5 * 86_400)
        self.seen(server, "seen", **first, n="unknown_event")
        purged = self.succeeded(skan("purge", store, "--closed-before", 10))
        self.assertIn("3 records read, 1 removed", purged.out)
        self.assertEqual(set(self.users("counts.db")), {b"v2/com.example.game/seen", b"v2/com.example.game/open"})


class Requests(UserCase):
    def test_a_first_call_that_is_yet_to_come(self):
        server = self.serve("--model", MIXED)
        for ahead, name in (61, "first"), (10**9, "first"), (3600, "last"):
            for version, items, start in (4, items4, "skan_"), (3, items3, ""):
                item = f"{start}{name}_call_to_skadnetwork_timestamp"
                answer = server.ask(version, **items(**{item: NOW + ahead}))
                self.assertEqual(answer.reason, f"Conversion Management: Invalid parameter {item} given")
        self.assertEqual(self.seen(server, "u", skan_first_call_to_skadnetwork_timestamp=NOW + 30,
                                   skan_last_call_to_skadnetwork_timestamp=NOW + 30)["status"], "ok")

    def test_head_never_counts(self):
        server = self.counting()
        path = value_path(idfv="u")
        for _ in range(3):
            answer = server.get(path, "HEAD")
            self.assertEqual((answer.status, answer.headers["allow"]), (405, "GET"))
        # The first session is no new value, the second one would be.
        self.assertEqual(server.get(path).document, {"status": "ok"})

    def test_nothing_is_to_be_stored_on_the_way(self):
        server = self.serve("--model", MIXED)
        for answer in server.ask(**items4()), server.get("/nowhere"), server.get("/healthz"):
            self.assertEqual(answer.headers["cache-control"], "no-store")


class Keys(UserCase):
    def key_file(self, key):
        return f"file:{self.secret(f'file-{len(list(self.folder.iterdir()))}', key)}"

    def refused(self, server, **items):
        answer = server.ask(**items4(**items))
        self.assertEqual(answer.document, {"status": "error",
                                           "reason": "Conversion Management: Invalid parameter a given"})

    def test_a_key_of_every_app(self):
        server = self.serve("--model", MIXED, "--key", self.key_file(KEY))
        self.assertEqual(server.ask(**items4()).document["status"], "ok")
        for key in "", "x", KEY[:-1], KEY + "x", KEY.upper(), KEY + "\0", "x" * 300, None:
            self.refused(server, a=key)

    def test_a_key_of_an_app(self):
        server = self.serve("--model", MIXED, "--key", self.key_file(KEY),
                            "--key", f"com.example.other={self.key_file(OTHER_KEY)}")
        for app, key in ("com.example.game", KEY), ("com.example.other", OTHER_KEY):
            self.assertEqual(server.ask(**items4(i=app, a=key)).document["status"], "ok")
        self.refused(server, i="com.example.other", a=KEY)
        self.refused(server, i="com.example.game", a=OTHER_KEY)
        only = self.serve("--model", MIXED, "--key", f"com.example.other={self.key_file(OTHER_KEY)}")
        self.refused(only, i="com.example.game", a=OTHER_KEY)
