"""The independent examiner: pieces, crossings, distances, best pieces, networks."""

from depthsep.analysis._best_pieces import PieceCount as PieceCount
from depthsep.analysis._best_pieces import best_error as best_error
from depthsep.analysis._best_pieces import best_interpolant as best_interpolant
from depthsep.analysis._best_pieces import fewest_pieces as fewest_pieces
from depthsep.analysis._best_pieces import pieces_needed as pieces_needed
from depthsep.analysis._box_search import check_bounded as check_bounded
from depthsep.analysis._brackets import best_error_bracket as best_error_bracket
from depthsep.analysis._calculus import least_units as least_units
from depthsep.analysis._calculus import least_width as least_width
from depthsep.analysis._calculus import most_crossings as most_crossings
from depthsep.analysis._calculus import most_pieces as most_pieces
from depthsep.analysis._calculus import most_pieces_by_units as most_pieces_by_units
from depthsep.analysis._calculus import most_pieces_printed as most_pieces_printed
from depthsep.analysis._calculus import (
    most_pieces_printed_by_units as most_pieces_printed_by_units,
)
from depthsep.analysis._calculus import pieces_of_composition as pieces_of_composition
from depthsep.analysis._calculus import pieces_of_sum as pieces_of_sum
from depthsep.analysis._calculus import pieces_of_unit as pieces_of_unit
from depthsep.analysis._chebyshev import ChebyshevForm as ChebyshevForm
from depthsep.analysis._chebyshev import chebyshev_form as chebyshev_form
from depthsep.analysis._chebyshev import monomials as monomials
from depthsep.analysis._crossings import crossings as crossings
from depthsep.analysis._distance import distance as distance
from depthsep.analysis._distance import distance_to_form as distance_to_form
from depthsep.analysis._draws import random_chords as random_chords
from depthsep.analysis._examine import Examination as Examination
from depthsep.analysis._examine import certify as certify
from depthsep.analysis._examine import examine as examine
from depthsep.analysis._examine import examine_enumerated as examine_enumerated
from depthsep.analysis._examine import examine_split as examine_split
from depthsep.analysis._examine import pieces_of_split as pieces_of_split
from depthsep.analysis._faces import is_zero_on_segment as is_zero_on_segment
from depthsep.analysis._inspect import Inspection as Inspection
from depthsep.analysis._inspect import inspect as inspect
from depthsep.analysis._linearise import linearise as linearise
from depthsep.analysis._lines import MAX_PIECES as MAX_PIECES
from depthsep.analysis._lines import on_interval as on_interval
from depthsep.analysis._lines import on_line as on_line
from depthsep.analysis._minus_polynomial import MinusPolynomial as MinusPolynomial
from depthsep.analysis._region_bounds import most_regions as most_regions
from depthsep.analysis._region_bounds import (
    most_regions_without_rank as most_regions_without_rank,
)
from depthsep.analysis._region_bounds import region_bound as region_bound
from depthsep.analysis._region_bounds import regions_reached as regions_reached
from depthsep.analysis._ridges import Ridge as Ridge
from depthsep.analysis._ridges import RidgeSum as RidgeSum
from depthsep.analysis._ridges import ridge_sum as ridge_sum
from depthsep.analysis._smooth import distance_to_target as distance_to_target
from depthsep.analysis._survey import survey as survey
from depthsep.analysis._survey_records import LineSurvey as LineSurvey
from depthsep.analysis._survey_records import Plan as Plan
from depthsep.analysis._survey_records import RegionSurvey as RegionSurvey
from depthsep.analysis._survey_records import Survey as Survey
from depthsep.analysis._sweep import Sweep as Sweep
from depthsep.analysis._sweep import sweep as sweep
from depthsep.analysis._tunnel import tunnel_links as tunnel_links
from depthsep.analysis._unit_states import UnitStates as UnitStates
from depthsep.analysis._variation import Run as Run
from depthsep.analysis._variation import monotone_runs as monotone_runs
from depthsep.analysis._variation import polynomial_of as polynomial_of
from depthsep.analysis._variation import total_variation as total_variation
