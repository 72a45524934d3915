"""What the tests of the command share: running it, stores to run it on, records to damage."""

import base64
import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("BUILD", TOP / "build")).resolve()
COMMAND = os.environ.get("SKAN_COMMAND", str(BUILD / "bin" / "skan"))
FILL = str(BUILD / "Tests" / "command" / "fill")
# The command whose SQLite stores have accidents.
FAULTY_COMMAND = os.environ.get("SKAN_FAULTY_COMMAND", str(BUILD / "bin" / "faulty-skan"))
KINDS = os.environ.get("SKAN_STORES", "sqlite").split()
# A command built with AddressSanitizer keeps freed memory for a while.
IS_SANITIZED = "/address/" in COMMAND


def environment(**more):
    return dict(os.environ, LC_ALL="C", TSAN_OPTIONS="exitcode=66 halt_on_error=1 report_thread_leaks=0", **more)


class Answer:
    """How a run ended."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def lines(self):
        # Not splitlines(): ids may have what else it takes for the end of a line.
        return self.out.split("\n")[:-1]

    def documents(self):
        return [json.loads(line) for line in self.lines()]

    def __repr__(self):
        return f"code {self.code}\nout: {self.out[:2000]}\nerr: {self.err[:2000]}"


def program(variables):
    return FAULTY_COMMAND if "SKAN_TEST_FAULTS" in variables else COMMAND


def skan(*arguments, given="", output=subprocess.PIPE, **more):
    run = subprocess.run(
        [program(more), *map(str, arguments)], input=given.encode("utf-8", "surrogateescape"), stdout=output,
        stderr=subprocess.PIPE, env=environment(**more), timeout=600, check=False,
    )
    out, err = ((part or b"").decode("utf-8", "replace") for part in (run.stdout, run.stderr))
    return Answer(run.returncode, out, err)


def faults(text, **more):
    """Variables with which stores in SQLite files have accidents."""
    return dict(SKAN_TEST_FAULTS=text, **more)


def peak_memory(*arguments):
    """The exit code, and the most memory the run had, in KiB."""
    # What this process starts itself would count this one's memory as its own.
    run = subprocess.run(["/usr/bin/time", "-f", "%M", COMMAND, *map(str, arguments)], stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, env=environment(), text=True, check=False)
    return run.returncode, int(run.stderr.split()[-1])


def bytes_read(process):
    """How many bytes a running process has read so far."""
    with open(f"/proc/{process.pid}/io", encoding="ascii") as file:
        return int(file.readline().split()[1])


def outbox_entry(key, **members):
    """The record of an outbox entry under this key; it waits and is due unless `members` says else."""
    entry = {"outbox": 1, "state": "waiting", "attempts": 1, "created": 1, "due": 1, "asked": 0, "reason": ""} | members
    entry.pop("seal", None)
    text = json.dumps(entry)[:-1].encode()
    return text + b',"seal":"%s"}' % hashlib.sha256(key + b"\0" + text).hexdigest()[:16].encode()


class FolderCase(unittest.TestCase):
    """A folder of the test's own."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="skan-command-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def succeeded(self, answer, code=0):
        self.assertEqual(answer.code, code, answer)
        return answer

    def secret(self, name, text):
        """A file that nobody else may read."""
        file = self.folder / name
        file.write_text(text + "\n")
        file.chmod(0o600)
        return file


class CommandCase(FolderCase):
    """SQLite files in the test's folder."""

    def file(self, name):
        return self.folder / name

    def sqlite(self, name):
        return f"sqlite:{self.file(name)}"

    def filled(self, name, count, *more):
        """The URL of a new file with so many installs; `more` is for fill.c."""
        self.file(name).unlink(missing_ok=True)
        subprocess.run([FILL, str(self.file(name)), str(count), *more], check=True, env=environment())
        return f"sqlite:{self.file(name)}"

    @contextlib.contextmanager
    def database(self, name):
        with contextlib.closing(sqlite3.connect(self.file(name))) as database, database:
            yield database

    def records(self, name):
        """Key and record of every row, as bytes."""
        with self.database(name) as database:
            rows = database.execute("SELECT key, record FROM skan_records")
            return {bytes(key): bytes(record) for key, record in rows}

    def put(self, name, key, record):
        with self.database(name) as database:
            database.execute(
                "INSERT OR REPLACE INTO skan_records (key, version, record) VALUES (?, ?, ?)",
                (key, int.from_bytes(os.urandom(7), "little") + 1, record),
            )

    def exported(self, url, code=0):
        """The records of a store, by install id; each is there once."""
        documents = self.succeeded(skan("export", url), code).documents()
        found = {document["install_id"]: base64.b64decode(document["record"], validate=True) for document in documents}
        self.assertEqual(len(found), len(documents))
        return found


def make_damaged(record):
    """Every sort of damage, by name, with the status's word in skan check."""
    return {
        "flipped": (record[:20] + bytes([record[20] ^ 1]) + record[21:], "damaged"),
        "short": (record[:-1], "damaged"),
        "one byte": (record[:1], "damaged"),
        "long": (record + b"\0", "damaged"),
        "no record": (b"{}", "too new"),
        "zeros": (bytes(len(record)), "damaged"),
        "newer": (b"\xff" + record[1:], "too new"),
        "larger than a record": (record + bytes(40000), "damaged"),
    }
