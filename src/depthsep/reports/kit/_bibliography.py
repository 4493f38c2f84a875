"""BibTeX of depthsep, of every theorem that was used, and of where it is published."""

from collections.abc import Iterable

from depthsep._version import __version__
from depthsep.evidence import Statement, bibtex_entry
from depthsep.reports.tables._escape import escaped

YEAR = 2026
OWN = "depthsep"


def citation(statement: Statement) -> str:
    """The key that cites a statement: the publication, or our page for our own."""
    key = statement.source.key
    return f"{OWN}:{statement.id}" if key == OWN else key


def bibliography(statements: Iterable[Statement], keys: Iterable[str] = ()) -> str:
    """A .bib file: the program first, then each source once.

    Args:
        keys: of publications that are cited besides.
    """
    entries = {OWN: _software()} | {key: bibtex_entry(key) for key in keys}
    for statement in statements:
        key = citation(statement)
        own = key.startswith(f"{OWN}:")
        entries[key] = _theorem(statement) if own else bibtex_entry(key)
    return "\n".join(entries.values())


def _software() -> str:
    title = "depthsep: how deep does a network have to be?"
    return _entry(OWN, title, note=f"Version {__version__}")


def _theorem(statement: Statement) -> str:
    """An entry of its own: title, page of the proof, version."""
    return _entry(
        f"{OWN}:{statement.id}",
        statement.title,
        howpublished=f"{statement.source.place}, in {statement.proof.page}",
        note=f"depthsep, version {__version__}, statement {statement.id}",
    )


def _entry(key: str, title: str, **more: str) -> str:
    """Titles stand in two pairs of braces: styles would make N and E small."""
    fields = {
        "author": "{The depthsep authors}",
        "title": f"{{{escaped(title)}}}",
        "year": str(YEAR),
        **{name: escaped(value) for name, value in more.items()},
    }
    body = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@misc{{{key},\n{body}}}\n"
