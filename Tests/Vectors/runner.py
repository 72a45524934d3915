"""Every step of every shared trace, through the Python engine."""

import json
from decimal import Decimal
from functools import partial
from typing import Any, Callable, Optional
from urllib.parse import quote, unquote, urlsplit

import pytest
from libskan import Details, Device, Engine, Outcome, Request, Result, SkanError, Update, WindowDetails
from stores import DictionaryStore
from traces import FILES, Step, Trace, count, read

INSTALL = "player-1"
DEVICE = Device("16.1", "21DB6612-09B3-4ECC-84AC-B353B0AF1334", "DFC5A647-9043-4699-B2A5-76F03A97064B")
ENDPOINT = "https://sdk-api-v1.singular.net"


class Run:
    """A trace while it runs: call by call, or with update_conversion_values wherever an answer follows its request."""

    def __init__(self, trace: Trace, in_one_call: bool) -> None:
        self.trace = trace
        self.in_one_call = in_one_call
        self.steps_run = 0
        self.microseconds = 0
        self.store = DictionaryStore()
        self.tickets: dict[str, int] = {}
        self.newest_ticket = 0
        self.decided_at = 0
        self.requested_url = ""
        self.answer = b""
        self.engine = self.opened()
        self.details: dict[str, Any] = dict.fromkeys(json.loads(self.engine.details(INSTALL).json))

    def opened(self) -> Engine:
        """An engine on the store of this run."""
        return Engine(
            store=self.store,
            clock=lambda: self.microseconds / 1_000_000,
            transport=self.get if self.in_one_call else None,
            protocol=self.trace.protocol,
            sdk_key="sdk_key_here",
            bundle_id="com.example.game",
            app_version="1.2.3",
        )

    def get(self, url: str) -> bytes:
        """The transport."""
        self.requested_url = url
        return self.answer

    def run(self) -> None:
        """All steps, comparing the details after each."""
        steps = self.trace.steps
        while self.steps_run < len(steps):
            step = steps[self.steps_run]
            if self.in_one_call and self.trace.answered_at_once(self.steps_run):
                step = self.request_and_apply(step, steps[self.steps_run + 1])
            else:
                self.check(step, *self.outcome_of(partial(getattr(self, f"do_{step.name}"), step)))
            self.steps_run += 1
            self.details = step.expected.get("details", self.details)
            check_details(self.engine.details(INSTALL), self.details)
        self.engine.close()

    def request_and_apply(self, request: Step, apply: Step) -> Step:
        """Two steps in one call; gives the second."""
        self.answer = apply.body
        event = request.fields["event"]
        status, value = self.outcome_of(lambda: self.engine.update_conversion_values(INSTALL, event, device=DEVICE))
        self.check_url(request, self.requested_url)
        self.check(apply, status, value)
        self.steps_run += 1
        return apply

    def outcome_of(self, call: Callable[[], object]) -> tuple[str, object]:
        """The name of what a call came to, and what it gave or raised."""
        try:
            value = call()
        except SkanError as error:
            return error.status.name, error
        if isinstance(value, (Result, Request)):
            return value.outcome.name, value
        return value.name if isinstance(value, Outcome) else "OK", value

    def check(self, step: Step, status: str, value: object) -> None:
        """Compares what came with all that a step expects but its details."""
        expected = step.expected
        assert status == expected.get("status", "OK")
        if expected.get("reason") == "":  # the answer gave none
            assert "neither a value nor a reason" in str(value)
        elif "reason" in expected:
            assert str(value) == expected["reason"]
        if isinstance(value, Result):
            self.check_update(step, value.update)
        elif isinstance(value, Request) and value:
            self.check_url(step, value.url)
            assert value.ticket > self.newest_ticket
            assert value.ticket >= self.microseconds
            self.newest_ticket = self.tickets[step.fields["ticket"]] = value.ticket
        elif isinstance(value, Request):
            assert (value.url, value.ticket) == ("", 0)
        elif isinstance(value, str):
            assert items(value) == expected["query"]

    def check_update(self, step: Step, update: Optional[Update]) -> None:
        """All members; those that call for a decision have the clock's time."""
        expected = step.expected.get("update")
        if expected is None or update is None:
            assert update is expected
            return
        if step.name != "pending":
            self.decided_at = self.microseconds // 1_000_000
        assert update._asdict() == {**expected, "timestamp": self.decided_at}

    def check_url(self, step: Step, url: str) -> None:
        """Endpoint, path and items in order."""
        parts = urlsplit(url)
        assert f"{parts.scheme}://{parts.netloc}" == ENDPOINT
        assert parts.path == step.expected["path"]
        assert items(parts.query) == step.expected["query"]

    def do_now(self, step: Step) -> None:
        self.microseconds = step.fields["t"] * 1_000_000

    def do_register(self, step: Step) -> Result:
        return self.engine.register(INSTALL)

    def do_revenue(self, step: Step) -> Outcome:
        fields = step.fields
        return self.engine.update_revenue(
            INSTALL,
            fields["amount"] if self.in_one_call else float(fields["amount"]),
            fields["currency"],
            ad_monetization=fields.get("ad_monetization", False),
            event_id=fields.get("event_id"),
        )

    def do_request(self, step: Step) -> Request:
        return self.engine.conversion_request(INSTALL, step.fields["event"], DEVICE)

    def do_apply(self, step: Step) -> Result:
        return self.engine.apply_response(INSTALL, self.tickets.get(step.fields.get("ticket", ""), 0), step.body)

    def do_pending(self, step: Step) -> Result:
        return self.engine.pending_update(INSTALL)

    def do_acknowledge(self, step: Step) -> None:
        self.engine.acknowledge_update(INSTALL, step.fields["id"], step.fields["delivered"])

    def do_metadata(self, step: Step) -> str:
        return self.engine.metadata(INSTALL)

    def do_details(self, step: Step) -> Details:
        return self.engine.details(INSTALL)

    def do_import(self, step: Step) -> Outcome:
        return self.engine.import_details(INSTALL, step.body)

    def do_reopen(self, step: Step) -> None:
        self.engine.close()
        self.microseconds += 1000
        self.engine = self.opened()

    def do_forget(self, step: Step) -> None:
        self.engine.forget(INSTALL)


