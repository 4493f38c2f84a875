"""What gradient descent finds: mean-field networks, their limits, deep linear ones.

What needs JAX is loaded when it is first asked for.
"""

from typing import TYPE_CHECKING

from depthsep._lazy import lazily
from depthsep.dynamics._statements import STATEMENTS as STATEMENTS
from depthsep.dynamics.linear._deep_linear import end_to_end_step as end_to_end_step
from depthsep.dynamics.linear._deep_linear import (
    end_to_end_velocity as end_to_end_velocity,
)
from depthsep.dynamics.linear._deep_linear import imbalance as imbalance
from depthsep.dynamics.linear._deep_linear import momentum_form as momentum_form
from depthsep.dynamics.linear._deep_linear import (
    overparametrised_product as overparametrised_product,
)
from depthsep.dynamics.linear._deep_linear import (
    overparametrised_step as overparametrised_step,
)
from depthsep.dynamics.linear._deep_linear import preconditioner as preconditioner
from depthsep.dynamics.linear._deep_linear import (
    regression_gradient as regression_gradient,
)
from depthsep.dynamics.linear._deep_linear import regression_loss as regression_loss
from depthsep.dynamics.linear._deep_linear import (
    velocity_of_product as velocity_of_product,
)
from depthsep.dynamics.radial._constants import alpha as alpha
from depthsep.dynamics.radial._constants import expected_spread as expected_spread
from depthsep.dynamics.radial._constants import limit_alpha as limit_alpha
from depthsep.dynamics.radial._constants import scaled_relu_mean as scaled_relu_mean
from depthsep.dynamics.radial.learning._enclosed import EnclosedFlow as EnclosedFlow
from depthsep.dynamics.radial.learning._enclosed import enclosed_flow as enclosed_flow

if TYPE_CHECKING:
    from depthsep.dynamics.linear._acceleration import Acceleration as Acceleration
    from depthsep.dynamics.linear._acceleration import (
        AccelerationPlan as AccelerationPlan,
    )
    from depthsep.dynamics.linear._acceleration import accelerate as accelerate
    from depthsep.dynamics.linear._deep_flow import flow_error as flow_error
    from depthsep.dynamics.linear._regression import regression as regression
    from depthsep.dynamics.linear._table_file import (
        regression_from_file as regression_from_file,
    )
    from depthsep.dynamics.particles._mean_field import Block as Block
    from depthsep.dynamics.particles._mean_field import (
        MeanFieldNetwork as MeanFieldNetwork,
    )
    from depthsep.dynamics.particles._mean_field import descend as descend
    from depthsep.dynamics.particles._mean_field import (
        first_layer_unit as first_layer_unit,
    )
    from depthsep.dynamics.particles._mean_field import flow as flow
    from depthsep.dynamics.particles._mean_field import (
        second_layer_unit as second_layer_unit,
    )
    from depthsep.dynamics.particles._mean_field import symmetrised as symmetrised
    from depthsep.dynamics.particles._mean_field import velocities as velocities
    from depthsep.dynamics.radial._least_width import LeastWidth as LeastWidth
    from depthsep.dynamics.radial._least_width import least_width as least_width
    from depthsep.dynamics.radial._least_width import time_to as time_to
    from depthsep.dynamics.radial._means import radial_means as radial_means
    from depthsep.dynamics.radial._means import (
        sample_radial_means as sample_radial_means,
    )
    from depthsep.dynamics.radial.learning._checkpoint import fingerprint as fingerprint
    from depthsep.dynamics.radial.learning._infinite import (
        InfiniteWidth as InfiniteWidth,
    )
    from depthsep.dynamics.radial.learning._infinite import (
        infinite_width as infinite_width,
    )
    from depthsep.dynamics.radial.learning._infinite import (
        reduced_start as reduced_start,
    )
    from depthsep.dynamics.radial.learning._infinite import (
        reduced_velocity as reduced_velocity,
    )
    from depthsep.dynamics.radial.learning._learner import learn_radial as learn_radial
    from depthsep.dynamics.radial.learning._run import RadialRun as RadialRun
    from depthsep.dynamics.radial.network._layout import (
        predicted_bytes as predicted_bytes,
    )
    from depthsep.dynamics.radial.network._network import RadialNetwork as RadialNetwork
    from depthsep.dynamics.radial.observing._coupling import Coupling as Coupling
    from depthsep.dynamics.radial.observing._coupling import couple as couple
    from depthsep.dynamics.radial.observing._coupling import near_a_line as near_a_line
    from depthsep.dynamics.radial.observing._decomposition import decompose as decompose
    from depthsep.dynamics.radial.observing._measure import Measured as Measured
    from depthsep.dynamics.radial.observing._measure import (
        measure_radial as measure_radial,
    )
    from depthsep.dynamics.radial.observing._observe import radial_loss as radial_loss
    from depthsep.dynamics.radial.observing._observe import (
        radial_velocity as radial_velocity,
    )
    from depthsep.dynamics.radial.observing._observe import spread as spread
    from depthsep.dynamics.radial.observing._observe import (
        spread_gradient as spread_gradient,
    )
    from depthsep.dynamics.radial.radius._moments import (
        density_moments as density_moments,
    )
    from depthsep.dynamics.radial.radius._moments import shell_moments as shell_moments
    from depthsep.dynamics.radial.task._task import RadialTask as RadialTask
    from depthsep.dynamics.radial.two_layer._budget import (
        TwoLayerBudget as TwoLayerBudget,
    )
    from depthsep.dynamics.radial.two_layer._budget import (
        TwoLayerResult as TwoLayerResult,
    )
    from depthsep.dynamics.radial.two_layer._budget import (
        equal_compute as equal_compute,
    )
    from depthsep.dynamics.radial.two_layer._budget import (
        equal_parameters as equal_parameters,
    )
    from depthsep.dynamics.radial.two_layer._budget import (
        task_flops as task_flops,
    )
    from depthsep.dynamics.radial.two_layer._training import (
        WIDEST_TWO_LAYER as WIDEST_TWO_LAYER,
    )
    from depthsep.dynamics.radial.two_layer._training import (
        check_two_layer as check_two_layer,
    )
    from depthsep.dynamics.radial.two_layer._training import (
        learn_two_layer as learn_two_layer,
    )
    from depthsep.dynamics.targets._staircase import Staircase as Staircase
    from depthsep.dynamics.targets._staircase import (
        learn_staircase as learn_staircase,
    )
    from depthsep.dynamics.targets._train import learn_target as learn_target
    from depthsep.dynamics.targets._train import train_from as train_from

__getattr__, __dir__, __all__ = lazily(__name__, globals())
