"""Tables of two inputs: triangles on a grid."""

from depthsep.tables.plane._ask import errors_of_grid as errors_of_grid
from depthsep.tables.plane._ask import triangles as triangles
from depthsep.tables.plane._read import read_triangles as read_triangles
from depthsep.tables.plane._table import TriangleTable as TriangleTable
