"""Postbacks by the library and by Python's cryptography: drawn.jsonl's, and others that are put together of them.

differential.py [how many] [seed]

drawn.jsonl: the keys, then a postback a line, signed with test keys, valid or damaged in its fields, signature, JSON or
JWS, with its verdict. They were drawn once; Tests/Postbacks/Verify checks the same.
"""

from __future__ import annotations

import base64
import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_der_public_key
from libskan import postback as library
from reference import CONVERSION_TYPES, Verdict, verify

HEAD, *DRAWN = map(json.loads, (Path(__file__).parent / "drawn.jsonl").read_text(encoding="utf-8").splitlines())
DEVELOPMENT = frozenset(HEAD["development"])
KEYS = library.Keys([library.Key(name, spki, name in DEVELOPMENT) for name, spki in HEAD["keys"].items()])


def public_key(spki: str) -> ec.EllipticCurvePublicKey:
    key = load_der_public_key(base64.b64decode(spki))
    assert isinstance(key, ec.EllipticCurvePublicKey)
    return key


PUBLIC = {name: public_key(spki) for name, spki in HEAD["keys"].items()}


def body_of(entry: dict[str, Any]) -> bytes:
    return base64.b64decode(entry["body_b64"]) if "body_b64" in entry else str(entry["body"]).encode()


def verdict_of(entry: dict[str, Any]) -> Verdict:
    return Verdict(
        entry["result"],
        tuple(entry.get("signed", [])),
        entry.get("field"),
        entry.get("type"),
        entry.get("respelled", False),
    )


BODIES = [body_of(entry) for entry in DRAWN]


def members(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def put_together(chance: random.Random) -> bytes:
    """A postback with members of another one, or without one; or with other bytes."""
    body = chance.choice(BODIES)
    made, other = members(body), members(chance.choice(BODIES))
    if made and other and chance.random() < 0.7:
        for name in chance.sample(sorted(other), min(len(other), chance.choice([1, 1, 2]))):
            made[name] = other[name]
        if chance.random() < 0.2:
            del made[chance.choice(sorted(made))]
        return json.dumps(made, ensure_ascii=chance.random() < 0.7).encode("utf-8", "surrogatepass")
    place = chance.randrange(len(body) + 1)
    return body[:place] + chance.randbytes(chance.randrange(2)) + body[place + chance.randrange(3) :]


def is_right(body: bytes, expected: Verdict, told: str) -> bool:
    found = library.verify(body, KEYS)
    # Of one with a fault, what comes after it is absent.
    kind = found.conversion_type if found.problem is None else None
    if Verdict(found.result, found.signed_fields, found.problem_field, kind, found.is_respelled) == expected:
        return True
    print(f"FAILED {told}: {body!r}\n  expected {expected}\n  came {found}")
    return False


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**9)
    cases = [(body, f"line {number}") for number, body in enumerate(BODIES, 2)]
    chance = random.Random(seed)
    cases += [(put_together(chance), f"{number} (seed {seed})") for number in range(count)]
    verdicts = [verify(body, PUBLIC, DEVELOPMENT) for body, _ in cases]
    agree = [verdict == verdict_of(entry) for verdict, entry in zip(verdicts, DRAWN)]
    failed = agree.count(False)
    failed += [is_right(body, verdict, told) for (body, told), verdict in zip(cases, verdicts)].count(False)
    results = Counter(verdict.result for verdict in verdicts)
    types = Counter(verdict.conversion_type for verdict in verdicts)
    print(f"{dict(sorted(results.items()))}, {dict(sorted(types.items(), key=str))}, seed {seed}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    has_all = set(results) == {"valid", "invalid", "unverifiable", "development", "malformed"}
    return 0 if not failed and has_all and set(types) == {None, "unknown_type", *CONVERSION_TYPES} else 1


if __name__ == "__main__":
    sys.exit(main())
