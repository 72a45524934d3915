"""Stores of companion libraries: what they keep, whose words their errors have, who closes them."""

import gc
import logging
import multiprocessing
import os
import shutil
import signal
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from engines import new_async_engine, new_engine
from libskan import (
    HTTPTransport,
    InvalidArgument,
    Misuse,
    Outcome,
    PostgresStore,
    RedisStore,
    SkanError,
    SQLiteStore,
    Status,
    StoreError,
    StoreUnknown,
    _companions,
)
from libskan._stores import CompanionStore
from libskan.postback import Receiver
from servers import Server

Opener = Callable[[], CompanionStore]


def test_an_engine_owns_its_store(tmp_path: Path) -> None:
    store = SQLiteStore(tmp_path / "installs.db")
    with new_engine(store):
        for use in (lambda: new_engine(store), lambda: store.load("key"), lambda: store.save("key", b"a", 0)):
            with pytest.raises(Misuse, match="an engine owns it"):
                use()
        store.close()
    with SQLiteStore(tmp_path / "installs.db") as closed:
        pass
    for gone in (store, closed):
        with pytest.raises(Misuse, match="closed"):
            new_engine(gone)


@pytest.mark.parametrize(
    ("make", "refused"),
    [
        (lambda store: new_engine(store, protocol=7), InvalidArgument),  # by C
        (lambda store: new_engine(store, protocol=-1), InvalidArgument),
        (lambda store: new_engine(store, sdk_key="a\0b"), InvalidArgument),
        (lambda store: new_engine(store, clock=1), TypeError),  # type: ignore[arg-type]
        (lambda store: new_async_engine(store, threads=0), InvalidArgument),
        (lambda store: new_async_engine(store, transport=1), TypeError),  # type: ignore[arg-type]
        (lambda store: Receiver(store, refused_bytes_in_all=-1), InvalidArgument),
        (lambda store: Receiver(store, app_ids=[-1]), InvalidArgument),
    ],
)
def test_a_store_is_closed_where_its_owner_cannot_be_made(
    make: Callable[[CompanionStore], object], refused: type[Exception], tmp_path: Path
) -> None:
    store = SQLiteStore(tmp_path / "installs.db")
    with pytest.raises(refused):
        make(store)
    assert not (tmp_path / "installs.db-wal").exists()
    with pytest.raises(Misuse, match="closed"):
        new_engine(store)


def test_a_store_of_another_engine_stays_open_where_an_engine_cannot_be_made(tmp_path: Path) -> None:
    store = SQLiteStore(tmp_path / "installs.db")
    with new_engine(store) as engine:
        with pytest.raises(InvalidArgument):
            new_engine(store, protocol=-1)
        assert engine.register("player-1")


def test_the_child_of_a_fork_finds_the_locks_free(tmp_path: Path) -> None:
    """Whatever other threads held when the process was forked."""
    store, receiver = SQLiteStore(tmp_path / "installs.db"), Receiver(SQLiteStore(tmp_path / "postbacks.db"))
    with store._lock, receiver._lock, _companions._lock:
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            SQLiteStore(tmp_path / "other.db").close()
            HTTPTransport()
            receiver.close()
            store.close()
            os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    receiver.close()
    store.close()


