"""The marketer's CSV of campaigns: its errors, and names that would harm. Which files are fine, and what is said of
others, is in CampaignFileTests."""

import random

from received import AT, CAMPAIGNS, DAY, ReportCase
from tools import skan

DAMAGE = [b'"', b",", b"\n", b"\r", b"\0", b"\xff", b"9", b""]


class Campaigns(ReportCase):
    def setUp(self):
        super().setUp()
        self.url = self.received([(0, "4.0", "n", "5239", 0, 1, "install", 1, "-", 1),
                                  (DAY, "4.0", "n", "39", 0, 1, "install", 1, "-", 1)])

    def read(self, content, code=0, *options):
        path = self.write("c.csv", content)
        return self.report(self.url, f"--campaigns={path}", *options, code=code)

    def test_errors_name_file_line_and_column(self):
        answer = self.read(b"network,identifier,campaign\nn,39,\xff\n", 1)
        self.assertEqual(answer.out, "")
        self.assertRegex(answer.err, r"^skan: \S+/c\.csv: line 2, column 3: expected UTF-8")

    def test_damaged_files_are_read_or_refused(self):
        chance = random.Random(1)
        whole = CAMPAIGNS.encode()
        for _ in range(100):
            content = bytearray(whole)
            for _ in range(chance.randrange(1, 6)):
                place = chance.randrange(len(content))
                content[place : place + chance.randrange(3)] = chance.choice(DAMAGE)
            answer = skan("report", self.url, "--csv", f"--campaigns={self.write('c.csv', bytes(content))}")
            self.assertIn(answer.code, [0, 1], answer)
            self.assertRegex(answer.err, r"^skan: \S+/c\.csv: .*\n$" if answer.code else "^$")

    def test_a_file_that_is_not_there(self):
        self.assertIn("No such file", self.report(self.url, f"--campaigns={self.file('none.csv')}", code=1).err)

    def test_names_obey_nobody(self):
        evil = "network,identifier,campaign,ad_set\nn,39,\"<script>alert('1')</script>&\u202egnp\u0085\","
        evil += "\"=1+1|\"\"x\"\"\"\n"
        table = self.read(evil, 0, "--by=ad-set").out
        for mark in ["\u202e", "\u0085", "\x1b"]:
            self.assertNotIn(mark, table)
        page = self.read(evil, 0, "--html", AT).out
        self.assertEqual(page.count("<script"), 1)
        self.assertIn("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;\ufffdgnp\ufffd", page)
        # Which cells spreadsheets would obey is in CSVWriterTests.
        self.assertIn("\"'=1+1|\"\"x\"\"\"", self.read(evil, 0, "--csv").out)

    def test_networks_obey_nobody(self):
        # Whoever signs for Apple decides on these names; a report shows them all the same.
        url = self.received([(0, "4.0", "<img/src=x>", "5239", 0, 1, "install", 1, "-", 1),
                             (0, "4.0", "=1+1", "5239", 0, 1, "install", 1, "-", 1)], name="n.db")
        page = self.report(url, "--html", AT).out
        self.assertNotIn("<img", page)
        self.assertIn("&lt;img/src=x&gt;", page)
        self.assertIn("\"'=1+1\"", self.report(url, "--csv").out)
