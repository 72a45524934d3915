"""What the tests of skan serve share: a server of the test's own, requests to it, its log and its metrics."""

import contextlib
import json
import mmap
import os
import re
import signal
import socket
import struct
import subprocess
import threading
import time
import urllib.parse
from pathlib import Path

from tools import COMMAND, TOP, CommandCase, environment

MIXED = TOP / "Sources" / "SKANModels" / "mixed.json"
SKAN3 = TOP / "Sources" / "SKANModels" / "skan3_revenue.json"
KEY = "sdkey_51c6a1b2e93d"
IDFV = "8ECABDA1-56C3-4A45-9B4F-6E0C1B7D2A11"
IDFA = "DFC5A647-9043-4699-B2A5-76F03A97064B"
SECRETS = [KEY, IDFV, IDFA]
NOW = 1_700_000_000


class Started:
    """A server that was started, as `process`, with its log in `log_file`."""

    def stop(self):
        """The exit code."""
        if self.process.poll() is None:
            self.process.terminate()
        code = self.process.wait(60)
        self.process.stdout.close()
        return code

    def log(self):
        """Its whole lines: while it runs, another may be half written, and what was just done is not yet told."""
        return [json.loads(line) for line in self.log_file.read_text(encoding="utf-8").split("\n")[:-1]]


class Server(Started):
    """A server on a free port of loopback, whose clock stands until it is moved."""

    def __init__(self, folder, *options, now=NOW, files=None, log=None, variables=None, command=COMMAND):
        self.clock = folder / f"clock-{len(list(folder.iterdir()))}"
        self.clock.write_bytes(struct.pack("=q", now * 1_000_000))
        with open(self.clock, "r+b") as file:
            self.microseconds = mmap.mmap(file.fileno(), 8)
        self.log_file = self.clock.with_suffix(".log")
        # A shell lowers its own limit, for good.
        first = ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh"] if files else []
        with open(self.log_file, "wb") as file:
            self.process = subprocess.Popen(
                [*first, command, "serve", "--listen", "127.0.0.1:0", "--clock", str(self.clock), *map(str, options)],
                stdout=subprocess.PIPE, stderr=log or file, env=environment(**variables or {}),
            )
        line = self.process.stdout.readline().decode()
        found = re.match(r"skan: serving on http://127\.0\.0\.1:(\d+), (.*)\n$", line)
        if not found:
            self.process.wait(30)
            raise AssertionError(f"it does not serve: {line!r} {self.log_file.read_text()}")
        self.port, self.stores = int(found[1]), found[2]
        self.url = f"http://127.0.0.1:{self.port}"

    def at(self, seconds):
        self.microseconds[:] = struct.pack("=q", seconds * 1_000_000)

    def memory(self, what="VmRSS"):
        """KiB."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return int(re.search(what + r":\s+(\d+) kB", status.read())[1])

    def bytes_read(self):
        """What the server has read of files, from the system's memory too."""
        with open(f"/proc/{self.process.pid}/io", encoding="ascii") as numbers:
            return int(re.search(r"rchar: (\d+)", numbers.read())[1])

    def processor_seconds(self):
        """What the server has used of processors, which a busy machine does not change much."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def connect(self, timeout=60):
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def talk(self, sent):
        """What comes back until the server closes."""
        with self.connect() as client:
            return exchange(client, sent)

    def get(self, path, method="GET", headers=(), body=b""):
        lines = [f"{method} {path} HTTP/1.1", "Host: skan", "Connection: close", *headers, "", ""]
        return Answer(self.talk("\r\n".join(lines).encode("utf-8", "surrogateescape") + body))

    def post(self, path, body, *headers):
        headers = ["Content-Type: application/json", f"Content-Length: {len(body)}", *headers]
        return self.get(path, "POST", headers, body)

    def ask(self, version=4, **items):
        """A request whose items are encoded as curl, Java and Python do."""
        return self.get(f"/api/v{2 if version == 4 else 1}/conversion_value?{urllib.parse.urlencode(items)}")

    def metrics(self):
        return parse_metrics(self.get("/metrics").body.decode())


def exchange(client, sent):
    came = b""
    # A server that refuses does not read what is left; what it said was received before, or comes now.
    with contextlib.suppress(ConnectionResetError, BrokenPipeError):
        client.sendall(sent)
    with contextlib.suppress(ConnectionResetError):
        while part := client.recv(65536):
            came += part
    return came


@contextlib.contextmanager
def running(*works):
    """Each on a thread of its own; at the end all have ended."""
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for thread in threads:
            thread.join()


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


def value_path(**more):
    """Path and query of such a request."""
    return f"/api/v2/conversion_value?{urllib.parse.urlencode(items4(**more))}"


def request_of(path):
    """On a connection that is kept."""
    return f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode()


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


class ServeCase(CommandCase):
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

    def model(self, name, *rules, **changes):
        """A file with a model of one's own, with these rules in its first window."""
        document = {"schema": 1, "id": name, "windows": [{"rules": rules}, {"rules": []}, {"rules": []}], **changes}
        file = self.folder / f"{name}.json"
        file.write_text(json.dumps(document))
        return file

    def users(self, name):
        """Key and record of every user of a store, without the models that users began with."""
        return {key: record for key, record in self.records(name).items() if not key.startswith(b"model/")}

    def said(self, server):
        """Of its configuration."""
        return [line["message"] for line in server.log() if line["event"] == "configuration"]

    def read_again(self, server):
        before = len(self.said(server))
        server.process.send_signal(signal.SIGHUP)
        self.eventually(lambda: len(self.said(server)) > before)
        return self.said(server)[before]

    def eventually(self, holds, seconds=120):
        """Waits until it holds. The limit is for what never comes, on a busy machine too."""
        end = time.monotonic() + seconds
        while not holds():
            self.assertLess(time.monotonic(), end, "it does not come to be")
            time.sleep(0.02)
