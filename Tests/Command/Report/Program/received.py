"""Postbacks that a receiver took, and the report of them."""

import json
import subprocess

from tools import BUILD, CommandCase, environment, skan

POSTBACKS = str(BUILD / "Tests" / "command" / "postbacks")
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

# Arrived, kind, network, identifier, window, won, type, fine, coarse, count.
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


class ReportCase(CommandCase):
    """A file of postbacks, a model and a CSV of campaigns; made when they are asked for."""

    def write(self, name, content):
        if isinstance(content, dict):
            content = json.dumps(content)
        self.file(name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(self.file(name))

    def received(self, plan, *models, name="p.db"):
        """The URL of a file with these postbacks, received with models: (from, path) each, "r0" from 0 on of
        re-engagements."""
        self.file(name).unlink(missing_ok=True)
        lines = [" ".join(map(str, (ARRIVED + line[0], *line[1:]))) for line in plan]
        arguments = [str(argument) for model in models for argument in model]
        run = subprocess.run(
            [POSTBACKS, str(self.file(name)), *arguments], input="\n".join(lines) + "\n", text=True, env=environment(),
            capture_output=True, check=False,
        )
        self.assertEqual(run.returncode, 0, run.stderr)
        return f"sqlite:{self.file(name)}"

    def example(self):
        """The store of PLAN, and options for its model and its campaigns."""
        model = self.write("model.json", MODEL)
        campaigns = self.write("campaigns.csv", CAMPAIGNS)
        return self.received(PLAN, (0, model)), [f"--model={model}", f"--campaigns={campaigns}", AT]

    def report(self, url, *options, code=0):
        return self.succeeded(skan("report", url, *options), code)

    def document(self, url, *options, code=0):
        return json.loads(self.report(url, "--json", *options, code=code).out)
