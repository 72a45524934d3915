"""A drawn postback as a row of plain facts, and the signed body that a device would send for it."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

KEYS = {"P-256": ec.generate_private_key(ec.SECP256R1()), "P-192": ec.generate_private_key(ec.SECP192R1())}
OLD_VERSIONS = ("2.0", "2.1", "2.2", "3.0")
ATTRIBUTION_KIT = "AdAttributionKit"
ARRIVAL_FIELD = "arrived"


@dataclass(frozen=True)
class Row:
    """A postback. `identifier` is what it says of its source: two to four digits, or the campaign id before 4.0."""

    arrived: int
    version: str
    network: str
    identifier: str
    app: int
    transaction: str
    window: int = 0
    won: bool = True
    conversion: str = "install"
    fine: int | None = None
    coarse: str | None = None
    country: str | None = None
    source_app: int | None = None
    is_view: bool = False

    @property
    def is_old(self) -> bool:
        """Whether it comes before SKAdNetwork 4.0."""
        return self.version in OLD_VERSIONS

    @property
    def campaign(self) -> tuple[str, str]:
        """Network and identifier of its campaign: the last two digits, or the campaign id before 4.0."""
        return self.network, f"campaign-id {self.identifier}" if self.is_old else self.identifier[-2:]


def unsigned_fields(row: Row) -> dict[str, object]:
    """Values that pass without a signature, those that the postback has."""
    fields = {
        "conversion-value": row.fine,
        "coarse-conversion-value": row.coarse,
        "country-code": row.country,
        ARRIVAL_FIELD: row.arrived,
    }
    return {name: value for name, value in fields.items() if value is not None}


def skadnetwork_fields(row: Row) -> dict[str, object]:
    """Signed fields in the order of the signed text (Rules, "SKAdNetwork signatures")."""
    source = {"campaign-id": int(row.identifier)} if row.is_old else {"source-identifier": row.identifier}
    fields: dict[str, object] = {
        "version": row.version,
        "ad-network-id": row.network,
        **source,
        "app-id": row.app,
        "transaction-id": row.transaction,
        "redownload": row.conversion == "redownload",
    }
    if row.source_app is not None:
        fields["source-app-id"] = row.source_app
    if row.version >= "2.2":
        fields["fidelity-type"] = 0 if row.is_view else 1
    if row.version >= "3.0":
        fields["did-win"] = row.won
    if not row.is_old:
        fields["postback-sequence-index"] = row.window
    return fields


def skadnetwork_body(row: Row) -> dict[str, object]:
    fields = skadnetwork_fields(row)
    text = "\u2063".join(str(value).lower() if isinstance(value, bool) else str(value) for value in fields.values())
    key = KEYS["P-192" if row.version == "2.0" else "P-256"]
    signature = key.sign(text.encode(), ec.ECDSA(hashes.SHA256()))
    return {**fields, "attribution-signature": base64.b64encode(signature).decode(), **unsigned_fields(row)}


def url_base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def attribution_kit_body(row: Row) -> dict[str, object]:
    payload = {
        "postback-identifier": row.transaction,
        "ad-network-identifier": row.network,
        "advertised-item-identifier": row.app,
        "source-identifier": row.identifier,
        "did-win": row.won,
        "postback-sequence-index": row.window,
        "conversion-type": "download" if row.conversion == "install" else row.conversion,
    }
    if row.source_app is not None:
        payload["publisher-item-identifier"] = row.source_app
    text = ".".join(url_base64(json.dumps(part).encode()) for part in ({"kid": "test/0", "alg": "ES256"}, payload))
    r, s = decode_dss_signature(KEYS["P-256"].sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    signature = url_base64(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    interaction = {"ad-interaction-type": "view" if row.is_view else "click"}
    return {"jws-string": f"{text}.{signature}", **interaction, **unsigned_fields(row)}


def line_of_file(row: Row) -> str:
    """Line of the file that skan receive reads, with the moment of arrival beside Apple's fields."""
    return json.dumps(attribution_kit_body(row) if row.version == ATTRIBUTION_KIT else skadnetwork_body(row))


def keys_document() -> str:
    """Content of the file for --postback-keys."""
    der, spki = serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    keys = []
    for name in (*OLD_VERSIONS, "4.0", "test/0"):
        key = KEYS["P-192" if name == "2.0" else "P-256"]
        public = base64.b64encode(key.public_key().public_bytes(der, spki)).decode()
        keys.append({"name": name, "spki": public, "development": False})
    return json.dumps({"keys": keys})
