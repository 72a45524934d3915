"""Traces with calls put together or taken apart: `together.py FOLDER` prints those of a folder.

Both have to come to the same: a request whose answer is applied next and once is one call of update conversion values,
amounts that follow each other are one batch, and a batch is a call for each item.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reference import Number, plain

Json = dict[str, Any]


def is_error(status: str) -> bool:
    return status not in ("OK", "DUPLICATE_EVENT")


def is_answered_at_once(steps: list[Json], index: int) -> bool:
    """Whether step `index` is a request that the next step, and no later one, answers."""
    request, expected = steps[index]["op"], steps[index]["expect"]
    if request["op"] != "request" or expected["status"] != "OK":
        return False
    answers = []
    for later, step in enumerate(steps[index + 1 :], index + 1):
        if step["op"].get("ticket") == request["ticket"]:
            if step["op"]["op"] == "apply":
                answers.append(later)
            elif step["expect"]["status"] == "OK":
                break
    return answers == [index + 1]


def one_call(request: Json, apply: Json) -> Json:
    body = {name: value for name, value in apply["op"].items() if name not in ("op", "ticket")}
    asked = {name: request["expect"][name] for name in ("path", "query")}
    op = {"op": "convert", **body, "event": request["op"]["event"]}
    return {"op": op, "expect": {**apply["expect"], **asked}}


def batch(amounts: list[Json]) -> Json:
    items = [{name: value for name, value in step["op"].items() if name != "op"} for step in amounts]
    statuses = [step["expect"]["status"] for step in amounts]
    expected = {"status": next(filter(is_error, statuses), "OK"), "statuses": statuses}
    for step in amounts:
        if "details" in step["expect"]:
            expected["details"] = step["expect"]["details"]
    return {"op": {"op": "revenue_many", "items": items}, "expect": expected}


def one_by_one(many: Json) -> Iterator[Json]:
    """Each amount in a call of its own; the details are known again when all are counted."""
    message = many["expect"].get("message")
    for item, status in zip(many["op"]["items"], many["expect"]["statuses"]):
        expected = {"status": status, "details": False}
        if message and is_error(status):
            expected["message"] = [message[0].split(" ", 1)[1], *message[1:]]
            message = None
        yield {"op": {"op": "revenue", **item}, "expect": expected}
    details = {"details": many["expect"]["details"]} if "details" in many["expect"] else {}
    yield {"op": {"op": "details"}, "expect": {"status": "OK", **details}}


def together(steps: list[Json]) -> Iterator[Json]:
    """The same with one call for what one can do, and many for what one did."""
    index = 0
    while index < len(steps):
        end = index
        while end < len(steps) and steps[end]["op"]["op"] == "revenue":
            end += 1
        if end > index + 1:
            yield batch(steps[index:end])
        elif is_answered_at_once(steps, index):
            end = index + 2
            yield one_call(*steps[index:end])
        elif steps[index]["op"]["op"] == "revenue_many":
            yield from one_by_one(steps[index])
        else:
            yield steps[index]
        index = max(end, index + 1)


def main() -> None:
    calls: set[str] = set()
    for path in sorted(Path(sys.argv[1]).glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            trace = json.loads(line, parse_int=Number, parse_float=Number)
            steps = list(together(trace["steps"]))
            calls.update(step["op"]["op"] for step in steps)
            print(plain({**trace, "id": f"{trace['id']}, together", "steps": steps}))
    assert "convert" in calls, "no request and answer became one call"


if __name__ == "__main__":
    main()
