"""`depthsep inspect` on networks of several inputs: counts, page, refusals."""

import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from flint import fmpq

from depthsep.cli import main
from depthsep.exact import nearest_float, rational
from depthsep.interop import write_npz
from depthsep.networks import TANH, Network
from support.places import COUNTS, NETS
from support.regions import diamond, random_network
from support.slow import mostly_slow

# the largest is counted in the tests of regions, and drawn below
IN_SPACE = [n for n, w in COUNTS.items() if w["d"] > 1 and n != "n2_64x3_s0"]
SMALL = [n for n in IN_SPACE if COUNTS[n]["activation_regions"] < 2000]

SPHERES = [(2, "l2"), (3, "linf"), (10, "l1")]


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stopped:
        main(["inspect", *map(str, arguments)])
    return stopped.value.code, *capsys.readouterr()


def document(capsys, *arguments):
    code, out, err = run(capsys, *arguments, "--json")
    assert code == 0, err
    return json.loads(out)


@pytest.fixture
def net(tmp_path):
    path = tmp_path / "net.npz"
    write_npz(diamond(), path)
    return path


@pytest.mark.parametrize("name", mostly_slow(SMALL, IN_SPACE))
def test_the_references_as_documents(capsys, name):
    box = "-1,1"
    seen = document(capsys, NETS / f"{name}.npz", "--box", box, "--lines", "2")
    wanted = COUNTS[name]
    for field in ("activation_regions", "vertices", "edges"):
        assert seen[field] == wanted.get(field, seen[field])
    assert seen["affine_regions"] <= seen["activation_regions"] <= seen["most_regions"]
    if "integral" in wanted:
        middle = float(seen["integral"].strip("[]").split()[0])
        assert middle == pytest.approx(wanted["integral"], rel=1e-12)
    assert seen["rigour"] == "exact" and seen["lines"]["count"] == 2


def test_a_slice_stands_in_front(capsys, net):
    seen = document(capsys, net, "--slice", "-1,-1;1,-1;-1,1", "--lines", "0")
    assert (seen["activation_regions"], seen["integral"]) == (4, "1")
    assert seen["slices"][0]["corners"] == [["-1", "-1"], ["1", "-1"], ["-1", "1"]]
    assert seen["lines"] is None


def test_sides_for_each_input_and_the_distance_to_another_network(capsys, net):
    options = ["--box", "0,1;0,2", "--against", net, "--norm", "l2", "--lines", "3"]
    seen = document(capsys, net, *options)
    assert seen["where"] == "[0, 1] x [0, 2]" and seen["activation_regions"] == 1
    assert seen["distance"]["upper"] == "0" and seen["distance"]["norm"] == "l2"
    assert seen["lines"]["pieces"]["most"] == 1.0


def test_a_target_on_a_box(capsys, net):
    seen = document(capsys, net, "--target", "poly:x1**2+x2**2", "--lines", "0")
    found = seen["distance"]
    assert rational(found["lower"]) <= rational("1/2") <= rational(found["upper"])
    assert rational(found["upper"]) < rational("0.6") and found["rigour"] == "enclosed"


def test_the_page_in_the_terminal(capsys, net):
    code, out, _ = run(capsys, net, "--lines", "4", "--level", "1")
    assert code == 0
    for said in (
        "widths                 4",
        "activation regions     4 (exact)",
        "exact, from all regions",
        "most for such widths   11",
        "along 4 random lines (seed 0):",
        "most for such widths   5 pieces (",
        "pieces",
        "always affine          0",
    ):
        assert said in out


def test_an_output_may_be_chosen(capsys, tmp_path):
    path = tmp_path / "two.npz"
    write_npz(Network.from_arrays([[1, 0], [0, 2]], [0, 1]), path)
    options = ["--lines", "1", "--output", "2", "--level", "0"]
    seen = document(capsys, path, *options)
    assert (seen["integral"], seen["output"]) == ("4", 2)
    assert (seen["parts_above"], seen["parts_below"]) == (1, 1)
    code, _, err = run(capsys, path, "--output", "3")
    assert code == 2 and "does not exist" in err


