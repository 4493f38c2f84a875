"""Where the data of the tests lie, and the reference values."""

import json
from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
SUPPORT, FIXTURES = TESTS / "support", TESTS / "fixtures"
REFERENCE = TESTS / "reference"
NETS = REFERENCE / "nets"
COUNTS = json.loads((REFERENCE / "regions.json").read_text("utf-8"))["networks"]


def reference(name):
    """The entries of tests/reference/NAME.json."""
    found = json.loads((REFERENCE / f"{name}.json").read_text("utf-8"))
    return found["entries"] if isinstance(found, dict) else found
