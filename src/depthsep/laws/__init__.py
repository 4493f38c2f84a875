"""Input laws."""

from depthsep.laws._base import AbstractLaw as AbstractLaw
from depthsep.laws._base import law_from_text as law_from_text
from depthsep.laws._box import Box as Box
from depthsep.laws._cube import SignCube as SignCube
from depthsep.laws._spheres import SpherePair as SpherePair
from depthsep.laws._squared_transform import SquaredTransform as SquaredTransform
from depthsep.laws._uniform import Uniform as Uniform
