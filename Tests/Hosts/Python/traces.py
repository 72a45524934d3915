"""The shared vectors: traces of calls with what each has to answer."""

import base64
import json
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "Vectors"
FILES = ("skan3.jsonl", "skan4.jsonl")


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
    """One line of a file."""

    id: str
    protocol: int
    steps: list[Step]

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


def read(name: str) -> list[Trace]:
    """The traces of a file."""
    traces = []
    with open(FOLDER / name, encoding="utf-8") as lines:
        for line in lines:
            trace = json.loads(line, parse_float=Decimal)
            steps = [Step(step["op"].pop("op"), step["op"], step["expect"]) for step in trace["steps"]]
            traces.append(Trace(trace["id"], trace["protocol"], steps))
    return traces


def count(name: str) -> tuple[int, int]:
    """How many traces and steps a file has, counted in its text."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    return text.count('{"id":"'), text.count('{"op":{"op":"')
