"""Networks of infinite width: integrals over features, and samples of them."""

from depthsep.infinite_width._line_transform import LineTransform as LineTransform
from depthsep.infinite_width._maurey import FiniteLaw as FiniteLaw
from depthsep.infinite_width._measures import DiscreteMeasure as DiscreteMeasure
from depthsep.infinite_width._representation import Representation as Representation
from depthsep.infinite_width._statements import STATEMENTS as STATEMENTS
from depthsep.infinite_width._transforms import Cosine as Cosine
from depthsep.infinite_width._transforms import Gaussian as Gaussian
from depthsep.infinite_width._transforms import GivenTransform as GivenTransform
from depthsep.infinite_width._transforms import Mixture as Mixture
from depthsep.infinite_width._transforms import estimated_moment as estimated_moment
from depthsep.infinite_width._univariate import sampling_variance as sampling_variance
from depthsep.infinite_width._univariate import univariate as univariate
from depthsep.infinite_width._univariate import univariate_relus as univariate_relus
from depthsep.infinite_width._widths import WidthError as WidthError
from depthsep.infinite_width._widths import ball_points as ball_points
from depthsep.infinite_width._widths import error_against_width as error_against_width
from depthsep.infinite_width._widths import slope as slope
from depthsep.infinite_width.norms._barron import barron_cosines as barron_cosines
from depthsep.infinite_width.norms._barron import barron_relus as barron_relus
from depthsep.infinite_width.norms._barron import barron_thresholds as barron_thresholds
from depthsep.infinite_width.norms._barron import threshold_density as threshold_density
from depthsep.infinite_width.norms._gaussian_mass import (
    threshold_mass as threshold_mass,
)
from depthsep.infinite_width.norms._norm_bounds import NormBounds as NormBounds
from depthsep.infinite_width.norms._smoothed import Smoothed as Smoothed
from depthsep.infinite_width.norms._smoothed_radial import (
    SmoothedRadial as SmoothedRadial,
)
