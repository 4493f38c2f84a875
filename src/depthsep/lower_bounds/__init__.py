"""Lower bounds: theorems that forbid small networks."""

from depthsep.lower_bounds._base import AbstractLowerBound as AbstractLowerBound
from depthsep.lower_bounds._best_pieces import BestPieces as BestPieces
from depthsep.lower_bounds._catalogue import LOWER_BOUNDS as LOWER_BOUNDS
from depthsep.lower_bounds._crossings import CrossingNumber as CrossingNumber
from depthsep.lower_bounds._curvature import Curvature as Curvature
from depthsep.lower_bounds._daniely import DANIELY as DANIELY
from depthsep.lower_bounds._daniely import WeightBound as WeightBound
from depthsep.lower_bounds._daniely import least_norms as least_norms
from depthsep.lower_bounds._daniely import optimal_width as optimal_width
from depthsep.lower_bounds._daniely import (
    printed_example_width as printed_example_width,
)
from depthsep.lower_bounds._daniely import weighted_widths as weighted_widths
from depthsep.lower_bounds._daniely_lemmas import LEMMAS as LEMMAS
from depthsep.lower_bounds._daniely_lemmas import polynomial_lemma as polynomial_lemma
from depthsep.lower_bounds._daniely_lemmas import unit_norms as unit_norms
from depthsep.lower_bounds._inner import InnerRank as InnerRank
from depthsep.lower_bounds._parity import ParityIsNotAffine as ParityIsNotAffine
from depthsep.lower_bounds._parity import ParitySquares as ParitySquares
from depthsep.lower_bounds._parity import parity_width as parity_width
from depthsep.lower_bounds._quadratic import QuadraticOptimum as QuadraticOptimum
from depthsep.lower_bounds._quadratic import square_optimum as square_optimum
from depthsep.lower_bounds._regions import REGION_STATEMENTS as REGION_STATEMENTS
from depthsep.lower_bounds._restriction import OnLines as OnLines
from depthsep.lower_bounds._restriction import best_line as best_line
from depthsep.lower_bounds._sawtooth import SawtoothPieces as SawtoothPieces
from depthsep.lower_bounds._telgarsky import PrintedCounting as PrintedCounting
from depthsep.lower_bounds._telgarsky import PrintedSawtooth as PrintedSawtooth
from depthsep.lower_bounds._telgarsky import PrintedSquare as PrintedSquare
from depthsep.lower_bounds._telgarsky import (
    printed_square_error as printed_square_error,
)
from depthsep.lower_bounds._tube import Tubes as Tubes
from depthsep.lower_bounds._tube import followed_mass as followed_mass
from depthsep.lower_bounds._tube import radial_mass as radial_mass
from depthsep.lower_bounds._tube import tube_width as tube_width
from depthsep.lower_bounds._zonal import Tail as Tail
from depthsep.lower_bounds._zonal import ZonalWave as ZonalWave
from depthsep.lower_bounds._zonal_kinks import ZonalKink as ZonalKink
