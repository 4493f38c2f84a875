"""BibTeX of depthsep, of every theorem that was used, and of where it is published."""

from collections.abc import Iterable

from depthsep._version import __version__
from depthsep.evidence import Statement, bibtex_entry

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
    return _entry(
        OWN,
        author="{The depthsep authors}",
        title="{depthsep: how deep does a network have to be?}",
        year=str(YEAR),
        note=f"Version {__version__}",
    )


def _theorem(statement: Statement) -> str:
    """An entry of its own: title, page of the proof, version."""
    return _entry(
        f"{OWN}:{statement.id}",
        author="{The depthsep authors}",
        title=f"{{{statement.title}}}",  # styles would make N and E small
        year=str(YEAR),
        howpublished=f"{statement.source.place}, in {statement.proof.page}",
        note=f"depthsep, version {__version__}, statement {statement.id}",
    )


def _entry(key: str, **fields: str) -> str:
    body = "".join(f"  {name} = {{{_safe(v)}}},\n" for name, v in fields.items())
    return f"@misc{{{key},\n{body}}}\n"


def _safe(value: str) -> str:
    """Signs that TeX takes for its own are those of formulas here."""
    for sign in "&%$#_":
        value = value.replace(sign, f"\\{sign}")
    return (
        value.replace("^", r"\textasciicircum{}")
        .replace("<=", r"$\le$")
        .replace(">=", r"$\ge$")
        .replace("<", r"$<$")
        .replace(">", r"$>$")
        .replace("|", r"$|$")
    )
