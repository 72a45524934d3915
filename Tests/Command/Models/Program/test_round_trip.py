"""skan model export, then skan model import: the model comes back.

A version is that of a document's bytes. So a model that was written in another way than skan model import writes it
comes back with the same rows, and from then on with the same version.
"""

import hashlib
import json
import os
import re

from random_models import Models
from tools import IS_SANITIZED, TOP, CommandCase, skan

READY = sorted((TOP / "Sources" / "SKANModels").glob("*.json"))
# How many random models of each sort; at full length ten times as many.
COUNT = int(os.environ.get("SKAN_HISTORIES", "20" if IS_SANITIZED else "100")) // 4
REFUSAL = re.compile(r"window \d: (rule \d+ has .*, which GA4 cannot say|coarse_rules, which GA4 cannot say)$"
                     r"|protocol 3, which GA4 cannot say$|a model for re-engagements, which GA4 cannot say$")


class RoundTrip(CommandCase):
    def written(self, text, name="model.json"):
        path = self.file(name)
        path.write_text(text)
        return path

    def right_models(self, make, count):
        """So many models that skan model check takes."""
        found = []
        for _ in range(20 * count):
            model = make()
            if skan("model", "check", self.written(json.dumps(model))).code == 0:
                found.append(model)
            if len(found) == count:
                return found
        self.fail(f"only {len(found)} of the models are right")

    def exported(self, model, *form):
        return self.succeeded(skan("model", "export", self.written(model), *form)).out

    def imported(self, document, *form):
        return self.succeeded(skan("model", "import", self.written(document, "document"), *form)).out

    def rows(self, model):
        """The rows without the version of the model that they are of. The order of a rule's conditions says nothing."""
        rows = json.loads(self.exported(model, "--form=rows"))
        for window in rows["windows"]:
            for row in window["fine"] + window["coarse"]:
                row["conditions"].sort(key=json.dumps)
        self.assertEqual(rows.pop("model"), hashlib.sha256(model.encode()).hexdigest())
        return rows

    def check_rows(self, model):
        again = self.imported(self.exported(model, "--form=rows"), "--from=rows")
        self.assertEqual(self.rows(again), self.rows(model), model)
        self.assertEqual(self.imported(self.exported(again, "--form=rows"), "--from=rows"), again, model)

    def check_table(self, model):
        """The rows as a table, which say neither the id, the currency and the rates nor whether values only rise."""
        table = self.exported(model, "--form=rows", "--csv")
        again = self.imported(table, "--from=rows-csv", "--id=table")
        rows, rows_again = self.rows(model), self.rows(again)
        self.assertEqual(rows_again["windows"], rows["windows"], model)
        self.check_order_of_lines(table, rows)
        table_again = self.exported(again, "--form=rows", "--csv")
        self.assertEqual(self.imported(table_again, "--from=rows-csv", "--id=table"), again, model)

    def check_order_of_lines(self, table, rows):
        """A spreadsheet may sort the lines by any column: a rule's lines are then no longer adjacent."""
        head, *lines = table.splitlines(keepends=True)
        for order in (sorted(lines, key=lambda line: line.split(",")[2:9]), lines[::-1]):
            again = self.imported("".join([head, *order]), "--from=rows-csv", "--id=table")
            self.assertEqual(self.rows(again)["windows"], rows["windows"], order)

    def test_lines_of_a_rule_that_are_apart_all_have_to_hold(self):
        model = json.dumps({"schema": 1, "id": "m", "protocol": 3, "windows": [{"rules": [
            {"fine": 1, "when": {"events": [{"name": "b"}, {"name": "d"}]}},
            {"fine": 2, "when": {"events": [{"name": "a"}, {"name": "c"}]}}]}]})
        head, *lines = self.exported(model, "--form=rows", "--csv").splitlines(keepends=True)
        lines.sort(key=lambda line: line.split(",")[2])
        self.assertEqual([line.split(",")[1] for line in lines], ["2", "1", "2", "1"])
        again = json.loads(self.imported("".join([head, *lines]), "--from=rows-csv"))
        self.assertEqual([(rule["fine"], sorted(event["name"] for event in rule["when"]["events"]))
                          for rule in again["windows"][0]["rules"]], [(1, ["b", "d"]), (2, ["a", "c"])])

    def test_rows_in_another_order_are_the_same_model(self):
        """The number of a rule says which one wins, not the place of its row."""
        model = json.dumps({"schema": 1, "id": "m", "windows": [
            {"rules": [{"fine": 5, "when": {"events": [{"name": "a"}]}}, {"fine": 3, "when": {"events": [{"name": "b"}]}}],
             "coarse_rules": [{"coarse": "high", "when": {"events": [{"name": "a"}]}},
                              {"coarse": "low", "when": {"events": [{"name": "b"}]}}]},
            {"rules": []}, {"rules": []}], "raise_only": False})
        rows = json.loads(self.exported(model, "--form=rows"))
        for window in rows["windows"]:
            window["fine"].reverse()
            window["coarse"].reverse()
        self.assertEqual(self.rows(self.imported(json.dumps(rows), "--from=rows")), self.rows(model))

    def test_ready_models_come_back_from_rows(self):
        for path in READY:
            with self.subTest(model=path.name):
                self.check_rows(path.read_text())
                if path.name != "reengagement.json" and "skan3" not in path.name:
                    self.check_table(path.read_text())

    def test_random_models_come_back_from_rows(self):
        for model in self.right_models(Models(27).model, COUNT):
            self.check_rows(json.dumps(model))

    def test_random_models_come_back_from_a_table_of_rows(self):
        for model in self.right_models(Models(28).model, COUNT):
            if model["protocol"] == 4 and model["windows"][0].get("coarse_rules") != []:
                self.check_table(json.dumps(model))

    def test_a_table_of_rows_is_not_read_as_appsflyers(self):
        table = self.exported(json.dumps({"schema": 1, "id": "m", "protocol": 3, "windows": [{"rules": []}]}),
                              "--form=rows", "--csv")
        answer = self.succeeded(skan("model", "import", "--from=appsflyer-csv", self.written(table)), 1)
        self.assertIn("line 1: skan model export printed these rows: use --from rows-csv", answer.err)

    def test_decoded_values_of_rows_are_those_of_the_model(self):
        """Explain and decode show days and hours in the unit that the model asks in."""
        model = json.dumps({"schema": 1, "id": "units", "protocol": 3, "windows": [{"rules": [
            {"fine": 1, "when": {"day": {"max": 1}}}, {"fine": 2, "when": {"day": {"min": 1, "max": 3}}}]}]})
        hours = model.replace('"day": {"max": 1}', '"hours": {"max": 24}')
        for document in (model, hours):
            again = self.imported(self.exported(document, "--form=rows"), "--from=rows")
            table = self.imported(self.exported(document, "--form=rows", "--csv"), "--from=rows-csv")
            for value in ("1", "2"):
                answers = (skan("model", "decode", self.written(text), "--window=0", f"--fine={value}", "--json")
                           for text in (document, again, table))
                first, second, third = (json.loads(answer.out)["envelope"] for answer in answers)
                self.assertEqual((second, third), (first, first))

    def from_ga4(self, schema, *more):
        return self.imported(schema, "--from=ga4", "--id=one event each", *more)

    def test_random_models_come_back_from_ga4(self):
        for model in map(json.dumps, self.right_models(Models(4).model_of_one_event_each, COUNT)):
            again = self.from_ga4(self.exported(model, "--form=ga4"))
            rows, rows_again = self.rows(model), self.rows(again)
            # The schema says by its values alone whether they only rise.
            self.assertEqual(rows_again, rows, model)
            self.assertEqual(self.from_ga4(self.exported(again, "--form=ga4")), again, model)

    def test_ga4_names_what_it_cannot_say(self):
        refused = 0
        for model in self.right_models(Models(5).model, COUNT) + [json.loads(path.read_text()) for path in READY]:
            answer = skan("model", "export", self.written(json.dumps(model)), "--form=ga4")
            if answer.code == 0:
                continue
            refused += 1
            self.assertEqual((answer.code, answer.out), (1, ""))
            for line in answer.err.splitlines():
                why = line.split("model.json: ", 1)[1]
                self.assertTrue(why.startswith("note: ") or REFUSAL.match(why), line)
        self.assertGreater(refused, COUNT // 2)

    def test_an_event_from_one_on_says_no_count(self):
        """The version of a model stays the same: no key is written that the model does not need."""
        model = self.from_ga4(json.dumps({"postbackWindowOne": {"conversionValues": [
            {"fineValue": 1, "coarseValue": "COARSE_VALUE_LOW", "eventMappings": [{"eventName": "win"}]}]}}))
        self.assertNotIn("min_count", model)
        self.assertEqual(self.from_ga4(self.exported(model, "--form=ga4")), model)

    def test_sessions_come_back_under_their_name(self):
        names = self.written('{"__SESSION__": "session_start"}', "map.json")
        model = self.from_ga4(json.dumps({"postbackWindowOne": {"conversionValues": [
            {"fineValue": 1, "coarseValue": "COARSE_VALUE_LOW",
             "eventMappings": [{"eventName": "session_start", "minEventCount": 2, "maxEventCount": 4}]}]}}),
            "--map", names)
        self.assertIn('"sessions": {"min": 2, "max": 5}', model)
        schema = self.exported(model, "--form=ga4", "--map", names)
        self.assertEqual(self.from_ga4(schema, "--map", names), model)

    def test_what_the_schema_does_not_say_is_a_note(self):
        first = {"rules": [{"fine": 1, "coarse": 0}]}
        model = {"schema": 1, "id": "m", "raise_only": False, "rates": {"EUR": "1.1"},
                 "measures": {"none": {"sum": ["buy"]}}, "windows": [first, {"rules": []}, {"rules": []}]}
        path, names = self.written(json.dumps(model)), self.written('{"__SESSION__": "session_start"}', "map.json")
        answer = self.succeeded(skan("model", "export", path, "--form=ga4", "--map", names))
        notes = [line.split("note: ", 1)[1] for line in answer.err.splitlines()]
        self.assertEqual(notes, [
            "window 0: rule 0 always holds, there it asks for session_start",
            "whether Google's SDK ever lowers a value is not known",
            "raise_only is false, which the schema does not say",
            "the schema has no rates: Google converts currencies itself",
            'the measure "none" is left out: no rule asks for it'])
        rows = json.loads(answer.out)["postbackWindowOne"]["conversionValues"]
        self.assertEqual(rows[0]["eventMappings"], [{"eventName": "session_start", "minEventCount": 1}])
        rows = self.succeeded(skan("model", "export", path, "--form=rows"))
        self.assertIn('note: the measure "none" is left out', rows.err)
        # Nothing of it is said of a model that has nothing of it.
        del model["raise_only"], model["rates"], model["measures"]
        model["windows"][0] = {"rules": [{"fine": 1, "coarse": 0, "when": {"events": [{"name": "a"}]}}]}
        answer = self.succeeded(skan("model", "export", self.written(json.dumps(model)), "--form=ga4"))
        self.assertEqual(answer.err.count("note: "), 1)

    def test_rows_with_a_doubt_are_noted(self):
        row = {"rule": 0, "conversion_value": 1, "lock": False, "conditions": [], "colour": "red"}
        document = {"form": "rows", "model": "0" * 64, "id": "known", "windows": [
            {"postback_sequence_index": 0, "fine": [row]}]}
        answer = self.succeeded(skan("model", "import", "--from=rows", self.written(json.dumps(document), "r.json")))
        self.assertIn("the key windows[0].fine[0].colour is not known, and not read", answer.err)
        self.assertIn(f"the rows are those of the model {'0' * 64}, written in another way", answer.err)
        self.assertEqual(json.loads(answer.out)["id"], "known")
        document["model"] = hashlib.sha256(answer.out.encode()).hexdigest()
        answer = self.succeeded(skan("model", "import", "--from=rows", self.written(json.dumps(document), "r.json")))
        self.assertNotIn("written in another way", answer.err)
        table = self.written(self.exported(answer.out, "--form=rows", "--csv"), "rows.csv")
        notes = self.succeeded(skan("model", "import", "--from=rows-csv", table)).err.splitlines()
        self.assertEqual([note.split("note: ", 1)[1] for note in notes], [
            "the file has no id, currency, rates and protocol: --id and --currency say two of them",
            "the file does not say whether values only rise: they do if they ascend"])

    def test_a_table_that_is_none_is_refused_by_line(self):
        head = self.exported(json.dumps({"schema": 1, "id": "m", "protocol": 3, "windows": [{"rules": []}]}),
                             "--form=rows", "--csv")

        def line(fine="1", window="0", coarse="", rule="0", condition=""):
            return f",{fine},,,,,,,,,{window},{coarse},,,{rule},{condition}\r\n"

        for lines, saying in [
            (line(rule=""), "line 2, column 15: rule: expected a number, got nothing"),
            (line(fine="64"), "line 2, column 2: conversion_value: expected a whole number from 0 to 63"),
            (line(coarse="huge"), "line 2, column 12: coarse_conversion_value: expected low, medium or high"),
            (line() + line(fine="", rule="1"), "line 3: no value"),
            (line(window="1"), "line 2: a fine value in window 1"),
            (line() + line(rule="1") + line(fine="2"), "line 4: rule 0 has another value or lock in line 2"),
            (line(condition="always"), "line 2: not a JSON object"),
            (line(condition='"{""min_snow"":1}"'), "line 2: a condition that a model cannot have"),
        ]:
            answer = skan("model", "import", "--from=rows-csv", self.written(head + lines, "rows.csv"))
            self.assertEqual((answer.code, answer.out), (1, ""), answer)
            self.assertIn(saying, answer.err)
        answer = skan("model", "import", "--from=rows-csv", self.written(head.replace("condition", "x"), "rows.csv"))
        self.assertIn("line 1: expected the column condition", answer.err)

    def test_two_events_of_one_name_are_refused(self):
        model = json.dumps({"schema": 1, "id": "m", "windows": [{"rules": [
            {"fine": 1, "coarse": 0, "when": {"events": [{"name": "a"}, {"name": "b"}]}}]}, {"rules": []},
            {"rules": []}]})
        answer = self.succeeded(skan("model", "export", self.written(model), "--form=ga4", "--map",
                                     self.written('{"a": "b"}', "map.json")), 1)
        self.assertIn("the events a and b have one name there, b", answer.err)

    def test_rows_that_are_none_are_refused_at_their_place(self):
        def window(**more):
            return json.dumps({"form": "rows", "windows": [{"postback_sequence_index": 0, **more}]})

        row = {"rule": 0, "conversion_value": 1, "lock": False, "conditions": []}
        for document, saying in [
            (window(fine=[row, row]), "windows[0].fine[1]: an earlier row is rule 0, too"),
            (window(coarse=[{**row, "conversion_value": "low"}]),
             "windows[0].coarse[0]: a coarse value of rule 0, which has no row in fine"),
            (window(fine=[{**row, "conditions": [{"weather": "fair"}]}]),
             "windows[0].fine[0].conditions[0]: a condition that a model cannot have"),
            (window(fine=[{**row, "conditions": [{"event_names": []}]}]),
             "windows[0].fine[0].conditions[0]: no event in event_names"),
            (window(fine=[{**row, "conditions": [{"revenue_kind": "gold"}]}]),
             "windows[0].fine[0].conditions[0]: a kind or scope of revenue that a model cannot have"),
            (window(coarse=[{**row, "conversion_value": "huge"}]),
             "windows[0].coarse[0]: expected low, medium or high"),
            (window(fine=[{"rule": 3}]), "windows[0].fine[0]: no conversion_value"),
            (window(fine=[row]).replace('"postback_sequence_index": 0', '"postback_sequence_index": 1'),
             "windows[0].fine[0]: a fine value in window 1"),
            (window().replace('"postback_sequence_index": 0', '"postback_sequence_index": 3'),
             "windows[0].postback_sequence_index: expected a whole number from 0 to 2"),
        ]:
            answer = skan("model", "import", "--from=rows", self.written(document, "rows.json"))
            self.assertEqual((answer.code, answer.out), (1, ""), answer)
            self.assertIn(saying, answer.err)
        answer = skan("model", "import", "--from=rows", "--map", path := self.written("{}"), path)
        self.assertEqual((answer.code, answer.out), (2, ""), answer)
        self.assertIn('form: expected "rows"', skan("model", "import", "--from=rows", self.written("{}")).err)
