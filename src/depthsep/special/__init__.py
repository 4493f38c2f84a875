"""Special functions and masses, enclosed: Bessel, Gauss, harmonics, radial laws."""

from depthsep.special._bessel import BesselLadder as BesselLadder
from depthsep.special._bessel import bessel_j as bessel_j
from depthsep.special._binomial import binomial_quantile as binomial_quantile
from depthsep.special._binomial import binomial_tail as binomial_tail
from depthsep.special._harmonics import coordinate_cdf as coordinate_cdf
from depthsep.special._harmonics import coordinate_density as coordinate_density
from depthsep.special._harmonics import harmonic_dimension as harmonic_dimension
from depthsep.special._harmonics import legendre as legendre
from depthsep.special._harmonics import legendre_floats as legendre_floats
from depthsep.special._harmonics import sphere_density as sphere_density
from depthsep.special._radial_estimate import RadialEstimate as RadialEstimate
from depthsep.special._radial_mass import RadialMass as RadialMass
from depthsep.special._radial_mass import RadialPiece as RadialPiece
from depthsep.special._unit_ball import squared_transform_cdf as squared_transform_cdf
from depthsep.special._unit_ball import (
    squared_transform_quantile as squared_transform_quantile,
)
from depthsep.special._unit_ball import tube_fraction as tube_fraction
from depthsep.special._unit_ball import unit_ball_radius as unit_ball_radius
from depthsep.special._unit_ball import unit_ball_transform as unit_ball_transform
