"""What skan report counts, and how it says it. Every figure here is reckoned by hand from received.PLAN."""

import csv
import io
import json

from received import ARRIVED, AT, DAY, MODEL, PLAN, ReportCase
from stores import each_store
from test_terminal import on_terminal
from tools import IS_SANITIZED, peak_memory, skan


def line(document, *place):
    """That of a network, of its campaign, of its ad set."""
    found = document["total"]
    for level, name, wanted in zip(("networks", "campaigns", "ad_sets"), ("network", *["identifier"] * 2), place):
        found = next(each for each in found[level] if each[name] == wanted)
    return found


def revenue(known, open_above=0, is_partial=False, **amounts):
    """What a document says of the revenue of a line."""
    return {"known_values": known, "without_upper_limit": open_above,
            "extrapolated_is_partial": is_partial, **amounts}


class Counts(ReportCase):
    def setUp(self):
        super().setUp()
        url, options = self.example()
        self.answer = self.document(url, *options)

    def expect(self, *place, **figures):
        """Of a line, the total's where no place is named."""
        found = line(self.answer, *place)
        self.assertEqual({name: found[name] for name in figures}, figures, place)

    def test_what_is_counted_and_what_is_refused(self):
        # 6 + 3 + 2 + 1 + 2 + 4 + 5 + 2 + 1
        self.assertEqual(self.answer["counted"], 26)
        self.assertEqual(
            self.answer["refused"],
            {"invalid": 2, "unverifiable": 0, "development": 3, "malformed": 1, "conflicts": 1, "other_network": 1,
             "other_app": 0},
        )
        self.assertEqual(self.answer["arrived"], {"first": "2023-11-14T22:13:20Z", "last": "2023-11-16T22:13:20Z"})

    def test_installs_are_of_window_0_winning_and_new(self):
        self.expect(installs=17, redownloads=1, reengagements=2, not_winning=4)
        windows = [(window["winning"], window["not_winning"]) for window in self.answer["total"]["windows"]]
        self.assertEqual(windows, [(18, 4), (2, 0), (0, 0)])
        self.assertEqual(
            [(day["arrived"], day["installs"]) for day in self.answer["days"]],
            [("2023-11-14", 11), ("2023-11-15", 5), ("2023-11-16", 1)],
        )

    def test_two_three_and_four_digits_are_one_campaign(self):
        self.expect("one.example", "39", name="Autumn", installs=11)
        # The longest end that the CSV has: 5239 for 5239, 39 for 239 and 39.
        self.assertEqual(len(line(self.answer, "one.example", "39")["ad_sets"]), 2)
        self.expect("one.example", "39", "39", installs=5)
        self.expect("one.example", "39", "5239", installs=6, ad_set="Video")
        # Campaigns of older versions stand apart. SKAN 3, value 20: one day to 22 before.
        self.expect("two.example", "campaign-id 7", name='Old, "and" gone', installs=5, cost=None)
        self.expect("two.example", "campaign-id 7", cost_per_install=None, installed={
            "from": "2023-10-24T22:13:20Z", "until": "2023-11-14T22:13:20Z",
            "until_if_locked": "2023-11-14T22:13:20Z"})

    def test_values(self):
        self.expect(values={"fine": 13, "coarse": 5, "hidden": 2, "hidden_share": 0.1111, "illegal": 0})
        # 2 of the 12 winning ones of window 0.
        self.assertEqual(line(self.answer, "one.example")["values"]["hidden_share"], 0.1667)
        self.assertEqual([each["values"]["hidden_share"] for each in line(self.answer, "one.example")["windows"]],
                         [0.1667, 0, None])
        fine = [0] * 64
        fine[10], fine[20], fine[63] = 7, 5, 1
        self.assertEqual(self.answer["fine_values"], fine)
        self.assertEqual(self.answer["coarse_values"], [[0, 3, 0], [0, 0, 2], [0, 0, 0]])

    def test_revenue_is_a_range(self):
        autumn = line(self.answer, "one.example", "39")
        self.assertEqual([part["revenue"] for part in (*autumn["windows"][:2], autumn)], [
            # Window 0: six of [1, 3), three of [1, 10), which is coarse medium. The middles are 6 * 2 + 3 * 5.5 = 28.50
            # of nine; eleven won: 28.50 * 11 / 9 = 34.8333...
            revenue(9, min="9.00", max="48.00", estimate="28.50", extrapolated="34.83"),
            revenue(2, min="10.00", max="40.00", estimate="25.00", extrapolated="25.00"),
            revenue(11, min="19.00", max="88.00", estimate="53.50", extrapolated="59.83"),
        ])
        self.expect("one.example", "40", revenue=revenue(
            1, open_above=1, min="10.00", max=None, estimate="10.00", extrapolated="10.00"))

    def test_costs(self):
        # 19 / 30.50; 59.8333... / 30.50. It was installed 96, 72 and 24 hours before it arrived.
        self.expect(
            "one.example", "39", cost="30.50", cost_per_install="2.7727",
            return_on_ad_spend={"min": 0.623, "extrapolated": 1.9617},
            installed={"from": "2023-11-10T22:13:20Z", "until": "2023-11-11T22:13:20Z",
                       "until_if_locked": "2023-11-13T22:13:20Z"},
        )
        # One redownload for 5.
        self.expect("one.example", "40", installs=0, redownloads=1, cost_per_install="5.0000")
        # What has a cost and no postback is spent all the same.
        self.expect("unseen.example", "77", installs=0, cost="8.00")
        # Costs are compared with campaigns that have one: 11 installs of 39 and a redownload of 40; at least 19 + 10.
        self.expect(cost="43.50", cost_is_partial=True, cost_per_install="3.6250")
        self.assertEqual(self.answer["total"]["return_on_ad_spend"]["min"], 0.6667)
        self.expect("one.example", cost_is_partial=False)


