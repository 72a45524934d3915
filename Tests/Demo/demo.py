"""The main job, end to end: 1 000 installs through 35 days of virtual time.

    demo.py COMMAND MODEL RETURNS      the skan command, the model it serves by, and a model for re-engagements

Players behave as a seed draws them; the back end keeps their installs in an SQLite store and asks `skan serve`, over
HTTP, for each next value of an install. Some players come back by a tap on an ad: the engine decides the values of
their re-engagements by itself.
"""

from __future__ import annotations

import json
import mmap
import re
import subprocess
import sys
import tempfile
import time
from decimal import Decimal
from pathlib import Path

from libskan import (
    AppCall,
    CallResult,
    ConversionModel,
    Device,
    Engine,
    HTTPTransport,
    Outcome,
    Result,
    RevenueKind,
    SQLiteStore,
    Update,
)
from lives import CASUAL, DAY, PAYER, REGULAR, Action, Kind, Life
from tally import COARSE, Tally, install_of

PLAYERS, DAYS, SEED = 1000, 35, 20260101
FIRST_DAY = 1767225600  # 2026-01-01T00:00:00Z

WORDS = {
    Outcome.NO_NEW_VALUE: "no new value",
    Outcome.DUPLICATE_EVENT: "known already, not asked for again",
    Outcome.WINDOW_CLOSED: "the last window is closed",
}


NEXT = """
What to do next:
  Serve values of your own    build/bin/skan serve --model Sources/SKANModels/mixed.json
  Call it from your back end  README.md, "C", "C++", "Python" or "Swift"
  See which model fits you    Sources/SKANModels/README.md
  Install the library         make install PREFIX=$HOME/skan"""


class Server:
    """A `skan serve` of the demo's own; the demo turns its clock, which the engine has too."""

    def __init__(self, command: str, model: str, folder: Path) -> None:
        clock = folder / "clock"
        clock.write_bytes(bytes(8))
        with clock.open("r+b") as file:
            self._microseconds = memoryview(mmap.mmap(file.fileno(), 8)).cast("q")
        self.turn(0)
        options = ["--listen", "127.0.0.1:0", "--model", model, "--clock", str(clock), "--log", "nothing"]
        self._process = subprocess.Popen([command, "serve", *options], stdout=subprocess.PIPE, text=True)
        # The server's first line tells where it listens.
        found = re.search(r"http://[^, \n]+", self._process.stdout.readline()) if self._process.stdout else None
        if not found:
            sys.exit("demo: skan serve did not start")
        self.url = found[0]

    def turn(self, seconds: int) -> None:
        """So many seconds after the first day began."""
        self._microseconds[0] = (FIRST_DAY + seconds) * 1_000_000

    def now(self) -> float:
        """The clock of an engine."""
        return self._microseconds[0] / 1_000_000

    def stop(self) -> bool:
        """Whether it ended as it should."""
        self._process.terminate()
        return self._process.wait() == 0


def words_of(update: Update | None) -> str:
    """An update in words."""
    return "new values of re-engagements" if update is None else f"update {update.id}: {values_of(update)}"


def values_of(update: Update | AppCall) -> str:
    """The values in words."""
    values = [f"fine {update.fine_value}"] if update.fine_value is not None else []
    values += [f"coarse {COARSE[update.coarse_value]}"] if update.coarse_value is not None else []
    lock = ", locks it" if update.lock_window else ""
    return f"{', '.join(values)} for window {update.window}{lock}"


class BackEnd:
    """What happens where an app's back end uses libskan."""

    def __init__(self, engine: Engine, told: set[int], rates: dict[str, Decimal]) -> None:
        self.engine = engine
        self.tally = Tally(rates)
        self.requests = 0
        self.tales: dict[int, list[str]] = {player: [] for player in told}

    def tell(self, action: Action, words: str) -> None:
        """A line of a life that is told in words."""
        if action.player in self.tales:
            day, seconds = divmod(action.time, DAY)
            line = f"  day {day:2} {seconds // 3600:02}:{seconds // 60 % 60:02}  {words}"
            self.tales[action.player].append(line)

    def live(self, action: Action) -> None:
        """One action of a player."""
        if action.what == "launch":
            first = self.engine.register(install_of(action.player))
            self.tally.outcomes["register"][first.outcome] += 1
            self.tell(action, f"first launch -> {words_of(first.update)}")
        if action.what == "tap":
            self.come_back(action)
        elif action.what in ("launch", "session"):
            self.ask(action, None, None)
            self.hand_over(action)
        elif action.currency:
            self.pay(action)
        else:
            self.ask(action, action.what, None)

    def come_back(self, action: Action) -> None:
        """The app was opened by an ad, and reports it with the tag that tells this re-engagement from others."""
        install = install_of(action.player)
        name = f"{action.player}-{action.time}"
        taken = self.engine.reengage(
            install, f"open-{name}", f"tag-{name}", "spring", is_overlapping=True, device=device_of(action.player)
        )
        self.tally.outcomes["reengage"][taken.outcome] += 1
        self.tally.come_back(action.player)
        self.tell(action, f"comes back by an ad: re-engagement {taken.number}")

    def ask(self, action: Action, event: str | None, event_id: str | None) -> None:
        """For the next value, after a session or an event."""
        result: Result = self.engine.update_conversion_values(
            install_of(action.player), event, event_id=event_id, device=device_of(action.player)
        )
        self.tally.outcomes["update conversion values"][result.outcome] += 1
        self.requests += result.outcome is not Outcome.DUPLICATE_EVENT
        if result:
            self.tell(action, f"{event or 'session'} -> {words_of(result.update)}")
        elif event:
            self.tell(action, f"{event}: {WORDS.get(result.outcome, result.outcome.name)}")

    def hand_over(self, action: Action) -> None:
        """The app calls: it gets the calls that wait for it, makes them in their order, and says so."""
        install = install_of(action.player)
        waiting = self.engine.pending_calls(install, device_of(action.player))
        self.tally.outcomes["pending calls"][waiting.outcome] += 1
        calls = {call.id: call for call in waiting.calls}
        for call in calls.values():
            update = f"update {call.id}" + (f" of re-engagement {call.conversion}" if call.conversion else "")
            if action.is_lost:
                self.tell(action, f"{update} gets lost on its way to the app")
            else:
                self.tell(action, f"the app passes {update} to Apple: {values_of(call)}")
        if not action.is_lost:
            self.engine.acknowledge_calls(install, [(each, CallResult.DELIVERED) for each in calls])

    def pay(self, action: Action) -> None:
        """A purchase, which may be posted more than once, or an impression."""
        is_ad = action.what == "impression"
        kind = RevenueKind.AD if is_ad else RevenueKind.IAP
        order = f"{'impression' if is_ad else 'order'}-{action.time}"
        self.tally.pay(action)
        for post in range(1 + action.repeats):
            outcome = self.engine.update_revenue(
                install_of(action.player), float(action.amount), action.currency, kind=kind, event_id=order
            )
            self.tally.outcomes["update revenue"][outcome] += 1
            if not is_ad:
                what = "the same purchase comes in again:" if post else "buys for"
                once = ", counted once" if outcome is Outcome.DUPLICATE_EVENT else ""
                self.tell(action, f"{what} {action.amount} {action.currency}{once}")
        if not is_ad:
            for _ in range(1 + action.repeats):
                self.ask(action, "purchase", order)


