"""Where a statement comes from."""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_FIELD = re.compile(r"(\w+)\s*=\s*\{(.*?)\}\s*,?\s*$", re.MULTILINE)
_TITLE = re.compile(r"title = \{(.*)\}(?=,)")
_MOST_NAMED = 4  # authors; of more the first is named


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
        return f"{short_reference(self.key)}, {self.place}"


def short_reference(key: str) -> str:
    """A reference as a text cites it, such as "Imai and Iri (1986)"."""
    entry = _entries().get(key)
    if entry is None or key == "depthsep":
        return key
    names = [author.split()[-1] for author in entry["author"].split(" and ")]
    if len(names) > _MOST_NAMED:
        said = f"{names[0]} et al."
    else:
        *others, last = names
        said = f"{', '.join(others)} and {last}" if others else last
    return f"{said} ({entry['year']})"


@cache
def _blocks() -> dict[str, str]:
    """The entries of references.bib as they are written, by key."""
    written = (files("depthsep.evidence") / "references.bib").read_text("utf-8")
    blocks = [block.strip() for block in written.split("@")[1:]]
    return {b[b.index("{") + 1 : b.index(",")].strip(): b for b in blocks}


@cache
def _entries() -> dict[str, dict[str, str]]:
    return {key: dict(_FIELD.findall(block)) for key, block in _blocks().items()}


def reference_text(key: str) -> str:
    """One line that names the reference `key`.

    Raises:
        KeyError: no such entry in references.bib.
    """
    entry = _entries()[key]
    where = entry.get("journal") or entry.get("booktitle") or entry.get("note", "")
    return f"{entry['author']} ({entry['year']}). {entry['title']}. {where}".rstrip()


def bibtex_entry(key: str) -> str:
    """The entry of references.bib, as BibTeX; styles leave the title's letters alone.

    Raises:
        KeyError: no such entry.
    """
    return "@" + _TITLE.sub(r"title = {{\1}}", _blocks()[key]) + "\n"
