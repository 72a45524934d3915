"""What Python's arguments become: nothing is cut, wrapped or guessed."""

from decimal import Decimal
from functools import partial
from typing import Any, Callable, Optional

import pytest
from calls import CALLS
from engines import new_engine
from libskan import (
    CallResult,
    Details,
    Device,
    Engine,
    InvalidArgument,
    MalformedResponse,
    Outcome,
    RevenueItem,
    RevenueKind,
    StoreUnknown,
)
from stores import DictionaryStore

INSTALL = "player-1"
BROKEN = ["player\0-1", "\0", "player-1\0", "player-\ud800", "\udfff"]


@pytest.fixture
def engine() -> Engine:
    """With one install."""
    engine = new_engine(transport=lambda url: b'{"conversion_value":5}')
    engine.register(INSTALL)
    return engine


@pytest.mark.parametrize("text", BROKEN)
def test_text_with_a_nul_or_a_lone_surrogate_is_refused(engine: Engine, text: str) -> None:
    before = engine.details(INSTALL)
    calls: list[Callable[[], object]] = [
        *(partial(call, engine, text) for call in CALLS),
        lambda: engine.update_revenue(INSTALL, 1, text),
        lambda: engine.update_revenue(INSTALL, 1, "USD" + text),
        lambda: engine.update_revenue(INSTALL, 1, "USD", event_id=text),
        lambda: engine.conversion_request(INSTALL, text),
        lambda: engine.conversion_request(INSTALL, device=Device(os_version=text)),
        lambda: engine.conversion_request(INSTALL, device=Device(idfv=text)),
        lambda: engine.conversion_request(INSTALL, device=Device(idfa=text)),
        lambda: engine.update_conversion_values(INSTALL, text),
        lambda: engine.update_conversion_values(INSTALL, event_id=text),
        lambda: engine.apply_response(INSTALL, 0, b"", event_name=text),
        lambda: engine.apply_response(INSTALL, 0, b"", event_id=text),
        lambda: new_engine(endpoint_url="https://example.com/" + text),
        lambda: new_engine(sdk_key=text),
        lambda: new_engine(bundle_id=text),
        lambda: new_engine(app_version=text),
    ]
    for call in calls:
        with pytest.raises(InvalidArgument):
            call()
    assert engine.details(INSTALL) == before


@pytest.mark.parametrize("value", [b"player-1", 5, 1.5, ["player-1"], object()])
def test_text_of_another_type_is_refused(engine: Engine, value: Any) -> None:
    calls: list[Callable[[], object]] = [
        lambda: engine.register(value),
        lambda: engine.update_revenue(INSTALL, 1, value),
        lambda: engine.update_revenue(INSTALL, 1, "USD", event_id=value),
        lambda: engine.conversion_request(INSTALL, value),
        lambda: engine.conversion_request(INSTALL, device=value),
        lambda: new_engine(sdk_key=value),
    ]
    for call in calls:
        with pytest.raises(TypeError):
            call()


def test_text_is_utf8(engine: Engine) -> None:
    assert engine.register("玩家-😀")
    with pytest.raises(InvalidArgument):
        engine.register("é" * 65)
    assert engine.register("é" * 64)


@pytest.mark.parametrize(
    ("amount", "total"),
    [
        (0.1, "0.1"),
        (7, "7"),
        (-3, "-3"),
        (999_999_999_999, "999999999999"),
        (Decimal("12345678901.234"), "12345678901.234"),
        (Decimal.from_float(0.1), "0.1"),
        (Decimal("1.5E-12"), "0.000000000002"),
        (Decimal("-1E+2"), "-100"),
        (Decimal("0E-20"), None),
        (Decimal("4." + "9" * 1022), "5"),
    ],
)
def test_amounts_arrive_exactly(engine: Engine, amount: Any, total: Optional[str]) -> None:
    """Other texts of decimal numbers are in the vectors."""
    assert engine.update_revenue(INSTALL, amount, "USD") is Outcome.OK
    assert engine.update_revenue(INSTALL, amount, "EUR", kind=RevenueKind.AD, event_id="order-1") is Outcome.OK
    assert engine.update_revenue(INSTALL, amount, "EUR", event_id="order-1") is Outcome.DUPLICATE_EVENT
    assert engine.update_revenue_many([RevenueItem("many", amount, "USD")])
    expected = {"USD": Decimal(total)} if total else {}
    assert engine.details(INSTALL).iap_revenue == engine.details("many").iap_revenue == expected
    assert engine.details(INSTALL).ad_revenue == ({"EUR": Decimal(total)} if total else {})


def test_a_decimal_of_more_than_1024_characters_is_refused(engine: Engine) -> None:
    with pytest.raises(InvalidArgument, match=r"^amount: expected at most 1024 bytes, got more$"):
        engine.update_revenue(INSTALL, Decimal("0." + "1" * 1023), "USD")


def test_a_decimal_fails_as_any_amount() -> None:
    class Broken(DictionaryStore):
        def save(self, key: str, data: bytes, expected_version: int) -> int:
            raise ConnectionError("no disk")

    for amount in (Decimal("4.99"), 4.99):
        with new_engine() as engine, pytest.raises(InvalidArgument) as refused:
            engine.update_revenue(INSTALL, amount, "DOLLAR")
        assert refused.value.message == 'currency: expected three ASCII letters, got "DOLLAR"'
        with new_engine(Broken()) as engine, pytest.raises(StoreUnknown, match=r"^store\.save: ") as raised:
            engine.update_revenue(INSTALL, amount, "USD")
        assert isinstance(raised.value.__cause__, ConnectionError), amount


