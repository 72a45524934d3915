"""What a server reads again on SIGHUP, all of it or nothing; and what --check says of it."""

import json
import os
import signal
import subprocess
import threading

from server_tools import KEY, MIXED, SECRETS, SKAN3, ServeCase, items4
from tools import COMMAND, environment

NEW_KEY = "sdkey_new_0f9e8d7c6b"
SECRETS += [NEW_KEY]


class ConfigurationCase(ServeCase):
    def setUp(self):
        super().setUp()
        self.key, self.served = self.folder / "key", self.folder / "model.json"
        self.write_key(KEY)
        self.served.write_bytes(MIXED.read_bytes())

    def write_key(self, key):
        self.key.write_text(key + "\n")
        self.key.chmod(0o600)

    def start(self, *options, **more):
        return self.serve("--model", self.served, "--key", f"file:{self.key}", *options, **more)

    def said(self, server):
        """Whole lines alone: the log is being written."""
        lines = server.log_file.read_text().split("\n")[:-1]
        return [line["message"] for line in map(json.loads, lines) if line["event"] == "configuration"]

    def read_again(self, server):
        before = len(self.said(server))
        server.process.send_signal(signal.SIGHUP)
        self.eventually(lambda: len(self.said(server)) > before)
        return self.said(server)[before]

    def takes(self, server, key):
        return server.ask(**items4(a=key)).document["status"] == "ok"


class ReadAgain(ConfigurationCase):
    def test_the_new_key_counts_and_the_old_is_refused(self):
        server = self.start()
        self.assertEqual((self.takes(server, KEY), self.takes(server, NEW_KEY)), (True, False))
        self.write_key(NEW_KEY)
        self.assertEqual((self.takes(server, KEY), self.takes(server, NEW_KEY)), (True, False))
        self.assertEqual(self.read_again(server),
                         f"read again: 1 changes, 2 parts: changed --key file:{self.key}")
        self.assertEqual((self.takes(server, KEY), self.takes(server, NEW_KEY)), (False, True))
        self.assertEqual(self.read_again(server), "read again: nothing changed in 2 parts")

    def test_a_new_model_decides(self):
        server = self.start()
        self.assertEqual(server.ask(**items4()).document["status"], "ok")
        self.served.write_bytes(SKAN3.read_bytes())
        self.assertIn(f"changed --model {self.served}", self.read_again(server))
        self.assertIn("Conversion Model not found", server.ask(**items4()).reason)

    def test_counts_in_memory_stay(self):
        server = self.start()
        server.ask(**items4())
        self.read_again(server)
        self.assertEqual(server.metrics()["skan_users", ""], 1)

    def test_a_bad_file_changes_nothing(self):
        server = self.start()
        self.write_key(NEW_KEY)
        for spoil, words in (
            (lambda: self.served.write_text("{"), f"{self.served}: "),
            (self.served.unlink, f"{self.served}: No such file"),
            (lambda: self.served.write_bytes(MIXED.read_bytes()) and self.key.chmod(0o640),
             f"{self.key}: others may use it: expected mode 600 or 400, got 640"),
            (lambda: self.key.chmod(0o600) or self.key.write_text("short"), "expected 16 to 256 bytes"),
        ):
            spoil()
            said = self.read_again(server)
            self.assertTrue(said.startswith("not read again, all stays as it was: "), said)
            self.assertIn(words, said)
            self.assertEqual((self.takes(server, KEY), self.takes(server, NEW_KEY)), (True, False))
        self.write_key(NEW_KEY)
        self.assertIn("read again: 1 changes", self.read_again(server))
        self.assertTrue(self.takes(server, NEW_KEY))

    def test_everything_that_is_wrong_is_said(self):
        server = self.start()
        self.served.write_text("{")
        self.key.unlink()
        self.read_again(server)
        self.eventually(lambda: len(self.said(server)) == 2)
        self.assertIn("--model", self.said(server)[0])
        self.assertIn("--key", self.said(server)[1])

    def test_no_request_is_lost_meanwhile(self):
        """Two keys take turns in the file of the one that changes; the other is good throughout."""
        other = self.folder / "other"
        other.write_text("sdkey_that_stays_9a")
        other.chmod(0o600)
        server = self.start("--key", f"file:{other}")
        answers, is_over = [], threading.Event()

        def ask():
            while not is_over.is_set():
                answers.append(self.takes(server, "sdkey_that_stays_9a"))

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for turn in range(20):
            self.write_key((NEW_KEY, KEY)[turn % 2])
            self.assertIn("1 changes", self.read_again(server))
        is_over.set()
        for thread in threads:
            thread.join()
        self.assertGreater(len(answers), 20)
        self.assertEqual(set(answers), {True})

    def test_a_file_that_hangs_holds_up_nothing_else(self):
        server = self.start("--grace", 1, ends=1)
        self.served.unlink()
        os.mkfifo(self.served)
        server.process.send_signal(signal.SIGHUP)
        self.assertTrue(self.takes(server, KEY))


