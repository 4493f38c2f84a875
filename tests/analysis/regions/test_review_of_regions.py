"""What referees found in regions, surveys and exchange, each as it was reported."""

import csv
from functools import partial

import numpy as np
import pytest
from flint import fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.analysis import Plan, on_line, survey
from depthsep.analysis.regions import affine_regions, along, extremes, regions
from depthsep.analysis.survey._unit_states import states_by_bounds
from depthsep.cli import main
from depthsep.exact import rational
from depthsep.interop import from_equinox, from_pytree, from_torch, read_onnx
from depthsep.interop.vnnlib import Property, counterexample_text
from depthsep.laws import Box, Uniform
from depthsep.networks import Affine, Network, leaky_relu
from support.regions import ENGINES
from support.s_expressions import tree

UNIT = Uniform(-1, 1)
SMALLEST = fmpq(1, 2**1074)


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stopped:
        main(list(map(str, arguments)))
    return stopped.value.code, *capsys.readouterr()


def test_a_certificate_named_like_a_family_has_networks_of_its_own(tmp_path, capsys):
    place = tmp_path / "product.json"
    problem = ["product", "--on", "-2,2", "--accuracy", "1/10"]
    code, _, err = run(capsys, "build", *problem, "--certificate", place)
    assert code == 0, err
    folder = tmp_path / "made"
    options = ["--family", "product", "--certificate", place, "--levels", "1:2"]
    code, _, err = run(capsys, "export-vnnlib", folder, *options)
    assert code == 0, err
    with (folder / "answers.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert len({row["onnx"] for row in rows}) == 3
    for row in rows:
        if row["witness"]:
            text = (folder / row["witness"]).read_text("utf-8")
            values = {k: rational(v) for k, v in tree(text.split("\n", 1)[1])[0]}
            *point, value = values.values()
            assert read_onnx(folder / row["onnx"])(point) == (value,)


@pytest.mark.parametrize("engine", ENGINES)
def test_slopes_that_underflow_are_compared_exactly(engine):
    a = 3 * 2.0**-1030
    plus, minus = (2.0**52 + 1) * 2.0**970, (2.0**52 - 1) * 2.0**970
    outer = [[plus, -minus, -6 * 2.0**-60]]
    first = Network([Affine([[a], [a], [-1.0]], [0.0] * 3), Affine(outer, [0.0])])
    tiny = SMALLEST * fmpq(7, 5)
    far = fmpq(2) ** 1000
    second = Network(
        [Affine([[tiny], [-1]], [0, 0]), Affine([[far, -tiny * far]], [0])]
    )
    for network in (first, second):
        assert affine_regions(network, UNIT, engine=engine) == 1
        ends = [fmpq(-1)], [fmpq(1)]
        assert along(network, *ends).pieces == on_line(network, *ends).pieces == 1


def test_bounds_of_units_that_overflow_say_nothing():
    layers = [
        Affine([[1e200] * 5] * 2, [0.0, 0.0]),
        Affine([[1e200, -1e200]] * 2, [1.0, -1.0]),
        Affine([[1.0, 1.0]], [0.0]),
    ]
    points = np.random.default_rng(0).uniform(-1, 1, (50, 5))
    box = Box.cube(UNIT, 5)
    assert states_by_bounds(Network(layers), box, points).dead[1] == 0
    row = [[-1.5e308, -1.5e308, 1.7e308, 1.7e308, 0.0]]
    partial_sums = Network([Affine(row, [0.0]), Affine([[1.0]], [0.0])])
    near = Box.cube(Uniform("0.999", 1), 5)
    assert states_by_bounds(partial_sums, near, np.ones((5, 5))).dead == (0,)
    small = Network(
        [Affine([[SMALLEST * 2 / 5] * 5], [-(2.0**-100)]), Affine([[1]], [0])]
    )
    wide = Box.cube(Uniform(-(fmpq(2) ** 1000), fmpq(2) ** 1000), 5)
    assert states_by_bounds(small, wide, points).dead == (0,)


def test_a_unit_that_is_never_below_0_never_bends():
    twice = Network.from_arrays([[1, 0]], [0], [[1]], [0], [[1]], [0])
    units = survey(twice, plan=Plan(lines=0)).units
    assert (units.dead, units.linear) == ((0, 0), (0, 1))
    flat = Network.from_arrays([[0, 0]], [-1], [[1]], [0], activation=leaky_relu(0))
    assert survey(flat, plan=Plan(lines=0)).units.dead == (1,)


def test_the_slope_of_leaky_units_is_given_by_name():
    import equinox as eqx
    import jax

    def model(function):
        linear = eqx.nn.Linear(1, 1, key=jax.random.key(0))
        return eqx.nn.Sequential([linear, eqx.nn.Lambda(function)])

    leaky = jax.nn.leaky_relu
    assert from_equinox(model(partial(leaky))).activations == (leaky_relu(0.01),)
    for wrong in (
        partial(leaky, 0.2),
        partial(leaky, x=0.2),
        partial(leaky, 0.1, 0.2),
        partial(leaky, negative_slope=np.ones(2)),
    ):
        with pytest.raises(HypothesisError, match="negative_slope only"):
            from_equinox(model(wrong))


def test_modules_that_compute_something_else_are_refused():
    reason = "torch is not installed: its tests are skipped"
    torch = pytest.importorskip("torch", reason=reason)
    module = torch.nn.Linear(2, 2)
    module.forward = lambda x: x
    with pytest.raises(HypothesisError, match="forward of its own"):
        from_torch(module)
    handle = torch.nn.modules.module.register_module_forward_hook(lambda *_: None)
    try:
        with pytest.raises(HypothesisError, match="hooks"):
            from_torch(torch.nn.Linear(2, 2))
    finally:
        handle.remove()
    with pytest.raises(HypothesisError, match="meta device"):
        from_torch(torch.nn.Linear(2, 2, device="meta"))
    norm = torch.nn.BatchNorm1d(2).eval()
    norm.running_var[0] = float("inf")
    with pytest.raises(HypothesisError, match="NaN or infinity"):
        from_torch(norm)


def test_weights_that_float64_does_not_hold_are_refused():
    third = np.longdouble(1) / 3
    with pytest.raises(HypothesisError, match="use floats"):
        from_pytree([(np.full((1, 2), third), np.zeros(1, np.longdouble))])
    with pytest.raises(HypothesisError, match="no full array"):
        from_pytree([([[1.0], [1.0, 2.0]], None)])
    with pytest.raises(HypothesisError, match="no list of layers"):
        from_pytree(5)


def test_rationals_beyond_float64_are_followed():
    huge = Network([Affine([[fmpq(10) ** 400], [1]], [0, 0]), Affine([[1, 1]], [0])])
    for engine in ENGINES:
        assert regions(huge, UNIT, engine=engine).activation_regions == 2
    flat = Network([Affine([[1e308, 0.0]], [1e308])])
    points = [fmpq(-1), fmpq(0)], [fmpq(1), fmpq(0)]
    assert along(flat, *points, level=-1e308) == (1, 1)


@pytest.mark.slow
def test_networks_of_very_many_layers_are_followed():
    layers = [Affine([[1.0]], [0.0])] * 1500
    deep = Network(layers)
    for engine in ENGINES:
        assert regions(deep, UNIT, engine=engine).activation_regions == 2
    assert extremes(deep, UNIT).largest == 1


def test_properties_without_a_limit_or_a_box_are_refused():
    side = (fmpq(0), fmpq(1))
    with pytest.raises(HypothesisError, match="needs a limit"):
        Property((side,), None, None)
    with pytest.raises(HypothesisError, match="low <= high"):
        Property((side, (fmpq(1), fmpq(0))), None, fmpq(1))
    assert "0.0000" in counterexample_text((fmpq(1, 2) ** 7000,), fmpq(0))


def test_intervals_too_short_for_float32_are_refused(tmp_path, capsys):
    place = tmp_path / "cert.json"
    problem = ["square", "--on", "1/3,0.33333334", "--accuracy", "1e-6"]
    assert run(capsys, "build", *problem, "--certificate", place)[0] == 0
    options = [tmp_path / "made", "--certificate", place]
    code, _, err = run(capsys, "export-vnnlib", *options)
    assert code == 2 and "too short" in err and not (tmp_path / "made").exists()


def test_the_current_folder_is_not_replaced(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys, "export-vnnlib", ".")
    assert code == 2 and "current folder" in err


@pytest.mark.parametrize(
    "side", [(-1e308, 1e308), ("1/3", fmpq(1, 3) + fmpq(1, 10**30))]
)
def test_boxes_that_float64_cannot_draw_in_are_refused(side):
    network = Network.from_arrays([[1.0] * 5], [0.0], [[1.0]], [0.0])
    with pytest.raises(HypothesisError, match="float64"):
        survey(network, Box.cube(Uniform(*side), 5))


@pytest.mark.slow
def test_too_many_regions_are_refused_soon():
    tents = Network(
        [Affine([[1.0], [1.0]], [0.0, -0.5])]
        + [Affine([[2.0, -4.0], [2.0, -4.0]], [0.0, -0.5])] * 41
        + [Affine([[2.0, -4.0]], [0.0])]
    )
    with pytest.raises(TooLargeError, match="more than 200000"):
        regions(tents, Uniform(0, 1), most=200_000)
