"""skan check."""

from tools import CommandCase, faults, make_damaged, skan


class Check(CommandCase):
    def test_a_sound_store(self):
        answer = self.succeeded(skan("check", self.filled("p.db", 2500)))
        self.assertEqual((answer.out, answer.err), ("2500 records read, 0 damaged, 0 too new\n", ""))
        answer = self.succeeded(skan("check", self.filled("empty.db", 0)))
        self.assertEqual(answer.out, "0 records read, 0 damaged, 0 too new\n")

    def test_every_sort_of_damage_is_named(self):
        url = self.filled("p.db", 30)
        damaged = make_damaged(self.records("p.db")[b"player-0000003"])
        for name, (record, _) in damaged.items():
            self.put("p.db", name.encode(), record)
        answer = self.succeeded(skan("check", url), 1)
        for name, (_, word) in damaged.items():
            self.assertRegex(answer.out, rf"(?m)^{name}: {word}: record.*$")
        new = sum(word == "too new" for _, word in damaged.values())
        self.assertEqual(
            answer.lines()[-1], f"{30 + len(damaged)} records read, {len(damaged) - new} damaged, {new} too new"
        )
        self.assertEqual(len(answer.lines()), len(damaged) + 1)

    def test_names_that_are_no_install_ids(self):
        url = self.filled("p.db", 1)
        record = self.records("p.db")[b"player-0000000"]
        self.put("p.db", b"bell\x07", record)
        self.put("p.db", b"\xff\xfe", record)
        answer = self.succeeded(skan("check", url), 1)
        self.assertIn("bell\\x07: wrong name: an install id has no control characters\n", answer.out)
        self.assertIn("\\xFF\\xFE: wrong name: an install id is UTF-8\n", answer.out)
        self.assertEqual(answer.lines()[-1], "3 records read, 0 damaged, 0 too new, 2 under wrong names")

    def test_accidents(self):
        url = self.filled("p.db", 10)
        for fault, last, times, words in [
            ("load-fails=4", "8 records read, 0 damaged, 0 too new, 2 could not be read", 2, "be read: an accident"),
            ("load-gone=4", "8 records read, 0 damaged, 0 too new", 0, ""),
            ("list-none=1", "not all: 0 records read, 0 damaged, 0 too new", 1, "this store cannot list its installs"),
            ("list-fails=1", "not all: 0 records read, 0 damaged, 0 too new", 1, "could not be listed: an accident"),
            # Within a batch a key comes once.
            ("list-twice=1", "10 records read, 0 damaged, 0 too new", 0, ""),
        ]:
            with self.subTest(fault=fault):
                answer = self.succeeded(skan("check", url, **faults(fault)), int(times > 0))
                self.assertEqual(answer.lines()[-1], last)
                self.assertEqual((len(answer.err.splitlines()), answer.err.count(words or "skan: ")), (times, times))
