"""SKAdNetwork (SKAN) state for server-to-server integrations.

    from libskan import Device, Engine

    endpoint = "https://skan.example.com"  # without an endpoint_url requests go to Singular's server
    app = {"sdk_key": "...", "bundle_id": "com.example.game", "app_version": "1.0"}
    with Engine(**app, endpoint_url=endpoint, transport=get) as engine:
        first = engine.register("player-1")                                   # first launch
        engine.update_revenue("player-1", 4.99, "USD", event_id="order-1")    # a purchase, counted once
        device = Device("17.2", idfv="21DB6612-09B3-4ECC-84AC-B353B0AF1334")
        engine.update_conversion_values("player-1", "purchase", device=device)  # ask the endpoint for the next value

        waiting = engine.pending_update("player-1")                           # when the app calls next:
        if waiting.update:
            ...                                                               # hand it this, and when it arrived
            engine.acknowledge_update("player-1", waiting.update.id)

Expected outcomes are values (`Outcome`, `Result`, `Request`: true when OK), errors are exceptions (`SkanError`).
"""

from ._details import Details, Revenue, WindowDetails
from ._engine import Engine
from ._errors import (
    ClockError,
    CorruptRecord,
    IllegalValue,
    InvalidArgument,
    InvalidDocument,
    LimitExceeded,
    MalformedResponse,
    Misuse,
    ModelUnknown,
    RecordTooNew,
    Rejected,
    SkanError,
    StoreConflict,
    StoreError,
    StoreUnknown,
    TransportError,
)
from ._hooks import Clock, ListingStore, ManyStore, PrefixListingStore, Save, Store, Transport
from ._http import HTTPTransport
from ._model import Model
from ._postgres import PostgresStore
from ._record import Record, read_record
from ._redis import RedisStore
from ._sqlite import SQLiteStore
from ._status import CallResult, Outcome, ReengagementCredit, Status
from ._values import Call, Calls, Device, ManyResult, Reengaged, Request, Result, RevenueItem, Update
from ._version import __version__

__all__ = [
    "Call",
    "CallResult",
    "Calls",
    "Clock",
    "ClockError",
    "CorruptRecord",
    "Details",
    "Device",
    "Engine",
    "HTTPTransport",
    "IllegalValue",
    "InvalidArgument",
    "InvalidDocument",
    "LimitExceeded",
    "ListingStore",
    "MalformedResponse",
    "ManyResult",
    "ManyStore",
    "Misuse",
    "Model",
    "ModelUnknown",
    "Outcome",
    "PostgresStore",
    "PrefixListingStore",
    "Record",
    "RecordTooNew",
    "RedisStore",
    "Reengaged",
    "ReengagementCredit",
    "Rejected",
    "Request",
    "Result",
    "Revenue",
    "RevenueItem",
    "SQLiteStore",
    "Save",
    "SkanError",
    "Status",
    "Store",
    "StoreConflict",
    "StoreError",
    "StoreUnknown",
    "Transport",
    "TransportError",
    "Update",
    "WindowDetails",
    "__version__",
    "read_record",
]
