"""Postbacks over HTTP as services pass them on: packed, several at a time, on paths without the last slash."""

import gzip
import json

from outbox_tools import ATTRIBUTION_KIT, SKADNETWORK, OutboxCase
from signer import NETWORK, OTHER_APP, attribution_kit, skadnetwork
from test_receive import FORWARDED


def outcomes(answer):
    return answer.status, [each["outcome"] for each in answer.document]


class Paths(OutboxCase):
    def test_apples_paths_may_lack_their_last_slash(self):
        server = self.receive()
        self.assertEqual(self.outcome(server, skadnetwork(1), SKADNETWORK[:-1]), (200, "counted"))
        self.assertEqual(self.outcome(server, attribution_kit(2), ATTRIBUTION_KIT[:-1]), (200, "counted"))
        self.assertEqual(server.get(SKADNETWORK[:-1]).status, 405)
        for path in (SKADNETWORK + "/", SKADNETWORK[:-2], "/.well-known"):
            self.assertEqual(server.post(path, skadnetwork(3)).status, 404, path)

    def test_a_networks_path_may_have_a_last_slash(self):
        server = self.receive()
        self.assertEqual(self.outcome(server, skadnetwork(1), FORWARDED.replace("?", "/?")), (200, "counted"))

    def test_blanks_are_an_empty_body(self):
        server = self.receive()
        for body in (b"", b" ", b"\r\n"):
            self.assertEqual(self.outcome(server, body), (400, "empty"), body)
        self.assertEqual(self.stored("refused/"), [])


class Packed(OutboxCase):
    def post(self, server, body, *headers, path=SKADNETWORK):
        answer = server.post(path, body, *headers)
        return answer.status, answer.document["outcome"]

    def test_gzip_is_unpacked_with_the_header_and_without(self):
        server = self.receive()
        headers = ([], ["Content-Encoding: gzip"], ["Content-Encoding: X-GZIP"], ["content-encoding: identity"])
        for number, header in enumerate(headers):
            body = skadnetwork(number)
            self.assertEqual(self.post(server, gzip.compress(body), *header), (200, "counted"), header)
            self.assertEqual(self.post(server, body), (200, "duplicate"))
        parts = skadnetwork(9)
        two = gzip.compress(parts[:100]) + gzip.compress(parts[100:]) + bytes(10)
        self.assertEqual(self.post(server, two, "Content-Encoding: gzip", path=FORWARDED), (200, "counted"))

    def test_a_plain_body_counts_although_a_proxy_left_the_header(self):
        server = self.receive()
        self.assertEqual(self.post(server, skadnetwork(1), "Content-Encoding: gzip"), (200, "counted"))

    def test_other_codings_are_415_and_nothing_is_stored(self):
        server = self.receive()
        for header in (["Content-Encoding: br"], ["Content-Encoding: deflate"], ["Content-Encoding: gzip, gzip"],
                       ["Content-Encoding: gzip"] * 2):
            answer = server.post(SKADNETWORK, skadnetwork(1), *header)
            self.assertEqual((answer.status, answer.document), (415, {"outcome": "unknown_encoding"}), header)
            self.assertEqual(answer.headers["accept-encoding"], "gzip")
        self.assertEqual(self.stored("postback/") + self.stored("refused/"), [])

    def test_damaged_gzip_is_400(self):
        server = self.receive()
        packed = gzip.compress(skadnetwork(1))
        for body in (packed[:-1], packed[:20], packed[:30] + b"\xff" * 4 + packed[34:], packed + b"x", b"\x1f\x8b"):
            self.assertEqual(self.post(server, body, "Content-Encoding: gzip"), (400, "damaged_gzip"))
        self.assertEqual(self.post(server, gzip.compress(b"")), (400, "empty"))
        self.assertEqual(self.stored("refused/"), [])

    def test_a_body_that_unpacks_to_more_than_the_limit_is_413_and_takes_no_more_memory(self):
        server = self.receive("--max-body", "1048576")
        bomb = gzip.compress(bytes(900 << 20), 9)
        self.assertLess(len(bomb), 1 << 20)
        before = server.memory("VmHWM")
        for _ in range(3):
            self.assertEqual(self.post(server, bomb, "Content-Encoding: gzip"), (413, "too_long"))
        self.assertLess(server.memory("VmHWM") - before, 16 << 10)

    def test_the_limit_holds_to_the_byte(self):
        server = self.receive("--max-body", "40000")
        body = b"[" + skadnetwork(1) + b"]"
        self.assertEqual(server.post(SKADNETWORK, gzip.compress(body.ljust(40000))).status, 200)
        self.assertEqual(server.post(SKADNETWORK, gzip.compress(body.ljust(40001))).status, 413)


