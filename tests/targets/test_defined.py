"""Formulas are defined as they are written, or refused; intervals enclose."""

import mpmath
import pytest
from flint import arb, fmpq, fmpz
from hypothesis import example, given, settings
from hypothesis import strategies as st

from depthsep import (
    HypothesisError,
    NotDefinedError,
    Problem,
    Segment,
    UndecidedError,
    build,
    separate,
)
from depthsep.exact import Interval
from depthsep.targets import (
    Expression,
    Formula,
    InnerProduct,
    Polynomial,
    Radial,
    value_in_dimension,
)

UNDEFINED = [
    ("sqrt(x)**2", -2, -1),
    ("exp(log(x))", -2, 2),
    ("cosh(acosh(x))", -2, 2),
    ("sin(asin(x))", -2, 2),
    ("(x**(1/3))**3", -2, 2),
    ("log(x)-log(x)", -2, 2),
    ("x/x", -2, 2),
    ("x**2/x", -1, 1),
    ("0*log(x)", -1, 1),
    ("sqrt((x-1/3)**2-1e-82)", -2, 2),
    ("sin(1/x)", -1, 1),
    ("max(x,log(-x**2-1))", 0, 1),
    ("tan(x)", 0, 2),
    ("atanh(x)", 0, 1),
    ("x**(-2)*x**3", -1, 1),
    ("x**x/x**x", 0, 1),
    ("sqrt(-1)**2*x", 0, 1),
    ("x/(sin(1)**2+cos(1)**2-1)*0", 0, 1),
]


@pytest.mark.parametrize(("formula", "a", "b"), UNDEFINED)
def test_a_formula_that_is_undefined_as_written_is_refused(formula, a, b):
    with pytest.raises(HypothesisError):
        build(Problem(f"expr:{formula}", Segment(a, b), accuracy="1/2"), depth=2)


DEFINED = [
    ("sqrt(abs(x))", -1, 1),
    ("sqrt(1/3-x)", 0, "1/3"),
    ("sqrt(x-x**2)", 0, 1),
    ("asin(3*x)", "-1/3", "1/3"),
    ("sqrt(1-sin(x)**2)", -5, 5),
    ("sqrt(1+cos(x))", -9, 9),
    ("acos(cos(x))", -9, 9),
    ("sqrt((x-1/3)**2+1e-82)", -2, 2),
    ("sqrt((x-1/3)**2)", -2, 2),
    ("(x**2)**(1/3)", -2, 2),
    ("log(x)-log(x)+x", 1, 2),
    ("x/x", 1, 2),
    ("sqrt(sin(x))", 0, 3),
    ("acosh(1+x)", 0, 1),
    ("x**0.5*x**1.5", 0, 1),
    ("max(0,sin(1)**2+cos(1)**2-1)+x", 0, 1),
    ("1/(1+25*x**2)", -1, 1),
    ("atan(x)/(1+x**2)", -9, 9),
]


@pytest.mark.parametrize(("formula", "a", "b"), DEFINED)
def test_a_formula_that_is_defined_is_served(formula, a, b):
    problem = Problem(f"expr:{formula}", Segment(a, b), accuracy="1/2")
    assert separate(problem, depths=[2])[2].upper.checked


def test_a_point_where_it_is_not_defined_is_named():
    with pytest.raises(NotDefinedError, match=r"not defined at x = 0, where \(x/x\)"):
        Problem("expr:x/x", Segment(-2, 2))


@pytest.mark.parametrize(
    "target",
    [
        "expr:sqrt(x1)**2+x2",
        "expr:x1/x1*x2",
        "expr:exp(log(x1-x2))",
        "expr:(x1+x2)/(x1+x2)",
    ],
)
def test_formulas_on_boxes_are_decided_as_written(target):
    with pytest.raises(NotDefinedError):
        Problem(target, Segment(-2, -1) if "sqrt" in target else Segment(-1, 1))


def test_formulas_on_boxes_may_touch_the_end_of_a_domain():
    for formula, stop in (
        ("sqrt(1/3-x1)*sqrt(x2)", "1/3"),
        ("sqrt(x1*x2)+sqrt(2-x1-x2)", 1),
    ):
        assert Problem(f"expr:{formula}", Segment(0, stop)).target.in_dim == 2


