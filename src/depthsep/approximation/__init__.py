"""Functions without networks: fewest pieces, best errors, means, distances."""

from depthsep.approximation.best._best_pieces import best_error as best_error
from depthsep.approximation.best._best_pieces import (
    best_interpolant as best_interpolant,
)
from depthsep.approximation.best._best_pieces import fewest_pieces as fewest_pieces
from depthsep.approximation.best._best_pieces import pieces_needed as pieces_needed
from depthsep.approximation.best._bracket import (
    best_approximant as best_approximant,
)
from depthsep.approximation.best._bracket import (
    best_error_bracket as best_error_bracket,
)
from depthsep.approximation.best._chebyshev import ChebyshevForm as ChebyshevForm
from depthsep.approximation.best._chebyshev import chebyshev_form as chebyshev_form
from depthsep.approximation.best._chebyshev import (
    chebyshev_series as chebyshev_series,
)
from depthsep.approximation.best._chebyshev import monomials as monomials
from depthsep.approximation.best._closed_tunnels import ClosedTunnels as ClosedTunnels
from depthsep.approximation.best._convexity import convex_runs as convex_runs
from depthsep.approximation.best._fewest_links import Link as Link
from depthsep.approximation.best._fewest_links import tunnel_links as tunnel_links
from depthsep.approximation.best._least_squares import LIGHTEST as LIGHTEST
from depthsep.approximation.best._least_squares import best_values as best_values
from depthsep.approximation.best._least_squares import lengths_around as lengths_around
from depthsep.approximation.best._linearise import linearise as linearise
from depthsep.approximation.best._taylor_cells import taylor_cells as taylor_cells
from depthsep.approximation.best.continuous._splines import SplineFit as SplineFit
from depthsep.approximation.distance._distance import Cell as Cell
from depthsep.approximation.distance._distance import distance as distance
from depthsep.approximation.distance._distance import (
    distance_to_form as distance_to_form,
)
from depthsep.approximation.distance._distance import from_square as from_square
from depthsep.approximation.distance._distance_to_formula import (
    distance_to_target as distance_to_target,
)
from depthsep.approximation.distance._exact_forms import pulled as pulled
from depthsep.approximation.distance._exact_forms import residuals as residuals
from depthsep.approximation.distance._exact_forms import zoomed as zoomed
from depthsep.approximation.distance._minus_polynomial import (
    MinusPolynomial as MinusPolynomial,
)
from depthsep.approximation.distance._polynomial_distance import Expanded as Expanded
from depthsep.approximation.distance._polynomial_distance import (
    check_bounded as check_bounded,
)
from depthsep.approximation.distance._polynomial_distance import (
    sup_distance as sup_distance,
)
from depthsep.approximation.distance._residuals import Residual as Residual
from depthsep.approximation.distance._steepest import steepest_slope as steepest_slope
from depthsep.approximation.distance._variation import Run as Run
from depthsep.approximation.distance._variation import monotone_runs as monotone_runs
from depthsep.approximation.distance._variation import (
    total_variation as total_variation,
)
from depthsep.approximation.mean._at_points import mean_at_points as mean_at_points
from depthsep.approximation.mean._at_points import pieces_at as pieces_at
from depthsep.approximation.mean._grading import grading as grading
from depthsep.approximation.mean._grid_function import GridFunction as GridFunction
from depthsep.approximation.mean._grid_function import grid_function as grid_function
from depthsep.approximation.mean._pieces_in_mean import PiecesInMean as PiecesInMean
from depthsep.approximation.mean._pieces_in_mean import pieces_in_mean as pieces_in_mean
from depthsep.approximation.mean._runs_in_mean import runs_in_mean as runs_in_mean
