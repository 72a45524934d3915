"""The wheel: one for every Python 3 of a platform, and all that it needs is inside."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import libskan
import pytest

ROOT = Path(__file__).resolve().parents[2]
BINDING = ROOT / "Bindings" / "Python"
LIBRARY = Path(libskan.__file__).parent / "_lib" / "libskan.so"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built with the library that is installed."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(BINDING)]
    subprocess.run(command, check=True, env={**os.environ, "LIBSKAN_LIBRARY": str(LIBRARY)})
    (built,) = folder.iterdir()
    return built


def test_it_is_for_any_python_3_on_one_platform(wheel: Path) -> None:
    assert re.fullmatch(rf"libskan-{re.escape(libskan.__version__)}-py3-none-(?!any)\w+\.whl", wheel.name)


def test_it_has_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        metadata = {Path(name).name: archive.read(name).decode() for name in archive.namelist() if "dist-info" in name}
        assert archive.read("libskan/_lib/libskan.so") == LIBRARY.read_bytes()
    sources = {f"libskan/{path.name}" for path in (BINDING / "libskan").iterdir() if path.is_file()}
    assert names == sources | {"libskan/_lib/libskan.so"}
    assert "Root-Is-Purelib: false" in metadata["WHEEL"]
    assert f"\nVersion: {libskan.__version__}\n" in metadata["METADATA"]
    assert "\nRequires-Dist:" not in metadata["METADATA"]
    assert "\nRequires-Python: >=3.9\n" in metadata["METADATA"]


def test_the_library_needs_only_what_every_linux_has() -> None:
    listed = subprocess.run(["ldd", str(LIBRARY)], check=True, capture_output=True, text=True).stdout
    needed = {Path(line.split()[0]).name for line in listed.splitlines()}
    assert "libc.so.6" in needed
    assert needed <= {"linux-vdso.so.1", "libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def test_the_library_exports_only_its_functions() -> None:
    listed = subprocess.run(
        ["nm", "--dynamic", "--defined-only", str(LIBRARY)], check=True, capture_output=True, text=True
    )
    assert {line.split()[-1] for line in listed.stdout.splitlines()} == set(libskan._library.SIGNATURES)


def test_it_works_in_a_fresh_environment(wheel: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    python = str(tmp_path / "venv" / "bin" / "python")
    install = [python, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", str(wheel.parent), "libskan"]
    bare = {"PATH": "/nowhere", "HOME": str(tmp_path), "LD_LIBRARY_PATH": ""}
    subprocess.run(install, check=True, env=bare, cwd=tmp_path)
    example = shutil.copy(BINDING / "Examples" / "service.py", tmp_path)
    ended = subprocess.run([python, str(example)], env=bare, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "player-1" in ended.stdout


def test_a_library_that_is_not_there_is_refused(tmp_path: Path) -> None:
    for given in ("build/libskan.so", str(tmp_path / "libskan.so")):
        ended = subprocess.run(
            [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", str(tmp_path), str(BINDING)],
            env={**os.environ, "LIBSKAN_LIBRARY": given},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode != 0
        assert f"LIBSKAN_LIBRARY is not the absolute path of a file: {given}" in ended.stdout + ended.stderr
