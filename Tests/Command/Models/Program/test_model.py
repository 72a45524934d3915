"""skan model: check, table, try, decode."""

import hashlib
import json
from decimal import Decimal
from pathlib import Path

from tools import TOP, CommandCase, skan

READY = sorted((TOP / "Sources" / "SKANModels").glob("*.json"))
# The ready models that have digits, rule by rule, as they were before there were digits.
WRITTEN_OUT = Path(__file__).parent / "WrittenOut"
VECTORS = TOP / "Tests" / "Vectors"
DAY = 86400


def every_rule(path):
    """The document of a ready model in which each rule stands by itself."""
    written = WRITTEN_OUT / path.name
    return json.loads((written if written.exists() else path).read_text())


def rule(fine=None, coarse=None, **more):
    made = {"fine": fine, "coarse": coarse, "lock": more.pop("lock", False), "when": more}
    return {key: value for key, value in made.items() if value is not None}


# Written so that every reason for a value, and for none, comes up.
TRIAL = {
    "schema": 1,
    "id": "trial-1",
    "rates": {"EUR": "1.1", "JPY": "0.0067"},
    "windows": [
        {"rules": [
            rule(1, 0, sessions={"min": 1, "max": 3}),
            rule(2, 1, events=[{"name": "level_10"}]),
            rule(5, 2, revenue={"min": 5, "max": 10}),
            rule(6, 2, revenue={"min": 10}),
            rule(9, 2, lock=True, events=[{"name": "subscribe"}]),
        ]},
        {"rules": [rule(coarse=1, sessions={"min": 2})]},
        {"rules": []},
    ],
}
SKAN_3 = {
    "schema": 1, "id": "old", "protocol": 3,
    "windows": [{"rules": [rule(3, revenue={"min": 1}), rule(7, events=[{"name": "win"}])]}],
}


# What each part needs behind its file.
PARTS = {"check": [], "table": [], "try": ["-"], "decode": ["--window=0", "--fine=1"]}


class Model(CommandCase):
    def model(self, document, name="model.json"):
        path = self.file(name)
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        return path

    def refused(self, *arguments, saying, **more):
        answer = self.succeeded(skan("model", *arguments, **more), 2)
        self.assertEqual(answer.out, "")
        self.assertTrue(answer.err.startswith("skan: "), answer)
        self.assertIn(saying, answer.err)


class Usage(Model):
    def test_help_of_eighty_columns(self):
        texts = [self.succeeded(skan("model", "--help")).out]
        for part in ["check", "table", "try", "decode"]:
            self.assertIn(f"\n  skan model {part} ", texts[0])
            answer = self.succeeded(skan("model", part, "--help"))
            self.assertTrue(answer.out.startswith(f"usage: skan model {part} FILE"), answer)
            self.assertEqual(skan("model", part, "-h").out, answer.out)
            texts.append(answer.out)
        self.assertLessEqual(max(len(line) for text in texts for line in text.split("\n")), 80)
        self.assertIn("  skan model check ", skan("--help").out)

    def test_wrong_command_lines(self):
        self.refused(saying="skan: model: expected skan model check|table|try|decode")
        self.refused("chekc", "f", saying="skan: model chekc: no such command")
        self.refused("--colour", saying="skan: model --colour: no such command")
        for part, count in {"check": 1, "table": 1, "try": 2, "decode": 1}.items():
            options = ["--window=0", "--fine=1"] if part == "decode" else []
            for given in range(count):
                self.refused(part, *options, *["x"] * given, saying=f"expected: skan model {part}")
            self.refused(part, *options, *["x"] * count, "extra", saying="skan: extra: one argument too many")
            self.refused(part, "--colour", saying="skan: --colour: no such option")
        self.refused("check", "f", "--json", saying="skan: --json: no such option")
        self.refused("try", "-", "-", saying="standard input cannot be the model and the history")

    def test_wrong_values_to_decode(self):
        model = self.model(TRIAL)
        self.refused("decode", model, "--fine=1", saying="expected --window N")
        self.refused("decode", model, "--window=0", saying="expected --fine N, --coarse N, or both")
        for window in ["3", "-1", "", "x"]:
            self.refused("decode", model, f"--window={window}", "--fine=1", saying="a whole number from 0 to 2")
        for fine in ["64", "-1", "1.0"]:
            self.refused("decode", model, "--window=0", f"--fine={fine}", saying="a whole number from 0 to 63")
        for coarse in ["3", "", "Low", "00", "-1"]:
            self.refused("decode", model, "--window=0", f"--coarse={coarse}", saying="--coarse: expected low")
        self.refused("decode", self.model(SKAN_3), "--window=1", "--fine=1", saying="window: expected 0 to 0, got 1")

    def test_files_that_cannot_be_read(self):
        for path, why, tried in [(self.file("none"), "No such file or directory", ""),
                                 (self.folder, "Is a directory", "not all: 0 steps, 0 updates\n")]:
            for part, more in PARTS.items():
                answer = self.succeeded(skan("model", part, path, *more), 1)
                self.assertEqual((answer.out, answer.err), ("", f"skan: {path}: {why}\n"))
            answer = self.succeeded(skan("model", "try", self.model(TRIAL), path), 1)
            self.assertEqual((answer.out, answer.err), (tried, f"skan: {path}: {why}\n"))


