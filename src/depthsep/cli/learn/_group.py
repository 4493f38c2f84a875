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
        (
            "Fit a linear regression by products of layers: does depth "
            "speed up training?"
        ),
    ),
}


@click.group(cls=LazyGroup, homes=COMMANDS)
def learn() -> None:
    """Train networks, and compare what training finds with what is proven.

    A better network may exist even if training does not find it. The error of a
    trained network is measured exactly for a function on an interval, and on fresh
    samples for other functions.
    """
