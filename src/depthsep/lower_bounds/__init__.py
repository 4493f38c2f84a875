"""Lower bounds: theorems that forbid small networks."""

from depthsep.lower_bounds._catalogue import LOWER_BOUNDS as LOWER_BOUNDS
from depthsep.lower_bounds._counting import COUNTING as COUNTING
from depthsep.lower_bounds.box._convex_cells import ConvexCells as ConvexCells
from depthsep.lower_bounds.box._depth_of_maxima import (
    DEPTH_OF_MAXIMA as DEPTH_OF_MAXIMA,
)
from depthsep.lower_bounds.box._on_lines import best_line as best_line
from depthsep.lower_bounds.box._regions import REGION_STATEMENTS as REGION_STATEMENTS
from depthsep.lower_bounds.box.lines._all_lines import OnAllLines as OnAllLines
from depthsep.lower_bounds.box.lines._bundles import (
    MOST_DIM_OF_LINES as MOST_DIM_OF_LINES,
)
from depthsep.lower_bounds.box.lines._bundles import cells_of_lines as cells_of_lines
from depthsep.lower_bounds.box.lines._bundles import (
    likely_directions as likely_directions,
)
from depthsep.lower_bounds.box.planes._hessians import FEET_OF_PLANES as FEET_OF_PLANES
from depthsep.lower_bounds.box.planes._plane_cells import CellCount as CellCount
from depthsep.lower_bounds.box.planes._plane_cells import cell_counts as cell_counts
from depthsep.lower_bounds.box.planes._triangles import (
    triangles_needed as triangles_needed,
)
from depthsep.lower_bounds.box.segments._bent_segments import Run as Run
from depthsep.lower_bounds.box.segments._packer import packer_of as packer_of
from depthsep.lower_bounds.box.segments._signed_segments import (
    packings_of_layers as packings_of_layers,
)
from depthsep.lower_bounds.box.segments._signed_segments import (
    packings_of_one_layer as packings_of_one_layer,
)
from depthsep.lower_bounds.line._crossing_lemmas import (
    CROSSING_STATEMENTS as CROSSING_STATEMENTS,
)
from depthsep.lower_bounds.line._crossings import CrossingNumber as CrossingNumber
from depthsep.lower_bounds.line._curvature import Curvature as Curvature
from depthsep.lower_bounds.line._mean_pieces import MeanPieces as MeanPieces
from depthsep.lower_bounds.line._one_unit import OneUnit as OneUnit
from depthsep.lower_bounds.line._polynomials import ABS_STATEMENTS as ABS_STATEMENTS
from depthsep.lower_bounds.line._quadratic import QuadraticOptimum as QuadraticOptimum
from depthsep.lower_bounds.line._quadratic import (
    pieces_for_quadratic as pieces_for_quadratic,
)
from depthsep.lower_bounds.line._quadratic import square_optimum as square_optimum
from depthsep.lower_bounds.line._sawtooth import l1_pieces as l1_pieces
from depthsep.lower_bounds.line._sawtooth import l2_pieces as l2_pieces
from depthsep.lower_bounds.line._sawtooth_jumps import SAWTOOTH_JUMPS as SAWTOOTH_JUMPS
from depthsep.lower_bounds.signs._parity import ParitySquares as ParitySquares
from depthsep.lower_bounds.signs._parity import parity_width as parity_width
from depthsep.lower_bounds.symmetric._arcs import (
    least_width_of_arcs as least_width_of_arcs,
)
from depthsep.lower_bounds.symmetric._daniely import optimal_width as optimal_width
from depthsep.lower_bounds.symmetric._daniely import (
    printed_example_width as printed_example_width,
)
from depthsep.lower_bounds.symmetric._daniely import weighted_widths as weighted_widths
from depthsep.lower_bounds.symmetric._daniely_lemmas import LEMMAS as LEMMAS
from depthsep.lower_bounds.symmetric._daniely_lemmas import (
    polynomial_lemma as polynomial_lemma,
)
from depthsep.lower_bounds.symmetric._inner_circles import InnerCircles as InnerCircles
from depthsep.lower_bounds.symmetric._separable_fit import (
    separable_fit as separable_fit,
)
from depthsep.lower_bounds.symmetric._separable_unit import (
    separable_unit as separable_unit,
)
from depthsep.lower_bounds.symmetric._sphere_values import (
    SPHERE_STATEMENTS as SPHERE_STATEMENTS,
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
from depthsep.lower_bounds.symmetric.radial._expansion import (
    radial_expansion as radial_expansion,
)
from depthsep.lower_bounds.symmetric.radial._lines import RadialLines as RadialLines
from depthsep.lower_bounds.symmetric.radial._sign_search import (
    search_signs as search_signs,
)
from depthsep.lower_bounds.symmetric.radial._tube_union import tube_union as tube_union
from depthsep.lower_bounds.symmetric.radial._tubes import followed_mass as followed_mass
from depthsep.lower_bounds.symmetric.radial._tubes import radial_mass as radial_mass
from depthsep.lower_bounds.symmetric.radial._tubes import tube_width as tube_width
from depthsep.lower_bounds.symmetric.zonal._zonal import Tail as Tail
from depthsep.lower_bounds.symmetric.zonal._zonal import ZonalWave as ZonalWave
from depthsep.lower_bounds.symmetric.zonal._zonal_expansion import (
    zonal_expansion as zonal_expansion,
)
from depthsep.lower_bounds.symmetric.zonal._zonal_kinks import ZonalKink as ZonalKink
