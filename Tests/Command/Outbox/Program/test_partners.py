"""Partners are told of counted postbacks: what they are told, when, and what becomes of it where they do not answer."""

import hashlib
import json
import socket
import threading
import time

from outbox_tools import ATTRIBUTION_KIT, SKADNETWORK, OutboxCase, partner_id
from server_tools import MIXED, NOW
from signer import NETWORK, OTHER_NETWORK, attribution_kit, skadnetwork
from tools import faults, outbox_entry, skan

ALL = [
    "id", "network", "ad_network_id", "framework", "version", "transaction_id", "campaign_id", "source_identifier",
    "source_app_id", "source_domain", "app_id", "postback_sequence_index", "conversion_value",
    "coarse_conversion_value", "did_win", "redownload", "conversion_type", "fidelity_type", "ad_interaction_type",
    "country_code", "received", "decoding", "model", "events", "revenue_kind", "revenue_min", "revenue_max", "currency",
]
DAY = 86400
FAST = ("--partner-pause", "20", "--partner-longest-pause", "100", "--partner-timeout", "30000", "--partner-search", "1")


def microseconds(later):
    """The moment so many seconds from now, as entries have it."""
    return int((time.time() + later) * 1_000_000)


class WhatTheyAreTold(OutboxCase):
    def told(self, body, *options, path=SKADNETWORK):
        partner = self.partner()
        networks = self.networks(partner, items="&".join(f"{name}={{{name}}}" for name in ALL))
        server = self.receive("--postback-model", f"{NOW - 100 * 86400}={MIXED}", *options, networks=networks)
        self.assertEqual(self.outcome(server, body, path), (200, "counted"))
        self.eventually(lambda: partner.calls)
        return partner.calls[0], server

    def test_events_revenue_and_texts_as_they_are(self):
        number = "1&key=stolen#/../\u00e9 %41+{id}\"'?;=\\"
        told, server = self.told(skadnetwork(number, **{"conversion-value": 21}))
        (key,) = self.stored("postback/")
        expected = {
            "id": partner_id(key), "network": "example", "ad_network_id": NETWORK,
            "transaction_id": f"transaction-{number}", "conversion_value": "21", "received": str(NOW),
            "decoding": "decoded", "events": "tutorial_complete", "revenue_kind": "all", "revenue_min": "1",
            "revenue_max": "5", "currency": "USD",
        }
        self.assertEqual({name: told[name] for name in expected}, expected)
        self.assertEqual(told["model"], hashlib.sha256(MIXED.read_bytes()).hexdigest())
        self.assertRegex(told["?"], r"^/told\?key=\w+(&\w+=[A-Za-z0-9%._~-]*)+$")
        self.eventually(lambda: not self.stored("outbox/"))
        self.eventually(lambda: server.metrics()["skan_outbox_waiting", ""] == 0)
        self.assertEqual(server.metrics()["skan_outbox_delivered_total", ""], 1)

    def test_a_reengagement_is_told_by_its_own_model_or_by_none(self):
        body = attribution_kit(1, conversion_type="re-engagement", **{"conversion-value": 21})
        told, _ = self.told(body, path=ATTRIBUTION_KIT)
        self.assertEqual({told[name] for name in ("model", "events", "revenue_min")}, {""})
        self.assertEqual((told["conversion_type"], told["decoding"]), ("re-engagement", "none"))
        self.assertEqual(told["conversion_value"], "21")
        newer = self.newer_model()
        taps = ("--reengagement-model", f"{NOW - 100 * 86400}={newer}")
        body = attribution_kit(2, conversion_type="reengagement", **{"conversion-value": 21})
        told, _ = self.told(body, *taps, path=ATTRIBUTION_KIT)
        self.assertEqual((told["conversion_type"], told["decoding"]), ("re-engagement", "decoded"))
        self.assertEqual((told["model"], told["events"]),
                         (hashlib.sha256(newer.read_bytes()).hexdigest(), "tutorial_complete"))
        told, _ = self.told(skadnetwork(3, **{"conversion-value": 21}), *taps)
        self.assertEqual((told["decoding"], told["model"]),
                         ("decoded", hashlib.sha256(MIXED.read_bytes()).hexdigest()))

    def test_between_two_models_nothing_is_guessed(self):
        newer = f"{NOW - 3 * 86400}={self.newer_model()}"
        told, _ = self.told(skadnetwork(1, **{"conversion-value": 21}), "--postback-model", newer)
        self.assertEqual((told["decoding"], told["events"], told["conversion_value"]), ("ambiguous", "", "21"))

    def newer_model(self):
        file = self.folder / "newer.json"
        file.write_text(json.dumps({**json.loads(MIXED.read_text()), "id": "mixed-2"}))
        return file

    def test_each_partner_of_a_network_and_no_other(self):
        partners = [self.partner(), self.partner(), self.partner()]
        server = self.receive(networks=self.networks(*partners))
        self.outcome(server, skadnetwork(1))
        self.outcome(server, skadnetwork(2, OTHER_NETWORK))
        self.outcome(server, skadnetwork(3, "unknown789.skadnetwork"))
        self.outcome(server, json.dumps({**json.loads(skadnetwork(4)), "app-id": 1}).encode())
        self.outcome(server, skadnetwork(1))
        self.eventually(lambda: all(partner.calls for partner in partners))
        self.eventually(lambda: not self.stored("outbox/"))
        self.assertEqual(self.outcome(server, skadnetwork(1)), (200, "duplicate"))
        self.assertEqual(self.stored("outbox/"), [])
        for index, partner in enumerate(partners):
            ((told, times),) = partner.ids().items()
            self.assertEqual((told[64:], times), (f"-partner{index}", 1))


