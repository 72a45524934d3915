"""Postbacks that a receiver took, and the report of them."""

import json
from pathlib import Path

from outbox_tools import SKADNETWORK
from server_tools import Server
from signer import APP, OTHER_APP, attribution_kit, keys_file, skadnetwork
from tools import CommandCase, skan

TOKEN = "token-of-another-network"
DAY = 86400
ARRIVED = 1700000000  # 2023-11-14T22:13:20Z
AT = "--at=2026-01-01T00:00:00Z"

# Window 0: nothing known, [1, 3), [3, 10), 10 and more; window 1: nothing known, [5, 20); window 2: no revenue.
MODEL = {
    "schema": 1,
    "id": "model",
    "currency": "USD",
    "windows": [
        {
            "rules": [
                {"fine": 0, "coarse": 0, "when": {}},
                {"fine": 10, "coarse": 1, "when": {"revenue": {"kind": "all", "min": 1, "max": 3}}},
                {"fine": 20, "coarse": 1, "when": {"revenue": {"kind": "all", "min": 3, "max": 10}}},
                {"fine": 63, "coarse": 2, "when": {"revenue": {"kind": "all", "min": 10}}},
            ]
        },
        {
            "rules": [
                {"coarse": 0, "when": {}},
                {"coarse": 2, "when": {"revenue": {"kind": "all", "min": 5, "max": 20}}},
            ]
        },
        {"rules": [{"coarse": 0, "when": {}}]},
    ],
}

# Arrived, kind, network, identifier, window, won, type, fine, coarse, count. Of kind "sender" another network sent it;
# "conflict" is the last postback again with these values; "other_app" is of OTHER_APP.
PLAN = [
    (0, "4.0", "one.example", "5239", 0, 1, "install", 10, "-", 6),
    (0, "4.0", "one.example", "239", 0, 1, "install", "-", "medium", 3),
    (0, "4.0", "one.example", "39", 0, 1, "install", "-", "-", 2),
    (DAY, "4.0", "one.example", "1140", 0, 1, "redownload", 63, "-", 1),
    (DAY, "4.0", "one.example", "39", 1, 1, "install", "-", "high", 2),
    (DAY, "4.0", "one.example", "39", 0, 0, "install", "-", "-", 4),
    (DAY, "3.0", "two.example", "7", 0, 1, "install", 20, "-", 5),
    (2 * DAY, "aak", "two.example", "4411", 0, 1, "re-engagement", 10, "-", 2),
    (2 * DAY, "aak", "two.example", "4411", 0, 1, "install", 10, "-", 1),
    (2 * DAY, "conflict", "two.example", "4411", 0, 1, "install", 20, "-", 1),
    (2 * DAY, "development", "two.example", "4411", 0, 1, "install", 10, "-", 3),
    (2 * DAY, "invalid", "two.example", "4411", 0, 1, "install", 10, "-", 2),
    (2 * DAY, "malformed", "two.example", "4411", 0, 1, "install", 10, "-", 1),
    (2 * DAY, "sender", "two.example", "4411", 0, 1, "install", 10, "-", 1),
]

CAMPAIGNS = (
    "network,identifier,campaign,ad_set,cost,currency\r\n"
    "one.example,39,Autumn,,10,USD\r\n"
    "one.example,5239,Autumn,Video,20.50,USD\r\n"
    "one.example,40,Winter,,5,USD\r\n"
    'two.example,campaign-id 7,"Old, ""and"" gone",,,\r\n'
    "unseen.example,77,Spring,,8,USD\r\n"
)

OUTCOMES = {kind: kind for kind in ("conflict", "development", "invalid", "malformed")} | {"sender": "other_network"}


def body(number, kind, network, identifier, window, won, conversion, fine, coarse):
    values = {} if fine == "-" else {"conversion-value": fine}
    if coarse != "-":
        values["coarse-conversion-value"] = coarse
    if kind == "malformed":
        return b'{"version":"4.0","n":%d}' % number
    if kind in ("aak", "conflict", "development", "other_app"):
        kid = "test-development/0" if kind == "development" else "test/0"
        conversion = "download" if conversion == "install" else conversion
        app = OTHER_APP if kind == "other_app" else APP
        return attribution_kit(number, network, conversion, window, identifier, app, bool(won), kid, **values)
    made = skadnetwork(number, network, window, identifier, "3.0" if kind == "3.0" else "4.0", bool(won),
                       conversion == "redownload", **values)
    return made.replace(b"525463029", b"625463029") if kind == "invalid" else made


# Files of postbacks, by what was received.
RECEIVED = {}


class ReportCase(CommandCase):
    """A file of postbacks, a model and a CSV of campaigns; made when they are asked for."""

    def write(self, name, content):
        if isinstance(content, dict):
            content = json.dumps(content)
        self.file(name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(self.file(name))

    def received(self, plan, *models, name="p.db"):
        """The URL of a file with these postbacks, received by a server with models: (from, path) each, "r0" from 0 on
        of re-engagements. The file is received once, and copied for whoever asks for the same."""
        read = [(moment, Path(model).read_bytes()) for moment, model in models]
        same = repr((plan, read))
        if same not in RECEIVED:
            RECEIVED[same] = self.received_anew(plan, models)
        self.file(name).write_bytes(RECEIVED[same])
        return f"sqlite:{self.file(name)}"

    def received_anew(self, plan, models):
        """The file's bytes."""
        token = f"file:{self.secret('token', TOKEN)}"
        networks = self.write("networks.json", {"networks": [
            {"name": "another", "ad_networks": ["another.example"], "tokens": [token]}]})
        options = []
        for moment, model in models:
            kind = "reengagement" if str(moment).startswith("r") else "postback"
            options += [f"--{kind}-model", f"{str(moment).removeprefix('r')}={model}"]
        options += ["--postback-keys", keys_file(self.folder), "--networks", networks, "--any-app"]
        file = self.file("received-anew.db")
        server = Server(self.folder, "--postbacks", f"sqlite:{file}", *options)
        try:
            self.receive(server, plan)
        finally:
            self.assertEqual(server.stop(), 0)
        content = file.read_bytes()
        file.unlink()
        return content

    def receive(self, server, plan):
        number = 0
        for arrived, kind, *line, count in plan:
            server.at(ARRIVED + arrived)
            path = f"/postbacks/another?token={TOKEN}" if kind == "sender" else SKADNETWORK
            for _ in range(count):
                number += kind != "conflict"
                answer = server.post(path, body(number, kind, *line))
                self.assertEqual(answer.document, {"outcome": OUTCOMES.get(kind, "counted")}, kind)

    def example(self):
        """The store of PLAN, and options for its model and its campaigns."""
        model = self.write("model.json", MODEL)
        campaigns = self.write("campaigns.csv", CAMPAIGNS)
        return self.received(PLAN, (0, model)), [f"--model={model}", f"--campaigns={campaigns}", AT]

    def report(self, url, *options, code=0):
        return self.succeeded(skan("report", url, *options), code)

    def document(self, url, *options, code=0):
        return json.loads(self.report(url, "--json", *options, code=code).out)
