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

from ._details import Details as Details
from ._details import Reengagement as Reengagement
from ._details import ReengagementEnd as ReengagementEnd
from ._details import ReengagementRevenue as ReengagementRevenue
from ._details import RevenueSums as RevenueSums
from ._details import WindowDetails as WindowDetails
from ._engine import Engine as Engine
from ._errors import ClockError as ClockError
from ._errors import CorruptRecord as CorruptRecord
from ._errors import IllegalValue as IllegalValue
from ._errors import InvalidArgument as InvalidArgument
from ._errors import InvalidDocument as InvalidDocument
from ._errors import LimitExceeded as LimitExceeded
from ._errors import MalformedResponse as MalformedResponse
from ._errors import Misuse as Misuse
from ._errors import ModelUnknown as ModelUnknown
from ._errors import RecordTooNew as RecordTooNew
from ._errors import Rejected as Rejected
from ._errors import SkanError as SkanError
from ._errors import StoreConflict as StoreConflict
from ._errors import StoreError as StoreError
from ._errors import StoreUnknown as StoreUnknown
from ._errors import TransportError as TransportError
from ._errors import TransportUnknown as TransportUnknown
from ._hooks import Clock as Clock
from ._hooks import ListingStore as ListingStore
from ._hooks import ManyStore as ManyStore
from ._hooks import PrefixListingStore as PrefixListingStore
from ._hooks import Save as Save
from ._hooks import Store as Store
from ._hooks import Transport as Transport
from ._http import HTTPTransport as HTTPTransport
from ._model import ConversionModel as ConversionModel
from ._postgres import PostgresStore as PostgresStore
from ._record import Record as Record
from ._record import read_record as read_record
from ._redis import RedisStore as RedisStore
from ._sqlite import SQLiteStore as SQLiteStore
from ._status import CallResult as CallResult
from ._status import CoarseValue as CoarseValue
from ._status import Outcome as Outcome
from ._status import ReengagementCredit as ReengagementCredit
from ._status import RevenueKind as RevenueKind
from ._status import Status as Status
from ._values import ENDPOINT_SINGULAR as ENDPOINT_SINGULAR
from ._values import INSTALL_ALONE as INSTALL_ALONE
from ._values import AppCall as AppCall
from ._values import AppCalls as AppCalls
from ._values import Device as Device
from ._values import ManyResult as ManyResult
from ._values import Reengaged as Reengaged
from ._values import Request as Request
from ._values import Result as Result
from ._values import RevenueItem as RevenueItem
from ._values import Update as Update
from ._version import __version__ as __version__

__all__ = [name for name in dir() if name[0] != "_"]  # pyright: ignore[reportUnsupportedDunderAll]
