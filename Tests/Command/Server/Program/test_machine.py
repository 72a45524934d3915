"""What the machine may do to a server: files that are none, that may not grow or that are cut, and too few of them."""

import os
import subprocess

from server_tools import KEY, MIXED, ServeCase, items4
from tools import COMMAND, environment, skan


class SpecialFiles(ServeCase):
    """Seen: a FIFO in the place of a file hung the start, --check, and every later reload."""

    def fifo(self, name):
        file = self.folder / name
        file.unlink(missing_ok=True)
        os.mkfifo(file, 0o600)
        return file

    def test_a_fifo_is_refused_at_the_start(self):
        fifo = self.fifo("fifo")
        for options in (["--model", fifo], ["--key", f"file:{fifo}"], ["--app", f"com.example.game={fifo}"],
                        ["--postbacks", self.sqlite("p.db"), "--any-app", "--postback-keys", fifo],
                        ["--postbacks", self.sqlite("p.db"), "--any-app", "--postback-model", f"0={fifo}"],
                        ["--postbacks", self.sqlite("p.db"), "--any-app", "--networks", fifo]):
            for check in [], ["--check"]:
                ended = skan("serve", "--listen", "127.0.0.1:0", *options, *check)
                self.assertEqual(ended.code, 1, ended)
                self.assertIn("expected a regular file", ended.out + ended.err)

    def test_a_fifo_changes_nothing_at_a_reload(self):
        key = self.secret("key", KEY)
        server = self.serve("--model", MIXED, "--key", f"file:{key}")
        self.fifo("key")
        self.assertIn("expected a regular file", self.read_again(server))
        self.assertEqual(server.ask(**items4()).document["status"], "ok")


class Limits(ServeCase):
    def test_a_file_that_may_not_grow_is_an_error_of_the_store(self):
        """Seen: SIGXFSZ ended the server."""
        limited = self.folder / "limited"
        limited.write_text(f'#!/bin/sh\nulimit -f 128\nexec {COMMAND} "$@"\n')
        limited.chmod(0o700)
        server = self.serve("--model", MIXED, "--store", self.sqlite("counts.db"), "--log", "nothing",
                            command=str(limited))
        number = 0
        statuses = set()
        while 503 not in statuses:
            number += 1
            self.assertLess(number, 10_000)
            statuses.add(server.ask(**items4(idfv=f"user-{number}")).status)
        self.assertEqual(statuses, {200, 503})
        self.assertEqual(server.get("/healthz").status, 200)

    def test_too_few_files_are_refused_at_the_start(self):
        for check in "", "--check":
            ended = subprocess.run(
                ["sh", "-c", f'ulimit -n 16; exec "$@" {check}', "sh", COMMAND, "serve", "--listen", "127.0.0.1:0"],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment(), timeout=60, check=False)
            self.assertEqual(ended.returncode, 1, ended.stdout)
            self.assertIn("expected at least 64 open files (ulimit -n), got 16", ended.stdout)


class Clock(ServeCase):
    def test_a_clock_file_that_is_cut_is_an_error(self):
        """Seen: SIGBUS, and a trap at the least number."""
        server = self.serve("--model", MIXED)
        whole = server.clock.read_bytes()
        for told in whole[:3], b"", b"\0" * 7 + b"\x80":
            with open(server.clock, "r+b") as file:
                file.truncate(0)
                file.write(told)
            self.assertEqual(server.ask(**items4()).status, 503, told)
        with open(server.clock, "r+b") as file:
            file.write(whole)
        self.assertEqual(server.ask(**items4()).status, 200)

    def test_a_clock_file_that_tells_no_time_is_refused(self):
        clock = self.folder / "clock"
        for told in b"", b"1234", b"\0" * 7 + b"\x80":
            clock.write_bytes(told)
            ended = skan("serve", "--listen", "127.0.0.1:0", "--clock", clock)
            self.assertEqual(ended.code, 1, ended)
            self.assertIn("expected eight bytes", ended.err)


class Proxies(ServeCase):
    def test_a_trusted_proxy_means_that_others_reach_it(self):
        ended = skan("serve", "--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1/32")
        self.assertEqual(ended.code, 2, ended)
        self.assertIn("--trusted-proxy: expected --key or --any-key", ended.err)
        key = self.secret("key", KEY)
        for options in ["--any-key"], ["--key", f"file:{key}"]:
            server = self.serve("--trusted-proxy", "127.0.0.1/32", *options)
            self.assertEqual(server.get("/healthz").status, 200)
