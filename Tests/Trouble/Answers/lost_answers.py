"""Every event and every amount counts once, at the engine and at the endpoint, whatever is lost in between.

Rules, "Event ids", "Repeated requests", "Lost answers": engines in C, Python, Swift and in two steps ask `skan serve`
through a proxy that loses, doubles and delays. Each event is asked for until it is answered; engines and server are
killed meanwhile. In the end both stores are counted against the list of events.

    lost_answers.py EVENTS PROGRAM_IN_C COMMAND [LANGUAGE ...]
"""

import collections
import contextlib
import decimal
import json
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path

from libskan import ConversionModel, Engine, SQLiteStore
from proxy import Proxy

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "Hosts"))
import swift_program  # noqa: E402 (its folder is known only now)

STEP = decimal.Decimal(5)
MODEL = json.dumps({
    "schema": 1, "id": "lost-answers", "currency": "USD",
    "measures": {
        "paid": {"sum": ["purchase"]}, "purchases": {"count": ["purchase"]}, "wins": {"count": ["win"]},
        "shown": {"sum": ["impression"]}, "impressions": {"count": ["impression"]}},
    "windows": [{"rules": [{"fine": 0, "when": {}}] + [
        {"fine": fine, "coarse": fine // 22, "when": {"measures": [{"name": "paid", "min": fine * int(STEP)}]}}
        for fine in range(1, 64)]}, {"rules": []}, {"rules": []}]})
# The most events of one engine that wait for an answer: fewer than the ids that are remembered.
WINDOW = 8
LANGUAGES = ("c", "python", "swift", "two-steps")


class Event:
    """One event; `line` is how a program is told of it."""

    def __init__(self, number, install, idfv, chance):
        self.install = install
        self.name = chance.choice(["-", "win", "purchase", "impression"])
        self.amount = decimal.Decimal(chance.randrange(1, 999)) / 100 if self.name in ("purchase", "impression") else None
        # The app's two halves spell the idfv differently.
        idfv = idfv.upper() if chance.random() < 0.5 else idfv.lower()
        kind = "ad" if self.name == "impression" else "iap"
        self.line = f"{number} {install} {idfv} {self.name} {'-' if self.amount is None else self.amount} {kind}\n"


class Asking(threading.Thread):
    """An engine's program, which is killed and started again, until every event of its list is answered."""

    def __init__(self, command, events):
        super().__init__(daemon=True)
        self.command = command
        self.left = collections.deque(events)
        self.statuses = collections.Counter()
        self.kills = 0
        # Of the running program: it is not killed again before it has done something.
        self.answers = 0
        self.process = None
        self.problem = None

    def run(self):
        try:
            waiting = collections.deque()
            while self.left or waiting:
                while self.left and len(waiting) < WINDOW:
                    waiting.append(self.left.popleft())
                event = waiting.popleft()
                if not self.ask(event):
                    waiting.append(event)
        except BaseException as problem:  # shown at the end
            self.problem = problem

    def ask(self, event):
        """Whether it was answered; not where the program was killed."""
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            self.answers = 0
        try:
            self.process.stdin.write(event.line)
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except OSError:
            answer = ""
        if not answer.endswith("\n"):
            code = self.process.wait()
            assert code == -signal.SIGKILL, f"{self.command} ended with {code}"
            self.kills += 1
            return False
        answer = answer.split()
        self.answers += 1
        self.statuses[answer[2]] += 1
        if answer[1] == "done":
            assert answer[2] in ("SKAN_OK", "SKAN_NO_NEW_VALUE", "SKAN_DUPLICATE_EVENT"), answer
        return answer[1] == "done"

    def kill(self):
        if self.answers >= 5:
            self.process.kill()


class Server:
    """`skan serve` on an SQLite store, on the same port each time."""

    def __init__(self, command, folder, model):
        self.arguments = [command, "serve", "--model", model, "--store", f"sqlite:{folder}/users.db", "--listen"]
        self.log = open(folder / "serve.log", "ab")
        self.port = 0
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [*self.arguments, f"127.0.0.1:{self.port}"], stdout=subprocess.PIPE, stderr=self.log)
        said = self.process.stdout.readline().decode()
        assert "serving on http://127.0.0.1:" in said, said
        self.port = int(said.split("http://127.0.0.1:")[1].split(",")[0])

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.start()


