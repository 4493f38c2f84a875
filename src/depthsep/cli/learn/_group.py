"""`depthsep learn`: what gradient descent finds."""

import click

from depthsep.cli._lazy_group import LazyGroup

COMMANDS = {
    "radial": (
        "depthsep.cli.learn._radial",
        "Train three-layer mean-field networks on a radial function.",
    ),
    "target": (
        "depthsep.cli.learn._target",
        "Train ReLU networks of given depths on any TARGET.",
    ),
    "linear": (
        "depthsep.cli.learn._linear",
        "Fit linear regression by products of layers: does depth speed it up?",
    ),
}


@click.group(cls=LazyGroup, homes=COMMANDS)
def learn() -> None:
    """Train networks, and compare what training finds with what is proven.

    If training finds no better network, that proves nothing. The error of a trained
    network is measured exactly on an interval, and by fresh samples elsewhere.
    """
