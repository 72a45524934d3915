"""What the tests of skan serve share: a server of the test's own, requests to it, its log and its metrics."""

import json
import mmap
import re
import socket
import struct
import subprocess
import time
import urllib.parse

from tools import COMMAND, TOP, FolderCase, environment

MIXED = TOP / "Sources" / "SKANModels" / "mixed.json"
SKAN3 = TOP / "Sources" / "SKANModels" / "skan3_revenue.json"
KEY = "sdkey_51c6a1b2e93d"
IDFV = "8ECABDA1-56C3-4A45-9B4F-6E0C1B7D2A11"
IDFA = "DFC5A647-9043-4699-B2A5-76F03A97064B"
SECRETS = [KEY, IDFV, IDFA]
NOW = 1_700_000_000


class Server:
    """A server on a free port of loopback, whose clock stands until it is moved."""

    def __init__(self, folder, *options, now=NOW, files=None):
        self.clock = folder / f"clock-{len(list(folder.iterdir()))}"
        self.clock.write_bytes(struct.pack("=q", now * 1_000_000))
        with open(self.clock, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 8)
        self.log_file = self.clock.with_suffix(".log")
        # A shell lowers its own limit, for good.
        first = ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh"] if files else []
        with open(self.log_file, "wb") as log:
            self.process = subprocess.Popen(
                [*first, COMMAND, "serve", "--listen", "127.0.0.1:0", "--clock", str(self.clock), *map(str, options)],
                stdout=subprocess.PIPE, stderr=log, env=environment(),
            )
        line = self.process.stdout.readline().decode()
        found = re.match(r"skan: serving on http://127\.0\.0\.1:(\d+), (.*)\n$", line)
        if not found:
            self.process.wait(30)
            raise AssertionError(f"it does not serve: {line!r} {self.log_file.read_text()}")
        self.port, self.store = int(found[1]), found[2]
        self.url = f"http://127.0.0.1:{self.port}"

    def at(self, seconds):
        self.memory[:] = struct.pack("=q", seconds * 1_000_000)

    def stop(self):
        """The exit code."""
        if self.process.poll() is None:
            self.process.terminate()
        code = self.process.wait(60)
        self.process.stdout.close()
        return code

    def log(self):
        return [json.loads(line) for line in self.log_file.read_text(encoding="utf-8").splitlines()]

    def connect(self, timeout=20):
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def talk(self, sent):
        """What comes back until the server closes."""
        with self.connect() as client:
            return exchange(client, sent)

    def get(self, path, method="GET", headers=()):
        lines = [f"{method} {path} HTTP/1.1", "Host: skan", "Connection: close", *headers, "", ""]
        return Answer(self.talk("\r\n".join(lines).encode("utf-8", "surrogateescape")))

    def post(self, path, body):
        head = (f"POST {path} HTTP/1.1\r\nHost: skan\r\nConnection: close\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n")
        return Answer(self.talk(head.encode() + body))

    def ask(self, version=4, **items):
        """A request whose items are encoded as curl, Java and Python do."""
        path = "/api/v2/conversion_value" if version == 4 else "/api/v1/conversion_value"
        return self.get(f"{path}?{urllib.parse.urlencode(items)}")

    def metrics(self):
        return parse_metrics(self.get("/metrics").body.decode())


def exchange(client, sent):
    came = b""
    try:
        client.sendall(sent)
        while True:
            part = client.recv(65536)
            if not part:
                break
            came += part
    except (ConnectionResetError, BrokenPipeError):
        # A server that refuses does not read what is left; what it said was received before, or comes now.
        try:
            while part := client.recv(65536):
                came += part
        except OSError:
            pass
    return came


class Answer:
    def __init__(self, text):
        head, _, self.body = text.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        found = re.match(r"HTTP/1\.1 (\d{3}) ", lines[0])
        self.status = int(found[1]) if found else 0
        self.headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(": ")
            self.headers[name.lower()] = value

    @property
    def document(self):
        return json.loads(self.body.decode("utf-8"))

    @property
    def reason(self):
        return self.document["reason"]

    def __repr__(self):
        return f"{self.status} {self.headers} {self.body[:500]!r}"


def parse_metrics(text):
    """Samples by name and labels; every line is of the text form, every sample behind its type."""
    samples, types = {}, {}
    for line in text.splitlines():
        if kind := re.fullmatch(r"# TYPE (\w+) (counter|gauge|histogram)", line):
            types[kind[1]] = kind[2]
        elif not re.fullmatch(r"# HELP \w+ .+", line):
            sample = re.fullmatch(r'(\w+)((?:\{(?:\w+="[^"\\\n]*",?)*\})?) (\S+)', line)
            assert sample, line
            assert re.sub(r"_(bucket|sum|count)$", "", sample[1]) in types or sample[1] in types, line
            assert (sample[1], sample[2]) not in samples, line
            samples[sample[1], sample[2]] = float(sample[3])
    return samples


def items4(**more):
    """What a request of SKAN 4 carries at the least, of an install of an hour ago."""
    items = {
        "a": KEY, "v": "17.2", "i": "com.example.game", "app_v": "1.2.3", "n": "__SESSION__", "p": "iOS", "idfv": IDFV,
        "skan_current_conversion_value": 0,
        "skan_first_call_to_skadnetwork_timestamp": NOW - 3600,
        "skan_last_call_to_skadnetwork_timestamp": NOW - 3600,
    }
    return with_more(items, more)


def items3(**more):
    items = {
        "a": KEY, "i": "com.example.game", "app_v": "1.2.3", "n": "purchase", "p": "iOS", "idfv": IDFV,
        "total_revenue_by_currency": "{}",
        "first_call_to_skadnetwork_timestamp": NOW - 3600,
        "last_call_to_skadnetwork_timestamp": NOW - 3600,
    }
    return with_more(items, more)


def with_more(items, more):
    """None takes an item away."""
    return {name: value for name, value in {**items, **more}.items() if value is not None}


class ServeCase(FolderCase):
    """Servers that end with the test as they should."""

    def serve(self, *options, ends=0, **more):
        server = Server(self.folder, *options, **more)
        self.addCleanup(self.check_end, server, ends)
        return server

    def check_end(self, server, code):
        self.assertEqual(server.stop(), code, server.log_file.read_text(errors="replace")[-4000:])
        log = server.log_file.read_text(encoding="utf-8")
        for secret in SECRETS:
            self.assertNotIn(secret, log)

    def model(self, name, **changes):
        """A file with a model of one's own."""
        document = {"schema": 1, "id": name, "windows": [{"rules": []}, {"rules": []}, {"rules": []}], **changes}
        file = self.folder / f"{name}.json"
        file.write_text(json.dumps(document))
        return file

    def eventually(self, holds, seconds=20):
        end = time.monotonic() + seconds
        while not holds():
            self.assertLess(time.monotonic(), end, "it does not come to be")
            time.sleep(0.02)
