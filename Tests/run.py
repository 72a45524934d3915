"""Runs the Python tests of a folder: run.py FOLDER [NAME ...], names as unittest has them; else all."""

import sys
import unittest
from pathlib import Path


def main():
    folder = Path(sys.argv[1]).resolve()
    sys.path[0] = str(folder)
    loader = unittest.TestLoader()
    names = sys.argv[2:]
    suite = loader.loadTestsFromNames(names) if names else loader.discover(str(folder), pattern="test_*.py")
    result = unittest.TextTestRunner(verbosity=1, buffer=True).run(suite)
    # A test whose parts fail is one; one that is left out has not passed, and nothing here may be left out.
    troubles = [test for test, _ in result.failures + result.errors + result.skipped]
    failed = len({getattr(test, "test_case", test).id() for test in troubles})
    print(f"{folder.name.lower()}: {result.testsRun - failed} passed, {failed} failed")
    return 0 if failed == 0 and result.testsRun > 0 else 1


sys.exit(main())
