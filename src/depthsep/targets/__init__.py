"""Target functions with known structure."""

from depthsep.targets._base import AbstractTarget as AbstractTarget
from depthsep.targets._parity import Parity as Parity
from depthsep.targets._parse import TARGETS as TARGETS
from depthsep.targets._parse import target_from_text as target_from_text
from depthsep.targets._parse import value_in_dimension as value_in_dimension
from depthsep.targets.box._derivatives import derivative_bound as derivative_bound
from depthsep.targets.box._derivatives import exponents_of_degree as exponents_of_degree
from depthsep.targets.box._derivatives import factorials as factorials
from depthsep.targets.box._derivatives import is_smooth_on as is_smooth_on
from depthsep.targets.box._derivatives import partial as partial
from depthsep.targets.box._forms import homogeneous_part as homogeneous_part
from depthsep.targets.box._forms import power_coefficients as power_coefficients
from depthsep.targets.box._forms import power_equations as power_equations
from depthsep.targets.box._forms import power_of_form as power_of_form
from depthsep.targets.box._formula_in_d import Formula as Formula
from depthsep.targets.box._largest import Largest as Largest
from depthsep.targets.box._on_box import AbstractBoxTarget as AbstractBoxTarget
from depthsep.targets.box._on_box import AffineForm as AffineForm
from depthsep.targets.box._one_form import affine_form as affine_form
from depthsep.targets.box._polynomial import Polynomial as Polynomial
from depthsep.targets.line._csv import Columns as Columns
from depthsep.targets.line._csv import read_columns as read_columns
from depthsep.targets.line._curve import Curve as Curve
from depthsep.targets.line._expression import Expression as Expression
from depthsep.targets.line._expression import (
    polynomial_expression as polynomial_expression,
)
from depthsep.targets.line._on_line import AbstractLineTarget as AbstractLineTarget
from depthsep.targets.line._on_line import ExactForm as ExactForm
from depthsep.targets.line._on_line import interval_ball as interval_ball
from depthsep.targets.line._sawtooth import Sawtooth as Sawtooth
from depthsep.targets.line._sawtooth import sawtooth_value as sawtooth_value
from depthsep.targets.line._sawtooth import zigzag as zigzag
from depthsep.targets.line._square import Square as Square
from depthsep.targets.points._point_set import PointSet as PointSet
from depthsep.targets.symmetric._inner import InnerProduct as InnerProduct
from depthsep.targets.symmetric._inner import Wave as Wave
from depthsep.targets.symmetric._profiles import FormulaPiece as FormulaPiece
from depthsep.targets.symmetric._profiles import Profile as Profile
from depthsep.targets.symmetric._profiles import ProfilePiece as ProfilePiece
from depthsep.targets.symmetric._profiles import sign_count as sign_count
from depthsep.targets.symmetric._radial import Radial as Radial
from depthsep.targets.symmetric._radial import RadialLine as RadialLine
from depthsep.targets.symmetric._radial import profile_floats as profile_floats
from depthsep.targets.symmetric._radial import profile_jet as profile_jet
