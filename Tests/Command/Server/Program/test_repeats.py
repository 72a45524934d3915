"""Repeated requests and the spellings of users' ids. Rules, "Repeated requests", "Endpoint users"."""

from server_tools import IDFA, IDFV, NOW, ServeCase, items4
from tools import skan

COUNTS = [{"fine": n, "when": {"sessions": {"min": n}}} for n in (1, 2, 3)]
TODAY = f"v2/com.example.game/{IDFV}"
OLDER = f"v2/com.example.game/{IDFV.lower()}"


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


class OlderSpellings(ServeCase):
    """Records of servers that took both spellings for two users."""

    def setUp(self):
        super().setUp()
        self.counts = self.model("counts", *COUNTS)
        server = self.serve("--model", self.counts, "--store", self.sqlite("users.db"))
        server.ask(**items4())
        server.stop()
        record = self.users("users.db")[TODAY.encode()]
        with self.database("users.db") as database:
            database.execute("DELETE FROM skan_records")
        self.put("users.db", OLDER.encode(), record)
        self.record = record

    def test_check_names_them_and_move_folds_them(self):
        answer = self.succeeded(skan("check", self.sqlite("users.db")), 1)
        self.assertIn(f"{OLDER}: older spelling: ", answer.out)
        self.assertIn(TODAY, answer.out)
        self.assertEqual(
            answer.lines()[-1], "1 record read, 0 damaged, 0 too new, 1 under an older spelling")
        self.succeeded(skan("move", self.sqlite("users.db"), self.sqlite("new.db")))
        self.assertEqual(self.users("users.db"), {})
        self.assertEqual(self.users("new.db"), {TODAY.encode(): self.record})
        self.succeeded(skan("check", self.sqlite("new.db")))
        # The user goes on where it was.
        server = self.serve("--model", self.counts, "--store", self.sqlite("new.db"))
        self.assertEqual(server.ask(**items4(idfv=IDFV.lower())).document["conversion_value"], 2)

    def test_two_records_of_one_user_are_not_mixed(self):
        """Which counts are the user's cannot be known, so none is lost: the older record stays, and is named."""
        server = self.serve("--model", self.counts, "--store", self.sqlite("users.db"), now=NOW + 60)
        server.ask(**items4())
        server.stop()
        before = self.users("users.db")
        self.assertEqual(set(before), {TODAY.encode(), OLDER.encode()})
        for more in ([], ["--replace"]):
            answer = self.succeeded(skan("move", *more, self.sqlite("users.db"), self.sqlite("new.db")), 1)
            self.assertIn(f"{OLDER}: the user has other counts under {TODAY}; it stays", answer.err)
            self.assertEqual(self.users("users.db"), {OLDER.encode(): before[OLDER.encode()]})
            self.assertEqual(self.users("new.db"), {TODAY.encode(): before[TODAY.encode()]})

    def test_an_install_of_a_host_keeps_its_name(self):
        url = self.filled("p.db", 1)
        record = self.records("p.db")[b"player-0000000"]
        self.put("p.db", OLDER.encode(), record)
        self.succeeded(skan("check", url))
        self.succeeded(skan("move", url, self.sqlite("new.db")))
        self.assertIn(OLDER.encode(), self.users("new.db"))
