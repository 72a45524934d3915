"""Postbacks once more, by Python's cryptography: what one is, written apart from the library's own code.

Rules, "Postback verification", "Respelled postbacks", "Postback keys", "SKAdNetwork signatures", "AdAttributionKit
signatures", "Unknown types".
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from decimal import Decimal, InvalidOperation
from typing import Any, Callable, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

SEPARATOR = "\u2063"


class Verdict(NamedTuple):
    """A result, what was signed, the field at fault, and, where no field is, the conversion type.

    The last one tells whether it was respelled.
    """

    result: str
    signed: tuple[str, ...] = ()
    field: str | None = None
    conversion_type: str | None = None
    respelled: bool = False


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
        is_newer = isinstance(version, Number) and known_version(version) is None
        raise Fault("unverifiable" if is_newer else "malformed", "version")
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
    if told is None:
        return None
    if not is_text(told):
        return "unknown_type"
    return "re-engagement" if told == "reengagement" else told if told in CONVERSION_TYPES else "unknown_type"


# The payload is Apple's own text: its values are read in every notation.
PAYLOAD: dict[str, Callable[[Any], bool]] = {
    "postback-identifier": lambda value: is_text(value),
    "ad-network-identifier": lambda value: is_text(value),
    "advertised-item-identifier": lambda value: whole(value) is not None,
    "source-identifier": lambda value: is_text(value) or is_integer(value),
    "did-win": lambda value: truth(value) is not None,
    "postback-sequence-index": lambda value: small(value) in (0, 1, 2),
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


# ----------------------------------------------------------------------------------- what a serializer may have written

_BLANKS = " \t\r\n"


def whole(value: Any) -> int | None:
    """A whole number of any notation, also as text."""
    if isinstance(value, Number):
        if is_integer(value):
            return int(value)
        try:
            number = Decimal(str(value))
        except InvalidOperation:
            return None
        # Larger exponents are no ids.
        if number and (number.adjusted() > 17 or number != number.to_integral_value()):
            return None
        return int(number)
    if not is_text(value):
        return None
    digits = re.sub(r"^0+(?=[0-9])", "", value.strip(_BLANKS).removeprefix("+"))
    is_number = re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?", digits)
    return whole(Number(digits)) if is_number else None


def truth(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    if is_text(value) and value.strip(_BLANKS).lower() in ("true", "t", "false", "f"):
        return bool(value.strip(_BLANKS).lower() in ("true", "t"))
    number = whole(value)
    return bool(number) if number in (0, 1) else None


def small(value: Any) -> int | None:
    number, flag = whole(value), truth(value)
    return number if number is not None else None if flag is None else int(flag)


def is_absent(value: Any) -> bool:
    return value is None or (is_text(value) and value.strip(_BLANKS).lower() in ("", "null", "none", "nil"))


def known_version(value: Any) -> str | None:
    text = str(value).strip(_BLANKS) if isinstance(value, str) else ""
    if not re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?", text):
        return None
    return next((version for version in FIELDS if Decimal(version) == Decimal(text)), None)


def signature_in_base64(value: Any) -> str | None:
    if not is_text(value) or len(value.encode("utf-8", "surrogatepass")) > 1024:
        return None
    for text, blank in ((value, "+"), (value.strip(_BLANKS), "+"), (value, "")):
        letters = text.replace("=", "").replace(" ", blank)
        letters = re.sub(r"[\t\r\n]", "", letters).replace("-", "+").replace("_", "/")
        if not re.fullmatch(r"[A-Za-z0-9+/]*", letters) or len(letters) % 4 == 1:
            continue
        der = base64.b64decode(letters + "=" * (-len(letters) % 4))
        try:
            utils.decode_dss_signature(der)
        except ValueError:
            continue
        return base64.b64encode(der).decode()
    return None


def identifiers(value: Any) -> list[str]:
    """What a source-identifier may have been before it became a number."""
    number = None if is_text(value) and re.fullmatch("[0-9]*", value) else whole(value)
    if number is None or not 0 <= number <= 9999:
        return [value] if is_text(value) else []
    texts = [f"{number:0{digits}}" for digits in (2, 3, 4) if digits >= len(str(number))]
    return [*texts, str(number)] if number < 10 else texts


def canonical_forms(postback: dict[str, Any]) -> list[dict[str, Any]]:
    """The postback as Apple would have written it, in each way in which it may be meant."""
    told = postback.get("version")
    version = "1.0" if "version" not in postback or is_absent(told) else known_version(told)
    if version is None:
        return []
    made: dict[str, Any] = {} if is_absent(told) else {"version": version}
    for field in FIELDS[version]:
        value = postback.get(field)
        is_optional = field in ("source-app-id", "source-domain")
        if field == "version" or (is_optional and is_absent(value)):
            continue
        domain = postback.get("source-domain")
        if field == "source-app-id" and whole(value) == 0 and is_text(domain) and not is_absent(domain):
            continue
        if field == "source-identifier":
            made[field] = value
            continue
        readers: dict[Callable[[Any], bool], Callable[[Any], Any]] = {is_integer: whole, is_window: small}
        readers[is_boolean] = truth
        reader = readers.get(TYPES.get(field, is_text))
        if field == "fidelity-type":
            reader = small
        read = reader(value) if reader else value if is_text(value) else None
        if read is None:
            return []
        made[field] = read if isinstance(read, (bool, str)) else Number(str(read))
    made["attribution-signature"] = signature_in_base64(postback.get("attribution-signature"))
    if version != "4.0":
        return [made]
    return [{**made, "source-identifier": text} for text in identifiers(made["source-identifier"])]


def respelled(postback: dict[str, Any], keys: dict[str, ec.EllipticCurvePublicKey]) -> Verdict | None:
    for form in canonical_forms(postback):
        try:
            verdict = skadnetwork(form, keys)
        except Fault:
            continue
        if verdict.result == "valid":
            return verdict._replace(respelled=True)
    return None


def is_kit(postback: dict[str, Any]) -> bool:
    if "jws-string" not in postback or "attribution-signature" not in postback:
        return "jws-string" in postback
    signature = postback["attribution-signature"]
    return postback["jws-string"] is not None and (signature is None or (is_text(signature) and not signature))


def verify(body: bytes, keys: dict[str, ec.EllipticCurvePublicKey], development: frozenset[str]) -> Verdict:
    """What a postback is, by these keys."""
    postback = parse(body.removeprefix(b"\xef\xbb\xbf"))
    if postback is None:
        return Verdict("malformed")
    if is_kit(postback):
        return verify_kit(postback, keys, development)
    try:
        strict = skadnetwork(postback, keys)
    except Fault as fault:
        strict = fault.verdict
    if strict.result == "valid":
        return strict
    return respelled(postback, keys) or strict


def verify_kit(
    postback: dict[str, Any], keys: dict[str, ec.EllipticCurvePublicKey], development: frozenset[str]
) -> Verdict:
    try:
        return attribution_kit(postback, keys, development)
    except Fault as fault:
        jws = postback["jws-string"]
        compact = re.sub(r"[= \t\r\n]", "", jws).replace("+", "-").replace("/", "_") if is_text(jws) else jws
        if compact == jws:
            return fault.verdict
    try:
        verdict = attribution_kit({**postback, "jws-string": compact}, keys, development)
    except Fault:
        return fault_of(postback, keys, development)
    if verdict.result in ("valid", "development"):
        return verdict._replace(respelled=True)
    return fault_of(postback, keys, development)


def fault_of(
    postback: dict[str, Any], keys: dict[str, ec.EllipticCurvePublicKey], development: frozenset[str]
) -> Verdict:
    try:
        return attribution_kit(postback, keys, development)
    except Fault as fault:
        return fault.verdict
