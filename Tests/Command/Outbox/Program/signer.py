"""Signs postbacks of SKAdNetwork 4.0 and AdAttributionKit with a key of the test's own."""

import base64
import json

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

SEPARATOR = "\u2063"
KEY = ec.generate_private_key(ec.SECP256R1())
NETWORK = "example123.skadnetwork"
OTHER_NETWORK = "other456.skadnetwork"
APP = 525463029
OTHER_APP = 999999999


def keys_file(folder):
    """For --postback-keys."""
    der = KEY.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    spki = base64.b64encode(der).decode()
    file = folder / "keys.json"
    file.write_text(json.dumps({"keys": [{"name": name, "spki": spki} for name in ("4.0", "test/0")]}))
    return file


def skadnetwork(number, network=NETWORK, window=0, app=APP, **unsigned):
    """The body, as a device posts it."""
    transaction = f"transaction-{number}"
    text = ["4.0", network, "5239", str(app), transaction, "false", "1", "true", str(window)]
    signature = KEY.sign(SEPARATOR.join(text).encode(), ec.ECDSA(hashes.SHA256()))
    return json.dumps({
        "version": "4.0", "ad-network-id": network, "source-identifier": "5239", "app-id": app,
        "transaction-id": transaction, "redownload": False, "fidelity-type": 1, "did-win": True,
        "postback-sequence-index": window, **unsigned, "attribution-signature": base64.b64encode(signature).decode(),
    }).encode()


def url64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def attribution_kit(number, network=NETWORK, conversion_type="download", app=APP, **unsigned):
    header = {"kid": "test/0", "alg": "ES256"}
    payload = {
        "postback-identifier": f"postback-{number}", "ad-network-identifier": network,
        "advertised-item-identifier": app, "source-identifier": "1234", "did-win": True,
        "postback-sequence-index": 0, "conversion-type": conversion_type,
    }
    text = ".".join(url64(json.dumps(part).encode()) for part in (header, payload))
    r, s = decode_dss_signature(KEY.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    signature = url64(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return json.dumps({"jws-string": f"{text}.{signature}", **unsigned}).encode()
