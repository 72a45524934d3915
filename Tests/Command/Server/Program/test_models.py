"""What a change of its model does to the users who began with it: nothing."""

import itertools
import json
import os
import threading

from server_tools import KEY, MIXED, NOW, SKAN3, ServeCase, items3, items4, running
from tools import skan

NEW_KEY = "sdkey_new_0f9e8d7c6b"


class ModelCase(ServeCase):
    """A model gives all of its users one value, by which it is known."""

    def setUp(self):
        super().setUp()
        self.served = self.folder / "model.json"

    def write(self, value, **changes):
        self.served.write_text(json.dumps(
            {"schema": 1, "id": f"gives {value}", "windows": [{"rules": [{"fine": value, "when": {}}]},
                                                               {"rules": []}, {"rules": []}], **changes}))

    def start(self, *options, **more):
        return self.serve("--model", self.served, *options, **more)

    def value(self, server, user, **more):
        """Its fine value, whatever its app had before; None: it gets no new one."""
        return self.answer(server, user, **more).get("conversion_value")

    def answer(self, server, user, **more):
        return server.ask(**items4(idfv=user, **more)).document

    def changed_to(self, server, value):
        self.write(value)
        self.assertIn("read again: 1 changes", self.read_again(server))


class Changed(ModelCase):
    def test_users_stay_with_the_model_that_they_began_with(self):
        for options in [], ["--store", self.sqlite("counts.db")]:
            self.write(11)
            server = self.start(*options)
            self.assertEqual(self.value(server, "first"), 11)
            self.changed_to(server, 22)
            self.assertEqual(self.value(server, "first"), 11)
            self.assertEqual(self.value(server, "second"), 22)
            self.changed_to(server, 33)
            values = [self.value(server, user) for user in ("first", "second", "third")]
            self.assertEqual(values, [11, 22, 33])

    def test_another_process_on_the_same_store_has_the_model_too(self):
        store = ["--store", self.sqlite("counts.db")]
        self.write(11)
        before = self.start(*store)
        self.assertEqual(self.value(before, "first"), 11)
        self.write(22)
        beside = self.start(*store)
        self.assertEqual([self.value(beside, user) for user in ("first", "second")], [11, 22])
        # The older server has never seen the other's model.
        self.assertEqual([self.value(before, user) for user in ("first", "second", "third")], [11, 22, 11])
        before.stop()
        beside.stop()
        self.write(33)
        after = self.start(*store)
        self.assertEqual([self.value(after, user) for user in ("first", "second", "fourth")], [11, 22, 33])

    def test_a_new_install_of_a_user_begins_with_the_new_model(self):
        self.write(11)
        server = self.start("--store", self.sqlite("counts.db"))
        self.assertEqual(self.value(server, "first"), 11)
        self.changed_to(server, 22)
        self.assertEqual(self.value(server, "first", skan_first_call_to_skadnetwork_timestamp=NOW - 60,
                                    skan_last_call_to_skadnetwork_timestamp=NOW - 60), 22)

    def test_an_app_without_a_model_for_new_users_keeps_its_old_ones(self):
        for options in [], ["--store", self.sqlite("counts.db")]:
            self.write(11)
            server = self.start(*options)
            self.assertEqual(self.value(server, "first"), 11)
            self.served.write_bytes(SKAN3.read_bytes())
            self.assertIn(f"changed --model {self.served}", self.read_again(server))
            self.assertEqual(self.value(server, "first"), 11)
            self.assertIn("Conversion Model not found", self.answer(server, "second")["reason"])

    def test_a_test_endpoint_keeps_the_users_of_a_model(self):
        self.served.write_bytes(SKAN3.read_bytes())
        server = self.start("--store", self.sqlite("counts.db"))
        revenue = {"total_revenue_by_currency": '{"USD":50}'}
        first = server.ask(3, **items3(idfv="first", **revenue)).document
        self.write(11)
        self.read_again(server)
        self.assertEqual(server.ask(3, **items3(idfv="first", **revenue)).document, first)
        # 0, 1, 2, then none, with fewer items.
        tested = [server.ask(3, **items3(a=None, i=None, idfv="second")).document["conversion_value"] for _ in range(4)]
        self.assertEqual(tested, [0, 1, 2, ""])
        self.assertEqual(server.ask(3, **items3(idfv="first", **revenue)).document, first)

    def test_the_log_says_how_many_users_stay(self):
        self.write(11)
        server = self.start()
        for user in "abc":
            self.value(server, user)
        self.changed_to(server, 22)
        self.eventually(lambda: any(line["event"] == "model" for line in server.log()))
        [said] = [line["message"] for line in server.log() if line["event"] == "model"]
        self.assertRegex(said, r"^3 users stay with the older model gives 11 \([0-9a-f]{12}\)$")


