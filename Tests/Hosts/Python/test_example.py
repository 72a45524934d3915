"""The example service runs and says what it should."""

import subprocess
import sys
from pathlib import Path

SERVICE = Path(__file__).resolve().parents[3] / "Bindings" / "Python" / "Examples" / "service.py"


def test_the_service_says_what_it_should() -> None:
    ended = subprocess.run([sys.executable, str(SERVICE)], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == SERVICE.with_suffix(".txt").read_text(encoding="utf-8")