def expected(events):
    """What has to be counted for an install."""
    count = collections.Counter(event.name for event in events)
    money = collections.defaultdict(decimal.Decimal)
    for event in events:
        money[event.name] += event.amount or 0
    return {
        "sessions": count["-"],
        "measures": {"paid": money["purchase"], "purchases": count["purchase"], "wins": count["win"],
                     "shown": money["impression"], "impressions": count["impression"]},
        "iap": money["purchase"], "ad": money["impression"],
        "fine": min(63, int(money["purchase"] // STEP)),
    }


def counted(here, there, install, idfv):
    """What the two stores have of it."""
    _, document = there.explanation(f"v2/com.example.game/{idfv.upper()}")
    details = here.details(install)
    first = details.windows[0]
    assert details.iap_revenue == first.iap_revenue and details.ad_revenue == first.ad_revenue, details
    return {
        "sessions": document["sessions"],
        "measures": {name: number for name, number in document["measures"].items()},
        "iap": details.iap_revenue.get("USD", 0), "ad": details.ad_revenue.get("USD", 0), "fine": details.fine_value,
    }


def disturb(askings, server, chance):
    """Kills engines and server, until every event is answered."""
    kills = 0
    while any(asking.is_alive() for asking in askings):
        time.sleep(chance.uniform(0.1, 0.6))
        if chance.random() < 0.3:
            server.kill()
            kills += 1
        else:
            chance.choice(askings).kill()
    return kills


def main(count, program, command, *languages):
    languages = languages or LANGUAGES
    seed = random.randrange(2**32)
    chance = random.Random(seed)
    print(f"seed {seed}", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="skan-lost-answers-"))
    (folder / "model.json").write_text(MODEL)
    if "swift" in languages:
        swift_program.build(
            HERE / "asks.swift", "SKANHTTP SKANSQLite", ["-ljson-c", "-lcurl", "-lsqlite3"], folder / "asks-swift")
    server = Server(command, folder, folder / "model.json")
    proxy = Proxy(server.port, seed)
    url = f"http://127.0.0.1:{proxy.port}"
    python = [sys.executable, str(HERE / "asks.py")]
    programs = {"c": [program], "swift": [str(folder / "asks-swift")], "python": python, "two-steps": python}
    installs, askings = {}, []
    for language in languages:
        users = {f"{language}-{user}": str(uuid.UUID(int=chance.getrandbits(128))) for user in range(max(1, count // 800))}
        events = [Event(f"{language}.{number}", *chance.choice(list(users.items())), chance)
                  for number in range(count // len(languages))]
        arguments = [str(folder / f"{language}.db"), url, *(["two-steps"] if language == "two-steps" else [])]
        askings.append(Asking([*programs[language], *arguments], events))
        installs[language] = (users, events)
    for asking in askings:
        asking.start()
    server_kills = disturb(askings, server, chance)
    proxy.settle()
    for asking in askings:
        assert asking.problem is None, asking.problem
        asking.process.stdin.close()
        assert asking.process.wait(60) in (0, -signal.SIGKILL)
    server.process.terminate()
    assert server.process.wait(60) == 0

    model = ConversionModel(MODEL)
    there = Engine(store=SQLiteStore(folder / "users.db"), models=[model])
    wrong = 0
    for language, asking in zip(languages, askings):
        users, events = installs[language]
        here = Engine(store=SQLiteStore(folder / f"{language}.db"), endpoint_url=url)
        for install, idfv in users.items():
            own = [event for event in events if event.install == install]
            if not own:
                continue
            found, meant = counted(here, there, install, idfv), expected(own)
            if found != meant:
                wrong += 1
                print(f"{install}: expected {meant}, counted {found}")
        print(f"{language}: {len(events)} events, killed {asking.kills} times, {dict(asking.statuses)}")
    print(f"the server was killed {server_kills} times; requests: {dict(proxy.fates)}")
    assert wrong == 0, f"{wrong} installs have wrong counts; the files are in {folder}"


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
