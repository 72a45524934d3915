"""Traces while they are written: each step is run on the reference, and what it answers is what is expected."""

from __future__ import annotations

import json
from typing import Any

import reference
from documents import TOP
from reference import Engine, Install, Model, Number, plain

START = 1_700_000_000
HOUR, DAY = 3600, 86_400
INSTALL = "install-1"
ERRORS = ("INVALID_ARGUMENT", "LIMIT_EXCEEDED")


def document(value: Any) -> bytes:
    return json.dumps(value).encode()


def text(model: dict[str, Any]) -> bytes:
    return (TOP / model["file"]).read_bytes() if "file" in model else str(model["document"]).encode()


def refusal(told: dict[str, str]) -> dict[str, Any]:
    """The trace of a document that is refused."""
    message = [f'model at "{told["place"]}": ', told["reason"]]
    op = {"op": "model", "body_b64": told["body_b64"]}
    step = {"op": op, "expect": {"status": "INVALID_DOCUMENT", "message": message}}
    return {"id": told["id"], "protocol": 4, "steps": [step]}


def inline(value: Any) -> dict[str, Any]:
    return {"document": document(value).decode()}


class Trace:
    """A trace while it is written; each step is run on the reference."""

    def __init__(self, name: str, models: list[dict[str, Any]], listed: list[int], protocol: int = 4) -> None:
        self.name, self.models, self.protocol = name, models, protocol
        self.listed = listed
        self.read: list[Model] = [reference.read_model(text(model)) for model in models]
        self.engine = Engine(protocol, [self.read[index] for index in listed])
        self.installs = {INSTALL: self.engine.install}
        self.empty = self.engine.details()
        self.details = {INSTALL: self.empty}
        self.steps: list[dict[str, Any]] = []
        self.now(START)

    def on(self, install: str) -> dict[str, Any]:
        """Turns to an install; the field that says so in an operation."""
        self.engine.install = self.installs.setdefault(install, Install())
        return {} if install == INSTALL else {"install": install}

    def step(self, op: dict[str, Any], **expected: Any) -> None:
        install, details = op.get("install", INSTALL), self.engine.details()
        if details != self.details.get(install, self.empty):
            expected["details"] = self.details[install] = details
        self.steps.append({"op": op, "expect": expected})

    def answered(self, op: dict[str, Any], answer: tuple[str, Any]) -> None:
        status, update = answer
        self.step(op, status=status, **({"update": update} if update else {}))

    def now(self, time: int) -> None:
        self.engine.now = time
        self.on(INSTALL)
        self.step({"op": "now", "t": time})

    def later(self, seconds: int) -> None:
        self.now(self.engine.now + seconds)

    def register(self, install: str = INSTALL) -> None:
        self.answered({"op": "register", **self.on(install)}, self.engine.register())

    def revenue(self, amount: str, currency: str = "USD", ad: bool = False) -> None:
        op = {"op": "revenue", "amount": Number(amount), "currency": currency, "ad_monetization": ad}
        self.step(op, status=self.engine.update_revenue(amount, currency, ad))

    def update(self, event: str | None = None, event_id: str | None = None, explained: bool = True) -> None:
        op = {"op": "update", "event": event, "event_id": event_id}
        self.answered(op, self.engine.update_values(event, event_id))
        if explained:
            self.explain()

    def explain(self) -> None:
        status, json_ = self.engine.explain()
        self.step({"op": "explain"}, status=status, json=None if json_ is None else plain(json_))

    def decode(self, model: int, window: int, fine: int | None, coarse: int | None) -> None:
        found = reference.decode(self.read[model], window, fine, coarse)
        op = {"op": "decode", "model": model, "window": window, "fine": fine, "coarse": coarse}
        self.step(op, json=None if found is None else plain(found))

    def forget(self) -> None:
        self.installs[INSTALL] = Install()
        self.step({"op": "forget", **self.on(INSTALL)}, status="OK")

    def reopen(self, listed: list[int]) -> None:
        """Another list of models on the same store."""
        self.engine.models = [self.read[index] for index in listed]
        self.step({"op": "reopen", "models": listed}, status="OK")

    def import_details(self, body: dict[str, Any], install: str = INSTALL) -> None:
        """Into an install without a record."""
        on = self.on(install)
        self.engine.import_details(body)
        self.step({"op": "import", **on, "body": json.dumps(body)}, status="OK")

    def revenue_many(self, items: list[dict[str, Any]], *message: str) -> None:
        """A batch, and the details of every install in it."""
        statuses, engine = [], self.engine
        for item in items:
            self.on(item.get("install", INSTALL))
            statuses.append(engine.update_item(item))
        first_error = next((status for status in statuses if status in ERRORS), "OK")
        expected: dict[str, Any] = {"status": first_error, "statuses": statuses}
        if message:
            expected["message"] = list(message)
        self.on(INSTALL)
        self.step({"op": "revenue_many", "items": items}, **expected)
        for install, state in self.installs.items():
            self.engine.install = state
            if install != INSTALL and engine.details() != self.details.get(install, self.empty):
                self.step({"op": "details", "install": install}, status="OK")
        self.on(INSTALL)

    def line(self) -> dict[str, Any]:
        models = {"models": self.models, "listed": self.listed} if self.models else {}
        return {"id": self.name, "protocol": self.protocol, **models, "steps": self.steps}
