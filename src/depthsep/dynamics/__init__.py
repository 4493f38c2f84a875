"""What gradient descent finds: mean-field networks, their limits, deep linear ones.

What needs JAX is loaded when it is first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from depthsep.dynamics._constants import alpha as alpha
from depthsep.dynamics._constants import expected_spread as expected_spread
from depthsep.dynamics._constants import limit_alpha as limit_alpha
from depthsep.dynamics._constants import relu_mean as relu_mean
from depthsep.dynamics._constants import relu_product_mean as relu_product_mean
from depthsep.dynamics._constants import scaled_relu_mean as scaled_relu_mean

if TYPE_CHECKING:
    from depthsep.dynamics._infinite import InfiniteWidth as InfiniteWidth
    from depthsep.dynamics._infinite import Reduced as Reduced
    from depthsep.dynamics._infinite import infinite_width as infinite_width
    from depthsep.dynamics._layout import predicted_bytes as predicted_bytes
    from depthsep.dynamics._learner import RadialRun as RadialRun
    from depthsep.dynamics._learner import Trajectory as Trajectory
    from depthsep.dynamics._learner import learn_radial as learn_radial
    from depthsep.dynamics._moments import RadialMoments as RadialMoments
    from depthsep.dynamics._moments import density_moments as density_moments
    from depthsep.dynamics._moments import moments as moments
    from depthsep.dynamics._moments import shell_moments as shell_moments
    from depthsep.dynamics._profile import RadialProfile as RadialProfile
    from depthsep.dynamics._radial_network import Directions as Directions
    from depthsep.dynamics._radial_network import RadialNetwork as RadialNetwork
    from depthsep.dynamics._radial_network import Rates as Rates
    from depthsep.dynamics._task import RadialTask as RadialTask

_WITH_JAX = {
    "Directions": "_radial_network",
    "InfiniteWidth": "_infinite",
    "RadialMoments": "_moments",
    "RadialNetwork": "_radial_network",
    "RadialProfile": "_profile",
    "RadialRun": "_learner",
    "RadialTask": "_task",
    "Rates": "_radial_network",
    "Reduced": "_infinite",
    "Trajectory": "_learner",
    "density_moments": "_moments",
    "infinite_width": "_infinite",
    "learn_radial": "_learner",
    "moments": "_moments",
    "predicted_bytes": "_layout",
    "shell_moments": "_moments",
}


def __getattr__(name: str) -> object:
    if name in _WITH_JAX:
        return getattr(import_module(f"{__name__}.{_WITH_JAX[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*(n for n in globals() if not n.startswith("_")), *_WITH_JAX])
