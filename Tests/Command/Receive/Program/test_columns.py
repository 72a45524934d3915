"""skan receive --columns: rows that others stored, in the forms in which they stored them."""

import base64
import gzip
import json
from pathlib import Path

from signer import APP, NETWORK, OTHER_NETWORK, attribution_kit, skadnetwork
from test_receive_files import UNDECODED, ReceiveCase
from tools import TOP, CommandCase, skan

FIELD = Path(__file__).parent / "Field"
MAPS = TOP / "Include/packaging/share/columns"
FIELD_APP = 990001234


class ReadyMaps(CommandCase):
    def test_each_has_an_example_that_apple_has_signed(self):
        counted = {"prefixed_columns.csv": 3, "plain_columns.csv": 3, "text_in_envelope.jsonl": 2,
                   "object_below_key.jsonl": 2}
        self.assertEqual({file.name for file in MAPS.iterdir() if file.suffix != ".json"}, set(counted))
        for number, (name, count) in enumerate(counted.items()):
            url = self.sqlite(f"{number}.db")
            answer = skan("receive", url, MAPS / name, "--any-app", "--columns", (MAPS / name).with_suffix(".json"))
            self.assertEqual(self.succeeded(answer).out, f"{count} postbacks read, {count} counted\n", name)
            arrivals = sorted(row["received"] for row in skan("postbacks", url).documents())
            self.assertEqual(arrivals[0], "2026-03-01T10:00:00Z", name)


class AsPeopleSendThem(CommandCase):
    """The files in Field, which are signed with keys of their own."""

    def rows(self, name, *options, code=0):
        url = self.sqlite(f"{name}.db")
        scope = ["--app-id", FIELD_APP, "--postback-keys", FIELD / "keys.json"]
        self.answer = self.succeeded(skan("receive", url, FIELD / name, *scope, *options), code)
        rows = skan("postbacks", url).documents() if code == 0 else []
        return sorted(((row["received"], row["conversion_value"]) for row in rows), key=str)

    def test_a_vendors_raw_data(self):
        right = [("2026-03-01T10:00:00Z", 2), ("2026-03-02T23:59:59Z", 5)]
        self.assertEqual(self.rows("raw_data_export.csv", "--columns", MAPS / "prefixed_columns.json"), right)

    def test_a_warehouses_rows(self):
        right = [("2026-03-01T10:00:00Z", 2), ("2026-03-01T10:00:01Z", 63)]
        self.assertEqual(self.rows("warehouse_rows.jsonl", "--columns", MAPS / "object_below_key.json"), right)

    def test_envelopes(self):
        columns = ["--columns", MAPS / "text_in_envelope.json"]
        for name in ("envelopes.jsonl", "18_envelope.json"):
            self.assertEqual(self.rows(name, *columns), [("2026-03-01T10:00:00Z", 12)], name)

    def test_an_envelope_without_columns_is_named(self):
        self.rows("18_envelope.json", code=1)
        self.assertIn('expected a postback, got an envelope, whose member "body" has one: give --columns',
                      self.answer.err)
        self.assertIn("0 counted; not postbacks: 1", self.answer.out)

    def test_an_array(self):
        self.assertEqual(len(self.rows("51_array_of_two.json")), 2)

    def test_times_as_warehouses_print_them(self):
        for name in ("bigquery", "epoch_us", "iso_z", "pg", "sql"):
            found = self.rows(f"time_{name}.json", "--received-field", "received_at")
            self.assertEqual(found, [("2026-03-01T10:00:00Z", 12)], name)


class ColumnsCase(ReceiveCase):
    def columns(self, **more):
        names = ["version", "ad-network-id", "source-identifier", "app-id", "transaction-id", "redownload",
                 "fidelity-type", "did-win", "postback-sequence-index", "conversion-value", "coarse-conversion-value",
                 "attribution-signature"]
        return self.map({**{name: name for name in names}, **more})

    def map(self, columns):
        self.file("map.json").write_text(json.dumps(columns))
        return ["--columns", self.file("map.json")]

    def table(self, *rows, separator=","):
        names = list(rows[0])
        lines = [names, *([row.get(name, "") for name in names] for row in rows)]
        text = "\r\n".join(separator.join(line) for line in lines)
        return self.written("table.csv", text.encode())

    def cells(self, postback, **more):
        """The postback's members as the text of cells."""
        texts = {key: str(value).lower() if isinstance(value, bool) else str(value)
                 for key, value in json.loads(postback).items()}
        return {**texts, **more}


