"""The package takes the libraries packed with it, of its own version, each when it is needed, and no others."""

import os
import subprocess
from pathlib import Path

import libskan
import pytest
from package import copied, run


def imported(folder: Path) -> str:
    """What importing the copy of the package in a folder prints, or the last line of why it cannot be."""
    ended = run("import libskan; print(libskan.__file__, libskan._library.library._name)", folder)
    return ended.stdout if ended.returncode == 0 else ended.stderr.splitlines()[-1]


def compiled(source: str, library: Path) -> None:
    """Puts another library there."""
    library.unlink()
    program = [os.environ.get("CC", "cc"), "-shared", "-fPIC", "-x", "c", "-", "-o", str(library)]
    subprocess.run(program, input=source, text=True, check=True)


def test_the_library_comes_from_the_package(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    assert imported(tmp_path).split() == [str(folder.parent / "__init__.py"), str(folder / "libskan.so")]


@pytest.mark.parametrize(("abi", "version"), [(2, libskan.__version__), (0, libskan.__version__), (1, "99.0.0")])
def test_another_version_is_refused(tmp_path: Path, abi: int, version: str) -> None:
    library = copied(tmp_path) / "libskan.so"
    compiled(
        f'unsigned skan_abi_version(void) {{ return {abi}; }} const char *skan_version(void) {{ return "{version}"; }}',
        library,
    )
    assert imported(tmp_path) == (
        f"ImportError: libskan {libskan.__version__} for ABI 1 was packed with a library of version {version} for ABI "
        f"{abi}: {library}"
    )


def test_a_library_of_something_else_is_refused(tmp_path: Path) -> None:
    compiled("int nothing;", copied(tmp_path) / "libskan.so")
    assert "ImportError" in imported(tmp_path)
    assert "skan_abi_version" in imported(tmp_path)


def test_a_package_without_its_library_is_refused(tmp_path: Path) -> None:
    library = copied(tmp_path) / "libskan.so"
    library.unlink()
    assert "ImportError" in imported(tmp_path)
    assert str(library) in imported(tmp_path)


def test_companions_are_loaded_on_use_only(tmp_path: Path) -> None:
    libraries = copied(tmp_path)
    (libraries / "libskan-postgres.so").write_bytes(b"no library")
    (libraries / "libskan-http.so").unlink()
    program = (
        "import libskan\n"
        "store = libskan.SQLiteStore('a.db')\n"
        "libskan.Engine(store, endpoint_url='https://skan.example.com').register('player-1')\n"
        "maps = open('/proc/self/maps').read()\n"
        "assert 'libskan-sqlite' in maps and 'libskan-store-kit' not in maps\n"
    )
    for use, words in (
        ("PostgresStore('postgres://')", "postgres library cannot be loaded; it needs libpq.so.5 (Debian: libpq5): "),
        ("HTTPTransport()", "http library cannot be loaded; it needs libcurl.so.4 (Debian: libcurl4): "),
    ):
        ended = run(f"{program}libskan.{use}", tmp_path)
        assert ended.stderr.splitlines()[-1].startswith(f"ImportError: libskan's {words}")