def items(query: str) -> list[list[str]]:
    """Query items decoded, in order; all but unreserved characters were encoded."""
    decoded = [[unquote(part, errors="strict") for part in item.split("=")] for item in query.split("&") if query]
    assert "&".join("=".join(quote(part, safe="") for part in item) for item in decoded) == query
    return decoded


def plain(value: Any) -> str:
    """Details as they have to be written: no exponent, no trailing zeros, no spaces."""
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "{" + ",".join(f'"{key}":{plain(member)}' for key, member in value.items()) + "}"
    return format(Decimal(value).normalize(), "f")


def check_details(details: Details, expected: dict[str, Any]) -> None:
    """The document to the letter, and every member read from it."""
    assert details.json == plain(expected)
    skan4 = "prev_fine_value" in expected
    assert details == Details(
        conversion_value=expected["skan_current_conversion_value" if skan4 else "skan_conversion_value"],
        previous_fine_value=expected.get("prev_fine_value"),
        first_call=expected["skan_first_call_to_skadnetwork_timestamp"],
        last_call=expected["skan_last_call_to_skadnetwork_timestamp"],
        iap_revenue=expected["skan_total_revenue_by_currency"],
        ad_revenue=expected.get("skan_total_admon_revenue_by_currency"),
        windows=tuple(
            WindowDetails(
                coarse_value=expected[f"p{window}_coarse"],
                previous_coarse_value=expected[f"p{window}_prev_coarse_value"],
                locked_at=expected[f"p{window}_window_lock"],
                iap_revenue=expected[f"p{window}_total_iap_revenue"],
                ad_revenue=expected[f"p{window}_total_admon_revenue"],
            )
            for window in range(3 if skan4 else 0)
        ),
        json=details.json,
    )


@pytest.mark.parametrize("in_one_call", [False, True], ids=["separate_calls", "one_call"])
@pytest.mark.parametrize("name", FILES)
def test_every_step_of_every_trace(name: str, in_one_call: bool) -> None:
    traces = read(name)
    steps_run = 0
    for trace in traces:
        run = Run(trace, in_one_call)
        try:
            run.run()
        except Exception as error:
            raise AssertionError(f"{trace.id}, step {run.steps_run}: {trace.steps[run.steps_run]}") from error
        steps_run += run.steps_run
    assert (len(traces), steps_run) == count(name)
