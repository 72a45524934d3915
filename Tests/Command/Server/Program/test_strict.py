"""What has more than one meaning is refused, and nothing behind it is read: RFC 9112, as the strictest servers have it."""

from server_tools import MIXED, Answer, ServeCase, exchange, value_path

SECOND = b"GET /healthz HTTP/1.1\r\nHost: second\r\n\r\n"
HOST = b"Host: a\r\n"


def exchange_kept(client):
    client.sendall(b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n")
    return client.recv(4096)


class Strict(ServeCase):
    def setUp(self):
        super().setUp()
        self.server = self.serve("--model", MIXED, "--idle-timeout", 60)

    def refused(self, sent):
        """With what stands behind it: that is not answered."""
        came = self.server.talk(sent + SECOND)
        self.assertEqual(Answer(came).status, 400, (sent, came))
        self.assertNotIn(b"200 OK", came, sent)
        self.assertEqual(Answer(came).headers["connection"].lower(), "close")

    def test_two_lengths(self):
        head = b"POST /healthz HTTP/1.1\r\n" + HOST
        for headers in b"Content-Length: 4\r\nContent-Length: 40\r\n", b"Content-Length: 4\r\nContent-Length: 4\r\n", \
                b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", \
                b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", b"Transfer-Encoding: gzip, chunked\r\n", \
                b"Transfer-Encoding: xchunked\r\n", b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", \
                b"Content-Length: 4, 4\r\n", b"Content-Length: +4\r\n", b"Content-Length: 0x4\r\n":
            self.refused(head + headers + b"\r\n" + b"0\r\n\r\n")

    def refused_once(self, sent, status):
        """In the server's words: libmicrohttpd would send a page."""
        came = self.server.talk(sent + SECOND)
        self.assertEqual((Answer(came).status, came.count(b"HTTP/1.1 ")), (status, 1), (sent[:200], came))
        self.assertEqual(Answer(came).document["status"], "error", came)

    def test_a_length_without_a_meaning_has_one_answer(self):
        """Seen: two, one behind the other."""
        head = b"POST /healthz HTTP/1.1\r\n" + HOST
        for length in b"abc", b"-1", b"1 2", b"", b"+4", b"0x4", b"4,4":
            self.refused_once(head + b"Content-Length: " + length + b"\r\n\r\n0\r\n\r\n", 400)
        self.refused_once(head + b"Content-Length: abc\r\nContent-Length: 4\r\n\r\nbody", 400)
        self.refused_once(head + b"Content-Length: " + b"9" * 40 + b"\r\n\r\n", 413)
        with self.server.connect() as client:
            self.assertEqual(Answer(exchange_kept(client)).status, 200)
            came = exchange(client, head + b"Content-Length: abc\r\n\r\n")
            self.assertEqual((Answer(came).status, came.count(b"HTTP/1.1 ")), (400, 1), came)

    def test_cookies_that_do_not_fit_have_one_answer(self):
        """Seen: two, one behind the other."""
        cookies = b"Cookie: " + b"a=b;" * 10_000 + b"\r\n"
        for head in b"GET /healthz HTTP/1.1\r\n", b"POST /healthz HTTP/1.1\r\nContent-Length: 4\r\n":
            self.refused_once(head + HOST + cookies + b"\r\nbody", 431)
        few = b"GET /healthz HTTP/1.1\r\nConnection: close\r\n" + HOST + b"Cookie: " + b"a=b;" * 100 + b"\r\n\r\n"
        self.assertEqual(Answer(self.server.talk(few)).status, 200)

    def test_a_long_line_between_chunks(self):
        """Seen: 500."""
        chunked = b"GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        long = b"1;" + b"x" * 100_000 + b"\r\nx\r\n0\r\n\r\n"
        for body in long, b"1\r\nx\r\n" + long, b"0\r\nX: " + b"x" * 100_000 + b"\r\n\r\n":
            self.refused_once(chunked + body, 400)

    def test_what_is_refused_is_not_what_others_send(self):
        """Heads and chunks that are half there meanwhile, on the one thread."""
        server = self.serve("--threads", 1)
        head = b"GET /healthz HTTP/1.1\r\nHost: a\r\n"
        with server.connect() as half, server.connect() as chunks, server.connect() as kept:
            half.sendall(head + b"X: 1\r\n")
            self.assertEqual(Answer(exchange_kept(kept)).status, 200)
            kept.sendall(head + b"X: 1\r\n")
            chunks.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n5;" + b"x" * 100)
            self.eventually(lambda: server.metrics()["skan_http_requests_in_flight", ""] == 4)
            for refused in b"Content-Length: abc\r\n\r\n", b"Cookie: " + b"a=b;" * 10_000 + b"\r\n\r\n", \
                    b"Transfer-Encoding: chunked\r\n\r\n1;" + b"x" * 100_000:
                self.assertIn(Answer(server.talk(head + refused)).status, (400, 431))
            for client in half, kept:
                self.assertEqual(Answer(exchange(client, b"Connection: close\r\n\r\n")).status, 200)
            self.assertEqual(Answer(exchange(chunks, b"\r\nxxxxx\r\n0\r\n\r\n")).status, 200)

    def test_a_request_without_a_host_has_one_answer(self):
        """Seen: two, one behind the other."""
        came = self.server.talk(b"GET /healthz HTTP/1.1\r\n\r\n")
        self.assertEqual((Answer(came).status, came.count(b"HTTP/1.1 ")), (400, 1), came)
        self.assertEqual(self.server.get("/healthz").status, 200)

    def test_headers(self):
        for headers in b"Content-Length : 0\r\n", b"X\t: 1\r\n", b"X: 1\r\n folded\r\n", b" X: 1\r\n", b"X: a\0b\r\n", \
                b"X\0Y: 1\r\n", b"X: a\rb\r\n", b"X: a\x01b\r\n", b": 1\r\n", b"X(: 1\r\n", b"Host: b\r\n":
            self.refused(b"GET /healthz HTTP/1.1\r\n" + HOST + headers + b"\r\n")

    def test_bare_lf(self):
        for head in b"GET /healthz HTTP/1.1\nHost: a\r\n\r\n", b"GET /healthz HTTP/1.1\r\nHost: a\n\r\n", \
                b"GET /healthz HTTP/1.1\r\nHost: a\r\n\n", b"GET /healthz HTTP/1.1\nHost: a\n\n", \
                b"GET /healthz HTTP/1.1\r\nX:\nHost: a\r\n\r\n":
            self.refused(head)

    def test_the_request_line(self):
        for line in b"GET /healthz\0x HTTP/1.1", b"GET /healthz\0 HTTP/1.1", b"GET /healthz?a=\0 HTTP/1.1", \
                b"GET /\0HTTP/1.1 HTTP/1.1", b"GET  /healthz HTTP/1.1", b"GET /health\x01z HTTP/1.1", \
                b"GET /healthz\x7f HTTP/1.1", b"G\xc3\xa4T /healthz HTTP/1.1":
            self.refused(line + b"\r\n" + HOST + b"\r\n")

    def test_in_pieces_too(self):
        with self.server.connect() as client:
            for byte in b"GET /healthz HTTP/1.1\r\nHost: a\nX: 1\r\n\r\n":
                client.sendall(bytes([byte]))
            self.assertEqual(Answer(exchange(client, b"")).status, 400)

    def test_nothing_is_read_behind_chunks(self):
        chunked = b"GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"
        came = self.server.talk(chunked + SECOND)
        self.assertEqual((Answer(came).status, came.count(b"HTTP/1.1 ")), (200, 1))

    def test_a_refused_body_is_not_read_on(self):
        """Seen: 123 GB from one connection."""
        for head, chunk in (b"Transfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + b"x" * 65536 + b"\r\n"), \
                (b"Content-Length: 99999999999\r\n\r\n", b"x" * 65536):
            with self.server.connect() as client:
                client.sendall(b"POST /healthz HTTP/1.1\r\nHost: a\r\n" if b"Len" in head
                               else b"GET /healthz HTTP/1.1\r\nHost: a\r\n")
                sent = 0
                try:
                    client.sendall(head)
                    while sent < 100_000_000:
                        client.sendall(chunk)
                        sent += len(chunk)
                except OSError:
                    pass
                self.assertLess(sent, 20_000_000)
                self.assertIn(Answer(exchange(client, b"")).status, (405, 413))

    def test_many_items_get_an_answer_at_once(self):
        before = self.server.processor_seconds()
        query = "&".join(f"x{n % 10}" for n in range(15_000))
        self.assertEqual(self.server.get(f"/healthz?{query}").status, 200)
        value = self.server.get(f"{value_path()}&{query[:45_000]}")
        self.assertIn(value.status, (200, 414))
        self.assertEqual(self.server.get("/healthz?" + "&" * 60_000).status, 200)
        self.assertLess(self.server.processor_seconds() - before, 3)

    def test_what_is_plain_is_served(self):
        for sent in b"\r\nGET /healthz HTTP/1.1\r\nhost:a\r\n\r\n", b"GET /healthz HTTP/1.1\r\nHost:\t a \t\r\nX:\r\n\r\n", \
                b"GET /healthz?\xc3\xa9={\"USD\":1} HTTP/1.1\r\nHOST: a\r\nX: \xc3\xa9\r\n\r\n":
            came = self.server.talk(sent + SECOND.replace(b"second", b"a\r\nConnection: close"))
            self.assertEqual(came.count(b"HTTP/1.1 200 OK\r\n"), 2, (sent, came))
