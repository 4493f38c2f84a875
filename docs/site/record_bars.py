"""A bar for every record: the width that is needed, and the gap to the one found."""

import re

CELL = r"<td[^>]*>([\d-]+)</td>\s*"
ROW = re.compile(CELL * 3)  # depth, needed, found
LONGEST = 40  # units that a full bar stands for; a wider one ends there
WIDTH, HEIGHT = 120, 10


def shown(page: str) -> str:
    """The table with a column of bars behind needed and found widths."""
    page = page.replace(
        '<th style="text-align: right;">found</th>',
        '<th style="text-align: right;">found</th><th>needed, and the gap</th>',
    )
    return ROW.sub(
        lambda cells: cells[0] + f"<td>{_bar(cells[2], int(cells[3]))}</td>\n", page
    )


def _bar(needed: str, found: int) -> str:
    least = int(needed) if needed.isdigit() else 0
    scale = WIDTH / max(LONGEST, found)
    words = f"{least} needed, {found} found"
    return (
        f'<svg class="gap" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
        f'aria-label="{words}"><title>{words}</title>'
        f'<rect class="found" width="{found * scale:.1f}" height="{HEIGHT}"/>'
        f'<rect class="needed" width="{least * scale:.1f}" height="{HEIGHT}"/></svg>'
    )
