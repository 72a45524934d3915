"""The app, as "The app's side" has it: what it keeps on disk, and in which order it makes calls.

It may be killed between any two calls, lose answers, and send reports and acknowledgements late.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from apple import Call, Conversion, InvalidTag, Landing, Phone, TagNotSupported, Unavailable

FAILED, DELIVERED, INVALID_TAG, NOT_SUPPORTED = range(4)
WORST_FIRST = (INVALID_TAG, NOT_SUPPORTED, FAILED, DELIVERED)


@dataclass
class Report:
    """An open, as it is kept on disk and told the server."""

    open_id: str
    tag: str | None
    is_overlapping: bool
    opened: int
    reference: str
    is_started: bool = False
    conversion: Conversion | None = None
    """What the app does not know: the conversion that Apple made of the tap."""


@dataclass
class Made:
    """A call of a list that was made, or that the system lacks."""

    id: int
    result: int
    landings: list[Landing] = field(default_factory=list)


@dataclass
class Disk:
    """What outlives the app's end."""

    reports: list[Report] = field(default_factory=list)
    acknowledgements: list[tuple[int, int]] = field(default_factory=list)


def first_call(report: Report) -> Call:
    """The call that an open makes before anybody is asked: the window begins with it."""
    if report.is_overlapping:
        return Call("AdAttributionKit", 0, None, False, None, report.tag)
    return Call("AdAttributionKit", 0, None, False, "re-engagement")


def make(phone: Phone, call: Call, now: int) -> tuple[int, list[Landing]]:
    """Makes a call to Apple: its result, and where it took effect."""
    try:
        return DELIVERED, phone.make(call, now)
    except InvalidTag:
        return INVALID_TAG, []
    except TagNotSupported:
        return NOT_SUPPORTED, []


def lacks(phone: Phone, call: Call) -> bool:
    """Whether the device's system has no such call."""
    try:
        phone.require(call)
    except Unavailable:
        return True
    return False


def results(made: list[Made], ids: list[int]) -> list[tuple[int, int]]:
    """One result for each id, the worst of its calls, in order; ids with a call that was not made are left out."""
    came: dict[int, list[int]] = {}
    for call in made:
        came.setdefault(call.id, []).append(call.result)
    return [(id, min(each, key=WORST_FIRST.index)) for id, each in came.items() if len(each) == ids.count(id)]
