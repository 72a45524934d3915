"""Postbacks over HTTP: what is counted, what is refused, who may pass them on, what is answered."""

import concurrent.futures
import json

from outbox_tools import ATTRIBUTION_KIT, OLD_TOKEN, SKADNETWORK, TOKEN, OutboxCase
from signer import APP, NETWORK, OTHER_APP, OTHER_NETWORK, attribution_kit, skadnetwork
from tools import skan

FORWARDED = f"/postbacks/example?token={TOKEN}"


class ApplesPaths(OutboxCase):
    def test_both_paths_take_both_frameworks(self):
        server = self.receive()
        number = 0
        for path in (SKADNETWORK, ATTRIBUTION_KIT):
            for make in (skadnetwork, attribution_kit):
                number += 1
                body = make(number)
                with self.subTest(path=path, make=make.__name__):
                    self.assertEqual(self.outcome(server, body, path), (200, "counted"))
                    self.assertEqual(self.outcome(server, body, path), (200, "duplicate"))
        self.assertEqual(len(self.stored("postback/")), 4)

    def test_windows_are_counted_separately(self):
        server = self.receive()
        for window in range(3):
            self.assertEqual(self.outcome(server, skadnetwork(1, window=window)), (200, "counted"))

    def test_an_invalid_postback_is_stored_as_refused_and_need_not_be_sent_again(self):
        server = self.receive()
        forged = json.dumps({**json.loads(skadnetwork(1)), "app-id": 1}).encode()
        newer = json.dumps({**json.loads(skadnetwork(2)), "version": "9.0"}).encode()
        cases = ((forged, "invalid"), (newer, "unverifiable"), (b"{", "malformed"), (b"\0\xff", "malformed"))
        for body, outcome in cases:
            self.assertEqual(self.outcome(server, body), (200, outcome))
            self.assertEqual(self.outcome(server, body), (200, outcome))
        self.assertEqual((len(self.stored("postback/")), len(self.stored("refused/"))), (0, 4))

    def test_what_is_no_postback(self):
        server = self.receive()
        self.assertEqual(self.outcome(server, b""), (400, "empty"))
        self.assertEqual(self.outcome(server, b"x" * 30721), (413, "too_long"))
        self.assertEqual(self.outcome(server, b"x" * 30720), (200, "malformed"))
        self.assertEqual(server.post(SKADNETWORK, b" " * 65537).status, 413)
        for path in SKADNETWORK, FORWARDED:
            self.assertEqual((server.get(path).status, server.get(path, "HEAD").status), (405, 405))
        self.assertEqual(server.post("/postbacks", b"{}").status, 404)
        self.assertEqual(len(self.stored("refused/")), 1)

    def test_without_a_store_there_are_no_paths(self):
        server = self.serve()
        for path in (SKADNETWORK, ATTRIBUTION_KIT, FORWARDED):
            self.assertEqual(server.post(path, skadnetwork(1)).status, 404)

    def test_a_store_that_fails_is_503_and_nothing_is_lost(self):
        server = self.receive()
        self.assertEqual(self.outcome(server, skadnetwork(1)), (200, "counted"))
        store, hidden = self.file("postbacks.db"), self.file("away.db")
        store.rename(hidden)
        store.mkdir()
        self.assertEqual(self.outcome(server, skadnetwork(2)), (503, "store"))
        self.assertEqual(server.get("/readyz").status, 503)
        store.rmdir()
        hidden.rename(store)
        self.assertEqual(self.outcome(server, skadnetwork(2)), (200, "counted"))
        self.assertEqual(self.outcome(server, skadnetwork(1)), (200, "duplicate"))
        self.eventually(lambda: server.get("/readyz").status == 200)

    def test_metrics_and_log(self):
        server = self.receive()
        body = skadnetwork(1)
        for _ in range(3):
            server.post(SKADNETWORK, body)
        server.post("/postbacks/example?token=wrong-token-0123456789", body)
        metrics = server.metrics()
        name, route = "skan_http_requests_total", "postbacks_skadnetwork"
        self.assertEqual(metrics[name, f'{{route="{route}",outcome="counted",status="200"}}'], 1)
        self.assertEqual(metrics[name, f'{{route="{route}",outcome="duplicate",status="200"}}'], 2)
        self.assertEqual(metrics[name, '{route="postbacks_forwarded",outcome="forbidden",status="403"}'], 1)
        server.stop()
        lines = [(line["route"], line["outcome"]) for line in server.log() if line["event"] == "request"]
        duplicates = [(route, "duplicate")] * 2
        self.assertEqual(lines[:4], [(route, "counted"), *duplicates, ("postbacks_forwarded", "forbidden")])
        self.assertNotIn("wrong-token", server.log_file.read_text())
        self.assertNotIn("transaction-", server.log_file.read_text())


class ToldWrong(OutboxCase):
    def test_what_is_wrong_with_a_dated_model_is_named(self):
        for option in ("--postback-model", "--reengagement-model"):
            for given, words in {"model.json": "expected FROM=FILE", "soon=model.json": "2026-01-31T10:00:00Z",
                                 f"0={self.folder / 'none.json'}": "none.json"}.items():
                said = self.refused(words, option, given)
                if "none" not in words:
                    self.assertIn(option, said)

    def test_a_file_of_keys_has_a_megabyte_at_most(self):
        text = self.keys.read_text()
        self.keys.write_text(text.ljust(1 << 20))
        self.receive()
        self.keys.write_text(text.ljust((1 << 20) + 1))
        self.assertIn(f"{self.keys}: ", self.refused("1048576 bytes"))

    def test_what_is_wrong_with_networks_is_named_without_secrets(self):
        """All that may be wrong is in NetworksFileTests."""
        url = "https://user:secret@partner.example/?id={id}"
        said = self.refused("no user", networks=self.networks(partners=[{"name": "p", "url": url}]))
        self.assertNotIn("secret", said)


