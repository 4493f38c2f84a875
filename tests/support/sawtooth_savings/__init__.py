"""The most that one affine piece can save against a sawtooth, proved by computer.

Steps in the docstrings are those of docs/proofs/sawtooth-savings.md.
"""

from support.sawtooth_savings._dual import (
    dual_saving_bound as dual_saving_bound,
)
from support.sawtooth_savings._l1 import L1_CONSTANT as L1_CONSTANT
from support.sawtooth_savings._l1 import good_saving_l1 as good_saving_l1
from support.sawtooth_savings._l1 import l1_box_bound as l1_box_bound
from support.sawtooth_savings._l1 import (
    near_maximiser_bound as near_maximiser_bound,
)
from support.sawtooth_savings._l1 import prove_l1_constant as prove_l1_constant
from support.sawtooth_savings._l2 import L2_CONSTANT as L2_CONSTANT
from support.sawtooth_savings._l2 import l2_box_bound as l2_box_bound
from support.sawtooth_savings._l2 import prove_l2_constant as prove_l2_constant
from support.sawtooth_savings._pieces import Piece as Piece
from support.sawtooth_savings._pieces import best_saving_l2 as best_saving_l2
from support.sawtooth_savings._pieces import saving_l1 as saving_l1
from support.sawtooth_savings._pieces import saving_l2 as saving_l2
from support.sawtooth_savings._report import ProofReport as ProofReport
from support.sawtooth_savings._report import Refusal as Refusal
from support.sawtooth_savings._search import Box as Box
from support.sawtooth_savings._supremum import l2_hessian as l2_hessian
from support.sawtooth_savings._supremum import l2_supremum as l2_supremum
from support.sawtooth_savings._supremum import (
    prove_l2_supremum as prove_l2_supremum,
)
