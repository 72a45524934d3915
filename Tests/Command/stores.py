"""The stores that the command is tested on: one of each kind that is built."""

import functools
import itertools
import os
import subprocess

import tools

_numbers = itertools.count(1)


@functools.lru_cache(maxsize=None)
def postgres_server():
    """The URL of this run's own PostgreSQL server, which ends when the run does."""
    run = subprocess.run(
        [tools.TOP / "Tests/Trouble/Servers/postgres.sh", "start", "--for", str(os.getpid()), "fsync=off"],
        stdout=subprocess.PIPE, check=True, text=True,
    )
    return dict(line.split("=", 1) for line in run.stdout.splitlines())["url"]


def postgres_database():
    server = postgres_server()
    name = f"test_{next(_numbers)}"
    subprocess.run(["psql", "-q", server, "-c", f"CREATE DATABASE {name}"], check=True)
    return server.replace("/postgres?", f"/{name}?", 1)


@functools.lru_cache(maxsize=None)
def redis_server():
    """The URL of this run's own Redis server, which ends when the run does."""
    run = subprocess.run(
        [tools.TOP / "Tests/Trouble/Servers/redis.sh", "start", "--for", str(os.getpid()), "databases=10000", "appendfsync=no"],
        stdout=subprocess.PIPE, check=True, text=True,
    )
    return dict(line.split("=", 1) for line in run.stdout.splitlines())["tcp_url"]


def redis_database():
    return f"{redis_server().rstrip('/')}/{next(_numbers)}"


def fresh(case, kind, name):
    """The URL of an empty store of the test's own."""
    if kind == "sqlite":
        return case.sqlite(f"{name}.db")
    if kind == "postgres":
        return postgres_database()
    if kind == "redis":
        return redis_database()
    raise ValueError(f"no such kind of store: {kind}")


def each_store(test):
    """Runs the test with every kind and an empty store of it."""

    @functools.wraps(test)
    def run(case):
        for kind in tools.KINDS:
            with case.subTest(store=kind):
                test(case, kind, fresh(case, kind, f"{test.__name__}-{kind}"))

    return run


def each_pair(test):
    """Runs the test with every kind of store to move from, and every kind to move to."""

    @functools.wraps(test)
    def run(case):
        for source in tools.KINDS:
            for target in tools.KINDS:
                with case.subTest(source=source, target=target):
                    name = f"{test.__name__}-{source}-{target}"
                    test(case, fresh(case, source, f"{name}-from"), fresh(case, target, f"{name}-to"))

    return run
