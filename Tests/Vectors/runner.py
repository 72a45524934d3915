"""Runs the vectors through libskan: `runner.py FOLDER TOGETHER TOP`.

PYTHONPATH has Tests/Hosts/Python and Tests/Vectors/Reference.
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from libskan import (
    INSTALL_ALONE,
    CallResult,
    ConversionModel,
    Details,
    Device,
    Engine,
    Reengagement,
    ReengagementCredit,
    RevenueItem,
    RevenueKind,
    Save,
    SkanError,
    TransportError,
    Update,
    WindowDetails,
)
from reference import plain
from stores import DictionaryStore

INSTALL = "install-1"
DEVICE = Device("16.1", "21DB6612-09B3-4ECC-84AC-B353B0AF1334", "DFC5A647-9043-4699-B2A5-76F03A97064B")
ENDPOINT = "https://skan.example.com"
TOLD: tuple[str, ...] = ("on the host's store", "in memory")
Json = dict[str, Any]
checks = 0


class Differs(Exception):
    """What came is not what was expected."""


def expect(expected: object, came: object) -> None:
    global checks
    checks += 1
    if expected != came:
        raise Differs(f"\n  expected {expected}\n  came     {came}")


class Step(NamedTuple):
    """A call, and what it has to answer."""

    name: str
    fields: Json
    expected: Json


# ------------------------------------------------------------------------------------------------------------- a trace


class PluralStore(DictionaryStore):
    """Loads and saves many."""

    def load_many(self, keys: Sequence[str]) -> list[tuple[bytes, int] | None]:
        return [self.load(key) for key in keys]

    def save_many(self, saves: Sequence[Save]) -> list[int]:
        return [self.save(*save) for save in saves]


class Run:
    """A trace while it runs. An operation is a method, its fields are the parameters."""

    def __init__(self, trace: Json, manner: str) -> None:
        self.trace, self.protocol, self.manner = trace, trace["protocol"], manner
        self.has_transport = manner == "together" and not trace.get("listed") and "reengagement_listed" not in trace
        self.models = [ConversionModel(document(model)) for model in trace.get("models", [])]
        self.store = {"in memory": None, "together": PluralStore()}.get(manner, DictionaryStore())
        self.microseconds = self.newest_ticket = 0
        self.tickets: dict[str, int] = {}
        self.events: dict[str, str | None] = {}
        self.asked, self.message = "", ""
        self.answer: bytes | None = b""
        self.details: dict[str, Json] = {}
        self.engine = self.opened()

    def opened(self, listed: list[int] | None = None, reengagement_listed: list[int] | None = None) -> Engine:
        self.newest_ticket = 0
        reengagement_models = self.chosen("reengagement_listed", reengagement_listed)
        self.alone = INSTALL_ALONE if reengagement_models else 0
        return Engine(
            store=self.store,
            clock=lambda: self.microseconds / 1_000_000,
            transport=self.get if self.has_transport or self.trace.get("transport") else None,
            protocol=self.protocol,
            endpoint_url=ENDPOINT,
            sdk_key="sdk_key_here",
            bundle_id="com.example.game",
            app_version="1.2.3",
            models=self.chosen("listed", listed),
            reengagement_models=reengagement_models,
            reengagement_credit=ReengagementCredit[self.trace.get("credit", "all").upper()],
            reengagement_cooldown_hours=self.trace.get("cooldown_hours", 0),
        )

    def chosen(self, name: str, numbers: list[int] | None) -> list[ConversionModel]:
        listed = self.trace.get(name, []) if numbers is None else numbers
        return [self.models[number] for number in listed]

    def get(self, url: str) -> bytes:
        """The transport."""
        self.asked = url
        if self.answer is None:
            raise TransportError("the endpoint does not answer")
        return self.answer

    def run(self, step: Step) -> None:
        operation: Callable[..., Json] = getattr(self, f"do_{step.name}")
        self.asked = self.message = ""
        try:
            came = operation(**step.fields)
        except SkanError as error:
            self.message = error.message
            came = {"status": error.status.name}
            if self.asked and step.name in ("convert", "update"):
                came["url"] = self.asked
        expect(answer(self.wanted(step)), {name: value for name, value in came.items() if value is not None})
        if "message" in step.expected:
            check_message(step.expected["message"], self.message)
        self.check_details(step)

    def wanted(self, step: Step) -> Json:
        """What is expected; a call always has a fine value: the install's, where its update has none."""
        update = step.expected.get("update")
        if step.name != "pending" or not update or update["fine_value"] is not None:
            return step.expected
        fine_value = self.engine.details(step.fields.get("install", INSTALL)).fine_value or 0
        return {**step.expected, "update": {**update, "fine_value": fine_value}}

    def check_details(self, step: Step) -> None:
        if step.expected.get("details", {}) is False or (self.trace.get("asked") and step.name != "details"):
            return  # not known
        install = step.fields.get("install", INSTALL)
        came = self.engine.details(install)
        known = self.details.get(install) or dict.fromkeys(json.loads(came.json))
        self.details[install] = step.expected.get("details", known)
        expect(plain(self.details[install]), came.json)
        expect(members(self.details[install], came.json), replace(came, reengagements=()))
        expect(plain(self.details[install].get("reengagements", [])), plain(documents(came.reengagements)))

    def do_now(self, t: int) -> Json:
        self.microseconds = t * 1_000_000
        return {}

    def do_reopen(self, models: list[int] | None = None, reengagement_models: list[int] | None = None) -> Json:
        self.microseconds += 1000
        if self.store is not None:
            self.engine.close()
            self.engine = self.opened(models, reengagement_models)
        return {"status": "OK"}

    def do_register(self, install: str = INSTALL, **registration: Any) -> Json:
        result = self.engine.register(install, **registration)
        return {"status": result.outcome.name, "update": told(result.update)}

    def item(
        self,
        amount: Decimal,
        currency: str,
        install: str = INSTALL,
        amount_text: str | None = None,
        ad_monetization: bool = False,
        event_id: str | None = None,
        reengagement: int = 0,
    ) -> RevenueItem:
        """As a float where calls are made as they are told, else as a decimal."""
        value: Decimal | float = amount if self.manner == "together" else float(amount)
        if amount_text is not None:
            value = Decimal(amount_text)
        kind = RevenueKind(ad_monetization)
        return RevenueItem(install, value, currency, kind=kind, event_id=event_id, reengagement=reengagement)

    def do_revenue(self, **fields: Any) -> Json:
        item = self.item(**fields)
        outcome = self.engine.update_revenue(
            item.install_id,
            item.amount,
            item.currency,
            kind=item.kind,
            event_id=item.event_id,
            reengagement=item.reengagement,
        )
        return {"status": outcome.name}

    def do_revenue_many(self, items: list[Json]) -> Json:
        result = self.engine.update_revenue_many(self.item(**item) for item in items)
        status, self.message = "OK", ""
        if result.error is not None:
            assert isinstance(result.error, SkanError)
            status, self.message = result.error.status.name, result.error.message
        return {"status": status, "statuses": [status.name for status in result.statuses]}

    def do_request(self, ticket: str, event: str | None, install: str = INSTALL) -> Json:
        request = self.engine.conversion_request(install, event, device=DEVICE)
        if not request:
            assert (request.url, request.ticket) == ("", 0)
            return {"status": request.outcome.name}
        assert request.ticket > self.newest_ticket
        assert request.ticket >= self.microseconds
        self.newest_ticket = self.tickets[ticket] = request.ticket
        self.events[ticket] = event
        return {"status": "OK", "url": request.url}

    def do_apply(self, install: str = INSTALL, ticket: str = "", **body: str) -> Json:
        number, event = self.tickets.get(ticket, 0), self.events.get(ticket)
        result = self.engine.apply_response(install, number, content(**body), event_name=event)
        return {"status": result.outcome.name, "update": told(result.update)}

    def do_update(
        self,
        event: str | None = None,
        event_id: str | None = None,
        install: str = INSTALL,
        amount: Decimal | None = None,
        currency: str | None = None,
        amount_text: str | None = None,
        ad_monetization: bool = False,
        **body: str,
    ) -> Json:
        """The install alone: by its model, or by the endpoint, whose answer is the body."""
        self.answer = content(**body)
        paid = self.paid(amount, currency, amount_text, ad_monetization)
        result = self.engine.update_conversion_values(
            install, event, event_id=event_id, device=DEVICE, reengagement=self.alone, **paid
        )
        return {"status": result.outcome.name, "update": told(result.update), "url": self.asked or None}

    do_convert = do_update

    def paid(
        self, amount: Decimal | None, currency: str | None, amount_text: str | None, ad_monetization: bool
    ) -> Json:
        """The money that came with an event, as arguments; without an amount none."""
        if amount is None or currency is None:
            return {}
        item = self.item(amount, currency, amount_text=amount_text)
        return {"amount": item.amount, "currency": currency, "kind": RevenueKind(ad_monetization)}

    def do_update_all(
        self,
        event: str | None = None,
        event_id: str | None = None,
        reengagement: int = 0,
        body: str | None = None,
        install: str = INSTALL,
        amount: Decimal | None = None,
        currency: str | None = None,
        amount_text: str | None = None,
        ad_monetization: bool = False,
    ) -> Json:
        self.answer = None if body is None else body.encode()
        paid = self.paid(amount, currency, amount_text, ad_monetization)
        result = self.engine.update_conversion_values(
            install, event, event_id=event_id, reengagement=reengagement, device=DEVICE, **paid
        )
        return {"status": result.outcome.name}

    def do_reengage(self, os_version: str | None = None, install: str = INSTALL, **report: Any) -> Json:
        device = None if os_version is None else Device(os_version)
        result = self.engine.reengage(install, device=device, **report)
        return {"status": result.outcome.name, "number": result.number or None}

    def do_calls(self, os_version: str | None, install: str = INSTALL) -> Json:
        result = self.engine.pending_calls(install, None if os_version is None else Device(os_version))
        calls = [
            {name.replace("conversion_type", "types"): value for name, value in call._asdict().items()}
            for call in result.calls
        ]
        return {"status": result.outcome.name, "calls": calls}

    def do_acknowledge_calls(self, results: list[Json], install: str = INSTALL) -> Json:
        named = [(each["id"], CallResult[each["result"].replace(" ", "_").upper()]) for each in results]
        self.engine.acknowledge_calls(install, named)
        return {"status": "OK"}

    def do_end(self, number: int, install: str = INSTALL) -> Json:
        return {"status": self.engine.end_reengagement(install, number).name}

    def do_reengagements(self, install: str = INSTALL) -> Json:
        return {"status": "OK", "json": plain(documents(self.engine.reengagements(install)))}

    def do_explain_reengagement(self, number: int, install: str = INSTALL) -> Json:
        if number == 0:  # this is the install
            return {"status": "INVALID_ARGUMENT"}
        return self.do_explain(install, number)

    def do_explain(self, install: str = INSTALL, number: int = 0) -> Json:
        outcome, found = self.engine.explanation(install, reengagement=number)
        return {"status": outcome.name, "json": None if found is None else plain(found)}

    def do_decode(self, model: int, window: int, fine: int | None, coarse: int | None) -> Json:
        found = self.models[model].decode(window, fine, coarse)
        return {"json": None if found is None else plain(found)}

    def do_model(self, **body: str) -> Json:
        ConversionModel(content(**body))
        return {"status": "OK"}

    def do_pending(self, install: str = INSTALL) -> Json:
        """The install's update, as the call to SKAdNetwork has it."""
        for call in self.engine.pending_calls(install).calls:
            if call.conversion == 0 and call.framework == "SKAdNetwork":
                return {"status": "OK", "update": {name: getattr(call, name) for name in Update._fields}}
        return {"status": "NOTHING_PENDING"}

    def do_acknowledge(self, id: int, delivered: bool, install: str = INSTALL) -> Json:
        self.engine.acknowledge_calls(install, [(id, CallResult.DELIVERED if delivered else CallResult.FAILED)])
        return {"status": "OK"}

    def do_metadata(self, install: str = INSTALL) -> Json:
        return {"status": "OK", "query": self.engine.metadata(install)}

    def do_details(self, install: str = INSTALL) -> Json:
        self.engine.details(install)
        return {"status": "OK"}

    def do_import(self, install: str = INSTALL, **body: str) -> Json:
        return {"status": self.engine.import_details(install, content(**body)).name}

    def do_forget(self, install: str = INSTALL) -> Json:
        self.engine.forget(install)
        return {"status": "OK"}

    def do_rename(self, to: str, install: str = INSTALL) -> Json:
        return {"status": self.engine.rename(install, to).name}


