"""Exact numbers: rationals, scoped-precision balls, piecewise-affine functions."""

from depthsep.exact._balls import ball_text as ball_text
from depthsep.exact._balls import ball_upper as ball_upper
from depthsep.exact._balls import compare as compare
from depthsep.exact._balls import float_above as float_above
from depthsep.exact._balls import is_below as is_below
from depthsep.exact._balls import midpoint as midpoint
from depthsep.exact._bessel import BesselLadder as BesselLadder
from depthsep.exact._bessel import bessel_j as bessel_j
from depthsep.exact._binomial import binomial_quantile as binomial_quantile
from depthsep.exact._binomial import binomial_tail as binomial_tail
from depthsep.exact._decimals import decimal as decimal
from depthsep.exact._decimals import nearest_float as nearest_float
from depthsep.exact._decimals import plain as plain
from depthsep.exact._decimals import readable as readable
from depthsep.exact._harmonics import harmonic_dimension as harmonic_dimension
from depthsep.exact._harmonics import legendre as legendre
from depthsep.exact._harmonics import sphere_density as sphere_density
from depthsep.exact._integers import magnitude as magnitude
from depthsep.exact._integers import matmul as matmul
from depthsep.exact._integers import narrow as narrow
from depthsep.exact._integers import scaled_integers as scaled_integers
from depthsep.exact._integers import wide as wide
from depthsep.exact._intervals import Interval as Interval
from depthsep.exact._piecewise import PiecewiseAffine as PiecewiseAffine
from depthsep.exact._radial_estimate import RadialEstimate as RadialEstimate
from depthsep.exact._radial_mass import RadialMass as RadialMass
from depthsep.exact._radial_mass import RadialPiece as RadialPiece
from depthsep.exact._rational import ceil_root as ceil_root
from depthsep.exact._rational import dyadic_near as dyadic_near
from depthsep.exact._rational import perfect_sqrt as perfect_sqrt
from depthsep.exact._rational import rational as rational
from depthsep.exact._rational import rationals as rationals
from depthsep.exact._rational import sqrt_upper as sqrt_upper
from depthsep.exact._rational import text as text
from depthsep.exact._rational import total as total
from depthsep.exact._steps import MAX_STEPS as MAX_STEPS
from depthsep.exact._steps import few_steps as few_steps
from depthsep.exact._unit_ball import squared_transform_cdf as squared_transform_cdf
from depthsep.exact._unit_ball import (
    squared_transform_quantile as squared_transform_quantile,
)
from depthsep.exact._unit_ball import tube_fraction as tube_fraction
from depthsep.exact._unit_ball import unit_ball_radius as unit_ball_radius
from depthsep.exact._unit_ball import unit_ball_transform as unit_ball_transform
