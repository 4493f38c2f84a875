"""Depth separations for every dimension at once, with constants."""

from depthsep.every_dimension._ball import BALL_LOWER as BALL_LOWER
from depthsep.every_dimension._ball import BALL_UPPER as BALL_UPPER
from depthsep.every_dimension._for_all import ForAll as ForAll
from depthsep.every_dimension._for_all import Obligation as Obligation
from depthsep.every_dimension._inner import INNER_LOWER as INNER_LOWER
from depthsep.every_dimension._inner import INNER_UPPER as INNER_UPPER

EVERY_DIMENSION = (INNER_LOWER, INNER_UPPER, BALL_LOWER, BALL_UPPER)
