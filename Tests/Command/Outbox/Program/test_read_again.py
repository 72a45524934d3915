"""Networks, their tokens and their partners, read again on SIGHUP."""

from outbox_tools import OLD_TOKEN, TOKEN, OutboxCase
from signer import skadnetwork

NEW_TOKEN = "new-token-77aa88bb99cc"


class ReadAgain(OutboxCase):
    def forward(self, server, number, token):
        return self.outcome(server, skadnetwork(number), f"/postbacks/example?token={token}")[0]

    def test_tokens(self):
        server = self.receive()
        self.token_file.write_text(NEW_TOKEN)
        self.assertEqual(self.read_again(server), "read again: 1 changes, 5 parts: changed tokens of example")
        told = [self.forward(server, number, token) for number, token in enumerate((TOKEN, NEW_TOKEN, OLD_TOKEN))]
        self.assertEqual(told, [403, 200, 200])
        self.assertNotIn(NEW_TOKEN, server.log_file.read_text())

    def test_partners_come_and_go(self):
        first, second = self.partner(), self.partner()
        first.status = 503
        server = self.receive("--partner-pause", 200, "--partner-search", 1, networks=self.networks(first))
        self.outcome(server, skadnetwork(1))
        self.eventually(lambda: first.ids())
        self.networks(first, second)
        self.assertIn("added partner example/partner1", self.read_again(server))
        self.outcome(server, skadnetwork(2))
        self.eventually(lambda: len(second.ids(taken=True)) == 1)
        self.networks()
        said = self.read_again(server)
        self.assertIn("gone partner example/partner0", said)
        words = "example/partner0 is left to other servers for a day: this partner is not in the file of networks"
        self.eventually(lambda: any(line.get("message") == words for line in server.log()))
        self.assertEqual([entry["state"] for entry in self.outbox()], ["waiting", "waiting"])
        first.status = 200
        self.networks(first)
        self.assertIn("added partner example/partner0", self.read_again(server))
        self.eventually(lambda: len(first.ids(taken=True)) == 2 and not self.stored("outbox/"))

    def test_partners_where_none_was(self):
        server = self.receive()
        partner = self.partner()
        self.networks(partner)
        self.read_again(server)
        self.outcome(server, skadnetwork(1))
        self.eventually(lambda: partner.ids())

    def test_a_bad_file_leaves_the_partners(self):
        partner = self.partner()
        server = self.receive(networks=self.networks(partner))
        (self.folder / "networks.json").write_text('{"networks": [{"name": "example"}]}')
        self.assertIn("not read again, all stays as it was: --networks: ", self.read_again(server))
        self.outcome(server, skadnetwork(1))
        self.eventually(lambda: partner.ids())