class Check(Model):
    SHARED = ("window 0: rule 0 for fine 0 has conditions, but fine 0 is also what registering alone gives, so a "
              "postback cannot tell them apart")

    def notes(self, document):
        answer = self.succeeded(skan("model", "check", self.model(document)))
        self.assertEqual((answer.lines()[0], answer.err), ("OK", ""))
        return [line.removeprefix("note: ") for line in answer.lines()[5:]]

    def test_ready_models(self):
        self.assertEqual(len(READY), 9)
        for path in READY:
            document = every_rule(path)
            counts = [len(window["rules"]) for window in document["windows"]]
            self.assertEqual(
                self.succeeded(skan("model", "check", path)).lines()[:5],
                [
                    "OK",
                    f"id        {document['id']}",
                    f"version   {hashlib.sha256(path.read_bytes()).hexdigest()}",
                    f"protocol  SKAN {document['protocol']}",
                    "rules     " + ", ".join(f"window {window}: {count}" for window, count in enumerate(counts)),
                ],
            )

    def test_notes_of_ready_models(self):
        currencies = "revenue counts as nothing unless it is in USD, EUR, GBP, JPY, CAD, AUD"
        expected = {
            "conversion_events": [], "engagement": [], "mixed": [currencies], "revenue_ad": [currencies],
            "revenue_all": [currencies], "revenue_iap": [currencies],
            "reengagement": ["decides for re-engagements: an engine takes it among reengagement_models", currencies],
            "retention": ["window 0: 1 of 64 fine values are not used: 63", self.SHARED],
            "skan3_revenue": ["window 0: 31 of 64 fine values are not used: 33 to 63", currencies],
        }
        self.assertEqual({path.stem: self.notes(path.read_text()) for path in READY}, expected)

    def test_notes(self):
        self.assertEqual(self.notes(TRIAL), [
            "window 0: 58 of 64 fine values are not used: 3, 4, 7, 8, 10 to 63",
            "window 1: no rule has the coarse value low",
            "window 1: no rule has the coarse value high",
            "window 2 has no rules, it gets no value",
            "revenue counts as nothing unless it is in USD, EUR, JPY",
        ])
        rates = {"JPY": "0.01", "USD": "1", "EUR": "2"}
        self.assertIn("revenue counts as nothing unless it is in USD, JPY, EUR", self.notes({**TRIAL, "rates": rates}))

    def test_a_rule_for_what_registering_alone_gives(self):
        def notes(*rules, protocol=4):
            windows = [list(rules), [], []][:3 if protocol == 4 else 1]
            return self.notes({"schema": 1, "id": "a", "protocol": protocol, "raise_only": False,
                               "windows": [{"rules": rules} for rules in windows]})

        for when in [{"revenue": {"min": 5}}, {"sessions": {"max": 2}}, {"events": [{"name": "a"}]},
                     {"day": {"max": 1}}, {"revenue": {"max": 1}}]:
            self.assertIn(self.SHARED, notes(rule(0, 0, **when)))
            self.assertIn(self.SHARED.replace("rule 0", "rule 1"), notes(rule(7, 0), rule(0, 0, **when)))
            self.assertFalse([note for note in notes(rule(1, 0, **when)) if "registering" in note])
        self.assertIn(self.SHARED, notes(rule(0, revenue={"min": 5}), protocol=3))
        for when in [{}, {"sessions": {"min": 0}}, {"events": [{"name": "a", "min_count": 0}]}, {"events": []}]:
            self.assertFalse([note for note in notes(rule(0, 0, **when)) if "registering" in note])

    def test_a_number_of_more_than_64_bits_is_told_as_it_is_written(self):
        windows = [{"rules": [rule(1, sessions={"max": 10**40})]}, {"rules": []}, {"rules": []}]
        answer = self.succeeded(skan("model", "check", self.model({**TRIAL, "windows": windows})), 1)
        self.assertIn('/windows/0/rules/0/when/sessions/max": expected a whole number from 0 to 4294967295, '
                      f'got the number "{10**40}"\n', answer.err)

    def test_rules_without_coarse_and_rules_of_other_days(self):
        days = [{"min": 2}, {"max": 2}, {"min": 1, "max": 4}]
        windows = [
            [rule(number, day=day) for number, day in enumerate(days)],
            [rule(coarse=0, day={"max": 2}), rule(coarse=1, day={"min": 7}), rule(coarse=2, day={"min": 6, "max": 9})],
            [rule(coarse=0, day={"min": 7}), rule(coarse=1, day={"min": 34}), rule(coarse=2, day={"min": 35})],
        ]
        notes = self.notes({
            "schema": 1, "id": "a", "raise_only": False, "currency": "JPY", "rates": {"JPY": "1"},
            "windows": [{"rules": rules} for rules in windows],
        })
        self.assertEqual(notes[1:], [
            self.SHARED,
            "window 0: 3 rules have no coarse value, which is all that postbacks of small campaigns carry",
            "window 0: no rule has the coarse value low",
            "window 0: no rule has the coarse value medium",
            "window 0: no rule has the coarse value high",
            "window 0: rule 0 never holds, the window has days 0 and 1",
            "window 1: rule 0 never holds, the window has days 2 to 6",
            "window 1: rule 1 never holds, the window has days 2 to 6",
            "window 2: rule 2 never holds, the window has days 7 to 34",
        ])

    def test_rules_that_the_timer_of_skan_3_leaves_no_time_for(self):
        """Only a value above 0 keeps the window open, for 24 hours more."""
        def notes(*rules):
            return self.notes({"schema": 1, "id": "a", "protocol": 3, "windows": [{"rules": rules}]})[1:]

        never = ("window 0: never sends a value: no rule for a fine value above 0 can hold in the 24 hours after "
                 "registering")
        late = "window 0: rule 2 never sends its value: no smaller value can keep the window open until it holds"
        self.assertEqual(notes(rule(0)), [never])
        self.assertEqual(notes(rule(0), rule(2, day={"min": 1}), rule(3, day={"min": 2})), [never])
        self.assertEqual(notes(rule(0), rule(1, hours={"min": 3, "max": 24}), rule(2, day={"min": 1})), [])
        self.assertEqual(notes(rule(0), rule(1, hours={"min": 3, "max": 24}), rule(2, day={"min": 2})), [late])

    def test_a_wrong_model_is_refused_by_every_part(self):
        """Each sort of them, with the same words, is refused by the library: the vectors models_refused."""
        path = self.model({**TRIAL, "id": "é"})
        for part, more in PARTS.items():
            answer = self.succeeded(skan("model", part, path, *more), 1)
            said = f'skan: {path}: model at "/id": expected 1 to 64 printable ASCII characters'
            self.assertTrue(answer.err.startswith(said), answer)
            self.assertEqual((answer.out, answer.err.count("\n")), ("", 1))

    def test_standard_input_of_the_longest_model_and_a_longer_one(self):
        given = json.dumps(TRIAL)
        answer = self.succeeded(skan("model", "check", "-", given=given + " " * (65536 - len(given))))
        self.assertIn("\nid        trial-1\n", answer.out)
        answer = self.succeeded(skan("model", "check", "-", given=given + " " * (65537 - len(given))), 1)
        self.assertIn("skan: standard input: model at", answer.err)
        self.assertIn("the limit is 65536", answer.err)


