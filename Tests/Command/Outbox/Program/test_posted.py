"""Partners that are told by POST."""

import json

from outbox_tools import SKADNETWORK, OutboxCase
from signer import NETWORK, skadnetwork
from tools import skan


class Posted(OutboxCase):
    def by_post(self, partner, **more):
        told = {"name": "partner0", "url": f"http://127.0.0.1:{partner.port}/rows", "method": "POST", **more}
        file = self.folder / "posted.json"
        file.write_text(json.dumps({"networks": [{"name": "example", "ad_networks": [NETWORK], "partners": [told]}]}))
        return file

    def test_the_body_is_the_postbacks_row(self):
        partner = self.partner()
        server = self.receive(networks=self.by_post(partner))
        self.assertEqual(self.outcome(server, skadnetwork(1, **{"conversion-value": 9}), SKADNETWORK)[1], "counted")
        self.eventually(partner.ids)
        call = partner.calls[0]
        self.assertEqual((call["?"], call["type"]), ("/rows", "application/json"))
        [row] = skan("postbacks", self.url).documents()
        self.assertEqual(call["row"], row)
        self.assertEqual((row["transaction_id"], row["conversion_value"]), ("transaction-1", 9))
        self.eventually(lambda: self.outbox() == [])

    def test_a_row_has_names_and_is_sent_again_with_its_id(self):
        partner = self.partner()
        partner.status = 503
        names = self.folder / "names.csv"
        names.write_text(f"network,identifier,campaign,network_name\r\n{NETWORK},39,Autumn,Example\r\n")
        server = self.receive("--campaigns", names, "--partner-pause", 50, networks=self.by_post(partner))
        self.outcome(server, skadnetwork(1))
        self.eventually(partner.ids)
        partner.status = 200
        self.eventually(lambda: partner.ids(taken=True))
        self.assertEqual(len(partner.ids()), 1)
        row = partner.calls[-1]["row"]
        self.assertEqual((row["network_name"], row["campaign_name"]), ("Example", "Autumn"))

    def test_methods_are_checked(self):
        partner = self.partner()
        for more, words in [({"method": "PUT"}, 'partner "partner0": method: expected "GET" or "POST", got "PUT"'),
                            ({"method": 1}, "method: expected a text"),
                            ({"method": "GET"}, "expected {id} in the query")]:
            with self.subTest(**more):
                self.refused(words, networks=self.by_post(partner, **more))