def device_of(player: int) -> Device:
    """A player's, with a system that can tell several re-engagements apart."""
    return Device("18.4", f"{player + 1:08X}-0000-4000-8000-000000000000")


def open_engine(server: Server, file: Path, returns: ConversionModel) -> Engine:
    """With its installs in a file, their values from the server, and those of re-engagements by a model."""
    return Engine(
        SQLiteStore(file, synchronous="normal"),
        server.now,
        HTTPTransport(),
        endpoint_url=server.url,
        sdk_key="demo",
        bundle_id="com.example.game",
        app_version="1.2.3",
        reengagement_models=[returns],
    )


def can_be_told(actions: list[Action], least: int, most: int) -> bool:
    """Whether a life has so many actions that can be told in words."""
    return least <= sum(action.what != "impression" for action in actions) <= most


def first_of(kind: Kind, lives: list[tuple[Life, list[Action]]], least: int, most: int) -> int:
    """The first player of a kind whose life is neither short nor long."""
    for life, actions in lives:
        if life.kind is kind and can_be_told(actions, least, most):
            return life.player
    return 0


def first_back(lives: list[tuple[Life, list[Action]]], least: int, most: int) -> int:
    """The first player who comes back by an ad and then buys, and whose life is neither short nor long."""
    for life, actions in lives:
        what = [action.what for action in actions if action.what in ("tap", "purchase")]
        if "tap" in what and "purchase" in what[what.index("tap") :] and can_be_told(actions, least, most):
            return life.player
    return 0


def demonstrate(command: str, file: str, returns_file: str, folder: Path) -> bool:
    """Whether every purchase and impression was counted once, and the server ended as it should."""
    model, returns = ConversionModel(Path(file).read_bytes()), ConversionModel(Path(returns_file).read_bytes())
    rates = {code: Decimal(rate) for code, rate in json.loads(Path(returns_file).read_bytes())["rates"].items()}
    lives = [(life, list(life.actions(DAYS))) for life in (Life(SEED, player) for player in range(PLAYERS))]
    actions = sorted((action for _, each in lives for action in each), key=lambda action: action.time)
    told = {first_of(CASUAL, lives, 3, 9), first_of(REGULAR, lives, 6, 18), first_of(PAYER, lives, 9, 27)}
    told.add(first_back(lives, 8, 25))
    server = Server(command, file, folder)
    print(f"{PLAYERS} installs live through {DAYS} days: {len(actions)} sessions, events, impressions and purchases.")
    print(f"skan serve decides on {server.url} by {file}.")
    came_back = sum(life.taps > 0 for life, _ in lives)
    print(f"{came_back} players come back by a tap on an ad; the engine decides by {returns_file}.")
    try:
        with open_engine(server, folder / "installs.db", returns) as engine:
            back_end = BackEnd(engine, told, {"USD": Decimal(1)} | rates)
            start, shown = time.monotonic(), -1
            for action in actions:
                server.turn(action.time)
                back_end.live(action)
                if action.time // DAY // 5 != shown:
                    shown = action.time // DAY // 5
                    print(f"  day {shown * 5}", flush=True)
            print(f"{back_end.requests} requests for values over HTTP, {time.monotonic() - start:.1f} s.")
            differing = back_end.tally.show(engine, model, returns, PLAYERS)
    finally:
        ended = server.stop()
    for player, lines in back_end.tales.items():
        print(f"\nThe life of {install_of(player)}, a {lives[player][0].kind.name}", *lines, sep="\n")
    once = "every purchase and impression counted once" + (", BUT NOT ALL OF THEM" if differing else "")
    print(f"\n{PLAYERS} installs: {once}.")
    if differing:
        print(f"{differing} installs do not have the sums that their players paid.")
    if not ended:
        print("skan serve did not end as it should.")
    if ended and not differing:
        print(NEXT)
    return differing == 0 and ended


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: demo.py COMMAND MODEL RETURNS")
    with tempfile.TemporaryDirectory(prefix="skan-demo.") as scratch:
        sys.exit(0 if demonstrate(sys.argv[1], sys.argv[2], sys.argv[3], Path(scratch)) else 1)
