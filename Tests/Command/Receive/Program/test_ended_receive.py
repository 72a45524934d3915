"""skan receive, ended by a signal: what it was doing is done, and no more is read."""

import gzip
import signal
import subprocess
import time

from signer import skadnetwork
from test_receive_files import ReceiveCase, lines
from tools import COMMAND, bytes_read, environment


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

    def test_a_signal_ends_it_in_a_line_that_has_no_end(self):
        """/dev/zero is one line, without end; packed, it is a small file."""
        packed = self.written("line.gz", gzip.compress(bytes(1 << 26), 1) * 200)
        for file in ("/dev/zero", packed):
            process = subprocess.Popen([COMMAND, "receive", self.url, str(file), *map(str, self.scope)],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
            while bytes_read(process) < 1 << 20:
                time.sleep(0.01)
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=60)
            self.assertEqual((process.returncode, out, err),
                             (-signal.SIGTERM, b"not all: 0 postbacks read, 0 counted\n", b""))
