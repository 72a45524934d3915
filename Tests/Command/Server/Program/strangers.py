"""skan serve among strangers: strangers.py attacks [SECONDS] tells, for each attack, what a client of another address
of loopback sees meanwhile; strangers.py crowd [SECONDS] the same among copies of one postback that 36 addresses send on
32 connections each, and behind nginx among those of one address on 900 connections; strangers.py day [SECONDS] plays 24
hours of all of them, with a store of users, and tells memory and disk; strangers.py kept [POSTS] posts so many that
anybody can make, and tells whether what only Apple can sign, or is new, is still kept behind them."""

import collections
import concurrent.futures
import contextlib
import itertools
import json
import multiprocessing
import os
import selectors
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import outbox_tools
from server_tools import MIXED, NOW, Answer, Server, exchange, parse_metrics, value_path
from signer import APP, OTHER_APP, attribution_kit, keys_file, skadnetwork
from test_budgets import badly_signed, malformed
from test_deployment import ProxyCase

CLIENT = "127.0.0.2"
HOURS = 24
# Of each: four attacks at a time have as many together as one address may.
CONNECTIONS = 8
# Few enough that a day in minutes passes it many times.
MOST_USERS = 10_000
VALUES = value_path(idfv=None, a="key")

# A request for each of wrk's connections, by what SKAN_ATTACK says.
SCRIPT = """
local attack = os.getenv("SKAN_ATTACK")
local posts = {["Content-Type"] = "application/json"}
function init()
   local a, b, c = string.byte(io.open("/dev/urandom", "rb"):read(3), 1, 3)
   math.randomseed(a * 65536 + b * 256 + c)
end
function request()
   local number = string.format("%d-%d", math.random(1000000000), math.random(1000000000))
   if attack == "users" then return wrk.format("GET", os.getenv("SKAN_VALUES") .. "&idfv=" .. number) end
   if attack == "items" then return wrk.format("GET", os.getenv("SKAN_VALUES") .. string.rep("&x=1", 15000)) end
   local body = number
   if attack == "signed" then body = string.gsub(os.getenv("SKAN_POSTBACK"), "transaction%-0", number) end
   if attack == "large" then body = number .. string.rep("x", 30000) end
   return wrk.format("POST", os.getenv("SKAN_POSTS"), posts, body)
end
"""
BY_WRK = ("malformed", "large", "signed", "users", "items")


def silent(port, count=2100):
    """Sockets that say nothing; new ones for those that the server closes."""
    clients = []
    while True:
        while len(clients) < count:
            clients.append(socket.create_connection(("127.0.0.1", port)))
        for client in list(clients):
            client.setblocking(False)
            try:
                if client.recv(4096) == b"":
                    clients.remove(client)
                    client.close()
            except BlockingIOError:
                pass
            except OSError:
                clients.remove(client)
        time.sleep(0.05)


def endless(port):
    """Bodies without an end."""
    while True:
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(f"POST {outbox_tools.SKADNETWORK} HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999999\r\n\r\n"
                           .encode())
            try:
                while True:
                    client.sendall(bytes(65536))
            except OSError:
                pass


def dripping(port):
    """Heads of a byte now and then."""
    clients = [socket.create_connection(("127.0.0.1", port)) for _ in range(200)]
    while True:
        for index, client in enumerate(clients):
            try:
                client.send(b"G")
            except OSError:
                clients[index] = socket.create_connection(("127.0.0.1", port))
        time.sleep(0.2)


BY_HAND = {"silent": silent, "endless": endless, "dripping": dripping}


