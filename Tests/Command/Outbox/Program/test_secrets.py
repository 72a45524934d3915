"""Tokens of networks: in a header, in files that nobody else may read; and when the last postback came."""

from outbox_tools import OLD_TOKEN, TOKEN, OutboxCase
from server_tools import NOW
from signer import NETWORK, OTHER_APP, attribution_kit, skadnetwork

PATH = "/postbacks/example"


class Bearer(OutboxCase):
    def test_a_token_in_a_header(self):
        server = self.receive()
        for number, header in enumerate([f"Bearer {TOKEN}", f"bearer  {TOKEN} ", f"BEARER {OLD_TOKEN}"]):
            with self.subTest(header=header):
                self.assertEqual(server.post(PATH, skadnetwork(number), f"Authorization: {header}").status, 200)
        for header in ("Bearer", "Bearer ", f"Bearer{TOKEN}", f"Basic {TOKEN}", f"Bearer {TOKEN}x",
                       "Bearer " + 9000 * "x"):
            with self.subTest(header=header):
                self.assertEqual(server.post(PATH, skadnetwork(9), f"Authorization: {header}").status, 403)
        self.assertEqual(len(self.stored("postback/")), 3)

    def test_a_header_and_an_item(self):
        server = self.receive()
        with_item = f"{PATH}?token={TOKEN}"
        self.assertEqual(server.post(with_item, skadnetwork(1), "Authorization: Bearer x").status, 403)
        self.assertEqual(server.post(with_item, skadnetwork(1), "Authorization: Basic x").status, 200)
        twice = [f"Authorization: Bearer {TOKEN}"] * 2
        self.assertEqual(server.post(PATH, skadnetwork(2), *twice).status, 400)


class TokenFiles(OutboxCase):
    def test_a_file_that_others_may_read_is_refused(self):
        for mode in 0o640, 0o604, 0o644:
            self.token_file.chmod(mode)
            with self.subTest(mode=oct(mode)):
                words = f"{self.token_file}: others may use it: expected mode 600 or 400, got {mode:o}"
                self.assertNotIn(TOKEN, self.refused(words))
        self.token_file.chmod(0o400)
        self.receive()


class LastArrival(OutboxCase):
    def test_counted_ones_tell_when_they_came(self):
        server = self.receive()
        name = "skan_postback_last_counted_time_seconds"
        for body in skadnetwork(1, app=OTHER_APP), b"{":
            self.outcome(server, body)
        self.assertFalse([key for key in server.metrics() if key[0] == name])
        self.assertEqual(self.outcome(server, skadnetwork(1)), (200, "counted"))
        server.at(NOW + 60)
        self.assertEqual(self.outcome(server, skadnetwork(2)), (200, "counted"))
        self.assertEqual(self.outcome(server, attribution_kit(3)), (200, "counted"))
        server.at(NOW + 90)
        self.assertEqual(self.outcome(server, skadnetwork(2)), (200, "duplicate"))
        told = {labels: value for (family, labels), value in server.metrics().items() if family == name}
        self.assertEqual(told, {f'{{network="{NETWORK}",version="{version}"}}': NOW + 60
                                for version in ("4.0", "AdAttributionKit")})
