"""The fewest pieces: against a programme of its own, published values, closed forms."""

import os

import numpy as np
import pytest
from flint import fmpq

from depthsep import pieces
from depthsep._errors import HypothesisError, TooLargeError
from depthsep.approximation import linearise
from depthsep.evidence import Rigour
from depthsep.targets import Expression
from support.fewest import fewest
from support.slow import mostly_slow

FORMULAS = [
    ("exp(x)", 0, 2, 0.02), ("sigmoid(x)", -6, 6, 0.01), ("tanh(x)", -3, 3, 0.01),
    ("gelu(x)", -3, 3, 0.02), ("silu(x)", -5, 5, 0.02), ("mish(x)", -4, 4, 0.02),
    ("softplus(x)", -5, 5, 0.01), ("sin(x)", 0, 6, 0.04), ("cos(2*x)", 0, 3, 0.05),
    ("sqrt(x)", 0, 1, 0.01), ("log(x)", 0.1, 3, 0.03), ("1/x", 0.2, 2, 0.05),
    ("x**3", -1, 1, 0.02), ("x**4-x**2", -1, 1, 0.01), ("exp(-x**2)", -2, 2, 0.02),
    ("atan(x)", -5, 5, 0.02), ("erf(x)", -2, 2, 0.02), ("1/(1+25*x**2)", -1, 1, 0.03),
    ("sinc(x)", -8, 8, 0.03), ("x*exp(-x)", 0, 5, 0.01), ("cosh(x)", -1, 1, 0.02),
    ("log1p(x)", 0, 4, 0.01), ("x**1.5", 0, 1, 0.004), ("sin(x)+x", 0, 7, 0.05),
    ("abs(x)*x", -1, 1, 0.02), ("hardswish(x)", -4, 4, 0.03), ("elu(x)", -3, 2, 0.01),
    ("selu(x)", -3, 2, 0.02), ("asinh(x)", -3, 3, 0.02), ("sin(3*x)*x", 0, 2, 0.04),
    ("exp(sin(x))", 0, 5, 0.05), ("x**2", 0, 3, 0.07), ("2**x", 0, 3, 0.05),
    ("x*sin(1/x)", 0.2, 1, 0.01), ("sqrt(1+x**2)", -3, 3, 0.02), ("log2(x)", 1, 8, 0.1),
    ("where(x<0, x**2, sin(x))", -1, 2, 0.02), ("cos(x)**2", 0, 3, 0.02),
    ("expm1(x)", -1, 1, 0.01), ("x**5", -1, 1, 0.02),
]  # fmt: skip

MODES = ("both", "jumps", "above", "below", "relative")


def walls(formula, x, error, mode):
    """Floor and ceiling at points, for the programme."""
    f = Expression(formula).floats(x)
    if mode == "relative":
        return f - error * np.abs(f), f + error * np.abs(f)
    down, up = {"above": (0, 1), "below": (1, 0)}.get(mode, (1, 1))
    return f - down * error, f + up * error


def options(mode):
    if mode in ("above", "below"):
        return {"side": mode}
    return {} if mode == "both" else {mode: True}


@pytest.mark.parametrize(
    "k",
    mostly_slow(
        range(0, len(FORMULAS), 2),
        sorted({*range(0, len(FORMULAS), 2), *range(1, len(FORMULAS), 8)}),
    ),
)
def test_as_few_as_a_programme_finds(k: int) -> None:
    """Between its numbers for a little more and a little less than the error."""
    formula, start, stop, error = FORMULAS[k]
    x = np.linspace(start, stop, 241)
    f = Expression(formula).floats(x)
    mode = MODES[k % 5]
    if mode == "relative" and f.min() * f.max() <= 0:
        mode = MODES[k % 3]
    table = pieces(formula, (start, stop), accuracy=error, **options(mode))
    more, less = (
        fewest(x, *walls(formula, x, error * s, mode), jumps=mode == "jumps", every=2)
        for s in (1.06, 0.97)
    )
    assert more <= len(table.pieces) <= less + (less == more)
    assert table.needed <= less
    assert len(table.pieces) - table.needed <= 1
    assert table.error.upper <= fmpq(*error.as_integer_ratio())
    g = np.concatenate([[float(p.left.p) / float(p.left.q)] for p in table.pieces])
    assert len(g) == len(table.pieces)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("k", range(0, len(FORMULAS), 7))
