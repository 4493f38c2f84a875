"""A radial law cut at a radius: against the law that is cut, and against samples."""

import jax
import numpy as np
import pytest
from flint import fmpq

from depthsep import HypothesisError, Problem, separate
from depthsep.claims import Upper
from depthsep.dynamics.radial.radius._moments import moments
from depthsep.laws import law_from_text
from support.slow import mostly_slow

CUTS = (
    "inside:2:phi2:4:t=3",
    "inside:3/2:gaussian:3",
    "inside:1/2:ball:5",
    "inside:1:radius:3:0,2",
    "inside:2:shells:3:1,2,3",
    "inside:2:inside:3:chi:2:3",
)


@pytest.mark.parametrize("written", mostly_slow(CUTS[1:], CUTS))
def test_a_cut_law_is_the_law_given_the_ball(written):
    law = law_from_text(written)
    inner = law_from_text(written.split(":", 2)[2])
    stop = float(fmpq(law.radius.p, law.radius.q).p) / float(law.radius.q)
    drawn = inner.draw_radii(int(20_000 / float(law.mass)), np.random.default_rng(1))
    kept = drawn[drawn <= stop]
    radii = np.linalg.norm(law.sample(50_000, 2), axis=1)
    assert radii.max() <= stop * (1 + 1e-12)
    for level in (0.3, 0.6, 0.9):
        place = fmpq(int(1000 * level * stop), 1000)
        share = float(law.cdf(place).mid())
        assert abs((kept <= float(place.p) / float(place.q)).mean() - share) < 0.01
        assert abs((radii <= float(place.p) / float(place.q)).mean() - share) < 0.01
    assert law.cdf(law.radius) == 1
    with jax.enable_x64(True):
        table = np.asarray(moments(law).total())
    for power in (0, 1, 2):
        found = law.moment(fmpq(power))
        assert abs(float(found.mid()) - table[power]) < float(found.rad()) + 1e-6
        assert abs((radii**power).mean() - table[power]) < 0.02 * table[power]
        assert float(found.rad()) < 0.02 * table[power] or power == 0
    assert law_from_text(law.text) == law and law.has_mean


@pytest.mark.parametrize("end", ["1/10", "1/3"])
def test_a_shell_at_the_cut_is_inside(end):
    law = law_from_text(f"inside:{end}:shells:3:{end},2")
    assert law.mass == 0.5 and law.cdf(law.radius) == 1
    assert law.cdf(law.radius - fmpq(1, 100)) == 0


def test_a_cut_law_has_no_support_beyond_the_ball():
    assert law_from_text("inside:2:phi2:4").support == (0, 2)
    assert law_from_text("inside:3:radius:2:1,2").support == (1, 2)
    assert law_from_text("inside:1:phi2:4").is_in_unit_ball
    density = law_from_text("inside:1:radius:2:0,2").least_density
    assert density(fmpq(0), fmpq(1)) == 1 and density(fmpq(0), fmpq(2)) == 0


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("inside:2", "inside:R:LAW"),
        ("inside:0:gaussian:2", "it must be positive"),
        ("inside:1:uniform:0,1", "needs a radial law"),
        ("inside:1/9:gaussian:9", "larger radius"),
        ("inside:2:" * 12 + "gaussian:2", "inside:R:LAW"),
        ("inside:x:gaussian:2", "radius"),
    ],
)
def test_what_cannot_be_cut_is_refused(written, words):
    with pytest.raises(HypothesisError, match=words):
        law_from_text(written)


def test_a_cut_law_has_no_enclosed_moments_of_negative_power():
    with pytest.raises(HypothesisError, match="only means of"):
        law_from_text("inside:2:phi2:4").moment(fmpq(-1))


def test_tables_are_made_under_a_cut_law():
    law = law_from_text("inside:1:phi2:3:t=4")
    problem = Problem("radial:1/(1+r**2)", law, norm="l2", accuracy="1/20")
    rows = list(separate(problem, depths=(2, 3)))
    assert any(isinstance(row.upper, Upper) for row in rows)
