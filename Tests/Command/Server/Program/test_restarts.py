"""Restarts that nobody notices: 64 clients ask without a pause, no request fails, and each is counted once.

SKAN_REQUESTS and SKAN_RESTARTS say how many there are at the least, SKAN_REQUESTS in each of the tests.
"""

import json
import os
import socket
import threading
import urllib.parse

from proxy_tools import ProxyCase
from server_tools import NOW, ServeCase, items4, running
from service_tools import Process, listening

REQUESTS = int(os.environ.get("SKAN_REQUESTS", "1500"))
RESTARTS = int(os.environ.get("SKAN_RESTARTS", "2"))
CLIENTS = 64
# A user's fine value is the number of its events, up to this one.
EVENTS = 60


class Client:
    """Asks on one connection until the server closes that, each event of each of its users once."""

    def __init__(self, number, connect, load):
        self.number, self.connect, self.load = number, connect, load
        self.connection = None

    def run(self):
        users = 0
        while not self.load.is_over():
            user, users = f"user {self.number} {users}", users + 1
            for event in range(1, EVENTS + 1):
                if self.load.is_over():
                    break
                self.load.note(user, event, self.ask(user, event))
        if self.connection:
            self.connection.close()

    def ask(self, user, event):
        """None if the answer is as it should be; else what came."""
        path = "/api/v2/conversion_value?" + urllib.parse.urlencode(
            items4(idfv=user, n="event", skan_current_conversion_value=event - 1))
        try:
            self.connection = self.connection or self.connect(self.number)
            self.connection.sendall(f"GET {path} HTTP/1.1\r\nHost: skan.example.com\r\n\r\n".encode())
            head, body = self.answer()
        except OSError as problem:
            self.connection = None
            return problem
        if b"connection: close" in head.lower():
            self.connection.close()
            self.connection = None
        is_right = head.startswith(b"HTTP/1.1 200 ") and json.loads(body).get("conversion_value") == event
        return None if is_right else (head, body)

    def answer(self):
        came = b""
        while b"\r\n\r\n" not in came:
            came += self.part()
        head, _, body = came.partition(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
        while len(body) < length:
            body += self.part()
        return head, body

    def part(self):
        part = self.connection.recv(65536)
        if not part:
            raise ConnectionResetError("closed before the answer")
        return part


class Load:
    """Clients that go on until they are stopped."""

    def __init__(self, connect):
        self.clients = [Client(number, connect, self) for number in range(CLIENTS)]
        self.stopped, self.lock = threading.Event(), threading.Lock()
        self.asked, self.wrong = 0, []

    def is_over(self):
        return self.stopped.is_set()

    def note(self, user, event, wrong):
        with self.lock:
            self.asked += 1
            if wrong:
                self.wrong.append((user, event, wrong))
        if wrong:
            self.stopped.set()


class RestartCase(ServeCase):
    def start(self, *options, **more):
        model = self.model("counts", *[{"fine": number, "when": {"events": [{"name": "event", "min_count": number}]}}
                                       for number in range(1, EVENTS + 1)])
        server = Process(self.folder, "--model", model, "--any-key", "--log", "errors", "--store",
                         self.sqlite("counts.db"), "--max-connections-per-peer", 0, *options, **more)
        self.addCleanup(server.stop)
        return server

    def drill(self, connect, restart):
        load = Load(connect)
        with running(*[client.run for client in load.clients]):
            try:
                for number in range(1, RESTARTS + 1):
                    due = REQUESTS * number // (RESTARTS + 1)
                    self.eventually(lambda due=due: load.asked >= due or load.is_over(), 600)
                    restart()
                self.eventually(lambda: load.asked >= REQUESTS or load.is_over(), 600)
            finally:
                load.stopped.set()
        self.assertEqual(load.wrong[:5], [])
        self.assertGreaterEqual(load.asked, REQUESTS)
        print(f"{load.asked} requests of {CLIENTS} clients, {RESTARTS} restarts: {len(load.wrong)} failed")


class Sockets(RestartCase):
    def test_one_server_on_a_socket_that_stays(self):
        listener = listening()
        self.addCleanup(listener.close)
        server = self.start(sockets=[listener])

        def restart():
            nonlocal server
            self.assertEqual(server.stop(), 0)
            server = self.start(sockets=[listener])

        self.drill(lambda _: socket.create_connection(listener.getsockname(), timeout=60), restart)


class TwoInstances(RestartCase, ProxyCase):
    CONNECTIONS = 4096

    def test_one_after_the_other_behind_the_site(self):
        servers = {port: self.instance(port) for port in self.free_ports()}
        self.start_proxy(*servers)

        def restart():
            for port in servers:
                self.assertEqual(servers[port].stop(), 0)
                servers[port] = self.instance(port)

        # Each client has an address of its own: the site limits each.
        self.drill(lambda number: self.connect(f"127.0.1.{number + 1}"), restart)

    def instance(self, port):
        return self.start("--listen", f"127.0.0.1:{port}", "--trusted-proxy", "127.0.0.1/32")

    def free_ports(self):
        sockets = [listening() for _ in range(2)]
        ports = [each.getsockname()[1] for each in sockets]
        for each in sockets:
            each.close()
        return ports
