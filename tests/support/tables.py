"""Tables that the tests of reports share."""

import io

from rich.console import Console

from depthsep.problems import Problem
from depthsep.reports import print_separation

PROBLEMS = {
    "square": (Problem("square", accuracy="1e-6"), range(2, 11)),
    "sawtooth:12": (Problem("sawtooth:12", norm="l1", accuracy="0.05"), range(2, 8)),
    "sawtooth:60": (Problem("sawtooth:60", norm="l1", accuracy="0.05"), range(2, 9)),
    "sine": (Problem("expr:sin(20*x)", accuracy="1e-2"), [2, 3, 5]),
    "parity": (Problem("parity:20"), range(2, 6)),
    "no lower": (Problem("expr:abs(x - 1/3)", norm="l1", accuracy="0.1"), range(2, 5)),
}
EVIL = '<script>alert("x")</script> & [bold]50%_$#^~\\{'


def printed(separation, width=80):
    stream = io.StringIO()
    print_separation(separation, Console(file=stream, width=width))
    return stream.getvalue()
