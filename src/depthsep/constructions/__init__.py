"""Constructions: theorems that end in a network."""

from depthsep.constructions._catalogue import BY_NAME as BY_NAME
from depthsep.constructions._catalogue import CONSTRUCTIONS as CONSTRUCTIONS
from depthsep.constructions._catalogue import MORE_STATEMENTS as MORE_STATEMENTS
from depthsep.constructions.box._glued_taylor import taylor_plan as taylor_plan
from depthsep.constructions.box._partition import Shape as Shape
from depthsep.constructions.box._partition import hats as hats
from depthsep.constructions.box._partition import square_wire as square_wire
from depthsep.constructions.box.search._box_search import BoxSearch as BoxSearch
from depthsep.constructions.by_hand._bits import binary_digits as binary_digits
from depthsep.constructions.by_hand._bits import gray_code as gray_code
from depthsep.constructions.by_hand._lipschitz import (
    inner_product_network as inner_product_network,
)
from depthsep.constructions.by_hand._lipschitz import (
    lipschitz_network as lipschitz_network,
)
from depthsep.constructions.by_hand._mirrored import (
    mirrored_copies as mirrored_copies,
)
from depthsep.constructions.by_hand._steps import Thresholds as Thresholds
from depthsep.constructions.by_hand._steps import step_network as step_network
from depthsep.constructions.by_hand.cubes._cubes import bump_error as bump_error
from depthsep.constructions.by_hand.cubes._cubes import cube_network as cube_network
from depthsep.constructions.by_hand.cubes._cubes import largest_gamma as largest_gamma
from depthsep.constructions.by_hand.cubes._cubes import relu_count as relu_count
from depthsep.constructions.by_hand.cubes._exponentials import (
    bernstein_exponentials as bernstein_exponentials,
)
from depthsep.constructions.by_hand.cubes._exponentials import (
    exponential_network as exponential_network,
)
from depthsep.constructions.by_hand.cubes._kuhn import kuhn_network as kuhn_network
from depthsep.constructions.by_hand.cubes._ridge_cosines import (
    universal_network as universal_network,
)
from depthsep.constructions.by_hand.cubes._smooth_cosines import (
    smooth_universal_network as smooth_universal_network,
)
from depthsep.constructions.by_hand.products._products import (
    monomial_network as monomial_network,
)
from depthsep.constructions.by_hand.products._products import (
    monomials_network as monomials_network,
)
from depthsep.constructions.by_hand.products._products import (
    partition_network as partition_network,
)
from depthsep.constructions.by_hand.products._products import (
    polynomial_by_products as polynomial_by_products,
)
from depthsep.constructions.by_hand.products._products import (
    product_network as product_network,
)
from depthsep.constructions.by_hand.products._products import product_of as product_of
from depthsep.constructions.by_hand.products._products import (
    three_squares_network as three_squares_network,
)
from depthsep.constructions.by_hand.products._quotient import (
    rational_function_network as rational_function_network,
)
from depthsep.constructions.by_hand.products._reciprocal import (
    reciprocal_network as reciprocal_network,
)
from depthsep.constructions.by_hand.products._skip_square import (
    square_with_skips as square_with_skips,
)
from depthsep.constructions.line._exact_kinks import ExactKinks as ExactKinks
from depthsep.constructions.line._exact_kinks import kink_network as kink_network
from depthsep.constructions.line._folds import fold_network as fold_network
from depthsep.constructions.line._quadratic import QuadraticByFolds as QuadraticByFolds
from depthsep.constructions.line._quadratic import (
    quadratic_network as quadratic_network,
)
from depthsep.constructions.line._sawtooth import SawtoothByFolds as SawtoothByFolds
from depthsep.constructions.line.search._line_search import LineSearch as LineSearch
from depthsep.constructions.records._catalogue import RECORDS as RECORDS
from depthsep.constructions.records._catalogue import record_named as record_named
from depthsep.constructions.records._on_boxes import (
    FUNCTIONS_ON_BOXES as FUNCTIONS_ON_BOXES,
)
from depthsep.constructions.records._record import Record as Record
from depthsep.constructions.records._recorded import Recorded as Recorded
from depthsep.constructions.signs._parity import ParityByFolds as ParityByFolds
from depthsep.constructions.symmetric._inner_by_folds import (
    InnerByFolds as InnerByFolds,
)
from depthsep.constructions.symmetric._inner_by_squares import (
    InnerBySquares as InnerBySquares,
)
from depthsep.constructions.symmetric._radial_by_squares import (
    RadialBySquares as RadialBySquares,
)
