"""A journey of README, "Endpoint": games that use the HTTP transport, and skan serve, each with its defaults."""

import subprocess
import time

import pytest
from programs import LANGUAGES, program
from served import Served


@pytest.fixture
def served(tmp_path):
    server = Served(tmp_path)
    yield server
    assert server.stop() == 0


class Calls:
    """A program that makes calls."""

    def __init__(self, language, url, players, calls):
        self.process = subprocess.Popen(
            [*program("calls", language), url, str(players), str(calls)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)

    def wait_for_answers(self):
        """Until each player has had one."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "ready\n"

    def end(self):
        """How many calls were answered; none is lost."""
        said, _ = self.process.communicate(timeout=600)
        answered, _, rest = said.splitlines()[-1].partition(" ")
        assert rest == "answered, 0 lost", said
        return int(answered)


@pytest.fixture
def begin_calls():
    """Begins calls; a program that a failed test leaves behind would go on for ever, and is killed."""
    begun = []

    def begin(*arguments, **more):
        begun.append(Calls(*arguments, **more))
        return begun[-1]

    yield begin
    for calls in begun:
        calls.process.kill()
        calls.process.wait()


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_500_calls_at_once_none_is_lost(served, begin_calls, language):
    assert begin_calls(language, served.url, players=500, calls=1).end() == 500


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_endpoint_that_is_gone_for_a_second_costs_no_call(served, begin_calls, language):
    calls = begin_calls(language, served.url, players=50, calls=0)
    calls.wait_for_answers()
    assert served.stop() == 0
    time.sleep(1)
    assert served.start()
    calls.wait_for_answers()
    assert calls.end() > 100
