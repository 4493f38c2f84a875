"""Copies of records whose files a test may change."""

import json
from dataclasses import replace
from pathlib import Path

from depthsep.constructions import Record
from depthsep.evidence import Certificate


def copied(record: Record, folder: Path) -> Record:
    """The same record with its file in another folder."""
    copy = replace(record, folder=folder)
    copy.file.write_bytes(record.file.read_bytes())
    return copy


def spoiled(record: Record, folder: Path, *, digest: bool) -> Record:
    """A copy whose network is wrong by 1; with a digest that fits or not."""
    copy = copied(record, folder)
    document = json.loads(copy.file.read_text("utf-8"))
    document["network"]["layers"][-1]["bias"][0] += 1.0
    written = json.dumps(document)
    if digest:
        written = Certificate.from_json(written).to_json()
    copy.file.write_text(written, "utf-8")
    return copy
