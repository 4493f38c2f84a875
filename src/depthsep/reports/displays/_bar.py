"""A bar in notebooks, under the cell whose work goes on for over a second."""

import sys
import time
from functools import cache
from html import escape
from importlib import import_module
from typing import Any

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
            self.handle = display(bundle)
        else:
            self.handle.update(bundle, raw=True)

    def ended(self, *_: object) -> None:
        """The cell is done."""
        if self.handle is not None:
            self._put({"text/plain": "", "text/html": ""})
        self.handle, self.begun, self.shown = None, 0.0, 0.0


def display(bundle: dict[str, str]) -> Any:
    """Show a bundle under the cell; what is given back can change it."""
    shown = import_module("IPython.display").display
    return shown(bundle, raw=True, display_id=True)


def get_ipython() -> Any:
    """The shell that runs, if it is a kernel's; None without IPython."""
    loaded = sys.modules.get("IPython")
    shell = None if loaded is None else loaded.get_ipython()
    return shell if getattr(shell, "kernel", None) is not None else None


def notebook_listener() -> Bar | None:
    """The bar of this notebook; None where no kernel runs cells."""
    shell = get_ipython()
    return None if shell is None else _bar(shell)


@cache
def _bar(shell: Any) -> Bar:
    bar = Bar()
    shell.events.register("post_run_cell", bar.ended)
    return bar
