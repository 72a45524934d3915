"""Tests that a store keeps the contract of `libskan.Store`, law by law.

    from libskan import store_kit

    for result in store_kit.run(lambda: MyStore("test.db"), durable=True, shared=True):
        assert result.holds, result

This is the kit of C (store_kit.h). It expects a store that works: test separately how your store reports failures.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Callable

from ._arguments import in_range, text, unsigned, wrong_type
from ._calls import Call, Calls, Failure
from ._errors import InvalidArgument
from ._hooks import Store
from ._library import FINALIZE
from ._native_store_kit import KIT_OPEN, KIT_REOPEN, KIT_REPORT, LIBRARY, NativeStoreKit
from ._status import Status
from ._stores import CompanionStore
from ._trampolines import SLOTS, StoreSlot

if TYPE_CHECKING:
    from ctypes import Structure, _Pointer

_RAISED_MAX = 8


class LawOutcome(Enum):
    """The outcome of a law."""

    PASSED = 0
    FAILED = 1
    NOT_APPLICABLE = 2
    """The law is about something that the store does not claim."""


@dataclass(frozen=True)
class LawResult:
    """The result of one law."""

    number: int
    """The law's number, from 1."""
    law: str
    """The law's name, which stays the same in later versions."""
    outcome: LawOutcome
    reason: str
    """What happened instead, or why the law is not applicable; "" if it passed."""
    raised: tuple[BaseException, ...]
    """The first exceptions that the store raised during this law, except conflicts; at most eight."""

    @property
    def holds(self) -> bool:
        """Whether the law was not broken: it passed, or it does not apply."""
        return self.outcome is not LawOutcome.FAILED


def run(
    open_store: Callable[[], Store],
    *,
    durable: bool,
    shared: bool,
    reopen: Callable[[], object] | None = None,
    prefix: str = "skan-store-kit/",
    threads: int = 4,
    rounds: int = 200,
    steps: int = 4000,
    seed: int = 0,
) -> list[LawResult]:
    """Runs every law, even after one has failed, and returns their results in order.

    - open_store: opens a handle. One handle is open all the time, and for a shared store up to one more for each
      thread. If a handle has a method `close`, the kit calls it.
    - durable: records and versions outlive the last handle.
    - shared: handles that are open together see the same records.
    - reopen: called for a durable store while no handle is open, to make sure that the next handle finds only what was
      really stored.
    - prefix: the prefix of every key, at most 64 bytes; records under other keys are not touched. With "", for a store
      that only the test uses, very short keys are tried too.
    - threads: the number of threads in the laws about several threads, 2 to 64.
    - rounds: how often laws repeat what may fail only by chance, 1 to 1 000 000.
    - steps: the length of the generated sequences, 1 to 100 000.
    - seed: the seed of the generated sequences; 0 = taken from the clock. A failure names the seed.

    Raises `InvalidArgument` if a number is out of its range. KeyboardInterrupt and its like are raised at the end.
    """
    if not callable(open_store):
        raise wrong_type(open_store, "open_store", "a callable that opens a store")
    if reopen is not None and not callable(reopen):
        raise wrong_type(reopen, "reopen", "callable")
    kit = _Kit(open_store, reopen)
    native = NativeStoreKit(
        open=kit.native_open,
        reopen=kit.native_reopen,
        durable=durable,
        shared=shared,
        prefix=text(prefix, "prefix"),
        threads=in_range(threads, "threads", 2, 64),
        rounds=in_range(rounds, "rounds", 1, 1_000_000),
        steps=in_range(steps, "steps", 1, 100_000),
        seed=unsigned(seed, "seed", 64),
        report=kit.native_report,
    )
    if len(prefix.encode()) > 64:
        raise InvalidArgument(f"prefix: expected at most 64 bytes, got {len(prefix.encode())}")
    failed = LIBRARY.functions.skan_store_kit_run(native)
    if kit.interrupts:
        raise kit.interrupts[0]
    if failed < 0:
        raise InvalidArgument("the kit cannot be run as it is")
    return kit.results


class _KitCalls(Calls):
    """To hooks, everything that the kit does is one call."""

    def __init__(self) -> None:
        super().__init__()
        self.call = Call()

    def current(self) -> Call:
        return self.call


class _Kit:
    """One run of the kit: the functions that C calls, and the results so far."""

    def __init__(self, open_store: Callable[[], Store], reopen: Callable[[], object] | None) -> None:
        self.results: list[LawResult] = []
        self.interrupts: list[BaseException] = []
        self._calls = _KitCalls()
        self._open_store = open_store
        self._reopen_store = reopen
        self._handles: dict[int, tuple[Store, StoreSlot]] = {}
        self._lent: list[CompanionStore] = []  # whose C stores the kit finalizes itself
        self.native_open = KIT_OPEN(self._open)
        self.native_reopen = KIT_REOPEN(self._reopen)
        self.native_report = KIT_REPORT(self._report)
        self._finalize_hook = FINALIZE(self._finalize)

    def _note(self, exception: BaseException) -> None:
        self._calls.call.failures.append(Failure(exception, ()))

    def _open(self, _context: int, out: _Pointer[Structure]) -> int:
        try:
            store = self._open_store()
            if isinstance(store, CompanionStore):
                self._lent.append(store)
                out[0] = store._lend(None)
                return Status.OK
            slot = StoreSlot(self._calls, store)
            slot.native.finalize = self._finalize_hook
            self._handles[slot.number] = store, slot
            slot.publish()
            out[0] = slot.native
            return Status.OK
        except BaseException as exception:
            self._note(exception)
            return Status.STORE

    def _reopen(self, _context: int) -> int:
        try:
            if self._reopen_store is not None:
                self._reopen_store()
            return Status.OK
        except BaseException as exception:
            self._note(exception)
            return Status.STORE

    def _report(self, _context: int, result: _Pointer[Structure]) -> None:
        law, call = result[0], self._calls.call
        raised = [failure.exception for failure in call.failures]
        call.failures = []
        self.interrupts += (exception for exception in raised if not isinstance(exception, Exception))
        reason, outcome = law.reason.decode(errors="replace"), LawOutcome(law.outcome)
        self.results.append(LawResult(law.number, law.law.decode(), outcome, reason, tuple(raised[:_RAISED_MAX])))

    def _finalize(self, context: int) -> None:
        try:
            SLOTS.pop(context)
            store, _ = self._handles.pop(context)
            close = getattr(store, "close", None)
            if close is not None:
                close()
        except BaseException as exception:
            self._note(exception)