class Prepared(OutboxCase):
    """An entry is written before its postback is counted, and a process may end between the two."""

    def prepare(self, number, age):
        """What such a process leaves behind; the key of the postback."""
        server = self.receive()
        server.stop()
        digest = hashlib.sha256(f"never-{number}".encode()).hexdigest()
        created = microseconds(-age)
        self.put_entry(digest, state="prepared", attempts=0, created=created, due=created)

    def test_entries_are_there_before_the_postback(self):
        server = self.receive(*FAST, networks=self.networks(self.partner(), self.partner()))
        body = skadnetwork(1)
        self.refuse_postbacks()
        self.assertEqual(self.outcome(server, body), (503, "store"))
        self.assertEqual([(entry["state"], entry["attempts"]) for entry in self.outbox()], [("prepared", 0)] * 2)
        self.execute("DROP TRIGGER full")
        self.assertEqual(self.outcome(server, body), (200, "counted"))
        self.eventually(lambda: not self.stored("outbox/"))

    def test_what_is_not_counted_is_not_told(self):
        partner = self.partner()
        self.prepare(1, age=60)
        server = self.receive(*FAST, networks=self.networks(partner))
        self.outcome(server, skadnetwork(1))
        self.eventually(lambda: partner.calls and len(self.stored("outbox/")) == 1)
        self.assertNotIn(hashlib.sha256(b"never-1").hexdigest(), next(iter(partner.ids())))
        self.assertEqual([(entry["state"], entry["attempts"]) for entry in self.outbox()], [("prepared", 0)])
        self.eventually(lambda: server.metrics()["skan_outbox_waiting", ""] == 1)
        self.assertEqual([line for line in server.log() if line["event"] == "partner"], [])

    def test_after_a_day_it_is_given_up(self):
        self.prepare(1, age=86_500)
        self.receive(*FAST, networks=self.networks(self.partner()))
        self.eventually(lambda: not self.stored("outbox/"))

    def test_one_that_is_sent_again_after_a_day_is_not_given_up_meanwhile(self):
        server = self.receive(networks=self.networks(self.partner()))
        body, digits = self.digits(server)
        # The server's first search is over: it knows nothing of this entry, another process may be giving it up.
        self.eventually(lambda: server.metrics()["skan_outbox_waiting", ""] == 0)
        created = microseconds(-2 * DAY)
        self.put_entry(digits, state="prepared", attempts=0, created=created, due=created)
        self.refuse_postbacks()
        self.assertEqual(self.outcome(server, body), (503, "store"))
        (entry,) = self.outbox()
        self.assertGreater(entry["created"], time.time() - DAY)

    def test_one_that_is_sent_again_soon_stays_as_it_is(self):
        server = self.receive(networks=self.networks(self.partner()))
        body, _ = self.digits(server)
        self.refuse_postbacks()
        self.assertEqual(self.outcome(server, body), (503, "store"))
        kept = self.records("postbacks.db")
        self.assertEqual(self.outcome(server, body), (503, "store"))
        self.assertEqual(self.records("postbacks.db"), kept)

    def digits(self, server):
        """A postback that is not counted, and what its keys end with."""
        body = skadnetwork(1)
        self.assertEqual(self.outcome(server, body), (200, "counted"))
        self.eventually(lambda: not self.stored("outbox/"))
        (key,) = self.stored("postback/")
        self.execute("DELETE FROM skan_records")
        return body, key.removeprefix("postback/")

    def refuse_postbacks(self):
        self.execute("CREATE TRIGGER full BEFORE INSERT ON skan_records WHEN CAST(NEW.key AS TEXT) LIKE 'postback/%'"
                     " BEGIN SELECT RAISE(ABORT, 'no room'); END")

    def test_one_from_a_clock_that_was_ahead_has_its_day_from_now(self):
        self.prepare(1, age=-365 * DAY)
        self.receive(*FAST, networks=self.networks(self.partner()))
        self.eventually(lambda: all(entry["created"] < time.time() + DAY for entry in self.outbox()))
        self.assertEqual(len(self.stored("outbox/")), 1)

    def test_one_that_was_tried_before_waits_for_its_postback(self):
        partner = self.partner()
        server = self.receive(*FAST, networks=self.networks(partner))
        body, digits = self.digits(server)
        before = len(partner.calls)
        self.put_entry(digits, created=microseconds(-2 * DAY))
        self.eventually(lambda: server.metrics()["skan_outbox_waiting", ""] == 1)
        # Another one that is looked at meanwhile: then the first one was, too.
        self.assertEqual(self.outcome(server, skadnetwork(2)), (200, "counted"))
        self.eventually(lambda: len(partner.calls) == before + 1)
        self.assertEqual([entry["state"] for entry in self.outbox() if entry["id"].startswith(digits)], ["waiting"])
        self.assertEqual(self.outcome(server, body), (200, "counted"))
        self.eventually(lambda: len(partner.calls) == before + 2 and not self.stored("outbox/"))

    def test_one_whose_process_ended_in_its_last_attempt_is_given_up(self):
        partner = self.partner()
        networks = self.networks(partner)
        partner.stop()
        server = self.receive(networks=networks)
        self.assertEqual(self.outcome(server, skadnetwork(1)), (200, "counted"))
        server.stop()
        (key,) = self.stored("postback/")
        self.put_entry(key.removeprefix("postback/"), attempts=3)
        partner.start()
        self.receive(*FAST, "--partner-attempts", "3", networks=networks)
        self.eventually(lambda: [entry["state"] for entry in self.outbox()] == ["dead"])
        (entry,) = self.outbox()
        self.assertEqual((entry["attempts"], entry["reason"]), (3, "no answer was written down"))
        self.assertEqual(partner.calls, [])

    def test_a_line_is_json_whatever_the_key_holds(self):
        self.receive().stop()
        key = f"outbox/{'a' * 64}/example/a\"b\\c".encode()
        self.put("postbacks.db", key, outbox_entry(key))
        self.assertEqual([entry["partner"] for entry in self.outbox()], ['a"b\\c'])

    def test_a_damaged_entry_stays_and_harms_nothing(self):
        self.prepare(1, age=60)
        self.execute("UPDATE skan_records SET record = ?", b'{"outbox":2}')
        partner = self.partner()
        server = self.receive(*FAST, networks=self.networks(partner))
        self.outcome(server, skadnetwork(1))
        self.eventually(lambda: partner.calls and len(self.stored("outbox/")) == 1)


