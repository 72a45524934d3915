"""Clients that misbehave are told so, and others are served meanwhile."""

import concurrent.futures
import os
import socket
import threading
import time

from server_tools import KEY, MIXED, Answer, ServeCase, exchange, items4, request_of, value_path

REQUEST = request_of("/healthz")
LAST = REQUEST.replace(b"Host", b"Connection: close\r\nHost")


def trickle(client, parts, pause=0.3):
    """Sends piece by piece until the server has enough of it; what it says."""
    def send():
        try:
            for part in parts:
                client.sendall(part)
                time.sleep(pause)
        except OSError:
            pass
    sender = threading.Thread(target=send)
    sender.start()
    came = exchange(client, b"")
    sender.join()
    return came


class ClientCase(ServeCase):
    IDLE = 60

    def setUp(self):
        super().setUp()
        self.server = self.serve("--model", MIXED, "--idle-timeout", self.IDLE)

    def expect(self, status, came):
        self.assertEqual(Answer(came).status, status, came[:500])

    def check_others(self):
        self.assertEqual(self.server.ask(**items4()).document["status"], "ok")


class SlowClients(ClientCase):
    IDLE = 3

    def test_garbage(self):
        for sent in b"hello\r\n\r\n", b"GET\r\n\r\n", b"\r\n" * 5 + b"\xff\xfe\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", \
                b"GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", \
                b"GET /healthz HTTP/1.1\r\nno header\r\n\r\n", b"GET /healthz HTTP/1.1\r\n\r\n":
            status = Answer(self.server.talk(sent)).status
            self.assertIn(status, (400, 408, 505), (sent, status))
        self.expect(400, self.server.talk(b"hello\r\n\r\n"))
        self.check_others()

    def test_tls_on_a_plain_port(self):
        hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(1, 10)) * 50
        self.assertIn(Answer(self.server.talk(hello)).status, (400, 408))
        self.check_others()

    def test_half_sent(self):
        sent = [b"", b"GET /heal", b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: ",
                b"GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf"]
        with concurrent.futures.ThreadPoolExecutor(len(sent)) as threads:
            for came in threads.map(self.server.talk, sent):
                self.expect(408, came)
        with self.server.connect() as client:
            client.sendall(b"GET /heal")
            client.shutdown(socket.SHUT_WR)
            self.assertIn(Answer(exchange(client, b"")).status, (400, 408))
        self.check_others()

    def test_slow(self):
        """A byte now and then keeps no connection for ever, and holds nobody up."""
        ways = [[b"G"] + [b"E"] * 300, [b"GET /healthz HTTP/1.1\r\nX: "] + [b"x"] * 300,
                [b"GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n"] + [b"x"] * 300]
        came = {}
        clients = [threading.Thread(target=lambda n=n: came.update({n: self.slow(ways[n % 3])})) for n in range(30)]
        for client in clients:
            client.start()
        while any(client.is_alive() for client in clients):
            self.check_others()
        self.assertEqual({n: Answer(text).status for n, text in came.items()}, {n: 408 for n in range(30)})

    def slow(self, parts):
        with self.server.connect() as client:
            return trickle(client, parts)