class Tables(ColumnsCase):
    def setUp(self):
        super().setUp()
        self.one = self.cells(skadnetwork(1, **{"conversion-value": 7}))

    def received(self, file, *columns, code=0):
        self.file("p.db").unlink(missing_ok=True)
        return self.receive(file, *(columns or self.columns()), code=code)

    def test_separators_quotes_and_line_ends(self):
        counted = ("1 postback read, 1 counted\n", UNDECODED)
        quoted = {key: f'"{value}"' for key, value in self.one.items()}
        for name, file in {
            "semicolons": self.table(self.one, separator=";"), "tabs": self.table(self.one, separator="\t"),
            "quotes": self.table(quoted),
            "a mark": self.written("t", b"\xef\xbb\xbf" + self.table(quoted).read_bytes()),
            "gzip": self.written("t.gz", gzip.compress(self.table(self.one).read_bytes() + b"\r\n\r\n")),
        }.items():
            with self.subTest(form=name):
                answer = self.received(file)
                self.assertEqual((answer.out, answer.err), counted)

    def test_numbers_and_truths_as_programs_write_them(self):
        for more in ({"did-win": "1", "redownload": "0"}, {"did-win": "TRUE", "redownload": "False"},
                     {"did-win": "t", "redownload": "f"}, {"app-id": f"{APP}.0", "conversion-value": "7.0"},
                     {"source-identifier": "5239.0"}, {"version": "4"}, {"app-id": f" {APP} "}):
            self.assertIn("1 counted", self.received(self.table({**self.one, **more})).out, more)
            self.assertEqual(self.rows()[0]["conversion_value"], 7, more)

    def test_a_source_identifier_that_lost_its_zeros(self):
        for signed, cells in {"0039": ("39", "39.0", " 39", "0039"), "039": ("39", "39.0", "039"), "39": ("39", "39.0"),
                              "07": ("7", "7.0")}.items():
            one = self.cells(skadnetwork(1, identifier=signed, **{"conversion-value": 7}))
            for cell in cells:
                with self.subTest(signed=signed, cell=cell):
                    self.assertIn("1 counted", self.received(self.table({**one, "source-identifier": cell})).out)
                    (row,) = self.rows()
                    self.assertEqual((row["source_identifier"], row["respelled"]), (signed, cell != signed))

    def test_names_of_columns_in_another_style(self):
        for style in (str.upper, str.title, lambda name: name.replace("-", "_"), lambda name: name.replace("-", " ")):
            table = self.table({style(name): cell for name, cell in self.one.items()})
            self.assertIn("1 counted", self.received(table).out, table.read_bytes()[:80])

    def test_what_is_absent(self):
        postback = self.cells(skadnetwork(2, **{"coarse-conversion-value": "low"}))
        for word in ("", "null", "NULL", "None", "nan", "\\N", " ", "N/A", "#N/A", "<NA>", "<null>"):
            row = {**postback, "conversion-value": word, "source-app-id": word}
            columns = self.columns(**{"source-app-id": "source-app-id"})
            self.assertIn("1 counted", self.received(self.table(row), *columns).out, word)
            (found,) = self.rows()
            self.assertEqual((found["conversion_value"], found["coarse_conversion_value"]), (None, "low"), word)

    def test_a_row_that_is_wrong_does_not_hold_up_the_next(self):
        two = self.cells(skadnetwork(2))
        text = self.table(self.one, two).read_bytes().split(b"\r\n")
        text.insert(2, b"x" * 300_000)
        text.insert(3, b"too,few")
        answer = self.received(self.written("t.csv", b"\n".join(text)), code=1)
        self.assertEqual(answer.out, "2 postbacks read, 2 counted; not postbacks: 2\n")
        self.assertIn("t.csv:3: expected a row of at most 262144 bytes", answer.err)
        self.assertIn('t.csv:4: expected a row with a postback: there is nothing in "attribution-signature"',
                      answer.err)

    def test_a_column_that_is_missing_is_named(self):
        answer = self.received(self.table(self.one), *self.columns(received="at"), code=1)
        self.assertIn('table.csv: line 1: expected the column "at", got "version", "ad-network-id", ', answer.err)
        one = {key: value for key, value in self.one.items() if key != "attribution-signature"}
        answer = self.received(self.table(one), code=1)
        self.assertIn('line 1: expected the column "attribution-signature"', answer.err)

    def test_a_postback_in_a_cell(self):
        cell = '"' + skadnetwork(1).decode().replace('"', '""') + '"'
        file = self.table({"at": "2026-03-01 10:00:00", "raw": cell})
        self.assertIn("1 counted", self.received(file, *self.map({"postback": "raw", "received": "at"})).out)
        self.assertEqual(self.rows()[0]["received"], "2026-03-01T10:00:00Z")

    def test_the_network_that_passed_it_on(self):
        row = {**self.one, "network": NETWORK}
        other = {**self.cells(skadnetwork(2)), "network": OTHER_NETWORK}
        answer = self.received(self.table(row, other), *self.columns(network="network"))
        self.assertEqual(answer.out, "2 postbacks read, 1 counted, 1 of another ad network\n")
        self.assertEqual(self.rows()[0]["sender"], NETWORK)
        answer = self.received(self.table({**row, "network": "x" * 129}), *self.columns(network="network"), code=1)
        self.assertIn('table.csv:2: "network": expected an ad network\'s id of at most 128 bytes', answer.err)

    def test_one_column_needs_no_separator(self):
        file = self.written("one.csv", b"raw\n" + skadnetwork(1) + b"\n" + skadnetwork(2))
        self.assertEqual(self.received(file, *self.map({"postback": "raw"})).out, "2 postbacks read, 2 counted\n")

    def test_a_signature_that_does_not_fit_is_invalid_as_ever(self):
        answer = self.received(self.table({**self.one, "app-id": str(APP + 1)}))
        self.assertEqual(answer.out, "1 postback read, 0 counted, 1 invalid\n")


