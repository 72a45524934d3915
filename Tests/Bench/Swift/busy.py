"""Runs busy.swift, with what Swift's tests were built with, on a store of its own and on one of each kind.

The files and servers are of this run alone. The code is not optimized, so the times of calls tell little; their ratio
tells what it costs to meet.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(TOP / folder) for folder in ("Tests", "Tests/Hosts", "Tests/Command")]

import shared_run  # noqa: E402 (their folders are known only now)
import stores  # noqa: E402
import swift_program  # noqa: E402

PRODUCTS = "SKANSQLite SKANPostgres SKANRedis"
OPTIONS = "-Xcc -I/usr/include/postgresql -ljson-c -lsqlite3 -lpq -lhiredis -lssl -lcrypto".split()


def main() -> None:
    """Builds the program and runs it once."""
    shared_run.begin()
    with tempfile.TemporaryDirectory(prefix="skan-busy-") as folder:
        program = Path(folder) / "busy"
        swift_program.build(Path(__file__).with_suffix(".swift"), PRODUCTS, OPTIONS, program)
        redis = stores.server("redis", "tcp_url", "databases=10000", "appendfsync=no")
        urls = {"own": "-", "sqlite": f"{folder}/busy.db", "postgres": stores.postgres_database(), "redis": redis}
        subprocess.run([program, *(part for pair in urls.items() for part in pair)], check=True)
    shared_run.end()


main()