@pytest.mark.parametrize("constant", ["asin(2)", "atanh(2)", "acosh(0)"])
def test_constants_that_are_not_defined_are_refused_everywhere(constant):
    for target in (f"poly:x1*x2+0*{constant}", f"expr:x+0*{constant}"):
        with pytest.raises(HypothesisError, match=r"not (real|defined)"):
            Problem(target)


def test_profiles_of_inner_products_and_radii_are_decided_as_written():
    with pytest.raises(NotDefinedError):
        Problem(InnerProduct("sqrt(t)**2", 3))
    with pytest.raises(NotDefinedError):
        Problem(Radial("exp(log(r-1/2)) on 0,1", 3))
    Problem(InnerProduct("acos(t)", 3), accuracy="1/2")


@pytest.mark.parametrize("written", ["x1/x1+x2", "sqrt(x1)**2*x2", "x1**x2/x1**x2"])
def test_a_polynomial_is_one_as_it_is_written(written):
    with pytest.raises(HypothesisError, match="not a polynomial"):
        Polynomial(written)


def test_the_jet_of_an_unbounded_argument_is_unknown():
    jet = Expression("sin(1/x)").jet(arb(0))
    assert not jet.value.is_finite()


def test_lines_through_a_box_keep_the_formula_as_written():
    line = Formula("sqrt(x1)**2+x2", 2).on_line([fmpq(1), fmpq(0)], [fmpq(-1)] * 2)
    with pytest.raises(NotDefinedError):
        line.check_defined([Segment(0, 1)])


def nested(levels):
    formula = "x"
    for _ in range(levels):
        formula = f"(({formula}+1)**7)**(1/3)"
    return formula


def test_powers_inside_powers_are_read_at_once():
    problem = Problem(f"expr:{nested(2)}", accuracy=1)
    assert separate(problem, depths=[2])[2].upper.checked
    assert Problem(f"expr:{nested(8)}").target.jet(arb(0)).value > 1


def test_what_takes_too_many_steps_is_refused(monkeypatch):
    monkeypatch.setattr("depthsep.formulas._formula.MAX_STEPS", 100)
    with pytest.raises(HypothesisError, match="too many steps"):
        Expression("sin(x)**3+cos(x)**2*exp(x)")


@pytest.mark.parametrize("target", ["expr:x # red", "expr:x\x1b[31m", "square\x1b[0m"])
def test_targets_that_cannot_be_printed_are_refused(target):
    with pytest.raises(HypothesisError, match="printed"):
        Problem(target)


GRAMMAR = st.recursive(
    st.sampled_from(["x", "2", "(1/3)", "0.5", "3"]),
    lambda inner: st.one_of(
        st.tuples(
            st.sampled_from(["sin", "cos", "exp", "sqrt", "log", "abs", "asin"]), inner
        ).map(lambda p: f"{p[0]}({p[1]})"),
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(
            lambda p: f"({p[0]}{p[1]}{p[2]})"
        ),
        st.tuples(inner, st.sampled_from(["2", "3", "(1/2)", "(-1)"])).map(
            lambda p: f"({p[0]})**{p[1]}"
        ),
    ),
    max_leaves=5,
)
NAMES = {name: getattr(mpmath, name) for name in ("sin", "cos", "exp", "asin")}


def really(formula, x):
    """The value in 60 digits, or None where it is not a real number."""

    def real(value):
        if isinstance(value, mpmath.mpc):
            raise ValueError
        return value

    names = {k: (lambda v, f=f: real(f(v))) for k, f in NAMES.items()}
    names |= {"abs": abs, "sqrt": lambda v: real(mpmath.sqrt(v)), "x": x}
    names["log"] = lambda v: real(mpmath.log(v)) if v > 0 else real(mpmath.mpc(0, 1))
    with mpmath.workdps(60):
        text = formula.replace("(1/3)", "(mpf(1)/3)").replace("(1/2)", "mpf(0.5)")
        try:
            return real(eval(text, {"mpf": mpmath.mpf, **names}))
        except (ValueError, ZeroDivisionError, TypeError, OverflowError):
            return None


