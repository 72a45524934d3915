"""Postbacks once more, by Python's cryptography: what one is, written apart from the library's own code.

Rules, "Postback verification", "Postback keys", "SKAdNetwork signatures", "AdAttributionKit signatures".
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import Any, Callable, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

SEPARATOR = "\u2063"


class Verdict(NamedTuple):
    """A result, what was signed, the field at fault, and, where no field is, the conversion type."""

    result: str
    signed: tuple[str, ...] = ()
    field: str | None = None
    conversion_type: str | None = None


class Fault(Exception):
    """What ends the checks."""

    def __init__(self, result: str, field: str | None) -> None:
        super().__init__(result, field)
        self.verdict = Verdict(result, (), field)


class Number(str):
    """A JSON number as it is spelled."""


def depth(value: Any) -> int:
    """How deep arrays and objects are nested."""
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    return 0


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are distinct and have no NUL."""
    made = dict(pairs)
    if len(made) != len(pairs) or any("\0" in key for key in made):
        raise ValueError("keys")
    return made


def refuse(_: str) -> Any:
    """NaN and its like."""
    raise ValueError("constant")


def parse(body: bytes) -> dict[str, Any] | None:
    """Rules, "JSON"; None where it is no such JSON."""
    try:
        text = body.decode("utf-8")
        if text.startswith("\ufeff") or re.match(r"[^ \t\r\n{]", text):
            return None
        value = json.loads(text, object_pairs_hook=unique, parse_int=Number, parse_float=Number, parse_constant=refuse)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and depth(value) <= 32 else None


def is_text(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, Number)


def is_integer(value: Any) -> bool:
    return isinstance(value, Number) and bool(re.fullmatch(r"-?\d+", value)) and -(2**63) <= int(value) < 2**63


def is_window(value: Any) -> bool:
    return is_integer(value) and 0 <= int(value) <= 2


def is_boolean(value: Any) -> bool:
    return isinstance(value, bool)


TYPES: dict[str, Callable[[Any], bool]] = {
    "campaign-id": is_integer,
    "app-id": is_integer,
    "source-app-id": is_integer,
    "fidelity-type": is_integer,
    "redownload": is_boolean,
    "did-win": is_boolean,
    "postback-sequence-index": is_window,
}

_TWO = ["version", "ad-network-id", "campaign-id", "app-id", "transaction-id", "redownload", "source-app-id"]
FIELDS = {
    "1.0": ["ad-network-id", "campaign-id", "app-id", "transaction-id"],
    "2.0": _TWO,
    "2.1": _TWO,
    "2.2": [*_TWO, "fidelity-type"],
    "3.0": [*_TWO, "fidelity-type", "did-win"],
    "4.0": [
        "version",
        "ad-network-id",
        "source-identifier",
        "app-id",
        "transaction-id",
        "redownload",
        "source-app-id",
        "source-domain",
        "fidelity-type",
        "did-win",
        "postback-sequence-index",
    ],
}


