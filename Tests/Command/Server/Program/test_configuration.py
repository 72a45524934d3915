"""What a server reads again on SIGHUP, all of it or nothing; and what --check says of it."""

import json
import os
import shutil
import tempfile
import threading
from pathlib import Path

from server_tools import KEY, MIXED, SECRETS, SKAN3, ServeCase, items4, running
from tools import skan

NEW_KEY = "sdkey_new_0f9e8d7c6b"
SECRETS += [NEW_KEY]


class ConfigurationCase(ServeCase):
    def setUp(self):
        super().setUp()
        self.key, self.served = self.secret("key", KEY), self.folder / "model.json"
        self.served.write_bytes(MIXED.read_bytes())

    def write_key(self, key):
        self.secret("key", key)

    def start(self, *options, **more):
        return self.serve("--model", self.served, "--key", f"file:{self.key}", *options, **more)

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
        self.assertIn("Conversion Model not found", server.ask(**items4(idfv="another")).reason)

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
        server = self.start("--key", f"file:{self.secret('other', 'sdkey_that_stays_9a')}")
        answers, is_over = [], threading.Event()

        def ask():
            while not is_over.is_set():
                answers.append(self.takes(server, "sdkey_that_stays_9a"))

        with running(*[ask] * 4):
            try:
                for turn in range(20):
                    self.write_key((NEW_KEY, KEY)[turn % 2])
                    self.assertIn("1 changes", self.read_again(server))
            finally:
                is_over.set()
        self.assertGreater(len(answers), 20)
        self.assertEqual(set(answers), {True})


