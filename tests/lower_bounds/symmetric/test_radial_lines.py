"""Radial functions on lines through 0: counts, recounts by dynamic programming."""

import numpy as np
import pytest
from flint import fmpq

from depthsep.claims import Lower, Upper
from depthsep.evidence import Inapplicable
from depthsep.laws import law_from_text
from depthsep.lower_bounds import RadialLines
from depthsep.lower_bounds.symmetric.radial._line_pieces import pieces_on_lines
from depthsep.lower_bounds.symmetric.radial._line_signs import changes_on_lines
from depthsep.problems import Problem
from depthsep.separation import best_lower, best_upper
from depthsep.targets import Radial


def on(written: str, law: str, norm: str, accuracy: str) -> tuple:
    dim = int(law.split(":")[1])
    return (
        Radial(written, dim),
        law_from_text(law),
        norm,
        fmpq(*map(int, accuracy.split("/"))),
    )


@pytest.mark.parametrize(
    ("written", "law", "pieces"),
    [
        ("relu", "phi2:3", 4),
        ("relu", "ball:3", 2),
        ("relu", "radius:3:0,10", 4),
        ("1-r on 0,1", "radius:3:0,1/2", 2),
        ("triangle:4", "phi2:10", 43),
    ],
)
def test_piecewise_affine_profiles_are_counted_exactly(written, law, pieces) -> None:
    assert pieces_on_lines(*on(written, law, "linf", "1/100"))[0] == pieces


@pytest.mark.parametrize(
    ("problem", "least"),
    [
        (("cos(20*r)", "ball:10", "linf", "1/10"), 25),
        (("cos(20*r)", "ball:3", "linf", "1/100"), 77),
        (("cos(20*r)", "ball:3", "l2", "1/100"), 19),
        (("shells:4", "phi2:10", "l2", "1/10"), 9),
        (("exp(-r*r) on 0,10", "gaussian:5", "l2", "1/1000"), 7),
    ],
)
def test_pieces_that_are_proved(problem, least: int) -> None:
    found = RadialLines().prove(Problem(*_problem(problem)), 3)
    assert isinstance(found, Lower)
    assert found.pieces is not None
    assert found.pieces >= least
    assert (found.width + 1) ** 2 >= found.pieces > found.width**2


def _problem(problem: tuple) -> tuple:
    target, law, norm, accuracy = on(*problem)
    return target, law, norm, accuracy


def weighted_grid(law: str, far: float, count: int = 400):
    """Radii on both halves of a line, with the law's weights."""
    chosen = law_from_text(law)
    edges = [fmpq(round(far * 2**20), 2**20) * k / count for k in range(count + 1)]
    mass = np.diff([float(chosen.cdf(e).mid()) for e in edges])
    middle = (np.arange(count) + 0.5) * far / count
    return np.concatenate([-middle[::-1], middle]), np.concatenate(
        [mass[::-1], mass]
    ) / 2


def fitted(x, f, w, pieces: int) -> float:
    """The least weighted squared error of so many pieces with jumps."""
    n = len(x)
    sums = [
        np.concatenate([[0.0], np.cumsum(w * v)])
        for v in (np.ones(n), x, x * x, f, x * f, f * f)
    ]
    cost = np.full((n + 1, n + 1), np.inf)
    for i in range(n):
        s = [c[i + 1 :] - c[i] for c in sums]
        bend = np.maximum(s[2] - s[1] ** 2 / np.maximum(s[0], 1e-300), 1e-300)
        cross = s[4] - s[1] * s[3] / np.maximum(s[0], 1e-300)
        left = s[5] - s[3] ** 2 / np.maximum(s[0], 1e-300) - cross**2 / bend
        cost[i, i + 1 :] = np.maximum(left, 0)
    best = cost[0]
    for _ in range(pieces - 1):
        best = np.min(best[:, None] + cost, axis=0)
    return float(best[n])


@pytest.mark.parametrize(
    ("written", "law", "accuracy"),
    [
        ("cos(20*r)", "ball:3", "1/100"),
        ("cos(20*r)", "ball:10", "1/10"),
        ("exp(-r*r) on 0,10", "gaussian:5", "1/1000"),
        ("exp(-r*r) on 0,10", "radius:5:0,2", "1/1000"),
        ("sqrt(1+r) on 0,10", "chi:4:6", "1/2000"),
    ],
)
def test_one_piece_less_is_too_few(written: str, law: str, accuracy: str) -> None:
    target, chosen, norm, error = on(written, law, "l2", accuracy)
    pieces, _ = pieces_on_lines(target, chosen, norm, error)
    assert pieces > 1
    far = {"b": 1.0, "r": 2.0, "g": 6.0, "c": 7.0}[law[0]]
    x, w = weighted_grid(law, far)
    f = target.floats(np.abs(x)[:, None] * np.eye(target.dim)[0])
    assert fitted(x, f, w, pieces - 1) ** 0.5 > 0.97 * float(error.p) / float(error.q)


