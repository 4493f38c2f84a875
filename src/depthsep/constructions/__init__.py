"""Constructions: theorems that end in a network."""

from depthsep.constructions._catalogue import BY_NAME as BY_NAME
from depthsep.constructions._catalogue import CONSTRUCTIONS as CONSTRUCTIONS
from depthsep.constructions.box._glued_taylor import TaylorOnGrid as TaylorOnGrid
from depthsep.constructions.box._glued_taylor import corrected_bound as corrected_bound
from depthsep.constructions.box._glued_taylor import taylor_plan as taylor_plan
from depthsep.constructions.box._one_form import OneForm as OneForm
from depthsep.constructions.box._partition import Glued as Glued
from depthsep.constructions.box._partition import Shape as Shape
from depthsep.constructions.box._partition import hats as hats
from depthsep.constructions.box._partition import product_wire as product_wire
from depthsep.constructions.box._partition import square_wire as square_wire
from depthsep.constructions.box._partition_bounds import glued_bound as glued_bound
from depthsep.constructions.box._partition_bounds import hat_mean as hat_mean
from depthsep.constructions.box._ridge_sum import RidgeSums as RidgeSums
from depthsep.constructions.box._smooth_ridges import SmoothRidges as SmoothRidges
from depthsep.constructions.box.search._box_search import BoxSearch as BoxSearch
from depthsep.constructions.by_hand._bits import binary_digits as binary_digits
from depthsep.constructions.by_hand._bits import gray_code as gray_code
from depthsep.constructions.by_hand._cubes import CubeNetwork as CubeNetwork
from depthsep.constructions.by_hand._cubes import bump_error as bump_error
from depthsep.constructions.by_hand._cubes import cube_network as cube_network
from depthsep.constructions.by_hand._cubes import cubes_per_side as cubes_per_side
from depthsep.constructions.by_hand._cubes import largest_gamma as largest_gamma
from depthsep.constructions.by_hand._cubes import relu_count as relu_count
from depthsep.constructions.by_hand._fejer_korovkin import (
    bernstein_exponentials as bernstein_exponentials,
)
from depthsep.constructions.by_hand._fejer_korovkin import (
    cosine_coefficients as cosine_coefficients,
)
from depthsep.constructions.by_hand._fejer_korovkin import (
    cosine_network as cosine_network,
)
from depthsep.constructions.by_hand._fejer_korovkin import (
    exponential_network as exponential_network,
)
from depthsep.constructions.by_hand._fejer_korovkin import (
    fejer_korovkin_bound as fejer_korovkin_bound,
)
from depthsep.constructions.by_hand._fejer_korovkin import (
    kernel_coefficients as kernel_coefficients,
)
from depthsep.constructions.by_hand._fejer_korovkin import (
    ridge_cosines as ridge_cosines,
)
from depthsep.constructions.by_hand._fejer_korovkin import (
    universal_network as universal_network,
)
from depthsep.constructions.by_hand._kuhn import KuhnInterpolant as KuhnInterpolant
from depthsep.constructions.by_hand._kuhn import kuhn_network as kuhn_network
from depthsep.constructions.by_hand._kuhn import kuhn_steps as kuhn_steps
from depthsep.constructions.by_hand._lipschitz import (
    LipschitzNetwork as LipschitzNetwork,
)
from depthsep.constructions.by_hand._lipschitz import (
    inner_product_network as inner_product_network,
)
from depthsep.constructions.by_hand._lipschitz import (
    inner_product_units as inner_product_units,
)
from depthsep.constructions.by_hand._lipschitz import (
    lipschitz_network as lipschitz_network,
)
from depthsep.constructions.by_hand._lipschitz import (
    lipschitz_units as lipschitz_units,
)
from depthsep.constructions.by_hand._mirrored import (
    mirrored_copies as mirrored_copies,
)
from depthsep.constructions.by_hand._products import (
    monomial_exponents as monomial_exponents,
)
from depthsep.constructions.by_hand._products import (
    monomial_network as monomial_network,
)
from depthsep.constructions.by_hand._products import (
    monomials_network as monomials_network,
)
from depthsep.constructions.by_hand._products import (
    partition_network as partition_network,
)
from depthsep.constructions.by_hand._products import (
    polynomial_by_products as polynomial_by_products,
)
from depthsep.constructions.by_hand._products import product_network as product_network
from depthsep.constructions.by_hand._products import product_of as product_of
from depthsep.constructions.by_hand._products import (
    three_squares_network as three_squares_network,
)
from depthsep.constructions.by_hand._reciprocal import (
    rational_function_network as rational_function_network,
)
from depthsep.constructions.by_hand._reciprocal import (
    reciprocal_bound as reciprocal_bound,
)
from depthsep.constructions.by_hand._reciprocal import (
    reciprocal_network as reciprocal_network,
)
from depthsep.constructions.by_hand._skip_square import (
    square_with_skips as square_with_skips,
)
from depthsep.constructions.by_hand._smooth_cosines import (
    SmoothUniversal as SmoothUniversal,
)
from depthsep.constructions.by_hand._smooth_cosines import (
    smooth_universal_network as smooth_universal_network,
)
from depthsep.constructions.by_hand._statements import (
    MORE_STATEMENTS as MORE_STATEMENTS,
)
from depthsep.constructions.by_hand._steps import step_count as step_count
from depthsep.constructions.by_hand._steps import step_network as step_network
from depthsep.constructions.by_name._thresholds import Thresholds as Thresholds
from depthsep.constructions.line._affine import AffinePassedOn as AffinePassedOn
from depthsep.constructions.line._exact_kinks import ExactKinks as ExactKinks
from depthsep.constructions.line._exact_kinks import kink_network as kink_network
from depthsep.constructions.line._folds import balanced_bases as balanced_bases
from depthsep.constructions.line._folds import fold_network as fold_network
from depthsep.constructions.line._mean import Mean as Mean
from depthsep.constructions.line._quadratic import QuadraticByFolds as QuadraticByFolds
from depthsep.constructions.line._quadratic import (
    quadratic_network as quadratic_network,
)
from depthsep.constructions.line._sawtooth import SawtoothByFolds as SawtoothByFolds
from depthsep.constructions.line._spread_interpolant import (
    SpreadInterpolant as SpreadInterpolant,
)
from depthsep.constructions.line._spread_interpolant import (
    spread_network as spread_network,
)
from depthsep.constructions.line._squared_chebyshev import (
    PolynomialBySquares as PolynomialBySquares,
)
from depthsep.constructions.line.glued._glued_folds import GluedFolds as GluedFolds
from depthsep.constructions.line.glued._glued_with_square import (
    GluedFoldsWithSquare as GluedFoldsWithSquare,
)
from depthsep.constructions.line.narrow._kinks_by_pairs import (
    KinksByPairs as KinksByPairs,
)
from depthsep.constructions.line.narrow._reflections import (
    Reflections as Reflections,
)
from depthsep.constructions.line.records._catalogue import RECORDS as RECORDS
from depthsep.constructions.line.records._catalogue import record_named as record_named
from depthsep.constructions.line.records._record import Record as Record
from depthsep.constructions.line.records._recorded import Recorded as Recorded
from depthsep.constructions.line.search._line_search import LineSearch as LineSearch
from depthsep.constructions.signs._parity import ParityByFolds as ParityByFolds
from depthsep.constructions.symmetric._inner_by_folds import (
    InnerByFolds as InnerByFolds,
)
from depthsep.constructions.symmetric._inner_by_ridges import (
    InnerByRidges as InnerByRidges,
)
from depthsep.constructions.symmetric._inner_by_ridges import (
    ridge_network as ridge_network,
)
from depthsep.constructions.symmetric._inner_by_ridges import ridge_plan as ridge_plan
from depthsep.constructions.symmetric._inner_by_squares import (
    InnerBySquares as InnerBySquares,
)
from depthsep.constructions.symmetric._radial_by_ridges import (
    RadialByRidges as RadialByRidges,
)
from depthsep.constructions.symmetric._radial_by_squares import (
    RadialBySquares as RadialBySquares,
)
