"""A server with older files leaves alone what only other servers on its store can report."""

from outbox_tools import OutboxCase
from server_tools import MIXED, NOW
from signer import skadnetwork

FAST = ("--partner-pause", "20", "--partner-longest-pause", "100", "--partner-search", "1", "--partner-attempts", "1000")


class OlderServers(OutboxCase):
    def test_a_server_that_does_not_know_a_partner_gives_up_none_of_its_entries(self):
        older = self.receive(*FAST, networks=self.networks())
        partner = self.partner()
        partner.status = 503
        newer = self.receive(*FAST, networks=self.networks(partner))
        for number in range(50):
            self.assertEqual(self.outcome(newer, skadnetwork(number)), (200, "counted"))
        self.eventually(lambda: self.has_left(older))
        partner.status = 200
        self.eventually(lambda: not self.stored("outbox/"))
        self.assertEqual(len(partner.ids(taken=True)), 50)
        self.assertEqual(older.metrics()["skan_outbox_given_up_total", ""], 0)

    def test_a_server_without_the_model_of_a_postback_gives_up_none_of_its_entries(self):
        partner = self.partner()
        partner.status = 503
        model = ("--postback-model", f"{NOW - 100 * 86400}={MIXED}")
        networks = self.networks(partner, items="id={id}&events={events}")
        newer = self.receive(*FAST, *model, networks=networks)
        self.assertEqual(self.outcome(newer, skadnetwork(1, **{"conversion-value": 21})), (200, "counted"))
        self.eventually(lambda: all(entry["reason"] for entry in self.outbox()))
        newer.stop()
        older = self.receive(*FAST, networks=networks)
        self.eventually(lambda: self.has_left(older))
        self.assertEqual([entry["state"] for entry in self.outbox()], ["waiting"])
        partner.status = 200
        self.receive(*FAST, *model, networks=networks)
        self.eventually(lambda: not self.stored("outbox/"))
        self.assertEqual([call["events"] for call in partner.calls if call["status"] == 200], ["tutorial_complete"])

    def has_left(self, server):
        return any("is left to other servers for a day" in line.get("message", "") for line in server.log())