# ------------------------------------------------------------------------------------------- what came, and what should


def told(update: Update | None) -> Json | None:
    return update and update._asdict()


def documents(reengagements: Sequence[Reengagement]) -> list[Json]:
    """Re-engagements as in C's document."""
    return [
        {
            **asdict(each),
            "ended": each.ended and each.ended.value,
            "revenue": {name: sums._asdict() for name, sums in each.revenue._asdict().items()},
            "coarse_value": list(each.coarse_value),
            "window_lock": list(each.window_lock),
            "update": told(each.update),
        }
        for each in reengagements
    ]


def content(body: str = "", body_b64: str | None = None) -> bytes:
    return body.encode() if body_b64 is None else base64.b64decode(body_b64)


def document(model: Json) -> str | bytes:
    return str(model["document"]) if "document" in model else (Path(sys.argv[3]) / model["file"]).read_bytes()


def answer(expected: Json) -> Json:
    """What a call has to answer: query items as the text that they make, and without what is compared apart."""
    apart = ("path", "query", "details", "message")
    wanted = {name: value for name, value in expected.items() if name not in apart and value is not None}
    if "query" in expected:
        query = "&".join("=".join(quote(part, safe="") for part in item) for item in expected["query"])
        wanted.update({"url": f"{ENDPOINT}{expected['path']}?{query}"} if "path" in expected else {"query": query})
    return wanted


