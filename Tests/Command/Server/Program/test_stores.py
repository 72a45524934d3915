"""A store that hangs stops only what needs it: not other stores, not the pages for operators, not the end."""

import contextlib
import copy
import functools
import re
import socket
import sqlite3
import subprocess
import time

from server_tools import MIXED, Answer, ServeCase, exchange, items4, request_of, running, value_path
from tools import FAULTY_COMMAND, faults

VALUE = value_path()


def post(server):
    """A refused postback, which is written to the store too."""
    return server.post("/.well-known/skadnetwork/report-attribution/", b'{"version":"4.0"}')


def post_from(server, source):
    with socket.create_connection(("127.0.0.1", server.port), 60, (source, 0)) as client:
        body = b"Content-Length: 17\r\nConnection: close\r\n\r\n" + b'{"version":"4.0"}'
        path = b"/.well-known/skadnetwork/report-attribution/"
        return Answer(exchange(client, b"POST " + path + b" HTTP/1.1\r\nHost: a\r\n" + body))


class StoreCase(ServeCase):
    def serve_both(self, *options, ends=0):
        return self.serve("--model", MIXED, "--store", self.sqlite("counts.db"), "--postbacks",
                          self.sqlite("postbacks.db"), "--any-app", *options, ends=ends)

    def lock(self):
        """Nobody else writes postbacks."""
        holder = sqlite3.connect(self.file("postbacks.db"), isolation_level=None, check_same_thread=False)
        self.addCleanup(holder.close)
        holder.execute("BEGIN EXCLUSIVE")
        return holder

    @contextlib.contextmanager
    def waiting(self, server, count):
        """So many postbacks that nobody can store. A client that comes after the server's end has no answer."""
        answers = []

        def ask():
            with contextlib.suppress(ConnectionRefusedError):
                answers.append(post(server))

        with running(*[ask] * count):
            yield answers

    def quickly(self, work):
        start = time.monotonic()
        answer = work()
        self.assertLess(time.monotonic() - start, 30, answer)
        return answer

    def ready(self, server):
        answer = self.quickly(lambda: server.get("/readyz"))
        return answer.status, answer.body.decode()


class SlowStores(StoreCase):
    def test_a_locked_database_holds_up_nobody_else(self):
        """Seen: health, and requests on another database, took 38 s."""
        server = self.serve_both("--max-connections-per-peer", 0)
        self.eventually(lambda: self.ready(server)[0] == 200)
        self.assertEqual(post(server).status, 200)
        holder = self.lock()
        with self.waiting(server, 50) as answers:
            self.eventually(lambda: self.load(server)[1] > 0)
            served_meanwhile = 0
            while not answers:
                for path in VALUE, "/healthz", "/metrics":
                    self.assertEqual(self.quickly(lambda path=path: server.get(path)).status, 200)
                served_meanwhile += not answers
            self.assertGreater(served_meanwhile, 0)
            self.eventually(lambda: self.ready(server) == (503, "postbacks: the last write failed\n"))
            holder.execute("ROLLBACK")
        self.assertLessEqual({answer.status for answer in answers}, {200, 503})
        self.assertEqual(post(server).status, 200)
        self.assertEqual(self.ready(server), (200, "ok\n"))

    def test_a_full_queue_is_told_at_once(self):
        server = self.serve_both("--store-threads", 2, "--store-queue", 6)
        holder = self.lock()
        with running(*[functools.partial(post_from, server, f"127.0.1.{1 + number % 4}") for number in range(8)]):
            self.eventually(lambda: self.load(server) == (6, 2))
            for source in "127.0.1.1", "127.0.1.4":
                answer = self.quickly(lambda source=source: post_from(server, source))
                self.assertEqual((answer.status, answer.headers["retry-after"]), (503, "1"))
            self.assertEqual(self.quickly(lambda: server.get(VALUE)).status, 200)
            holder.execute("ROLLBACK")
        self.assertEqual(post(server).status, 200)
        self.eventually(lambda: self.load(server) == (0, 0))

    def test_one_client_has_a_quarter_of_the_places(self):
        """Seen: at 20 addresses with as many connections as each may have, 10 of 21 requests of others were refused."""
        server = self.serve_both("--store-threads", 2, "--store-queue", 6)
        holder = self.lock()
        statuses = []

        def flood(source):
            statuses.append(post_from(server, source).status)

        works = [functools.partial(flood, f"127.0.1.{1 + number % 4}") for number in range(32)]
        with running(*works):
            # Each of four has its two places; all else was refused.
            self.eventually(lambda: len(statuses) == 24)
            self.assertEqual((set(statuses), self.load(server)), ({503}, (6, 2)))
            answers = []
            with running(lambda: answers.append(post_from(server, "127.0.1.9"))):
                # The newest of another client makes room for it.
                self.eventually(lambda: len(statuses) == 25)
                self.assertEqual((answers, self.load(server)), ([], (6, 2)))
                holder.execute("ROLLBACK")
            self.assertEqual(answers[0].status, 200)
        self.assertEqual(sorted(statuses)[:7], [200] * 7)

    def load(self, server):
        metrics = server.metrics()
        return tuple(metrics["skan_store_requests", f'{{store="postbacks",state="{state}"}}']
                     for state in ("waiting", "working"))

    def test_a_full_disk_is_not_ready(self):
        server = self.serve_both()
        self.assertEqual(post(server).status, 200)
        with self.database("postbacks.db") as database:
            # As a full disk: what is there can be read.
            database.execute("CREATE TRIGGER full BEFORE INSERT ON skan_records BEGIN SELECT RAISE(ABORT, 'full'); END")
        self.assertEqual(post(server).status, 503)
        self.assertEqual(self.ready(server), (503, "postbacks: the last write failed\n"))
        self.assertEqual(server.get("/healthz").status, 200)
        with self.database("postbacks.db") as database:
            database.execute("DROP TRIGGER full")
        self.assertEqual(post(server).status, 200)
        self.assertEqual(self.ready(server), (200, "ok\n"))

    def test_the_end_comes_in_time_whatever_hangs(self):
        for count in 1, 40:
            server = self.serve_both("--grace", 2, "--max-connections-per-peer", 0, ends=1)
            self.assertEqual(post(server).status, 200)
            holder = self.lock()
            with self.waiting(server, count):
                self.eventually(lambda server=server: self.load(server)[1] > 0)
                server.process.terminate()
                server.process.wait(60)
            holder.execute("ROLLBACK")
            self.assertIn("grace", server.log()[-1]["message"])

    def test_closing_a_store_after_all_has_ended_is_no_failure_however_long_it_takes(self):
        server = self.serve("--model", MIXED, "--store", self.sqlite("counts.db"), "--grace", 1,
                            command=FAULTY_COMMAND, variables=faults("end-hangs=1"))
        self.assertEqual(server.ask(**items4()).document["status"], "ok")
        self.assertEqual(server.stop(), 0)
        self.assertEqual([{**line, "time": None} for line in server.log() if line["event"] == "stopped"],
                         [{"time": None, "level": "info", "event": "stopped"}])


