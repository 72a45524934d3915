"""skan show."""

import json

from tools import CommandCase, make_damaged, skan


class Show(CommandCase):
    def shown(self, url, install):
        return self.succeeded(skan("show", url, install)).out

    def test_what_is_told(self):
        """A value with a lock, revenue of both kinds, no registration, closed windows."""
        url = self.filled("p.db", 10)
        for install, parts in {
            "player-0000004": [
                r"install +player-0000004\n", r"protocol +SKAN 4\n", r"window +0, until \d{4}-",
                r"registered +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\n", r"fine value +7\nfine before +0\n",
                r"coarse value +medium +- +-\n",
                r"pending update +number \d{10}000002, window 0, fine value 7, coarse value medium, "
                r"locks the window, of \d{4}-",
                r"locked +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC +- +-\n", r"ads revenue +none\n",
                r"IAP revenue +lifetime +window 0 +window 1 +window 2\nUSD +0\.05 +0\.05 +- +-\n",
            ],
            "player-0000003": [r"ads revenue +lifetime.*\nEUR +0\.1 +0\.1 +- +-\n"],
            "player-0000001": [r"registered +no\nwindow +none: not registered\npending update +none\n"],
            "player-0000002": [r"window +closed since \d{4}-", r"pending update +none\n"],
        }.items():
            text = self.shown(url, install)
            for part in parts:
                self.assertRegex(text, part)
            self.assertNotIn("event", text)

    def test_a_reengagement_is_shown_without_its_tag(self):
        url = self.filled("p.db", 10)
        text = self.shown(url, "player-0000005")
        time = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC"
        for part in [
            rf"\n\nre-engagement +number 1, since {time}\nreference +spring\nwindow +0, until {time}\n",
            r"\nfine value +9\ncoarse value +high, -, -\nlocked +-, -, -\n"
            r"update +number \d{10}000003, window 0, not delivered\n",
            r"\nIAP revenue +4\.99 since the tap, 4\.99 in window 0\nads revenue +0 since the tap, 0 in window 0\n",
        ]:
            self.assertRegex(text, part)
        self.assertNotIn("tag", text)
        details = json.loads(self.succeeded(skan("show", url, "player-0000005", "--json")).out)
        self.assertEqual([each["reference"] for each in details["reengagements"]], ["spring"])

    def test_the_windows_of_an_install_and_its_reengagement_are_their_own(self):
        text = self.shown(self.filled("p.db", 3, "returned"), "player-0000002")
        self.assertRegex(text, r"registered +.*\nlast call +.*\nwindow +closed since \d{4}-")
        self.assertRegex(text, r"re-engagement +.*\nreference +spring\nwindow +0, until \d{4}-")

    def test_skan_3(self):
        details = {"skan_conversion_value": 5, "skan_first_call_to_skadnetwork_timestamp": 1700000000}
        details["skan_total_revenue_by_currency"] = {"USD": 1.5}
        line = {"install_id": "old", "details": details}
        self.succeeded(skan("import", "--protocol=3", self.sqlite("p.db"), "-", given=json.dumps(line)))
        text = self.shown(self.sqlite("p.db"), "old")
        self.assertRegex(text, r"protocol +SKAN 3\n")
        self.assertRegex(text, r"window +closed since 2023-11-15 22:13:20 UTC\n")
        self.assertIn("\nvalue            5\n", text)
        self.assertRegex(text, r"IAP revenue +lifetime\nUSD +1\.5\n")
        self.assertNotIn("ads", text)

    def test_json_is_the_details_in_one_line(self):
        url = self.filled("p.db", 10)
        answer = self.succeeded(skan("show", url, "player-0000003", "--json"))
        self.assertEqual(len(answer.lines()), 1)
        details = json.loads(answer.out)
        self.assertEqual(details["skan_total_admon_revenue_by_currency"], {"EUR": 0.1})
        self.assertIsNone(details["p2_coarse"])

    def test_no_such_install(self):
        url = self.filled("p.db", 1)
        answer = self.succeeded(skan("show", url, "nobody"), 1)
        self.assertEqual((answer.out, answer.err), ("", f"skan: nobody: no such install in {url}\n"))

    def test_a_damaged_record(self):
        url = self.filled("p.db", 1)
        record = self.records("p.db")[b"player-0000000"]
        for name, (bytes_, _) in make_damaged(record).items():
            self.put("p.db", b"bad", bytes_)
            for options in [[], ["--json"]]:
                answer = self.succeeded(skan("show", url, "bad", *options), 1)
                self.assertEqual(answer.out, "", name)
                self.assertRegex(answer.err, r"^skan: bad: record.*\n$")

    def test_ids_that_are_none(self):
        url = self.filled("p.db", 1)
        for install, why in {
            "": "not empty", "a\nb": "no control characters", "a\x7f": "no control characters",
            "a" * 129: "at most 128 bytes", "\udcff": "is UTF-8", "\udced\udca0\udc80": "is UTF-8",
        }.items():
            answer = skan("show", url, install)
            self.assertEqual(answer.code, 2, answer)
            self.assertIn(why, answer.err)

    def test_ids_of_all_scripts_and_those_like_options(self):
        self.filled("p.db", 1)
        record = self.records("p.db")[b"player-0000000"]
        for install in ["--json", "-", "玩家 1", "игрок", "é", "a" * 128, "\U0001f3ae"]:
            self.put("p.db", install.encode(), record)
            answer = self.succeeded(skan("show", self.sqlite("p.db"), "--", install))
            self.assertIn(install, answer.out)
