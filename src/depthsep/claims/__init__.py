"""What bounds, constructions and training claim about a problem."""

from depthsep.claims._construction import AbstractConstruction as AbstractConstruction
from depthsep.claims._learned import Attempt as Attempt
from depthsep.claims._learned import Learned as Learned
from depthsep.claims._learned import TrainingPlan as TrainingPlan
from depthsep.claims._lower import Lower as Lower
from depthsep.claims._lower_bound import AbstractLowerBound as AbstractLowerBound
from depthsep.claims._measure import Measure as Measure
from depthsep.claims._scope import Scope as Scope
from depthsep.claims._search_plan import SearchPlan as SearchPlan
from depthsep.claims._upper import MAX_WEIGHTS as MAX_WEIGHTS
from depthsep.claims._upper import Upper as Upper
