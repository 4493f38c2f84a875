"""A target kind and a law of one's own: one class and one tuple entry each."""

import json
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from flint import arb, fmpq

import depthsep.laws._parse as law_forms
import depthsep.reports.pictures._network_figure as pictures
import depthsep.targets._parse as target_forms
from depthsep import HypothesisError, NotDefinedError, Problem, build, separate
from depthsep.analysis import examine
from depthsep.evidence import Inapplicable
from depthsep.exact import Jet, rational
from depthsep.interop import verify, write_certificate
from depthsep.laws import (
    AbstractDensityLaw,
    AbstractLaw,
    AbstractLineLaw,
    Box,
    Segment,
    SignCube,
)
from depthsep.laws._parse import LawForm
from depthsep.lower_bounds import LOWER_BOUNDS
from depthsep.lower_bounds.line._printed import PrintedSquare
from depthsep.problems import NetworkClass, units_from_text
from depthsep.reports import network_figure
from depthsep.reports.pages._separation import html_report
from depthsep.separation import best_lower
from depthsep.targets import (
    AbstractBoxTarget,
    AbstractLineTarget,
    AbstractTarget,
    ExactForm,
    Formula,
    InnerProduct,
    Parity,
    Square,
)
from depthsep.targets._parse import TargetForm

EVIL = "<script>alert(1)</script>"


@dataclass(frozen=True)
class Half(AbstractLineTarget):
    """x -> x^2 / 2."""

    @property
    def text(self) -> str:
        return "half"

    @property
    def words(self) -> str:
        return "x^2 / 2"

    @property
    def remark(self) -> str:
        return f"Half of the square; {EVIL}."

    def floats(self, x: np.ndarray) -> np.ndarray:
        return x**2 / 2

    def jet(self, x: arb) -> Jet:
        return Jet(x**2 / 2, x, arb(1))

    def exact_form(self) -> ExactForm:
        return ExactForm(fmpq(1, 2), fmpq(0), fmpq(0))


@dataclass(frozen=True)
class Symmetric(AbstractLineLaw):
    """Uniform on [-R, R]."""

    reach: fmpq

    @property
    def text(self) -> str:
        return f"symmetric:{self.reach}"

    @property
    def words(self) -> str:
        return f"{EVIL} [-{self.reach}, {self.reach}]"

    @property
    def interval(self) -> Segment:
        return Segment(-self.reach, self.reach)

    def quantiles(self, shares: np.ndarray) -> np.ndarray:
        return float(arb(self.reach)) * (2 * shares - 1)


@dataclass(frozen=True)
class Cosine(AbstractDensityLaw):
    """Proportional to 1 + cos(pi x) on [-1, 1]: all that a new density takes."""

    text: ClassVar[str] = "cosine"

    @property
    def interval(self) -> Segment:
        return Segment(-1, 1)

    def shape(self, x: arb) -> Jet:
        turn, pi = x * arb.pi(), arb.pi()
        return Jet(1 + turn.cos(), -pi * turn.sin(), -pi * pi * turn.cos())

    def shape_mass(self, start: fmpq, stop: fmpq) -> arb:
        waves = [(arb(e) * arb.pi()).sin() / arb.pi() for e in (start, stop)]
        return arb(stop - start) + waves[1] - waves[0]

    def shape_floats(self, x: np.ndarray) -> np.ndarray:
        return 1 + np.cos(np.pi * x)


class Elsewhere(Symmetric):
    """A law with a setting that no picture is known for."""

    setting: ClassVar[str] = "elsewhere"


@pytest.fixture(autouse=True)
def forms(monkeypatch):
    law = LawForm("symmetric", "symmetric:R", lambda rest: Symmetric(rational(rest)))
    cosine = LawForm("cosine", "cosine", lambda rest: Cosine())
    target = TargetForm("half", "half", lambda rest, dim: Half())
    monkeypatch.setattr(law_forms, "LAWS", (*law_forms.LAWS, law, cosine))
    monkeypatch.setattr(target_forms, "TARGETS", (*target_forms.TARGETS, target))


def test_both_run_through_table_network_certificate_and_page(tmp_path):
    law = law_forms.law_from_text("symmetric:3")
    assert isinstance(law, AbstractLaw) and law.text == "symmetric:3"
    problem = Problem("half", law, accuracy="1/100")
    table = separate(problem, depths=[2, 3])
    assert all(row.upper.checked and row.lower.width >= 1 for row in table)
    assert json.loads(json.dumps(table.to_json()))["problem"]["law"] == "symmetric:3"
    page = html_report(table)
    assert "half" in page and "x² / 2" in page and "Half of the square" in page
    assert page.count("<svg") == 2 and "[-3, 3]" in page
    assert "<script" not in page and page.count("&lt;script&gt;") >= 3
    made = build(problem, depth=3)
    write_certificate(made.certificate(), tmp_path / "c.json")
    assert verify(tmp_path / "c.json").valid


def test_a_new_density_goes_through_the_table_a_network_and_a_certificate(tmp_path):
    law = law_forms.law_from_text("cosine")
    problem = Problem("expr:exp(x)", law, "l2", "1/100")
    for row in separate(problem, depths=[2, 3]):
        assert row.upper.checked and 1 <= row.lower.width <= row.upper.width
    made = build(problem, depth=2)
    write_certificate(made.certificate(), tmp_path / "c.json")
    assert verify(tmp_path / "c.json").valid
    plain = replace(
        made.certificate(), problem=problem.to_json() | {"law": "uniform:-1,1"}
    )
    write_certificate(plain, tmp_path / "plain.json")
    assert not verify(tmp_path / "plain.json").valid


