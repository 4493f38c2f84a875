"""A target kind and a law of one's own: one class and one tuple entry each."""

import json
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from flint import arb, fmpq

import depthsep.laws._parse as law_forms
import depthsep.targets._parse as target_forms
from depthsep import Problem, build, separate
from depthsep.exact import Jet, rational
from depthsep.interop import verify, write_certificate
from depthsep.laws import AbstractLaw, LawForm, Uniform
from depthsep.reports import html_report
from depthsep.targets import AbstractTarget, ExactForm, TargetForm


@dataclass(frozen=True)
class Half(AbstractTarget):
    """x -> x^2 / 2."""

    @property
    def text(self) -> str:
        return "half"

    @property
    def in_dim(self) -> int:
        return 1

    @property
    def default_interval(self) -> tuple[fmpq, fmpq]:
        return fmpq(0), fmpq(2)

    def floats(self, x: np.ndarray) -> np.ndarray:
        return x**2 / 2

    def jet(self, x: arb) -> Jet:
        return Jet(x**2 / 2, x, arb(1))

    def exact_form(self) -> ExactForm:
        return ExactForm(fmpq(1, 2), fmpq(0), fmpq(0))


class Symmetric(Uniform):
    """Uniform on [-R, R]."""

    setting: ClassVar[str] = "line"

    def __init__(self, reach: object) -> None:
        super().__init__(-rational(reach), reach)

    @property
    def text(self) -> str:
        return f"symmetric:{self.stop}"


@pytest.fixture(autouse=True)
def forms(monkeypatch):
    law = LawForm("symmetric", "symmetric:R", Symmetric)
    target = TargetForm("half", "half", lambda rest, dim: Half())
    monkeypatch.setattr(law_forms, "LAWS", (*law_forms.LAWS, law))
    monkeypatch.setattr(target_forms, "TARGETS", (*target_forms.TARGETS, target))


def test_both_run_through_table_network_certificate_and_page(tmp_path):
    law = law_forms.law_from_text("symmetric:3")
    assert isinstance(law, AbstractLaw) and law.text == "symmetric:3"
    problem = Problem("half", law, accuracy="1/100")
    table = separate(problem, depths=[2, 3])
    assert all(row.upper.checked and row.lower.width >= 1 for row in table)
    assert json.loads(json.dumps(table.to_json()))["problem"]["law"] == "symmetric:3"
    assert "half" in html_report(table)
    made = build(problem, depth=3)
    write_certificate(made.certificate(), tmp_path / "c.json")
    assert verify(tmp_path / "c.json").valid
