"""Postbacks that a test key signed, as random serializers write them: each is what was signed, or is refused.

respellings.py [how many] [seed]

What Apple writes is by Apple's articles; what serializers make of it is by JSON alone. A respelling keeps the meaning of
every signed field, or changes one. The first are valid, and their canonical form is the original; the others are never
valid. COUNTER, a library in front of libcrypto, counts the signatures that are checked.
"""

from __future__ import annotations

import base64
import ctypes
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from libskan import postback as library

SEPARATOR = "\u2063"
ORDER = {
    "1.0": ["ad-network-id", "campaign-id", "app-id", "transaction-id"],
    "2.0": ["version", "ad-network-id", "campaign-id", "app-id", "transaction-id", "redownload", "source-app-id"],
    "4.0": [
        *["version", "ad-network-id", "source-identifier", "app-id", "transaction-id", "redownload", "source-app-id"],
        *["source-domain", "fidelity-type", "did-win", "postback-sequence-index"],
    ],
}
ORDER["2.1"] = ORDER["2.0"]
ORDER["2.2"] = [*ORDER["2.0"], "fidelity-type"]
ORDER["3.0"] = [*ORDER["2.2"], "did-win"]
P256 = ec.generate_private_key(ec.SECP256R1())
P192 = ec.generate_private_key(ec.SECP192R1())
SIGNERS = {version: P192 if version < "2.1" else P256 for version in ORDER}
MOST_CHECKS = 8


def spki(key: ec.EllipticCurvePrivateKey) -> str:
    der = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return base64.b64encode(der).decode()


KEYS = library.Keys([library.Key(version, spki(key)) for version, key in SIGNERS.items()])


class Raw(str):
    """A value in JSON as it is spelled."""


def document(members: dict[str, Any], chance: random.Random) -> bytes:
    """The members as JSON, in any order, with any blanks between them."""
    pairs = list(members.items())
    if chance.random() < 0.3:
        chance.shuffle(pairs)
    blank = chance.choice(["", " ", "\n  ", "\r\n\t"])

    def spelled(value: Any) -> str:
        return str(value) if isinstance(value, Raw) else json.dumps(value, ensure_ascii=chance.random() < 0.5)

    inner = ("," + blank).join(f"{json.dumps(name)}:{blank}{spelled(value)}" for name, value in pairs)
    mark = "\ufeff" if chance.random() < 0.03 else ""
    return f"{mark}{{{blank}{inner}{blank}}}".encode()


def original(chance: random.Random) -> dict[str, Any]:
    """A postback as Apple writes it, signed."""
    version = chance.choice(list(ORDER))
    made: dict[str, Any] = {
        "version": version,
        "ad-network-id": chance.choice(["net1.skadnetwork", "NET1.SKAdNetwork", "com.example"]),
        "app-id": chance.choice([990001234, 1, chance.randrange(1, 10**10)]),
        "transaction-id": f"{chance.getrandbits(128):032x}",
    }
    if version == "1.0":
        del made["version"]
    else:
        made["redownload"] = chance.random() < 0.5
    if version == "4.0":
        made["source-identifier"] = f"{chance.randrange(10 ** (digits := chance.choice([2, 3, 4]))):0{digits}}"
        made["postback-sequence-index"] = chance.randrange(3)
    else:
        made["campaign-id"] = chance.randrange(1, 101)
    if version >= "2.2":
        made["fidelity-type"] = chance.randrange(2)
    if version >= "3.0":
        made["did-win"] = chance.random() < 0.8
    if version >= "2.0" and chance.random() < 0.6:
        made["source-app-id"] = chance.choice([990005678, 0, chance.randrange(1, 10**10)])
    elif version == "4.0" and chance.random() < 0.6:
        made["source-domain"] = chance.choice(["example.com", "bücher.example", "a"])
    sign(made, version)
    if chance.random() < 0.5:
        made["conversion-value"] = chance.randrange(64)
    elif chance.random() < 0.5:
        made["coarse-conversion-value"] = chance.choice(["low", "medium", "high"])
    if chance.random() < 0.3:
        made["country-code"] = chance.choice(["DE", "US"])
    return made


def sign(made: dict[str, Any], version: str) -> None:
    texts = [
        str(made[name]).lower() if isinstance(made[name], bool) else str(made[name])
        for name in ORDER[version]
        if name in made
    ]
    signature = SIGNERS[version].sign(SEPARATOR.join(texts).encode(), ec.ECDSA(hashes.SHA256()))
    made["attribution-signature"] = base64.b64encode(signature).decode()


# ------------------------------------------------------------------------------------- the same values, written otherwise


def number(value: int, chance: random.Random) -> Any:
    digits = str(value)
    spellings = [value, digits, Raw(f"{digits}.0"), f"{digits}.0", Raw(f"{digits}e0"), f" {digits}", Raw(f"{digits}.000")]
    shifted = f"{digits[0]}.{digits[1:] or '0'}"
    spellings += [Raw(f"{shifted}e{len(digits) - 1}"), Raw(f"{shifted}E+{len(digits) - 1:02}"), f"0{digits}"]
    return chance.choice(spellings)


def truth(value: bool, chance: random.Random) -> Any:
    word = "true" if value else "false"
    return chance.choice([value, word, word.upper(), word.capitalize(), word[0], int(value), str(int(value))])


def signature(value: str, chance: random.Random) -> str:
    spelled = value
    if chance.random() < 0.5:
        spelled = spelled.replace("+", "-").replace("/", "_")
    elif chance.random() < 0.5:
        spelled = spelled.replace("+", " ")
    if chance.random() < 0.5:
        spelled = spelled.rstrip("=")
    if chance.random() < 0.3:
        place = chance.randrange(1, len(spelled))
        spelled = spelled[:place] + chance.choice(["\n", "\r\n"]) + spelled[place:]
    return spelled


