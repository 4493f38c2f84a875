"""A problem: target, law, norm and accuracy."""

from depthsep.problems._problem import NORMS as NORMS
from depthsep.problems._problem import Problem as Problem
