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
from reengagements import ReengagingEngine
from reference import Install, Number, Refused, plain

INSTALL = "install-1"
NONE = Number(0)
ERRORS = ("INVALID_ARGUMENT", "LIMIT_EXCEEDED")
Json = dict[str, Any]


def document(model: Json) -> bytes:
    return (TOP / model["file"]).read_bytes() if "file" in model else str(model["document"]).encode()


def number(value: Number | None) -> int | None:
    return None if value is None else int(value)


def answered(answer: tuple[str, Any]) -> Json:
    status, update = answer
    return {"status": status, "update": update} if update else {"status": status}


def came_with(
    amount: Number | None, amount_text: str | None, currency: str | None, ad_monetization: bool
) -> reference.Paid | None:
    """The money of an event."""
    text = amount if amount_text is None else amount_text
    return None if text is None or currency is None else (text, currency, ad_monetization)


class Replay:
    """A trace while it is run. An operation is a method, its fields but for the install are the parameters."""

    def __init__(self, trace: Json) -> None:
        self.models = [reference.read_model(document(model)) for model in trace.get("models", [])]
        self.protocol = int(trace["protocol"])
        self.listed, self.reengagement_listed = trace.get("listed", []), trace.get("reengagement_listed", [])
        listed = [self.models[int(index)] for index in self.listed]
        self.settings = str(trace.get("credit", "all")), int(trace.get("cooldown_hours", 0))
        self.has_transport, self.body = trace.get("transport") is True, None
        self.engine = self.opened(listed, trace.get("reengagement_listed", []))
        self.is_asked = trace.get("asked") is True
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
        if details != self.details.get(self.install, self.unknown) and (name == "details" or not self.is_asked):
            expected["details"] = self.details[self.install] = details
        return {"op": step["op"], "expect": expected}

    def opened(self, models: list[reference.Model], reengagement_models: list[Number]) -> ReengagingEngine:
        reengaging = [self.models[int(index)] for index in reengagement_models]
        engine = ReengagingEngine(self.protocol, models, reengaging, *self.settings)
        if self.has_transport:
            engine.transport = lambda event: engine.apply(self.body)
        return engine

    def turn_to(self, install: str) -> None:
        self.engine.install = self.installs.setdefault(install, Install())

    def do_now(self, t: Number) -> Json:
        self.engine.now, self.engine.microseconds = int(t), 0
        return {}

    def do_register(self, first_launch: Number = NONE, begins_again: bool = False, keeps_revenue: bool = False) -> Json:
        return answered(self.engine.register(int(first_launch), begins_again, keeps_revenue))

    def do_revenue(
        self,
        amount: Number,
        currency: str,
        ad_monetization: bool = False,
        event_id: str | None = None,
        reengagement: Number = NONE,
    ) -> Json:
        return {"status": self.engine.update_revenue(amount, currency, ad_monetization, event_id, int(reengagement))}

    def do_revenue_many(self, items: list[Json]) -> Json:
        statuses = []
        for item in items:
            self.turn_to(item.get("install", INSTALL))
            statuses.append(self.engine.update_item(item))
        return {"status": next((status for status in statuses if status in ERRORS), "OK"), "statuses": statuses}

    def do_update(
        self,
        event: str | None = None,
        event_id: str | None = None,
        amount: Number | None = None,
        amount_text: str | None = None,
        currency: str | None = None,
        ad_monetization: bool = False,
    ) -> Json:
        if not self.engine.models and self.engine.reengagement_models:
            return {"status": "MISUSE"}
        paid = came_with(amount, amount_text, currency, ad_monetization)
        return answered(self.engine.update_values(event, event_id, paid))

    def do_update_all(
        self,
        event: str | None = None,
        event_id: str | None = None,
        reengagement: Number = NONE,
        body: str | None = None,
        amount: Number | None = None,
        amount_text: str | None = None,
        currency: str | None = None,
        ad_monetization: bool = False,
    ) -> Json:
        self.body = body
        paid = came_with(amount, amount_text, currency, ad_monetization)
        return {"status": self.engine.update_conversions(event, event_id, int(reengagement), paid)}

    def do_reengage(self, opened_at: Number = NONE, **report: Any) -> Json:
        status, reengagement = self.engine.reengage(opened_at=int(opened_at), **report)
        return {"status": status, "number": reengagement} if reengagement else {"status": status}

    def do_calls(self, os_version: str | None) -> Json:
        status, calls = self.engine.pending_calls(os_version)
        return {"status": status, "calls": calls}

    def do_acknowledge_calls(self, results: list[Json]) -> Json:
        return {"status": self.engine.acknowledge_calls([(int(each["id"]), each["result"]) for each in results])}

    def do_acknowledge(self, id: Number, delivered: bool) -> Json:
        self.engine.acknowledge(int(id), "delivered" if delivered else "failed")
        return {"status": "OK"}

    def do_pending(self) -> Json:
        update = self.engine.pending_update()
        return {"status": "OK", "update": update} if update else {"status": "NOTHING_PENDING"}

    def do_end(self, number: Number) -> Json:
        return {"status": self.engine.end_reengagement(int(number))}

    def do_reengagements(self) -> Json:
        return {"status": "OK", "json": plain([kept.document() for kept in self.engine.kept])}

    def do_explain_reengagement(self, number: Number) -> Json:
        status, found = self.engine.explain_reengagement(int(number))
        return {"status": status, "json": found and plain(found)}

    def do_explain(self) -> Json:
        status, found = self.engine.explain()
        return {"status": status, "json": found and plain(found)}

    def do_decode(self, model: Number, window: Number, fine: Number | None, coarse: Number | None) -> Json:
        found = reference.decode(self.models[int(model)], int(window), number(fine), number(coarse))
        return {"json": found and plain(found)}

    def do_model(self, body_b64: str | None = None, body: str = "") -> Json:
        """The place of a fault is the reference's."""
        try:
            reference.read_model(body.encode() if body_b64 is None else base64.b64decode(body_b64))
        except Refused as refused:
            self.message = [f'model at "{refused.place}": ', *self.message[1:]]
            return {"status": "INVALID_DOCUMENT"}
        return {"status": "OK"}

    def do_import(self, body: str) -> Json:
        self.engine.import_details(json.loads(body))
        return {"status": "OK"}

    def do_reopen(self, models: list[Number] | None = None, reengagement_models: list[Number] | None = None) -> Json:
        listed = self.listed if models is None else models
        reengaging = self.reengagement_listed if reengagement_models is None else reengagement_models
        now, microseconds = self.engine.now, self.engine.microseconds
        self.engine = self.opened([self.models[int(index)] for index in listed], reengaging)
        self.engine.now, self.engine.microseconds = now, microseconds + 1000
        return {"status": "OK"}

    def do_details(self) -> Json:
        return {"status": "OK"}

    def do_forget(self) -> Json:
        self.installs[self.install] = self.engine.forget()
        return {"status": "OK"}

    def do_rename(self, to: str) -> Json:
        if not 1 <= len(to.encode()) <= 128:
            return {"status": "INVALID_ARGUMENT"}
        if to == self.install:
            return {"status": "OK"}
        if not is_known(self.installs[self.install]):
            return {"status": "NOT_FOUND"}
        if is_known(self.installs.get(to, Install())):
            return {"status": "ALREADY_REGISTERED"}
        self.installs[to] = self.installs[self.install]
        self.installs[self.install] = self.engine.forget()  # update numbers of the old id go on, too
        return {"status": "OK"}


def is_known(install: Install) -> bool:
    """Whether there is a record."""
    return install != Install() or bool(install.__dict__.get("reengagements"))


def replayed(line: str) -> str:
    trace = json.loads(line, parse_int=Number, parse_float=Number)
    replay = Replay(trace)
    return plain({**trace, "steps": [replay.run(step) for step in trace["steps"]]}) + "\n"


def main() -> int:
    checks, folder = sys.argv[1] == "--check", Path(sys.argv[-1])
    passed = failed = 0
    for path in sorted(
        path for kind in ("models", "batches", "reengagements", "renames") for path in folder.glob(f"{kind}_*.jsonl")
    ):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        answers = [replayed(line) for line in lines]
        if not checks:
            path.write_text("".join(answers), encoding="utf-8")
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
