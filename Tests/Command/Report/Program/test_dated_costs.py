"""Costs of days are compared with the postbacks of these days' installs alone, in every form."""

from datetime import datetime, timedelta

from received import DAY, ReportCase

# Ten installs arrive every thirty days, those of the first on the 14th of November; they were made three days before.
PLAN = [(30 * month * DAY, "4.0", "one.example", "5239", 0, 1, "install", "-", "-", 10) for month in range(10)]
DAYS = [(datetime(2023, 11, 11) + timedelta(days=30 * month)).date() for month in range(10)]
LAST = "--at=2024-09-01", f"--from={DAYS[9]}", f"--to={DAYS[9] + timedelta(days=9)}"


class DatedCosts(ReportCase):
    def setUp(self):
        super().setUp()
        self.url = self.received(PLAN)
        rows = "".join(f"one.example,39,{day},100.00\n" for day in DAYS)
        self.file_of_costs = self.costs(rows)

    def costs(self, rows):
        return f"--campaigns={self.write('costs.csv', 'network,identifier,date,cost' + chr(10) + rows)}"

    def test_costs_of_other_months_do_not_count(self):
        document = self.document(self.url, self.file_of_costs, *LAST)
        self.assertEqual(document["total"]["installs"], 10)
        self.assertEqual((document["total"]["cost"], document["total"]["cost_per_install"]), ("100.00", "10.0000"))
        self.assertEqual(document["costs"], {
            "counted": "100.00", "counted_without_date": None, "not_reported_yet": None, "outside_of_time": "900.00"})
        said = "Costs of 900.00 are not counted: postbacks of installs of these days arrive before or after the time"
        for form in ([], ["--html"]):
            self.assertIn(said, self.report(self.url, self.file_of_costs, *LAST, *form).out)
        whole = self.document(self.url, self.file_of_costs, "--at=2024-09-01")
        self.assertEqual((whole["total"]["cost"], whole["total"]["cost_per_install"]), ("1000.00", "10.0000"))
        self.assertEqual(whole["costs"]["outside_of_time"], None)

    def test_a_day_on_the_edge_counts_in_part(self):
        # Of its installs, half report until four days after it began.
        edge = f"--to={DAYS[9] + timedelta(days=3)}"
        document = self.document(self.url, self.file_of_costs, *LAST[:2], edge)
        self.assertEqual(document["total"]["cost"], "50.00")

    def test_costs_of_the_last_days_are_not_counted_yet(self):
        rows = "".join(f"one.example,39,{DAYS[9] + timedelta(days=day)},100.00\n" for day in range(4))
        costs, made_at = self.costs(rows), f"--at={DAYS[9] + timedelta(days=4)}T12:00:00Z"
        # Of the four days, 7/8 and 1/8 have reported of the first two.
        document = self.document(self.url, costs, made_at)
        self.assertEqual(document["costs"]["counted"], "100.00")
        self.assertEqual(document["costs"]["not_reported_yet"], "300.00")
        for form in ([], ["--html"]):
            text = self.report(self.url, costs, made_at, *form).out
            self.assertIn("Costs of 300.00 are not counted yet: they are for installs of the last days", text)

    def test_costs_without_a_date_count_in_full_and_a_filter_of_time_says_so(self):
        costs = self.costs("one.example,39,,500.00\n")
        said = "Costs of 500.00 have no date and count in full"
        document = self.document(self.url, costs, *LAST)
        self.assertEqual((document["total"]["cost"], document["costs"]["counted_without_date"]), ("500.00", "500.00"))
        for form in ([], ["--html"]):
            self.assertIn(said, self.report(self.url, costs, *LAST, *form).out)
            self.assertNotIn(said, self.report(self.url, costs, LAST[0], *form).out)

    def test_a_report_by_country_says_that_it_has_no_costs(self):
        for form in ([], ["--html"]):
            text = self.report(self.url, self.file_of_costs, "--by=country", *form).out
            self.assertIn("Costs are of campaigns, so this report by country has none.", text)
        document = self.document(self.url, self.file_of_costs, "--by=country")
        self.assertIsNone(document["total"]["cost"])
        self.assertEqual(set(document["costs"].values()), {None})
