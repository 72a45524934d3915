"""What the processes of one run of pytest share: those that pytest-xdist starts, or the only one."""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

FOLDER = "SKAN_TEST_RUN"


def begin() -> None:
    """Makes the run's folder. The workers are started later, and find it in their environment."""
    if FOLDER not in os.environ:
        os.environ[FOLDER] = tempfile.mkdtemp(prefix="skan-run-")
        (_folder() / "owner").write_text(str(os.getpid()))


def end() -> None:
    """Removes the folder, in the process that made it."""
    if FOLDER in os.environ and owner() == os.getpid():
        shutil.rmtree(os.environ.pop(FOLDER))


def owner() -> int:
    """The id of the process that began the run: servers of the run end when it does."""
    return int((_folder() / "owner").read_text())


def once(name: str, text: Callable[[], str]) -> str:
    """The text that the first process of the run that asked for the name made."""
    with _locked():
        file = _folder() / name
        if not file.exists():
            made = text()
            file.write_text(made)
        return file.read_text()


def number() -> int:
    """A number from 1 that no other call in this run returns."""
    with _locked():
        file = _folder() / "number"
        following = int(file.read_text()) + 1 if file.exists() else 1
        file.write_text(str(following))
        return following


def _folder() -> Path:
    return Path(os.environ[FOLDER])


@contextlib.contextmanager
def _locked() -> Iterator[None]:
    with (_folder() / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
