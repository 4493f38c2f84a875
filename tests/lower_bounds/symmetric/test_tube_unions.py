"""Tubes around given lines, and signs of shells that are searched for."""

from math import asin, pi

import numpy as np
import pytest
from flint import fmpq

from depthsep import HypothesisError
from depthsep.exact import nearest_float
from depthsep.laws import SquaredTransform
from depthsep.lower_bounds import radial_mass, search_signs, tube_union
from depthsep.targets import Radial, sign_count


@pytest.mark.parametrize("lines", [1, 3, 7])
@pytest.mark.parametrize("kappa", [2, 8])
def test_in_the_plane_arcs_are_added(lines, kappa):
    """Lines at equal angles: each covers four arcs of asin(1 / kappa), if apart."""
    angles = np.arange(lines) * pi / lines
    found = tube_union(np.stack([np.cos(angles), np.sin(angles)], 1), kappa)
    exact = min(1.0, lines * 4 * asin(1 / kappa) / (2 * pi))
    assert abs(found.sampled - exact) < 5 * found.standard_error + 1e-9
    assert nearest_float(found.share.upper) == pytest.approx(exact)
    assert nearest_float(found.share.lower) == pytest.approx(2 * asin(1 / kappa) / pi)


def test_samples_lie_between_the_bounds():
    rng = np.random.default_rng(1)
    for dim, kappa in ((3, 2), (6, fmpq(3, 2)), (12, 2)):
        found = tube_union(rng.standard_normal((20, dim)), kappa)
        bar = 5 * found.standard_error
        assert nearest_float(found.share.lower) <= found.sampled + bar
        assert found.sampled - bar <= nearest_float(found.share.upper)
        again = tube_union(rng.standard_normal((20, dim)) * 0 + np.eye(dim)[0], kappa)
        # twenty times one line
        assert abs(again.sampled - nearest_float(again.share.lower)) < bar + 0.01


@pytest.mark.parametrize(
    ("directions", "kappa", "message"),
    [
        ([[1.0]], 2, "two or more finite numbers"),
        ([[0.0, 0.0]], 2, "every direction must be a row of two"),
        ([[1.0, 0.0]], "1/2", "kappa >= 1"),
    ],
)
def test_refused_tubes(directions, kappa, message):
    with pytest.raises(HypothesisError, match=message):
        tube_union(np.array(directions), kappa)


@pytest.mark.parametrize("dim", [3, 5, 8])
def test_a_search_beats_what_it_starts_from(dim):
    found = search_signs(dim, restarts=1)
    assert found.share.lower >= found.alternating.lower
    written = found.target.text.removeprefix("radial:signs:")
    assert len(written) == sign_count(dim) and written[0] == "+"
    # by all signs, where these are few
    if len(written) <= 5:
        every = [_share("+" + tail, dim) for tail in _all(len(written) - 1)]
        assert nearest_float(found.share.upper) >= max(every) - 1e-9


def _all(count):
    return ["".join("+-"[k >> i & 1] for i in range(count)) for k in range(1 << count)]


def _share(written, dim):
    mass = radial_mass(Radial(f"signs:{written}", dim), SquaredTransform(dim), fmpq(1))
    return float(mass.outside(fmpq(2)).mid()) / float(mass.total.mid())


def test_signs_are_read_as_written():
    count = sign_count(4)
    flipped = Radial("signs:" + "+" * count, 4)
    assert len(flipped.profile.pieces) == 1
    with pytest.raises(HypothesisError, match=f"must be {count}, one for each shell"):
        Radial("signs:+", 4)
    with pytest.raises(HypothesisError, match="d from 2"):
        search_signs(1)
