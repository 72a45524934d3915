"""skan on PostgreSQL behind PgBouncer, which lends a server for one transaction at a time."""

import subprocess

import pytest
from signer import skadnetwork
from stores import server
from test_receive_files import ReceiveCase, lines
from tools import skan

COUNT = 1024


@pytest.mark.server("postgres")
class BehindAPooler(ReceiveCase):
    def setUp(self):
        super().setUp()
        folder, port = (server("postgres", member, "fsync=off") for member in ("directory", "port"))
        self.pooler = server("pgbouncer", "url", f"server={folder}", f"server_port={port}")
        self.url = f"{self.pooler}?pooled=1"

    def test_what_is_received_through_it_is_read_through_it_and_it_keeps_no_settings(self):
        file = self.written("all.jsonl", lines(*(skadnetwork(number) for number in range(COUNT))))
        self.assertEqual(self.receive(file).out, f"{COUNT} postbacks read, {COUNT} counted\n")
        self.assertEqual(self.receive(file).out, f"{COUNT} postbacks read, 0 counted, {COUNT} duplicates\n")
        for _ in range(3):
            self.assertEqual(len(self.rows()), COUNT)
        report = self.succeeded(skan("report", self.url, "--json")).documents()[0]
        self.assertEqual(report["counted"], COUNT)
        for _ in range(10):
            self.assertEqual(self.setting("statement_timeout"), "0")

    def setting(self, name):
        """What a program finds that gets one of the sessions next."""
        run = subprocess.run(["psql", "-qAt", self.pooler, "-c", f"SHOW {name}"], stdout=subprocess.PIPE, check=True,
                             text=True)
        return run.stdout.strip()
