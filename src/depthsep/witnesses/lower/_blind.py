"""Functions that change along every direction: what blind networks leave."""

from depthsep.evidence import Inapplicable
from depthsep.problems import Problem
from depthsep.witnesses._checker import checker_module
from depthsep.witnesses._proof import Entry

TRIES = {2: ((8, 4), (16, 8), (32, 16)), 3: ((3, 3), (6, 4))}  # turns and cells


def blind_directions(problem: Problem) -> tuple[str, Entry] | Inapplicable:
    """The fewest cones, and cells of the box, with which the checker agrees.

    These numbers are the evidence: what the checker computes from them is the proof.
    """
    checker = checker_module()
    asked = checker.Problem(problem.to_json())
    for turns, cells in TRIES.get(problem.law.in_dim, ()):
        evidence: Entry = {"turns": turns, "cells": cells}
        try:
            checker.BENDS["blind"](asked, evidence)
        except checker.Refused:
            continue
        return "blind", evidence
    return Inapplicable(
        "a network without skip connections whose first layer has "
        "fewer units than inputs is constant along some direction, and "
        "such a function may meet the accuracy"
    )
