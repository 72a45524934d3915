"""SKAdNetwork (SKAN) state for server-to-server integrations.

    from libskan import CallResult, Device, Engine

    app = {"sdk_key": "...", "bundle_id": "com.example.game", "app_version": "1.0"}
    with Engine(**app, endpoint_url="https://skan.example.com", transport=get) as engine:
        engine.register("install-1")                                          # first launch
        device = Device("17.2", idfv="21DB6612-09B3-4ECC-84AC-B353B0AF1334")
        engine.update_conversion_values(                                      # a purchase, counted once: add its money,
            "install-1", "purchase", event_id="order-1", device=device,       # and ask the endpoint for the next value
            amount=4.99, currency="USD",
        )

        outcome, json = engine.pending_calls_json("install-1", device)        # when the app calls next: send it this,
        engine.acknowledge_calls("install-1", [(reported_id, CallResult.DELIVERED)])  # and note what it reports

Expected outcomes are values (`Outcome`, `Result`, `Request`: true when OK), errors are exceptions (`SkanError`).
"""

from ._details import (
    Details,
    Reengagement,
    ReengagementEnd,
    ReengagementRevenue,
    RevenueSums,
    WindowDetails,
)
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
    TransportUnknown,
)
from ._hooks import Clock, ListingStore, ManyStore, PrefixListingStore, Save, Store, Transport
from ._http import HTTPTransport
from ._model import ConversionModel
from ._postgres import PostgresStore
from ._record import Record, read_record
from ._redis import RedisStore
from ._sqlite import SQLiteStore
from ._status import CallResult, CoarseValue, Outcome, ReengagementCredit, RevenueKind, Status
from ._values import (
    ENDPOINT_SINGULAR,
    INSTALL_ALONE,
    AppCall,
    AppCalls,
    Device,
    ManyResult,
    Reengaged,
    Request,
    Result,
    RevenueItem,
    Update,
)
from ._version import __version__

__all__ = [
    "ENDPOINT_SINGULAR",
    "INSTALL_ALONE",
    "AppCall",
    "AppCalls",
    "CallResult",
    "Clock",
    "ClockError",
    "CoarseValue",
    "ConversionModel",
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
    "ModelUnknown",
    "Outcome",
    "PostgresStore",
    "PrefixListingStore",
    "Record",
    "RecordTooNew",
    "RedisStore",
    "Reengaged",
    "Reengagement",
    "ReengagementCredit",
    "ReengagementEnd",
    "ReengagementRevenue",
    "Rejected",
    "Request",
    "Result",
    "RevenueItem",
    "RevenueKind",
    "RevenueSums",
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
    "TransportUnknown",
    "Update",
    "WindowDetails",
    "__version__",
    "read_record",
]
