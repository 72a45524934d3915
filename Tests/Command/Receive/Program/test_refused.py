"""skan refused and skan receive --refused: what is listed, and what is judged again, once and at its own arrival."""

import json
import os
import random
import signal
import subprocess
import time
from collections import Counter

from outbox_tools import TOKEN, OutboxCase
from signer import APP, NETWORK, OTHER_APP, OTHER_NETWORK, attribution_kit, keys_file, skadnetwork
from test_models_by_app import model
from test_receive_files import ReceiveCase, arrived, lines
from tools import COMMAND, environment, skan

# How many are judged again, and how often a run is killed meanwhile.
REFUSED = int(os.environ.get("SKAN_REFUSED", "12000"))
KILLS = 10
START = 1767225600


def utc(moment):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))


class RefusedCase(ReceiveCase):
    def setUp(self):
        super().setUp()
        self.keys = ["--postback-keys", keys_file(self.folder)]
        self.wrong, self.right = ["--app-id", OTHER_APP], ["--app-id", APP]

    def fill(self, *bodies, scope=None, code=1, first=START):
        """Receives these, each an hour after the one before."""
        content = lines(*(arrived(body, first + 3600 * number) for number, body in enumerate(bodies)))
        return self.succeeded(skan("receive", self.url, self.written("fill", content), *(scope or self.wrong),
                                   *self.keys, "--received-field", "received_at"), code)

    def again(self, *options, code=0, scope=None, keys=None):
        return self.succeeded(skan("receive", self.url, "--refused", *(scope or self.right), *(keys or self.keys),
                                   *options), code)

    def listed(self, *options):
        return self.succeeded(skan("refused", self.url, "--json", *options)).documents()

    def arrivals(self):
        return {row["transaction_id"]: row["received"] for row in self.rows()}


class Listed(RefusedCase):
    def setUp(self):
        super().setUp()
        forged = json.dumps({**json.loads(skadnetwork(2)), "app-id": OTHER_APP}).encode()
        newer = json.dumps({**json.loads(skadnetwork(3)), "version": "9.0"}).encode()
        self.bodies = {"other_app": skadnetwork(1), "invalid": forged, "unverifiable": newer,
                       "development": attribution_kit(4, kid="test-development/0"),
                       "other_network": skadnetwork(5, OTHER_NETWORK, app=OTHER_APP)}
        self.fill(*self.bodies.values(), scope=[*self.wrong, "--ad-network", NETWORK], code=0)

    def test_each_has_its_reason_place_arrival_and_network(self):
        found = self.listed()
        self.assertEqual([each["reason"] for each in found], list(self.bodies))
        self.assertEqual([each["received"] for each in found], [utc(START + 3600 * number) for number in range(5)])
        self.assertEqual(sorted(each["key"].encode() for each in found), sorted(self.records("p.db")))
        self.assertEqual([each["ad_network_id"] for each in found],
                         [NETWORK, NETWORK, NETWORK, NETWORK, OTHER_NETWORK])
        self.assertEqual([each["app_id"] for each in found], [APP, OTHER_APP, APP, APP, OTHER_APP])
        self.assertEqual([json.loads(each["body"])["received_at"] for each in found],
                         [START + 3600 * number for number in range(5)])
        self.assertTrue(all(each["sender"] is None and not each["is_cut"] for each in found))
        self.assertEqual(found[2]["problem"], 'version: this version is not known, got "9.0"')

    def test_the_table_says_the_same(self):
        said = self.succeeded(skan("refused", self.url)).lines()
        self.assertEqual(said[0].split(), ["ARRIVED", "REASON", "APP", "AD", "NETWORK", "KEY"])
        for line, each in zip(said[1:], self.listed()):
            self.assertEqual(line.split()[:5], [each["received"], each["reason"], str(each["app_id"]),
                                                each["ad_network_id"], each["key"]])
        self.assertEqual(said[-1], "5 refused postbacks: 1 invalid, 1 unverifiable, 1 signed with a development key, "
                                   "1 of another ad network, 1 of another app")

    def test_a_report_has_them_under_the_same_networks(self):
        expected = Counter((each["ad_network_id"], each["reason"]) for each in self.listed())
        (report,) = self.succeeded(skan("report", self.url, "--json")).documents()
        networks = report["data_quality"]["networks"]
        found = Counter({(each["network"], reason): count for each in networks
                         for reason, count in each["refused"].items() if count})
        self.assertEqual(found, expected)

    def test_they_are_selected_by_reason_app_network_and_arrival(self):
        for options, reasons in {
            ("--reason", "invalid", "--reason", "other_app"): ["other_app", "invalid"],
            ("--app", OTHER_APP): ["invalid", "other_network"],
            ("--network", OTHER_NETWORK): ["other_network"],
            ("--since", utc(START + 3600), "--until", utc(START + 3 * 3600)): ["invalid", "unverifiable"],
        }.items():
            self.assertEqual([each["reason"] for each in self.listed(*options)], reasons)
        said = self.succeeded(skan("refused", self.url, "--reason", "wrong"), 2).err
        self.assertIn("other_network or other_app", said)

    def test_a_store_without_any(self):
        self.url = self.sqlite("none.db")
        self.fill(skadnetwork(1), scope=self.right, code=0)
        self.assertEqual(self.succeeded(skan("refused", self.url)).out, "0 refused postbacks\n")
        self.assertEqual(self.listed(), [])