class Ways(ReportCase):
    def test_the_table(self):
        url, options = self.example()
        text = self.report(url, *options).out
        self.assertRegex(text, r"\nall +17 +1 +2 +4 +11\.1% +45\.00 +107\.12 +43\.50 +3\.62 +66\.7% +163\.7%  \*\n")
        self.assertRegex(text, r"\n  Autumn \(39\) +11 +0 +0 +4 +18\.2% +19\.00 +59\.83 +30\.50 +2\.77 +62\.3% +196\.2%\n")
        self.assertRegex(text, r"\n0 +18 +4 +13 +3 +2 +11\.1% +35\.00 +82\.12\n")
        self.assertRegex(text, r"\n1 +2 +0 +0 +2 +0 +0\.0% +10\.00 +25\.00\n")
        self.assertRegex(text, r"of a development key +3\n")
        self.assertNotIn("Video", text)
        self.assertRegex(self.report(url, "--by=ad-set", *options).out, r"\n    Video \(5239\) +6 ")
        self.assertNotIn("Autumn", self.report(url, "--by=network", *options).out)

    def test_the_table_without_models_and_costs(self):
        url, _ = self.example()
        text = self.report(url).out
        self.assertRegex(text, r"\n  39 +11 +0 +0 +4 +18\.2%\n")
        hint = "No model was given, so there is no revenue: --model FILE says what values stand for."
        self.assertIn(f"\n{hint}\n", text)
        self.assertIn(f"<p>{hint}</p>", self.report(url, "--html").out)
        for word in ["revenue", "middle of its range", "CPI", "ROAS"]:
            self.assertNotIn(word, text.replace(hint, ""))

    def test_csv(self):
        url, options = self.example()
        text = self.report(url, "--csv", *options).out
        self.assertTrue(text.endswith("\r\n"))
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        levels = [row["level"] for row in rows if row["window"] == "all"]
        # one: 39 with two ad sets, 40; two: 11, campaign-id 7; unseen: 77.
        self.assertEqual([levels.count(each) for each in ["total", "network", "campaign", "ad set"]], [1, 3, 5, 2])
        self.assertEqual(len(rows), 4 * len(levels))
        found = next(row for row in rows if row["identifier"] == "39" and row["level"] == "campaign")
        # Of re-engagements there are columns, too: see there.
        self.assertEqual(
            {name: cell for name, cell in found.items() if not name.startswith("reengage")},
            {
                "level": "campaign", "network": "one.example", "identifier": "39", "campaign": "Autumn", "ad_set": "",
                "window": "all", "winning": "13", "installs": "11", "redownloads": "0",
                "not_winning": "4", "fine_values": "6", "coarse_values": "5", "hidden_values": "2",
                "hidden_share": "0.1818", "known_revenue_values": "11", "revenue_min": "19.00",
                "revenue_max": "88.00", "revenue_estimate": "53.50", "revenue_extrapolated": "59.83",
                "cost": "30.50", "cost_per_install": "2.7727",
                "return_on_ad_spend_min": "0.6230", "return_on_ad_spend_extrapolated": "1.9617",
                "installed_from": "2023-11-10T22:13:20Z", "installed_until": "2023-11-11T22:13:20Z",
                "installed_until_if_locked": "2023-11-13T22:13:20Z", "currency": "USD", "network_name": "", "app": "",
                # Of networks and of the total alone.
                "respelled": "", "illegal_values": "", "unknown_types": "", "refused": "",
            },
        )
        old = next(row for row in rows if row["identifier"] == "campaign-id 7" and row["level"] == "campaign")
        self.assertEqual(old["campaign"], 'Old, "and" gone')

    def test_it_is_the_same_each_time(self):
        url, options = self.example()
        plan, model = [each for each in PLAN if each[1] != "conflict"], (0, self.file("model.json"))
        again = self.received(plan[::-1], model, name="q.db")
        plain = self.received(plan, model, name="r.db")
        for form in ["--json", "--csv", "--html"]:
            self.assertEqual(self.report(url, form, *options).out, self.report(url, form, *options).out)
            one, other = (self.report(each, form, *options).out for each in [again, plain])
            self.assertEqual(one.replace("q.db", "r.db"), other)

    def test_filters(self):
        url, options = self.example()
        self.assertEqual(self.document(url, "--network=two.example")["total"]["installs"], 6)
        self.assertEqual(self.document(url, "--app=777")["counted"], 0)
        self.assertEqual(self.document(url, "--from=2023-11-15", "--to=2023-11-15")["total"]["installs"], 5)
        self.assertEqual(self.document(url, "--from=2023-11-14T22:13:20Z", "--to=2023-11-14T22:13:21Z")["counted"], 11)
        self.assertEqual(self.document(url, "--to=2023-11-14T22:13:20Z")["counted"], 0)
        networks = self.document(url, "--network=one.example", *options)["total"]["networks"]
        self.assertEqual([each["network"] for each in networks], ["one.example"])

    def test_an_empty_store(self):
        url = self.received([])
        answer = self.document(url)
        self.assertEqual((answer["counted"], answer["total"]["installs"]), (0, 0))
        for form in [[], ["--csv"], ["--html"]]:
            said = self.report(url, *form).err
            self.assertIn("no postbacks: skan serve --postbacks takes them over HTTP, skan receive from files", said)

    def test_usage(self):
        url = self.received([])
        for options, why in {
            ("--json", "--csv"): "one of --json, --csv and --html",
            ("--from=2023-02-30",): "2026-01-31", ("--to=soon",): "2026-01-31", ("--at=1",): "2026-01-31",
            ("--by=day",): "total, network, campaign, ad-set, country or source-app", ("--app=-1",): "whole number",
        }.items():
            answer = skan("report", url, *options)
            self.assertEqual(answer.code, 2, answer)
            self.assertIn(why, answer.err)
            self.assertEqual(answer.out, "")

    def test_damaged_records_are_named_and_the_rest_is_reported(self):
        url, options = self.example()
        keys = [key for key in self.records("p.db") if key.startswith(b"postback/")]
        record = self.records("p.db")[keys[0]]
        self.put("p.db", keys[0], record[:-1])
        answer = self.report(url, "--json", *options, code=1)
        self.assertIn(f"skan: {keys[0].decode()}: record of a postback", answer.err)
        self.assertIn("1 record could not be read", answer.err)
        self.assertEqual(json.loads(answer.out)["counted"], 25)


