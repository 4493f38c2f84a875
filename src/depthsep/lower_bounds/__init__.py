"""Lower bounds: theorems that forbid small networks."""

from depthsep.lower_bounds._catalogue import LOWER_BOUNDS as LOWER_BOUNDS
from depthsep.lower_bounds.box._bundles import (
    MOST_DIM_OF_LINES as MOST_DIM_OF_LINES,
)
from depthsep.lower_bounds.box._bundles import PARTS_OF_LINES as PARTS_OF_LINES
from depthsep.lower_bounds.box._bundles import cells_of_lines as cells_of_lines
from depthsep.lower_bounds.box._bundles import likely_directions as likely_directions
from depthsep.lower_bounds.box._convex_cells import ConvexCells as ConvexCells
from depthsep.lower_bounds.box._depth_of_maxima import (
    DEPTH_OF_MAXIMA as DEPTH_OF_MAXIMA,
)
from depthsep.lower_bounds.box._first_layer import FirstLayer as FirstLayer
from depthsep.lower_bounds.box._fubini import OnAllLines as OnAllLines
from depthsep.lower_bounds.box._on_lines import OnLines as OnLines
from depthsep.lower_bounds.box._on_lines import best_line as best_line
from depthsep.lower_bounds.box._regions import REGION_STATEMENTS as REGION_STATEMENTS
from depthsep.lower_bounds.line._best_pieces import BestPieces as BestPieces
from depthsep.lower_bounds.line._crossing_lemmas import (
    CROSSING_STATEMENTS as CROSSING_STATEMENTS,
)
from depthsep.lower_bounds.line._crossings import CrossingNumber as CrossingNumber
from depthsep.lower_bounds.line._curvature import Curvature as Curvature
from depthsep.lower_bounds.line._mean_pieces import MeanPieces as MeanPieces
from depthsep.lower_bounds.line._narrow_layers import NarrowLayers as NarrowLayers
from depthsep.lower_bounds.line._one_unit import OneUnit as OneUnit
from depthsep.lower_bounds.line._polynomials import ABS_STATEMENTS as ABS_STATEMENTS
from depthsep.lower_bounds.line._polynomials import abs_degree as abs_degree
from depthsep.lower_bounds.line._polynomials import (
    abs_polynomial_error as abs_polynomial_error,
)
from depthsep.lower_bounds.line._printed import PrintedCounting as PrintedCounting
from depthsep.lower_bounds.line._printed import PrintedSawtooth as PrintedSawtooth
from depthsep.lower_bounds.line._printed import PrintedSquare as PrintedSquare
from depthsep.lower_bounds.line._printed import (
    printed_square_error as printed_square_error,
)
from depthsep.lower_bounds.line._quadratic import QuadraticOptimum as QuadraticOptimum
from depthsep.lower_bounds.line._quadratic import (
    pieces_for_quadratic as pieces_for_quadratic,
)
from depthsep.lower_bounds.line._quadratic import square_optimum as square_optimum
from depthsep.lower_bounds.line._sawtooth import SawtoothL1 as SawtoothL1
from depthsep.lower_bounds.line._sawtooth import SawtoothL2 as SawtoothL2
from depthsep.lower_bounds.line._sawtooth import l1_pieces as l1_pieces
from depthsep.lower_bounds.line._sawtooth import l2_pieces as l2_pieces
from depthsep.lower_bounds.line._sawtooth_jumps import SAWTOOTH_JUMPS as SAWTOOTH_JUMPS
from depthsep.lower_bounds.line._signed_kinks import SignedKinks as SignedKinks
from depthsep.lower_bounds.line._signed_needs import PiecesOfRuns as PiecesOfRuns
from depthsep.lower_bounds.line._signed_needs import signed_units as signed_units
from depthsep.lower_bounds.line._signed_needs import signed_width as signed_width
from depthsep.lower_bounds.line._thresholds import ConstantPieces as ConstantPieces
from depthsep.lower_bounds.line._thresholds import fewest_constants as fewest_constants
from depthsep.lower_bounds.signs._parity import ParityIsNotAffine as ParityIsNotAffine
from depthsep.lower_bounds.signs._parity import ParitySquares as ParitySquares
from depthsep.lower_bounds.signs._parity import parity_width as parity_width
from depthsep.lower_bounds.symmetric._arcs import (
    least_width_of_arcs as least_width_of_arcs,
)
from depthsep.lower_bounds.symmetric._arcs import most_arcs as most_arcs
from depthsep.lower_bounds.symmetric._daniely import DANIELY as DANIELY
from depthsep.lower_bounds.symmetric._daniely import WeightBound as WeightBound
from depthsep.lower_bounds.symmetric._daniely import least_norms as least_norms
from depthsep.lower_bounds.symmetric._daniely import optimal_width as optimal_width
from depthsep.lower_bounds.symmetric._daniely import (
    printed_example_width as printed_example_width,
)
from depthsep.lower_bounds.symmetric._daniely import weighted_widths as weighted_widths
from depthsep.lower_bounds.symmetric._daniely_lemmas import LEMMAS as LEMMAS
from depthsep.lower_bounds.symmetric._daniely_lemmas import (
    polynomial_lemma as polynomial_lemma,
)
from depthsep.lower_bounds.symmetric._daniely_lemmas import unit_norms as unit_norms
from depthsep.lower_bounds.symmetric._inner_circles import InnerCircles as InnerCircles
from depthsep.lower_bounds.symmetric._separable_fit import SeparableFit as SeparableFit
from depthsep.lower_bounds.symmetric._separable_fit import (
    separable_fit as separable_fit,
)
from depthsep.lower_bounds.symmetric._separable_unit import (
    SeparableUnit as SeparableUnit,
)
from depthsep.lower_bounds.symmetric._separable_unit import (
    separable_unit as separable_unit,
)
from depthsep.lower_bounds.symmetric._sphere_values import (
    SPHERE_STATEMENTS as SPHERE_STATEMENTS,
)
from depthsep.lower_bounds.symmetric._sphere_values import (
    tube_inner_product as tube_inner_product,
)
from depthsep.lower_bounds.symmetric.radial._directions import (
    BallDirections as BallDirections,
)
from depthsep.lower_bounds.symmetric.radial._directions import (
    GaussDirections as GaussDirections,
)
from depthsep.lower_bounds.symmetric.radial._directions import (
    directions_needed as directions_needed,
)
from depthsep.lower_bounds.symmetric.radial._expansion import Expansion as Expansion
from depthsep.lower_bounds.symmetric.radial._expansion import (
    radial_expansion as radial_expansion,
)
from depthsep.lower_bounds.symmetric.radial._lines import RadialLines as RadialLines
from depthsep.lower_bounds.symmetric.radial._sign_search import SignSearch as SignSearch
from depthsep.lower_bounds.symmetric.radial._sign_search import (
    search_signs as search_signs,
)
from depthsep.lower_bounds.symmetric.radial._tube_union import TubeUnion as TubeUnion
from depthsep.lower_bounds.symmetric.radial._tube_union import tube_union as tube_union
from depthsep.lower_bounds.symmetric.radial._tubes import Tubes as Tubes
from depthsep.lower_bounds.symmetric.radial._tubes import followed_mass as followed_mass
from depthsep.lower_bounds.symmetric.radial._tubes import radial_mass as radial_mass
from depthsep.lower_bounds.symmetric.radial._tubes import tube_width as tube_width
from depthsep.lower_bounds.symmetric.zonal._inner_rank import InnerRank as InnerRank
from depthsep.lower_bounds.symmetric.zonal._zonal import Tail as Tail
from depthsep.lower_bounds.symmetric.zonal._zonal import ZonalWave as ZonalWave
from depthsep.lower_bounds.symmetric.zonal._zonal_expansion import (
    ZonalExpansion as ZonalExpansion,
)
from depthsep.lower_bounds.symmetric.zonal._zonal_expansion import (
    zonal_expansion as zonal_expansion,
)
from depthsep.lower_bounds.symmetric.zonal._zonal_kinks import ZonalKink as ZonalKink
