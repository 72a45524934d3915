"""Postbacks in Python: the stated results, a receiver that counts once, and what its records say."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from libskan import ConversionModel, CorruptRecord, InvalidArgument, LimitExceeded, Misuse, SQLiteStore, postback

DOCUMENT = json.loads((Path(__file__).parents[2] / "Vectors" / "postbacks.json").read_text(encoding="utf-8"))
VECTORS = DOCUMENT["postbacks"]


def keys_of(vector: dict[str, Any]) -> "postback.Keys | None":
    if not vector["key"].startswith("test-"):
        return None
    spki = DOCUMENT["keys_spki_base64"]
    versions = {
        version: "test-p192" if version < "2.1" else "test-p256"
        for version in ("1.0", "2.0", "2.1", "2.2", "3.0", "4.0")
    }
    return postback.Keys([postback.Key(version, spki[key]) for version, key in versions.items()])


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["name"]))
def test_the_stated_result(vector: dict[str, Any]) -> None:
    body = json.dumps(vector["postback"])
    found = postback.verify(body, keys_of(vector))
    assert found.result == vector["result"]
    assert found.body == body.encode()
    assert found.is_respelled == vector.get("respelled", False)
    if "signed" in vector:
        assert list(found.signed_fields) == vector["signed"]
        assert sorted(json.loads(found.json)["signed"]) == sorted(vector["signed"])
    assert json.loads(found.json)["result"] == found.result


def test_what_is_absent_is_none() -> None:
    found = postback.verify(json.dumps(VECTORS[5]["postback"]))
    assert found.did_win is False
    assert (found.conversion_value, found.coarse_conversion_value, found.source_app_id) == (None, None, None)
    assert found.ad_network_id == "example123.skadnetwork"
    assert found.campaign_id == 42
    assert found.problem is None


def kept(path: Path, receipt: postback.Receipt) -> bytes:
    """The record of a postback that was received."""
    with SQLiteStore(path) as store:
        found = store.load(receipt.key)
    assert found is not None
    return found[0]


def model_of(name: str, protocol: int, fine: int) -> ConversionModel:
    """One that gives the value whatever happens."""
    windows: list[Any] = [{"rules": [{"fine": fine}]}, {"rules": []}, {"rules": []}]
    document = {"schema": 1, "id": name, "protocol": protocol, "windows": windows[: 3 if protocol == 4 else 1]}
    return ConversionModel(json.dumps(document))


def test_a_receiver_counts_once(tmp_path: Path) -> None:
    path, body, model = tmp_path / "p.db", json.dumps(VECTORS[0]["postback"]), model_of("m", 3, 20)
    for counted in (1, 0):
        receiver = postback.Receiver(SQLiteStore(path), models=[(0, model)])
        with receiver, ThreadPoolExecutor(8) as pool:
            receipts = list(pool.map(receiver.receive, [body] * 50))
        outcomes = [receipt.outcome for receipt in receipts]
        assert (outcomes.count("counted"), outcomes.count("duplicate")) == (counted, 50 - counted)
        for receipt in receipts:
            if receipt.outcome == "counted":
                assert (receipt.decoding, receipt.model) == ("decoded", model.version)
    with pytest.raises(Misuse):
        receiver.receive(body)
    data = kept(path, receipts[0])
    record = postback.read_record(data)
    assert (record.outcome, record.decoding, record.model) == ("counted", "decoded", model.version)
    assert record.postback == postback.verify(body)
    assert record.installed is not None
    assert record.reengaged is None
    assert record.installed[0] < record.installed[1] < record.received
    with pytest.raises(CorruptRecord):
        postback.read_record(data[:-1])


def test_reengagements_have_models_of_their_own(tmp_path: Path) -> None:
    # One that Apple signed, with a development key.
    body = json.dumps(next(vector for vector in VECTORS if vector["key"] == "by kid")["postback"])
    keys = postback.Keys(
        [postback.Key("apple-development-identifier/1", DOCUMENT["keys_spki_base64"]["apple-development-1"])]
    )
    installs, taps = model_of("installs", 4, 24), model_of("taps", 4, 24)
    for given, decoding, version in (([], None, None), ([(0, taps)], "decoded", taps.version)):
        path = tmp_path / f"{len(given)}.db"
        with postback.Receiver(
            SQLiteStore(path), keys=keys, models=[(0, installs)], reengagement_models=given
        ) as receiver:
            receipt = receiver.receive(body)
        assert (receipt.outcome, receipt.decoding, receipt.model) == ("counted", decoding, version)
        record = postback.read_record(kept(path, receipt))
        assert (record.decoding, record.model, record.installed) == (decoding, version, None)
        assert record.reengaged is not None
        assert record.reengaged[1] == int(record.received) - 86400


def test_only_what_is_ours_is_counted(tmp_path: Path) -> None:
    body = json.dumps(VECTORS[0]["postback"])
    for outcome, scope in {
        "other app": {"app_ids": [1, 2**63 - 1]},
        "other network": {"app_ids": [525463029], "ad_networks": ["evil999.skadnetwork"]},
        "counted": {"app_ids": [7, 525463029], "ad_networks": ["com.example"]},
    }.items():
        with postback.Receiver(SQLiteStore(tmp_path / "p.db"), **scope) as receiver:  # type: ignore[arg-type]
            assert receiver.receive(body).outcome == outcome
    for wrong in ({"app_ids": [2**63]}, {"ad_networks": ["a\0"]}):
        with pytest.raises(InvalidArgument):
            postback.Receiver(SQLiteStore(tmp_path / "q.db"), **wrong)


def test_an_invalid_postback_is_stored_as_refused(tmp_path: Path) -> None:
    with postback.Receiver(SQLiteStore(tmp_path / "p.db"), refused_bytes_in_all=2 * 5122 - 1) as receiver:
        first, second = receiver.receive("{}", "network"), receiver.receive("[]")
    assert (first.outcome, first.result, first.problem_field) == ("refused", "malformed", "ad-network-id")
    assert (first.is_kept, second.is_kept) == (True, False)
    with postback.Receiver(SQLiteStore(tmp_path / "q.db"), refused_bytes_in_all=3 * 5122) as receiver:
        assert [receiver.receive(body).is_kept for body in ("[]", "{}", "()", "<>")] == [True, True, True, False]
    assert postback.read_record(kept(tmp_path / "p.db", first)).network == "network"


def test_arguments_are_checked() -> None:
    with pytest.raises(InvalidArgument):
        postback.Keys([postback.Key("4.0", "none")])
    with pytest.raises(LimitExceeded):
        postback.verify(b" " * 65537)
    with pytest.raises(InvalidArgument):
        postback.Receiver(object())  # type: ignore[arg-type]
