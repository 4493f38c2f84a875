"""The kit for a paper: formulas, references, pictures, and a page that compiles."""

import math
import re
import shutil
import subprocess

import pytest

from depthsep import HypothesisError, Problem, separate
from depthsep.cli import main
from depthsep.evidence import bibtex_entry
from depthsep.papers import daniely_row
from depthsep.reports import dimension_figure, write_kit, write_paper_kit
from depthsep.reports.kit._methods import CHECKED, methods
from depthsep.reports.kit._rows import set_words
from depthsep.reports.tables._formulas import typeset
from depthsep.separation import results, statement_named

HALF = ("--norm", "l2", "--accuracy", "1/2")
FILES = {
    *("figure.pdf", "figure.pgf", "table.tex"),
    *("methods.tex", "references.bib", "page.tex"),
}
CITED = re.compile(r"\\cite\{([^}]*)\}")
KEY = re.compile(r"^@\w+\{([^,]+),", re.MULTILINE)
POINT = re.compile(r"\(([\d.e+-]+),([\d.e+-]+)\)")


@pytest.fixture(scope="module")
def table():
    """Of the square: an own theorem on one side, a published one on the other."""
    return separate(Problem("square", accuracy="1e-4"), depths=range(2, 5))


def text(folder, name):
    return (folder / name).read_text("utf-8")


@pytest.mark.parametrize(
    ("formula", "tex"),
    [
        ("x^2", "$x^{2}$"),
        ("sin(20*x)", r"$\sin\left(20 \, x\right)$"),
        ("sin(pi d^3 t)", r"$\sin\left(\pi \, d^{3} \, t\right)$"),
        ("x1*x2-3*x2**2", r"$x_{1} \, x_{2} - 3 \, x_{2}^{2}$"),
        ("a-(b-c)", r"$a - \left(b - c\right)$"),
        ("(-1)**2", r"$\left(-1\right)^{2}$"),
        ("-(a+b)", r"$-\left(a + b\right)$"),
        ("1/(1+x)", r"$\frac{1}{1 + x}$"),
        ("sqrt(abs(x))", r"$\sqrt{\left|x\right|}$"),
        ("relu(x)", r"$\operatorname{relu}\left(x\right)$"),
        ("(x/2)**2", r"$\left(\frac{x}{2}\right)^{2}$"),
        ("2*3*x", r"$2 \cdot 3 \, x$"),
        ("x*1e-3", r"$x \cdot 10^{-3}$"),
        ("123456789012345678901", "$123456789012345678901$"),
        ("1e-400", "$10^{-400}$"),
        ("1e-6", "$10^{-6}$"),
        ("2.5e-4", r"$2.5 \cdot 10^{-4}$"),
        ("[0, 1]^2", "$[0, 1]^{2}$"),
        ("where(x<1,x,2)", r"\texttt{where(x\textless{}1,x,2)}"),
        ("phi^2 in R^5", r"\texttt{phi\textasciicircum{}2 in R\textasciicircum{}5}"),
        ("x" * 3000 + "_", None),
    ],
)
def test_formulas_are_set_or_stay_as_they_are(formula, tex):
    assert typeset(formula) == tex if tex else typeset(formula).startswith(r"\texttt")


def test_every_citation_has_an_entry_and_every_theorem_is_cited(table, tmp_path):
    written = write_kit(table, tmp_path, "depthsep separate square")
    assert {path.name for path in written} == FILES
    keys = set(KEY.findall(text(tmp_path, "references.bib")))
    said = text(tmp_path, "methods.tex")
    cited = {key for group in CITED.findall(said) for key in group.split(",")}
    assert cited == keys == {"depthsep", "depthsep:square-optimum", "yarotsky2017"}
    entry = text(tmp_path, "references.bib").split("@misc{depthsep:square-optimum")[1]
    title = statement_named("square-optimum").title.replace("^", "")
    assert title[:20] in entry and "docs/proofs/square.md" in entry
    assert "version" in entry and "every ReLU network" in said
    assert r"\texttt{depthsep separate square}" in said


