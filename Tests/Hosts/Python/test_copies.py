"""Objects that own something of C's have no copies, which would end it twice."""

import copy
import pickle
from pathlib import Path
from typing import Callable

import pytest
from engines import new_async_engine, new_engine
from libskan import ConversionModel, HTTPTransport, SQLiteStore
from libskan.postback import Keys, Receiver

MODEL = '{"schema": 1, "id": "m", "windows": [{"rules": [{"fine": 3}]}, {"rules": []}, {"rules": []}]}'


@pytest.fixture(params=["Engine", "AsyncEngine", "ConversionModel", "SQLiteStore", "HTTPTransport", "Keys", "Receiver"])
def owner(request: pytest.FixtureRequest, tmp_path: Path) -> object:
    makers: dict[str, Callable[[], object]] = {
        "Engine": new_engine,
        "AsyncEngine": new_async_engine,
        "ConversionModel": lambda: ConversionModel(MODEL),
        "SQLiteStore": lambda: SQLiteStore(tmp_path / "installs.db"),
        "HTTPTransport": HTTPTransport,
        "Keys": lambda: Keys([]),
        "Receiver": lambda: Receiver(SQLiteStore(tmp_path / "postbacks.db")),
    }
    return makers[request.param]()


@pytest.mark.parametrize("attempt", [copy.copy, copy.deepcopy, pickle.dumps])
def test_it_is_refused(owner: object, attempt: Callable[[object], object]) -> None:
    with pytest.raises(TypeError, match=f"^cannot copy or pickle a {type(owner).__name__}: make another one$"):
        attempt(owner)
