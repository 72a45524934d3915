"""Kills of two servers on one store while they receive postbacks and tell partners: nothing counted twice, nothing
answered 200 and lost, every counted one told, nothing told that was not counted. SKAN_KILLS of them, 20 where it is not
set."""

import concurrent.futures
import os
import random
import sys
import threading

from outbox_tools import SKADNETWORK, OutboxCase, partner_id
from signer import skadnetwork

KILLS = int(os.environ.get("SKAN_KILLS", "20"))
SENDERS = 8


class Kills(OutboxCase):
    def setUp(self):
        super().setUp()
        self.lock = threading.Lock()
        self.counted, self.answered, self.next = {}, set(), 0

    def send_until(self, servers, is_over):
        """Postbacks of this thread's own, some of them to both servers."""
        while not is_over.is_set():
            with self.lock:
                number = self.next
                self.next += 1
            body = skadnetwork(number)
            for server in random.sample(servers, random.choice((1, 1, 2))):
                try:
                    status, outcome = self.outcome(server, body)
                except (OSError, ValueError, AssertionError):
                    is_over.wait(0.01)
                    continue
                if status != 200:
                    continue
                with self.lock:
                    self.answered.add(number)
                    if outcome == "counted":
                        self.counted[number] = self.counted.get(number, 0) + 1

    def test_kills(self):
        partner = self.partner()
        networks = self.networks(partner, items="id={id}&transaction={transaction_id}")
        # So many attempts that no entry uses them up while the partner refuses, on a busy machine too.
        options = ("--partner-attempts", "1000", "--partner-pause", "20", "--partner-longest-pause", "100",
                   "--partner-timeout", "2000", "--partner-search", "1", "--log", "errors")
        for _ in range(KILLS // 2):
            servers = [self.receive(*options, networks=networks, ends=-9) for _ in range(2)]
            is_over = threading.Event()
            partner.status = random.choice((200, 200, 500))
            with concurrent.futures.ThreadPoolExecutor(SENDERS) as pool:
                futures = [pool.submit(self.send_until, servers, is_over) for _ in range(SENDERS)]
                for server in servers:
                    is_over.wait(random.uniform(0.02, 0.4))
                    server.process.kill()
                    server.process.wait()
                partner.status = 200
                is_over.set()
                for future in futures:
                    future.result()
        self.assertTrue(self.answered)
        self.assertEqual({number for number, times in self.counted.items() if times > 1}, set())

        # All that was sent comes once more, as from senders that heard nothing.
        stored_before = set(self.stored("postback/"))
        self.assertLessEqual(set(partner.ids()), {partner_id(key) for key in stored_before})
        server = self.receive(*options, networks=networks)
        again = {}
        with concurrent.futures.ThreadPoolExecutor(SENDERS) as pool:
            for number, outcome in zip(range(self.next), pool.map(
                    lambda number: self.outcome(server, skadnetwork(number), SKADNETWORK), range(self.next))):
                again[number] = outcome
        self.assertEqual({number for number in self.answered if again[number] != (200, "duplicate")}, set())
        self.assertEqual(set(again.values()) - {(200, "duplicate"), (200, "counted")}, set())
        counted_again = [number for number, outcome in again.items() if outcome == (200, "counted")]
        stored = set(self.stored("postback/"))
        self.assertEqual(len(stored), self.next)
        self.assertEqual(len(stored - stored_before), len(counted_again))

        # What waits for its worker's time to be over is told as well.
        try:
            self.eventually(lambda: len(partner.ids(taken=True)) >= len(stored) and not self.stored("outbox/"))
        except AssertionError:
            self.fail(f"{len(partner.ids(taken=True))} of {len(stored)} were told; left are {self.outbox()}")
        told = partner.ids(taken=True)
        self.assertEqual(set(told), {partner_id(key) for key in stored})
        print(f"kills: {KILLS}, {self.next} sent, {len(self.answered)} answered, {len(told)} told, "
              f"{sum(told.values()) - len(told)} of them again", file=sys.__stdout__)
