"""The lower bounds, in the order in which they are asked."""

from depthsep.claims import AbstractLowerBound
from depthsep.lower_bounds.box._convex_cells import ConvexCells
from depthsep.lower_bounds.box._first_layer import FirstLayer
from depthsep.lower_bounds.box._on_lines import OnLines
from depthsep.lower_bounds.box.lines._all_lines import OnAllLines
from depthsep.lower_bounds.box.planes._plane_cells import PlaneCells
from depthsep.lower_bounds.box.segments._signed_segments import SignedSegments
from depthsep.lower_bounds.box.skinny._blind_direction import BlindDirection
from depthsep.lower_bounds.box.skinny._inner_peak import InnerPeak
from depthsep.lower_bounds.line._at_points import RunsOfPoints
from depthsep.lower_bounds.line._best_pieces import BestPieces
from depthsep.lower_bounds.line._crossings import CrossingNumber
from depthsep.lower_bounds.line._curvature import Curvature
from depthsep.lower_bounds.line._mean_pieces import MeanPieces
from depthsep.lower_bounds.line._narrow_layers import NarrowLayers
from depthsep.lower_bounds.line._one_unit import OneUnit
from depthsep.lower_bounds.line._printed import (
    PrintedCounting,
    PrintedSawtooth,
    PrintedSquare,
)
from depthsep.lower_bounds.line._quadratic import QuadraticOptimum
from depthsep.lower_bounds.line._sawtooth import SawtoothL1, SawtoothL2
from depthsep.lower_bounds.line._signed_kinks import SignedKinks
from depthsep.lower_bounds.line._thresholds import ConstantPieces
from depthsep.lower_bounds.signs._parity import ParityIsNotAffine, ParitySquares
from depthsep.lower_bounds.symmetric._daniely import WeightBound
from depthsep.lower_bounds.symmetric._inner_circles import InnerCircles
from depthsep.lower_bounds.symmetric.radial._directions import (
    BallDirections,
    GaussDirections,
)
from depthsep.lower_bounds.symmetric.radial._lines import RadialLines
from depthsep.lower_bounds.symmetric.radial._tubes import Tubes
from depthsep.lower_bounds.symmetric.zonal._inner_rank import InnerRank

LOWER_BOUNDS: tuple[AbstractLowerBound, ...] = (
    SawtoothL1(),
    SawtoothL2(),
    CrossingNumber(),
    QuadraticOptimum(),
    BestPieces(),
    MeanPieces(),
    SignedKinks(),
    NarrowLayers(),
    OneUnit(),
    Curvature(),
    ConstantPieces(),
    RunsOfPoints(),
    ParitySquares(),
    ParityIsNotAffine(),
    OnLines(),
    SignedSegments(),
    OnAllLines(),
    PlaneCells(),
    ConvexCells(),
    FirstLayer(),
    BlindDirection(),
    InnerPeak(),
    InnerRank(),
    InnerCircles(),
    WeightBound(),
    Tubes(),
    BallDirections(),
    GaussDirections(),
    RadialLines(),
    PrintedSawtooth(),
    PrintedSquare(),
    PrintedCounting(),
)
