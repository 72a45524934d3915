"""Postbacks as people send them: each comes to what is right for it."""

import csv
import json
from pathlib import Path

import pytest
from libskan import SQLiteStore, postback

FIELD = Path(__file__).parents[2] / "Postbacks" / "Field"
with (FIELD / "expected.tsv").open(encoding="utf-8") as table:
    EXPECTED = list(csv.DictReader(table, delimiter="\t"))


def keys() -> postback.Keys:
    given = json.loads((FIELD / "keys.json").read_text(encoding="utf-8"))["keys"]
    return postback.Keys([postback.Key(key["name"], key["spki"], key["development"]) for key in given])


def told(value: object) -> str:
    return "-" if value is None else str(value)


@pytest.mark.parametrize("expected", EXPECTED, ids=lambda expected: str(expected["file"]))
def test_what_people_send(expected: dict[str, str], tmp_path: Path) -> None:
    body = (FIELD / "postbacks" / expected["file"]).read_bytes()
    found = postback.verify(body, keys())
    coarse = found.coarse_conversion_value
    assert {
        "file": expected["file"],
        "result": found.result,
        "respelled": "yes" if found.is_respelled else "no",
        "fine": told(found.conversion_value),
        "coarse": "-" if coarse is None else coarse.name.lower(),
        "source_identifier": told(found.source_identifier),
        "illegal": " ".join(found.illegal_fields) or "-",
        "unknown_type": told(found.unknown_type),
        "conversion_type": told(found.conversion_type),
    } == expected
    assert json.loads(found.json)["respelled"] == found.is_respelled
    with postback.Receiver(SQLiteStore(tmp_path / "p.db"), keys=keys()) as receiver:
        receipt = receiver.receive(body)
    assert receipt.outcome == ("counted" if found.result == "valid" else "refused")
    assert receipt.is_respelled == found.is_respelled
    assert receipt.unknown_type == found.unknown_type
    assert receipt.decoding == ("illegal" if found.illegal_fields else None)
    with SQLiteStore(tmp_path / "p.db") as store:
        record = store.load(receipt.key)
    assert record is not None
    kept = postback.read_record(record[0])
    assert kept.postback.is_respelled == found.is_respelled
    if found.result == "valid":
        assert kept.postback.body == found.canonical_body
        assert kept.postback.conversion_value == found.conversion_value
