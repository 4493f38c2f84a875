"""Depth separations for every dimension at once, with constants."""

from depthsep.every_dimension._find import EVERY_DIMENSION as EVERY_DIMENSION
from depthsep.every_dimension._find import bounds_for as bounds_for
from depthsep.every_dimension._find import waves_of as waves_of
from depthsep.every_dimension._for_all import ForAll as ForAll
from depthsep.every_dimension._for_all import Obligation as Obligation
from depthsep.every_dimension._waves import Leak as Leak
