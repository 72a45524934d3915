"""skan purge."""

import json
import time

from tools import CommandCase, faults, make_damaged, skan

DAY = 86400


class Purge(CommandCase):
    def purged(self, url, days, *options, code=0, **more):
        return self.succeeded(skan("purge", url, "--closed-before", days, *options, **more), code)

    def test_by_days_after_the_last_window(self):
        lines = []
        for days in range(30, 60):
            details = {"skan_first_call_to_skadnetwork_timestamp": int(time.time()) - days * DAY - 600}
            lines.append(json.dumps({"install_id": f"old-{days}", "details": details}))
        lines.append('{"install_id": "unregistered", "details": {"skan_total_revenue_by_currency": {"USD": 1}}}')
        self.succeeded(skan("import", self.sqlite("p.db"), "-", given="\n".join(lines)))
        for limit, left in {20: 25, 10: 15, 0: 5}.items():
            dry = self.purged(self.sqlite("p.db"), limit, "--dry-run").out
            answer = self.purged(self.sqlite("p.db"), limit).out
            self.assertEqual(dry.replace("would be removed", "removed"), answer)
            self.assertEqual(
                set(self.records("p.db")),
                {b"old-%d" % days for days in range(30, 30 + left)} | {b"unregistered"},
            )

    def test_an_old_install_with_an_open_reengagement_stays(self):
        for more, removed in [((), 10), (("returned",), 0)]:
            answer = self.purged(self.filled("p.db", 100, *more), 1)
            self.assertEqual(answer.out, f"100 records read, {removed} removed\n")

    def test_skan_3_closes_a_day_after_the_last_value(self):
        now = int(time.time())
        lines = [
            json.dumps({"install_id": name, "details": {
                "skan_conversion_value": 1, "skan_first_call_to_skadnetwork_timestamp": now - 90 * DAY,
                "skan_last_call_to_skadnetwork_timestamp": last}})
            for name, last in {"old": now - 4 * DAY - 60, "new": now - 3 * DAY}.items()
        ]
        self.succeeded(skan("import", "--protocol", 3, self.sqlite("p.db"), "-", given="\n".join(lines)))
        self.assertEqual(self.purged(self.sqlite("p.db"), 3).out, "2 records read, 1 removed\n")
        self.assertEqual(set(self.records("p.db")), {b"new"})

    def test_unregistered_installs_by_their_last_change(self):
        for days, removed in [(41, 0), (39, 5)]:
            url = self.filled("p.db", 100)
            answer = self.succeeded(skan("purge", url, "--unregistered-before", days))
            self.assertEqual(answer.out, f"100 records read, {removed} removed\n")
        self.assertEqual(len(self.records("p.db")), 95)
        self.assertNotIn(b"player-0000011", self.records("p.db"))
        self.assertIn(b"player-0000001", self.records("p.db"))

    def test_unregistered_installs_of_unknown_age_stay(self):
        line = '{"install_id": "imported", "details": {"skan_total_revenue_by_currency": {"USD": 1}}}'
        self.succeeded(skan("import", self.sqlite("p.db"), "-", given=line))
        answer = self.succeeded(skan("purge", self.sqlite("p.db"), "--unregistered-before", 0))
        self.assertEqual(answer.out, "1 record read, 0 removed\n")

    def test_damaged_and_newer_records_stay(self):
        url = self.filled("p.db", 3)
        damaged = make_damaged(self.records("p.db")[b"player-0000002"])
        for name, (record, _) in damaged.items():
            self.put("p.db", name.encode(), record)
        answer = self.purged(url, 1, code=1)
        self.assertIn(f"{3 + len(damaged)} records read, 1 removed, {len(damaged)} damaged or too new", answer.out)
        self.assertEqual(answer.err.count("not removed: record"), len(damaged))
        self.assertEqual(len(self.records("p.db")), 2 + len(damaged))

    def test_a_record_that_changes_meanwhile_stays(self):
        # Also where the end of the remove is unknown.
        for fault in ["remove-late=2", "remove-late=2,remove-lost=2"]:
            url = self.filled("p.db", 30)
            self.file("other").write_bytes(self.records("p.db")[b"player-0000000"])
            answer = self.purged(url, 1, **faults(fault, SKAN_TEST_RECORD=str(self.file("other"))))
            self.assertEqual(answer.out, "30 records read, 2 removed, 1 changed meanwhile and stay\n", fault)
            self.assertEqual(self.records("p.db")[b"player-0000012"], self.file("other").read_bytes(), fault)

    def test_outcomes_that_are_unknown_are_looked_up(self):
        for fault in ["remove-lost=2", "remove-made=2"]:
            url = self.filled(f"{fault}.db", 100)
            self.assertEqual(self.purged(url, 1, **faults(fault)).out, "100 records read, 10 removed\n")
            self.assertEqual(len(self.records(f"{fault}.db")), 90)

    def test_a_listing_that_repeats_keys(self):
        url = self.filled("p.db", 3000)
        self.purged(url, 1, **faults("list-twice=1"))
        self.assertEqual(len(self.records("p.db")), 2700)
