"""The lower bounds, in the order in which they are asked."""

from depthsep.lower_bounds._base import AbstractLowerBound
from depthsep.lower_bounds._best_pieces import BestPieces
from depthsep.lower_bounds._crossings import CrossingNumber
from depthsep.lower_bounds._curvature import Curvature
from depthsep.lower_bounds._daniely import WeightBound
from depthsep.lower_bounds._inner import InnerRank
from depthsep.lower_bounds._parity import ParityIsNotAffine, ParitySquares
from depthsep.lower_bounds._quadratic import QuadraticOptimum
from depthsep.lower_bounds._restriction import OnLines
from depthsep.lower_bounds._sawtooth import SawtoothPieces
from depthsep.lower_bounds._telgarsky import (
    PrintedCounting,
    PrintedSawtooth,
    PrintedSquare,
)
from depthsep.lower_bounds._tube import Tubes

LOWER_BOUNDS: tuple[AbstractLowerBound, ...] = (
    SawtoothPieces("l1"),
    SawtoothPieces("l2"),
    SawtoothPieces("linf"),
    CrossingNumber(),
    QuadraticOptimum(),
    BestPieces(),
    Curvature(),
    ParitySquares(),
    ParityIsNotAffine(),
    OnLines(),
    InnerRank(),
    WeightBound(),
    Tubes(),
    PrintedSawtooth(),
    PrintedSquare(),
    PrintedCounting(),
)
