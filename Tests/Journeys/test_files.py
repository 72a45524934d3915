"""A journey of README, "Postbacks": postbacks that were kept in files come into a store with their dates, and into the
months of its report that they belong to."""

import gzip
import json

from signer import APP, keys_file, skadnetwork
from tools import TOP, CommandCase, skan

MODEL = TOP / "Sources/SKANModels/mixed.json"
MONTHS = {"2026-03": 3, "2026-04": 5}


class Files(CommandCase):
    def setUp(self):
        super().setUp()
        self.url = self.sqlite("postbacks.db")
        number = 0
        for month, count in MONTHS.items():
            lines = []
            for day in range(1, count + 1):
                number += 1
                postback = json.loads(skadnetwork(number, **{"conversion-value": 1}))
                lines.append(json.dumps({**postback, "received_at": f"{month}-{day:02}T12:00:00Z"}) + "\n")
            file = self.file(f"logs/{month}.jsonl.gz")
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(gzip.compress("".join(lines).encode()))

    def receive(self):
        return self.succeeded(skan(
            "receive", self.url, self.file("logs"), "--app-id", APP, "--received-field", "received_at",
            "--postback-model", f"2026-01-01T00:00:00Z={MODEL}", "--postback-keys", keys_file(self.folder)))

    def installs(self, *options):
        report = json.loads(self.succeeded(skan("report", self.url, "--json", f"--model={MODEL}", *options)).out)
        return report["total"]["installs"]

    def test_postbacks_from_files_are_reported_in_their_months(self):
        self.assertEqual(self.receive().out, "8 postbacks read, 8 counted\n")
        rows = self.succeeded(skan("postbacks", self.url, "--model", MODEL)).documents()
        self.assertEqual(sorted(row["received"] for row in rows), sorted(
            f"{month}-{day:02}T12:00:00Z" for month, count in MONTHS.items() for day in range(1, count + 1)))
        self.assertEqual({row["decoding"] for row in rows}, {"decoded"})
        self.assertEqual(self.installs(), 8)
        self.assertEqual(self.installs("--to", "2026-04-01T00:00:00Z"), 3)
        self.assertEqual(self.installs("--from", "2026-04-01T00:00:00Z"), 5)

    def test_a_second_run_changes_nothing(self):
        self.receive()
        rows = skan("postbacks", self.url).out
        self.assertEqual(self.receive().out, "8 postbacks read, 0 counted, 8 duplicates\n")
        self.assertEqual(skan("postbacks", self.url).out, rows)
        self.assertIn("8 records read, 0 damaged", self.succeeded(skan("check", self.url)).out)
