"""The constructions, in the order in which they are asked."""

from depthsep.claims import AbstractConstruction
from depthsep.constructions.box._glued_taylor import TaylorOnGrid
from depthsep.constructions.box._largest import LargestByFives, LargestByTree
from depthsep.constructions.box._one_form import OneForm
from depthsep.constructions.box._ridge_sum import RidgeSums
from depthsep.constructions.box._shared_folds import SharedFolds
from depthsep.constructions.box._smooth_ridges import SmoothRidges
from depthsep.constructions.box._sobolev_rate import SOBOLEV_RATE
from depthsep.constructions.box.composed._composed import Composed
from depthsep.constructions.by_hand._least_risks import LEAST_RISKS
from depthsep.constructions.by_hand._lipschitz import CHORDS, SQUARES
from depthsep.constructions.by_hand._steps import Thresholds
from depthsep.constructions.by_hand.cubes._cubes import Cubes
from depthsep.constructions.by_hand.cubes._kuhn import Simplices
from depthsep.constructions.by_hand.cubes._ridge_cosines import Cosines
from depthsep.constructions.by_hand.products._products import PRODUCT, PRODUCTS
from depthsep.constructions.by_hand.products._quotient import Quotients
from depthsep.constructions.by_hand.products._reciprocal import Reciprocals
from depthsep.constructions.by_hand.products._skip_square import SquareWithSkips
from depthsep.constructions.line._affine import AffinePassedOn
from depthsep.constructions.line._exact_kinks import ExactKinks
from depthsep.constructions.line._mean import Mean
from depthsep.constructions.line._quadratic import QuadraticByFolds
from depthsep.constructions.line._sawtooth import SawtoothByFolds
from depthsep.constructions.line._spread_interpolant import SpreadInterpolant
from depthsep.constructions.line._squared_chebyshev import PolynomialBySquares
from depthsep.constructions.line._through_points import ThroughPoints
from depthsep.constructions.line.glued._glued_folds import GluedFolds
from depthsep.constructions.line.glued._glued_with_square import GluedFoldsWithSquare
from depthsep.constructions.line.narrow._kinks_by_pairs import KinksByPairs
from depthsep.constructions.line.narrow._reflections import Reflections
from depthsep.constructions.records._recorded import Recorded
from depthsep.constructions.signs._parity import ParityByFolds
from depthsep.constructions.symmetric._inner_by_folds import InnerByFolds
from depthsep.constructions.symmetric._inner_by_ridges import InnerByRidges
from depthsep.constructions.symmetric._inner_by_squares import InnerBySquares
from depthsep.constructions.symmetric._radial_by_ridges import RadialByRidges
from depthsep.constructions.symmetric._radial_by_squares import RadialBySquares
from depthsep.evidence import Statement

_ON_LINES = (
    AffinePassedOn(),
    ExactKinks(),
    QuadraticByFolds(),
    SpreadInterpolant(),
    KinksByPairs(),
    GluedFolds(),
    GluedFoldsWithSquare(),
    Reflections(),
    PolynomialBySquares(),
)

_ON_BOXES = (OneForm(_ON_LINES), SharedFolds(), RidgeSums())

CONSTRUCTIONS: tuple[AbstractConstruction, ...] = (
    Mean(),
    AffinePassedOn(),
    ExactKinks(),
    SawtoothByFolds(),
    QuadraticByFolds(),
    ParityByFolds(),
    SpreadInterpolant(),
    KinksByPairs(),
    GluedFolds(),
    GluedFoldsWithSquare(),
    Reflections(),
    Recorded(),
    ThroughPoints(),
    PolynomialBySquares(),
    OneForm(_ON_LINES),
    LargestByTree(),
    LargestByFives(),
    SharedFolds(),
    RidgeSums(),
    SmoothRidges(),
    Composed(_ON_LINES, _ON_BOXES),
    TaylorOnGrid(),
    InnerByRidges(),
    InnerBySquares(),
    InnerByFolds(),
    RadialByRidges(),
    RadialBySquares(),
)

BY_NAME: tuple[AbstractConstruction, ...] = (
    Thresholds(),
    Cubes(),
    Simplices(),
    Cosines(),
    Reciprocals(),
    Quotients(),
    SquareWithSkips(),
)
"""Asked by name only: wider than others, or of units that lower bounds exclude."""

MORE_STATEMENTS: tuple[Statement, ...] = (
    PRODUCT,
    PRODUCTS,
    CHORDS,
    SQUARES,
    *(construction.statement for construction in BY_NAME),
    LEAST_RISKS,
    *SOBOLEV_RATE,
)
