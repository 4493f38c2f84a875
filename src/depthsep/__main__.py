"""``python -m depthsep``: the command line."""

from depthsep.cli import main

main()
