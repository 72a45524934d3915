"""What holds for all tests in Python."""

import os
import signal

import pytest
import shared_run


def pytest_configure() -> None:
    """Whoever runs this in the background may have it ignore signals, and so would all that is tested."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    shared_run.begin()


def pytest_unconfigure() -> None:
    shared_run.end()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselects tests that need a server or Chromium, if SKAN_SERVERS does not name it: `make check` starts none."""
    servers = os.environ.get("SKAN_SERVERS", "").split()

    def is_served(item: pytest.Item) -> bool:
        return all(mark.args[0] in servers for mark in item.iter_markers("server"))

    config.hook.pytest_deselected(items=[item for item in items if not is_served(item)])
    items[:] = filter(is_served, items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    """One that is left out has not passed, and nothing here may be left out."""
    report = yield
    if report.skipped:
        report.outcome = "failed"
    return report
