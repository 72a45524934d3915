"""A journey of README, "The skan command": a store is copied, the copy is checked, and its installs go on from there."""

from libskan import Engine, SQLiteStore
from tools import CommandCase, skan


class Backup(CommandCase):
    def test_a_copy_has_every_record_and_a_second_run_finds_them_there(self):
        players = self.filled("players.db", 500)
        backup = self.sqlite("backup.db")
        self.assertIn("500 installs copied", self.succeeded(skan("move", players, backup, "--keep")).out)
        again = self.succeeded(skan("move", players, backup, "--keep"))
        self.assertEqual(again.out, "0 installs copied, 500 already there\n")
        self.succeeded(skan("check", backup))
        self.assertEqual(self.exported(backup), self.exported(players))

    def test_a_copy_replaces_a_store_that_is_gone(self):
        players = self.filled("players.db", 500)
        backup = self.sqlite("backup.db")
        self.succeeded(skan("move", players, backup, "--keep"))
        records = self.exported(players)
        self.file("players.db").unlink()
        self.succeeded(skan("move", backup, players, "--keep"))
        self.assertEqual(self.exported(players), records)

    def test_a_later_copy_names_what_changed_and_replaces_it_where_asked(self):
        players = self.filled("players.db", 100)
        backup = self.sqlite("backup.db")
        self.succeeded(skan("move", players, backup, "--keep"))
        with Engine(SQLiteStore(self.file("players.db")), endpoint_url="https://skan.example.com") as engine:
            engine.register("player-0000007")
            engine.update_revenue("player-0000007", 4.99, "USD", event_id="order-1")
            engine.register("newcomer")
        again = self.succeeded(skan("move", players, backup, "--keep"), 1)
        self.assertEqual(
            again.out, "1 install copied, 99 already there, 1 in both stores with different records\n", again.err)
        self.assertIn("player-0000007: both stores have it", again.err)
        replaced = self.succeeded(skan("move", players, backup, "--keep", "--replace"))
        self.assertEqual(replaced.out, "1 install copied, 100 already there\n")
        self.assertEqual(self.exported(backup), self.exported(players))