# As MODEL, but fine value 10 stands for [100, 300).
TAPS = dict(MODEL, id="taps", windows=[
    {"rules": [{"fine": 0, "coarse": 0, "when": {}},
               {"fine": 10, "coarse": 1, "when": {"revenue": {"kind": "all", "min": 100, "max": 300}}}]},
    {"rules": [{"coarse": 0, "when": {}}]}, {"rules": [{"coarse": 0, "when": {}}]}])
REENGAGEMENTS = [
    (0, "aak", "n", "0139", 0, 1, "install", 10, "-", 3),
    (0, "aak", "n", "0139", 0, 1, "redownload", 20, "-", 1),
    (DAY, "aak", "n", "0139", 0, 0, "install", "-", "-", 5),
    (40 * DAY, "aak", "n", "0139", 0, 1, "re-engagement", 10, "-", 2),
    (40 * DAY, "aak", "n", "0139", 0, 1, "reengagement", 63, "-", 1),
    (41 * DAY, "aak", "n", "0139", 0, 1, "re-engagement", "-", "-", 4),
    (41 * DAY, "aak", "n", "0139", 0, 0, "re-engagement", "-", "-", 6),
    (45 * DAY, "aak", "n", "0139", 1, 1, "re-engagement", "-", "low", 2),
]


