"""``python -m depthsep``: the command line."""

from depthsep.cli import main

if __name__ == "__main__":
    main()
