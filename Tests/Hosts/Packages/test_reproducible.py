"""Two builds of the same commit give the same bytes, whatever the time, the place, the language and the umask."""

import hashlib
import os
from pathlib import Path

from machine import BUILD, TOP, run


def digests(folder: Path) -> "dict[str, str]":
    """A digest of each file."""
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}


def test_a_second_build_gives_the_same_packages(tmp_path):
    places = {"PACKAGES": "packages", "TARBALL": "tarball", "DEBIAN": "debian/libskan", "PLAIN_WHEEL": "plain-wheel",
              "WHEELS": "wheel"}
    given = [f"{name}={tmp_path / place}" for name, place in places.items()]
    elsewhere = {**os.environ, "TZ": "Asia/Tokyo", "LC_ALL": "C", "HOME": str(tmp_path)}
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        elsewhere.pop(name, None)
    run("sh", "-c", 'umask 027 && exec make packages "$@"', "sh", *given,
        cwd=TOP, env=elsewhere)
    first, second = digests(BUILD / "packages"), digests(tmp_path / "packages")
    assert len(first) > 10
    assert second == first
