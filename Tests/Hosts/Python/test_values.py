"""What calls give: values that read well, compare and cannot be changed."""

import copy
import dataclasses
import json
import pickle
from decimal import Decimal
from typing import Any, Callable

import pytest
from engines import new_engine
from libskan import (
    ENDPOINT_SINGULAR,
    AppCall,
    AppCalls,
    CallResult,
    Device,
    Engine,
    InvalidArgument,
    Outcome,
    Request,
    Result,
    RevenueItem,
    RevenueKind,
    Status,
    Update,
)
from libskan.aio import AsyncEngine

INSTALL = "player-1"
NOW = 1_700_000_000


def test_only_ok_is_true() -> None:
    assert [outcome for outcome in Outcome if outcome] == [Outcome.OK]
    assert [outcome for outcome in Outcome if Result(outcome)] == [Outcome.OK]
    assert [outcome for outcome in Outcome if Request(outcome)] == [Outcome.OK]


def test_outcomes_are_statuses() -> None:
    for outcome in Outcome:
        assert Status[outcome.name].value == outcome.value
        assert str(outcome) == str(Status(outcome)) == f"{outcome}" == outcome.name


def test_a_result_reads_as_outcome_and_update() -> None:
    with new_engine(clock=lambda: 1643393464) as engine:
        outcome, update = engine.register(INSTALL)
        assert outcome is Outcome.OK
        assert update == Update(1643393464000001, 0, 0, None, False, 1643393464)
        assert json.dumps(update._asdict()) == (
            '{"id": 1643393464000001, "window": 0, "fine_value": 0, "coarse_value": null, "lock_window": false, '
            '"timestamp": 1643393464}'
        )
        assert engine.register(INSTALL) == (Outcome.ALREADY_REGISTERED, None)


def test_a_later_first_launch_begins_a_new_life_where_the_host_asks_for_it() -> None:
    with new_engine(clock=lambda: NOW) as engine:
        assert engine.register(INSTALL, first_launch=NOW - 60)
        engine.update_revenue(INSTALL, Decimal("4.99"), "USD", event_id="order-1")
        assert engine.register(INSTALL, first_launch=NOW) == (Outcome.ALREADY_REGISTERED, None)
        assert engine.details(INSTALL).first_timestamp == NOW - 60
        again = engine.register(INSTALL, first_launch=NOW, begins_again=True, keeps_revenue=True)
        assert again.update == Update(NOW * 1_000_000 + 2, 0, 0, None, False, NOW)
        assert engine.details(INSTALL).first_timestamp == NOW
        assert engine.details(INSTALL).iap_revenue == {"USD": Decimal("4.99")}
        assert engine.update_revenue(INSTALL, Decimal("4.99"), "USD", event_id="order-1") is Outcome.DUPLICATE_EVENT
        for first_launch in (-1, NOW + 61):
            with pytest.raises(InvalidArgument, match=r"^first_launch: "):
                engine.register(INSTALL, first_launch=first_launch)


def test_values_cannot_be_changed() -> None:
    with new_engine() as engine:
        result = engine.register(INSTALL)
        for value, name in ((result, "update"), (result.update, "id"), (engine.conversion_request(INSTALL), "url")):
            with pytest.raises(AttributeError):
                setattr(value, name, None)
        for frozen, name in ((engine.details(INSTALL), "json"), (Device(), "idfv")):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(frozen, name, None)


def test_values_can_be_copied() -> None:
    with new_engine() as engine:
        for value in (
            engine.register(INSTALL),
            engine.conversion_request(INSTALL),
            engine.details(INSTALL),
            Device("16.1", idfv="x"),
        ):
            assert pickle.loads(pickle.dumps(value)) == value


def test_a_revenue_items_event_id_is_not_taken_for_its_kind() -> None:
    with pytest.raises(TypeError, match="positional argument"):
        RevenueItem("player-1", 4.99, "USD", "order-1")  # type: ignore[call-arg, arg-type]
    item = RevenueItem("player-1", 4.99, "USD", event_id="order-1", kind=RevenueKind.AD)
    assert tuple(item) == ("player-1", 4.99, "USD", RevenueKind.AD, "order-1", 0)
    for other in (pickle.loads(pickle.dumps(item)), copy.copy(item), item._replace()):
        assert (other, type(other)) == (item, RevenueItem)