def test_the_report_is_one_page_and_its_figures(capsys, net, tmp_path):
    folder = tmp_path / "page"
    code, out, err = run(capsys, net, "--lines", "5", "--report", folder)
    assert code == 0 and "index.html" in out, err
    made = {p.name for p in folder.iterdir()}
    assert made == {
        *("index.html", "inspection.json", "box.svg", "box.png"),
        *("lines.svg", "lines.png"),
    }
    page = (folder / "index.html").read_text("utf-8")
    assert "http://" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", page)
    assert "<script" not in page and page.count("<svg") == 2
    assert "Output 1 on [-1, 1]^2" in page and "Theorem A" in page
    ElementTree.fromstring((folder / "box.svg").read_text("utf-8"))
    assert (
        json.loads((folder / "inspection.json").read_text())["activation_regions"] == 4
    )


def test_the_report_of_one_input_shows_the_function(capsys, tmp_path):
    folder = tmp_path / "page"
    options = ["--on", "-1,1", "--report", folder]
    seen = document(capsys, NETS / "n1_64x3_s0.npz", *options)
    assert seen["pieces"] == 121 and sum(seen["unit_states"]["dead"]) == 35
    page = (folder / "index.html").read_text("utf-8")
    assert "121 (exact)" in page and (folder / "function.svg").exists()


def test_a_box_of_one_input_is_an_interval(capsys):
    seen = document(capsys, NETS / "n1_64x3_s0.npz", "--box", "-1,1")
    assert seen["where"] == "[-1, 1]" and seen["pieces"] == 121
    code, _, err = run(capsys, NETS / "n1_64x3_s0.npz", "--on", "0,1;0,1")
    assert code == 2 and "--on is a box" in err


def test_one_interval_is_that_of_all_inputs(capsys):
    net = NETS / "n2_32x2_s0.npz"
    documents = [
        document(capsys, net, "--on", on, "--lines", "0") for on in ("0,1", "0,1;0,1")
    ]
    assert "[0, 1]" in documents[0]["where"]
    for seen in documents:
        seen.pop("seconds", None)
    assert documents[0] == documents[1]


@pytest.mark.slow
def test_thousands_of_polygons_become_one_picture(capsys, tmp_path):
    folder = tmp_path / "page"
    options = ["--lines", "0", "--report", folder]
    document(capsys, NETS / "n2_64x3_s0.npz", *options)
    svg = (folder / "box.svg").read_text("utf-8")
    assert "<image" in svg and len(svg) < 4_000_000


def net_of(path, inputs, seed=0):
    rng = np.random.default_rng(seed)
    shapes = [(8, inputs), (8,), (8, 8), (8,), (1, 8), (1,)]
    write_npz(Network.from_arrays(*(rng.normal(size=s) / 3 for s in shapes)), path)
    return path


def few(inputs):
    """One slice of few regions, no lines and no box."""
    corners = np.eye(inputs)[:2] / 8
    points = [np.zeros(inputs), *corners]
    written = ";".join(",".join(map(str, p)) for p in points)
    return ("--lines", "0", "--slice", written)


@pytest.mark.parametrize(("dim", "norm"), mostly_slow(SPHERES[::2], SPHERES))
def test_targets_on_spheres_take_half_of_the_inputs(capsys, tmp_path, dim, norm):
    net = net_of(tmp_path / "net.npz", 2 * dim)
    asked = ("--target", "inner:sin(pi*d*t)", "--norm", norm, "--seconds", "1")
    seen = document(capsys, net, *asked, *few(2 * dim))
    sampled, enclosed = seen["sampled"], seen["distance"]
    assert sampled["rigour"] == "sampled" and sampled["samples"] == 100_000
    if dim == 10:
        assert enclosed is None and "could not be enclosed" in seen["reason"]
        assert 0 < sampled["standard_error"] < 0.01 * sampled["value"]
        return
    assert enclosed["rigour"] == "enclosed" and enclosed["norm"] == norm
    room = 4 * (sampled["standard_error"] or 0) + 1e-9
    assert sampled["value"] - room <= float(rational(enclosed["upper"]))
    if norm != "linf":
        assert float(rational(enclosed["lower"])) <= sampled["value"] + room
    code, out, _ = run(capsys, net, *asked, *few(2 * dim), "--dim", dim)
    assert code == 0 and "(enclosed)" in out and "sampled, 100000 inputs" in out


@pytest.mark.parametrize(
    ("law", "norm", "words"),
    [
        ("phi2:3", "l2", "infinite"),
        ("phi2:3", "linf", "at least about"),
        ("ball:3", "l2", "about"),
        (None, "l1", "infinite"),
    ],
)
def test_radial_targets_are_measured_under_their_law(
    capsys, tmp_path, law, norm, words
):
    net = net_of(tmp_path / "net.npz", 3)
    more = () if law is None else ("--law", law)
    asked = ("--target", "radial:relu", "--norm", norm, *more, "--report", "page")
    code, out, err = run(capsys, net, *asked[:-1], tmp_path / "page", *few(3))
    assert code == 0, err
    assert f"\n{norm + ' distance':<22} {words}" in out
    page = (tmp_path / "page" / "index.html").read_text("utf-8")
    assert "sampled, 100000 inputs" in page


