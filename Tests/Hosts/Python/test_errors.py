"""The errors as exceptions. The vectors raise those of answers, arguments and documents, test_hooks those of hooks."""

import json
import pickle
import re

import libskan
import pytest
from engines import new_engine
from libskan import Rejected, SkanError, Status, _errors

INSTALL = "player-1"

BUILTINS: dict[type[Exception], set[Status]] = {
    ValueError: {
        Status.INVALID_ARGUMENT,
        Status.LIMIT_EXCEEDED,
        Status.INVALID_DOCUMENT,
        Status.MALFORMED_RESPONSE,
        Status.ILLEGAL_VALUE,
    },
    RuntimeError: {Status.MISUSE},
    OSError: {Status.TRANSPORT, Status.TRANSPORT_UNKNOWN},
    LookupError: {Status.MODEL_UNKNOWN},
}


def test_every_error_status_has_an_exception_of_its_name() -> None:
    assert set(_errors.EXCEPTIONS) == {status for status in Status if status >= 100}
    for status, kind in _errors.EXCEPTIONS.items():
        words = re.findall("[A-Z][a-z]+", kind.__name__)
        assert "_".join(word for word in words if word != "Error").upper() == status.name
        assert kind.status is status
        assert issubclass(kind, SkanError)
        assert {builtin for builtin in BUILTINS if issubclass(kind, builtin)} == {
            builtin for builtin, statuses in BUILTINS.items() if status in statuses
        }
        assert getattr(libskan, kind.__name__) is kind
        assert kind.__name__ in libskan.__all__


def test_errors_can_be_pickled() -> None:
    for kind in _errors.EXCEPTIONS.values():
        copy = pickle.loads(pickle.dumps(kind("why")))
        assert (type(copy), copy.status, copy.message, str(copy)) == (kind, kind.status, "why", "why")
    assert SkanError().message == ""


def test_a_refusal_names_the_option_that_sets_the_parameter() -> None:
    reason = "Conversion Management: Invalid parameter app_v given"
    with new_engine(transport=lambda url: json.dumps({"status": "error", "reason": reason}).encode()) as engine:
        engine.register(INSTALL)
        with pytest.raises(Rejected) as raised:
            engine.update_conversion_values(INSTALL)
    assert raised.value.message == f"{reason}: the option app_version sets it"


def test_the_sdk_key_is_in_no_message() -> None:
    key = "a-very-secret-key"
    with new_engine(sdk_key=key, transport=lambda url: b"?") as engine:
        engine.register(INSTALL)
        request = engine.conversion_request(INSTALL)
        assert key in request.url
        assert key not in repr(request) + str(request)
        with pytest.raises(SkanError) as raised:
            engine.update_conversion_values(INSTALL)
        assert key not in str(raised.value)
    with pytest.raises(SkanError) as raised:
        new_engine(sdk_key=key + "\n")
    assert key not in str(raised.value)
