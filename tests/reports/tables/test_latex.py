"""Tables in LaTeX: balanced, escaped, compiled."""

import re
import shutil
import subprocess

import pytest

from depthsep.evidence import Inapplicable
from depthsep.reports.tables._latex import latex_table


def test_every_number_stands_in_the_latex_table(table):
    text = latex_table(table).replace(r"\,", "")
    body = text[text.index(r"\midrule") : text.index(r"\bottomrule")]
    for line, row in zip(body.splitlines()[1:], table, strict=True):
        cells = [cell.strip().rstrip("\\") for cell in line.split("&")]
        assert cells[:2] == [str(row.depth), str(row.depth - 1)]
        for cell, side in ((cells[2], row.lower), (cells[4], row.upper)):
            if isinstance(side, Inapplicable):
                assert cell == "--"
            else:
                found = re.match(r"\$2\^\{(\d+)\}\$|(\d+)", cell)
                assert (2 ** int(found[1]) if found[1] else int(found[2])) == side.width


def test_latex_is_balanced_and_escaped(table, nothing):
    for separation in (table, nothing):
        text = latex_table(separation)
        bare = re.sub(r"\\[\\{}%&$#_]", "", text.split("\n", 1)[1])
        assert bare.count("{") == bare.count("}")
        assert bare.count("$") % 2 == 0
        assert not set("#%_") & set(bare)
        opened = re.findall(r"\\begin\{(\w+)\}", text)
        assert sorted(opened) == sorted(re.findall(r"\\end\{(\w+)\}", text))
    assert r"50\%\_\$\#\textasciicircum{}\textasciitilde{}\textbackslash{}\{" in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
def test_latex_compiles_with_booktabs_and_amsmath_alone(table, nothing, tmp_path):
    document = (
        "\\documentclass{article}\\usepackage{booktabs,amsmath}\\begin{document}\n"
        f"{latex_table(table)}{latex_table(nothing)}\\end{{document}}"
    )
    (tmp_path / "t.tex").write_text(document)
    command = ["pdflatex", "-halt-on-error", "t.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "Overfull" not in done.stdout
