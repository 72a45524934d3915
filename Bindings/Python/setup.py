"""Builds the platform wheel: the Python files and, inside the package, the shared library and its companions."""

import atexit
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.errors import ExecError, FileError

ROOT = Path(__file__).resolve().parents[2]
SCRATCH = ROOT / "build" / "python" / "wheels"


def tell(text: str) -> None:
    """Writes to the terminal itself, since pip shows the output of a build only after it has failed."""
    try:
        terminal = os.open("/dev/tty", os.O_WRONLY | os.O_NOCTTY)
    except OSError:
        print(text, flush=True)
        return
    with os.fdopen(terminal, "w") as output:
        output.write(f"\n{text}\n")


def built_library() -> Path:
    """Where `make python-library` builds the library; the first time that is announced."""
    library = ROOT / "build" / "python" / "libskan.so"
    is_first = not library.exists()
    if is_first:
        tell(
            "libskan: compiling the Swift library, its stores, HTTP client and postback verifier. The first time,\n"
            "this takes about 3 minutes on two processors, and longer if Debian packages are missing. Later installs\n"
            f"from {ROOT} take seconds.\n"
            "For many machines, run `make wheel` once and install the file that it puts into build/wheel."
        )
    start = time.monotonic()
    subprocess.run(["make", "-C", str(ROOT), "python-library"], check=True)
    if is_first:
        tell(f"libskan: compiled in {time.monotonic() - start:.0f} seconds.")
    return library


def shared_library() -> Path:
    """Where the library to pack is: LIBSKAN_LIBRARY, an absolute path, or else what `make python-library` builds."""
    given = os.environ.get("LIBSKAN_LIBRARY")
    if given:
        if not os.path.isabs(given) or not os.path.isfile(given):
            raise FileError(f"LIBSKAN_LIBRARY is not the absolute path of a file: {given}")
        return Path(given)
    try:
        return built_library()
    except (OSError, subprocess.CalledProcessError) as error:
        raise ExecError(f"libskan.so could not be built ({error}); LIBSKAN_LIBRARY may name one") from error


def companions(library: Path) -> "list[Path]":
    """The companions that were built with a library: they are beside it."""
    return sorted(library.parent.glob("libskan-*.so"))


class BuildPackage(build_py):
    """Puts the libraries beside the Python files."""

    def run(self) -> None:
        """Starts from nothing, so that no file of an earlier build gets into the wheel."""
        package = Path(self.build_lib) / "libskan"
        shutil.rmtree(package, ignore_errors=True)
        super().run()
        packed = package / "_lib"
        packed.mkdir(parents=True)
        library = shared_library()
        for source, name in [(library, "libskan.so"), *((file, file.name) for file in companions(library))]:
            shutil.copyfile(source, packed / name)
            (packed / name).chmod(0o755)
        if (notices := library.parent / "copyright").is_dir():
            shutil.copytree(notices, packed / "copyright")


class PlatformWheel(bdist_wheel):
    """Tags the wheel for every Python 3 on this platform: ctypes needs no particular one."""

    def get_tag(self) -> "tuple[str, str, str]":
        """The same platform tag as for an extension module."""
        return ("py3", "none", super().get_tag()[2])


class PlatformDistribution(Distribution):
    """A distribution that is not pure Python."""

    def has_ext_modules(self) -> bool:
        """The library is code for one platform, as an extension module would be."""
        return True


def options() -> "dict[str, dict[str, Any]]":
    """Keeps what the build leaves behind out of the source folder, and out of the way of other builds at the time."""
    SCRATCH.mkdir(parents=True, exist_ok=True)
    scratch = tempfile.mkdtemp(dir=SCRATCH)
    atexit.register(shutil.rmtree, scratch, ignore_errors=True)
    return {"build": {"build_base": scratch}, "egg_info": {"egg_base": scratch}}


setup(
    distclass=PlatformDistribution,
    cmdclass={"build_py": BuildPackage, "bdist_wheel": PlatformWheel},
    options=options(),
)
