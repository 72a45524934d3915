"""The engine: the SKAN state of installs, as skan.h, model.h and reengagement.h describe it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ctypes import Structure, byref, c_char_p, c_int32, c_size_t, c_uint32, c_uint64, c_void_p, pointer, sizeof
from threading import get_ident
from typing import TYPE_CHECKING, Any, Callable

from ._arguments import (
    Amount,
    BytesLike,
    content,
    flag,
    native_amount,
    native_kind,
    optional_text,
    signed,
    text,
    unsigned,
    whole,
)
from ._calls import FIRST_ERROR, Call, Calls, completed, makes_calls, taken
from ._details import Details, Reengagement
from ._errors import InvalidArgument, LimitExceeded, Misuse, Rejected, SkanError
from ._given import given_models
from ._hooks import AnyTransport, Clock, Store
from ._library import (
    NativeAcknowledgement,
    NativeCall,
    NativeDevice,
    NativeEvent,
    NativeOptions,
    NativeReengagement,
    NativeRegistration,
    NativeRevenue,
    NativeUpdate,
    library,
)
from ._model import ConversionModel, native_model, parsed
from ._owning import Closing
from ._status import COARSE_VALUES, CallResult, Outcome, ReengagementCredit, RevenueKind, Status
from ._stores import CompanionSlot, CompanionStore, closed_where_refused
from ._trampolines import ClockSlot, Slot, StoreSlot, TransportSlot
from ._values import AppCall, AppCalls, Device, ManyResult, Reengaged, Request, Result, RevenueItem, Update

if TYPE_CHECKING:
    from ctypes import _FuncPointer

_UPDATE_SIZE = sizeof(NativeUpdate)
_REVENUE_SIZE = sizeof(NativeRevenue)
_CALL_SIZE = sizeof(NativeCall)
_CALLS_MAX = 16
_Calls = NativeCall * _CALLS_MAX
_FRAMEWORKS = ("SKAdNetwork", "AdAttributionKit")
_CONVERSION_TYPES = {0: None, 3: "re-engagement", 4: "install"}
_MANY_MAX = 65536
_FIRST_ITEM = "items[0]: "
_UNWRITTEN = -1
_OK = Outcome.OK  # an enum's members are slow to look up
_OUTCOMES = tuple(Outcome)
_tuple = tuple.__new__  # what a named tuple's own __new__ calls
_WITHOUT_UPDATE = tuple(Result(outcome) for outcome in Outcome)


class Engine(Closing):
    """The rules of one SKAN protocol over one store.

    Threads: any number of threads may use an engine at once, and any number of processes may share a store; every
    change is a compare-and-set on the install's record. Calls that change the same install come to the store in turns:
    Rules, "Turns". Calls release the GIL. An engine that was made before a fork
    may be used in the child if its hooks can be. The in-memory store is copied: after the fork each process has its
    own.

    These arguments of methods mean the same everywhere:

    - install_id: 1 to 128 bytes of UTF-8 without control characters. The host chooses it, and the store gets it
      unchanged: two apps that share a store need a prefix. The state of an unknown install is empty.
    - amount: finite, below 1e12 in magnitude, in units of the currency. A Decimal of at most 1024 characters is passed
      on exactly; a float is read as its shortest decimal form, 4.99 as 4.99. Rounded half-even to 12 places, and summed
      in decimal. 0 adds nothing but records its event id.
    - currency: three ASCII letters, ISO 4217; stored in upper case.
    - kind: SKAN 3 has no ad revenue.
    - event_name: 1 to 64 bytes of UTF-8 without control characters; 1 to 32 printable ASCII characters for an engine
      without models that has an endpoint_url; None = a session, "__SESSION__".
    - event_id: 1 to 128 bytes that identify this purchase, ad impression or event. The ids of the install's last 64
      purchases, last 64 ad impressions and last 64 other events are remembered, each for itself: a repeated call counts
      nothing. Use one wherever a call may be repeated, especially after `StoreUnknown`. A refund needs an id of its
      own: under its purchase's it is a duplicate.
    - reengagement: the re-engagement that is credited in addition to the install: 0 = those that the engine credits;
      `INSTALL_ALONE` = none; otherwise only this one, if it is active. Rules, "Credit".
    - device: None = unknown.

    Every method may raise `InvalidArgument` (`TypeError` for the wrong type), `Misuse`, `StoreError`, `CorruptRecord`,
    `RecordTooNew`; methods that change state also `StoreConflict` and `StoreUnknown`; methods that read the clock also
    `ClockError`. If a hook's exception is the reason, the call raises that same exception, with libskan's own at the
    end of its `__context__`. A call that does not return `Outcome.OK` has changed nothing, unless its description says
    so.

    Where a method names a rule, as in Rules, "Register", it follows that rule of Rules.md, which is
    Sources/Core/Rules.md in libskan's source tree and share/doc/skan/Rules.md after `make install`.
    """

    def __init__(
        self,
        store: Store | None = None,
        clock: Clock | None = None,
        transport: AnyTransport | None = None,
        protocol: int = 4,
        endpoint_url: str | None = None,
        sdk_key: str | None = None,
        bundle_id: str | None = None,
        app_version: str | None = None,
        models: Sequence[ConversionModel] = (),
        reengagement_models: Sequence[ConversionModel] = (),
        reengagement_credit: ReengagementCredit = ReengagementCredit.ALL,
        reengagement_cooldown_hours: int = 0,
    ) -> None:
        """Creates an engine.

        - store: None = an in-memory store that only this engine uses. An `SQLiteStore`, `PostgresStore` or `RedisStore`
          belongs to the engine from then on and is closed with it, also if the engine cannot be created.
        - clock: None = the system's clock.
        - transport: None = none; `update_conversion_values` then needs models.
        - protocol: the SKAN version, 4 or 3.
        - endpoint_url: where requests go, http or https: they append /api/v2/conversion_value. `ENDPOINT_SINGULAR` is
          the published endpoint. An engine without models needs it. `?`, `#` and spaces are refused.
        - sdk_key, bundle_id, app_version: items `a`, `i`, `app_v` of requests, at most 256 bytes each; None or "" is
          left out.
        - models: conversion models of the engine's protocol, which decide values in place of an endpoint. The first is
          for new installs, the others are for installs that were registered with them. An engine with models takes no
          transport, and its `conversion_request` and `apply_response` raise `Misuse`.
        - reengagement_models: conversion models of re-engagements, SKAN 4 only: the first for new ones, the others for
          those that were recorded with them. Without models `reengage` raises `Misuse`.
        - reengagement_credit: the re-engagements that purchases and events count for, if a call names none.
        - reengagement_cooldown_hours: the app's cool-down, as in its Info.plist, 0 to 720.
        """
        self._calls = calls = Calls()
        self._native: c_void_p | None = None
        with closed_where_refused(store):
            # Held until the engine has its share of them: an iterator's models may belong to nobody else.
            given, returning = given_models(models), given_models(reengagement_models, "reengagement_models")
            natives = [native_model(model) for model in given]
            reengaging = [native_model(model) for model in returning]
            store_slot = None if store is None else _store_slot(calls, store)
            clock_slot = None if clock is None else ClockSlot(calls, clock)
            transport_slot = None if transport is None else TransportSlot(calls, transport)
            options = NativeOptions(
                protocol=unsigned(protocol, "protocol", 32),
                store=store_slot and pointer(store_slot.native),
                clock=clock_slot and pointer(clock_slot.native),
                transport=transport_slot and pointer(transport_slot.native),
                endpoint_url=optional_text(endpoint_url, "endpoint_url"),
                sdk_key=optional_text(sdk_key, "sdk_key"),
                bundle_id=optional_text(bundle_id, "bundle_id"),
                app_version=optional_text(app_version, "app_version"),
                models=_pointers(natives),
                model_count=len(natives),
                switches_stacks=True,
                reengagement_models=_pointers(reengaging),
                reengagement_model_count=len(reengaging),
                reengagement_credit=ReengagementCredit(reengagement_credit),
                reengagement_cooldown_hours=unsigned(reengagement_cooldown_hours, "reengagement_cooldown_hours", 32),
            )
            self._slots: tuple[Slot | CompanionSlot, ...] = tuple(
                slot for slot in (store_slot, clock_slot, transport_slot) if slot
            )
            for slot in self._slots:
                slot.publish()
            native = c_void_p()
            completed(library.skan_create, byref(options), byref(native))
            self._native = calls.handle = native

    def close(self) -> None:
        """Ends the engine and releases its hooks.

        Waits until the calls of other threads are over; later calls raise `Misuse`. Closing again is fine. Closing
        within a hook of this engine raises `Misuse`.
        """
        calls = self._calls
        with calls.closing:
            native = self._native
            if native is None:
                return
            if calls.is_current():
                raise Misuse("close: called while this thread is in a call of this engine")
            calls.handle = None
            calls.wait_for_others()
            self._native = None
            library.skan_destroy(native)
            self._slots = ()

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._calls.handle is None

    def register(
        self, install_id: str, *, first_launch: int = 0, begins_again: bool = False, keeps_revenue: bool = False
    ) -> Result:
        """Registers the install at its first launch. SKAN 4 gives an update (window 0, fine value 0), SKAN 3 none.

        - first_launch: when the app was launched first after it was installed, Unix seconds, at most a minute ahead of
          the clock; 0 = now. Keep it with the install id, and name the same time in every call: then a repeated call
          changes nothing.
        - begins_again: what becomes of an install that was registered with an earlier first launch: False = it stays as
          it is; True = it was installed anew, and a new life begins. Event ids stay known.
        - keeps_revenue: whether the lifetime totals stay when a new life begins.

        OK, ALREADY_REGISTERED. Reads the clock. Rules, "Register", "SKAN 3", "Model versions".
        """
        registration = NativeRegistration(
            first_launch=signed(first_launch, "first_launch", 64),
            begins_again=flag(begins_again, "begins_again"),
            keeps_revenue=flag(keeps_revenue, "keeps_revenue"),
        )
        return self._updating(library.skan_register, install_id, byref(registration))

    def update_revenue(
        self,
        install_id: str,
        amount: Amount,
        currency: str,
        *,
        kind: RevenueKind = RevenueKind.IAP,
        event_id: str | None = None,
        reengagement: int = 0,
    ) -> Outcome:
        """Adds a purchase, an ad impression's revenue or, if negative, a refund to the install's totals.

        The amount counts in the lifetime total and, if the install is registered and a window is open, in the window's.

        OK, DUPLICATE_EVENT; raises `LimitExceeded` for more than 64 currencies in a table, or a total of 1e18 or more.
        Reads the clock. Rules, "Update revenue", "Revenue tables", "Money is exact", "Event ids", "Re-engagement
        revenue".
        """
        if reengagement:
            item = RevenueItem(install_id, amount, currency, kind=kind, event_id=event_id, reengagement=reengagement)
            return self._update_one_of_many(item)
        return self._call(
            library.skan_update_revenue,
            text(install_id, "install_id"),
            native_amount(amount),
            text(currency, "currency"),
            native_kind(kind),
            None if event_id is None else text(event_id, "event_id"),
        )

    def _update_one_of_many(self, item: RevenueItem) -> Outcome:
        native, status = NativeRevenue(), c_int32()
        _set_revenue(native, item)
        try:
            self._call(library.skan_update_revenue_many, byref(native), 1, byref(status))
        except Exception as error:
            _without_number(error)
            raise
        return _OUTCOMES[status.value]

    def update_revenue_many(self, items: Iterable[RevenueItem]) -> ManyResult:
        """Does `update_revenue` for each item in order, for example for all purchases of a match at once.

        An install may have several items. Each install is loaded once and saved once, in batches if the store offers
        `load_many` and `save_many`. Installs do not depend on each other: if one fails, the others are still saved. The
        items of an install are saved all or not at all: if the save fails, each item whose result depends on it has the
        status of the save.

        An item that fails raises nothing: the result has a status for each item. An error of the whole call is raised,
        and then nothing was changed: `TypeError`, `LimitExceeded` (more than 65536 items), `Misuse`, `ClockError`. If a
        hook raises something other than an `Exception`, such as KeyboardInterrupt, the call raises it too; items may
        have been counted then. Reads the clock once. Rules, "Many amounts", "Update revenue".
        """
        items = list(items)
        if len(items) > _MANY_MAX:
            raise LimitExceeded(f"items: expected at most {_MANY_MAX}, got {len(items)}")
        natives = (NativeRevenue * len(items))()
        refused: dict[int, InvalidArgument] = {}
        for index, (native, item) in enumerate(zip(natives, items)):
            try:
                _set_revenue(native, item)
            except InvalidArgument as error:
                # Passed on without an install id, so that C refuses it too.
                refused[index] = InvalidArgument(f"items[{index}]: {error}")
        statuses = (c_int32 * len(items))(*[_UNWRITTEN] * len(items))

        def first_failed() -> int:
            return next(index for index, status in enumerate(statuses) if status >= FIRST_ERROR)

        def failed_install() -> bytes | None:
            return natives[first_failed()].install_id if items else None

        try:
            self._call(library.skan_update_revenue_many, natives, len(items), statuses, failed_install=failed_install)
        except Exception as error:
            # These are never an item's own: C wrote no statuses, or all items have the status of the call.
            if not items or statuses[0] in (_UNWRITTEN, Status.CLOCK):
                raise
            return ManyResult(tuple(map(Status, statuses)), refused.get(first_failed(), error))
        return ManyResult(tuple(map(Status, statuses)))

    def update_conversion_values(
        self,
        install_id: str,
        event_name: str | None = None,
        *,
        event_id: str | None = None,
        device: Device | None = None,
        amount: Amount | None = None,
        currency: str | None = None,
        kind: RevenueKind = RevenueKind.IAP,
        reengagement: int = 0,
    ) -> Result:
        """Reports a session or an event, and decides the next conversion values.

        The transport asks the endpoint; if the engine has conversion models, the install's model decides instead. The
        call counts as one session or event, even if the outcome is NO_NEW_VALUE or WINDOW_LOCKED. Active re-engagements
        that are credited are decided by their own models in the same step. If others change the record meanwhile, only
        the last step runs again, never the GET.

        - event_id: is remembered if the call ends in OK or in an outcome other than NOT_REGISTERED, and not if it
          raises.
        - amount, currency, kind: the money that came with the event, or none. It is added as revenue, unless the event
          id is already among those of revenue: one id counts an amount once and an event once, in one call or in two.
          It also counts in the model's measures that name the event. With WINDOW_CLOSED it stays added. With models an
          error changes nothing. With a transport the amount is saved before the request is made: give an event id, and
          repeat the call. Requests carry the amount, too, except those to the published endpoint.

        The update is the install's new value; it stays among the pending calls until it is acknowledged. In an engine
        with models for re-engagements, and where `reengagement` names one, OK means that any conversion has a new
        value, so there may be no update; NO_NEW_VALUE is also given for windows that are locked; NOT_REGISTERED means
        that no re-engagement is active either, and WINDOW_CLOSED that all windows are closed.

        Returns and raises what `conversion_request` and `apply_response` do; also `TransportError`, `TransportUnknown`
        (the endpoint may have counted the event), `ModelUnknown`, and `Misuse` if the engine has neither a transport
        nor models. Rules, "Update conversion values", "Update conversions", "Events with an amount", "Lost answers",
        "Model decision", "Model counts", "Model measures", "Event ids".
        """
        event = _event(event_name, event_id, device, amount, currency, kind, reengagement)
        return self._updating(library.skan_update_conversion_values, install_id, byref(event))

    def conversion_request(
        self,
        install_id: str,
        event_name: str | None = None,
        *,
        event_id: str | None = None,
        device: Device | None = None,
        amount: Amount | None = None,
        currency: str | None = None,
        kind: RevenueKind = RevenueKind.IAP,
        reengagement: int = 0,
    ) -> Request:
        """The request for the next conversion value: a URL to GET, and a ticket for `apply_response`.

        The two do in two steps what `update_conversion_values` does with a transport, and the arguments are the same.
        An amount is added, and saved, as there; otherwise nothing is changed.

        OK, DUPLICATE_EVENT, NOT_REGISTERED, WINDOW_CLOSED; raises `LimitExceeded` as `update_revenue`, `ModelUnknown`.
        Reads the clock. Rules, "Request", "Events with an amount", "SKAN 3 requests", "Tickets".
        """
        event = _event(event_name, event_id, device, amount, currency, kind, reengagement)
        url, ticket = c_char_p(), c_uint64()
        outcome = self._call(
            library.skan_conversion_request, text(install_id, "install_id"), byref(event), byref(url), byref(ticket)
        )
        return Request(outcome, taken(url), ticket.value) if outcome is _OK else Request(outcome)

    def apply_response(
        self,
        install_id: str,
        ticket: int,
        body: str | BytesLike,
        *,
        event_name: str | None = None,
        event_id: str | None = None,
        reengagement: int = 0,
    ) -> Result:
        """Applies the endpoint's answer to a request, and records the event's id.

        - ticket: the ticket of the request; 0 = none: the order of answers is then neither checked nor recorded.
        - body: the unchanged body of an answer with HTTP status 200, at most 64 KiB.
        - event_name, event_id, reengagement: those of the request. Credited re-engagements are decided in the same
          step, unless the answer is stale.

        The update is as for `update_conversion_values`. OK, DUPLICATE_EVENT, NO_NEW_VALUE, STALE_RESPONSE,
        WINDOW_LOCKED, WINDOW_CLOSED, NOT_REGISTERED; raises `LimitExceeded`, `MalformedResponse`, `IllegalValue`,
        `Rejected`, `ModelUnknown`. Reads the clock. Rules, "Apply response", "SKAN 3 values", "Event ids".
        """
        event = _event(event_name, event_id, None, None, None, RevenueKind.IAP, reengagement)
        data, number = content(body, "body"), unsigned(ticket, "ticket", 64)
        return self._updating(library.skan_apply_response, install_id, byref(event), number, data, len(data))

    def pending_calls(self, install_id: str, device: Device | None = None) -> AppCalls:
        """The calls that wait for the app, in the order in which the app must make them.

        They are those of the install's last update, until it is acknowledged as delivered, while its window is open;
        and those of its re-engagements. SKAN 3 has calls to SKAdNetwork only. Calls that the device's os_version lacks
        are left out.

        May save the record of an install with re-engagements. OK, NOTHING_PENDING. Reads the clock. Rules, "Calls".
        """
        natives, count = _Calls(), c_size_t()
        natives[0].size = _CALL_SIZE
        outcome = self._call(
            library.skan_pending_calls,
            text(install_id, "install_id"),
            _device(device),
            natives,
            _CALLS_MAX,
            byref(count),
        )
        return _tuple(AppCalls, (outcome, tuple([_app_call(natives[index]) for index in range(count.value)])))

    def pending_calls_json(self, install_id: str, device: Device | None = None) -> tuple[Outcome, str]:
        """The calls of `pending_calls` as the JSON that a server sends to its app; skan.h describes it."""
        return self._text(library.skan_pending_calls_json, install_id, _device(device))

    def acknowledge_calls(self, install_id: str, results: Iterable[tuple[int, CallResult]]) -> None:
        """Records the results of a list of calls, in the order of the list, in one save.

        Give one result for each id: the worst of its calls. After `CallResult.FAILED` the update waits again. An id
        that is not the last update of a conversion is ignored. Reads the clock. Rules, "Acknowledging calls".
        """
        given = [
            NativeAcknowledgement(id=unsigned(id, "results", 64), result=CallResult(result)) for id, result in results
        ]
        natives = (NativeAcknowledgement * len(given))(*given)
        self._call(library.skan_acknowledge_calls, text(install_id, "install_id"), natives, len(given))

    def explanation(self, install_id: str, *, reengagement: int = 0) -> tuple[Outcome, dict[str, Any] | None]:
        """Explains what a conversion model sees now, and which of its rules holds. Changes nothing.

        - reengagement: 0 = the install's model, otherwise that of the re-engagement with this number.

        Returns the document of skan_explanation (model.h), with amounts as `Decimal`. The outcome is OK, or, with None
        as the document, NOT_REGISTERED, NOT_FOUND (no re-engagement with this number is kept) or WINDOW_CLOSED. Raises
        `ModelUnknown`; `Misuse` if the engine has no models. Reads the clock. Rules, "Model explanation".
        """
        number = unsigned(reengagement, "reengagement", 32)
        outcome, document = self._text(library.skan_explanation, install_id, number)
        return outcome, parsed(document) if outcome is _OK else None

    def answer_request(self, target: str) -> tuple[Outcome | None, str]:
        """Answers a request to a conversion-value endpoint: the counterpart of `conversion_request`.

        The engine's models decide; skan_answer_request (model.h) describes how. `target` is the path and query exactly
        as in the request line: "/api/v2/conversion_value?a=...", with v1 for SKAN 3. Returns the outcome and the body
        to answer, JSON for HTTP status 200. The outcome is OK (a value), NO_NEW_VALUE, WINDOW_LOCKED, or None if the
        body gives a reason in the words of the published endpoint. Raises `ModelUnknown`, and `Misuse` if the engine
        has a transport. A request with an `event_id` that came before counts nothing. Reads the clock. Rules, "Endpoint
        requests", "Endpoint decisions", "Repeated requests".
        """
        answer = c_char_p()
        try:
            outcome = self._call(library.skan_answer_request, text(target, "target"), byref(answer))
        except Rejected:
            return None, taken(answer)
        return outcome, taken(answer)

    def reengage(
        self,
        install_id: str,
        open_id: str | None = None,
        tag: str | None = None,
        reference: str | None = None,
        opened_at: int = 0,
        is_started: bool = False,
        is_overlapping: bool = False,
        device: Device | None = None,
    ) -> Reengaged:
        """Records a re-engagement: a tap on an ad that led back into the app, as the app reports it.

        - open_id: identifies this open, 1 to 128 bytes; None = none, but then repeats are hard to recognize.
        - tag: the conversion tag, at most 256 bytes; None or "" = none. It is a secret of the device.
        - reference: a text that the host chooses, such as a campaign, at most 64 bytes; None or "" = none.
        - opened_at: the time of the tap in Unix seconds: the server's time minus the age that the app reports; 0 = now.
        - is_started: whether the app made its first call at this open.
        - is_overlapping: whether the link's value is a conversion tag: true if the app has opted in, on iOS 18.4 or
          newer. Otherwise the tag is ignored.
        - device: its os_version is read.

        If the app reports that it already made a first call, which may have overwritten values, those values are due
        again, whatever the outcome. OK, DUPLICATE_EVENT (this open is already known), WINDOW_CLOSED (it is too late, or
        a newer re-engagement has begun), UNSUPPORTED. Raises `Misuse` if the engine has no models for re-engagements.
        Reads the clock. Rules, "Re-engage".
        """
        report = NativeReengagement(
            open_id=optional_text(open_id, "open_id"),
            tag=optional_text(tag, "tag"),
            reference=optional_text(reference, "reference"),
            opened_at=signed(opened_at, "opened_at", 64),
            is_started=flag(is_started, "is_started"),
            is_overlapping=flag(is_overlapping, "is_overlapping"),
            device=None if device is None else pointer(_native_device(device)),
        )
        number = c_uint32()
        outcome = self._call(library.skan_reengage, text(install_id, "install_id"), byref(report), byref(number))
        return Reengaged(outcome, number.value)

    def end_reengagement(self, install_id: str, number: int) -> Outcome:
        """Ends a re-engagement: from then on it counts nothing and has no calls. One that has ended is not changed.

        OK, NOT_FOUND (none with this number is kept). Rules, "End".
        """
        return self._call(library.skan_end_reengagement, text(install_id, "install_id"), unsigned(number, "number", 32))

    def reengagements(self, install_id: str) -> tuple[Reengagement, ...]:
        """The re-engagements that are kept, by number. Changes nothing. Rules, "Re-engagement details"."""
        _, documents = self._text(library.skan_reengagements, install_id)
        return tuple(map(Reengagement.read, parsed(documents)))

    def details(self, install_id: str) -> Details:
        """The whole state of an install. Changes nothing. Rules, "Details"."""
        return Details.parse(self._text(library.skan_details, install_id)[1])

    def metadata(self, install_id: str) -> str:
        """The items that the host adds to its S2S session and event calls.

        Percent-encoded query items, "a=1&b=2", without a leading `?`; "" for an empty state. Changes nothing. Rules,
        "Metadata".
        """
        return self._text(library.skan_metadata, install_id)[1]

    def import_details(self, install_id: str, json: str | BytesLike) -> Outcome:
        """Imports the state of an install that has no record yet.

        - json: a details document of at most 64 KiB, from this library (`Details.json`) or from the published snippet.

        Nothing is pending afterwards. OK, ALREADY_REGISTERED (there is a record, registered or not); raises
        `LimitExceeded`, `InvalidDocument`. Rules, "Import".
        """
        data = content(json, "json")
        return self._call(library.skan_import_details, text(install_id, "install_id"), data, len(data))

    def forget(self, install_id: str) -> None:
        """Deletes the install's record, whatever it holds.

        The record may be damaged, written by a newer libskan or of the other protocol. An unknown install is fine.
        Rules, "Forget".
        """
        self._call(library.skan_forget, text(install_id, "install_id"))

    def rename(self, old_id: str, new_id: str) -> Outcome:
        """Gives the install `old_id` the id `new_id`, as when a player who was anonymous logs in.

        Everything moves: event ids, the pending update, tickets, counts and re-engagements. If the call fails or the
        process is killed, one of the two ids has the install, and calling again ends the rename. The same id twice
        changes nothing. OK, NOT_FOUND (`old_id` has no record: it is unknown, or was renamed before),
        ALREADY_REGISTERED (`new_id` has a record, registered or not). Rules, "Rename".
        """
        return self._call(library.skan_rename, text(old_id, "old_id"), text(new_id, "new_id"))

    def _updating(self, function: _FuncPointer, install_id: str, *arguments: Any) -> Result:
        """Calls a function that gives an update."""
        update = NativeUpdate(_UPDATE_SIZE)
        outcome = self._call(function, text(install_id, "install_id"), *arguments, byref(update))
        if outcome is not _OK or not update.id:
            return _WITHOUT_UPDATE[outcome]
        fine_value = update.fine_value
        members = (
            update.id,
            update.window,
            None if fine_value < 0 else fine_value,
            COARSE_VALUES[update.coarse_value],
            update.lock_window,
            update.timestamp,
        )
        return _tuple(Result, (outcome, _tuple(Update, members)))

    def _text(self, function: _FuncPointer, install_id: str, *arguments: Any) -> tuple[Outcome, str]:
        """Calls a function whose result is a text about an install."""
        found = c_char_p()
        outcome = self._call(function, text(install_id, "install_id"), *arguments, byref(found))
        return outcome, taken(found)

    @makes_calls
    def _call(
        self, function: _FuncPointer, *arguments: Any, failed_install: Callable[[], bytes | None] | None = None
    ) -> Outcome:
        calls = self._calls
        try:
            call = calls.idle.pop()
        except IndexError:
            call = Call()
        try:
            thread = get_ident()
            if calls.running and thread in calls.running.values():
                calls.check_not_in_hook()
            calls.running[call] = thread
            handle = calls.handle
            if handle is None:
                raise Misuse("the engine is closed")
            status: int = function(handle, *arguments, call.error_out)
            if status >= FIRST_ERROR or call.failures:
                call.conclude(status, failed_install() if failed_install and status >= FIRST_ERROR else None)
        finally:
            # Twice, because before Python 3.11 a signal handler may raise just before the first.
            try:
                calls.running.pop(call, None)
            finally:
                calls.running.pop(call, None)
            if calls.handle is None:
                calls.left.set()
        calls.idle.append(call)
        return _OUTCOMES[status]


def _store_slot(calls: Calls, store: Store) -> StoreSlot | CompanionSlot:
    return CompanionSlot(calls, store) if isinstance(store, CompanionStore) else StoreSlot(calls, store)


def _device(device: Device | None) -> Any:
    return None if device is None else byref(_native_device(device))


def _native_device(device: Device) -> Structure:
    if not isinstance(device, Device):
        raise TypeError(f"device must be Device, not {type(device).__name__}")
    return NativeDevice(
        os_version=optional_text(device.os_version, "device.os_version"),
        idfv=optional_text(device.idfv, "device.idfv"),
        idfa=optional_text(device.idfa, "device.idfa"),
    )


def _pointers(natives: list[c_void_p]) -> Any:
    return (c_void_p * len(natives))(*(native.value for native in natives)) if natives else None


def _app_call(native: Structure) -> AppCall:
    tag = native.tag
    members = (
        native.id,
        native.conversion,
        _FRAMEWORKS[native.framework],
        _CONVERSION_TYPES[native.conversion_type],
        native.window,
        native.fine_value,
        COARSE_VALUES[native.coarse_value],
        native.lock_window,
        native.timestamp,
        native.valid_until,
        tag.decode() if tag else None,
    )
    return _tuple(AppCall, members)


def _event(
    event_name: str | None,
    event_id: str | None,
    device: Device | None,
    amount: Amount | None,
    currency: str | None,
    kind: RevenueKind,
    reengagement: int,
) -> Structure:
    native = NativeEvent(
        name=optional_text(event_name, "event_name"),
        event_id=optional_text(event_id, "event_id"),
        reengagement=unsigned(reengagement, "reengagement", 32),
    )
    if device is not None:
        native.device = pointer(_native_device(device))
    if amount is not None and currency is not None:
        native.amount = native_amount(amount)
        native.currency = text(currency, "currency")
        native.kind = native_kind(kind)
    elif amount is not None or currency is not None or kind != RevenueKind.IAP:
        given = "no currency" if currency is None else "a currency"
        raise InvalidArgument(f"currency: expected an amount and its currency, got {given}")
    return native


def _set_revenue(native: Structure, item: RevenueItem) -> None:
    install_id, amount, currency, kind, event_id, reengagement = item
    native.size = _REVENUE_SIZE
    native.amount = native_amount(amount)
    native.currency = text(currency, "currency")
    native.event_id = optional_text(event_id, "event_id")
    native.kind = native_kind(kind)
    native.reengagement = unsigned(whole(reengagement, "reengagement"), "reengagement", 32)
    native.install_id = text(install_id, "install_id")


def _without_number(raised: BaseException) -> None:
    """Removes "items[0]: " from libskan's error: the caller gave one amount, not a list of items."""
    error: BaseException | None = raised
    while error is not None:
        if isinstance(error, SkanError) and error.message.startswith(_FIRST_ITEM):
            error.args = (error.message[len(_FIRST_ITEM) :],)
        error = error.__context__
