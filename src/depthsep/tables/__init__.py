"""Tables of straight pieces: the fewest for an error, proved, with short numbers."""

from depthsep.tables._ask import pieces as pieces
from depthsep.tables._ask import runs_of_points as runs_of_points
from depthsep.tables._errors import Errors as Errors
from depthsep.tables._read import read_table as read_table
from depthsep.tables._table import FORMAT as FORMAT
from depthsep.tables._table import MEANS as MEANS
from depthsep.tables._table import PieceTable as PieceTable
from depthsep.tables.plans import Piece as Piece
