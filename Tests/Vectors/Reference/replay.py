"""The vectors of models and batches on the reference: `replay.py FOLDER` writes what it answers into them.

`replay.py --check FOLDER` compares. A trace's steps are told by hand or were once drawn at random; what is expected of
them comes from here, but for the words of messages.
"""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path
from typing import Any

import reference
from documents import TOP
from reference import Engine, Install, Number, Refused, plain

INSTALL = "install-1"
ERRORS = ("INVALID_ARGUMENT", "LIMIT_EXCEEDED")
Json = dict[str, Any]


def document(model: Json) -> bytes:
    return (TOP / model["file"]).read_bytes() if "file" in model else str(model["document"]).encode()


def number(value: Number | None) -> int | None:
    return None if value is None else int(value)


def answered(answer: tuple[str, Any]) -> Json:
    status, update = answer
    return {"status": status, "update": update} if update else {"status": status}


class Replay:
    """A trace while it is run. An operation is a method, its fields but for the install are the parameters."""

    def __init__(self, trace: Json) -> None:
        self.models = [reference.read_model(document(model)) for model in trace.get("models", [])]
        listed = [self.models[int(index)] for index in trace.get("listed", [])]
        self.engine = Engine(int(trace["protocol"]), listed)
        self.installs: dict[str, Install] = {}
        self.details: dict[str, Json] = {}
        self.unknown = self.engine.details()
        self.install = INSTALL
        self.message: list[str] = []

    def run(self, step: Json) -> Json:
        """The step with what the reference answers."""
        op = dict(step["op"])
        name, self.install = op.pop("op"), op.pop("install", INSTALL)
        self.message = step["expect"].get("message", [])
        self.turn_to(self.install)
        expected: Json = getattr(self, f"do_{name}")(**op)
        if self.message:
            expected["message"] = self.message
        self.turn_to(self.install)
        details = self.engine.details()
        if details != self.details.get(self.install, self.unknown):
            expected["details"] = self.details[self.install] = details
        return {"op": step["op"], "expect": expected}

    def turn_to(self, install: str) -> None:
        self.engine.install = self.installs.setdefault(install, Install())

    def do_now(self, t: Number) -> Json:
        self.engine.now = int(t)
        return {}

    def do_register(self) -> Json:
        return answered(self.engine.register())

    def do_revenue(self, amount: Number, currency: str, ad_monetization: bool, event_id: str | None = None) -> Json:
        return {"status": self.engine.update_revenue(amount, currency, ad_monetization, event_id)}

    def do_revenue_many(self, items: list[Json]) -> Json:
        statuses = []
        for item in items:
            self.turn_to(item.get("install", INSTALL))
            statuses.append(self.engine.update_item(item))
        return {"status": next((status for status in statuses if status in ERRORS), "OK"), "statuses": statuses}

    def do_update(
        self,
        event: str | None,
        event_id: str | None = None,
        amount: Number | None = None,
        amount_text: str | None = None,
        currency: str | None = None,
        ad_monetization: bool = False,
    ) -> Json:
        text = amount if amount_text is None else amount_text
        paid = None if text is None or currency is None else (text, currency, ad_monetization)
        return answered(self.engine.update_values(event, event_id, paid))

    def do_explain(self) -> Json:
        status, found = self.engine.explain()
        return {"status": status, "json": found and plain(found)}

    def do_decode(self, model: Number, window: Number, fine: Number | None, coarse: Number | None) -> Json:
        found = reference.decode(self.models[int(model)], int(window), number(fine), number(coarse))
        return {"json": found and plain(found)}

    def do_model(self, body_b64: str) -> Json:
        """The place of a fault is the reference's."""
        try:
            reference.read_model(base64.b64decode(body_b64))
        except Refused as refused:
            self.message = [f'model at "{refused.place}": ', *self.message[1:]]
            return {"status": "INVALID_DOCUMENT"}
        return {"status": "OK"}

    def do_import(self, body: str) -> Json:
        self.engine.import_details(json.loads(body))
        return {"status": "OK"}

    def do_reopen(self, models: list[Number]) -> Json:
        self.engine.models = [self.models[int(index)] for index in models]
        return {"status": "OK"}

    def do_details(self) -> Json:
        return {"status": "OK"}

    def do_forget(self) -> Json:
        self.installs[self.install] = Install()
        return {"status": "OK"}


def replayed(line: str) -> str:
    trace = json.loads(line, parse_int=Number, parse_float=Number)
    replay = Replay(trace)
    return plain({**trace, "steps": [replay.run(step) for step in trace["steps"]]}) + "\n"


def main() -> int:
    checks, folder = sys.argv[1] == "--check", Path(sys.argv[-1])
    passed = failed = 0
    for path in sorted([*folder.glob("models_*.jsonl"), *folder.glob("batches_*.jsonl")]):
        lines = path.read_text(encoding="ascii").splitlines(keepends=True)
        answers = [replayed(line) for line in lines]
        if not checks:
            path.write_text("".join(answers), encoding="ascii")
        for line, answer in zip(lines, answers):
            passed += line == answer
            failed += line != answer
            if checks and line != answer:
                print(f"{path}: the reference answers {answer}in place of {line}", file=sys.stderr)
    if checks:
        print(f"{passed} passed, {failed} failed")
    return 1 if checks and (failed or not passed) else 0


if __name__ == "__main__":
    sys.exit(main())
