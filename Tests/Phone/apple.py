"""An iPhone with SKAdNetwork and AdAttributionKit, by the text of Apple's documentation.

It knows none of libskan's rules. Times are Unix seconds; whoever makes calls says when.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from worlds import World

HOUR, DAY = 3600, 86_400
WINDOW_ENDS = (2 * DAY, 7 * DAY, 35 * DAY)
FIRST_UPDATE_WITHIN = {"install": 60 * DAY, "re-engagement": 2 * DAY}
Version = tuple[int, int]

KEEP = -2
"""In place of a coarse value: a call that has none, and leaves it as it is."""


class Call(NamedTuple):
    """A call that an app makes to either framework."""

    framework: str
    fine: int
    coarse: int | None
    lock: bool
    conversion_type: str | None = None
    tag: str | None = None


class Unavailable(Exception):
    """The device's system has no such call."""


class InvalidTag(Exception):
    """AdAttributionKitError.invalidConversionTag."""


class TagNotSupported(Exception):
    """AdAttributionKitError.conversionTagNotSupported."""


@dataclass
class Held:
    """What a window's postback will carry."""

    fine: int | None = None
    coarse: int | None = None
    locked: int | None = None
    """When it was frozen by a lock."""
    locked_by: str | None = None


@dataclass
class Conversion:
    """A conversion with its three postbacks."""

    name: str
    framework: str
    kind: str
    tag: str | None
    began: int
    first_update: int | None = None
    ended: int | None = None
    """When a newer conversion took its place."""
    is_dropped: bool = False
    """Whether its later postbacks fell away with that."""
    held: list[Held] = field(default_factory=lambda: [Held(), Held(), Held()])

    def base(self, world: World) -> int | None:
        return self.began if world.window_begins == "tap" else self.first_update

    def window(self, now: int, world: World) -> int | None:
        base = self.base(world)
        if base is None:
            return None
        return next((number for number, end in enumerate(WINDOW_ENDS) if now - base < end), None)

    def is_active(self, now: int, world: World) -> bool:
        """Whether an update may still reach it."""
        if self.ended is not None:
            return False
        if self.first_update is None:
            return now - self.began < FIRST_UPDATE_WITHIN[self.kind]
        return self.window(now, world) is not None


class Landing(NamedTuple):
    """Where a call took effect."""

    conversion: Conversion
    window: int
    is_mirrored: bool
    locks: bool


class Phone:
    """The device. A call answers where it took effect, or raises what the framework throws."""

    def __init__(self, world: World, system: Version, opted_in: bool, refuses_tags: bool) -> None:
        self.world, self.system, self.opted_in, self.refuses_tags = world, system, opted_in, refuses_tags
        self.conversions: list[Conversion] = []
        self.taps = 0

    @property
    def overlaps(self) -> bool:
        return self.opted_in and self.system >= (18, 4)

    def install(self, now: int) -> None:
        """Of each framework that there is one: whoever paid, the app makes the same calls."""
        self.conversions.append(Conversion("SKAdNetwork's install", "SKAdNetwork", "install", None, now))
        if self.system >= (17, 4):
            self.conversions.append(Conversion("the install", "AdAttributionKit", "install", None, now))

    def own(self, now: int) -> list[Conversion]:
        """AdAttributionKit's that an update may reach, the oldest first."""
        if self.system < (17, 4):
            return []
        return [
            conversion
            for conversion in self.conversions
            if conversion.framework == "AdAttributionKit" and conversion.is_active(now, self.world)
        ]

    def tap(self, now: int, makes_conversion: bool) -> tuple[str | None, Conversion | None]:
        """A tap on an ad while the app is installed: the link's parameter, and the conversion, None where none is made.

        No parameter before iOS 18.
        """
        if self.system < (18, 0):
            return None, None
        self.taps += 1
        # As short as "1", says Apple's talk; each its own.
        tag = f"{self.taps}" if self.overlaps else None
        parameter = tag if tag is not None else self.world.plain_parameter
        if not makes_conversion:
            return parameter, None
        if not self.overlaps:
            for earlier in self.own(now):
                self.replace(earlier, now)
        new = Conversion(f"tap {self.taps}", "AdAttributionKit", "re-engagement", tag, now)
        self.conversions.append(new)
        return parameter, new

    def replace(self, earlier: Conversion, now: int) -> None:
        earlier.ended = now
        window = earlier.window(now, self.world)
        if earlier.first_update is None or window is None:
            earlier.is_dropped = True
            return
        for number in range(window, 3 if self.world.replaced == "all registered" else window + 1):
            if earlier.held[number].locked is None:
                earlier.held[number].locked, earlier.held[number].locked_by = now, "Apple"
        earlier.is_dropped = self.world.replaced == "open window"

    def make(self, call: Call, now: int) -> list[Landing]:
        self.require(call)
        landings = []
        if call.framework == "SKAdNetwork":
            for conversion in self.conversions:
                if conversion.framework == "SKAdNetwork":
                    landings += self.update(conversion, call, call.coarse, now)
            coarse = {"left": KEEP, "cleared": None, "carried": call.coarse}[self.world.mirror_coarse]
            for conversion in self.mirrored(now):
                landings += self.update(conversion, call, coarse, now, is_mirrored=True)
            return landings
        for conversion in self.meant(call, now):
            landings += self.update(conversion, call, call.coarse, now)
        return landings

    def require(self, call: Call) -> None:
        """Raises `Unavailable` for what this system lacks."""
        lacks = self.system < (14, 0)
        if call.framework == "SKAdNetwork":
            lacks |= self.system < (16, 1) and (call.coarse is not None or call.lock)
        else:
            lacks |= self.system < (17, 4)
        lacks |= call.conversion_type is not None and self.system < (18, 0)
        lacks |= call.tag is not None and self.system < (18, 4)
        if lacks:
            raise Unavailable(f"{call} on iOS {self.system}")

    def mirrored(self, now: int) -> list[Conversion]:
        """Those that a call of SKAdNetwork updates too."""
        own = self.own(now)
        if self.world.mirror_reaches == "all":
            return own
        if self.world.mirror_reaches == "newest":
            return own[-1:]
        return [conversion for conversion in own if conversion.kind == "install"]

    def meant(self, call: Call, now: int) -> list[Conversion]:
        """Those that a call of AdAttributionKit is for."""
        own = self.own(now)
        if call.tag is not None:
            if self.refuses_tags or not self.opted_in:
                raise TagNotSupported(call.tag)
            found = [conversion for conversion in own if conversion.tag == call.tag]
            if not found and self.world.unknown_tag == "error":
                raise InvalidTag(call.tag)
            return found
        if call.conversion_type is None:
            return own
        found = [conversion for conversion in own if conversion.kind == call.conversion_type]
        if call.conversion_type == "install":
            is_behind = bool(own) and own[-1].kind != "install"
            return [] if is_behind and self.world.install_behind_newer == "nothing" else found
        return found if self.world.untagged_reaches == "all" else found[-1:]

    def update(
        self, conversion: Conversion, call: Call, coarse: int | None, now: int, is_mirrored: bool = False
    ) -> list[Landing]:
        if not conversion.is_active(now, self.world):
            return []
        if conversion.first_update is None:
            conversion.first_update = now
        window = conversion.window(now, self.world)
        if window is None:
            return []
        held = conversion.held[window]
        if held.locked is not None:
            return []
        held.fine = call.fine
        if coarse != KEEP:
            held.coarse = coarse
        if call.lock:
            held.locked, held.locked_by = now, "a call"
        return [Landing(conversion, window, is_mirrored, call.lock)]
