"""`depthsep learn target` and `separate --learn`."""

import numpy as np
import pytest

from depthsep import CertificationError
from depthsep.claims import Attempt, Learned, TrainingPlan
from depthsep.dynamics import learn_target
from depthsep.evidence import Rigour
from depthsep.laws import Segment
from depthsep.problems import Problem
from depthsep.separation import Row, check_sandwich, separate
from support.commands import call, document, refusal


@pytest.mark.slow
def test_training_on_a_target(tmp_path):
    place = tmp_path / "target"
    given = ("learn", "target", "sawtooth:2", "--accuracy", "0.1", "--depths", "2:3")
    train = ("--learn-widths", "2,16", "--learn-steps", 600, "--learn-restarts", 2)
    found = document(*given, *train, "--run", place)
    assert [r["depth"] for r in found["rows"]] == [2, 3]
    assert found["plan"]["steps"] == 600 and "jax" in found["versions"]
    assert all(r["rigour"] == "exact" for r in found["rows"])
    assert found["rows"][0]["met"] and found["rows"][0]["width"] == 16
    assert [t["width"] for t in found["rows"][0]["tried"]] == [2, 16]
    assert (place / "learned.png").exists()
    with np.load(place / "trajectory.npz", allow_pickle=False) as arrays:
        assert arrays["depth2_W1"].shape == (16, 1)


def test_learned_errors_are_those_of_the_network():
    problem = Problem("expr:sin(5*x)", Segment(-1, 3), norm="l2", accuracy="1/100")
    plan = TrainingPlan(widths=(8,), restarts=2, steps=300)
    found = learn_target(problem, 3, plan)
    x = -1 + 4 * (np.arange(200_000) + 0.5) / 200_000
    gap = found.network.floats(x[:, None])[:, 0] - np.sin(5 * x)
    sampled = np.sqrt((gap**2).mean())
    assert sampled * (1 - 1e-6) <= found.error <= sampled * 1.01  # an upper end
    assert found.rigour is Rigour.ENCLOSED
    assert found.seeds == (0, 1) and len(found.tried) == 1


@pytest.mark.parametrize("name", ["product", "parity:2", "inner:t"])
def test_targets_of_several_inputs_are_sampled(name):
    from depthsep.targets import target_from_text

    problem = Problem(target_from_text(name, 3 if "inner" in name else None), norm="l2")
    plan = TrainingPlan(widths=(4,), restarts=2, steps=30)
    found = learn_target(problem, 2, plan)
    assert found.rigour is Rigour.SAMPLED and np.isfinite(found.error)


@pytest.mark.slow
def test_the_table_has_a_learned_column(tmp_path):
    found = document(
        *("separate", "sawtooth:8", "--norm", "l1", "--accuracy", "0.05"),
        *("--depths", "2:3", "--learn", "--learn-widths", "4,8"),
        *("--learn-steps", 50, "--learn-restarts", 2),
    )
    for row in found["rows"]:
        assert row["learned"]["met"] is False
        assert row["learned"]["error"] > 0.2
        assert [t["width"] for t in row["learned"]["tried"]] == [4, 8]
    shown = call(
        *("separate", "square", "--accuracy", "0.05", "--depths", "2:2", "--learn"),
        *("--learn-widths", "4", "--learn-steps", 50, "--learn-restarts", 2),
    ).output
    assert "learned" in shown and "proves nothing" in shown


def test_a_learned_network_below_a_proven_width_is_an_alarm():
    problem = Problem("square", accuracy="1e-4")
    row = separate(problem, depths=[3])[3]
    narrow = row.lower.width - 1
    for rigour, alarm in ((Rigour.EXACT, True), (Rigour.SAMPLED, False)):
        found = Learned(narrow, 1e-5, (0,), rigour, True, (Attempt(narrow, 1e-5, 0),))
        altered = Row(3, row.upper, row.lower, found)
        if alarm:
            with pytest.raises(CertificationError, match="training found"):
                check_sandwich(altered)
        else:
            check_sandwich(altered)


def test_what_widths_are_tried():
    plan = TrainingPlan()
    assert plan.beside(None) == (4, 16, 64) == plan.beside(500)
    assert plan.beside(3) == (3, 12, 48) and plan.beside(20) == (20,)
    assert TrainingPlan(widths=[7]).beside(3) == (7,)


def test_options_of_training_need_learn(capsys):
    asked = ("separate", "square", "--accuracy", "1e-2", "--learn-steps", 9)
    assert "--learn" in refusal(capsys, *asked)