@contextlib.contextmanager
def attack(name, server, folder, seconds):
    """Meanwhile it runs."""
    if name in BY_HAND:
        process = multiprocessing.Process(target=BY_HAND[name], args=(server.port,), daemon=True)
        process.start()
        wait = process.join
    else:
        script = folder / f"{name}.lua"
        script.write_text(SCRIPT)
        postback = json.dumps(json.loads(skadnetwork(0)) | {"fidelity-type": 0})
        process = subprocess.Popen(
            ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{int(seconds) + 60}", "-s", str(script), server.url],
            stdout=subprocess.DEVNULL,
            env={"SKAN_ATTACK": name, "SKAN_VALUES": VALUES, "SKAN_POSTS": outbox_tools.SKADNETWORK,
                 "SKAN_POSTBACK": postback, "PATH": "/usr/bin:/bin"})
        wait = process.wait
    try:
        yield
    finally:
        process.kill()
        wait()


def ask(server):
    """Milliseconds until a new connection has the answer; None where there is none within 5 s."""
    begin = time.monotonic()
    try:
        with socket.create_connection(("127.0.0.1", server.port), 5, (CLIENT, 0)) as client:
            client.sendall(f"GET {VALUES}&idfv=me HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
            answer = client.recv(4096)
    except OSError:
        return None
    return (time.monotonic() - begin) * 1000 if answer.startswith(b"HTTP/1.1 200") else None


def well_behaved(server, seconds):
    """What 50 requests a second see."""
    times, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        times.append(ask(server))
        time.sleep(0.02)
    came = sorted(t for t in times if t is not None)
    at = [came[min(len(came) - 1, int(len(came) * part))] for part in (0.5, 0.99)] if came else [float("nan")] * 2
    return f"{len(came)} of {len(times)} answered, p50 {at[0]:.1f} ms, p99 {at[1]:.1f} ms"


def open_server(folder, *options, scope=("--any-app",)):
    return Server(folder, "--model", MIXED, "--postbacks", f"sqlite:{folder}/postbacks.db", "--postback-keys",
                  keys_file(folder), *scope, "--log", "errors", *options, files=4096)


def posted(body):
    return (f"POST {outbox_tools.SKADNETWORK} HTTP/1.1\r\nHost: skan.example.com\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n").encode(), body


def keep_asking(port, sources, connections, request, context=None):
    """The same request again and again, on so many connections of each address; new ones for those that are closed. Those
    who ask have machines of their own, so they get what this one's processors have left."""
    os.nice(10)
    selector = selectors.DefaultSelector()

    def connect(source):
        try:
            client = socket.create_connection(("127.0.0.1", port), 5, (source, 0))
            if context:
                client = context.wrap_socket(client, server_hostname="skan.example.com")
            client.sendall(request)
            client.setblocking(False)
            selector.register(client, selectors.EVENT_READ, source)
        except OSError:
            waiting.append(source)

    waiting = [source for source in sources for _ in range(connections)]
    while True:
        again, waiting = waiting, []
        for source in again:
            connect(source)
        for key, _ in selector.select(0.1):
            try:
                if not key.fileobj.recv(65536):
                    raise OSError("closed")
                key.fileobj.sendall(request)
            except (BlockingIOError, ssl.SSLWantReadError):
                pass
            except OSError:
                selector.unregister(key.fileobj)
                key.fileobj.close()
                waiting.append(key.data)


@contextlib.contextmanager
def asking(*arguments):
    process = multiprocessing.Process(target=keep_asking, args=arguments, daemon=True)
    process.start()
    try:
        yield
    finally:
        process.kill()
        process.join()


class Visitor:
    """Posts a postback of its own on a new connection each time, and asks for a value where `asks` says so."""

    def __init__(self, port, context=None, asks=True):
        self.port, self.context, self.asks = port, context, asks
        self.bodies = (skadnetwork(number) for number in itertools.count(1))

    def request(self, number):
        if self.asks and number % 2:
            head, body = f"GET {VALUES}&idfv=me HTTP/1.1\r\nHost: skan.example.com\r\n".encode(), b""
        else:
            head, body = posted(next(self.bodies))
        return head + b"Connection: close\r\n\r\n" + body

    def visit(self, number):
        """Milliseconds, and the status; 0: there was no answer."""
        sent, begin, answer = self.request(number), time.monotonic(), b""
        try:
            with socket.create_connection(("127.0.0.1", self.port), 5, (CLIENT, 0)) as plain:
                client = self.context.wrap_socket(plain, server_hostname="skan.example.com") if self.context else plain
                client.sendall(sent)
                answer = client.recv(4096)
        except OSError:
            pass
        return (time.monotonic() - begin) * 1000, int(answer[9:12] or 0)

    def stay(self, seconds):
        """What 20 requests a second see."""
        seen, end = [], time.monotonic() + seconds
        while time.monotonic() < end:
            seen.append(self.visit(len(seen)))
            time.sleep(0.05)
        good = sorted(milliseconds for milliseconds, status in seen if status == 200)
        others = sorted(status for _, status in seen if status != 200)
        p99 = good[min(len(good) - 1, int(len(good) * 0.99))] if good else float("nan")
        return f"{len(good)} of {len(seen)} answered 200, p99 {p99:.1f} ms, others {others[:20]}"


def crowd(folder, seconds):
    head, body = posted(skadnetwork(0))
    copy = head + b"\r\n" + body
    for addresses in 0, 9, 36:
        server = open_server(folder)
        with asking(server.port, [f"127.0.1.{number + 1}" for number in range(addresses)], 32, copy):
            time.sleep(3)
            print(f"{addresses} addresses: {Visitor(server.port).stay(seconds)}", flush=True)
        server.stop()
    for connections in 0, 900:
        proxy = Behind()
        proxy.setUp()
        try:
            with asking(proxy.port, ["127.0.0.1"], connections, copy, proxy.context()):
                time.sleep(10)
                visitor = Visitor(proxy.port, proxy.context())
                print(f"nginx, {connections} connections: {visitor.stay(seconds)}", flush=True)
        finally:
            proxy.doCleanups()


class Behind(ProxyCase):
    """The site and the options that are installed."""

    CONNECTIONS = 4096

    @property
    def OPTIONS(self):
        return ("--rate", 500, "--max-connections-per-peer", 32, "--postback-keys", keys_file(self.folder))

    def runTest(self):
        pass

    def context(self):
        context = ssl.create_default_context(cafile=self.folder / "cert.pem")
        context.check_hostname = False
        return context


def disk(folder, store="postbacks"):
    """MiB of the store's files."""
    return sum(file.stat().st_size for file in folder.glob(f"{store}.db*")) / 2**20


def attacks(folder, seconds):
    for name in (None, *BY_HAND, *BY_WRK):
        server = open_server(folder)
        with attack(name, server, folder, seconds) if name else contextlib.nullcontext():
            time.sleep(2)
            print(f"{name or 'none'}: {well_behaved(server, seconds)}, {server.memory('VmHWM') / 1024:.0f} MiB",
                  flush=True)
        server.stop()


def day(folder, seconds):
    server = open_server(folder, "--store", f"sqlite:{folder}/users.db", "--max-users", MOST_USERS)
    largest = 0.0
    with contextlib.ExitStack() as running:
        for name in ("malformed", "large", "signed", "users"):
            running.enter_context(attack(name, server, folder, seconds))
        for hour in range(HOURS):
            server.at(NOW + hour * 3600)
            seen = well_behaved(server, seconds / HOURS)
            users, gone = users_of(server)
            largest = max(largest, disk(folder, "users"))
            print(f"hour {hour + 1}: memory {server.memory() / 1024:.0f} MiB, disk {disk(folder):.1f} MiB; "
                  f"{users} users in {disk(folder, 'users'):.1f} MiB, {gone} gone; {seen}", flush=True)
    print(f"memory at most {server.memory('VmHWM') / 1024:.0f} MiB, disk {disk(folder):.1f} MiB", flush=True)
    each, came = largest * 2**20 / MOST_USERS, users + gone
    print(f"{came} users came in {seconds:.0f} s, {came * 86_400 / seconds:.0f} in 24 h at that rate; their store had at "
          f"most {largest:.1f} MiB, {each:.0f} bytes for each of the {MOST_USERS} that may be kept: "
          f"{each * 1_000_000 / 2**20:.0f} MiB for the 1000000 of the default", flush=True)
    server.stop()


def users_of(server):
    """Those that are kept, and those that had to go."""
    with socket.create_connection(("127.0.0.1", server.port), 60, (CLIENT, 0)) as client:
        answer = exchange(client, b"GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    metrics = parse_metrics(Answer(answer).body.decode())
    return int(metrics["skan_users", ""]), int(metrics["skan_users_gone_total", ""])


def cheap(number):
    """A postback that needs no key of Apple's: each sort in its turn."""
    sort, number = number % 4, number // 4
    if sort == 0:
        return outbox_tools.SKADNETWORK, malformed(number)
    if sort == 1:
        return outbox_tools.SKADNETWORK, badly_signed(number)
    if sort == 2:
        return outbox_tools.SKADNETWORK, b'{"version":"%d.%d"}' % (5 + number % 90, number)
    return outbox_tools.ATTRIBUTION_KIT, attribution_kit(number, kid=f"made-up/{number % 90}")


def post(client, path, body):
    """The outcome, on a connection that is kept."""
    client.sendall(f"POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    answer = b""
    while b"\r\n\r\n" not in answer or not answer.endswith(b"\n"):
        if not (part := client.recv(4096)):
            raise OSError("closed")
        answer += part
    return json.loads(answer.partition(b"\r\n\r\n")[2])["outcome"]


def flood(port, numbers, source):
    """How often each outcome came."""
    outcomes = collections.Counter()
    with socket.create_connection(("127.0.0.1", port), 60, (source, 0)) as client:
        for number in numbers:
            outcomes[post(client, *cheap(number))] += 1
    return outcomes


def kept(folder, posts):
    """By 37 clients at a time, each of which makes every sort, within an hour of the server's clock."""
    server = open_server(folder, "--max-connection-age", 3600, scope=("--app-id", APP))
    begin, clients = time.monotonic(), 37
    with concurrent.futures.ThreadPoolExecutor(clients) as threads:
        works = [threads.submit(flood, server.port, range(client, int(posts), clients), f"127.0.2.{client + 1}")
                 for client in range(clients)]
        outcomes = sum((work.result() for work in works), collections.Counter())
    print(f"{sum(outcomes.values())} posts in {time.monotonic() - begin:.0f} s: {dict(outcomes)}; disk "
          f"{disk(folder):.1f} MiB, memory at most {server.memory('VmHWM') / 1024:.0f} MiB", flush=True)
    with socket.create_connection(("127.0.0.1", server.port), 60, (CLIENT, 0)) as client:
        assert post(client, outbox_tools.SKADNETWORK, skadnetwork(0)) == "counted"
        for expected, path, body in [
            ("conflict", outbox_tools.SKADNETWORK, skadnetwork(0, **{"conversion-value": 5})),
            ("other_app", outbox_tools.SKADNETWORK, skadnetwork(1, app=OTHER_APP)),
            ("unverifiable", outbox_tools.SKADNETWORK, skadnetwork(2, version="5.0")),
            ("unverifiable", outbox_tools.ATTRIBUTION_KIT, attribution_kit(3, kid="new/1")),
        ]:
            outcome = post(client, path, body)
            print(f"behind them: {outcome}, expected {expected}", flush=True)
            assert outcome == expected
    server.stop()


if __name__ == "__main__":
    place = Path(tempfile.mkdtemp(prefix="skan-strangers-"))
    try:
        number = float(sys.argv[2]) if len(sys.argv) > 2 else 10
        {"attacks": attacks, "crowd": crowd, "day": day, "kept": kept}[sys.argv[1]](place, number)
    finally:
        shutil.rmtree(place)
