"""A journey of README, "Postbacks": postbacks become revenue, and each name stands for one figure in every output."""

import csv
import io
import json
import re
import time
from decimal import Decimal

from libskan import ConversionModel, Engine, SQLiteStore
from outbox_tools import ATTRIBUTION_KIT, SKADNETWORK
from server_tools import MIXED, Server
from signer import APP, attribution_kit, keys_file, skadnetwork
from tools import CommandCase, skan

DAY = 86400
NOW = 1_780_000_000
AT = "--at=" + time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(NOW))
NETWORK = "one.example"
# Of mixed.json: an install that ended the tutorial and brought nothing, 0.01 to 1, or 1 to 5 dollars.
REVENUE = {1: "0", 9: "0.50", 17: "2.50"}
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
# Identifier, fine value, how many; None is hidden.
INSTALLS = [("5239", 1, 6), ("5239", 9, 4), ("39", 17, 3), ("39", None, 2), ("1140", 9, 2), ("1140", 17, 5)]
NAMES = (
    "network,identifier,campaign,cost,currency\r\n"
    f"{NETWORK},39,Autumn,40,USD\r\n{NETWORK},40,Winter,25.50,USD\r\n"
)


def bodies():
    number = 0
    for identifier, fine, count in INSTALLS:
        for _ in range(count):
            number += 1
            values = {} if fine is None else {"conversion-value": fine}
            yield SKADNETWORK, skadnetwork(number, NETWORK, identifier=identifier, **values)
    yield SKADNETWORK, skadnetwork(100, NETWORK, identifier="39", window=1, **{"coarse-conversion-value": "low"})
    yield SKADNETWORK, skadnetwork(101, NETWORK, identifier="39", did_win=False)
    tap = attribution_kit(102, NETWORK, "re-engagement", 0, "5239", **{"conversion-value": 17})
    yield ATTRIBUTION_KIT, tap


def flat(document, before=""):
    """Members of a document by the names that CSV has for them."""
    for name, value in document.items():
        if isinstance(value, dict):
            yield from flat(value, f"{before}{name}_")
        elif not isinstance(value, list):
            yield before + name, value