class Clients(ClientCase):
    def test_a_slow_request_within_its_time(self):
        for size in 1, 7, 50:
            with self.server.connect() as client:
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                parts = [LAST[start:start + size] for start in range(0, len(LAST), size)]
                self.expect(200, trickle(client, parts, pause=0.02))

    def test_too_large(self):
        long = b"x" * 200_000
        self.expect(414, self.server.talk(b"GET /healthz?" + long + b" HTTP/1.1\r\nHost: a\r\n\r\n"))
        self.expect(431, self.server.talk(b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: " + long + b"\r\n\r\n"))
        many = b"".join(b"X-%d: 1\r\n" % n for n in range(20_000))
        self.expect(431, self.server.talk(b"GET /healthz HTTP/1.1\r\nHost: a\r\n" + many + b"\r\n"))
        head = b"GET /healthz HTTP/1.1\r\nHost: a\r\n"
        self.expect(413, self.server.talk(head + b"Content-Length: 200000\r\n\r\n" + long))
        for length in b"99999999999999999", b"99999999999999999999999":
            self.expect(413, self.server.talk(head + b"Content-Length: " + length + b"\r\n\r\n"))
        self.expect(413, self.server.talk(head + b"Content-Length: 200000\r\nExpect: 100-continue\r\n\r\n"))
        chunk = b"%x\r\n%s\r\n" % (len(long), long)
        self.expect(413, self.server.talk(head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk + b"0\r\n\r\n"))
        self.check_others()

    def test_bodies_within_the_limit(self):
        head = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
        self.expect(200, self.server.talk(head + b"Content-Length: 65536\r\n\r\n" + b"x" * 65_536))
        self.expect(413, self.server.talk(head + b"Content-Length: 65537\r\n\r\n" + b"x" * 65_537))
        chunks = b"".join(b"%x\r\n%s\r\n" % (size, b"y" * size) for size in (1, 10_000, 50_000))
        self.expect(200, self.server.talk(head + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n"))
        with self.server.connect() as client:
            client.sendall(head + b"Content-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            self.assertTrue(client.recv(100).startswith(b"HTTP/1.1 100 "))
            self.expect(200, exchange(client, b"ok"))

    def test_methods_and_paths(self):
        for method in "POST", "PUT", "DELETE", "OPTIONS", "TRACE":
            answer = self.server.get("/api/v2/conversion_value", method, ["Content-Length: 0"])
            self.assertEqual((answer.status, answer.headers["allow"]), (405, "GET"))
        for path in "/", "/api/v2/conversion_value/", "/api/v4/conversion_value", "/API/v2/conversion_value", \
                "//healthz":
            answer = self.server.get(path)
            self.assertEqual((answer.status, answer.body), (404, b"Not Found\n"))

    def test_head(self):
        whole = self.server.get("/healthz")
        head = self.server.get("/healthz", "HEAD")
        self.assertEqual((head.status, head.body), (200, b""))
        self.assertEqual(head.headers["content-length"], whole.headers["content-length"])

    def test_keep_alive_and_pipelining(self):
        came = self.server.talk((REQUEST + request_of(value_path())) * 50 + LAST)
        self.assertEqual(came.count(b"HTTP/1.1 200 OK\r\n"), 101)
        self.assertEqual(came.count(b'"status":"ok"}'), 50)
        with self.server.connect() as client:
            for _ in range(100):
                client.sendall(REQUEST)
                self.assertTrue(client.recv(1000).endswith(b"\r\n\r\nok\n"))
        self.expect(200, self.server.talk(b"GET /healthz HTTP/1.0\r\n\r\n"))

    def test_who_goes_away(self):
        for _ in range(200):
            with self.server.connect() as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                client.sendall(REQUEST[:os.urandom(1)[0] % len(REQUEST)] or REQUEST)
        # A slow server may have as many of one address as it takes, for a moment.
        self.eventually(lambda: self.server.ask(**items4()).status == 200)
        self.eventually(lambda: self.server.metrics()["skan_http_connections", ""] == 1)
        self.assertEqual(self.server.metrics()["skan_http_requests_in_flight", ""], 1)


class Limits(ServeCase):
    def test_fewer_connections_than_threads(self):
        server = self.serve("--max-connections", 1, "--threads", 8)
        for _ in range(50):
            self.assertEqual(server.get("/healthz").status, 200)

    def test_fewer_files_than_connections(self):
        """Who cannot be taken in waits, and nobody is turned away."""
        server = self.serve("--idle-timeout", 3, "--max-connections-per-peer", 0, files=64)
        silent = [server.connect() for _ in range(60)]
        self.assertEqual(server.get("/healthz").status, 200)
        for client in silent:
            client.close()
        self.eventually(lambda: "connections" in [line["event"] for line in server.log()])

    def test_listens_on_loopback(self):
        server = self.serve()
        self.assertTrue(server.url.startswith("http://127.0.0.1:"))
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", server.port), timeout=60)

    def test_a_limit_of_ones_own(self):
        server = self.serve("--max-header", 4096, "--max-body", 1024)
        self.assertIn(server.get("/healthz?" + "x" * 8000).status, (414, 431))
        self.assertEqual(server.get("/healthz", headers=["Content-Length: 1025"]).status, 413)

    def test_no_key_in_what_is_said(self):
        server = self.serve("--model", MIXED)
        for path in f"/api/v2/conversion_value?a={KEY}", f"/nowhere?a={KEY}", f"/nowhere&a={KEY}", f"/%3Fa={KEY}":
            answer = server.get(path)
            self.assertNotIn(KEY.encode(), answer.body)
