"""Apple's install postbacks: verified, counted once and stored.

    from libskan import SQLiteStore, postback

    found = postback.verify(body)                                   # Apple's keys
    if found.result == "valid":
        ...

    receiver = postback.Receiver(SQLiteStore("postbacks.db"))
    receipt = receiver.receive(body)                                # answer HTTP 200 when it returns
    receipt.outcome                                                 # "counted", "duplicate", ...

Conversion values and the country code are not signed, and a value that is None is hidden by Apple, not 0, unless
`illegal_fields` names it. The library behind it needs the system's libcrypto. Rules, "Postback verification",
"Receiving postbacks", "Decoding postbacks".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ctypes import POINTER, Structure, byref, c_char_p, c_int64, c_size_t, c_void_p, pointer, string_at
from dataclasses import dataclass
from typing import Any, Callable

from ._arguments import BytesLike, content, copied, flag, optional_text, text, unsigned
from ._calls import completed, taken
from ._errors import InvalidArgument, Misuse
from ._forks import ForkedLock
from ._model import ConversionModel
from ._native_postback import (
    LIBRARY,
    NativePostbackFields,
    NativePostbackKey,
    NativePostbackModel,
    NativePostbackOptions,
    NativePostbackReceipt,
    NativePostbackReceiverOptions,
    NativePostbackRecord,
)
from ._owning import Closing, Owning
from ._status import COARSE_VALUES, CoarseValue
from ._stores import CompanionStore, closed_where_refused, ways_to_open

__all__ = ["Key", "Keys", "Postback", "Receipt", "Receiver", "Record", "read_record", "verify"]

RESULTS = ("valid", "invalid", "unverifiable", "development", "malformed")
OUTCOMES = ("counted", "duplicate", "conflict", "refused", "other network", "other app")
DECODINGS = (None, "decoded", "hidden", "undecodable", "ambiguous", "no model", "illegal")
FRAMEWORKS = ("SKAdNetwork", "AdAttributionKit")
CONVERSION_TYPES = (None, "download", "redownload", "re-engagement", None, "unknown_type")


@dataclass(frozen=True)
class Key:
    """A public key."""

    name: str
    """A version of SKAdNetwork's postbacks, "1.0" to "4.0", or the `kid` of a JWS."""
    spki: str | None
    """A SubjectPublicKeyInfo in padded base64, of P-256 or, for versions, P-192.

    None = no key: postbacks with this name are unverifiable.
    """
    is_development: bool = False
    """Postbacks signed with this key are "development", not "valid"."""


class Keys(Owning):
    """Apple's keys, with some replaced or added. They are parsed once; any number of threads may use them."""

    def __init__(self, keys: Iterable[Key]) -> None:
        """Raises `InvalidArgument` for an invalid name or key, `LimitExceeded` for more than 256 keys."""
        given = [
            NativePostbackKey(
                text(key.name, "name"), optional_text(key.spki, "spki"), flag(key.is_development, "is_development")
            )
            for key in keys
        ]
        self._native, create = c_void_p(), LIBRARY.functions.skan_postback_keys_create
        completed(create, _array(NativePostbackKey, given), len(given), byref(self._native))

    def __del__(self) -> None:
        native = getattr(self, "_native", None)
        if native:
            LIBRARY.functions.skan_postback_keys_destroy(native)


@dataclass(frozen=True)
class Postback:
    """A postback that was read and verified. A field that is absent or of the wrong type is None."""

    result: str
    """"valid", "invalid", "unverifiable", "development" or "malformed"."""
    framework: str
    """"SKAdNetwork" or "AdAttributionKit"."""
    signed_fields: tuple[str, ...]
    """The names of the fields that the signature proves, in the order of the signed text; may be empty."""
    illegal_fields: tuple[str, ...]
    """The names of unsigned fields whose value has no meaning: they count as absent, and Apple did not hide them."""
    is_respelled: bool
    """It was written otherwise than Apple writes it, and the signature proves how it is meant."""
    problem: str | None
    """Why the postback is malformed or unverifiable."""
    problem_field: str | None
    """The field that is the cause; None if the postback is not JSON."""
    key: str | None
    """Identifies the postback: all copies of it have the same key."""
    version: str | None
    ad_network_id: str | None
    transaction_id: str | None
    """The transaction or postback identifier."""
    postback_sequence_index: int
    """0 to 2; 0 if the version has none."""
    campaign_id: int | None
    source_identifier: str | None
    app_id: int | None
    source_app_id: int | None
    source_domain: str | None
    fidelity_type: int | None
    did_win: bool | None
    redownload: bool | None
    """Whether it is a redownload; only SKAdNetwork's postbacks have this field."""
    conversion_type: str | None
    """"download", "redownload", "re-engagement" or "unknown_type", for both frameworks; None = not reported.

    A model for re-engagements defines what the values of a re-engagement mean: do not decode them with a model for
    installs.
    """
    unknown_type: str | None
    """Apple's word for a conversion type, impression type, version or key that is not known; None = all are known.

    The postback is then neither an install nor a re-engagement.
    """
    conversion_value: int | None
    """0 to 63; None = hidden or illegal. Like the next three fields it is not signed."""
    coarse_conversion_value: CoarseValue | None
    country_code: str | None
    ad_interaction_type: str | None
    key_id: str | None
    json: str
    """The whole postback as JSON, with signed and unsigned fields separate, as postback.h describes it."""
    body: bytes
    """The body, unchanged but for a byte-order mark in front."""
    canonical_body: bytes
    """The body as Apple would have written it, if it was respelled; otherwise the same. This is what is stored."""


