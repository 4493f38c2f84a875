"""The studies in the repository: complete, up to date, and saying what the docs say."""

import numpy as np
import pytest

from depthsep.reports import slopes_of
from depthsep.studies import (
    Slope,
    Store,
    points_of,
    read_study,
    run_study,
    slope,
    store_of,
)
from depthsep.studies.tables._summary import binomial_interval
from support.places import ROOT

FOLDER = ROOT / "studies"
FILES = sorted(p for p in FOLDER.glob("*.toml") if not p.stem.endswith("-small"))


def stored(name):
    study = read_study(FOLDER / f"{name}.toml")
    with Store(store_of(study)) as store:
        return study, list(store.of(study.trials()).values())


@pytest.mark.parametrize("file", FILES, ids=lambda p: p.stem)
def test_every_trial_of_the_study_as_it_stands_is_stored_and_nothing_else(file):
    study, rows = stored(file.stem)
    assert len(rows) == study.count and all(row.is_done for row in rows)
    with Store(store_of(study)) as store:
        assert len(store.rows()) == study.count
        assert store.meta()["text"] == study.text
    assert store_of(study).stat().st_size < 400_000


def test_the_discretisation_error_falls_with_the_width_and_does_not_grow():
    study, rows = stored("finite-width")
    for _, found in slopes_of(study.figures[0], rows):
        assert found.low < -1 < found.high or abs(found.value + 1) < 0.05
    for row in rows:
        assert row.metrics["n_final"] < row.metrics["n_initial"]
    for _, found in slopes_of(study.figures[1], rows):
        assert found.high < -0.5


def test_three_layers_beat_two_and_the_gap_to_the_accuracy_closes():
    _, rows = stored("two-against-three")
    for row in rows:
        assert row.metrics["half_mse"] < row.metrics["two_layer_half_mse"] / 5
        assert not row.metrics["two_layer_rate_at_edge"]
        same, end = (row.metrics[f"two_layer_half_mse{n}"] for n in ("_same_flops", ""))
        assert 15 < same / row.metrics["half_mse"] < 160 and end < same
        assert row.metrics["two_layer_converged"] == (
            row.metrics["two_layer_steps"] < 20_000
        )
        asked, dim = row.metrics["accuracy_asked"], row.parameters["dim"]
        assert (row.metrics["two_layer_error"] <= asked) == (dim <= 8)
        assert row.metrics["met"] == (dim <= 16)


def test_random_networks_have_few_pieces_whatever_their_depth():
    _, rows = stored("pieces")
    for row in rows:
        assert 0.3 < row.metrics["pieces_per_unit"] < 1
        assert row.metrics["log2_pieces"] < row.metrics["log2_most_pieces"]
        assert 0.2 < row.metrics["growth"] < 2
    deep = [row for row in rows if row.parameters["depth"] == 9]
    assert all(
        r.metrics["log2_most_pieces"] > 4 * r.metrics["log2_pieces"] for r in deep
    )


def test_proven_certified_and_learned_widths_are_in_order():
    _, rows = stored("sawtooth")
    for row in rows:
        found = row.metrics
        assert found["proven_width"] <= found["certified_width"]
        assert row.rigours["proven_width"] == row.rigours["certified_width"] == "exact"
        if found["learned_width"] is not None:
            assert found["proven_width"] <= found["learned_width"]
    hardest = [r for r in rows if r.parameters["target"] == "sawtooth:5"]
    assert not any(r.metrics["learned_met"] for r in hardest)


def test_errors_of_sampled_features_fall_as_maurey_says():
    _, rows = stored("maurey")
    for choice in ("network", "sampled", "greedy"):
        part = [r for r in rows if r.parameters["choice"] == choice]
        for dim in (2, 8, 32):
            own = [r for r in part if r.parameters["dim"] == dim]
            found = slope(own, "width", "error")
            assert isinstance(found, Slope)
            if choice == "greedy":
                assert found.high < -0.5
                assert all(r.metrics["share_of_bound"] <= 1 for r in own)
            else:
                assert abs(found.value + 0.5) < 0.06


def test_depth_speeds_descent_up_for_powers_above_two_and_not_for_two():
    _, rows = stored("acceleration")
    points = points_of(rows, ("power", "condition", "method"))
    steps = {
        tuple(p.parameters.values()): p.metrics["steps_to_1.01"]
        for p in points
        if "steps_to_1.01" in p.metrics
    }
    for condition in (10.0, 100.0):
        one, two = (steps[2, condition, m].median for m in ("1 layer", "2 layers"))
        assert one < two
        one, two = (steps[4, condition, m].median for m in ("1 layer", "2 layers"))
        assert two < one / 3
        ends = [steps.get((6, condition, m)) for m in ("1 layer", "3 layers")]
        reached = [0 if s is None else s.count for s in ends]
        assert reached[0] < reached[1]