class JudgedAgain(RefusedCase):
    def test_after_a_wrong_app_id_each_is_counted_at_its_own_arrival(self):
        answer = self.fill(*(skadnetwork(number) for number in range(5)))
        self.assertIn(f"skan: nothing was counted: all 5 postbacks are of another app than --app-id names: {APP}; "
                      f"skan receive {self.url} --refused judges them again", answer.err)
        self.assertEqual(self.again().out, "5 refused postbacks judged again, 5 counted\n")
        self.assertEqual(self.arrivals(), {f"transaction-{number}": utc(START + 3600 * number) for number in range(5)})
        self.assertEqual(self.listed(), [])
        self.assertEqual(self.again().out, "0 refused postbacks judged again, 0 counted\n")

    def test_with_options_that_are_as_wrong_as_before_nothing_changes(self):
        self.fill(*(skadnetwork(number) for number in range(3)))
        before = self.records("p.db")
        answer = self.again(scope=self.wrong, code=1)
        self.assertEqual(answer.out, "3 refused postbacks judged again, 0 counted, 3 still refused: 3 of another app\n")
        self.assertIn(f"names: {APP}", answer.err)
        self.assertEqual(self.records("p.db"), before)

    def test_a_key_that_is_new_proves_what_could_not_be_verified(self):
        given = ["--postback-keys", keys_file(self.folder)]
        self.keys = []
        body = attribution_kit(1)
        self.fill(body, scope=self.right, code=0)
        self.assertEqual([each["reason"] for each in self.listed()], ["unverifiable"])
        self.assertEqual(self.again(keys=given).out, "1 refused postback judged again, 1 counted\n")
        self.assertEqual([row["received"] for row in self.rows()], [utc(START)])

    def test_another_reason_than_before_is_written_down(self):
        given = ["--postback-keys", keys_file(self.folder)]
        self.keys = []
        self.fill(attribution_kit(1), scope=self.right, code=0)
        self.again(scope=self.wrong, keys=given, code=1)
        self.assertEqual([(each["reason"], each["received"]) for each in self.listed()], [("other_app", utc(START))])
        self.again(scope=[*self.right, "--ad-network", OTHER_NETWORK], keys=given, code=1)
        self.assertEqual([(each["reason"], each["received"]) for each in self.listed()],
                         [("other_network", utc(START))])
        self.assertEqual(self.again(keys=given).out, "1 refused postback judged again, 1 counted\n")
        self.assertEqual(len(self.records("p.db")), 1)

    def test_only_those_refused_for_a_reason(self):
        self.fill(skadnetwork(1))
        self.fill(skadnetwork(2, OTHER_NETWORK), scope=[*self.right, "--ad-network", NETWORK])
        self.assertEqual(self.again("--reason", "other_network").out, "1 refused postback judged again, 1 counted\n")
        self.assertEqual([each["reason"] for each in self.listed()], ["other_app"])

    def test_what_was_counted_meanwhile_is_a_duplicate_and_keeps_its_arrival(self):
        self.fill(skadnetwork(1))
        self.fill(skadnetwork(1), scope=self.right, first=START + 86400, code=0)
        self.assertEqual(self.again().out, "1 refused postback judged again, 0 counted, 1 duplicate\n")
        self.assertEqual(self.arrivals(), {"transaction-1": utc(START + 86400)})
        self.assertEqual(self.listed(), [])

    def test_of_copies_with_other_values_the_first_that_arrived_counts(self):
        values = [7, 5, 9]
        postback = json.loads(skadnetwork(1))
        self.fill(*(json.dumps({**postback, "conversion-value": value}).encode() for value in values))
        answer = self.again()
        self.assertEqual(answer.out, "3 refused postbacks judged again, 1 counted, 2 still refused: "
                                     "2 in conflict with a counted one\n")
        self.assertEqual([row["conversion_value"] for row in self.rows()], [7])
        self.assertEqual([each["reason"] for each in self.listed()], ["conflict"] * 2)
        self.assertEqual(self.again().out, "2 refused postbacks judged again, 0 counted, 2 still refused: "
                                           "2 in conflict with a counted one\n")

    def test_one_model_is_of_the_app_that_is_counted(self):
        one = model(self.folder, "one", 1)
        self.fill(*(skadnetwork(number, app=app, **{"conversion-value": 2})
                    for number, app in enumerate((OTHER_APP, APP, OTHER_APP))), scope=["--app-id", 1])
        answer = self.again("--model", one)
        self.assertEqual(answer.out, "3 refused postbacks judged again, 1 counted, 2 still refused: 2 of another app\n")
        self.assertEqual([row["decoding"] for row in self.rows()], ["decoded"])

    def test_one_model_for_two_apps_ends_the_run(self):
        one = model(self.folder, "one", 1)
        self.fill(skadnetwork(1), skadnetwork(2, app=OTHER_APP), scope=["--app-id", 1])
        answer = self.again("--model", one, scope=["--any-app"], code=1)
        self.assertIn(f"two apps, {APP} and {OTHER_APP}", answer.err)
        self.assertEqual(answer.out, "not all: 1 refused postback judged again, 1 counted\n")
        self.again("--model", f"{APP}={one}", scope=["--any-app"])
        self.assertEqual(self.listed(), [])

    def test_models_are_chosen_by_the_own_arrival_and_app(self):
        old, new = model(self.folder, "old", 1), model(self.folder, "new", 10)
        day = 86400
        for number, first in enumerate((START, START + 60 * day)):
            self.fill(skadnetwork(number, **{"conversion-value": 2}), first=first)
        given = [f"{APP}:0={old}", f"{APP}:{utc(START + 30 * day)}={new}"]
        self.again(*(word for each in given for word in ("--postback-model", each)))
        rows = self.succeeded(skan("postbacks", self.url, "--model", old, "--model", new)).documents()
        self.assertEqual(sorted((row["transaction_id"], row["revenue_min"]) for row in rows),
                         [("transaction-0", "1.00"), ("transaction-1", "10.00")])

    def test_what_is_wrong_with_the_command_line(self):
        for options, words in [
            (["--refused", "file"], "expected no files"), (["--reason", "invalid", "file"], "needs --refused"),
            (["--refused", "--tell-partners"], "expected --networks"), (["--refused", "--reason", "bad"], "malformed"),
            (["--refused", "--received-field", "a"], "keep their own arrival"),
        ]:
            self.assertIn(words, self.succeeded(skan("receive", self.url, *options, *self.right), 2).err)
        self.assertEqual(skan("receive", self.url, "--refused", *self.right).code, 1)
        self.assertFalse(self.file("p.db").exists())


