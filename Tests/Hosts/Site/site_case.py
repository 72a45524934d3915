"""Where the site is that is tested, and the browser that looks at it."""

import os
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("BUILD", TOP / "build")).resolve()
SITE = Path(os.environ.get("SITE", BUILD / "docs")).resolve()
COMMAND = str(BUILD / "bin" / "skan")
sys.path.insert(0, str(TOP / "Tests" / "Command" / "Report" / "Program"))

from browser import browser_of_run as browser  # noqa: E402 - the path is set above

__all__ = ["COMMAND", "SITE", "TOP", "browser"]