class Reengagements(ReportCase):
    """They are no installs: their values, revenue and dates are in no figure of installs."""

    def setUp(self):
        super().setUp()
        self.installs, self.taps = self.write("model.json", MODEL), self.write("taps.json", TAPS)
        self.options = [f"--model={self.installs}", f"--model={self.taps}", AT]

    def test_nothing_of_them_is_in_the_figures_of_installs(self):
        both = self.received(REENGAGEMENTS, (0, self.installs), ("r0", self.taps))
        alone = self.received(REENGAGEMENTS[:3], (0, self.installs), name="alone.db")
        one, other = (self.document(url, *self.options) for url in (both, alone))
        found = one["total"]
        self.assertEqual([found[key] for key in ["installs", "redownloads", "reengagements", "not_winning"]],
                         [3, 1, 7, 5])
        for document in (one, other):
            for key in ["store", "arrived", "counted", "reengagement", "data_quality"]:
                document.pop(key)
            lines = [document["total"], *document["total"]["networks"], *document["total"]["networks"][0]["campaigns"]]
            for each in lines:
                each.pop("reengagement"), each.pop("reengagements")
        self.assertEqual(one, other)

    def test_what_is_told_of_them(self):
        answer = self.document(self.received(REENGAGEMENTS, (0, self.installs), ("r0", self.taps)), *self.options)
        found = answer["total"]["reengagement"]
        self.assertEqual(found["not_winning"], 6)
        self.assertEqual(found["values"], {"fine": 3, "coarse": 2, "hidden": 4, "hidden_share": 0.5714, "illegal": 0})
        # Two of [100, 300); the model for installs knows 63, and is not asked. The middle of two for seven.
        self.assertEqual(
            found["revenue"],
            revenue(2, is_partial=True, min="200.00", max="600.00", estimate="400.00", extrapolated="1400.00"),
        )
        self.assertEqual([window["winning"] for window in found["windows"]], [7, 2, 0])
        # From 96 hours before the first to 72, or 24, before the last.
        self.assertEqual(found["reengaged"], {"from": "2023-12-20T22:13:20Z", "until": "2023-12-22T22:13:20Z",
                                              "until_if_locked": "2023-12-24T22:13:20Z"})
        self.assertEqual(answer["total"]["installed"]["until_if_locked"], "2023-11-13T22:13:20Z")
        values = answer["reengagement"]
        self.assertEqual((values["fine_values"][10], values["fine_values"][63], sum(values["fine_values"])), (2, 1, 3))
        self.assertEqual(values["coarse_values"], [[0, 0, 0], [2, 0, 0], [0, 0, 0]])
        self.assertEqual({key: count for key, count in values["values_without_revenue"].items() if count},
                         {"undecodable": 1, "model_without_revenue": 2})
        self.assertEqual((answer["fine_values"][10], answer["fine_values"][63]), (3, 0))

    def test_without_models_for_them_they_are_not_decoded(self):
        answer = self.document(self.received(REENGAGEMENTS, (0, self.installs)), *self.options)
        self.assertEqual(answer["total"]["reengagement"]["revenue"]["min"], None)
        self.assertEqual(answer["reengagement"]["values_without_revenue"]["not_decoded"], 5)
        self.assertEqual(answer["values_without_revenue"]["not_decoded"], 0)

    def test_the_table_and_csv(self):
        url = self.received(REENGAGEMENTS, (0, self.installs), ("r0", self.taps))
        text = self.report(url, *self.options).out
        installs, taps = text.split("\nre-engagements: ")
        self.assertRegex(installs, r"\nall +3 +1 +7 +5 +0\.0% +6\.00 +12\.50\n")
        self.assertRegex(installs, r"\nre-engaged 2023-12-20T22:13:20Z to 2023-12-22T22:13:20Z, to 2023-12-24T22")
        self.assertRegex(taps, r"\n  39 +7 +6 +57\.1% +200\.00 +1,400\.00\n")
        self.assertRegex(taps, r"\n0 +7 +6 +3 +0 +4 +57\.1% +200\.00 +1,400\.00\n")
        self.assertRegex(taps, r"\nre-engagements' values without known revenue\n  no rule of the model has .* +1\n")
        self.assertNotIn("re-engagements:", self.report(self.received(REENGAGEMENTS[:3], name="alone.db")).out)
        rows = list(csv.DictReader(io.StringIO(self.report(url, "--csv", *self.options).out, newline="")))
        found = next(row for row in rows if row["level"] == "campaign" and row["window"] == "0")
        self.assertEqual(
            {key: value for key, value in found.items() if key.startswith("reengage") or key == "winning"},
            {
                "winning": "4", "reengagements": "7", "reengagement_winning": "7", "reengagement_not_winning": "6",
                "reengagement_fine_values": "3", "reengagement_coarse_values": "0", "reengagement_hidden_values": "4",
                "reengagement_hidden_share": "0.5714", "reengagement_known_revenue_values": "2",
                "reengagement_revenue_min": "200.00", "reengagement_revenue_max": "600.00",
                "reengagement_revenue_estimate": "400.00", "reengagement_revenue_extrapolated": "1400.00",
                "reengaged_from": "2023-12-20T22:13:20Z",
                "reengaged_until": "2023-12-22T22:13:20Z", "reengaged_until_if_locked": "2023-12-24T22:13:20Z",
            },
        )


