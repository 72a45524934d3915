"""The stores that the command is tested on: one of each kind that is built."""

import functools
import subprocess

import shared_run
import tools


@functools.cache
def server(kind, url, *settings):
    """The URL, as the script names it, of a server that all tests of this run share. It ends when the run does."""

    def started():
        run = subprocess.run(
            [tools.TOP / f"Tests/Trouble/Servers/{kind}.sh", "start", "--for", str(shared_run.owner()), *settings],
            stdout=subprocess.PIPE, check=True, text=True,
        )
        return run.stdout

    said = shared_run.once("-".join([kind, *settings]).replace("/", "_"), started)
    return dict(line.split("=", 1) for line in said.splitlines())[url]


def postgres_database():
    database, name = server("postgres", "url", "fsync=off"), f"test_{shared_run.number()}"
    subprocess.run(["psql", "-q", database, "-c", f"CREATE DATABASE {name}"], check=True)
    return database.replace("/postgres?", f"/{name}?", 1)


def fresh(case, kind, name):
    """The URL of an empty store of the test's own: on a server, or in a file."""
    if kind == "postgres":
        return postgres_database()
    if kind == "redis":
        return f"{server('redis', 'tcp_url', 'databases=10000', 'appendfsync=no').rstrip('/')}/{shared_run.number()}"
    return f"{kind}:{case.file(f'{name}.db')}"


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
