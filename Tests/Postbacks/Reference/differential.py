"""Postbacks signed with test keys, valid and damaged in many ways, by the library and by Python's cryptography.

differential.py [how many] [seed]
"""

from __future__ import annotations

import base64
import json
import random
import sys
from collections import Counter
from typing import Any, Callable

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from libskan import postback as library
from reference import CONVERSION_TYPES, FIELDS, SEPARATOR, Verdict, verify

P256, P192 = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP192R1())
PRIVATE = {version: P192 if version in ("1.0", "2.0") else P256 for version in FIELDS}
PRIVATE.update({"test/0": P256, "test-development/0": P256, "p192": P192})
PUBLIC = {name: key.public_key() for name, key in PRIVATE.items()}
DEVELOPMENT = frozenset({"test-development/0"})


def spki(key: ec.EllipticCurvePublicKey) -> str:
    return base64.b64encode(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).decode()


KEYS = library.Keys([library.Key(name, spki(key), name in DEVELOPMENT) for name, key in PUBLIC.items()])
Chance = random.Random


def sign(key: ec.EllipticCurvePrivateKey, text: bytes) -> bytes:
    return key.sign(text, ec.ECDSA(hashes.SHA256()))


def some_text(chance: Chance) -> str:
    return chance.choice(["com.example", "5239", "", "ä", "😀", 'a"b\\', "a\0b", "\u2028", "x" * 200, "\ufffd"])


def some_integer(chance: Chance) -> int:
    return chance.choice([0, 1, 42, 525463029, -1, 2**63 - 1, -(2**63), chance.randrange(10**10)])


def skadnetwork(chance: Chance) -> dict[str, Any]:
    """A valid one."""
    version = chance.choice(list(FIELDS))
    made: dict[str, Any] = {}
    for field in FIELDS[version]:
        if field == "version":
            made[field] = version
        elif field == "source-app-id":
            if chance.random() < 0.5:
                made[field] = chance.choice([0, 0, some_integer(chance)])
        elif field == "source-domain":
            if "source-app-id" not in made and chance.random() < 0.5:
                made[field] = some_text(chance)
        elif field in ("redownload", "did-win"):
            made[field] = chance.random() < 0.5
        elif field == "postback-sequence-index":
            made[field] = chance.randrange(3)
        elif field in ("campaign-id", "app-id", "fidelity-type"):
            made[field] = some_integer(chance)
        else:
            made[field] = some_text(chance)
    fields = list(made)
    if made.get("source-app-id") == 0 and chance.random() < 0.5:
        fields.remove("source-app-id")
    values = [str(made[field]).lower() if isinstance(made[field], bool) else str(made[field]) for field in fields]
    signature = sign(PRIVATE[version], SEPARATOR.join(values).encode())
    made["attribution-signature"] = base64.b64encode(signature).decode()
    return made


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def jws(key: ec.EllipticCurvePrivateKey, header: bytes, payload: bytes) -> str:
    text = f"{base64url(header)}.{base64url(payload)}"
    r, s = utils.decode_dss_signature(sign(key, text.encode()))
    return f"{text}.{base64url(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


def attribution_kit(chance: Chance) -> dict[str, Any]:
    """One whose signature fits; its header or payload may be damaged before it is signed."""
    header: dict[str, Any] = {"kid": chance.choice(["test/0", "test/0", "test-development/0"]), "alg": "ES256"}
    payload: dict[str, Any] = {
        "postback-identifier": some_text(chance),
        "ad-network-identifier": some_text(chance),
        "advertised-item-identifier": some_integer(chance),
        "source-identifier": some_text(chance),
        "did-win": chance.random() < 0.5,
        "postback-sequence-index": chance.randrange(3),
        "marketplace-identifier": "com.apple.AppStore",
    }
    if chance.random() < 0.9:
        payload["conversion-type"] = chance.choice(
            [
                "download",
                "redownload",
                "re-engagement",
                "reengagement",
                "Download",
                "install",
                "",
                "download\0",
                None,
                1,
            ]
        )
    part, field = chance.choice([(header, "kid"), (header, "alg"), (header, "crit"), (payload, ""), (payload, "")])
    if chance.random() < 0.3:
        field = field or chance.choice(list(payload))
        if chance.random() < 0.5:
            part.pop(field, None)
        else:
            part[field] = chance.choice(
                [None, 1, 1.5, 7, "nobody", "4.0", "p192", "ES384", "es256", True, [], {}, "test/0"]
            )
    texts = [json.dumps(each, ensure_ascii=chance.random() < 0.5).encode() for each in (header, payload)]
    if chance.random() < 0.1:
        index = chance.randrange(2)
        texts[index] = damaged_bytes(texts[index], chance)
    return {"jws-string": jws(P256, *texts)}


