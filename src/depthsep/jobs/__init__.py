"""The jobs of studies: pure functions of parameters and a seed, by name."""

from pathlib import Path

from depthsep._errors import HypothesisError
from depthsep.jobs._base import REQUIRED as REQUIRED
from depthsep.jobs._base import Job as Job
from depthsep.jobs._base import Parameter as Parameter
from depthsep.jobs._base import Result as Result
from depthsep.jobs._base import nearest as nearest
from depthsep.jobs._function import function_job
from depthsep.jobs._kernel import KERNEL
from depthsep.jobs._linear import LINEAR
from depthsep.jobs._maurey import MAUREY
from depthsep.jobs._pieces import PIECES
from depthsep.jobs._problem import SEPARATE, TARGET
from depthsep.jobs._radial import RADIAL

JOBS = (SEPARATE, RADIAL, LINEAR, TARGET, PIECES, MAUREY, KERNEL)


def job_named(name: str, folder: Path) -> Job:
    """The job of a name; `module:function` imports the user's module.

    Raises:
        HypothesisError: there is none, or the function is no job.
    """
    if ":" in name:
        return function_job(name, folder)
    for job in JOBS:
        if job.name == name:
            return job
    names = [job.name for job in JOBS]
    raise HypothesisError(
        f"there is no job {name[:40]!r}; {nearest(name, names)} A function of yours is "
        "module:function"
    )
