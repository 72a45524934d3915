"""Apple's tables of tiers, windows and delays, row by row."""

from __future__ import annotations

from random import Random

import pytest
from apple import HOUR, Conversion, Held
from sent import Ad, Disclosure, Sent, disclosure, postbacks

AD = Ad("5239", 1_234_567_890, "com.apple.AppStore", "US")
BASE = 1_700_000_000


def conversion(*coarse: int | None) -> Conversion:
    """With a fine value of 9, and these coarse values by window."""
    held = [Held(9, value) for value in coarse]
    return Conversion("tap", "AdAttributionKit", "re-engagement", None, BASE, BASE, held=held)


def sent(tier: int, digits: int, *coarse: int | None, is_country_large: bool = True, seed: int = 1) -> list[Sent]:
    found = conversion(*(coarse or (0, 1, 2)))
    return postbacks(found, BASE, AD, Disclosure(tier, digits, is_country_large), Random(seed))


@pytest.mark.parametrize("digits", [2, 3, 4])
def test_tier_3_has_a_fine_value_the_publisher_and_the_country(digits: int) -> None:
    postback = sent(3, digits)[0]
    assert postback[:7] == (0, "5239"[-digits:], 9, None, AD.publisher, AD.marketplace, "US")


def test_tier_3_has_no_country_if_its_crowd_is_smaller() -> None:
    postback = sent(3, 4, is_country_large=False)[0]
    assert (postback.publisher, postback.country) == (AD.publisher, None)


@pytest.mark.parametrize("digits", [2, 3, 4])
def test_tier_2_has_a_fine_value_and_no_publisher(digits: int) -> None:
    assert sent(2, digits)[0][:7] == (0, "5239"[-digits:], 9, None, None, AD.marketplace, None)


def test_tier_1_has_two_digits_and_a_coarse_value() -> None:
    assert sent(1, 2)[0][:7] == (0, "39", None, 0, None, AD.marketplace, None)


def test_tier_0_has_one_postback_without_value_and_marketplace() -> None:
    assert [postback[:7] for postback in sent(0, 2)] == [(0, "39", None, None, None, None, None)]


@pytest.mark.parametrize(("tier", "digits"), [(1, 2), (2, 3), (3, 4)])
def test_later_postbacks_have_two_digits_and_a_coarse_value_in_every_tier(tier: int, digits: int) -> None:
    later = [postback[:7] for postback in sent(tier, digits)[1:]]
    assert later == [(window, "39", None, window, None, AD.marketplace, None) for window in (1, 2)]


def test_a_later_window_without_a_coarse_update_has_no_postback() -> None:
    assert [postback.window for postback in sent(3, 4, 0, None, 2)] == [0, 2]
    assert [postback.window for postback in sent(3, 4, 0, 1, None)] == [0, 1]


@pytest.mark.parametrize(
    ("tiers", "tier", "digits"),
    [
        ((3, 3, 3), 3, 4), ((3, 3, 2), 3, 3), ((3, 2, 1), 3, 2), ((2, 2, 0), 2, 3),
        ((2, 1, 1), 2, 2), ((1, 1, 1), 1, 2), ((0, 0, 0), 0, 2),
    ],
)  # fmt: skip
def test_the_highest_tier_wins_and_among_equals_the_one_with_the_most_digits(
    tiers: tuple[int, ...], tier: int, digits: int
) -> None:
    assert disclosure(tiers, 0) == (tier, digits, False)


@pytest.mark.parametrize(("window", "begin", "end"), [(0, 72, 96), (1, 192, 312), (2, 864, 984)])
def test_a_postback_comes_after_the_end_of_its_window_and_a_delay(window: int, begin: int, end: int) -> None:
    hours = {(sent(3, 4, seed=seed)[window].arrival - BASE) // HOUR for seed in range(1500)}
    assert (min(hours), max(hours)) == (begin, end - 1)


@pytest.mark.parametrize(("window", "hour", "delay"), [(0, 5, 48), (1, 60, 144), (2, 200, 144)])
def test_a_lock_starts_the_delay_at_once(window: int, hour: int, delay: int) -> None:
    locked = conversion(0, 1, 2)
    locked.held[window].locked = BASE + hour * HOUR
    shown = Disclosure(3, 4, True)
    times = [postbacks(locked, BASE, AD, shown, Random(seed))[window].arrival - BASE for seed in range(1500)]
    assert (min(times) // HOUR, max(times) // HOUR) == (hour + 24, hour + delay - 1)
