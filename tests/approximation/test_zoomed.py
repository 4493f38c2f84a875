"""A sawtooth unfolded on an interval, against the function and its teeth."""

from hypothesis import given
from hypothesis import strategies as st

from depthsep.approximation.distance._exact_forms import zoomed
from depthsep.exact import rational
from depthsep.targets import ExactForm, sawtooth_value

EIGHTHS = st.fractions(-2, 2, max_denominator=8).map(rational)
PLACES = st.fractions(-1, 2, max_denominator=64).map(rational)


def value(form, x):
    at = form.rho * x + form.sigma
    tooth = at if form.folds == 0 else sawtooth_value(form.folds, at)
    return form.alpha * x * x + form.beta * x + form.gamma + form.amplitude * tooth


@given(
    *(EIGHTHS, EIGHTHS, st.integers(0, 6)),
    *(st.sampled_from([1, -1, "1/2", 3]), EIGHTHS, PLACES, PLACES),
)
def test_an_unfolded_sawtooth_is_the_same_function(beta, gain, folds, rho, at, p, q):
    low, high = min(p, q), max(p, q)
    form = ExactForm(rational(1), beta, beta, gain, folds, rational(rho), at)
    found = zoomed(form, low, high)
    assert found.folds <= folds
    for k in range(9):
        x = low + (high - low) * k / 8
        assert value(found, x) == value(form, x)


@given(st.integers(1, 9), st.data())
def test_nothing_is_left_of_a_tooths_side(folds, data):
    cell = data.draw(st.integers(0, 2**folds - 1))
    form = ExactForm(*map(rational, (0, 0, 0, 1)), folds, rational(1), rational(0))
    low, high = rational(cell) / 2**folds, rational(cell + 1) / 2**folds
    assert zoomed(form, low, high).amplitude == 0
    if cell + 1 < 2**folds:  # the next kink lies inside
        assert zoomed(form, low, high + (high - low) / 2).folds > 0
