"""Repeated requests and the spellings of users' ids. Rules, "Repeated requests", "Endpoint users"."""

from server_tools import IDFA, IDFV, ServeCase, items4

COUNTS = [{"fine": n, "when": {"sessions": {"min": n}}} for n in (1, 2, 3)]


class Repeats(ServeCase):
    def value(self, server, fine, event=None, **more):
        items = items4(skan_current_conversion_value=fine, **({"event_id": event} if event else {}), **more)
        return server.ask(**items).document.get("conversion_value")

    def test_a_repeat_counts_once(self):
        """Also where the server was killed after the first answer."""
        paid = [{"fine": n, "when": {"measures": [{"name": "paid", "min": minimum}]}} for n, minimum in ((1, 5), (2, 15))]
        model = self.model("paid", *paid, currency="USD", measures={"paid": {"sum": ["purchase"]}})
        store = self.sqlite("users.db")
        purchase = {"n": "purchase", "event_revenue": "10", "event_currency": "USD"}
        server = self.serve("--model", model, "--store", store, ends=-9)
        self.assertEqual(self.value(server, 0, "order-1", **purchase), 1)
        server.process.kill()
        server.process.wait()
        again = self.serve("--model", model, "--store", store)
        self.assertEqual(self.value(again, 0, "order-1", **purchase), 1)
        self.assertEqual(self.value(again, 1, "order-2", **purchase), 2)
        self.assertEqual(self.value(again, 0, "order-1", **purchase), 2)

    def test_two_spellings_are_one_user(self):
        server = self.serve("--model", self.model("counts", *COUNTS))
        self.assertEqual(self.value(server, 0), 1)
        self.assertEqual(self.value(server, 1, idfv=IDFV.lower()), 2)
        self.assertEqual(self.value(server, 2, "a", idfv=IDFV.title()), 3)
        self.assertEqual(self.value(server, 0, idfv=None, idfa=IDFA.lower()), 1)
        self.assertEqual(self.value(server, 1, idfv=None, idfa=IDFA), 2)
        # Only what has the form of a UUID.
        for other in ("Player-1", "player-1", IDFV + "a", IDFV + "A", IDFV.replace("-", "x"), IDFV.replace("-", "X")):
            self.assertEqual(self.value(server, 0, idfv=other), 1)
