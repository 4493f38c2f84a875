"""The strategies, in a tuple: a new one is a function and a line here."""

from ._bounds import bounds_round
from ._certificates import certificates_round
from ._deadlines import deadlines_round
from ._onnx_constants import onnx_round
from ._pieces import pieces_round
from ._problems import formula_round, general_round
from ._referee import Strategy
from ._skip_networks import skips_round
from ._small_networks import networks_round

STRATEGIES = (
    Strategy("onnx", onnx_round),
    Strategy("formulas", formula_round, share=3),
    Strategy("problems", general_round, share=3),
    Strategy("networks", networks_round),
    Strategy("pieces", pieces_round),
    Strategy("certificates", certificates_round, share=3),
    Strategy("bounds", bounds_round),
    Strategy("skips", skips_round),
    Strategy("deadlines", deadlines_round),
)