class Lines(ColumnsCase):
    def received(self, columns, *rows, code=0, options=()):
        self.file("p.db").unlink(missing_ok=True)
        file = self.written("rows.jsonl", b"".join(json.dumps(row).encode() + b"\n" for row in rows))
        return self.receive(file, *self.map(columns), *options, code=code)

    def test_ways_to_wrap_a_postback(self):
        postback = skadnetwork(1).decode()
        parts = json.loads(postback)
        ways = {
            "an object": parts, "text": postback, "text of text": json.dumps(postback),
            "text without its quotes": json.dumps(postback)[1:-1],
            "base64": base64.b64encode(postback.encode()).decode(),
            "other names": {key.replace("-", "_"): str(value) for key, value in parts.items()},
            "camels": {"".join(word.capitalize() for word in key.split("-")): value for key, value in parts.items()},
        }
        for name, value in ways.items():
            with self.subTest(way=name):
                self.assertIn("1 counted", self.received({"postback": "a.b"}, {"a": {"b": value}}).out)
                self.assertIn("1 counted", self.received({"postback": "$.a.b"}, {"a": json.dumps({"b": value})}).out)

    def test_adattributionkit(self):
        self.assertIn("1 counted", self.received({"postback": "raw"}, {"raw": attribution_kit(1).decode()}).out)
        parts = json.loads(attribution_kit(1, **{"conversion-value": 3}))
        columns = {"jws-string": "jws", "conversion-value": "fine"}
        self.assertIn("1 counted", self.received(columns, {"jws": parts["jws-string"], "fine": "3"}).out)
        self.assertEqual(self.rows()[0]["conversion_value"], 3)

    def test_the_first_column_that_has_a_value_counts(self):
        row = {"raw": None, "body": skadnetwork(1).decode(), "body.more": "no"}
        self.assertIn("1 counted", self.received({"postback": ["raw", "none", "body"]}, row).out)

    def test_received_field_names_the_column_in_place_of_the_map(self):
        row = {"raw": skadnetwork(1).decode(), "a": 1772359200, "b": {"c": "2026-03-02 10:00:00+00"}}
        columns = {"postback": "raw", "received": "a"}
        for options, right in (((), "2026-03-01T10:00:00Z"), (["--received-field", "b.c"], "2026-03-02T10:00:00Z")):
            self.assertIn("1 counted", self.received(columns, row, options=options).out)
            self.assertEqual(self.rows()[0]["received"], right)

    def test_a_row_without_an_arrival_is_named(self):
        answer = self.received({"postback": "raw", "received": ["at", "ts"]}, {"raw": skadnetwork(1).decode()}, code=1)
        self.assertIn('rows.jsonl:1: "at" or "ts": expected the time of arrival', answer.err)

    def test_what_is_no_postback_is_named_as_without_columns(self):
        answer = self.received({"postback": "raw"}, {"raw": "hello"}, {"raw": {}}, {"other": 1}, code=1)
        self.assertEqual(answer.out, "0 postbacks read, 0 counted; not postbacks: 3\n")
        self.assertIn('rows.jsonl:3: expected a row with a postback: there is nothing in "raw"', answer.err)

    def test_rows_may_be_longer_than_postbacks(self):
        row = {"raw": skadnetwork(1).decode(), "more": "x" * 100_000}
        self.assertIn("1 counted", self.received({"postback": "raw"}, row).out)


class Maps(ColumnsCase):
    def test_what_is_wrong_with_a_map_is_named(self):
        for columns, words in {
            "[]": "not a JSON object", "{}": "expected attribution-signature, jws-string or postback",
            '{"postback": 1}': '"postback": expected a column',
            '{"postback": []}': '"postback": expected a column',
            '{"postback": ["a", ""]}': '"postback": expected a column',
            '{"postback": "a", "campaign": "b"}': '"campaign": expected a name of Apple\'s',
            '{"postback": "a", "version": "b"}': '"version": the map has "postback", which is all of it',
        }.items():
            self.file("map.json").write_text(columns)
            answer = self.receive(self.written("none", b""), "--columns", self.file("map.json"), code=1)
            self.assertIn(f"map.json: {words}", answer.err)