@pytest.mark.slow
def test_the_small_study_has_the_slope(tmp_path):
    fewer = (FOLDER / "finite-width-small.toml").read_text("utf-8")
    for many, few in (
        ("dim = [4, 8]", "dim = [8]"),
        ("[32, 128, 512]", "[32, 512]"),
        ("pairs = 256", "pairs = 64"),
        ("seeds = 4", "seeds = 3"),
    ):
        assert many in fewer
        fewer = fewer.replace(many, few)
    (tmp_path / "finite-width-small.toml").write_text(fewer, "utf-8")
    study = read_study(tmp_path / "finite-width-small.toml")
    assert run_study(study, workers=1).done == study.count == 6
    with Store(store_of(study)) as store:
        rows = store.rows()
    assert all(r.metrics["n_final"] < r.metrics["n_initial"] for r in rows)
    found = slope(rows, "width", "n_final")
    # N falls like 1/m: 3 seeds, 2 widths, a factor of 16
    assert found.way == "seeds" and abs(found.value + 1) < 0.25
    assert slope(rows, "width", "width_gap").value < -0.5


@pytest.mark.slow
def test_the_small_study_of_least_widths_has_one_for_every_start(tmp_path):
    small = (FOLDER / "least-width-small.toml").read_text("utf-8")
    rough = small.replace("[0.08, 0.04]", "[0.08]").replace("[4, 16]", "[4, 8]")
    for long, short in (
        ("pairs = 128", "pairs = 64"),
        ("= 60", "= 20"),
        ("parts = 2", "parts = 1"),
    ):
        assert long in rough
        rough = rough.replace(long, short)
    (tmp_path / "least-width-small.toml").write_text(rough, "utf-8")
    study = read_study(tmp_path / "least-width-small.toml")
    assert run_study(study, workers=1).done == study.count == 4
    with Store(store_of(study)) as store:
        rows = store.rows()
    for row in rows:
        found = row.metrics
        assert found["met"] and found["width_missed"] < found["least_width"] <= 512
        assert 0 < found["time_to_accuracy"] <= 60
    points = points_of(rows, ("dim", "accuracy"))
    assert [p.metrics["met"].count for p in points] == [2] * 2
    assert all(p.metrics["met"].share == binomial_interval(2, 2) for p in points)
    for accuracy in study.grid["accuracy"]:
        own = [r for r in rows if r.parameters["accuracy"] == accuracy]
        assert slope(own, "dim", "least_width").value > 0


def test_least_widths_grow_like_powers_and_slower_in_three_layers():
    study, rows = stored("least-width")
    exponents = []
    for row in rows:
        found = row.metrics
        assert found["met"] and (found["width_missed"] or 0) < found["least_width"]
        assert 0 < found["time_to_accuracy"] <= 120
    for accuracy in study.grid["accuracy"]:
        own = [r for r in rows if r.parameters["accuracy"] == accuracy]
        found = slope(own, "dim", "least_width")
        assert found.way == "seeds" and found.count == 8
        exponents.append(found.value)
        assert slope(own, "dim", "time_to_accuracy").value < 0.15
    assert exponents == pytest.approx([0.374, 0.774, 1.07], abs=0.01)
    _, two = stored("least-width-two-layers")
    own = [r for r in two if r.parameters["accuracy"] == 0.05]
    assert slope(own, "dim", "least_width").low > 1.2
    both = [
        {
            p.parameters["dim"]: p.metrics["least_width"].median
            for p in points_of(
                [r for r in part if r.parameters["accuracy"] == 0.05], ("dim",)
            )
        }
        for part in (rows, two)
    ]
    assert [both[0][d] for d in (4, 8, 16)] == [7, 19, 27]
    assert [both[1][d] for d in (4, 8, 16)] == [32, 128, 256]


def test_coupled_particles_stay_close_and_errors_compound_without_the_symmetry():
    _, rows = stored("coupling")
    radial, line = (
        [r for r in rows if r.parameters["start"] == s] for s in ("radial", "line")
    )
    found = slope(radial, "width", "distance")
    assert found.low < -1 < found.high and abs(found.value + 1) < 0.25
    assert all(r.metrics["growth"] == 1 for r in radial)
    medians = [p.metrics["growth"].median for p in points_of(line, ("width",))]
    assert min(medians) > 5
    fit = np.polyfit(
        np.log([r.parameters["width"] for r in radial]),
        np.log([r.metrics["distance"] for r in radial]),
        1,
    )
    assert fit[0] == pytest.approx(found.value, abs=0.01)  # all points, by numpy


def test_a_staircase_is_climbed_and_a_resting_first_layer_is_not_corrected():
    _, rows = stored("staircase")

    def of(target, frozen, metric):
        asked = {"target": target, "frozen": frozen}
        return [
            r.metrics[metric]
            for r in rows
            if all(r.parameters[name] == value for name, value in asked.items())
        ]

    assert len(of("stairs", 24.0, "half_mse")) == 8
    assert all(x < 0.01 for x in of("stairs", 24.0, "half_mse"))
    assert np.median(of("stairs", 24.0, "last_stair")) == pytest.approx(10.8)
    assert of("top", 24.0, "last_stair") == [None] * 8
    assert np.median(of("stairs", 3.0, "top_feature")) == pytest.approx(
        0.2152, abs=1e-3
    )
    assert np.median(of("stairs", 3.0, "half_mse")) == pytest.approx(0.9039, abs=1e-3)
    assert all(x < 0.4 for x in of("stairs", 24.0, "split_end"))