class Killed(RefusedCase):
    def counted(self):
        with self.database("p.db") as database:
            return database.execute("SELECT count(*) FROM skan_records WHERE key BETWEEN ? AND ?",
                                    (b"postback/", b"postback0")).fetchone()[0]

    def test_each_is_counted_once_under_ten_kills(self):
        rounds = random.Random(45)
        expected = {}
        for first in range(0, REFUSED, 10000):
            bodies = [skadnetwork(number) for number in range(first, min(first + 10000, REFUSED))]
            content = lines(*(arrived(body, START + first + number) for number, body in enumerate(bodies)))
            expected |= {f"transaction-{first + number}": utc(START + first + number) for number in range(len(bodies))}
            answer = skan("receive", self.url, self.written("many", content), *self.wrong, *self.keys,
                          "--received-field", "received_at")
            self.assertIn("0 counted", answer.out)
        self.assertEqual(len(self.listed()), REFUSED)
        for kill in range(1, KILLS + 1):
            run = subprocess.Popen([COMMAND, "receive", self.url, "--refused", *map(str, self.right + self.keys)],
                                   env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            # Somewhere within its share, not where a batch ends.
            least = REFUSED * (kill - 1 + rounds.random()) / (KILLS + 1)
            while run.poll() is None and self.counted() < least:
                time.sleep(0.005)
            run.kill()
            run.communicate()
            if run.returncode == 0:
                break
            self.assertEqual(run.returncode, -signal.SIGKILL)
        self.again()
        self.assertEqual(self.arrivals(), expected)
        self.assertEqual(self.listed(), [])
        self.assertEqual(len(self.rows()), REFUSED)


class OverHTTP(OutboxCase):
    def again(self, *options):
        return self.succeeded(skan("receive", self.url, "--refused", "--app-id", APP, "--postback-keys", self.keys,
                                   *options))

    def test_what_is_no_postback_shows_its_fault_and_what_was_cut(self):
        server = self.receive()
        body = json.loads(skadnetwork(1))
        del body["postback-sequence-index"]
        self.assertEqual(self.outcome(server, json.dumps(body).encode())[1], "malformed")
        self.assertEqual(self.outcome(server, b"{" + b" " * 5000 + b"\xff}")[1], "malformed")
        self.assertEqual(self.outcome(server, b"\xff")[1], "malformed")
        server.stop()
        found = {each["body"][:4]: each for each in self.succeeded(skan("refused", self.url, "--json")).documents()}
        named, long, bad = found['{"ve'], found["{   "], found["\\xFF"]
        self.assertEqual([each["is_cut"] for each in (named, long, bad)], [False, True, False])
        self.assertIn("postback-sequence-index", named["problem"])
        self.assertEqual((len(long["body"]), bad["body"]), (2048, "\\xFF"))
        said = self.succeeded(skan("refused", self.url)).out
        self.assertIn("cut to 2048 bytes", said)
        self.assertIn("3 refused postbacks: 3 malformed; of 1 only 2048 bytes are kept, so they cannot be judged again",
                      said)
        self.assertIn("3 still refused: 3 malformed; of 1 only 2048 bytes", self.again().out)

    def test_what_stands_there_is_shown_without_what_a_terminal_would_obey(self):
        server = self.receive()
        for value, words in [(None, "null"), ("1\x9b31m", '"1\\xC2\\x9B31m"'), (["\x9b"], '"[\\"\\xC2\\x9B\\"]"')]:
            body = {**json.loads(skadnetwork(1)), "app-id": value}
            self.assertEqual(self.outcome(server, json.dumps(body, ensure_ascii=False).encode())[1], "malformed")
            (found,) = [each for each in skan("refused", self.url, "--json").documents()
                        if json.loads(each["body"])["app-id"] == value]
            self.assertEqual(found["problem"], f"app-id: expected a whole number of at most 64 bits, got {words}")
        server.stop()

    def test_what_was_cut_keeps_its_reason(self):
        server = self.receive()
        body = json.dumps({**json.loads(skadnetwork(1)), "app-id": OTHER_APP, "more": "x" * 3000}).encode()
        self.assertEqual(self.outcome(server, body)[1], "invalid")
        server.stop()
        (before,) = self.succeeded(skan("refused", self.url, "--json")).documents()
        self.assertTrue(before["is_cut"])
        self.assertIn("1 still refused: 1 invalid; of 1 only 2048 bytes", self.again().out)
        self.assertEqual(self.succeeded(skan("refused", self.url, "--json")).documents(), [before])

    def test_partners_are_told_only_if_that_is_asked_for(self):
        partner = self.partner()
        networks = self.networks(partner)
        server = self.receive("--partner-search", 1, networks=networks, scope=("--app-id", OTHER_APP))
        for number in range(2):
            self.assertEqual(self.outcome(server, skadnetwork(number)), (200, "other_app"))
        keys = [each["key"] for each in self.succeeded(skan("refused", self.url, "--json")).documents()]
        self.assertEqual(len(keys), 2)
        server.stop()
        with self.subTest("not asked for"):
            self.again("--reason", "invalid", "--networks", networks)
            self.assertEqual(self.stored("outbox/"), [])
        self.again("--networks", networks, "--tell-partners")
        self.assertEqual(len(self.stored("outbox/")), 2)
        server = self.receive("--partner-search", 1, networks=networks)
        self.eventually(lambda: len(partner.ids()) == 2)
        self.eventually(lambda: not self.stored("outbox/"))

    def test_without_being_asked_no_partner_is_told(self):
        partner = self.partner()
        networks = self.networks(partner)
        server = self.receive(networks=networks, scope=("--app-id", OTHER_APP))
        self.outcome(server, skadnetwork(1))
        server.stop()
        self.assertEqual(self.again("--networks", networks).out, "1 refused postback judged again, 1 counted\n")
        self.assertEqual(self.stored("outbox/"), [])

    def test_a_network_that_may_now_pass_it_on(self):
        path = f"/postbacks/example?token={TOKEN}"
        server = self.receive()
        self.assertEqual(self.outcome(server, skadnetwork(1, OTHER_NETWORK), path), (200, "other_network"))
        server.stop()
        networks = self.networks()
        self.assertIn("1 still refused", self.succeeded(skan(
            "receive", self.url, "--refused", "--app-id", APP, "--postback-keys", self.keys, "--networks", networks),
            1).out)
        document = json.loads(networks.read_text())
        document["networks"][0]["ad_networks"].append(OTHER_NETWORK)
        document["networks"].pop()
        networks.write_text(json.dumps(document))
        self.assertEqual(self.again("--networks", networks).out, "1 refused postback judged again, 1 counted\n")
        rows = self.succeeded(skan("postbacks", self.url)).documents()
        self.assertEqual([row["sender"] for row in rows], [OTHER_NETWORK])


class OneReason(RefusedCase):
    """Where nothing is counted, and all for one reason, people see it."""

    def test_each_reason_is_named(self):
        forged = json.dumps({**json.loads(skadnetwork(1)), "app-id": 1}).encode()
        newer = json.dumps({**json.loads(skadnetwork(2)), "version": "9.0"}).encode()
        for number, (body, scope, code, words) in enumerate([
            (skadnetwork(1), self.wrong, 1, f"than --app-id names: {APP};"),
            (skadnetwork(1), [*self.right, "--ad-network", OTHER_NETWORK], 1, f"than is expected: {NETWORK};"),
            (forged, self.right, 0, "signed wrongly"), (newer, self.right, 0, "--postback-keys"),
            (attribution_kit(3, kid="test-development/0"), self.right, 0, "signed with a development key"),
        ]):
            self.url = self.sqlite(f"{number}.db")
            answer = self.fill(body, scope=scope, code=code)
            self.assertIn("skan: nothing was counted: the postback is ", answer.err)
            self.assertIn(words, answer.err)

    def test_of_many_apps_three_are_named(self):
        answer = self.fill(*(skadnetwork(number, app=100 + number) for number in range(5)))
        self.assertIn("names: 100, 101, 102 and others;", answer.err)

    def test_nothing_is_said_if_one_is_counted_or_reasons_differ(self):
        self.assertNotIn("nothing was", self.fill(skadnetwork(1), skadnetwork(2, app=OTHER_APP), code=0).err)
        newer = json.dumps({**json.loads(skadnetwork(2)), "version": "9.0"}).encode()
        self.assertNotIn("nothing was", self.fill(skadnetwork(3), newer, code=0).err)
        self.assertNotIn("nothing was", self.fill(skadnetwork(2, app=OTHER_APP), code=0).err)
