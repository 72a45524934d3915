"""Re-engagements: what Python gives to the library, and makes of its answers."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from engines import ENDPOINT, new_engine
from libskan import (
    INSTALL_ALONE,
    AppCall,
    AppCalls,
    CallResult,
    CoarseValue,
    ConversionModel,
    Device,
    Engine,
    InvalidArgument,
    Misuse,
    Outcome,
    Reengaged,
    ReengagementCredit,
    ReengagementEnd,
    Result,
    RevenueItem,
    RevenueKind,
)

INSTALL = "player-1"
NOW = 1_700_000_000
DAYS_2 = 172_800
RETURN = json.dumps(
    {
        "schema": 1,
        "id": "return",
        "conversion": "re-engagement",
        "windows": [
            {
                "rules": [
                    {"fine": 0, "coarse": "low"},
                    {"fine": 9, "coarse": "high", "when": {"revenue": {"scope": "conversion", "min": 5}}},
                ]
            },
            {"rules": [{"coarse": "low"}]},
            {"rules": [{"coarse": "low"}]},
        ],
    }
)


def opened(**options: Any) -> Engine:
    return Engine(clock=lambda: float(NOW), reengagement_models=[ConversionModel(RETURN)], **options)


def two_returns(engine: Engine) -> None:
    for number in (1, 2):
        taken = engine.reengage(INSTALL, f"open-{number}", f"tag-{number}", is_overlapping=True, is_started=True)
        assert taken == Reengaged(Outcome.OK, number)


def fines(engine: Engine) -> list[int]:
    return [each.fine_value for each in engine.reengagements(INSTALL)]


def test_a_return_is_taken_once_and_its_calls_go_to_the_app() -> None:
    with opened() as engine:
        assert not engine.pending_calls(INSTALL)
        taken = engine.reengage(INSTALL, "open-1", "tag-1", "spring", is_started=True, is_overlapping=True)
        assert taken == Reengaged(Outcome.OK, 1)
        again = engine.reengage(INSTALL, "open-1", "tag-1", "spring", is_overlapping=True)
        assert again == Reengaged(Outcome.DUPLICATE_EVENT, 1)
        assert not again
        number, closes = NOW * 1_000_000 + 1, NOW + DAYS_2
        call = AppCall(number, 1, "AdAttributionKit", None, 0, 0, CoarseValue.LOW, False, NOW, closes, "tag-1")
        assert engine.pending_calls(INSTALL, Device("18.4")) == AppCalls(Outcome.OK, (call,))
        outcome, text = engine.pending_calls_json(INSTALL)
        assert outcome is Outcome.OK
        assert json.loads(text)["valid_seconds"] == DAYS_2
        engine.acknowledge_calls(INSTALL, iter([(call.id, CallResult.DELIVERED)]))
        assert engine.pending_calls(INSTALL) == AppCalls(Outcome.NOTHING_PENDING)


def test_a_system_without_re_engagements_is_no_error() -> None:
    with opened() as engine:
        assert engine.reengage(INSTALL, device=Device("17.4")) == Reengaged(Outcome.UNSUPPORTED)


def test_an_amount_comes_with_its_event() -> None:
    for amount in (Decimal("5.00"), 5, 5.0):
        with opened() as engine:
            two_returns(engine)
            came = engine.update_conversion_values(INSTALL, "buy", reengagement=2, amount=amount, currency="USD")
            assert came == Result(Outcome.OK)
            assert fines(engine) == [0, 9]
    with opened() as engine:
        for named in ({"amount": 5}, {"currency": "USD"}, {"kind": RevenueKind.AD}):
            with pytest.raises(InvalidArgument, match=r"^currency: expected an amount and its currency"):
                engine.update_conversion_values(INSTALL, **named)


def test_an_amount_is_credited_to_the_one_that_is_named() -> None:
    with opened() as engine:
        two_returns(engine)
        assert engine.update_revenue(INSTALL, 5, "USD", reengagement=1) is Outcome.OK
        many = engine.update_revenue_many([RevenueItem(INSTALL, Decimal(2), "USD", reengagement=2)])
        assert [status.name for status in many.statuses] == ["OK"]
        sums = [each.revenue.conversion.iap for each in engine.reengagements(INSTALL)]
        assert sums == [5, 2]
        outcome, seen = engine.explanation(INSTALL, reengagement=1)
        assert outcome is Outcome.OK
        assert seen is not None
        assert (seen["rule"], seen["fine"]) == (1, 9)


def test_the_newest_alone_is_credited_where_the_engine_says_so() -> None:
    with opened(reengagement_credit=ReengagementCredit.NEWEST) as engine:
        two_returns(engine)
        engine.update_conversion_values(INSTALL, amount=5, currency="USD")
        assert fines(engine) == [0, 9]


def test_an_event_may_be_the_installs_alone() -> None:
    paid: dict[str, Any] = {"amount": 5, "currency": "USD"}
    with opened(endpoint_url=ENDPOINT, transport=lambda url: b'{"conversion_value": 7}') as engine:
        engine.register(INSTALL)
        two_returns(engine)
        alone = engine.update_conversion_values(INSTALL, **paid, reengagement=INSTALL_ALONE)
        assert alone.update is not None
        assert alone.update.fine_value == 7
        assert engine.update_revenue(INSTALL, 5, "USD", reengagement=INSTALL_ALONE) is Outcome.OK
        assert fines(engine) == [0, 0]
        assert engine.update_conversion_values(INSTALL, **paid)
        assert fines(engine) == [9, 9]


def test_an_answer_is_applied_with_its_event() -> None:
    event: dict[str, Any] = {"event_name": "buy", "event_id": "order-1", "reengagement": 2}
    with opened(endpoint_url=ENDPOINT) as engine:
        engine.register(INSTALL)
        two_returns(engine)
        request = engine.conversion_request(INSTALL, **event, amount=5, currency="USD")
        assert engine.apply_response(INSTALL, request.ticket, b'{"conversion_value": 7}', **event)
        assert fines(engine) == [0, 9]
        assert engine.update_conversion_values(INSTALL, event_id="order-1").outcome is Outcome.DUPLICATE_EVENT


def test_one_that_has_ended_is_asked_no_more() -> None:
    with opened() as engine:
        two_returns(engine)
        assert engine.end_reengagement(INSTALL, 1) is Outcome.OK
        assert engine.end_reengagement(INSTALL, 3) is Outcome.NOT_FOUND
        assert engine.explanation(INSTALL, reengagement=1) == (Outcome.WINDOW_CLOSED, None)
        assert [each.ended for each in engine.reengagements(INSTALL)] == [ReengagementEnd.HOST, None]
        assert [call.tag for call in engine.pending_calls(INSTALL).calls] == ["tag-2"]


def test_without_models_for_them_there_are_none() -> None:
    with new_engine() as engine:
        with pytest.raises(Misuse):
            engine.reengage(INSTALL)
        assert engine.reengagements(INSTALL) == ()


@pytest.mark.parametrize("number", [-1, 1 << 32])
def test_numbers_that_c_cannot_take_are_refused(number: int) -> None:
    with opened() as engine:
        with pytest.raises(InvalidArgument, match=r"^number: "):
            engine.end_reengagement(INSTALL, number)
        with pytest.raises(InvalidArgument, match=r"^reengagement: "):
            engine.update_revenue(INSTALL, 1, "USD", reengagement=number)
        with pytest.raises(InvalidArgument, match=r"^reengagement: "):
            engine.update_conversion_values(INSTALL, reengagement=number)
        with pytest.raises(InvalidArgument, match=r"^reengagement: "):
            engine.explanation(INSTALL, reengagement=number)
        with pytest.raises(InvalidArgument, match=r"^opened_at: "):
            engine.reengage(INSTALL, opened_at=number << 31 if number > 0 else -(1 << 63) - 1)
