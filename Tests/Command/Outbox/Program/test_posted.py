"""Partners that are told by POST."""

import json
from decimal import Decimal

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

    def test_a_get_says_of_the_value_what_a_post_says(self):
        """Revenue since the install is not the revenue of window 1, and an ad that did not win has brought none."""
        since = {"kind": "all", "scope": "lifetime", "min": 4, "max": 6}
        ads = {"kind": "ad", "min": -1, "max": 0.5}
        rules = [{"fine": 0, "when": {}}, {"fine": 1, "when": {"revenue": since}},
                 {"fine": 2, "when": {"events": [{"name": "won"}], "revenue": ads}}]
        later = [{"coarse": "low", "when": {}}, {"coarse": "high", "when": {"revenue": since}}]
        model = self.folder / "since.json"
        model.write_text(json.dumps({"schema": 1, "id": "since", "currency": "EUR", "windows": [
            {"rules": rules}, {"rules": later}, {"rules": later}]}))
        names = ("id", "decoding", "model", "events", "revenue_min", "revenue_max", "revenue_kind", "currency")
        get, post = self.partner(), self.partner()
        networks = self.by_post(post)
        document = json.loads(networks.read_text())
        items = "&".join(f"{name}={{{name}}}" for name in names)
        url = f"http://127.0.0.1:{get.port}/told?{items}"
        document["networks"][0]["partners"].append({"name": "partner1", "url": url})
        networks.write_text(json.dumps(document))
        server = self.receive("--postback-model", f"0={model}", networks=networks)
        bodies = {
            "first": skadnetwork(1, **{"conversion-value": 1}),
            "ads": skadnetwork(2, **{"conversion-value": 2}),
            "later": skadnetwork(3, window=1, **{"coarse-conversion-value": "high"}),
            "lost": skadnetwork(4, did_win=False, **{"conversion-value": 1}),
            "hidden": skadnetwork(5),
        }
        for body in bodies.values():
            self.assertEqual(self.outcome(server, body, SKADNETWORK)[1], "counted")
        self.eventually(lambda: len(get.ids()) == len(post.ids()) == len(bodies))
        told = {call["id"][:64]: call for call in get.calls}
        rows = {call["row"]["transaction_id"]: call["row"] for call in post.calls}
        found = {}
        for number, name in enumerate(bodies, 1):
            row = rows[f"transaction-{number}"]
            call = told[row["id"]]
            for item in ("decoding", "model", "events", "currency"):
                self.assertEqual(call[item], row[item] or "", (name, item))
            for item in ("revenue_min", "revenue_max"):
                self.assertEqual(Decimal(call[item] or 0), Decimal(row[item] or 0), (name, item))
                self.assertEqual(call[item] == "", row[item] is None, (name, item))
            found[name] = (call["revenue_kind"], call["revenue_min"], call["revenue_max"])
        self.assertEqual(found, {"first": ("all", "4", "6"), "ads": ("ad", "-1", "0.5"), "later": ("", "", ""),
                                 "lost": ("", "", ""), "hidden": ("", "", "")})

    def test_methods_are_checked(self):
        partner = self.partner()
        for more, words in [({"method": "PUT"}, 'partner "partner0": method: expected "GET" or "POST", got "PUT"'),
                            ({"method": 1}, "method: expected text"),
                            ({"method": "GET"}, "expected {id} in the query")]:
            with self.subTest(**more):
                self.refused(words, networks=self.by_post(partner, **more))
