"""The jobs of studies: pure functions of parameters and a seed, by name.

A job is loaded when it is asked for; what parameters it shares with commands is not
loaded with it.
"""

from typing import TYPE_CHECKING

from depthsep._lazy import lazily
from depthsep.jobs._catalogue import job_named as job_named
from depthsep.jobs._fields import REAL as REAL
from depthsep.jobs._fields import REQUIRED as REQUIRED
from depthsep.jobs._fields import TEXT as TEXT
from depthsep.jobs._fields import TRUTH as TRUTH
from depthsep.jobs._fields import WHOLE as WHOLE
from depthsep.jobs._fields import WHOLES as WHOLES
from depthsep.jobs._fields import Parameter as Parameter
from depthsep.jobs._fields import named as named
from depthsep.jobs._fields import nearest as nearest
from depthsep.jobs._fields import shown as shown
from depthsep.jobs._job import Job as Job
from depthsep.jobs._job import Result as Result
from depthsep.jobs._job import Scalar as Scalar
from depthsep.jobs._job import Values as Values
from depthsep.jobs._parameters import COMPARISON as COMPARISON
from depthsep.jobs._parameters import DEPTH as DEPTH
from depthsep.jobs._parameters import LINEAR as LINEAR
from depthsep.jobs._parameters import OF_NETWORKS as OF_NETWORKS
from depthsep.jobs._parameters import PROBLEM as PROBLEM
from depthsep.jobs._parameters import RADIAL as RADIAL
from depthsep.jobs._parameters import SEARCH as SEARCH
from depthsep.jobs._parameters import SEED as SEED
from depthsep.jobs._parameters import TRAINING as TRAINING
from depthsep.jobs._partial import keeping_at as keeping_at
from depthsep.jobs._partial import partial_folder as partial_folder

if TYPE_CHECKING:
    from depthsep.jobs._all import JOBS as JOBS
    from depthsep.jobs.learning._radial_request import RadialRequest as RadialRequest

__getattr__, __dir__, __all__ = lazily(__name__, globals())