class Revenue(CommandCase):
    """`skan serve --postbacks` without models and with them, `skan report` and `skan postbacks`."""

    def received(self, name, *options):
        """The URL of a store with the postbacks, and what the server said of them at its start."""
        url = self.sqlite(name)
        options = ["--postbacks", url, "--app-id", APP, "--postback-keys", keys_file(self.folder), *options]
        told = self.succeeded(skan("serve", "--check", *options)).out
        server = Server(self.folder, *map(str, options))
        try:
            server.at(NOW)
            for path, body in bodies():
                self.assertEqual(server.post(path, body).document, {"outcome": "counted"})
            if "undecoded" in told:
                self.assertIn("kept undecoded: give --postback-model", server.process.stdout.readline().decode())
        finally:
            self.assertEqual(server.stop(), 0)
        return url, told

    def players(self):
        """The app's own installs, of forty days ago: twelve for each value."""
        url, moment = self.sqlite("players.db"), NOW - 40 * DAY
        with Engine(store=SQLiteStore(str(self.file("players.db"))), clock=lambda: moment,
                    models=[ConversionModel(MIXED.read_bytes())]) as engine:
            for fine, amount in REVENUE.items():
                for number in range(12):
                    player = f"player-{fine}-{number}"
                    engine.register(player)
                    if amount != "0":
                        engine.update_revenue(player, Decimal(amount), "USD", event_id="order")
                    result = engine.update_conversion_values(player, "tutorial_complete", event_id="tutorial")
                    self.assertEqual(result.update.fine_value, fine)
        return url

    def rows(self, url, *options):
        lines = self.succeeded(skan("postbacks", url, *options)).documents()
        text = self.succeeded(skan("postbacks", url, "--csv", *options)).out
        return lines, list(csv.DictReader(io.StringIO(text, newline="")))

    def report(self, url, *options):
        document = json.loads(self.succeeded(skan("report", url, "--json", AT, *options)).out)
        text = self.succeeded(skan("report", url, "--csv", AT, *options)).out
        return document, list(csv.DictReader(io.StringIO(text, newline="")))

    def test_postbacks_are_decoded_whenever_the_model_is_given(self):
        bare, told = self.received("bare.db")
        self.assertIn("postbacks are kept undecoded: give --postback-model FROM=FILE", told)
        stored, told = self.received("stored.db", "--model", MIXED)
        self.assertNotIn("undecoded", told)
        self.assertEqual({row["decoding"] for row in self.rows(bare)[0]}, {"none"})
        installs = [row for row in self.rows(stored)[0] if row["conversion"] == "install"]
        self.assertEqual({row["decoding"] for row in installs}, {"decoded", "hidden"})
        models, players = [f"--model={MIXED}", f"--reengagement-model={MIXED}"], self.players()
        for options in [models, [f"--model=2020-01-01={MIXED}", f"--reengagement-model={MIXED}"]]:
            found = [self.rows(url, *options) for url in (bare, stored)]
            self.assertEqual(*(sorted(lines, key=lambda row: row["id"]) for lines, _ in found))
            self.assertEqual({row["decoding"] for row in found[0][0]}, {"decoded", "hidden"})
            for more in [[], [f"--installs={players}"]]:
                one, other = (self.report(url, *options, *more)[0] for url in (bare, stored))
                self.assertNotEqual(one.pop("store"), other.pop("store"))
                self.assertEqual(one, other)
                self.assertEqual(sum(one["values_without_revenue"].values()), 0)

    def test_one_name_is_one_figure(self):
        url, _ = self.received("bare.db")
        names = self.file("names.csv")
        names.write_text(NAMES, newline="")
        options = [f"--model={MIXED}", f"--reengagement-model={MIXED}", f"--campaigns={names}"]
        (lines, rows), (document, table) = self.rows(url, *options), self.report(url, *options)
        campaigns = {line["name"]: line for network in document["total"]["networks"] for line in network["campaigns"]}
        checked = 0
        for name, line, row in [
            (None, document["total"], table[0]),
            *((name, line, next(row for row in table if row["campaign"] == name and row["window"] == "all"))
              for name, line in campaigns.items()),
        ]:
            of_line = [each for each in rows if name in (None, each["campaign_name"])]
            self.check_sums(of_line, row, is_reengagement=False)
            self.check_sums(of_line, row, is_reengagement=True)
            members = dict(flat(line))
            for shared in members.keys() & row.keys():
                written = "" if members[shared] is None else str(members[shared])
                one, other = (Decimal(text) if NUMBER.fullmatch(text) else text for text in (written, row[shared]))
                self.assertEqual(one, other, (name, shared))
                checked += 1
        self.assertGreater(checked, 30)
        for line, row in zip(lines, rows, strict=True):
            self.assertEqual([line[name] or "" for name in line if name.startswith("revenue")],
                             [row[name] for name in line if name.startswith("revenue")])
        self.assertEqual(table[0]["revenue_min"], "8.06")

    def check_sums(self, rows, line, *, is_reengagement):
        """Columns of rows, and the report's of the same names."""
        group = [row for row in rows if (row["conversion"] == "re-engagement") == is_reengagement]
        before = "reengagement_" if is_reengagement else ""
        shared = [name for name in rows[0] if name.startswith("revenue_") and before + name in line]
        self.assertEqual(shared, ["revenue_min", "revenue_max", "revenue_estimate"])
        known = [row for row in group if row["revenue"] == "known"]
        for name in shared:
            # Where one has no limit, all together have none.
            has_sum = known and all(row[name] for row in known)
            expected = sum(Decimal(row[name]) for row in known) if has_sum else None
            found = line[before + name]
            self.assertEqual(Decimal(found) if found else None, expected, (before + name, line["campaign"]))

    def test_the_first_figure_is_the_estimate_to_date(self):
        url, _ = self.received("bare.db")
        options = [f"--model={MIXED}", f"--installs={self.players()}"]
        document, table = self.report(url, *options)
        headline = document["estimated_revenue_to_date"]
        self.assertIsNone(headline["reason"])
        to_date = dict(document["total"]["estimated_revenue"]["to_date"])
        for beside in ("return_on_ad_spend", "if_hidden_for_their_value"):
            del to_date[beside]
        self.assertEqual(headline, to_date)
        self.assertEqual([table[0][f"estimated_revenue_to_date{end}"] for end in ("", "_low", "_high")],
                         [headline[name] for name in ("estimate", "low", "high")])
        words = "{estimate} ({low} to {high})".format(**headline)
        text = self.succeeded(skan("report", url, AT, *options)).out
        self.assertIn(f"\nestimated revenue to date (95 % interval): {words}\n", text)
        page = self.succeeded(skan("report", url, "--html", AT, *options)).out
        answer = page[page.index('<p class="answer">') :].partition("</p>")[0]
        shown = re.search(r"earned an estimated <b>([\d.]+) USD</b> \(([\d.]+) to ([\d.]+)\) so far", answer)
        self.assertIsNotNone(shown, answer)
        figures = [Decimal(headline[name]) for name in ("estimate", "low", "high")]
        # Rounded to a tenth of the interval's width at most.
        for number, figure in zip(shown.groups(), figures):
            self.assertLessEqual(abs(Decimal(number) - figure), (figures[2] - figures[1]) / 10)
        self.assertNotIn("extrapolated", text.partition("\nre-engagements:")[0])
        # 6 of 0.01 to 1, 8 of 1 to 5 dollars, which brought 0.50 and 2.50, and two hidden ones.
        self.assertGreater(Decimal(headline["estimate"]), 23)
        self.assertLess(Decimal(headline["estimate"]), 28)
