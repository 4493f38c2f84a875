"""Formulas that are parsed, never evaluated as code: syntax, domains, values."""

from depthsep.formulas._affine_pieces import affine_pieces as affine_pieces
from depthsep.formulas._constants import constant as constant
from depthsep.formulas._defined import check_defined as check_defined
from depthsep.formulas._degree import degree_in as degree_in
from depthsep.formulas._evaluate import JetFunction as JetFunction
from depthsep.formulas._evaluate import constant_ball as constant_ball
from depthsep.formulas._evaluate import exact_value as exact_value
from depthsep.formulas._evaluate import expression_floats as expression_floats
from depthsep.formulas._evaluate import jet_function as jet_function
from depthsep.formulas._formula import expression_of as expression_of
from depthsep.formulas._growth import Growth as Growth
from depthsep.formulas._growth import growth_of as growth_of
from depthsep.formulas._integral import integral_of as integral_of
from depthsep.formulas._ranges import range_of as range_of
from depthsep.formulas._ranges import whole_exponent as whole_exponent
from depthsep.formulas._reader import inputs_of as inputs_of
from depthsep.formulas._reader import plain_formula as plain_formula
from depthsep.formulas._reader import read_formula as read_formula
from depthsep.formulas._reader import variables_of as variables_of
from depthsep.formulas._series import taylor_series as taylor_series
from depthsep.formulas._signs import sign_changes_of as sign_changes_of
from depthsep.formulas._signs import with_signs_on as with_signs_on
from depthsep.formulas._syntax import Syntax as Syntax
from depthsep.formulas._syntax import line as line
from depthsep.formulas._syntax import number as number
from depthsep.formulas._syntax import variable as variable