def test_a_decimal_that_is_no_amount_says_so(engine: Engine) -> None:
    for amount in ("NaN", "sNaN", "-Infinity", "1E+12", "1E+400"):
        message = f'amount: expected a decimal number between -1e12 and 1e12, got "{amount}"'
        with pytest.raises(InvalidArgument) as refused:
            engine.update_revenue(INSTALL, Decimal(amount), "USD")
        assert refused.value.message == message
        result = engine.update_revenue_many([RevenueItem(INSTALL, Decimal(amount), "USD")])
        assert isinstance(result.error, InvalidArgument)
        assert result.error.message == f"items[0]: {message}"


@pytest.mark.parametrize("amount", [float("nan"), -float("inf"), 1e12, 10**12, 10**400, -(10**400)])
def test_amounts_out_of_range_are_refused(engine: Engine, amount: Any) -> None:
    with pytest.raises(InvalidArgument):
        engine.update_revenue(INSTALL, amount, "USD")


@pytest.mark.parametrize("amount", ["4.99", None, True, b"1", 1j, [1]])
def test_amounts_of_another_type_are_refused(engine: Engine, amount: Any) -> None:
    with pytest.raises(TypeError):
        engine.update_revenue(INSTALL, amount, "USD")


@pytest.mark.parametrize("kind", [-1, 2, 7])
def test_a_kind_of_revenue_that_there_is_not_is_refused(engine: Engine, kind: Any) -> None:
    message = f"kind: expected 0 (IAP) or 1 (ad revenue), got {kind}"
    calls: list[Callable[[], object]] = [
        lambda: engine.update_revenue(INSTALL, 1, "USD", kind=kind),
        lambda: engine.update_conversion_values(INSTALL, amount=1, currency="USD", kind=kind),
        lambda: engine.conversion_request(INSTALL, amount=1, currency="USD", kind=kind),
    ]
    for call in calls:
        with pytest.raises(InvalidArgument) as refused:
            call()
        assert refused.value.message == message
    with pytest.raises(InvalidArgument, match=r"^kind: 4294967296 is not in "):
        engine.update_revenue(INSTALL, 1, "USD", kind=1 << 32)  # type: ignore[arg-type]


@pytest.mark.parametrize("body", [b"%s", bytearray(b"%s"), memoryview(b"%s"), "%s"])
def test_a_body_may_be_text_or_any_bytes(engine: Engine, body: Any) -> None:
    answer = b'{"conversion_value":9}'
    given = answer.decode() if isinstance(body, str) else type(body)(answer)
    update = engine.apply_response(INSTALL, 0, given).update
    assert update is not None
    assert update.fine_value == 9


def test_a_body_is_given_whole(engine: Engine) -> None:
    for body in (b'{"conversion_value":9}\0', '{"conversion_value":9}\0', b'\0{"conversion_value":9}'):
        with pytest.raises(MalformedResponse):
            engine.apply_response(INSTALL, 0, body)
    assert engine.apply_response(INSTALL, 0, memoryview(b'{"conversion_value":9}xx')[:-2])
    assert engine.apply_response(INSTALL, 0, b"").outcome is Outcome.NO_NEW_VALUE
    with pytest.raises(InvalidArgument):
        engine.apply_response(INSTALL, 0, '{"reason":"\ud800"}')


@pytest.mark.parametrize("body", [None, 5, [1], object()])
def test_a_body_of_another_type_is_refused(engine: Engine, body: Any) -> None:
    with pytest.raises(TypeError):
        engine.apply_response(INSTALL, 0, body)
    with pytest.raises(TypeError):
        engine.import_details("player-2", body)


@pytest.mark.parametrize("number", [-1, 1 << 64, 1 << 65, -(1 << 63)])
def test_numbers_do_not_wrap(engine: Engine, number: int) -> None:
    with pytest.raises(InvalidArgument):
        engine.apply_response(INSTALL, number, b"")
    with pytest.raises(InvalidArgument):
        engine.acknowledge_calls(INSTALL, [(number, CallResult.DELIVERED)])
    with pytest.raises(InvalidArgument):
        new_engine(protocol=(number << 32) + 4)


@pytest.mark.parametrize("number", ["1", 1.0, None, Decimal(1)])
def test_numbers_of_another_type_are_refused(engine: Engine, number: Any) -> None:
    with pytest.raises(TypeError):
        engine.apply_response(INSTALL, number, b"")
    with pytest.raises(TypeError):
        engine.acknowledge_calls(INSTALL, [(number, CallResult.DELIVERED)])
    with pytest.raises(TypeError):
        new_engine(protocol=number)


def test_details_can_be_imported_again(engine: Engine) -> None:
    engine.update_revenue(INSTALL, Decimal("4.99"), "USD")
    engine.update_revenue(INSTALL, 0.25, "EUR", kind=RevenueKind.AD)
    details = engine.details(INSTALL)
    for document in (details.json, details.json.encode(), bytearray(details.json.encode())):
        with new_engine() as other:
            assert other.import_details(INSTALL, document) is Outcome.OK
            assert other.details(INSTALL) == details
            assert other.import_details(INSTALL, document) is Outcome.ALREADY_REGISTERED
    assert Details.parse(details.json) == details
