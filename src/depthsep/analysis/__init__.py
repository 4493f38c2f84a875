"""The independent examiner: pieces, crossings, distances, best pieces, networks."""

from depthsep.analysis._arithmetic import rounding_error as rounding_error
from depthsep.analysis._examine import certify as certify
from depthsep.analysis._examine import examine as examine
from depthsep.analysis._risks import RiskParts as RiskParts
from depthsep.analysis._risks import risk_parts as risk_parts
from depthsep.analysis._sampled_error import sampled_error as sampled_error
from depthsep.analysis.box._ridges import ridge_sum as ridge_sum
from depthsep.analysis.box.by_region._region_error import (
    simplex_errors as simplex_errors,
)
from depthsep.analysis.box.followed._branch_and_bound import sweep as sweep
from depthsep.analysis.box.followed._mean_error import mean_error as mean_error
from depthsep.analysis.facts._distance import Distance as Distance
from depthsep.analysis.facts._facts import Facts as Facts
from depthsep.analysis.facts._facts import facts as facts
from depthsep.analysis.facts._lipschitz import Lipschitz as Lipschitz
from depthsep.analysis.facts._monotone import Monotone as Monotone
from depthsep.analysis.facts._ranges import Range as Range
from depthsep.analysis.facts._shape import Shape as Shape
from depthsep.analysis.facts._units import Idle as Idle
from depthsep.analysis.inspection._inspect import inspect as inspect
from depthsep.analysis.inspection._inspection import Inspection as Inspection
from depthsep.analysis.inspection._plan import Plan as Plan
from depthsep.analysis.inspection._random_chords import random_chords as random_chords
from depthsep.analysis.inspection.facts._fact import AbstractFact as AbstractFact
from depthsep.analysis.inspection.facts._lines import LineSurvey as LineSurvey
from depthsep.analysis.inspection.facts._pieces import Pieces as Pieces
from depthsep.analysis.inspection.facts._regions import RegionSurvey as RegionSurvey
from depthsep.analysis.inspection.facts._sizes import Sizes as Sizes
from depthsep.analysis.line._examine import Examination as Examination
from depthsep.analysis.line._examine import line_error as line_error
from depthsep.analysis.line.pieces._crossings import crossings as crossings
from depthsep.analysis.line.pieces._disagreements import disagreements as disagreements
from depthsep.analysis.line.pieces._enumerate import on_interval as on_interval
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
from depthsep.analysis.properties._check import Checked as Checked
from depthsep.analysis.properties._check import Witness as Witness
from depthsep.analysis.properties._check import check as check
from depthsep.analysis.properties._check import float32_outputs as float32_outputs
from depthsep.analysis.properties._linear import Case as Case
from depthsep.analysis.properties._linear import Linear as Linear
from depthsep.analysis.regions._counts import most_regions as most_regions
from depthsep.analysis.regions._counts import (
    most_regions_without_rank as most_regions_without_rank,
)
from depthsep.analysis.regions._counts import regions_reached as regions_reached
