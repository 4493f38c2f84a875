"""Networks near their start: linearisation, planting, transport, tangent kernels.

What needs JAX is loaded when it is first asked for.
"""

from typing import TYPE_CHECKING

from depthsep._lazy import lazily
from depthsep.near_init.bounds._caps import feasibility as feasibility
from depthsep.near_init.bounds._caps import smallest_width as smallest_width
from depthsep.near_init.bounds._linear_bounds import changed_signs as changed_signs
from depthsep.near_init.bounds._linear_bounds import crude_bound as crude_bound
from depthsep.near_init.bounds._linear_bounds import relu_bound as relu_bound
from depthsep.near_init.bounds._linear_bounds import (
    relu_bound_sharp as relu_bound_sharp,
)
from depthsep.near_init.bounds._linear_bounds import (
    relu_bounds_along as relu_bounds_along,
)
from depthsep.near_init.bounds._linear_bounds import smooth_bound as smooth_bound
from depthsep.near_init.bounds._shallow import adversary as adversary
from depthsep.near_init.bounds._shallow import (
    adversary_from_start as adversary_from_start,
)
from depthsep.near_init.bounds._shallow import linearised_value as linearised_value
from depthsep.near_init.bounds._shallow import network_value as network_value
from depthsep.near_init.bounds._statements_limits import LIMITS as LIMITS
from depthsep.near_init.bounds._statements_planting import PLANTING as PLANTING
from depthsep.near_init.bounds._statements_start import LINEARISATION as LINEARISATION
from depthsep.near_init.kernels._enclosed_kernel import dual as dual
from depthsep.near_init.kernels._enclosed_kernel import (
    enclosed_kernel as enclosed_kernel,
)
from depthsep.near_init.kernels._enclosed_kernel import (
    kernel_at_cosine as kernel_at_cosine,
)
from depthsep.near_init.kernels._kernel import TangentKernel as TangentKernel
from depthsep.near_init.kernels._kernel_sums import kernel_sum as kernel_sum
from depthsep.near_init.kernels._regression import LinearTraining as LinearTraining
from depthsep.near_init.kernels._regression import fit as fit
from depthsep.near_init.kernels._spectrum import spectrum as spectrum
from depthsep.near_init.kernels._universality import annihilator as annihilator
from depthsep.near_init.kernels._universality import universality as universality
from depthsep.near_init.kernels.pairs._padding import padded as padded
from depthsep.near_init.networks._initialisations import draw as draw
from depthsep.near_init.networks._initialisations import (
    initialisation as initialisation,
)
from depthsep.near_init.networks._planted_network import (
    planted_units as planted_units,
)
from depthsep.near_init.networks._planting import Planting as Planting
from depthsep.near_init.networks._planting import plant as plant
from depthsep.near_init.networks._transport import constant as constant
from depthsep.near_init.networks._transport import (
    kernel_combination as kernel_combination,
)
from depthsep.near_init.networks._transport import one_kernel as one_kernel
from depthsep.near_init.networks._transport import sampled_limit as sampled_limit
from depthsep.near_init.networks._transport import (
    scaled_linearisation as scaled_linearisation,
)
from depthsep.near_init.networks._transport import transported as transported

STATEMENTS = (*LINEARISATION, *PLANTING, *LIMITS)

if TYPE_CHECKING:
    from depthsep.near_init.networks._dense import DenseNetwork as DenseNetwork
    from depthsep.near_init.networks._dense import finite_network as finite_network
    from depthsep.near_init.networks._empirical_kernel import (
        empirical_kernel as empirical_kernel,
    )
    from depthsep.near_init.networks._experiments import Comparison as Comparison
    from depthsep.near_init.networks._experiments import KernelError as KernelError
    from depthsep.near_init.networks._experiments import compare as compare
    from depthsep.near_init.networks._experiments import kernel_error as kernel_error
    from depthsep.near_init.networks._experiments import kernel_errors as kernel_errors
    from depthsep.near_init.networks._linearise import distance as distance
    from depthsep.near_init.networks._linearise import linearise as linearise
    from depthsep.near_init.networks._linearise import minimum_norm as minimum_norm
    from depthsep.near_init.networks._training import descend as descend
    from depthsep.near_init.networks._units import unit as unit

__getattr__, __dir__, __all__ = lazily(__name__, globals())
