"""A problem: target, law, norm and accuracy."""

from depthsep.problems._from_text import bound_from_text as bound_from_text
from depthsep.problems._from_text import domain_from_text as domain_from_text
from depthsep.problems._from_text import problem_from_text as problem_from_text
from depthsep.problems._network_class import ANY_RELU as ANY_RELU
from depthsep.problems._network_class import PLAIN_RELU as PLAIN_RELU
from depthsep.problems._network_class import NetworkClass as NetworkClass
from depthsep.problems._network_class import networks_from_text as networks_from_text
from depthsep.problems._plain_means import plain_above as plain_above
from depthsep.problems._plain_means import plain_below as plain_below
from depthsep.problems._problem import NORMS as NORMS
from depthsep.problems._problem import Problem as Problem
from depthsep.problems._units import ANY_UNITS as ANY_UNITS
from depthsep.problems._units import RELU_UNITS as RELU_UNITS
from depthsep.problems._units import Units as Units
from depthsep.problems._units import units_from_text as units_from_text
