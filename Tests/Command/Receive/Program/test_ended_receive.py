"""skan receive, ended by a signal: what it was doing is done, and no more is read."""

import contextlib
import gzip
import os
import signal
import sqlite3
import subprocess
import threading
import time
from pathlib import Path

from signer import skadnetwork
from test_receive_files import ReceiveCase, lines
from tools import COMMAND, TOP, environment


class Signalled(ReceiveCase):
    def test_a_signal_ends_it_after_what_it_was_doing(self):
        process = subprocess.Popen([COMMAND, "receive", self.url, "-", *map(str, self.scope)], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, env=environment())
        process.stdin.write(lines(*(skadnetwork(number) for number in range(3))))
        process.stdin.flush()
        while not self.file("p.db").exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGTERM)
        self.assertTrue(not out or out.startswith(b"not all: "), out)

    def test_a_signal_ends_it_in_an_input_of_any_form_that_has_no_end(self):
        columns = "--columns", TOP / "Include/packaging/share/columns/plain_columns.json"
        names = b"received_at,attribution_signature\n"
        for form, beginning, repeated, options in [
            ("one line", b"", b"x" * 65536, ()),
            ("lines that are no postbacks", b"", b"x\n" * 4096, ()),
            ("blank lines", b"", b"\n" * 65536, ()),
            ("a string", b'{"version": "', b"x" * 65536, ()),
            ("elements of an array", b"[", b"1," * 4096, ()),
            ("arrays in arrays", b"", b"[" * 65536, ()),
            ("rows in an array", b"[", b'{"received_at":1},' * 4096, columns),
            ("names of columns", b"received_at", b",x" * 32768, columns),
            ("rows", names, b"1,2\n" * 4096, columns),
            ("cells", names, b"," * 65536, columns),
            ("a cell in quotes", names + b'"', b"x\n" * 32768, columns),
            ("empty rows", names, b"\n" * 65536, columns),
            ("a gzip member of one line", b"", gzip.compress(bytes(1 << 20)), ()),
            ("gzip members without content", b"", gzip.compress(b"") * 4096, ()),
            ("gzip members of rows", gzip.compress(names), gzip.compress(b"1,2\n" * 4096, 0), columns),
            ("zeros behind a gzip member", gzip.compress(b""), bytes(65536), ()),
        ]:
            with self.subTest(form):
                code, out, err = self.ended_amid(beginning, repeated, *options)
                self.assertEqual(code, -signal.SIGTERM)
                self.assertTrue(out.startswith(b"not all: 0 postbacks read, 0 counted"), out)
                self.assertNotIn(b"not read", err)

    def test_a_signal_ends_it_in_a_folder_without_files(self):
        """It is sent while the store's opening waits for another program, so that it comes before the folder's turn."""
        logs = self.file("logs")
        logs.mkdir()
        (logs / "link").symlink_to("nowhere")
        with contextlib.closing(sqlite3.connect(self.file("p.db"), isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            process = subprocess.Popen([COMMAND, "receive", self.url, str(logs), *map(str, self.scope)],
                                       stdout=subprocess.PIPE, env=environment())
            while "p.db" not in files_of(process):
                time.sleep(0.001)
            process.send_signal(signal.SIGTERM)
            other.execute("ROLLBACK")
        out, _ = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (-signal.SIGTERM, b"not all: 0 postbacks read, 0 counted\n"))

    def ended_amid(self, beginning, repeated, *options):
        """The result of a run that was ended amid an input without end."""
        source, sink = os.pipe()
        command = [COMMAND, "receive", self.url, "-", *map(str, [*self.scope, *options])]
        process = subprocess.Popen(command, stdin=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=environment())
        os.close(source)
        written = []
        threading.Thread(target=write_for_ever, args=(sink, beginning, repeated, written)).start()
        try:
            # A pipe holds 64 KiB: what was written besides has been read.
            while process.poll() is None and sum(written) < 1 << 18:
                time.sleep(0.001)
            process.send_signal(signal.SIGTERM)
            return process.wait(timeout=30), process.stdout.read(), process.stderr.read()
        finally:
            process.kill()


def files_of(process):
    """The names of the files that a running process has open."""
    names = []
    for file in Path(f"/proc/{process.pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            names.append(file.readlink().name)
    return names


def write_for_ever(sink, beginning, repeated, written):
    """Writes until nobody reads any more, and notes how many bytes each write took."""
    with contextlib.suppress(BrokenPipeError), open(sink, "wb", buffering=0) as file:
        file.write(beginning)
        while True:
            written.append(file.write(repeated))
