"""Changes of the engine that each break a property of the simulated lives: `mutants.py TOP FOLDER`.

One build in FOLDER, a copy of TOP, has all of them; SKAN_MUTANT chooses one. Each has to be found by its property.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

RULES = "Sources/Core/Rules/"
# By property: a file, what stands there, and what the mutant has in its place. M is whether it is chosen.
MUTANTS: dict[str, tuple[str, str, str]] = {
    "P1": (
        RULES + "Reengagement/AppCalls.swift",
        "return (overwrites && state.reengagements.renew",
        "return (overwrites && !M && state.reengagements.renew",
    ),
    "P2": (
        RULES + "Reengagement/ReengagementRules.swift",
        "(named == 0 || each.number == named)",
        "(named == 0 || M || each.number == named)",
    ),
    "P3": (
        RULES + "Reengagement/AppCalls.swift",
        "where kept.isOpenToApple(at: now)",
        "where !M && kept.isOpenToApple(at: now)",
    ),
    "P4": (
        RULES + "Reengagement/AppCalls.swift",
        "call.coarse = kept.conversion.windows[update.window].coarse",
        "call.coarse = M && update.locksWindow ? 0 : kept.conversion.windows[update.window].coarse",
    ),
    "P5": (
        RULES + "Reengagement/AppCalls.swift",
        "calls[index].validUntil = end",
        "calls[index].validUntil = M ? end &+ 86_400 : end",
    ),
    "P6": (
        RULES + "Reengagement/Reengage.swift",
        "case 0: return !report.openID.isEmpty",
        "case 0: return !M && !report.openID.isEmpty",
    ),
    "P7": (
        RULES + "Reengagement/AppCalls.swift",
        "if !system.isBelow(.reengagements) {",
        "if M || !system.isBelow(.reengagements) {",
    ),
    "P8": (
        RULES + "State/ReengagementUpdates.swift",
        "hasTag, ended == nil else { return false }",
        "hasTag, ended == nil, !M else { return false }",
    ),
    "P9": (
        RULES + "Reengagement/AppCalls.swift",
        "addCalls(of: state.reengagements)",
        "for _ in 0..<(M ? 4 : 1) { addCalls(of: state.reengagements) }",
    ),
    "P10": (
        RULES + "Reengagement/ConversionsUpdate.swift",
        "installUpdate = decision.update",
        "installUpdate = M ? nil : decision.update",
    ),
    "P11": (
        RULES + "Model/DecodedValue.swift",
        "found.append(index)",
        "if !M || index == 0 { found.append(index) }",
    ),
    "P12": (
        RULES + "State/Reengagement.swift",
        "sums[2] = .zero",
        "if M { return }\n        sums[2] = .zero",
    ),
}
HEADER = "Sources/System/Support/include/support.h"
BODY = """
#include <stdlib.h>
static inline int support_mutant(void) {
    const char *text = getenv("SKAN_MUTANT");
    return text ? atoi(text) : 0;
}
"""


def plant(top: Path) -> None:
    for name, (path, old, new) in MUTANTS.items():
        file = top / path
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{name}: {path} has {text.count(old)} places like {old!r}"
        text = text.replace(old, new.replace("M", f"(support_mutant() == {name[1:]})", 1))
        if "import CSKANSupport" not in text:
            text = "import CSKANSupport\n" + text
        file.write_text(text, encoding="utf-8")
    header = top / HEADER
    text = header.read_text(encoding="utf-8")
    end = text.rindex("#endif")
    header.write_text(text[:end] + BODY + text[end:], encoding="utf-8")


def main() -> int:
    top, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    for name in ("Sources", "Include", "Bindings", "Tests", ".ci"):
        shutil.copytree(top / name, folder / name, dirs_exist_ok=True)
    for name in ("Package.swift", "Makefile"):
        shutil.copy(top / name, folder / name)
    plant(folder)
    library = ("build/python/libskan.so", "build/python/package/libskan")
    subprocess.run(["make", *library], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    for name in ("postback", "sqlite"):
        shutil.copy(top / f"build/python/libskan-{name}.so", folder / "build/python")
    here = folder / "Tests"
    path = (folder / "build/python/package", here / "Hosts/Python", here / "Vectors/Reference", here / "Phone")
    survivors = []
    for name in MUTANTS:
        found = subprocess.run(
            [sys.executable, here / "Phone/run.py", "--only", name, "3000"],
            env={**os.environ, "PYTHONPATH": ":".join(map(str, path)), "SKAN_MUTANT": name[1:]},
            capture_output=True,
            text=True,
        )
        words = next((line for line in found.stderr.splitlines() if line.startswith(name + ",")), "")
        print(f"{name}: {words or 'SURVIVED'}"[:200])
        if not words:
            survivors.append(name)
    print(f"{len(MUTANTS) - len(survivors)} passed, {len(survivors)} failed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
