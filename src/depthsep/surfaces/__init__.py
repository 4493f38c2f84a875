"""Tables of two inputs: triangles on a grid, proved from both sides."""

from depthsep.surfaces._ask import errors_of_grid as errors_of_grid
from depthsep.surfaces._ask import triangles as triangles
from depthsep.surfaces._read import read_triangles as read_triangles
from depthsep.surfaces._table import FORMAT as FORMAT
from depthsep.surfaces._table import TriangleTable as TriangleTable
