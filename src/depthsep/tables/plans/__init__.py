"""Kinds of tables: where knots may be, and what lines may be."""

from depthsep.tables.plans._cells import DyadicCells as DyadicCells
from depthsep.tables.plans._cells import EqualCells as EqualCells
from depthsep.tables.plans._curve import OnCurve as OnCurve
from depthsep.tables.plans._fixed import FixedCells as FixedCells
from depthsep.tables.plans._fixed import FixedPoint as FixedPoint
from depthsep.tables.plans._free import FreeKnots as FreeKnots
from depthsep.tables.plans._grid import GridKnots as GridKnots
from depthsep.tables.plans._plan import AbstractPlan as AbstractPlan
from depthsep.tables.plans._plan import Piece as Piece
from depthsep.tables.plans._plan import Pieces as Pieces
from depthsep.tables.plans._slopes import PowerSlopes as PowerSlopes
