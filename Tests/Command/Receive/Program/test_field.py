"""Postbacks as people send them, through skan verify, receive, postbacks and report."""

import csv
import json

from tools import TOP, CommandCase, skan

FIELD = TOP / "Tests" / "Postbacks" / "Field"
KEYS = ["--postback-keys", FIELD / "keys.json"]
APPS = ["--app-id", "990001234", "--app-id", "990009999"]
with (FIELD / "expected.tsv").open(encoding="utf-8") as table:
    EXPECTED = list(csv.DictReader(table, delimiter="\t"))


def file_of(name):
    return FIELD / "postbacks" / name


class FieldCase(CommandCase):
    def received(self, *names):
        """What skan receive says of these files, in a store that it begins."""
        self.file("p.db").unlink(missing_ok=True)
        return skan("receive", self.sqlite("p.db"), *map(file_of, names), *KEYS, *APPS)

    def rows(self):
        return self.succeeded(skan("postbacks", self.sqlite("p.db"))).documents()

    def report(self, *arguments):
        return self.succeeded(skan("report", self.sqlite("p.db"), *arguments)).out


class EachFile(FieldCase):
    def test_verify_tells_what_it_is(self):
        for expected in EXPECTED:
            with self.subTest(file=expected["file"]):
                said = skan("verify", file_of(expected["file"]), *KEYS)
                self.assertEqual(said.code, 0 if expected["result"] == "valid" else 1)
                self.assertTrue(said.out.startswith(expected["result"]), said)
                self.assertEqual("\nrespelled: " in said.out, expected["respelled"] == "yes")

    def test_a_valid_one_is_counted_and_has_its_row(self):
        for expected in EXPECTED:
            with self.subTest(file=expected["file"]):
                said = self.received(expected["file"])
                counted = 1 if expected["result"] == "valid" else 0
                self.assertIn(f", {counted} counted", said.out)
                self.assertEqual("of those counted, 1 respelled" in said.out, expected["respelled"] == "yes")
                if not counted:
                    continue
                row, = self.rows()
                self.assertEqual(row["respelled"], expected["respelled"] == "yes")
                self.assertEqual(str(row["conversion_value"]).replace("None", "-"), expected["fine"])
                self.assertEqual(row["coarse_conversion_value"] or "-", expected["coarse"])
                self.assertEqual(row["illegal"] or "-", expected["illegal"])
                self.assertEqual(row["unknown_type"] or "-", expected["unknown_type"])
                self.assertEqual(row["source_identifier"] or "-", expected["source_identifier"])

    def test_an_array_holds_two(self):
        self.assertIn("2 postbacks read, 2 counted", self.received("51_array_of_two.json").out)

    def test_what_lacks_a_field_is_named(self):
        said = self.received("12_no_index.json")
        self.assertEqual(said.code, 1)
        self.assertIn("postback-sequence-index is missing", said.err)


class IllegalValues(FieldCase):
    def test_a_value_without_a_meaning_is_not_hidden(self):
        self.received("14c_fine_64.json")
        row, = self.rows()
        self.assertEqual((row["decoding"], row["revenue"]), ("illegal", "illegal"))
        total = json.loads(self.report("--json"))["total"]
        self.assertEqual((total["values"]["hidden"], total["values"]["illegal"]), (0, 1))


class UnknownTypes(FieldCase):
    def test_one_is_counted_apart_and_by_its_name(self):
        self.received("90_aak_new_type.json", "90_aak_id_as_text.json", "01a_forward_null_campaign.json",
                      "08_version_5.0.json")
        model = self.file("model.json")
        model.write_text(json.dumps({"schema": 1, "id": "m", "protocol": 4, "windows": [
            {"rules": [{"fine": 2, "when": {"revenue": {"min": 5}}}]}, {"rules": []}, {"rules": []}]}))
        row = next(row for row in self.rows() if row["unknown_type"])
        self.assertEqual((row["unknown_type"], row["conversion"], row["revenue"]), ("update", "unknown_type",
                                                                                    "unknown_type"))
        report = json.loads(self.report("--json", "--model", model))
        # That postback is a copy of the one with an id as text, so one of the two alone is counted.
        self.assertEqual(report["total"]["installs"], 1)
        self.assertEqual(report["data_quality"]["unknown_types"], [
            {"field": "version", "name": "5.0", "count": 1}, {"field": "conversion-type", "name": "update", "count": 1}])


class DataQuality(FieldCase):
    def test_the_report_says_it_in_one_place(self):
        self.received("03a_go_float_ids.json", "14c_fine_64.json", "08_version_5.0.json", "90_aak_dev.json",
                      "01a_forward_null_campaign.json")
        quality = json.loads(self.report("--json"))["data_quality"]
        network, = (each for each in quality["networks"] if each["network"] == "net1.skadnetwork")
        self.assertEqual((network["counted"], network["respelled"], network["illegal_values"]), (3, 1, 1))
        self.assertEqual(quality["total"]["refused"]["development"], 1)
        self.assertEqual(quality["total"]["refused"]["unverifiable"], 1)
        page = self.report("--html")
        part = page[page.index(">Data quality</h2>"):page.index("<h2>What is not in the figures</h2>")]
        for words in ("net1.skadnetwork", "Illegal values have no meaning", "Respelled postbacks were written", "5.0"):
            self.assertIn(words, part)
        text = self.report()
        self.assertIn("\ndata quality\n", text)
        rows = list(csv.DictReader(self.report("--csv").splitlines()))
        self.assertEqual((rows[0]["respelled"], rows[0]["illegal_values"], rows[0]["refused"]), ("1", "1", "2"))