class Admin(StoreCase):
    def start(self, *options):
        """A server, and the same by the port of its pages."""
        public = self.serve("--admin", "127.0.0.1:0", *options)
        admin = copy.copy(public)
        line = public.process.stdout.readline().decode()
        admin.port = int(re.fullmatch(r"skan: health and metrics on http://127\.0\.0\.1:(\d+)\n", line)[1])
        return public, admin

    def test_pages_on_a_port_of_their_own(self):
        public, admin = self.start("--model", MIXED)
        for path in "/healthz", "/readyz", "/metrics":
            self.assertEqual((public.get(path).status, admin.get(path).status), (404, 200))
        self.assertEqual((public.get(VALUE).status, admin.get(VALUE).status), (200, 404))
        counts = {labels: count for (name, labels), count in admin.metrics().items()
                  if name == "skan_http_requests_total"}
        self.assertEqual(counts['{route="conversion_value_v2",outcome="value",status="200"}'], 1)
        self.assertEqual(counts['{route="readyz",outcome="ready",status="200"}'], 1)
        self.assertEqual(counts['{route="other",outcome="refused",status="404"}'], 4)

    def test_the_public_port_may_be_full(self):
        public, admin = self.start("--max-connections", 4, "--threads", 1)
        with contextlib.ExitStack() as stack:
            for _ in range(20):
                stack.enter_context(public.connect()).sendall(b"GET /")
            self.assertEqual(self.quickly(lambda: admin.get("/healthz")).status, 200)


class UnreadLog(StoreCase):
    def test_lines_are_dropped_and_counted(self):
        """Nobody reads, and nobody waits."""
        server = self.serve("--model", MIXED, "--grace", 2, log=subprocess.PIPE)
        self.addCleanup(server.process.stderr.close)
        with server.connect() as client:
            dropped = 0
            while dropped == 0:
                client.sendall(request_of(VALUE) * 100)
                came = b""
                while came.count(b"HTTP/1.1 200 ") < 100:
                    part = client.recv(1 << 20)
                    self.assertTrue(part)
                    came += part
                client.sendall(request_of("/metrics"))
                text = b""
                while not (found := re.search(rb"\nskan_log_lines_dropped_total (\d+)\n", text)):
                    text += client.recv(1 << 20)
                dropped = int(found[1])
        self.assertEqual(server.stop(), 0)
