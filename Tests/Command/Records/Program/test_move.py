"""skan move."""

import hashlib
import os
import random
import signal
import subprocess
import time

from stores import each_pair
from tools import COMMAND, CommandCase, environment, faults, make_damaged, skan

KILLS = int(os.environ.get("SKAN_KILLS", "12"))


class Move(CommandCase):
    def fill_store(self, url, count):
        """Fills a store of any kind; answers its records."""
        source = self.filled(f"fill-{count}.db", count)
        self.succeeded(skan("move", "--keep", source, url))
        return self.exported(source)

    def moved(self, source, target, *options, code=0, **more):
        return self.succeeded(skan("move", *options, source, target, **more), code)

    @each_pair
    def test_all_installs_move(self, source, target):
        records = self.fill_store(source, 2500)
        self.assertEqual(self.moved(source, target).out, "2500 installs moved\n")
        self.assertEqual(self.exported(target), records)
        self.assertEqual(self.exported(source), {})
        self.assertEqual(self.moved(source, target).out, "0 installs moved\n")

    @each_pair
    def test_keep_copies(self, source, target):
        records = self.fill_store(source, 100)
        for answer in ["100 installs copied\n", "0 installs copied, 100 already there\n"]:
            self.assertEqual(self.moved(source, target, "--keep").out, answer)
            self.assertEqual(self.exported(target), records)
            self.assertEqual(self.exported(source), records)

    def test_a_move_after_a_copy_says_how_many_were_there(self):
        url, target = self.filled("p.db", 100), self.sqlite("q.db")
        self.moved(url, target, "--keep")
        self.succeeded(skan("import", url, "-", given=skan("export", self.filled("more.db", 120)).out))
        self.assertEqual(self.moved(url, target).out, "120 installs moved, 100 of them already there\n")
        self.assertEqual(self.records("p.db"), {})

    @each_pair
    def test_killed_at_any_moment_nothing_is_lost(self, source, target):
        records = self.fill_store(source, 3000)
        # A kill may come before the target is made, which then cannot be read.
        self.succeeded(skan("import", target, "-", given=""))
        randomness = random.Random(2026)
        kills = 0
        for _ in range(KILLS):
            process = subprocess.Popen(
                [COMMAND, "move", source, target], stdout=subprocess.PIPE, env=environment(), start_new_session=True
            )
            time.sleep(randomness.uniform(0, 0.25))
            process.send_signal(signal.SIGKILL)
            process.communicate()
            kills += process.returncode == -signal.SIGKILL
            left, arrived = self.exported(source), self.exported(target)
            self.assertEqual({**left, **arrived}, records)
            self.assertEqual({**arrived, **left}, records)
            if not left:
                self.succeeded(skan("move", "--keep", target, source))
                self.succeeded(skan("purge", target, "--closed-before", 0))
        self.assertGreater(kills, 0)
        self.moved(source, target)
        self.assertEqual(self.exported(target), records)
        self.assertEqual(self.exported(source), {})

    @each_pair
    def test_damaged_records_move_as_they_are(self, source, target):
        url = self.filled("fill.db", 10)
        damaged = make_damaged(self.records("fill.db")[b"player-0000000"])
        for name, (record, _) in damaged.items():
            # Other stores than SQLite hold no more than a record may have.
            if len(record) <= 32768:
                self.put("fill.db", name.encode(), record)
        records = self.exported(url, code=1)
        self.moved(url, source)
        self.moved(source, target)
        self.assertEqual(self.exported(target, code=1), records)

    @each_pair
    def test_different_records_stay_in_both(self, source, target):
        mine, other = self.filled("mine.db", 5), self.filled("other.db", 3)
        first, second = self.exported(mine), self.exported(other)
        self.moved(mine, source)
        self.moved(other, target)
        answer = self.moved(source, target, code=1)
        self.assertEqual(answer.out, "2 installs moved, 3 in both stores with different records\n")
        self.assertEqual(answer.err.count("both stores have it, with different records; it stays in both"), 3)
        self.assertEqual(self.exported(target), {**first, **second})
        self.assertEqual(set(self.exported(source)), set(second))
        self.assertEqual(self.moved(source, target, "--replace").out, "3 installs moved\n")
        self.assertEqual(self.exported(target), first)
        self.assertEqual(self.exported(source), {})

    def with_outbox(self, name, count):
        """The URL of a file with so many postbacks, an outbox entry for each, and installs of similar names."""
        url = self.filled(name, 1)
        ((_, install),) = self.records(name).items()
        rows = [(key, install) for key in ("outbox", "outbox.", "outbox/", "outbox/1", "outbox0", "outboy")]
        for number in range(count):
            digits = hashlib.sha256(str(number).encode()).hexdigest()
            rows += [(f"postback/{digits}", b"skpb %d" % number), (f"outbox/{digits}/a/b", b'{"outbox":%d}' % number)]
        with self.database(name) as database:
            database.executemany("INSERT INTO skan_records VALUES (?, ?, ?)", [
                (key.encode(), 1_000_000 + version, record) for version, (key, record) in enumerate(rows)])
        return url

    @each_pair
    def test_a_store_with_an_outbox_moves_whole(self, source, target):
        url = self.with_outbox("fill.db", 1500)
        records = self.records("fill.db")
        for one, other in [(url, source), (source, target), (target, url)]:
            self.assertEqual(self.moved(one, other).out, "7 installs, 1500 postbacks and 1500 outbox entries moved\n")
        self.assertEqual(self.records("fill.db"), records)

    def test_postbacks_move_before_their_outbox_entries(self):
        url, target = self.with_outbox("p.db", 1500), self.sqlite("q.db")
        self.succeeded(skan("import", target, "-", given=""))
        with self.database("q.db") as database:
            database.execute("CREATE TABLE early (key)")
            database.execute("""
                CREATE TRIGGER entry BEFORE INSERT ON skan_records WHEN CAST(NEW.key AS TEXT) LIKE 'outbox/%/%' AND NOT
                EXISTS (SELECT 1 FROM skan_records WHERE key = CAST('postback/' || substr(NEW.key, 8, 64) AS BLOB))
                BEGIN INSERT INTO early VALUES (NEW.key); END""")
        self.moved(url, target)
        with self.database("q.db") as database:
            self.assertEqual(database.execute("SELECT count(*) FROM early").fetchone(), (0,))

    def test_an_outbox_entry_stays_with_a_postback_that_could_not_be_moved(self):
        url, target = self.with_outbox("p.db", 1500), self.sqlite("q.db")
        records = self.records("p.db")
        answer = self.moved(url, target, code=1, **faults("load-fails=7"))
        self.assertIn("stays, for its postback could not be moved", answer.err)
        arrived = self.records("q.db")
        entries = {key.split(b"/")[1] for key in arrived if key.endswith(b"/a/b")}
        self.assertTrue(entries)
        self.assertLessEqual(entries, {key.split(b"/")[1] for key in arrived if key.startswith(b"postback/")})
        self.moved(url, target)
        self.assertEqual((self.records("p.db"), self.records("q.db")), ({}, records))

    def test_one_store_by_two_urls_loses_nothing(self):
        url = self.filled("p.db", 10)
        records = self.records("p.db")
        os.symlink(self.file("p.db"), self.file("link.db"))
        for other in [f"sqlite:{self.folder}/./p.db", self.sqlite("link.db")]:
            for options in [[], ["--keep"], ["--replace"]]:
                answer = self.moved(url, other, *options, code=1)
                self.assertIn("is the same store as", answer.err)
                self.assertEqual(self.records("p.db"), records)
        self.assertEqual(skan("move", url, url).code, 2)

    def test_a_copied_file_is_another_store(self):
        url = self.filled("p.db", 10)
        records = self.records("p.db")
        self.file("copy.db").write_bytes(self.file("p.db").read_bytes())
        self.assertEqual(self.moved(url, self.sqlite("copy.db")).out, "10 installs moved, 10 of them already there\n")
        self.assertEqual(self.records("copy.db"), records)
        self.assertEqual(self.records("p.db"), {})

    def test_a_record_that_changes_on_its_way_is_copied_again(self):
        url = self.filled("p.db", 10)
        records = self.records("p.db")
        later = records[b"player-0000009"]
        self.file("later").write_bytes(later)
        accidents = faults("remove-late=3", SKAN_TEST_RECORD=str(self.file("later")))
        answer = self.moved(url, self.sqlite("q.db"), **accidents)
        self.assertEqual(answer.out, "10 installs moved\n")
        self.assertEqual(self.records("p.db"), {})
        moved = self.records("q.db")
        self.assertEqual(set(moved), set(records))
        changed = [key for key in records if moved[key] != records[key]]
        self.assertGreaterEqual(len(changed), 3)
        self.assertEqual({moved[key] for key in changed}, {later})

    def test_a_record_that_never_rests_stays_in_both(self):
        url = self.filled("p.db", 2)
        self.file("later").write_bytes(self.records("p.db")[b"player-0000001"])
        answer = self.moved(
            url, self.sqlite("q.db"), code=1, **faults("remove-late=1", SKAN_TEST_RECORD=str(self.file("later")))
        )
        self.assertIn("others keep changing it; it is in both stores", answer.err)
        self.assertEqual(set(self.records("p.db")), set(self.records("q.db")))

    def test_accidents_lose_nothing(self):
        """Outcomes that are unknown are looked up; failures are named, and what they left moves another time."""
        for fault in ["save-lost=3", "save-made=3", "remove-lost=3", "remove-made=3", "save-fails=3", "load-fails=7"]:
            with self.subTest(fault=fault):
                url, target = self.filled(f"{fault}-from.db", 500), self.sqlite(f"{fault}-to.db")
                records = self.records(f"{fault}-from.db")
                fails = "fails" in fault
                answer = self.moved(url, target, code=int(fails), **faults(fault))
                if fails:
                    self.assertIn("an accident", answer.err)
                    left, arrived = self.records(f"{fault}-from.db"), self.records(f"{fault}-to.db")
                    self.assertEqual({**left, **arrived}, records)
                    self.assertGreater(len(left), 0)
                    self.moved(url, target)
                else:
                    self.assertEqual(answer.out, "500 installs moved\n")
                self.assertEqual(self.records(f"{fault}-to.db"), records)
                self.assertEqual(self.records(f"{fault}-from.db"), {})

    def test_a_listing_that_repeats_keys(self):
        url = self.filled("p.db", 3000)
        records = self.records("p.db")
        self.assertEqual(self.moved(url, self.sqlite("q.db"), **faults("list-twice=1")).out, "3000 installs moved\n")
        self.assertEqual(self.records("q.db"), records)