class Kept(ModelCase):
    """The records of models in the store."""

    def keys(self, name="counts.db"):
        return [key for key in self.records(name) if key.startswith(b"model/")]

    def served_once(self):
        self.write(11)
        server = self.start("--store", self.sqlite("counts.db"))
        self.assertEqual(self.value(server, "first"), 11)
        server.stop()

    def test_a_model_that_the_store_does_not_take_is_not_served(self):
        self.write(11)
        server = self.start("--store", self.sqlite("counts.db"))
        with self.database("counts.db") as database:
            database.execute("CREATE TRIGGER full BEFORE INSERT ON skan_records BEGIN SELECT RAISE(ABORT, 'full'); END")
        self.write(22)
        self.assertRegex(self.read_again(server), "^not read again, all stays as it was: --store: the model gives 22 "
                                                  "could not be kept in sqlite:")
        refused = skan("serve", "--listen", "127.0.0.1:0", "--model", self.served, "--store", self.sqlite("counts.db"))
        self.assertEqual(refused.code, 1)
        self.assertIn("could not be kept", refused.err)

    def test_a_store_that_cannot_be_read_is_no_unknown_model(self):
        self.served_once()
        self.write(22)
        server = self.start("--store", self.sqlite("counts.db"))
        [kept] = [key for key in self.keys() if b"gives 11" in self.records("counts.db")[key]]
        self.put("counts.db", kept, b"skmd\x02newer")
        self.assertEqual(server.ask(**items4(idfv="first")).status, 500)
        self.put("counts.db", kept, b"skmd\x01damaged")
        self.assertEqual(server.ask(**items4(idfv="first")).status, 500)

    def test_commands_know_them(self):
        self.served_once()
        store, copy = self.sqlite("counts.db"), self.sqlite("copy.db")
        self.assertEqual(self.succeeded(skan("check", store)).out,
                         "found 1 install and 1 model\n2 records read, 0 damaged, 0 too new\n")
        self.assertEqual(self.succeeded(skan("export", store)).err, "")
        for said in "1 install and 1 model copied\n", "0 installs copied, 2 already there\n":
            self.assertEqual(self.succeeded(skan("move", "--keep", store, copy)).out, said)
        self.assertEqual(self.records("copy.db"), self.records("counts.db"))
        purged = self.succeeded(skan("purge", store, "--closed-before", 0))
        self.assertEqual((purged.out, purged.err), ("1 record read, 1 removed\n", ""))
        self.assertEqual(len(self.keys()), 1)
        # A server on the copy has the model from there.
        self.write(22)
        self.assertEqual(self.value(self.start("--store", copy), "first"), 11)

    def test_check_names_a_model_that_is_none(self):
        self.served_once()
        [key] = self.keys()
        whole = self.records("counts.db")[key]
        self.assertEqual(whole, b"skmd\x01" + self.served.read_bytes())
        for record, words in [(whole[:-1], "damaged"), (b"skmd\x02" + whole[5:], "too new"), (b"skmd", "damaged")]:
            self.put("counts.db", key, record)
            self.assertIn(f"{key.decode()}: {words}: ", self.succeeded(skan("check", self.sqlite("counts.db")), 1).out)
        self.put("counts.db", key, whole)
        self.put("counts.db", b"player", whole)
        self.assertIn("player: wrong name: a model is under model/", skan("check", self.sqlite("counts.db")).out)

    def test_check_of_the_configuration_tells_of_users_with_other_models(self):
        self.served_once()
        self.write(22)
        options = ["serve", "--check", "--model", self.served, "--store", self.sqlite("counts.db"), "--clock"]
        clock = self.folder / "clock"
        clock.write_bytes((NOW * 1_000_000).to_bytes(8, "little"))
        [key] = self.keys()
        version = key.decode().removeprefix("model/")[:12]
        self.assertIn(f"skan: 1 user stays with the kept model gives 11 ({version})",
                      self.succeeded(skan(*options, clock)).lines())
        with self.database("counts.db") as database:
            database.execute("DELETE FROM skan_records WHERE key = ?", (key,))
        self.assertIn(f"skan: 1 user began with the model {version}, which is not given and was never kept: expected it as "
                      "one more --model", self.succeeded(skan(*options, clock)).lines())
        clock.write_bytes(((NOW + 40 * 86_400) * 1_000_000).to_bytes(8, "little"))
        self.assertNotIn(version, self.succeeded(skan(*options, clock)).out)


class UnderLoad(ModelCase):
    """Everything that a reload reads changes, breaks and comes back while users ask."""

    def test_no_user_gets_a_wrong_answer(self):
        key, stays = self.secret("key", KEY), "sdkey_that_stays_9a"
        networks = self.folder / "networks.json"
        networks.write_text(json.dumps({"networks": [{"name": "n0", "ad_networks": ["a"]}]}))
        self.write(60)
        server = self.start("--key", f"file:{key}", "--key", f"file:{self.secret('other', stays)}",
                            "--store", self.sqlite("counts.db"), "--postbacks", self.sqlite("p.db"), "--any-app",
                            "--networks", networks, "--log", "errors")
        generation, is_over, wrong, count = itertools.count(1), threading.Event(), [], itertools.count()
        reloads = int(os.environ.get("SKAN_RELOADS", "2"))

        def ask(thread):
            known = {}
            while not is_over.is_set():
                user = f"user {thread} {next(count) % 50}"
                answer = server.ask(**items4(a=stays, idfv=user))
                value = answer.document.get("conversion_value")
                # The first answer says which model the user has.
                if answer.status != 200 or value != known.setdefault(user, value) or value is None:
                    wrong.append((user, known[user], answer))

        def whole():
            self.write(1 + next(generation) % 59)
            self.secret("key", (KEY, NEW_KEY)[next(generation) % 2])
            networks.write_text(json.dumps({"networks": [{"name": f"n{next(generation)}", "ad_networks": ["a"]}]}))

        broken = [lambda: self.served.write_text("{"), self.served.unlink, lambda: networks.write_text("[]"),
                  networks.unlink, lambda: key.chmod(0o644), key.unlink]
        with running(*[lambda thread=thread: ask(thread) for thread in range(8)]):
            try:
                for spoil in broken * reloads:
                    whole()
                    self.assertIn("read again: ", self.read_again(server))
                    spoil()
                    self.assertIn("not read again, all stays as it was: ", self.read_again(server))
            finally:
                is_over.set()
        self.assertEqual(wrong[:3], [])
        asked = next(count)
        self.assertGreater(asked, 50)
        print(f"{asked} requests, {len(broken) * reloads} reloads taken and as many refused: {len(wrong)} wrong answers")
