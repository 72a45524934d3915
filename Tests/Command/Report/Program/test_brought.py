"""What a report says where estimates with the app's own installs cannot be made, or rest on less than was given."""

import csv

from received import DAY, PLAN, ReportCase
from signer import APP

HORIZONS = ("day_2", "day_7", "day_35", "day_60", "day_90", "day_180", "to_date")


class Brought(ReportCase):
    def setUp(self):
        super().setUp()
        self.postbacks, self.options = self.example()
        self.installs = self.filled("installs.db", 30)

    def reasons(self, document):
        return {document["total"]["estimated_revenue"][horizon]["reason"] for horizon in HORIZONS}

    def several_apps(self):
        """From now on the postbacks are of two apps, and one model is said to hold for both."""
        other = (2 * DAY, "other_app", "two.example", "4411", 0, 1, "install", 10, "-", 1)
        self.postbacks = self.received([*PLAN, other], name="several.db")
        self.options[0] = f"--model=any={self.file('model.json')}"

    def with_installs(self, *options, code=0):
        return self.document(self.postbacks, *self.options, f"--installs={self.installs}", *options, code=code)

    def test_what_is_counted_is_what_it_was(self):
        document = self.with_installs()
        for key in ("basis", "estimated_revenue_to_date", "organic", "store_installs", "target", "compared_by",
                    "extrapolated_basis"):
            del document[key]
        lines = [document["total"]]
        for line in lines:
            del line["estimated_revenue"]
            lines += [below for key in ("networks", "campaigns", "ad_sets") for below in line.get(key, ())]
        self.assertEqual(document, self.document(self.postbacks, *self.options))
        rows, without = (list(csv.reader(self.rows("--csv", installs=own))) for own in (None, ()))
        self.assertEqual([len({len(row) for row in each if row}) for each in (rows, without)], [1, 1])
        # Estimates stand before the columns of the app and of data quality.
        start, end = without[0].index("app"), rows[0].index("app")
        self.assertTrue(rows[0][start].startswith("estimated_revenue"), rows[0])
        self.assertEqual([row[:start] + row[end:] for row in rows], without)
        table, before = self.rows(), self.rows(installs=())
        # But for what is extrapolated, where there are no estimates.
        self.assertIn("extrapolated", "\n".join(before))
        self.assertEqual([row for row in before if row.startswith("installed") and row not in table], [])
        self.assertIn("what this rests on", table)
        page = self.rows("--html", installs=())
        self.assertNotIn("What this rests on", "\n".join(page))

    def test_each_form_says_why_and_says_it_again(self):
        self.several_apps()
        for form, words in {"--csv": "several_apps", "--html": "several apps", "--by=total": "several apps"}.items():
            with self.subTest(form):
                rows = self.rows(form)
                self.assertIn(words, "\n".join(rows))
                self.assertEqual(self.rows(form), rows)

    def test_several_apps_have_no_estimates_together_and_none_alone(self):
        self.several_apps()
        document = self.with_installs()
        self.assertEqual(self.reasons(document), {"several_apps"})
        self.assertEqual([each["counted"] for each in document["apps"]], [26, 1])
        self.assertEqual([each for each in document["apps"] if "estimated_revenue" in each["total"]], [])
        self.assertEqual(self.reasons(self.with_installs(f"--app={APP}")), {"too_few_installs"})

    def test_where_nothing_can_be_estimated_the_page_begins_with_what_values_prove_and_why(self):
        page = "\n".join(self.rows("--html"))
        answer = page[page.index('<p class="answer">') :].partition("</p>")[0]
        self.assertIn("earned at least", answer)
        self.assertIn("No revenue can be estimated: more than 5 % of the installs", answer)
        self.assertNotIn("xtrapolated", page.partition("<h2>Trends")[0])
        without = "\n".join(self.rows("--html", installs=()))
        self.assertIn("Revenue, extrapolated", without)
        self.assertNotIn("estimated", without.partition("</p>")[0])

    def rows(self, *form, installs=None):
        own = [f"--installs={self.installs}"] if installs is None else installs
        return self.report(self.postbacks, *self.options, *form, *own).lines()

    def test_installs_of_other_models_are_named_and_not_mixed_in(self):
        document = self.with_installs("--app=525463029")
        self.assertEqual(self.reasons(document), {"too_few_installs"})
        self.assertEqual(sum(document["basis"]["installs_left_out"].values()), 30)
        self.assertEqual(set(document["basis"]["installs"].values()), {0})
        behind = {(told["fine"], told["installs"], told["postbacks"]) for told in document["basis"]["values"]}
        self.assertEqual(behind, {(10, 0, 7), (20, 0, 5), (63, 0, 1)})

    def test_damaged_records_are_named(self):
        key, record = next(iter(self.records("installs.db").items()))
        self.put("installs.db", key, record[:60])
        answer = self.report(self.postbacks, *self.options, "--json", f"--installs={self.installs}", code=1)
        self.assertIn(key.decode(), answer.err)
        self.assertEqual(self.with_installs(code=1)["basis"]["installs_left_out"]["damaged"], 1)

    def test_what_is_no_store_of_installs(self):
        answer = self.report(self.postbacks, *self.options, f"--installs={self.postbacks}", code=1)
        self.assertIn("expected installs", answer.err)
        answer = self.report(self.postbacks, f"--installs={self.installs}", code=2)
        self.assertIn("expected --model FILE beside --installs", answer.err)
        answer = self.report(self.postbacks, *self.options, "--target=120%@D35", code=2)
        self.assertIn("expected --installs STORE beside --target", answer.err)
        answer = self.report(self.postbacks, *self.options, f"--installs={self.installs}", "--target=120", code=2)
        self.assertIn("expected a return on ad spend until day 2, 7, 35, 60, 90 or 180 as 120%@D35", answer.err)

    def test_a_target_is_in_each_form(self):
        document = self.with_installs("--target=120%@D7")
        self.assertEqual(document["target"], {"return_on_ad_spend": "1.2000", "horizon": "day_7"})
        self.assertEqual(document["compared_by"], {"figure": "return_on_ad_spend", "horizon": "day_7"})
        self.assertIsNone(self.with_installs()["target"])
        self.assertIn("target_probability,better_than_the_others", self.rows("--csv")[0])

    def test_countries_and_source_apps_are_lines_of_networks(self):
        for option, lines, line in (("country", "countries", "country"), ("source-app", "source_apps", "source_app")):
            document = self.document(self.postbacks, *self.options, f"--by={option}")
            networks = document["total"]["networks"]
            self.assertTrue(all(line in below for network in networks for below in network[lines]))
            installs = sum(below["installs"] for network in networks for below in network[lines])
            self.assertEqual(installs, document["total"]["installs"])
            self.assertIsNone(document["total"]["cost"])
            table = self.report(self.postbacks, *self.options, f"--by={option}").lines()
            self.assertTrue(any(row.startswith(option.replace("-", " ")) for row in table), table)