class Check(ConfigurationCase):
    def check(self, *options):
        before = self.files()
        run = subprocess.run([COMMAND, "serve", "--check", *map(str, options)], capture_output=True, text=True,
                             env=environment(), timeout=60, check=False)
        self.assertEqual(self.files(), before)
        for secret in SECRETS:
            self.assertNotIn(secret, run.stdout + run.stderr)
        return run

    def files(self):
        return {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in sorted(self.folder.rglob("*"))}

    def networks(self, document):
        file = self.folder / "networks.json"
        file.write_text(json.dumps(document))
        return file

    def test_a_good_one(self):
        network = {"name": "example", "ad_networks": ["a.skadnetwork"], "tokens": [f"file:{self.key}"],
                   "partners": [{"name": "p", "url": f"https://partner.example/?key={NEW_KEY}&id={{id}}"}]}
        options = ["--model", self.served, "--key", f"file:{self.key}", "--store", f"sqlite:{self.folder / 'u.db'}",
                   "--postbacks", f"sqlite:{self.folder / 'p.db'}", "--any-app", "--postback-model",
                   f"0={self.served}", "--networks", self.networks({"networks": [network]})]
        for _ in range(2):
            run = self.check(*options)
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertEqual(run.stdout.splitlines(), [
                f"--model {self.served}: fine", f"--key file:{self.key}: fine",
                f"--postback-model 0={self.served}: fine", "network example: fine", "tokens of example: fine",
                "partner example/p: fine", "skan: the configuration is fine"])
            self.serve(*options).stop()

    def test_it_listens_nowhere(self):
        server = self.start()
        self.assertEqual(self.check("--listen", f"127.0.0.1:{server.port}").returncode, 0)

    def test_one_that_is_wrong_in_many_ways(self):
        bad = [{"name": "one", "ad_networks": ["a"], "tokens": ["env:NOT_THERE"], "partners": [
                    {"name": "p", "url": "ftp://x/?id={id}"}, {"name": "q", "url": "https://x/{id}"}]},
               {"name": "two", "ad_networks": ["a"]}, {"name": "Three", "ad_networks": ["c"]}]
        self.key.chmod(0o644)
        (self.folder / "not.db").write_text("this is no database")
        run = self.check("--model", self.folder / "none.json", "--key", f"file:{self.key}", "--networks",
                         self.networks({"networks": bad}), "--store", f"sqlite:{self.folder / 'none' / 'u.db'}",
                         "--postbacks", f"sqlite:{self.folder / 'not.db'}", "--any-app")
        self.assertEqual(run.returncode, 1, run.stderr)
        said = run.stderr.splitlines()
        for words in ("none.json: No such file", "others may use it", "NOT_THERE is not set",
                      'partner "p": url: expected http', 'partner "q": url: ', '"a" is of network "one" too',
                      "networks[2]: ", "none/", "not.db: "):
            self.assertEqual(len([line for line in said if words in line]), 1, (words, said))
        self.assertEqual(len(said), 9)

    def test_options_that_are_wrong(self):
        run = self.check("--threads", "many", "--nothing", "--listen", "0.0.0.0:80", "--log", "all", "--any-app",
                         "--model", self.folder / "none.json", "word")
        self.assertEqual(run.returncode, 2)
        for words in ("--threads: ", "--nothing: ", "--listen: expected --key", "--log: ",
                      "--any-app: expected --postbacks", "none.json: ", "word: "):
            self.assertEqual(len([line for line in run.stderr.splitlines() if words in line]), 1, (words, run.stderr))
        self.assertEqual(self.check("--admin", "localhost:80").returncode, 2)
