"""As asks.c, in Python: asks.py FILE URL [two-steps].

With "two-steps" the requests are made by the HTTP client of Python's own library, and each answer is applied by itself.
"""

import http.client
import sys
import urllib.request
from decimal import Decimal

from libskan import Device, Engine, HTTPTransport, RevenueKind, SkanError, SQLiteStore

file, url = sys.argv[1], sys.argv[2]
is_in_two_steps = len(sys.argv) == 4
transport = HTTPTransport(timeout=3, attempt_timeout=0.4, max_attempts=3, backoff=0.01, max_backoff=0.05, proxy="")
engine = Engine(
    store=SQLiteStore(file, synchronous="normal"),
    transport=None if is_in_two_steps else transport,
    endpoint_url=url, sdk_key="key", bundle_id="com.example.game", app_version="1.2.3",
)
direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def ask(number, install, idfv, name, amount, kind):
    event = {"event_name": None if name == "-" else name, "event_id": f"event {number}"}
    money = {} if amount == "-" else {
        "amount": Decimal(amount), "currency": "USD", "kind": RevenueKind.AD if kind == "ad" else RevenueKind.IAP}
    device = Device("17.2", idfv=idfv)
    engine.register(install)
    if not is_in_two_steps:
        return engine.update_conversion_values(install, device=device, **event, **money).outcome
    request = engine.conversion_request(install, device=device, **event, **money)
    if request.url is None:
        return request.outcome
    with direct.open(request.url, timeout=0.4) as answer:
        return engine.apply_response(install, request.ticket, answer.read(), **event).outcome


for line in sys.stdin:
    parts = line.split()
    try:
        print(parts[0], "done", f"SKAN_{ask(*parts).name}", flush=True)
    except SkanError as error:
        print(parts[0], "again", f"SKAN_ERROR_{error.status.name}", flush=True)
    except (OSError, http.client.HTTPException) as error:  # of Python's own client
        print(parts[0], "again", type(error).__name__, flush=True)
