"""A Redis server that drops records when its memory is full: what it has can be seen, but nothing is kept there."""

import subprocess

import pytest
import stores
from tools import CommandCase, skan


@pytest.mark.server("redis")
class Evicting(CommandCase):
    def setUp(self):
        super().setUp()
        # A server of its own: the policy is the whole server's.
        self.server = stores.server("redis", "tcp_url", "appendonly=no")
        self.url = f"{self.server.rstrip('/')}/0"
        self.addCleanup(self.configure, "flushall")
        self.addCleanup(self.configure, "config", "set", "maxmemory-policy", "noeviction")
        self.source = self.filled("source.db", 20)
        self.succeeded(skan("move", "--keep", self.source, self.url))
        self.configure("config", "set", "maxmemory-policy", "allkeys-lru")

    def configure(self, *words):
        subprocess.run(["redis-cli", "-u", self.server, *words], stdout=subprocess.DEVNULL, check=True)

    def test_what_it_has_is_seen_and_moved_away(self):
        self.assertEqual(len(self.exported(self.url)), 20)
        self.succeeded(skan("check", self.url))
        self.assertEqual(self.succeeded(skan("move", self.url, self.sqlite("target.db"))).out, "20 installs moved\n")

    def test_nothing_is_brought_there(self):
        for words in [("move", "--keep", self.source, self.url), ("import", self.url, "-")]:
            with self.subTest(words=words):
                refused = skan(*words, given="")
                self.assertEqual(refused.code, 1)
                self.assertIn("maxmemory-policy", refused.err)