def test_a_picture_is_chosen_by_the_setting_and_may_be_added(monkeypatch):
    problem = Problem("half", Symmetric(fmpq(2)), accuracy="1/100")
    network = build(problem, depth=3).network
    drawn = network_figure(problem, network)
    assert [axes.get_ylabel() for axes in drawn.axes] == ["value", "error / accuracy"]
    assert "x² / 2 by a network of depth 3" in drawn.axes[0].get_title(loc="left")
    object.__setattr__(problem, "law", Elsewhere(fmpq(2)))
    (axes,) = network_figure(problem, network).axes
    assert (
        axes.texts[0].get_text()
        == "Networks under the law symmetric:2 cannot be drawn."
    )
    own = {**pictures.PICTURES, "elsewhere": pictures.PICTURES["line"]}
    monkeypatch.setattr(pictures, "PICTURES", own)
    assert len(network_figure(problem, network).axes) == 2


@dataclass(frozen=True)
class AllOnes(AbstractTarget):
    """1 at every vector of signs: not a parity."""

    settings: ClassVar[tuple[str, ...]] = ("signs",)
    text: ClassVar[str] = "ones"
    in_dim: ClassVar[int] = 3

    def floats(self, x: np.ndarray) -> np.ndarray:
        return np.ones(len(x))

    def default_law(self) -> AbstractLaw:
        return SignCube(3)


def test_an_own_target_is_never_examined_as_the_target_that_is_known():
    parity = build(Problem("parity:3", accuracy="1/2"), depth=3).network
    own = Problem(AllOnes(), accuracy="1/2")
    found = examine(parity, own)
    assert isinstance(found, Inapplicable) and "not an instance of Parity" in str(found)
    for row in separate(own, depths=[2, 3]):
        assert isinstance(row.upper, Inapplicable)
        assert isinstance(row.lower, Inapplicable)


@dataclass(frozen=True)
class OnePoint(AbstractLaw):
    """All inputs are 1: not the law that known statements are about."""

    setting: ClassVar[str] = "signs"
    text: ClassVar[str] = "ones"

    inputs: int

    @property
    def in_dim(self) -> int:
        return self.inputs

    def sample(self, count: int, seed: int) -> np.ndarray:
        return np.ones((count, self.inputs))


@dataclass(frozen=True)
class SamePoint(OnePoint):
    """x' = x on the sphere."""

    setting: ClassVar[str] = "spheres"


def test_statements_about_a_law_are_not_made_about_another_of_its_setting():
    signs = Problem(Parity(6), OnePoint(6), "l2", "1/10")
    inner = Problem(InnerProduct("sin(pi*d*t)", 6), SamePoint(12), "l2", "1/10")
    for problem in (signs, inner):
        for bound in LOWER_BOUNDS:
            assert isinstance(bound.prove(problem, 2), Inapplicable), bound
    network = build(Problem("parity:2", accuracy="1/2"), depth=3).network
    found = examine(network, Problem(Parity(2), OnePoint(2), "l1", "1/2"))
    assert "not of the kind SignCube" in str(found)


@dataclass(frozen=True)
class Flat(Square):
    """x^2 / 10^6: a subclass, which nothing that is known of x^2 is said of."""

    def exact_form(self) -> ExactForm:
        return ExactForm(fmpq(1, 10**6), fmpq(0), fmpq(0))


def test_statements_about_the_square_are_not_made_about_other_quadratics():
    problem = Problem(Flat(), Segment(0, 1), "l2", "1e-5")
    assert isinstance(PrintedSquare().prove(problem, 2), Inapplicable)


@dataclass(frozen=True)
class Hole(AbstractBoxTarget):
    """0 where it is defined: x1 > 0."""

    text: ClassVar[str] = "hole"
    in_dim: ClassVar[int] = 2

    def as_formula(self) -> Formula:
        return Formula("log(x1)-log(x1)+x1*x2/100", 2)

    def floats(self, x: np.ndarray) -> np.ndarray:
        return x[:, 0] * x[:, 1] / 100


def test_an_own_box_target_is_checked_as_its_formula_is():
    with pytest.raises(NotDefinedError):
        Problem(Hole(), Box.cube(Segment(-1, 1), 2), accuracy="1/10")
    right = Problem(Hole(), Box.cube(Segment(1, 2), 2), accuracy="1/10")
    line = right.target.on_line([fmpq(1)] * 2, [fmpq(2)] * 2)
    assert line.floats(np.zeros(1)) == pytest.approx([0.01])


def test_a_certificate_that_could_not_be_read_back_is_refused():
    flat = build(Problem(Flat(), Segment(0, 1), accuracy="1e-3"), depth=2)
    with pytest.raises(HypothesisError, match="would be read as Square, not Flat"):
        flat.certificate()
    hole = Problem(Hole(), Box.cube(Segment(1, 2), 2), accuracy="1/10")
    with pytest.raises(HypothesisError, match="could not be read back: unknown target"):
        build(hole, depth=2).certificate()


def test_bounds_for_other_units_change_no_theorem():
    seven = replace(units_from_text("piecewise:7"), name="mine", words="units of mine")
    on = Segment(0, 1)
    for norm in ("linf", "l2"):
        plain = Problem("expr:sin(9*x)", on, norm, "1e-3", networks=NetworkClass())
        mine = replace(plain, networks=NetworkClass(units=seven))
        relu, found = best_lower(plain, 3), best_lower(mine, 3)
        assert found.width == -(-relu.width // 6) and "units of mine" in str(
            found.networks
        )