def verify(body: str | BytesLike, keys: Keys | None = None) -> Postback:
    """Reads a postback of SKAdNetwork 1.0 to 4.0 or AdAttributionKit and verifies its signature.

    keys: None = Apple's.
    Raises `LimitExceeded` for more than 64 KiB; everything else is a result.
    """
    data, native = content(body, "body"), c_void_p()
    options = NativePostbackOptions(keys=None if keys is None else keys._native)
    completed(LIBRARY.functions.skan_postback_verify, data, len(data), byref(options), byref(native))
    return _postback(native)


def _postback(native: c_void_p) -> Postback:
    """Reads all fields of a C postback and destroys it."""
    loaded = LIBRARY.functions
    try:
        fields, json, length = NativePostbackFields(), c_char_p(), c_size_t()
        completed(loaded.skan_postback_read, native, byref(fields))
        completed(loaded.skan_postback_json, native, byref(json))
        return Postback(
            **_optional(fields),
            result=RESULTS[loaded.skan_postback_result(native)],
            framework=FRAMEWORKS[fields.framework],
            signed_fields=_names(loaded.skan_postback_signed_fields(native, byref(length)), length),
            illegal_fields=_names(loaded.skan_postback_illegal_fields(native, byref(length)), length),
            is_respelled=bool(loaded.skan_postback_is_respelled(native)),
            problem=_text(loaded.skan_postback_problem(native)) or None,
            problem_field=_text(loaded.skan_postback_problem_field(native)),
            key=_text(loaded.skan_postback_record_key(native)),
            postback_sequence_index=fields.postback_sequence_index,
            did_win=None if fields.did_win < 0 else bool(fields.did_win),
            redownload=None if fields.redownload < 0 else bool(fields.redownload),
            conversion_type=CONVERSION_TYPES[fields.conversion_type],
            conversion_value=None if fields.conversion_value < 0 else fields.conversion_value,
            coarse_conversion_value=COARSE_VALUES[fields.coarse_conversion_value],
            json=taken(json),
            body=string_at(loaded.skan_postback_body(native, byref(length)), length.value),
            canonical_body=string_at(loaded.skan_postback_canonical_body(native, byref(length)), length.value),
        )
    finally:
        loaded.skan_postback_destroy(native)


def _optional(fields: Structure) -> dict[str, Any]:
    """The fields that are texts, and the numbers that C points to."""
    read: dict[Any, Callable[[Any], Any]] = {c_char_p: _text, POINTER(c_int64): _integer}
    return {name: read[kind](getattr(fields, name)) for name, kind, *_ in fields._fields_ if kind in read}


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode(errors="replace")


def _integer(pointer: Any) -> int | None:
    return int(pointer[0]) if pointer else None


def _names(names: Any, count: c_size_t) -> tuple[str, ...]:
    return tuple(names[index].decode(errors="replace") for index in range(count.value))


@dataclass(frozen=True)
class Receipt:
    """The result of receiving a postback."""

    outcome: str
    """"counted", "duplicate", "conflict", "refused", "other network" or "other app"."""
    result: str
    """The result of the verification."""
    decoding: str | None
    """"decoded", "hidden", "undecodable", "ambiguous", "no model" or "illegal"; None if there is nothing to decode.

    An illegal value has no meaning, such as 64: whoever passed the postback on changed it.
    """
    model: str | None
    """The version of the model that applies; for a re-engagement, of a model for re-engagements."""
    is_kept: bool
    """Whether a record holds this copy."""
    received: float
    """Seconds since 1970."""
    key: str
    """The key of the record."""
    problem_field: str | None
    is_respelled: bool
    """As in `Postback`; it is stored as Apple would have written it."""
    unknown_type: str | None
    """As in `Postback`."""


def _array(kind: Any, items: Sequence[Any]) -> Any:
    return (kind * len(items))(*items)


def _native_models(models: Sequence[tuple[int, ConversionModel]]) -> Any:
    return _array(NativePostbackModel, [NativePostbackModel(moment, model._native) for moment, model in models])


