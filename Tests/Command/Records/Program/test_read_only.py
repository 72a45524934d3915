"""SQLite files in folders that cannot be written to, as on read-only media."""

import contextlib
import os
import sqlite3
import subprocess

from tools import COMMAND, Answer, CommandCase, environment


def without_privileges(*words):
    """Runs the command as a user whom permissions bind, which they do not bind root with all its capabilities."""
    setpriv = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
    run = subprocess.run([*setpriv, COMMAND, *map(str, words)], capture_output=True, text=True, timeout=600,
                         env=environment(), check=False)
    return Answer(run.returncode, run.stdout, run.stderr)


class ReadOnly(CommandCase):
    def setUp(self):
        super().setUp()
        (self.folder / "media").mkdir()
        self.url = self.filled("media/a file? 100%.db", 300)
        self.addCleanup((self.folder / "media").chmod, 0o755)

    def protect(self, is_file_writable=False):
        self.file("media/a file? 100%.db").chmod(0o644 if is_file_writable else 0o444)
        (self.folder / "media").chmod(0o555)

    def files(self):
        return sorted(path.name for path in (self.folder / "media").iterdir())

    def test_every_command_that_only_reads_can_read_it(self):
        words = [["export", self.url], ["check", self.url], ["postbacks", self.url], ["report", self.url, "--json"],
                 ["show", self.url, "player-1"], ["report", self.url, f"--installs={self.url}", "--json"]]
        before = [without_privileges(*each) for each in words]
        for is_file_writable in [True, False]:
            self.protect(is_file_writable)
            for each, expected in zip(words, before):
                answer = without_privileges(*each)
                self.assertEqual((answer.code, answer.out, answer.err), (expected.code, expected.out, expected.err), each)
            self.assertEqual(self.files(), ["a file? 100%.db"])
        self.assertEqual(before[0].out.count("\n"), 300)

    def test_a_file_that_is_filled_has_to_be_writable(self):
        lines = self.succeeded(without_privileges("export", self.url)).out
        (self.folder / "lines").write_text(lines)
        self.protect()
        for words in [["import", self.url, self.folder / "lines"], ["purge", self.url, "--closed-before=0"]]:
            self.assertIn("readonly database", self.succeeded(without_privileges(*words), 1).err)

    def test_what_a_running_writer_has_in_its_log_is_read(self):
        name = "media/a file? 100%.db"
        with contextlib.closing(sqlite3.connect(self.file(name), isolation_level=None)) as writer:
            writer.execute("PRAGMA wal_autocheckpoint = 0")
            writer.execute("DELETE FROM skan_records WHERE key IN (SELECT key FROM skan_records LIMIT 100)")
            self.protect()
            self.assertEqual(self.succeeded(without_privileges("check", self.url)).out,
                             "200 records read, 0 damaged, 0 too new\n")

    def test_a_log_without_its_index_is_named(self):
        """A copy of a file in use that left the index out."""
        name = "media/a file? 100%.db"
        (self.folder / "copy").mkdir()
        with contextlib.closing(sqlite3.connect(self.file(name), isolation_level=None)) as writer:
            writer.execute("PRAGMA wal_autocheckpoint = 0")
            writer.execute("DELETE FROM skan_records")
            for end in ["", "-wal"]:
                (self.folder / "copy" / f"p.db{end}").write_bytes(self.file(name + end).read_bytes())
        (self.folder / "copy").chmod(0o555)
        self.addCleanup((self.folder / "copy").chmod, 0o755)
        answer = without_privileges("check", self.sqlite("copy/p.db"))
        self.assertEqual(answer.code, 1, answer)
        self.assertIn("has the file's -wal with changes but not its -shm", answer.err)
