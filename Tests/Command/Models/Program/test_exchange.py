"""skan model new, import, export."""

import json

from tools import CommandCase, skan

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
        self.assertEqual(rows[1]["eventMappings"],
                         [{"eventName": "their_win", "minEventCount": 1, "maxEventCount": 3}])
        again = self.model("import", "--from=ga4", "--id=m", "--map", self.file("map.json"),
                           self.written("schema.json", schema))
        self.assertEqual((again["measures"], again["windows"][:2]), (model["measures"], [
            {"rules": [{**rule, "coarse": ["low", "medium", "high"][rule["coarse"]]} for rule in window["rules"]]}
            for window in model["windows"][:2]]))

    def test_what_ga4_cannot_say_is_named(self):
        model = {"schema": 1, "id": "m", "windows": [
            {"rules": [{"fine": 1, "coarse": 0, "when": {"sessions": {"min": 3}}}]}, {"rules": []}, {"rules": []}]}
        path = self.written("model.json", json.dumps(model))
        answer = self.succeeded(skan("model", "export", path, "--form=ga4"), 1)
        self.assertEqual(answer.out, "")
        self.assertIn("window 0: rule 0 has a condition on sessions, which GA4 cannot say", answer.err)
        rows = json.loads(self.succeeded(skan("model", "export", path, "--form=rows")).out)
        self.assertEqual(rows["windows"][0]["fine"][0]["conditions"], [{"min_sessions": 3, "max_sessions": None}])