UNSIGNED: dict[str, list[Any]] = {
    "conversion-value": [0, 20, 63, 64, -1, "5", 1.5, None, True, []],
    "coarse-conversion-value": ["low", "medium", "high", "none", 1, None, {}],
    "country-code": ["DE", "us", "USA", 49, None],
    "ad-interaction-type": ["click", "view", "tap", None],
    "unknown": [None, {"a": [1, {"b": 2}]}, "x"],
}


def add_unsigned(made: dict[str, Any], chance: Chance) -> None:
    for field, values in UNSIGNED.items():
        if chance.random() < 0.4:
            made[field] = chance.choice(values)


def damage_value(made: dict[str, Any], chance: Chance) -> None:
    field = chance.choice(list(made))
    value = made[field]
    others: list[Any] = [
        None,
        True,
        False,
        0,
        1,
        2,
        3,
        1.0,
        2**63,
        "1",
        "",
        "x",
        [],
        {},
        "a\u2063b",
        "\ud800",
        "4.0",
        "2.2",
    ]
    if isinstance(value, bool):
        others += [not value] * 20
    elif isinstance(value, int):
        others += [value + 1, value - 1, str(value), float(value), -value] * 4
    elif isinstance(value, str):
        others += [value + "x", value[:-1], value.upper(), "\u2063" + value] * 4
    made[field] = chance.choice(others)


def remove_field(made: dict[str, Any], chance: Chance) -> None:
    del made[chance.choice(list(made))]


def add_field(made: dict[str, Any], chance: Chance) -> None:
    names = [name for fields in FIELDS.values() for name in fields] + ["jws-string", "attribution-signature"]
    made[chance.choice(names)] = chance.choice([None, 0, 1, "x", True, "1.0"])


def damage_text(text: str, chance: Chance) -> str:
    """Letters of a signature or JWS."""
    place = chance.randrange(len(text) + 1)
    return chance.choice(
        [
            text[:-1],
            text + "=",
            text + "==",
            text.rstrip("="),
            text + "A",
            text + "AAAA",
            text[:place] + chance.choice("AZaz09+/-_=. \n.") + text[place:],
            text[:place] + chance.choice("AZaz09+/-_=.") + text[place + 1 :],
            text[:place] + text[place + 1 :],
            text[:place],
            text.replace("+", "-").replace("/", "_"),
        ]
    )


def der(number: int, shift: int = 0) -> bytes:
    length = number.bit_length() // 8 + 1 + shift
    return bytes([2, length]) + number.to_bytes(length, "big")


def other_signature(text: str, chance: Chance) -> str:
    """The numbers of a signature in another form, or other numbers."""
    try:
        r, s = utils.decode_dss_signature(base64.b64decode(text))
    except ValueError:
        return text
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    plain = der(r) + der(s)
    forms = [
        b"\x30\x81" + bytes([len(plain)]) + plain,
        b"\x30\x82\x00" + bytes([len(plain)]) + plain,
        b"\x30" + bytes([len(plain)]) + plain + b"\0",
        b"\x30" + bytes([len(plain) + 1]) + plain + b"\0",
        b"\x30\x80" + plain + b"\0\0",
        b"\x31" + bytes([len(plain)]) + plain,
        b"\x30" + bytes([len(der(r, 1) + der(s))]) + der(r, 1) + der(s),
        b"\x30" + bytes([len(der(r))]) + der(r),
        b"\x30\x06\x02\x01\x80\x02\x01\x01",
        b"\x30\x06\x02\x01\x00\x02\x01\x00",
        b"\x30\x00",
        b"",
    ]
    numbers = [(s, r), (order - r, s), (r, order - s), (r + order, s), (0, s), (r, 0), (r, s + 1), (2**600, s), (r, s)]
    if chance.random() < 0.5:
        one, two = chance.choice(numbers)
        forms = [utils.encode_dss_signature(abs(one), abs(two))]
    return base64.b64encode(chance.choice(forms)).decode()


