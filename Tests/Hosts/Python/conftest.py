"""Stores of companion libraries, each on one place of a test's own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Callable

import pytest
from libskan import PostgresStore, RedisStore, SQLiteStore
from libskan._stores import CompanionStore
from servers import Server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    server = Server("postgres", "fsync=off")
    yield server
    server.remove()


@pytest.fixture(scope="session")
def redis() -> Iterator[Server]:
    server = Server("redis", "appendfsync=no")
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgres", "redis"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], CompanionStore]:
    """Opens handles on the place."""
    if request.param == "sqlite":
        return lambda: SQLiteStore(tmp_path / "installs.db", synchronous="normal")
    url, name = request.getfixturevalue(request.param).url, f"t{abs(hash(request.node.name)):x}"
    if request.param == "redis":
        return lambda: RedisStore(url, prefix=name)
    return lambda: PostgresStore(url, table=name, create_table=True)
