"""Postbacks are reported to partners whatever happens to the system clock."""

import mmap
import struct

from outbox_tools import OutboxCase
from signer import skadnetwork
from tools import BUILD, COMMAND, skan

FAST = ("--partner-pause", "20", "--partner-longest-pause", "100", "--partner-search", "1")
DAY = 86400
MONTH = 30 * DAY


class SetClock(OutboxCase):
    # A sanitizer has a clock_gettime of its own, in place of that of the library that is loaded before.
    __test__ = "/address/" not in COMMAND and "/thread/" not in COMMAND

    def setUp(self):
        super().setUp()
        file = self.folder / "ahead"
        file.write_bytes(bytes(8))
        with open(file, "r+b") as opened:
            self.ahead = mmap.mmap(opened.fileno(), 8)
        self.variables = {"LD_PRELOAD": str(BUILD / "Tests/command/clock.so"), "SKAN_TEST_CLOCK": str(file)}

    def set_clock(self, seconds):
        """So far ahead of the true time."""
        self.ahead[:] = struct.pack("=q", seconds * 1_000_000)

    def test_a_clock_that_is_set_back_delays_no_report(self):
        partner = self.partner()
        partner.status = 500
        server = self.receive("--partner-search", "1", networks=self.networks(partner), variables=self.variables)
        self.assertEqual(self.outcome(server, skadnetwork(1)), (200, "counted"))
        # The first attempt has failed, and the entry waits for 5 s at least.
        self.eventually(lambda: all(entry["reason"] for entry in self.outbox()))
        self.set_clock(-MONTH)
        partner.status = 200
        self.assertEqual(self.outcome(server, skadnetwork(2)), (200, "counted"))
        self.eventually(lambda: len(partner.ids(taken=True)) == 2 and not self.stored("outbox/"))

    def test_reports_that_were_given_up_are_tried_again_where_the_clock_is_behind(self):
        partner = self.partner()
        partner.status = 500
        self.set_clock(-MONTH)
        server = self.receive(*FAST, "--partner-attempts", "2", networks=self.networks(partner),
                              variables=self.variables)
        self.assertEqual(self.outcome(server, skadnetwork(1)), (200, "counted"))
        self.eventually(lambda: [entry["state"] for entry in self.outbox()] == ["dead"])
        partner.status = 200
        self.assertEqual(skan("outbox", self.url, "--retry").out, "1 of 1 given up will be tried again\n")
        self.eventually(lambda: len(partner.ids(taken=True)) == 1 and not self.stored("outbox/"))

    def test_reports_that_no_server_can_make_are_given_up_after_a_day(self):
        partner = self.partner()
        partner.status = 500
        counting = self.receive(networks=self.networks(partner))
        self.assertEqual(self.outcome(counting, skadnetwork(1)), (200, "counted"))
        self.eventually(lambda: all(entry["reason"] for entry in self.outbox()))
        counting.stop()
        server = self.receive(*FAST, networks=self.networks(), variables=self.variables)
        # After the first attempt's pause of up to 10 s an hour is over, and then a day.
        self.set_clock(3600)
        self.eventually(lambda: any("is left to other servers" in line.get("message", "") for line in server.log()))
        self.assertEqual([entry["state"] for entry in self.outbox()], ["waiting"])
        self.set_clock(DAY + 60)
        self.eventually(lambda: [entry["state"] for entry in self.outbox()] == ["dead"])
        self.assertEqual([entry["reason"] for entry in self.outbox()], ["this partner is not in the file of networks"])
