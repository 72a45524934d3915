"""skan postbacks: rows, and the report's totals of them in PostgreSQL and DuckDB."""

import csv
import io
import json
import re
import subprocess
import sys
import time
from decimal import Decimal

import pytest
from signer import keys_file, skadnetwork
from stores import each_store, postgres_database
from tools import IS_SANITIZED, TOP, peak_memory, skan

from received import DAY, MODEL, PLAN, ReportCase

TABLE = TOP / "Include" / "packaging" / "share" / "postbacks.sql"
NAMED = (
    "network,identifier,campaign,ad_set,network_name\r\n"
    "one.example,39,Autumn,,One\r\none.example,5239,Autumn,Video,\r\n"
    'two.example,campaign-id 7,"Old, ""and"" gone",,\r\n'
)
# What the report tells, of rows.
TOTALS = """
SELECT count(*),
    count(*) FILTER (WHERE won AND postback_sequence_index = 0 AND conversion = 'install'),
    count(*) FILTER (WHERE won AND postback_sequence_index = 0 AND conversion = 'redownload'),
    count(*) FILTER (WHERE won AND postback_sequence_index = 0 AND conversion = 're-engagement'),
    count(*) FILTER (WHERE NOT won AND conversion <> 're-engagement'),
    count(*) FILTER (WHERE revenue = 'hidden' AND conversion <> 're-engagement'),
    count(revenue_min) FILTER (WHERE conversion <> 're-engagement'),
    sum(revenue_min) FILTER (WHERE conversion <> 're-engagement')
FROM postbacks
"""
BY_CAMPAIGN = """
SELECT campaign_name, sum(revenue_min) FROM postbacks
WHERE conversion <> 're-engagement' AND revenue = 'known' GROUP BY campaign_name
"""


def totals_of(report):
    total = report["total"]
    return (report["counted"], total["installs"], total["redownloads"], total["reengagements"], total["not_winning"],
            total["values"]["hidden"], total["revenue"]["known_values"], Decimal(total["revenue"]["min"]))


# In a process of its own: tests of memory beside this one see what theirs takes.
DUCKDB = '''
import duckdb, json, sys
warehouse = duckdb.connect()
*before, last = json.load(sys.stdin)
for statement in before:
    warehouse.execute(statement)
print(json.dumps(warehouse.execute(last).fetchall(), default=str))
'''


def duckdb(*statements):
    run = subprocess.run([sys.executable, "-c", DUCKDB], input=json.dumps(statements), check=True, text=True,
                         stdout=subprocess.PIPE)
    return json.loads(run.stdout)


def numbers(row):
    return tuple(map(Decimal, row))


