"""Conversion models: the shared vectors, and what is Python's own."""

import base64
import gc
import json
from decimal import Decimal
from pathlib import Path
from typing import Any, Optional

import pytest
from libskan import Engine, InvalidArgument, InvalidDocument, Misuse, Model, Outcome, Result, SkanError
from stores import DictionaryStore

TOP = Path(__file__).resolve().parents[3]
VECTORS = TOP / "Tests" / "Vectors" / "models"
INSTALL = "player-1"
MIXED = (TOP / "Sources" / "SKANModels" / "mixed.json").read_bytes()
SKAN3 = (TOP / "Sources" / "SKANModels" / "skan3_revenue.json").read_bytes()


def lines(name: str) -> list[dict[str, Any]]:
    values = [json.loads(line) for line in (VECTORS / name).read_text(encoding="ascii").splitlines()]
    assert values
    return values


class Run:
    """A trace while it runs."""

    def __init__(self, trace: dict[str, Any]) -> None:
        self.trace = trace
        self.store = DictionaryStore()
        self.now = 0
        self.models = [
            Model((TOP / model["file"]).read_bytes() if "file" in model else model["document"])
            for model in trace["models"]
        ]
        self.engine = self.opened(trace["listed"])
        self.details = self.engine.details(INSTALL).json

    def opened(self, listed: list[int]) -> Engine:
        return Engine(
            store=self.store,
            clock=lambda: self.now,
            protocol=self.trace["protocol"],
            models=[self.models[number] for number in listed],
        )

    def run(self) -> None:
        for number, step in enumerate(self.trace["steps"]):
            op, expected = step["op"], step["expect"]
            try:
                self.step(op, expected)
                self.details = expected.get("details", self.details)
                assert self.engine.details(INSTALL).json == self.details
            except AssertionError as error:
                raise AssertionError(f"{self.trace['id']}, step {number}: {op}") from error

    def step(self, op: dict[str, Any], expected: dict[str, Any]) -> None:
        name = op["op"]
        if name == "now":
            self.now = op["t"]
        elif name == "reopen":
            self.engine.close()
            self.engine = self.opened(op["models"])
        elif name == "decode":
            found = self.models[op["model"]].decode(op["window"], op["fine"], op["coarse"])
            assert plain(found) == expected["json"]
        else:
            status, update, document = self.answer(op)
            assert status == expected["status"]
            assert update == expected.get("update")
            assert document == expected.get("json")

    def answer(self, op: dict[str, Any]) -> tuple[str, Optional[dict[str, Any]], Optional[str]]:
        engine, name = self.engine, op["op"]
        try:
            if name == "register":
                return self.result(engine.register(INSTALL))
            if name == "update":
                return self.result(engine.update_conversion_values(INSTALL, op["event"], event_id=op["event_id"]))
            if name == "revenue":
                outcome = engine.update_revenue(
                    INSTALL, float(op["amount"]), op["currency"], ad_monetization=op["ad_monetization"]
                )
                return outcome.name, None, None
            if name == "import":
                return engine.import_details(INSTALL, op["body"]).name, None, None
            if name == "forget":
                engine.forget(INSTALL)
                return "OK", None, None
            assert name == "explain"
            outcome, document = engine.explain(INSTALL)
            return outcome.name, None, plain(document)
        except SkanError as error:
            return error.status.name, None, None

    def result(self, result: Result) -> tuple[str, Optional[dict[str, Any]], None]:
        if result.update is None:
            return result.outcome.name, None, None
        update = result.update._asdict()
        if update["timestamp"] == self.now:
            update.pop("timestamp")
        return result.outcome.name, update, None


def plain(value: Any) -> Any:
    """The text of a document as the library writes it; None stays None."""
    if value is None:
        return None
    if isinstance(value, dict):
        return "{" + ",".join(f'"{key}":{part(member)}' for key, member in value.items()) + "}"
    return part(value)


def part(value: Any) -> str:
    if isinstance(value, dict):
        return str(plain(value))
    if isinstance(value, list):
        return "[" + ",".join(map(part, value)) + "]"
    return format(value, "f") if isinstance(value, Decimal) else json.dumps(value)


@pytest.mark.parametrize("name", ["told.jsonl", "random.jsonl"])
def test_every_step_of_every_trace(name: str) -> None:
    for trace in lines(name):
        Run(trace).run()


def test_documents_that_break_a_rule_are_refused_with_place_and_reason() -> None:
    for line in lines("invalid.jsonl"):
        with pytest.raises(InvalidDocument) as refused:
            Model(base64.b64decode(line["body_b64"]))
        message = refused.value.message
        assert message.startswith(f'model at "{line["place"]}": '), line["id"]
        assert line["reason"] in message, line["id"]


