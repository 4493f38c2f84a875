"""A bar in notebooks, under the cell whose work goes on for over a second."""

import time
from functools import cache
from html import escape
from typing import Any

from IPython import get_ipython
from IPython.display import display

SILENT = 1.0  # seconds before a bar is shown
EVERY = 0.1  # seconds between its changes


class Bar:
    """The bar of the cell that runs; it is gone when the cell ends."""

    def __init__(self) -> None:
        self.handle: Any = None
        self.begun = self.shown = 0.0

    def __call__(self, share: float, line: str) -> None:
        """This share of the work is done."""
        now = time.monotonic()
        self.begun = self.begun or now
        if now - self.begun < SILENT or now - self.shown < EVERY:
            return
        self.shown = now
        self._show(share, line)

    def _show(self, share: float, line: str) -> None:
        words = f"{share:.0%} {line}"
        drawn = f'<progress value="{share:.4f}" max="1"></progress> {escape(words)}'
        self._put({"text/plain": words, "text/html": drawn})

    def _put(self, bundle: dict[str, str]) -> None:
        if self.handle is None:
            self.handle = display(bundle, raw=True, display_id=True)
        else:
            self.handle.update(bundle, raw=True)

    def ended(self, *_: object) -> None:
        """The cell is done."""
        if self.handle is not None:
            self._put({"text/plain": "", "text/html": ""})
        self.handle, self.begun, self.shown = None, 0.0, 0.0


def notebook_listener() -> Bar | None:
    """The bar of this notebook; None where the kernel runs no cells."""
    shell = get_ipython()
    return None if shell is None else _bar(shell)


@cache
def _bar(shell: Any) -> Bar:
    bar = Bar()
    shell.events.register("post_run_cell", bar.ended)
    return bar