def test_errors_are_those_of_samples(k: int, mode: str) -> None:
    formula, start, stop, error = FORMULAS[k]
    x = np.linspace(start, stop, 5001)
    f = Expression(formula).floats(x)
    if mode == "relative" and f.min() * f.max() <= 0:
        f, formula = f + 9, f"9+{formula}"
    x, f = x[1:-1], f[1:-1]
    table = pieces(formula, (start, stop), accuracy=error, **options(mode))
    g = table.function.floats(x)
    off = (g - f) / (np.abs(f) if mode == "relative" else 1)
    most = float(table.error.upper.p) / float(table.error.upper.q)
    low, high = {"above": (0, most), "below": (-most, 0)}.get(mode, (-most, most))
    assert (off >= low - 1e-12).all() and (off <= high + 1e-12).all()
    assert np.abs(off).max() > 0.9 * most
    assert table.is_continuous or mode == "jumps"
    assert table.error.rigour in (Rigour.ENCLOSED, Rigour.EXACT)


def test_published_numbers_of_pieces() -> None:
    assert len(pieces("x**2", (-10, 10), accuracy=2).pieces) == 5
    assert len(pieces("x**3", (-10, 10), accuracy=2).pieces) == 19
    assert len(pieces("x**2", (0, 2), accuracy="0.1").pieces) == 3
    assert len(pieces("sigmoid(x)", (-8, 8), accuracy="1e-3").pieces) == 19
    for formula, on, error in (
        ("x**2", (-10, 10), 2), ("x**3", (-10, 10), 2), ("x**2", (0, 2), "0.1"),
        ("sigmoid(x)", (-8, 8), "1e-3"),
    ):  # fmt: skip
        assert pieces(formula, on, accuracy=error).is_least


def test_the_sine_with_seven_pieces() -> None:
    """0.00765414121 is the published error of the best ones."""
    table = pieces("sin(x)", (0, "pi"), count=7)
    best = fmpq(765414121, 10**11)
    assert table.least_error <= best <= table.error.upper
    assert table.error.upper - table.least_error < best / 200


@pytest.mark.parametrize("count", [1, 3, 8])
@pytest.mark.parametrize("side", ["both", "above", "below"])
def test_quadratics_in_closed_form(count: int, side: str) -> None:
    """(b - a)^2 / (8 N^2) times |alpha|, or twice that on one side; met exactly."""
    error = fmpq(2, 8 * count * count) * 9 * (1 if side == "both" else 2)
    for formula in ("2*x**2-x", "3-2*x**2"):
        table = pieces(formula, (0, 3), accuracy=error, side=side)
        assert (len(table.pieces), table.needed) == (count, count)
        tight = pieces(formula, (0, 3), accuracy=error * fmpq(999, 1000), side=side)
        assert tight.needed == count + 1


@pytest.mark.parametrize(
    ("formula", "error"),
    [("exp(x)", fmpq(1, 333)), ("1/(1+x)", fmpq(1, 333)), ("x**3+x", fmpq(1, 50))],
)
def test_interpolants_of_convex_functions_take_twice_the_error(formula, error) -> None:
    on_curve = pieces(formula, (0, 2), accuracy=error, interpolate=True)
    free = pieces(formula, (0, 2), accuracy=error / 2)
    assert on_curve.needed <= free.needed + 1 and free.needed <= on_curve.needed + 1
    assert len(on_curve.pieces) - on_curve.needed <= 1
    target = Expression(formula)
    for piece in on_curve.pieces:
        x = np.array([float(piece.start.p) / float(piece.start.q)])
        y = float(piece.left.p) / float(piece.left.q)
        assert abs(target.floats(x)[0] - y) <= float(error.p) / float(error.q) / 900


