"""Makes the vectors of models and batches by the reference: `make.py FOLDER`; `make.py --check FOLDER` compares."""

from __future__ import annotations

import sys
from pathlib import Path

import batches
import models
from documents import invalid_documents
from reference import plain
from traces import refusal


def files() -> dict[str, str]:
    contents = {
        "models_told": [trace.line() for trace in models.told()],
        "models_random": [trace.line() for trace in models.random_lives()],
        "models_refused": [refusal(document) for document in invalid_documents()],
        "batches_told": [trace.line() for trace in batches.told()],
        "batches_random": [trace.line() for trace in batches.random_batches()],
    }
    return {f"{name}.jsonl": "".join(plain(line) + "\n" for line in lines) for name, lines in contents.items()}


def main() -> int:
    checks, folder = sys.argv[1] == "--check", Path(sys.argv[-1])
    passed = failed = 0
    for name, content in files().items():
        if not checks:
            (folder / name).write_text(content, encoding="ascii")
        elif (folder / name).read_text(encoding="ascii") == content:
            passed += 1
        else:
            failed += 1
            print(f"{folder / name} is not what the reference gives", file=sys.stderr)
    if checks:
        print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