def spelled(value: Any) -> str:
    """A value in the signed text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(int(value)) if isinstance(value, Number) else str(value)


def fits(key: ec.EllipticCurvePublicKey, signature: bytes, text: bytes) -> bool:
    try:
        key.verify(signature, text, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return False
    return True


def skadnetwork(postback: dict[str, Any], keys: dict[str, ec.EllipticCurvePublicKey]) -> Verdict:
    version = postback.get("version", "1.0")
    if not is_text(version):
        raise Fault("malformed", "version")
    if version not in FIELDS or version not in keys:
        raise Fault("unverifiable", "version")
    for field in FIELDS[version]:
        if field not in postback:
            if field in ("source-app-id", "source-domain"):
                continue
            raise Fault("malformed", field)
        value = postback[field]
        if not TYPES.get(field, is_text)(value) or (is_text(value) and SEPARATOR in value):
            raise Fault("malformed", field)
        if field == "source-domain" and ("source-app-id" in postback or re.fullmatch("[0-9]+", value)):
            raise Fault("malformed", field)
    signature = postback.get("attribution-signature")
    if (
        not isinstance(signature, str)
        or not is_text(signature)
        or not re.fullmatch(r"([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2,3}={1,2})?", signature)
    ):
        raise Fault("malformed", "attribution-signature")
    try:
        der = base64.b64decode(signature, validate=True)
        utils.decode_dss_signature(der)
    except (ValueError, binascii.Error):
        raise Fault("malformed", "attribution-signature") from None
    signed = [field for field in FIELDS[version] if field in postback]
    tries = [signed]
    if "source-app-id" in signed and int(postback["source-app-id"]) == 0:
        tries.append([field for field in signed if field != "source-app-id"])
    for fields in tries:
        text = SEPARATOR.join(spelled(postback[field]) for field in fields).encode("utf-8", "surrogatepass")
        if fits(keys[version], der, text):
            return Verdict("valid", tuple(fields), None, type_by_redownload(postback))
    return Verdict("invalid", (), None, type_by_redownload(postback))


def type_by_redownload(postback: dict[str, Any]) -> str | None:
    if postback.get("version", "1.0") == "1.0":
        return None
    return "redownload" if postback["redownload"] else "download"


CONVERSION_TYPES = {"download", "redownload", "re-engagement"}


def type_of_payload(payload: dict[str, Any]) -> str | None:
    told = payload.get("conversion-type")
    if not is_text(told):
        return None
    return "re-engagement" if told == "reengagement" else told if told in CONVERSION_TYPES else None


PAYLOAD = {
    "postback-identifier": is_text,
    "ad-network-identifier": is_text,
    "advertised-item-identifier": is_integer,
    "source-identifier": is_text,
    "did-win": is_boolean,
    "postback-sequence-index": is_window,
}


def attribution_kit(
    postback: dict[str, Any], keys: dict[str, ec.EllipticCurvePublicKey], development: frozenset[str]
) -> Verdict:
    jws = postback["jws-string"]
    parts = jws.split(".") if is_text(jws) else []
    if len(parts) != 3:
        raise Fault("malformed", "jws-string")
    decoded = []
    for name, part in zip(("header", "payload", "signature"), parts):
        if not re.fullmatch(r"[A-Za-z0-9_-]*", part) or len(part) % 4 == 1:
            raise Fault("malformed", name)
        decoded.append(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    header = parse(decoded[0])
    if header is None:
        raise Fault("malformed", "header")
    if not is_text(header.get("alg")) or header["alg"] != "ES256":
        raise Fault("malformed", "alg")
    if len(decoded[2]) != 64:
        raise Fault("malformed", "signature")
    if "crit" in header:
        raise Fault("unverifiable", "crit")
    kid = header.get("kid")
    if not is_text(kid) or kid in FIELDS or kid not in keys or not isinstance(keys[kid].curve, ec.SECP256R1):
        raise Fault("unverifiable", "kid")
    payload = parse(decoded[1])
    if payload is None:
        raise Fault("malformed", "payload")
    for field, is_right in PAYLOAD.items():
        if not is_right(payload.get(field)):
            raise Fault("malformed", field)
    r, s = (int.from_bytes(decoded[2][start : start + 32], "big") for start in (0, 32))
    if not fits(keys[kid], utils.encode_dss_signature(r, s), f"{parts[0]}.{parts[1]}".encode()):
        return Verdict("invalid", (), None, type_of_payload(payload))
    result = "development" if kid in development else "valid"
    return Verdict(result, tuple(payload), None, type_of_payload(payload))


def verify(body: bytes, keys: dict[str, ec.EllipticCurvePublicKey], development: frozenset[str]) -> Verdict:
    """What a postback is, by these keys."""
    postback = parse(body)
    if postback is None:
        return Verdict("malformed")
    try:
        if "jws-string" in postback and "attribution-signature" not in postback:
            return attribution_kit(postback, keys, development)
        return skadnetwork(postback, keys)
    except Fault as fault:
        return fault.verdict
