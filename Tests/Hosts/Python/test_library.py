"""The package takes the library packed with it, of its own version, and no other."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import libskan
import pytest

PACKAGE = Path(libskan.__file__).parent


def imported(folder: Path) -> str:
    """What importing the copy of the package in a folder prints, or the last line of why it cannot be."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    program = "import libskan; print(libskan.__file__, libskan._library.library._name)"
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return ended.stdout if ended.returncode == 0 else ended.stderr.splitlines()[-1]


def copied(folder: Path) -> Path:
    """The place of the library in a copy of the package."""
    shutil.copytree(PACKAGE, folder / "libskan")
    return folder / "libskan" / "_lib" / "libskan.so"


def compiled(source: str, library: Path) -> None:
    """Puts another library there."""
    library.unlink()
    program = [os.environ.get("CC", "cc"), "-shared", "-fPIC", "-x", "c", "-", "-o", str(library)]
    subprocess.run(program, input=source, text=True, check=True)


def test_the_library_comes_from_the_package(tmp_path: Path) -> None:
    library = copied(tmp_path)
    assert imported(tmp_path).split() == [str(library.parents[1] / "__init__.py"), str(library)]


@pytest.mark.parametrize(("abi", "version"), [(2, libskan.__version__), (0, libskan.__version__), (1, "99.0.0")])
def test_another_version_is_refused(tmp_path: Path, abi: int, version: str) -> None:
    library = copied(tmp_path)
    compiled(
        f'unsigned skan_abi_version(void) {{ return {abi}; }} const char *skan_version(void) {{ return "{version}"; }}',
        library,
    )
    assert imported(tmp_path) == (
        f"ImportError: libskan {libskan.__version__} for ABI 1 was packed with a library of version {version} for ABI "
        f"{abi}: {library}"
    )


def test_a_library_of_something_else_is_refused(tmp_path: Path) -> None:
    compiled("int nothing;", copied(tmp_path))
    assert "ImportError" in imported(tmp_path)
    assert "skan_abi_version" in imported(tmp_path)


def test_a_package_without_its_library_is_refused(tmp_path: Path) -> None:
    library = copied(tmp_path)
    library.unlink()
    assert "ImportError" in imported(tmp_path)
    assert str(library) in imported(tmp_path)
