"""Where a statement comes from."""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_FIELD = re.compile(r"(\w+)\s*=\s*\{(.*?)\}\s*,?\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Source:
    """A reference and the place in it.

    Attributes:
        key: an entry of references.bib; "depthsep" for what is proved here.
        place: theorem, lemma or section number, or the page of our documentation.
    """

    key: str
    place: str

    def __str__(self) -> str:
        return f"{self.key}, {self.place}"


@cache
def _entries() -> dict[str, dict[str, str]]:
    written = (files("depthsep.evidence") / "references.bib").read_text("utf-8")
    entries: dict[str, dict[str, str]] = {}
    for block in written.split("@")[1:]:
        key = block[block.index("{") + 1 : block.index(",")].strip()
        entries[key] = dict(_FIELD.findall(block))
    return entries


def reference_text(key: str) -> str:
    """One line that names the reference `key`.

    Raises:
        KeyError: no such entry in references.bib.
    """
    entry = _entries()[key]
    where = entry.get("journal") or entry.get("booktitle") or entry.get("note", "")
    return f"{entry['author']} ({entry['year']}). {entry['title']}. {where}".rstrip()