class Receiver(Closing):
    """Receives postbacks into a store and counts each of them once. Any number of threads may use it.

    Any number of receivers and processes may use the same database. Make a receiver after a fork.
    """

    def __init__(
        self,
        store: CompanionStore,
        *,
        keys: Keys | None = None,
        models: Sequence[tuple[int, ConversionModel]] = (),
        reengagement_models: Sequence[tuple[int, ConversionModel]] = (),
        app_ids: Sequence[int] = (),
        ad_networks: Sequence[str] = (),
        refused_bytes_in_all: int = 0,
    ) -> None:
        """Creates a receiver, which owns the store from then on.

        models: all conversion models that were ever used, each with the Unix time from which new installs had it, in
        ascending order.
        reengagement_models: all models for re-engagements, in the same form. Re-engagements are decoded only by these,
        and installs only by `models`. Without them re-engagements are counted but not decoded. A model may be in both
        lists.
        app_ids: App Store ids of the apps whose postbacks are counted. ad_networks: ad networks whose postbacks are
        counted, such as "example.skadnetwork". Others are refused and stored separately. None or empty = all count.
        refused_bytes_in_all: how many bytes of refused postbacks are stored; 0 = 512 MiB. Malformed ones, invalid ones,
        unverifiable ones and the rest each have such a budget, where each postback counts 5 120 bytes more than its
        body. Of the malformed and invalid ones only the first 2048 bytes are stored.
        """
        if not isinstance(store, CompanionStore):
            raise InvalidArgument(f"store: expected {ways_to_open()}, got {type(store).__name__}")
        self._native: c_void_p | None = c_void_p()
        self._lock = ForkedLock()
        with closed_where_refused(store):
            self._models = [model for _, model in (*models, *reengagement_models)]  # outlive the receiver
            self._store = store  # reports through it
            options = NativePostbackReceiverOptions(
                keys=None if keys is None else keys._native,
                models=_native_models(models),
                model_count=len(models),
                reengagement_models=_native_models(reengagement_models),
                reengagement_model_count=len(reengagement_models),
                app_ids=_array(c_int64, [unsigned(each, "app_ids", 63) for each in app_ids]),
                app_id_count=len(app_ids),
                ad_networks=_array(c_char_p, [text(each, "ad_networks") for each in ad_networks]),
                ad_network_count=len(ad_networks),
                refused_bytes_in_all=unsigned(refused_bytes_in_all, "refused_bytes_in_all", 64),
            )
            native = store._lend(None)
            options.store = pointer(native)
            completed(LIBRARY.functions.skan_postback_receiver_create, byref(options), byref(self._native))

    def receive(self, body: str | BytesLike, network: str | None = None) -> Receipt:
        """Verifies, counts, decodes and stores a postback. Answer HTTP 200 when this returns, and only then.

        network: the ad network that the sender is known to be; postbacks of other networks are not counted.
        Raises `StoreError`, `StoreUnknown`, `StoreConflict`, `CorruptRecord`, `RecordTooNew`, `LimitExceeded` (more
        than 30 KiB).
        """
        if not self._native:
            raise Misuse("receiver: it is closed")
        data, sender, receipt = content(body, "body"), optional_text(network, "network"), NativePostbackReceipt()
        completed(LIBRARY.functions.skan_postback_receive, self._native, sender, data, len(data), byref(receipt))
        return Receipt(
            outcome=OUTCOMES[receipt.outcome],
            result=RESULTS[receipt.result],
            decoding=DECODINGS[receipt.decoding],
            model=receipt.model.decode() or None,
            is_kept=bool(receipt.is_kept),
            received=receipt.received / 1e6,
            key=receipt.key.decode(),
            problem_field=receipt.problem_field.decode(errors="replace") or None,
            is_respelled=bool(receipt.is_respelled),
            unknown_type=receipt.unknown_type.decode(errors="replace") or None,
        )

    def close(self) -> None:
        """Ends the receiver and closes its store. No thread may be in one of its calls. Closing again is fine."""
        with self._lock:
            native, self._native = self._native, None
        if native:
            LIBRARY.functions.skan_postback_receiver_destroy(native)


@dataclass(frozen=True)
class Record:
    """The content of a receiver's record."""

    outcome: str
    """This field and the next two are as in the receipt."""
    decoding: str | None
    model: str | None
    received: float
    """Seconds since 1970."""
    installed: tuple[int, int] | None
    """The earliest and latest time of the install, Unix seconds.

    None if the postback was not counted, and for a re-engagement.
    """
    reengaged: tuple[int, int] | None
    """The earliest and latest time of the tap that led to a re-engagement, Unix seconds; None for an install."""
    network: str | None
    """The ad network that sent the postback."""
    postback: Postback
    """The postback, with the result that it had."""


def read_record(data: BytesLike) -> Record:
    """Reads a record as a store holds it, under a key that begins with "postback/" or "refused/".

    Raises `CorruptRecord`, `RecordTooNew`.
    """
    data = copied(data, "data")
    record, native = NativePostbackRecord(), c_void_p()
    completed(LIBRARY.functions.skan_postback_record_read, data, len(data), byref(record), byref(native))
    found = _postback(native)
    is_counted, is_reengagement = record.outcome == 0, found.conversion_type == "re-engagement"
    installed = (record.installed_from, record.installed_until)
    reengaged = (record.reengaged_from, record.reengaged_until)
    return Record(
        outcome=OUTCOMES[record.outcome],
        decoding=DECODINGS[record.decoding],
        model=record.model.decode() or None,
        received=record.received / 1e6,
        installed=installed if is_counted and not is_reengagement else None,
        reengaged=reengaged if is_counted and is_reengagement else None,
        network=record.network.decode(errors="replace") or None,
        postback=found,
    )