class Rows(ReportCase):
    def rows(self, url, *options, code=0):
        return self.succeeded(skan("postbacks", url, *options), code).documents()

    def csv_rows(self, url, *options):
        return list(csv.DictReader(io.StringIO(self.succeeded(skan("postbacks", url, "--csv", *options)).out)))

    def test_a_row_says_all_that_is_known(self):
        model = self.write("model.json", MODEL)
        names = self.write("names.csv", NAMED)
        url = self.received(PLAN, (0, model))
        rows = self.rows(url, f"--model={model}", f"--campaigns={names}")
        self.assertEqual(len(rows), 26)
        self.assertEqual(len({row["id"] for row in rows}), 26)
        row = next(row for row in rows if row["conversion_value"] == 10 and row["framework"] == "SKAdNetwork")
        self.assertRegex(row.pop("id"), "^[0-9a-f]{64}$")
        self.assertRegex(row.pop("transaction_id"), "^transaction-[0-9]+$")
        self.assertRegex(row.pop("model"), "^[0-9a-f]{64}$")
        self.assertEqual(row, {
            "received": "2023-11-14T22:13:20Z", "sender": None, "framework": "SKAdNetwork", "version": "4.0",
            "ad_network_id": "one.example", "campaign_id": None, "source_identifier": "5239", "app_id": 525463029,
            "source_app_id": None, "source_domain": None, "fidelity_type": 1, "redownload": False, "did_win": True,
            "postback_sequence_index": 0, "conversion_type": "download", "conversion_value": 10,
            "coarse_conversion_value": None, "country_code": None, "ad_interaction_type": None,
            "network_name": "One", "campaign_name": "Autumn", "ad_set_name": "Video", "conversion": "install",
            "won": True, "decoding": "decoded", "events": "", "revenue": "known", "revenue_min": "1.00",
            "revenue_max": "3.00", "revenue_estimate": "2.00", "currency": "USD",
            "installed_from": "2023-11-10T22:13:20Z", "installed_until": "2023-11-11T22:13:20Z",
            "installed_until_if_locked": "2023-11-13T22:13:20Z",
            "reengaged_from": None, "reengaged_until": None, "reengaged_until_if_locked": None,
            "revenue_kind": "all", "respelled": False, "illegal": None, "unknown_type": None,
        })
        tap = next(row for row in rows if row["conversion"] == "re-engagement")
        self.assertIsNone(tap["installed_from"])
        self.assertEqual(tap["reengaged_from"], "2023-11-12T22:13:20Z")
        self.assertEqual(tap["revenue"], "not_decoded")
        lost = next(row for row in rows if not row["won"])
        self.assertIsNone(lost["revenue"])

    def test_help_table_and_rows_have_the_same_columns(self):
        url = self.received(PLAN)
        columns = list(self.rows(url)[0])
        for row in self.rows(url):
            self.assertEqual(list(row), columns)
        self.assertEqual(list(self.csv_rows(url)[0]), columns)
        self.assertEqual(re.findall(r"^    (\w+) ", TABLE.read_text(), re.MULTILINE), columns)
        described = skan("postbacks", "--help").out
        described = described[described.index("\nColumns:\n"):]
        told = re.findall(r"\b([a-z_]+) (?:text|time|integer|boolean|decimal)\b", described)
        self.assertEqual([name for name in told if name in columns], columns)

    def test_both_forms_say_the_same(self):
        url, (model, campaigns, _) = self.example()
        options = [model, campaigns]
        for line, row in zip(self.rows(url, *options), self.csv_rows(url, *options), strict=True):
            texts = {name: "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
                     for name, value in line.items()}
            self.assertEqual(row, texts)

    def test_by_time_of_arrival(self):
        url = self.received(PLAN)
        days = [row["received"] for row in self.rows(url)]
        self.assertEqual(len(self.rows(url, "--since=2023-11-15")), sum(day >= "2023-11-15" for day in days))
        self.assertEqual(len(self.rows(url, "--until=2023-11-14")), sum(day < "2023-11-15" for day in days))
        second = "2023-11-15T22:13:20Z"
        self.assertEqual(len(self.rows(url, f"--since={second}", "--until=2023-11-15T22:13:21Z")), days.count(second))
        self.assertEqual(self.rows(url, f"--since={second}", f"--until={second}"), [])
        self.assertEqual(skan("postbacks", url, "--since=yesterday").code, 2)

    def test_totals_are_those_of_the_report(self):
        url, (model, campaigns, at) = self.example()
        report = self.document(url, model, campaigns, at)
        file = self.file("rows.csv")
        file.write_text(skan("postbacks", url, "--csv", model, campaigns).out, newline="")
        named = {(line["name"], Decimal(line["revenue"]["min"])) for network in report["total"]["networks"]
                 for line in network["campaigns"] if line["revenue"]["known_values"]}
        load = [TABLE.read_text(), f"COPY postbacks FROM '{file}' (HEADER)"]
        self.assertEqual(numbers(duckdb(*load, TOTALS)[0]), totals_of(report))
        self.assertEqual({(name, Decimal(sum)) for name, sum in duckdb(*load, BY_CAMPAIGN)}, named)
        self.assertEqual(duckdb(*load, "SELECT min(epoch(received)) FROM postbacks"), [[1700000000]])

    def test_lines_of_json_load_as_they_are(self):
        url, (model, campaigns, at) = self.example()
        file = self.file("rows.jsonl")
        file.write_text(skan("postbacks", url, model, campaigns).out)
        found = duckdb(TABLE.read_text(), f"INSERT INTO postbacks SELECT * FROM read_json('{file}')", TOTALS)
        self.assertEqual(numbers(found[0]), totals_of(self.document(url, model, campaigns, at)))

    @pytest.mark.server("postgres")
    def test_postgresql_has_the_same_totals(self):
        url, (model, campaigns, at) = self.example()
        file = self.file("rows.csv")
        file.write_text(skan("postbacks", url, "--csv", model, campaigns).out, newline="")
        database = postgres_database()

        def psql(*words):
            return subprocess.run(["psql", "-q", "-v", "ON_ERROR_STOP=1", database, *words], check=True, text=True,
                                  capture_output=True).stdout

        psql("-f", str(TABLE), "-c", f"\\copy postbacks FROM '{file}' CSV HEADER")
        found = psql("-At", "-F", " ", "-c", TOTALS).split()
        self.assertEqual(numbers(found), totals_of(self.document(url, model, campaigns, at)))

    @each_store
    def test_every_kind_of_store(self, kind, url):
        source, (model, campaigns, _) = self.example()
        self.succeeded(skan("move", "--keep", source, url))

        def ordered(store):
            return sorted(self.rows(store, model, campaigns), key=lambda row: row["id"])

        self.assertEqual(ordered(url), ordered(source))

    def test_names_that_spreadsheets_obey_are_told_as_text(self):
        names = self.write("names.csv", "network,identifier,campaign\r\none.example,39,=1+1\r\n")
        url = self.received(PLAN[:1])
        self.assertEqual(self.csv_rows(url, f"--campaigns={names}")[0]["campaign_name"], "'=1+1")
        self.assertEqual(self.rows(url, f"--campaigns={names}")[0]["campaign_name"], "=1+1")

    def test_two_names_of_a_network_are_refused(self):
        names = self.write("names.csv", "network,identifier,network_name\r\none.example,39,One\r\none.example,40,Two\r\n")
        answer = skan("postbacks", self.received(PLAN[:1]), f"--campaigns={names}")
        self.assertEqual(answer.code, 1)
        self.assertIn('line 3: expected network_name "One" as in another row of one.example, got "Two"', answer.err)

    def test_what_cannot_be_read_is_named(self):
        url = self.received(PLAN)
        self.put("p.db", b"postback/" + b"e" * 64, b"skpb\1")
        answer = self.succeeded(skan("postbacks", url), 1)
        self.assertEqual(len(answer.documents()), 26)
        self.assertIn("skan: postbacks: 1 record could not be read and is not in these rows\n", answer.err)

    def test_many_rows_take_little_memory(self):
        count = 30_000
        url = self.received(PLAN[:1] + [(DAY, "4.0", "one.example", "39", 1, 1, "install", "-", "high", 1)])
        with self.database("p.db") as database:
            records = [bytes(record) for (record,) in database.execute("SELECT record FROM skan_records")]
            database.executemany("INSERT INTO skan_records VALUES (?, ?, ?)", (
                (b"postback/%064x" % number, number + 1, records[number % len(records)]) for number in range(count)))
        begun = time.monotonic()
        code, most = peak_memory("postbacks", url)
        self.assertEqual(code, 0)
        self.assertLess(time.monotonic() - begun, 120)
        if not IS_SANITIZED:
            self.assertLess(most, 30 * 1024)


