"""The constructions, in the order in which they are asked."""

from depthsep.constructions._affine_target import AffinePassedOn
from depthsep.constructions._base import AbstractConstruction
from depthsep.constructions._constant import Mean
from depthsep.constructions._inner import InnerBySquares
from depthsep.constructions._parity import ParityByFolds
from depthsep.constructions._polynomial import PolynomialBySquares
from depthsep.constructions._quadratic import QuadraticByFolds
from depthsep.constructions._radial import RadialBySquares
from depthsep.constructions._radial_ridges import InnerByRidges
from depthsep.constructions._ridge_sum import RidgeSums
from depthsep.constructions._sawtooth import SawtoothByFolds
from depthsep.constructions._smooth_ridges import SmoothRidges
from depthsep.constructions._spread import SpreadInterpolant
from depthsep.constructions._taylor import TaylorOnGrid

CONSTRUCTIONS: tuple[AbstractConstruction, ...] = (
    Mean(),
    AffinePassedOn(),
    SawtoothByFolds(),
    QuadraticByFolds(),
    ParityByFolds(),
    SpreadInterpolant(),
    PolynomialBySquares(),
    RidgeSums(),
    SmoothRidges(),
    TaylorOnGrid(),
    InnerByRidges(),
    InnerBySquares(),
    RadialBySquares(),
)
