"""Postbacks in Python: the stated results, a receiver that counts once, and what the package promises."""

import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from ctypes import sizeof
from pathlib import Path
from typing import Any

import pytest
from libskan import (
    CorruptRecord,
    InvalidArgument,
    LimitExceeded,
    Misuse,
    Model,
    SQLiteStore,
    _native_postback,
    postback,
)
from libskan._companions import companion

ROOT = Path(__file__).resolve().parents[3]
HEADER = (ROOT / "Include/skan/postback.h").read_text(encoding="utf-8")
DOCUMENT = json.loads((ROOT / "Tests/Vectors/postbacks.json").read_text(encoding="utf-8"))
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
    if "signed" in vector:
        assert list(found.signed_fields) == vector["signed"]
        assert sorted(json.loads(found.json)["signed"]) == sorted(vector["signed"])
    assert json.loads(found.json)["result"] == found.result


def test_what_is_absent_is_none() -> None:
    found = postback.verify(json.dumps(VECTORS[5]["postback"]))
    assert (found.did_win, found.conversion_value, found.coarse_value, found.source_app_id) == (False, None, None, None)
    assert found.ad_network_id == "example123.skadnetwork"
    assert found.campaign_id == 42
    assert found.problem is None


def test_a_receiver_counts_once(tmp_path: Path) -> None:
    body = json.dumps(VECTORS[0]["postback"])
    model = Model(b'{"schema":1,"id":"m","protocol":3,"currency":"USD","windows":[{"rules":[{"fine":20,"when":{}}]}]}')
    for start in range(2):
        receiver = postback.Receiver(SQLiteStore(tmp_path / "p.db"), models=[(0, model)])
        with receiver, ThreadPoolExecutor(8) as pool:
            receipts = list(pool.map(receiver.receive, [body] * 50))
        outcomes = [receipt.outcome for receipt in receipts]
        assert outcomes.count("counted") == (1 if start == 0 else 0)
        assert outcomes.count("duplicate") == (49 if start == 0 else 50)
        counted = [receipt for receipt in receipts if receipt.outcome == "counted"]
        assert all((receipt.decoding, receipt.model) == ("decoded", model.version) for receipt in counted)
    with pytest.raises(Misuse):
        receiver.receive(body)
    with SQLiteStore(tmp_path / "p.db") as store:
        kept = store.load(receipts[0].key)
        assert kept is not None
    record = postback.read_record(kept[0])
    assert (record.outcome, record.decoding, record.model) == ("counted", "decoded", model.version)
    assert record.postback == postback.verify(body)
    assert record.installed is not None
    assert record.reengaged is None
    assert record.installed[0] < record.installed[1] < record.received
    with pytest.raises(CorruptRecord):
        postback.read_record(kept[0][:-1])


def kit_vector() -> dict[str, Any]:
    """A re-engagement that Apple signed, with a development key."""
    return next(vector for vector in VECTORS if vector["key"] == "by kid")


def test_the_conversion_type() -> None:
    types = {vector["name"]: postback.verify(json.dumps(vector["postback"])).conversion_type for vector in VECTORS}
    assert types[kit_vector()["name"]] == "re-engagement"
    assert (types["E16 v4.0 Apple doc fine"], types["E11 v3.0 Apple doc winning"]) == ("download", "redownload")
    assert postback.verify("{}").conversion_type is None