class Models(ReportCase):
    def test_why_values_have_no_revenue(self):
        model = self.write("model.json", MODEL)
        newer = self.write("newer.json", dict(MODEL, id="newer"))
        values = [(0, "4.0", "n", "0139", 0, 1, "install", fine, "-", 1) for fine in [10, 11]]
        later = [(40 * DAY, "4.0", "n", "0139", 0, 1, "install", 10, "-", 2)]
        windows = [(0, "4.0", "n", "0139", 2, 1, "install", "-", "low", 3)]
        url = self.received(values + later + windows, (0, model), (ARRIVED + 38 * DAY, newer))
        reasons = self.document(url, f"--model={model}", f"--model={newer}", AT)["values_without_revenue"]
        self.assertEqual({key: count for key, count in reasons.items() if count},
                         {"undecodable": 1, "ambiguous_model": 2, "model_without_revenue": 3})
        reasons = self.document(url, f"--model={newer}")["values_without_revenue"]
        self.assertEqual(reasons["model_not_given"], 4)
        plain = self.received(values, name="plain.db")
        self.assertEqual(self.document(plain)["values_without_revenue"]["not_decoded"], 2)
        several = self.document(plain, f"--model={model}", f"--model={newer}")
        self.assertEqual(several["values_without_revenue"]["not_decoded"], 2)

    def test_what_was_stored_undecoded_is_decoded_by_the_model_that_is_given(self):
        model = self.write("model.json", MODEL)
        for plan, tap in [(PLAN, ()), (REENGAGEMENTS, (("r0", self.write("taps.json", TAPS)),))]:
            stored = self.received(plan, (0, model), *tap, name="stored.db")
            bare = self.received(plan, name="bare.db")
            options = [f"--model={model}", *(f"--reengagement-model={path}" for _, path in tap), AT]
            for form in ["--json", "--csv", "--html"]:
                self.assertEqual(self.report(bare, form, *options).out.replace("bare.db", "stored.db"),
                                 self.report(stored, form, *options).out)

    def test_models_with_their_times_decide_for_every_postback(self):
        model = self.write("model.json", MODEL)
        rules = [{"fine": 10, "when": {"revenue": {"kind": "all", "min": 100, "max": 300}}}]
        newer = self.write("newer.json", dict(MODEL, id="newer", windows=[{"rules": rules}, *MODEL["windows"][1:]]))
        plan = [(day * DAY, "4.0", "n", "0139", 0, 1, "install", 10, "-", 1) for day in [0, 20, 40]]
        change = f"--model=2023-12-04={newer}"
        for url in [self.received(plan), self.received(plan, (0, model), name="stored.db")]:
            for options, least, reasons in [
                ((f"--model={model}", change), "102.00", {}),
                ((f"--model={model}", f"--model=2023-12-01={newer}"), "101.00", {"ambiguous_model": 1}),
                ((change,), "100.00", {"before_first_model": 2}),
            ]:
                answer = self.document(url, *options)
                self.assertEqual(answer["total"]["revenue"]["min"], least, options)
                found = answer["values_without_revenue"]
                self.assertEqual({key: count for key, count in found.items() if count}, reasons, options)
        answer = skan("report", url, f"--model={model}", f"--model={newer}", change)
        self.assertEqual(answer.code, 2, answer)
        self.assertIn("--model: expected at most one model without FROM", answer.err)

    def test_refunds_are_known(self):
        back = {"revenue": {"kind": "all", "min": -10, "max": 0}}
        spent = {"revenue": {"kind": "all", "min": 1, "max": 4}}
        rules = [{"fine": value, "when": when} for value, when in [(1, back), (2, spent)]]
        model = self.write("model.json", dict(MODEL, windows=[{"rules": rules}, *MODEL["windows"][1:]]))
        costs = self.write("costs.csv", "network,identifier,cost,currency\nn,39,10,USD\n")
        plan = [(0, "4.0", "n", "0139", 0, 1, "install", fine, "-", count) for fine, count in [(1, 3), (2, 6)]]
        answer = self.document(self.received(plan), f"--model={model}", f"--campaigns={costs}")
        self.assertEqual(answer["total"]["revenue"],
                         revenue(9, min="-24.00", max="24.00", estimate="0.00", extrapolated="0.00"))
        self.assertEqual(answer["total"]["return_on_ad_spend"], {"min": -2.4, "extrapolated": 0})
        self.assertEqual(answer["values_without_revenue"]["undecodable"], 0)

    def test_cost_per_install_is_rounded_once(self):
        costs = self.write("costs.csv", "network,identifier,cost,currency\nn,39,0.000449999999,USD\n")
        url = self.received([(0, "4.0", "n", "0139", 0, 1, "install", 1, "-", 3)])
        # 0.000149999999666...; rounded to twelve places before, it would be 0.00015.
        self.assertEqual(self.document(url, f"--campaigns={costs}")["total"]["cost_per_install"], "0.0001")

    def test_registering_alone_is_not_a_rule_that_held(self):
        def told(name, *rules):
            model = self.write(f"{name}.json", dict(MODEL, windows=[{"rules": list(rules)}, *MODEL["windows"][1:]]))
            url = self.received([(0, "4.0", "n", "0139", 0, 1, "install", 0, "-", 10),
                                 (0, "4.0", "n", "0139", 0, 1, "install", 1, "-", 1)], (0, model), name=f"{name}.db")
            return self.document(url, f"--model={model}")["total"]["revenue"]

        spent = {"fine": 1, "when": {"revenue": {"kind": "all", "min": 10, "max": 20}}}
        found = told("conditions", {"fine": 0, "when": {"revenue": {"kind": "all", "min": 5, "max": 10}}}, spent)
        self.assertEqual(found, revenue(11, min="10.00", max="120.00", estimate="15.00", extrapolated="15.00"))
        for rules in [[spent], [{"fine": 0, "when": {}}, spent]]:
            found = told(f"rules-{len(rules)}", *rules)
            self.assertEqual(found, revenue(
                11, open_above=10, min="10.00", max=None, estimate="15.00", extrapolated="15.00"))

    def test_revenue_since_the_install_is_counted_once(self):
        since = {"kind": "all", "scope": "lifetime", "min": 4, "max": 6}
        rules = [{"coarse": 0, "when": {}}, {"coarse": 2, "when": {"revenue": since}}]
        window_0 = [{"fine": 0, "when": {}}, {"fine": 1, "when": {"revenue": since}}]
        model = self.write("model.json", dict(MODEL, windows=[{"rules": window_0}, {"rules": rules}, {"rules": rules}]))
        url = self.received([(0, "4.0", "n", "0139", 0, 1, "install", 1, "-", 2),
                             (9 * DAY, "4.0", "n", "0139", 1, 1, "install", "-", "high", 2)], (0, model))
        answer = self.document(url, f"--model={model}")
        self.assertEqual(answer["total"]["revenue"]["min"], "8.00")
        self.assertEqual(answer["values_without_revenue"]["revenue_since_install"], 2)
        # What is extrapolated without a window says so.
        self.assertTrue(answer["total"]["revenue"]["extrapolated_is_partial"])

    def test_models_of_several_currencies(self):
        url = self.received([])
        dollars, euros = self.write("a.json", MODEL), self.write("b.json", dict(MODEL, currency="EUR"))
        answer = self.report(url, f"--model={dollars}", f"--model={euros}", code=1)
        self.assertIn("expected USD, the currency of the models before, got EUR", answer.err)

    def test_a_model_that_is_none(self):
        answer = self.report(self.received([]), f"--model={self.write('m.json', '{}')}", code=1)
        self.assertEqual(answer.out, "")