class Table(Model):
    def test_the_whole_table(self):
        self.assertEqual(self.succeeded(skan("model", "table", self.model(TRIAL))).lines(), [
            "trial-1, SKAN 4, revenue in USD, values are only raised",
            "1 EUR = 1.1 USD, 1 JPY = 0.0067 USD; other currencies count as nothing.",
            "In each window the last rule that holds wins; a range of money ends below its second amount.",
            "",
            "window 0, days 0 and 1",
            "  fine  coarse",
            "     0  -       only registered",
            "     1  low     1 to 2 sessions",
            "     2  medium  level_10",
            "     5  high    $5 to $10 IAP",
            "     6  high    $10 or more IAP",
            "     9  high    subscribe; locks the window",
            "  coarse low     fine 1",
            "  coarse medium  fine 2",
            "  coarse high    fine 5, 6, 9",
            "  not used: fine 3, 4, 7, 8, 10 to 63",
            "",
            "window 1, days 2 to 6",
            "  coarse",
            "  medium  2+ sessions",
            "  not used: coarse low",
            "  not used: coarse high",
            "",
            "window 2, days 7 to 34",
            "  no rules: it gets no value",
        ])

    def test_skan_3(self):
        self.assertEqual(self.succeeded(skan("model", "table", self.model(SKAN_3))).lines(), [
            "old, SKAN 3, revenue in USD, values are only raised",
            "Other currencies count as nothing.",
            "In each window the last rule that holds wins; a range of money ends below its second amount.",
            "",
            "window 0, open until 24 hours pass without a new value",
            "  fine",
            "     0  only registered",
            "     3  $1 or more lifetime IAP",
            "     7  win",
            "  not used: fine 1, 2, 4 to 6, 8 to 63",
        ])

    def test_words_of_every_condition(self):
        words = {
            "always": {"sessions": {"min": 0}, "events": [{"name": "a", "min_count": 0}]},
            "no a": {"events": [{"name": "a", "min_count": 0, "max_count": 1}]},
            "a at most 1 time": {"events": [{"name": "a", "min_count": 0, "max_count": 2}]},
            "a at most 2 times": {"events": [{"name": "a", "min_count": 0, "max_count": 3}]},
            "a": {"events": [{"name": "a"}]},
            "a 1 time": {"events": [{"name": "a", "max_count": 2}]},
            "a 4 times": {"events": [{"name": "a", "min_count": 4, "max_count": 5}]},
            "a 4 to 6 times": {"events": [{"name": "a", "min_count": 4, "max_count": 7}]},
            "a 4+ times": {"events": [{"name": "a", "min_count": 4}]},
            "no session": {"sessions": {"max": 1}},
            "at most 1 session": {"sessions": {"max": 2}},
            "at most 8 sessions": {"sessions": {"max": 9}},
            "1 session": {"sessions": {"min": 1, "max": 2}},
            "3 sessions": {"sessions": {"min": 3, "max": 4}},
            "3 to 4 sessions": {"sessions": {"min": 3, "max": 5}},
            "3+ sessions": {"sessions": {"min": 3}},
            "day 0": {"day": {"max": 1}},
            "days 0 to 1": {"day": {"max": 2}},
            "day 1 or later": {"day": {"min": 1}},
            "hour 5": {"hours": {"min": 5, "max": 6}},
            "hour 5 or later": {"hours": {"min": 5}},
            # Hours that are whole days are told as days.
            "day 2": {"hours": {"min": 48, "max": 72}},
            "hours 48 to 72": {"hours": {"min": 48, "max": 73}},
            "hours 47 to 71": {"hours": {"min": 47, "max": 72}},
            "-5 to 0 EUR IAP": {"revenue": {"min": -5, "max": 0}},
            "0 EUR or more ad revenue": {"revenue": {"kind": "ad"}},
            "0.1 to 1000000 EUR lifetime revenue":
                {"revenue": {"kind": "all", "scope": "lifetime", "min": 0.1, "max": 1e6}},
            "b, a, 2+ sessions, day 1, 7 EUR or more IAP": {
                "revenue": {"min": 7}, "day": {"min": 1, "max": 2}, "sessions": {"min": 2},
                "events": [{"name": "a"}, {"name": "b"}],
            },
        }
        for meaning, when in words.items():
            with self.subTest(meaning):
                first = rule(0, 0, events=[{"name": "b", "min_count": 7}])
                path = self.model({
                    "schema": 1, "id": "a", "currency": "EUR", "raise_only": False,
                    "windows": [{"rules": [first]}, {"rules": [rule(coarse=2, **when)]}, {"rules": []}],
                })
                self.assertIn(f"  high    {meaning}", self.succeeded(skan("model", "table", path)).lines())

    def test_words_of_measures(self):
        """In the table, and in its JSON, which has no measures where the model has none."""
        measures = {
            "how many of a, every event, sessions in the window": {"count": ["a", "*", "__SESSION__"]},
            "money of a since install; with IAP": {"sum": ["a"], "scope": "lifetime", "kind": "iap"},
            "money of a in the window; with ad revenue": {"sum": ["a"], "kind": "ad"},
            "days with a in the window; days 0 to 2, $5 to $10": {
                "days": ["a"], "day": {"max": 3}, "amount": {"min": 5, "max": 10}},
            "how many of a in the window; hours 0 to 4, IAP of $5 or more": {
                "count": ["a"], "kind": "iap", "hours": {"max": 5}, "amount": {"min": 5}},
        }
        named = {f"m{number}": measure for number, measure in enumerate(measures.values())}
        path = self.model({**TRIAL, "measures": named})
        lines = self.succeeded(skan("model", "table", path)).lines()
        place = lines.index("measures") + 1
        self.assertEqual(lines[place:place + len(measures)],
                         [f"  {name}: {meaning}" for name, meaning in zip(named, measures, strict=True)])
        document = self.succeeded(skan("model", "table", "--json", path)).documents()[0]
        self.assertEqual(document["measures"], [{"name": name, "meaning": meaning}
                                                for name, meaning in zip(named, measures, strict=True)])
        without = self.succeeded(skan("model", "table", "--json", self.model(TRIAL))).documents()[0]
        self.assertNotIn("measures", without)

    def test_amounts_are_exact(self):
        amounts = ["-999999999999999999.999999999999", "0.000000000001", "900719925474099.3", "123456789012345678.9"]
        windows = [f'{{"fine": {number}, "when": {{"revenue": {{"min": {amount}}}}}}}'
                   for number, amount in enumerate(amounts, 1)]
        path = self.model(f'{{"schema": 1, "id": "a", "windows": [{{"rules": [{", ".join(windows)}]}},'
                          ' {"rules": []}, {"rules": []}]}')
        text = self.succeeded(skan("model", "table", path)).out
        document = self.succeeded(skan("model", "table", "--json", path)).out
        for amount in amounts:
            written = f"-${amount[1:]}" if amount[0] == "-" else f"${amount}"
            self.assertIn(f"  {written} or more IAP\n", text)
            self.assertIn(f'"min":{amount},', document)
            self.assertIn(f'"meaning":"{written} or more IAP"', document)

    def test_what_models_without_revenue_and_without_conditions_say(self):
        def table(name):
            return self.succeeded(skan("model", "table", TOP / "Sources" / "SKANModels" / name)).lines()

        mixed, retention = table("mixed.json"), table("retention.json")
        self.assertIn("  coarse medium  fine 8 to 31", mixed)
        self.assertIn("     0  low     always", mixed)
        self.assertEqual(retention[1], "In each window the last rule that holds wins.")
        self.assertIn("     0  low     1 session, day 0; or only registered", retention)

    def test_digits_of_ready_models_say_what_their_rules_said(self):
        written = sorted(WRITTEN_OUT.glob("*.json"))
        self.assertEqual(len(written), 7)
        for path in written:
            ready = TOP / "Sources" / "SKANModels" / path.name
            self.assertEqual(list(json.loads(ready.read_text())["windows"][0]["rules"][0]), ["coarse", "digits"])
            tables = [self.succeeded(skan("model", "table", model)).lines() for model in (ready, path)]
            self.assertEqual(tables[0], tables[1])
            ready_json, written_json = (
                json.loads(self.succeeded(skan("model", "table", "--json", model)).out, parse_float=Decimal)
                for model in (ready, path)
            )
            self.assertNotEqual(ready_json.pop("model"), written_json.pop("model"))
            self.assertEqual(ready_json, written_json)

    def test_json_of_ready_models_has_every_rule(self):
        for path in READY:
            source = every_rule(path)
            answer = self.succeeded(skan("model", "table", path, "--json"))
            self.assertEqual(len(answer.lines()), 1)
            document = json.loads(answer.out)
            self.assertEqual(document["model"], hashlib.sha256(path.read_bytes()).hexdigest())
            for key in ["id", "protocol", "currency", "rates", "raise_only"]:
                self.assertEqual(document[key], source[key])
            self.assertEqual(len(document["windows"]), len(source["windows"]))
            text = self.succeeded(skan("model", "table", path)).out
            for number, window in enumerate(document["windows"]):
                self.assertEqual(window["window"], number)
                values = [(rule.get("fine"), rule.get("coarse")) for rule in source["windows"][number]["rules"]]
                self.assertEqual([(rule["fine"], rule["coarse"]) for rule in window["rules"]], values)
                self.assertEqual([rule["rule"] for rule in window["rules"]], list(range(len(values))))
                used = {0} | {fine for fine, _ in values}
                self.assertEqual(window["registration_fine"], 0 if number == 0 else None)
                unused = [fine for fine in range(64) if fine not in used] if number == 0 else []
                self.assertEqual(window["unused_fine"], unused)
                for rule_ in window["rules"]:
                    self.assertIn(f"  {rule_['meaning']}", text)


