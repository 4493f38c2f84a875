"""Target functions with known structure."""

from depthsep.targets._base import CHECK_ENDS as CHECK_ENDS
from depthsep.targets._base import DEFINED as DEFINED
from depthsep.targets._base import DOUBTFUL as DOUBTFUL
from depthsep.targets._base import AbstractTarget as AbstractTarget
from depthsep.targets._base import ExactForm as ExactForm
from depthsep.targets._base import Jet as Jet
from depthsep.targets._base import interval_ball as interval_ball
from depthsep.targets._derivatives import as_formula as as_formula
from depthsep.targets._derivatives import derivative_bound as derivative_bound
from depthsep.targets._derivatives import exponents_of_degree as exponents_of_degree
from depthsep.targets._derivatives import factorials as factorials
from depthsep.targets._derivatives import is_smooth_on as is_smooth_on
from depthsep.targets._derivatives import partial as partial
from depthsep.targets._expression import Expression as Expression
from depthsep.targets._expression import polynomial_expression as polynomial_expression
from depthsep.targets._forms import homogeneous_part as homogeneous_part
from depthsep.targets._forms import power_coefficients as power_coefficients
from depthsep.targets._forms import power_of_form as power_of_form
from depthsep.targets._formula_in_d import Formula as Formula
from depthsep.targets._parity import Parity as Parity
from depthsep.targets._parse import target_from_text as target_from_text
from depthsep.targets._polynomial import Polynomial as Polynomial
from depthsep.targets._sawtooth import Sawtooth as Sawtooth
from depthsep.targets._sawtooth import sawtooth_value as sawtooth_value
from depthsep.targets._sawtooth import zigzag as zigzag
from depthsep.targets._square import Square as Square
