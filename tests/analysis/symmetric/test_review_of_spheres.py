"""What two referees broke in the examiners of radial and zonal functions, mended."""

import numpy as np
import pytest
from flint import fmpq

from depthsep import Problem, separate
from depthsep._errors import DepthsepError
from depthsep.analysis import examine
from depthsep.cli import main
from depthsep.constructions import RadialBySquares
from depthsep.evidence import Inapplicable
from depthsep.laws import SquaredTransform, law_from_text
from depthsep.networks import Affine, Network
from depthsep.special import RadialMass, RadialPiece
from depthsep.targets import InnerProduct, Radial


def test_squares_that_fall_beyond_the_nearer_kink_are_refused():
    asked = Problem(Radial("relu", 1), norm="l2", accuracy="1/2")
    rows = [[1.0], [1.0], [1.0], [-1.0], [-1.0], [-1.0], [1.0], [1.0]]
    q = [1, 2, -3, 1, 2, -3, -1004, 1004.0]
    network = Network(
        [
            Affine(np.array(rows), np.array([0, -1, -2, 0, -1, -2, -5, -6.0])),
            Affine(np.outer([1, -1, -1, -1], q), np.array([-1000.0, 1, 0, -2])),
            Affine(np.array([[0.0, 1, -1, 10]]), np.array([0.0])),
        ]
    )
    assert isinstance(examine(network, asked), Inapplicable)


def test_tiny_directions_are_refused():
    asked = Problem(InnerProduct("0", 2), norm="linf", accuracy="1/10")
    v = 2.7e-162
    for rows, bias, read in (
        ([[v, 0, v, 0]] * 2, [1.0, -5e-162], [[1e-309, 1e165]]),
        ([[1e-200, 0, 1e-200, 0], [0, 1e-200, 0, 1e-200]], [0.0, 0], [[1.0, 1]]),
    ):
        network = Network([Affine(np.array(rows), bias), Affine(np.array(read), [0.0])])
        assert isinstance(examine(network, asked), Inapplicable)


@pytest.mark.parametrize("read", [[0.0, 0, 0, 0], [1.0, -1, -1, 1], [1e308] * 4])
def test_odd_read_outs_are_no_crash(read):
    rows = np.array([[1.0, 0, 1, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 1, 0, 1]])
    network = Network([Affine(rows, np.zeros(4)), Affine(np.array([read]), [0.0])])
    found = examine(network, Problem(InnerProduct("t", 2), accuracy="1/10"))
    assert isinstance(found, Inapplicable) or found.error.upper >= 1


def test_the_zero_function_has_a_row():
    table = separate(
        Problem(InnerProduct("0*t", 3), norm="l2", accuracy="1/10"), depths=[2]
    )
    assert table[2].lower.width == 0


@pytest.mark.parametrize("sign", [1, -1])
def test_the_order_and_sign_of_units_do_not_matter(sign):
    asked = Problem(Radial("relu", 2), norm="linf", accuracy="1/5")
    first, second, last = RadialBySquares().prove(asked, 3).network.layers
    plain = examine(Network([first, second, last]), asked).error.upper
    rows = [sign * second.weight[0], *second.weight, 0 * second.weight[0]]
    more = Network(
        [
            first,
            Affine(np.array(rows), [-(10**6), *second.bias, 1]),
            Affine([[0, *last.weight[0], 0]], last.bias),
        ]
    )
    found = examine(more, asked).error.upper
    assert abs(float(found.p) / float(found.q) - float(plain.p) / float(plain.q)) < 1e-2


def test_norms_keep_their_digits_in_many_dimensions():
    for dim in (200, 700):
        piece = RadialPiece(fmpq(45 * dim, 100), fmpq(60 * dim, 100), (fmpq(1),))
        mass = RadialMass(
            dim, [piece], lambda: SquaredTransform(1, edge=fmpq(1)).phase()
        )
        assert mass.total.rel_accuracy_bits() > 40


def test_tiny_pieces_keep_their_digits():
    piece = RadialPiece(fmpq(1, 10**8), fmpq(1, 10**6), (fmpq(1),))
    law = SquaredTransform(1, edge=fmpq(10) ** 9)
    mass = RadialMass(3, [piece], law.phase)
    assert mass.total.rel_accuracy_bits() > 40 and mass.total < 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["radial:1 on 0,1e-400", "--dim", "3"],
        ["radial:1e400*r", "--dim", "3"],
        ["radial:", "--dim", "3"],
        ["radial:relu", "--dim", "3", "--on", "0,1"],
        ["radial:cos:", "--dim", "3"],
        ["radial:signs:-1", "--dim", "3"],
        ["radial:relu", "--dim", "3", "--scale", "0"],
        ["radial:relu", "--dim", "3", "--law", "phi2:3:"],
        ["radial:relu", "--dim", "3", "--law", "phi2:3", "--scale", "2"],
        ["square", "--scale", "2"],
        ["inner:sin(pi*d**3*t)", "--dim", "600"],
    ],
)
def test_bad_input_is_one_line(arguments, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["separate", *arguments, "--norm", "l2", "--accuracy", "1/5"])
    assert stop.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_far_reaching_functions_are_refused_soon():
    for law in ("phi2:3:1/4000", "phi2:3:1/50000"):
        asked = Problem(Radial("ball", 3), law_from_text(law), "l2", "1/10")
        table = separate(asked, depths=[2, 3])
        assert isinstance(table[2].lower, Inapplicable)


def test_small_supports_need_no_unit_or_are_refused():
    asked = Problem(Radial("1 on 0,1e-8", 3), law_from_text("phi2:3"), "l2", "1/10")
    table = separate(asked, depths=[2])
    assert table[2].lower.width == 0
    with pytest.raises(DepthsepError):
        Radial("1 on 0,1e-30", 3)
