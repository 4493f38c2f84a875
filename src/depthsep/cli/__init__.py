"""The command line."""

from depthsep.cli._main import main as main
