"""Many amounts in one call, stores that load and save many, and records read without an engine."""

from collections.abc import Iterable, Sequence
from typing import Any, Callable, Optional, Union

import pytest
from engines import new_engine
from libskan import (
    ClockError,
    CorruptRecord,
    Engine,
    InvalidArgument,
    LimitExceeded,
    ManyResult,
    Misuse,
    RecordTooNew,
    RevenueItem,
    Save,
    Status,
    StoreConflict,
    StoreError,
    read_record,
)
from stores import DictionaryStore

OK, DUPLICATE = Status.OK, Status.DUPLICATE_EVENT
Loaded = Union[tuple[bytes, int], Exception, None]
Saved = Union[int, Exception]


class ManyStore(DictionaryStore):
    """Loads and saves many, and lets a test change what it answers."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: list[int] = []
        self.unsaved: dict[str, Exception] = {}
        self.change_loads: Callable[[Sequence[str], list[Loaded]], Any] = lambda _, answers: answers
        self.change_saves: Callable[[Sequence[Save], list[Saved]], Any] = lambda _, answers: answers

    def load_many(self, keys: Sequence[str]) -> Iterable[Loaded]:
        self.counts.append(len(keys))
        answers: Iterable[Loaded] = self.change_loads(keys, [self.load(key) for key in keys])
        return answers

    def save_many(self, saves: Sequence[Save]) -> Iterable[Saved]:
        self.counts.append(len(saves))
        answers: list[Saved] = []
        for save in saves:
            if save.key in self.unsaved:
                answers.append(self.unsaved[save.key])
                continue
            try:
                answers.append(self.save(*save))
            except StoreConflict as conflict:
                answers.append(conflict)
        changed: Iterable[Saved] = self.change_saves(saves, answers)
        return changed


def mixed() -> list[RevenueItem]:
    """Three items of "a", with one of "b" between them."""
    return [
        RevenueItem("a", 1, "USD", event_id="1"),
        RevenueItem("b", 2.0, "USD"),
        RevenueItem("a", 4, "USD", event_id="1"),
        RevenueItem("a", 8, "USD"),
    ]


def total(engine: Engine, install_id: str) -> Optional[int]:
    revenue = engine.details(install_id).iap_revenue.get("USD")
    return None if revenue is None else int(revenue)


def only(key: str, fault: Exception) -> Callable[[Sequence[Any], list[Any]], list[Any]]:
    """Answers with a fault for one key."""

    def change(asked: Sequence[Any], answers: list[Any]) -> list[Any]:
        names = [one.key if isinstance(one, Save) else one for one in asked]
        return [fault if name == key else answer for name, answer in zip(names, answers)]

    return change


@pytest.mark.parametrize("hook", ["load_many", "save_many"])
def test_a_store_may_offer_one_of_them(hook: str) -> None:
    store = ManyStore()
    setattr(store, hook, None)
    with new_engine(store) as engine:
        result = engine.update_revenue_many(iter(mixed()))
        assert result
        assert result.statuses == (OK, OK, DUPLICATE, OK)
        assert store.counts == [2]
        assert (total(engine, "a"), total(engine, "b")) == (9, 2)


def test_items_that_c_never_sees_are_told_and_counted_as_others() -> None:
    """What C refuses of an item is in the vectors."""
    store = ManyStore()
    store.change_loads = only("b", StoreError("down"))
    with new_engine(store) as engine:
        good, down = RevenueItem("a", 3, "USD"), RevenueItem("b", 1, "USD")
        for wrong, message in (
            (RevenueItem("a\0", 1, "USD"), "install_id: NUL at byte 1"),
            (RevenueItem("\udc00", 1, "USD"), "install_id: lone surrogate at index 0"),
            (RevenueItem("a", 10**400, "USD"), "amount: expected a finite number between -1e12 and 1e12, got more"),
        ):
            engine.forget("a")
            result = engine.update_revenue_many([good, wrong, good, RevenueItem("a", 1, "US"), down])
            refused = Status.INVALID_ARGUMENT
            assert result.statuses == (OK, refused, OK, refused, Status.STORE)
            assert isinstance(result.error, InvalidArgument)
            assert result.error.message == f"items[1]: {message}"
            assert total(engine, "a") == 6
            result = engine.update_revenue_many([good, RevenueItem("a", 1, "US"), wrong])
            assert str(result.error).startswith("items[1]: currency: ")


def test_the_error_of_one_amount_of_a_reengagement_names_no_list() -> None:
    """Python counts it by the call of many amounts, whose errors begin with the item."""
    with new_engine() as engine, pytest.raises(InvalidArgument, match=r"^currency: "):
        engine.update_revenue("player-1", 1, "DOLLAR", reengagement=1)


def test_what_is_wrong_with_the_call_is_raised() -> None:
    with new_engine() as engine:
        with pytest.raises(LimitExceeded, match="65537"):
            engine.update_revenue_many([RevenueItem("a", 1, "USD")] * 65537)
        with pytest.raises(TypeError):
            engine.update_revenue_many([RevenueItem("a", "1", "USD")])  # type: ignore[arg-type]
        assert total(engine, "a") is None
        assert len(engine.update_revenue_many([RevenueItem("a", 1, "USD")] * 65536).statuses) == 65536
        assert total(engine, "a") == 65536
    with pytest.raises(Misuse, match="closed"):
        engine.update_revenue_many(mixed())
    with new_engine(clock=lambda: 1 // 0) as engine, pytest.raises(ClockError) as raised:
        engine.update_revenue_many(mixed())
    assert isinstance(raised.value.__cause__, ZeroDivisionError)


def words_of(result: ManyResult) -> str:
    """Those that the hook raised."""
    return str((result.error and result.error.__cause__) or result.error)


def test_what_a_load_raises_is_of_its_install() -> None:
    store = ManyStore()
    store.change_loads = only("a", OSError("down"))
    with new_engine(store) as engine:
        result = engine.update_revenue_many(mixed())
        assert result.statuses == (Status.STORE, OK, Status.STORE, Status.STORE)
        assert isinstance(result.error, StoreError)
        assert isinstance(result.error.__cause__, OSError)


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (StoreError("full"), Status.STORE),
        (StoreConflict("no"), Status.STORE_CONFLICT),
        (OSError("?"), Status.STORE_UNKNOWN),
    ],
)
def test_what_a_save_raises_is_of_its_install(fault: Exception, status: Status) -> None:
    store = ManyStore()
    store.unsaved = {"a": fault}
    with new_engine(store) as engine:
        result = engine.update_revenue_many(mixed())
        # An event id that came only just now is counted with its first item or not at all.
        assert result.statuses == (status, OK, status, status)
        assert (total(engine, "a"), total(engine, "b")) == (None, 2)


def test_the_error_is_that_of_the_first_item_that_failed() -> None:
    """A later item that fails in the same way does not replace what the first one raised."""
    store = ManyStore()
    with new_engine(store) as engine:
        store.change_loads = lambda _, answers: [OSError(f"load {number}") for number in range(len(answers))]
        assert words_of(engine.update_revenue_many(mixed())) == "load 0"
        store.change_loads = lambda _, answers: answers
        for kind in (OSError, StoreError):
            store.unsaved = {"a": kind("save of a"), "b": kind("save of b")}
            assert words_of(engine.update_revenue_many(mixed())) == "save of a"


def test_the_error_of_many_batches_is_that_of_the_first() -> None:
    store = ManyStore()

    def fail(keys: Sequence[str], _: object) -> Any:
        raise OSError(f"{len(keys)} keys")

    store.change_loads = fail
    with new_engine(store) as engine:
        result = engine.update_revenue_many(RevenueItem(f"player-{number}", 1, "USD") for number in range(1025))
        assert store.counts == [1024, 1]
        assert words_of(result) == "1024 keys"


@pytest.mark.parametrize("hook", ["load", "save"])
def test_a_store_of_single_records_raises_for_the_first_item(hook: str) -> None:
    class Failing(DictionaryStore):
        def load(self, key: str) -> Optional[tuple[bytes, int]]:
            if hook == "load":
                raise OSError(key)
            return super().load(key)

        def save(self, key: str, data: bytes, expected_version: int) -> int:
            raise StoreError(key)

    with new_engine(Failing()) as engine:
        assert words_of(engine.update_revenue_many(mixed())) == "a"


def refuse(*_: object) -> Any:
    raise StoreError("down")


def forget_one(_: object, answers: list[Any]) -> list[Any]:
    return answers[:-1]


@pytest.mark.parametrize(
    ("hook", "change", "words"),
    [("loads", refuse, "down"), ("saves", refuse, "down"), ("loads", forget_one, "must give 2 answers, not 1")],
)
def test_a_hook_that_fails_fails_for_all(hook: str, change: Callable[..., Any], words: str) -> None:
    store = ManyStore()
    setattr(store, f"change_{hook}", change)
    with new_engine(store) as engine:
        result = engine.update_revenue_many(mixed())
        assert result.statuses == (Status.STORE,) * 4
        assert words in words_of(result)


def test_saves_without_answers_are_found_applied() -> None:
    store = ManyStore()
    store.change_saves = lambda _, answers: answers[:-1] if len(store.counts) < 4 else answers
    with new_engine(store) as engine:
        assert engine.update_revenue_many(mixed()).statuses == (OK, OK, DUPLICATE, OK)
        assert total(engine, "a") == 9


def test_bad_answers_are_failures() -> None:
    store = ManyStore()
    for answer in (5, (b"x", 0), ("x", 1), (b"x" * (1 << 20) + b"x", 1)):
        store.change_loads = lambda _, answers, answer=answer: [answer, *answers[1:]]  # type: ignore[misc]
        with new_engine(store) as engine:
            result = engine.update_revenue_many([RevenueItem("a", 1, "USD")])
            assert result.statuses == (Status.STORE,), answer


def test_an_interrupt_comes_out() -> None:
    store = ManyStore()

    def interrupt(*_: object) -> Any:
        raise KeyboardInterrupt

    store.change_saves = interrupt
    with new_engine(store) as engine, pytest.raises(KeyboardInterrupt):
        engine.update_revenue_many(mixed())


@pytest.mark.parametrize("protocol", [3, 4])
def test_a_record_is_read_without_an_engine(protocol: int) -> None:
    store = DictionaryStore()
    with new_engine(store, clock=lambda: 1_700_000_000, protocol=protocol) as engine:
        engine.update_revenue("a", 4.99, "USD")
        record = read_record(store.records["a"][0])
        assert (record.protocol, record.first_timestamp, record.closes_at) == (protocol, None, None)
        engine.register("a")
        record = read_record(memoryview(store.records["a"][0]))
        assert (record.first_timestamp, record.last_timestamp) == (1_700_000_000, 1_700_000_000)
        assert record.closes_at == 1_700_000_000 + (35 if protocol == 4 else 1) * 86_400
        assert record.details == engine.details("a")


def test_a_record_that_is_none_is_refused() -> None:
    for data, kind in ((b"", CorruptRecord), (b"x", RecordTooNew), (b"\1" * 200, CorruptRecord)):
        with pytest.raises(kind, match="record"):
            read_record(data)
    with pytest.raises(TypeError):
        read_record("text")  # type: ignore[arg-type]
