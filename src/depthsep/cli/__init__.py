"""The command line."""

from depthsep.cli._main import depthsep as commands  # noqa: F401
from depthsep.cli._main import main as main
