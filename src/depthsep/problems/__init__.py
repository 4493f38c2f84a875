"""A problem: target, law, norm and accuracy."""

from depthsep.problems._from_text import bound_from_text as bound_from_text
from depthsep.problems._from_text import interval_from_text as interval_from_text
from depthsep.problems._from_text import problem_from_text as problem_from_text
from depthsep.problems._normalised import normalised_law as normalised_law
from depthsep.problems._problem import NORMS as NORMS
from depthsep.problems._problem import Problem as Problem
