"""A store that hangs stops only what needs it: not other stores, not the pages for operators, not the end."""

import contextlib
import re
import socket
import sqlite3
import subprocess
import threading
import time
import urllib.parse

from server_tools import COMMAND, MIXED, Answer, ServeCase, environment, exchange, items4, parse_metrics

POSTBACK = b'{"version":"4.0"}'
PATH = "/.well-known/skadnetwork/report-attribution/"
VALUE = f"/api/v2/conversion_value?{urllib.parse.urlencode(items4())}"


def post(server, timeout=60):
    """One that is kept apart: it is written too."""
    with server.connect(timeout) as client:
        head = f"POST {PATH} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: {len(POSTBACK)}\r\n\r\n"
        return Answer(exchange(client, head.encode() + POSTBACK))


class StoreCase(ServeCase):
    def setUp(self):
        super().setUp()
        self.postbacks = self.folder / "postbacks.db"
        self.counts = self.folder / "counts.db"

    def serve_both(self, *options, ends=0):
        return self.serve("--model", MIXED, "--store", f"sqlite:{self.counts}", "--postbacks",
                          f"sqlite:{self.postbacks}", "--any-app", *options, ends=ends)

    def lock(self, file):
        """Nobody else writes there."""
        holder = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        self.addCleanup(holder.close)
        holder.execute("BEGIN EXCLUSIVE")
        return holder

    @contextlib.contextmanager
    def waiting(self, server, count):
        """So many postbacks that nobody can store."""
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(post(server))) for _ in range(count)]
        for thread in threads:
            thread.start()
        try:
            yield answers
        finally:
            for thread in threads:
                thread.join()

    def quickly(self, work):
        start = time.monotonic()
        answer = work()
        self.assertLess(time.monotonic() - start, 2, answer)
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
        holder = self.lock(self.postbacks)
        with self.waiting(server, 50) as answers:
            time.sleep(0.5)
            for _ in range(20):
                self.assertEqual(self.quickly(lambda: server.get(VALUE)).status, 200)
                self.assertEqual(self.quickly(lambda: server.get("/healthz")).status, 200)
                self.assertEqual(self.quickly(lambda: server.get("/metrics")).status, 200)
            self.assertEqual(answers, [])
            self.eventually(lambda: self.ready(server) == (503, "postbacks: the last write failed\n"))
            holder.execute("ROLLBACK")
        self.assertLessEqual({answer.status for answer in answers}, {200, 503})
        self.assertEqual(post(server).status, 200)
        self.assertEqual(self.ready(server), (200, "ok\n"))

    def test_a_full_queue_is_told_at_once(self):
        server = self.serve_both("--store-threads", 2, "--store-queue", 4)
        holder = self.lock(self.postbacks)
        with self.waiting(server, 6):
            self.eventually(lambda: self.load(server) == (4, 2))
            answer = self.quickly(lambda: post(server))
            self.assertEqual((answer.status, answer.headers["retry-after"]), (503, "1"))
            self.assertEqual(self.quickly(lambda: server.get(VALUE)).status, 200)
            holder.execute("ROLLBACK")
        self.assertEqual(post(server).status, 200)
        self.eventually(lambda: self.load(server) == (0, 0))

    def load(self, server):
        metrics = server.metrics()
        return tuple(metrics["skan_store_requests", f'{{store="postbacks",state="{state}"}}']
                     for state in ("waiting", "working"))

    def test_a_full_disk_is_not_ready(self):
        server = self.serve_both()
        self.assertEqual(post(server).status, 200)
        with sqlite3.connect(self.postbacks) as database:
            # As a full disk: what is there can be read.
            database.execute("CREATE TRIGGER full BEFORE INSERT ON skan_records BEGIN SELECT RAISE(ABORT, 'full'); END")
        self.assertEqual(post(server).status, 503)
        self.assertEqual(self.ready(server), (503, "postbacks: the last write failed\n"))
        self.assertEqual(server.get("/healthz").status, 200)
        with sqlite3.connect(self.postbacks) as database:
            database.execute("DROP TRIGGER full")
        self.assertEqual(post(server).status, 200)
        self.assertEqual(self.ready(server), (200, "ok\n"))

    def test_the_end_comes_in_time_whatever_hangs(self):
        for count in 1, 40:
            server = self.serve_both("--grace", 2, ends=1)
            self.assertEqual(post(server).status, 200)
            holder = self.lock(self.postbacks)
            with self.waiting(server, count):
                time.sleep(0.5)
                start = time.monotonic()
                server.process.terminate()
                server.process.wait(30)
                self.assertLess(time.monotonic() - start, 10)
            holder.execute("ROLLBACK")
            self.assertIn("grace", server.log()[-1]["message"])


class Admin(StoreCase):
    def start(self, *options):
        process = subprocess.Popen(
            [COMMAND, "serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", *map(str, options)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment())
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait, 30)
        self.addCleanup(process.terminate)
        lines = [process.stdout.readline().decode() for _ in range(2)]
        self.assertRegex(lines[1], r"^skan: health and metrics on http://127\.0\.0\.1:\d+\n$")
        return [int(re.search(r"127\.0\.0\.1:(\d+)", line)[1]) for line in lines]

    def get(self, port, path):
        with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
            return Answer(exchange(client, f"GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode()))

    def test_pages_on_a_port_of_their_own(self):
        public, admin = self.start("--model", MIXED)
        for path in "/healthz", "/readyz", "/metrics":
            self.assertEqual((self.get(public, path).status, self.get(admin, path).status), (404, 200))
        self.assertEqual((self.get(public, VALUE).status, self.get(admin, VALUE).status), (200, 404))
        samples = parse_metrics(self.get(admin, "/metrics").body.decode())
        counts = {labels: count for (name, labels), count in samples.items() if name == "skan_http_requests_total"}
        self.assertEqual(counts['{route="conversion_value_v2",outcome="rejected",status="200"}'], 1)
        self.assertEqual(counts['{route="readyz",outcome="ready",status="200"}'], 1)
        self.assertEqual(counts['{route="other",outcome="refused",status="404"}'], 4)

    def test_the_public_port_may_be_full(self):
        public, admin = self.start("--max-connections", 4, "--threads", 1)
        with contextlib.ExitStack() as stack:
            for _ in range(20):
                client = stack.enter_context(socket.create_connection(("127.0.0.1", public), timeout=20))
                client.sendall(b"GET /")
            self.assertEqual(self.quickly(lambda: self.get(admin, "/healthz")).status, 200)


class UnreadLog(StoreCase):
    def test_lines_are_dropped_and_counted(self):
        """Nobody reads, and nobody waits."""
        process = subprocess.Popen(
            [COMMAND, "serve", "--listen", "127.0.0.1:0", "--model", str(MIXED), "--grace", "2"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        port = int(process.stdout.readline().split(b",")[0].rsplit(b":", 1)[1])
        request = f"GET {VALUE} HTTP/1.1\r\nHost: a\r\n\r\n".encode()
        with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
            dropped = 0
            while dropped == 0:
                client.sendall(request * 100)
                came = b""
                while came.count(b"HTTP/1.1 200 ") < 100:
                    part = client.recv(1 << 20)
                    self.assertTrue(part)
                    came += part
                client.sendall(b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
                text = b""
                while not (found := re.search(rb"\nskan_log_lines_dropped_total (\d+)\n", text)):
                    text += client.recv(1 << 20)
                dropped = int(found[1])
        start = time.monotonic()
        process.terminate()
        self.assertEqual(process.wait(30), 0)
        self.assertLess(time.monotonic() - start, 5)
