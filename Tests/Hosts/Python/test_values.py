"""What calls give: values that read well, compare and cannot be changed."""

import copy
import dataclasses
import json
import pickle
from decimal import Decimal
from typing import Any, Callable

import pytest
from libskan import Device, Engine, Outcome, Request, Result, RevenueItem, Status, Update

INSTALL = "player-1"


def test_only_ok_is_true() -> None:
    assert [outcome for outcome in Outcome if outcome] == [Outcome.OK]
    assert [outcome for outcome in Outcome if Result(outcome)] == [Outcome.OK]
    assert [outcome for outcome in Outcome if Request(outcome)] == [Outcome.OK]


def test_outcomes_are_statuses() -> None:
    for outcome in Outcome:
        assert Status[outcome.name].value == outcome.value
        assert str(outcome) == str(Status(outcome)) == f"{outcome}" == outcome.name


def test_a_result_reads_as_outcome_and_update() -> None:
    with Engine(clock=lambda: 1643393464) as engine:
        outcome, update = engine.register(INSTALL)
        assert outcome is Outcome.OK
        assert update == Update(1, 0, 0, None, False, 1643393464)
        assert json.dumps(update._asdict()) == (
            '{"id": 1, "window": 0, "fine_value": 0, "coarse_value": null, "lock_window": false, '
            '"timestamp": 1643393464}'
        )
        assert engine.register(INSTALL) == (Outcome.ALREADY_REGISTERED, None)


def test_values_cannot_be_changed() -> None:
    with Engine() as engine:
        result = engine.register(INSTALL)
        for value, name in ((result, "update"), (result.update, "id"), (engine.conversion_request(INSTALL), "url")):
            with pytest.raises(AttributeError):
                setattr(value, name, None)
        for frozen, name in ((engine.details(INSTALL), "json"), (Device(), "idfv")):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(frozen, name, None)


def test_values_can_be_copied() -> None:
    with Engine() as engine:
        for value in (
            engine.register(INSTALL),
            engine.conversion_request(INSTALL),
            engine.details(INSTALL),
            Device("16.1", idfv="x"),
        ):
            assert pickle.loads(pickle.dumps(value)) == value


def test_a_revenue_items_event_id_is_not_taken_for_ad_revenue() -> None:
    with pytest.raises(TypeError, match="positional argument"):
        RevenueItem("player-1", 4.99, "USD", "order-1")  # type: ignore[call-arg, arg-type]
    item = RevenueItem("player-1", 4.99, "USD", event_id="order-1", ad_monetization=True)
    assert tuple(item) == ("player-1", 4.99, "USD", True, "order-1", 0)
    for other in (pickle.loads(pickle.dumps(item)), copy.copy(item), item._replace()):
        assert (other, type(other)) == (item, RevenueItem)


@pytest.mark.parametrize("value", ["order-1", 1, None])
def test_yes_or_no_is_a_bool(value: Any) -> None:
    with Engine() as engine:
        calls: list[Callable[[], object]] = [
            lambda: engine.update_revenue(INSTALL, 1, "USD", ad_monetization=value),
            lambda: engine.update_revenue(INSTALL, Decimal(1), "USD", ad_monetization=value),
            lambda: engine.update_revenue_many([RevenueItem(INSTALL, 1, "USD", ad_monetization=value)]),
            lambda: engine.acknowledge_update(INSTALL, 1, value),
        ]
        for call in calls:
            with pytest.raises(TypeError, match=r"(ad_monetization|delivered) must be bool, not \w+$"):
                call()


def test_an_update_is_acknowledged_as_delivered_unless_it_says_otherwise() -> None:
    with Engine() as engine:
        first = engine.register(INSTALL).update
        assert first is not None
        engine.acknowledge_update(INSTALL, first.id, delivered=False)
        assert engine.pending_update(INSTALL).update == first
        engine.acknowledge_update(INSTALL, first.id)
        assert engine.pending_update(INSTALL) == Result(Outcome.NOTHING_PENDING)
