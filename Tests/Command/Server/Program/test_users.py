"""Users are bounded: how many there are in memory, what is kept of each, and who may ask at all."""

import os
import re
import sqlite3
import subprocess
import time
import urllib.parse
from unittest import mock

from server_tools import COMMAND, KEY, MIXED, NOW, SECRETS, ServeCase, environment, items3, items4

OTHER_KEY = "sdkey_77aa0b1c2d3e"
SECRETS.append(OTHER_KEY)
REVENUE = '{"USD":123.45,"EUR":6.78}'


class UserCase(ServeCase):
    def counting(self, *options, **more):
        """Fine value 1 for the second event of a user, 0 for the first."""
        rules = [{"fine": number, "when": {"sessions": {"min": number + 1}}} for number in range(1, 10)]
        coarse = {"rules": []}
        model = self.model("counting", windows=[{"rules": [{"fine": 0, "when": {"sessions": {"min": 1}}}, *rules]},
                                                coarse, coarse])
        return self.serve("--model", model, *options, **more)

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
                    query = urllib.parse.urlencode(items4(idfv=f"user-{part}-{number}", **tables))
                    client.sendall(f"GET /api/v2/conversion_value?{query} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
                    self.assertIn(b'"ok"', client.recv(65536))
                if part == 0:
                    before = self.memory(server)
        self.assertLess(self.memory(server) - before, 2000)
        self.assertEqual(server.metrics()["skan_users", ""], 2000)

    def memory(self, server):
        """KiB."""
        with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])

    def test_counts_are_kept_and_nothing_else(self):
        store = self.folder / "counts.db"
        server = self.counting("--store", f"sqlite:{store}")
        more = {"p0_total_iap_revenue": REVENUE, "skan_total_revenue_by_currency": REVENUE, "p0_coarse": 1,
                "prev_fine_value": 5}
        for _ in range(3):
            document = self.seen(server, "user", **more)
        self.assertEqual(document["conversion_value"], 2)
        with sqlite3.connect(store) as database:
            [(record,)] = database.execute("SELECT record FROM skan_records").fetchall()
        self.assertLess(len(record), 200)
        run = subprocess.run([COMMAND, "show", "--json", f"sqlite:{store}", "v2/com.example.game/user"],
                             capture_output=True, text=True, check=True, env=environment())
        for told in "123.45", "6.78", "USD":
            self.assertNotIn(told, run.stdout)


    def test_purge_goes_by_when_a_user_was_seen(self):
        today = int(time.time())
        store = f"sqlite:{self.folder / 'counts.db'}"
        server = self.counting("--store", store, now=today - 20 * 86_400)
        first = {f"skan_{call}_call_to_skadnetwork_timestamp": today - 20 * 86_400 for call in ("first", "last")}
        for user in "gone", "seen":
            self.seen(server, user, **first)
        server.at(today - 5 * 86_400)
        self.seen(server, "seen", **first, n="unknown_event")
        run = subprocess.run([COMMAND, "purge", store, "--closed-before", "10"], capture_output=True, text=True,
                             check=True, env=environment())
        self.assertIn("2 records read, 1 removed", run.stdout)
        with sqlite3.connect(self.folder / "counts.db") as database:
            self.assertEqual(database.execute("SELECT key FROM skan_records").fetchall(),
                             [(b"v2/com.example.game/seen",)])


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
        path = f"/api/v2/conversion_value?{urllib.parse.urlencode(items4(idfv='u'))}"
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
        file = self.folder / f"file-{len(list(self.folder.iterdir()))}"
        file.write_text(key + "\n")
        file.chmod(0o600)
        return f"file:{file}"

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

    def test_what_it_is_told_wrong(self):
        key = self.key_file(KEY)
        for options, code, words in [
            (["--listen", "0.0.0.0:0"], 2, "--any-key"), (["--listen", "[::]:0"], 2, "--any-key"),
            (["--key", KEY], 1, "env:NAME"), (["--key", "file:/nowhere"], 1, "No such file"),
            (["--key", "env:SKAN_TEST_NONE"], 1, "not set"), (["--key", key, "--any-key"], 2, "--key"),
            (["--max-users", "0"], 2, "--max-users"),
        ]:
            with self.subTest(options=options):
                run = subprocess.run([COMMAND, "serve", *options], capture_output=True, text=True, timeout=60,
                                     env=environment())
                self.assertEqual(run.returncode, code, run)
                self.assertIn(words, run.stderr)
                self.assertNotIn(KEY, run.stderr.replace(key, ""))