class Decode(Model):
    def test_one_rule(self):
        answer = self.succeeded(skan("model", "decode", self.model(TRIAL), "--window=0", "--fine=9"))
        self.assertEqual(answer.lines(), [
            "window 0, fine 9: 1 rule, the last that holds wins",
            "  rule 4   fine 9, coarse high, locks the window: subscribe",
        ])

    def test_several_rules_and_what_holds_for_all(self):
        model = self.model({**TRIAL, "windows": [{"rules": [
            rule(1, 2, revenue={"min": 5, "max": 10}, sessions={"min": 2}),
            rule(2, 2, revenue={"min": 20, "max": 30.5}, sessions={"min": 1, "max": 9}, day={"min": 1}),
        ]}, {"rules": []}, {"rules": []}]})
        expected = [
            "window 0, coarse high: 2 rules, the last that holds wins",
            "  rule 0   fine 1, coarse high: 2+ sessions, $5 to $10 IAP",
            "  rule 1   fine 2, coarse high: 1 to 8 sessions, day 1 or later, $20 to $30.5 IAP",
            "  of all:  1+ sessions, $5 to $30.5 IAP",
        ]
        for coarse in ["high", "2"]:
            answer = self.succeeded(skan("model", "decode", model, "--window", "0", "--coarse", coarse))
            self.assertEqual(answer.lines(), expected)

    def test_both_values_and_nothing_that_holds_for_all(self):
        answer = self.succeeded(skan("model", "decode", self.model(TRIAL), "--window=0", "--fine=5", "--coarse=high"))
        self.assertIn("window 0, fine 5, coarse high: 1 rule", answer.out)
        answer = self.succeeded(skan("model", "decode", self.model(TRIAL), "--window=0", "--coarse=high"))
        self.assertEqual(answer.lines()[-1], "  of all:  nothing that holds for all")

    def test_values_that_no_rule_has(self):
        model = self.model(TRIAL)
        for values in [["0", "--fine=3"], ["0", "--fine=5", "--coarse=low"], ["1", "--coarse=low"], ["2", "--coarse=0"],
                       ["1", "--fine=1"]]:
            for more in [[], ["--json"]]:
                answer = self.succeeded(skan("model", "decode", model, "--window", *values, *more), 1)
                said = f"no rule of window {values[0]} has this value: it cannot be decoded"
                self.assertEqual((answer.out, answer.err), ("", f"skan: {model}: {said}\n"))

    def test_what_registering_alone_gives_too(self):
        def decoded(*rules, coarse=(), code=0):
            model = self.model({**TRIAL, "windows": [{"rules": list(rules)}, {"rules": []}, {"rules": []}]})
            return self.succeeded(skan("model", "decode", model, "--window=0", "--fine=0", *coarse), code)

        alone = "  registering alone gives this value too, before any rule holds"
        self.assertEqual(decoded().lines(), ["window 0, fine 0: no rule", alone])
        head = "window 0, fine 0: 1 rule, the last that holds wins"
        self.assertEqual(decoded(rule(0, 0)).lines(), [head, "  rule 0   fine 0, coarse low: always", alone])
        asked = rule(0, 0, revenue={"min": 5, "max": 10}, sessions={"min": 2, "max": 4}, day={"min": 1})
        self.assertEqual(decoded(asked).lines(), [
            head, "  rule 0   fine 0, coarse low: 2 to 3 sessions, day 1 or later, $5 to $10 IAP", alone,
            "  of all:  at most 3 sessions, $0 to $10 IAP",
        ])
        self.assertNotIn("registering", decoded(asked, coarse=["--coarse=low"]).out)
        self.assertIn("it cannot be decoded", decoded(coarse=["--coarse=low"], code=1).err)

    def test_json(self):
        answer = self.succeeded(skan("model", "decode", "-", "--window=1", "--coarse=1", "--json",
                                     given=json.dumps(TRIAL)))
        self.assertEqual(len(answer.lines()), 1)
        when = {"events": [], "revenue": [], "sessions": {"min": 2, "max": None}, "day": None}
        self.assertEqual(json.loads(answer.out), {
            "window": 1, "currency": "USD", "envelope": when,
            "rules": [{"rule": 0, "fine": None, "coarse": 1, "lock": False, "when": when}],
        })


