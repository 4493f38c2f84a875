"""The TeX of statements: it can be set, and read by the converter of the site."""

from xml.etree import ElementTree

import pytest

from depthsep.separation import results


@pytest.mark.parametrize("statement", results(), ids=lambda s: s.id)
def test_formulas_have_tex_without_dollars_and_with_balanced_braces(statement):
    tex = statement.tex
    assert tex and tex == tex.strip() and "$" not in tex
    depth = 0
    for brace in tex.replace(r"\{", "").replace(r"\}", ""):
        depth += {"{": 1, "}": -1}.get(brace, 0)
        assert depth >= 0
    assert depth == 0
    assert tex.count(r"\left") == tex.count(r"\right")


@pytest.mark.parametrize("statement", results(), ids=lambda s: s.id)
def test_formulas_become_mathml_without_commands_left_over(statement):
    latex2mathml = pytest.importorskip(
        "latex2mathml.converter", reason="latex2mathml is not installed"
    )
    mathml = ElementTree.fromstring(latex2mathml.convert(statement.tex))
    text = "".join(mathml.itertext())
    assert text.strip() and "\\" not in text
