"""Every kind of error, from the call that raises it."""

import pickle
from typing import Any, Callable

import libskan
import pytest
from libskan import Engine, Rejected, SkanError, Status, StoreConflict, _errors
from stores import DictionaryStore

INSTALL = "player-1"


def registered(**options: Any) -> Engine:
    """An engine with one install."""
    engine = Engine(**options)
    engine.register(INSTALL)
    return engine


def applied(body: Any) -> object:
    """The answer of an endpoint."""
    with registered() as engine:
        return engine.apply_response(INSTALL, engine.conversion_request(INSTALL).ticket, body)


def with_record(record: bytes) -> object:
    """A call on an install with this record."""
    store = DictionaryStore()
    store.records[INSTALL] = record, 1
    with Engine(store) as engine:
        return engine.update_revenue(INSTALL, 1, "USD")


def record() -> bytes:
    """A sound record."""
    store = DictionaryStore()
    registered(store=store).close()
    return store.records[INSTALL][0]


def damaged(record: bytes) -> bytes:
    """One bit is another one."""
    return record[:-1] + bytes([record[-1] ^ 1])


def of_other_protocol() -> object:
    """A call of SKAN 3 on an install of SKAN 4."""
    store = DictionaryStore()
    registered(store=store).close()
    with Engine(store, protocol=3) as engine:
        return engine.metadata(INSTALL)


def too_many_currencies() -> None:
    """The 65th in one table."""
    with registered() as engine:
        for number in range(65):
            engine.update_revenue(INSTALL, 1, f"A{chr(65 + number // 26)}{chr(65 + number % 26)}")


def failing(error: Exception, hook: str) -> object:
    """A call on a store one of whose hooks fails."""

    def fail(*arguments: object) -> Any:
        raise error

    store = DictionaryStore()
    setattr(store, hook, fail)
    with Engine(store) as engine:
        return engine.register(INSTALL)


def unknown() -> object:
    """A call that cannot tell what became of its save."""
    store = DictionaryStore()

    def save(key: str, data: bytes, expected_version: int) -> int:
        DictionaryStore.save(store, key, record(), expected_version)
        raise libskan.StoreUnknown("connection reset")

    store.save = save  # type: ignore[method-assign]
    with Engine(store) as engine:
        return engine.register(INSTALL)


def transport_failing() -> object:
    """A call whose GET fails."""

    def get(url: str) -> bytes:
        raise libskan.TransportError("HTTP 503")

    with registered(transport=get) as engine:
        return engine.update_conversion_values(INSTALL)


CASES: list[tuple[Status, type[Exception], Callable[[], object], str]] = [
    (Status.INVALID_ARGUMENT, ValueError, lambda: Engine(protocol=5), "protocol"),
    (Status.INVALID_ARGUMENT, ValueError, lambda: registered().register(""), "install_id"),
    (Status.INVALID_ARGUMENT, ValueError, lambda: registered().register("x" * 129), "install_id"),
    (Status.INVALID_ARGUMENT, ValueError, lambda: registered().update_revenue(INSTALL, 1, "dollars"), "currency"),
    (Status.INVALID_ARGUMENT, ValueError, lambda: registered().update_revenue(INSTALL, 1e12, "USD"), "amount"),
    (Status.INVALID_ARGUMENT, ValueError, lambda: registered().conversion_request(INSTALL, "é"), "event"),
    (Status.INVALID_ARGUMENT, ValueError, lambda: Engine(endpoint_url="https://x/?y"), "endpoint_url"),
    (Status.MISUSE, RuntimeError, lambda: registered().update_conversion_values(INSTALL), "transport"),
    (Status.MISUSE, RuntimeError, of_other_protocol, "SKAN 3"),
    (Status.LIMIT_EXCEEDED, ValueError, lambda: applied(b" " * 65537), "65536|64 KiB"),
    (Status.LIMIT_EXCEEDED, ValueError, too_many_currencies, "currenc"),
    (Status.INVALID_DOCUMENT, ValueError, lambda: Engine().import_details(INSTALL, '{"p0_coarse":3}'), "p0_coarse"),
    (Status.MALFORMED_RESPONSE, ValueError, lambda: applied(b"<html>"), "response"),
    (Status.ILLEGAL_VALUE, ValueError, lambda: applied(b'{"conversion_value":64}'), "conversion_value"),
    (Status.REJECTED, SkanError, lambda: applied('{"status":"error","reason":"Größe\\u0000?"}'), "^Größe$"),
    (Status.STORE, SkanError, lambda: failing(libskan.StoreError("disk is full"), "load"), "disk is full"),
    (Status.STORE_CONFLICT, SkanError, lambda: failing(StoreConflict("again"), "save"), "100"),
    (Status.STORE_UNKNOWN, SkanError, unknown, "connection reset"),
    (Status.CORRUPT_RECORD, SkanError, lambda: with_record(damaged(record())), "checksum"),
    (Status.RECORD_TOO_NEW, SkanError, lambda: with_record(b"\xff" + record()[1:]), "255"),
    (Status.TRANSPORT, OSError, transport_failing, "HTTP 503"),
    (Status.CLOCK, SkanError, lambda: registered(clock=lambda: -0.5), "clock"),
]


@pytest.mark.parametrize(("status", "builtin", "call", "message"), CASES)
def test_error(status: Status, builtin: type[Exception], call: Callable[[], object], message: str) -> None:
    kind = _errors.EXCEPTIONS[status]
    with pytest.raises(kind, match=message) as raised:
        call()
    assert type(raised.value) is kind
    assert issubclass(kind, SkanError)
    assert issubclass(kind, builtin)
    assert raised.value.status is status
    assert raised.value.message == str(raised.value)


def test_every_error_but_that_of_models_is_raised_here() -> None:
    assert {status for status, *_ in CASES} == set(_errors.EXCEPTIONS) - {Status.MODEL_UNKNOWN}


def test_every_error_status_has_an_exception_of_its_own() -> None:
    assert set(_errors.EXCEPTIONS) == {status for status in Status if status >= 100}
    assert len(set(_errors.EXCEPTIONS.values())) == len(_errors.EXCEPTIONS)
    for exception in _errors.EXCEPTIONS.values():
        assert getattr(libskan, exception.__name__) is exception
        assert exception.__name__ in libskan.__all__


def test_errors_can_be_pickled() -> None:
    for kind in _errors.EXCEPTIONS.values():
        copy = pickle.loads(pickle.dumps(kind("why")))
        assert (type(copy), copy.status, copy.message) == (kind, kind.status, "why")


def test_an_error_without_text() -> None:
    with pytest.raises(Rejected) as raised:
        applied('{"status":"error"}')
    assert raised.value.message == str(raised.value)
    assert raised.value.message.startswith("response: the answer has neither a value nor a reason: ")
    assert libskan.StoreError().message == ""


def test_the_sdk_key_is_in_no_message() -> None:
    key = "a-very-secret-key"
    with registered(sdk_key=key, transport=lambda url: b"?") as engine:
        request = engine.conversion_request(INSTALL)
        assert key in request.url
        assert key not in repr(request) + str(request)
        with pytest.raises(SkanError) as raised:
            engine.update_conversion_values(INSTALL)
        assert key not in str(raised.value)
    with pytest.raises(SkanError) as raised:
        Engine(sdk_key=key + "\n")
    assert key not in str(raised.value)
