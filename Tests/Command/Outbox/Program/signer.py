"""Signs postbacks of SKAdNetwork 4.0 and 3.0 and of AdAttributionKit with a key of the test's own."""

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
    names = ("4.0", "3.0", "test/0", "test-development/0")
    file.write_text(json.dumps({"keys": [
        {"name": name, "spki": spki, "development": "development" in name} for name in names]}))
    return file


def skadnetwork(number, network=NETWORK, window=0, identifier="5239", version="4.0", did_win=True,
                redownload=False, app=APP, **unsigned):
    """The body, as a device posts it."""
    transaction = f"transaction-{number}"
    text = [version, network, identifier, str(app), transaction, str(redownload).lower(), "1", str(did_win).lower()]
    if version == "4.0":
        text.append(str(window))
        own = {"source-identifier": identifier, "postback-sequence-index": window}
    else:
        own = {"campaign-id": int(identifier)}
    signature = KEY.sign(SEPARATOR.join(text).encode(), ec.ECDSA(hashes.SHA256()))
    return json.dumps({
        "version": version, "ad-network-id": network, **own, "app-id": app, "transaction-id": transaction,
        "redownload": redownload, "fidelity-type": 1, "did-win": did_win, **unsigned,
        "attribution-signature": base64.b64encode(signature).decode(),
    }).encode()


def url64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def attribution_kit(number, network=NETWORK, conversion_type="download", window=0, identifier="1234", app=APP,
                    did_win=True, kid="test/0", **unsigned):
    header = {"kid": kid, "alg": "ES256"}
    payload = {
        "postback-identifier": f"postback-{number}", "ad-network-identifier": network,
        "advertised-item-identifier": app, "source-identifier": identifier, "did-win": did_win,
        "postback-sequence-index": window, "conversion-type": conversion_type,
    }
    text = ".".join(url64(json.dumps(part).encode()) for part in (header, payload))
    r, s = decode_dss_signature(KEY.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    signature = url64(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return json.dumps({"jws-string": f"{text}.{signature}", **unsigned}).encode()
