"""The tarball on distributions with an older and a newer glibc than that of the machine that built it."""

import subprocess
from collections.abc import Iterator

import programs
import pytest
from machine import BUILD, Machine, machine, run

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
        made.install("--no-install-recommends", "libcurl4 libsqlite3-0")
        unpacked(made)
        yield made


@pytest.fixture(scope="module")
def newer() -> Iterator[Machine]:
    """Debian 13, with glibc 2.41."""
    with machine("trixie") as made:
        made.install("--no-install-recommends", "libcurl4t64 libpq5 libmicrohttpd12t64 libssl3t64 libsqlite3-0")
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


def test_all_libraries_run_with_glibc_2_31(older):
    assert "2.31" in older.sh("ldd --version")
    for library in ["libskan", "libskan-http", "libskan-sqlite"]:
        assert "not found" not in older.sh(f"ldd {NAME}/lib/{library}.so")


def test_the_quick_starts_run_with_glibc_2_31(older):
    # The endpoint is this machine's: the command needs OpenSSL 3, which Debian 11 has not.
    command = f"{BUILD}/bin/skan serve --listen 127.0.0.1:0 --model {programs.MODEL}"
    with subprocess.Popen(command.split(), stdout=subprocess.PIPE, text=True) as served:
        try:
            url = served.stdout.readline().split()[3].rstrip(",")
            # Programs of C and C++ themselves need the glibc that they were built with, so these are built there.
            older.install("--no-install-recommends", "gcc g++ libc6-dev pkg-config")
            programs.written(older.root / "root", url)
            for compiler, source in programs.C_AND_CPP:
                older.sh(f"export PKG_CONFIG_PATH=/root/{NAME}/lib/pkgconfig; {compiler} {source} "
                         f"$(pkg-config --cflags --libs skan skan-http) -Wl,-rpath,/root/{NAME}/lib && ./a.out")
                older.sh(f"export PKG_CONFIG_PATH=/root/{NAME}/lib/pkgconfig; {compiler} {source} "
                         f"$(pkg-config --cflags skan) {NAME}/lib/libskan-http.a {NAME}/lib/libskan.a "
                         "/usr/lib/*-linux-gnu/libcurl.so.4 -lm -pthread && ./a.out")
        finally:
            served.kill()


def test_the_command_and_the_quick_starts_run_on_debian_13(newer):
    assert "2.41" in newer.sh("ldd --version")
    assert newer.sh(f"{NAME}/bin/skan --version").startswith("skan ")
    with newer.serving(f"{NAME}/bin/{programs.SERVE}") as url:
        for program in built(newer, url):
            newer.sh(program)
