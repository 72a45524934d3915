"""Postbacks as people send them, over HTTP: each is taken or refused as a file of it is, and the metrics tell them apart."""

import csv

from outbox_tools import ATTRIBUTION_KIT, SKADNETWORK, OutboxCase
from tools import TOP

FIELD = TOP / "Tests" / "Postbacks" / "Field"
APPS = ("--app-id", "990001234", "--app-id", "990009999")
OUTCOMES = {"valid": "counted", "development": "development", "malformed": "malformed", "unverifiable": "unverifiable"}
with (FIELD / "expected.tsv").open(encoding="utf-8") as table:
    EXPECTED = list(csv.DictReader(table, delimiter="\t"))


class Field(OutboxCase):
    def setUp(self):
        super().setUp()
        self.keys = FIELD / "keys.json"

    def test_each_is_what_a_file_of_it_is_and_the_metrics_count_them(self):
        server = self.receive(scope=APPS)
        wanted = {"respelled": 0, "illegal": 0, "unknown_type": 0}
        for expected in sorted(EXPECTED, key=lambda each: each["unknown_type"] == "-"):
            name = expected["file"]
            body = (FIELD / "postbacks" / name).read_bytes()
            answer = self.outcome(server, body, ATTRIBUTION_KIT if "_aak_" in name else SKADNETWORK)
            taken = OUTCOMES[expected["result"]]
            # Some have one identifier; the first of them is the one that counts.
            others = ["duplicate", "conflict"] if taken == "counted" else []
            self.assertIn(answer, [(200, each) for each in (taken, *others)], name)
            if answer == (200, "counted"):
                wanted["respelled"] += expected["respelled"] == "yes"
                wanted["illegal"] += expected["illegal"] != "-"
                wanted["unknown_type"] += expected["unknown_type"] != "-"
        self.assertGreater(min(wanted.values()), 0)
        counted = dict.fromkeys(wanted, 0)
        for (name, _), value in server.metrics().items():
            for kind in wanted:
                counted[kind] += value if name == f"skan_postbacks_{kind}_total" else 0
        self.assertEqual(counted, wanted)

    def test_an_array_holds_two(self):
        answer = self.receive(scope=APPS).post(SKADNETWORK, (FIELD / "postbacks" / "51_array_of_two.json").read_bytes())
        self.assertEqual((answer.status, answer.document), (200, [{"outcome": "counted"}] * 2))
