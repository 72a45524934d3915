"""What hooks raise and answer, and what comes out of the engine."""

import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from functools import partial
from typing import Any, Callable, Optional

import pytest
from engines import new_engine
from libskan import (
    ClockError,
    CorruptRecord,
    Engine,
    LimitExceeded,
    Misuse,
    Outcome,
    RecordTooNew,
    Status,
    StoreConflict,
    StoreError,
    StoreUnknown,
    TransportError,
    _trampolines,
)
from libskan._errors import write_status
from stores import DictionaryStore

INSTALL = "player-1"


class Interrupt(BaseException):
    """Ends a thread, as KeyboardInterrupt, SystemExit and cancellations do."""


class FaultyStore(DictionaryStore):
    """Raises or answers what it is told, for one call of one hook or for all."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: dict[str, Any] = {}
        self.applies_first = False
        self.once = False
        self.calls: list[str] = []
        for hook in ("load", "save", "remove"):
            setattr(self, hook, partial(self._answer, hook, getattr(super(), hook)))

    def fault(self, hook: str, fault: object, *, once: bool = False, applies_first: bool = False) -> None:
        """From now on `hook` raises or answers `fault`; it may do its work before."""
        self.faults = {hook: fault}
        self.once = once
        self.applies_first = applies_first
        self.calls.clear()

    def _answer(self, hook: str, work: Any, *arguments: object) -> Any:
        self.calls.append(hook)
        if hook not in self.faults:
            return work(*arguments)
        if self.applies_first:
            work(*arguments)
        fault = self.faults.pop(hook) if self.once else self.faults[hook]
        if isinstance(fault, BaseException):
            raise fault
        return fault


class SimpleStore:
    """A store of three callables."""

    def __init__(self, load: Any, save: Any, remove: Any) -> None:
        self.load = load
        self.save = save
        self.remove = remove


@pytest.fixture
def store() -> FaultyStore:
    """A store that works until told."""
    return FaultyStore()


@pytest.fixture
def engine(store: FaultyStore) -> Engine:
    """With one install."""
    engine = new_engine(store)
    assert engine.register(INSTALL)
    return engine


def revenue(engine: Engine) -> Outcome:
    """A call that loads and saves."""
    return engine.update_revenue(INSTALL, 1, "USD")


# ---------------------------------------------------------------------------------------------------- what they raise


def test_what_load_raises_is_the_cause(engine: Engine, store: FaultyStore) -> None:
    exception = ConnectionError("down")
    for _ in range(3):
        store.fault("load", exception)
        with pytest.raises(StoreError) as raised:
            revenue(engine)
        assert type(raised.value) is StoreError
        assert raised.value.__cause__ is exception
        assert exception.__cause__ is None
        assert store.calls == ["load"]


@pytest.mark.parametrize("exception", [Interrupt(), KeyboardInterrupt(), SystemExit(3)])
def test_an_interrupt_in_load_comes_out(engine: Engine, store: FaultyStore, exception: BaseException) -> None:
    for _ in range(3):
        store.fault("load", exception)
        with pytest.raises(type(exception)) as raised:
            revenue(engine)
        assert raised.value is exception
        assert store.calls == ["load"]


def test_a_hooks_own_cause_is_kept(store: FaultyStore) -> None:
    def load(key: str) -> None:
        try:
            raise StoreConflict("no route")
        except StoreConflict as reason:
            raise ConnectionError("down") from reason

    with new_engine(SimpleStore(load, store.save, store.remove)) as engine, pytest.raises(StoreError) as raised:
        engine.details(INSTALL)
    assert isinstance(raised.value.__cause__, ConnectionError)
    assert isinstance(raised.value.__cause__.__cause__, StoreConflict)


def test_every_error_of_a_store_is_a_store_error() -> None:
    for kind in (StoreConflict, StoreUnknown, CorruptRecord, RecordTooNew):
        assert issubclass(kind, StoreError)


def test_what_a_write_raises_says_whether_it_was_applied() -> None:
    class Full(StoreError):
        """A store's own error, which says that nothing was applied."""

    for raised, status in (
        (StoreConflict("another version"), Status.STORE_CONFLICT),
        (StoreError("down"), Status.STORE),
        (Full("no space"), Status.STORE),
        (StoreUnknown("no answer"), Status.STORE_UNKNOWN),
        (CorruptRecord("a record of a cache"), Status.STORE_UNKNOWN),
        (TimeoutError("no answer"), Status.STORE_UNKNOWN),
    ):
        assert write_status(raised) is status


