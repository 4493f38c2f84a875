"""The independent examiner: pieces, crossings, distances, best pieces, networks."""

from depthsep.analysis._examine import certify as certify
from depthsep.analysis._examine import examine as examine
from depthsep.analysis._risks import RiskParts as RiskParts
from depthsep.analysis._risks import risk_parts as risk_parts
from depthsep.analysis._sampled_error import SampledError as SampledError
from depthsep.analysis._sampled_error import sampled_error as sampled_error
from depthsep.analysis.box._polynomial_distance import check_bounded as check_bounded
from depthsep.analysis.box._ridges import Ridge as Ridge
from depthsep.analysis.box._ridges import RidgeSum as RidgeSum
from depthsep.analysis.box._ridges import ridge_sum as ridge_sum
from depthsep.analysis.box.followed._branch_and_bound import Sweep as Sweep
from depthsep.analysis.box.followed._branch_and_bound import sweep as sweep
from depthsep.analysis.box.followed._mean_error import mean_error as mean_error
from depthsep.analysis.line._examine import Examination as Examination
from depthsep.analysis.line._examine import examine_enumerated as examine_enumerated
from depthsep.analysis.line._examine import examine_split as examine_split
from depthsep.analysis.line._examine import line_error as line_error
from depthsep.analysis.line._examine import pieces_of_split as pieces_of_split
from depthsep.analysis.line.best._best_pieces import PieceCount as PieceCount
from depthsep.analysis.line.best._best_pieces import best_error as best_error
from depthsep.analysis.line.best._best_pieces import (
    best_interpolant as best_interpolant,
)
from depthsep.analysis.line.best._best_pieces import fewest_pieces as fewest_pieces
from depthsep.analysis.line.best._best_pieces import pieces_needed as pieces_needed
from depthsep.analysis.line.best._bracket import (
    best_approximant as best_approximant,
)
from depthsep.analysis.line.best._bracket import (
    best_error_bracket as best_error_bracket,
)
from depthsep.analysis.line.best._chebyshev import ChebyshevForm as ChebyshevForm
from depthsep.analysis.line.best._chebyshev import chebyshev_form as chebyshev_form
from depthsep.analysis.line.best._chebyshev import (
    chebyshev_series as chebyshev_series,
)
from depthsep.analysis.line.best._chebyshev import monomials as monomials
from depthsep.analysis.line.best._convexity import ConvexRun as ConvexRun
from depthsep.analysis.line.best._convexity import convex_runs as convex_runs
from depthsep.analysis.line.best._fewest_links import tunnel_links as tunnel_links
from depthsep.analysis.line.best._linearise import linearise as linearise
from depthsep.analysis.line.best._taylor_cells import TaylorCell as TaylorCell
from depthsep.analysis.line.best._taylor_cells import taylor_cells as taylor_cells
from depthsep.analysis.line.distance._distance import distance as distance
from depthsep.analysis.line.distance._distance import (
    distance_to_form as distance_to_form,
)
from depthsep.analysis.line.distance._distance_to_formula import (
    distance_to_target as distance_to_target,
)
from depthsep.analysis.line.distance._minus_polynomial import (
    MinusPolynomial as MinusPolynomial,
)
from depthsep.analysis.line.distance._steepest import steepest_slope as steepest_slope
from depthsep.analysis.line.distance._variation import Run as Run
from depthsep.analysis.line.distance._variation import monotone_runs as monotone_runs
from depthsep.analysis.line.distance._variation import (
    total_variation as total_variation,
)
from depthsep.analysis.line.mean._grid_function import GridFunction as GridFunction
from depthsep.analysis.line.mean._grid_function import grid_function as grid_function
from depthsep.analysis.line.mean._pieces_in_mean import PiecesInMean as PiecesInMean
from depthsep.analysis.line.mean._pieces_in_mean import pieces_in_mean as pieces_in_mean
from depthsep.analysis.line.mean._runs_in_mean import RunsInMean as RunsInMean
from depthsep.analysis.line.mean._runs_in_mean import runs_in_mean as runs_in_mean
from depthsep.analysis.line.pieces._crossings import crossings as crossings
from depthsep.analysis.line.pieces._disagreements import (
    Disagreement as Disagreement,
)
from depthsep.analysis.line.pieces._disagreements import disagreements as disagreements
from depthsep.analysis.line.pieces._enumerate import MAX_PIECES as MAX_PIECES
from depthsep.analysis.line.pieces._enumerate import on_interval as on_interval
from depthsep.analysis.line.pieces._enumerate import on_line as on_line
from depthsep.analysis.line.pieces._enumerate import sign_changes as sign_changes
from depthsep.analysis.line.pieces._piece_counts import least_units as least_units
from depthsep.analysis.line.pieces._piece_counts import least_width as least_width
from depthsep.analysis.line.pieces._piece_counts import (
    least_width_without_skips as least_width_without_skips,
)
from depthsep.analysis.line.pieces._piece_counts import most_crossings as most_crossings
from depthsep.analysis.line.pieces._piece_counts import (
    most_crossings_semialgebraic as most_crossings_semialgebraic,
)
from depthsep.analysis.line.pieces._piece_counts import most_pieces as most_pieces
from depthsep.analysis.line.pieces._piece_counts import (
    most_pieces_by_units as most_pieces_by_units,
)
from depthsep.analysis.line.pieces._piece_counts import (
    most_pieces_printed as most_pieces_printed,
)
from depthsep.analysis.line.pieces._piece_counts import (
    most_pieces_printed_by_units as most_pieces_printed_by_units,
)
from depthsep.analysis.line.pieces._piece_counts import (
    most_pieces_without_skips as most_pieces_without_skips,
)
from depthsep.analysis.line.pieces._piece_counts import (
    pieces_of_composition as pieces_of_composition,
)
from depthsep.analysis.line.pieces._piece_counts import pieces_of_sum as pieces_of_sum
from depthsep.analysis.line.pieces._piece_counts import pieces_of_unit as pieces_of_unit
from depthsep.analysis.regions._counts import most_regions as most_regions
from depthsep.analysis.regions._counts import (
    most_regions_without_rank as most_regions_without_rank,
)
from depthsep.analysis.regions._counts import region_bound as region_bound
from depthsep.analysis.regions._counts import regions_reached as regions_reached
from depthsep.analysis.survey._inspect import Inspection as Inspection
from depthsep.analysis.survey._inspect import inspect as inspect
from depthsep.analysis.survey._random_chords import random_chords as random_chords
from depthsep.analysis.survey._records import LineSurvey as LineSurvey
from depthsep.analysis.survey._records import Plan as Plan
from depthsep.analysis.survey._records import RegionSurvey as RegionSurvey
from depthsep.analysis.survey._records import Survey as Survey
from depthsep.analysis.survey._survey import survey as survey
from depthsep.analysis.survey._unit_states import UnitStates as UnitStates
from depthsep.analysis.survey._zero_on_segment import (
    is_zero_on_segment as is_zero_on_segment,
)
