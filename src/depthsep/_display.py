"""How notebooks show records: the one place that reaches up to the reports.

Records lie below the package that draws them, so it is loaded by name, and only when
something is shown.
"""

from importlib import import_module
from typing import Any

REPORTS = "depthsep.reports.displays"


class Displayed:
    """A record that `print` shows in words, and notebooks as HTML."""

    __slots__ = ()

    def __str__(self) -> str:
        return report("record_text", self)

    def _repr_html_(self) -> str:
        return report("record_html", self)

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self._repr_html_()}


def report(name: str, *given: object) -> Any:
    """What a function of the reports makes of a record."""
    return getattr(import_module(REPORTS), name)(*given)