def test_a_save_that_says_it_is_unknown_may_have_been_applied(engine: Engine, store: FaultyStore) -> None:
    store.fault("save", StoreUnknown("no answer"), once=True, applies_first=True)
    assert revenue(engine) is Outcome.OK
    assert engine.details(INSTALL).iap_revenue == {"USD": Decimal(1)}


@pytest.mark.parametrize("hook", ["load", "save"])
def test_a_store_error_of_a_hook_comes_out_itself(engine: Engine, store: FaultyStore, hook: str) -> None:
    exception = StoreError("disk is full")
    store.fault(hook, exception)
    with pytest.raises(StoreError) as raised:
        revenue(engine)
    assert raised.value is exception
    assert store.calls == ["load", "save"][: 1 + (hook == "save")]


def test_a_conflict_in_load_is_a_store_error(engine: Engine, store: FaultyStore) -> None:
    exception = StoreConflict("not here")
    store.fault("load", exception)
    with pytest.raises(StoreError) as raised:
        revenue(engine)
    assert raised.value.__cause__ is exception


def test_conflict_for_ever(engine: Engine, store: FaultyStore) -> None:
    store.fault("save", StoreConflict("others are always faster"))
    with pytest.raises(StoreConflict):
        revenue(engine)
    attempts = len(store.calls) // 2
    assert attempts > 100
    assert store.calls == ["load", "save"] * attempts


@pytest.mark.parametrize("applied", [True, False])
def test_a_write_that_timed_out_is_looked_up(engine: Engine, store: FaultyStore, applied: bool) -> None:
    store.fault("save", TimeoutError("no answer"), once=True, applies_first=applied)
    assert revenue(engine) is Outcome.OK
    assert store.calls == ["load", "save", "load"] + ["save"] * (not applied)
    assert engine.details(INSTALL).iap_revenue == {"USD": Decimal(1)}
    store.fault("remove", TimeoutError("no answer"), once=True, applies_first=applied)
    engine.forget(INSTALL)
    assert store.records == {}


def test_the_last_that_a_hook_raised_is_the_cause(engine: Engine, store: FaultyStore) -> None:
    timeout, down = TimeoutError("no answer"), ConnectionError("down")

    def save(key: str, data: bytes, expected_version: int) -> int:
        engine.forget(INSTALL)
        engine.register(INSTALL)
        raise timeout

    def load(key: str) -> Optional[tuple[bytes, int]]:
        if "remove" in store.calls:
            raise down
        return DictionaryStore.load(store, key)

    for last, hook in ((timeout, store.load), (down, load)):
        store.calls.clear()
        with new_engine(SimpleStore(hook, save, store.remove)) as other, pytest.raises(StoreUnknown) as raised:
            revenue(other)
        assert raised.value.__cause__ is last


def test_an_error_that_no_hook_explains_comes_out_itself(engine: Engine, store: FaultyStore) -> None:
    for number in range(63):
        engine.update_revenue(INSTALL, 1, f"A{chr(65 + number // 26)}{chr(65 + number % 26)}")

    def save(key: str, data: bytes, expected_version: int) -> int:
        engine.update_revenue(INSTALL, 1, "EUR")
        raise TimeoutError("no answer")

    with new_engine(SimpleStore(store.load, save, store.remove)) as other, pytest.raises(LimitExceeded):
        revenue(other)


@pytest.mark.parametrize("exception", [Interrupt(), KeyboardInterrupt(), SystemExit(3)])
@pytest.mark.parametrize("applied", [True, False])
def test_an_interrupt_in_save_comes_out_and_ends_the_call(
    engine: Engine, store: FaultyStore, exception: BaseException, applied: bool
) -> None:
    store.fault("save", exception, once=True, applies_first=applied)
    with pytest.raises(type(exception)) as raised:
        revenue(engine)
    assert raised.value is exception
    assert store.calls == ["load", "save"]
    assert engine.details(INSTALL).iap_revenue == ({"USD": Decimal(1)} if applied else {})
    assert revenue(engine) is Outcome.OK


