"""The state of installs and of their re-engagements, member by member."""

from __future__ import annotations

import dataclasses
import json
import pickle
from decimal import Decimal
from typing import Any

import pytest
from engines import ENDPOINT, new_engine
from libskan import (
    CallResult,
    CoarseValue,
    ConversionModel,
    Details,
    Engine,
    Misuse,
    Outcome,
    Reengagement,
    ReengagementEnd,
    ReengagementRevenue,
    RevenueKind,
    RevenueSums,
    Update,
    WindowDetails,
)
from test_reengagements import RETURN

INSTALL = "player-1"
NOW = 1_700_000_000
EMPTY = WindowDetails(None, None, None, {}, {})
LOCKED = '{"conversion_value": 9, "skan_updated_coarse_value": 2, "skan_updated_lock_window_value": true}'


def with_returns(now: float = NOW, **options: Any) -> Engine:
    return Engine(clock=lambda: now, reengagement_models=[ConversionModel(RETURN)], endpoint_url=ENDPOINT, **options)


@pytest.mark.parametrize("protocol", [3, 4])
def test_an_unknown_install_has_nothing(protocol: int) -> None:
    with new_engine(protocol=protocol) as engine:
        details = engine.details(INSTALL)
    assert details == Details(None, None, None, None, {}, {}, (EMPTY, EMPTY, EMPTY), (), details.json)
    assert set(json.loads(details.json).values()) == {None}


def test_in_skan_4_every_window_has_its_own() -> None:
    now = NOW
    with new_engine(clock=lambda: now) as engine:
        engine.register(INSTALL)
        engine.update_revenue(INSTALL, 4.99, "usd")
        engine.update_revenue(INSTALL, Decimal("0.000000000001"), "EUR", kind=RevenueKind.AD)
        assert engine.apply_response(INSTALL, 0, LOCKED)
        now += 3 * 86_400
        engine.update_revenue(INSTALL, -2, "USD")
        assert engine.apply_response(INSTALL, 0, '{"conversion_value": 9, "skan_updated_coarse_value": 0}')
        details = engine.details(INSTALL)
    assert (details.fine_value, details.previous_fine_value) == (9, 0)
    assert (details.first_timestamp, details.last_timestamp) == (NOW, now)
    assert details.iap_revenue == {"USD": Decimal("2.99")}
    assert details.ad_revenue == {"EUR": Decimal("0.000000000001")}
    assert {type(amount) for table in (details.iap_revenue, details.ad_revenue) for amount in table.values()} == {
        Decimal
    }
    first, second, third = details.windows
    tables = {"USD": Decimal("4.99")}, {"EUR": Decimal("0.000000000001")}
    assert first == WindowDetails(CoarseValue.HIGH, None, NOW, *tables)
    assert second == WindowDetails(CoarseValue.LOW, None, None, {"USD": Decimal(-2)}, {})
    assert third == EMPTY


def test_in_skan_3_there_are_purchases_and_one_value() -> None:
    with new_engine(clock=lambda: NOW, protocol=3) as engine:
        engine.register(INSTALL)
        engine.update_revenue(INSTALL, 1, "USD")
        assert engine.apply_response(INSTALL, 0, '{"conversion_value": 7}')
        details = engine.details(INSTALL)
        assert details == Details(7, None, NOW, NOW, {"USD": Decimal(1)}, {}, (EMPTY, EMPTY, EMPTY), (), details.json)
        with pytest.raises(Misuse):
            engine.reengagements(INSTALL)


def test_coarse_values_are_words_and_numbers() -> None:
    assert [value.name for value in CoarseValue] == ["LOW", "MEDIUM", "HIGH"]
    assert list(CoarseValue) == [0, 1, 2]
    assert json.dumps(list(CoarseValue)) == "[0, 1, 2]"
    with new_engine() as engine:
        engine.register(INSTALL)
        update = engine.apply_response(INSTALL, 0, LOCKED).update
        assert update is not None
        (call, *_) = engine.pending_calls(INSTALL).calls
        coarse = update.coarse_value, call.coarse_value, engine.details(INSTALL).windows[0].coarse_value
    assert [type(value) for value in coarse] == [CoarseValue] * 3
    assert set(coarse) == {CoarseValue.HIGH}