def cheapest_signs(off, w, changes: int) -> float:
    """The least weight of f^2 where a function of so many changes has a wrong sign."""
    price = np.stack([w * off**2 * (off < 0), w * off**2 * (off > 0)])
    best = np.full((changes + 1, 2), np.inf)
    best[0] = price[:, 0]
    for k in range(1, len(off)):
        turned = np.full_like(best, np.inf)
        turned[1:] = best[:-1, ::-1]
        best = np.minimum(best, turned) + price[:, k]
    return float(best.min())


@pytest.mark.parametrize(
    ("written", "law", "accuracy"),
    [
        ("cos(20*r)", "ball:2", "1/5"),
        ("sin(30*r)", "radius:4:0,1", "1/10"),
        ("shells:4", "phi2:10", "1/10"),
        ("cos:4", "phi2:10", "1/10"),
    ],
)
def test_fewer_changes_of_sign_cost_too_much(written, law, accuracy) -> None:
    target, chosen, norm, error = on(written, law, "l2", accuracy)
    changes = changes_on_lines(target, chosen, norm, error)
    assert changes > 1
    far = 1.0 if law[0] in "br" else 6.0
    x, w = weighted_grid(law, far, 1500)
    f = target.floats(np.abs(x)[:, None] * np.eye(target.dim)[0])
    levels = [0.0, float(np.median(f)), (f.max() + f.min()) / 2]
    cost = max(cheapest_signs(f - c, w, changes - 1) for c in levels)
    assert cost**0.5 > 0.97 * float(error.p) / float(error.q)


@pytest.mark.parametrize(
    "problem",
    [
        ("relu", "phi2:2", "linf", "1/5"),
        ("triangle:2", "phi2:2", "linf", "1/4"),
        ("max(0,1-2*r) on 0,1", "ball:3", "linf", "1/10"),
        ("1-r**2 on 0,1", "gaussian:3", "linf", "1/50"),
    ],
)
@pytest.mark.parametrize("depth", [3, 5])
def test_what_is_built_is_not_smaller(problem, depth: int) -> None:
    made = Problem(*_problem(problem))
    upper, lower = best_upper(made, depth), best_lower(made, depth)
    assert isinstance(upper, Upper)
    assert isinstance(lower, Lower)
    assert lower.width <= max(upper.widths)


def test_nothing_is_said_where_nothing_is_known() -> None:
    for law in ("sphere:3", "shells:3:1/2,1"):
        problem = Problem(Radial("cos(20*r)", 3), law_from_text(law), "linf", "1/10")
        assert isinstance(RadialLines().prove(problem, 2), Inapplicable)


@pytest.mark.parametrize(
    ("written", "law"),
    [
        # spikes just outside the support, a support much shorter than 2^-20
        ("max(0,1-abs(r-0.33333325)*20000000)", "radius:2:1/3,1"),
        ("max(0,1-abs(r-0.6666667)*50000000)", "radius:2:1/2,2/3"),
        ("cos(66000000*r)", "radius:2:34952549/104857600,34952551/104857600"),
    ],
)
def test_nothing_is_counted_outside_the_support(written: str, law: str) -> None:
    problem = Problem(Radial(written, 2), law_from_text(law), "linf", "1/10")
    found = RadialLines().prove(problem, 3)
    assert isinstance(found, Inapplicable) or (found.pieces or 0) <= 3


@pytest.mark.parametrize(
    ("written", "law", "norm"),
    [
        ("cos(r) on 0,400", "gaussian:2", "l2"),
        ("r**2 on 0,400", "gaussian:2", "l1"),
        ("cos((r-1)*1000000000000) on 1,1.00000000001", "gaussian:2", "linf"),
        ("exp(r*r) on 0,40", "gaussian:2", "l2"),
        ("exp(exp(r)) on 0,10", "ball:2", "l2"),
        ("triangle:4", "radius:2:0,0.0000001", "linf"),
        ("1 on 1000,1001", "phi2:3", "l2"),
    ],
)
def test_far_or_huge_profiles_are_answered(written, law, norm) -> None:
    problem = Problem(
        Radial(written, 2), law_from_text(law.replace(":3", ":2")), norm, "1/10"
    )
    assert isinstance(RadialLines().prove(problem, 3), Lower | Inapplicable)
