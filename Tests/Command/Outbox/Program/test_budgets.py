"""What strangers write: budgets for what is not counted, and its end."""

import json
import socket

from outbox_tools import ATTRIBUTION_KIT, SKADNETWORK, OutboxCase
from server_tools import NOW, Answer, exchange
from signer import OTHER_APP, attribution_kit, skadnetwork
from tools import skan

DAY = 86400
# What a budget reckons for a postback beside its body.
BESIDE = 5120
# Room for three postbacks of up to 1 500 bytes and never for a fourth one.
THREE = 4 * BESIDE - 1


def malformed(number, length=10):
    return b"%-*d" % (length, number)


def badly_signed(number):
    document = json.loads(skadnetwork(number))
    return json.dumps(document | {"app-id": document["app-id"] + 1}).encode()


class Budgets(OutboxCase):
    def assert_about(self, kept, expected):
        """The server's own count of the store may miss what is on its way: one, of one connection."""
        self.assertIn(kept, range(expected, expected + 2))

    def flood(self, server, bodies, source="127.0.0.1"):
        """The statuses, over one connection."""
        head = f"POST {SKADNETWORK} HTTP/1.1\r\nHost: skan\r\n"
        statuses = []
        with socket.create_connection(("127.0.0.1", server.port), 60, (source, 0)) as client:
            for body in bodies:
                client.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
                answer = client.recv(4096)
                while b"\r\n\r\n" not in answer or not answer.endswith(b"\n"):
                    answer += client.recv(4096)
                statuses.append(int(answer.split()[1]))
        return statuses

    def test_no_sort_hides_another(self):
        server = self.receive("--refused-bytes-in-all", THREE)
        self.assertEqual(self.outcome(server, skadnetwork(0)), (200, "counted"))
        sorts = {
            "malformed": [malformed(number) for number in range(5)],
            "invalid": [badly_signed(number) for number in range(5)],
        }
        for name, bodies in sorts.items():
            self.assertEqual([self.outcome(server, body) for body in bodies],
                             [(200, name)] * 3 + [(429, "not_kept")] * 2)
        self.assertEqual(self.outcome(server, skadnetwork(0, **{"conversion-value": 5})), (200, "conflict"))
        self.assertEqual(self.outcome(server, skadnetwork(1, app=OTHER_APP)), (200, "other_app"))
        other = attribution_kit(1, app=OTHER_APP)
        self.assertEqual(self.outcome(server, other, ATTRIBUTION_KIT), (200, "other_app"))
        self.assertEqual(self.outcome(server, skadnetwork(9, app=OTHER_APP)), (429, "not_kept"))
        self.assertEqual(len(self.stored("refused/")), 9)
        metrics = server.get("/metrics").body.decode()
        for sort, count in {"malformed": 3, "invalid": 3, "unverifiable": 0, "other": 3}.items():
            self.assertIn(f'skan_refused_kept{{sort="{sort}"}} {count}\n', metrics)

    def test_what_anybody_can_make_hides_nothing_else(self):
        """Of the unverifiable, one client has a share, and so has one version or key, wherever it comes from."""
        limit = 1_000_000
        server = self.receive("--refused-bytes-in-all", limit)
        self.assertEqual(self.outcome(server, skadnetwork(0)), (200, "counted"))
        floods = [
            [malformed(number) for number in range(500)], [badly_signed(number) for number in range(500)],
            [b'{"version":"%d.%d"}' % (5 + number % 90, number) for number in range(500)],
        ]
        for bodies in floods:
            statuses = self.flood(server, bodies)
            self.assertEqual((statuses[0], statuses[-1]), (200, 429))
        others = [b'{"version":"9.9","n":%2d}' % number for number in range(20)]
        share = limit // 16 // (BESIDE + len(others[0]))
        self.assertEqual(self.flood(server, others, "127.0.0.7").count(200), share)
        for body, path, outcome in [
            (skadnetwork(0, **{"conversion-value": 5}), SKADNETWORK, "conflict"),
            (skadnetwork(1, app=OTHER_APP), SKADNETWORK, "other_app"),
            (skadnetwork(2, version="5.0"), SKADNETWORK, "unverifiable"),
            (attribution_kit(3, kid="new/1"), ATTRIBUTION_KIT, "unverifiable"),
        ]:
            kept = len(self.stored("refused/"))
            self.assertEqual(self.posted(server, path, body, "127.0.0.8"), f'{{"outcome":"{outcome}"}}\n'.encode())
            self.assertEqual(len(self.stored("refused/")), kept + 1, outcome)

    def test_many_clients_hide_no_new_version_or_key(self):
        """Each has a sixteenth on a day; 36 have twice what is kept of all."""
        server = self.receive("--refused-bytes-in-all", 640 * (BESIDE + 30))
        for day in range(2):
            server.at(NOW + day * DAY)
            for client in range(36):
                names = [b'{"version":"5.0","n":%d}', b'{"version":"%d.1"}', b'{"version":"6.%d"}'] * 20
                bodies = [name % (client * 1000 + day * 100_000 + number) for number, name in enumerate(names)]
                self.flood(server, bodies, f"127.0.3.{client + 1}")
            for number, (body, path) in enumerate([
                (skadnetwork(2 + day, version="5.0"), SKADNETWORK),
                (attribution_kit(3 + day, kid="new/1"), ATTRIBUTION_KIT),
            ]):
                answer = self.posted(server, path, body, f"127.0.0.{8 + number}")
                self.assertEqual(answer, b'{"outcome":"unverifiable"}\n')

    def posted(self, server, path, body, source):
        with socket.create_connection(("127.0.0.1", server.port), 60, (source, 0)) as client:
            head = f"POST {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
            return Answer(exchange(client, head.encode() + body)).body

    def test_the_disk_is_bounded_by_bytes(self):
        limit = 2 << 20
        server = self.receive("--refused-bytes-in-all", limit)
        statuses = self.flood(server, [malformed(number, 30_000) for number in range(400)])
        self.assert_about(statuses.count(200), limit // (2048 + 5120))
        self.assertEqual(set(statuses[statuses.index(429):]), {429})
        self.assertLess(max(map(len, self.records("postbacks.db").values())), 2048 + 200)
        self.assertEqual(server.stop(), 0)
        self.assertLess(self.file("postbacks.db").stat().st_size, limit + (64 << 10))

    def test_a_signed_one_in_many_forms_hides_no_conflict(self):
        server = self.receive("--refused-bytes-in-all", THREE)
        self.assertEqual(self.outcome(server, skadnetwork(0)), (200, "counted"))
        body = skadnetwork(1, app=OTHER_APP)
        for spaces in range(20):
            self.assertEqual(self.outcome(server, body + b" " * spaces), (200, "other_app"))
        self.assertEqual(self.outcome(server, skadnetwork(0, **{"conversion-value": 5})), (200, "conflict"))
        self.assertEqual(len(self.stored("refused/")), 2)

    def test_tiny_ones_are_reckoned_too(self):
        limit = 2 << 20
        server = self.receive("--refused-bytes-in-all", limit)
        statuses = self.flood(server, [malformed(number) for number in range(1000)])
        self.assert_about(statuses.count(200), limit // (10 + 5120))
        server.stop()
        self.assertLess(self.file("postbacks.db").stat().st_size, limit)

    def test_they_expire_and_make_room(self):
        server = self.receive("--refused-bytes-in-all", THREE, "--refused-days", 5, now=NOW - 2 * DAY)
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
        server = self.receive("--refused-bytes-in-all", 3 * BESIDE - 1)
        self.assertEqual([self.outcome(server, malformed(number))[0] for number in range(2)], [200, 200])
        server.stop()
        server = self.receive("--refused-bytes-in-all", 3 * BESIDE - 1)
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