class Lists(OutboxCase):
    def test_an_array_and_lines_are_answered_in_order(self):
        server = self.receive()
        forged = json.dumps({**json.loads(skadnetwork(4)), "transaction-id": "another"}).encode()
        texts = [skadnetwork(1), skadnetwork(1), forged, skadnetwork(2, app=OTHER_APP), attribution_kit(3), b"{}"]
        right = ["counted", "duplicate", "invalid", "other_app", "counted", "malformed"]
        again = ["duplicate", "duplicate", "invalid", "other_app", "duplicate", "malformed"]
        self.assertEqual(outcomes(server.post(SKADNETWORK, b"[" + b", ".join(texts) + b"]")), (200, right))
        for body in (b"\n".join(texts), b"\r\n".join(texts) + b"\r\n", b"\xef\xbb\xbf [\n" + b",\n".join(texts) + b"]\n",
                     gzip.compress(b"\n".join(texts))):
            self.assertEqual(outcomes(server.post(ATTRIBUTION_KIT, body)), (200, again))
        self.assertEqual((len(self.stored("postback/")), len(self.stored("refused/"))), (2, 3))

    def test_one_postback_is_answered_as_before_and_an_array_of_one_in_an_array(self):
        server = self.receive()
        indented = json.dumps(json.loads(skadnetwork(1)), indent=1).encode() + b"\n\n"
        self.assertEqual(self.outcome(server, indented), (200, "counted"))
        self.assertEqual(outcomes(server.post(SKADNETWORK, b"[" + skadnetwork(2) + b"]")), (200, ["counted"]))
        self.assertEqual(outcomes(server.post(SKADNETWORK, b"[]")), (200, []))
        self.assertEqual(self.outcome(server, b"no postback\nbut\nlines"), (200, "malformed"))

    def test_what_is_no_object_is_kept_and_named_in_its_place(self):
        server = self.receive()
        body = b'[1, "x", ' + skadnetwork(1) + b", [" + skadnetwork(2) + b"], null, " + skadnetwork(3)
        right = ["malformed", "malformed", "counted", "malformed", "malformed", "counted", "malformed"]
        self.assertEqual(outcomes(server.post(SKADNETWORK, body)), (200, right))
        cut = skadnetwork(4)[:90] + b"\n" + skadnetwork(5)
        self.assertEqual(outcomes(server.post(SKADNETWORK, cut)), (200, ["malformed", "counted"]))
        self.assertEqual((len(self.stored("postback/")), len(self.stored("refused/"))), (3, 5))

    def test_a_network_passes_on_a_list_of_its_own(self):
        server = self.receive()
        body = b"[" + skadnetwork(1, NETWORK) + b"," + skadnetwork(2, "strange.skadnetwork") + b"]"
        self.assertEqual(outcomes(server.post(FORWARDED, body)), (200, ["counted", "other_network"]))

    def test_the_status_is_200_only_if_each_is_stored(self):
        server = self.receive("--refused-bytes-in-all", "0")
        body = b"[" + skadnetwork(1) + b",{}," + skadnetwork(2) + b"]"
        self.assertEqual(outcomes(server.post(SKADNETWORK, body)), (429, ["counted", "not_kept", "counted"]))
        long = json.dumps({**json.loads(skadnetwork(3)), "more": "x" * 30720}).encode()
        body = b"[" + long + b"," + skadnetwork(1) + b"]"
        self.assertEqual(outcomes(server.post(SKADNETWORK, body)), (413, ["too_long", "duplicate"]))
        body = b"[" + long + b",{}]"
        self.assertEqual(outcomes(server.post(SKADNETWORK, body)), (429, ["too_long", "not_kept"]))

    def test_a_list_during_which_the_store_fails_is_sent_again_and_counted_once(self):
        server = self.receive()
        store, hidden = self.file("postbacks.db"), self.file("away.db")
        texts = [skadnetwork(number) for number in range(3)]
        self.assertEqual(self.outcome(server, texts[0]), (200, "counted"))
        store.rename(hidden)
        store.mkdir()
        body = b"\n".join(texts)
        self.assertEqual(outcomes(server.post(SKADNETWORK, body)), (503, ["store", "not_tried", "not_tried"]))
        store.rmdir()
        hidden.rename(store)
        self.assertEqual(outcomes(server.post(SKADNETWORK, body)), (200, ["duplicate", "counted", "counted"]))

    def test_a_list_has_1000_at_most(self):
        server = self.receive("--refused-bytes-in-all", "0")
        self.assertEqual(server.post(SKADNETWORK, b"{}\n" * 1000).status, 429)
        answer = server.post(SKADNETWORK, b"{}\n" * 1001)
        self.assertEqual((answer.status, answer.document), (413, {"outcome": "too_many"}))

    def test_a_list_is_one_request_in_metrics_and_log(self):
        server = self.receive()
        server.post(SKADNETWORK, b"[" + skadnetwork(1) + b"," + skadnetwork(2) + b"]")
        name = '{route="postbacks_skadnetwork",outcome="list",status="200"}'
        self.assertEqual(server.metrics()["skan_http_requests_total", name], 1)
