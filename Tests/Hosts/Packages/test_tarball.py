"""The tarball on distributions with an older and a newer glibc than that of the machine that built it."""

from collections.abc import Iterator

import programs
import pytest
from machine import BUILD, TOP, Machine, machine, run

PACKAGES = BUILD / "packages"
(TARBALL,) = (path for path in PACKAGES.glob("libskan-*.tar.gz") if "-symbols" not in path.name)
NAME = TARBALL.name.removesuffix(".tar.gz")


def unpacked(made: Machine) -> None:
    """Puts the tarball's folder and what its command needs into /root."""
    made.put(programs.MODEL)
    run("tar", "-xzf", TARBALL, "-C", made.root / "root")


@pytest.fixture(scope="module")
def older() -> Iterator[Machine]:
    """Debian 11, with glibc 2.31."""
    with machine("bullseye") as made:
        made.install("--no-install-recommends", "libsqlite3-0")
        unpacked(made)
        yield made


@pytest.fixture(scope="module")
def newer() -> Iterator[Machine]:
    """Debian 13, with glibc 2.41."""
    with machine("trixie") as made:
        made.install("--no-install-recommends", "libcurl4t64 libpq5 libgnutls30t64 libssl3t64 libsqlite3-0")
        unpacked(made)
        yield made


def built(made: Machine, url: str) -> list[str]:
    """README's quick starts with the tarball's libraries, shared ones and archives, and the SQLite store's program."""
    folder = made.root / "root"
    programs.written(folder, url)
    tree = folder / NAME
    found = []
    for compiler, source in programs.C_AND_CPP:
        flags = run("pkg-config", "--cflags", "--libs", "skan", "skan-http",
                    env={"PKG_CONFIG_PATH": str(tree / "lib/pkgconfig"), "PATH": "/usr/bin:/bin"}).split()
        run(*compiler.split(), "-o", folder / f"{source}.out", folder / source, *flags, f"-Wl,-rpath,/root/{NAME}/lib",
            f"-Wl,-rpath-link,{tree}/lib")
        found.append(f"./{source}.out")
    return found


def test_programs_run_with_glibc_2_31(older):
    """Those of libskan and of the SQLite store, shared and static; the HTTP client needs libcurl 7.80."""
    assert "2.31" in older.sh("ldd --version")
    older.install("--no-install-recommends", "gcc libc6-dev pkg-config")
    older.put(*(TOP / "Tests/Hosts/Install/Consumer" / name for name in ["consumer.c", "sqlite.c"]))
    exported = f"export PKG_CONFIG_PATH=/root/{NAME}/lib/pkgconfig"
    for source, package, archives in [("consumer.c", "skan", "libskan.a"),
                                      ("sqlite.c", "skan-sqlite", "libskan-sqlite.a libskan.a")]:
        static = " ".join(f"{NAME}/lib/{archive}" for archive in archives.split())
        needed = "/usr/lib/*-linux-gnu/libsqlite3.so.0" if "sqlite" in package else ""
        for libraries in [f"$(pkg-config --libs {package}) -Wl,-rpath,/root/{NAME}/lib", f"{static} {needed} -lm -pthread"]:
            older.sh(f"{exported}; cc -std=c11 {programs.WARNINGS} {source} $(pkg-config --cflags {package}) {libraries}")
            assert "SKAN_OK" in older.sh("rm -f installs.db && ./a.out installs.db")


def test_the_command_and_the_quick_starts_run_on_debian_13(newer):
    assert "2.41" in newer.sh("ldd --version")
    assert newer.sh(f"{NAME}/bin/skan --version").startswith("skan ")
    with newer.serving(f"{NAME}/bin/{programs.SERVE}") as url:
        for program in built(newer, url):
            newer.sh(program)
