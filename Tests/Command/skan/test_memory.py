"""Memory does not grow with the installs."""

import os

from tools import IS_SANITIZED, CommandCase, peak_memory, skan

INSTALLS = int(os.environ.get("SKAN_INSTALLS", "100000"))
# KiB; a copy of the keys alone would take more for the full count.
ALLOWANCE = 3072


class Memory(CommandCase):
    def test_a_hundred_thousand_installs_take_what_thirty_thousand_take(self):
        if IS_SANITIZED:
            return
        # By then the cache of SQLite is full.
        few, many = self.filled("few.db", 30_000), self.filled("many.db", INSTALLS)
        for name, url in {"few": few, "many": many}.items():
            with open(self.file(f"{name}.jsonl"), "w") as file:
                file.write(skan("export", url).out)
        commands = {
            "export": lambda name: ["export", self.sqlite(f"{name}.db")],
            "check": lambda name: ["check", self.sqlite(f"{name}.db")],
            "import": lambda name: ["import", self.sqlite(f"{name}-imported.db"), self.file(f"{name}.jsonl")],
            "purge": lambda name: ["purge", self.sqlite(f"{name}-imported.db"), "--closed-before", "1"],
            "move": lambda name: ["move", self.sqlite(f"{name}-imported.db"), self.sqlite(f"{name}-moved.db")],
        }
        for command, arguments in commands.items():
            with self.subTest(command=command):
                code, least = peak_memory(*arguments("few"))
                self.assertEqual(code, 0)
                code, most = peak_memory(*arguments("many"))
                self.assertEqual(code, 0)
                self.assertLess(most, least + ALLOWANCE, f"{least} KiB for 30 000 installs, {most} for {INSTALLS}")
        left = INSTALLS - INSTALLS // 10
        answer = skan("check", self.sqlite("many-moved.db"))
        self.assertEqual(answer.out, f"{left} records read, 0 damaged, 0 too new\n")