class Try(Model):
    def test_a_history_in_words(self):
        history = """\
{"time": "2026-01-31T10:00:00Z", "register": true}
{"time": "2026-01-31T11:00:30.5+01:00", "session": true}
{"event": "level_9"}

{"time": "2026-01-31T10:05:00Z", "revenue": 4.99, "currency": "eur"}
{"revenue": 1e2, "currency": "BRL", "ad": true}
{"event": "level_10"}
{"time": "2026-02-02T10:00:00Z", "session": true}
"""
        self.assertEqual(
            self.succeeded(skan("model", "try", self.model(TRIAL), "-", given=history)).out,
            """\
line 1: time 2026-01-31T10:00:00Z, day 0, window 0
  what     register
  counts   0 sessions
  revenue  window $0 IAP + $0 ads = $0; lifetime $0 IAP + $0 ads = $0
  rule     none holds
  update   1: fine 0
line 2: time 2026-01-31T11:00:30.5+01:00, day 0, window 0
  what     session
  counts   1 session
  revenue  window $0 IAP + $0 ads = $0; lifetime $0 IAP + $0 ads = $0
  rule     0, 1 to 2 sessions: fine 1, coarse low
  update   2: fine 1, coarse low
line 3: day 0, window 0
  what     event level_9, which no rule names
  counts   1 session
  revenue  window $0 IAP + $0 ads = $0; lifetime $0 IAP + $0 ads = $0
  rule     0, 1 to 2 sessions: fine 1, coarse low
  update   none: the install has fine 1, coarse low already (NO_NEW_VALUE)
line 5: time 2026-01-31T10:05:00Z, day 0, window 0
  what     IAP 4.99 eur
  counts   1 session
  revenue  window $5.489 IAP + $0 ads = $5.489; lifetime $5.489 IAP + $0 ads = $5.489
  rule     2, $5 to $10 IAP: fine 5, coarse high
  update   none: revenue waits for the next session or event
line 6: day 0, window 0
  what     ad revenue 1e2 BRL
  counts   1 session
  revenue  window $5.489 IAP + $0 ads = $5.489; lifetime $5.489 IAP + $0 ads = $5.489; no rate, counts as nothing: BRL
  rule     2, $5 to $10 IAP: fine 5, coarse high
  update   none: revenue waits for the next session or event
line 7: day 0, window 0
  what     event level_10
  counts   1 session, level_10 1
  revenue  window $5.489 IAP + $0 ads = $5.489; lifetime $5.489 IAP + $0 ads = $5.489; no rate, counts as nothing: BRL
  rule     2, $5 to $10 IAP: fine 5, coarse high
  update   3: fine 5, coarse high
line 8: time 2026-02-02T10:00:00Z, day 2, window 1
  what     session
  counts   1 session
  revenue  window $0 IAP + $0 ads = $0; lifetime $5.489 IAP + $0 ads = $5.489; no rate, counts as nothing: BRL
  rule     none holds
  update   none: no rule holds (NO_NEW_VALUE)
7 steps, 3 updates
""",
        )

    def test_why_there_is_a_value_or_none(self):
        """Each reason in a life of SKAN 4 and in one of SKAN 3; which steps give which value is in Vectors below."""
        session, purchase = {"session": True}, {"revenue": 10, "currency": "USD"}
        refund = {"revenue": -5, "currency": "USD"}
        waits, again = "revenue waits for the next session or event", "an earlier line has this id; nothing is counted twice"
        later = [rule(coarse=0, sessions={"min": 2}), rule(coarse=2, events=[{"name": "a", "max_count": 2}])]
        lives = [({**TRIAL, "windows": [TRIAL["windows"][0], {"rules": later}, {"rules": []}]}, [
            ({"time": 5, **session}, "NOT_REGISTERED", "the install is not registered yet"),
            (purchase, "OK", "the install is not registered yet, only lifetime revenue grows"),
            ({"register": True}, "OK", None),
            ({"register": True}, "ALREADY_REGISTERED", "the install was registered before"),
            ({**session, "id": "a"}, "OK", None),
            ({"event": "level_10", "id": "a"}, "DUPLICATE_EVENT", again),
            (session, "NO_NEW_VALUE", "the install has fine 1, coarse low already"),
            ({**purchase, "id": "a"}, "OK", waits),
            ({**purchase, "id": "a"}, "DUPLICATE_EVENT", again),
            (session, "OK", None),
            (refund, "OK", waits),
            (session, "NO_NEW_VALUE", "raise_only: lower than the install's fine 6, coarse high"),
            ({"time": DAY + 5, "event": "subscribe"}, "OK", None),
            (session, "WINDOW_LOCKED", "window 0 was locked on day 1"),
            ({"time": 2 * DAY + 5, **session}, "NO_NEW_VALUE", "no rule holds"),
            ({"event": "a"}, "OK", None),
            (session, "NO_NEW_VALUE", "the install has coarse high already"),
            ({"event": "a"}, "NO_NEW_VALUE", "raise_only: lower than the install's coarse high"),
            ({"time": 7 * DAY + 5, **session}, "NO_NEW_VALUE", "this window has no rules"),
            ({"time": 35 * DAY + 5, **session}, "WINDOW_CLOSED", "the last window closed after day 34"),
            (purchase, "OK", "the last window is closed, only lifetime revenue grows"),
        ]), ({**SKAN_3, "raise_only": False, "windows": [{"rules": [
            rule(3, sessions={"min": 1}), rule(7, events=[{"name": "win", "max_count": 2}])]}]}, [
            ({"time": 0, "register": True}, "OK", "SKAN 3 gives none at registration"),
            ({"event": "win"}, "OK", None),
            (session, "NO_NEW_VALUE", "the install has fine 7 already"),
            ({"event": "win"}, "NO_NEW_VALUE", "SKAN 3 takes only more than the install's fine 7"),
            ({"time": DAY, **session}, "WINDOW_CLOSED", "24 hours passed without a new value"),
        ])]
        for model, life in lives:
            given = "".join(json.dumps(step) + "\n" for step, _, _ in life)
            answer = self.succeeded(skan("model", "try", self.model(model), "-", "--json", given=given))
            for line, (step, status, why) in zip(answer.documents(), life, strict=True):
                self.assertEqual((line["status"], line["why"]), (f"SKAN_{status}", why), step)
                self.assertEqual(line["update"] is None, why is not None, step)

    RETURNS = [
        ({"time": 5, "session": True}, "NOT_REGISTERED", "no re-engagement is active"),
        ({"revenue": 10, "currency": "USD"}, "OK", "no re-engagement is active, only lifetime revenue grows"),
        ({"reengage": {"tag": "1", "open_id": "a", "reference": "spring"}}, "OK", None),
        ({"reengage": {"open_id": "a"}}, "DUPLICATE_EVENT", "this re-engagement was reported before"),
        ({"session": True}, "NO_NEW_VALUE", "the re-engagement has fine 0, coarse low already"),
        ({"event": "level_complete"}, "OK", None),
        ({"revenue": 5, "currency": "USD"}, "OK", "revenue waits for the next session or event"),
        ({"event": "level_complete", "revenue": 5.5, "currency": "EUR", "id": "b"}, "OK", None),
        ({"event": "level_complete", "id": "b"}, "DUPLICATE_EVENT", "an earlier line has this id; nothing is counted twice"),
        ({"time": 2 * DAY + 5, "session": True}, "OK", None),
        ({"session": True}, "NO_NEW_VALUE", "the re-engagement has coarse low already"),
        ({"time": 35 * DAY + 5, "session": True}, "NOT_REGISTERED", "no re-engagement is active"),
    ]

    def test_a_reengagement_gets_its_values_from_a_model_for_reengagements(self):
        model = TOP / "Sources" / "SKANModels" / "reengagement.json"
        given = "".join(json.dumps(step) + "\n" for step, _, _ in self.RETURNS)
        lines = self.succeeded(skan("model", "try", model, "-", "--json", given=given)).documents()
        for line, (step, status, why) in zip(lines, self.RETURNS, strict=True):
            self.assertEqual((line["status"], line["why"]), (f"SKAN_{status}", why), step)
        values = [(line["update"]["window"], line["update"]["fine"], line["update"]["coarse"])
                  for line in lines if line["update"]]
        # 8 for each band of revenue, 4 for two sessions, 1 for a completed level: 0; 1; 10.995 since the tap.
        self.assertEqual(values, [(0, 0, 0), (0, 1, 0), (0, 33, 2), (1, 33, 0)])
        self.assertEqual(lines[7]["seen"]["revenue"]["conversion"]["all"], 10.995)
        words = self.succeeded(skan("model", "try", model, "-", given=given)).out
        self.assertIn("revenue  since the tap $10.995 IAP + $0 ads = $10.995; window $10.995 IAP", words)
        self.assertIn("; lifetime $20.995 IAP + $0 ads = $20.995\n", words)

    def test_a_model_decides_for_installs_or_for_reengagements(self):
        given = '{"time": 0, "register": true}\n{"time": 0, "reengage": {}}\n{"time": 0, "reengage": {"tags": "1"}}\n'
        ready = TOP / "Sources" / "SKANModels"
        answer = skan("model", "try", ready / "reengagement.json", "-", given=given)
        self.assertEqual(answer.code, 1)
        self.assertIn("line 1: register: this model decides for re-engagements, which begin with reengage", answer.err)
        self.assertIn("line 3: reengage: expected no keys but tag, open_id and reference, got", answer.err)
        answer = skan("model", "try", ready / "mixed.json", "-", given=given)
        self.assertIn("line 2: reengage: this model decides for installs, which begin with register", answer.err)

    def test_lives_in_words(self):
        """A lock, a life that has not begun, one that is over, and one of SKAN 3."""
        for model, life, words in [
            (TRIAL, '{"time": 0, "register": true}\n{"event": "subscribe"}\n{"event": "__SESSION__"}\n', [
                "  update   2: fine 9, coarse high, locks the window",
                "  rule     4, subscribe: fine 9, coarse high, locks the window",
                "  update   none: window 0 was locked on day 0 (WINDOW_LOCKED)",
                # The session's own name is no event that a rule has to name.
                "  what     event __SESSION__", "  counts   1 session, subscribe 1",
            ]),
            (TRIAL, '{"time": 5, "session": true}\n', ["line 1: time 5, not registered"]),
            (TRIAL, '{"time": 0, "register": true}\n{"time": 3024000, "revenue": 1, "currency": "USD"}\n',
             ["line 2: time 3024000, day 35, windows closed\n  what     IAP 1 USD",
              "  update   none: the last window is closed, only lifetime revenue grows"]),
            (SKAN_3, '{"time": 0, "register": true}\n{"revenue": 1.50, "currency": "USD"}\n',
             ["  what     IAP 1.50 USD\n  counts   0 sessions\n  revenue  $1.5"]),
        ]:
            said = self.succeeded(skan("model", "try", self.model(model), "-", given=life)).out
            for text in words:
                self.assertIn(f"\n{text}\n", f"\n{said}")

    def test_sums_beyond_64_bits(self):
        model = {**TRIAL, "rates": {"EUR": "999999999999"}}
        steps = [{"time": 0, "register": True}, {"revenue": 99999999999.5, "currency": "EUR"},
                 {"revenue": 9.25, "currency": "USD"}]
        given = "".join(json.dumps(step) + "\n" for step in steps)
        # In halves and quarters: 99999999999.5 * 999999999999 + 9.25.
        quarters = 2 * 199999999999 * 999999999999 + 37
        total = f"{quarters // 4}.{quarters % 4 * 25:02}".rstrip("0").rstrip(".")
        path = self.model(model)
        text = self.succeeded(skan("model", "try", path, "-", given=given)).out
        self.assertIn(f"window ${total} IAP + $0 ads = ${total}; lifetime ${total} IAP", text)
        self.assertIn(f'"iap":{total},', skan("model", "try", path, "-", "--json", given=given).out)

    def test_amounts_are_read_exactly(self):
        """More digits than a binary floating-point number holds."""
        path = self.model({**TRIAL, "rates": {}})
        for amount in ("12345678901.123456789012", "99999999999.999999999999", "1.1e-11", "0.3e1"):
            given = f'{{"time": 0, "register": true}}\n{{"revenue": {amount}, "currency": "USD"}}\n'
            last = self.succeeded(skan("model", "try", path, "-", "--json", given=given)).out.splitlines()[-1]
            total = json.loads(last, parse_float=Decimal)["seen"]["revenue"]["lifetime"]["iap"]
            self.assertEqual(Decimal(total), Decimal(amount))

    def test_wrong_lines_are_named_and_left_out(self):
        wrong = {
            "[]": "not a JSON object at byte 0",
            '{"session": true}x': "bytes after the object",
            '{"session": true}\0': "bytes after the object",
            '{"session": true, "s\\u0065ssion": true}': "duplicate key",
            '{"event": "\udcff"}': "not UTF-8",
            '{"sesion": true}': 'unknown key "sesion"; known here: time register reengage event session revenue currency ad id',
            "{}": "expected one of register, reengage, event, session and revenue, got 0",
            '{"session": true, "event": "a"}': "expected one of register, reengage, event, session and revenue, got 2",
            '{"session": false}': "session: expected true, got false",
            '{"session": 1}': "session: expected true, got 1",
            '{"register": "yes"}': 'register: expected true, got "yes"',
            '{"register": true, "id": "a"}': "id: expected none, since register takes no id",
            '{"event": 1}': "event: expected text, got 1",
            '{"event": "a\\u0000b"}': "event: expected text without NUL",
            '{"event": ""}': "event_name: ",
            '{"event": "a", "id": ""}': "event_id: ",
            '{"event": "a", "id": 7}': "id: expected text",
            '{"event": "a", "currency": "USD"}': "currency and ad: only revenue has them",
            '{"session": true, "ad": true}': "currency and ad: only revenue has them",
            '{"revenue": 1}': "currency: missing",
            '{"revenue": "1", "currency": "USD"}': 'revenue: expected a number, got "1"',
            '{"revenue": 1, "currency": "dollars"}': "currency: ",
            '{"revenue": 1, "currency": 840}': "currency: expected text",
            '{"revenue": 1, "currency": "USD", "ad": 1}': "ad: expected true or false, got 1",
            '{"revenue": 1e999, "currency": "USD"}': "amount: ",
            '{"time": "1970-01-01T00:01:41Z\\u0000", "session": true}': "time: expected whole seconds",
            '{"time": 101, "event": "\\ud800"}': "event_name: ",
            '{"time": 99, "session": true}': "time: expected no earlier time than in line 2, got 99",
            '{"time": "1970-01-01T00:01:39Z", "session": true}':
                "time: expected no earlier time than in line 2, got 1970-01-01T00:01:39Z",
        }
        given = '{"session": true}\n{"time": 100, "register": true}\n' + "".join(f"{line}\n" for line in wrong)
        given += '\r\n  \n{"session": true}\r\n' + '{"session": true' + " " * 300000 + "}\n" + '{"session":true}'
        path = self.model(TRIAL)
        answer = self.succeeded(skan("model", "try", path, "-", given=given), 1)
        said = answer.err.split("\n")[:-1]
        first = "skan: standard input: line 1: time: missing, the first line needs it"
        self.assertEqual(said.pop(0), first)
        for number, (line, why) in enumerate(wrong.items()):
            self.assertTrue(said[number].startswith(f"skan: standard input: line {number + 3}: {why}"),
                            (line, said[number]))
        self.assertEqual(said[len(wrong):], [f"skan: standard input: line {len(wrong) + 6}: too long"])
        self.assertEqual(answer.lines()[-1], f"3 steps, 2 updates, {len(wrong) + 2} lines left out")
        self.assertIn(f"line {len(wrong) + 5}: day 0, window 0\n", answer.out)
        json_answer = self.succeeded(skan("model", "try", path, "-", "--json", given=given), 1)
        self.assertEqual(json_answer.err, answer.err)
        self.assertEqual([line["line"] for line in json_answer.documents()], [2, len(wrong) + 5, len(wrong) + 7])

    def test_what_is_said_of_a_wrong_line_is_cut(self):
        given = '{"time": 0, "register": true}\n{"' + "k" * 600 + '": true}\n'
        answer = self.succeeded(skan("model", "try", self.model(TRIAL), "-", given=given), 1)
        why = answer.err.removeprefix("skan: standard input: line 2: ").removesuffix("\n")
        self.assertEqual(why, 'unknown key "'.ljust(511, "k"))

    def test_keys_with_escapes_and_nulls(self):
        given = '{"time": 0, "register": true}\n'
        given += '{"r\\u0065venue": -0.5e1, "currency": "US\\u0044", "time": null, "id": null}\n'
        answer = self.succeeded(skan("model", "try", self.model(TRIAL), "-", given=given))
        self.assertIn("  what     IAP -0.5e1 USD\n", answer.out)
        self.assertIn("revenue  window -$5 IAP + $0 ads = -$5;", answer.out)

    def test_ad_revenue_in_skan_3_is_a_wrong_line(self):
        given = '{"time": 0, "register": true}\n{"revenue": 1, "currency": "USD", "ad": true}\n'
        answer = self.succeeded(skan("model", "try", self.model(SKAN_3), "-", given=given), 1)
        self.assertIn("skan: standard input: line 2: kind: ", answer.err)

    def test_times(self):
        for text, seconds in {
            '"1970-01-01T00:00:00Z"': 0, '"1970-01-01 00:00:00Z"': 0, '"1970-01-01T01:00:00+01:00"': 0,
            '"1969-12-31T23:00:00-0100"': 0, '"2026-01-31T11:00:00+01:00"': 1769853600,
            '"2000-02-29T12:34:56.789Z"': 951827696,
            '"2024-12-31T23:59:59Z"': 1735689599, '"2100-03-01T00:00:00Z"': 4107542400,
            '"9999-12-31T23:59:59Z"': 253402300799, "253402300799": 253402300799, "7": 7,
        }.items():
            given = f'{{"time": {text}, "register": true}}'
            answer = skan("model", "try", self.model(TRIAL), "-", "--json", given=given)
            self.assertEqual(self.succeeded(answer).documents()[0]["time"], seconds, text)
        for text in [
            "-1", "1.0", "1.5", "1e3", "253402300800", "99999999999999999999", "true", "[]", '""', '"1"',
            '"2026-01-31"', '"2026-01-31T10:00Z"', '"2026-01-31T10:00:00"', '"2026-01-31T10:00:00z"',
            '"2026-13-01T10:00:00Z"', '"2026-00-01T10:00:00Z"', '"2026-02-29T10:00:00Z"', '"2100-02-29T10:00:00Z"',
            '"2026-01-00T10:00:00Z"', '"2026-01-31T24:00:00Z"', '"2026-01-31T10:60:00Z"', '"2026-01-31T10:00:60Z"',
            '"2026-01-31T10:00:00.Z"', '"2026-01-31T10:00:00+1:00"', '"2026-01-31T10:00:00+24:00"',
            '"9999-12-31T23:59:59-00:01"', '"1970-01-01T00:59:59+01:00"',
            '"2026-01-31T10:00:00Zx"', '"1969-12-31T23:59:59Z"', '"0000-01-01T00:00:00Z"', '"٢٠٢٦-01-31T10:00:00Z"',
        ]:
            answer = skan("model", "try", self.model(TRIAL), "-", given=f'{{"time": {text}, "register": true}}')
            self.assertIn("line 1: time: expected whole seconds", self.succeeded(answer, 1).err, text)
            self.assertIn(f"got {text}\n" if text.isascii() else "got ", answer.err)

    def test_control_characters_are_escaped(self):
        given = '{"time": 0, "register": true}\n{"event": "a\\u001b[31m"}\n{"revenue": 1, "currency": "\\u001b"}\n'
        answer = self.succeeded(skan("model", "try", self.model(TRIAL), "-", given=given), 1)
        self.assertEqual(answer.err.count("\n"), 2)
        self.assertNotIn("\x1b", answer.err + answer.out)

    def test_files(self):
        history = self.file("history.jsonl")
        history.write_text('{"time": 0, "register": true}\n{"session": true}')
        expected = self.succeeded(skan("model", "try", self.model(TRIAL), history)).out
        self.assertTrue(expected.endswith("2 steps, 2 updates\n"))
        self.assertEqual(skan("model", "try", "-", history, given=json.dumps(TRIAL)).out, expected)
        self.assertEqual(skan("model", "try", "--", self.file("model.json"), history).out, expected)
        history.write_text("")
        self.assertEqual(skan("model", "try", self.file("model.json"), history).out, "0 steps, 0 updates\n")


