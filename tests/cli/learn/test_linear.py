"""`depthsep learn linear`: the acceleration experiment."""

import json

import numpy as np
import pytest

from depthsep import HypothesisError
from support.commands import call


def test_losses_beyond_the_floats_are_null(tmp_path):
    from depthsep.dynamics import AccelerationPlan, accelerate
    from depthsep.dynamics.linear._regression import Regression
    from depthsep.reports import acceleration_document, acceleration_figure

    data = Regression(np.eye(3) * 1e3, np.zeros(3), "nothing")
    sizes = {"steps": 100, "rates": 2, "least": 1e6, "most": 1e7}
    plan = AccelerationPlan(depths=(1,), optimisers=("momentum",), **sizes)
    result = accelerate(data, plan)
    assert result.best_loss == 0 and "no method" in result.verdict()
    stored = acceleration_document(result)
    assert stored["methods"][0]["loss"] is None
    json.dumps(stored, allow_nan=False)
    acceleration_figure(result).savefig(tmp_path / "losses.svg")


def test_products_have_two_layers_or_more():
    with pytest.raises(HypothesisError, match="--depths of 2 or more"):
        call("learn", "linear", "--depths", "1", "--deep", "adam")


@pytest.mark.slow
def test_the_acceleration_experiment_also_of_products_by_optimisers(tmp_path):
    place = tmp_path / "linear"
    options = ("--steps", 200, "--deep", "momentum", "--run", place)
    shown = call("learn", "linear", *options).output
    assert "steps the loss stays" in shown
    found = json.loads((place / "run.json").read_text("utf-8"))
    methods = [m["method"] for m in found["methods"]]
    layers = ["1 layer", "2 layers", "3 layers"]
    single = ["momentum", "adam", "adagrad", "adadelta"]
    products = ["2 layers, momentum", "3 layers, momentum"]
    assert methods == [*layers, *single, *products]
    assert found["plan"]["deep"] == [[2, "momentum"], [3, "momentum"]]
    assert "came first" in found["verdict"] and found["best_loss"] > 0
    assert (place / "losses.svg").exists()
