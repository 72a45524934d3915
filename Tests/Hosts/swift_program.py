"""Programs in Swift that use a product of this package, linked with what Swift's tests were built with."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
SWIFT = os.environ.get("SWIFT", "swift")
# As make builds the tests, so that nothing is built twice; without make, as SwiftPM does.
FLAGS = os.environ.get("SWIFT_FLAGS", "--scratch-path .build").split()
SWIFT_BUILD = TOP / FLAGS[FLAGS.index("--scratch-path") + 1]


def build(source, product, libraries, target):
    """Compiles a source file and links it with a product, or several: nothing of the package is built twice."""
    products = product.split()
    for each in products:
        _run(SWIFT, "build", *FLAGS, "--target", each)
    objects, maps = _parts(products)
    with tempfile.TemporaryDirectory() as folder:
        # Swift takes statements outside of functions in a file of this name alone.
        main, listed = Path(folder) / "main.swift", Path(folder) / "objects"
        main.write_text(Path(source).read_text(encoding="utf-8"), encoding="utf-8")
        listed.write_text("\n".join(map(str, objects)), encoding="utf-8")
        _run(SWIFT + "c", "-swift-version", "6", "-warnings-as-errors", "-I", SWIFT_BUILD / "debug" / "Modules", *maps,
             main, f"@{listed}", *libraries, "-o", target)


def _parts(products):
    """The objects of products and of all that they need, and the compiler's options for the modules in C."""
    described = json.loads(_run(SWIFT, "package", "--scratch-path", SWIFT_BUILD, "describe", "--type", "json"))
    targets = {target["name"]: target for target in described["targets"]}
    needed, objects, maps = list(products), [], []
    for name in needed:
        target, built = targets[name], SWIFT_BUILD / "debug" / f"{name}.build"
        needed += [other for other in target.get("target_dependencies", []) if other not in needed]
        if target["module_type"] == "SystemLibraryTarget":
            maps += ["-Xcc", f"-fmodule-map-file={TOP / target['path'] / 'module.modulemap'}"]
            continue
        # SwiftPM puts the objects of all folders of a module into one.
        objects += [built / f"{Path(source).name}.o" for source in target["sources"]]
        if target["module_type"] == "ClangTarget":
            maps += ["-Xcc", f"-fmodule-map-file={built / 'module.modulemap'}"]
    return objects, maps


def _run(*command):
    """What a command prints; its complaints are shown where it fails."""
    # SwiftPM would take CC and CXX for its own compiler.
    environment = {name: value for name, value in os.environ.items() if name not in ("CC", "CXX")}
    ended = subprocess.run(list(map(str, command)), cwd=TOP, env=environment, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, check=False, timeout=1200)
    assert ended.returncode == 0, f"{command}: exit code {ended.returncode}\n{ended.stdout}{ended.stderr}"
    return ended.stdout