def test_knots_lie_where_they_may() -> None:
    grid = pieces("sin(3*x)", (0, "3.05"), accuracy="0.02", knots_on="1/16")
    inner = [p.stop for p in grid.pieces[:-1]]
    assert all((16 * x).q == 1 for x in inner) and grid.is_continuous
    equal = pieces("exp(x)", (0, 2), accuracy="0.01", uniform=True)
    lengths = {p.stop - p.start for p in equal.pieces}
    assert len(lengths) == 1 and equal.is_least
    many = pieces("exp(x)", (0, 2), accuracy="0.01", uniform=True, power_of_two="cells")
    assert len(many.pieces) == 16 and len(equal.pieces) in range(9, 17)
    halves = pieces("sqrt(x)", (0, 1), accuracy="0.01", power_of_two="cells")
    for p in halves.pieces:
        length = p.stop - p.start
        assert length.p == 1 and (int(length.q) & (int(length.q) - 1)) == 0
        assert (p.start / length).q == 1
    shifts = pieces("tanh(x)", (-3, 3), accuracy="0.03", power_of_two="slopes")
    for p in shifts.pieces:
        s = abs(p.slope)
        assert s == 0 or all(int(n) & (int(n) - 1) == 0 for n in (s.p, s.q))
    assert len(shifts.pieces) - shifts.needed <= 2


@pytest.mark.parametrize("power", ["slopes", "cells"])
def test_powers_of_two_against_all_that_are_tried(power: str) -> None:
    """Greedy pieces on samples, each as long as some line of the kind allows."""
    last = 1 << 10
    x = np.linspace(-3, 3, last + 1)
    f, error, start, found = np.tanh(x), 0.03, 0, 0
    if power == "cells":
        waiting = [(0, last)]
        while waiting:
            a, b = waiting.pop()
            if (
                fewest(
                    x[a : b + 1], f[a : b + 1] - error, f[a : b + 1] + error, jumps=True
                )
                == 1
            ):
                found += 1
            else:
                waiting += [(a, (a + b) // 2), ((a + b) // 2, b)]
    else:
        slopes = [0, *(s * 2.0**k for k in range(-12, 3) for s in (1, -1))]
        while start < last:
            reach = start
            for s in slopes:
                level = f[start:] - s * x[start:]
                room = np.maximum.accumulate(level) - np.minimum.accumulate(level)
                reach = max(reach, start + int((room <= 2 * error).sum()) - 1)
            start, found = max(reach, start + 1), found + 1
    table = pieces(
        "tanh(x)", (-3, 3), accuracy="0.03", jumps=power == "cells", power_of_two=power
    )
    assert abs(found - len(table.pieces)) <= 1 and table.needed <= found + 1


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"target": "sin(x)", "on": (-1, 1), "accuracy": 1, "relative": True}, "is 0"),
        ({"target": "x1*x2", "accuracy": "0.1"}, "the number of variables"),
        ({"target": "exp(x)", "accuracy": 0}, "must be positive"),
        ({"target": "exp(x)"}, "give either an accuracy"),
        ({"target": "exp(x)", "accuracy": 1, "count": 3}, "give either an accuracy"),
        ({"target": "exp(x)", "count": 0}, "give 1 to"),
        ({"target": "exp(x)", "accuracy": 1, "side": "left"}, "both, above, below"),
        ({"target": "exp(x)", "accuracy": 1, "uniform": True, "interpolate": True},
         "not both"),
        ({"target": "exp(x)", "accuracy": "1e-4", "knots_on": "1/2"}, "smaller step"),
        ({"target": "exp(x)", "accuracy": "0.1", "knots_on": 0}, "step of knots"),
        ({"target": "1/x", "on": (-1, 1), "accuracy": "0.1"}, "not defined"),
        ({"target": "sign(x)", "on": (-1, 1), "accuracy": "0.1"}, "may jump"),
        ({"target": "exp(x)", "accuracy": "1e-8"}, "takes more than 2000 knots"),
    ],
)  # fmt: skip
def test_refusals(given, says, monkeypatch) -> None:
    if "2000 knots" in says:
        monkeypatch.setitem(linearise.__kwdefaults__, "max_knots", 2000)
    with pytest.raises((HypothesisError, TooLargeError), match=says):
        pieces(**given)


@pytest.mark.slow
@pytest.mark.parametrize(("norm", "count"), [("l1", 2), ("l2", 2)])
def test_least_mean_errors_of_quadratics(norm: str, count: int) -> None:
    """Closed forms for N equal pieces of x^2: h^2 / 16 in l1, h^2 / sqrt(180) in l2."""
    share = {"l1": 1 / 16, "l2": 180**-0.5}[norm]
    table = pieces("x**2", count=count, norm=norm)
    assert table.needed == count == table.asked
    best = share / count**2
    least, found = (
        float(v.p) / float(v.q) for v in (table.least_error, table.error.upper)
    )
    assert least <= best * (1 + 1e-9) and best <= found * (1 + 1e-9)
    assert found < 1.01 * best and least > 0.97 * best
    again = pieces("x**2", accuracy=best * 1.02, norm=norm)
    assert len(again.pieces) == again.needed == count


