"""A game server that makes many calls at once: calls.py URL PLAYERS CALLS

Each player is a thread that asks for a conversion value CALLS times; 0: until standard input ends. For each line of input
it says "ready" once every player has had another answer. At the end it says how many calls were lost, and why.
"""

import collections
import sys
import threading
import time

from libskan import Device, Engine, HTTPTransport

url, players, calls = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
engine = Engine(
    endpoint_url=url, sdk_key="key", bundle_id="com.example.game", app_version="1.2.3", transport=HTTPTransport()
)
device = Device("17.2", idfv="21DB6612-09B3-4ECC-84AC-B353B0AF1334")
answered = [0] * players
lost: "collections.Counter[str]" = collections.Counter()
is_over = threading.Event()
lock = threading.Lock()


def play(player: int) -> None:
    name = f"player-{player}"
    engine.register(name)
    number = 0
    while number < calls or (calls == 0 and not is_over.is_set()):
        number += 1
        try:
            engine.update_conversion_values(name, "purchase", event_id=f"order-{number}", device=device)
        except Exception as error:  # whatever it is, the call is lost
            with lock:
                lost[str(error)] += 1
        else:
            answered[player] += 1


threads = [threading.Thread(target=play, args=(player,)) for player in range(players)]
for thread in threads:
    thread.start()
for _ in sys.stdin:
    before = list(answered)
    while not all(now > then for now, then in zip(answered, before)):
        time.sleep(0.01)
    print("ready", flush=True)
is_over.set()
for thread in threads:
    thread.join()
for why, count in lost.items():
    print(f"{count} times: {why}")
print(f"{sum(answered)} answered, {sum(lost.values())} lost")