class Forwarded(OutboxCase):
    def test_tokens(self):
        server = self.receive()
        body = skadnetwork(1)
        for token in [TOKEN[:-1] + "X", "", f"{TOKEN}%00"]:
            self.assertEqual(self.outcome(server, body, f"/postbacks/example?token={token}"), (403, "forbidden"), token)
        for path in ("/postbacks/example", "/postbacks/", f"/postbacks/nobody?token={TOKEN}",
                     f"/postbacks/example//?token={TOKEN}", f"/postbacks/other?token={TOKEN}",
                     "/postbacks/other?token="):
            self.assertEqual(self.outcome(server, body, path), (403, "forbidden"), path)
        self.assertEqual(self.stored("postback/"), [])
        self.assertEqual(self.outcome(server, body, FORWARDED), (200, "counted"))
        path = f"/postbacks/example?a=b&token={OLD_TOKEN}"
        self.assertEqual(self.outcome(server, skadnetwork(2), path), (200, "counted"))
        self.assertEqual(self.outcome(server, b"", FORWARDED), (400, "empty"))

    def test_a_network_passes_on_its_own_alone(self):
        server = self.receive()
        self.assertEqual(self.outcome(server, skadnetwork(1, OTHER_NETWORK), FORWARDED), (200, "other_network"))
        self.assertEqual(self.outcome(server, b"{}", FORWARDED), (200, "malformed"))
        self.assertEqual(self.stored("postback/"), [])
        self.assertEqual(self.outcome(server, skadnetwork(1, OTHER_NETWORK)), (200, "counted"))


class WhoseAreCounted(OutboxCase):
    """Apple signs what anybody's ads brought to anybody's app."""

    def test_a_postback_of_another_app_is_refused_and_forwarded_to_nobody(self):
        partner = self.partner()
        server = self.receive(networks=self.networks(partner))
        for number, (make, path) in enumerate([(skadnetwork, SKADNETWORK), (attribution_kit, ATTRIBUTION_KIT),
                                               (skadnetwork, FORWARDED)]):
            self.assertEqual(self.outcome(server, make(number, app=OTHER_APP), path), (200, "other_app"))
        self.assertEqual((self.stored("postback/"), len(self.stored("refused/"))), ([], 3))
        self.assertEqual(self.stored("outbox/"), [])
        self.assertEqual(self.outcome(server, skadnetwork(9)), (200, "counted"))
        self.eventually(partner.ids)
        self.assertEqual(len(partner.ids()), 1)
        [report] = skan("report", self.url, "--json").documents()
        self.assertEqual(report["refused"]["other_app"], 3)

    def test_a_postback_of_an_ad_network_that_was_not_named_is_refused(self):
        server = self.receive("--ad-network", NETWORK, "--ad-network", "example123.adattributionkit")
        self.assertEqual(self.outcome(server, skadnetwork(1, "evil999.skadnetwork")), (200, "other_network"))
        self.assertEqual(self.outcome(server, skadnetwork(1)), (200, "counted"))

    def test_whose_has_to_be_said(self):
        for scope, words in [
            ((), "expected --app-id, the App Store's id of each app whose postbacks count, or --any-app; got neither"),
            (("--app-id", APP, "--any-app"), "got both"),
            (("--app-id", "0"), "--app-id"), (("--app-id", "com.example.game"), "--app-id"),
            (("--any-app", "--ad-network", ""), "--ad-network"),
        ]:
            with self.subTest(scope=scope):
                self.refused(words, scope=scope)


class OnceAndOnceOnly(OutboxCase):
    def test_a_hundred_copies_in_parallel_over_a_restart(self):
        partner = self.partner()
        networks = self.networks(partner)
        body = skadnetwork(1, **{"conversion-value": 7})
        paths = [SKADNETWORK, ATTRIBUTION_KIT, FORWARDED]

        def send(server):
            def one(index):
                try:
                    return self.outcome(server, body, paths[index % 3])
                except (OSError, ValueError):
                    return None
            return one

        outcomes = []
        for kill in (True, False):
            server = self.receive(networks=networks, ends=-9 if kill else 0)
            with concurrent.futures.ThreadPoolExecutor(25) as pool:
                futures = [pool.submit(send(server), index) for index in range(100)]
                if kill:
                    concurrent.futures.wait(futures[:30])
                    server.process.kill()
                outcomes += [future.result() for future in futures]
        answered = [outcome for outcome in outcomes if outcome and outcome[0]]
        self.assertLessEqual(answered.count((200, "counted")), 1)
        self.assertEqual({outcome for outcome in answered if outcome != (200, "counted")}, {(200, "duplicate")})
        self.assertEqual(len(answered[-100:]), 100)
        self.assertEqual(len(self.stored("postback/")), 1)
        self.eventually(lambda: len(partner.ids()) == 1 and not self.stored("outbox/"))
