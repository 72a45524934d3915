"""A journey of README, "The skan command": a store is copied, the copy is checked, and its installs go on from there."""

from tools import CommandCase, skan


class Backup(CommandCase):
    def test_a_copy_has_every_record_and_a_second_run_finds_them_there(self):
        players = self.filled("players.db", 500)
        backup = self.sqlite("backup.db")
        self.assertIn("500 installs copied", self.succeeded(skan("move", players, backup, "--keep")).out)
        self.succeeded(skan("move", players, backup, "--keep"))
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