@pytest.mark.slow
def test_least_squares_of_a_sigmoid_take_eight_pieces() -> None:
    accuracy = 2.8e-3
    table = pieces("sigmoid(x)", (-8, 8), accuracy=accuracy, norm="l2")
    assert len(table.pieces) == table.needed == 8
    x = np.linspace(-8, 8, 200_001)
    off = table.function.floats(x) - Expression("sigmoid(x)").floats(x)
    assert 0.97 * accuracy < np.mean(off**2) ** 0.5 <= accuracy


@pytest.mark.slow
def test_random_formulas() -> None:
    """Both sides within one piece on 95 %, equal on 60 %; no table beats its bound.

    `DEPTHSEP_DRAWS` multiplies them.
    """
    rng = np.random.default_rng(7)
    parts = [
        "sin({a}*x)",
        "exp({b}*x)",
        "tanh({a}*x)",
        "x**2*{b}",
        "sqrt(x+{c})",
        "1/(x+{c})",
        "cos({a}*x)*x",
        "log(x+{c})",
        "abs(x-{d})*{b}",
        "x**3*{b}",
    ]
    gaps = []
    for _ in range(10 * int(os.environ.get("DEPTHSEP_DRAWS", "1"))):
        chosen = rng.choice(parts, rng.integers(1, 4), replace=False)
        values = {
            "a": rng.integers(1, 9),
            "b": round(rng.uniform(-2, 2), 1),
            "c": round(rng.uniform(0.2, 2), 1),
            "d": round(rng.uniform(0, 2), 1),
        }
        formula = "+".join(part.format(**values) for part in chosen)
        error = round(10 ** rng.uniform(-3.5, -1.5), 6)
        table = pieces(formula, (0, 2), accuracy=str(error))
        gaps.append(len(table.pieces) - table.needed)
        x = np.linspace(0, 2, 2001)
        off = np.abs(table.function.floats(x) - Expression(formula).floats(x)).max()
        assert off <= error * (1 + 1e-9)
    found = np.array(gaps)
    assert (found >= 0).all()
    assert (found <= 1).mean() >= 0.95 and (found == 0).mean() >= 0.6


def test_one_sided_errors_are_those_of_the_side() -> None:
    exact = pieces("0*x+1*x", accuracy="0.1", side="above")
    assert exact.error.upper < fmpq(1, 10**6)
    table = pieces("exp(x)", (0, 2), accuracy="0.05", side="above")
    x = np.linspace(0, 2, 20_001)
    off = (table.function.floats(x) - np.exp(x)).max()
    low, high = (
        float(v.p) / float(v.q) for v in (table.error.lower, table.error.upper)
    )
    assert low <= off + 1e-6 and off <= high < 1.01 * off


@pytest.mark.parametrize("count", [2, 3])
def test_so_many_pieces_in_fixed_point(count: int) -> None:
    table = pieces("log(x)", (1, 2), count=count, fixed=(16, 12))
    assert len(table.pieces) <= count and table.least_error < table.error.upper
    free = pieces("log(x)", (1, 2), count=count, jumps=True)
    assert table.error.upper < free.error.upper + fmpq(1, 2000)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"fixed": (16, 99)}, "must be 2 to 32, and the second"),
        ({"fixed": (16, -3)}, "must be 2 to 32, and the second"),
        (
            {"accuracy": "1e-5", "fixed": (16, 12)},
            "rounding alone makes an error of up to",
        ),
        ({"accuracy": None, "count": 2.5}, "give 1 to"),
        ({"accuracy": None, "count": 3, "side": "above", "interpolate": True}, "both"),
        ({"target": "curve.csv"}, "data:curve.csv"),
    ],
)
def test_more_refusals(given, says) -> None:
    with pytest.raises(HypothesisError, match=says):
        pieces(**{"target": "exp(x)", "accuracy": "0.1", **given})


