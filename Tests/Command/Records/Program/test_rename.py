"""skan rename: Rules, "Rename"."""

from tools import CommandCase, faults, skan

OLD, NEW = "player-0000004", "player-new"


class Rename(CommandCase):
    def renamed(self, url, code=0, **more):
        return self.succeeded(skan("rename", url, OLD, NEW, **more), code)

    def details(self, url, install):
        return self.succeeded(skan("show", url, install, "--json")).out

    def test_the_whole_record_moves(self):
        url = self.filled("p.db", 10)
        details = self.details(url, OLD)
        self.assertEqual(self.renamed(url).out, "1 install renamed\n")
        self.assertEqual(self.details(url, NEW), details)
        self.assertIn("no such install", self.succeeded(skan("show", url, OLD), 1).err)
        self.assertEqual(len(self.records("p.db")), 10)
        self.assertEqual(self.succeeded(skan("check", url)).out, "10 records read, 0 damaged, 0 too new\n")

    def test_what_is_not_there_and_what_is_taken(self):
        url = self.filled("p.db", 10)
        before = self.records("p.db")
        self.assertIn("no such install", self.succeeded(skan("rename", url, "nobody", NEW), 1).err)
        answer = self.succeeded(skan("rename", url, OLD, "player-0000001"), 1)
        self.assertIn("there is an install of this id; nothing was changed", answer.err)
        self.succeeded(skan("rename", url, OLD, OLD))
        self.assertIn("would be an install under the name of", self.succeeded(
            skan("rename", url, OLD, f"postback/{'0' * 64}"), 1).err)
        for wrong in ["", "a\x07", "x" * 129]:
            self.succeeded(skan("rename", url, OLD, wrong), 2)
        self.assertEqual(self.records("p.db"), before)

    def test_wherever_it_is_interrupted_one_id_has_the_install(self):
        for fault in ["save", "remove"]:
            for number in range(1, 6):
                url = self.filled("p.db", 10)
                details = self.details(url, OLD)
                answer = skan("rename", url, OLD, NEW, **faults(f"{fault}-fails={number}"))
                if answer.code == 0:
                    break
                self.assertIn("the same command carries on", answer.err)
                self.assertEqual(len(self.exported(url)), 10, number)
                # The first save begins the rename: if it fails, no record has a mark.
                has_begun = (fault, number) != ("save", 1)
                self.assertEqual("in a rename that has not ended" in self.succeeded(skan("check", url)).out, has_begun,
                                 (fault, number))
                self.succeeded(skan("rename", url, OLD, NEW))
                self.assertEqual(self.details(url, NEW), details)
                self.assertEqual(len(self.records("p.db")), 10)
                self.assertNotIn("rename", self.succeeded(skan("check", url)).out)

    def test_outcomes_that_are_unknown_are_looked_up(self):
        for fault in ["save-lost=3", "save-made=3", "save-lost=2", "save-made=2", "remove-lost=2", "remove-made=1"]:
            url = self.filled("p.db", 10)
            details = self.details(url, OLD)
            self.renamed(url, **faults(fault))
            self.assertEqual(self.details(url, NEW), details, fault)
            self.assertEqual(len(self.records("p.db")), 10)

    def test_purge_ends_it(self):
        url = self.filled("p.db", 10)
        self.renamed(url, 1, **faults("save-fails=4"))
        answer = self.succeeded(skan("purge", url, "--closed-before", 1000))
        self.assertIn("in a rename that had not ended and stay", answer.out)
        self.assertEqual(len(self.records("p.db")), 10)
