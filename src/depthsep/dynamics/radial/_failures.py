"""Why a run stops early, in one line each."""

import numpy as np

from depthsep.dynamics.radial._moments import moments
from depthsep.dynamics.radial._radial_run import Trajectory
from depthsep.dynamics.radial._task import RadialTask


def failure_of(task: RadialTask, row: Trajectory) -> str | None:
    """What went wrong by a record; None if nothing did."""
    step = int(row.steps)
    where = f"by time {step * task.step:g} (step {step} of {task.step:g})"
    if not np.isfinite(moments(task.radial_law).total()).all() and not np.isfinite(
        row.loss
    ):
        return (
            f"{where} the loss is infinite under a law whose |x| has no mean: a unit "
            "rises, or a direction meets no neuron; use more neurons, a smaller step, "
            "or a start with slope < 0 < offset"
        )
    if step == 0 and not np.isfinite(row.loss):
        return "the loss at the start is beyond the floats; start with smaller numbers"
    if not all(np.isfinite(x).all() for x in (row.loss, row.alpha, row.slopes)):
        return f"{where} {_astray(task)}, or a start with slope < 0 < offset"
    if row.most_alive == 0:
        return (
            f"{where} every second-layer unit is dead (never active), so the loss "
            f"stays at {float(row.loss):.4g}; use a step below {task.step:g}, or a "
            "start with slope < 0 < offset"
        )
    return None


def _astray(task: RadialTask) -> str:
    if task.solver == "adaptive":
        return "the adaptive solver lost the flow; use smaller rates"
    return f"the flow left the floats; use a step below {task.step:g}"
