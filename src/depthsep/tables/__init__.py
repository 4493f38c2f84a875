"""Tables of straight pieces: the fewest for an error, proved, with short numbers."""

from depthsep.tables._ask import pieces as pieces
from depthsep.tables._table import PieceTable as PieceTable
from depthsep.tables.plans import Piece as Piece
