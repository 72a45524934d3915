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
from libskan._companions import COMPANIONS
from package import modules
from test_header import text_of

ROOT = Path(__file__).resolve().parents[3]
BINDING = ROOT / "Bindings" / "Python"
PACKED = Path(libskan.__file__).parent / "_lib"
LIBRARY = PACKED / "libskan.so"
modules()
# By each library's name what the package says that it needs of the system besides.
SYSTEMS_OWN: dict[str, set[str]] = {
    "libskan.so": set(),
    **{each.file: set(each.needs) for each in COMPANIONS.values()},
}
NAMES = tuple(SYSTEMS_OWN)
SYSTEM = {"linux-vdso.so.1", "libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


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
        for name in NAMES:
            assert archive.read(f"libskan/_lib/{name}") == (PACKED / name).read_bytes()
    sources = {f"libskan/{path.name}" for path in (BINDING / "libskan").iterdir() if path.is_file()}
    notices = {f"libskan/_lib/copyright/lib{name}" for name in ("json-c", "sqlite3", "hiredis")}
    assert names == sources | notices | {f"libskan/_lib/{name}" for name in NAMES}
    assert "Root-Is-Purelib: false" in metadata["WHEEL"]
    assert f"\nVersion: {libskan.__version__}\n" in metadata["METADATA"]
    assert "\nRequires-Dist:" not in metadata["METADATA"]
    assert "\nRequires-Python: >=3.9\n" in metadata["METADATA"]


def needed(library: Path) -> set[str]:
    """What it asks the dynamic linker for."""
    listed = subprocess.run(["readelf", "-d", str(library)], check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", listed))


def test_builds_at_the_same_time_do_not_disturb_each_other(tmp_path: Path) -> None:
    """As make starts them: one to install, one to pack. A library of some size keeps each at copying for a while."""
    library = tmp_path / "libskan.so"
    library.write_bytes(bytes(64 << 20))
    (tmp_path / "copyright").mkdir()
    builds = []
    for name in ("first", "second", "third"):
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir"]
        builds.append(
            subprocess.Popen(
                [*command, str(tmp_path / name), str(BINDING)],
                env={**os.environ, "LIBSKAN_LIBRARY": str(library)},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )
    for build in builds:
        said, _ = build.communicate()
        assert build.returncode == 0, said
    sizes = {next((tmp_path / name).iterdir()).stat().st_size for name in ("first", "second", "third")}
    assert len(sizes) == 1


def test_the_libraries_need_only_what_every_linux_has() -> None:
    """And each other, by a name that no other libskan has; OpenSSL, libcurl and libpq are the system's."""
    for name in NAMES:
        others = needed(PACKED / name) - SYSTEM
        assert "libc.so.6" in needed(PACKED / name)
        expected = set() if name == "libskan.so" else {"libskan-python.so.1"}
        assert others == expected | SYSTEMS_OWN[name]


@pytest.mark.parametrize("name", NAMES)
def test_a_library_exports_only_its_functions(name: str) -> None:
    listed = subprocess.run(
        ["nm", "--dynamic", "--defined-only", str(PACKED / name)], check=True, capture_output=True, text=True
    )
    header = name[len("libskan") : -len(".so")].lstrip("-").replace("-", "_") or "skan"
    declared = re.findall(r"^\w[\w *]*?\b(skan_\w+)\(", text_of(header), re.MULTILINE)
    assert declared
    assert {line.split()[-1] for line in listed.stdout.splitlines()} == set(declared)


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


def test_the_first_install_says_what_it_does(tmp_path: Path) -> None:
    """On the terminal, though pip shows nothing of a build; a later install is silent."""
    binding = shutil.copytree(BINDING, tmp_path / "Bindings" / "Python")
    (tmp_path / "Makefile").write_text("python-library:\n\tmkdir -p build/python && touch build/python/libskan.so\n")
    pip = f"{sys.executable} -m pip wheel --no-deps --wheel-dir {tmp_path / 'wheel'} {binding}"
    first, second = (
        subprocess.run(
            ["script", "--quiet", "--return", "--command", pip, "/dev/null"], check=True, capture_output=True, text=True
        ).stdout
        for _ in range(2)
    )
    assert "libskan: compiling the Swift library" in first
    assert "about 3 minutes" in first
    assert "make wheel" in first
    assert re.search(r"libskan: compiled in \d+ seconds\.", first)
    assert "libskan: compil" not in second
