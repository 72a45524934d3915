"""What receiving postbacks from a file costs: bench.py [POSTBACKS [KILLS]].

Prints the rate into SQLite with its defaults, and the most memory. With KILLS a second store is filled by a run that is
killed so often, at random moments, and repeated; then each postback is there once.
"""

import json
import multiprocessing
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from signer import APP, keys_file, skadnetwork
from tools import COMMAND, skan


def line(number):
    document = json.loads(skadnetwork(number, **{"conversion-value": number % 64}))
    return json.dumps({**document, "received": 1767225600 + number}) + "\n"


def write(file, count):
    with file.open("w") as output, multiprocessing.Pool() as pool:
        output.writelines(pool.imap(line, range(count), chunksize=1000))


def timed(arguments):
    """Its last line, seconds and KiB."""
    begin = time.monotonic()
    run = subprocess.run(["/usr/bin/time", "-f", "%M", *arguments], capture_output=True, text=True, check=True)
    return run.stdout.strip(), time.monotonic() - begin, int(run.stderr.split()[-1])


def kill_often(arguments, kills, seconds):
    """All of them together last about so long."""
    for _ in range(kills):
        process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0, 2 * seconds / kills))
        process.kill()
        process.wait()


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300_000
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    with tempfile.TemporaryDirectory(prefix="skan-receive-") as folder:
        file = Path(folder, "postbacks.jsonl")
        write(file, count)
        keys = str(keys_file(Path(folder)))
        options = ["--app-id", str(APP), "--postback-keys", keys, "--received-field", "received"]
        lasted = []
        for name in ("new", "again"):
            said, seconds, memory = timed([COMMAND, "receive", f"sqlite:{folder}/p.db", str(file), *options])
            lasted.append(seconds)
            print(f"{name}: {count / seconds:.0f} postbacks a second, {memory / 1024:.1f} MB; {said}")
        if kills:
            arguments = [COMMAND, "receive", f"sqlite:{folder}/killed.db", str(file), *options]
            kill_often(arguments, kills, lasted[0])
            print(f"after {kills} kills: {timed(arguments)[0]}")
            with sqlite3.connect(f"{folder}/killed.db") as database:
                there = database.execute("SELECT count(*) FROM skan_records").fetchone()[0]
            rows = skan("postbacks", f"sqlite:{folder}/killed.db").documents()
            assert there == len({row["id"] for row in rows}) == len(rows) == count, (there, len(rows))


if __name__ == "__main__":
    main()
