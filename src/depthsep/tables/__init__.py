"""Tables of straight pieces: the fewest for an error, proved, with short numbers."""

from typing import TYPE_CHECKING

from depthsep._lazy import lazily
from depthsep.tables._ask import pieces as pieces
from depthsep.tables._ask import table_target as table_target
from depthsep.tables._errors import Errors as Errors
from depthsep.tables._points import PointSet as PointSet
from depthsep.tables._read import read_table as read_table
from depthsep.tables._table import FORMAT as FORMAT
from depthsep.tables._table import FORMAT_IN_TWO as FORMAT_IN_TWO
from depthsep.tables._table import PieceTable as PieceTable
from depthsep.tables.plans import Piece as Piece

if TYPE_CHECKING:  # what reads the theorems of boxes is loaded when it is used
    from depthsep.tables.plane import TriangleTable as TriangleTable
    from depthsep.tables.plane import errors_of_grid as errors_of_grid
    from depthsep.tables.plane import triangles as triangles

__getattr__, __dir__, __all__ = lazily(__name__, globals())
