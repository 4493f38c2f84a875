"""No lower bound, whichever, lies above any upper bound: the grid of all theorems."""

from functools import cache
from itertools import product

import pytest

from depthsep import CertificationError, Segment
from depthsep.claims import Lower, Upper
from depthsep.constructions import CONSTRUCTIONS
from depthsep.evidence import Inapplicable, Rigour
from depthsep.lower_bounds import LOWER_BOUNDS
from depthsep.problems import NORMS, RELU_UNITS, Problem
from depthsep.separation import Row, best_upper, check_sandwich, separate
from support.slow import in_turn, mostly_slow

TARGETS = [
    ("square", None),
    ("square", Segment(-1, 3)),
    ("expr:3*x - 2*x**2", Segment("1/7", 1)),
    ("expr:-x**2/100 + x", None),
    ("sawtooth:1", None),
    ("sawtooth:2", None),
    ("sawtooth:3", None),
    ("sawtooth:6", None),
    ("sawtooth:11", None),
    ("sawtooth:27", None),
    ("parity:1", None),
    ("parity:2", None),
    ("parity:5", None),
    ("parity:12", None),
    ("expr:sin(20*x)", None),
    ("expr:abs(x - 1/3) + sqrt(x)", None),
    ("expr:exp(x)", Segment(-1, 1)),
    ("expr:x/3 + 1", None),
    ("expr:x**3", None),
    ("expr:abs(x)", Segment(-1, 1)),
    ("expr:max(x, 1 - x, 2*x - 1)", None),
    ("expr:min(sin(9*x), 1/2)", None),
]
ACCURACIES = ("1/10", "1/100", "1e-4", "1e-6")
DEPTHS = (2, 3, 5, 8)
# the fast part: all but the targets whose networks take long to examine
LONG = ("expr:sin(20*x)", "expr:abs(x)", "expr:abs(x - 1/3) + sqrt(x)")
FAST = ("1/10", "1/100"), (2, 3, 5)
FEW = ("1/100",), (2, 3)
# formulas whose constructions take long to propose what only the examiner judges
PROPOSED = (*LONG, "expr:min(sin(9*x), 1/2)")
MANY_PROPOSED = (*PROPOSED, "expr:exp(x)", "expr:x**3")  # on the whole grid
SMALL = ("1/10", "1e-3"), (2, 3, 5, 8)
COARSE = ("0.24", "0.249999", "0.26", "0.28", "0.3", "0.4", "0.49", "0.5", "0.9", "1")


# what these claim, only the examiner judges
PROPOSERS = ("through-points", "glued-folds", "glued-folds-with-square")
CLAIMANTS = [t for t in CONSTRUCTIONS if t.statement.id not in PROPOSERS]


def upper(theorem, problem, depth):
    """What the examiner makes of one construction's claim."""
    return best_upper(problem, depth, (theorem,))


@cache
def squeeze(problem, depth):
    """Every pair of an applicable lower bound and an applicable construction."""
    lows = [(t, t.prove(problem, depth)) for t in LOWER_BOUNDS]
    lows = [(t, low) for t, low in lows if isinstance(low, Lower)]
    pairs = 0
    for theorem in CONSTRUCTIONS:
        high = upper(theorem, problem, depth)
        for t, low in lows:
            if isinstance(high, Upper):
                what = f"{t} against {theorem} for {problem} at depth {depth}"
                assert low.width <= high.width, what
                assert low.units <= high.units, what
                pairs += 1
    return pairs


def problem_of(target, on, norm, accuracy):
    return Problem(target, on, norm=norm, accuracy=accuracy)


QUICK = [t for t in TARGETS if t[0] not in PROPOSED]
EXAMINED = [(*t, norm) for t in QUICK for norm in NORMS]
IN_ONE_NORM = [
    ("expr:sin(20*x)", None, "l1"),
    ("expr:abs(x - 1/3) + sqrt(x)", None, "linf"),
    ("expr:abs(x)", Segment(-1, 1), "l2"),
    ("expr:min(sin(9*x), 1/2)", None, "l1"),
]


@pytest.mark.parametrize(
    ("target", "on", "norm"),
    mostly_slow(in_turn(QUICK, NORMS), EXAMINED + IN_ONE_NORM),
    ids=str,
)
def test_no_lower_bound_exceeds_an_upper_bound(target, on, norm):
    for accuracy, depth in product(*(FAST if target not in LONG else FEW)):
        squeeze(problem_of(target, on, norm, accuracy), depth)
    if target in LONG:  # at 1/100 squares of over 2,000 units take a minute here
        squeeze(problem_of(target, on, norm, FAST[0][0]), 8)


