"""The progress bar under a terminal; all other tests expect none without one."""

import contextlib
import fcntl
import os
import pty
import re
import struct
import subprocess
import tempfile
import termios
import threading

from tools import COMMAND, CommandCase, environment, skan


def on_terminal(*arguments, columns=100, is_output_too=False, given=""):
    """The exit code, standard output, and what a terminal on standard error got; `given` comes through a pipe."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))
    with tempfile.TemporaryFile() as file:
        output = slave if is_output_too else file
        process = subprocess.Popen([COMMAND, *map(str, arguments)], stdin=subprocess.PIPE, stdout=output, stderr=slave,
                                   env=environment())
        os.close(slave)
        writer = threading.Thread(target=process.communicate, args=[given.encode()])
        writer.start()
        seen = b""
        # Its end is an error where nobody has the other side any more.
        with contextlib.suppress(OSError):
            while part := os.read(master, 65536):
                seen += part
        os.close(master)
        writer.join()
        code = process.returncode
        file.seek(0)
        return code, file.read().decode(), seen.decode()


LEFT = r"(?:\d+ h \d+ min|\d+ min \d+ s|\d+ s) left"
BAR = re.compile(rf"\[[# ]+\] +(\d+)%  ([\d.]+) of ([\d.]+) (\w+), [\d.]+(?: \w+)?/s(?:, ({LEFT}))?\x1b")


class Terminal(CommandCase):
    def bars(self, seen):
        found = BAR.findall(seen)
        self.assertTrue(found, repr(seen[:500]))
        shares = [int(bar[0]) for bar in found]
        self.assertEqual(shares, sorted(shares))
        self.assertTrue(seen.endswith("\r\x1b[K"), repr(seen[-100:]))
        return found

    def test_export_shows_a_bar_with_rate_and_time_left(self):
        url = self.filled("p.db", 5000)
        code, out, seen = on_terminal("export", url)
        self.assertEqual((code, out), (0, skan("export", url).out))
        found = self.bars(seen)
        self.assertEqual(found[0][:4], ("0", "0", "5000", "records"))
        self.assertEqual(found[-1], ("100", "5000", "5000", "records", "0 s left"))

    def test_check_purge_and_move_show_one(self):
        url = self.filled("p.db", 1500)
        for arguments in [
            ["check", url], ["purge", url, "--closed-before", 1, "--dry-run"], ["move", url, self.sqlite("q.db")]
        ]:
            code, _, seen = on_terminal(*arguments)
            self.assertEqual(code, 0)
            self.assertEqual(self.bars(seen)[-1][1:4], ("1500", "1500", "records"))

    def test_import_shows_bytes_of_a_file(self):
        text = skan("export", self.filled("p.db", 1500)).out
        self.file("lines").write_text(text)
        code, _, seen = on_terminal("import", self.sqlite("q.db"), self.file("lines"))
        self.assertEqual(code, 0)
        size = f"{len(text) / 1e6:.1f}" if len(text) >= 1_000_000 else f"{len(text) / 1e3:.0f}"
        unit = "MB" if len(text) >= 1_000_000 else "kB"
        self.assertEqual(self.bars(seen)[-1][1:4], (size, size, unit))

    def test_import_shows_what_is_known_of_a_pipe(self):
        lines = skan("export", self.filled("p.db", 1500)).out
        code, _, seen = on_terminal("import", self.sqlite("q.db"), "-", given=lines)
        self.assertEqual(code, 0)
        self.assertRegex(seen, r"\r[\d.]+ [kM]B, [\d.]+ [kM]B/s\x1b")

    def test_messages_are_on_lines_of_their_own(self):
        url = self.filled("p.db", 10)
        self.put("p.db", b"bad", b"\x01")
        code, _, seen = on_terminal("export", url)
        self.assertEqual(code, 1)
        self.assertRegex(seen, r"\r\x1b\[Kskan: bad: record")

    def test_lines_are_no_longer_than_the_terminal(self):
        url = self.filled("p.db", 3000)
        for columns in [1, 5, 20, 40, 60, 80, 300]:
            _, _, seen = on_terminal("check", url, columns=columns)
            for line in re.split(r"[\r\n]", seen):
                self.assertLess(len(line.replace("\x1b[K", "")), max(columns, 2))

    def test_no_bar_where_the_data_goes_to_the_terminal(self):
        url = self.filled("p.db", 3)
        _, _, seen = on_terminal("export", url, is_output_too=True)
        self.assertEqual(seen.replace("\r\n", "\n"), skan("export", url).out)
