"""The programs of the journeys in each language, made of what make builds anyway."""

import functools
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import swift_program
from tools import BUILD, TOP

HERE = Path(__file__).resolve().parent
LANGUAGES = ("python", "cpp", "swift")
# Removed when the tests have ended.
held = tempfile.TemporaryDirectory(prefix="skan-journeys-")


def run(*command, **options):
    ended = subprocess.run(
        list(map(str, command)), cwd=TOP, stdout=subprocess.PIPE, text=True, check=False, timeout=1200, **options)
    assert ended.returncode == 0, f"{command}: exit code {ended.returncode}\n{ended.stdout}"
    return ended.stdout


@functools.cache
def program(name, language):
    """The command that runs it; it is built once."""
    source = HERE / f"{name}.{ {'python': 'py'}.get(language, language) }"
    if language == "python":
        return [sys.executable, str(source)]
    target = Path(held.name) / f"{name}-{language}"
    {"cpp": build_cpp, "swift": build_swift}[language](source, target)
    return [str(target)]


def build_cpp(source, target):
    run(*os.environ.get("CXX", "g++").split(), "-std=c++17", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O1",
        f"-I{TOP}/Include", f"-I{TOP}/Bindings/Cpp", "-o", target, source, BUILD / "libskan-http.so",
        BUILD / "libskan.so", f"-Wl,-rpath,{BUILD}", "-pthread")


def build_swift(source, target):
    swift_program.build(source, "SKANHTTP", ["-ljson-c", "-lcurl"], target)