class Stores(ReportCase):
    @each_store
    def test_every_kind_of_store(self, kind, url):
        source, options = self.example()
        self.succeeded(skan("move", "--keep", source, url))
        expected, found = self.document(source, *options), self.document(url, *options)
        self.assertNotEqual(expected.pop("store"), found.pop("store"))
        self.assertEqual(found, expected)

    def test_a_progress_bar_on_a_terminal(self):
        url, options = self.example()
        code, out, seen = on_terminal("report", url, "--json", *options)
        self.assertEqual(code, 0)
        self.assertIn("34 of 34 records", seen)
        self.assertEqual(json.loads(out)["counted"], 26)


class Memory(ReportCase):
    def test_it_does_not_grow_with_postbacks(self):
        plan = [(each * 60, "4.0", "n", f"{each:04}", 0, 1, "install", each % 64, "-", 1) for each in range(100)]
        url, peaks = self.received(plan), []
        for copies in [10, 190]:
            with self.database("p.db") as database:
                database.execute("CREATE TEMP TABLE made AS SELECT * FROM skan_records LIMIT 100")
                for _ in range(copies):
                    database.execute("INSERT INTO skan_records SELECT CAST('postback/' || lower(hex(randomblob(32))) AS"
                                     " BLOB), version, record FROM made")
            code, peak = peak_memory("report", url, "--json")
            self.assertEqual(code, 0)
            peaks.append(peak)
        self.assertEqual(self.document(url)["counted"], 20100)
        # SQLite's cache of 2 MiB fills up; 19 000 postbacks alone are more than 10 MiB.
        # AddressSanitizer keeps freed memory for a while.
        self.assertLess(peaks[1] - peaks[0], 400000 if IS_SANITIZED else 5000, peaks)