def version_spelled(value: str, chance: random.Random) -> Any:
    whole = value.removesuffix(".0")
    return chance.choice([value, Raw(value), Raw(whole), whole, Raw(f"{value}0")])


def identifier(value: str, chance: random.Random) -> Any:
    return chance.choice([value, Raw(str(int(value))), Raw(f"{int(value)}.0")])


def respelled(made: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """What a serializer writes for the same postback."""
    spelled: dict[str, Any] = {}
    # Often nearly all is kept: the strict reading of the rest may pass for another postback.
    kept = chance.choice([0.4, 0.95])
    for name, value in made.items():
        if chance.random() < kept:
            spelled[name] = value
        elif name == "version":
            spelled[name] = version_spelled(value, chance)
        elif name == "source-identifier":
            spelled[name] = identifier(value, chance)
        elif name == "attribution-signature":
            spelled[name] = signature(value, chance)
        elif name == "coarse-conversion-value":
            spelled[name] = chance.choice([value, value.upper(), value.capitalize()])
        elif isinstance(value, bool):
            spelled[name] = truth(value, chance)
        elif isinstance(value, int):
            spelled[name] = number(value, chance)
        else:
            spelled[name] = value
    absent: list[Any] = [None, None, "", "null", " None ", "NIL"]
    for name in ("source-app-id", "source-domain", "conversion-value", "country-code", "campaign-id", "version"):
        is_known = name in made or (name == "campaign-id" and "source-identifier" not in made)
        if not is_known and not (name == "version" and "redownload" in made) and chance.random() < 0.3:
            spelled[name] = chance.choice(absent)
    if chance.random() < 0.2:
        spelled["forwarded-by"] = {"name": "somebody", "values": [1, None]}
    return spelled


# ---------------------------------------------------------------------------------------- another meaning than was signed


def changed(made: dict[str, Any], chance: random.Random) -> dict[str, Any] | None:
    """The postback with another signed meaning; its signature is the old one. None where the draw changes nothing."""
    other = dict(made)
    names = [name for name in made if name in ORDER["4.0"] + ["campaign-id"]]
    name = chance.choice(names)
    value = made[name]
    kind = chance.randrange(4)
    if kind == 0 and "source-app-id" in made:
        # Both sources stand in the same place of the signed text.
        del other["source-app-id"]
        other["source-domain"] = chance.choice([str(value), str(made["source-app-id"]), Raw(str(made["source-app-id"]))])
    elif kind == 1 and name in ("source-app-id", "source-domain"):
        other[name] = chance.choice([None, "", "null", " None ", "NIL"])
    elif kind == 2 and name in ("app-id", "campaign-id"):
        other[name] = chance.choice([value + 1, Raw(f"{value}.5"), -value, Raw(f"{value}e1"), f"{value}0"])
    elif isinstance(value, bool):
        other[name] = not value
    elif isinstance(value, int):
        other[name] = (value + 1) % 3 if name == "postback-sequence-index" else value + 1
    elif name == "version":
        other[name] = chance.choice([version for version in ORDER if version != value])
    elif name == "source-identifier":
        other[name] = f"{(int(value) + 1) % 10 ** len(value):0{len(value)}}"
    else:
        other[name] = value + chance.choice(["a", SEPARATOR + "a", " "])
    return other if other != made else None


# ------------------------------------------------------------------------------------------------------------ the judgment


def checks_counted() -> Callable[[], int]:
    """The number of signatures that were checked since the last call; always 0 without the library that counts."""
    path = os.environ.get("COUNTER")
    if not path:
        return lambda: 0
    taken = ctypes.CDLL(path).counted_checks
    return lambda: int(taken())


def judge(made: dict[str, Any], spelled: dict[str, Any], is_same: bool, chance: random.Random) -> str | None:
    """What is wrong with the library's answer; None if it is right."""
    body = document(spelled, chance)
    found = library.verify(body, KEYS)
    if not is_same:
        return f"a changed meaning passed: {body!r} of {made}" if found.result == "valid" else None
    if found.result != "valid":
        return f"{found.result} {found.problem_field}: {body!r} of {made}"
    if not found.is_respelled:
        return None
    canonical = json.loads(found.canonical_body)
    is_original = canonical == made and [*map(type, canonical.values())] == [type(made[name]) for name in canonical]
    return None if is_original else f"stored as {found.canonical_body!r}: {body!r} of {made}"


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**9)
    chance, taken = random.Random(seed), checks_counted()
    results: Counter[str] = Counter()
    most = failed = 0
    made = original(chance)
    for place in range(count):
        if place % 20 == 0:  # signing takes longer than all else
            made = original(chance)
        is_same = chance.random() < 0.6
        meant = made if is_same else changed(made, chance)
        if meant is None:
            continue
        spelled = respelled(meant, chance) if chance.random() < 0.9 else meant
        taken()
        fault = judge(made, spelled, is_same, chance)
        checks = taken()
        most = max(most, checks)
        results["same" if is_same else "changed"] += 1
        if fault or checks > MOST_CHECKS:
            failed += 1
            print(f"FAILED {place} (seed {seed}, {checks} checks): {fault}")
            if failed == 20:
                break
    print(f"{dict(results)}, at most {most} signatures checked for one, seed {seed}, {failed} failed")
    return 1 if failed or min(results["same"], results["changed"]) == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
