"""How a claim is confirmed: its widths, and the time that it is given."""

from dataclasses import dataclass, replace

import pytest
from flint import fmpq

from depthsep import TooLargeError
from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.constructions.line.narrow._kinks_by_pairs import KinksByPairs
from depthsep.evidence import Inapplicable, Rigour
from depthsep.networks import Affine, Network
from depthsep.problems import Problem, problem_from_text
from depthsep.separation import _build, _upper, best_upper, build
from depthsep.targets import AbstractLineTarget

PROBLEM = Problem("expr:exp(x)", accuracy=1)
NETWORK = Network([Affine([[1], [0]], [0, 2]), Affine([[1, 0]], [1])])


@dataclass(frozen=True)
class Offers(AbstractConstruction):
    """1 + x for exp(x), under the widths given."""

    widths: tuple[int, ...] = (2,)
    careful: AbstractConstruction | None = None

    statement = KinksByPairs.statement
    scope = Scope("this bound covers functions on an interval only", AbstractLineTarget)

    def claim(self, problem, depth):
        return Upper(
            widths=self.widths, error=fmpq(1), rigour=Rigour.SAMPLED,
            statement=self.statement, make=lambda: NETWORK,
        )  # fmt: skip

    def more_careful(self):
        return self.careful

    def examples(self):
        return [PROBLEM]


class Refuses(Offers):
    def claim(self, problem, depth):
        return Inapplicable("nothing more careful")


def test_a_network_of_other_widths_than_claimed_is_refused():
    assert best_upper(PROBLEM, 2, (Offers(),)).checked
    answer = best_upper(PROBLEM, 2, (Offers((1,)),))
    assert isinstance(answer, Inapplicable) and "widths" in answer.reason


@pytest.fixture
def clock(monkeypatch):
    """An examiner that takes 7 seconds, or all that it is given and fails."""
    times, given = [0.0], []
    confirmed = _upper.examined

    def examined(claim, problem, seconds=20.0):
        given.append(seconds)
        times[0] += min(seconds, 7.0)
        if seconds < 7:
            return Inapplicable("not followed to the end")
        return confirmed(claim, problem, seconds)

    monkeypatch.setattr(_upper, "examined", examined)
    monkeypatch.setattr(_upper.time, "monotonic", lambda: times[0])
    return given


def test_a_claim_that_needs_more_than_a_quarter_of_the_time_is_not_lost(clock):
    answer = best_upper(PROBLEM, 2, (Offers(careful=Refuses()),), seconds=20)
    assert answer.checked and clock == [5, 20]


def test_the_careful_form_comes_before_more_time(clock):
    answer = best_upper(PROBLEM, 2, (Offers(careful=Offers()),), seconds=20)
    assert answer.checked and clock == [5, 20]


def test_a_claim_that_is_refused_early_is_not_examined_again(clock):
    wrong = Offers((1,), careful=Refuses())
    answer = best_upper(PROBLEM, 2, (wrong,), seconds=40)
    assert isinstance(answer, Inapplicable) and clock == [10]


@pytest.mark.slow
def test_a_theorem_whose_network_is_bounded_too_roughly_is_kept_as_one():
    """Degree 16: the examiner's bound of the network of 108,664 units is 16.4."""
    problem = problem_from_text("inner:cos(12*t)", None, "l2", "1/10", 3)
    found = best_upper(problem, 2)
    assert isinstance(found, Upper) and not found.checked
    assert found.statement.id == "sphere-ridges" and "not confirmed" in found.note
    with pytest.raises(TooLargeError):
        _ = found.network


class Proves(Offers):
    def claim(self, problem, depth):
        return replace(super().claim(problem, depth), rigour=Rigour.ENCLOSED)


def test_a_theorem_whose_network_is_refuted_is_dropped():
    far = Problem("expr:exp(x)", accuracy="1e-9")
    assert isinstance(best_upper(far, 2, (Proves(),)), Inapplicable)


def test_a_confirmed_network_is_built_before_a_narrower_theorem(monkeypatch):
    def found(problem, depth, *more, **options):
        answer = best_upper(problem, depth, *more, **options)
        return replace(answer, checked=False, most_weights=0) if depth > 2 else answer

    monkeypatch.setattr(_build, "best_upper", found)
    assert build(Problem("product", accuracy="1/20")).network.depth == 2


def test_a_careful_form_is_no_wider_than_a_network_of_fewer_layers():
    narrow = best_upper(PROBLEM, 2, (Offers(),))
    wide = Network([Affine([[1], [0], [0]], [0, 2, 1]), Affine([[1, 0, 0]], [1])])

    class Wide(Offers):
        def claim(self, problem, depth):
            return replace(super().claim(problem, depth), make=lambda: wide)

    careful = Offers((1,), careful=Wide((3,)))
    found = best_upper(PROBLEM, 2, (careful,), shallower=narrow)
    assert isinstance(found, Upper) and found.width == 2
