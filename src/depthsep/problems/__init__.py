"""A problem: target, law, norm and accuracy."""

from depthsep.problems._normalised import normalised_law as normalised_law
from depthsep.problems._problem import NORMS as NORMS
from depthsep.problems._problem import Problem as Problem
