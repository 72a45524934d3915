"""skan report --opens: what the app reported of taps on ads, beside what Apple reported."""

import re

from received import AT, MODEL, PLAN, ReportCase
from tools import skan

NAMED = "network,identifier,campaign\r\ntwo.example,11,spring\r\n"
NONE = {"tagged": 0, "superseded": 0, "ended_by_host": 0, "invalid_tag": 0, "tag_not_supported": 0}


class Opens(ReportCase):
    def setUp(self):
        super().setUp()
        self.url = self.received(PLAN, (0, self.write("model.json", MODEL)))
        # Every tenth install came back by an ad whose reference is "spring".
        self.installs = self.filled("installs.db", 100)

    def opens(self, *options, installs=None, code=0):
        return self.document(self.url, f"--opens={installs or self.installs}", *options, code=code)["opens"]

    def test_a_reference_stands_beside_the_campaign_that_it_names(self):
        opens = self.opens(f"--campaigns={self.write('campaigns.csv', NAMED)}")
        counts = {**NONE, "opens": 10, "tagged": 10}
        self.assertEqual(opens["references"], [
            {"reference": "spring", **counts, "network": "two.example", "identifier": "11", "reengagements": 2}])
        self.assertEqual({name: opens[name] for name in counts}, counts)
        self.assertEqual((opens["installs"], opens["store"]), (10, self.installs))

    def test_a_reference_that_names_no_campaign_stands_alone(self):
        [line] = self.opens()["references"]
        self.assertEqual((line["network"], line["identifier"], line["reengagements"]), (None, None, None))

    def test_a_name_of_two_campaigns_names_none(self):
        both = NAMED + "one.example,39,spring\r\n"
        [line] = self.opens(f"--campaigns={self.write('campaigns.csv', both)}")["references"]
        self.assertIsNone(line["network"])

    def test_opens_are_those_of_the_time_that_the_report_is_about(self):
        self.assertEqual(self.opens("--to=2023-12-31")["opens"], 0)
        self.assertEqual(self.opens("--from=2024-01-01")["opens"], 10)

    def test_the_table_and_the_page_have_them(self):
        campaigns = f"--campaigns={self.write('campaigns.csv', NAMED)}"
        options = [self.url, f"--opens={self.installs}", campaigns, AT]
        table = self.report(*options).out
        self.assertRegex(table, r"\nreference +opens +tagged +superseded +by host +bad tag +no tags +re-engag\.  campaign\n")
        self.assertRegex(table, r"\nspring +10 +10 +0 +0 +0 +0 +2  spring \(11\)\nall +10 +10 +0 +0 +0 +0 +2\n")
        page = self.report(*options, "--html").out
        row = re.search(r"<tr><th scope=\"row\"><bdi>spring</bdi></th>(.*)</tr>", page)
        cells = re.findall(r"<td[^>]*><span>(.*?)</span></td>", row[1])
        self.assertEqual(cells, ["10", "10", "0", "0", "0", "0", "2", "spring (11)"])

    def test_one_store_may_have_opens_and_own_installs(self):
        document = self.document(
            self.url, f"--opens={self.installs}", f"--installs={self.installs}",
            f"--model={self.write('model.json', MODEL)}")
        self.assertEqual(document["opens"]["opens"], 10)
        self.assertEqual(document["basis"]["installs_left_out"]["damaged"], 0)

    def test_a_damaged_install_is_named(self):
        with self.database("installs.db") as database:
            database.execute("UPDATE skan_records SET record = 'x' WHERE key = CAST('player-0000005' AS BLOB)")
        answer = skan("report", self.url, "--json", f"--opens={self.installs}")
        self.assertEqual(answer.code, 1)
        self.assertIn("player-0000005", answer.err)
        self.assertEqual(self.opens(code=1)["opens"], 9)

    def test_csv_has_no_place_for_them(self):
        answer = skan("report", self.url, "--csv", f"--opens={self.installs}")
        self.assertEqual(answer.code, 2)
        self.assertIn("expected --opens beside a table, --json or --html, not --csv", answer.err)

    def test_without_the_option_nothing_is_said(self):
        self.assertNotIn("opens", self.document(self.url))
