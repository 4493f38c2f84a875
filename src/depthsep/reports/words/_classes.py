"""Which networks the proven widths of a table bind, in sentences."""

from dataclasses import replace

from depthsep.claims import Lower
from depthsep.problems import ANY_RELU, ANY_UNITS, PLAIN_RELU, RELU_UNITS, Problem
from depthsep.reports.words._numbers import compact
from depthsep.reports.words._problem import depths_words
from depthsep.separation import Row, Separation

WITHOUT_SKIPS = "without skip connections"


def class_sentences(separation: Separation) -> list[str]:
    """For which networks the proven widths hold; with skips where that is another."""
    groups: dict[str, list[int]] = {}
    for row in separation:
        if isinstance(row.lower, Lower):
            groups.setdefault(_bound(row.lower), []).append(row.depth)
    if not groups:
        return []
    alone = len(groups) == 1
    said = []
    for networks, depths in groups.items():
        where = "" if alone else f" at {depths_words(tuple(depths))}"
        said.append(f"The proven widths{where} hold for {networks}.")
    plain = [row for row in separation if row.is_without_skips]
    if plain:
        by_width: dict[str, list[int]] = {}
        for row in plain:
            by_width.setdefault(_with_skips(row), []).append(row.depth)
        widths = ", ".join(
            f"{width} at {depths_words(tuple(depths))}"
            for width, depths in by_width.items()
        )
        said.append(f"For networks with skip connections, this is proved: {widths}.")
    return said


def certified_sentence(problem: Problem) -> str:
    """Which networks the certified ones are."""
    kind = problem.networks.units
    built = kind if kind.activation else RELU_UNITS
    many = built.network.replace("network", "networks", 1)
    return f"Certified networks are {many} {WITHOUT_SKIPS}."


def _bound(lower: Lower) -> str:
    networks, plain = lower.networks, replace(lower.networks, units=RELU_UNITS)
    if plain == ANY_RELU and networks.units != ANY_UNITS:
        return (
            f"every {networks.units.network}, with any weights and any skip connections"
        )
    if plain == PLAIN_RELU and networks.units != ANY_UNITS:
        return f"every {networks.units.network} {WITHOUT_SKIPS}"
    return str(networks)


def _with_skips(row: Row) -> str:
    """The width that is proven with skip connections, too."""
    found = row.lower_with_skips
    known = isinstance(found, Lower)
    return (
        f"width at least {compact(found.width, upward=False)}" if known else "nothing"
    )
