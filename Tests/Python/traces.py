"""The shared vectors: traces of calls with what each has to answer."""

import base64
import json
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Optional

FOLDER = Path(__file__).resolve().parents[1] / "Vectors"
FILES = ("skan3.jsonl", "skan4.jsonl")
TIMES = (
    "first_call_to_skadnetwork_timestamp",
    "last_call_to_skadnetwork_timestamp",
    "first_call_timestamp",
    "last_call_timestamp",
    "window_lock",
)


@dataclass(frozen=True)
class Step:
    """One call: its name and fields, and what it has to answer."""

    name: str
    fields: dict[str, Any]
    expected: dict[str, Any]

    @property
    def body(self) -> bytes:
        """Of apply and import."""
        if "body_b64" in self.fields:
            return base64.b64decode(self.fields["body_b64"])
        return str(self.fields["body"]).encode()


@dataclass(frozen=True)
class Trace:
    """One line of a file. A clock shows no time before 1970: all times of a trace that has one are moved by `shift`."""

    id: str
    protocol: int
    steps: list[Step]
    shift: int

    def details(self, expected: dict[str, Any]) -> dict[str, Any]:
        """An expected details document, its times moved."""
        return {key: self._moved(key, value) for key, value in expected.items()}

    def query(self, expected: list[list[str]]) -> list[tuple[str, str]]:
        """Expected query items, their times moved."""
        return [(name, str(self._moved(name, int(value))) if _is_time(name) else value) for name, value in expected]

    def answered_at_once(self, index: int) -> bool:
        """Whether step `index` is a request that the next step, and no later one, answers."""
        request = self.steps[index]
        if request.name != "request" or request.expected["status"] != "OK":
            return False
        answers = []
        for later, step in enumerate(self.steps[index + 1 :], index + 1):
            if step.fields.get("ticket") == request.fields["ticket"]:
                if step.name == "apply":
                    answers.append(later)
                elif step.expected["status"] == "OK":
                    break
        return answers == [index + 1]

    def _moved(self, key: str, value: Optional[int]) -> Optional[int]:
        return value + self.shift if value is not None and _is_time(key) else value


def _is_time(key: str) -> bool:
    return key.endswith(TIMES)


def read(name: str) -> list[Trace]:
    """The traces of a file."""
    traces = []
    with open(FOLDER / name, encoding="utf-8") as lines:
        for line in lines:
            trace = json.loads(line, parse_float=Decimal)
            steps = [Step(step["op"].pop("op"), step["op"], step["expect"]) for step in trace["steps"]]
            earliest = min((step.fields["t"] for step in steps if step.name == "now"), default=0)
            traces.append(Trace(trace["id"], trace["protocol"], steps, -min(0, earliest)))
    return traces


def count(name: str) -> tuple[int, int]:
    """How many traces and steps a file has, counted in its text."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    return text.count('{"id":"'), text.count('{"op":{"op":"')
