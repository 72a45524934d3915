"""Runs the tests of postbacks in skan serve: run.py [NAME ...], names as unittest has them; else all."""

import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main():
    sys.path.insert(0, str(HERE))
    loader = unittest.TestLoader()
    names = sys.argv[1:]
    suite = loader.loadTestsFromNames(names) if names else loader.discover(str(HERE), pattern="test_*.py")
    result = unittest.TextTestRunner(verbosity=1, buffer=True).run(suite)
    # A test whose parts fail is one; one that is left out has not passed, and nothing here may be left out.
    troubles = [test for test, _ in result.failures + result.errors + result.skipped]
    failed = len({getattr(test, "test_case", test).id() for test in troubles})
    print(f"outbox: {result.testsRun - failed} passed, {failed} failed")
    return 0 if failed == 0 and result.testsRun > 0 else 1


sys.exit(main())