class Verify(ReportCase):
    def body(self, **changes):
        vectors = json.loads((TOP / "Tests/Vectors/postbacks.json").read_text())
        return json.dumps(vectors["postbacks"][0]["postback"] | changes)

    def test_it_tells_what_is_signed(self):
        answer = self.succeeded(skan("verify", given=self.body(**{"conversion-value": 7})))
        self.assertTrue(answer.out.startswith("valid, SKAdNetwork "), answer.out)
        signed, unsigned = answer.out.split("not signed, whoever passes it on can change it:")
        self.assertIn("ad-network-id", signed)
        self.assertRegex(unsigned, r"conversion-value +7\n")
        self.assertRegex(answer.out, r"\nkey: postback/[0-9a-f]{64}\n$")
        [document] = self.succeeded(skan("verify", "--json", "-", given=self.body())).documents()
        self.assertEqual(document["result"], "valid")

    def test_it_says_whose_key_signed(self):
        own = self.write("own.json", skadnetwork(1).decode())
        keys = keys_file(self.folder)
        apples = self.succeeded(skan("verify", given=self.body()))
        self.assertRegex(apples.out, r"^valid, SKAdNetwork [0-9.]+: signed by Apple\n")
        answer = self.succeeded(skan("verify", own, "--postback-keys", keys))
        self.assertEqual(answer.out.splitlines()[0],
                         "valid, SKAdNetwork 4.0: signed with a key of --postback-keys that is not Apple's")
        self.succeeded(skan("verify", own), 1)

    def test_apples_key_is_apples_also_among_keys_that_were_given(self):
        spki = json.loads((TOP / "Tests/Vectors/postbacks.json").read_text())["keys_spki_base64"]
        keys = self.write("others.json", json.dumps({"keys": [{"name": "9.0", "spki": spki["test-p256"]}]}))
        answer = self.succeeded(skan("verify", "--postback-keys", keys, given=self.body()))
        self.assertIn(": signed by Apple\n", answer.out)

    def test_a_changed_one_is_not_valid(self):
        for changes, words in [({"app-id": 1}, "invalid"), ({"version": "9.9"}, "unverifiable"),
                               ({"transaction-id": None}, "malformed")]:
            answer = self.succeeded(skan("verify", self.write("p.json", self.body(**changes))), 1)
            self.assertTrue(answer.out.startswith(words), answer.out)
        self.assertTrue(skan("verify", given="{").out.startswith("malformed: "))

    def test_terminals_are_not_obeyed(self):
        answer = skan("verify", given=json.dumps({"version": "4.0", "ad-network-id": "\x1b[31mred\u202e"}))
        self.assertNotIn("\x1b", answer.out)

    def test_wrong_files(self):
        self.assertIn("No such file", self.succeeded(skan("verify", str(self.file("none"))), 1).err)
        self.assertIn("expected at most 30720 bytes", self.succeeded(skan("verify", given=" " * 40_000), 1).err)
        self.succeeded(skan("verify", "a", "b"), 2)
