"""Commands that read a store over several connections say what they say over one."""

from pathlib import Path

from stores import each_store
from tools import CommandCase, faults, skan
from worlds import world

# More than three batches of 1,024.
INSTALLS = 4000


class JobsTest(CommandCase):
    @each_store
    def test_the_output_is_the_same_over_any_number_of_connections(self, kind, store):
        folder = Path(self.folder) / kind
        folder.mkdir()
        words = [str(word) for word in world(folder, "none", 1003, INSTALLS, 60)]
        own = f"sqlite:{folder}/world.db"
        self.succeeded(skan("move", "--keep", own, store))
        report = [word.replace(own, store) for word in words[1:]]
        self.assertIn(store, report)
        for command in [["check", store], ["export", store], ["postbacks", store], [*report, "--json"],
                        ["purge", "--dry-run", "--closed-before", "1", store]]:
            with self.subTest(command=command[0]):
                outputs = [self.succeeded(skan(*command, "--jobs", jobs)).out for jobs in [1, 2, 8]]
                self.assertGreater(len(outputs[0]), 20)
                self.assertEqual(outputs[1:], outputs[:1] * 2)

    @each_store
    def test_purge_removes_the_same_over_any_number_of_connections(self, kind, store):
        own = self.filled(f"own-{kind}.db", INSTALLS)
        for jobs in [1, 4]:
            self.succeeded(skan("move", "--keep", own, store))
            purged = self.succeeded(skan("purge", "--closed-before", "1", "--jobs", jobs, store))
            self.assertIn(f" {INSTALLS // 10} removed", purged.out)
            self.assertEqual(len(self.exported(store)), INSTALLS - INSTALLS // 10)

    def test_records_that_cannot_be_read_are_named_in_their_order_with_the_stores_words(self):
        store = self.filled("faulty.db", INSTALLS)
        failing = [skan("check", store, "--jobs", jobs, **faults("load-fails=1")) for jobs in [1, 3]]
        self.assertEqual([answer.code for answer in failing], [1, 1])
        self.assertEqual(failing[0].err.count("could not be read: an accident"), INSTALLS)
        self.assertEqual(failing[0].err, failing[1].err)
