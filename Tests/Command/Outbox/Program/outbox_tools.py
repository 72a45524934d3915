"""What the tests of postbacks in skan serve share: a server that takes them, a partner that is told, the store."""

import collections
import http.server
import json
import os
import threading
import time
import urllib.parse

from server_tools import SECRETS, ServeCase
from signer import APP, NETWORK, OTHER_NETWORK, keys_file
from tools import outbox_entry, skan

SKADNETWORK = "/.well-known/skadnetwork/report-attribution/"
ATTRIBUTION_KIT = "/.well-known/appattribution/report-attribution/"
TOKEN = "token-4f2c9a7e15d83b60"
OLD_TOKEN = "old-token-a1b2c3d4e5f6"
PARTNER_SECRET = "partnerkey77d1c0"
SECRETS += [TOKEN, OLD_TOKEN, PARTNER_SECRET]


class Partner:
    """Counts the ids that it is told; answers what it is told to answer."""

    def __init__(self):
        self.lock = threading.Lock()
        self.status = 200
        self.body = b""
        self.headers = {}
        self.calls = []  # the items of each query
        self.arrivals = []
        self.server, self.port = None, 0

    def start(self):
        partner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self, **more):
                query = self.path.partition("?")[2]
                with partner.lock:
                    status = partner.status
                    items = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
                    partner.calls.append(items | {"?": self.path, "status": status} | more)
                    partner.arrivals.append(time.monotonic())
                self.send_response(status)
                for header in partner.headers.items():
                    self.send_header(*header)
                self.send_header("Content-Length", str(len(partner.body)))
                self.end_headers()
                # Whoever has seen enough of a long answer leaves.
                try:
                    self.wfile.write(partner.body)
                except ConnectionError:
                    self.close_connection = True

            def do_POST(self):
                row = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self.do_GET(id=row["id"], row=row, type=self.headers["Content-Type"])

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            request_queue_size = 128

        self.server = Server(("127.0.0.1", self.port), Handler)
        self.port = self.server.server_address[1]
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()

    def stop(self):
        if self.server:
            self.server.shutdown()
            self.server.server_close()
            self.thread.join()
            self.server = None

    def ids(self, taken=False):
        """How often each id came, or was answered 200."""
        with self.lock:
            return collections.Counter(call["id"] for call in self.calls if not taken or call["status"] == 200)


class OutboxCase(ServeCase):
    def setUp(self):
        super().setUp()
        self.url = self.sqlite("postbacks.db")
        self.keys = keys_file(self.folder)
        self.token_file = self.secret("token", TOKEN)

    def partner(self):
        made = Partner()
        made.start()
        self.addCleanup(made.stop)
        return made

    def networks(self, *partners, items="id={id}", **more):
        """A file with two networks; the first has these partners."""
        told = [{"name": f"partner{index}", "url": f"http://127.0.0.1:{each.port}/told?key={PARTNER_SECRET}&{items}"}
                for index, each in enumerate(partners)]
        document = {"networks": [
            {"name": "example", "ad_networks": [NETWORK], "tokens": [f"file:{self.token_file}", "env:OLD_TOKEN"],
             "partners": told, **more},
            {"name": "other", "ad_networks": [OTHER_NETWORK], "partners": []},
        ]}
        file = self.folder / "networks.json"
        file.write_text(json.dumps(document))
        return file

    def receive(self, *options, networks=None, scope=("--app-id", APP), **more):
        os.environ["OLD_TOKEN"] = OLD_TOKEN
        return self.serve("--postbacks", self.url, "--postback-keys", self.keys,
                          "--networks", networks or self.networks(), *scope, *options, **more)

    def refused(self, words, *options, **more):
        """What a server says that does not begin: these words, too."""
        with self.assertRaises(AssertionError) as caught:
            self.receive(*options, **more)
        said = str(caught.exception)
        self.assertIn(words, said)
        return said

    def outcome(self, server, body, path=SKADNETWORK):
        answer = server.post(path, body)
        return answer.status, answer.document["outcome"]

    def stored(self, prefix):
        """The keys of the store that begin so."""
        return [key.decode() for key in self.records("postbacks.db") if key.startswith(prefix.encode())]

    def put_entry(self, digits, **more):
        """An entry for the first partner, of the postback with this key; it waits and is due unless `more` says else."""
        key = f"outbox/{digits}/example/partner0".encode()
        self.put("postbacks.db", key, outbox_entry(key, **more))

    def execute(self, statement, *values):
        """In the store's database."""
        with self.database("postbacks.db") as database:
            database.execute(statement, values)

    def outbox(self):
        return self.succeeded(skan("outbox", self.url)).documents()


def partner_id(key, partner="partner0"):
    return f"{key.removeprefix('postback/')}-{partner}"
