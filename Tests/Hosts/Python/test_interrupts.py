"""Signals at any moment: what their handlers raise comes out, and no state is lost or made up.

Handlers run between Python's instructions, so most of them hit a hook, its first instruction above all.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from package import PACKAGE

PURCHASES = 20_000


def runs(python: str) -> bool:
    """Whether there is such a Python. A name alone may be a stub that only says how to get one."""
    if not shutil.which(python):
        return False
    return subprocess.run([python, "--version"], capture_output=True, check=False, timeout=60).returncode == 0


def older_pythons() -> list[str]:
    """Those on the path, and those that pyenv has, whose names on the path may be stubs."""
    names = ["python3.9", "python3.10"]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    kept = [str(python) for name in names for python in pyenv.glob(f"versions/*/bin/{name}")]
    return list(filter(runs, names + kept))


def test_a_storm_of_signals() -> None:
    storm = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("storm.py")), str(PURCHASES)],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert storm.returncode == 0, storm.stderr
    revenue, alarms = (int(number) for number in storm.stdout.split())
    assert revenue == PURCHASES
    assert alarms > 100
    assert storm.stderr == ""  # ctypes would print what it dropped


def test_an_interrupt_at_any_instruction_of_a_clock_leaves_no_time(tmp_path: Path) -> None:
    """In each older Python that this machine has. In later ones no handler runs where the storm does not hit."""
    shutil.copytree(PACKAGE, tmp_path / "libskan")
    for python in older_pythons():
        ended = subprocess.run(
            [python, str(Path(__file__).with_name("ends.py"))],
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert (ended.returncode, ended.stderr) == (0, ""), python
        assert int(ended.stdout) >= 10
