"""A search for a network that is narrower than one on record."""

from depthsep.claims import SearchPlan
from depthsep.constructions import Record, Recorded
from depthsep.evidence import Inapplicable
from depthsep.separation._build import Built, built_from
from depthsep.separation._upper import best_lower, best_upper, with_search


def narrower_than(record: Record, plan: SearchPlan) -> Built | Inapplicable:
    """A narrower network for the problem of a record, examined, or why there is none.

    The search starts from the record's own network, among others, and stops at the
    width that is proved to be needed.

    Raises:
        FileFormatError: the record is damaged.
    """
    problem, depth, width = record.problem, record.depth, record.network.width
    proven = best_lower(problem, depth)
    search = with_search((Recorded((record,)),), plan, proven)
    found = best_upper(problem, depth, search[1:])
    if isinstance(found, Inapplicable):
        return found
    if found.width >= width:
        return Inapplicable(
            f"the best network found has width {found.width}, which is "
            "not below that of the record"
        )
    return built_from(found, problem)
