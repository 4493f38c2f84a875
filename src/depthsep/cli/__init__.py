"""The command line."""

from depthsep.cli._main import depthsep as commands
from depthsep.cli._main import main

__all__ = ["commands", "main"]
