"""Which networks the proven widths of a table bind, in sentences."""

from depthsep.claims import ANY_RELU, PLAIN_RELU, Lower
from depthsep.reports.words._numbers import compact
from depthsep.reports.words._problem import depths_words
from depthsep.separation import Row, Separation

WITHOUT_SKIPS = "without skip connections"
CERTIFIED = "Certified networks are ReLU networks without skip connections."


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
        said.append(f"Proven{where} for {networks}.")
    plain = [row for row in separation if row.is_without_skips]
    if plain:
        by_width: dict[str, list[int]] = {}
        for row in plain:
            by_width.setdefault(_with_skips(row), []).append(row.depth)
        widths = ", ".join(
            f"{width} at {depths_words(tuple(depths))}"
            for width, depths in by_width.items()
        )
        said.append(f"Proven for networks with skip connections, too: {widths}.")
    return said


def _bound(lower: Lower) -> str:
    if lower.networks == ANY_RELU:
        return "every ReLU network, with any weights and skip connections"
    if lower.networks == PLAIN_RELU:
        return f"every ReLU network {WITHOUT_SKIPS}"
    return str(lower.networks)


def _with_skips(row: Row) -> str:
    """The width that is proven with skip connections, too."""
    found = row.lower_with_skips
    known = isinstance(found, Lower)
    return f"width {compact(found.width, upward=False)}" if known else "nothing"
