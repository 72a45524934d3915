"""One client cannot starve the others: what each may have at a time and in a second, and who goes first."""

import contextlib
import functools
import itertools
import socket
import threading
import time

from server_tools import MIXED, Answer, ServeCase, exchange, request_of, running, value_path

REQUEST, VALUE = request_of("/healthz"), request_of(value_path())
LARGE = b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n0123456789"
GOOD = "127.0.0.9"


def answered(client):
    client.sendall(REQUEST)
    return client.recv(1000).startswith(b"HTTP/1.1 200 ")


def is_closed(client):
    """Whether the server closes it; an open one is read until the time is over."""
    client.settimeout(30)
    try:
        while client.recv(4000):
            pass
        return True
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


class LimitCase(ServeCase):
    def connect(self, server, source, timeout=60):
        client = socket.create_connection(("127.0.0.1", server.port), timeout, (source, 0))
        self.addCleanup(client.close)
        return client

    def expect_served(self, server):
        """A client that behaves is answered, on a connection each: a refused one would wait until time is over."""
        for _ in range(60):
            with socket.create_connection(("127.0.0.1", server.port), 10, (GOOD, 0)) as client:
                client.sendall(VALUE)
                self.assertTrue(client.recv(4000).startswith(b"HTTP/1.1 200 "))

    @contextlib.contextmanager
    def attack(self, *attackers):
        """Each runs again and again on a thread of its own."""
        is_over = threading.Event()

        def repeat(attacker):
            while not is_over.is_set():
                with contextlib.suppress(OSError):
                    attacker()

        with running(*(functools.partial(repeat, attacker) for attacker in attackers)):
            try:
                yield
            finally:
                is_over.set()


