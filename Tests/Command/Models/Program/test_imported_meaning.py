"""Imported models are played beside the schemas' own meaning: at every step of random histories the values are equal."""

import json
import os
import re
from pathlib import Path

from random_schemas import Schemas
from schema_meaning import GA4, AppsFlyer, Histories, Meta, TikTok
from tools import IS_SANITIZED, CommandCase, skan

SCHEMAS = Path(__file__).parent / "Schemas"
# Histories of all schemas of one vendor together.
COUNT = int(os.environ.get("SKAN_HISTORIES", "30" if IS_SANITIZED else "100"))


class Played(CommandCase):
    def imported(self, *arguments):
        return self.succeeded(skan("model", "import", *arguments)).out

    def values(self, model, steps):
        """After each step the fine value and each window's coarse value, as the model has them."""
        lines = ['{"time": 0, "register": true}', *(step.line() for step in steps)]
        answer = self.succeeded(skan("model", "try", model, "-", "--json", given="\n".join(lines)))
        fine, coarse = 0, [None, None, None]
        for document in answer.documents()[1:]:
            update = document["update"]
            if update is not None:
                coarse[update["window"]] = update["coarse"]
                if update["window"] == 0:
                    fine = update["fine"]
            yield fine, list(coarse)

    def check(self, schema, text, document, count, seed):
        """Answers how many values there were."""
        path = self.file("model.json")
        path.write_text(document)
        amounts = re.findall(r"\d+\.\d+", text) + ["1", "3", "10"]
        histories = Histories(schema, amounts, seed)
        seen = set()
        for number in range(count):
            steps = histories.history()
            expected = list(schema.play(steps))
            self.assertEqual(list(self.values(path, steps)), expected,
                             (number, [step.line() for step in steps], document))
            seen.update((value, tuple(coarse)) for value, coarse in expected)
        return len(seen)

    def check_all(self, form, files):
        """Files with the class that reads them and options of the import."""
        for seed, (name, schema, *options) in enumerate(files):
            with self.subTest(file=name, options=options):
                path = SCHEMAS / name
                document = self.imported(f"--from={form}", path, *options)
                seen = self.check(schema, path.read_text(), document, -(-COUNT // len(files)), seed)
                # Few histories, of a sanitized command, have fewer values.
                self.assertGreaterEqual(seen, 2 if IS_SANITIZED else 3)

    def test_appsflyers_rows(self):
        names = ["all_revenue", "one_event", "counters_and_coarse"]
        texts = {f"appsflyer_{name}.csv": [] for name in names}
        files = [(name, AppsFlyer((SCHEMAS / name).read_text())) for name in texts]
        same = "appsflyer_same_values.csv"
        files += [(same, AppsFlyer((SCHEMAS / same).read_text(), meaning), f"--same-value={meaning}")
                  for meaning in ("any", "all")]
        self.check_all("appsflyer-csv", files)

    def test_metas_configuration(self):
        self.check_all("meta", [(name, Meta((SCHEMAS / name).read_text()))
                                for name in ("meta_fine_and_coarse.json", "meta_coarse_alone.json")])

    def test_tiktoks_configuration(self):
        name = "tiktok_three_postbacks.json"
        self.check_all("tiktok", [(name, TikTok((SCHEMAS / name).read_text()))])

    def test_ga4s_schema(self):
        self.check_all("ga4", [(name, GA4((SCHEMAS / name).read_text()))
                               for name in ("ga4_three_windows.json", "ga4_values_that_fall.json")])


    def test_random_schemas(self):
        schemas = Schemas(1)
        forms = [("appsflyer-csv", schemas.appsflyer, lambda text: AppsFlyer(text, "any"), ["--same-value=any"]),
                 ("meta", schemas.meta, Meta, []), ("tiktok", schemas.tiktok, TikTok, []),
                 ("ga4", schemas.ga4, GA4, [])]
        path = self.file("schema")
        for number in range(-(-COUNT // 20)):
            for form, make, reader, options in forms:
                text = make()
                path.write_text(text)
                self.check(reader(text), text, self.imported(f"--from={form}", *options, path), 5, number)


class Refused(CommandCase):
    """What a model cannot say is named by its row, with the reason; nothing is printed then."""

    def refused(self, form, document, saying, *options):
        path = self.file("schema")
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        answer = self.succeeded(skan("model", "import", f"--from={form}", path, *options), 1)
        self.assertEqual(answer.out, "")
        self.assertIn(saying, answer.err)

    def test_metas_rows(self):
        def rule(*events, value=3):
            return {"data": [{"cutoff_time": 1, "default_currency": "USD", "conversion_value_rules": [
                {"conversion_value": 1, "events": [{"event_name": "a"}]},
                {"conversion_value": value, "events": list(events)}]}]}

        usd, eur = ({"currency": currency, "amount": 5} for currency in ("USD", "EUR"))
        place = "data[0].conversion_value_rules[1]"
        self.refused("meta", rule({"event_name": "b", "values": [usd, eur]}),
                     f"{place}.events[0]: amounts in other currencies than the model's")
        self.refused("meta", rule({"event_name": "b"}, {"event_name": "c", "values": [eur]}),
                     f"{place}.events[1].values[0]: amounts in other currencies than the model's")
        self.refused("meta", rule({"event_name": "b" * 65}), f"{place}.events[0]: the event")
        self.refused("meta", rule(value=None), f"{place}: no conversion_value")
        self.refused("meta", rule(value=64), f"{place}.conversion_value: expected a whole number from 0 to 63")
        self.refused("meta", {"data": []}, "data: expected a configuration")
        for index, value, saying in [
            (0, "low", "data[0].coarse_cv_configs[0].postback_sequence_index: expected a whole number from 1 to 3"),
            (2, "some", "data[0].coarse_cv_configs[0].coarse_cv_rules[0]: expected low, medium, high or none"),
        ]:
            self.refused("meta", {"data": [{"coarse_cv_configs": [{"postback_sequence_index": index,
                "coarse_cv_rules": [{"coarse_cv_value": value, "events": [{"event_name": "a"}]}]}]}]}, saying)

    def imported_from(self, form, document, *options):
        path = self.file("schema.json")
        path.write_text(json.dumps(document))
        answer = self.succeeded(skan("model", "import", f"--from={form}", path, *options))
        return json.loads(answer.out), answer.err

    def test_metas_currencies_are_read_in_any_case(self):
        made, _ = self.imported_from("meta", {"data": [{"default_currency": "usd", "conversion_value_rules": [
            {"conversion_value": 1, "events": [{"event_name": "a", "values": [{"currency": "USD", "amount": 1}]}]},
            {"conversion_value": 2, "events": [{"event_name": "a", "values": [{"currency": "Usd", "amount": 2}]}]}]}]})
        self.assertEqual(made["currency"], "USD")
        self.assertEqual([rule["fine"] for rule in made["windows"][0]["rules"]], [1, 2])

    def test_metas_first_postback_ends_with_the_cutoff_time(self):
        events = [{"event_name": "a"}]
        made, _ = self.imported_from("meta", {"data": [{"cutoff_time": 1, "default_currency": "USD",
            "conversion_value_rules": [{"conversion_value": 1, "events": events}],
            "coarse_cv_configs": [{"postback_sequence_index": index, "coarse_cv_rules": [
                {"coarse_cv_value": "low", "events": events}]} for index in (1, 2)]}]})
        ends = [rule["when"].get("day") for rule in made["windows"][0]["rules"] + made["windows"][0]["coarse_rules"]
                + made["windows"][1]["rules"]]
        self.assertEqual(ends, [{"max": 1}, {"max": 1}, None])

    def test_a_currency_that_the_schema_names_stays(self):
        meta = {"data": [{"default_currency": "EUR", "conversion_value_rules": [
            {"conversion_value": 1, "events": [{"event_name": "a", "values": [{"currency": "EUR", "amount": 1}]}]}]}]}
        tiktok = {"currency": "EUR", "postbacks": [{"postback_index": 0, "fine": [
            {"conversion_value": 1, "event_funnel": [{"event_name_report": "a"}]}]}]}
        rows = {"form": "rows", "currency": "EUR", "windows": [{"postback_sequence_index": 0, "fine": [
            {"rule": 0, "conversion_value": 1, "conditions": []}]}]}
        for form, schema in [("meta", meta), ("tiktok", tiktok), ("rows", rows)]:
            with self.subTest(form=form):
                self.refused(form, schema, "--currency: the schema says EUR: expected no other currency, got USD", "--currency=USD")
                self.assertEqual(self.imported_from(form, schema, "--currency=eur")[0]["currency"], "EUR")
                (schema["data"][0].pop("default_currency") if form == "meta" else schema.pop("currency"))
                self.assertEqual(self.imported_from(form, schema, "--currency=EUR")[0]["currency"], "EUR")

    def test_a_document_without_rules_is_no_schema(self):
        for document in ({}, {"schema": 1, "id": "m", "windows": []}, {"data": []}):
            self.refused("ga4", document, "expected postbackWindowOne, postbackWindowTwo or postbackWindowThree, got none")
            self.refused("tiktok", document, "postbacks: expected the rules of a postback, got none")
        self.refused("tiktok", {"postbacks": []}, "postbacks: expected the rules of a postback, got none")

    def test_tiktoks_rows(self):
        def postback(index, **more):
            other = {"postback_index": 2 if index == 0 else 0}
            return {"currency": "USD", "postbacks": [other, {"postback_index": index, **more}]}

        event = {"event_name_report": "a", "revenue_min": 0, "revenue_max": 0}
        fine = {"conversion_value": "3", "event_funnel": [event]}
        self.refused("tiktok", postback(1, fine=[fine]), "postbacks[1].fine[0]: a fine value in window 1")
        self.refused("tiktok", postback(0, coarse=[{**fine, "conversion_value": "none"}]),
                     "postbacks[1].coarse[0]: expected low, medium or high")
        self.refused("tiktok", postback(0, fine=[{**fine, "conversion_value": "67"}]),
                     "postbacks[1].fine[0].conversion_value: expected a whole number from 0 to 63")
        self.refused("tiktok", postback(0, fine=[{"event_funnel": [event]}]),
                     "postbacks[1].fine[0]: no conversion_value")
        self.refused("tiktok", postback(3), "postbacks[1].postback_index: expected a whole number from 0 to 2")
        self.refused("tiktok", postback(0, fine=[{**fine, "event_funnel": [{**event, "event_name_report": "a\tb"}]}]),
                     "postbacks[1].fine[0].event_funnel[0]: the event")
        self.refused("tiktok", postback(0, fine=[{**fine, "event_funnel": [{**event, "revenue_min": "a lot"}]}]),
                     "postbacks[1].fine[0].event_funnel[0].revenue_min: expected a number")
        self.refused("tiktok", {"postbacks": [{"postback_index": 1}, {"postback_index": 1}]},
                     "postbacks[1]: a second postback with the postback_index 1")
        self.refused("tiktok", {"postbacks": [{}, {"postback_index": 0}]}, "postbacks[1]: a second postback with")

    def test_ga4s_rows(self):
        def row(**more):
            return {"postbackWindowOne": {"conversionValues": [
                {"fineValue": 1, "coarseValue": "COARSE_VALUE_LOW", "eventMappings": [{"eventName": "a"}], **more}]}}

        place = "postbackWindowOne.conversionValues[0]"
        self.refused("ga4", row(fineValue=None), f"{place}: no fineValue")
        self.refused("ga4", row(fineValue=64), f"{place}.fineValue: expected a whole number from 0 to 63")
        self.refused("ga4", row(eventMappings=[{"eventName": "ä" * 33}]), f"{place}.eventMappings[0]: the event")
        made, _ = self.imported_from("ga4", row(eventMappings=[{"eventName": "ä" * 32}]))
        self.assertEqual(made["windows"][0]["rules"][0]["when"], {"events": [{"name": "ä" * 32}]})
        self.refused("ga4", row(coarseValue="COARSE_VALUE_HUGE"), f"{place}: expected COARSE_VALUE_")
        # A count stops at 4294967295, and maxEventCount is one less than where a range ends.
        self.refused("ga4", row(eventMappings=[{"eventName": "a", "maxEventCount": 4294967295}]),
                     f"{place}.eventMappings[0].maxEventCount: expected a whole number from 0 to 4294967294")
        later = {"postbackWindowTwo": {**row(coarseValue=None)["postbackWindowOne"],
                                       "postbackWindowSettingsEnabled": True}}
        self.refused("ga4", later, "postbackWindowTwo.conversionValues[0]: no coarseValue")

    def test_what_can_be_said_is_printed_if_asked_for(self):
        """A row of which a model can say only some conditions is left out, since it would hold too often."""
        tiktok = {"postbacks": [{"postback_index": 1, "fine": [
            {"conversion_value": "3", "event_funnel": []}], "coarse": [
            {"conversion_value": "low", "event_funnel": [{"event_name_report": "a"}]}]}]}
        ga4 = {"postbackWindowOne": {"conversionValues": [
            {"fineValue": 2, "eventMappings": [{"eventName": "a"}]},
            {"fineValue": 1, "eventMappings": [{"eventName": "b"}, {"eventName": "ä" * 33}]}]}}
        rows = {"form": "rows", "windows": [{"postback_sequence_index": 0, "fine": [
            {"rule": 0, "conversion_value": 1, "conditions": [{"weather": "fair"}, {"min_sessions": 2}]},
            {"rule": 1, "conversion_value": 2, "conditions": [{"min_sessions": 3}]}]}]}
        path = self.file("schema")
        for form, document, window, kept, saying in [
            ("tiktok", tiktok, 1, {"coarse": "low", "when": {"events": [{"name": "a"}]}},
             "postbacks[0].fine[0]: a fine value in window 1"),
            ("ga4", ga4, 0, {"fine": 2, "when": {"events": [{"name": "a"}]}},
             "postbackWindowOne.conversionValues[1].eventMappings[1]: the event"),
            ("rows", rows, 0, {"fine": 2, "when": {"sessions": {"min": 3}}},
             "windows[0].fine[0].conditions[0]: a condition that a model cannot have"),
        ]:
            self.refused(form, document, saying)
            answer = self.succeeded(skan("model", "import", f"--from={form}", "--partial", path), 1)
            self.assertEqual(json.loads(answer.out)["windows"][window]["rules"], [kept])
            self.assertIn(saying, answer.err)