@pytest.mark.parametrize("value", ["order-1", True, None])
def test_a_kind_of_revenue_is_one_of_its_words(value: Any) -> None:
    with new_engine() as engine:
        calls: list[Callable[[], object]] = [
            lambda: engine.update_revenue(INSTALL, 1, "USD", kind=value),
            lambda: engine.update_revenue(INSTALL, Decimal(1), "USD", kind=value),
            lambda: engine.update_revenue_many([RevenueItem(INSTALL, 1, "USD", kind=value)]),
            lambda: engine.update_conversion_values(INSTALL, amount=1, currency="USD", kind=value),
        ]
        for call in calls:
            with pytest.raises(TypeError, match=r"^kind must be RevenueKind, not \w+$"):
                call()


@pytest.mark.parametrize("value", ["yes", 1, None])
def test_yes_or_no_is_a_bool(value: Any) -> None:
    with new_engine() as engine:
        with pytest.raises(TypeError, match=r"^is_started must be bool, not \w+$"):
            engine.reengage(INSTALL, is_started=value)
        with pytest.raises(TypeError, match=r"^is_overlapping must be bool, not \w+$"):
            engine.reengage(INSTALL, is_overlapping=value)


def test_a_call_waits_until_it_is_acknowledged_as_delivered() -> None:
    with new_engine() as engine:
        first = engine.register(INSTALL).update
        assert first is not None
        waiting = engine.pending_calls(INSTALL)
        told = {(call.id, call.fine_value, call.timestamp) for call in waiting.calls}
        assert told == {(first.id, 0, first.timestamp)}
        engine.acknowledge_calls(INSTALL, [(first.id, CallResult.FAILED)])
        assert engine.pending_calls(INSTALL) == waiting
        engine.acknowledge_calls(INSTALL, [(first.id, CallResult.DELIVERED)])
        assert engine.pending_calls(INSTALL) == AppCalls(Outcome.NOTHING_PENDING)


def test_in_skan_3_one_call_goes_to_skadnetwork() -> None:
    with new_engine(clock=lambda: NOW, protocol=3) as engine:
        assert engine.register(INSTALL) == Result(Outcome.OK)
        assert engine.pending_calls(INSTALL) == AppCalls(Outcome.NOTHING_PENDING)
        assert engine.apply_response(INSTALL, 0, b'{"conversion_value": 7}')
        call = AppCall(NOW * 1_000_000 + 1, 0, "SKAdNetwork", None, 0, 7, None, False, NOW, NOW + 86_400, None)
        assert engine.pending_calls(INSTALL) == AppCalls(Outcome.OK, (call,))
        assert json.loads(engine.pending_calls_json(INSTALL)[1])["calls"][0]["fine_value"] == 7
        engine.acknowledge_calls(INSTALL, [(call.id, CallResult.DELIVERED)])
        assert not engine.pending_calls(INSTALL)


def test_an_event_is_counted_once_in_two_steps() -> None:
    event: dict[str, Any] = {"event_name": "purchase", "event_id": "order-1"}
    with new_engine() as engine:
        engine.register(INSTALL)
        request = engine.conversion_request(INSTALL, **event, amount=Decimal("4.99"), currency="USD")
        assert request
        assert engine.details(INSTALL).iap_revenue == {"USD": Decimal("4.99")}
        answer = '{"conversion_value": 5}'
        assert engine.apply_response(INSTALL, request.ticket, answer, **event)
        again = engine.conversion_request(INSTALL, **event, amount=Decimal("4.99"), currency="USD")
        assert again == Request(Outcome.DUPLICATE_EVENT)
        assert engine.apply_response(INSTALL, 0, answer, **event) == Result(Outcome.DUPLICATE_EVENT)
        assert engine.details(INSTALL).iap_revenue == {"USD": Decimal("4.99")}


def test_an_engine_needs_an_endpoint_or_models() -> None:
    message = "endpoint_url: expected the URL of a conversion-value endpoint, or conversion models, got neither"
    for make in (Engine, AsyncEngine):
        with pytest.raises(InvalidArgument) as refused:
            make()
        assert refused.value.message == message
    with Engine(endpoint_url=ENDPOINT_SINGULAR) as engine:
        engine.register(INSTALL)
        assert engine.conversion_request(INSTALL).url.startswith(f"{ENDPOINT_SINGULAR}/api/v2/")
