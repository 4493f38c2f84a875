"""`--dim all`: formulas in d, their table and picture, proofs, refusals."""

import json

import pytest
from flint import fmpq

from depthsep.cli import main
from depthsep.every_dimension import bounds_for
from depthsep.reports import growth_figure

INNER = "inner:sin(pi*d**3*t)"
WAVE = "radial:cos(2*pi*3*R*r)"
BALL = "radial:sin(4*pi*d**2*r**2)"


def ended(given):
    with pytest.raises(SystemExit) as end:
        main(given)
    return end.value.code or 0


def asked(*given):
    return ended(["separate", WAVE, "--norm", "l2", "--accuracy", "1/2", *given])


def test_formulas_and_a_table(capsys) -> None:
    given = ["separate", INNER, "--dim", "6:9", "--norm", "l2", "--accuracy", "1/2"]
    assert ended([*given, "--depths", "2:4"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "depth 2 needs at least (1 - 50/23 E^2)" in said
    assert "depth 3 needs at most 4 d^3/sqrt(E) units" in said
    assert "uniform on the unit sphere in R" in said and "for every d >= 6" in said
    assert "uniform on the unit sphere in R" in said
    for dim in ("6", "7", "8", "9"):
        assert f" {dim} " in said


@pytest.mark.parametrize(
    ("dims", "found"), [("3:7", [3, 4, 5, 6, 7]), ("300:", [300, 1000])]
)
def test_ranges_of_dimensions(dims, found, capsys) -> None:
    assert asked("--dim", dims, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert [row["d"] for row in document["rows"]] == found
    assert [t["depth"] for t in document["theorems"]] == [2, 2, 3]


def test_the_law_and_the_range_are_said(capsys) -> None:
    """Other radial formulas are 0 beyond |x| = 1; what is proved here is not."""
    for target in (WAVE, f"{WAVE} on 0,inf"):
        given = ["separate", target, "--dim", "3:4", "--norm", "l2"]
        assert ended([*given, "--accuracy", "1/2", "--law", "phi2"]) == 0
        said = capsys.readouterr().out
        assert said.startswith("radial:cos(6*pi*R*r) on 0,inf for every d; law: x with")
    assert ended(["separate", BALL, "--dim", "3:4", "--accuracy", "1/8"]) == 0
    assert "law: x uniform in the unit ball" in capsys.readouterr().out
    given = ["separate", f"{WAVE} on 0,inf", "--dim", "3", "--norm", "l2"]
    assert ended([*given, "--accuracy", "1/2"]) == 2  # no such law of one dimension


def test_a_picture_is_written(tmp_path, capsys) -> None:
    assert asked("--dim", "3:12", "--report", str(tmp_path / "r")) == 0
    names = {p.name for p in (tmp_path / "r").iterdir()}
    assert names == {"every_dimension.svg", "every_dimension.png"}
    assert capsys.readouterr().out.count("wrote") == 2


def test_what_holds_in_l2_alone_is_not_said_in_linf(capsys) -> None:
    given = ["separate", WAVE, "--dim", "all", "--accuracy", "1/2"]
    assert ended([*given, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [t["depth"] for t in document["theorems"]] == [2, 2]
    assert all(row["depth 3, for every d"] is None for row in document["rows"])


def test_proofs_are_written_and_checked(tmp_path, capsys) -> None:
    path = tmp_path / "p.json"
    given = ["prove", WAVE, "--dim", "all", "--accuracy", "1/2"]
    assert ended([*given, "-o", str(path)]) == 0
    said = capsys.readouterr().out
    assert "the checker says valid" in said and "base case" in said
    assert json.loads(path.read_text())["kind"] == "every_dimension"
    assert ended(["verify", str(path)]) == 0
    assert "valid" in capsys.readouterr().out
    document = json.loads(path.read_text())
    document["theorems"][1]["constants"]["kappa"] = "2"
    path.write_text(json.dumps(document))
    assert ended(["verify", str(path)]) == 1


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["square", "--dim", "all"], "no bounds that hold for every d"),
        ([INNER, "--dim", "2:4"], "every d >= 6"),
        ([INNER, "--dim", "all", "--accuracy", "0"], "it must be positive"),
        ([INNER, "--dim", "8:9", "--accuracy", "1/(d-9)"], "-1 at d = 8"),
        ([INNER, "--dim", "8:9", "--accuracy", "1/(d-8)"], "at d = 8: "),
        ([INNER, "--dim", "4:2"], "all, or a range such as 6: or 6:30"),
        ([INNER, "--dim", "0:"], "from 1 to 1000, the word all"),
        ([INNER, "--dim", "1:2:3"], "from 1 to 1000, the word all"),
        ([INNER, "--dim", ":"], "from 1 to 1000, the word all"),
        ([INNER, "--dim", "all", "--learn"], "--learn has no meaning"),
        ([INNER, "--dim", "all", "--on", "0,1"], "--on has no meaning"),
        ([INNER, "--dim", "all", "--norm", "l1"], "these bounds hold for the norms"),
        ([INNER, "--dim", "all", "--law", "ball:3"], "the bounds hold only for"),
        ([INNER, "--dim", "all", "--law", "sphere"], "the bounds hold only for"),
        ([WAVE, "--dim", "all", "--law", "ball"], "the bounds hold only for"),
        ([WAVE, "--dim", "all", "--law", "or"], "the bounds hold only for"),
        ([BALL, "--dim", "all", "--law", "phi2"], "the bounds hold only for"),
        (["inner:sin(2*pi*d**3*t)", "--dim", "all"], "no bounds that hold for every d"),
        (["radial:cos(2*pi*R*r)", "--dim", "all"], "give 5/2 to 100"),
        (["radial:cos(2*pi*1/0*R*r)", "--dim", "all"], "1/0"),
    ],
)
def test_refusals_are_one_line(given, says, capsys) -> None:
    assert ended(["separate", "--accuracy", "1/2", *given]) == 2
    said = capsys.readouterr().err
    assert says in said and said.count("\n") == 1


def test_what_is_left_out_is_said(capsys, tmp_path) -> None:
    jump = "radial:1 on 0,1-1/(2*d)"
    given = ["separate", jump, "--dim", "2:12", "--accuracy", "1/20", "--norm", "l2"]
    assert ended([*given, "--report", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "no lower bound at this accuracy for d = 9, 10, 11, 12" in said
    assert ended(["separate", jump, "--dim", "all"]) == 2
    assert "--accuracy is missing" in capsys.readouterr().err


@pytest.mark.parametrize(
    "given",
    [
        ["parity:d", "--dim", "2:9", "--norm", "l1", "--accuracy", "1/2"],
        ["sawtooth:k^2", "--dim", "1:1", "--norm", "l1", "--accuracy", "6/25"],
        [WAVE, "--dim", "5:5", "--norm", "l2", "--accuracy", "1/2"],
    ],
)
def test_lines_without_widths_are_left_out_of_pictures(given, tmp_path, capsys) -> None:
    assert ended(["separate", *given, "--report", str(tmp_path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert given[0].partition(":")[0] in document["target"]
    assert len(list(tmp_path.iterdir())) == 2


def test_a_picture_says_for_which_errors_its_lines_hold() -> None:
    for target, says in (
        ("radial:1 on 0,1-1/(2*d)", "proved for E <= 1/(7 sqrt(d))"),
        (WAVE, "proved for every d"),
        ("sawtooth:k^2", "proved for every k"),
    ):
        figure = growth_figure(bounds_for(target), [lambda _: fmpq(1, 50)], 2, 40)
        words = [t.get_text() for axes in figure.axes for t in axes.texts]
        assert any(word.endswith(says) for word in words)


def test_layers_are_counted_by_k(capsys) -> None:
    given = ["separate", "sawtooth:k^2", "--dim", "2:4", "--norm", "l1"]
    assert ended([*given, "--accuracy", "1/(20*k)", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [(row["k"], row["E"]) for row in rows] == [
        (2, "1/40"),
        (3, "1/60"),
        (4, "1/80"),
    ]
    given = ["prove", "sawtooth:k^2", "--dim", "all", "--accuracy", "1/20"]
    assert ended([*given, "--norm", "l1"]) == 2
    assert "there is no proof file to write:" in capsys.readouterr().err


def test_proofs_refuse_what_has_no_meaning(capsys) -> None:
    for more in (["--dim", "3:5"], ["--dim", "all", "--depth", "5"]):
        assert ended(["prove", WAVE, "--accuracy", "1/2", *more]) == 2
    assert ended(["prove", WAVE, "--dim", "all", "--accuracy", "1/(d-2)*(1"]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_an_accuracy_that_is_too_large(capsys) -> None:
    assert asked("--dim", "all", "--accuracy", "71/100") == 2
    assert "E <= 63/100 for every even d >= 4" in capsys.readouterr().err


def test_accuracies_may_depend_on_the_dimension(capsys) -> None:
    kink = "radial:max(1-1/(2*d)-r,0)"
    given = ["separate", kink, "--dim", "2:5", "--norm", "l2", "--accuracy"]
    assert ended([*given, "1/(200*d^3)", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["E"] for row in rows] == ["1/1600", "1/5400", "1/12800", "1/25000"]
    assert ended([*given, "1/10"]) == 2
    assert "E <= 1/(94 d^(5/2)) for every d >= 2" in capsys.readouterr().err
    assert ended([*given, "sqrt(d)"]) == 2
    assert "whose value is not rational" in capsys.readouterr().err