def test_what_a_thread_raises_does_not_reach_another(store: FaultyStore) -> None:
    both_are_in = threading.Barrier(2)
    errors = {name: ConnectionError(name) for name in ("first", "second")}

    def load(key: str) -> Optional[tuple[bytes, int]]:
        both_are_in.wait(120)
        raise errors[key]

    with new_engine(SimpleStore(load, store.save, store.remove)) as engine, ThreadPoolExecutor(2) as threads:
        calls = {key: threads.submit(engine.details, key).exception for key in errors}
        raised = {key: exception() for key, exception in calls.items()}
    assert {key: error and error.__cause__ for key, error in raised.items()} == errors


def test_what_a_clock_raises_is_the_cause() -> None:
    exception = ArithmeticError("stopped")

    def clock() -> float:
        raise exception

    with new_engine(clock=clock) as engine, pytest.raises(ClockError) as raised:
        engine.register(INSTALL)
    assert raised.value.__cause__ is exception


def what_an_update_raises(exception: BaseException) -> BaseException:
    """With a transport that raises this."""

    def get(url: str) -> bytes:
        raise exception

    with new_engine(transport=get) as engine:
        engine.register(INSTALL)
        with pytest.raises(BaseException) as raised:  # noqa: PT011
            engine.update_conversion_values(INSTALL, "login", event_id="login-1")
    return raised.value


def test_what_a_transport_raises_is_the_cause() -> None:
    exception = TimeoutError("no answer")
    error = what_an_update_raises(exception)
    assert isinstance(error, TransportError)
    assert error.__cause__ is exception


@pytest.mark.parametrize(
    "exception", [TransportError("HTTP 503"), LimitExceeded("an endless body"), Interrupt(), KeyboardInterrupt()]
)
def test_a_transport_may_raise_what_the_call_is_to_raise(exception: BaseException) -> None:
    assert what_an_update_raises(exception) is exception


def test_a_hooks_error_in_another_engine_is_an_error_of_that_one(engine: Engine, store: FaultyStore) -> None:
    def get(url: str) -> bytes:
        with pytest.raises(StoreError):
            revenue(engine)
        return b""

    store.fault("load", StoreError("down"))
    with new_engine(transport=get) as outer:
        outer.register(INSTALL)
        assert outer.update_conversion_values(INSTALL).outcome is Outcome.NO_NEW_VALUE


# --------------------------------------------------------------------------------------------------- what they answer


@pytest.mark.parametrize(
    "answer",
    [b"record", b"12", 7, (), ("text", 1), (b"record", "1"), (b"record", 0), (b"record", 1 << 64), (b"record", 1, 1)],
)
def test_load_answers_nonsense(engine: Engine, store: FaultyStore, answer: object) -> None:
    store.fault("load", answer)
    with pytest.raises(StoreError) as raised:
        engine.details(INSTALL)
    assert isinstance(raised.value.__cause__, (TypeError, ValueError))


@pytest.mark.parametrize("answer", [None, "1", 1.5, 0, -1, 1 << 64, (1,)])
def test_save_answers_nonsense(engine: Engine, store: FaultyStore, answer: object) -> None:
    before = store.records[INSTALL]
    store.fault("save", answer)
    with pytest.raises(StoreError) as raised:
        revenue(engine)
    assert isinstance(raised.value.__cause__, (TypeError, ValueError))
    assert store.records[INSTALL] == before


def test_load_may_answer_any_bytes(engine: Engine, store: FaultyStore) -> None:
    record, version = store.records[INSTALL]
    expected = engine.details(INSTALL)
    for answer in (bytearray(record), memoryview(record), memoryview(record + record)[: len(record)]):
        store.fault("load", (answer, version))
        assert engine.details(INSTALL) == expected


def test_a_record_beyond_what_a_hook_may_give(engine: Engine, store: FaultyStore) -> None:
    store.fault("load", (bytes((1 << 20) + 1), 1))
    with pytest.raises(StoreError):
        engine.details(INSTALL)


@pytest.mark.parametrize("time", [None, "1643393464", float("nan"), float("inf"), 1e300])
def test_a_clock_that_gives_no_time(time: Any) -> None:
    with new_engine(clock=lambda: time) as engine, pytest.raises(ClockError) as raised:
        engine.register(INSTALL)
    assert isinstance(raised.value.__cause__, (TypeError, ValueError, OverflowError))