def damage_signature(made: dict[str, Any], chance: Chance) -> None:
    if "jws-string" in made:
        made["jws-string"] = damage_text(str(made["jws-string"]), chance)
    elif "attribution-signature" in made:
        change = chance.choice([damage_text, other_signature])
        made["attribution-signature"] = change(str(made["attribution-signature"]), chance)


def damaged_bytes(body: bytes, chance: Chance) -> bytes:
    place = chance.randrange(len(body))
    return chance.choice(
        [
            b"\xef\xbb\xbf" + body,
            body + b" \n",
            body + b"\0",
            body + body,
            b" \t\r\n" + body,
            b"[" + body + b"]",
            body[:place],
            body[:place] + bytes([body[place] ^ 1 << chance.randrange(8)]) + body[place + 1 :],
            body[:place] + bytes([chance.randrange(256)]) + body[place:],
            body[:-1] + b',"version":"4.0"}',
            body[:-1] + b',"\\u0076ersion":"4.0"}',
            body[:-1] + b',"a\\u0000":1}',
            body[:-1] + b',"deep":' + b"[" * 31 + b"]" * 31 + b"}",
            body[:-1] + b',"deep":' + b"[" * 32 + b"]" * 32 + b"}",
            body[:-1] + b',"n":NaN}',
            body[:-1] + b',"n":01}',
            body[:-1] + b',"n":1e999}',
            body[:-1] + b",}",
            body.replace(b'"', b"'"),
            body.replace(b":0", b":-0").replace(b": 0", b": -0"),
            body.replace(b"42", b"42.0"),
            body.replace(b"42", b"4.2e1"),
            body.replace(b"a", b"\\u0061"),
            body.replace(b"\\", b"\\\\"),
        ]
    )


DAMAGES: list[Callable[[dict[str, Any], Chance], None]] = [
    damage_value,
    damage_value,
    remove_field,
    add_field,
    damage_signature,
    damage_signature,
]


def body_of(chance: Chance) -> bytes:
    made = chance.choice([skadnetwork, skadnetwork, attribution_kit])(chance)
    add_unsigned(made, chance)
    for _ in range(chance.choice([0, 1, 1, 1, 2])):
        chance.choice(DAMAGES)(made, chance)
        if not made:
            break
    items = list(made.items())
    chance.shuffle(items)
    body = json.dumps(dict(items), ensure_ascii=chance.random() < 0.7).encode("utf-8", "surrogatepass")
    return damaged_bytes(body, chance) if chance.random() < 0.2 else body


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**9)
    chance, results, types, failed = random.Random(seed), Counter[str](), Counter[str | None](), 0
    for number in range(count):
        body = body_of(chance)
        expected, found = verify(body, PUBLIC, DEVELOPMENT), library.verify(body, KEYS)
        results[expected.result] += 1
        types[expected.conversion_type] += 1
        # Of one with a fault, what comes after it is absent.
        told = found.conversion_type if found.problem is None else None
        if Verdict(found.result, found.signed_fields, found.problem_field, told) != expected:
            failed += 1
            print(f"FAILED {number} (seed {seed}): {body!r}\n  expected {expected}\n  came {found}")
    print(f"{dict(sorted(results.items()))}, {dict(sorted(types.items(), key=str))}, seed {seed}")
    print(f"{count - failed} passed, {failed} failed")
    has_all = set(results) == {"valid", "invalid", "unverifiable", "development", "malformed"}
    return 0 if not failed and has_all and set(types) == {None, *CONVERSION_TYPES} else 1


if __name__ == "__main__":
    sys.exit(main())
