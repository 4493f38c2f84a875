"""The catalogue of jobs, each loaded when it is asked for."""

from importlib import import_module
from pathlib import Path

from depthsep._errors import HypothesisError
from depthsep.jobs._fields import nearest
from depthsep.jobs._function import function_job
from depthsep.jobs._job import Job

HOMES = {
    "separate": "_separate",
    "learn radial": "learning._radial",
    "least width": "learning._least_width",
    "coupling": "learning._coupling",
    "staircase": "learning._staircase",
    "learn linear": "learning._linear",
    "learn target": "learning._target",
    "pieces at initialisation": "_pieces",
    "fewest pieces": "_fewest",
    "facts": "_facts",
    "maurey": "_maurey",
    "kernel convergence": "learning._kernel",
}
"""The name of a job to the file of this package that holds it, as `JOB`."""


def job_named(name: str, folder: Path) -> Job:
    """The job of a name; `module:function` imports the user's module.

    Raises:
        HypothesisError: there is none, or the function is not a job.
    """
    if ":" in name:
        return function_job(name, folder)
    if name in HOMES:
        return import_module(f"depthsep.jobs.{HOMES[name]}").JOB
    raise HypothesisError(
        f"there is no job {name[:40]!r}; {nearest(name, list(HOMES))} "
        "(for a function of your own write module:function)",
        parameter="job",
    )