@settings(max_examples=150, deadline=None)
@example("asin(sqrt((2/x)))", 8, 1)
@given(GRAMMAR, st.integers(-8, 8), st.integers(1, 8))
def test_what_is_accepted_has_a_value_at_every_sampled_point(formula, start, length):
    law = Segment(fmpq(start, 4), fmpq(start + length, 4))
    try:
        target = Problem(f"expr:{formula}", law).target
    except HypothesisError:
        return
    for k in range(17):
        x = law.start + law.length * fmpq(k, 16)
        value = really(formula, mpmath.mpf(int(x.p)) / int(x.q))
        assert value is not None, (formula, x)
        ball = target.jet(arb(x)).value
        near = float(value)  # rounded: the value may be an end of the ball, as pi/2
        rounded = arb(near, 1e-15 * (1 + abs(near)))
        off = abs(float(ball.mid()) - near)
        assert ball.overlaps(rounded) or off <= 1e-9 * (1 + abs(near))


@given(
    st.tuples(*[st.fractions(-9, 9)] * 4),
    st.sampled_from(["+", "*", "abs", "power", "sqrt"]),
)
def test_intervals_hold_what_they_are_made_of(ends, operation):
    a, b = (
        Interval(*(fmpq(v.numerator, v.denominator) for v in sorted(pair)))
        for pair in (ends[:2], ends[2:])
    )
    points = [(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    made = {
        "+": lambda: [(a + b, x + y) for x, y in points],
        "*": lambda: [(a * b, x * y) for x, y in points],
        "abs": lambda: [(abs(a), abs(x)) for x, _ in points],
        "power": lambda: [(a.power(2), x * x) for x, _ in points],
        "sqrt": lambda: [((a * a).sqrt(), abs(x)) for x, _ in points if x * a.low > 0],
    }[operation]()
    for interval, value in made:
        assert interval.low <= value <= interval.high


@pytest.mark.parametrize("exponent", ["2**(10**11)", "2**(10**7)", "10**400"])
def test_huge_powers_are_refused_before_they_are_computed(exponent):
    with pytest.raises(HypothesisError):
        Problem(f"poly:x1**({exponent})*x2")
    with pytest.raises(HypothesisError):
        value_in_dimension(f"1/3**({exponent})", 3)
    with pytest.raises(UndecidedError):
        Interval(fmpq(2), fmpq(3)).power(10**10)


def test_coefficients_of_thousands_of_digits_are_read():
    assert Problem("poly:(1e2500*x1)**2+x2").target.terms[(2, 0)] == fmpq(10) ** 5000
    form = Expression("(1e-3000*x)**2").exact_form()
    assert form.alpha == fmpq(1, fmpz(10) ** 6000)


def test_a_product_with_itself_is_a_square():
    Problem("expr:sqrt(x*x)", Segment(-1, 2))
    Problem("expr:sqrt(x1*x1+x2*x2)", Segment(-1, 2))
    assert Interval(fmpq(2), fmpq(3)).within(fmpq(-1), fmpq(1)) == Interval(
        fmpq(1), fmpq(1)
    )


@pytest.mark.parametrize(
    ("formula", "on"),
    [
        ("max(5, asin(1+1/10**13-({x}-1/3)**2))", (0, 1)),
        ("max(5, asin({x}))", (0, "6/5")),
        ("min(-5, sqrt({x}))", ("-1/2", 1)),
        ("max(5, acosh({x}))", ("1/2", 2)),
        ("max(9, {x}**(3/2))", ("-1/2", 1)),
        ("log(-1-{x})**(3/2)", (0, 1)),
        ("acosh(log(-1-{x}))", (0, 1)),
    ],
)
def test_an_undefined_branch_is_not_hidden_by_the_other(formula, on):
    with pytest.raises(HypothesisError):
        whole = Formula(formula.format(x="x1") + " + x2")
        whole.check_defined([Segment(*on)] * 2)
    with pytest.raises(HypothesisError):
        Expression(formula.format(x="x")).check_defined([Segment(*on)])
