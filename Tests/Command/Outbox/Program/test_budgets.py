"""What strangers write: budgets for what is not counted, and its end."""

import json

from outbox_tools import ATTRIBUTION_KIT, SKADNETWORK, OutboxCase
from server_tools import NOW
from signer import OTHER_APP, attribution_kit, skadnetwork
from tools import skan

HOUR, DAY = 3600, 86400


def malformed(number, length=10):
    return b"%-*d" % (length, number)


def badly_signed(number):
    document = json.loads(skadnetwork(number))
    return json.dumps(document | {"app-id": document["app-id"] + 1}).encode()


class Budgets(OutboxCase):
    def assert_about(self, kept, expected):
        """The server's own count of the store may miss what is on its way: one, of one connection."""
        self.assertIn(kept, range(expected, expected + 2))

    def flood(self, server, bodies):
        """The statuses, over one connection."""
        head = f"POST {SKADNETWORK} HTTP/1.1\r\nHost: skan\r\n"
        statuses = []
        with server.connect() as client:
            for body in bodies:
                client.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
                answer = client.recv(4096)
                while b"\r\n\r\n" not in answer or not answer.endswith(b"\n"):
                    answer += client.recv(4096)
                statuses.append(int(answer.split()[1]))
        return statuses

    def test_no_sort_hides_another(self):
        server = self.receive("--refused-per-hour", 3)
        self.assertEqual(self.outcome(server, skadnetwork(0)), (200, "counted"))
        for hour in range(2):
            server.at(NOW + hour * HOUR)
            sorts = {
                "malformed": [malformed(number + 10 * hour) for number in range(5)],
                "invalid": [badly_signed(number + 10 * hour) for number in range(5)],
            }
            for name, bodies in sorts.items():
                self.assertEqual([self.outcome(server, body) for body in bodies],
                                 [(200, name)] * 3 + [(429, "not_kept")] * 2)
            conflicting = {"conversion-value": 5 + hour}
            self.assertEqual(self.outcome(server, skadnetwork(0, **conflicting)), (200, "conflict"))
            self.assertEqual(self.outcome(server, skadnetwork(hour, app=OTHER_APP)), (200, "other_app"))
            other = attribution_kit(hour, app=OTHER_APP)
            self.assertEqual(self.outcome(server, other, ATTRIBUTION_KIT), (200, "other_app"))
            self.assertEqual(self.outcome(server, b'{"version":"5.%d"}' % hour), (429, "not_kept"))
        self.assertEqual(len(self.stored("refused/")), 18)
        metrics = server.get("/metrics").body.decode()
        for sort in ("malformed", "invalid", "other"):
            self.assertIn(f'skan_refused_kept{{sort="{sort}"}} 6\n', metrics)

    def test_the_disk_is_bounded_by_bytes(self):
        limit = 2 << 20
        server = self.receive("--refused-bytes-in-all", limit)
        statuses = self.flood(server, [malformed(number, 30_000) for number in range(400)])
        self.assert_about(statuses.count(200), limit // (2048 + 5120))
        self.assertEqual(set(statuses[statuses.index(429):]), {429})
        self.assertLess(max(map(len, self.records("postbacks.db").values())), 2048 + 200)
        self.assertEqual(server.stop(), 0)
        self.assertLess(self.file("postbacks.db").stat().st_size, limit + (64 << 10))

    def test_tiny_ones_are_reckoned_too(self):
        limit = 2 << 20
        server = self.receive("--refused-bytes-per-hour", limit)
        statuses = self.flood(server, [malformed(number) for number in range(1000)])
        self.assert_about(statuses.count(200), limit // (10 + 5120))
        server.stop()
        self.assertLess(self.file("postbacks.db").stat().st_size, limit)

    def test_they_expire_and_make_room(self):
        server = self.receive("--refused-in-all", 3, "--refused-days", 5, now=NOW - 2 * DAY)
        self.assertEqual(self.outcome(server, skadnetwork(0)), (200, "counted"))
        self.assertEqual(self.outcome(server, malformed(0))[0], 200)
        server.at(NOW)
        statuses = [self.outcome(server, malformed(number))[0] for number in range(1, 4)]
        self.assertEqual(statuses, [200, 200, 429])
        # The oldest goes, so the store has been gone through; those of 4 days stay.
        server.at(NOW + 4 * DAY)
        self.eventually(lambda: len(self.stored("refused/")) < 3)
        self.eventually(lambda: self.outcome(server, malformed(4))[0] == 200)
        self.assertEqual(self.outcome(server, malformed(5))[0], 429)
        self.assertEqual(len(self.stored("refused/")), 3)
        server.at(NOW + 6 * DAY)
        self.eventually(lambda: len(self.stored("refused/")) == 1)
        self.eventually(lambda: self.outcome(server, malformed(6))[0] == 200)
        self.assertEqual(len(self.stored("postback/")), 1)
        self.eventually(lambda: "refused" in [line["event"] for line in server.log()])

    def test_what_was_there_before_is_reckoned(self):
        server = self.receive("--refused-in-all", 2)
        self.assertEqual([self.outcome(server, malformed(number))[0] for number in range(2)], [200, 200])
        server.stop()
        server = self.receive("--refused-in-all", 2)
        self.eventually(lambda: 'skan_refused_kept{sort="malformed"} 2' in server.get("/metrics").body.decode())
        self.assertEqual(self.outcome(server, malformed(2))[0], 429)

    def test_purge_removes_them(self):
        server = self.receive()
        for body in (skadnetwork(0), malformed(0), badly_signed(0), skadnetwork(1, app=OTHER_APP)):
            self.assertEqual(self.outcome(server, body)[0], 200)
        server.stop()
        for options, words in [(["36500"], "0 removed"), (["1", "--dry-run"], "3 would be removed"),
                               (["1"], "3 removed")]:
            answer = self.succeeded(skan("purge", self.url, "--refused-before", *options))
            self.assertEqual(answer.out, f"3 records read, {words}\n")
        self.assertEqual((len(self.stored("refused/")), len(self.stored("postback/"))), (0, 1))