# Operations of the vectors that are not about an install.
ABOUT_NO_INSTALL = dict.fromkeys(("now", "decode", "model", "reopen"))


class Vectors(Model):
    """The library's vectors, where a history can say them: made by the rules' reference, of the ready models too."""

    def told(self, steps):
        """Lines of a history, and what is expected of each: status, update, and what is seen after it or None."""
        lines, expected, now = [], [], 0
        for step in steps:
            operation, expect = step["op"], step["expect"]
            kind = operation["op"]
            if kind == "now":
                if operation["t"] < now:
                    return lines, expected
                now = operation["t"]
                is_fresh = False
            elif kind == "explain":
                if lines and is_fresh:
                    expected[-1][2] = expect["json"] and json.loads(expect["json"])
            elif kind in ("register", "update", "revenue"):
                line = f'"time": {now}'
                if kind == "register":
                    line += ', "register": true'
                if kind == "update":
                    event = operation["event"]
                    line += ', "session": true' if event is None else f', "event": {json.dumps(event)}'
                if "amount" in operation:
                    line += f', "revenue": {operation["amount"]}, "currency": "{operation["currency"]}"'
                    line += f', "ad": {json.dumps(operation.get("ad_monetization", False))}'
                line += f', "id": {json.dumps(operation.get("event_id"))}'
                lines.append("{" + line + "}")
                expected.append([expect["status"], expect.get("update"), "not told"])
                is_fresh = True
            elif kind != "decode":
                return lines, expected
        return lines, expected

    def histories(self):
        """The vectors' installs, each with the path of its model and its steps."""
        for name in ["models_told", "models_random", "models_language"]:
            for text in (VECTORS / f"{name}.jsonl").read_text().splitlines():
                vector = json.loads(text, parse_float=Decimal)
                source = vector["models"][vector["listed"][0]]
                path = self.model(source["document"]) if "document" in source else \
                    TOP / source["file"]
                steps = vector["steps"]
                names = [ABOUT_NO_INSTALL.get(step["op"]["op"], step["op"].get("install", "install-1")) for step in steps]
                for install in sorted(set(names) - {None}):
                    of_one = [step for step, name in zip(steps, names) if name in (None, install)]
                    yield f"{vector['id']}, {install}", path, of_one

    def test_they_come_to_the_same(self):
        checked = explained = 0
        for history, path, steps in self.histories():
            lines, expected = self.told(steps)
            # A history has no clock but its own: its updates count from 1, those of a record from the clock's time.
            updates = [update for _, update, _ in expected if update is not None]
            first = updates[0]["id"] if updates else 1
            for update in updates:
                update["id"] -= first - 1
            answer = skan("model", "try", path, "-", "--json", given="\n".join(lines))
            # Errors are named by line, and make no step.
            found = {line["line"]: line for line in answer.documents()}
            for number, (status, update, seen) in enumerate(expected, 1):
                place = (history, number, lines[number - 1])
                if status.startswith("ERROR"):
                    self.assertNotIn(number, found, place)
                    continue
                self.assertEqual(found[number]["status"], f"SKAN_{status}", place)
                if update is not None or found[number]["update"] is not None:
                    update.pop("timestamp")
                    self.assertEqual(list(found[number]["update"].values()), list(update.values()), place)
                checked += 1
                if seen != "not told":
                    self.assertEqual(found[number]["seen"], seen, place)
                    explained += 1
        self.assertGreater(checked, 1500)
        self.assertGreater(explained, 200)