def test_a_store_that_nobody_closes_is_closed(tmp_path: Path) -> None:
    store = SQLiteStore(tmp_path / "installs.db")
    assert (tmp_path / "installs.db-wal").exists()
    del store
    gc.collect()
    assert not (tmp_path / "installs.db-wal").exists()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of a store, to be moved away from under it."""
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def test_errors_have_the_words_of_sqlite(folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    told: list[SkanError] = []
    for report in (told.append, logging.getLogger("game.skan")):
        with new_engine(SQLiteStore(folder / "installs.db", report=report)) as engine:
            engine.register("player-1")
            shutil.move(folder, tmp_path / "elsewhere")
            with pytest.raises(StoreError, match=r"installs\.db") as caught:
                engine.update_revenue("player-1", 1, "USD")
            assert told[0] is caught.value or caplog.messages == [f"STORE: {caught.value.message}"]
            shutil.move(tmp_path / "elsewhere", folder)
            assert engine.update_revenue("player-1", 1, "USD") is Outcome.OK
    assert (len(told), len(caplog.messages)) == (1, 1)
    with SQLiteStore(folder / "installs.db") as store:
        shutil.move(folder, tmp_path / "elsewhere")
        for use in (lambda: store.load("key"), lambda: store.save("key", b"a", 0), lambda: store.remove("key", 1)):
            with pytest.raises(StoreError, match=r"installs\.db"):
                use()
        assert all(isinstance(answer, StoreError) for answer in store.load_many(["a", "b"]))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_a_report_raises(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(error: SkanError) -> None:
        raise raised[0]

    shown: list[BaseException | None] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: shown.append(unraisable.exc_value))

    raised: list[BaseException] = [ValueError("the log is full")]
    with new_engine(SQLiteStore(folder / "installs.db", report=fail)) as engine:
        shutil.move(folder, tmp_path / "elsewhere")
        with pytest.raises(StoreError, match=r"installs\.db"):
            engine.register("player-1")
        assert shown == raised
        raised[0] = KeyboardInterrupt()
        with pytest.raises(KeyboardInterrupt):
            engine.register("player-1")
    shutil.move(tmp_path / "elsewhere", folder)
    with SQLiteStore(folder / "installs.db", report=fail) as store:
        shutil.move(folder, tmp_path / "elsewhere")
        with pytest.raises(KeyboardInterrupt):
            store.save("key", b"a", 0)
        with pytest.raises(KeyboardInterrupt):
            store.load_many(["a", "b"])
        raised[0] = ValueError("the log is full")
        with pytest.raises(StoreError, match=r"installs\.db"):
            store.save("key", b"a", 0)


def test_a_status_without_a_report_of_its_own_has_words(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "installs.db") as store:
        assert store.load("key") is None
        assert str(store._failure(120)) == "the store answered 120"
        store._tell(Status.STORE, b"the disk is full")
        assert store._failure(120).message == "the disk is full"
        assert isinstance(store._failure(Status.STORE_UNKNOWN), StoreUnknown)


def test_what_cannot_be_opened_is_refused(tmp_path: Path, postgres: Server) -> None:
    with pytest.raises(StoreError, match=r"none/installs\.db"):
        SQLiteStore(tmp_path / "none" / "installs.db")
    with pytest.raises(StoreError, match="skan_records"):
        PostgresStore(postgres.url)
    path, url = tmp_path / "installs.db", postgres.url
    # What C refuses is for Tests/Stores.
    refused: list[Callable[[], CompanionStore]] = [
        lambda: SQLiteStore("a\0b"),
        lambda: SQLiteStore(path, synchronous="off"),
        lambda: SQLiteStore(path, busy_timeout=0),
        lambda: SQLiteStore(path, busy_timeout=float("nan")),
        lambda: SQLiteStore(path, busy_timeout=3600.1),
        lambda: SQLiteStore(path, max_connections=0),
        lambda: SQLiteStore(path, max_connections=1 << 32),
        lambda: PostgresStore(url, timeout=-1),
        lambda: RedisStore("redis://localhost", connect_timeout=0),
        lambda: RedisStore("redis://localhost", expire_days_after_close=0),
    ]
    for use in refused:
        with pytest.raises(InvalidArgument):
            use()
    assert not path.exists()
    with pytest.raises(TypeError):
        SQLiteStore(path, report="a file")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        SQLiteStore(path, max_connections="8")  # type: ignore[arg-type]


def test_a_store_may_be_used_after_a_fork(opened: Opener) -> None:
    def buy() -> None:
        for _ in range(10):
            engine.update_revenue("player-1", 1, "USD")

    with new_engine(opened()) as engine:
        engine.register("player-1")
        children = [multiprocessing.get_context("fork").Process(target=buy) for _ in range(3)]
        for child in children:
            child.start()
        buy()
        for child in children:
            child.join()
            assert child.exitcode == 0
        assert engine.details("player-1").iap_revenue == {"USD": Decimal(40)}
