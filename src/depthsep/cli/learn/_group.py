"""`depthsep learn`: what gradient descent finds."""

import click

from depthsep.cli._lazy_group import LazyGroup

COMMANDS = {
    "radial": (
        "depthsep.cli.learn._radial",
        "A radial function, by three-layer mean-field networks.",
    ),
    "target": (
        "depthsep.cli.learn._target",
        "Any TARGET, by ReLU networks of given depths.",
    ),
    "linear": (
        "depthsep.cli.learn._linear",
        "Linear regression by products of layers.",
    ),
}


@click.group(cls=LazyGroup, homes=COMMANDS)
def learn() -> None:
    """Train networks, and lay what training finds beside what is proven.

    That training finds no better network proves nothing. What it finds is measured:
    on an interval exactly, else by fresh samples.
    """
