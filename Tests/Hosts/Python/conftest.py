"""Stores of companion libraries, each on one place of a test's own."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Callable

import pytest
from libskan import PostgresStore, RedisStore, SQLiteStore
from libskan._stores import CompanionStore
from servers import Server

# The servers that tests may start: none in `make check`.
SERVERS = [name for name in os.environ.get("SKAN_SERVERS", "").split() if name != "chromium"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselects tests that use a server which SKAN_SERVERS does not name."""
    missing = {"postgres", "redis"}.difference(SERVERS)

    def is_served(item: pytest.Item) -> bool:
        return missing.isdisjoint(getattr(item, "fixturenames", ()))

    config.hook.pytest_deselected(items=[item for item in items if not is_served(item)])
    items[:] = filter(is_served, items)


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


@pytest.fixture(params=["sqlite", *SERVERS])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], CompanionStore]:
    """Opens handles on the place."""
    if request.param == "sqlite":
        return lambda: SQLiteStore(tmp_path / "installs.db", synchronous="normal")
    url, name = request.getfixturevalue(request.param).url, f"t{abs(hash(request.node.name)):x}"
    if request.param == "redis":
        return lambda: RedisStore(url, prefix=name)
    return lambda: PostgresStore(url, table=name, create_table=True)
