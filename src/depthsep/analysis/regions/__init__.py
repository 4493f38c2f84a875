"""Regions of ReLU networks in one to four dimensions, exactly."""

from depthsep.analysis.regions._domains import Polygon as Polygon
from depthsep.analysis.regions._regions import Regions as Regions
from depthsep.analysis.regions._regions import regions as regions
