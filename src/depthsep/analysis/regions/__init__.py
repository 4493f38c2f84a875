"""Regions of ReLU networks in one to four dimensions, exactly."""

from depthsep.analysis.regions._along import along as along
from depthsep.analysis.regions._extremes import Extremes as Extremes
from depthsep.analysis.regions._extremes import extremes as extremes
from depthsep.analysis.regions._integrals import integrals as integrals
from depthsep.analysis.regions._integrals import network_distance as network_distance
from depthsep.analysis.regions._levels import level_set as level_set
from depthsep.analysis.regions._regions import regions as regions
from depthsep.analysis.regions._subdivision import Subdivision as Subdivision
from depthsep.analysis.regions._subdivision import affine_regions as affine_regions
from depthsep.analysis.regions._subdivision import subdivide as subdivide
from depthsep.analysis.regions.cells._domains import Polygon as Polygon