@pytest.mark.slow
@pytest.mark.parametrize(("target", "on", "norm"), in_turn(TARGETS, NORMS), ids=str)
def test_no_lower_bound_exceeds_a_claimed_width_on_the_whole_grid(target, on, norm):
    accuracies, depths = SMALL if target in MANY_PROPOSED else (ACCURACIES, DEPTHS)
    for accuracy in accuracies:
        problem = problem_of(target, on, norm, accuracy)
        for depth in depths:
            lows = [t.prove(problem, depth) for t in LOWER_BOUNDS]
            for theorem in CLAIMANTS:
                claim = theorem.prove(problem, depth)
                # sampled claims are no proofs
                if isinstance(claim, Upper) and claim.rigour is not Rigour.SAMPLED:
                    for low in (b for b in lows if isinstance(b, Lower)):
                        assert low.width <= claim.width
                        assert low.units <= claim.units


@cache
def squeeze_claims(problem, depth):
    """Every pair as claimed, for problems that theorems have as examples."""
    if problem.networks.units != RELU_UNITS:
        separate(problem, depths=[depth])  # which compares the two
        return
    lows = [t.prove(problem, depth) for t in LOWER_BOUNDS]
    highs = [t.prove(problem, depth) for t in CLAIMANTS]
    for high in (c for c in highs if isinstance(c, Upper)):
        if high.rigour is Rigour.SAMPLED:  # a proposal: the examiner judges it
            continue
        for low in (b for b in lows if isinstance(b, Lower)):
            assert low.width <= high.width, (problem, depth)
            assert low.units <= high.units, (problem, depth)


# theorems whose examples take long: every other one, at depth 2 alone
HEAVY = (
    *("plane-cells", "convex-cells", "all-lines", "restriction", "blind-direction"),
    *("signed-kinks", "signed-segments", "circles", "curvature", "radial-lines"),
)
LIGHT = [(t, 2) for t in LOWER_BOUNDS if t.statement.id not in HEAVY]
ALL = [(t, 2) for t in (*LOWER_BOUNDS, *CONSTRUCTIONS)] + [(t, 3) for t, _ in LIGHT]


@pytest.mark.parametrize(
    ("theorem", "depth"),
    mostly_slow(LIGHT, ALL),
    ids=lambda v: v if isinstance(v, int) else v.statement.id,
)
def test_the_examples_of_every_theorem_are_squeezed_in_every_setting(theorem, depth):
    examples = theorem.examples()
    for problem in examples[::2] if theorem.statement.id in HEAVY else examples:
        squeeze_claims(problem, depth)


@pytest.mark.parametrize("name", PROPOSERS)
def test_proposals_are_never_said_to_be_proved(name):
    (theorem,) = (t for t in CONSTRUCTIONS if t.statement.id == name)
    claims = [theorem.prove(p, d) for p in theorem.examples()[:2] for d in (2, 4)]
    found = [claim.rigour for claim in claims if isinstance(claim, Upper)]
    assert set(found) == {Rigour.SAMPLED}


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("target", ["sawtooth:1", "sawtooth:3", "parity:3", "square"])
def test_bounds_hold_where_a_constant_is_nearly_good_enough(target, norm):
    for accuracy in COARSE:
        for depth in (2, 3, 6):
            squeeze(Problem(target, norm=norm, accuracy=accuracy), depth)


@pytest.mark.parametrize("norm", NORMS)
def test_the_grid_is_not_empty(norm):
    counts = [
        squeeze(Problem(target, on, norm=norm, accuracy="1/100"), 3)
        for target, on in TARGETS[:14]
    ]
    assert sum(count > 0 for count in counts) >= 9


def test_a_contradiction_is_reported_and_never_shown():
    source = LOWER_BOUNDS[0].statement
    high = Upper(
        widths=(3, 2), error=0, rigour=Rigour.EXACT, statement=source, make=lambda: None
    )
    for low in (
        Lower(width=4, units=4, rigour=Rigour.EXACT, statement=source),
        Lower(width=3, units=6, rigour=Rigour.EXACT, statement=source),
    ):
        with pytest.raises(CertificationError, match="please report this"):
            check_sandwich(Row(3, high, low))
    check_sandwich(
        Row(3, high, Lower(width=3, units=5, rigour=Rigour.EXACT, statement=source))
    )
    check_sandwich(
        Row(
            3,
            Inapplicable("no"),
            Lower(width=9, units=9, rigour=Rigour.EXACT, statement=source),
        )
    )
    check_sandwich(Row(3, high, Inapplicable("no")))
