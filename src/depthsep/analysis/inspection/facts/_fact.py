"""One thing that is known of a network, as every display shows it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from depthsep.evidence import Enclosure
from depthsep.exact import ball_text, text

Rows = list[tuple[str, str]]
LONGEST = 400  # characters of an exact rational in a document


class AbstractFact(ABC):
    """Terminal, page and notebook show `title`, `rows` and `table`, JSON `to_json`."""

    @property
    def title(self) -> str:
        """What it is about, where that is not the network as a whole."""
        return ""

    @abstractmethod
    def rows(self) -> Rows:
        """Names and values, with their rigour, in words."""

    def table(self) -> Sequence[Sequence[str]]:
        """A head and rows, where names and values do not do."""
        return ()

    @abstractmethod
    def to_json(self) -> dict[str, object]:
        """Its entries in the document."""


def enclosure_words(value: Enclosure) -> str:
    """The number with the digits that are known, and its rigour."""
    return f"{value} ({value.rigour})"


def written(value: Enclosure) -> str:
    """An exact rational where it is short, else a ball."""
    found = text(value.lower) if value.is_point else ""
    if found and len(found) <= LONGEST:
        return found
    return ball_text(value.lower, value.upper)