class Check(ConfigurationCase):
    def check(self, *options, code=0):
        before = self.files()
        answer = self.succeeded(skan("serve", "--check", *options), code)
        self.assertEqual(self.files(), before)
        for secret in SECRETS:
            self.assertNotIn(secret, answer.out + answer.err)
        return answer

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
        for made in (", to be made at the start", ""):
            answer = self.check(*options)
            self.assertEqual(answer.err, "")
            self.assertEqual(answer.lines(), [
                f"--model {self.served}: fine", f"--key file:{self.key}: fine",
                f"--postback-model 0={self.served}: fine", "network example: fine", "tokens of example: fine",
                "partner example/p: fine",
                f"counts of installs in sqlite:{self.folder / 'u.db'}: fine{made}",
                f"postbacks in sqlite:{self.folder / 'p.db'}: fine{made}", "skan: the configuration is fine"])
            server = self.serve(*options)
            server.stop()
            self.assertEqual(server.stores, f"counts of installs in sqlite:{self.folder / 'u.db'}, "
                             f"postbacks in sqlite:{self.folder / 'p.db'}")

    def test_counts_without_a_store_are_in_memory(self):
        self.assertIn("counts of installs in memory: fine", self.check("--model", self.served).lines())
        self.assertEqual(self.serve("--model", self.served).stores, "counts of installs in memory")

    def test_postbacks_that_would_stay_undecoded_are_said(self):
        taken = ["--postbacks", f"sqlite:{self.folder / 'p.db'}", "--any-app"]
        skan3 = ["--model", SKAN3]
        other = self.folder / "other.json"
        other.write_text(json.dumps({**json.loads(MIXED.read_text()), "id": "other"}))
        words = "skan: postbacks are kept undecoded: give --postback-model FROM=FILE"
        for options, is_said in [([], True), (["--model", MIXED, "--model", other], True),
                                 (["--app", f"a={MIXED}"], True), (["--model", MIXED], False),
                                 (["--model", MIXED, *skan3], False), (skan3, False),
                                 (["--model", MIXED, "--model", other, "--postback-model", f"0={MIXED}"], False)]:
            told = [line for line in self.check(*taken, *options).lines() if line.startswith(words)]
            self.assertEqual(len(told), is_said, options)
        self.assertNotIn("undecoded", self.check("--model", MIXED).out)

    def test_it_listens_nowhere(self):
        server = self.start()
        self.check("--listen", f"127.0.0.1:{server.port}")

    def test_one_that_is_wrong_in_many_ways(self):
        bad = [{"name": "one", "ad_networks": ["a"], "tokens": ["env:NOT_THERE"], "partners": [
                    {"name": "p", "url": "ftp://x/?id={id}"}, {"name": "q", "url": "https://x/{id}"}]},
               {"name": "two", "ad_networks": ["a"]}, {"name": "Three", "ad_networks": ["c"]}]
        self.key.chmod(0o644)
        (self.folder / "not.db").write_text("this is no database")
        said = self.check("--model", self.folder / "none.json", "--key", f"file:{self.key}", "--networks",
                          self.networks({"networks": bad}), "--store", f"sqlite:{self.folder / 'none' / 'u.db'}",
                          "--postbacks", f"sqlite:{self.folder / 'not.db'}", "--any-app", "--postback-keys",
                          self.folder / "none.keys", code=1).err.splitlines()
        for words in ("none.json: No such file", "others may use it", "NOT_THERE is not set",
                      'partner "p": url: expected http', 'partner "q": url: ', '"a" is of network "one" too',
                      "networks[2]: ", "none/", "not.db: ", "none.keys: No such file"):
            self.assertEqual(len([line for line in said if words in line]), 1, (words, said))
        self.assertEqual(len(said), 10)

    def test_options_that_only_postbacks_have_a_use_for(self):
        networks = self.networks({"networks": [{"name": "one", "ad_networks": ["a.example"], "partners": []}]})
        campaigns = self.folder / "campaigns.csv"
        campaigns.write_text("network,identifier\n")
        keys = self.folder / "keys.json"
        keys.write_text('{"keys": []}')
        lonely = {"networks": networks, "campaigns": campaigns, "app-id": 1, "ad-network": "a.example",
                  "postback-model": f"0={MIXED}", "reengagement-model": f"0={MIXED}", "postback-keys": keys,
                  "refused-days": 30, "refused-bytes-in-all": 1, "partner-attempts": 1, "partner-pause": 1, "partner-longest-pause": 1,
                  "partner-timeout": 1, "partner-search": 1}
        for name, value in lonely.items():
            said = self.check(f"--{name}", value, code=2).err
            self.assertEqual(said, f"skan: --{name}: this option needs --postbacks\n")
        file = self.folder / "serve.options"
        file.write_text("refused-days = 30\n")
        self.assertIn("--refused-days: this option needs --postbacks", self.check("--options", file, code=2).err)
        self.check("--postbacks", f"sqlite:{self.folder / 'p.db'}", "--refused-days", 30, "--any-app")

    def test_a_file_of_campaigns_that_is_no_regular_file_is_refused_at_once(self):
        # Not in the folder whose files `check` reads.
        folder = Path(tempfile.mkdtemp(prefix="skan-command-"))
        self.addCleanup(shutil.rmtree, folder)
        os.mkfifo(folder / "fifo")
        taken = ("--postbacks", f"sqlite:{self.folder / 'p.db'}", "--any-app")
        for path, words in [("fifo", "expected a regular file"), ("", "Is a directory"), ("none", "No such file")]:
            file = folder / path
            self.assertIn(f"{file}: {words}", self.check(*taken, "--campaigns", file, code=1).err)

    def test_options_that_are_wrong(self):
        said = self.check("--threads", "many", "--nothing", "--listen", "0.0.0.0:80", "--log", "all", "--any-app",
                          "--model", self.folder / "none.json", "word", code=2).err.splitlines()
        for words in ("--threads: ", "--nothing: ", "--listen: expected --key", "--log: ",
                      "--any-app: this option needs --postbacks", "none.json: ", "word: "):
            self.assertEqual(len([line for line in said if words in line]), 1, (words, said))
        self.check("--admin", "localhost:80", code=2)
