"""What a newcomer gives where something else belongs: the message names the argument, what it takes and what to do."""

import io
import time
from pathlib import Path
from typing import Any, Callable

import pytest
from engines import ENDPOINT
from libskan import (
    ConversionModel,
    Engine,
    HTTPTransport,
    InvalidArgument,
    PostgresStore,
    RedisStore,
    SQLiteStore,
    store_kit,
)
from stores import DictionaryStore

MODEL = Path(__file__).resolve().parents[3] / "Sources" / "SKANModels" / "mixed.json"


class Stranger:
    """Has none of the methods."""


class Halfway:
    """Has some of the methods."""

    def load(self, key: str) -> None:
        return None

    save = "not a function"


class Numbered(DictionaryStore):
    """Has what it may have, but not as a method."""

    load_many = 5


class Swapped(DictionaryStore):
    """Has all methods, one with other arguments."""

    def save(self, key: str) -> int:  # type: ignore[override]
        return 0


def given(*arguments: Any, **named: Any) -> Callable[[], object]:
    return lambda: Engine(*arguments, **named)


MISTAKES: dict[str, tuple[Callable[[], object], list[str]]] = {
    "a path in the first place": (given("players.db"), ["store must be", "not str", "SQLiteStore(path)"]),
    "a Path as store": (given(store=Path("players.db")), ["store must be", "not PosixPath", "SQLiteStore(path)"]),
    "a URL as store": (given(store="postgres://u:secret@db/game"), ["store must be", "PostgresStore(url)"]),
    "an SDK key in the first place": (given("secret-key"), ["store must be", "load, save and remove"]),
    "a class as store": (given(SQLiteStore), ["store must be", "the class SQLiteStore", "call it"]),
    "another object as store": (given(Stranger()), ["store must be", "not Stranger", "which has no load"]),
    "half a store": (given(Halfway()), ["store must be", "not Halfway", "no callable save"]),
    "a store of other arguments": (given(Swapped()), ["store must be", "whose save does not take 3 arguments"]),
    "a number as method": (given(Numbered()), ["a store's load_many must be callable", "not int"]),
    "the time as clock": (given(clock=time.time()), ["clock must be", "time.time", "not float"]),
    "a transport in the second place": (given(None, lambda url: b""), ["clock must be", "without arguments"]),
    "a URL as transport": (given(transport="https://x/?a=secret"), ["transport must be", "HTTPTransport()", "not str"]),
    "a class as transport": (given(transport=HTTPTransport), ["transport must be", "the class HTTPTransport"]),
    "a transport without an argument": (given(transport=lambda: b""), ["transport must be", "takes a URL"]),
    "a file's name as models": (given(models="file.json"), ["models must be", "not str", "ConversionModel(document)"]),
    "a Path as models": (given(models=MODEL), ["models must be", "not PosixPath", "ConversionModel(document)"]),
    "a document as models": (given(models={"schema": 1}), ["models must be", "not dict", "ConversionModel(document)"]),
    "bytes as models": (given(models=b"{}"), ["models must be", "not bytes"]),
    "a model as models": (
        lambda: Engine(models=ConversionModel(MODEL.read_bytes())),  # type: ignore[arg-type]
        ["models must be", "models=[model]"],
    ),
    "a file's name among models": (
        lambda: Engine(models=[ConversionModel(MODEL.read_bytes()), "file.json"]),  # type: ignore[list-item]
        ["models[1] must be ConversionModel", "not str", "ConversionModel(document)"],
    ),
    "None as models": (given(models=None), ["models must be", "not NoneType"]),
    "a text as protocol": (given(protocol="4"), ["protocol must be int, not str"]),
    "bytes as SDK key": (given(sdk_key=b"secret"), ["sdk_key must be str, not bytes"]),
    "no path": (lambda: SQLiteStore(None), ["path must be str or os.PathLike, not NoneType"]),  # type: ignore[arg-type]
    "a file as path": (lambda: SQLiteStore(io.BytesIO()), ["path must be str", "not BytesIO"]),  # type: ignore[arg-type]
    "a text as time-out": (lambda: SQLiteStore("x", busy_timeout="5"), ["busy_timeout must be int or float, not str"]),  # type: ignore[arg-type]
    "no URL": (lambda: PostgresStore(None), ["url must be str, not NoneType"]),  # type: ignore[arg-type]
    "a text as flag": (lambda: PostgresStore("", create_table="no"), ["create_table must be bool, not str"]),  # type: ignore[arg-type]
    "a number as flag": (lambda: PostgresStore("", pooled=1), ["pooled must be bool, not int"]),  # type: ignore[arg-type]
    "a text as Redis' flag": (lambda: RedisStore("", allow_eviction="no"), ["allow_eviction must be bool, not str"]),  # type: ignore[arg-type]
    "a text as HTTP time-out": (lambda: HTTPTransport(timeout="5"), ["timeout must be int or float, not str"]),  # type: ignore[arg-type]
    "a text as attempts": (lambda: HTTPTransport(max_attempts="3"), ["max_attempts must be int, not str"]),  # type: ignore[arg-type]
    "a number as file": (lambda: HTTPTransport(ca_file=5), ["ca_file must be str or os.PathLike, not int"]),  # type: ignore[arg-type]
    "an open store in the kit": (
        lambda: store_kit.run(DictionaryStore(), durable=False, shared=False),  # type: ignore[arg-type]
        ["open_store must be a callable", "not DictionaryStore"],
    ),
    "a text as the kit's number": (
        lambda: store_kit.run(DictionaryStore, durable=False, shared=False, threads="2"),  # type: ignore[arg-type]
        ["threads must be int, not str"],
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_message_says_what_belongs_there(mistake: str) -> None:
    call, words = MISTAKES[mistake]
    with pytest.raises(TypeError) as refused:
        call()
    message = str(refused.value)
    for word in words:
        assert word in message
    assert "secret" not in message


def test_the_name_of_a_file_is_no_model() -> None:
    with pytest.raises(ValueError, match=r"not a JSON object at byte 0 \(line 1, column 1\), in \"retention\.json\""):
        ConversionModel("retention.json")


def test_a_receiver_names_the_stores_that_it_takes() -> None:
    postback = pytest.importorskip("libskan.postback")
    with pytest.raises(
        InvalidArgument, match=r"expected PostgresStore\(url\), RedisStore\(url\) or SQLiteStore\(path\), got str"
    ):
        postback.Receiver("postbacks.db")


def test_what_is_right_in_other_ways_is_taken() -> None:
    class Transport:
        def get(self, url: str, /, timeout: float = 1) -> bytes:
            return b'{"conversion_value":5}'

    class Clock:
        def __call__(self, zone: object = None) -> float:
            return time.time()

    class Listing(DictionaryStore):
        def list(self) -> list[str]:
            return list(self.records)

    models = (ConversionModel(text) for text in [MODEL.read_bytes()])
    for options in (
        {"endpoint_url": ENDPOINT, "clock": time.time, "transport": Transport()},
        {"endpoint_url": ENDPOINT, "clock": Clock(), "transport": lambda *urls: b""},
        {"models": models},
        {"endpoint_url": ENDPOINT, "store": Listing()},
    ):
        with Engine(**options) as engine:
            assert engine.register("player-1")
