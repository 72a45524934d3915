"""skan move into a store that is served meanwhile: every postback is reported to its partners."""

import hashlib
import json
import os
import signal
import subprocess
import threading
import time

from outbox_tools import OutboxCase, partner_id
from signer import skadnetwork
from tools import COMMAND, environment, outbox_entry, skan

ENTRIES = int(os.environ.get("SKAN_MOVED", "3000"))
FAST = ("--partner-pause", "20", "--partner-longest-pause", "100", "--partner-search", "1")
DAY = 86_400_000_000


class Moved(OutboxCase):
    def fill(self, name):
        """A store with postbacks that wait to be reported for a day; their ids."""
        server = self.receive()
        self.assertEqual(self.outcome(server, skadnetwork(1)), (200, "counted"))
        server.stop()
        ((_, postback),) = self.records("postbacks.db").items()
        self.file("postbacks.db").rename(self.file(name))
        created = int(time.time() * 1_000_000) - DAY - DAY // 24
        rows, ids = [], set()
        for number in range(ENTRIES):
            digits = hashlib.sha256(str(number).encode()).hexdigest()
            key = f"outbox/{digits}/example/partner0".encode()
            entry = outbox_entry(key, state=("waiting", "prepared")[number % 2], attempts=3 - number % 2 * 3,
                                 created=created, due=created)
            rows.append((f"postback/{digits}".encode(), 2 * number + 1, postback))
            rows.append((key, 2 * number + 2, entry))
            ids.add(partner_id(digits))
        with self.database(name) as database:
            database.execute("DELETE FROM skan_records")
            database.executemany("INSERT INTO skan_records VALUES (?, ?, ?)", rows)
        return ids

    def interrupt_moves(self, source, is_over):
        """Moves that are killed, until one was not."""
        while not is_over.is_set():
            with subprocess.Popen([COMMAND, "move", source, self.url], stdout=subprocess.PIPE,
                                  env=environment()) as process:
                is_over.wait(0.1)
                process.send_signal(signal.SIGKILL)
                process.communicate()
            if process.returncode == 0:
                is_over.set()

    def assert_all_reported(self, move):
        partner = self.partner()
        ids = self.fill("from.db")
        server = self.receive(*FAST, networks=self.networks(partner))
        # It receives one itself, so that its outbox is at work.
        self.assertEqual(self.outcome(server, skadnetwork(2)), (200, "counted"))
        (own,) = [partner_id(key) for key in self.stored("postback/")]
        move(self.sqlite("from.db"))
        self.eventually(lambda: len(partner.ids()) > ENTRIES and not self.stored("outbox/"))
        self.assertEqual(set(partner.ids()), ids | {own})
        self.assertEqual((self.records("from.db"), len(self.stored("postback/"))), ({}, ENTRIES + 1))

    def test_postbacks_that_waited_for_a_day_are_reported(self):
        def move(source):
            out = self.succeeded(skan("move", source, self.url)).out
            self.assertEqual(out, f"{ENTRIES} postbacks and {ENTRIES} outbox entries moved\n")

        self.assert_all_reported(move)

    def test_an_entry_that_the_other_store_has_worked_on_counts_as_moved(self):
        """As after a move that was killed between saving an entry there and removing it here."""
        self.fill("from.db")
        self.succeeded(skan("move", "--keep", self.sqlite("from.db"), self.url))
        key, record = next(each for each in self.records("from.db").items() if each[0].startswith(b"outbox/"))
        entry = outbox_entry(key, **{**json.loads(record), "attempts": 7})
        self.put("postbacks.db", key, entry)
        answer = self.succeeded(skan("move", self.sqlite("from.db"), self.url))
        self.assertEqual((answer.err, self.records("from.db")), ("", {}))
        self.assertEqual(self.records("postbacks.db")[key], entry)

    def test_they_are_reported_where_the_move_is_killed_again_and_again(self):
        def move(source):
            is_over = threading.Event()
            timer = threading.Timer(3, is_over.set)
            timer.start()
            self.addCleanup(timer.cancel)
            self.interrupt_moves(source, is_over)
            self.succeeded(skan("move", source, self.url))

        self.assert_all_reported(move)
