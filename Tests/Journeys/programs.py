"""The programs of the journeys in each language, made of what make builds anyway."""

import functools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tools import BUILD, TOP

HERE = Path(__file__).resolve().parent
SWIFT_BUILD = Path(os.environ.get("SWIFT_BUILD", TOP / ".build")).resolve()
SWIFT = os.environ.get("SWIFT", "swift")
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
    """Against what `swift build --build-tests` builds: nothing of the package is built again."""
    # SwiftPM would take CC for its own compiler.
    environment = {name: value for name, value in os.environ.items() if name not in ("CC", "CXX")}
    run(SWIFT, "build", "--scratch-path", SWIFT_BUILD, "--target", "SKANHTTP", env=environment)
    described = run(SWIFT, "package", "--scratch-path", SWIFT_BUILD, "describe", "--type", "json",
                    stderr=subprocess.DEVNULL, env=environment)
    targets = {target["name"]: target for target in json.loads(described)["targets"]}
    needed = ["SKANHTTP"]
    for name in needed:
        needed += [other for other in targets[name].get("target_dependencies", []) if other not in needed]
    built, objects, maps = SWIFT_BUILD / "debug", [], []
    for name in needed:
        if targets[name]["module_type"] == "SystemLibraryTarget":
            maps += ["-Xcc", f"-fmodule-map-file={TOP / targets[name]['path'] / 'module.modulemap'}"]
            continue
        objects += [built / f"{name}.build" / f"{Path(source).name}.o" for source in targets[name]["sources"]]
        if targets[name]["module_type"] == "ClangTarget":
            maps += ["-Xcc", f"-fmodule-map-file={built / f'{name}.build' / 'module.modulemap'}"]
    # The file with code outside of functions is called main.swift.
    folder = Path(tempfile.mkdtemp(dir=held.name))
    main = folder / "main.swift"
    main.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    listed = folder / "objects"
    listed.write_text("\n".join(map(str, objects)), encoding="utf-8")
    run(SWIFT + "c", "-swift-version", "6", "-warnings-as-errors", "-I", built / "Modules", *maps, main, f"@{listed}",
        "-ljson-c", "-lcurl", "-o", target)