def check_message(expected: str | list[str], came: str) -> None:
    """A text is the whole message; of a list the message begins with the first text and holds the others."""
    if isinstance(expected, str):
        expect(expected, came)
    elif not came.startswith(expected[0]) or not all(part in came for part in expected):
        raise Differs(f"the message should begin with and hold {expected}, but is {came!r}")


def members(expected: Json, text: str) -> Details:
    """The members that are read from details, without re-engagements."""
    is_skan4 = "prev_fine_value" in expected
    return Details(
        fine_value=expected["skan_current_conversion_value" if is_skan4 else "skan_conversion_value"],
        previous_fine_value=expected.get("prev_fine_value"),
        first_timestamp=expected["skan_first_call_to_skadnetwork_timestamp"],
        last_timestamp=expected["skan_last_call_to_skadnetwork_timestamp"],
        iap_revenue=expected["skan_total_revenue_by_currency"] or {},
        ad_revenue=expected.get("skan_total_admon_revenue_by_currency") or {},
        windows=tuple(
            WindowDetails(
                coarse_value=expected.get(f"p{window}_coarse"),
                previous_coarse_value=expected.get(f"p{window}_prev_coarse_value"),
                lock_timestamp=expected.get(f"p{window}_window_lock"),
                iap_revenue=expected.get(f"p{window}_total_iap_revenue") or {},
                ad_revenue=expected.get(f"p{window}_total_admon_revenue") or {},
            )
            for window in range(3)
        ),
        reengagements=(),
        json=text,
    )


