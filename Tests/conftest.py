"""What holds for all tests in Python."""

import signal

import pytest


def pytest_configure() -> None:
    """Whoever runs this in the background may have it ignore signals, and so would all that is tested."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    """One that is left out has not passed, and nothing here may be left out."""
    report = yield
    if report.skipped:
        report.outcome = "failed"
    return report
