"""Signals, readers that leave, disks that are full."""

import fcntl
import os
import re
import signal
import struct
import subprocess
import termios
import time

from tools import COMMAND, FAULTY_COMMAND, TOP, CommandCase, bytes_read, environment, faults, skan


class Endings(CommandCase):
    def test_a_reader_that_leaves(self):
        url = self.filled("p.db", 5000)
        process = subprocess.Popen(
            [COMMAND, "export", url], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
        )
        process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()
        process.stderr.close()
        self.assertEqual((process.wait(), err), (-signal.SIGPIPE, b""))

    def test_a_reader_that_never_was_and_a_full_disk(self):
        url = self.filled("p.db", 2000)
        for arguments in [["export", url], ["check", url], ["show", url, "player-0000000"], ["--help"]]:
            read, write = os.pipe()
            os.close(read)
            answer = self.succeeded(skan(*arguments, output=write), -signal.SIGPIPE)
            os.close(write)
            self.assertEqual(answer.err, "")
            with open("/dev/full", "w") as full:
                answer = self.succeeded(skan(*arguments, output=full), 1)
            self.assertIn("skan: standard output: No space left on device\n", answer.err)

    def test_an_interrupted_move_says_what_was_done(self):
        url = self.filled("p.db", 3000)
        records = self.records("p.db")
        answer = skan("move", url, self.sqlite("q.db"), **faults("interrupt=1500"))
        self.assertEqual(answer.code, -signal.SIGINT, answer)
        self.assertRegex(answer.out, r"^not all: \d+ installs moved\n$")
        left, arrived = self.records("p.db"), self.records("q.db")
        self.assertEqual({**left, **arrived}, records)
        self.assertEqual(int(answer.out.split()[2]), len(records) - len(left))
        self.succeeded(skan("move", url, self.sqlite("q.db")))
        self.assertEqual((self.records("p.db"), self.records("q.db")), ({}, records))

    def test_an_interrupted_export_ends_after_a_whole_line(self):
        url = self.filled("p.db", 3000)
        answer = skan("export", url, **faults("interrupt=1500"))
        self.assertEqual(answer.code, -signal.SIGINT)
        self.assertTrue(answer.out.endswith("}\n"))
        self.assertLess(len(answer.documents()), 3000)
        self.assertGreater(len(answer.documents()), 0)

    def test_an_interrupted_import_saves_what_it_read(self):
        process = subprocess.Popen(
            [COMMAND, "import", self.sqlite("q.db"), "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=environment(),
        )
        lines = skan("export", self.filled("p.db", 700)).out.encode()
        process.stdin.write(lines)
        process.stdin.flush()
        while _unread(process.stdin) > 0:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        self.assertEqual((process.returncode, err), (-signal.SIGINT, b""))
        self.assertRegex(out.decode(), r"^(?:not all: )?(\d+) lines? read, \1 imported, 0 already there, 0 refused\n$")
        imported = self.records("q.db")
        self.assertEqual(len(imported), int(re.search(rb"\d+", out)[0]))
        self.assertGreater(len(imported), 0)
        self.assertLessEqual(imported.items(), self.records("p.db").items())
        again = self.succeeded(skan("import", self.sqlite("q.db"), "-", given=lines.decode()))
        self.assertEqual(
            again.out,
            f"700 lines read, {700 - len(imported)} imported, {len(imported)} already there, 0 refused\n",
        )
        self.assertEqual(self.records("q.db"), self.records("p.db"))

    def test_a_signal_ends_the_reading_of_a_line_that_has_no_end(self):
        """/dev/zero is one line, without end."""
        model = TOP / "Sources" / "SKANModels" / "mixed.json"
        for words in [["import", self.sqlite("q.db"), "/dev/zero"], ["model", "try", model, "/dev/zero"]]:
            process = subprocess.Popen(
                [COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
            )
            while bytes_read(process) < 1 << 20:
                time.sleep(0.01)
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=60)
            self.assertEqual((process.returncode, err), (-signal.SIGTERM, b""))
            self.assertTrue(out.startswith(b"not all: 0 "), out)

    def reading_rows(self, words):
        return subprocess.Popen(
            [COMMAND, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment(), bufsize=0,
        )

    def commands_that_read_rows(self):
        """Each with a row of names and a row that may come any number of times."""
        return [
            (["report", self.filled("p.db", 1), "--campaigns=-"], b"network,identifier,cost\n", b"one.example,39,1\n"),
            (["model", "import", "--from=appsflyer-csv", "-"],
             b"conversion_value,event_name,min_event_revenue,max_event_revenue\n", b"1,shop_order,,\n"),
            (["model", "import", "--from=rows-csv", "-"],
             b"conversion_value,postback_sequence_index,coarse_conversion_value,lock_window_type,rule,condition\n",
             b"1,0,,,1,\n"),
        ]

    def test_a_signal_ends_the_reading_of_rows_that_have_no_end(self):
        """The rows go on after the signal, until nobody reads them; so do empty lines, which are no rows."""
        for words, names, row in self.commands_that_read_rows():
            for endless in (row, b"\n"):
                with self.subTest(words=words, endless=endless), self.reading_rows(words) as process:
                    block = endless * (65536 // len(endless))
                    process.stdin.write(names + block)
                    process.send_signal(signal.SIGTERM)
                    with self.assertRaises(BrokenPipeError):
                        for _ in range(256):
                            process.stdin.write(block)
                    out, err = process.communicate(timeout=60)
                    self.assertEqual((process.returncode, out, err), (-signal.SIGTERM, b"", b""))

    def test_a_row_that_a_signal_cuts_is_not_read(self):
        for words, names, row in self.commands_that_read_rows():
            with self.subTest(words=words), self.reading_rows(words) as process:
                process.stdin.write(names + row + row[:-3])
                while _unread(process.stdin) > 0:
                    time.sleep(0.01)
                process.send_signal(signal.SIGTERM)
                out, err = process.communicate(timeout=60)
                self.assertEqual((process.returncode, out, err), (-signal.SIGTERM, b"", b""))

    def test_an_ignored_signal_stays_ignored(self):
        url = self.filled("p.db", 3000)
        process = subprocess.run(
            ["sh", "-c", 'trap "" INT; exec "$0" check "$1"', FAULTY_COMMAND, url], capture_output=True,
            env=environment(**faults("interrupt=1500")), check=False,
        )
        self.assertEqual((process.returncode, process.stdout), (0, b"3000 records read, 0 damaged, 0 too new\n"))


def _unread(pipe):
    """Bytes that wait in a pipe."""
    return struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, b"\0" * 4))[0]