# --------------------------------------------------------------------------------------------------------------- files


def step_of(step: Json) -> Step:
    op, expected = dict(step.pop("op")), step.pop("expect")
    assert not step, f"a step has no field {step}"
    name = op.pop("op")
    assert hasattr(Run, f"do_{name}"), f"there is no operation {name}"
    return Step(name, op, expected)


def run_trace(trace: Json, manner: str) -> int:
    """How many steps were run."""
    known = {"id", "protocol", "reference", "models", "listed", "reengagement_listed", "steps"}
    known |= {"credit", "cooldown_hours", "transport", "asked"}
    assert trace.keys() <= known, f"a trace has no field {trace.keys() - known}"
    steps = [step_of(step) for step in trace["steps"]]
    if manner == "in memory" and any(step.name == "reopen" and step.fields for step in steps):
        return len(steps)  # a new engine has a new memory
    run = Run(trace, manner)
    for number, step in enumerate(steps):
        try:
            run.run(step)
        except Exception as error:
            place = f"{trace['id']}, {manner}, step {number} {step.name} {step.fields}"
            raise Differs(f"{place}: {type(error).__name__}: {error} {run.message}") from error
    run.engine.close()
    return len(steps)


def main() -> int:
    files = dict.fromkeys(sorted(Path(sys.argv[1]).glob("*.jsonl")), TOLD)
    files[Path(sys.argv[2])] = ("together",)
    passed = failed = steps = 0
    for path, manners in files.items():
        text = path.read_text(encoding="utf-8")
        written = text.count('{"op":{"op":')  # apart from the reader
        done = 0
        for line in text.splitlines():
            try:
                for manner in manners:
                    done += run_trace(json.loads(line, parse_float=Decimal), manner)
                passed += 1
            except Exception as error:
                failed += 1
                print(f"FAILED {error}" if isinstance(error, Differs) else f"FAILED {line[:60]}: {error}")
        if not text or done != len(manners) * written:
            failed += 1
            print(f"FAILED {path}: {done} of {len(manners)} x {written} steps were run")
        steps += done
    print(f"{steps} steps, {checks} checks: {passed} passed, {failed} failed")
    return 0 if len(files) > 1 and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
