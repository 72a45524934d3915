"""Runs the Python tests of a folder: run.py FOLDER [NAME ...], names as unittest has them; else all."""

import faulthandler
import signal
import sys
import unittest
from pathlib import Path

# A test that takes longer hangs: the run ends, and says where.
TEST_SECONDS = 1200


class Result(unittest.TextTestResult):
    def startTest(self, test):
        faulthandler.dump_traceback_later(TEST_SECONDS, exit=True, file=sys.__stderr__)
        super().startTest(test)

    def stopTest(self, test):
        super().stopTest(test)
        faulthandler.cancel_dump_traceback_later()


def main():
    # Whoever runs this in the background may have it ignore them, and so would all that is tested.
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    folder = Path(sys.argv[1]).resolve()
    sys.path[0] = str(folder)
    loader = unittest.TestLoader()
    names = sys.argv[2:]
    suite = loader.loadTestsFromNames(names) if names else loader.discover(str(folder), pattern="test_*.py")
    result = unittest.TextTestRunner(verbosity=1, buffer=True, resultclass=Result).run(suite)
    # A test whose parts fail is one; one that is left out has not passed, and nothing here may be left out.
    troubles = [test for test, _ in result.failures + result.errors + result.skipped]
    failed = len({getattr(test, "test_case", test).id() for test in troubles})
    print(f"{folder.name.lower()}: {result.testsRun - failed} passed, {failed} failed")
    return 0 if failed == 0 and result.testsRun > 0 else 1


sys.exit(main())
