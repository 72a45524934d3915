"""The phone's windows, locks and values, by the rows of Apple's text."""

from __future__ import annotations

import pytest
from apple import DAY, HOUR, Call, Conversion, Phone, Unavailable
from worlds import CHOICES, World

START = 1_700_000_000
WORLD = World(*(choices[-1] for choices in CHOICES.values()))


def phone(*times: int, lock_at: int | None = None) -> Phone:
    """With an install, and updates at these seconds after it; each fine value is the number of the update."""
    made = Phone(WORLD, (18, 4), True, False)
    made.install(START)
    for fine, time in enumerate(times):
        made.make(Call("AdAttributionKit", fine, 1, time == lock_at), START + time)
    return made


def install(made: Phone) -> Conversion:
    return next(each for each in made.conversions if each.framework == "AdAttributionKit")


@pytest.mark.parametrize(("time", "window"), [
    (2 * DAY - 1, 0), (2 * DAY + 1, 1), (7 * DAY - 1, 1), (7 * DAY + 1, 2), (35 * DAY - 1, 2),
])  # fmt: skip
def test_an_update_belongs_to_the_window_of_its_time(time: int, window: int) -> None:
    held = install(phone(0, time)).held
    assert [number for number in range(3) if held[number].fine == 1] == [window]


def test_no_update_is_taken_after_35_days() -> None:
    assert all(held.fine != 1 for held in install(phone(0, 35 * DAY + 1)).held)


def test_a_lock_ends_the_updates_of_its_window_and_begins_no_other() -> None:
    held = install(phone(0, HOUR, 2 * HOUR, 3 * DAY, lock_at=HOUR)).held
    assert (held[0].fine, held[0].locked, held[1].fine) == (1, START + HOUR, 3)
    # After a lock in window 1, window 2 still begins on day 8.
    held = install(phone(0, 3 * DAY, 4 * DAY, 7 * DAY + 1, lock_at=3 * DAY)).held
    assert (held[1].fine, held[2].fine) == (1, 3)


def test_windows_begin_with_the_first_update() -> None:
    held = install(phone(10 * DAY, 12 * DAY - 1, 12 * DAY + 1)).held
    assert [each.fine for each in held] == [1, 2, None]


@pytest.mark.parametrize(("day", "is_taken"), [(59, True), (61, False)])
def test_the_first_update_of_an_install_has_to_come_within_60_days(day: int, is_taken: bool) -> None:
    assert (install(phone(day * DAY)).first_update is not None) == is_taken


@pytest.mark.parametrize(("hour", "is_taken"), [(47, True), (49, False)])
def test_the_first_update_of_a_reengagement_has_to_come_within_2_days(hour: int, is_taken: bool) -> None:
    made = phone(0)
    tag, conversion = made.tap(START, makes_conversion=True)
    assert conversion is not None
    assert conversion.is_active(START + hour * HOUR, WORLD) == is_taken
    if is_taken:
        made.make(Call("AdAttributionKit", 5, 1, False, None, tag), START + hour * HOUR)
        assert conversion.held[0].fine == 5


def test_lower_values_are_taken() -> None:
    made = phone(0, HOUR, 2 * HOUR)
    made.make(Call("AdAttributionKit", 1, 0, False), START + 3 * HOUR)
    assert (install(made).held[0].fine, install(made).held[0].coarse) == (1, 0)


def test_a_call_without_a_coarse_value_gives_none() -> None:
    made = phone(0)
    made.make(Call("AdAttributionKit", 1, None, False), START + HOUR)
    assert install(made).held[0].coarse is None


def test_an_older_system_has_no_coarse_values() -> None:
    made = Phone(WORLD, (16, 0), False, False)
    made.install(START)
    with pytest.raises(Unavailable):
        made.make(Call("SKAdNetwork", 1, 1, False), START)
