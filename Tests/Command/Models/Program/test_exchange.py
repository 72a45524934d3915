"""skan model new, import, export."""

import json
from pathlib import Path

import pytest
from tools import CommandCase, skan

SCHEMAS = Path(__file__).parent / "Schemas"
PACK = ("app_id,skan_conversion_value,skan_event_count,skan_event_value_low,skan_event_value_high,"
        "skan_event_value_mean,skan_mapped_event\n")

COLUMNS = ("app_id,conversion_value,event_name,min_event_counter,max_event_counter,min_event_revenue,max_event_revenue,"
           "min_time_post_install,max_time_post_install,last_config_change,postback_sequence_index,"
           "coarse_conversion_value,lock_window_type,lock_window_time\n")


class Exchange(CommandCase):
    def written(self, name, text):
        path = self.file(name)
        path.write_text(text)
        return path

    def model(self, *arguments):
        """The model that a command prints, which is right."""
        answer = self.succeeded(skan("model", *arguments))
        self.succeeded(skan("model", "check", self.written("printed.json", answer.out)))
        return json.loads(answer.out)

    def test_a_line_becomes_a_model(self):
        made = self.model("new", "--bands=iap:0.01,1,5", "--flag=level_10", "--sessions=3", "--id=line")
        self.assertEqual(made["id"], "line")
        self.assertEqual([next(iter(digit)) for digit in made["windows"][0]["rules"][0]["digits"]],
                         ["revenue", "event", "sessions"])
        refused = skan("model", "new", "--bands=iap:" + ",".join(map(str, range(1, 65))))
        self.assertEqual(refused.code, 2)

    def test_each_value_of_later_windows_ends_where_the_next_one_begins(self):
        def later(*digits):
            first, second = self.model("new", *digits)["windows"][1:]
            self.assertEqual(first, second)
            return [(rule["coarse"], rule["when"]) for rule in first["rules"]]

        self.assertEqual(later("--bands=all:1,5,20"), [
            ("low", {"revenue": {"kind": "all", "max": 5}}),
            ("medium", {"revenue": {"kind": "all", "min": 5, "max": 20}}),
            ("high", {"revenue": {"kind": "all", "min": 20}})])
        self.assertEqual(later("--days=1", "--sessions=2,4"), [
            ("low", {"sessions": {"max": 2}}), ("medium", {"sessions": {"min": 2, "max": 4}}),
            ("high", {"sessions": {"min": 4}})])
        # Whoever did not reach the level yet has the low value.
        self.assertEqual(later("--flag=level_10"), [
            ("low", {"events": [{"name": "level_10", "min_count": 0, "max_count": 1}]}),
            ("high", {"events": [{"name": "level_10"}]})])

    def test_bands_of_a_file_are_above_their_lower_bound(self):
        rows = "id1,0,,,,,,0,24,,0,,,\nid1,1,pay,0,1,0,1.5,0,24,,0,,,\nid1,2,pay,0,1,1.5,3,0,24,,0,,,\n"
        made = self.model("import", "--from=appsflyer-csv", self.written("rows.csv", COLUMNS + rows))
        first, second, third = made["windows"][0]["rules"]
        self.assertEqual(first, {"fine": 0, "when": {"hours": {"max": 24}}})
        self.assertEqual(second["when"]["measures"], [{"name": "pay", "min": 1e-12, "max": 1.500000000001}])
        self.assertEqual(third["when"]["measures"], [{"name": "pay", "min": 1.500000000001}])

    def test_rows_that_no_real_file_has_are_refused_by_line(self):
        rows = "id1,1,a,,,,,0,24,,0,,,\nid1,1,b,,,,,0,24,,0,,,\nid1,2,c,,,,,0,24,,0,,time,5\n"
        path = self.written("rows.csv", COLUMNS + rows)
        answer = self.succeeded(skan("model", "import", "--from=appsflyer-csv", path), 1)
        self.assertEqual(answer.out, "")
        self.assertIn("line 3: an earlier row has the conversion value 1, too", answer.err)
        self.assertIn("line 4: a lock of the window", answer.err)

    @pytest.mark.many
    def test_rows_cost_the_same_however_many_there_are(self):
        """What costs a search of all rows before it takes longer than a run may."""
        rows = [f"id1,{number % 64},event {number},0,1,0,1,0,24,,0,,,\n" for number in range(120_000)]
        table = self.written("rows.csv", "".join([COLUMNS, *rows]))
        answer = skan("model", "import", "--from=appsflyer-csv", "--id=m", "--same-value=any", table)
        self.assertIn("the limit is 65536", self.succeeded(answer, 1).err)

    def test_a_schema_of_ga4_comes_back(self):
        model = {"schema": 1, "id": "m", "measures": {"pay": {"sum": ["pay"]}}, "windows": [
            {"rules": [{"fine": 1, "coarse": 0, "when": {"events": [{"name": "win", "max_count": 4}]}},
                       {"fine": 2, "coarse": 1, "lock": True,
                        "when": {"measures": [{"name": "pay", "min": 5, "max": 10}]}}]},
            {"rules": [{"coarse": 2, "when": {"events": [{"name": "win", "min_count": 2}]}}]}, {"rules": []}]}
        given = self.written("model.json", json.dumps(model))
        schema = self.succeeded(skan("model", "export", given, "--form=ga4", "--map",
                                     self.written("map.json", '{"win": "their_win"}'))).out
        rows = json.loads(schema)["postbackWindowOne"]["conversionValues"]
        self.assertEqual([row["fineValue"] for row in rows], [2, 1])
        self.assertEqual([row["displayName"] for row in rows], ["rule 1", "rule 0"])
        self.assertEqual(rows[1]["eventMappings"],
                         [{"eventName": "their_win", "minEventCount": 1, "maxEventCount": 3}])
        again = self.model("import", "--from=ga4", "--id=m", "--map", self.file("map.json"),
                           self.written("schema.json", schema))
        self.assertEqual((again["measures"], again["windows"][:2]), (model["measures"], [
            {"rules": [{**rule, "coarse": ["low", "medium", "high"][rule["coarse"]]} for rule in window["rules"]]}
            for window in model["windows"][:2]]))

    def test_a_models_id_is_the_files_name_if_no_other_is_given(self):
        schema = json.dumps({"postbackWindowOne": {"conversionValues": []}})
        for name, made in [("names~of{events}.json", "names~of{events}.json"), ("café 1", "caf-- 1"),
                           ("n" * 65, "n" * 64)]:
            self.assertEqual(self.model("import", "--from=ga4", self.written(name, schema))["id"], made)
            self.assertEqual(self.model("import", "--from=ga4", "--id=given", self.file(name))["id"], "given")

    def test_only_the_first_of_metas_configurations_is_read(self):
        first, second = ({"default_currency": "USD", "conversion_value_rules": [
            {"conversion_value": value, "events": [{"event_name": "a"}]}]} for value in (1, 2))
        note = "note: data: only the first configuration is read"
        for configurations, is_noted in [([first], False), ([first, second], True)]:
            path = self.written("meta.json", json.dumps({"data": configurations}))
            answer = self.succeeded(skan("model", "import", "--from=meta", path))
            self.assertEqual(note in answer.err, is_noted)
            self.assertEqual([rule["fine"] for rule in json.loads(answer.out)["windows"][0]["rules"]], [1])

    def test_measures_of_one_event_have_names_of_their_own(self):
        for event, names in [("pay", ["pay", "pay 2"]), ("e" * 32, ["e" * 32, "e" * 30 + " 2", "e" * 30 + " 3"])]:
            measures = [{word: [event]} for word in ["sum", "count", "days"][:len(names)]]
            when = {"measures": [{"name": f"m{number}", "min": 1} for number in range(len(names))]}
            model = {"schema": 1, "id": "m", "measures": {f"m{number}": each for number, each in enumerate(measures)},
                     "windows": [{"rules": [{"fine": 1, "coarse": 0, "when": when}]}, {"rules": []}, {"rules": []}]}
            rows = self.succeeded(skan("model", "export", self.written("m.json", json.dumps(model)), "--form=rows")).out
            again = self.model("import", "--from=rows", self.written("rows.json", rows))
            self.assertEqual(again["measures"], dict(zip(names, measures, strict=True)))

    def test_rows_say_when_each_window_is_open(self):
        for protocol, hours in [(4, [(0, 48), (48, 168), (168, 840)]), (3, [(0, None)])]:
            path = self.written("model.json", json.dumps(
                {"schema": 1, "id": "m", "protocol": protocol, "windows": [{"rules": []} for _ in hours]}))
            rows = json.loads(self.succeeded(skan("model", "export", path, "--form=rows")).out)
            self.assertEqual([(window["min_hours"], window["max_hours"]) for window in rows["windows"]], hours)

    def test_what_ga4_cannot_say_is_named(self):
        model = {"schema": 1, "id": "m", "windows": [
            {"rules": [{"fine": 1, "coarse": 0, "when": {"sessions": {"min": 3}}}]}, {"rules": []}, {"rules": []}]}
        path = self.written("model.json", json.dumps(model))
        answer = self.succeeded(skan("model", "export", path, "--form=ga4"), 1)
        self.assertEqual(answer.out, "")
        self.assertIn("window 0: rule 0 has a condition on sessions, which GA4 cannot say", answer.err)
        rows = json.loads(self.succeeded(skan("model", "export", path, "--form=rows")).out)
        self.assertEqual(rows["windows"][0]["fine"][0]["conditions"], [{"min_sessions": 3, "max_sessions": None}])