def test_pieces_that_come_from_before_a_convex_part_are_counted() -> None:
    """A chord across the inflection lies below f in the convex part, and is allowed."""
    formula = "where(x<0, -400*x**2, x**2)"
    table = pieces(formula, (fmpq(-7, 50), fmpq(23, 10)), accuracy=1, interpolate=True)
    assert table.needed <= 2 == len(table.pieces)


@pytest.mark.parametrize("side", ["above", "below"])
@pytest.mark.parametrize("formula", ["0-exp(x)", "0-2-x**3", "exp(x)", "square"])
def test_relative_tables_keep_their_side(formula: str, side: str) -> None:
    on = (1, 2) if formula == "square" else (0, 2)
    table = pieces(formula, on, accuracy="0.05", relative=True, side=side)
    x = np.linspace(*on, 4001)
    f = x**2 if formula == "square" else Expression(formula).floats(x)
    off = (table.function.floats(x) - f) / np.abs(f) * (1 if side == "above" else -1)
    assert off.min() > -1e-12 and off.max() <= 0.05 + 1e-12


def test_small_positive_functions_have_relative_tables() -> None:
    for formula, on in (("1e-5*(2+sin(x))", (0, 3)), ("exp(x)", (-6, 0))):
        assert pieces(formula, on, accuracy="0.02", relative=True).needed > 1


def test_sawtooths_are_targets() -> None:
    assert len(pieces("sawtooth:3", accuracy="0.1").pieces) == 8
    assert len(pieces("sawtooth:3", accuracy="1/2").pieces) == 1


@pytest.mark.parametrize(("formula", "on", "count"), [
    ("exp(x)", (-30, 0), 38), ("x**2", ("1e-3", 1000), 25),
    ("1/x", ("1e-6", "1e6"), 49),
    ("-exp(x)", (-30, 0), 38),
])  # fmt: skip
def test_relative_errors_over_many_sizes(formula, on, count) -> None:
    """f is followed by parts, each as closely as its own size asks for."""
    table = pieces(formula, on, accuracy="0.04", relative=True)
    assert len(table.pieces) == table.needed == count
    low, high = (float(v) for v in on)
    x = np.geomspace(low, high, 20_000) if low > 0 else np.linspace(low, high, 20_000)
    knots = [float(v.p) / float(v.q) for p in table.pieces for v in (p.start,)] + [high]
    values = [p.left for p in table.pieces] + [table.pieces[-1].right]
    g = np.interp(x, knots, [float(v.p) / float(v.q) for v in values])
    f = table.room.target.floats(x)
    assert np.abs(g / f - 1).max() <= 0.04 * (1 + 1e-9)


@pytest.mark.parametrize(("formula", "on", "accuracy"), [
    ("sqrt(x)", (0, 1), "5e-3"), ("1/x", ("1/100", 10), "0.05"),
    ("x**8", (0, 2), "0.1"),
])  # fmt: skip
def test_knots_on_curves_of_uneven_scale(formula, on, accuracy) -> None:
    """Places for knots are as close as the pieces are short."""
    table = pieces(formula, on, accuracy=accuracy, interpolate=True)
    assert len(table.pieces) <= table.needed + 1
    for piece in table.pieces[1:]:
        x, v = (float(z.p) / float(z.q) for z in (piece.start, piece.left))
        assert abs(v - table.room.target.floats(np.array([x]))[0]) <= 2e-3 * float(
            accuracy
        )


@pytest.mark.parametrize(
    ("side", "says"), [("above", "below"), ("below", "above"), ("both", "")]
)
def test_a_proof_for_one_side_is_said_to_be_one(side: str, says: str) -> None:
    """Tables with errors on both sides need fewer pieces: the claim is not on them."""
    extra = f" and no value {says} the target" if says else ""
    table = pieces("exp(x)", (0, 2), accuracy="0.05", side=side)
    assert f"an error of at most 0.05{extra} has fewer" in table.summary
    asked = pieces("exp(x)", (0, 2), count=4, side=side)
    assert f"with 4 pieces{extra} has an error below" in asked.summary


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"relative": True}, " times the absolute value of the target."),
        ({"norm": "l1"}, " in the mean."),
        ({"norm": "l2"}, " in the root mean square."),
    ],
)
def test_a_proof_says_of_which_error_it_is(given: dict[str, object], says: str) -> None:
    table = pieces("exp(-x)", (0, 5), count=1, **given)
    assert table.summary.splitlines()[1].endswith(says)
