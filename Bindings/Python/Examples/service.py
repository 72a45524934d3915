"""A game's back end that keeps SKAdNetwork state for its players, from first launch to the last postback window.

Run it: `python service.py`. Nothing leaves the machine: this file also plays the database, the endpoint and the app.
"""

import itertools
import json
import threading
from typing import Callable, Optional

from libskan import CallResult, Device, Engine, Outcome, RevenueKind, Store, StoreConflict, StoreError, TransportError

HOUR = 3600
DAY = 24 * HOUR

ATTEMPTS = 3


class Service:
    """What the back end does when the app, the shop or an ad calls. One engine serves all players and all threads."""

    def __init__(self, store: Store, get: Callable[[str], bytes], clock: Callable[[], float]) -> None:
        self.engine = Engine(
            store,
            clock,
            get,
            endpoint_url="https://skan.example.com",
            sdk_key="sdk_key_here",
            bundle_id="com.example.game",
            app_version="1.2.3",
        )

    def on_launch(self, player: str, device: Device) -> None:
        """Every launch of the app is a session; the first one registers the install."""
        log(player, f"launch: {self.engine.register(player).outcome}")
        self.on_event(player, None, device)

    def on_event(self, player: str, name: Optional[str], device: Device, event_id: Optional[str] = None) -> None:
        """A session (no name) or an event: asks the endpoint for the next conversion value.

        A GET that failed has changed nothing, and the next event asks again: it need not be repeated.
        """
        try:
            outcome, update = self.engine.update_conversion_values(player, name, event_id=event_id, device=device)
        except (StoreError, TransportError) as error:
            log(player, f"{name or 'session'}: no answer, {error.__cause__ or error}")
        else:
            log(player, f"{name or 'session'}: {outcome}" + (f", fine value {update.fine_value}" if update else ""))

    def on_purchase(self, player: str, order: str, amount: float, currency: str, device: Device) -> None:
        """A purchase. The shop may report it twice, and any step may fail; it is counted once.

        The order's number is the event id of both calls, so calling again is always safe: each does what it has not
        done yet.
        """
        for attempt in range(1, ATTEMPTS + 1):
            try:
                outcome = self.engine.update_revenue(player, amount, currency, event_id=order)
            except StoreError as error:  # whatever the database's client raised is its cause
                log(player, f"{order}: attempt {attempt} failed, {error.__cause__ or error}")
                if attempt == ATTEMPTS:
                    raise
            else:
                log(player, f"{order}: counted before" if outcome is Outcome.DUPLICATE_EVENT else f"{order}: counted")
                break
        self.on_event(player, "purchase", device, event_id=order)

    def on_ad_shown(self, player: str, impression: str, amount: float, currency: str) -> None:
        """An ad impression's revenue."""
        self.engine.update_revenue(player, amount, currency, kind=RevenueKind.AD, event_id=impression)

    def on_app_call(self, player: str, device: Device) -> str:
        """The app calls, for whatever reason: the answer carries the calls to Apple that wait for it, if there are any.

        A back end cannot push, and only the app can call Apple.
        """
        return self.engine.pending_calls_json(player, device)[1]

    def on_app_report(self, player: str, results: dict[int, CallResult]) -> None:
        """The app reports the result of each call. If one failed, the value waits again."""
        self.engine.acknowledge_calls(player, results.items())

    def session_call(self, player: str) -> str:
        """A server-to-server session or event call to the attribution provider carries the state as metadata."""
        return "https://s2s.example.com/launch?n=com.example.game&" + self.engine.metadata(player)

    def close(self) -> None:
        """At shutdown."""
        self.engine.close()


class Database:
    """Plays a table of key, record, version. Any number of processes may share a real one."""

    def __init__(self) -> None:
        self.rows: dict[str, tuple[bytes, int]] = {}
        self.versions = itertools.count(1)
        self.transaction = threading.Lock()
        self.is_down_once = False

    def load(self, key: str) -> Optional[tuple[bytes, int]]:
        """SELECT record, version WHERE key."""
        if self.is_down_once:
            self.is_down_once = False
            raise ConnectionError("the database is restarting")
        return self.rows.get(key)

    def save(self, key: str, record: bytes, expected_version: int) -> int:
        """INSERT where 0 is expected, else UPDATE WHERE key AND version."""
        with self.transaction:
            if self.version(key) != expected_version:
                raise StoreConflict(key)
            self.rows[key] = record, next(self.versions)
            return self.version(key)

    def remove(self, key: str, expected_version: int) -> None:
        """DELETE WHERE key AND version."""
        with self.transaction:
            if self.version(key) != expected_version:
                raise StoreConflict(key)
            self.rows.pop(key, None)

    def version(self, key: str) -> int:
        """0 where there is no row."""
        return self.rows[key][1] if key in self.rows else 0


class Endpoint:
    """Plays the conversion value endpoint: a value more with every answer."""

    def __init__(self) -> None:
        self.is_down = False
        self.value = 0

    def get(self, url: str) -> bytes:
        """A transport is any callable from URL to body. It raises unless HTTP status 200 came in time."""
        if self.is_down:
            raise TimeoutError("the endpoint timed out")
        self.value += 1
        return json.dumps({"conversion_value": self.value, "skan_updated_coarse_value": 1, "status": "ok"}).encode()


def log(player: str, line: str) -> None:
    """What happened."""
    print(f"{player} {line}")


def visit(service: Service, player: str, device: Device) -> None:
    """Plays the app: asks for the calls to Apple that wait for it, makes them, and reports that."""
    body = service.on_app_call(player, device)
    log(player, f"the app gets {body}")
    service.on_app_report(player, {call["id"]: CallResult.DELIVERED for call in json.loads(body)["calls"]})


def main() -> None:
    """Five days of one player."""
    now = 1_700_000_000
    database, endpoint = Database(), Endpoint()
    service = Service(database, endpoint.get, clock=lambda: now)
    player = "player-1"
    device = Device(os_version="16.1", idfv="21DB6612-09B3-4ECC-84AC-B353B0AF1334")

    service.on_launch(player, device)
    visit(service, player, device)
    visit(service, player, device)

    now += 2 * HOUR
    database.is_down_once = True
    service.on_purchase(player, "order-1", 4.99, "USD", device)
    service.on_purchase(player, "order-1", 4.99, "USD", device)  # the shop did not hear our answer
    service.on_ad_shown(player, "impression-1", 0.0123, "USD")

    now += 20 * HOUR
    endpoint.is_down = True
    service.on_purchase(player, "order-2", 9.99, "USD", device)
    endpoint.is_down = False
    service.on_purchase(player, "order-2", 9.99, "USD", device)  # the shop has a retry queue
    service.on_event(player, "level_up", device)
    visit(service, player, device)

    now += 4 * DAY
    service.on_launch(player, device)
    visit(service, player, device)
    log(player, service.session_call(player))
    service.close()


if __name__ == "__main__":
    main()
