"""Networks on a box as sums of ridges: how they are split, and their errors."""

import numpy as np
import pytest
from flint import fmpq

from depthsep import Problem, Segment
from depthsep.analysis import examine, ridge_sum
from depthsep.approximation.distance._polynomial_distance import Expanded, sup_distance
from depthsep.claims import Upper
from depthsep.constructions import QuadraticByFolds
from depthsep.constructions.box._ridge_sum import RidgeSums
from depthsep.exact import rational
from depthsep.laws import Box, uniform_on
from depthsep.networks import Affine, Network, add, compose
from depthsep.targets import Formula


def ridges_agree(network, box, count=30):
    found = ridge_sum(network, box)
    assert found is not None
    for x in uniform_on(box).sample(count, seed=5).tolist():
        point = [rational(v) for v in x]
        total = found.constant
        for ridge in found.ridges:
            t = sum(
                (w * v for w, v in zip(ridge.direction, point, strict=True)), fmpq(0)
            )
            total += ridge.network([t])[0]
        assert total == network(point)[0]


def test_a_network_is_split_into_its_ridges():
    box = Box.cube(Segment(-1, 1), 2)
    for depth in (2, 3, 5):
        built = RidgeSums().prove(Problem("product", accuracy="1/100"), depth)
        assert isinstance(built, Upper)
        ridges_agree(built.network, box)


def test_carried_sums_dead_units_and_constants_are_followed():
    box = Box.cube(Segment(0, 1), 2)
    first = Affine([[1, 0], [0, 1], [1, 1], [0, 0], [-2, 0]], [0, "-1/2", -1, 3, 1])
    # a carried sum, a unit that is never on, one of a single direction, a constant
    second = Affine(
        [[1, 1, 0, 1, 0], [-1, -1, 0, 0, 0], [0, 0, 2, 1, 0], [0, 0, 0, -1, 0]],
        [0, -1, "-1/3", 5],
    )
    third = Affine([[1, 1, 0, 0], [0, 0, 1, 1]], [0, 0])
    network = Network([first, second, third, Affine([[1, -1]], ["1/7"])])
    ridges_agree(network, box)


def test_units_that_mix_directions_are_not_split():
    box = Box.cube(Segment(-1, 1), 2)
    mixing = Affine([[1, -1]], [0])
    network = Network([Affine(np.eye(2), [0, 0]), mixing, Affine([[1]], [0])])
    assert ridge_sum(network, box) is None
    found = examine(network, Problem("product", accuracy=1))
    # followed over the whole box instead: 2 at (1, -1)
    assert found.error.lower <= 2 <= found.error.upper < 2 + fmpq(1, 10**6)


def test_a_polynomial_that_is_no_sum_of_the_ridges_is_followed_over_the_box():
    network = Network([Affine(np.eye(2), [0, 0]), Affine([[1, 1]], [0])])
    found = examine(network, Problem("product", accuracy=1))
    assert found.error.lower == 2 <= found.error.upper


def test_ambiguous_ridges_are_matched_to_what_the_network_does():
    # x1^2 + x2^2 from (x1 + x2)^2 and (x1 - x2)^2, with idle units along the axes
    square = Problem("expr:x**2/2", Segment(-2, 2), accuracy="1/100")
    one = QuadraticByFolds().prove(square, 2).network
    parts = [compose(one, Network([Affine([list(w)], [0])])) for w in ((1, 1), (1, -1))]
    idle = Network([Affine(np.eye(2), [5, 5]), Affine([[1, 1]], [-10])])
    line = Network([Affine([[1, 1]], [5]), Affine([[-1]], [5])])
    network = add(add(add(parts[0], parts[1]), idle), line)
    problem = Problem("poly:x1**2 + x2**2", Segment(-1, 1), accuracy="1/49")
    assert examine(network, problem).error.is_at_most(problem.accuracy)


def net(*pairs):
    return Network([Affine(w, b) for w, b in pairs])


def test_ridges_that_are_dead_on_the_box():
    network = net(([[1, 1], [1, -1], [1, 0], [0, 1]], [0, 0, -9, -9]), ([[1] * 4], [0]))
    found = examine(network, Problem("product", Segment(-1, 1), accuracy=1))
    assert found.error.lower == 3 <= found.error.upper <= 4


@pytest.mark.parametrize("row", [[1, 2], [0, 0]])
def test_affine_networks_on_a_box(row):
    network = net(([row], [-1]))
    box = Box.cube(Segment(-1, 1), 2)
    found = ridge_sum(network, box)
    assert found.constant == -1 and len(found.ridges) == int(any(row))
    problem = Problem("poly:x1 + 2*x2 - 1", Segment(-1, 1), accuracy=4)
    error = examine(network, problem).error
    assert error.lower == (0 if any(row) else 3) <= error.upper <= 4


def test_cells_are_cut_across_the_axis_that_matters():
    box = Box.cube(Segment("-3/2", "1/2"), 2)
    constant = Expanded.of({(0, 0): fmpq(-2, 5)}, 2)
    found = sup_distance(
        *(constant, Formula("x1-x2/3"), box.sides),
        enough=fmpq(1),
        negligible=fmpq(1, 64),
    )
    assert found.lower > 1 or found.upper - found.lower <= fmpq(1, 64)
