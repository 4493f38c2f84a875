"""Depth separations for every dimension at once, with constants."""

from depthsep.every_dimension._for_all import ForAll as ForAll
from depthsep.every_dimension._for_all import Obligation as Obligation
from depthsep.every_dimension._inner import EVERY_DIMENSION as EVERY_DIMENSION
from depthsep.every_dimension._inner import INNER_LOWER as INNER_LOWER
from depthsep.every_dimension._inner import INNER_UPPER as INNER_UPPER