def test_a_model_is_read_from_text_and_bytes() -> None:
    assert Model(MIXED).version == Model(MIXED.decode()).version == Model(memoryview(MIXED)).version
    with pytest.raises(TypeError):
        Model(7)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "arguments", [(0,), (3, 1), (-1, 1), (0, 64), (0, -1), (0, None, 3), (0, None, -1), (0, 2**40)]
)
def test_what_is_no_value_is_refused(arguments: tuple[int, ...]) -> None:
    with pytest.raises(InvalidArgument):
        Model(MIXED).decode(*arguments)


@pytest.mark.parametrize("number", [-1, -2, -(1 << 31), 64, 1 << 31, -(1 << 65)])
def test_what_is_no_value_is_told_as_it_was_given(number: int) -> None:
    for arguments, name, most in (
        ((number,), "window", 2),
        ((0, number), "fine", 63),
        ((0, None, number), "coarse", 2),
    ):
        with pytest.raises(InvalidArgument) as refused:
            Model(MIXED).decode(*arguments)
        assert refused.value.message == f"{name}: expected 0 to {most}, got {number}"


def test_an_undecodable_value_is_none() -> None:
    assert Model(SKAN3).decode(0, 63) is None


def test_an_engine_keeps_its_models() -> None:
    engine = Engine(models=[Model(MIXED)])
    gc.collect()
    engine.register(INSTALL)
    assert engine.update_conversion_values(INSTALL).outcome is Outcome.OK


def test_models_take_the_place_of_the_endpoint() -> None:
    engine = Engine(models=[Model(MIXED)])
    for call in (lambda: engine.conversion_request(INSTALL), lambda: engine.apply_response(INSTALL, 0, b"")):
        with pytest.raises(Misuse):
            call()
    with pytest.raises(InvalidArgument):
        Engine(models=[Model(MIXED)], transport=lambda _: b"")
    with pytest.raises(InvalidArgument):
        Engine(models=[Model(SKAN3)])
    with pytest.raises(TypeError):
        Engine(models=[MIXED])  # type: ignore[list-item]
    with pytest.raises(Misuse):
        Engine().explain(INSTALL)


SESSION = (
    "a=key&v=17.2&i=com.example.game&app_v=1&n=__SESSION__&p=iOS&idfv=user&skan_current_conversion_value=0"
    "&skan_first_call_to_skadnetwork_timestamp=1700000000"
)


def test_an_engine_answers_requests() -> None:
    rules = [{"fine": 3, "coarse": 1, "when": {"sessions": {"min": 2}}}]
    model = Model(json.dumps({"schema": 1, "id": "m", "windows": [{"rules": rules}, {"rules": []}, {"rules": []}]}))
    store = DictionaryStore()
    engine = Engine(models=[model], store=store, clock=lambda: 1_700_000_000)
    target = f"/api/v2/conversion_value?{SESSION}"
    assert engine.answer_request(target) == (Outcome.NO_NEW_VALUE, '{"status":"ok"}')
    outcome, body = engine.answer_request(target)
    assert outcome is Outcome.OK
    assert json.loads(body) == {
        "conversion_value": 3,
        "skan_updated_coarse_value": 1,
        "postback_sequence_index": 0,
        "status": "ok",
    }
    assert json.loads(engine.details("v2/com.example.game/user").json)["skan_current_conversion_value"] == 3
    outcome, body = engine.answer_request(f"{target}&p0_window_lock=1700000000")
    assert (outcome, body) == (Outcome.WINDOW_LOCKED, '{"status":"ok"}')
    outcome, body = engine.answer_request(target.replace("p=iOS", "p=Android"))
    assert outcome is None
    assert json.loads(body) == {"status": "error", "reason": "Unknown platform error - Non iOS platform"}


def test_the_test_endpoint_of_skan_3() -> None:
    engine = Engine(protocol=3, clock=lambda: 1_700_000_000)
    target = "/api/v1/conversion_value?p=iOS&n=win&idfv=u&first_call_to_skadnetwork_timestamp=1700000000"
    values = [json.loads(engine.answer_request(target)[1])["conversion_value"] for _ in range(5)]
    assert values == [0, 1, 2, "", ""]


def test_requests_that_are_none() -> None:
    for target in ("", "/", "/api/v1/conversion_value", "/api/v2/conversion_value?a=\0", "/?" + "x" * 70000):
        with pytest.raises(InvalidArgument):
            Engine(models=[Model(MIXED)]).answer_request(target)
    with pytest.raises(TypeError):
        Engine(models=[Model(MIXED)]).answer_request(b"/")  # type: ignore[arg-type]
    with pytest.raises(Misuse):
        Engine(transport=lambda _: b"").answer_request("/api/v2/conversion_value")
