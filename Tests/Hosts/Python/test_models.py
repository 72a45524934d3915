"""What is Python's own of conversion models."""

import json
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from engines import new_engine
from libskan import ConversionModel, Engine, InvalidArgument, Misuse, Outcome
from libskan._library import library

TOP = Path(__file__).resolve().parents[3]
INSTALL = "player-1"
MIXED = (TOP / "Sources" / "SKANModels" / "mixed.json").read_bytes()
SKAN3 = (TOP / "Sources" / "SKANModels" / "skan3_revenue.json").read_bytes()


def test_a_model_is_read_from_text_and_bytes() -> None:
    versions = {ConversionModel(document).version for document in (MIXED, MIXED.decode(), memoryview(MIXED))}
    assert len(versions) == 1
    with pytest.raises(TypeError):
        ConversionModel(7)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [-1, -2, -(1 << 31), 64, 1 << 31, 1 << 40, -(1 << 65)])
def test_what_is_no_value_is_told_as_it_was_given(number: int) -> None:
    for arguments, name, most in (
        ((number,), "window", 2),
        ((0, number), "fine", 63),
        ((0, None, number), "coarse", 2),
    ):
        with pytest.raises(InvalidArgument) as refused:
            ConversionModel(MIXED).decode(*arguments)
        assert refused.value.message == f"{name}: expected 0 to {most}, got {number}"


def test_models_of_an_iterator_live_until_the_engine_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[weakref.ref[ConversionModel]] = []
    create = library.skan_create

    def models() -> Iterator[ConversionModel]:
        model = ConversionModel(MIXED)
        made.append(weakref.ref(model))
        yield model

    def while_they_live(*arguments: Any) -> Any:
        assert [model() is not None for model in made] == [True]
        return create(*arguments)

    monkeypatch.setattr(library, "skan_create", while_they_live)
    with Engine(models=models()) as engine:  # type: ignore[arg-type]
        assert engine.register(INSTALL)


def test_an_undecodable_value_is_none() -> None:
    assert ConversionModel(SKAN3).decode(0, 63) is None


SESSION = (
    "a=key&v=17.2&i=com.example.game&app_v=1&n=__SESSION__&p=iOS&idfv=user&skan_current_conversion_value=0"
    "&skan_first_call_to_skadnetwork_timestamp=1700000000"
)


def test_an_engine_answers_requests() -> None:
    windows = [{"rules": [{"fine": 3}]}, {"rules": []}, {"rules": []}]
    model = ConversionModel(json.dumps({"schema": 1, "id": "m", "windows": windows}))
    engine = Engine(models=[model], clock=lambda: 1_700_000_000)
    target = f"/api/v2/conversion_value?{SESSION}"
    outcome, body = engine.answer_request(target)
    assert outcome is Outcome.OK
    assert json.loads(body)["conversion_value"] == 3
    outcome, body = engine.answer_request(f"{target}&p0_window_lock=1700000000")
    assert (outcome, body) == (Outcome.WINDOW_LOCKED, '{"status":"ok"}')
    outcome, body = engine.answer_request(target.replace("p=iOS", "p=Android"))
    assert outcome is None
    assert json.loads(body) == {"status": "error", "reason": "Unknown platform error - Non iOS platform"}


def test_requests_that_are_none() -> None:
    with pytest.raises(InvalidArgument, match="NUL"):
        Engine(models=[ConversionModel(MIXED)]).answer_request("/api/v2/conversion_value?a=\0")
    with pytest.raises(TypeError):
        Engine(models=[ConversionModel(MIXED)]).answer_request(b"/")  # type: ignore[arg-type]
    with pytest.raises(Misuse):
        new_engine(transport=lambda _: b"").answer_request("/api/v2/conversion_value")
