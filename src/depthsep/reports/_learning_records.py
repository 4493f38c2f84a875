"""Records of learning as JSON documents and run folders."""

import io
import json
import math
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from depthsep._errors import DepthsepError, HypothesisError
from depthsep._files import read_bounded
from depthsep.claims import Learned, TrainingPlan
from depthsep.evidence import Inapplicable
from depthsep.problems import Problem
from depthsep.reports._files import write_folder
from depthsep.reports.figures._canvas import picture_files, svgs_of
from depthsep.reports.figures._learning_figures import (
    alpha_figure,
    profile_figure,
    second_figure,
    spread_figure,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from depthsep.dynamics import Acceleration, Measured, RadialRun, TwoLayerResult

MOST_KEPT = 1 << 20  # numbers of a start that is written
Document = dict[str, Any]  # of JSON: its values are of many types
PACKAGES = ("depthsep", "jax", "jaxlib", "equinox", "diffrax", "optax", "numpy")
SAYS = (
    "the two-layer losses are only what these optimisers reached with "
    "this budget; an optimiser that fails proves no lower bound, and "
    "the theorem on networks of two layers rules out only accuracies "
    "that shrink as the dimension grows, not a fixed accuracy"
)


def radial_document(
    run: "RadialRun", two_layer: Sequence["TwoLayerResult"] = ()
) -> Document:
    """A radial run as `learn radial --json` shows it."""
    document: Document = {
        "task": run.task.describe(),
        **run.numbers,
        "seconds": run.seconds,
        "failure": run.failure,
        "rigour": str(run.rigour),
    }
    document |= _second_layer(run)
    if run.task.target_gap:
        document["target_gap"] = run.task.target_gap
    if isinstance(run.infinite, Inapplicable):
        document["inapplicable"] = str(run.infinite)
    if two_layer:
        document["two_layer"] = [vars(r) | {"rigour": str(r.rigour)} for r in two_layer]
        document["two_layer_says"] = SAYS
    return finite(document | {"versions": versions()})


def measured_document(law: object, found: "Measured") -> Document:
    """A network under another law: null where a unit grows and |x|^2 has no mean."""
    document = {
        "law": str(law),
        "half_mse": found.loss,
        "half_mse_standard_error": found.standard_error,
        "target_gap": found.gap,
        "rigour": str(found.rigour),
    }
    return finite(document)


def _second_layer(run: "RadialRun") -> Document:
    """Slopes (summed over channels) and offsets at the end, beside infinite width."""
    rows, limit = run.trajectory, run.infinite
    last = int(np.nonzero(np.isfinite(rows.loss))[0][-1])
    own = {"slopes": rows.slopes.sum(axis=2), "offsets": rows.offsets}
    found = {name: values[last].tolist() for name, values in own.items()}
    if isinstance(limit, Inapplicable):
        return found
    apart = []
    for name, values in own.items():
        stepped = getattr(limit.stepped, name)
        found[f"{name}_infinite"] = getattr(limit.flow, name)[last].tolist()
        apart.append(float(np.abs(values - stepped)[: last + 1].max()))
    return found | {"second_gap": max(apart)}


def acceleration_document(result: "Acceleration") -> Document:
    """The experiment as `learn linear --json` shows it."""
    plan = {k: v for k, v in vars(result.plan).items() if k != "deep" or v}
    names = [str(x) for x in result.plan.targets]
    methods = [
        {
            "method": m.method,
            "rate": m.rate,
            "rate_at_edge": m.at_edge,
            "loss": float(m.losses[-1]),
            "steps_to": dict(zip(names, m.steps_to, strict=True)),
            "rates_to": dict(zip(names, m.rates_to, strict=True)),
        }
        for m in result.methods
    ]
    document = {
        "data": result.data,
        **({"data_sha256": result.digest} if result.digest else {}),
        "plan": plan,
        "best_loss": result.best_loss,
        "methods": methods,
        "verdict": result.verdict(),
        "rigour": "sampled",
        "versions": versions(),
    }
    return finite(document)


def learned_document(
    problem: Problem, plan: TrainingPlan, found: dict[int, Learned]
) -> Document:
    """The networks found at each depth, as `learn target --json` shows them."""
    document = {
        "problem": problem.to_json(),
        "plan": vars(plan),
        "rows": [{"depth": depth, **r.to_json()} for depth, r in found.items()],
        "versions": versions(),
    }
    return finite(document)


def check_run(folder: str | Path, identity: str) -> None:
    """Refuse a folder that holds another run, before any work is done.

    Raises:
        HypothesisError: its run.json is of another run, or cannot be read.
    """
    place = Path(folder) / "run.json"
    if not place.exists():
        return
    try:
        held = json.loads(read_bounded(place)).get("id")
    except (DepthsepError, OSError, ValueError, AttributeError):
        held = None
    if held != identity:
        raise HypothesisError(
            f"{place.parent} holds another run, or a run.json that cannot be read; "
            "choose another folder, or remove what is there",
            parameter="run",
        )


def write_run(
    folder: str | Path,
    document: Document,
    arrays: dict[str, np.ndarray],
    figures: dict[str, "Figure"],
) -> list[Path]:
    """run.json, trajectory.npz and figures (.svg, .png), each whole or not at all.

    Args:
        document: all its numbers finite; its "id" distinguishes the run from others.
        arrays: of trajectory.npz, which is left out where there are none.

    Raises:
        HypothesisError: the folder cannot be made or written, or holds another run.
    """
    check_run(folder, document["id"])
    files: dict[str, bytes] = {}
    if arrays:
        stream = io.BytesIO()
        np.savez(stream, **arrays)  # type: ignore[arg-type]
        files["trajectory.npz"] = stream.getvalue()
    files |= picture_files(figures, svgs_of(figures))
    written = json.dumps(document, indent=1, allow_nan=False)
    files["run.json"] = (written + "\n").encode()
    return write_folder(folder, files)


def radial_arrays(run: "RadialRun") -> dict[str, np.ndarray]:
    """The trajectory and its limit, by name."""
    arrays = {k: np.asarray(v) for k, v in run.trajectory._asdict().items()}
    arrays["times"] = run.times
    if run.task.width * run.task.dim <= MOST_KEPT:
        arrays["start_weights"] = run.start_weights
    limit = run.infinite
    if not isinstance(limit, Inapplicable):
        for name, states in (("infinite", limit.flow), ("stepped", limit.stepped)):
            arrays |= {f"{name}_{k}": v for k, v in states._asdict().items()}
        arrays |= {"infinite_loss": limit.loss, "stepped_loss": limit.stepped_loss}
    return arrays


def radial_figures(run: "RadialRun") -> dict[str, "Figure"]:
    """The figures that a run allows."""
    figures = {"spread": spread_figure([run])}
    if not isinstance(run.infinite, Inapplicable):
        figures["alpha"] = alpha_figure(run)
        figures["second"] = second_figure(run)
    if run.task.bottleneck == 1 and run.task.subspace is None:
        figures["profile"] = profile_figure(run)
    return figures


def finite(value: Any) -> Any:  # what JSON holds, to the same shape
    """A document for JSON: null for numbers that are not finite."""
    if isinstance(value, dict):
        return {key: finite(v) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return [finite(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def versions() -> dict[str, str]:
    """The versions that are needed to repeat a run."""
    return {name: version(name) for name in PACKAGES}
