"""Input laws."""

from typing import TYPE_CHECKING

from depthsep._lazy import lazily
from depthsep.laws._at_points import AtPoints as AtPoints
from depthsep.laws._base import AbstractLaw as AbstractLaw
from depthsep.laws._cube import SignCube as SignCube
from depthsep.laws._density import AbstractDensityLaw as AbstractDensityLaw
from depthsep.laws._domains import Box as Box
from depthsep.laws._domains import Segment as Segment
from depthsep.laws._formula_law import FormulaLaw as FormulaLaw
from depthsep.laws._normal import Normal as Normal
from depthsep.laws._on_interval import AbstractLineLaw as AbstractLineLaw
from depthsep.laws._parse import LAWS as LAWS
from depthsep.laws._parse import law_from_text as law_from_text
from depthsep.laws._product import ProductLaw as ProductLaw
from depthsep.laws._product import uniform_on as uniform_on
from depthsep.laws._radial import AbstractRadialLaw as AbstractRadialLaw
from depthsep.laws._radial import RadialLaw as RadialLaw
from depthsep.laws._radius import BallRadii as BallRadii
from depthsep.laws._radius import RadiusDensity as RadiusDensity
from depthsep.laws._radius import Shells as Shells
from depthsep.laws._radius import UniformRadii as UniformRadii
from depthsep.laws._spheres import SpherePair as SpherePair
from depthsep.laws._squared_transform import SquaredTransform as SquaredTransform
from depthsep.laws._triangular import Triangular as Triangular
from depthsep.laws._uniform import Uniform as Uniform

if TYPE_CHECKING:  # needs JAX
    from depthsep.laws._jax_samples import sample_jax as sample_jax

__getattr__, __dir__, __all__ = lazily(__name__, globals())
