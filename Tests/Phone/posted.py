"""The postbacks of a phone: signed, received by libskan's receiver, decoded and dated."""

from __future__ import annotations

import base64
import json
import random
import time
from pathlib import Path

from apple import Conversion
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from libskan import ConversionModel, SQLiteStore, postback
from life import Life
from sent import Ad, Sent, disclosure, postbacks

NETWORK = "example123.adattributionkit"
APP = 525463029
COARSE = ("low", "medium", "high")
AD = Ad("1234", 1_234_567_890, "com.apple.AppStore", "US")


def url64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Posted:
    """A receiver, and Apple's key."""

    def __init__(self, folder: Path, models: dict[str, ConversionModel]) -> None:
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
            start = life.ledgers[number].start
            if conversion is None or conversion.base(life.world) != start:
                continue
            chance = random.Random(f"{life.name} {number}")
            # The crowd of more digits is never larger.
            tiers = sorted((chance.randrange(4) for _ in range(3)), reverse=True)
            shown = disclosure(tiers, chance.randrange(4))
            for sent in postbacks(conversion, start, AD, shown, chance):
                self.check_postback(life, number, conversion, sent)

    def check_postback(self, life: Life, number: int, conversion: Conversion, sent: Sent) -> None:
        """The value that Apple holds at the end, if that is the model's last one."""
        held, ledger = conversion.held[sent.window], life.ledgers[number]
        value = ledger.values.get(sent.window)
        if value is None or held.coarse != value[1] or (sent.window == 0 and held.fine != value[0]):
            return  # the last list of this window was not made
        if sent.fine is None and sent.coarse is None:
            return  # there is nothing to decode
        tap = int(time.time()) - (sent.arrival - ledger.start)
        record = self.received(life.setting.model, sent)
        what = conversion.name, sent, record
        life.expect("P11", record.postback.conversion_type == "re-engagement", *what)
        life.expect("P11", record.decoding == "decoded", *what)
        life.expect("P11", record.model == self.models[life.setting.model].version, *what)
        assert record.reengaged is not None
        life.expect("P11", record.reengaged[0] <= tap + 1 and tap - 1 <= record.reengaged[1], *what, tap)
        found = self.models[life.setting.model].decode(sent.window, sent.fine, sent.coarse)
        rules = [] if found is None else [rule["rule"] for rule in found["rules"]]
        life.expect("P11", ledger.rules[sent.window] in rules, *what, ledger.rules[sent.window], rules)

    def received(self, model: str, sent: Sent) -> postback.Record:
        self.count += 1
        payload: dict[str, object] = {
            "postback-identifier": f"postback-{self.count}",
            "ad-network-identifier": NETWORK,
            "advertised-item-identifier": APP,
            "source-identifier": sent.identifier,
            "did-win": True,
            "postback-sequence-index": sent.window,
            "conversion-type": "re-engagement",
        }
        if sent.publisher is not None:
            payload["publisher-item-identifier"] = sent.publisher
        if sent.marketplace is not None:
            payload["marketplace-identifier"] = sent.marketplace
        text = ".".join(url64(json.dumps(part).encode()) for part in ({"kid": "phone/0", "alg": "ES256"}, payload))
        r, s = decode_dss_signature(self.key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        body: dict[str, object] = {"jws-string": f"{text}.{url64(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"}
        if sent.fine is not None:
            body["conversion-value"] = sent.fine
        elif sent.coarse is not None:
            body["coarse-conversion-value"] = COARSE[sent.coarse]
        if sent.country is not None:
            body["country-code"] = sent.country
        receipt = self.receivers[model].receive(json.dumps(body))
        found = self.store.load(receipt.key)
        assert receipt.outcome == "counted", receipt
        assert found is not None, receipt
        return postback.read_record(found[0])
