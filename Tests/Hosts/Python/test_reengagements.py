"""Re-engagements: what Python gives to the library, and makes of its answers."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from libskan import (
    Call,
    CallResult,
    Calls,
    Device,
    Engine,
    InvalidArgument,
    Misuse,
    Model,
    Outcome,
    Reengaged,
    ReengagementCredit,
    RevenueItem,
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
    return Engine(clock=lambda: float(NOW), reengagement_models=[Model(RETURN)], **options)


def two_returns(engine: Engine) -> None:
    for number in (1, 2):
        taken = engine.reengage(INSTALL, f"open-{number}", f"tag-{number}", is_overlapping=True, is_started=True)
        assert taken == Reengaged(Outcome.OK, number)


def fines(engine: Engine) -> list[int]:
    return [each["fine_value"] for each in engine.reengagements(INSTALL)]


def test_a_return_is_taken_once_and_its_calls_go_to_the_app() -> None:
    with opened() as engine:
        assert not engine.pending_calls(INSTALL)
        taken = engine.reengage(INSTALL, "open-1", "tag-1", "spring", is_started=True, is_overlapping=True)
        assert taken == Reengaged(Outcome.OK, 1)
        again = engine.reengage(INSTALL, "open-1", "tag-1", "spring", is_overlapping=True)
        assert again == Reengaged(Outcome.DUPLICATE_EVENT, 1)
        assert not again
        call = Call(1, 1, "AdAttributionKit", None, 0, 0, 0, False, NOW, NOW + DAYS_2, "tag-1")
        assert engine.pending_calls(INSTALL, Device("18.4")) == Calls(Outcome.OK, (call,))
        outcome, text = engine.pending_calls_json(INSTALL)
        assert outcome is Outcome.OK
        assert json.loads(text)["valid_seconds"] == DAYS_2
        engine.acknowledge_calls(INSTALL, iter([(1, CallResult.DELIVERED)]))
        assert engine.pending_calls(INSTALL) == Calls(Outcome.NOTHING_PENDING)


def test_a_system_without_re_engagements_is_no_error() -> None:
    with opened() as engine:
        assert engine.reengage(INSTALL, device=Device("17.4")) == Reengaged(Outcome.UNSUPPORTED)


def test_an_amount_comes_with_its_event() -> None:
    for amount in (Decimal("5.00"), 5, 5.0):
        with opened() as engine:
            two_returns(engine)
            came = engine.update_conversions(INSTALL, "buy", reengagement=2, amount=amount, currency="USD")
            assert came is Outcome.OK
            assert fines(engine) == [0, 9]
    with opened() as engine:
        for named in ({"amount": 5}, {"currency": "USD"}, {"ad_monetization": True}):
            with pytest.raises(InvalidArgument, match=r"^currency: expected an amount and its currency"):
                engine.update_conversions(INSTALL, **named)


def test_an_amount_is_credited_to_the_one_that_is_named() -> None:
    with opened() as engine:
        two_returns(engine)
        assert engine.update_revenue(INSTALL, 5, "USD", reengagement=1) is Outcome.OK
        many = engine.update_revenue_many([RevenueItem(INSTALL, Decimal(2), "USD", reengagement=2)])
        assert [status.name for status in many.statuses] == ["OK"]
        sums = [each["revenue"]["conversion"]["iap"] for each in engine.reengagements(INSTALL)]
        assert sums == [5, 2]
        outcome, seen = engine.explain_reengagement(INSTALL, 1)
        assert outcome is Outcome.OK
        assert seen is not None
        assert (seen["rule"], seen["fine"]) == (1, 9)


def test_the_newest_alone_is_credited_where_the_engine_says_so() -> None:
    with opened(reengagement_credit=ReengagementCredit.NEWEST) as engine:
        two_returns(engine)
        engine.update_conversions(INSTALL, amount=5, currency="USD")
        assert fines(engine) == [0, 9]


def test_one_that_has_ended_is_asked_no_more() -> None:
    with opened() as engine:
        two_returns(engine)
        assert engine.end_reengagement(INSTALL, 1) is Outcome.OK
        assert engine.end_reengagement(INSTALL, 3) is Outcome.NOT_FOUND
        assert engine.explain_reengagement(INSTALL, 1) == (Outcome.WINDOW_CLOSED, None)
        assert [each["ended"] for each in engine.reengagements(INSTALL)] == ["host", None]
        assert [call.tag for call in engine.pending_calls(INSTALL).calls] == ["tag-2"]


def test_without_models_for_them_there_are_none() -> None:
    with Engine() as engine:
        with pytest.raises(Misuse):
            engine.reengage(INSTALL)
        assert engine.reengagements(INSTALL) == []


@pytest.mark.parametrize("number", [-1, 1 << 32])
def test_numbers_that_c_cannot_take_are_refused(number: int) -> None:
    with opened() as engine:
        with pytest.raises(InvalidArgument, match=r"^number: "):
            engine.end_reengagement(INSTALL, number)
        with pytest.raises(InvalidArgument, match=r"^reengagement: "):
            engine.update_revenue(INSTALL, 1, "USD", reengagement=number)
        with pytest.raises(InvalidArgument, match=r"^opened_at: "):
            engine.reengage(INSTALL, opened_at=number << 31 if number > 0 else -(1 << 63) - 1)