def test_reengagements_have_models_of_their_own(tmp_path: Path) -> None:
    body = json.dumps(kit_vector()["postback"])
    keys = postback.Keys(
        [postback.Key("apple-development-identifier/1", DOCUMENT["keys_spki_base64"]["apple-development-1"])]
    )
    window_0 = {"rules": [{"fine": 24, "when": {}}]}
    windows = [window_0, {"rules": []}, {"rules": []}]
    installs, taps = (
        Model(json.dumps({"schema": 1, "id": name, "currency": "USD", "windows": windows}))
        for name in ("installs", "taps")
    )
    for given, decoding, version in (([], None, None), ([(0, taps)], "decoded", taps.version)):
        path = tmp_path / f"{len(given)}.db"
        with postback.Receiver(
            SQLiteStore(path), keys=keys, models=[(0, installs)], reengagement_models=given
        ) as receiver:
            receipt = receiver.receive(body)
        assert (receipt.outcome, receipt.decoding, receipt.model) == ("counted", decoding, version)
        with SQLiteStore(path) as store:
            kept = store.load(receipt.key)
        assert kept is not None
        record = postback.read_record(kept[0])
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
    for wrong in ({"app_ids": [0]}, {"app_ids": [2**63]}, {"ad_networks": [""]}, {"ad_networks": ["a\0"]}):
        with pytest.raises(InvalidArgument):
            postback.Receiver(SQLiteStore(tmp_path / "q.db"), **wrong)  # type: ignore[arg-type]


def test_what_is_not_valid_is_kept_apart(tmp_path: Path) -> None:
    with postback.Receiver(SQLiteStore(tmp_path / "p.db"), refused_per_hour=1) as receiver:
        first, second = receiver.receive("{}", "network"), receiver.receive("[]")
    assert (first.outcome, first.result, first.problem_field) == ("refused", "malformed", "ad-network-id")
    assert (first.is_kept, second.is_kept) == (True, False)
    with postback.Receiver(
        SQLiteStore(tmp_path / "q.db"), refused_bytes_per_hour=4 * 5122, refused_in_all=3
    ) as receiver:
        assert [receiver.receive(body).is_kept for body in ("[]", "{}", "()", "<>")] == [True, True, True, False]
    with SQLiteStore(tmp_path / "p.db") as store:
        kept = store.load(first.key)
    assert kept is not None
    assert postback.read_record(kept[0]).network == "network"


def test_arguments_are_checked() -> None:
    with pytest.raises(InvalidArgument):
        postback.Keys([postback.Key("4.0", "none")])
    with pytest.raises(LimitExceeded):
        postback.verify(b" " * 65537)
    with pytest.raises(InvalidArgument):
        postback.Receiver(object())  # type: ignore[arg-type]


def test_every_function_of_the_header_is_declared() -> None:
    text = re.sub(r"/\*.*?\*/", "", HEADER, flags=re.DOTALL)
    declared = {
        name: len(parameters.split(","))
        for name, parameters in re.findall(r"^[\w *]+?(skan_\w+)\(([^)]*)\);", text, re.MULTILINE)
    }
    assert declared == {name: len(types) for name, (_, types) in _native_postback.SIGNATURES.items()}
    assert companion("postback").skan_postback_result_name(4) == b"malformed"


STRUCTS = {
    "skan_postback_key": _native_postback.NativePostbackKey,
    "skan_postback_options": _native_postback.NativePostbackOptions,
    "skan_postback_fields": _native_postback.NativePostbackFields,
    "skan_postback_model": _native_postback.NativePostbackModel,
    "skan_postback_receiver_options": _native_postback.NativePostbackReceiverOptions,
    "skan_postback_receipt": _native_postback.NativePostbackReceipt,
    "skan_postback_record": _native_postback.NativePostbackRecord,
}


@pytest.mark.parametrize("name", STRUCTS)
def test_structs_have_their_layout(name: str, tmp_path: Path) -> None:
    struct: Any = STRUCTS[name]
    members = [field[0] for field in struct._fields_]
    prints = "".join(f'printf("%zu\\n", offsetof({name}, {member.rstrip("_")}));' for member in members)
    source = tmp_path / "layout.c"
    source.write_text(
        f"#include <skan/postback.h>\n#include <stdio.h>\nint main(void) {{ {prints} "
        f'printf("%zu\\n", sizeof({name})); }}'
    )
    subprocess.run(["cc", f"-I{ROOT / 'Include'}", str(source), "-o", str(tmp_path / "layout")], check=True)
    printed = subprocess.run([str(tmp_path / "layout")], check=True, capture_output=True, text=True).stdout
    assert [int(line) for line in printed.split()] == [
        *(getattr(struct, member).offset for member in members),
        sizeof(struct),
    ]