@pytest.mark.parametrize("time", [1643393464, 1643393464.25, 1643393464.999999])
def test_a_clock_gives_seconds(time: float) -> None:
    with new_engine(clock=lambda: time) as engine:
        update = engine.register(INSTALL).update
        assert update is not None
        assert update.timestamp == 1643393464
        assert engine.conversion_request(INSTALL).ticket == round(time * 1_000_000)


@pytest.mark.parametrize("body", [None, "text", 5, [1]])
def test_a_transport_that_gives_no_bytes(body: Any) -> None:
    with new_engine(transport=lambda url: body) as engine:
        engine.register(INSTALL)
        with pytest.raises(TransportError) as raised:
            engine.update_conversion_values(INSTALL)
        assert isinstance(raised.value.__cause__, TypeError)


def test_an_exception_is_not_held_when_it_was_handled() -> None:
    class Fault(Exception):
        pass

    def load(key: str) -> None:
        raise Fault

    references: list[weakref.ref[BaseException]] = []
    gc.disable()
    try:
        with new_engine(SimpleStore(load, print, print)) as engine:
            for install in (INSTALL, ""):
                try:
                    engine.details(install)
                except Exception as error:
                    references.append(weakref.ref(error))
        assert [reference() for reference in references] == [None, None]
    finally:
        gc.enable()


# ------------------------------------------------------------------------------------------------------------ reentry


def test_a_hook_that_calls_its_engine_gets_misuse(store: FaultyStore) -> None:
    def clock() -> float:
        for call in (lambda: own.details(INSTALL), own.close):
            with pytest.raises(Misuse):
                call()
        return 1643393464

    own = new_engine(store, clock=clock)
    assert own.register(INSTALL)
    assert not own.closed
    own.close()


def test_misuse_in_a_hook_does_not_take_what_another_hook_raised(store: FaultyStore) -> None:
    timeout = TimeoutError("no answer")

    def load(key: str) -> Optional[tuple[bytes, int]]:
        with pytest.raises(Misuse):
            own.details(INSTALL)
        if "save" in store.calls:
            raise StoreConflict("not from load")
        return store.load(key)

    store.fault("save", timeout)
    with new_engine(SimpleStore(load, store.save, store.remove)) as own, pytest.raises(StoreUnknown) as raised:
        own.register(INSTALL)
    assert isinstance(raised.value.__cause__, StoreConflict)


# ------------------------------------------------------------------------------------------------------- finalization


class Client:
    """A transport with a method."""

    def get(self, url: str) -> bytes:
        return b""


def test_hooks_are_let_go_at_close() -> None:
    before = len(_trampolines.SLOTS)
    store, client = DictionaryStore(), Client()
    references: list[Callable[[], object]] = [weakref.ref(store), weakref.ref(client)]
    engine = new_engine(store, clock=lambda: 1643393464, transport=client)
    assert len(_trampolines.SLOTS) == before + 3
    engine.register(INSTALL)
    engine.close()
    assert len(_trampolines.SLOTS) == before
    del store, client
    gc.collect()
    assert [reference() for reference in references] == [None, None]


def test_hooks_are_let_go_where_an_engine_is_refused() -> None:
    before = len(_trampolines.SLOTS)
    store = DictionaryStore()
    reference = weakref.ref(store)
    refused: list[dict[str, Any]] = [{"protocol": 5}, {"protocol": -1}, {"sdk_key": "\0"}, {"clock": 5}]
    for options in refused:
        with pytest.raises((ValueError, TypeError)):
            new_engine(store, **options)
    assert len(_trampolines.SLOTS) == before
    del store
    gc.collect()
    assert reference() is None


def test_an_engine_that_its_own_transport_holds_is_collected() -> None:
    class Service:
        def __init__(self) -> None:
            self.engine = new_engine(transport=self.get)

        def get(self, url: str) -> bytes:
            return b""

    before = len(_trampolines.SLOTS)
    service = Service()
    reference = weakref.ref(service)
    service.engine.register(INSTALL)
    del service
    gc.collect()
    assert reference() is None
    assert len(_trampolines.SLOTS) == before