class Connections(LimitCase):
    def test_a_client_has_32_unless_said(self):
        server = self.serve("--model", MIXED)
        clients = [self.connect(server, "127.0.0.1") for _ in range(32)]
        self.assertTrue(all(answered(client) for client in clients))
        self.expect_crowded(self.connect(server, "127.0.0.1"), "One client has too many connections at a time")
        self.assertTrue(answered(self.connect(server, "127.0.0.2")))
        clients.pop().close()
        self.eventually(lambda: server.get("/healthz").status == 200)
        self.assertGreaterEqual(self.metric(server, "skan_http_connections_refused_total"), 1)

    def expect_crowded(self, client, reason):
        """It is told so, when to come again, and nothing else is read."""
        answer = Answer(exchange(client, REQUEST + LARGE + REQUEST))
        self.assertEqual((answer.status, answer.headers["retry-after"]), (503, "1"), answer)
        self.assertEqual(answer.headers["content-type"], "application/json")
        self.assertEqual(answer.document, {"status": "error", "reason": f"{reason}: try again in a second"})
        self.assertEqual(answer.headers["connection"].lower(), "close")

    def test_a_connection_above_the_limit_is_served_once_there_is_room(self):
        server = self.serve("--max-connections-per-peer", 1)
        first = self.connect(server, "127.0.0.1")
        self.assertTrue(answered(first))
        second = self.connect(server, "127.0.0.1")
        first.close()
        self.eventually(lambda: self.metric(server, "skan_http_connections") == 2)
        self.assertTrue(answered(second))

    def test_connections_above_the_limit_of_all_are_answered_too(self):
        """Those that are served are busy: none of them goes for a new one."""
        server = self.serve("--max-connections", 4, "--threads", 1, "--model", MIXED,
                            "--store", self.sqlite("counts.db"), "--store-threads", 1)
        with self.database("counts.db") as database:
            database.execute("BEGIN EXCLUSIVE")
            busy = [self.connect(server, f"127.0.0.{number + 1}") for number in range(4)]
            for client in busy:
                client.sendall(VALUE)
            # Those whose request was not read yet may be about to go.
            self.eventually(lambda: server.get("/healthz").status == 503)
            self.expect_crowded(self.connect(server, GOOD), "The server has too many connections")
            database.rollback()

    def test_few_connections_above_a_limit_are_kept_and_others_are_closed(self):
        server = self.serve("--max-connections", 64, "--max-connections-per-peer", 2, "--threads", 1)
        clients = [self.connect(server, "127.0.0.1") for _ in range(60)]
        # Two are served, four wait for an answer of 503, and one asks for the metrics.
        self.eventually(lambda: self.metric(server, "skan_http_connections") == 7)
        self.assertTrue(answered(clients[0]))
        self.expect_crowded(clients[2], "One client has too many connections at a time")
        self.assertTrue(is_closed(clients[-1]))

    def test_the_log_tells_how_many_there_were(self):
        server = self.serve("--max-connections-per-peer", 1, "--log", "errors", "--log-address", "full")
        first = self.connect(server, "127.0.0.1")
        self.assertTrue(answered(first))
        for _ in range(3):
            self.expect_crowded(self.connect(server, "127.0.0.1"), "One client has too many connections at a time")
        first.close()
        server.stop()
        lines = [line for line in server.log() if line["event"] == "connections_refused"]
        self.assertEqual({line["client"] for line in lines}, {"127.0.0.1"})
        self.assertEqual(sum(line["connections"] for line in lines), 3)
        # One line at once, one at the end: the minute between them is not over.
        self.assertLessEqual(len(lines), 2)
        self.assertIn("--max-connections-per-peer", lines[0]["message"])

    def metric(self, server, name):
        text = exchange(self.connect(server, GOOD), b"GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        return float(text.decode().partition(f"\n{name} ")[2].split()[0])

    def test_silent_sockets_starve_nobody(self):
        """Seen: 2 100 of them, and none of 7 requests answered in 45 s."""
        server = self.serve("--model", MIXED, "--max-connections", 200)
        silent = [self.connect(server, "127.0.0.1") for _ in range(400)]
        self.expect_served(server)
        self.assertEqual(len(silent), 400)

    def test_silent_sockets_of_many_clients_go_first(self):
        server = self.serve("--model", MIXED, "--max-connections", 100, "--threads", 1)
        silent = [self.connect(server, f"127.0.1.{number % 20 + 1}") for number in range(400)]
        self.expect_served(server)
        self.assertGreater(self.metric(server, "skan_http_connections_dropped_total"), 0)
        self.assertTrue(is_closed(silent[0]))

    def test_who_is_answered_is_not_dropped(self):
        server = self.serve("--max-connections", 40, "--threads", 1)
        old = [self.connect(server, "127.0.0.1") for _ in range(10)]
        for client in old:
            self.assertTrue(answered(client))
        busy = self.connect(server, GOOD)
        for number in range(100):
            self.connect(server, f"127.0.1.{number + 1}")
            self.assertTrue(answered(busy))
        self.assertTrue(is_closed(old[0]))

    def test_connections_that_come_and_go(self):
        server = self.serve("--model", MIXED)

        def come_and_go():
            with socket.create_connection(("127.0.0.1", server.port), 1):
                pass

        with self.attack(come_and_go, come_and_go):
            self.expect_served(server)

    def test_half_sent_and_requests_without_end(self):
        server = self.serve("--model", MIXED, "--max-connections", 100)

        def flood():
            with socket.create_connection(("127.0.0.1", server.port), 1) as client:
                for _ in range(200):
                    client.sendall(VALUE * 20)
                    client.recv(65536)

        half = [self.connect(server, "127.0.0.1") for _ in range(20)]
        for client in half:
            client.sendall(b"GET /healthz HTTP/1.1\r\nX: ")
        with self.attack(flood, flood):
            self.expect_served(server)

    def test_a_largest_age(self):
        server = self.serve("--max-connection-age", 1)
        client = self.connect(server, "127.0.0.1")
        self.assertTrue(answered(client))
        time.sleep(1.1)
        came = exchange(client, REQUEST)
        self.assertEqual((Answer(came).status, Answer(came).headers["connection"].lower()), (200, "close"))


class Rate(LimitCase):
    def answers(self, server, count, source="127.0.0.1", *headers):
        """To requests that are sent at once: within a second, however busy the machine is."""
        client = self.connect(server, source)
        lines = ["HEAD /healthz HTTP/1.1", "Host: a", *headers, "", ""]
        last = ["HEAD /healthz HTTP/1.1", "Host: a", "Connection: close", *headers, "", ""]
        came = exchange(client, ("\r\n".join(lines) * (count - 1) + "\r\n".join(last)).encode())
        found = [Answer(b"HTTP/1.1 " + part) for part in came.split(b"HTTP/1.1 ")[1:]]
        self.assertEqual(len(found), count)
        self.assertLessEqual({answer.status for answer in found}, {200, 429})
        return found

    def count(self, *arguments):
        """How many are served."""
        return sum(answer.status == 200 for answer in self.answers(*arguments))

    def test_more_in_a_second_are_429(self):
        server = self.serve("--rate", 20)
        answers = self.answers(server, 1000)
        limited = [answer for answer in answers if answer.status == 429]
        self.assertGreater(len(limited), 30)
        self.assertGreaterEqual(len(answers) - len(limited), 20)
        self.assertEqual(limited[0].headers["retry-after"], "1")
        self.assertEqual(self.count(server, 20, "127.0.0.2"), 20)
        time.sleep(1)
        self.assertEqual(self.count(server, 1), 1)

    def test_a_body_of_too_many_is_not_read(self):
        server = self.serve("--rate", 1)
        self.count(server, 1)
        came = server.talk(b"POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n")
        self.assertIn(Answer(came).status, (404, 429))

    def test_off_unless_said(self):
        self.assertEqual(self.count(self.serve(), 300), 300)

    def test_behind_a_proxy(self):
        server = self.serve("--rate", 5, "--any-key", "--trusted-proxy", "127.0.0.1", "--trusted-proxy", "10.0.0.0/8")
        for told in "192.0.2.1", "spoofed, 192.0.2.2, 10.1.2.3", "1.1.1.1, 192.0.2.3:4711", "[2001:db8::1]:80":
            with self.subTest(told=told):
                header = f"X-Forwarded-For: {told}"
                self.assertEqual(self.count(server, 5, "127.0.0.1", header), 5)
                self.assertLess(self.count(server, 200, "127.0.0.1", header), 200)
        # What the client itself says of where it is counts for nothing, wherever it stands.
        for source, *lines in [
            ("127.0.0.1", "X-Forwarded-For: 9.9.9.{}, 192.0.2.9"),
            ("127.0.0.1", "X-Forwarded-For: 8.8.8.{}", "X-Forwarded-For: 192.0.2.8"),
            ("127.0.0.3", "X-Forwarded-For: 9.9.9.{}"),
        ]:
            with self.subTest(source=source, lines=lines):
                spoofed = itertools.count()
                self.eventually(lambda source=source, lines=lines, spoofed=spoofed: self.count(
                    server, 1, source, *(line.format(next(spoofed) % 250) for line in lines)) == 0)

    def test_a_proxy_has_as_many_connections_as_it_needs(self):
        server = self.serve("--any-key", "--trusted-proxy", "127.0.0.1/32", "--max-connections-per-peer", 2)
        clients = [self.connect(server, "127.0.0.1") for _ in range(40)]
        self.assertTrue(all(answered(client) for client in clients))
        two = [self.connect(server, "127.0.0.2") for _ in range(2)]
        self.assertTrue(all(answered(client) for client in two))
        self.assertTrue(is_closed(self.connect(server, "127.0.0.2")))