def test_names_of_networks_are_not_markup(capsys, tmp_path):
    path = tmp_path / "<script>&net.npz"
    write_npz(diamond(), path)
    run(capsys, path, "--lines", "0", "--report", tmp_path / "page")
    page = (tmp_path / "page" / "index.html").read_text("utf-8")
    assert "<script" not in page and page.count("&lt;script&gt;&amp;net") >= 2


def test_networks_of_other_units_have_a_page_too(capsys, tmp_path):
    path = tmp_path / "smooth.npz"
    smooth = random_network(np.random.default_rng(0), [3, 4, 1])
    write_npz(Network(smooth.layers, [TANH]), path)
    seen = document(capsys, path)
    assert seen["lines"] is None and "leaky" in seen["reason"]
    code, out, _ = run(capsys, path, "--report", tmp_path / "page")
    assert code == 0 and "leaky" in out


def test_too_many_regions_are_said_not_counted(capsys):
    options = ["--most", "50", "--lines", "0"]
    seen = document(capsys, NETS / "n2_32x2_s0.npz", *options)
    assert seen["activation_regions"] is None and seen["more_than"] == 50
    assert seen["unit_states"]["rigour"] == "enclosed"
    code, out, _ = run(capsys, NETS / "n2_32x2_s0.npz", *options)
    assert code == 0 and "more than 50" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--box", "0,1;0,1;0,1"], "3 intervals"),
        (["--on", "0"], "the interval is '0'"),
        (["--box", "1,0"], "reversed or a single point"),
        (["--slice", "0,0;1,1"], "three points"),
        (["--slice", "0,0;1,1;2,2"], "on one line"),
        (["--slice", "0,0;1,0;0,a"], "give a number"),
        (["--slice", "0,0;1,0;0,1", "--slices", "2"], "not both"),
        (["--line", "0,0;1,1", "--on", "0,1"], "--on or --line, not both"),
        (["--line", "0,0"], "two points"),
        (["--float64"], "--float64 has no effect"),
        (["--norm", "l1"], "--norm needs"),
        (["--target", "square"], "takes 1 input, but"),
        (["--lines", "-1"], "lines and slices must be 0 or more"),
        (["--seed", "-1"], "--seed must be 0 or more"),
        (["--output", "0"], "does not exist"),
        (["--level", "x"], "give a number"),
        (["--against", "missing.npz"], "missing.npz"),
        (["--target", "inner:t", "--dim", "3"], "takes [62] inputs"),
        (["--target", "inner:t"], "give 2 to"),
        (["--target", "radial:relu", "--law", "gauss:3"], "3"),
        (["--target", "product", "--law", "phi2:2"], "a law is"),
        (["--law", "phi2:2"], "a law is"),
        (["--dim", "2"], "--dim needs"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(capsys, net, options, message):
    code, out, err = run(capsys, net, *options)
    assert code == 2 and out == ""
    assert err.count("\n") == 1 and re.search(message, err), err


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_means_of_the_distance_to_a_formula(capsys, net, norm):
    given = ["--target", "expr:sin(3*x1)*x2", "--lines", "0", "--box", "0,1"]
    code, out, _ = run(capsys, net, *given, "--norm", norm, "--json")
    found = json.loads(out)["distance"]
    assert code == 0 and found["norm"] == norm and found["rigour"] == "enclosed"
    x = np.random.default_rng(3).random((200_000, 2))
    off = diamond().floats(x)[:, 0] - np.sin(3 * x[:, 0]) * x[:, 1]
    near = np.abs(off).mean() if norm == "l1" else np.sqrt((off**2).mean())
    low, high = (nearest_float(fmpq(found[end])) for end in ("lower", "upper"))
    assert low <= 1.01 * near and 0.99 * near <= high < 1.2 * low


def test_nothing_is_written_where_nothing_can_be(capsys, net, tmp_path):
    place = tmp_path / "file"
    place.write_text("mine")
    code, _, err = run(capsys, net, "--lines", "0", "--report", place)
    assert code == 2 and err.count("\n") == 1 and place.read_text() == "mine"