def test_files_that_are_not_ours_are_left_alone(table, tmp_path):
    (tmp_path / "references.bib").write_text("mine")
    with pytest.raises(HypothesisError, match="would be overwritten"):
        write_kit(table, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["references.bib"]
    (tmp_path / "references.bib").unlink()
    assert write_kit(table, tmp_path) == write_kit(table, tmp_path)


def test_rows_that_were_not_built_are_not_said_to_be_checked(table):
    assert CHECKED in methods(table)
    asked = Problem("sawtooth:60", norm="l1", accuracy="0.05")
    said = methods(separate(asked, depths=[2, 61]))
    assert CHECKED not in said and "no network of that width was built" in said


def test_the_picture_holds_the_widths_of_the_table(table, tmp_path):
    write_kit(table, tmp_path)
    certified, proven = text(tmp_path, "figure.pgf").split(r"\addplot")[1:]
    for plot, side in ((certified, "upper"), (proven, "lower")):
        points = [(float(a), float(b)) for a, b in POINT.findall(plot)]
        wanted = [(r.depth, math.log2(getattr(r, side).width)) for r in table]
        assert [depth for depth, _ in points] == [depth for depth, _ in wanted]
        for (_, drawn), (_, level) in zip(points, wanted, strict=True):
            assert drawn == pytest.approx(level, abs=1e-4)
    assert "xtick={2,3,4}" in text(tmp_path, "figure.pgf")
    assert (tmp_path / "figure.pdf").read_bytes().startswith(b"%PDF")


def test_a_kit_is_the_same_bytes_each_time(table, tmp_path):
    for name in ("a", "b"):
        write_kit(table, tmp_path / name)
    for name in FILES:
        assert (tmp_path / "a" / name).read_bytes() == (
            tmp_path / "b" / name
        ).read_bytes()


def test_papers_have_a_legend_of_their_columns(tmp_path):
    rows = [daniely_row(d, Problem("square", accuracy="1/10").accuracy) for d in (3, 5)]
    used = [statement_named("sphere-rank"), statement_named("daniely-upper")]
    drawn = dimension_figure(rows)
    write_paper_kit("A table", rows, used, tmp_path, drawn, about="A sentence.")
    table = text(tmp_path, "table.tex")
    for letter, column in zip("abcdefgh", rows[0].columns, strict=True):
        assert f"({letter})" in table.split("toprule")[1]
        assert column.split(", weights")[0] in table
    assert table.count(r"\\") == 3 and r"\sin\left(\pi" in table


@pytest.mark.parametrize(
    ("words", "tex"),
    [
        ("|g phi|^2", r"$|g \varphi|^{2}$"),
        ("depth 2, log2 width >=", r"depth 2, log2 width $\ge$"),
        ("best kappa", r"best $\kappa$"),
        ("5 % & up to 2^d, phi^2", r"5 \% \& up to $2^{d}$, $\varphi^{2}$"),
        ("a^(b) < |c|", r"a\textasciicircum{}(b) \textless{} \textbar{}c\textbar{}"),
    ],
)
def test_small_formulas_in_words_are_set(words, tex):
    assert set_words(words) == tex


@pytest.mark.parametrize("statement", results(), ids=lambda s: s.id)
def test_every_source_has_an_entry(statement):
    key = statement.source.key
    assert KEY.findall(bibtex_entry(key)) == [key]


@pytest.mark.parametrize(
    "given",
    [
        ("separate", "square", "--accuracy", "1e-2", "--depths", "2:3"),
        ("separate", "inner:sin(pi*d**3*t)", "--dim", "6:8", *HALF),
        ("paper", "safran-shamir", "--dims", "3,5", "--targets", "ball"),
    ],
    ids=lambda given: given[0],
)
def test_the_commands_write_it_and_say_how_they_were_called(given, tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        main([*given, "--paper", str(tmp_path / "kit")])
    assert not ended.value.code
    assert {path.name for path in (tmp_path / "kit").iterdir()} == FILES
    assert f"depthsep {given[0]}" in text(tmp_path / "kit", "methods.tex")
    assert "figure.pgf" in capsys.readouterr().out
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(SystemExit) as ended:
        main([*given, "--paper", str(file / "kit")])
    assert ended.value.code == 2


@pytest.mark.skipif(
    shutil.which("pdflatex") is None, reason="pdflatex is not installed"
)
def test_the_page_compiles(table, tmp_path):
    write_kit(table, tmp_path)
    for program in ("pdflatex", "bibtex", "pdflatex", "pdflatex"):
        options = ["-interaction=nonstopmode", "-halt-on-error"]
        run = [program, *(options if program == "pdflatex" else []), "page"]
        done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-800:]
    assert "undefined" not in (tmp_path / "page.log").read_text("latin-1")
