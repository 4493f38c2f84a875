"""What both sides of a table rest on."""

from depthsep.evidence import Source, Statement


def source_of(statement: Statement, detail: str) -> Source:
    """The source of a statement, with a detail in place of its name if there is one."""
    if not detail:
        return statement.source
    return Source(statement.source.key, detail)