class Search(OutboxCase):
    def test_it_reads_entries_and_no_postbacks(self):
        server = self.receive(*FAST, networks=self.networks(self.partner()))
        with self.database("postbacks.db") as database:
            database.executemany("INSERT INTO skan_records VALUES (?, ?, ?)", (
                (f"postback/{hashlib.sha256(bytes([number % 256, number // 256])).hexdigest()}".encode(), number + 1,
                 b"skpb" + bytes(1000)) for number in range(5_000)))

        def search(dead):
            self.put_entry(hashlib.sha256(bytes([dead])).hexdigest(), state="dead")
            self.eventually(lambda: server.metrics()["skan_outbox_dead", ""] == dead)

        search(1)
        before = server.bytes_read()
        search(2)
        self.assertLess(server.bytes_read() - before, 1_000_000)


class PartnersThatFail(OutboxCase):
    def test_down_then_up(self):
        partner = self.partner()
        networks = self.networks(partner)
        partner.stop()
        server = self.receive(*FAST, "--partner-attempts", "1000", networks=networks)
        for number in range(20):
            self.assertEqual(self.outcome(server, skadnetwork(number)), (200, "counted"))
        self.eventually(lambda: server.metrics()["skan_outbox_failed_total", ""] >= 20)
        self.assertEqual(server.metrics()["skan_outbox_waiting", ""], 20)
        self.assertTrue(any(entry["attempts"] and "127.0.0.1" in entry["reason"] for entry in self.outbox()))
        partner.start()
        self.eventually(lambda: len(partner.ids()) == 20)
        self.eventually(lambda: not self.stored("outbox/"))
        self.assertEqual(server.metrics()["skan_outbox_delivered_total", ""], 20)

    def test_pauses_double(self):
        partner = self.partner()
        partner.status = 500
        server = self.receive("--partner-pause", "100", "--partner-attempts", "5", networks=self.networks(partner))
        self.outcome(server, skadnetwork(1))
        self.eventually(lambda: len(partner.arrivals) == 5)
        pauses = [after - before for before, after in zip(partner.arrivals, partner.arrivals[1:])]
        # Drawn between a half and all of 100, 200, 400 and 800 ms; never shorter.
        for pause, least in zip(pauses, (0.05, 0.1, 0.2, 0.4)):
            self.assertGreaterEqual(pause, least * 0.99)

    def test_a_partner_that_asks_to_be_left_alone_is(self):
        partner, other = self.partner(), self.partner()
        partner.status, partner.headers = 429, {"Retry-After": "3"}
        server = self.receive(*FAST[:2], "--partner-longest-pause", "60000", "--partner-search", "1",
                              networks=self.networks(partner, other))
        self.outcome(server, skadnetwork(0))
        self.eventually(lambda: any("HTTP status 429" in entry["reason"] for entry in self.outbox()))
        partner.status = 200
        for number in range(1, 20):
            self.outcome(server, skadnetwork(number))
        self.eventually(lambda: len(other.ids()) == 20 and len(partner.ids(taken=True)) == 20)
        self.assertEqual(len(partner.calls), 21)
        self.assertGreaterEqual(partner.arrivals[1] - partner.arrivals[0], 2.9)

    def test_a_partner_is_left_alone_no_longer_than_for_the_longest_pause(self):
        partner = self.partner()
        partner.status, partner.headers = 503, {"Retry-After": "Fri, 31 Dec 2100 23:59:59 GMT"}
        server = self.receive(*FAST, "--partner-attempts", "1000", networks=self.networks(partner))
        self.outcome(server, skadnetwork(1))
        self.eventually(lambda: len(partner.calls) >= 3)

    def test_given_up_and_tried_again(self):
        partner = self.partner()
        partner.status = 503
        server = self.receive(*FAST, "--partner-attempts", "3", networks=self.networks(partner))
        self.outcome(server, skadnetwork(1))
        self.eventually(lambda: [entry["state"] for entry in self.outbox()] == ["dead"])
        self.assertEqual(set(partner.ids().values()), {3})
        (entry,) = self.outbox()
        self.assertEqual((entry["network"], entry["partner"], entry["attempts"]), ("example", "partner0", 3))
        self.assertIn("503", entry["reason"])
        self.eventually(lambda: server.metrics()["skan_outbox_dead", ""] == 1)
        self.assertEqual(server.metrics()["skan_outbox_failed_total", ""], 3)
        self.assertEqual(server.metrics()["skan_outbox_given_up_total", ""], 1)
        self.file("later").write_bytes(b"what another process made of it")
        accidents = faults("save-late=1", SKAN_TEST_RECORD=str(self.file("later")))
        kept = self.records("postbacks.db")
        self.assertEqual(skan("outbox", self.url, "--retry", **accidents).out,
                         "0 of 1 given up will be tried again, 1 changed meanwhile\n")
        for key, record in kept.items():
            self.put("postbacks.db", key, record)
        words = f"127.0.0.1:{partner.port}: HTTP status 503, attempt"
        told = [f"example/partner0 could not be delivered: {words} 1 of 3",
                f"example/partner0 is given up: {words} 3 of 3"]
        self.eventually(lambda: [line["message"] for line in server.log() if line["event"] == "partner"] == told)
        partner.status = 200
        self.assertEqual(skan("outbox", self.url, "--retry").out, "1 of 1 given up will be tried again\n")
        self.eventually(lambda: not self.stored("outbox/"))
        self.assertEqual(set(partner.ids().values()), {4})
        self.assertEqual(skan("outbox", self.url, "--retry").out, "0 of 0 given up will be tried again\n")
        self.eventually(lambda: server.metrics()["skan_outbox_dead", ""] == 0)

    def test_an_entry_that_is_gone_after_the_call_is_no_trouble(self):
        partner = self.partner()
        server = self.receive(*FAST, networks=self.networks(partner))
        with partner.lock:  # its answer waits
            self.assertEqual(self.outcome(server, skadnetwork(1)), (200, "counted"))
            self.eventually(lambda: server.metrics()["skan_outbox_in_flight", ""] == 1)
            self.execute("DELETE FROM skan_records WHERE CAST(key AS TEXT) LIKE 'outbox/%'")
        self.eventually(lambda: server.metrics()["skan_outbox_delivered_total", ""] == 1)
        self.eventually(lambda: server.metrics()["skan_outbox_waiting", ""] == 0)
        server.stop()
        self.assertEqual([line for line in server.log() if line["event"] == "outbox"], [])

    def test_every_status_of_success_is_taken(self):
        partner = self.partner()
        server = self.receive(*FAST, networks=self.networks(partner))
        for number, status in enumerate((200, 201, 202, 204, 299)):
            partner.status = status
            self.assertEqual(self.outcome(server, skadnetwork(number)), (200, "counted"))
            self.eventually(lambda: not self.stored("outbox/"))
            self.assertEqual(len(partner.calls), number + 1, status)
        self.assertEqual(server.metrics()["skan_outbox_failed_total", ""], 0)

    def test_the_reason_says_which_attempt_it_was(self):
        partner = self.partner()
        partner.status = 500
        server = self.receive(*FAST, "--partner-attempts", "3", networks=self.networks(partner))
        self.outcome(server, skadnetwork(1))
        self.eventually(lambda: [entry["state"] for entry in self.outbox()] == ["dead"])
        (entry,) = self.outbox()
        reason = f"127.0.0.1:{partner.port}: HTTP status 500, attempt 3 of 3"
        self.assertEqual((entry["attempts"], entry["reason"]), (3, reason))

    def test_any_other_status_is_tried_again(self):
        partner = self.partner()
        server = self.receive(*FAST, "--partner-attempts", "1000", networks=self.networks(partner))
        for number, status in enumerate((302, 404, 500)):
            partner.status = status
            self.outcome(server, skadnetwork(number))
            enough = len(partner.calls) + 2
            self.eventually(lambda enough=enough: len(partner.calls) >= enough)
        partner.status = 200
        self.eventually(lambda: not self.stored("outbox/"))

    def test_an_answer_of_200_counts_whatever_its_body(self):
        partner = self.partner()
        partner.body = bytes(1 << 20)
        server = self.receive(*FAST, networks=self.networks(partner))
        self.assertEqual(self.outcome(server, skadnetwork(1)), (200, "counted"))
        self.eventually(lambda: not self.stored("outbox/"))
        self.assertEqual((len(partner.calls), server.metrics()["skan_outbox_failed_total", ""]), (1, 0))

    def test_a_clock_that_was_ahead_delays_nothing(self):
        partner = self.partner()
        networks = self.networks(partner)
        partner.status = 500
        server = self.receive(networks=networks)
        self.assertEqual(self.outcome(server, skadnetwork(1)), (200, "counted"))
        self.eventually(lambda: [entry["attempts"] for entry in self.outbox()] == [1])
        server.stop()
        (key,) = self.stored("postback/")
        later = microseconds(365 * DAY)
        self.put_entry(key.removeprefix("postback/"), created=later, due=later)
        partner.status = 200
        self.receive(*FAST, networks=networks)
        self.eventually(lambda: not self.stored("outbox/"))
        self.assertEqual(len(partner.ids(taken=True)), 1)

    def test_two_servers_on_a_store_tell_once(self):
        partner = self.partner()
        networks = self.networks(partner)
        partner.stop()
        # None is given up before both have found all.
        servers = [self.receive(*FAST, "--partner-attempts", "1000", networks=networks) for _ in range(2)]
        for number in range(30):
            self.outcome(servers[number % 2], skadnetwork(number))
        self.eventually(lambda: all(server.metrics()["skan_outbox_waiting", ""] == 30 for server in servers))
        partner.start()
        self.eventually(lambda: not self.stored("outbox/"))
        self.assertEqual(sorted(partner.ids().values()), [1] * 30)

    def test_a_silent_partner_does_not_hold_up_others(self):
        listener = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.addCleanup(listener.close)
        other = self.partner()
        silent = type("Silent", (), {"port": listener.getsockname()[1]})
        server = self.receive("--partner-timeout", "30000", "--grace", "1", networks=self.networks(silent, other))
        for number in range(100):
            self.assertEqual(self.outcome(server, skadnetwork(number)), (200, "counted"))
        self.eventually(lambda: len(other.ids()) == 100)
        # The last answer of the other has been sent, and may be on its way.
        self.eventually(lambda: len(self.stored("outbox/")) == 100)
        self.eventually(lambda: 0 < server.metrics()["skan_outbox_in_flight", ""] <= 16)

    def test_a_partner_that_answers_within_the_grace_is_told_once(self):
        partner = self.partner()
        server = self.receive("--grace", "60", networks=self.networks(partner))
        with partner.lock:  # its answer waits
            self.assertEqual(self.outcome(server, skadnetwork(1)), (200, "counted"))
            self.eventually(lambda: server.metrics()["skan_outbox_in_flight", ""] == 1)
            server.process.terminate()
            self.eventually(lambda: any(line["event"] == "stopping" for line in server.log()))
            # Long enough for whatever would not wait for the answer.
            time.sleep(1)
            self.assertIsNone(server.process.poll())
        # Another signal would end the server at once.
        self.assertEqual(server.process.wait(60), 0)
        self.assertEqual(list(partner.ids().values()), [1])
        self.assertEqual(self.stored("outbox/"), [])

    def test_the_end_waits_for_a_call_and_no_longer_than_the_grace(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        accepted = []
        thread = threading.Thread(target=lambda: accepted.append(listener.accept()))
        thread.start()
        networks = self.networks(type("Silent", (), {"port": listener.getsockname()[1]}))
        server = self.receive("--grace", "1", "--partner-timeout", "60000", networks=networks)
        self.outcome(server, skadnetwork(1))
        thread.join(60)
        self.assertTrue(accepted)
        self.assertEqual(server.stop(), 0)
        accepted[0][0].close()
        # It was not its failure: tried again at once by whoever comes next.
        (entry,) = self.outbox()
        self.assertEqual((entry["state"], entry["attempts"]), ("waiting", 0))