class ReportingPack(Exchange):
    """The schema table of Google's App Reporting Pack."""

    def imported(self, rows, *options, code=0):
        path = self.written("rows.csv", PACK + rows)
        return self.succeeded(skan("model", "import", "--from=arp-csv", path, *options), code)

    def exported(self, model, *options, code=0):
        path = self.written("model.json", json.dumps(model))
        return self.succeeded(skan("model", "export", path, "--form=arp-csv", *options), code)

    def test_a_table_comes_back(self):
        table = SCHEMAS / "app_reporting_pack.csv"
        model = self.model("import", "--from=arp-csv", table)
        fine = [rule["fine"] for rule in model["windows"][0]["rules"]]
        self.assertEqual((model["id"], fine), ("990001234", [1, 2, 3]))
        self.assertEqual([rule["when"] for rule in model["windows"][0]["rules"]], [
            {"measures": [{"name": "purchase", "min": 0.01, "max": 1}]},
            {"measures": [{"name": "purchase", "min": 1, "max": 5}]}, {"events": [{"name": "level_10"}]}])
        self.assertEqual(self.exported(model).out.replace("\r\n", "\n"), table.read_text())
        self.assertTrue(self.exported(model, "--app-id=7").out.splitlines()[1].startswith("7,1,1,0.01,1,0.505,"))

    def test_counts_and_several_events_of_a_value_come_back(self):
        rows = "com.a,5,3,0,0,0,win\ncom.a,6,2,0,4.5,2.25,pay\ncom.a,9,1,0,0,0,win\ncom.a,9,1,2,3,2.5,pay\n"
        model = json.loads(self.imported(rows, "--same-value=all").out)
        self.assertEqual([rule["when"] for rule in model["windows"][0]["rules"]], [
            {"events": [{"name": "win", "min_count": 3}]},
            {"events": [{"name": "pay", "min_count": 2}], "measures": [{"name": "pay", "max": 4.5}]},
            {"events": [{"name": "win"}], "measures": [{"name": "pay", "min": 2, "max": 3}]}])
        self.assertEqual(self.exported(model).out.replace("\r\n", "\n"), PACK + rows)
        refused = self.imported(rows, code=1)
        self.assertIn("line 5: an earlier row has the conversion value 9, too", refused.err)
        # Whoever won three times has won once, so no install would get 5.
        anyone = self.imported(rows, "--same-value=any")
        self.assertEqual([rule["fine"] for rule in json.loads(anyone.out)["windows"][0]["rules"]], [6, 9, 9])
        self.assertIn("a rule for fine 5 is left out", anyone.err)

    def test_rows_of_several_apps_need_the_apps_id(self):
        rows = "1,1,1,0,0,0,win\n2,1,1,0,0,0,win\n"
        self.assertIn("say --app-id", self.imported(rows, code=1).err)
        self.assertEqual(json.loads(self.imported(rows, "--app-id=2").out)["id"], "2")
        self.assertIn("no row is of the app 3", self.imported(rows, "--app-id=3", code=1).err)

    def test_what_is_doubtful_is_a_note_and_what_is_wrong_is_named(self):
        answer = self.imported("a,1,1,1,2,1.7,pay\na,0,0,0.1,0.1,0.1,\n")
        for words in ("USD is taken", "is not the middle", "without an event is left out", "belongs to its range"):
            self.assertIn(words, answer.err)
        for rows, words in {"a,64,1,0,0,0,win\n": "line 2, column 2: skan_conversion_value: expected a whole number",
                            "a,1,1,x,0,0,win\n": "column 4: skan_event_value_low: expected a number",
                            "a,1,1,2,2,2,win\n": "line 2: a range of money that ends where it begins",
                            "a,1,1,0,0,0,\n": "line 2: no event"}.items():
            self.assertIn(words, self.imported(rows, code=1).err, rows)
        path = self.written("rows.csv", "app_id\n1\n")
        answer = self.succeeded(skan("model", "import", "--from=arp-csv", path), 1)
        self.assertIn("line 1: expected the column skan_conversion_value", answer.err)

    def test_what_the_table_cannot_say_is_refused_by_rule(self):
        rules = [{"fine": 0, "coarse": 0, "when": {}}, {"fine": 1, "coarse": 0, "when": {"sessions": {"min": 2}}},
                 {"fine": 2, "coarse": 0, "when": {"revenue": {"min": 1}}},
                 {"fine": 3, "coarse": 0, "when": {"measures": [{"name": "pay", "min": 1}]}},
                 {"fine": 4, "coarse": 1, "lock": True, "when": {"events": [{"name": "win", "max_count": 9}]}},
                 {"fine": 5, "coarse": 1, "when": {"events": [{"name": "win", "min_count": 9}]}}]
        model = {"schema": 1, "id": "m", "measures": {"pay": {"sum": ["pay"]}},
                 "windows": [{"rules": rules}, {"rules": [{"coarse": 1, "when": {}}]}, {"rules": []}]}
        answer = self.exported(model, code=1)
        self.assertEqual(answer.out, "")
        for rule, subject in {1: "sessions", 2: "iap revenue", 3: 'the measure "pay"', 4: "win"}.items():
            self.assertIn(f"rule {rule} has a condition on {subject}, which the table cannot say", answer.err)
        for words in ("rule 0 always holds", "windows 1 and 2 are left out", "coarse values are left out",
                      "lock the window"):
            self.assertIn(words, answer.err)
        partial = self.exported(model, "--partial", code=1)
        self.assertEqual(partial.out.replace("\r\n", "\n"), PACK + "m,5,9,0,0,0,win\n")
