"""`depthsep learn`: what gradient descent finds."""

import click

from depthsep.cli.learn._linear import linear
from depthsep.cli.learn._radial import radial
from depthsep.cli.learn._target import target


@click.group()
def learn() -> None:
    """Train networks, and lay what training finds beside what is proven.

    That training finds no better network proves nothing. What it finds is measured:
    on an interval exactly, else by fresh samples.
    """


for command in (radial, linear, target):
    learn.add_command(command)
