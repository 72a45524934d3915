"""Debian's packages on a machine that has neither Swift nor a compiler."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import programs
import pytest
from machine import BUILD, Machine, machine, run

PACKAGES = sorted((BUILD / "packages").glob("*.deb"))
NAMES = {package.name.split("_")[0]: package for package in PACKAGES}
COMPANIONS = sorted(header.stem for header in (BUILD / "debian/libskan/stage/usr/include/skan").glob("*.h")
                    if f"libskan-{header.stem}1" in NAMES)


@pytest.fixture(scope="module")
def installed() -> Iterator[Machine]:
    """A machine with all packages but those of debug symbols, and README's quick starts."""
    with machine("bookworm") as made:
        made.put(*(package for name, package in NAMES.items() if not name.endswith("-dbgsym")), programs.MODEL)
        made.install("./*.deb")
        yield made


def fields(package: Path) -> dict[str, str]:
    """The fields of a package."""
    return dict(re.findall(r"^([\w-]+): (.*)$", run("dpkg-deb", "--field", package), flags=re.MULTILINE))


def test_each_part_has_its_package_and_its_debug_symbols():
    assert COMPANIONS
    shared = ["libskan1", *(f"libskan-{name}1" for name in COMPANIONS)]
    development = ["libskan-dev", "libskan-store-kit-dev", *(f"libskan-{name}-dev" for name in COMPANIONS)]
    symbols = [f"{name}-dbgsym" for name in [*shared, "skan", "python3-libskan"]]
    assert sorted(NAMES) == sorted([*shared, *development, *symbols, "skan", "python3-libskan"])


def test_libskan1_needs_json_c_and_libc_alone():
    needed = {part.split()[0] for part in fields(NAMES["libskan1"])["Depends"].split(", ")}
    assert needed == {"libjson-c5", "libc6"}


def test_lintian_finds_no_error():
    ended = subprocess.run(["lintian", "--fail-on", "error", "--allow-root", *map(str, PACKAGES)], check=False,
                           text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert ended.returncode == 0, ended.stdout


def test_the_machine_has_neither_swift_nor_a_compiler(installed):
    assert installed.sh("command -v swift cc gcc c++ clang make pkg-config || true") == ""


def test_the_command_its_manual_and_its_units_are_there(installed):
    assert installed.sh("skan --version").startswith("skan ")
    listed = installed.sh("dpkg-query -L skan").splitlines()
    for path in ["/usr/share/man/man1/skan-serve.1.gz", "/usr/share/bash-completion/completions/skan",
                 "/lib/systemd/system/skan-serve.service", "/lib/systemd/system/skan-serve@.service",
                 "/lib/systemd/system/skan-serve.socket", "/etc/nginx/sites-available/skan",
                 "/usr/share/skan/models/mixed.json", "/usr/share/skan/serve.conf"]:
        assert path in listed


def test_programs_that_were_built_elsewhere_run(installed):
    with installed.serving(programs.SERVE) as url:
        folder = installed.root / "root"
        programs.written(folder, url)
        stage = BUILD / "debian/libskan/stage/usr"
        (library,) = stage.glob("lib/*-linux-*")
        for compiler, source in programs.C_AND_CPP:
            run(*compiler.split(), f"-I{stage}/include", "-o", folder / "program", folder / source, f"-L{library}",
                "-lskan-http", "-lskan", f"-Wl,-rpath-link,{library}")
            installed.sh("./program")


def test_python_runs_the_quick_start(installed):
    with installed.serving(programs.SERVE) as url:
        programs.written(installed.root / "root", url)
        installed.sh("/usr/bin/python3 -W error quick_start.py")


def test_python_opens_each_companion(installed):
    installed.sh('/usr/bin/python3 -c "from libskan import SQLiteStore; SQLiteStore(\'installs.db\').close()"')
    for library in installed.sh("ls /usr/lib/python3/dist-packages/libskan/_lib/*.so").split():
        installed.sh(f'/usr/bin/python3 -c "import libskan, ctypes; ctypes.CDLL(\'{library}\')"')


def test_with_a_compiler_the_quick_starts_are_built_as_readme_tells(installed):
    installed.install("--no-install-recommends", "gcc g++ libc6-dev pkg-config")
    with installed.serving(programs.SERVE) as url:
        programs.written(installed.root / "root", url)
        for compiler, source in programs.C_AND_CPP:
            installed.sh(f"{compiler} {source} $(pkg-config --cflags --libs skan skan-http) && ./a.out")