def test_a_reengagement_has_every_member() -> None:
    with with_returns() as engine:
        engine.reengage(INSTALL, "open-1", "tag-1", "spring", is_started=True, is_overlapping=True, opened_at=NOW - 60)
        (begun,) = engine.reengagements(INSTALL)
        nothing = RevenueSums(Decimal(0), Decimal(0))
        assert begun == Reengagement(
            number=1,
            tag="tag-1",
            open_id="open-1",
            reference="spring",
            start=NOW - 60,
            ended=None,
            model=ConversionModel(RETURN).version,
            window=0,
            sessions=0,
            events={},
            revenue=ReengagementRevenue(conversion=nothing, window=nothing),
            fine_value=0,
            coarse_value=(CoarseValue.LOW, None, None),
            window_lock=(None, None, None),
            update=Update(NOW * 1_000_000 + 1, 0, 0, CoarseValue.LOW, False, NOW),
            delivered=False,
        )
        engine.acknowledge_calls(INSTALL, [(NOW * 1_000_000 + 1, CallResult.DELIVERED)])
        assert [each.delivered for each in engine.reengagements(INSTALL)] == [True]
        engine.update_revenue(INSTALL, Decimal("5.000000000001"), "USD", reengagement=1)
        engine.update_revenue(INSTALL, Decimal("0.25"), "USD", kind=RevenueKind.AD, reengagement=1)
        engine.update_conversion_values(INSTALL, reengagement=1)
        (paid,) = engine.reengagements(INSTALL)
    sums = RevenueSums(iap=Decimal("5.000000000001"), ad=Decimal("0.25"))
    assert paid.revenue == ReengagementRevenue(sums, sums)
    assert (paid.fine_value, paid.coarse_value) == (9, (CoarseValue.HIGH, None, None))
    assert paid.update == Update(NOW * 1_000_000 + 2, 0, 9, CoarseValue.HIGH, False, NOW)
    assert {type(amount) for amount in (*paid.revenue.conversion, *paid.revenue.window)} == {Decimal}


def test_what_a_report_leaves_out_is_none() -> None:
    with with_returns() as engine:
        engine.reengage(INSTALL)
        (kept,) = engine.reengagements(INSTALL)
    assert (kept.tag, kept.open_id, kept.reference, kept.ended) == (None, None, None, None)


def test_events_are_counted_by_name() -> None:
    model = json.loads(RETURN)
    model["windows"][0]["rules"][1]["when"] = {"events": [{"name": "buy"}, {"name": "level"}]}
    with Engine(reengagement_models=[ConversionModel(json.dumps(model))]) as engine:
        engine.reengage(INSTALL, "open-1")
        for event in ("buy", "buy", None, "other"):
            engine.update_conversion_values(INSTALL, event)
        (kept,) = engine.reengagements(INSTALL)
    assert (kept.sessions, kept.events) == (1, {"buy": 2})


@pytest.mark.parametrize("end", ReengagementEnd)
def test_an_end_has_its_reason(end: ReengagementEnd) -> None:
    with with_returns() as engine:
        engine.reengage(INSTALL, "open-1", "tag-1", is_overlapping=end is not ReengagementEnd.SUPERSEDED)
        if end is ReengagementEnd.SUPERSEDED:
            engine.reengage(INSTALL, "open-2")
        elif end is ReengagementEnd.HOST:
            assert engine.end_reengagement(INSTALL, 1) is Outcome.OK
        else:
            if end is ReengagementEnd.TAG_NOT_SUPPORTED:  # the newest one goes on without its tag
                engine.reengage(INSTALL, "open-2", "tag-2", is_overlapping=True)
            engine.acknowledge_calls(INSTALL, [(NOW * 1_000_000 + 1, CallResult[end.name])])
        assert engine.reengagements(INSTALL)[0].ended is end


def test_details_have_the_reengagements() -> None:
    with with_returns() as engine:
        assert engine.reengagements(INSTALL) == engine.details(INSTALL).reengagements == ()
        engine.reengage(INSTALL, "open-1", "tag-1", is_overlapping=True)
        engine.reengage(INSTALL, "open-2", "tag-2", is_overlapping=True)
        details = engine.details(INSTALL)
        assert details.reengagements == engine.reengagements(INSTALL)
        assert [each.number for each in details.reengagements] == [1, 2]
    assert Details.parse(details.json) == details
    assert pickle.loads(pickle.dumps(details)) == details
    with pytest.raises(dataclasses.FrozenInstanceError):
        details.reengagements[0].number = 3  # type: ignore[misc]


def test_the_documents_are_imported_without_reengagements() -> None:
    with with_returns() as engine, with_returns() as other:
        engine.register(INSTALL)
        engine.update_revenue(INSTALL, Decimal("4.99"), "USD")
        engine.reengage(INSTALL, "open-1")
        details = engine.details(INSTALL)
        assert other.import_details(INSTALL, details.json) is Outcome.OK
        imported = other.details(INSTALL)
    assert len(details.reengagements) == 1
    assert dataclasses.replace(details, reengagements=(), json=imported.json) == imported


def test_an_explanation_is_of_the_install_or_of_a_reengagement() -> None:
    install = json.dumps({"schema": 1, "id": "install", "windows": [{"rules": [{"fine": 3}]}, *[{"rules": []}] * 2]})
    models, returns = [ConversionModel(install)], [ConversionModel(RETURN)]
    with Engine(models=models, reengagement_models=returns) as engine:
        assert engine.explanation(INSTALL) == (Outcome.NOT_REGISTERED, None)
        engine.register(INSTALL)
        engine.reengage(INSTALL, "open-1")
        for number, model in ((0, models[0]), (1, returns[0])):
            outcome, found = engine.explanation(INSTALL, reengagement=number)
            assert outcome is Outcome.OK
            assert found is not None
            assert found["model"] == model.version
            assert ("conversion" in found["revenue"]) == (number > 0)
        assert engine.explanation(INSTALL, reengagement=2) == (Outcome.NOT_FOUND, None)
        engine.end_reengagement(INSTALL, 1)
        assert engine.explanation(INSTALL, reengagement=1) == (Outcome.WINDOW_CLOSED, None)
