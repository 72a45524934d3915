"""The postbacks of a phone: signed, received by libskan's receiver, decoded and dated."""

from __future__ import annotations

import base64
import json
import random
import time
from pathlib import Path

from apple import HOUR, WINDOW_ENDS, Conversion
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from libskan import Model, SQLiteStore, postback
from life import Life

NETWORK = "example123.adattributionkit"
APP = 525463029
COARSE = ("low", "medium", "high")


def url64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Posted:
    """A receiver, and Apple's key."""

    def __init__(self, folder: Path, models: dict[str, Model]) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        der = self.key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        keys = postback.Keys([postback.Key("phone/0", base64.b64encode(der).decode())])
        self.models, self.path, self.count = models, str(folder / "postbacks.db"), 0
        self.receivers = {
            name: postback.Receiver(
                SQLiteStore(self.path), keys=keys, models=[(0, models["install"])], reengagement_models=[(0, model)]
            )
            for name, model in models.items()
            if name != "install"
        }
        self.store = SQLiteStore(self.path)

    def close(self) -> None:
        self.store.close()
        for receiver in self.receivers.values():
            receiver.close()

    def check(self, life: Life) -> None:
        """P11 of every re-engagement that can be judged."""
        for number, conversion in life.conversions.items():
            if conversion is None or conversion.base(life.world) != life.ledgers[number].start:
                continue
            for window in range(3):
                self.check_window(life, number, conversion, window)

    def check_window(self, life: Life, number: int, conversion: Conversion, window: int) -> None:
        """The value that Apple holds at the end, if that is the model's last one."""
        held, ledger = conversion.held[window], life.ledgers[number]
        value = ledger.values.get(window)
        if value is None or held.coarse != value[1] or (window == 0 and held.fine != value[0]):
            return  # the last list of this window was not made
        chance = random.Random(f"{life.name} {number} {window}")
        shows_fine = window == 0 and chance.random() < 0.7
        end = held.locked if held.locked is not None else ledger.start + WINDOW_ENDS[window]
        least, most = (24, 48) if window == 0 else (24, 144)
        arrival = end + chance.randrange(least * HOUR, most * HOUR)
        tap = int(time.time()) - (arrival - ledger.start)
        record = self.received(life.setting.model, window, value[0] if shows_fine else None, value[1], shows_fine)
        what = conversion.name, "window", window, record
        life.expect("P11", record.postback.conversion_type == "re-engagement", *what)
        life.expect("P11", record.decoding == "decoded", *what)
        life.expect("P11", record.model == self.models[life.setting.model].version, *what)
        assert record.reengaged is not None
        life.expect("P11", record.reengaged[0] <= tap + 1 and tap - 1 <= record.reengaged[1], *what, tap)
        found = self.models[life.setting.model].decode(window, *((value[0], None) if shows_fine else (None, value[1])))
        rules = [] if found is None else [rule["rule"] for rule in found["rules"]]
        life.expect("P11", ledger.rules[window] in rules, *what, ledger.rules[window], rules)

    def received(
        self, model: str, window: int, fine: int | None, coarse: int | None, shows_fine: bool
    ) -> postback.Record:
        self.count += 1
        payload = {
            "postback-identifier": f"postback-{self.count}",
            "ad-network-identifier": NETWORK,
            "advertised-item-identifier": APP,
            "source-identifier": "1234",
            "did-win": True,
            "postback-sequence-index": window,
            "conversion-type": "re-engagement",
        }
        text = ".".join(url64(json.dumps(part).encode()) for part in ({"kid": "phone/0", "alg": "ES256"}, payload))
        r, s = decode_dss_signature(self.key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        body: dict[str, object] = {"jws-string": f"{text}.{url64(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"}
        if shows_fine:
            body["conversion-value"] = fine
        elif coarse is not None:
            body["coarse-conversion-value"] = COARSE[coarse]
        receipt = self.receivers[model].receive(json.dumps(body))
        found = self.store.load(receipt.key)
        assert receipt.outcome == "counted", receipt
        assert found is not None, receipt
        return postback.read_record(found[0])
