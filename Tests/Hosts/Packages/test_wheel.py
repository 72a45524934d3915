"""The wheel, as an index has it: on Debian's python3, and on every CPython from 3.9 to 3.13 that is on this machine."""

import contextlib
import functools
import http.server
import os
import re
import shutil
import subprocess
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import programs
import pytest
from machine import BUILD, ENVIRONMENT, machine, run

(WHEEL,) = (BUILD / "packages").glob("libskan-*.whl")
VERSIONS = [f"3.{minor}" for minor in range(9, 14)]


def found(version: str) -> "str | None":
    """A CPython of a version: in PATH, or where pyenv has them."""
    places = [os.environ["PATH"], *map(str, sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin")))]
    return shutil.which(f"python{version}", path=os.pathsep.join(reversed(places)))


PYTHONS = {version: python for version in VERSIONS if (python := found(version))}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of an index that has the wheel alone."""
    folder = tmp_path_factory.mktemp("index")
    (folder / "simple" / "libskan").mkdir(parents=True)
    shutil.copy(WHEEL, folder / "simple" / "libskan")
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/simple"
        server.shutdown()


@contextlib.contextmanager
def endpoint() -> Iterator[str]:
    """The URL of README's endpoint on this machine."""
    command = [BUILD / "bin" / "skan", "serve", "--listen", "127.0.0.1:0", "--model", programs.MODEL]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as served:
        try:
            yield re.search(r"http://[\d.:]+", served.stdout.readline())[0]
        finally:
            served.kill()


TRIED = """
import libskan, sys
from libskan import HTTPTransport, SQLiteStore
SQLiteStore(sys.argv[1]).close()
HTTPTransport()
import libskan.postback
from libskan._companions import COMPANIONS
for companion in COMPANIONS.values():
    companion.functions
"""


def test_its_tag_is_that_of_an_index():
    assert re.fullmatch(r"libskan-[\d.]+-py3-none-manylinux_2_34_x86_64\.whl", WHEEL.name)
    told = " ".join(run(BUILD / "venv/bin/auditwheel", "show", WHEEL).split())
    assert 'This constrains the platform tag to "manylinux_2_34_x86_64"' in told


def test_libskan_itself_needs_libc_alone(tmp_path):
    with zipfile.ZipFile(WHEEL) as archive:
        library = archive.extract("libskan/_lib/libskan.so", tmp_path)
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-dW", library)))
    assert needed <= {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}


def test_it_carries_the_notices_of_what_is_inside():
    notices = {Path(name).name for name in zipfile.ZipFile(WHEEL).namelist() if "/copyright/" in name}
    assert {"libjson-c", "libhiredis"} <= notices


def test_it_runs_on_debians_python(index):
    with machine("bookworm") as made:
        made.install("--no-install-recommends", "python3-venv libcurl4 libpq5 libssl3")
        made.sh(f"python3 -m venv venv && venv/bin/pip install --index-url {index} libskan")
        (made.root / "root" / "tried.py").write_text(TRIED)
        made.sh("venv/bin/python -W error tried.py installs.db")
        with endpoint() as url:
            programs.written(made.root / "root", url)
            made.sh("venv/bin/python -W error quick_start.py")


def test_there_is_a_python_to_try():
    print("CPython:", PYTHONS)
    assert PYTHONS


@pytest.mark.parametrize("version", PYTHONS)
def test_it_runs_on_cpython(version, index, tmp_path):
    python = tmp_path / "venv" / "bin" / "python"
    run(PYTHONS[version], "-m", "venv", tmp_path / "venv", env=ENVIRONMENT)
    run(python, "-m", "pip", "install", "--index-url", index, "libskan", env=ENVIRONMENT)
    assert version in run(python, "--version")
    (tmp_path / "tried.py").write_text(TRIED)
    run(python, "-W", "error", tmp_path / "tried.py", tmp_path / "installs.db", env=ENVIRONMENT)
    with endpoint() as url:
        programs.written(tmp_path, url)
        run(python, "-W", "error", tmp_path / "quick_start.py", env=ENVIRONMENT)
